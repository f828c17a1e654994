"""Ball bearings: balls in the grooves of two rings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from cad2mbs.infer.fits import Fit
from cad2mbs.infer.scene import Scene

FEWEST = 3  # balls of a bearing
LOOSE = 0.25  # of the ball's radius: by so much a groove may be wider, or off the ball's middle


@dataclass(frozen=True, eq=False)
class Bearing:
    """Two rings, as a fit of the inner one in the outer one, and the balls between them."""

    fit: Fit
    balls: int


def rolling_bearings(scene: Scene, tolerance: float) -> tuple[list[Bearing], list[tuple[int, int]]]:
    """The bearings, and for each ball of one the ring it stays with."""
    balls = [b for b in scene.bodies if b.shape.rolls is not None]
    if len(balls) < FEWEST:
        return [], []
    centres = np.array([b.to_world(b.shape.rolls.centre) for b in balls])  # type: ignore[union-attr]
    rings: dict[int, list[int]] = defaultdict(list)  # ball -> rings
    tree = KDTree(centres)
    for body in scene.bodies:
        for groove in body.shape.grooves:
            centre, z = body.to_world(groove.centre), body.R @ groove.z
            reach = groove.radius + groove.minor + tolerance
            for k in tree.query_ball_point(centre, reach):
                radius = balls[k].shape.rolls.radius  # type: ignore[union-attr]
                d = centres[k] - centre
                up = float(d @ z)
                out = float(np.linalg.norm(d - up * z)) - groove.radius
                slack = LOOSE * radius + tolerance
                fits = abs(groove.minor - radius) <= slack
                if fits and np.hypot(up, out) <= slack and body.row not in rings[k]:
                    rings[k].append(body.row)
    shared: dict[tuple[int, int], list[int]] = defaultdict(list)
    for k, rows in rings.items():
        for n, a in enumerate(rows):
            for b in rows[n + 1 :]:
                shared[min(a, b), max(a, b)].append(k)
    bearings, kept = [], []
    for (a, b), members in shared.items():
        fit = _as_fit(scene, a, b) if len(members) >= FEWEST else None
        if fit is not None:
            bearings.append(Bearing(fit, len(members)))
            kept += [(balls[k].row, fit.hole) for k in members]
    return bearings, kept


def _as_fit(scene: Scene, a: int, b: int) -> Fit | None:
    """The smaller ring's outside in the larger ring's hole, on the axis both are round about."""
    ends = []
    for row in (a, b):
        body = scene.bodies[row]
        if body.shape.turned is None:
            return None
        line = body.shape.lines[body.shape.turned.line]
        ends.append((max(s.radius for s in line.segments), row, body.shape.turned.line, line))
    (_, inner, inner_line, li), (_, outer, outer_line, lo) = sorted(ends, key=lambda e: e[:2])
    pin = max(range(len(li.segments)), key=lambda k: (not li.segments[k].concave, k))
    hole = max(range(len(lo.segments)), key=lambda k: (lo.segments[k].concave, k))
    o, h = scene.bodies[outer], lo.segments[hole]
    z = o.R @ lo.z
    point = o.to_world(lo.point + 0.5 * (h.low + h.high) * lo.z)
    axis = scene.line(inner, inner_line)
    d = axis[1] - point
    off = float(np.linalg.norm(d - (d @ z) * z))
    gap = h.radius - li.segments[pin].radius
    return Fit(
        outer, inner, outer_line, inner_line, hole, pin, point, z, h.radius, gap, h.length, off
    )
