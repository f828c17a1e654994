"""Bennett's linkage: the angles of four hinges that move although the count forbids it.

Denavit-Hartenberg rows (a, alpha), (b, beta), (a, alpha), (b, beta) with
a / sin(alpha) = b / sin(beta); theta_3 = -theta_1, theta_4 = -theta_2 and
tan(theta_1 / 2) tan(theta_2 / 2) = k = sin((beta + alpha) / 2) / sin((beta - alpha) / 2).
G. T. Bennett, A new mechanism, Engineering 76, 1903; K. H. Hunt, Kinematic Geometry of
Mechanisms, 1978. Angles [rad].
"""

from __future__ import annotations

import numpy as np


def constant(alpha, beta):
    """k, the product of the half-angle tangents."""
    return np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)


def position(theta_1, k):
    """theta_2 in (-pi, pi]; theta_1 in (0, 2 pi) goes through without a jump."""
    return 2 * np.arctan2(k * np.cos(theta_1 / 2), np.sin(theta_1 / 2))


def first(theta_1, k):
    """dtheta_2 / dtheta_1 = -k / (sin^2(theta_1 / 2) + k^2 cos^2(theta_1 / 2))."""
    return -k / (np.sin(theta_1 / 2) ** 2 + (k * np.cos(theta_1 / 2)) ** 2)


def second(theta_1, k):
    """d2theta_2 / dtheta_1^2."""
    w = np.sin(theta_1 / 2) ** 2 + (k * np.cos(theta_1 / 2)) ** 2
    return k * (1 - k * k) * np.sin(theta_1) / 2 / w**2


def row(theta, length, twist) -> np.ndarray:
    """One Denavit-Hartenberg step: turn about z, shift along x, turn about x; (4, 4)."""
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(twist), np.sin(twist)
    return np.array(
        [
            [c, -s * ca, s * sa, length * c],
            [s, c * ca, -c * sa, length * s],
            [0.0, sa, ca, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def loop(theta_1, a, alpha, b, beta) -> np.ndarray:
    """Product of the four steps around the loop, the identity when it closes; (4, 4)."""
    theta_2 = position(theta_1, constant(alpha, beta))
    return (
        row(theta_1, a, alpha)
        @ row(theta_2, b, beta)
        @ row(-theta_1, a, alpha)
        @ row(-theta_2, b, beta)
    )
