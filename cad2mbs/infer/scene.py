"""The parts where they are: shapes placed in one frame, their features as arrays [mm]."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cad2mbs.infer.shapes import Flat, Line, Segment, Shape, shape
from cad2mbs.model.assembly import Assembly, Part
from cad2mbs.model.pose import Pose

MM = 1e-3


@dataclass(frozen=True, eq=False)
class Body:
    """A part with its shape and pose."""

    name: str
    row: int
    shape: Shape
    R: np.ndarray  # (3, 3)
    p: np.ndarray  # (3,) [mm]

    def to_world(self, points: np.ndarray) -> np.ndarray:
        return points @ self.R.T + self.p

    def turned(self, directions: np.ndarray) -> np.ndarray:
        return directions @ self.R.T


@dataclass(frozen=True, eq=False)
class Round:
    """All cylinders of the scene."""

    body: np.ndarray  # (n,)
    line: np.ndarray  # (n,)  row of the body's lines
    segment: np.ndarray  # (n,)  row of the line's segments
    middle: np.ndarray  # (n, 3)
    z: np.ndarray  # (n, 3)
    half: np.ndarray  # (n,)
    radius: np.ndarray  # (n,)
    concave: np.ndarray  # (n,)
    sweep: np.ndarray  # (n,)


@dataclass(frozen=True, eq=False)
class Flats:
    """All flat faces of the scene."""

    body: np.ndarray  # (n,)
    flat: np.ndarray  # (n,)  row of the body's flats
    point: np.ndarray  # (n, 3)
    normal: np.ndarray  # (n, 3)
    area: np.ndarray  # (n,)
    low: np.ndarray  # (n, 3)
    high: np.ndarray  # (n, 3)


@dataclass(frozen=True, eq=False)
class Balls:
    """All spherical faces of the scene."""

    body: np.ndarray
    ball: np.ndarray
    centre: np.ndarray  # (n, 3)
    radius: np.ndarray
    concave: np.ndarray


@dataclass
class Scene:
    """The bodies and their features in the frame of the assembly."""

    bodies: list[Body]
    low: np.ndarray = field(init=False)  # (nb, 3)  boxes of the bodies
    high: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        corners = [b.to_world(b.shape.corners) for b in self.bodies]
        self.low = np.array([c.min(axis=0) for c in corners]).reshape(-1, 3)
        self.high = np.array([c.max(axis=0) for c in corners]).reshape(-1, 3)

    def rounds(self) -> Round:
        rows: list[tuple[int, int, int, Segment, np.ndarray, np.ndarray]] = []
        for b in self.bodies:
            for k, line in enumerate(b.shape.lines):
                z = b.R @ line.z
                for n, s in enumerate(line.segments):
                    at = line.point + 0.5 * (s.low + s.high) * line.z
                    rows.append((b.row, k, n, s, b.R @ at + b.p, z))
        return Round(
            np.array([r[0] for r in rows], np.int64),
            np.array([r[1] for r in rows], np.int64),
            np.array([r[2] for r in rows], np.int64),
            np.array([r[4] for r in rows]).reshape(-1, 3),
            np.array([r[5] for r in rows]).reshape(-1, 3),
            np.array([0.5 * r[3].length for r in rows]),
            np.array([r[3].radius for r in rows]),
            np.array([r[3].concave for r in rows], bool),
            np.array([r[3].sweep for r in rows]),
        )

    def flats(self) -> Flats:
        body, row, point, normal, area, low, high = [], [], [], [], [], [], []
        for b in self.bodies:
            for k, f in enumerate(b.shape.flats):
                corners = b.to_world(f.triangles.reshape(-1, 3))
                body.append(b.row)
                row.append(k)
                point.append(b.R @ f.point + b.p)
                normal.append(b.R @ f.normal)
                area.append(f.area)
                low.append(corners.min(axis=0))
                high.append(corners.max(axis=0))
        return Flats(
            np.array(body, np.int64),
            np.array(row, np.int64),
            np.array(point).reshape(-1, 3),
            np.array(normal).reshape(-1, 3),
            np.array(area),
            np.array(low).reshape(-1, 3),
            np.array(high).reshape(-1, 3),
        )

    def balls(self) -> Balls:
        rows = [
            (b.row, k, b.R @ s.centre + b.p, s.radius, s.concave)
            for b in self.bodies
            for k, s in enumerate(b.shape.balls)
        ]
        return Balls(
            np.array([r[0] for r in rows], np.int64),
            np.array([r[1] for r in rows], np.int64),
            np.array([r[2] for r in rows]).reshape(-1, 3),
            np.array([r[3] for r in rows]),
            np.array([r[4] for r in rows], bool),
        )

    def line(self, body: int, line: int) -> tuple[Line, np.ndarray, np.ndarray]:
        """A line with its point and direction in the scene."""
        b = self.bodies[body]
        own = b.shape.lines[line]
        return own, b.R @ own.point + b.p, b.R @ own.z

    def flat(self, body: int, flat: int) -> Flat:
        return self.bodies[body].shape.flats[flat]


def scene(assembly: Assembly, parts: list[Part]) -> Scene:
    """The scene of the parts that have geometry."""
    shapes: dict[int, Shape] = {}
    scale = assembly.units.metre / MM
    bodies = []
    for part in parts:
        if part.solid is None:
            continue
        key = id(part.solid)
        if key not in shapes:
            shapes[key] = shape(part.solid)
        pose = part.pose or Pose()
        at = np.array(pose.position) * scale
        bodies.append(Body(part.name, len(bodies), shapes[key], pose.rotation(), at))
    return Scene(bodies)
