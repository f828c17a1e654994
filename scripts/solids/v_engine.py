"""V6 short block, 90 degrees between the banks, two rods on every crank pin; in mm.

The crankshaft runs along x, z is up; a bank's angle is counted about x from z, so the left bank
(cylinders 1, 3, 5) leans towards -y. Front is +x.
"""

from __future__ import annotations

import math

import cadquery as cq

from scripts.solids import palette
from scripts.solids.machine import CLEARANCE, Sizes, connecting_rod, crank_web, piston
from scripts.solids.shapes import (
    Shape,
    around,
    block,
    cylinder,
    fused,
    plate,
    solid,
    tube,
    turned,
    without,
)

CRANK_RADIUS = 30.0
ROD_LENGTH = 105.0
BANKS = (45.0, -45.0)  # angles of the left and the right bank [deg]
THROWS = ((74.0, 0.0), (0.0, 120.0), (-74.0, 240.0))  # x and angle [deg] of the crank pins
STAGGER = 7.0  # of the left cylinders to the front, of the right ones to the rear
MAINS = (111.0, 37.0, -37.0, -111.0)  # x of the main bearings
COLLAR = 1.0  # width of the collar between the two rods of a pin
SIZES = Sizes(bore=32.0, crown=24.0, skirt=17.0, crank_pin=12.0, rod_width=12.8)
JOURNAL = 16.0  # radius of the main bearings
BULKHEAD = 18.0  # thickness of the walls with the main bearings
THRUST = MAINS[0] - BULKHEAD / 2  # x of the front wall's inner face, where the crank's collar runs
DECK = CRANK_RADIUS + ROD_LENGTH + SIZES.crown + 1.5  # from the crank's axis to the deck
BOTTOM = 60.0  # from the crank's axis to the lower end of the banks
HALF = SIZES.bore + 7  # half the thickness of a bank
LENGTH = 121.0  # half the length of the block
FLOOR = -84.0  # z of the feet


def cylinders() -> list[tuple[float, float, float]]:
    """x, bank angle and throw angle [deg] of the cylinders 1 to 6, front to rear, left first."""
    return [
        (x + (STAGGER if bank > 0 else -STAGGER), bank, throw)
        for x, throw in THROWS
        for bank in BANKS
    ]


def engine() -> cq.Assembly:
    """The engine with its front crank pin on top."""
    out = cq.Assembly(name="v_engine")
    out.add(engine_block(), name="block", color=palette.BLUE)
    out.add(crankshaft(), name="crankshaft", color=palette.STEEL)
    rod, slider = connecting_rod(SIZES, ROD_LENGTH), piston(SIZES)
    for k, (x, bank, throw) in enumerate(cylinders(), start=1):
        pin, top = slider_crank(math.radians(throw), math.radians(bank))
        along = (0.0, top[0] - pin[0], top[1] - pin[1])
        out.add(rod, name=f"rod_{k}", color=palette.ORANGE, loc=_across(x, pin, along))
        upwards = (0.0, *top)
        out.add(slider, name=f"piston_{k}", color=palette.ALUMINIUM, loc=_across(x, top, upwards))
    return out


