"""Hard points of the spatial mechanisms that have no version in coordinates [mm, deg]."""

from __future__ import annotations

import numpy as np

Vector = tuple[float, float, float]


class Suspension:
    """Front left corner at its design height: x forward, y outwards, z up from the road."""

    LOWER_FRONT, LOWER_REAR = (140.0, 380.0, 190.0), (-160.0, 380.0, 190.0)
    UPPER_FRONT, UPPER_REAR = (110.0, 420.0, 445.0), (-130.0, 420.0, 430.0)
    LOWER_BALL, UPPER_BALL = (5.0, 640.0, 180.0), (-15.0, 600.0, 455.0)
    WHEEL = (0.0, 720.0, 300.0)
    RACK, STEER = (-130.0, 350.0, 255.0), (-120.0, 640.0, 250.0)  # ends of the tie rod
    DAMPER_TOP, DAMPER_FOOT = (0.0, 430.0, 640.0), (0.0, 540.0, 215.0)


class Delta:
    """Motors in a circle under a base plate, z up, tool below."""

    BASE, PLATFORM = 180.0, 60.0  # middle to motor axes, middle to the rods' lower ends
    ARM, ROD = 220.0, 480.0
    SPREAD = 45.0  # half distance of the two rods of a pair
    HOME = 20.0  # arm angle under the horizontal [deg]


class Robot:
    """Home: upper arm upright, forearm level, flange straight down; x forward, z up."""

    SHOULDER = (75.0, 0.0, 400.0)  # axis 2
    ELBOW = (75.0, 0.0, 850.0)  # axis 3
    WRIST = (515.0, 0.0, 940.0)  # axes 4, 5 and 6 meet
    FLANGE = (515.0, 0.0, 850.0)
    FOREARM = 300.0  # x of the face between elbow casting and forearm tube
    AXES: tuple[Vector, ...] = ((0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))


def direction(start: Vector, end: Vector) -> np.ndarray:
    """Unit vector from start to end."""
    way = np.array(end) - np.array(start)
    return way / np.linalg.norm(way)


def axes(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Rotation matrix with this z axis and x as near as can be to the given one."""
    across = x - (x @ z) * z
    across = across / np.linalg.norm(across)
    return np.column_stack([across, np.cross(z, across), z])
