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


def conflicting_set(assembly: Assembly, open_mates: set[str]) -> tuple[str, ...]:
    """A smallest set of mates that cannot hold together: leaving out any one makes the rest fit.

    Divide and conquer over the mates that share a loop with an open one.
    """
    candidates = _around(assembly, open_mates)

    def fits(mates: Sequence[str]) -> bool:
        skip = frozenset(assembly.mates) - frozenset(mates)
        # Rigid pairs stay apart: one that fits in several ways must not look like a conflict.
        s = Mapper(assembly, "mixed", skip, merge=False).structure()
        if any(not joint.found.consistent for joint in s.joints) or open_inside(s):
            return False
        return assemble(s.model, s.start, max_starts=CONFLICT_STARTS, loose=LOOSE).residual <= LOOSE

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
    touched = {
        frozenset((node(assembly.mates[n].a.part), node(assembly.mates[n].b.part)))
        for n in open_mates
        if n in assembly.mates
    }
    near: set[str] = set()
    for nodes in nx.biconnected_components(graph):
        component = {str(n) for n in nodes}
        if any(pair <= component for pair in touched):
            near |= component
    near = near or set(graph.nodes)
    return [
        m.name
        for m in assembly.mates.values()
        if node(m.a.part) in near and node(m.b.part) in near and m.name not in driven
    ]


def open_inside(s: Structure) -> dict[str, tuple[float, float]]:
    """Mates between parts of one rigid body that do not hold there: gap [m], [rad]."""
    from cad2mbs.mapping.gaps import gap

    out = {}
    for name in s.same_body:
        mate = s.assembly.mates[name]
        body = next(b for b in s.bodies.values() if mate.a.part in b.places)
        length, angle = gap(s.assembly, mate, body.places[mate.a.part], body.places[mate.b.part])
        if length > OPEN * s.length or angle > OPEN:
            out[name] = (length, angle)
    return out


def verdict_list(
    assembly: Assembly,
    gaps: dict[str, tuple[float, float]],
    size: float,
    redundant: set[str],
    conflicting: Sequence[str],
) -> list[MateVerdict]:
    """One verdict per mate, in file order; `gaps` in [m] and [rad], `size` the model length [m]."""
    out = []
    for mate in assembly.mates.values():
        length, angle = gaps[mate.name]
        if mate.name in conflicting or length > OPEN * size or angle > OPEN:
            verdict = CONFLICTING
        elif mate.name in redundant and not MATE_KINDS[mate.kind].one_sided:
            verdict = REDUNDANT
        else:
            verdict = NEEDED
        out.append(
            MateVerdict(mate.name, mate.kind, verdict, length * 1e3, float(np.degrees(angle)))
        )
    return out
