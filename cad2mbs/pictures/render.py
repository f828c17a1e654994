"""From placed meshes to a picture: `picture`, and PNG and GIF files of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from cad2mbs.errors import InputError
from cad2mbs.model.solid import Box, Colour
from cad2mbs.pictures.camera import Camera, View, fit
from cad2mbs.pictures.item import Item
from cad2mbs.pictures.raster import EMPTY, draw_lines, draw_outlines, fill
from cad2mbs.pictures.shade import DARK, LIGHT, Look, calm, resolve, srgb_table, to_linear
from cad2mbs.pictures.shadow import NONE, Shadow, cast, ground_axes
from cad2mbs.pictures.trace import Trace, draw_traces
from cad2mbs.results import write_whole

LINE_WIDTH = 1.2  # [px]
LINE_SLACK = 0.75  # [px] that an edge may lie below the triangles that stand for a curved face
OUTLINE_STEP = 3.0  # [px] that a face must lie before what is behind it to get an outline
CLEAR_LAYERS = 4  # see-through surfaces that are seen one behind the other
OPAQUE = 0.995  # opacity from which nothing shines through


@dataclass(frozen=True, eq=False)
class _Scene:
    """All items in one: world coordinates, opaque triangles first."""

    points: np.ndarray  # (nv, 3)  float64 [mm]
    normals: np.ndarray  # (nv, 3)  float32
    triangles: np.ndarray  # (nt, 3)  int32
    item: np.ndarray  # (nt,)  int32, item of each triangle
    opaque: int  # number of opaque triangles
    edges: tuple[np.ndarray, np.ndarray]  # points [mm] and starts of opaque items
    clear_edges: tuple[np.ndarray, np.ndarray]
    colours: np.ndarray  # (n, 4)  linear


def picture(
    items: Sequence[Item],
    *,
    size: tuple[int, int] = (800, 600),
    view: View = "iso",
    up: str = "z",
    dark: bool = False,
    edges: bool = True,
    shadow: bool = True,
    ground: float | None = None,
    perspective: bool = True,
    box: Box | None = None,
    camera: Camera | None = None,
    samples: int = 2,
    traces: Sequence[Trace] = (),
) -> np.ndarray:
    """A picture of the items, (height, width, 3) uint8.

    view     a name of camera.VIEWS, or azimuth and elevation of the eye [deg]
    ground   height of the ground along the up axis [mm]; None: under the lowest point
    box      what to fit into the picture [mm]; None: the items; camera: instead of both
    samples  n: n x n samples a pixel
    traces   paths of points to draw over it
    """
    scene = _scene(items)
    if camera is None:
        points = _to_fit(scene, box, traces)
        camera = fit(points, size, view, perspective=perspective, up=up)
    key = key_light(camera)
    fallen = NONE
    if shadow and len(scene.triangles) and camera.R_VW[2] @ camera.up > 0.02:
        heights = scene.points @ camera.up
        level = float(heights.min()) if ground is None else ground
        fallen = cast(scene.points, scene.triangles, level, camera.up, key)
    return _draw(scene, camera, key, DARK if dark else LIGHT, edges, fallen, samples, traces)


def key_light(camera: Camera) -> np.ndarray:
    """Unit vector towards the main light: above, from the left and a little from the eye's side."""
    right, top, back = camera.R_VW
    level = np.cross(right, camera.up)  # towards the eye, along the ground
    size = float(np.linalg.norm(level))
    level = level / size if size > 1e-6 else -top
    towards = -0.50 * right + 0.45 * level + camera.up
    if camera.up @ back < -0.5:  # from below: light what is seen
        towards = towards + 1.5 * back
    return towards / np.linalg.norm(towards)


def save_png(path: str | os.PathLike[str], image: np.ndarray) -> None:
    """Write a picture; the file is whole or not there at all."""
    from PIL import Image

    whole = Image.fromarray(image)
    write_whole(Path(path), lambda file: whole.save(file, format="PNG", optimize=True), binary=True)


def animation(
    frames: Iterable[np.ndarray],
    path: str | os.PathLike[str],
    fps: float = 20,
    colours: Sequence[Colour] = (),
) -> None:
    """Write pictures as a GIF that runs for ever; the file is whole or not there at all.

    All frames share the colours of the first, middle and last, so that nothing flickers; thin
    lines would get none of them, so `colours` names those that must be there.
    """
    from PIL import Image

    pictures = [Image.fromarray(frame) for frame in frames]
    if not pictures:
        raise InputError("no frames found; at least one picture wanted for an animation")
    some = [pictures[k] for k in {0, len(pictures) // 2, len(pictures) - 1}]
    sheet = Image.new("RGB", (some[0].width, sum(p.height for p in some)))
    for k, one in enumerate(some):
        sheet.paste(one, (0, k * one.height))
    kept = np.round(255.0 * np.array([c[:3] for c in colours])).astype(int).ravel().tolist()
    palette = sheet.quantize(255 - len(colours), method=Image.Quantize.MEDIANCUT)
    palette.putpalette([*(palette.getpalette() or []), *kept])
    reduced = [p.quantize(palette=palette, dither=Image.Dither.NONE) for p in pictures]
    options = {"save_all": True, "append_images": reduced[1:], "loop": 0, "disposal": 1}
    write_whole(
        Path(path),
        lambda file: reduced[0].save(file, format="GIF", duration=round(1000 / fps), **options),
        binary=True,
    )


def _to_fit(scene: _Scene, box: Box | None, traces: Sequence[Trace]) -> np.ndarray:
    """The points that the camera must see."""
    if box is not None:
        return np.array(list(product(*zip(*box, strict=True))))
    points = np.concatenate([scene.points, *(trace.points for trace in traces)])
    return points if len(points) else np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])


