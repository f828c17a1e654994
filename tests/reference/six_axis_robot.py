"""Serial robot, direct: the pose of the last link as a product of turns about the home axes.

X = turn(axis 1, q1) ... turn(axis n, qn) X_home: each turn is about a line as it lies at home,
and the later joints act first. R. W. Brockett, 1984; Lynch and Park, Modern Robotics, ch. 4.
"""

from __future__ import annotations

import numpy as np

from tests.reference.stewart import rotation


def turn(point, axis, angle) -> np.ndarray:
    """Turn about the line through `point` along `axis` by `angle` [rad], (4, 4)."""
    X = np.eye(4)
    X[:3, :3] = rotation(axis, angle)
    X[:3, 3] = point - X[:3, :3] @ point
    return X


def position(angles, points, axes, home) -> np.ndarray:
    """Pose of the last link, (4, 4); `home`: its place with all angles 0, unturned."""
    X = np.eye(4)
    for angle, point, axis in zip(angles, points, axes, strict=True):
        X = X @ turn(np.asarray(point, float), axis, angle)
    X_home = np.eye(4)
    X_home[:3, 3] = home
    return X @ X_home
