"""The geometry of a part as plain data: features, mass properties, mesh; no CAD kernel in sight.

All lengths in mm, in the coordinates of the part as its file has it (frame C), whatever unit the
file is written in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np

from cad2mbs.model.references import Vec3

ZERO: Vec3 = (0.0, 0.0, 0.0)
Box = tuple[Vec3, Vec3]  # lowest and highest corner
Colour = tuple[float, float, float, float]  # red, green, blue, opacity, 0 to 1, sRGB


class FeatureKind(StrEnum):
    PLANE = "plane"
    CYLINDER = "cylinder"
    CONE = "cone"
    SPHERE = "sphere"
    TORUS = "torus"
    CIRCLE = "circle"  # an edge; all others are faces
    FREE = "free"  # a face of no such kind


@dataclass(frozen=True)
class Feature:
    """A face (or several that continue each other) or a circular edge of a part.

    origin  plane: middle of the face; cylinder, cone: on the axis, middle of its extent;
            sphere, torus, circle: centre; free: a point on the face
    z       plane: normal out of the material; cylinder, cone, torus, circle: axis, its largest
            component positive; sphere, free: some direction
    x       unit, perpendicular to z: the surface's own where it has one
    """

    kind: FeatureKind
    origin: Vec3
    z: Vec3
    x: Vec3
    radius: float = 0.0  # torus: of its circle; cone: at `origin`; plane, free: 0
    minor: float = 0.0  # torus: of its tube; else 0
    half_angle: float = 0.0  # cone [rad]
    concave: bool = False  # a hole rather than a pin; a socket rather than a ball
    sweep: float = 0.0  # round faces, circles: angle covered [rad], 2 pi when closed
    length: float = 0.0  # cylinder, cone: extent along z, `origin` in its middle
    size: float = 0.0  # area [mm^2] of faces, length [mm] of edges
    box: Box = (ZERO, ZERO)
    name: str = ""  # as the file names it
    numbers: tuple[int, ...] = ()  # of its faces (edges) in the solid, counted from 0
    recovered: bool = False  # written as a free-form surface, found to be this kind


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of a solid's surface and polylines along its edges."""

    vertices: np.ndarray  # (nv, 3)  float32 [mm]; shared within a face, not across faces
    normals: np.ndarray  # (nv, 3)  float32, out of the material
    triangles: np.ndarray  # (nt, 3)  int32, rows of vertices, counter-clockwise from outside
    face: np.ndarray  # (nt,)  int32, number of the face each triangle lies on
    edge_points: np.ndarray  # (ne, 3)  float32 [mm]
    edge_starts: np.ndarray  # (nedges + 1,)  int32, polyline i is edge_points[s[i]:s[i + 1]]
    tolerance: float  # largest distance between triangles and the true surface asked for [mm]


@dataclass(frozen=True)
class Solid:
    """One part definition; instances of one part share it."""

    name: str
    features: tuple[Feature, ...] = ()
    volume: float = 0.0  # [mm^3]; 0 where nothing is closed
    area: float = 0.0  # [mm^2]
    centre: Vec3 = ZERO  # of volume
    inertia: tuple[Vec3, Vec3, Vec3] = (ZERO, ZERO, ZERO)  # about centre, density 1 [mm^5]
    box: Box = (ZERO, ZERO)
    colour: Colour | None = None
    material: str = ""
    density: float | None = None  # as the file states it [kg/m^3]
    problems: tuple[str, ...] = ()  # open shell, inverted, mesh disagrees ...: whole sentences
    mesh: Mesh | None = field(default=None, compare=False)
    brep: bytes | None = field(default=None, compare=False, repr=False)  # binary B-rep

    @cached_property
    def diagonal(self) -> float:
        """Length of the box's diagonal [mm]."""
        low, high = (np.array(corner) for corner in self.box)
        return float(np.linalg.norm(high - low))
