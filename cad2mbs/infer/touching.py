"""Flat faces of two parts that lie on each other, with the area they share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cad2mbs.infer.boxes import between_owners
from cad2mbs.infer.scene import Body, Flats, Scene

MAX_ANGLE = 0.03  # [rad] between faces that are meant to lie flat
SAMPLES = 240  # points on the smaller face that tell how much of it lies on the other
LEAST = 0.02  # of the smaller face: less in common is a corner that happens to be there


@dataclass(frozen=True, eq=False)
class Touch:
    """Face of body a on face of body b."""

    a: int
    b: int
    flat_a: int
    flat_b: int
    point: np.ndarray  # (3,)  middle of what they share
    normal: np.ndarray  # (3,)  out of a, into b
    gap: float  # between the faces there; negative: they run into each other
    area: float  # that they share
    share: float  # of the smaller face


def touches(
    scene: Scene, flats: Flats, reach: float | np.ndarray, label: np.ndarray | None = None
) -> list[Touch]:
    """Every pair of opposed faces of two bodies no farther apart than `reach` [mm].

    reach  one number, or one for each body
    label  (nb,)  bodies with the same label are not looked at together
    """
    per_body = np.broadcast_to(np.asarray(reach, float), (len(scene.bodies),))
    label = np.arange(len(scene.bodies)) if label is None else label
    far = per_body[flats.body]
    i, j = between_owners(
        (flats.low - far[:, None], flats.high + far[:, None], flats.body),
        (flats.low, flats.high, flats.body),
    )
    # With one reach for all, each pair is found twice; else it may be found from one side only.
    pairs = np.unique(np.column_stack([np.minimum(i, j), np.maximum(i, j)]), axis=0)
    i, j = (pairs[:, 0], pairs[:, 1]) if len(pairs) else (i, j)
    keep = label[flats.body[i]] != label[flats.body[j]]
    i, j = i[keep], j[keep]
    swap = flats.body[i] > flats.body[j]
    i, j = np.where(swap, j, i), np.where(swap, i, j)
    opposed = np.sum(flats.normal[i] * flats.normal[j], axis=1) < -np.cos(MAX_ANGLE)
    i, j = i[opposed], j[opposed]
    # Planes that are tilted a little may be apart at their middles and still touch.
    size = np.sqrt(np.minimum(flats.area[i], flats.area[j]))
    offset = np.abs(np.sum((flats.point[j] - flats.point[i]) * flats.normal[i], axis=1))
    both = np.maximum(far[i], far[j])
    keep = offset <= both + MAX_ANGLE * np.maximum(size, _apart(flats, i, j))
    rows = zip(i[keep], j[keep], both[keep], strict=True)
    found = (_touch(scene, flats, int(a), int(b), float(r)) for a, b, r in rows)
    return [t for t in found if t is not None]


def _apart(flats: Flats, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    return np.linalg.norm(flats.point[j] - flats.point[i], axis=1)


def _touch(scene: Scene, flats: Flats, i: int, j: int, reach: float) -> Touch | None:
    a, b = scene.bodies[flats.body[i]], scene.bodies[flats.body[j]]
    small, large = (i, j) if flats.area[i] <= flats.area[j] else (j, i)
    inner, outer = scene.bodies[flats.body[small]], scene.bodies[flats.body[large]]
    normal = flats.normal[large]
    box = (
        np.maximum(flats.low[i], flats.low[j]) - 2 * reach,
        np.minimum(flats.high[i], flats.high[j]) + 2 * reach,
    )
    points, weight = _samples(inner, int(flats.flat[small]), box)
    if not len(points):
        return None
    height = (points - flats.point[large]) @ normal
    close = np.abs(height) <= reach
    if not close.any():
        return None
    points, height = points[close], height[close]
    inside = _inside(points, outer, int(flats.flat[large]), normal)
    if not inside.any():
        return None
    area = float(inside.sum() * weight)
    share = area / max(float(flats.area[small]), 1e-12)
    if share < LEAST:
        return None
    middle = points[inside].mean(axis=0)
    gap = float(height[inside].mean())
    return Touch(
        a.row,
        b.row,
        int(flats.flat[i]),
        int(flats.flat[j]),
        middle,
        flats.normal[i],
        gap,
        area,
        min(share, 1.0),
    )


def _samples(body: Body, flat: int, box: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, float]:
    """Points spread evenly over the face within the box, and the area each stands for."""
    triangles = body.to_world(body.shape.flats[flat].triangles.reshape(-1, 3)).reshape(-1, 3, 3)
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    triangles = triangles[np.all((low <= box[1]) & (high >= box[0]), axis=1)]
    if not len(triangles):
        return np.zeros((0, 3)), 0.0
    e1, e2 = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    areas = 0.5 * np.linalg.norm(np.cross(e1, e2), axis=1)
    whole = areas.sum()
    if whole <= 0.0:
        return np.zeros((0, 3)), 0.0
    # Equal steps through the summed area, and a sequence that fills each triangle evenly.
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    row = np.minimum(np.searchsorted(np.cumsum(areas) / whole, steps), len(areas) - 1)
    u = np.mod(0.5 + 0.7548776662466927 * np.arange(SAMPLES), 1.0)
    v = np.mod(0.5 + 0.5698402909980532 * np.arange(SAMPLES), 1.0)
    flip = u + v > 1.0
    u, v = np.where(flip, 1.0 - u, u), np.where(flip, 1.0 - v, v)
    points = triangles[row, 0] + u[:, None] * e1[row] + v[:, None] * e2[row]
    return points, whole / SAMPLES


def _inside(points: np.ndarray, body: Body, flat: int, normal: np.ndarray) -> np.ndarray:
    """Which points lie over a triangle of the face, seen along its normal."""
    triangles = body.to_world(body.shape.flats[flat].triangles.reshape(-1, 3)).reshape(-1, 3, 3)
    low, high = points.min(axis=0), points.max(axis=0)
    size = 1e-9 + float(np.linalg.norm(high - low))
    fits = (
        np.all(
            (triangles.min(axis=1) <= high + size * 1e-3)
            & (triangles.max(axis=1) >= low - size * 1e-3),
            axis=1,
        )
        | (np.abs(normal) > 0.999).any()
    )
    triangles = triangles[fits]
    out = np.zeros(len(points), bool)
    for start in range(0, len(triangles), 256):
        out |= in_triangles(points, triangles[start : start + 256], normal)
    return out


def in_triangles(points: np.ndarray, triangles: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """(n,) whether a point lies over one of the triangles (m, 3, 3)."""
    inside = np.ones((len(points), len(triangles)), bool)
    for k in range(3):
        a, edge = triangles[:, k], triangles[:, (k + 1) % 3] - triangles[:, k]
        across = np.cross(normal, edge)
        slack = 1e-9 * np.linalg.norm(edge, axis=1)
        height = points @ across.T - np.sum(a * across, axis=1)
        inside &= height >= -slack * np.linalg.norm(across, axis=1)
    return np.asarray(inside.any(axis=1))
