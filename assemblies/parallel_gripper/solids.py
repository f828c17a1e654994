"""A gripper whose fingers stay parallel: two parallelograms geared to each other, y forwards.

Layers along z: the body behind, drivers and followers before it, the fingers in front.
"""

from __future__ import annotations

import math

import cadquery as cq

from cad2mbs.library.build import Point2, in_plane, polar
from scripts.solids import palette
from scripts.solids.gears import spur
from scripts.solids.linkage import (
    CLEARANCE,
    Layer,
    bore,
    disc,
    link,
    rounded,
    stud,
    together,
    wedge,
)
from scripts.solids.shapes import Shape, around, block, cylinder, fused, solid, without

MODULE, TEETH = 1.875, 16
PIVOT = MODULE * TEETH / 2  # distance of a driver's pivot from the middle: the pitch radius
OFFSET: Point2 = (18.0, -14.0)  # from driver to follower, on the right
LENGTH = 52.0  # of drivers and followers
START = 65.0  # of the right driver from the x axis [deg]
PAD = 10.0  # from a finger's pin to the face of its pad
THICK_PIN, PIN = 4.0, 3.0  # radii: drivers on the body, all others
LINKS: Layer = (0.0, 8.0)
FINGER: Layer = (9.0, 17.0)
GAP = 0.5
BODY: Layer = (-18.0, -2.0)
TEETH_FROM, TEETH_TO = 63.0, 157.0  # of the right driver, seen from its link [deg]


def build() -> cq.Assembly:
    angle = math.radians(START)
    right, left = (PIVOT, 0.0), (-PIVOT, 0.0)
    outer = (PIVOT + OFFSET[0], OFFSET[1])
    tip = polar(right, LENGTH, angle)
    follower, turn = bar(), math.pi - angle
    parts = {
        "body": (body(), palette.DARK_GREY, in_plane((0, 0), 0)),
        "right_driver": (driver(1), palette.ORANGE, in_plane(right, angle)),
        "right_follower": (follower, palette.STEEL, in_plane(outer, angle)),
        "right_finger": (finger(1), palette.BLUE, in_plane(tip, 0)),
        "left_driver": (driver(-1), palette.ORANGE, in_plane(left, turn)),
        "left_follower": (follower, palette.STEEL, in_plane((-outer[0], outer[1]), turn)),
        "left_finger": (finger(-1), palette.BLUE, in_plane((-tip[0], tip[1]), 0)),
    }
    return together("parallel_gripper", parts)


def body() -> cq.Solid:
    """Housing with four pivots, a motor behind it and a flange for the robot."""
    x, y = PIVOT + OFFSET[0], OFFSET[1]
    case = rounded([(-x, y), (-PIVOT, 4), (PIVOT, 4), (x, y), (x, -52), (-x, -52)], 10, BODY, 1.5)
    neck = cylinder(26, (0, -72, -10), (0, -58, -10))
    flange = cylinder(36, (0, -82, -10), (0, -72, -10)).edges().chamfer(1.2)
    motor = disc((PIVOT, 0), 13, (-58, BODY[0] + 1), 2)
    pivots = []
    for sign in (-1, 1):
        for at, radius in (((sign * PIVOT, 0.0), THICK_PIN), ((sign * x, y), PIN)):
            pivots += [
                disc(at, radius + 4, (BODY[1] - 1, LINKS[0] - GAP)),
                stud(at, radius - CLEARANCE, (LINKS[0] - GAP, LINKS[1] + GAP), radius + 2.5, 2),
            ]
    holes = [cylinder(3.3, (px, -90, pz - 10), (px, -70, pz - 10)) for px, pz in around(6, 30, 30)]
    window = block((-20, -48, BODY[1] - 4), (20, -26, BODY[1] + 1)).edges("|Z").fillet(5)
    return solid(fused([without(fused([case, neck, flange, motor]), [*holes, window]), *pivots]))


def front_pin() -> Shape:
    """The pin at a link's tip that carries a finger."""
    at = (LENGTH, 0.0)
    foot = disc(at, PIN + 2.5, (LINKS[1] - 1, FINGER[0] - GAP))
    return fused(
        [foot, stud(at, PIN - CLEARANCE, (FINGER[0] - GAP, FINGER[1] + GAP), PIN + 2.5, 2)]
    )


def driver(side: int) -> cq.Solid:
    """Link with a toothed sector; side 1: right, -1: left, its teeth facing those of the right."""
    # At the start a tooth of the right driver points at the left one, which has a gap there.
    tooth = 180 - START if side > 0 else START - 180 + 180 / TEETH
    angles = (TEETH_FROM, TEETH_TO) if side > 0 else (-TEETH_TO, -TEETH_FROM)
    gear = spur(MODULE, TEETH, *LINKS, start=tooth).intersect(wedge(60, *angles, LINKS))
    arm = link((0, 0), (LENGTH, 0), (9, 6.5), LINKS, 0.8)
    hollow = link((17, 0), (LENGTH - 13, 0), (3.2, 2.6), (LINKS[1] - 2, LINKS[1]))
    body = without(fused([arm, gear]), [bore((0, 0), THICK_PIN), hollow])
    return solid(fused([body, front_pin()]))


def bar() -> cq.Solid:
    """Follower: a plain link."""
    arm = link((0, 0), (LENGTH, 0), (6.5, 6.5), LINKS, 0.8)
    hollow = link((13, 0), (LENGTH - 13, 0), (2.6, 2.6), (LINKS[1] - 2, LINKS[1]))
    return solid(fused([without(arm, [bore((0, 0), PIN), hollow]), front_pin()]))


def finger(side: int) -> cq.Solid:
    """Finger with a grooved pad that faces the other one; side 1: right, -1: left."""
    outline = [(0, 0), OFFSET, (17, 22), (4, 42), (4, 70), (-1, 70), (-1, 20)]
    plate = rounded(outline, 6, FINGER)
    low, high = FINGER[0] - 3, FINGER[1] + 3
    pad = block((-PAD, 30, low), (-5, 76, high)).edges("|X").fillet(3)
    grooves = [block((-PAD - 1, y, low - 1), (-PAD + 1.2, y + 1.6, high + 1)) for y in (44, 60)]
    relief = rounded([(5, 2), (14, -3), (12, 18), (3, 26)], 2, (FINGER[1] - 2.5, FINGER[1]))
    holes = [bore((0, 0), PIN), bore(OFFSET, PIN)]
    whole = without(fused([plate, pad]), [*grooves, *holes, relief])
    return solid(whole if side > 0 else whole.mirror("YZ"))
