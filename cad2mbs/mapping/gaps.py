"""By how much a mate is open at given poses, straight from its meaning: length [m] and angle [rad].

Written from the words of the contract, not from the solver's rows, so that it also checks them.
"""

from __future__ import annotations

import math

import numpy as np

from cad2mbs.mapping.bodies import RigidPose, times
from cad2mbs.mapping.conditions import reference_frame, si_value
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import Mate


def gap(
    assembly: Assembly, mate: Mate, X_a: RigidPose, X_b: RigidPose, value: float | None = None
) -> tuple[float, float]:
    """Return the open length [m] and angle [rad] of a mate between parts at poses X_a, X_b.

    `value` [SI] stands for the mate's number where a drive moves it.
    """
    Ra, pa = times(X_a, reference_frame(assembly, mate.a))
    Rb, pb = times(X_b, reference_frame(assembly, mate.b))
    d = pb - pa
    t = si_value(assembly, mate) if value is None else value
    za, zb = Ra[:, 2], Rb[:, 2]
    side = 1.0 if mate.sense else -1.0
    match mate.kind:
        case "coincident":
            return _norm(d), 0.0
        case "distance":
            return abs(_norm(d) - t), 0.0
        case "in-line":
            return _norm(np.cross(d, zb)), 0.0
        case "axis-distance":
            return abs(_norm(np.cross(d, zb)) - t), 0.0
        case "in-plane":
            return abs(float(-d @ zb) - t), 0.0
        case "halfspace":
            return max(0.0, side * (t - float(-d @ zb))), 0.0
        case "parallel-z":
            return 0.0, angle_between(za, side * zb)
        case "offset-z":
            return 0.0, abs(angle_between(za, zb) - t)
        case "signum-z":
            return 0.0, max(0.0, side * (angle_between(za, zb) - t))
        case "offset-x":
            return 0.0, turn_of((Ra @ _turn_z(t)).T @ Rb)
        case "identical":
            T = mate.transform.rotation(), np.array(mate.transform.position) * assembly.units.metre
            Rt, pt = times((Ra, pa), T)
            return _norm(pb - pt), turn_of(Rt.T @ Rb)
    raise AssertionError(f"unknown mate kind {mate.kind}")


def angle_between(u: np.ndarray, w: np.ndarray) -> float:
    """Angle between two vectors, accurate near 0 and pi."""
    return math.atan2(_norm(np.cross(u, w)), float(u @ w))


def turn_of(R: np.ndarray) -> float:
    """Angle of a rotation, accurate near 0 and pi."""
    s = 0.5 * _norm(np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]))
    return math.atan2(s, 0.5 * (float(np.trace(R)) - 1.0))


def _turn_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _norm(v: np.ndarray) -> float:
    return math.sqrt(float(v @ v))
