"""Building blocks for the spatial mechanisms: round bars, balls, eyes, forks, and their placing.

Everything takes points in the part's own frame [mm] and gives a `cq.Shape`; `join` makes one
solid of them, because a part that falls apart would be read back as several.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import cadquery as cq
import numpy as np

from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose

Point = Sequence[float] | np.ndarray
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
CLEARANCE = 0.5  # between a ball and the yoke around it


def rod(radius: float, start: Point, end: Point) -> cq.Solid:
    """A round bar from start to end."""
    arrow = _vector(end) - _vector(start)
    return cq.Solid.makeCylinder(radius, arrow.Length, _vector(start), arrow)


def taper(radii: tuple[float, float], start: Point, end: Point) -> cq.Solid:
    """A cone frustum from start to end, `radii` at the two ends."""
    arrow = _vector(end) - _vector(start)
    return cq.Solid.makeCone(*radii, arrow.Length, _vector(start), arrow)


def disc(radius: float, centre: Point, along: Point, width: float) -> cq.Solid:
    """A round bar of length `width` with `centre` in its middle."""
    half = np.array(along, float) * width / 2 / np.linalg.norm(along)
    return rod(radius, np.array(centre, float) - half, np.array(centre, float) + half)


def soft_disc(radius: float, centre: Point, along: Point, width: float, edge: float) -> cq.Solid:
    """A disc with both rims chamfered by `edge`."""
    return bevel(disc(radius, centre, along, width), "%CIRCLE", edge)


def ball(radius: float, centre: Point = (0, 0, 0), along: Point = Z) -> cq.Solid:
    """A whole sphere; its poles (and seam) lie `along`."""
    return cq.Solid.makeSphere(radius, _vector(centre), _vector(along), -90, 90, 360)


def ring(radius: float, tube: float, centre: Point, along: Point) -> cq.Solid:
    """A torus: `radius` of its circle, `tube` of its section."""
    return cq.Solid.makeTorus(radius, tube, _vector(centre), _vector(along))


def block(low: Point, high: Point, edge: float = 0.0, edges: str = "|Z") -> cq.Shape:
    """An axis-parallel box between two corners, the chosen edges rounded by `edge`."""
    size = np.array(high, float) - np.array(low, float)
    box = cq.Solid.makeBox(*size, _vector(low))
    return soften(box, edges, edge) if edge else box


def turned(outline: Sequence[tuple[float, float]], origin: Point = (0, 0, 0), along: Point = Z):
    """A body of revolution about `along`: outline (radius, height) from axis to axis."""
    plane = cq.Plane(_vector(origin), normal=_vector(along))
    # The profile is drawn in a plane through the axis: local x is the radius, y the height.
    side = cq.Plane(plane.origin, xDir=plane.xDir, normal=plane.xDir.cross(plane.zDir))
    return cq.Workplane(side).polyline(list(outline)).close().revolve(360, (0, 0), (0, 1)).val()


def extruded(points: Iterable[tuple[float, float]], low: float, high: float) -> cq.Shape:
    """A plate in z from low to high with a straight-edged outline in x, y."""
    return (
        cq.Workplane("XY", origin=(0, 0, low))
        .polyline(list(points))
        .close()
        .extrude(high - low)
        .val()
    )


def strap(
    ends: tuple[Point, Point], radii: tuple[float, float], along: Point, width: float
) -> cq.Shape:
    """A flat link between two round ends, tangent to both, `width` thick about its middle."""
    p, q = (np.array(e, float) for e in ends)
    n = np.array(along, float) / np.linalg.norm(along)
    x = (q - p) / np.linalg.norm(q - p)
    length = float(np.linalg.norm(q - p))
    slope = math.asin((radii[0] - radii[1]) / length)
    plane = cq.Plane(_vector(p - n * width / 2), _vector(x), _vector(n))
    c, s = math.cos(slope), math.sin(slope)
    (a, b) = radii
    outline = (
        cq.Workplane(plane)
        .moveTo(a * s, a * c)
        .lineTo(length + b * s, b * c)
        .threePointArc((length + b, 0), (length + b * s, -b * c))
        .lineTo(a * s, -a * c)
        .threePointArc((-a, 0), (a * s, a * c))
        .close()
    )
    return outline.extrude(width).val()


def ball_pin(radius: float, pin: float, span: float, along: Point) -> cq.Shape:
    """A ball at the origin on a pin of length `span`: the cross of a universal joint.

    It turns about its pin with no visible change, so that it can belong to the fork around it.
    """
    return join(ball(radius, along=along), disc(pin, (0, 0, 0), along, span))


def ears(along: Point, down: Point, gap: float, size: tuple[float, float, float]) -> list[cq.Shape]:
    """Two ears about the origin, `gap` apart along the pin, that stand on a base.

    `down`: direction to the base; `size`: radius, thickness, height of the axis over the base.
    """
    radius, thick, height = size
    n, d = (np.array(v, float) / np.linalg.norm(v) for v in (along, down))
    return [
        strap((m, m + height * d), (radius, radius * 0.999), n, thick)
        for m in (side * (gap + thick) / 2 * n for side in (-1, 1))
    ]


def yoke(grip: float, reach: float, width: float, thick: float) -> cq.Shape:
    """A fork that grips a ball of radius `grip` at the origin: pins along x, stem up z.

    `reach`: height of the bridge over the ball's middle. A pad on the stem touches the ball, the
    arms keep a little off it, so that the pad alone has the ball's radius.
    """
    inner, outer = 0.75 * grip, grip + thick
    arms = [
        join(
            rod(width / 2, (side * inner, 0, 0), (side * outer, 0, 0)),
            block(
                (min(side * inner, side * outer), -width / 2, 0),
                (max(side * inner, side * outer), width / 2, reach),
            ),
            disc(width / 4 + 1, (side * (outer + 1), 0, 0), X, 4),
        )
        for side in (-1, 1)
    ]
    bridge = disc(grip + thick, (0, 0, reach), Z, 0.8 * thick)
    pad = cut(rod(0.5 * grip, (0, 0, 0.5 * grip), (0, 0, reach)), ball(grip))
    return join(cut(join(*arms, bridge), ball(grip + CLEARANCE, along=X)), pad)


def off(p: Point, x: float, y: float, z: float) -> np.ndarray:
    """The point moved by (x, y, z)."""
    return np.array(p, float) + np.array((x, y, z))


def around(radius: float, count: int, start: float = 0.0, z: float = 0.0) -> list[np.ndarray]:
    """Points on a circle about z, the first at `start` [deg]."""
    turns = [math.radians(start) + 2 * math.pi * k / count for k in range(count)]
    return [np.array([radius * math.cos(a), radius * math.sin(a), z]) for a in turns]


def join(*shapes: cq.Shape) -> cq.Shape:
    """The shapes as one solid; raises `ValueError` when they do not hang together."""
    whole = shapes[0].fuse(*shapes[1:]).clean() if len(shapes) > 1 else shapes[0]
    return one(whole)


def cut(body: cq.Shape, *tools: cq.Shape) -> cq.Shape:
    """The body without the tools, still one solid."""
    return one(body.cut(*tools).clean())


def one(shape: cq.Shape) -> cq.Shape:
    """The single solid a shape is made of."""
    solids = shape.Solids()
    if len(solids) != 1:
        raise ValueError(f"a part must be one solid, this one has {len(solids)}")
    return solids[0]


def soften(shape: cq.Shape, edges: str, radius: float) -> cq.Shape:
    """The chosen edges rounded."""
    return one(one(shape).fillet(radius, _edges(shape, edges)))


def bevel(shape: cq.Shape, edges: str, width: float) -> cq.Shape:
    """The chosen edges chamfered."""
    return one(one(shape).chamfer(width, None, _edges(shape, edges)))


def location(pose: Pose, metre: float = 1.0) -> cq.Location:
    """The place of a part; `metre`: length of the pose's unit in mm."""
    R = pose.rotation()
    origin = [metre * c for c in pose.position]
    return cq.Location(cq.Plane(_vector(origin), _vector(R[:, 0]), _vector(R[:, 2])))


def placed(assembly: Assembly, shapes: Mapping[str, tuple[cq.Shape, cq.Color]]) -> cq.Assembly:
    """The parts of `assembly` where it starts, with their shape and colour."""
    mm = assembly.units.metre / 1e-3
    poses = {name: part.pose or Pose() for name, part in assembly.parts.items()}
    return together(assembly.name, {n: (*shapes[n], location(p, mm)) for n, p in poses.items()})


def together(name: str, parts: Mapping[str, tuple[cq.Shape, cq.Color, cq.Location]]) -> cq.Assembly:
    """A flat assembly of named parts."""
    whole = cq.Assembly(name=name)
    for part, (shape, colour, place) in parts.items():
        whole.add(shape, name=part, color=colour, loc=place)
    return whole


def _vector(p: Point) -> cq.Vector:
    return cq.Vector(*(float(c) for c in p))


def _edges(shape: cq.Shape, chosen: str) -> list[cq.Edge]:
    """The edges that a CadQuery selector means, in the shape's own order.

    CadQuery puts those of `and` and `or` in sets: the order, and with it the file that is written,
    would be another one in every run.
    """
    found = cq.Workplane(shape).edges(chosen).vals()
    return [e for e in shape.Edges() if any(e.isSame(f) for f in found)]
