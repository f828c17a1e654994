"""What to move: joints to the ground before others, cranks that go all the way round first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import networkx as nx
import numpy as np

from cad2mbs.errors import Cad2mbsError
from cad2mbs.infer.resolve import Resolver
from cad2mbs.mechanism import Mechanism
from cad2mbs.model.assembly import Assembly, Drive, Freedom, JointFreedom

MOST_TURNED = 6  # joints that are turned once round to see whether they can
FEW = 12  # joints offered besides three for each freedom
LARGE = 150  # bodies: above, nobody waits for that
FREEDOMS = {
    "revolute": (Freedom.TURN,),
    "prismatic": (Freedom.SLIDE,),
    "cylindrical": (Freedom.SLIDE, Freedom.TURN),
}


@dataclass(frozen=True)
class Mover:
    """A joint that may be driven: from part a to part b."""

    a: str
    b: str
    kind: str
    confidence: float
    grounded: bool


def movers(piece: Resolver) -> list[Mover]:
    """The joints of a piece with one or two plain freedoms, seen from the ground's side."""
    common = piece.common
    graph = nx.Graph([common.ends(item) for item in piece.joints()])
    base = common.ground_group
    far = nx.single_source_shortest_path_length(graph, base) if base in graph else {}
    out = []
    for item in piece.joints():
        if item.kind not in FREEDOMS:
            continue
        ends = sorted(item.guess.parts, key=lambda row: far.get(common.groups.of(row), len(graph)))
        a, b = (common.scene.bodies[row].name for row in ends)
        grounded = common.groups.of(ends[0]) == base
        out.append(Mover(a, b, item.kind, item.guess.confidence, grounded))
    return out


def drives(
    assembly: Assembly, m: Mechanism, movers: Sequence[Mover]
) -> tuple[dict[str, Drive], dict[str, str]]:
    """As many drives as there are freedoms, where joints can serve, and why each was chosen."""
    wanted = m.mobility.freedoms
    if not m.assembled or wanted == 0 or not movers:
        return {}, {}
    order = sorted(movers, key=_rank)
    ahead = [mv for mv in order if mv.kind == "revolute" and mv.grounded]
    full: set[Mover] = set()
    if wanted <= 2 and len(m.bodies) <= LARGE:
        full = {mv for mv in ahead[:MOST_TURNED] if _turns_round(assembly, mv)}
        order = sorted(order, key=lambda mv: (mv not in full, *_rank(mv)))
    offers = _offers(order[: 3 * wanted + FEW])
    tied = set(replace(assembly, drives=offers).mechanism().tied_drives)
    chosen = {n: d for n, d in offers.items() if n not in tied}
    chosen = dict(list(chosen.items())[:wanted])
    by_parts = {(mv.a, mv.b): mv for mv in order}
    reasons = {}
    for name, drive in chosen.items():
        assert drive.of is not None
        mover = by_parts[drive.of.a, drive.of.b]
        reasons[name] = _reason(mover, mover in full)
    return chosen, reasons


def _rank(mv: Mover) -> tuple[object, ...]:
    kinds = ("revolute", "prismatic", "cylindrical")
    return (not mv.grounded, kinds.index(mv.kind), -round(mv.confidence, 2), mv.b)


def _offers(order: Sequence[Mover]) -> dict[str, Drive]:
    out: dict[str, Drive] = {}
    for mv in order:
        for freedom in FREEDOMS[mv.kind]:
            plain = mv.b if mv.kind != "cylindrical" else f"{mv.b}_{freedom}"
            name, number = plain, 1
            while name in out:
                number += 1
                name = f"{plain}_{number}"
            out[name] = Drive(name, of=JointFreedom(mv.a, mv.b, freedom))
    return out


def _turns_round(assembly: Assembly, mv: Mover) -> bool:
    """Whether the joint can be turned once round without a stop."""
    drive = Drive("it", of=JointFreedom(mv.a, mv.b, Freedom.TURN))
    m = replace(assembly, drives={"it": drive}).mechanism()
    start, turn = m.drives["it"].value, 2.0 * np.pi / assembly.units.radian
    try:
        return m.sweep({"it": np.linspace(start, start + turn, 73)}).ok
    except Cad2mbsError:
        return False


def _reason(mover: Mover, full: bool) -> str:
    if full:
        return f"{mover.b} turns all the way round in {mover.a}, which stands still: a crank"
    where = "which stands still" if mover.grounded else "the nearest there is to the ground"
    word = {"revolute": "turns", "prismatic": "slides", "cylindrical": "moves"}[mover.kind]
    return f"{mover.b} {word} in {mover.a}, {where}"
