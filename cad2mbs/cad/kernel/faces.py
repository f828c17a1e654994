"""Features of a shape: its faces, those that continue each other as one, and its circular edges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.GeomAbs import GeomAbs_Line
from OCP.gp import gp_Pnt, gp_Vec
from OCP.TopAbs import TopAbs_REVERSED

from cad2mbs.cad.fits import Surface
from cad2mbs.cad.kernel import circles
from cad2mbs.cad.kernel.boxes import edge_box, face_box, joined
from cad2mbs.cad.kernel.masses import Masses
from cad2mbs.cad.kernel.recovery import ALONG, curve_points, elementary, recovered, sampled
from cad2mbs.cad.kernel.topology import Topology, has_length, is_seam
from cad2mbs.cad.merging import Piece, merged, same_surface
from cad2mbs.model.references import any_normal
from cad2mbs.model.solid import Feature, FeatureKind

AROUND = 33  # samples along a parameter line to find the angle it covers
ROUND = {FeatureKind.CYLINDER, FeatureKind.CONE, FeatureKind.SPHERE, FeatureKind.TORUS}


@dataclass(frozen=True, eq=False)
class Geometry:
    """Curves, sampled edge points and boxes of a shape, worked out once."""

    curves: list[BRepAdaptor_Curve | None]  # None: an edge of no length
    points: list[np.ndarray]  # per edge; empty where it has no length
    boxes: list[np.ndarray]  # per edge (2, 3)


def geometry(parts: Topology) -> Geometry:
    """The curves of all edges with sampled points and boxes."""
    curves = [BRepAdaptor_Curve(e) if has_length(e) else None for e in parts.edges]
    points = [_edge_points(c) for c in curves]
    boxes = [
        np.array([[math.inf] * 3, [-math.inf] * 3]) if c is None else edge_box(c, p)
        for c, p in zip(curves, points, strict=True)
    ]
    return Geometry(curves, points, boxes)


def features(
    parts: Topology,
    shapes: Geometry,
    weighed: Masses,
    tolerance: float,
    names: Mapping[int, str] | None = None,
) -> tuple[Feature, ...]:
    """All features of a shape: faces in the order of their numbers, then circular edges.

    `tolerance` [mm] of recovery and of what counts as one surface.
    """
    pieces = [
        _piece(parts, shapes, weighed, number, tolerance, (names or {}).get(number, ""))
        for number in range(len(parts.faces))
    ]
    group = _groups(parts, pieces, tolerance)
    members: dict[int, list[Piece]] = {}
    for number, leader in enumerate(group):
        members.setdefault(leader, []).append(pieces[number])
    faces = [merged(rows) for rows in members.values()]
    shown = [
        number
        for number, beside in enumerate(parts.faces_of_edge)
        if shapes.curves[number] is not None
        and not is_seam(parts, number)
        and (len(beside) < 2 or len({group[f] for f in beside}) > 1)
    ]
    return (*faces, *circles.features(parts, shapes.curves, shapes.boxes, shown, tolerance))


def _edge_points(curve: BRepAdaptor_Curve | None) -> np.ndarray:
    if curve is None:
        return np.empty((0, 3))
    return curve_points(curve, 2 if curve.GetType() == GeomAbs_Line else ALONG)


def _groups(parts: Topology, pieces: list[Piece], tolerance: float) -> list[int]:
    """For each face the lowest number among the faces it continues."""
    leader = list(range(len(pieces)))

    def find(i: int) -> int:
        while leader[i] != i:
            leader[i] = leader[leader[i]]
            i = leader[i]
        return i

    for beside in parts.faces_of_edge:
        for a, b in pairwise(beside):
            first, second = sorted((find(a), find(b)))
            if first != second and same_surface(pieces[a], pieces[b], tolerance):
                leader[second] = first
    return [find(i) for i in range(len(pieces))]


def _piece(
    parts: Topology, shapes: Geometry, weighed: Masses, number: int, tolerance: float, name: str
) -> Piece:
    """One face with its surface, side, extent and size."""
    face = parts.faces[number]
    adaptor = BRepAdaptor_Surface(face, True)
    edges = parts.edges_of_face[number]
    surface = elementary(adaptor)
    written = surface is not None
    if surface is None:
        surface = recovered(face, adaptor, [shapes.points[e] for e in edges], tolerance)
    point, normal = _middle(adaptor)
    if (face.Orientation() == TopAbs_REVERSED) != weighed.inverted:
        normal = -normal
    if surface is None:
        z = normal if np.any(normal) else np.array([0.0, 0.0, 1.0])
        surface = Surface(
            FeatureKind.FREE,
            point,
            z,
            np.array(any_normal(tuple(z))),  # type: ignore[arg-type]
        )
    if surface.kind is FeatureKind.PLANE:
        surface = _facing(surface, normal)
    sweep, towards, low, high = _extent(adaptor, surface, written)
    return Piece(
        number,
        surface,
        concave=surface.kind in ROUND and _points_inwards(surface, point, normal),
        sweep=sweep,
        towards=towards,
        low=low,
        high=high,
        size=float(weighed.face_areas[number]),
        centre=weighed.face_centres[number],
        box=face_box(face, adaptor, surface, joined([shapes.boxes[e] for e in edges]), written),
        name=name,
    )


def _middle(adaptor: BRepAdaptor_Surface) -> tuple[np.ndarray, np.ndarray]:
    """A point of the surface within the face's range and the surface's own unit normal there."""
    u0, u1 = adaptor.FirstUParameter(), adaptor.LastUParameter()
    v0, v1 = adaptor.FirstVParameter(), adaptor.LastVParameter()
    point, along_u, along_v = gp_Pnt(), gp_Vec(), gp_Vec()
    for share in (0.5, 0.4, 0.37):  # the middle may be the very tip of a cone
        adaptor.D1(u0 + share * (u1 - u0), v0 + share * (v1 - v0), point, along_u, along_v)
        normal = np.cross(along_u.Coord(), along_v.Coord())
        length = float(np.linalg.norm(normal))
        if length > 1e-12 * along_u.Magnitude() * along_v.Magnitude() and length > 0.0:
            return np.array(point.Coord()), normal / length
    return np.array(point.Coord()), np.zeros(3)


def _facing(plane: Surface, normal: np.ndarray) -> Surface:
    z = plane.z if plane.z @ normal >= 0.0 else -plane.z
    return Surface(plane.kind, plane.origin, z, plane.x, recovered=plane.recovered)


def _points_inwards(surface: Surface, point: np.ndarray, normal: np.ndarray) -> bool:
    """Whether the normal out of the material points to the axis (or centre): a hole."""
    r = point - surface.origin
    if surface.kind is FeatureKind.SPHERE:
        return bool(r @ normal < 0.0)
    across = r - (r @ surface.z) * surface.z
    if surface.kind is FeatureKind.TORUS:
        ring = across / max(float(np.linalg.norm(across)), 1e-300) * surface.radius
        return bool((r - ring) @ normal < 0.0)
    return bool(across @ normal < 0.0)


def _extent(
    adaptor: BRepAdaptor_Surface, surface: Surface, written: bool
) -> tuple[float, np.ndarray, float, float]:
    """Angle covered about z, the middle direction of it, lowest and highest place along z."""
    nothing = np.zeros(3)
    if surface.kind not in ROUND:
        return 0.0, nothing, 0.0, 0.0
    if not written:
        return _sampled_extent(adaptor, surface)
    u0, u1 = adaptor.FirstUParameter(), adaptor.LastUParameter()
    v0, v1 = adaptor.FirstVParameter(), adaptor.LastVParameter()
    point = gp_Pnt()
    adaptor.D0(0.5 * (u0 + u1), 0.5 * (v0 + v1), point)
    r = np.array(point.Coord()) - surface.origin
    towards = r - (r @ surface.z) * surface.z
    if surface.kind is FeatureKind.TORUS and surface.minor > surface.radius:
        towards = nothing  # a self-cutting torus: its middle may lie across the axis
    low = high = 0.0
    if surface.kind is FeatureKind.CYLINDER:
        middle = float(r @ surface.z)
        low, high = middle - 0.5 * (v1 - v0), middle + 0.5 * (v1 - v0)
    elif surface.kind is FeatureKind.CONE:  # its origin is the middle of the extent already
        half = 0.5 * (v1 - v0) * math.cos(surface.half_angle)
        low, high = -half, half
    return min(u1 - u0, 2.0 * math.pi), towards, low, high


def _sampled_extent(
    adaptor: BRepAdaptor_Surface, surface: Surface
) -> tuple[float, np.ndarray, float, float]:
    """The same for a surface of unknown parameters: along both its parameter lines."""
    y = np.cross(surface.z, surface.x)
    best, towards = 0.0, np.zeros(3)
    u0, u1 = adaptor.FirstUParameter(), adaptor.LastUParameter()
    v0, v1 = adaptor.FirstVParameter(), adaptor.LastVParameter()
    shares = np.linspace(0.0, 1.0, AROUND)
    for line in (
        [(u0 + s * (u1 - u0), 0.5 * (v0 + v1)) for s in shares.tolist()],
        [(0.5 * (u0 + u1), v0 + s * (v1 - v0)) for s in shares.tolist()],
    ):
        r = np.array([adaptor.Value(u, v).Coord() for u, v in line]) - surface.origin
        flat = np.column_stack([r @ surface.x, r @ y])
        if np.linalg.norm(flat, axis=1).min() < 1e-6 * np.abs(r).max():
            continue  # the line runs over a pole or tip: no angle there
        angle = np.unwrap(np.arctan2(flat[:, 1], flat[:, 0]))
        if abs(angle[-1] - angle[0]) > best:
            best = abs(float(angle[-1] - angle[0]))
            middle = 0.5 * (angle[-1] + angle[0])
            towards = math.cos(middle) * surface.x + math.sin(middle) * y
    along = (sampled(adaptor)[1] - surface.origin) @ surface.z
    return min(best, 2.0 * math.pi), towards, float(along.min()), float(along.max())
