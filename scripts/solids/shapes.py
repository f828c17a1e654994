"""Building blocks of the shipped parts: round and square stock, plates, and placing; in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import cadquery as cq

from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose

Point = tuple[float, float, float]
Shape = cq.Workplane


def cylinder(radius: float, base: Point, tip: Point) -> Shape:
    """Round bar between two points on its axis."""
    axis = cq.Vector(*tip) - cq.Vector(*base)
    return cq.Workplane(cq.Solid.makeCylinder(radius, axis.Length, cq.Vector(*base), axis))


def cone(radius: float, end_radius: float, base: Point, tip: Point) -> Shape:
    """Tapered round bar between two points on its axis."""
    axis = cq.Vector(*tip) - cq.Vector(*base)
    solid = cq.Solid.makeCone(radius, end_radius, axis.Length, cq.Vector(*base), axis)
    return cq.Workplane(solid)


def tube(outer: float, inner: float, base: Point, tip: Point) -> Shape:
    """Round bar with a through hole."""
    return cylinder(outer, base, tip).cut(cylinder(inner, base, tip))


def block(low: Point, high: Point) -> Shape:
    """Box between two corners."""
    size = [b - a for a, b in zip(low, high, strict=True)]
    return cq.Workplane(cq.Solid.makeBox(*size, cq.Vector(*low)))


def hexagon(across: float, base: Point, tip: Point) -> Shape:
    """Hexagonal bar of the given width across its flats: a bolt head or a nut."""
    axis = cq.Vector(*tip) - cq.Vector(*base)
    plane = cq.Plane(base, normal=axis.toTuple())
    return cq.Workplane(plane).polygon(6, across / math.cos(math.pi / 6)).extrude(axis.Length)


def plate(outline: Iterable[tuple[float, float]], low: float, high: float) -> Shape:
    """Polygon in the xy plane, extruded from z = low to z = high."""
    wire = cq.Workplane("XY", origin=(0, 0, low)).polyline(list(outline)).close()
    return wire.extrude(high - low)


def belt(radius: float, end_radius: float, length: float, low: float, high: float) -> Shape:
    """Plate round two circles, at the origin and at x = length, with tangents between them."""
    theta = math.acos((radius - end_radius) / length)
    c, s = math.cos(theta), math.sin(theta)
    return (
        cq.Workplane("XY", origin=(0, 0, low))
        .moveTo(radius * c, -radius * s)
        .lineTo(length + end_radius * c, -end_radius * s)
        .threePointArc((length + end_radius, 0), (length + end_radius * c, end_radius * s))
        .lineTo(radius * c, radius * s)
        .threePointArc((-radius, 0), (radius * c, -radius * s))
        .close()
        .extrude(high - low)
    )


def around(count: int, radius: float, start: float = 0.0) -> list[tuple[float, float]]:
    """Points evenly spread on a circle, the first at `start` [deg]."""
    angles = [math.radians(start + 360.0 * k / count) for k in range(count)]
    return [(radius * math.cos(a), radius * math.sin(a)) for a in angles]


def fused(shapes: Iterable[Shape]) -> Shape:
    """All shapes as one solid, in one go."""
    first, *others = (shape.val() for shape in shapes)
    return cq.Workplane(first.fuse(*others).clean()) if others else cq.Workplane(first)


def without(shape: Shape, tools: Iterable[Shape]) -> Shape:
    """The shape minus all tools, in one go."""
    return cq.Workplane(shape.val().cut(*(tool.val() for tool in tools)).clean())


def turned(shape: Shape, degrees: float, axis: Point = (0.0, 0.0, 1.0)) -> Shape:
    """The shape turned about an axis through the origin."""
    return shape.rotate((0, 0, 0), axis, degrees)


def solid(shape: Shape) -> cq.Solid:
    """The one solid of a finished part; anything else is a mistake in its script."""
    solids = shape.solids().vals()
    if len(solids) != 1 or not solids[0].isValid():
        raise ValueError(f"a part must be one valid solid, found {len(solids)}")
    return solids[0]


def located(pose: Pose | None, millimetres: float = 1.0) -> cq.Location:
    """The pose as a location [mm]; `millimetres`: length of the pose's unit."""
    if pose is None:
        return cq.Location()
    R = pose.rotation()
    x, y, z = (float(c) * millimetres for c in pose.position)
    return cq.Location(cq.Plane((x, y, z), tuple(R[:, 0]), tuple(R[:, 2])))


def placed(
    assembly: Assembly, parts: Mapping[str, tuple[cq.Solid, cq.Color]], name: str
) -> cq.Assembly:
    """The solids at the start poses of the assembly's parts, in the order of its parts."""
    out = cq.Assembly(name=name)
    for part in assembly.parts.values():
        shape, colour = parts[part.name]
        pose = located(part.pose, assembly.units.metre * 1e3)
        out.add(shape, loc=pose, name=part.name, color=colour)
    return out
