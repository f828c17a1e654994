"""Delta robot, direct: where the platform is for three arm angles.

The rods of a pair keep the platform level, so that elbow k, moved inwards by the platform's
radius, is at rod length from the platform's middle: three spheres meet in two points, of which
the lower one counts. R. Clavel, 1991. Angles [rad] from the horizontal downwards, z up.
"""

from __future__ import annotations

import numpy as np


def position(angles, base, platform, arm, rod) -> np.ndarray:
    """Middle of the platform, (3,); arms at 0, 120 and 240 degrees about z."""
    p1, p2, p3 = (
        (base + arm * np.cos(t) - platform) * np.array([np.cos(a), np.sin(a), 0.0])
        - np.array([0.0, 0.0, arm * np.sin(t)])
        for t, a in zip(angles, 2 * np.pi / 3 * np.arange(3), strict=True)
    )
    return lower_meeting(p1, p2, p3, rod)


def lower_meeting(p1, p2, p3, radius) -> np.ndarray:
    """The lower point at distance `radius` from three points: below the middle of their circle."""
    u, v = p2 - p1, p3 - p1
    n = np.cross(u, v)
    to_middle = (u @ u * np.cross(v, n) + v @ v * np.cross(n, u)) / (2 * n @ n)
    height = np.sqrt(radius**2 - to_middle @ to_middle)
    return p1 + to_middle - np.sign(n[2]) * height * n / np.linalg.norm(n)
