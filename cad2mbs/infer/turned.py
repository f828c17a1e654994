"""Bodies of revolution: shafts, screws, rings; what turns with no visible change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.model.solid import Feature, FeatureKind

if TYPE_CHECKING:
    from cad2mbs.infer.shapes import Line, Shape

CIRCLE = 2 * np.pi - 1e-3
ROUND = (FeatureKind.CYLINDER, FeatureKind.CONE, FeatureKind.TORUS)
MOSTLY = 0.9  # of the surface that must be round about the axis, nuts' and screws' flats included
SLENDER = 1.5  # a pin is at least so many times as long as thick
HEAD = 2.4  # a pin's head is at most so many times as thick as its shank
NUT = 0.3  # the same of a nut, over its corners
THIN = 0.45  # a ring's hole is wider than this part of its outside


@dataclass(frozen=True)
class Turned:
    """A part that is round about one of its lines."""

    line: int
    kind: str  # pin, stub (a short pin), ring or other


def turned(shape: Shape) -> Turned | None:
    """What round thing the shape is; None if it is none."""
    faces = _Faces.of([f for f in shape.solid.features if f.kind is not FeatureKind.CIRCLE])
    area = float(faces.size.sum())
    if area <= 0.0:
        return None
    for k, line in enumerate(shape.lines):
        if faces.round_area(line, 1e-4 * shape.size) >= MOSTLY * area:
            return Turned(k, _kind(shape, k))
    return None


def _kind(shape: Shape, row: int) -> str:
    line, rings = shape.lines[row], shape.rings_of(row)
    ends = [h for s in line.segments for h in (s.low, s.high)] + [ring[0] for ring in rings]
    length = max(ends) - min(ends)
    widest = max([s.radius for s in line.segments] + [ring[3] for ring in rings])
    holes = [s for s in line.segments if s.concave]
    through = sum(s.length for s in holes) > 0.6 * length if holes else False
    nut = all(s.concave for s in line.segments)  # nothing round outside: a square or a hexagon
    if through and max(s.radius for s in holes) > (NUT if nut else THIN) * widest:
        return "ring"
    shank = max((s for s in line.segments if not s.concave), key=lambda s: s.length, default=None)
    if shank is None or widest > HEAD * shank.radius:
        return "other"
    return "pin" if length >= SLENDER * 2.0 * shank.radius else "stub"


@dataclass(frozen=True, eq=False)
class _Faces:
    """Faces as arrays."""

    origin: np.ndarray  # (n, 3)
    z: np.ndarray  # (n, 3)
    size: np.ndarray  # (n,)
    flat: np.ndarray  # (n,)  planes
    ball: np.ndarray  # (n,)  spheres
    ring: np.ndarray  # (n,)  closed cylinders, cones and tori

    @classmethod
    def of(cls, features: list[Feature]) -> _Faces:
        kinds = [f.kind for f in features]
        closed = np.array([f.sweep > CIRCLE for f in features], bool)
        round_ = np.array([k in ROUND for k in kinds], bool)
        return cls(
            np.array([f.origin for f in features]).reshape(-1, 3),
            np.array([f.z for f in features]).reshape(-1, 3),
            np.array([f.size for f in features]),
            np.array([k is FeatureKind.PLANE for k in kinds], bool),
            np.array([k is FeatureKind.SPHERE for k in kinds], bool),
            closed & round_,
        )

    def round_area(self, line: Line, slack: float) -> float:
        """Area of what turns into itself about the line, or nearly: nuts, screw heads."""
        o = self.origin - line.point
        slope = self.z @ line.z
        off = np.linalg.norm(o - (o @ line.z)[:, None] * line.z, axis=1)
        along, centred = np.abs(slope) > 1.0 - 1e-10, off <= slack
        disc = self.flat & along & (off <= slack + 0.02 * np.sqrt(self.size))
        total = self.size[disc | (self.ball & centred) | (self.ring & along & centred)].sum()
        # Faces along the axis that come in pairs make a square, a hexagon or more.
        side = np.flatnonzero(self.flat & (np.abs(slope) < 1e-5))
        height = np.round(np.sum(o[side] * self.z[side], axis=1), 4)
        _, which, count = np.unique(height, return_inverse=True, return_counts=True)
        paired = side[count[which] >= 2]
        return float(total + (self.size[paired].sum() if len(paired) >= 4 else 0.0))
