"""The radial engine with any number of cylinders: open in front, a window in every barrel; mm."""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH, ROD_PITCH
from scripts.solids import palette
from scripts.solids.machine import (
    CLEARANCE,
    Barrel,
    Sizes,
    barrel_body,
    barrel_holes,
    connecting_rod,
    crank_web,
    piston,
)
from scripts.solids.shapes import (
    Shape,
    around,
    cylinder,
    fused,
    placed,
    solid,
    tube,
    turned,
    without,
)

SIZES = Sizes(rod_width=11.0)
BARREL = Barrel(
    start=64.0,
    head=CRANK_RADIUS + ROD_LENGTH + SIZES.crown + 3,
    wall=4.0,
    fins=5,
    fin=8.0,
    first_fin=104.0,
    bolts=4,
)
CASE = 70.0  # inner radius of the crankcase
SHELL = 7.0  # its thickness
RIM = 36.0  # how far the crankcase reaches behind the first cylinder's axis
FRONT = 14.0  # how far it reaches in front of the last one's: its barrel looks over the rim
JOURNAL = 16.0  # radius of the main bearing
THRUST = -20.0  # z of the bearing's inner face, where the crank's collar runs
COLLAR = 0.8  # thickness of the collars between the rods


def radial_engine(n: int, name: str) -> cq.Assembly:
    """The engine with n cylinders at crank angle 0."""
    rod, slider = connecting_rod(SIZES, ROD_LENGTH), piston(SIZES)
    parts = {"housing": (housing(n), palette.CAST_IRON), "crank": (crank(n), palette.STEEL)}
    for k in range(1, n + 1):
        parts[f"rod_{k}"] = (rod, palette.ORANGE)
        parts[f"piston_{k}"] = (slider, palette.ALUMINIUM)
    return placed(library.radial_engine(n), parts, name)


def housing(n: int) -> cq.Solid:
    """Crankcase drum with a back wall, bearing and lugs, and n finned barrels round it."""
    top = ROD_PITCH * (n - 1) + FRONT
    drum = tube(CASE + SHELL, CASE, (0, 0, -RIM), (0, 0, top)).edges(">Z").chamfer(1)
    back = cylinder(CASE + SHELL, (0, 0, -RIM - 9), (0, 0, -RIM))
    boss = cylinder(JOURNAL + 9, (0, 0, -RIM - 22), (0, 0, THRUST))
    lugs = [
        cylinder(11, (x, y, -RIM - 9), (x, y, -RIM)) for x, y in around(6, CASE + SHELL + 5, 30.0)
    ]
    inside = cylinder(CASE, (0, 0, -RIM), (0, 0, top + 2 * RIM))
    bodies = fused([cylinder(CASE + 2, (0, 0, -RIM), (0, 0, top)), *barrels(n)])
    body = fused([without(bodies, [inside]), drum, back, boss, *lugs])
    holes = [cylinder(JOURNAL, (0, 0, -RIM - 30), (0, 0, THRUST + 1))]
    for x, y in around(6, CASE + SHELL + 6, 30.0):
        holes.append(cylinder(5, (x, y, -RIM - 10), (x, y, -RIM + 1)))
    for x, y in around(6, CASE - 22, 0.0):
        holes.append(cylinder(13, (x, y, -RIM - 10), (x, y, -RIM + 1)))
    for tool in barrel_holes(BARREL, SIZES):
        holes += [spread(tool, k, n) for k in range(n)]
    return solid(without(body, holes))


def barrels(n: int) -> list[Shape]:
    one = barrel_body(BARREL, SIZES)
    return [spread(one, k, n) for k in range(n)]


def spread(shape: Shape, k: int, n: int) -> Shape:
    """The shape moved from cylinder 0 to cylinder k."""
    return turned(shape, 360.0 * k / n).translate((0, 0, ROD_PITCH * k))


def crank(n: int) -> cq.Solid:
    """One throw between two webs; its pin has a journal for every rod, collars between them."""
    top = ROD_PITCH * (n - 1)
    half = (ROD_PITCH - COLLAR) / 2
    x = CRANK_RADIUS
    back = crank_web(x, SIZES.crank_pin, JOURNAL, 57, THRUST + 2, -half)
    front = crank_web(x, SIZES.crank_pin, JOURNAL, 57, top + half, top - THRUST - 2)
    pin = cylinder(SIZES.crank_pin - CLEARANCE, (x, 0, -half), (x, 0, top + half))
    collars = [
        cylinder(SIZES.crank_pin + 1.5, (x, 0, z + half), (x, 0, z + half + COLLAR))
        for z in (ROD_PITCH * k for k in range(n - 1))
    ]
    run = cylinder(JOURNAL + 4, (0, 0, THRUST), (0, 0, THRUST + 2))
    journal = cylinder(JOURNAL - CLEARANCE, (0, 0, -RIM - 40), (0, 0, THRUST))
    journal = journal.edges("<Z").chamfer(2)
    nose = cylinder(JOURNAL, (0, 0, top - THRUST - 2), (0, 0, top + RIM + 6))
    flange = cylinder(27, (0, 0, top + RIM + 6), (0, 0, top + RIM + 14)).edges().chamfer(1)
    spigot = cylinder(11, (0, 0, top + RIM + 14), (0, 0, top + RIM + 26)).edges(">Z").chamfer(2)
    bolts = [cylinder(3, (a, b, top + RIM + 2), (a, b, top + RIM + 20)) for a, b in around(6, 19.0)]
    body = fused([back, front, pin, *collars, run, journal, nose, flange, spigot])
    return solid(without(body, bolts))
