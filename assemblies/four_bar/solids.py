"""A crank-rocker on a bed: cranked link with counterweight, I-section coupler, tapered rocker."""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from scripts.solids import palette
from scripts.solids.linkage import CLEARANCE, bolts, bore, disc, link, pockets, sector, slot, stud
from scripts.solids.shapes import Shape, block, fused, placed, solid, without

GROUND, CRANK, COUPLER, ROCKER = 1000.0, 500.0, 1200.0, 800.0
PIVOT, PIN = 32.0, 26.0  # radii: pins of the ground, pins between links
BACK = (-24.0, 24.0)  # layers along z: crank and rocker, then the coupler in front
FRONT = (38.0, 74.0)
GAP = 2.0  # between a link and what it turns against


def build() -> cq.Assembly:
    parts = {
        "ground": (bed(), palette.CAST_IRON),
        "crank": (crank(), palette.ORANGE),
        "coupler": (coupler(), palette.STEEL),
        "rocker": (rocker(), palette.BLUE),
    }
    return placed(library.four_bar(), parts, "four_bar")


def bed() -> cq.Solid:
    """Beam behind the links with a bearing at each pivot, on two feet."""
    back = BACK[0] - GAP
    low = back - 90
    beam = block((-90, -70, low), (GROUND + 90, 70, back - 26)).edges("|Z").fillet(40)
    solids = [beam.faces("<Z or >Z").edges().chamfer(5)]
    for x in (0.0, GROUND):
        solids += [
            disc((x, 0), 78, (low, back), 6),
            stud((x, 0), PIVOT - CLEARANCE, (back, BACK[1] + GAP), PIVOT + 14, 9),
            block((x - 70, -640, low - 20), (x + 70, 0, low + 34)).edges("|Z").fillet(8),
            foot(x, low),
        ]
    holes = [slot((210, 0), (GROUND - 210, 0), 34, (low - 1, back))]
    holes += [bore((x, y), 26) for x in (0.0, GROUND) for y in (-220, -380)]
    holes += [_floor_hole(x, low + 110) for x in (-45, 45, GROUND - 45, GROUND + 45)]
    return solid(without(fused(solids), holes))


def foot(x: float, low: float) -> Shape:
    """Foot plate with ribs to the column."""
    plate = block((x - 100, -660, low - 60), (x + 100, -625, low + 150)).edges("|Y").fillet(18)
    rib = (
        cq.Workplane("YZ", origin=(x - 11, 0, 0))
        .polyline([(-626, low + 30), (-626, low + 112), (-430, low + 30)])
        .close()
        .extrude(22)
    )
    return fused([plate, rib])


def _floor_hole(x: float, z: float) -> Shape:
    return cq.Workplane("XZ", origin=(x, -600, z)).circle(11).extrude(80)


def crank() -> cq.Solid:
    """Crank with a counterweight behind its pivot and the crank pin in front."""
    arm = link((0, 0), (CRANK, 0), (72, 54), BACK, 5)
    weight = sector(190, 122, 238, BACK).edges("|Z").edges("<X").fillet(20)
    hub = disc((CRANK, 0), 44, (BACK[0], FRONT[0] - GAP), 4)
    pin = stud((CRANK, 0), PIN - CLEARANCE, (FRONT[0] - GAP, FRONT[1] + GAP), PIN + 12, 12)
    hollow = pockets((120, 0), (CRANK - 95, 0), (36, 28), BACK, 14)
    body = without(fused([arm, weight]), [*hollow, bore((0, 0), PIVOT)])
    holes = bolts([(-130, 0), (-105, 75), (-105, -75)], 16, (BACK[1] - 8, BACK[1] + 8))
    return solid(fused([body, hub, pin, *holes]))


def coupler() -> cq.Solid:
    """Slender I-section bar with an eye at each end."""
    bar = link((0, 0), (COUPLER, 0), (40, 40), FRONT, 4)
    eyes = [disc((x, 0), 52, FRONT, 4) for x in (0, COUPLER)]
    hollow = pockets((90, 0), (COUPLER - 90, 0), (24, 24), FRONT, 12)
    holes = [bore((x, 0), PIN) for x in (0, COUPLER)]
    return solid(without(fused([bar, *eyes]), [*hollow, *holes]))


def rocker() -> cq.Solid:
    """Tapered rocker with lightening holes; its pin carries the coupler."""
    arm = link((0, 0), (ROCKER, 0), (78, 50), BACK, 5)
    hub = disc((ROCKER, 0), 44, (BACK[0], FRONT[0] - GAP), 4)
    pin = stud((ROCKER, 0), PIN - CLEARANCE, (FRONT[0] - GAP, FRONT[1] + GAP), PIN + 12, 12)
    holes = [bore((0, 0), PIVOT)]
    holes += [bore((x, 0), r) for x, r in ((170, 42), (310, 38), (440, 34), (560, 30), (670, 26))]
    return solid(fused([without(arm, holes), hub, pin]))
