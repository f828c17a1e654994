"""Parts of piston engines: pistons, rods, crank webs, flywheels, finned cylinders; in mm.

Pistons and rods lie in the plane they move in (xy), their pins along z. A piston has its origin on
its pin, the crown towards +x; a rod has its origin in the big end, the small end on +x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cadquery as cq

from scripts.solids.shapes import (
    Shape,
    around,
    belt,
    block,
    cone,
    cylinder,
    fused,
    hexagon,
    plate,
    solid,
    tube,
    turned,
    without,
)

CLEARANCE = 0.1  # between pin and hole, on the radius


@dataclass(frozen=True)
class Sizes:
    """What piston, rod, crank and cylinder of one engine agree on."""

    bore: float = 28.0  # radius of the cylinder
    crown: float = 25.0  # from the piston's pin to its crown
    skirt: float = 18.0  # from the piston's pin to the end of its skirt
    wrist_pin: float = 7.0  # radius of the hole for the piston's pin
    crank_pin: float = 13.0  # radius of the rod's big hole
    rod_width: float = 14.0  # along the pins


def piston(sizes: Sizes) -> cq.Solid:
    """Hollow piston with ring grooves, a dished crown and its pin in two bosses."""
    radius, crown = sizes.bore - CLEARANCE, sizes.crown
    body = cylinder(radius, (-sizes.skirt, 0, 0), (crown, 0, 0)).edges().chamfer(0.8)
    half = sizes.rod_width / 2 + 2
    boss = sizes.wrist_pin + 4
    hollow = cylinder(radius - 5, (-sizes.skirt, 0, 0), (crown - 9, 0, 0))
    bosses = [
        block((-boss, -boss, low), (crown - 8, boss, high)).edges("|Z and <X").chamfer(boss * 0.45)
        for low, high in ((-radius, -half), (half, radius))
    ]
    inner = cylinder(radius - 5, (-sizes.skirt, 0, 0), (crown - 8, 0, 0))
    shell = fused([without(body, [hollow]), *(boss.intersect(inner) for boss in bosses)])
    grooves = [
        tube(radius + 1, radius - 1.4, (x, 0, 0), (x + 1.6, 0, 0))
        for x in (crown - 6, crown - 10, crown - 14)
    ]
    dish = cone(radius * 0.62, radius * 0.5, (crown, 0, 0), (crown - 2, 0, 0))
    hole = cylinder(sizes.wrist_pin, (0, 0, -radius), (0, 0, radius))
    pin = cylinder(sizes.wrist_pin - CLEARANCE, (0, 0, 4 - radius), (0, 0, radius - 4))
    ends = [
        tube(sizes.wrist_pin, sizes.wrist_pin - CLEARANCE, (0, 0, a), (0, 0, b))
        for a, b in ((4 - radius, -half), (half, radius - 4))
    ]
    return solid(fused([without(shell, [*grooves, dish, hole]), pin, *ends]))


def connecting_rod(sizes: Sizes, length: float) -> cq.Solid:
    """I-section rod with a bolted cap round the crank pin and a bushed eye at the piston."""
    half = sizes.rod_width / 2
    big, small = sizes.crank_pin + 5.5, sizes.wrist_pin + 4.5
    shank = belt(big * 0.45, small * 0.55, length, 1 - half, half - 1)
    reach = big + 5  # of the ears that hold the bolts
    ears = block((-8, -reach, 1.5 - half), (8, reach, half - 1.5))
    y, bolt = big + 2, min(half - 2.5, 2.8)
    bolts = [cylinder(bolt, (-11, side * y, 0), (11, side * y, 0)) for side in (-1, 1)]
    eyes = [
        cylinder(big, (0, 0, -half), (0, 0, half)).edges().chamfer(0.8),
        cylinder(small, (length, 0, -half), (length, 0, half)).edges().chamfer(0.8),
    ]
    seam = [  # of the cap, not quite through
        block((-0.3, low, -half), (0.3, high, half))
        for low, high in ((-reach - 1, 2 - big), (big - 2, reach + 1))
    ]
    holes = [
        cylinder(sizes.crank_pin, (0, 0, -half), (0, 0, half)),
        cylinder(sizes.wrist_pin, (length, 0, -half), (length, 0, half)),
    ]
    body = without(fused([shank, ears, *eyes, *bolts]), seam)
    return solid(without(body, [*rod_pockets(big, small, length, half), *holes]))


def rod_pockets(big: float, small: float, length: float, half: float) -> list[Shape]:
    """The two recesses that make a rod's shank an I-section."""
    start, end = big + 4, length - small - 3
    a, b = big * 0.45 - 3.2, small * 0.55 - 2.6
    outline = [(start, -a), (end, -b), (end, b), (start, a)]
    depth = half * 0.45
    return [
        plate(outline, low, high).edges("|Z").edges("<X").fillet(b * 0.8)
        for low, high in ((-half, depth - half), (half - depth, half))
    ]


