"""Pinion and wheel in mesh on two stub shafts of a ribbed plate."""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from scripts.solids import palette
from scripts.solids.gears import spur
from scripts.solids.machine import CLEARANCE
from scripts.solids.shapes import (
    Shape,
    around,
    belt,
    block,
    cylinder,
    fused,
    hexagon,
    placed,
    solid,
    tube,
    without,
)

TEETH = (20, 40)
MODULE = 2.0
CENTRES = MODULE * sum(TEETH) / 2
HALF = 8.0  # half the width of the teeth
BORES = (7.0, 9.0)  # radii
PLATE = (-30.0, -18.0)  # lower and upper face of the plate


def build() -> cq.Assembly:
    """The gears with a tooth of the pinion in a gap of the wheel."""
    parts = {
        "frame": (frame(), palette.DARK_GREY),
        "pinion": (pinion(), palette.BRASS),
        "wheel": (wheel(), palette.STEEL),
    }
    return placed(library.gear_pair(TEETH, MODULE), parts, "gear_pair")


def frame() -> cq.Solid:
    """Plate on two feet with a shouldered stub shaft for each gear."""
    low, top = PLATE
    plate = belt(34, 48, CENTRES, low, top).faces(">Z").edges().chamfer(2)
    feet = [
        block((x - 10, -58, low - 10), (x + 10, 58, low)).edges("|Z").fillet(4)
        for x in (-4, CENTRES + 8)
    ]
    shafts = [stub(0.0, BORES[0]), stub(CENTRES, BORES[1])]
    holes = [
        cylinder(4, (x, y, low - 11), (x, y, low + 1)) for x in (-4, CENTRES + 8) for y in (-51, 51)
    ]
    return solid(without(fused([plate, *feet, *shafts]), holes))


def stub(x: float, bore: float) -> Shape:
    """Shaft on the plate: shoulder below the gear, washer and nut above it."""
    return fused(
        [
            cylinder(bore + 6, (x, 0, PLATE[1]), (x, 0, -HALF)),
            cylinder(bore - CLEARANCE, (x, 0, -HALF), (x, 0, HALF + 4.2)),
            cylinder(bore + 3, (x, 0, HALF + 4.2), (x, 0, HALF + 6.2)),
            hexagon(1.5 * bore, (x, 0, HALF + 6.2), (x, 0, HALF + 12)),
        ]
    )


def pinion() -> cq.Solid:
    """Solid gear with a hub and a mark hole on the x axis."""
    bore = BORES[0]
    hub = cylinder(bore + 5, (0, 0, HALF), (0, 0, HALF + 4)).edges(">Z").chamfer(1)
    body = fused([spur(MODULE, TEETH[0], -HALF, HALF), hub])
    mark = cylinder(1.2, (bore + 7.2, 0, HALF - 3), (bore + 7.2, 0, HALF + 1))
    return solid(without(body, [mark, cylinder(bore, (0, 0, -HALF), (0, 0, HALF + 4))]))


def wheel() -> cq.Solid:
    """Gear with a thin web, six holes in it, and a hub; a gap on the side of the pinion."""
    bore, count = BORES[1], TEETH[1]
    teeth = spur(MODULE, count, -HALF, HALF, 180.0 / count)
    hub = cylinder(bore + 6, (0, 0, HALF - 5), (0, 0, HALF + 4)).edges(">Z").chamfer(1)
    recess = tube(32, bore + 6, (0, 0, HALF - 4), (0, 0, HALF + 1))
    holes = [cylinder(6, (x, y, -HALF), (x, y, HALF)) for x, y in around(6, 23.5)]
    body = fused([without(teeth, [recess]), hub])
    return solid(without(body, [*holes, cylinder(bore, (0, 0, -HALF), (0, 0, HALF + 4))]))
