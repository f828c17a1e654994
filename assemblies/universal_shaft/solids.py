"""Two shafts with forks, the cross between them, and two pillow blocks on a bent base plate."""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from scripts.solids import palette
from scripts.solids.machine import CLEARANCE, pillow_block
from scripts.solids.shapes import (
    Shape,
    around,
    block,
    cone,
    cylinder,
    fused,
    placed,
    solid,
    turned,
    without,
)

ANGLE = 30.0  # between the shafts [deg]
REACH = 100.0  # from the cross to the middle of a bearing
BEARING = 20.0  # width of a bearing
JOURNAL = 8.0  # radius of a bearing
HEIGHT = 58.0  # of the shafts above the plate
EYE = (14.0, 22.0)  # inner and outer face of a fork's eyes, from the cross
PIN = 5.0  # radius of an eye's hole
ARM = 9.0  # half the width of a fork
GAP = 0.3  # between the cross and a fork's eyes


def build() -> cq.Assembly:
    """The joint with its input at 20 degrees."""
    one = fork()
    parts = {
        "ground": (ground(), palette.CAST_IRON),
        "input": (solid(one), palette.ORANGE),
        "cross": (cross(), palette.BRASS),
        "output": (solid(turned(one, 180, (1, 0, 0))), palette.TEAL),
    }
    return placed(library.universal_shaft(ANGLE), parts, "universal_shaft")


def ground() -> cq.Solid:
    """A base plate in two wings, each with a bearing."""
    wing = block((0, -42, -HEIGHT - 10), (REACH + 22, 42, -HEIGHT)).edges("|Z and >X").fillet(8)
    bearing = pillow_block(JOURNAL, HEIGHT, BEARING).translate((REACH, 0, 0))
    bore = cylinder(JOURNAL, (REACH - BEARING, 0, 0), (REACH + BEARING, 0, 0))
    bolts = [
        cylinder(4.5, (x, y, -HEIGHT - 11), (x, y, -HEIGHT + 1))
        for x, y in ((REACH - 38, 28), (REACH - 38, -28))
    ]
    middle = cylinder(42, (0, 0, -HEIGHT - 10), (0, 0, -HEIGHT))
    body = fused([middle, *(turned(s, a) for s in (wing, bearing) for a in (180, ANGLE))])
    return solid(without(body, [turned(s, a) for s in (bore, *bolts) for a in (180, ANGLE)]))


def fork() -> Shape:
    """Shaft along -z with its fork round the origin, eyes along x, and a flange at its end."""
    inner, outer = EYE
    start, face = -26.0, BEARING / 2 - REACH
    arms = [block((a, -ARM, start - 2), (b, ARM, 0)) for a, b in ((inner, outer), (-outer, -inner))]
    eyes = [cylinder(ARM, (a, 0, 0), (b, 0, 0)) for a, b in ((inner, outer), (-outer, -inner))]
    bridge = block((-outer, -ARM, start - 8), (outer, ARM, start)).edges("|Y and <Z").chamfer(5)
    neck = cone(JOURNAL + 2, ARM + 3, (0, 0, start - 20), (0, 0, start - 8))
    shaft = cylinder(JOURNAL + 2, (0, 0, face), (0, 0, start - 20))
    collar = cylinder(JOURNAL + 5, (0, 0, face), (0, 0, face + 5)).edges(">Z").chamfer(1)
    end = -REACH - BEARING / 2
    journal = cylinder(JOURNAL - CLEARANCE, (0, 0, end - 2), (0, 0, face))
    flange = cylinder(24, (0, 0, end - 10), (0, 0, end - 2)).edges().chamfer(1)
    body = fused([*arms, *eyes, bridge, neck, shaft, collar, journal, flange])
    holes = [cylinder(3, (x, y, end - 11), (x, y, end - 1)) for x, y in around(6, 17.0)]
    return without(body, [*holes, cylinder(PIN, (-outer - 1, 0, 0), (outer + 1, 0, 0))])


def cross() -> cq.Solid:
    """Round hub with two pairs of pins: along x for the input, along z for the output.

    Each pin begins at the inner face of its eye, behind an undercut.
    """
    inner, outer = EYE
    arms = []
    for x, z in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        arms += [
            cylinder(PIN + 2, (0, 0, 0), (x * (inner - GAP), 0, z * (inner - GAP))),
            cylinder(PIN - 0.6, (0, 0, 0), (x * inner, 0, z * inner)),
            cylinder(PIN - CLEARANCE, (x * inner, 0, z * inner), (x * outer, 0, z * outer))
            .edges(cq.selectors.DirectionMinMaxSelector(cq.Vector(x, 0, z)))
            .chamfer(0.8),
        ]
    hub = cq.Workplane(cq.Solid.makeSphere(10.5, angleDegrees1=-90, angleDegrees2=90))
    return solid(fused([hub, *arms]))
