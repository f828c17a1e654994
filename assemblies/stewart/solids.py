"""Stewart platform: six telescopic legs from cross joints on a base to sockets in a plate."""

from __future__ import annotations

import math

import cadquery as cq
import numpy as np

from cad2mbs.library import stewart
from cad2mbs.library.platforms import HOME_HEIGHT, stewart_joints
from scripts.solids import palette
from scripts.solids.spatial import (
    Z,
    around,
    ball,
    ball_pin,
    bevel,
    cut,
    ears,
    extruded,
    join,
    off,
    placed,
    rod,
    soft_disc,
    soften,
    taper,
    turned,
    yoke,
)

FOOT, PIN = 15.0, 6.0  # radii of the cross joint: ball on the base, pins
HEAD = 14.0  # radius of the ball on the rod
CLEARANCE = 0.2  # between a ball and its socket, on the radius
PISTON, TUBE = 11.0, 18.0  # radii
BORE, TOP, STROKE = 52.0, 240.0, 300.0  # tube: bottom of the bore, upper end; length of the rod
FLOOR = (-66.0, -48.0)  # base plate
DECK = (30.0, 44.0)  # platform plate


def build() -> cq.Assembly:
    legs = {f"tube_{k}": (tube, palette.DARK_GREY) for tube in [cylinder()] for k in range(1, 7)}
    legs |= {f"rod_{k}": (bar, palette.STEEL) for bar in [piston()] for k in range(1, 7)}
    plates = {"base": (base(), palette.BLUE), "platform": (platform(), palette.ORANGE)}
    return placed(stewart(), plates | legs)


def base() -> cq.Shape:
    """A plate with six clevises; each holds a ball on a tangential pin, the cross of its leg."""
    feet, _ = stewart_joints()
    corners = [(1.2 * x, 1.2 * y) for x, y, _ in feet]
    plate = bevel(soften(extruded(corners, *FLOOR), "|Z", 25), ">Z", 2)
    light = [rod(42, (*p[:2], FLOOR[0]), (*p[:2], FLOOR[1])) for p in around(160, 3, 60)]
    bolts = [rod(7, (*p[:2], FLOOR[0]), (*p[:2], FLOOR[1])) for p in around(255, 3, 0)]
    middle = rod(70, (0, 0, FLOOR[0]), (0, 0, FLOOR[1]))
    return join(cut(plate, middle, *light, *bolts), *(clevis(foot) for foot in feet))


def clevis(foot: np.ndarray) -> cq.Shape:
    """Two ears with pin and ball, built at the x axis and turned to the foot."""
    fork = ears((0, 1, 0), (0, 0, -1), 51, (13, 9, -FLOOR[1] + 2))
    heads = [soft_disc(9, (0, side * 36, 0), (0, 1, 0), 4, 1) for side in (-1, 1)]
    shape = join(*fork, *heads, ball_pin(FOOT, PIN, 64, (0, 1, 0)))
    angle = math.degrees(math.atan2(foot[1], foot[0]))
    turned_to = shape.rotate(cq.Vector(0, 0, 0), cq.Vector(0, 0, 1), angle)
    return turned_to.translate(cq.Vector(*foot))


def cylinder() -> cq.Shape:
    """The tube: a yoke grips the base's ball with two pins along x; bore along z."""
    barrel = turned(
        [
            (0, 36),
            (TUBE, 36),
            (TUBE, TOP - 22),
            (TUBE + 4, TOP - 20),
            (TUBE + 4, TOP - 2),
            (TUBE + 2, TOP),
            (0, TOP),
        ]
    )
    motor_ring = soft_disc(TUBE + 4, (0, 0, 70), Z, 30, 2)
    whole = join(yoke(FOOT, 41, 24, 10), barrel, motor_ring)
    return cut(whole, rod(PISTON, (0, 0, BORE), (0, 0, TOP + 1)))


def piston() -> cq.Shape:
    """The rod: a ball at the origin, the bar below it."""
    neck = turned([(0, -34), (PISTON, -34), (PISTON, -30), (7, -24), (7, 0), (0, 0)])
    bar = bevel(rod(PISTON, (0, 0, -STROKE), (0, 0, -32)), "<Z", 1.5)
    nut = cq.Workplane("XY", origin=(0, 0, -46)).transformed((0, 0, 30)).polygon(6, 30).extrude(9)
    return join(ball(HEAD), neck, bar, nut.val())


def platform() -> cq.Shape:
    """A plate with six sockets that look down the legs as they stand at home."""
    feet, heads = stewart_joints()
    corners = [(1.2 * x, 1.2 * y) for x, y, _ in heads]
    plate = bevel(soften(extruded(corners, *DECK), "|Z", 25), ">Z", 2)
    sockets, balls = [], []
    for foot, head in zip(feet, heads, strict=True):
        up = off(head, 0, 0, HOME_HEIGHT) - foot
        up /= np.linalg.norm(up)
        top = head + up * (DECK[0] + 1) / up[2]
        sockets += [rod(19, head - 4 * up, head + 14 * up), taper((19, 22), head + 14 * up, top)]
        balls.append(ball(HEAD + CLEARANCE, head, up))
    taps = [rod(4, (*p[:2], DECK[0]), (*p[:2], DECK[1])) for p in around(75, 6, 30)]
    light = [rod(28, (*p[:2], DECK[0]), (*p[:2], DECK[1])) for p in around(110, 3, 0)]
    return cut(join(plate, *sockets), *balls, *taps, *light, rod(45, (0, 0, 0), (0, 0, 60)))
