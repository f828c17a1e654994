"""A row of two-armed levers on a rail, joined by couplers above and below."""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from cad2mbs.library.planar import CHAIN_COUPLER, CHAIN_EVEN, CHAIN_GROUND, CHAIN_ODD
from scripts.solids import palette
from scripts.solids.linkage import CLEARANCE, bolts, bore, disc, link, pockets, stud
from scripts.solids.shapes import block, fused, placed, solid, without

COUNT = 3  # four-bars
PIVOT, PIN = 6.0, 4.0  # radii
LEVER = (-5.0, 5.0)  # layers along z
COUPLER = (7.0, 14.0)
GAP = 0.5


def build() -> cq.Assembly:
    even, odd, coupler = lever(CHAIN_EVEN), lever(CHAIN_ODD), bar()
    parts = {"ground": (rail(), palette.CAST_IRON)}
    for k in range(COUNT + 1):
        parts[f"lever_{k}"] = (odd, palette.TEAL) if k % 2 else (even, palette.ORANGE)
    for k in range(1, COUNT + 1):
        parts[f"coupler_{k}"] = (coupler, palette.STEEL)
    return placed(library.four_bar_chain(COUNT), parts, "four_bar_chain")


def rail() -> cq.Solid:
    """Rail behind the levers with a bearing for each, on two posts."""
    back, end = LEVER[0] - 4, COUNT * CHAIN_GROUND
    beam = block((-25, -14, back - 16), (end + 25, 14, back - 4)).edges("|Z").fillet(10)
    solids = [beam.faces("<Z or >Z").edges().chamfer(1)]
    for k in range(COUNT + 1):
        at = (k * CHAIN_GROUND, 0.0)
        solids += [
            disc(at, 12, (back - 4, LEVER[0] - GAP), 1),
            stud(at, PIVOT - CLEARANCE, (LEVER[0] - GAP, LEVER[1] + GAP), PIVOT + 3, 2.5),
        ]
    for x in (CHAIN_GROUND / 2, end - CHAIN_GROUND / 2):
        solids += [
            block((x - 9, -110, back - 26), (x + 9, 10, back - 16)),
            block((x - 32, -116, back - 46), (x + 32, -108, back + 14)).edges("|Y").fillet(6),
            *bolts([(x, 0)], 6, (back - 4, back)),
        ]
    return solid(fused(solids))


def lever(arm: float) -> cq.Solid:
    """Two-armed lever, an eye at each tip."""
    arms = [link((0, 0), (x, 0), (14, 9), LEVER, 1) for x in (-arm, arm)]
    hollow = [
        shape
        for s in (-1, 1)
        for shape in pockets((s * 23, 0), (s * (arm - 17), 0), (5.5, 4), LEVER, 3)
    ]
    holes = [bore((0, 0), PIVOT), bore((-arm, 0), PIN), bore((arm, 0), PIN)]
    return solid(without(fused(arms), [*hollow, *holes]))


def bar() -> cq.Solid:
    """Coupler with a riveted pin at each end that goes back through a lever."""
    body = link((0, 0), (CHAIN_COUPLER, 0), (8, 8), COUPLER, 1)
    hollow = pockets((18, 0), (CHAIN_COUPLER - 18, 0), (3.5, 3.5), COUPLER, 2)
    pins = []
    for x in (0.0, CHAIN_COUPLER):
        pins += [
            disc((x, 0), 6, (LEVER[1] + GAP, COUPLER[0] + 1)),
            stud((x, 0), PIN - CLEARANCE, (LEVER[0] - GAP, LEVER[1] + GAP), PIN + 2, -2),
            disc((x, 0), PIN + 1, (COUPLER[1] - 1, COUPLER[1] + 1.5), 0.6),
        ]
    return solid(fused([without(body, hollow), *pins]))
