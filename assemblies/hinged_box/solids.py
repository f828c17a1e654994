"""A tool box: body and lid on two hinges at the back, and a folding stay inside on the right.

x runs along the front, y to the back, z upwards. Places of the stay are (y, z): on the box from
its corner, on the lid from the hinge axis with the lid closed.
"""

from __future__ import annotations

import math

import cadquery as cq

from cad2mbs.library.build import Point2, heading, meet, polar
from cad2mbs.model.pose import Pose
from scripts.solids import palette
from scripts.solids.linkage import CLEARANCE, Layer, disc, link, stud, together
from scripts.solids.shapes import Shape, block, cylinder, fused, solid, without

WIDTH, DEPTH, HEIGHT, LID, WALL = 300.0, 200.0, 120.0, 40.0, 6.0
HINGE: Point2 = (207.0, 120.0)  # axis, seen from the box
HINGES = (60.0, 240.0)  # x of their middles
KNUCKLE, PIN = 7.0, 3.0  # radii
MIDDLE, END = 9.0, 25.0  # half lengths: of the lid's knuckle, of a whole hinge
STAY_BOX: Point2 = (130.0, 85.0)
STAY_LID: Point2 = (-110.0, 15.0)
ARM = 92.0  # each arm of the stay
STAY_PIN = 3.5  # radius
LOWER: Layer = (285.0, 289.0)  # the arms' layers along x
UPPER: Layer = (280.0, 284.0)
GAP = 0.5
START = 75.0  # opening angle [deg]


def build() -> cq.Assembly:
    angle = math.radians(START)
    # Seen from +x (y to the right, z up) the lid opens clockwise.
    eye = polar(HINGE, math.hypot(*STAY_LID), math.atan2(STAY_LID[1], STAY_LID[0]) - angle)
    knee = meet(STAY_BOX, ARM, eye, ARM, 1)
    arm_lower, arm_upper = arms()
    parts = {
        "box": (box(), palette.TEAL, Pose()),
        "lid": (lid(), palette.ORANGE, turned(HINGE, -angle)),
        "stay_lower": (arm_lower, palette.STEEL, turned(STAY_BOX, heading(STAY_BOX, knee))),
        "stay_upper": (arm_upper, palette.BRASS, turned(knee, heading(knee, eye))),
    }
    return together("hinged_box", parts)


def turned(at: Point2, angle: float) -> Pose:
    """Pose on the plane x = 0 at (y, z), turned about x."""
    return Pose.turned((0.0, *at), (1.0, 0.0, 0.0), angle)


def sideways(shape: Shape) -> Shape:
    """The plate drawn in xy, stood up: x becomes y, y becomes z, its layers lie along x."""
    return shape.rotate((0, 0, 0), (1, 1, 1), 120)


def box() -> cq.Solid:
    """Open box on four feet with a latch plate, the hinges' outer knuckles and pins, a stay pin."""
    body = block((0, 0, 0), (WIDTH, DEPTH, HEIGHT)).edges("|Z").fillet(12)
    inside = block((WALL, WALL, WALL), (WIDTH - WALL, DEPTH - WALL, HEIGHT)).edges("|Z").fillet(6)
    shell = without(body.faces("<Z").edges().chamfer(3), [inside])
    feet = [cylinder(11, (x, y, -7), (x, y, 1)) for x in (28, WIDTH - 28) for y in (28, DEPTH - 28)]
    latch = block((125, -5, 72), (175, 1, 108)).edges("|Y").fillet(5)
    keyhole = cylinder(4, (150, -10, 86), (150, -2, 86))
    hinges = [shape for x in HINGES for shape in outer_knuckles(x)]
    boss = disc(STAY_BOX, 8, (LOWER[1] + GAP, WIDTH - WALL + 1))
    pin = stud(STAY_BOX, STAY_PIN - CLEARANCE, (LOWER[0] - GAP, LOWER[1] + GAP), 6, -2)
    body = without(fused([shell, *feet, latch]), [keyhole])
    return solid(fused([body, *hinges, sideways(fused([boss, pin]))]))


