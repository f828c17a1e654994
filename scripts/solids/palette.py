"""A handful of machine colours, sRGB 0 to 1, for the shipped assemblies."""

from __future__ import annotations

import cadquery as cq

STEEL = cq.Color(0.70, 0.73, 0.77)
DARK_STEEL = cq.Color(0.44, 0.47, 0.52)
CAST_IRON = cq.Color(0.36, 0.41, 0.44)
ALUMINIUM = cq.Color(0.84, 0.86, 0.88)
BRASS = cq.Color(0.83, 0.68, 0.31)
BRONZE = cq.Color(0.70, 0.48, 0.26)
ORANGE = cq.Color(0.93, 0.47, 0.13)  # safety orange
BLUE = cq.Color(0.18, 0.42, 0.68)
TEAL = cq.Color(0.20, 0.53, 0.55)
GREEN = cq.Color(0.27, 0.50, 0.36)  # machine-tool green
RED = cq.Color(0.75, 0.20, 0.18)
YELLOW = cq.Color(0.95, 0.75, 0.15)
DARK_GREY = cq.Color(0.23, 0.25, 0.28)
LIGHT_GREY = cq.Color(0.76, 0.77, 0.78)
