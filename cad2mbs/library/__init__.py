"""Mechanisms built in code: each function returns an `Assembly` that starts closed.

Start poses come from closed forms, so every mate holds at the start up to rounding; the one
exception is `conflict`, whose mates cannot hold.
"""

from __future__ import annotations

from cad2mbs.library.basics import conflict, two_boxes
from cad2mbs.library.engines import (
    over_redundant,
    radial_engine,
    single_cylinder_engine,
    slider_crank_stop,
)
from cad2mbs.library.geared import gear_pair, lead_screw, rack_and_pinion
from cad2mbs.library.planar import (
    double_rocker,
    four_bar,
    four_bar_chain,
    jansen_leg,
    scissor_lift,
)
from cad2mbs.library.platforms import dietmaier, dietmaier_postures, stewart
from cad2mbs.library.spatial import bennett, sarrus, spatial_four_bar, universal_shaft

__all__ = [
    "bennett",
    "conflict",
    "dietmaier",
    "dietmaier_postures",
    "double_rocker",
    "four_bar",
    "four_bar_chain",
    "gear_pair",
    "jansen_leg",
    "lead_screw",
    "over_redundant",
    "rack_and_pinion",
    "radial_engine",
    "sarrus",
    "scissor_lift",
    "single_cylinder_engine",
    "slider_crank_stop",
    "spatial_four_bar",
    "stewart",
    "two_boxes",
    "universal_shaft",
]
