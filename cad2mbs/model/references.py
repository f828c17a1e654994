"""The five reference objects on a part; each is a frame of which some axes matter.

A point is the frame's origin, a vector its z axis, an axis or plane both, a frame all of it.
Lengths are in the units of the assembly, in part coordinates.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

Vec3 = tuple[float, float, float]

ROUNDING = 8 * sys.float_info.epsilon  # lengths and cosines this close to 1 or 0 are left alone


class RefKind(StrEnum):
    POINT = "point"
    VECTOR = "vector"
    AXIS = "axis"
    PLANE = "plane"
    FRAME = "frame"


# What a mate slot asks for -> the kinds that can serve there.
SERVES = {
    RefKind.POINT: {RefKind.POINT, RefKind.AXIS, RefKind.PLANE, RefKind.FRAME},
    RefKind.VECTOR: {RefKind.VECTOR, RefKind.AXIS, RefKind.PLANE, RefKind.FRAME},
    RefKind.AXIS: {RefKind.AXIS, RefKind.FRAME},
    RefKind.PLANE: {RefKind.PLANE, RefKind.FRAME},
    RefKind.FRAME: {RefKind.FRAME},
}


@dataclass(frozen=True)
class Reference:
    """A reference object: `origin` [user length], unit `z`, unit `x` perpendicular to z."""

    kind: RefKind
    origin: Vec3 = (0.0, 0.0, 0.0)
    z: Vec3 = (0.0, 0.0, 1.0)
    x: Vec3 = (1.0, 0.0, 0.0)

    @property
    def rotation(self) -> np.ndarray:
        """R_BK, (3, 3): columns are the x, y, z axes of this frame in part coordinates."""
        z, x = np.array(self.z), np.array(self.x)
        return np.column_stack([x, np.cross(z, x), z])


def point(position: Iterable[float]) -> Reference:
    return Reference(RefKind.POINT, origin=_vec3(position))


def vector(direction: Iterable[float]) -> Reference:
    z = unit(direction)
    return Reference(RefKind.VECTOR, z=z, x=any_normal(z))


def axis(point: Iterable[float], along: Iterable[float]) -> Reference:
    z = unit(along)
    return Reference(RefKind.AXIS, _vec3(point), z, any_normal(z))


def plane(point: Iterable[float], normal: Iterable[float]) -> Reference:
    z = unit(normal)
    return Reference(RefKind.PLANE, _vec3(point), z, any_normal(z))


def frame(
    origin: Iterable[float] = (0.0, 0.0, 0.0),
    z: Iterable[float] = (0.0, 0.0, 1.0),
    x: Iterable[float] | None = None,
) -> Reference:
    """A full coordinate system; x is made perpendicular to z (they must not be parallel)."""
    uz = unit(z)
    if x is None:
        return Reference(RefKind.FRAME, _vec3(origin), uz, any_normal(uz))
    ux = unit(x)
    for _ in range(2):  # once is not enough when x is close to z
        slope = sum(a * b for a, b in zip(ux, uz, strict=True))
        if abs(slope) <= ROUNDING:
            break
        across = [a - slope * b for a, b in zip(ux, uz, strict=True)]
        if math.hypot(*across) < 1e-6:
            raise ValueError("x is parallel to z; a frame needs two different directions")
        ux = _scaled(across)
    return Reference(RefKind.FRAME, _vec3(origin), uz, ux)


def any_normal(z: Vec3) -> Vec3:
    """A unit vector perpendicular to z, the same one for the same z.

    Projects the coordinate axis least aligned with z, x before y before z on ties, so that
    z = (0, 0, 1) gives x = (1, 0, 0).
    """
    e = [0.0, 0.0, 0.0]
    e[min(range(3), key=lambda i: round(abs(z[i]), 9))] = 1.0
    d = e[0] * z[0] + e[1] * z[1] + e[2] * z[2]
    return _scaled([e[i] - d * z[i] for i in range(3)])


def _vec3(values: Iterable[float]) -> Vec3:
    x, y, z = (float(v) for v in values)
    if not all(map(math.isfinite, (x, y, z))):
        raise ValueError(f"coordinates must be finite numbers, found ({x}, {y}, {z})")
    return (x, y, z)


def unit(values: Iterable[float]) -> Vec3:
    """Unit vector; one that is unit but for rounding stays, so that a copy has equal numbers."""
    vector = _vec3(values)
    return vector if abs(math.hypot(*vector) - 1.0) <= ROUNDING else _scaled(vector)


def _scaled(values: Iterable[float]) -> Vec3:
    """The values divided by their length, whatever it is."""
    x, y, z = _vec3(values)
    n = math.hypot(x, y, z)
    if n == 0.0 or not math.isfinite(n):
        raise ValueError(f"a direction must not be the zero vector, found ({x}, {y}, {z})")
    return (x / n, y / n, z / n)
