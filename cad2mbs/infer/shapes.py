"""What of a solid matters for mates: its lines with round segments, flat faces and balls.

Worked out once for each solid, in its own coordinates [mm]; instances share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cad2mbs.infer.turned import Turned, turned
from cad2mbs.model.references import any_normal
from cad2mbs.model.solid import Feature, FeatureKind, Solid

SAME_LINE = 1e-5  # of the solid's size: axes closer than this are one
NORMAL = 0.9995  # cosine between a face's normal and the axis it stops
Ring = tuple[float, bool, float, float, int]  # height, whether it looks ahead, radii inside and
# out, row of the flat


@dataclass(frozen=True)
class Segment:
    """A round face on a line: a piece of a pin or a hole."""

    feature: int
    radius: float
    concave: bool
    low: float  # along the line
    high: float
    sweep: float

    @property
    def length(self) -> float:
        return self.high - self.low


@dataclass(frozen=True, eq=False)
class Line:
    """Coaxial round faces of one solid."""

    point: np.ndarray  # (3,)  on the axis, where `low` and `high` are 0
    z: np.ndarray  # (3,)
    segments: tuple[Segment, ...]

    def run(self, radius: float, concave: bool, slack: float) -> tuple[float, float]:
        """From where to where there are segments of this radius."""
        like = [
            s for s in self.segments if s.concave == concave and abs(s.radius - radius) <= slack
        ]
        return min(s.low for s in like), max(s.high for s in like)


@dataclass(frozen=True, eq=False)
class Flat:
    """A flat face with its triangles."""

    feature: int
    point: np.ndarray  # (3,)
    normal: np.ndarray  # (3,)  out of the material
    area: float
    triangles: np.ndarray  # (n, 3, 3)


@dataclass(frozen=True, eq=False)
class Ball:
    """A spherical face."""

    feature: int
    centre: np.ndarray  # (3,)
    radius: float
    concave: bool
    area: float


@dataclass(frozen=True, eq=False)
class Groove:
    """A ring-shaped groove: the hollow side of a torus."""

    centre: np.ndarray  # (3,)
    z: np.ndarray  # (3,)
    radius: float  # of the circle in its middle
    minor: float


@dataclass(frozen=True, eq=False)
class Shape:
    """A solid as the inference sees it."""

    solid: Solid
    lines: tuple[Line, ...]
    flats: tuple[Flat, ...]
    balls: tuple[Ball, ...]
    grooves: tuple[Groove, ...]
    corners: np.ndarray  # (n, 3)  points whose hull holds the solid

    def rings_of(self, line: int) -> list[Ring]:
        """The flat faces normal to a line of the shape, as rings about it."""
        if line not in self._rings:
            own = self.lines[line]
            self._rings[line] = self.rings_about(own.point, own.z)
        return self._rings[line]

    def rings_about(self, o: np.ndarray, z: np.ndarray) -> list[Ring]:
        """The flat faces normal to an axis, as rings about it."""
        upright = np.flatnonzero(np.abs(self._normals @ z) > NORMAL)
        return [_ring(self.flats[k], int(k), o, z) for k in upright]

    @cached_property
    def _rings(self) -> dict[int, list[Ring]]:
        return {}

    @cached_property
    def _normals(self) -> np.ndarray:
        return np.array([f.normal for f in self.flats]).reshape(-1, 3)

    @property
    def size(self) -> float:
        return max(self.solid.diagonal, 1e-9)

    @cached_property
    def rolls(self) -> Ball | None:
        """The ball that the whole solid is; None if it is something else."""
        faces = [f for f in self.solid.features if f.kind is not FeatureKind.CIRCLE]
        whole = len(faces) == len(self.balls) == 1 and not self.balls[0].concave
        return self.balls[0] if whole else None

    @cached_property
    def room(self) -> float:
        """Volume of the box around the solid [mm^3]."""
        low, high = (np.array(corner) for corner in self.solid.box)
        return float(np.prod(np.maximum(high - low, 1e-3 * self.size)))

    @property
    def volume(self) -> float:
        """Of the solid [mm^3]; where it is open, of a thin skin."""
        return self.solid.volume or 1e-3 * self.size * max(self.solid.area, 1e-9)

    @cached_property
    def turned(self) -> Turned | None:
        """The round thing the solid is, if it is one."""
        return turned(self)


def _ring(flat: Flat, row: int, o: np.ndarray, z: np.ndarray) -> Ring:
    inner, outer = _radii(flat.triangles, o, z)
    return float((flat.point - o) @ z), bool(flat.normal @ z > 0.0), inner, outer, row


def _radii(triangles: np.ndarray, o: np.ndarray, z: np.ndarray) -> tuple[float, float]:
    """Smallest and largest distance of a flat face from an axis normal to it."""
    x = np.array(any_normal((float(z[0]), float(z[1]), float(z[2]))))
    d = (triangles - o) @ np.column_stack([x, np.cross(z, x)])  # (n, 3, 2) seen along the axis
    outer = float(np.sqrt((d**2).sum(axis=2).max()))
    e = np.roll(d, -1, axis=1) - d
    t = np.clip(-(d * e).sum(axis=2) / np.maximum((e * e).sum(axis=2), 1e-300), 0.0, 1.0)
    inner = float(np.sqrt(((d + t[..., None] * e) ** 2).sum(axis=2).min()))
    side = np.sign(d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0])
    inside = np.abs(side.sum(axis=1)) == 3
    return (0.0 if inside.any() else inner), outer


def shape(solid: Solid) -> Shape:
    """The shape of a solid."""
    triangles = _triangles(solid)
    flats, balls, grooves = [], [], []
    for k, f in enumerate(solid.features):
        if f.kind is FeatureKind.PLANE:
            own = _own_triangles(f, triangles)
            flats.append(Flat(k, np.array(f.origin), np.array(f.z), f.size, own))
        elif f.kind is FeatureKind.SPHERE:
            balls.append(Ball(k, np.array(f.origin), f.radius, f.concave, f.size))
        elif f.kind is FeatureKind.TORUS and f.concave:
            grooves.append(Groove(np.array(f.origin), np.array(f.z), f.radius, f.minor))
    found = tuple(flats), tuple(balls), tuple(grooves)
    return Shape(solid, _lines(solid), *found, _corners(solid))


def _corners(solid: Solid) -> np.ndarray:
    low, high = solid.box
    grid = np.array(np.meshgrid(*zip(low, high, strict=True), indexing="ij"))
    return grid.reshape(3, -1).T


def _triangles(solid: Solid) -> dict[int, np.ndarray]:
    """Triangles (n, 3, 3) by the number of their face."""
    mesh = solid.mesh
    if mesh is None or not len(mesh.triangles):
        return {}
    order = np.argsort(mesh.face, kind="stable")
    faces, starts = np.unique(mesh.face[order], return_index=True)
    rows = np.split(order, starts[1:])
    corners = mesh.vertices.astype(float)
    return {int(n): corners[mesh.triangles[r]] for n, r in zip(faces, rows, strict=True)}


def _own_triangles(feature: Feature, by_face: dict[int, np.ndarray]) -> np.ndarray:
    """The triangles of a face; of its box where there is no mesh."""
    own = [by_face[n] for n in feature.numbers if n in by_face]
    return np.concatenate(own) if own else _box_triangles(feature)


def _box_triangles(feature: Feature) -> np.ndarray:
    """Two triangles that span the face's box in its plane."""
    z, x = np.array(feature.z), np.array(feature.x)
    y, o = np.cross(z, x), np.array(feature.origin)
    low, high = (np.array(c) for c in feature.box)
    half = 0.5 * (high - low)
    a, b = (0.999 * float(half @ np.abs(v)) * v for v in (x, y))
    corner = [o - a - b, o + a - b, o + a + b, o - a + b]
    return np.array([[corner[0], corner[1], corner[2]], [corner[0], corner[2], corner[3]]])


