"""What a face or edge really is, whatever kind of surface or curve it is written as.

Elementary surfaces are taken as they are. All others (B-splines, Bezier patches, extrusions,
revolutions, offsets) are sampled over the face and along its edges: if every sample lies on one
plane, cylinder, cone, sphere or torus within the tolerance, the face is that.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.BRepTopAdaptor import BRepTopAdaptor_FClass2d
from OCP.GeomAbs import (
    GeomAbs_Circle,
    GeomAbs_Cone,
    GeomAbs_CurveType,
    GeomAbs_Cylinder,
    GeomAbs_Line,
    GeomAbs_Plane,
    GeomAbs_Sphere,
    GeomAbs_SurfaceType,
    GeomAbs_Torus,
)
from OCP.gp import gp_Ax3, gp_Pnt, gp_Pnt2d, gp_Vec
from OCP.TopAbs import TopAbs_OUT
from OCP.TopoDS import TopoDS_Edge, TopoDS_Face

from cad2mbs.cad.fits import Circle, Surface, circle_through, surface_through
from cad2mbs.model.solid import FeatureKind

GRID = 9  # samples each way on a face: enough for four spans each way
ALONG = 17  # samples on an edge


def tolerance_for(diagonal: float) -> float:
    """How far a recovered surface may be from the face it stands for [mm]: 0.1 um in 100 mm."""
    return max(1e-6 * diagonal, 1e-7)


def elementary(surface: BRepAdaptor_Surface) -> Surface | None:
    """The surface as written, None if it is none of plane, cylinder, cone, sphere, torus."""
    read = _READ.get(surface.GetType())
    return read(surface) if read else None


def recovered(
    face: TopoDS_Face,
    surface: BRepAdaptor_Surface,
    edges: list[np.ndarray],
    tolerance: float,
) -> Surface | None:
    """The elementary surface a face of another kind lies on within the tolerance, or None.

    `edges`: sampled points of its edges; they must lie on it, too.
    """
    parameters, points, normals = sampled(surface)
    boundary = np.concatenate(edges) if edges else np.empty((0, 3))
    for keep in (lambda: np.ones(len(points), bool), lambda: _inside(face, parameters)):
        # Far outside its edges a surface may run wild: the second try looks inside only.
        rows = keep() & np.isfinite(normals).all(axis=1)
        if rows.sum() < GRID:
            continue
        found = surface_through(points[rows], normals[rows], tolerance)
        if found and (not len(boundary) or found.distance(boundary).max() <= 2.0 * tolerance):
            return found
    return None


def circle_of(
    edge: TopoDS_Edge, curve: BRepAdaptor_Curve, tolerance: float
) -> tuple[Circle, bool] | None:
    """The circle an edge lies on and whether it had to be recovered; None if it is no circle."""
    kind: GeomAbs_CurveType = curve.GetType()
    if kind == GeomAbs_Line:
        return None
    if kind == GeomAbs_Circle:
        circle = curve.Circle()
        z = circle.Axis().Direction()
        return Circle(
            np.array(circle.Location().Coord()), np.array(z.Coord()), circle.Radius()
        ), False
    found = circle_through(curve_points(curve, ALONG), tolerance)
    return (found, True) if found else None


def curve_points(curve: BRepAdaptor_Curve, count: int) -> np.ndarray:
    """Points (count, 3) along an edge, ends included."""
    first, last = curve.FirstParameter(), curve.LastParameter()
    step = (last - first) / (count - 1)
    point = gp_Pnt()
    rows = []
    for i in range(count):
        curve.D0(first + i * step, point)
        rows.append(point.Coord())
    return np.array(rows)


def sampled(surface: BRepAdaptor_Surface) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Parameters (n, 2), points (n, 3) and unit normals (n, 3; nan where there is none)."""
    u = np.linspace(surface.FirstUParameter(), surface.LastUParameter(), GRID)
    v = np.linspace(surface.FirstVParameter(), surface.LastVParameter(), GRID)
    parameters = [(float(a), float(b)) for a in u for b in v]
    point, along_u, along_v = gp_Pnt(), gp_Vec(), gp_Vec()
    points, tangents = [], []
    for a, b in parameters:
        surface.D1(a, b, point, along_u, along_v)
        points.append(point.Coord())
        tangents.append((along_u.Coord(), along_v.Coord()))
    t = np.array(tangents)
    normals = np.cross(t[:, 0], t[:, 1])
    lengths = np.linalg.norm(normals, axis=1)
    normals[lengths <= 1e-9 * lengths.max()] = np.nan  # the tip of a cone, a pole
    with np.errstate(invalid="ignore", divide="ignore"):
        normals /= lengths[:, None]
    return np.array(parameters), np.array(points), normals


def _inside(face: TopoDS_Face, parameters: np.ndarray) -> np.ndarray:
    inside = BRepTopAdaptor_FClass2d(face, 1e-9)
    return np.array([inside.Perform(gp_Pnt2d(u, v)) != TopAbs_OUT for u, v in parameters.tolist()])


def _axes(position: gp_Ax3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return (
        np.array(position.Location().Coord()),
        np.array(position.Direction().Coord()),
        np.array(position.XDirection().Coord()),
    )


def _read_plane(surface: BRepAdaptor_Surface) -> Surface:
    return Surface(FeatureKind.PLANE, *_axes(surface.Plane().Position()))


def _read_cylinder(surface: BRepAdaptor_Surface) -> Surface:
    cylinder = surface.Cylinder()
    return Surface(FeatureKind.CYLINDER, *_axes(cylinder.Position()), cylinder.Radius())


def _read_cone(surface: BRepAdaptor_Surface) -> Surface:
    """The cone with its radius where the face is: at the middle of its extent."""
    cone = surface.Cone()
    origin, z, x = _axes(cone.Position())
    angle = cone.SemiAngle()
    v = 0.5 * (surface.FirstVParameter() + surface.LastVParameter())
    radius = cone.RefRadius() + v * math.sin(angle)
    if radius < 0.0:  # beyond the tip: the other half of the double cone
        radius, angle, x = -radius, -angle, -x
    return Surface(FeatureKind.CONE, origin + v * math.cos(angle) * z, z, x, radius, 0.0, angle)


def _read_sphere(surface: BRepAdaptor_Surface) -> Surface:
    sphere = surface.Sphere()
    return Surface(FeatureKind.SPHERE, *_axes(sphere.Position()), sphere.Radius())


def _read_torus(surface: BRepAdaptor_Surface) -> Surface:
    torus = surface.Torus()
    return Surface(
        FeatureKind.TORUS, *_axes(torus.Position()), torus.MajorRadius(), torus.MinorRadius()
    )


_READ: dict[GeomAbs_SurfaceType, Callable[[BRepAdaptor_Surface], Surface]] = {
    GeomAbs_Plane: _read_plane,
    GeomAbs_Cylinder: _read_cylinder,
    GeomAbs_Cone: _read_cone,
    GeomAbs_Sphere: _read_sphere,
    GeomAbs_Torus: _read_torus,
}
