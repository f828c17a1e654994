"""Dietmaier platform: two trusses whose ball nodes keep six fixed distances."""

from __future__ import annotations

import cadquery as cq
import numpy as np

from cad2mbs.library import dietmaier
from cad2mbs.library.platforms import DIETMAIER_BASE, DIETMAIER_PLATFORM
from scripts.solids import palette
from scripts.solids.spatial import ball, join, placed, rod, turned

NODE, STRUT, NECK = 46.0, 15.0, 5.5  # radii [mm]: balls, struts, their ends
FACET = 44.5  # from a ball's middle to the flats on which the struts stand
# Struts between nodes 1 to 6: the edges of the convex hull; but the base has no 2-4, which
# would run into the platform, and no 3-5, which would touch 3-6.
BASE_STRUTS = ("13", "14", "15", "23", "25", "26", "34", "36", "45", "56")
PLATFORM_STRUTS = ("12", "13", "15", "16", "23", "25", "34", "35", "36", "45", "46", "56")


def build() -> cq.Assembly:
    return placed(
        dietmaier(),
        {
            "base": (truss(DIETMAIER_BASE, BASE_STRUTS), palette.BLUE),
            "platform": (truss(DIETMAIER_PLATFORM, PLATFORM_STRUTS), palette.ORANGE),
        },
    )


def truss(nodes: tuple[tuple[float, float, float], ...], struts: tuple[str, ...]) -> cq.Shape:
    """Balls at the nodes [m], and struts that taper to a neck before they meet them."""
    places = [1000 * np.array(node) for node in nodes]
    bars, facets = [], []
    for a, b in struts:
        start, end = places[int(a) - 1], places[int(b) - 1]
        length = float(np.linalg.norm(end - start))
        along = (end - start) / length
        half = [(0.0, FACET), (NECK, FACET), (NECK, NODE + 25), (STRUT, NODE + 100)]
        bars.append(turned(half + [(r, length - h) for r, h in reversed(half)], start, along))
        facets += [rod(20, p + FACET * w, p + NODE * w) for p, w in ((start, along), (end, -along))]
    return join(*(ball(NODE, p).cut(*facets) for p in places), *bars)
