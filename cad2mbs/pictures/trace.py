"""Paths of points, drawn over a picture: what is still to come faint, what is done strong.

A path is hidden by what lies before it, but not quite: most points worth following sit inside
the material of their part, so hidden pieces shine through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cad2mbs.model.solid import Colour
from cad2mbs.pictures.camera import Camera
from cad2mbs.pictures.raster import draw_lines
from cad2mbs.pictures.shade import LEVELS, Look, srgb_table, to_linear
from solvers.compiled import batch

COLOURS: tuple[Colour, ...] = (
    (0.85, 0.12, 0.23, 1.0),
    (0.00, 0.42, 0.75, 1.0),
    (0.00, 0.52, 0.36, 1.0),
    (0.55, 0.24, 0.66, 1.0),
    (0.80, 0.40, 0.00, 1.0),
)
WIDTH, HALO, DOT = 2.6, 5.2, 8.0  # [px]
STRONG, FAINT = 1.0, 0.50  # opacity of what is done, and of what is to come
HIDDEN = 0.38  # of that opacity where something lies before it
HALO_STRENGTH = 0.55
SLACK = 0.75  # [px] that a path may lie below a surface and still count as seen
NOWHERE = np.inf  # the slack of a path that nothing hides


@dataclass(frozen=True, eq=False)
class Trace:
    """The path of a point; `done` of its places are behind it, None: all of them, no dot."""

    name: str
    points: np.ndarray  # (k, 3) [mm], in the world
    colour: Colour = COLOURS[0]
    done: int | None = None

    def at(self, place: int) -> Trace:
        """The path when the point has come to the place with this number."""
        return replace(self, done=place + 1)


def draw_traces(
    image: np.ndarray,
    traces: Sequence[Trace],
    camera: Camera,
    samples: int,
    seen: tuple[np.ndarray, np.ndarray, np.ndarray],
    look: Look,
) -> None:
    """Draw paths into a picture; `seen`: points on the screen, triangles, triangle a sample."""
    brush = _Brush(image, camera, samples, seen)
    for trace in traces:
        done = len(trace.points) if trace.done is None else trace.done
        run = trace.points[:done]
        brush.line(trace.points, WIDTH, trace.colour, FAINT)
        brush.line(run, HALO, (*look.top, 1.0), HALO_STRENGTH, hidden=0.0)
        brush.line(run, WIDTH, trace.colour, STRONG)
        if trace.done is not None and done:
            brush.line(run[[-1, -1]], DOT + HALO - WIDTH, (*look.top, 1.0), HALO_STRENGTH)
            brush.line(run[[-1, -1]], DOT, trace.colour, STRONG, hidden=1.0)


@dataclass(frozen=True)
class _Brush:
    """Draws lines of any width and colour over a picture."""

    image: np.ndarray
    camera: Camera
    samples: int
    seen: tuple[np.ndarray, np.ndarray, np.ndarray]

    def line(
        self, points: np.ndarray, width: float, colour: Colour, strength: float,
        hidden: float = HIDDEN,
    ) -> None:  # fmt: skip
        """Draw a polyline; where it is hidden with `hidden` of its strength."""
        if len(points) < 2:
            return
        n = self.samples
        one = SLACK / self.camera.scale  # as in raster.slack_at
        whole = self._covered(points, width, NOWHERE) if hidden else None
        clear = self._covered(points, width, one)
        tint = to_linear(colour[:3])
        below = clear if whole is None else whole
        _blend(clear, below, n, tint, strength, hidden, LINEAR, srgb_table(), self.image)

    def _covered(self, points: np.ndarray, width: float, slack: float) -> np.ndarray:
        """How much of every sample the line covers, 0 to 255."""
        n = self.samples
        screen = self.camera.screen(points)
        screen[:, :2] *= n
        ink = np.zeros(self.seen[2].shape, dtype=np.uint8)
        starts = np.array([0, len(points)], dtype=np.int32)
        draw_lines(screen, starts, width * n / 2.0, slack, self.camera.perspective, *self.seen, ink)
        return ink


LINEAR = to_linear(np.arange(256) / 255.0)


@batch
def _blend(clear, whole, n, tint, strength, hidden, linear, table, image):
    """Lay a colour over the pixels of an image as far as samples are covered.

    clear, whole  (n rows, n columns)  covered where the line is seen; covered were it not hidden
    """
    rows, columns = image.shape[:2]
    full = 255.0 * n * n
    for j in range(rows):
        for i in range(columns):
            seen, total = 0.0, 0.0
            for y in range(j * n, j * n + n):
                for x in range(i * n, i * n + n):
                    seen += clear[y, x]
                    total += max(whole[y, x], clear[y, x])
            if total == 0.0:
                continue
            part = strength * (seen + hidden * (total - seen)) / full
            for k in range(3):
                light = linear[image[j, i, k]]
                light += part * (tint[k] - light)
                image[j, i, k] = table[int(light * (LEVELS - 1) + 0.5)]
