"""Engine with an upright shaft: one finned cylinder with a window, open crankcase, flywheel."""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH
from scripts.solids import palette
from scripts.solids.machine import (
    CLEARANCE,
    Barrel,
    Sizes,
    barrel_body,
    barrel_holes,
    connecting_rod,
    crank_web,
    flywheel,
    piston,
)
from scripts.solids.shapes import (
    block,
    cone,
    cylinder,
    fused,
    hexagon,
    placed,
    solid,
    tube,
    turned,
    without,
)

SIZES = Sizes()
BARREL = Barrel(start=62.0, head=CRANK_RADIUS + ROD_LENGTH + SIZES.crown + 3)
SHOULDER = 15.0  # outer face of the crank's webs
THRUST = 20.0  # inner face of the walls that carry the bearings
WALL = 33.0  # outer face of these walls
JOURNAL = 14.0  # radius of the main bearings
CASE = 66.0  # inner radius of the crankcase
POSTS = 91.0  # from the crank's axis to the posts
MOUTH = SIZES.bore + BARREL.wall - 1.5  # radius of the bore's mouth
FLOOR = -74.0  # z of the feet


def build() -> cq.Assembly:
    """The engine at crank angle 0."""
    parts = {
        "housing": (housing(), palette.GREEN),
        "crank": (crank(), palette.DARK_STEEL),
        "rod": (connecting_rod(SIZES, ROD_LENGTH), palette.BRONZE),
        "piston": (piston(SIZES), palette.ALUMINIUM),
    }
    return placed(library.single_cylinder_engine(), parts, "single_cylinder_engine")


def housing() -> cq.Solid:
    """Crankcase with a closed bottom, three arms on top, four posts, and the barrel."""
    shell = tube(CASE + 8, CASE, (0, 0, -WALL), (0, 0, WALL)).edges("%circle").chamfer(1)
    back = cylinder(CASE + 4, (0, 0, -WALL + 4), (0, 0, -THRUST))
    bosses = [
        cylinder(JOURNAL + 8, (0, 0, low), (0, 0, high)).edges(edge).chamfer(1.5)
        for low, high, edge in ((-WALL - 3, -THRUST, "<Z"), (THRUST, WALL + 3, ">Z"))
    ]
    arms = [
        turned(block((0, -7, THRUST + 3), (CASE + 3, 7, WALL - 2)), angle)
        for angle in (60, 180, 300)
    ]
    posts = []
    for angle in (48, 132, 228, 312):
        post = fused(
            [
                block((CASE + 4, -9, -WALL), (POSTS, 9, -THRUST)),
                cylinder(9, (POSTS, 0, FLOOR), (POSTS, 0, -THRUST)),
                cylinder(16, (POSTS, 0, FLOOR), (POSTS, 0, FLOOR + 7)),
            ]
        )
        posts.append(turned(post, angle))
    inside = cylinder(CASE, (0, 0, -THRUST), (0, 0, THRUST))
    body = without(fused([shell, back, *posts, barrel_body(BARREL, SIZES)]), [inside])
    body = without(body, [cylinder(CASE, (0, 0, THRUST), (0, 0, WALL + 1))])
    body = fused([body, *bosses, *arms])
    bearings = cylinder(JOURNAL, (0, 0, -WALL - 10), (0, 0, WALL + 10))
    flare = cone(MOUTH + 4, MOUTH, (54, 0, 0), (66, 0, 0))  # the rod swings past the case's edge
    return solid(without(body, [bearings, flare, *barrel_holes(BARREL, SIZES)]))


def crank() -> cq.Solid:
    """Two webs with counterweights, crank pin, main journals, flywheel and a starting nut."""
    half = SIZES.rod_width / 2 + 0.5
    webs = [
        crank_web(CRANK_RADIUS, SIZES.crank_pin, JOURNAL, 56, low, high)
        for low, high in ((-SHOULDER, -half), (half, SHOULDER))
    ]
    pin = cylinder(SIZES.crank_pin - CLEARANCE, (CRANK_RADIUS, 0, -half), (CRANK_RADIUS, 0, half))
    journals = [
        cylinder(JOURNAL - CLEARANCE, (0, 0, -WALL - 28), (0, 0, -SHOULDER)),
        cylinder(JOURNAL - CLEARANCE, (0, 0, SHOULDER), (0, 0, WALL + 5)),
    ]
    wheel = flywheel(76, JOURNAL + 9, -WALL - 24, -WALL - 8)
    nut = hexagon(18, (0, 0, WALL + 5), (0, 0, WALL + 14)).faces(">Z").edges().chamfer(0.6)
    return solid(fused([*webs, pin, *journals, wheel, nut]))
