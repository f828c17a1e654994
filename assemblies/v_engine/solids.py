"""V6 short block, 90 degrees between the banks, two rods on every crank pin."""

from __future__ import annotations

import cadquery as cq

from scripts.solids.v_engine import engine


def build() -> cq.Assembly:
    """The engine with its front crank pin on top."""
    return engine()
