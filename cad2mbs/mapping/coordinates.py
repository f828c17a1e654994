"""Joint coordinates read off the relative pose of two bodies, the same for tree and closing joints.

With D the motion of body b since the reference pose, seen from a:  D = slides, then a turn or ball
about a point:  D x = p + s_1 u_1 + ... + R (x - p).
"""

from __future__ import annotations

import numpy as np

from cad2mbs.mapping.recognise import Element, Recognised
from solvers.model import Joint

LABELS = {Joint.TURN: "turn", Joint.SLIDE: "slide"}
BALL_LABELS = ("qw", "qx", "qy", "qz")


def labels(found: Recognised) -> list[tuple[str, str]]:
    """(name, dimension) of each coordinate: dimension is angle, length or empty."""
    out: list[tuple[str, str]] = []
    if not readable(found.elements):
        return out
    several = {j: sum(e.joint is j for e in found.elements) > 1 for j in Joint}
    count = dict.fromkeys(Joint, 0)
    for e in found.elements:
        count[e.joint] += 1
        if e.joint is Joint.BALL:
            out += [(name, "") for name in BALL_LABELS]
        else:
            number = f"_{count[e.joint]}" if several[e.joint] else ""
            out.append((LABELS[e.joint] + number, "angle" if e.joint is Joint.TURN else "length"))
    return out


def readable(elements: tuple[Element, ...]) -> bool:
    """Whether the chain is of the form this module inverts."""
    joints = [e.joint for e in elements]
    if joints == [Joint.TURN, Joint.TURN]:
        return True
    slides = 0
    while slides < len(joints) and joints[slides] is Joint.SLIDE:
        slides += 1
    return joints[slides:] in ([], [Joint.TURN], [Joint.BALL])


def coordinates(found: Recognised, R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return (k, n): coordinates [m, rad, quaternion] at relative poses R (k, 3, 3), p (k, 3).

    Turns are counted on along the k poses, quaternions keep their side.
    """
    D = R @ found.R_ab.T
    shift = p - D @ found.p_ab
    elements = found.elements
    joints = [e.joint for e in elements]
    if joints == [Joint.TURN, Joint.TURN]:
        return _two_turns(elements, D)
    out: list[np.ndarray] = []
    last = elements[-1] if elements else None
    slides = [e for e in elements if e.joint is Joint.SLIDE]
    if slides:
        U = np.column_stack([e.R[:, 2] for e in slides])
        centre = last.p if last is not None else np.zeros(3)
        moved = D @ centre + shift - centre
        out += list(np.linalg.lstsq(U, moved.T, rcond=None)[0])
    if last is not None and last.joint is Joint.TURN:
        out.append(_angle(D, last.R[:, 0], last.R[:, 1]))
    if last is not None and last.joint is Joint.BALL:
        out += list(_quaternions(last.R.T @ D @ last.R).T)
    return np.column_stack(out) if out else np.zeros((len(R), 0))


def _angle(D: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Angle by which D turns x towards y, counted on."""
    moved = D @ x
    return np.unwrap(np.arctan2(moved @ y, moved @ x))


def _two_turns(elements: tuple[Element, ...], D: np.ndarray) -> np.ndarray:
    """D = turn about z1, then about z2 of the turned frame; z2 is not parallel to z1."""
    F1, F2 = elements[0].R, elements[1].R
    z1, z2 = F1[:, 2], F2[:, 2]
    x = z2 - z1 * (z1 @ z2)
    x /= np.linalg.norm(x)
    # The second turn leaves z2 where the first one put it.
    moved = D @ z2
    first = np.arctan2(moved @ np.cross(z1, x), moved @ x)
    back = np.stack([_about(z1, -a) for a in first]) @ D
    return np.column_stack([np.unwrap(first), _angle(back, F2[:, 0], F2[:, 1])])


def _about(z: np.ndarray, angle: float) -> np.ndarray:
    K = np.array([[0, -z[2], z[1]], [z[2], 0, -z[0]], [-z[1], z[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def _quaternions(R: np.ndarray) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    q = np.roll(np.atleast_2d(Rotation.from_matrix(R).as_quat()), 1, axis=1)
    if q[0, 0] < 0:
        q[0] = -q[0]
    turned = np.cumprod(np.where((q[1:] * q[:-1]).sum(axis=1) < 0, -1.0, 1.0))
    q[1:] *= turned[:, None]
    return q
