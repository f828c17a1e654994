"""Pinion on an upright stub shaft beside a rack that slides under two keepers."""

from __future__ import annotations

import math

import cadquery as cq

from cad2mbs import library
from scripts.solids import palette
from scripts.solids.gears import rack as toothed_bar
from scripts.solids.gears import spur
from scripts.solids.machine import CLEARANCE
from scripts.solids.shapes import (
    block,
    cylinder,
    fused,
    hexagon,
    placed,
    solid,
    without,
)

RADIUS = 12.0  # of the pinion's pitch circle
TEETH = 16  # of the pinion
MODULE = 2 * RADIUS / TEETH
HALF = 8.0  # half the width of the teeth
BORE = 5.0  # radius
DEPTH = 14.0  # of the rack below its pitch line
RACK_TEETH = 30
GUIDE = 56.0  # half the length of the guide
FLOOR = (-28.0, -18.0)  # lower and upper face of the base plate


def build() -> cq.Assembly:
    """The rack in the middle of its guide."""
    parts = {
        "frame": (frame(), palette.GREEN),
        "pinion": (pinion(), palette.BRASS),
        "rack": (rack(), palette.STEEL),
    }
    return placed(library.rack_and_pinion(RADIUS), parts, "rack_and_pinion")


def frame() -> cq.Solid:
    """Base plate with the rack's bed, fence and keepers, and the pinion's stub shaft."""
    low, top = FLOOR
    fence = -RADIUS - DEPTH  # y of the rack's back
    plate = block((-GUIDE - 12, fence - 26, low), (GUIDE + 12, 30, top)).edges("|Z").fillet(8)
    plate = plate.faces(">Z").edges().chamfer(1.2)
    bed = block((-GUIDE, fence - 12, top), (GUIDE, fence + 11, -HALF))
    back = block((-GUIDE, fence - 12, -HALF), (GUIDE, fence, HALF))
    keepers = [
        block((x - 8, fence - 12, HALF), (x + 8, fence + 9, HALF + 4)).edges("|Z and >Y").fillet(4)
        for x in (-GUIDE + 10, GUIDE - 10)
    ]
    screws = [
        cylinder(4, (x, fence - 6, HALF + 4), (x, fence - 6, HALF + 7))
        for x in (-GUIDE + 10, GUIDE - 10)
    ]
    shaft = [
        cylinder(BORE + 5, (0, 0, top), (0, 0, -HALF)),
        cylinder(BORE - CLEARANCE, (0, 0, -HALF), (0, 0, HALF + 5.2)),
        cylinder(BORE + 3, (0, 0, HALF + 5.2), (0, 0, HALF + 7)),
        hexagon(9, (0, 0, HALF + 7), (0, 0, HALF + 12)),
    ]
    holes = [
        cylinder(4, (x, y, low - 1), (x, y, top + 1))
        for x in (-GUIDE - 2, GUIDE + 2)
        for y in (fence - 20, 20)
    ]
    return solid(without(fused([plate, bed, back, *keepers, *screws, *shaft]), holes))


def pinion() -> cq.Solid:
    """Gear with a hub in front and a mark hole on the x axis."""
    hub = cylinder(BORE + 3.5, (0, 0, HALF), (0, 0, HALF + 5)).edges(">Z").chamfer(0.8)
    body = fused([spur(MODULE, TEETH, -HALF, HALF), hub])
    mark = cylinder(0.7, (BORE + 4.3, 0, HALF - 3), (BORE + 4.3, 0, HALF + 1))
    return solid(without(body, [mark, cylinder(BORE, (0, 0, -HALF), (0, 0, HALF + 5))]))


def rack() -> cq.Solid:
    """Toothed bar with a threaded hole at each end face."""
    body = toothed_bar(MODULE, RACK_TEETH, DEPTH, CLEARANCE - HALF, HALF - CLEARANCE)
    end, y = RACK_TEETH * MODULE * math.pi / 2, -DEPTH / 2 - 1
    tapped = [
        cylinder(3, (end - 12, y, 0), (end + 1, y, 0)),
        cylinder(3, (-end - 1, y, 0), (12 - end, y, 0)),
    ]
    return solid(without(body, tapped))
