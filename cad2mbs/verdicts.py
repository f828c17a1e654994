"""What every mate does: needed, redundant but consistent, or conflicting, and with which others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from cad2mbs.mapping.recognise import LOOSE
from cad2mbs.mapping.structure import Mapper, Structure
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import MATE_KINDS
from solvers.assemble import assemble
from solvers.mobility import rank_of, scaled

NEEDED, REDUNDANT, CONFLICTING = "needed", "redundant", "conflicting"
OPEN = 2.0 * LOOSE  # of the model length, or rad: more is open
CONFLICT_STARTS = 40


@dataclass(frozen=True)
class MateVerdict:
    name: str
    kind: str
    verdict: str
    residual_mm: float
    residual_deg: float


def redundant_mates(s: Structure, states: Sequence[np.ndarray], tol: float) -> set[str]:
    """Mates that can all be left out at once without freeing anything.

    Within a pair of bodies those that lock nothing the ones before them leave free; among closing
    joints those none of whose rows adds to the rank, in file order.
    """
    out = {name for joint in s.joints for name in joint.found.redundant}
    out |= set(s.same_body) - _welds_needed(s)
    order = [n for n in s.mate_rows if n not in out and s.mate_rows[n].two_sided]
    J = {r: None for n in order for r in s.mate_rows[n].two_sided}
    rows = np.array(list(J), np.int64)
    measured = np.setdiff1d(s.closing_rows, rows)
    if len(rows) == 0:
        return out
    per_state = [scaled(s.model, y, np.concatenate([measured, rows])) for y in states]
    ranks = [rank_of(j, tol) for j in per_state]
    best = per_state[int(np.argmax(ranks))]
    place = {int(r): len(measured) + k for k, r in enumerate(rows)}
    basis = _Span(best[: len(measured)], tol)
    for name in order:
        added = basis.add(best[[place[r] for r in s.mate_rows[name].two_sided]])
        if added == 0 and name in s.assembly.mates:
            out.add(name)
    return out


def _welds_needed(s: Structure) -> set[str]:
    """Mates inside rigid bodies that made them rigid, less those that came on top."""
    needed: set[str] = set()
    for body in s.bodies.values():
        needed |= {w for w in body.welds if w not in s.weld_redundant}
    return needed


class _Span:
    """Orthonormal rows collected one mate at a time."""

    def __init__(self, rows: np.ndarray, tol: float):
        self.tol = tol
        self.Q = np.zeros((0, rows.shape[1]))
        self.add(rows)

    def add(self, rows: np.ndarray) -> int:
        """Add what is new in the rows; return how many directions that was."""
        rest = rows
        for _ in range(2):  # twice, against rounding
            rest = rest - (rest @ self.Q.T) @ self.Q
        if not rest.size:
            return 0
        _, sv, Vt = np.linalg.svd(rest, full_matrices=False)
        new = Vt[sv > self.tol]
        self.Q = np.vstack([self.Q, new])
        return len(new)


def conflicting_set(assembly: Assembly, open_mates: set[str]) -> tuple[str, ...]:
    """A smallest set of mates that cannot hold together: leaving out any one makes the rest fit.

    Divide and conquer over the mates that share a loop with an open one.
    """
    candidates = _around(assembly, open_mates)

    def fits(mates: Sequence[str]) -> bool:
        skip = frozenset(assembly.mates) - frozenset(mates)
        s = Mapper(assembly, "mixed", skip).structure()
        if any(not joint.found.consistent for joint in s.joints) or _clash_inside(s):
            return False
        return assemble(s.model, s.start, max_starts=CONFLICT_STARTS).residual <= LOOSE

    if fits(candidates):
        return ()
    found = set(_explain([], False, candidates, fits))
    return tuple(n for n in assembly.mates if n in found)


def _explain(
    base: list[str], grown: bool, mates: list[str], fits: Callable[[Sequence[str]], bool]
) -> list[str]:
    """QuickXplain: the mates that together with `base` are just too many."""
    if grown and not fits(base):
        return []
    if len(mates) == 1:
        return mates
    half = len(mates) // 2
    left, right = mates[:half], mates[half:]
    from_right = _explain(base + left, bool(left), right, fits)
    from_left = _explain(base + from_right, bool(from_right), left, fits)
    return from_left + from_right


def _around(assembly: Assembly, open_mates: set[str]) -> list[str]:
    """Mates in the same loops as the open ones; others cannot have a part in the conflict."""
    driven = {d.mate for d in assembly.drives.values() if d.mate}
    graph = nx.Graph()
    grounded = {n for n, p in assembly.parts.items() if p.grounded}

    def node(part: str) -> str:
        return "\0ground" if part in grounded else part

    for mate in assembly.mates.values():
        graph.add_edge(node(mate.a.part), node(mate.b.part))
    touched = {frozenset((node(assembly.mates[n].a.part), node(assembly.mates[n].b.part)))
               for n in open_mates if n in assembly.mates}
    near: set[str] = set()
    for component in nx.biconnected_components(graph):
        if any(pair <= component for pair in touched):
            near |= component
    near = near or set(graph.nodes)
    return [
        m.name for m in assembly.mates.values()
        if node(m.a.part) in near and node(m.b.part) in near and m.name not in driven
    ]


def _clash_inside(s: Structure) -> bool:
    """Whether a mate inside a rigid body is open."""
    return bool(open_inside(s))


def open_inside(s: Structure) -> dict[str, tuple[float, float]]:
    """Mates between parts of one rigid body that do not hold there: gap [m], [rad]."""
    from cad2mbs.mapping.gaps import gap

    out = {}
    for name in s.same_body:
        mate = s.assembly.mates[name]
        body = next(b for b in s.bodies.values() if mate.a.part in b.places)
        length, angle = gap(
            s.assembly, mate, body.places[mate.a.part], body.places[mate.b.part])
        if length > OPEN * s.length or angle > OPEN:
            out[name] = (length, angle)
    return out


def verdict_list(
    assembly: Assembly,
    gaps: dict[str, tuple[float, float]],
    redundant: set[str],
    conflicting: Sequence[str],
) -> list[MateVerdict]:
    """One verdict per mate, in file order; `gaps` in [m] and [rad]."""
    out = []
    for mate in assembly.mates.values():
        length, angle = gaps[mate.name]
        if mate.name in conflicting:
            verdict = CONFLICTING
        elif mate.name in redundant and not MATE_KINDS[mate.kind].one_sided:
            verdict = REDUNDANT
        else:
            verdict = NEEDED
        out.append(MateVerdict(
            mate.name, mate.kind, verdict, length * 1e3, float(np.degrees(angle))))
    return out
