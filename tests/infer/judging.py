"""How an inferred mechanism compares with what the generator made."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cad2mbs.mapping.structure import JointEdge
from cad2mbs.mechanism import Mechanism
from tests.infer.shop import Shop, TrueJoint

OFF_AXIS, OFF_ANGLE = 0.5, 0.02  # [mm] before scaling, [rad]


@dataclass
class Verdict:
    """Counts of one or of many mechanisms; joints between bodies, kind and axis."""

    right: int = 0
    true: int = 0  # joints that were made
    found: int = 0  # joints that were inferred
    merges: int = 0  # bodies that must move apart but were made one
    welds: int = 0  # parts that were made rigid with another
    welded: int = 0  # of these, found
    wrong: list[str] = field(default_factory=list)

    def __iadd__(self, other: Verdict) -> Verdict:
        for name in ("right", "true", "found", "merges", "welds", "welded"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wrong += other.wrong
        return self

    @property
    def recall(self) -> float:
        return self.right / max(self.true, 1)

    @property
    def precision(self) -> float:
        return self.right / max(self.found, 1)


def judge(shop: Shop, m: Mechanism) -> Verdict:
    """Compare the mechanism with what is true; hardware may go with either neighbour."""
    body = shop.bodies()
    out = Verdict(true=len(shop.joints), found=len(m.joints), welds=len(shop.rigid))
    owner = {p: b.name for b in m.bodies for p in b.parts}
    for b in m.bodies:
        mine = sorted({body[p] for p in b.parts if p in body})
        out.merges += max(len(mine) - 1, 0)
        if len(mine) > 1:
            out.wrong.append(f"made one: {', '.join(mine)}")
    for a, b in shop.rigid:
        out.welded += owner[a] == owner[b]
        if owner[a] != owner[b]:
            out.wrong.append(f"not one: {a}, {b}")
    found = {frozenset(_names(m, edge, body)): edge for edge in m.structure.joints}
    for t in shop.joints:
        edge = found.pop(frozenset(body[p] for p in t.parts), None)
        if edge is not None and _same(t, edge, m, shop.scale):
            out.right += 1
        else:
            out.wrong.append(f"{t.kind} {'-'.join(t.parts)}: {edge.kind if edge else 'nothing'}")
    out.wrong += [f"nothing {'-'.join(sorted(k))}: {e.kind}" for k, e in found.items()]
    return out


def _names(m: Mechanism, edge: JointEdge, body: dict[str, str]) -> list[str]:
    """What the two bodies of a joint are truly called; loose hardware by its own name."""
    out = []
    for name in (edge.a, edge.b):
        mine = sorted({body[p] for p in m.structure.bodies[name].places if p in body})
        out.append(mine[0] if mine else name)
    return out


def _same(t: TrueJoint, edge: JointEdge, m: Mechanism, scale: float) -> bool:
    if edge.kind != t.kind:
        return False
    R, p = m.structure.bodies[edge.a].start
    last = edge.found.elements[-1]
    z, point = R @ last.R[:, 2], (R @ last.p + p) * 1e3
    d = point - np.array(t.point) * scale
    along = np.array(t.along) / np.linalg.norm(t.along)
    near = OFF_AXIS * scale
    if t.kind == "spherical":
        return bool(np.linalg.norm(d) <= near)
    parallel = np.linalg.norm(np.cross(z, along)) <= OFF_ANGLE
    if t.kind == "prismatic":
        return bool(parallel)
    return bool(parallel and np.linalg.norm(d - (d @ along) * along) <= near)
