"""Double wishbone suspension: the wheel carrier's pose for a lower arm angle and a rack stroke.

The lower arm takes its ball along. The upper ball runs on a circle about the upper hinge and
keeps its distance from the lower ball; the steering ball then runs on a circle about the line
through both and keeps its distance from the rack's end. Each time a circle meets a sphere:
with p(t) = m + a cos t + b sin t and the sphere |p - c| = d,
2 (m - c).a cos t + 2 (m - c).b sin t = d^2 - |m - c|^2 - r^2, the root nearest to t = 0 counts.
Lengths in any one unit, angles [rad], all points as they are at design height.
"""

from __future__ import annotations

import numpy as np

from tests.reference.six_axis_robot import turn


def turn_to_distance(start, point, axis, centre, distance) -> float:
    """Angle about the line (point, axis) that brings `start` to `distance` from `centre`."""
    n = axis / np.linalg.norm(axis)
    m = point + (start - point) @ n * n
    a = start - m
    b = np.cross(n, a)
    gap = m - centre
    A, B = 2 * gap @ a, 2 * gap @ b
    C = distance**2 - gap @ gap - a @ a
    middle, half = np.arctan2(B, A), np.arccos(C / np.hypot(A, B))
    roots = np.array([middle + half, middle - half])
    roots = (roots + np.pi) % (2 * np.pi) - np.pi
    return float(roots[np.argmin(np.abs(roots))])


def position(travel, stroke, lower, upper, balls, tie) -> np.ndarray:
    """Turn and shift of the carrier from design height, (4, 4).

    lower, upper  two points on each arm's hinge, rear then front; travel is about that direction
    balls         lower and upper ball;  tie: rack's end and steering ball;  stroke along y
    """
    (l0, l1), (u0, u1), (low, high), (rack, steer) = (
        [np.asarray(p, float) for p in pair] for pair in (lower, upper, balls, tie)
    )
    new_low = moved(turn(l0, l1 - l0, travel), low)
    length = np.linalg.norm(high - low)
    upper_turn = turn_to_distance(high, u0, u1 - u0, new_low, length)
    new_high = moved(turn(u0, u1 - u0, upper_turn), high)
    # Bring the carrier's king pin to the new line by the shortest turn, then steer about it.
    X = carried(low, high, new_low, new_high)
    inner = rack + np.array([0.0, stroke, 0.0])
    rod = np.linalg.norm(steer - rack)
    angle = turn_to_distance(moved(X, steer), new_low, new_high - new_low, inner, rod)
    return turn(new_low, new_high - new_low, angle) @ X


def carried(p, q, new_p, new_q) -> np.ndarray:
    """The pose that takes p to new_p and the way p to q to that of the new ones, (4, 4)."""
    a, b = (q - p) / np.linalg.norm(q - p), (new_q - new_p) / np.linalg.norm(new_q - new_p)
    n = np.cross(a, b)
    sine = np.linalg.norm(n)
    X = turn(p, n / sine, np.arctan2(sine, a @ b)) if sine > 0 else np.eye(4)
    X[:3, 3] += new_p - p
    return X


def moved(X, p) -> np.ndarray:
    return X[:3, :3] @ p + X[:3, 3]