def slider_crank(throw: float, bank: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """y, z of the crank pin and of the piston's pin at the angles [rad] of throw and bank."""
    r, l, phi = CRANK_RADIUS, ROD_LENGTH, throw - bank
    s = r * math.cos(phi) + math.sqrt(l * l - (r * math.sin(phi)) ** 2)
    pin = (-r * math.sin(throw), r * math.cos(throw))
    return pin, (-s * math.sin(bank), s * math.cos(bank))


def _across(x: float, place: tuple[float, float], along: tuple[float, float, float]) -> cq.Location:
    """The pose of a rod or piston: its z along the crank, its x as given."""
    return cq.Location(cq.Plane((x, *place), along, (1, 0, 0)))


def engine_block() -> cq.Solid:
    """Two banks with open decks and a window to every bore, on four walls with the bearings."""
    walls = [bulkhead(x) for x in MAINS]
    banks, holes = [], [cylinder(JOURNAL, (-LENGTH, 0, 0), (LENGTH, 0, 0))]
    for bank in BANKS:
        slab = block((-LENGTH, -HALF, BOTTOM), (LENGTH, HALF, DECK)).edges("|Z").chamfer(5)
        lip = block((-LENGTH, -HALF - 4, DECK - 9), (LENGTH, HALF + 4, DECK)).edges("|Z").chamfer(5)
        banks += [turned(fused([slab, lip]), bank, (1, 0, 0))]
    for x, bank, _ in cylinders():
        outside = HALF + 5 if bank < 0 else -HALF - 5
        low, high = sorted((0.0, outside))
        window = block((x - 19, low, BOTTOM + 12), (x + 19, high, DECK - 18)).edges("|Y").chamfer(6)
        bolts = [
            cylinder(3, (x + dx, y, DECK - 8), (x + dx, y, DECK + 1))
            for dx in ((-37, 37) if abs(x) < 20 else (math.copysign(30, x),))
            for y in (-HALF + 1, HALF - 1)
        ]
        bore = cylinder(SIZES.bore, (x, 0, BOTTOM - 20), (x, 0, DECK + 1))
        holes += [turned(tool, bank, (1, 0, 0)) for tool in (bore, window, *bolts)]
    valley = block((-LENGTH, -26, 62), (LENGTH, 26, 72))
    rails = [block((-LENGTH, a, -50), (LENGTH, b, -38)) for a, b in ((-72, -58), (58, 72))]
    legs, pads = [], []
    for x in (-96, 96):
        for y in (-65, 65):
            legs.append(block((x - 8, y - 7, FLOOR), (x + 8, y + 7, -40)))
            pads.append(block((x - 17, y - 17, FLOOR), (x + 17, y + 17, FLOOR + 8)))
    return solid(without(fused([*walls, *banks, valley, *rails, *legs, *pads]), holes))


def bulkhead(x: float) -> Shape:
    """Wall across the crank with the cap of its main bearing."""
    outline = [(-72, -50), (-72, 16), (-16, 72), (16, 72), (72, 16), (72, -50), (44, -50)]
    outline += [(30, -34), (-30, -34), (-44, -50)]
    half = BULKHEAD / 2
    wall = plate(outline, -half, half)
    bolts = [
        cylinder(4, (side * (JOURNAL + 7), -34, 0), (side * (JOURNAL + 7), -40, 0))
        for side in (-1, 1)
    ]
    # Drawn in the plane of (y, z), so that x and y of the drawing become y and z.
    upright = fused([wall, *bolts]).rotate((0, 0, 0), (1, 1, 1), 120)
    return upright.translate((x, 0, 0))


def crankshaft() -> cq.Solid:
    """Three throws at 120 degrees, four main journals, flywheel behind and pulley in front."""
    mains = cylinder(JOURNAL - CLEARANCE, (-LENGTH - 8, 0, 0), (LENGTH + 8, 0, 0))
    inside = 2 * STAGGER - COLLAR / 2  # from the middle of a pin to its webs
    gaps, throws = [], []
    for x, angle in THROWS:
        gap = cylinder(JOURNAL + 1, (x - inside - 1, 0, 0), (x + inside + 1, 0, 0))
        gaps.append(gap)
        throws.append(turned(throw(inside).translate((x, 0, 0)), angle, (1, 0, 0)))
    collar = cylinder(JOURNAL + 4, (THRUST - 2, 0, 0), (THRUST, 0, 0))
    shaft = fused([without(mains, gaps), *throws, collar, *wheel(), *pulley()])
    tapped = [
        cylinder(3, (-LENGTH - 30, y, z), (-LENGTH - 5, y, z)) for y, z in around(6, 24.0, 30.0)
    ]
    return solid(without(shaft, tapped))


def throw(inside: float) -> Shape:
    """Two webs and the pin between them with a collar that keeps the rods apart; pin on +z."""
    r, pin = CRANK_RADIUS, SIZES.crank_pin
    webs = [
        crank_web(r, pin, JOURNAL, 50, low, high)
        for low, high in ((-inside - 10, -inside), (inside, inside + 10))
    ]
    bar = cylinder(pin - CLEARANCE, (r, 0, -inside), (r, 0, inside))
    collar = cylinder(pin + 1.5, (r, 0, -COLLAR / 2), (r, 0, COLLAR / 2))
    # Drawn with the pin on +x and the shaft along z; turned so that x goes to z and z to x.
    return fused([*webs, bar, collar]).rotate((0, 0, 0), (1, 0, 1), 180)


def wheel() -> list[Shape]:
    """Flywheel with its clutch face, behind the block."""
    rear = -LENGTH - 8
    rim = tube(74, 58, (rear - 18, 0, 0), (rear, 0, 0)).edges().chamfer(1)
    disc = cylinder(60, (rear - 8, 0, 0), (rear, 0, 0))
    hub = cylinder(34, (rear - 12, 0, 0), (rear, 0, 0)).edges("<X").chamfer(1)
    return [rim, disc, hub]


def pulley() -> list[Shape]:
    """Belt pulley with two grooves and a bolt, in front of the block."""
    front = LENGTH + 8
    body = cylinder(44, (front, 0, 0), (front + 20, 0, 0))
    grooves = [tube(46, 38, (front + x, 0, 0), (front + x + 5, 0, 0)) for x in (4, 11)]
    dish = tube(33, 22, (front + 12, 0, 0), (front + 21, 0, 0))
    bolt = cylinder(10, (front + 20, 0, 0), (front + 27, 0, 0)).edges(">X").chamfer(1)
    return [without(body, [*grooves, dish]), bolt]
