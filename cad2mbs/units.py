"""User units at the edge, SI (metre, radian) inside; the one place that converts."""

from __future__ import annotations

import math
from dataclasses import dataclass

LENGTHS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "in": 0.0254}
ANGLES = {"deg": math.pi / 180.0, "rad": 1.0}


@dataclass(frozen=True)
class Units:
    """The units a file declares; multiply by `metre` / `radian` to get SI, divide to come back."""

    length: str = "mm"
    angle: str = "deg"

    @property
    def metre(self) -> float:
        return LENGTHS[self.length]

    @property
    def radian(self) -> float:
        return ANGLES[self.angle]
