"""The soft shadow that things cast on the ground below them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter

from cad2mbs.pictures.raster import EMPTY, fill

CELLS = 320  # of the longer side of the shadow's map
EDGE = 0.16  # free rim of the map, of its longer side: the blur dies out inside it
SHARP, WIDE = 0.012, 0.045  # blur of the cast and of the contact shadow, of the longer side
CAST, CONTACT = 0.55, 0.60  # how dark each is at its darkest
REACH = 0.10  # height, of the longer side, at which contact has fallen to 1 / e


@dataclass(frozen=True, eq=False)
class Shadow:
    """Darkness on the ground, 0 to 1, on a grid of square cells."""

    level: float  # height of the ground along up [mm]
    corner: np.ndarray  # (2,)  lowest coordinates along the two directions of the ground [mm]
    step: float  # side of a cell [mm]
    dark: np.ndarray  # (rows, columns)  float32


NONE = Shadow(0.0, np.zeros(2), 1.0, np.zeros((2, 2), dtype=np.float32))


def ground_axes(up: np.ndarray) -> np.ndarray:
    """Two directions along the ground, (2, 3)."""
    first = np.zeros(3)
    first[(int(np.argmax(np.abs(up))) + 1) % 3] = 1.0
    first -= up * (first @ up)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(up, first)])


def cast(
    points: np.ndarray, triangles: np.ndarray, level: float, up: np.ndarray, key: np.ndarray
) -> Shadow:
    """The shadow of triangles under light from `key`, darkest where they touch the ground."""
    axes = ground_axes(up)
    height = np.maximum(points @ up - level, 0.0)
    below = points @ axes.T
    thrown = below - height[:, None] * (axes @ key / (up @ key))
    low = np.minimum(below.min(axis=0), thrown.min(axis=0))
    high = np.maximum(below.max(axis=0), thrown.max(axis=0))
    longer = max(float((high - low).max()), 1e-9)
    low, high = low - EDGE * longer, high + EDGE * longer
    step = longer * (1.0 + 2.0 * EDGE) / CELLS
    columns, rows = np.maximum(np.ceil((high - low) / step).astype(int), 2)
    cells = longer / step
    nearest = _lowest((below - low) / step, height, triangles, rows, columns)
    contact = gaussian_filter(np.exp(-nearest / (REACH * longer)), WIDE * cells)
    reached = np.isfinite(_lowest((thrown - low) / step, height, triangles, rows, columns))
    sharp = gaussian_filter(reached.astype(np.float32), SHARP * cells)
    dark = 1.0 - (1.0 - CAST * sharp) * (1.0 - CONTACT * contact)
    return Shadow(level, low, step, dark.astype(np.float32))


def _lowest(
    cells: np.ndarray, height: np.ndarray, triangles: np.ndarray, rows: int, columns: int
) -> np.ndarray:
    """Height of the lowest triangle over each cell, infinite where there is none."""
    screen = np.column_stack([cells, -height])
    nearness = np.full((rows, columns), -np.inf, dtype=np.float32)
    seen = np.full((rows, columns), EMPTY, dtype=np.int32)
    ceiling = np.full((rows, columns), np.inf, dtype=np.float32)
    fill(screen, triangles, 0, len(triangles), ceiling, nearness, seen)
    return -nearness
