"""Circular edges of a shape as features; arcs that continue each other as one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Curve

from cad2mbs.cad.fits import Circle
from cad2mbs.cad.kernel.boxes import joined
from cad2mbs.cad.kernel.recovery import circle_of
from cad2mbs.cad.kernel.topology import Topology
from cad2mbs.cad.merging import FULL, box_of, canonical, covered, vec3
from cad2mbs.model.references import any_normal
from cad2mbs.model.solid import Feature, FeatureKind


def features(
    parts: Topology,
    curves: list[BRepAdaptor_Curve | None],
    boxes: list[np.ndarray],
    shown: list[int],
    tolerance: float,
) -> list[Feature]:
    """The circles among the edges `shown`, in the order of their first edge."""
    groups: list[list[tuple[int, Circle, bool]]] = []
    cells: dict[tuple[float, ...], list[int]] = {}  # numbers of the groups that reach into each
    for number in shown:
        curve = curves[number]
        found = circle_of(parts.edges[number], curve, tolerance) if curve is not None else None
        if found is None:
            continue
        row = (number, *found)
        beside = sorted({g for cell in _cells(row[1], tolerance) for g in cells.get(cell, ())})
        home = next((g for g in beside if _same(groups[g][0][1], row[1], tolerance)), None)
        if home is None:
            for cell in _cells(row[1], tolerance):
                cells.setdefault(cell, []).append(len(groups))
            groups.append([row])
        else:
            groups[home].append(row)
    return [f for group in groups for f in _split(group, curves, boxes, tolerance)]


def _cells(circle: Circle, tolerance: float) -> Iterator[tuple[float, ...]]:
    """Cells of radius and origin a circle reaches into; circles that are the same share one."""
    near = 4.0 * tolerance
    width = max(64.0 * near, 1e-9)
    values = np.array([circle.radius, *circle.origin])
    low, high = np.floor((values - near) / width), np.floor((values + near) / width)
    yield from product(*({a, b} for a, b in zip(low.tolist(), high.tolist(), strict=True)))


def _same(a: Circle, b: Circle, tolerance: float) -> bool:
    near = 4.0 * tolerance
    return (
        abs(a.radius - b.radius) <= near
        and float(np.abs(a.origin - b.origin).max()) <= near
        and float(np.linalg.norm(np.cross(a.z, b.z))) * a.radius <= near
    )


def _split(
    group: list[tuple[int, Circle, bool]],
    curves: list[BRepAdaptor_Curve | None],
    boxes: list[np.ndarray],
    tolerance: float,
) -> list[Feature]:
    """The arcs of one circle, those that touch as one feature."""
    circle = group[0][1]
    x = _start(group, curves)
    y = np.cross(circle.z, x)
    arcs = []
    for number, _, recovered in group:
        curve = curves[number]
        assert curve is not None
        start, sweep = _arc(curve, circle, x, y)
        arcs.append((start, sweep, number, recovered))
    slack = max(4.0 * tolerance / circle.radius, 1e-9)
    runs: list[list[tuple[float, float, int, bool]]] = []
    for arc in sorted(arcs):
        reach = max((s + w for s, w, _, _ in runs[-1]), default=0.0) if runs else 0.0
        if runs and arc[0] <= reach + slack:
            runs[-1].append(arc)
        else:
            runs.append([arc])
    if len(runs) > 1 and max(s + w for s, w, _, _ in runs[-1]) >= runs[0][0][0] + FULL - slack:
        runs[0] += runs.pop()  # round past the start
    made = [_feature(circle, x, run, boxes) for run in runs]
    return sorted(made, key=lambda f: f.numbers)


def _start(
    group: list[tuple[int, Circle, bool]], curves: list[BRepAdaptor_Curve | None]
) -> np.ndarray:
    """Unit direction from the centre to where the first edge begins."""
    number, circle, _ = group[0]
    curve = curves[number]
    assert curve is not None
    r = np.array(curve.Value(curve.FirstParameter()).Coord()) - circle.origin
    x = r - (r @ circle.z) * circle.z
    length = float(np.linalg.norm(x))
    return x / length if length > 0.0 else np.array(any_normal(vec3(circle.z)))


def _arc(
    curve: BRepAdaptor_Curve, circle: Circle, x: np.ndarray, y: np.ndarray
) -> tuple[float, float]:
    """Start in [0, 2 pi) and sweep of an edge, counted about the circle's z."""
    t = np.linspace(curve.FirstParameter(), curve.LastParameter(), 9)
    r = np.array([curve.Value(float(v)).Coord() for v in t]) - circle.origin
    angle = np.unwrap(np.arctan2(r @ y, r @ x))
    low = float(min(angle[0], angle[-1]))
    sweep = min(abs(float(angle[-1] - angle[0])), FULL)
    start = low % FULL
    return (0.0 if start > FULL - 1e-9 else start), (FULL if sweep > FULL - 1e-9 else sweep)


def _feature(
    circle: Circle,
    x: np.ndarray,
    run: list[tuple[float, float, int, bool]],
    boxes: list[np.ndarray],
) -> Feature:
    sweep = covered([(s, s + w) for s, w, _, _ in run])
    if sweep >= FULL:
        half = circle.radius * np.sqrt(np.maximum(1.0 - circle.z**2, 0.0))
        box = np.array([circle.origin - half, circle.origin + half])
    else:
        box = joined([boxes[number] for _, _, number, _ in run])
    return Feature(
        FeatureKind.CIRCLE,
        vec3(circle.origin),
        vec3(canonical(circle.z) * circle.z),
        vec3(x),
        radius=float(circle.radius),
        sweep=sweep,
        size=float(sweep * circle.radius),
        box=box_of(box),
        numbers=tuple(sorted(number for _, _, number, _ in run)),
        recovered=any(recovered for _, _, _, recovered in run),
    )
