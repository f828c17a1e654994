"""Radial engine with 1 cylinder on one crank pin."""

from __future__ import annotations

import cadquery as cq

from scripts.solids.radial import radial_engine

CYLINDERS = 1


def build() -> cq.Assembly:
    """The engine at crank angle 0."""
    return radial_engine(CYLINDERS, "radial_engine_1")
