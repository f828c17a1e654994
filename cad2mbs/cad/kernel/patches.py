"""Faces as patches with outlines for cad2mbs.cad.quadrature."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve2d, BRepAdaptor_Surface
from OCP.BRepTools import BRepTools
from OCP.Geom import Geom_BSplineSurface, Geom_RectangularTrimmedSurface
from OCP.Geom2d import Geom2d_TrimmedCurve
from OCP.Geom2dConvert import Geom2dConvert
from OCP.GeomAbs import (
    GeomAbs_BezierSurface,
    GeomAbs_BSplineSurface,
    GeomAbs_Circle,
    GeomAbs_CN,
    GeomAbs_Cone,
    GeomAbs_Cylinder,
    GeomAbs_Ellipse,
    GeomAbs_Line,
    GeomAbs_Plane,
    GeomAbs_Sphere,
    GeomAbs_Torus,
)
from OCP.GeomConvert import GeomConvert
from OCP.gp import gp_Ax3, gp_Pnt, gp_Vec
from OCP.TColStd import TColStd_Array1OfReal
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FORWARD, TopAbs_REVERSED
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS, TopoDS_Face

from cad2mbs.cad.quadrature import Patch, PlanePatch, RoundPatch, SplineCurve, SplineSurface

ELEMENTARY = {GeomAbs_Plane, GeomAbs_Cylinder, GeomAbs_Cone, GeomAbs_Sphere, GeomAbs_Torus}
SPLINES = {GeomAbs_BSplineSurface, GeomAbs_BezierSurface}
CONICS = {GeomAbs_Line, GeomAbs_Circle, GeomAbs_Ellipse}
TURN = math.pi / 4  # rad between two breaks of a round surface


def plain(face: TopoDS_Face) -> bool:
    """Whether a face is elementary, within lines and conics: the kernel's integrals are exact."""
    if BRepAdaptor_Surface(face, False).GetType() not in ELEMENTARY:
        return False
    edges = TopExp_Explorer(face, TopAbs_EDGE)
    while edges.More():
        edge = TopoDS.Edge_s(edges.Current())
        if BRepAdaptor_Curve2d(edge, face).GetType() not in CONICS:
            return False
        edges.Next()
    return True


def patch_of(face: TopoDS_Face) -> Patch:
    """The surface of a face, taken forward, in the parameters of its outline."""
    surface = BRepAdaptor_Surface(face, True)
    kind = surface.GetType()
    if kind in SPLINES:
        return _spline_surface(face)
    u = (surface.FirstUParameter(), surface.LastUParameter())
    v = (surface.FirstVParameter(), surface.LastVParameter())
    if kind == GeomAbs_Plane:
        return PlanePatch(_axes(surface.Plane().Position()), np.array(u), np.array(v))
    if kind == GeomAbs_Cylinder:
        cylinder = surface.Cylinder()
        profile = (cylinder.Radius(), 0.0, 0.0, 1.0, 0.0)
        return RoundPatch(_axes(cylinder.Position()), profile, _turns(*u), np.array(v))
    if kind == GeomAbs_Cone:
        cone = surface.Cone()
        angle = cone.SemiAngle()
        profile = (cone.RefRadius(), math.sin(angle), 0.0, math.cos(angle), 0.0)
        return RoundPatch(_axes(cone.Position()), profile, _turns(*u), np.array(v))
    if kind == GeomAbs_Sphere:
        sphere = surface.Sphere()
        profile = (0.0, 0.0, sphere.Radius(), 0.0, sphere.Radius())
        return RoundPatch(_axes(sphere.Position()), profile, _turns(*u), _turns(*v))
    if kind == GeomAbs_Torus:
        torus = surface.Torus()
        profile = (torus.MajorRadius(), 0.0, torus.MinorRadius(), 0.0, torus.MinorRadius())
        return RoundPatch(_axes(torus.Position()), profile, _turns(*u), _turns(*v))
    return KernelPatch(surface, _intervals(surface, "U"), _intervals(surface, "V"))


