"""Hydraulic cylinders of an excavator and its cross pins; in mm.

Drawn flat: the cylinder along x, its eyes' holes along z, all symmetric about z = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import cadquery as cq

from scripts.solids.linkage import CLEARANCE, Layer, Point2, bar_along, bore, disc, upright
from scripts.solids.shapes import Shape, fused, solid, without

EYE_HALF = 38.0  # half the width of an eye
FORK: Layer = (40.0, 62.0)  # the two ears that hold an eye, as distances from z = 0
PIN = 26.0  # radius of the pins through the eyes
EYE = 44.0  # outer radius of an eye
PISTON, SHAFT = 38.0, 22.0  # radii of bore and rod
SHOULDER = 50.0  # from the rod's eye to where its shaft begins


@dataclass(frozen=True)
class Cylinder:
    """`mouth`: from the barrel's eye to the gland; stroke 0 is where the shoulder meets it."""

    mouth: float

    def length(self, stroke: float) -> float:
        """Distance of the two eyes."""
        return self.mouth + SHOULDER + stroke


def both(layer: Layer) -> tuple[Layer, Layer]:
    """The layer in front of z = 0 and its mirror image."""
    return layer, (-layer[1], -layer[0])


def barrel(cylinder: Cylinder) -> cq.Solid:
    """Tube with an eye at the origin and a gland at its mouth."""
    mouth, gland = cylinder.mouth, 34.0
    eye = disc((0, 0), EYE, (-EYE_HALF, EYE_HALF))
    neck = bar_along((EYE - 14, EYE + 26), EYE_HALF - 2)  # fits between the ears of a fork
    tube = bar_along((EYE + 25, mouth), PISTON + 9)
    collar = bar_along((mouth - gland, mouth), PISTON + 15).edges().chamfer(4)
    inside = bar_along((EYE + 36, mouth - gland), PISTON)
    hole = bar_along((mouth - gland - 1, mouth + 1), SHAFT + CLEARANCE)
    return solid(
        upright(without(fused([eye, neck, tube, collar]), [inside, hole, bore((0, 0), PIN)]))
    )


def rod(cylinder: Cylinder) -> cq.Solid:
    """Shaft towards -x with a piston at its end and an eye at the origin."""
    end = SHOULDER + cylinder.mouth - EYE - 40
    eye = disc((0, 0), EYE, (-EYE_HALF, EYE_HALF))
    neck = bar_along((-SHOULDER, -EYE + 20), SHAFT + 9)
    shaft = bar_along((-end, -SHOULDER), SHAFT)
    piston = bar_along((-end, 40 - end), PISTON - CLEARANCE)
    return solid(upright(without(fused([eye, neck, shaft, piston]), [bore((0, 0), PIN)])))


def pin_across(at: Point2, radius: float, near: float, far: float) -> list[Shape]:
    """Pin between two ears with a head on the outside of each."""
    heads = [disc(at, radius + 8, side) for side in both((far - 1, far + 9))]
    return [disc(at, radius - CLEARANCE, (-near, near)), *heads]
