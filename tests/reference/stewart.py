"""Stewart-Gough platform, inverse: leg lengths and their rates from the platform's motion.

Leg i runs from X_i on the base to p + R x_i: L_i = |p + R x_i - X_i|, and with unit leg
direction u_i, dL_i/dt = u_i . (v + w x R x_i). J.-P. Merlet, Parallel Robots, inverse kinematics.
Lengths in any one unit, rotation velocity w [rad/s] and acceleration in base axes.
"""

from __future__ import annotations

import numpy as np


def rotation(axis, angle) -> np.ndarray:
    """Rotation matrix about `axis` by `angle` [rad], Rodrigues' formula; (3, 3)."""
    n = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def position(base, platform, p, R) -> np.ndarray:
    """Leg lengths, (n,); base and platform joints (n, 3) in their own frames."""
    return np.linalg.norm(p + platform @ R.T - base, axis=1)


def first(base, platform, p, R, v, w) -> np.ndarray:
    """Rates of the leg lengths, (n,), for platform velocity v and rotation velocity w."""
    arm = platform @ R.T
    leg = p + arm - base
    return np.sum(leg * (v + np.cross(w, arm)), axis=1) / np.linalg.norm(leg, axis=1)


def second(base, platform, p, R, v, w, dv, dw) -> np.ndarray:
    """Second rates of the leg lengths, (n,), for accelerations dv and dw."""
    arm = platform @ R.T
    leg = p + arm - base
    length = np.linalg.norm(leg, axis=1)
    speed = v + np.cross(w, arm)
    acceleration = dv + np.cross(dw, arm) + np.cross(w, np.cross(w, arm))
    rate = np.sum(leg * speed, axis=1) / length
    return (np.sum(speed * speed, axis=1) + np.sum(leg * acceleration, axis=1) - rate**2) / length
