"""Where a picture is taken from: named views, perspective or orthographic, fitted to what is seen.

View coordinates V: x to the right, y up, z towards the eye, origin at the target. The screen has
x to the right and y down, pixel (column i, row j) covers [i, i+1] x [j, j+1].
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cad2mbs.errors import InputError

FIELD_OF_VIEW = math.radians(20.0)  # of the shorter side of a perspective picture
MARGIN = 0.9  # share of the picture that is filled
NEAR = 1e-3  # of the eye's distance: what is nearer is not drawn

# Azimuth: where the eye stands, counted from +x towards +y about the up axis; elevation above.
VIEWS: dict[str, tuple[float, float]] = {
    "iso": (-50.0, 28.0),
    "iso_left": (-130.0, 28.0),
    "iso_back": (130.0, 28.0),
    "iso_right": (50.0, 28.0),
    "front": (-90.0, 0.0),
    "back": (90.0, 0.0),
    "left": (180.0, 0.0),
    "right": (0.0, 0.0),
    "top": (-90.0, 90.0),
    "bottom": (-90.0, -90.0),
}
UP_AXES = {
    "x": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
    "y": ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "z": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
View = str | tuple[float, float]  # a name of VIEWS, or azimuth and elevation [deg]


@dataclass(frozen=True, eq=False)
class Camera:
    """An eye, and the screen it looks at."""

    R_VW: np.ndarray  # (3, 3)  rows: right, up, towards the eye
    target: np.ndarray  # (3,)  [mm]
    up: np.ndarray  # (3,)  which way is up in the world
    size: tuple[int, int]  # width, height [px]
    perspective: bool
    distance: float  # eye to target [mm]; of no meaning without perspective
    scale: float  # px per mm at the target without perspective; else px at distance 1

    @property
    def eye(self) -> np.ndarray:
        """Place of the eye [mm]."""
        return self.target + self.distance * self.R_VW[2]

    def screen(self, points: np.ndarray) -> np.ndarray:
        """Column, row and nearness of points, (n, 3).

        Nearness grows towards the eye and is linear on the screen along a plane: with perspective
        1 / distance, else the height above the target. NaN: too near to the eye, or behind it.
        """
        p_V = (np.asarray(points, dtype=np.float64) - self.target) @ self.R_VW.T
        middle = np.array(self.size) / 2.0
        if not self.perspective:
            x, y = middle[0] + self.scale * p_V[:, 0], middle[1] - self.scale * p_V[:, 1]
            return np.column_stack([x, y, p_V[:, 2]])
        ahead = self.distance - p_V[:, 2]
        ahead[ahead < NEAR * self.distance] = np.nan
        factor = self.scale / ahead
        x, y = middle[0] + factor * p_V[:, 0], middle[1] - factor * p_V[:, 1]
        return np.column_stack([x, y, 1.0 / ahead])


def view_axes(view: View, up: str = "z") -> np.ndarray:
    """R_VW of a view."""
    if isinstance(view, str):
        if view not in VIEWS:
            raise InputError(
                f"view {view!r} found; one of {', '.join(VIEWS)} wanted, "
                "or azimuth and elevation in degrees"
            )
        view = VIEWS[view]
    if up not in UP_AXES:
        raise InputError(f"up axis {up!r} found; one of x, y, z wanted")
    azimuth, elevation = (math.radians(a) for a in view)
    ca, sa, ce, se = math.cos(azimuth), math.sin(azimuth), math.cos(elevation), math.sin(elevation)
    local = np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])
    return local @ np.array(UP_AXES[up])


def fit(
    points: np.ndarray,
    size: tuple[int, int],
    view: View = "iso",
    *,
    perspective: bool = True,
    up: str = "z",
    margin: float = MARGIN,
) -> Camera:
    """The camera that shows all points as large as the margin allows."""
    R_VW = view_axes(view, up)
    origin = points.mean(axis=0)
    p_V = (points - origin) @ R_VW.T
    width, height = size
    shorter = min(width, height)
    upward = np.array(UP_AXES[up])[2]
    if not perspective:
        low, high = p_V.min(axis=0), p_V.max(axis=0)
        span = np.maximum(high - low, 1e-9 * max(1.0, float(np.abs(origin).max())))
        scale = margin * float(min(width / span[0], height / span[1]))
        target = origin + (low + high) / 2.0 @ R_VW
        return Camera(R_VW, target, upward, size, False, 1.0, scale)
    scale = shorter / (2.0 * math.tan(FIELD_OF_VIEW / 2.0))
    shift, needed = _tightest(p_V, [margin * side / (2.0 * scale) for side in size])
    target = origin + shift @ R_VW
    return Camera(R_VW, target, upward, size, True, needed, scale)


def _tightest(p_V: np.ndarray, tangents: Sequence[float]) -> tuple[np.ndarray, float]:
    """Target in V and distance of the eye from it, so that all points just fit.

    A point is inside when |x - cx| <= t (e - z), with e the eye's height: two linear bounds a
    direction, met best where both are equal.
    """
    middle = (p_V[:, 2].min() + p_V[:, 2].max()) / 2.0
    shift, eye = np.array([0.0, 0.0, middle]), -math.inf
    for axis, t in enumerate(tangents):
        above = float((p_V[:, 2] + p_V[:, axis] / t).max())
        below = float((p_V[:, 2] - p_V[:, axis] / t).max())
        shift[axis] = t * (above - below) / 2.0
        eye = max(eye, (above + below) / 2.0)
    depth = float(np.ptp(p_V[:, 2]))
    return shift, max(eye - middle, 0.51 * depth, 1e-6)
