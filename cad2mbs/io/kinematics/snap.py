"""Frames of pairs put onto the references of the mates they stand for.

A proven chain tells axes to rounding only, and any point of an axis serves it. The references the
user gave are exact, and lie where the joint is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

MM = 1e3  # [1/m]
NEAR = 1e-6  # [mm], and of unit vectors: what is closer is the same
AXIS = {"REVOLUTE_PAIR": 2, "CYLINDRICAL_PAIR": 2, "PLANAR_PAIR": 2, "PRISMATIC_PAIR": 0}
ANYWHERE = ("PRISMATIC_PAIR", "PLANAR_PAIR")  # pairs whose origin may lie off the axis
Line = tuple[np.ndarray, np.ndarray]  # origin [mm] and direction


def references_on(m: Mechanism, body: str, mates: list[str]) -> list[Line]:
    """Origins and directions of a joint's references, in the coordinates of one body."""
    places, out = m.structure.bodies[body].places, []
    for mate in (m.assembly.mates[name] for name in mates):
        for ref in (mate.a, mate.b):
            if ref.part in places:
                R, p = places[ref.part]
                found = m.assembly.reference(ref)
                origin = np.array(found.origin) * m.units.metre * MM
                out.append((R @ origin + p * MM, R @ np.array(found.z)))
    return out


def snapped(F: np.ndarray, word: str, lines: list[Line], move: bool) -> np.ndarray:
    """The frame with its axis, and the point of a ball, taken from references that agree with it.

    move  True: the origin goes to the reference as well, along the axis
    """
    if word == "SPHERICAL_PAIR":
        near = [o for o, _ in lines if np.linalg.norm(o - F[:3, 3]) < NEAR * _size(o)]
        return _with_origin(F, near[0]) if near else F
    if word not in AXIS:
        return F
    k = AXIS[word]
    axis = F[:3, k]
    along = [(o, z) for o, z in lines if np.linalg.norm(np.cross(z, axis)) < NEAR]
    if not along:
        return F
    z = along[0][1] * np.sign(along[0][1] @ axis)
    out = _turned(F, k, z)
    if word in ANYWHERE:
        return _with_origin(out, along[0][0]) if move else out
    on = [o for o, _ in along if _across(o - F[:3, 3], axis) < NEAR * _size(o)]
    if not on:
        return out
    foot = on[0] if move else on[0] + z * (z @ (F[:3, 3] - on[0]))
    return _with_origin(out, foot)


def _size(point: np.ndarray) -> float:
    return 1.0 + float(np.linalg.norm(point))


def _across(d: np.ndarray, axis: np.ndarray) -> float:
    return float(np.linalg.norm(d - axis * (d @ axis)))


def _with_origin(F: np.ndarray, origin: np.ndarray) -> np.ndarray:
    out = F.copy()
    out[:3, 3] = origin
    return out


def _turned(F: np.ndarray, k: int, axis: np.ndarray) -> np.ndarray:
    """The frame with its k-th axis replaced by one close to it."""
    out = F.copy()
    i, j = (k + 1) % 3, (k + 2) % 3
    side = F[:3, i] - axis * (F[:3, i] @ axis)
    out[:3, k], out[:3, i] = axis, side / np.linalg.norm(side)
    out[:3, j] = np.cross(out[:3, k], out[:3, i])
    return out
