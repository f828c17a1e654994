"""Pictures of a mechanism: as it stands, or through a sweep with one camera."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cad2mbs.cad.gltf import Motion
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose
from cad2mbs.model.solid import Mesh
from cad2mbs.pictures.camera import View, fit
from cad2mbs.pictures.engines import Shot, Stage, drawn
from cad2mbs.pictures.item import GLASS, Item, items_at, items_of
from cad2mbs.pictures.trace import Trace
from cad2mbs.results import SweepResult

MM = 1e-3  # [m]


def see_through(items: list[Item], parts: Collection[str]) -> list[Item]:
    """The items with the named ones like glass, without their edges, which would hide the rest."""
    bare = {id(i.mesh): _bare(i.mesh) for i in items if i.name in parts}  # one for equal shapes
    return [
        replace(i, mesh=bare[id(i.mesh)], colour=(*i.colour[:3], GLASS)) if i.name in parts else i
        for i in items
    ]


def _bare(mesh: Mesh) -> Mesh:
    """The mesh without its edges."""
    none = {"edge_points": np.zeros((0, 3), np.float32), "edge_starts": np.zeros(1, np.int32)}
    return replace(mesh, **none)


def still(items: Sequence[Item], size: tuple[int, int], view: View, **options: Any) -> np.ndarray:
    """A picture of placed items; options as in `frames`."""
    return next(_film([Shot(items)], size, view, **options))


def frames(
    assembly: Assembly,
    result: SweepResult,
    size: tuple[int, int],
    view: View,
    glass: Collection[str] = (),
    progress: Callable[[int, int], None] | None = None,
    traces: Sequence[Trace] = (),
    **options: Any,
) -> Iterator[np.ndarray]:
    """A picture of every position of a sweep; the camera sees all of them and stays still.

    Paths are shown whole, and strong as far as they are run at each position. Options:
    perspective, up, and those of `engines.drawn`.
    """
    shots = [
        Shot(see_through(items_at(assembly, poses), glass), [trace.at(k) for trace in traces])
        for k, poses in enumerate(poses_along(assembly, result))
    ]
    for k, picture in enumerate(_film(shots, size, view, **options)):
        yield picture
        if progress is not None:
            progress(k + 1, len(shots))


def path_picture(
    assembly: Assembly,
    result: SweepResult,
    size: tuple[int, int],
    view: View,
    glass: Collection[str] = (),
    traces: Sequence[Trace] = (),
    **options: Any,
) -> np.ndarray:
    """The first position of a sweep, with the paths of points through all of it."""
    shot = Shot(first_items(assembly, result, glass), traces)
    return next(_film([shot], size, view, **options))


def first_items(assembly: Assembly, result: SweepResult, glass: Collection[str] = ()) -> list[Item]:
    """The items at the first position of a sweep."""
    return see_through(items_at(assembly, next(poses_along(assembly, result))), glass)


def motion_of(assembly: Assembly, result: SweepResult, fps: float) -> Motion:
    """Where the parts that have a mesh are along a sweep, `fps` positions a second."""
    poses = [result.poses(item.name) for item in items_of(assembly)]
    table = np.stack(poses, axis=1)[..., [0, 1, 2, 4, 5, 6, 3]]
    table[..., :3] *= assembly.units.metre / MM
    return Motion(np.arange(len(table)) / fps, table)


def poses_along(assembly: Assembly, result: SweepResult) -> Iterator[dict[str, Pose]]:
    """Where every part is at each position of a sweep."""
    tables = {part: result.poses(part) for part in assembly.parts}
    for k in range(len(result)):
        yield {part: Pose.of(table[k]) for part, table in tables.items()}


def _film(
    shots: Sequence[Shot],
    size: tuple[int, int],
    view: View,
    perspective: bool = True,
    up: str = "z",
    **options: Any,
) -> Iterator[np.ndarray]:
    """Pictures of all shots, taken by one camera that sees everything in all of them."""
    outline = _outline(shots)
    paths = [trace.points for trace in shots[0].traces] if shots else []
    camera = fit(np.concatenate([outline, *paths]), size, view, perspective=perspective, up=up)
    # The ground stays as well: else a part that swings down would lift everything.
    ground = float((outline @ camera.up).min())
    return drawn(shots, Stage(camera, ground), **options)


def _outline(shots: Sequence[Shot]) -> np.ndarray:
    """Points that lie within the picture exactly when all items in all shots do."""
    hulls: dict[int, np.ndarray] = {}
    points = [np.zeros((0, 3))]
    for item in (i for shot in shots for i in shot.items):
        key = id(item.mesh.vertices)
        if key not in hulls:  # worth the work only if the points are looked at many times
            hulls[key] = _hull(item.mesh.vertices) if len(shots) > 1 else item.mesh.vertices
        points.append(hulls[key] @ item.X_WC[:3, :3].T + item.X_WC[:3, 3])
    return np.concatenate(points)


def _hull(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull; all points where they lie in a plane."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return points[ConvexHull(points).vertices]
    except QhullError:
        return points