def outer_knuckles(x: float) -> list[Shape]:
    """The box's half of a hinge: two knuckles and the pin between them."""
    y, z = HINGE
    shapes = [cylinder(PIN - CLEARANCE, (x - MIDDLE, y, z), (x + MIDDLE, y, z))]
    for a, b in ((x - END, x - MIDDLE), (x + MIDDLE, x + END)):
        shapes.append(cylinder(KNUCKLE, (a, y, z), (b, y, z)))
        shapes.append(block((a, DEPTH - 1, z - 34), (b, DEPTH + 3, z)))
        shapes.append(block((a, DEPTH - 1, z - 10), (b, y, z)))
    return shapes


def lid() -> cq.Solid:
    """Lid with handle, hasp, hinge knuckles and the stay's pin; its origin on the hinge axis.

    Its rim stays clear of the box where it is closed.
    """
    front, back = -HINGE[0], DEPTH - HINGE[0]
    body = block((0, front, GAP), (WIDTH, back, LID)).edges("|Z").fillet(12)
    body = body.faces(">Z").edges().fillet(5)
    inside = block((WALL, front + WALL, -1), (WIDTH - WALL, back - WALL, LID - WALL))
    shell = without(body, [inside.edges("|Z").fillet(6)])
    hasp = block((132, front - 4, 4), (168, front + 1, 22)).edges("|Y").fillet(4)
    halves = [knuckle(x) for x in HINGES]
    eye = (STAY_LID[0], STAY_LID[1])
    boss = disc(eye, 8, (UPPER[1] + GAP, WIDTH - WALL + 1))
    pin = stud(eye, STAY_PIN - CLEARANCE, (UPPER[0] - GAP, UPPER[1] + GAP), 6, -2)
    whole = fused([shell, hasp, grip(), *halves, sideways(fused([boss, pin]))])
    holes = [cylinder(PIN, (x - MIDDLE, 0, 0), (x + MIDDLE, 0, 0)) for x in HINGES]
    return solid(without(whole, holes))


def knuckle(x: float) -> Shape:
    """The lid's half of a hinge."""
    a, b, back = x - MIDDLE + GAP, x + MIDDLE - GAP, DEPTH - HINGE[0]
    return fused(
        [
            cylinder(KNUCKLE, (a, 0, 0), (b, 0, 0)),
            block((a, back - 1, GAP), (b, back + 3, 30)),
            block((a, back - 1, GAP), (b, 0, 10)),
        ]
    )


def grip() -> Shape:
    """Carrying handle on top of the lid."""
    y = -HINGE[0] / 2 - 4
    bar = cylinder(6, (95, y, LID + 20), (205, y, LID + 20)).edges().chamfer(1.5)
    posts = [block((x - 6, y - 7, LID - 1), (x + 6, y + 7, LID + 20)) for x in (108, 192)]
    return fused([bar, *posts])


def arms() -> tuple[cq.Solid, cq.Solid]:
    """The stay's two arms; the lower one carries the pin between them."""
    lower = link((0, 0), (ARM, 0), (8, 8), LOWER, 0.5)
    upper = link((0, 0), (ARM, 0), (8, 8), UPPER, 0.5)
    slots = [link((22, 0), (ARM - 22, 0), (2.5, 2.5), layer) for layer in (LOWER, UPPER)]
    knee = fused(
        [
            disc((ARM, 0), 5, (UPPER[1] + GAP, LOWER[0] + 1)),
            stud((ARM, 0), STAY_PIN - CLEARANCE, (UPPER[0] - GAP, UPPER[1] + GAP), 6, -2),
        ]
    )
    hole = disc((0, 0), STAY_PIN, (0, 400))
    first = fused([without(lower, [slots[0], hole]), knee])
    second = without(upper, [slots[1], hole, hole.translate((ARM, 0, 0))])
    return solid(sideways(first)), solid(sideways(second))
