"""Sarrus linkage: two folding limbs at a right angle lift a table straight up."""

from __future__ import annotations

import cadquery as cq

from cad2mbs.library import sarrus
from scripts.solids import palette
from scripts.solids.spatial import (
    Z,
    around,
    block,
    cut,
    disc,
    join,
    off,
    placed,
    rod,
    soft_disc,
    soften,
)

LEAF, EDGE = 80.0, 50.0  # hinge to hinge of a leaf; middle of base and table to their hinges
PIN, KNUCKLE = 3.5, 7.0  # radii
INNER, OUTER = 16.0, 34.0  # half widths: of the tongue, of the fork around it
PLATE = (8.0, 18.0)  # base below and table above the hinges: near and far face


def build() -> cq.Assembly:
    one_leaf = leaf()
    return placed(
        sarrus(),
        {
            "base": (base(), palette.CAST_IRON),
            "platform": (platform(), palette.BLUE),
            "lower_1": (one_leaf, palette.ORANGE),
            "upper_1": (one_leaf, palette.STEEL),
            "lower_2": (one_leaf, palette.ORANGE),
            "upper_2": (one_leaf, palette.STEEL),
        },
    )


def leaf() -> cq.Shape:
    """Fork with pin at the origin, tongue with hole at x = LEAF; hinges along z."""
    plate = block((10, -4, -OUTER), (LEAF - 10, 4, OUTER), 8, "|Y")
    window = block((24, -9, -15), (LEAF - 24, 9, 15), 9, "|Y")
    tongue = join(
        block((LEAF - 14, -4, -INNER + 0.5), (LEAF, 4, INNER - 0.5)),
        disc(KNUCKLE, (LEAF, 0, 0), Z, 2 * INNER - 1),
    )
    cheeks = [
        join(
            disc(KNUCKLE, (0, 0, s * (INNER + OUTER) / 2), Z, OUTER - INNER),
            block((0, -4, min(s * INNER, s * OUTER)), (16, 4, max(s * INNER, s * OUTER))),
        )
        for s in (-1, 1)
    ]
    heads = [soft_disc(5.5, (0, 0, s * (OUTER + 1)), Z, 5, 1) for s in (-1, 1)]
    body = join(cut(plate, window), tongue, *cheeks, *heads)
    clear = [
        block((-1, -9, -INNER), (10, 9, INNER)),
        block((LEAF - 10, -9, INNER), (LEAF + 9, 9, OUTER + 1)),
    ]
    body = cut(body, *clear, block((LEAF - 10, -9, -OUTER - 1), (LEAF + 9, 9, -INNER)))
    return join(
        cut(body, disc(PIN, (LEAF, 0, 0), Z, 2 * OUTER)), disc(PIN, (0, 0, 0), Z, 2 * OUTER)
    )


def base() -> cq.Shape:
    plate = soften(block((-60, -60, -PLATE[1]), (42, 42, -PLATE[0]), 10), ">Z", 1.5)
    tongues = []
    for swap in (False, True):
        knuckle = turned_over(disc(KNUCKLE, (EDGE, 0, 0), (0, 1, 0), 2 * INNER - 1), swap)
        arm = turned_over(block((30, -INNER + 0.5, -PLATE[1]), (EDGE, INNER - 0.5, 0)), swap)
        slope = turned_over(block((EDGE - 1, -40, -40), (EDGE + 20, 40, -KNUCKLE + 1)), swap)
        tongues += [cut(arm, slope), knuckle]
    whole = join(plate, *tongues)
    pins = [turned_over(disc(PIN, (EDGE, 0, 0), (0, 1, 0), 3 * OUTER), s) for s in (False, True)]
    feet = [rod(4.5, (x, y, -30), (x, y, 0)) for x, y in ((-46, -46), (-46, 28), (28, -46))]
    return cut(whole, *pins, *feet, rod(16, (0, 0, -30), (0, 0, 0)))


def platform() -> cq.Shape:
    plate = soften(block((-46, -46, PLATE[0]), (58, 58, PLATE[1]), 10), ">Z", 1.5)
    parts = []
    for swap in (False, True):
        for s in (-1, 1):
            low, high = min(s * INNER, s * OUTER), max(s * INNER, s * OUTER)
            parts += [
                turned_over(
                    block((EDGE - KNUCKLE, low, 0), (EDGE + KNUCKLE, high, PLATE[1] - 4)), swap
                ),
                turned_over(
                    disc(KNUCKLE, (EDGE, (low + high) / 2, 0), (0, 1, 0), OUTER - INNER), swap
                ),
                turned_over(soft_disc(5.5, (EDGE, s * (OUTER + 1), 0), (0, 1, 0), 5, 1), swap),
            ]
        parts.append(turned_over(disc(PIN, (EDGE, 0, 0), (0, 1, 0), 2 * OUTER), swap))
    taps = [rod(3, p, off(p, 0, 0, 30)) for p in around(28, 6)]
    return join(cut(plate, rod(16, (0, 0, 0), (0, 0, 30)), *taps), *parts)


def turned_over(shape: cq.Shape, swap: bool) -> cq.Shape:
    """The shape of limb 1 as it is, or turned to limb 2 by a quarter about z."""
    return shape.rotate(cq.Vector(0, 0, 0), cq.Vector(0, 0, 1), 90) if swap else shape
