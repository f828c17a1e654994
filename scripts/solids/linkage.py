"""Parts of linkages: links, studs, lugs and pockets in layers along z; in mm.

A link lies in the xy plane of its part and is as thick as its layer, from z = low to z = high. A
stud is fixed in one link and carries the next: its bearing is as long as the hole that turns on
it, so that pin and hole have their middle in one point.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import cadquery as cq

from cad2mbs.model.pose import Pose
from scripts.solids.shapes import Shape, belt, cylinder, fused, located, plate

Point2 = tuple[float, float]
Layer = tuple[float, float]  # lowest and highest z
CLEARANCE = 0.1  # between pin and hole, on the radius


def bevelled(shape: Shape, edge: float) -> Shape:
    """A plate with the rims of both its faces chamfered."""
    if not edge:
        return shape
    body = shape.val()
    box = body.BoundingBox()
    middle, reach = (box.zmin + box.zmax) / 2, (box.zmax - box.zmin) / 4
    # In the order of the solid, which is the same in every run.
    rims = [e for e in body.Edges() if abs(e.Center().z - middle) > reach]
    return cq.Workplane(body.chamfer(edge, None, rims))


def link(
    start: Point2, end: Point2, radii: tuple[float, float], layer: Layer, edge: float = 0.0
) -> Shape:
    """Flat bar between two round ends, tangent to both."""
    (a, b), length = radii, math.dist(start, end)
    # The belt wants its larger circle first: turn the bar round where that is the end.
    shape = _even(a, length, layer) if a == b else belt(max(a, b), min(a, b), length, *layer)
    if b > a:
        start, end = end, start
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    return bevelled(shape, edge).rotate((0, 0, 0), (0, 0, 1), angle).translate((*start, 0))


def _even(radius: float, length: float, layer: Layer) -> Shape:
    """Bar with equal ends along x.

    The outline has exact coordinates and closes on a straight side: where an arc closes it, the
    kernel's noise differs from run to run, and so would the file's bytes.
    """
    low, high = layer
    outline = (
        cq.Workplane("XY", origin=(0, 0, low))
        .moveTo(length / 2, -radius)
        .lineTo(length, -radius)
        .threePointArc((length + radius, 0), (length, radius))
        .lineTo(0, radius)
        .threePointArc((-radius, 0), (0, -radius))
        .close()
    )
    return outline.extrude(high - low).clean()


def rounded(corners: Sequence[Point2], radius: float, layer: Layer, edge: float = 0.0) -> Shape:
    """Plate whose outline keeps `radius` away from the corners' polygon, round at each corner."""
    low, high = layer
    outline = cq.Workplane("XY", origin=(0, 0, low)).polyline(list(corners)).close()
    return bevelled(outline.offset2D(radius, "arc").extrude(high - low), edge)


def window(corners: Sequence[Point2], inset: float, fillet: float, layer: Layer) -> Shape:
    """What to cut from a polygon's inside: its outline moved inwards, corners rounded."""
    low, high = layer
    outline = cq.Workplane("XY", origin=(0, 0, low)).polyline(list(corners)).close()
    return outline.offset2D(-inset, "intersection").extrude(high - low).edges("|Z").fillet(fillet)


def disc(at: Point2, radius: float, layer: Layer, edge: float = 0.0) -> Shape:
    """Round plate or hub."""
    low, high = layer
    return bevelled(cylinder(radius, (*at, low), (*at, high)), edge)


def bore(at: Point2, radius: float, layer: Layer = (-1e3, 1e3)) -> Shape:
    """What to cut for a hole along z."""
    low, high = layer
    return cylinder(radius, (*at, low), (*at, high))


def bar_along(x: Layer, radius: float, y: float = 0.0, z: float = 0.0) -> Shape:
    """Round bar along x."""
    return cylinder(radius, (x[0], y, z), (x[1], y, z))


def stud(at: Point2, radius: float, layer: Layer, head: float, height: float) -> Shape:
    """Pin through a layer with a chamfered head beyond it; height < 0: the head at the low end.

    `head`: radius of the head.
    """
    low, high = layer
    cap = (high, high + height) if height > 0 else (low + height, low)
    return fused(
        [disc(at, radius, layer), disc(at, head, cap, min(abs(height), head - radius) * 0.35)]
    )


def slot(start: Point2, end: Point2, radius: float, layer: Layer) -> Shape:
    """What to cut for a lengthy hole with round ends."""
    return link(start, end, (radius, radius), layer)


def pockets(
    start: Point2, end: Point2, radii: tuple[float, float], layer: Layer, depth: float
) -> list[Shape]:
    """Recesses on both faces of a link, which make it an I-section."""
    low, high = layer
    return [link(start, end, radii, side) for side in ((low, low + depth), (high - depth, high))]


def upright(shape: Shape) -> Shape:
    """The plate drawn in xy, stood up: y becomes z, its layers lie along -y."""
    return shape.rotate((0, 0, 0), (1, 0, 0), 90)


def bolts(at: Iterable[Point2], radius: float, layer: Layer) -> list[Shape]:
    """Hexagon heads along z."""
    low, high = layer
    return [
        cq.Workplane("XY", origin=(*p, low)).polygon(6, 2 * radius).extrude(high - low) for p in at
    ]


def wedge(reach: float, start: float, end: float, layer: Layer) -> Shape:
    """Slice of the plane about the origin between two angles [deg], less than half a turn."""
    middle = (start + end) / 2
    corners = [(reach * math.cos(a), reach * math.sin(a)) for a in map(math.radians, (start, end))]
    far = reach / math.cos(math.radians(end - middle) / 2) ** 2
    tip = (far * math.cos(math.radians(middle)), far * math.sin(math.radians(middle)))
    return plate([(0, 0), corners[0], tip, corners[1]], *layer)


def sector(radius: float, start: float, end: float, layer: Layer) -> Shape:
    """Slice of a disc about the origin between two angles [deg]."""
    return disc((0, 0), radius, layer).intersect(wedge(2 * radius, start, end, layer))


def together(name: str, parts: Mapping[str, tuple[cq.Solid, cq.Color, Pose]]) -> cq.Assembly:
    """A flat assembly of named parts at their poses [mm]."""
    whole = cq.Assembly(name=name)
    for part, (shape, colour, pose) in parts.items():
        whole.add(shape, name=part, color=colour, loc=located(pose))
    return whole