@dataclass(frozen=True, eq=False)
class KernelPatch:
    """Any other surface (extrusion, revolution, offset), asked point by point."""

    surface: BRepAdaptor_Surface
    breaks_u: np.ndarray
    breaks_v: np.ndarray

    def evaluate(self, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points and both tangents, (n, 3) each."""
        rows = np.empty((len(u), 3, 3))
        point, along_u, along_v = gp_Pnt(), gp_Vec(), gp_Vec()
        for i, (a, b) in enumerate(zip(u.tolist(), v.tolist(), strict=True)):
            self.surface.D1(a, b, point, along_u, along_v)
            rows[i] = (point.Coord(), along_u.Coord(), along_v.Coord())
        return rows[:, 0], rows[:, 1], rows[:, 2]


def _intervals(surface: BRepAdaptor_Surface, way: str) -> np.ndarray:
    """Parameters between which the surface is smooth, each stretch in four for its bends."""
    count = getattr(surface, f"Nb{way}Intervals")(GeomAbs_CN)
    values = TColStd_Array1OfReal(1, count + 1)
    getattr(surface, f"{way}Intervals")(values, GeomAbs_CN)
    ends = np.array([values.Value(i) for i in range(1, count + 2)])
    return np.unique(np.linspace(ends[:-1], ends[1:], 5).ravel())


def _turns(first: float, last: float) -> np.ndarray:
    return np.linspace(first, last, math.ceil((last - first) / TURN) + 1)


def _axes(position: gp_Ax3) -> np.ndarray:
    return np.array(
        [
            position.Location().Coord(),
            position.XDirection().Coord(),
            position.YDirection().Coord(),
            position.Direction().Coord(),
        ]
    )


def outline(face: TopoDS_Face) -> list[SplineCurve] | None:
    """The edges of a face, taken forward, in (u, v); None where one has no curve there."""
    loop = []
    edges = TopExp_Explorer(face, TopAbs_EDGE)
    while edges.More():
        edge = TopoDS.Edge_s(edges.Current())
        edges.Next()
        turn = edge.Orientation()
        if turn not in (TopAbs_FORWARD, TopAbs_REVERSED):
            continue
        first, last = BRep_Tool.Range_s(edge, face)
        curve = BRep_Tool.CurveOnSurface_s(edge, face, first, last)
        if curve is None:
            return None
        spline = Geom2dConvert.CurveToBSplineCurve_s(Geom2d_TrimmedCurve(curve, first, last))
        if spline.IsPeriodic():
            spline.SetNotPeriodic()
        poles = [
            (p.X() * w, p.Y() * w, w)
            for i in range(1, spline.NbPoles() + 1)
            for p, w in [(spline.Pole(i), spline.Weight(i))]
        ]
        knots = [
            spline.Knot(i)
            for i in range(1, spline.NbKnots() + 1)
            for _ in range(spline.Multiplicity(i))
        ]
        sign = 1.0 if turn == TopAbs_FORWARD else -1.0
        loop.append(SplineCurve(np.array(poles), np.array(knots), spline.Degree(), sign))
    return loop


def _spline_surface(face: TopoDS_Face) -> SplineSurface:
    """The face's surface as a B-spline over the face's own range, so that it is not periodic."""
    whole = BRep_Tool.Surface_s(face)
    u0, u1, v0, v1 = BRepTools.UVBounds_s(face)
    first_u, last_u, first_v, last_v = whole.Bounds()
    # Outlines may leave a surface by a hair, which the kernel refuses to trim to.
    if not whole.IsUPeriodic():
        u0, u1 = max(u0, first_u), min(u1, last_u)
    if not whole.IsVPeriodic():
        v0, v1 = max(v0, first_v), min(v1, last_v)
    trimmed = Geom_RectangularTrimmedSurface(whole, u0, u1, v0, v1)
    surface: Geom_BSplineSurface = GeomConvert.SurfaceToBSplineSurface_s(trimmed)
    if surface.IsUPeriodic():
        surface.SetUNotPeriodic()
    if surface.IsVPeriodic():
        surface.SetVNotPeriodic()
    poles = np.empty((surface.NbUPoles(), surface.NbVPoles(), 4))
    for i in range(poles.shape[0]):
        for j in range(poles.shape[1]):
            w = surface.Weight(i + 1, j + 1)
            x, y, z = surface.Pole(i + 1, j + 1).Coord()
            poles[i, j] = (x * w, y * w, z * w, w)
    knots_u = [
        surface.UKnot(i)
        for i in range(1, surface.NbUKnots() + 1)
        for _ in range(surface.UMultiplicity(i))
    ]
    knots_v = [
        surface.VKnot(i)
        for i in range(1, surface.NbVKnots() + 1)
        for _ in range(surface.VMultiplicity(i))
    ]
    return SplineSurface(
        poles, np.array(knots_u), np.array(knots_v), surface.UDegree(), surface.VDegree()
    )
