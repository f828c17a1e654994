"""Where a part sits: position and unit quaternion (w x y z)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cad2mbs.model.references import Vec3


@dataclass(frozen=True)
class Pose:
    """Pose of a frame in another one: `position` [user length], `quaternion` (w, x, y, z)."""

    position: Vec3 = (0.0, 0.0, 0.0)
    quaternion: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)

    def rotation(self) -> np.ndarray:
        w, x, y, z = self.quaternion
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )

    @staticmethod
    def of(row: Iterable[float]) -> Pose:
        """The pose from seven numbers: position, then quaternion w x y z."""
        x, y, z, w, a, b, c = (float(v) for v in row)
        return Pose((x, y, z), (w, a, b, c))

    @staticmethod
    def from_matrix(position: Sequence[float], R: np.ndarray) -> Pose:
        """The pose with rotation matrix R (its columns are the frame's axes)."""
        from scipy.spatial.transform import Rotation

        x, y, z, w = Rotation.from_matrix(R).as_quat()
        if w < 0:
            w, x, y, z = -w, -x, -y, -z
        px, py, pz = position
        return Pose((float(px), float(py), float(pz)), (float(w), float(x), float(y), float(z)))

    @staticmethod
    def turned(position: Sequence[float], axis: Sequence[float], angle: float) -> Pose:
        """Turned about `axis` by `angle` [rad], right-hand rule."""
        n = math.hypot(*axis)
        s = math.sin(angle / 2) / n
        px, py, pz = position
        return Pose(
            (float(px), float(py), float(pz)),
            (math.cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]),
        )


IDENTITY = Pose()
