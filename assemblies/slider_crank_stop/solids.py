"""Slider-crank on a base plate: crank disc, rod, and a slider whose heel meets a stop."""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH
from scripts.solids import palette
from scripts.solids.machine import CLEARANCE, Sizes, connecting_rod
from scripts.solids.shapes import (
    around,
    block,
    cylinder,
    fused,
    placed,
    solid,
    turned,
    without,
)

SIZES = Sizes(bore=20.0, wrist_pin=6.0, crank_pin=8.0, rod_width=10.0)
CLOSEST = 100.0  # what the stop leaves between the crank's axis and the slider's pin
HEEL = 18.0  # from the slider's pin to its face towards the crank
NOSE = 24.0  # from the slider's pin to its other face
SLOT = 6.0  # half the slot that takes the rod; the pins are as long
JOURNAL = 10.0  # radius of the main bearing
DISC = (-14.0, -SLOT)  # lower and upper face of the crank disc
PLATE = (-46.0, -36.0)  # lower and upper face of the base plate
GUIDE = (97.0, 190.0)  # the guide's two ends


def build() -> cq.Assembly:
    """The mechanism at crank angle 0."""
    parts = {
        "housing": (housing(), palette.BLUE),
        "crank": (crank(), palette.DARK_STEEL),
        "rod": (connecting_rod(SIZES, ROD_LENGTH), palette.ORANGE),
        "piston": (slider(), palette.ALUMINIUM),
    }
    return placed(library.slider_crank_stop(CLOSEST), parts, "slider_crank_stop")


def housing() -> cq.Solid:
    """Base plate with the bearing, the guide with a slot along its top, and the stop."""
    low, top = PLATE
    plate = block((-76, -66, low), (206, 66, top)).edges("|Z").fillet(10)
    plate = plate.faces(">Z").edges().chamfer(1.5)
    boss = cylinder(JOURNAL + 12, (0, 0, top), (0, 0, DISC[0])).edges(">Z").chamfer(1.5)
    ribs = [turned(block((0, -4, top), (42, 4, top + 12)), 45 + 90 * k) for k in range(4)]
    start, end = GUIDE
    body = block((start, -27, top), (end, 27, 16)).edges("|X and >Z").chamfer(5)
    foot = block((start, -44, top), (end, 44, top + 9))
    face = CLOSEST - HEEL
    stop = block((face - 14, -13, top), (face, 13, -8)).edges("|X and >Z").chamfer(3)
    brace = block((face - 28, -4, top), (face - 14, 4, -22))
    holes = [
        cylinder(JOURNAL, (0, 0, low - 1), (0, 0, 0)),
        cylinder(SIZES.bore, (start - 1, 0, 0), (end + 1, 0, 0)),
        block((start - 1, -13, 0), (end + 1, 13, 30)),
    ]
    holes += [cylinder(5, (x, y, low - 1), (x, y, top + 1)) for x in (-58, 192) for y in (-50, 50)]
    holes += [cylinder(4, (x, y, top - 1), (x, y, top + 10)) for x in (116, 171) for y in (-36, 36)]
    return solid(without(fused([plate, boss, *ribs, body, foot, stop, brace]), holes))


def crank() -> cq.Solid:
    """Disc with three lightening holes, shaft below and pin with a washer above."""
    low, high = DISC
    disc = cylinder(CRANK_RADIUS + 17, (0, 0, low), (0, 0, high)).edges().chamfer(1)
    holes = [
        cylinder(11, (x, y, low - 1), (x, y, high + 1))
        for x, y in around(4, CRANK_RADIUS - 5, 0.0)[1:]
    ]
    shaft = cylinder(JOURNAL - CLEARANCE, (0, 0, PLATE[0] - 6), (0, 0, low))
    cap = cylinder(JOURNAL + 3, (0, 0, high), (0, 0, high + 3)).edges(">Z").chamfer(1)
    x = CRANK_RADIUS
    pin = cylinder(SIZES.crank_pin - CLEARANCE, (x, 0, -SLOT), (x, 0, SLOT))
    washer = cylinder(SIZES.crank_pin + 3, (x, 0, SLOT), (x, 0, SLOT + 2.5))
    return solid(fused([without(disc, holes), shaft, cap, pin, washer.edges(">Z").chamfer(0.8)]))


def slider() -> cq.Solid:
    """Round slider with a slot for the rod and the pin across it."""
    radius = SIZES.bore - CLEARANCE
    body = cylinder(radius, (-HEEL, 0, 0), (NOSE, 0, 0)).edges().chamfer(1)
    slot = block((-HEEL - 1, -radius, -SLOT), (13, radius, SLOT))
    relief = cylinder(9, (13, 0, 0), (NOSE + 1, 0, 0))
    pin = cylinder(SIZES.wrist_pin - CLEARANCE, (0, 0, -SLOT), (0, 0, SLOT))
    socket = cylinder(SIZES.wrist_pin, (0, 0, radius - 3), (0, 0, radius + 1))
    return solid(fused([without(body, [slot, relief, socket]), pin]))
