"""Shapes the tests of the geometry share."""

from __future__ import annotations

import cadquery as cq
from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert
from OCP.TopoDS import TopoDS_Shape


def nurbs(shape: TopoDS_Shape) -> TopoDS_Shape:
    """The same shape with every surface and curve written as a B-spline."""
    return BRepBuilderAPI_NurbsConvert(shape, True).Shape()


def plate(scale: float = 1.0) -> TopoDS_Shape:
    """A plate with two through holes, one stepped hole and rounded corners."""
    s = scale
    return (
        cq.Workplane()
        .box(40 * s, 20 * s, 10 * s)
        .faces(">Z")
        .workplane()
        .pushPoints([(-12 * s, 0), (12 * s, 0)])
        .hole(6 * s)
        .faces(">Z")
        .workplane(origin=(0, 0, 5 * s))
        .cboreHole(3 * s, 5 * s, 2 * s)
        .edges("|Z")
        .fillet(2 * s)
        .val()
        .wrapped
    )


def tube(outer: float = 5.0, inner: float = 3.0, length: float = 20.0) -> TopoDS_Shape:
    return cq.Workplane().circle(outer).circle(inner).extrude(length).val().wrapped


def box(x: float = 10.0, y: float = 20.0, z: float = 30.0) -> TopoDS_Shape:
    return cq.Workplane().box(x, y, z).val().wrapped


def sphere(radius: float = 5.0) -> TopoDS_Shape:
    return cq.Solid.makeSphere(radius, angleDegrees1=-90).wrapped


def torus(radius: float = 20.0, minor: float = 5.0) -> TopoDS_Shape:
    return cq.Solid.makeTorus(radius, minor).wrapped


def cone(radius: float = 5.0, height: float = 10.0) -> TopoDS_Shape:
    return cq.Solid.makeCone(radius, 0, height).wrapped


def cap(radius: float = 5.0, height: float = 2.0) -> TopoDS_Shape:
    """A sphere cut by a plane, the part above it."""
    ball = cq.Workplane().sphere(radius)
    block = cq.Workplane().box(4 * radius, 4 * radius, 4 * radius)
    return ball.intersect(block.translate((0, 0, 3 * radius - height))).val().wrapped
