"""Tight boxes of edges and faces: exact for lines, circles and elementary faces."""

from __future__ import annotations

import math

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.BRepTopAdaptor import BRepTopAdaptor_FClass2d
from OCP.ElSLib import ElSLib
from OCP.GeomAbs import GeomAbs_Circle
from OCP.gp import gp_Pnt, gp_Pnt2d
from OCP.TopAbs import TopAbs_OUT
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face

from cad2mbs.cad.fits import Surface
from cad2mbs.cad.kernel.recovery import sampled
from cad2mbs.model.solid import FeatureKind

RULED = {FeatureKind.PLANE, FeatureKind.CYLINDER, FeatureKind.CONE}


def joined(boxes: list[np.ndarray]) -> np.ndarray:
    """The box (2, 3) around boxes; lowest above highest where there are none."""
    if not boxes:
        return np.array([[math.inf] * 3, [-math.inf] * 3])
    rows = np.array(boxes)
    return np.array([rows[:, 0].min(axis=0), rows[:, 1].max(axis=0)])


def edge_box(curve: BRepAdaptor_Curve, points: np.ndarray) -> np.ndarray:
    """The box (2, 3) of an edge; of a circle with the places where it turns back."""
    if curve.GetType() == GeomAbs_Circle:
        points = np.vstack([points, _turning_points(curve)])
    return np.array([points.min(axis=0), points.max(axis=0)])


def _turning_points(curve: BRepAdaptor_Curve) -> np.ndarray:
    circle = curve.Circle()
    x = np.array(circle.XAxis().Direction().Coord())
    y = np.array(circle.YAxis().Direction().Coord())
    first, last = curve.FirstParameter(), curve.LastParameter()
    angles = np.arctan2(y, x)  # where d/dt of (x cos t + y sin t) is zero, per coordinate
    angles = np.concatenate([angles, angles + math.pi])
    angles = first + (angles - first) % (2.0 * math.pi)
    angles = angles[angles <= last]
    centre = np.array(circle.Location().Coord())
    return centre + circle.Radius() * (np.outer(np.cos(angles), x) + np.outer(np.sin(angles), y))


def face_box(
    face: TopoDS_Face,
    adaptor: BRepAdaptor_Surface,
    surface: Surface,
    outline: np.ndarray,
    written: bool,
) -> np.ndarray:
    """The box (2, 3) of a face whose edges have the box `outline`.

    Planes, cylinders and cones reach farthest at their edges. Spheres and tori are looked at
    where they turn back, free-form faces at their triangles or a grid.
    """
    if surface.kind in RULED and np.isfinite(outline).all():
        return outline
    if written and surface.kind in (FeatureKind.SPHERE, FeatureKind.TORUS):
        inside = _turning_places(face, adaptor, surface)
    else:
        inside = _nodes(face)
        if not len(inside):
            inside = sampled(adaptor)[1]
    if not len(inside):
        return outline
    return joined([outline, np.array([inside.min(axis=0), inside.max(axis=0)])])


def _nodes(face: TopoDS_Face) -> np.ndarray:
    location = TopLoc_Location()
    mesh = BRep_Tool.Triangulation_s(face, location)
    if mesh is None or not mesh.NbNodes():
        return np.empty((0, 3))
    move = location.Transformation()
    return np.array([mesh.Node(i).Transformed(move).Coord() for i in range(1, mesh.NbNodes() + 1)])


def _turning_places(
    face: TopoDS_Face, adaptor: BRepAdaptor_Surface, surface: Surface
) -> np.ndarray:
    """Points of a sphere or torus with a normal along a coordinate axis, those on the face."""
    inside = BRepTopAdaptor_FClass2d(face, 1e-9)
    found = []
    for row in np.vstack([np.eye(3), -np.eye(3)]):
        if surface.kind is FeatureKind.SPHERE:
            point = surface.origin + surface.radius * row
            u, v = ElSLib.Parameters_s(adaptor.Sphere(), gp_Pnt(*point.tolist()))
        else:
            ring = row - (row @ surface.z) * surface.z
            length = float(np.linalg.norm(ring))
            ring = ring / length if length > 1e-12 else surface.x
            point = surface.origin + surface.radius * ring + surface.minor * row
            u, v = ElSLib.Parameters_s(adaptor.Torus(), gp_Pnt(*point.tolist()))
        if inside.Perform(gp_Pnt2d(u, v)) != TopAbs_OUT:
            found.append(point)
    return np.array(found).reshape(-1, 3)
