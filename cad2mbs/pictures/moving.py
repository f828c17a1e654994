"""Pictures of a mechanism: as it stands, or through a sweep with one camera."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose
from cad2mbs.pictures.camera import View, fit
from cad2mbs.pictures.item import Item, items_at
from cad2mbs.pictures.render import picture
from cad2mbs.results import SweepResult

GLASS = 0.3  # opacity of parts that are to be seen through


def see_through(items: list[Item], parts: Collection[str]) -> list[Item]:
    """The items with the named ones like glass, without their edges, which would hide the rest."""
    none = {"edge_points": np.zeros((0, 3), np.float32), "edge_starts": np.zeros(1, np.int32)}
    return [
        replace(i, mesh=replace(i.mesh, **none), colour=(*i.colour[:3], GLASS))
        if i.name in parts
        else i
        for i in items
    ]


def frames(
    assembly: Assembly,
    result: SweepResult,
    size: tuple[int, int],
    view: View,
    glass: Collection[str] = (),
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Iterator[np.ndarray]:
    """A picture of every position of a sweep; the camera sees all of them and stays still."""
    moved = [
        see_through(items_at(assembly, poses), glass) for poses in poses_along(assembly, result)
    ]
    perspective, up = options.pop("perspective", True), options.pop("up", "z")
    outline = _outline(moved)
    camera = fit(outline, size, view, perspective=perspective, up=up)
    # The ground stays as well: else a part that swings down would lift everything.
    ground = float((outline @ camera.up).min())
    for k, items in enumerate(moved):
        yield picture(items, size=size, camera=camera, ground=ground, **options)
        if progress is not None:
            progress(k + 1, len(moved))


def poses_along(assembly: Assembly, result: SweepResult) -> Iterator[dict[str, Pose]]:
    """Where every part is at each position of a sweep."""
    tables = {part: result.poses(part) for part in assembly.parts}
    for k in range(len(result)):
        yield {part: Pose.of(table[k]) for part, table in tables.items()}


def _outline(moved: list[list[Item]]) -> np.ndarray:
    """Points that lie within the picture exactly when all items at all positions do."""
    hulls: dict[int, np.ndarray] = {}
    points = []
    for item in (i for items in moved for i in items):
        key = id(item.mesh.vertices)
        if key not in hulls:
            hulls[key] = _hull(item.mesh.vertices)
        points.append(hulls[key] @ item.X_WC[:3, :3].T + item.X_WC[:3, 3])
    return np.concatenate(points)


def _hull(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull; all points where they lie in a plane."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return points[ConvexHull(points).vertices]
    except QhullError:
        return points