def crank_web(
    throw: float, pin: float, journal: float, reach: float, low: float, high: float
) -> Shape:
    """Cheek from the main journal to the crank pin at x = throw, with a counterweight behind.

    `pin` and `journal`: radii of the shafts; `reach`: radius of the counterweight.
    """
    cheek = belt(journal + 6, pin + 5, throw, low, high)
    weight = cylinder(reach, (0, 0, low), (0, 0, high))
    spread = math.radians(62)
    far = 2 * reach
    wedge = plate(
        [
            (journal * 0.4, 0),
            (-far * math.cos(spread), far * math.sin(spread)),
            (-far, far),
            (-far, -far),
            (-far * math.cos(spread), -far * math.sin(spread)),
        ],
        low,
        high,
    )
    weight = weight.intersect(wedge).edges("|Z").edges("<X or >Y or <Y").fillet(5)
    return fused([cheek, weight]).faces("<Z" if low < 0 else ">Z").edges().chamfer(0.8)


def flywheel(radius: float, hub: float, low: float, high: float, spokes: int = 5) -> Shape:
    """Rim, hub and spokes; the shaft goes through later."""
    middle, rim = (low + high) / 2, radius * 0.80
    ring = tube(radius, rim, (0, 0, low), (0, 0, high)).edges().chamfer(1.2)
    centre = cylinder(hub, (0, 0, low - 2), (0, 0, high + 2)).edges().chamfer(1.2)
    arm = block((0, -hub * 0.3, middle - 4), (rim + 1, hub * 0.3, middle + 4))
    arms = [turned(arm, 36 + 360 * k / spokes) for k in range(spokes)]
    return fused([ring, centre, *arms])


@dataclass(frozen=True)
class Barrel:
    """A cylinder along +x: where its wall begins, where the head sits, how it is finned."""

    start: float
    head: float  # inner face of the head
    wall: float = 5.0
    fins: int = 7
    fin: float = 11.0  # height of a fin over the wall
    first_fin: float = 96.0
    head_thickness: float = 9.0
    bolts: int = 6  # of the head
    window: float = 18.0  # half width of the opening towards +z; 0: closed
    window_start: float = 82.0


def barrel_body(barrel: Barrel, sizes: Sizes) -> Shape:
    """Finned barrel with its head, still without the bore."""
    outer = sizes.bore + barrel.wall
    top = barrel.head + barrel.head_thickness
    pitch = (barrel.head - barrel.first_fin) / barrel.fins
    fins = [
        cylinder(outer + barrel.fin, (x, 0, 0), (x + 0.36 * pitch, 0, 0))
        for x in (barrel.first_fin + k * pitch for k in range(barrel.fins))
    ]
    head = cylinder(outer + barrel.fin, (barrel.head, 0, 0), (top, 0, 0)).edges(">X").chamfer(2.5)
    bolts = [
        cylinder(4, (top, y, z), (top + 5, y, z)) for y, z in around(barrel.bolts, outer + 3, 45.0)
    ]
    plug = [
        cylinder(7, (top, 0, 0), (top + 4, 0, 0)),
        hexagon(11, (top + 4, 0, 0), (top + 9, 0, 0)),
        cone(4.2, 2.8, (top + 9, 0, 0), (top + 20, 0, 0)),
    ]
    wall = cylinder(outer, (barrel.start, 0, 0), (top, 0, 0))
    return fused([wall, *fins, head, *bolts, *plug])


def barrel_holes(barrel: Barrel, sizes: Sizes) -> list[Shape]:
    """The bore, wider at its mouth to let the rod swing, and the window that shows the piston."""
    low, bore = barrel.start - 30, sizes.bore
    holes = [
        cylinder(bore, (low, 0, 0), (barrel.head, 0, 0)),
        cylinder(bore + barrel.wall - 1.5, (low, 0, 0), (80, 0, 0)),
    ]
    if barrel.window:
        w, far = barrel.window, bore + barrel.wall + barrel.fin + 5
        opening = block((barrel.window_start, -w, 0), (barrel.head - 3, w, far))
        holes.append(opening.edges("|Z").chamfer(7))
    return holes


def pillow_block(bore: float, height: float, width: float) -> Shape:
    """Bearing for a shaft along x through the origin, its foot `height` below, without the hole."""
    boss, half, foot = bore + 7, width / 2, 2.6 * bore + 12
    upright = block((-half + 1, -boss, -height), (half - 1, boss, 0))
    ring = cylinder(boss, (-half, 0, 0), (half, 0, 0)).edges().chamfer(1)
    sole = block((-half, -foot, -height), (half, foot, 10 - height)).edges("|X and >Z").chamfer(2)
    bolts = [
        cylinder(4.5, (0, y, 10 - height), (0, y, 15 - height))
        for y in ((foot + boss) / 2, -(foot + boss) / 2)
    ]
    return fused([upright, ring, sole, *bolts])