def _scene(items: Sequence[Item]) -> _Scene:
    clear = [item.colour[3] < OPAQUE for item in items]
    order = sorted(range(len(items)), key=lambda k: clear[k])
    points, normals, triangles, numbers, first = [], [], [], [], 0
    lines: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    starts: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    reached, opaque = [0, 0], 0
    for k in order:
        mesh, R, p = items[k].mesh, items[k].X_WC[:3, :3], items[k].X_WC[:3, 3]
        points.append(mesh.vertices @ R.T + p)
        normals.append(mesh.normals @ R.T)
        flip = np.linalg.det(R) < 0.0
        triangles.append((mesh.triangles[:, ::-1] if flip else mesh.triangles) + first)
        numbers.append(np.full(len(mesh.triangles), k))
        first += len(mesh.vertices)
        opaque += 0 if clear[k] else len(mesh.triangles)
        which = int(clear[k])
        lines[which].append(mesh.edge_points @ R.T + p)
        starts[which].append(mesh.edge_starts[:-1] + reached[which])
        reached[which] += len(mesh.edge_points)
    edges = [
        (
            _stacked(lines[k], (0, 3), np.float64),
            _stacked([*starts[k], np.array([reached[k]])], (0,), np.int32),
        )
        for k in (0, 1)
    ]
    colours = np.array([item.colour for item in items], dtype=np.float64).reshape(-1, 4)
    colours[:, :3] = calm(colours[:, :3])
    return _Scene(
        _stacked(points, (0, 3), np.float64),
        _stacked(normals, (0, 3), np.float32),
        _stacked(triangles, (0, 3), np.int32),
        _stacked(numbers, (0,), np.int32),
        opaque,
        edges[0],
        edges[1],
        colours,
    )


def _stacked(parts: list[np.ndarray], empty: tuple[int, ...], kind: type) -> np.ndarray:
    return np.ascontiguousarray(np.concatenate([np.empty(empty), *parts]), dtype=kind)


def _draw(
    scene: _Scene,
    camera: Camera,
    key: np.ndarray,
    look: Look,
    edges: bool,
    fallen: Shadow,
    n: int,
    traces: Sequence[Trace],
) -> np.ndarray:
    columns, rows = camera.size
    shape = (rows * n, columns * n)
    screen = _on_samples(camera, scene.points, n)
    layers, nearness = _layers(screen, scene, shape)
    ink, clear_ink = np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8)
    if edges:
        one = 1.0 / (camera.scale * n)  # a sample, as in raster.slack_at
        flat = (camera.perspective, screen, scene.triangles, layers[0])
        outline = max(1, round(n / 2))
        draw_outlines(outline, OUTLINE_STEP * n * one, *flat, nearness, ink)
        for (points, starts), target in ((scene.edges, ink), (scene.clear_edges, clear_ink)):
            on_screen = _on_samples(camera, points, n)
            reach, slack = LINE_WIDTH * n / 2.0, LINE_SLACK * n * one
            draw_lines(on_screen, starts, reach, slack, *flat, target)
    image = np.empty((rows, columns, 3), dtype=np.uint8)
    origin = camera.eye if camera.perspective else camera.target
    tints = np.zeros((4, 4))
    tints[:3, :3] = to_linear([look.top, look.bottom, look.ink])
    tints[2, 3], tints[3, 0] = look.ink_strength, look.shadow_strength
    resolve(
        layers, n, screen, scene.normals, scene.triangles, scene.item, scene.colours, ink,
        clear_ink, np.vstack([camera.R_VW, origin]), camera.scale, camera.perspective,
        np.vstack([camera.up, key, ground_axes(camera.up)]),
        np.array([look.sky, look.earth, look.key]), tints, fallen.level, fallen.corner,
        fallen.step, fallen.dark, srgb_table(), image,
    )  # fmt: skip
    draw_traces(image, traces, camera, n, (screen, scene.triangles, layers[0]), look)
    return image


def _on_samples(camera: Camera, points: np.ndarray, n: int) -> np.ndarray:
    screen = camera.screen(points)
    screen[:, :2] *= n
    return screen


def _layers(
    screen: np.ndarray, scene: _Scene, shape: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Triangle seen at each sample, (layers, rows, columns): opaque first, then clear ones."""
    nearness = np.full(shape, -np.inf, dtype=np.float32)
    seen = np.full(shape, EMPTY, dtype=np.int32)
    ceiling = np.full(shape, np.inf, dtype=np.float32)
    fill(screen, scene.triangles, 0, scene.opaque, ceiling, nearness, seen)
    layers = [seen]
    while scene.opaque < len(scene.triangles) and len(layers) <= CLEAR_LAYERS:
        front, layer = nearness.copy(), np.full(shape, EMPTY, dtype=np.int32)
        fill(screen, scene.triangles, scene.opaque, len(scene.triangles), ceiling, front, layer)
        if not (layer >= 0).any():
            break
        layers.append(layer)
        ceiling = np.where(layer >= 0, front, -np.inf).astype(np.float32)
    return np.stack(layers), nearness
