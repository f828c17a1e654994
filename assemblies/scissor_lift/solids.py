"""A lifting table: crossed pairs of arms between a base tray and a platform, y upwards.

Everything is symmetric about the plane z = 0. The falling arms lie inside with a sleeve at each
joint, the rising arms outside with a pin through each sleeve.
"""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from scripts.solids import palette
from scripts.solids.linkage import CLEARANCE, bore, disc, link
from scripts.solids.shapes import Shape, block, fused, placed, solid, without

STAGES, ARM = 3, 200.0
PIN = 8.0  # radius
INNER, OUTER = (40.0, 48.0), (50.0, 58.0)  # layers of falling and rising arms, also at -z
SHOE = (60.0, 72.0)  # the lower block's shoes, outside the arms
JOINTS = (0.0, ARM / 2, ARM)
HALF = 12.0  # half the width of an arm
LENGTH = 240.0  # of base and platform


def build() -> cq.Assembly:
    rising, falling = rising_arm(), falling_arm()
    parts = {
        "base": (base(), palette.DARK_GREY),
        "base_block": (base_block(), palette.BRASS),
        "platform": (platform(), palette.BLUE),
        "top_block": (top_block(), palette.BRASS),
    }
    for k in range(1, STAGES + 1):
        parts[f"rising_{k}"] = (rising, palette.ORANGE)
        parts[f"falling_{k}"] = (falling, palette.YELLOW)
    return placed(library.scissor_lift(STAGES, ARM), parts, "scissor_lift")


def both(layer: tuple[float, float]) -> list[tuple[float, float]]:
    """The layer and its mirror image."""
    return [layer, (-layer[1], -layer[0])]


def rising_arm() -> cq.Solid:
    """Two outer arms joined by three pins."""
    arms = [link((0, 0), (ARM, 0), (HALF, HALF), layer, 1) for layer in both(OUTER)]
    pins = [disc((x, 0), PIN - CLEARANCE, (-OUTER[0], OUTER[0])) for x in JOINTS]
    heads = [
        disc((x, 0), PIN + 1.5, layer, 0.8)
        for x in JOINTS
        for layer in both((OUTER[1] - 1, OUTER[1] + 3))
    ]
    return solid(fused([*arms, *pins, *heads]))


def falling_arm() -> cq.Solid:
    """Two inner arms joined by three sleeves."""
    arms = [link((0, 0), (ARM, 0), (HALF, HALF), layer, 1) for layer in both(INNER)]
    sleeves = [disc((x, 0), PIN + 3, (-INNER[1] + 1, INNER[1] - 1)) for x in JOINTS]
    holes = [bore((x, 0), PIN) for x in JOINTS]
    return solid(without(fused([*arms, *sleeves]), holes))


def base() -> cq.Solid:
    """Floor with the lug of the fixed pivot and two channels for the shoes."""
    side = SHOE[1] + 6
    floor = block((-30, -32, -side), (LENGTH - 30, -20, side)).edges("|Y").fillet(6)
    lug = [
        disc((0, 0), 16, (-30, 30), 1),
        block((-16, -22, -30), (16, 0, 30)),
    ]
    channels = [shape for sign in (-1, 1) for shape in channel(sign)]
    body = without(fused([floor, *lug, *channels]), [bore((0, 0), PIN)])
    feet = [
        block((x - 14, -40, z - 14), (x + 14, -31, z + 14)).edges("<Y").chamfer(2)
        for x in (-8, LENGTH - 52)
        for z in (16 - side, side - 16)
    ]
    return solid(fused([body, *feet]))


def channel(sign: int) -> list[Shape]:
    """U-shaped rail, open towards the middle."""
    low, high = SHOE[0] - 1, SHOE[1] + 6
    rows = ((-21, -12.1, low, high), (12.1, 17, low, high), (-21, 17, SHOE[1] + 0.5, high))
    return [
        block((48, y0, min(sign * z0, sign * z1)), (LENGTH - 38, y1, max(sign * z0, sign * z1)))
        for y0, y1, z0, z1 in rows
    ]


def base_block() -> cq.Solid:
    """Axle through the falling arms with a shoe at each end."""
    axle = disc((0, 0), PIN - CLEARANCE, (-SHOE[0], SHOE[0]))
    shoes = [
        block((-17, -12, low), (17, 12, high)).edges("|Z").fillet(3) for low, high in both(SHOE)
    ]
    return solid(fused([axle, *shoes]))


def platform() -> cq.Solid:
    """Deck with toe boards, lugs with the fixed pin, and the rail for the upper block."""
    side = SHOE[1] + 6
    deck = block((-30, 26, -side), (LENGTH - 30, 34, side)).edges("|Y").fillet(6)
    boards = [block((-24, 33, z - 2), (LENGTH - 36, 46, z + 2)) for z in (-side + 4, side - 4)]
    lugs = [
        shape
        for low, high in both(OUTER)
        for shape in (block((-14, 0, low), (14, 27, high)), disc((0, 0), 14, (low, high)))
    ]
    pin = disc((0, 0), PIN - CLEARANCE, (-OUTER[0], OUTER[0]))
    heads = [disc((0, 0), PIN + 1.5, r, 0.8) for r in both((OUTER[1] - 1, OUTER[1] + 3))]
    rail = block((50, 18, -14), (LENGTH - 38, 27, 14))
    return solid(fused([deck, *boards, *lugs, pin, *heads, rail]))


def top_block() -> cq.Solid:
    """Sleeve on the rising arms' pin with a shoe that embraces the platform's rail."""
    sleeve = disc((0, 0), PIN + 3, (-OUTER[0] + 2, OUTER[0] - 2))
    shoe = block((-18, 0, -24), (18, 24, 24))
    groove = block((-19, 17.9, -14.2), (19, 30, 14.2))
    return solid(without(fused([sleeve, shoe]), [groove, bore((0, 0), PIN)]))