def _lines(solid: Solid) -> tuple[Line, ...]:
    """The coaxial groups of the cylinders."""
    slack = SAME_LINE * max(solid.diagonal, 1e-9)
    points: list[np.ndarray] = []
    axes: list[np.ndarray] = []
    groups: list[list[Segment]] = []
    for k, f in enumerate(solid.features):
        if f.kind is not FeatureKind.CYLINDER or f.radius <= 0.0:
            continue
        o, z = np.array(f.origin), np.array(f.z)
        row = _on_line(o, z, f.length, points, axes, slack)
        if row is None:
            points.append(o)
            axes.append(z)
            groups.append([])
            row = len(points) - 1
        at = float((o - points[row]) @ axes[row])
        half = 0.5 * f.length
        groups[row].append(Segment(k, f.radius, f.concave, at - half, at + half, f.sweep))
    return tuple(Line(p, z, tuple(g)) for p, z, g in zip(points, axes, groups, strict=True))


def _on_line(
    o: np.ndarray,
    z: np.ndarray,
    length: float,
    points: list[np.ndarray],
    axes: list[np.ndarray],
    slack: float,
) -> int | None:
    """Row of the line that both ends of the piece of axis lie on."""
    if not points:
        return None
    P, Z = np.array(points), np.array(axes)
    parallel = np.linalg.norm(np.cross(Z, z), axis=1) < 1e-6
    d = o - P
    apart = np.linalg.norm(d - np.sum(d * Z, axis=1)[:, None] * Z, axis=1)
    rows = np.flatnonzero(parallel & (apart <= slack))
    return int(rows[0]) if len(rows) else None
