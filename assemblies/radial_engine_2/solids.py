"""Radial engine with 2 cylinders on one crank pin."""

from __future__ import annotations

import cadquery as cq

from scripts.solids.radial import radial_engine

CYLINDERS = 2


def build() -> cq.Assembly:
    """The engine at crank angle 0."""
    return radial_engine(CYLINDERS, "radial_engine_2")
