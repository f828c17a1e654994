"""Upright screw drive: spindle with a handwheel, a nut with a table arm on two columns."""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from scripts.solids import palette
from scripts.solids.machine import CLEARANCE, flywheel
from scripts.solids.shapes import block, cylinder, fused, placed, solid, without

PITCH = 2.0
COLUMNS = 30.0  # from the spindle to each column
COLUMN = 7.0  # radius
JOURNAL = 6.0  # radius of the two bearings
THREAD = 8.0  # radius over the thread
TOP = (150.0, 164.0)  # lower and upper face of the top plate


def build() -> cq.Assembly:
    """The nut at z = 60."""
    parts = {
        "frame": (frame(), palette.CAST_IRON),
        "spindle": (spindle(), palette.STEEL),
        "nut": (nut(), palette.BRONZE),
    }
    return placed(library.lead_screw(PITCH), parts, "lead_screw")


def frame() -> cq.Solid:
    """Foot, two columns and a top plate; the spindle's bearings in foot and plate."""
    foot = block((-62, -44, -20), (62, 44, -8)).edges("|Z").fillet(10)
    raised = block((-46, -19, -8), (46, 19, 0)).edges("|Z").fillet(8)
    plate = block((-46, -17, TOP[0]), (46, 17, TOP[1])).edges("|Z").fillet(10)
    plate = plate.faces(">Z").edges().chamfer(1.5)
    columns, nuts, bolts = [], [], []
    for x in (-COLUMNS, COLUMNS):
        columns.append(cylinder(COLUMN - CLEARANCE, (x, 0, -2), (x, 0, TOP[0] + 2)))
        nuts.append(cylinder(COLUMN + 2, (x, 0, TOP[1]), (x, 0, TOP[1] + 5)))
        nuts[-1] = nuts[-1].edges(">Z").chamfer(1)
        bolts += [cylinder(5, (1.6 * x, y, -21), (1.6 * x, y, -7)) for y in (-30, 30)]
    body = fused([foot.faces(">Z").edges().chamfer(1.5), raised, plate, *columns, *nuts])
    bearings = [
        cylinder(JOURNAL, (0, 0, -21), (0, 0, 1)),
        cylinder(JOURNAL, (0, 0, TOP[0] - 1), (0, 0, TOP[1] + 1)),
    ]
    return solid(without(body, [*bearings, *bolts]))


def spindle() -> cq.Solid:
    """Screw between two journals, a collar on the foot, and a handwheel with a knob on top."""
    journal = JOURNAL - CLEARANCE
    rim = TOP[1] + 14
    stock = [
        cylinder(journal, (0, 0, -18), (0, 0, 0)),
        cylinder(THREAD + 4, (0, 0, 0), (0, 0, 5)).edges().chamfer(0.8),
        cylinder(THREAD - CLEARANCE, (0, 0, 5), (0, 0, TOP[0] - 3)),
        cylinder(THREAD + 3, (0, 0, TOP[0] - 6), (0, 0, TOP[0])).edges().chamfer(0.8),
        cylinder(journal, (0, 0, TOP[0]), (0, 0, rim + 12)),
    ]
    wheel = flywheel(36, 11, rim, rim + 8, spokes=3)
    knob = [
        cylinder(2.5, (32, 0, rim + 7), (32, 0, rim + 14)),
        cylinder(5, (32, 0, rim + 13), (32, 0, rim + 31)).edges().fillet(2),
    ]
    return solid(fused([*stock, wheel, *knob]))


def nut() -> cq.Solid:
    """Bridge with a tall boss round the screw, a shoe round each column, and a table in front."""
    bridge = block((-COLUMNS, -10, -10), (COLUMNS, 10, 10))
    boss = cylinder(THREAD + 8, (0, 0, -16), (0, 0, 16)).edges().chamfer(1)
    shoes, holes = [], [cylinder(THREAD, (0, 0, -17), (0, 0, 17))]
    for x in (-COLUMNS, COLUMNS):
        shoes.append(cylinder(COLUMN + 6, (x, 0, -20), (x, 0, 20)).edges().chamfer(1))
        holes.append(cylinder(COLUMN, (x, 0, -21), (x, 0, 21)))
    table = block((-34, -62, 2), (34, -12, 10)).edges("|Z and <Y").fillet(8)
    rib = block((-3, -48, -8), (3, -8, 4)).edges("|X and <Y and <Z").chamfer(11)
    ribs = [rib.translate((x, 0, 0)) for x in (-20, 20)]
    holes += [cylinder(3.5, (x, y, 1), (x, y, 11)) for x in (-24, 24) for y in (-52, -30)]
    return solid(without(fused([bridge, boss, *shoes, table, *ribs]), holes))
