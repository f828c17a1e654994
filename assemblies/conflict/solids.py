"""Two bars on a base plate that should share a pin, which is out of their reach."""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from scripts.solids import palette
from scripts.solids.linkage import CLEARANCE, bore, disc, link, stud
from scripts.solids.shapes import block, fused, placed, solid, without

SPAN, LEFT, RIGHT = 100.0, 40.0, 50.0
PIVOT, PIN = 4.0, 3.0  # radii
LOW, HIGH = (0.0, 5.0), (5.6, 10.6)  # layers of the left and of the right bar
GAP = 0.3
HEAD = (6.0, 2.0)  # radius and height of a pin's head


def build() -> cq.Assembly:
    parts = {
        "base": (base(), palette.CAST_IRON),
        "left_bar": (left_bar(), palette.ORANGE),
        "right_bar": (right_bar(), palette.BLUE),
    }
    return placed(library.conflict(), parts, "conflict")


def base() -> cq.Solid:
    """Plate with a short post for the left bar and a tall one for the right bar."""
    plate = block((-22, -26, -12), (SPAN + 22, 26, -3)).edges("|Z").fillet(8)
    plate = plate.faces("<Z or >Z").edges().chamfer(0.8)
    posts = [
        disc((0, 0), 8.5, (-4, LOW[0] - GAP)),
        stud((0, 0), PIVOT - CLEARANCE, (LOW[0] - GAP, LOW[1] + GAP), *HEAD),
        disc((SPAN, 0), 8.5, (-4, HIGH[0] - GAP)),
        stud((SPAN, 0), PIVOT - CLEARANCE, (HIGH[0] - GAP, HIGH[1] + GAP), *HEAD),
    ]
    corners = [(x, y) for x in (-13, SPAN + 13) for y in (-17, 17)]
    holes = [bore(p, 2.75) for p in corners]
    return solid(fused([without(plate, holes), *posts]))


def left_bar() -> cq.Solid:
    """Bar whose far pin looks for the right bar's eye."""
    bar = link((0, 0), (LEFT, 0), (8, 6), LOW, 0.6)
    pin = fused(
        [
            disc((LEFT, 0), 4.5, (LOW[1] - 1, HIGH[0] - GAP)),
            disc((LEFT, 0), PIN - CLEARANCE, (HIGH[0] - GAP, HIGH[1] + GAP)),
            disc((LEFT, 0), PIN - CLEARANCE - 0.6, (HIGH[1] + GAP, HIGH[1] + 1)),
        ]
    )
    return solid(fused([without(bar, [bore((0, 0), PIVOT)]), pin]))


def right_bar() -> cq.Solid:
    """Bar with an eye at each end."""
    bar = link((0, 0), (RIGHT, 0), (8, 6), HIGH, 0.6)
    return solid(without(bar, [bore((0, 0), PIVOT), bore((RIGHT, 0), PIN)]))
