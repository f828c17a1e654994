"""Mechanisms and plain-numpy counterparts that the solver tests share.

The mechanisms are written with `Builder` alone; planar ones move in the xy plane of the ground.
What is here to check the solvers shares no code with them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers import blocks
from solvers.kinematics import moved
from solvers.model import Builder, Joint, Model, Row
from tests.reference import four_bar, slider_crank

EX, EY, EZ = np.eye(3)
I3 = np.eye(3)
O3 = np.zeros(3)
ALONG_X = np.column_stack([EY, EZ, EX])  # a joint frame whose z is the ground's x
STEP = np.cbrt(np.finfo(float).eps)  # of central differences: truncation and rounding balance


class Mechanism(NamedTuple):
    """A closed mechanism with one driven coordinate, number 0."""

    model: Model
    plan: blocks.Plan
    y: np.ndarray  # a closed state
    known: np.ndarray


def rotation(rng: np.random.Generator) -> np.ndarray:
    """A random right-handed rotation matrix."""
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return Q * np.sign(np.linalg.det(Q))


def about_z(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def coincide(build: Builder, l: int, p_l, r: int, p_r, axes, scale: float) -> list[int]:
    """Rows that bring p_r on link r to p_l on link l along the axes (given on l)."""
    return [build.add_row(Row.PLANE_POINT, l, r, p_l=p_l, u=u, p_r=p_r, scale=scale) for u in axes]


def whole_plan(model: Model, known: list[int], rows=None) -> blocks.Plan:
    """The plan of all rows (or those given) with all coordinates unknown but the known ones."""
    rows = np.arange(model.m) if rows is None else np.array(rows)
    return blocks.plan(model, rows, np.setdiff1d(np.arange(model.nv), known))


def four_bar_state(bars: four_bar.FourBar, phi: float, branch: int = 1) -> np.ndarray:
    """y = crank angle, coupler angle against the crank, rocker angle."""
    theta, psi = four_bar.position(bars, phi, branch)
    return np.array([phi, theta - phi, psi])


def four_bar_builder(bars: four_bar.FourBar) -> Builder:
    g, a, b, c = bars
    build = Builder()
    crank = build.add_link(0, Joint.TURN, I3, O3)
    coupler = build.add_link(crank, Joint.TURN, I3, a * EX)
    rocker = build.add_link(0, Joint.TURN, I3, g * EX)
    coincide(build, rocker, c * EX, coupler, b * EX, (EX, EY), 1.0 / max(bars))
    return build


def four_bar_mechanism(bars: four_bar.FourBar, phi: float, branch: int = 1) -> Mechanism:
    model = four_bar_builder(bars).build(max(bars))
    y = four_bar_state(bars, phi, branch)
    return Mechanism(model, whole_plan(model, [0]), y, np.array([0]))


def slider_crank_state(phi: float, r: float, l: float) -> np.ndarray:
    """y = crank angle, rod angle against the crank, piston position."""
    turn = slider_crank.rod_angle(phi, r, l) - phi
    return np.array([phi, turn, slider_crank.position(phi, r, l)])


def slider_crank_builder(r: float, l: float) -> Builder:
    build = Builder()
    crank = build.add_link(0, Joint.TURN, I3, O3)
    rod = build.add_link(crank, Joint.TURN, I3, r * EX)
    piston = build.add_link(0, Joint.SLIDE, ALONG_X, O3)
    coincide(build, piston, O3, rod, l * EX, (EX, EZ), 1.0 / l)
    return build


def slider_crank_mechanism(phi: float, r: float, l: float, bounds=None) -> Mechanism:
    build = slider_crank_builder(r, l)
    build.bounds.update(bounds or {})
    model = build.build(l)
    return Mechanism(model, whole_plan(model, [0]), slider_crank_state(phi, r, l), np.array([0]))


def radial_engine(n: int, r: float = 1.0, l: float = 4.0, eye: float = 0.6) -> Model:
    """Crank, a master rod on its pin, n - 1 rods on the master's eyes, n pistons.

    Velocities: crank, then (rod, piston) cylinder by cylinder; rows: two per cylinder.
    """
    build = Builder()
    crank = build.add_link(0, Joint.TURN, I3, O3)
    master = build.add_link(crank, Joint.TURN, I3, r * EX)
    for k in range(n):
        R = about_z(2 * np.pi * k / n)
        rod = master if k == 0 else build.add_link(master, Joint.TURN, R, eye * R @ EX)
        reach = l if k == 0 else l - eye
        piston = build.add_link(0, Joint.SLIDE, R @ ALONG_X, O3)
        coincide(build, piston, O3, rod, reach * EX, (EX, EZ), 1.0 / l)
    return build.build(l)


def four_bar_chain(n: int, bars: four_bar.FourBar) -> Model:
    """n four-bars in a row, the rocker of each the crank of the next.

    Velocities: crank, then (coupler, rocker) four-bar by four-bar; rows: two per four-bar.
    """
    g, a, b, c = bars
    build = Builder()
    crank = build.add_link(0, Joint.TURN, I3, O3)
    arm = a
    for k in range(n):
        coupler = build.add_link(crank, Joint.TURN, I3, arm * EX)
        rocker = build.add_link(0, Joint.TURN, I3, (k + 1) * g * EX)
        coincide(build, rocker, c * EX, coupler, b * EX, (EX, EY), 1.0 / max(bars))
        crank, arm = rocker, c
    return build.build(max(bars))


def hexapod(rng: np.random.Generator) -> Model:
    """A platform on six legs of fixed lengths, closed at neutral."""
    build = Builder()
    link = 0
    for _ in range(3):
        # z to x, to y, to z: three such turns are the identity again.
        link = build.add_link(link, Joint.SLIDE, ALONG_X, O3)
    platform = build.add_link(link, Joint.BALL, I3, O3)
    base, top = rng.normal(size=(2, 6, 3))
    for p, q in zip(base, 0.5 * top + 2.0 * EZ, strict=True):
        build.add_row(Row.POINT_POINT, 0, platform, p_l=p, p_r=q, offset=np.linalg.norm(q - p))
    return build.build(1.0)


def assert_on(mechanism: Mechanism, y: np.ndarray, expected: np.ndarray, tol: float) -> None:
    """y is the expected state, turned joints compared up to full turns."""
    off = (y - expected)[: mechanism.model.nv]
    turning = mechanism.model.weight == 1.0
    off[turning] = (off[turning] + np.pi) % (2 * np.pi) - np.pi
    assert np.abs(off * mechanism.model.weight).max() < tol, f"off by {off}"


def plain_poses(links, nv: int, y: np.ndarray) -> np.ndarray:
    """Poses (nl, 4, 4) as products of 4x4 matrices; links: (parent, joint, R, p, pitch)."""
    poses, v, s = [np.eye(4)], 0, nv
    for parent, joint, R, p, pitch in links:
        F, J = np.eye(4), np.eye(4)
        F[:3, :3], F[:3, 3] = R, p
        if joint in (Joint.BALL, Joint.POINTER):
            w, axis = y[s], y[s + 1 : s + 4]
            K = np.cross(np.eye(3), axis)  # K v = axis x v
            # Euler-Rodrigues: v + 2 w (q x v) + 2 q x (q x v)
            J[:3, :3] = np.eye(3) + 2 * w * K + 2 * K @ K
            s += 4
        if joint in (Joint.TURN, Joint.SCREW):
            J[:3, :3] = about_z(y[v])
        if joint is Joint.SLIDE:
            J[2, 3] = y[v]
        if joint is Joint.SCREW:
            J[2, 3] = pitch * y[v]
        poses.append(poses[parent] @ F @ J)
        v += {Joint.BALL: 3, Joint.POINTER: 2}.get(joint, 1)
    return np.array(poses)


def as_matrices(X: np.ndarray) -> np.ndarray:
    """(..., 12) rows of rotation, then position, as (..., 4, 4)."""
    out = np.zeros((*X.shape[:-1], 4, 4))
    out[..., :3, :3] = X[..., :9].reshape(*X.shape[:-1], 3, 3)
    out[..., :3, 3] = X[..., 9:]
    out[..., 3, 3] = 1.0
    return out


def twist_between(X_minus: np.ndarray, X_plus: np.ndarray, X: np.ndarray, h: float) -> np.ndarray:
    """Twists (nl, 6) about the ground origin from poses (nl, 12) a time h before and after X."""
    minus, plus, mid = as_matrices(X_minus), as_matrices(X_plus), as_matrices(X)
    dX = (plus - minus) / (2 * h)
    W = dX @ np.linalg.inv(mid)
    turn = np.stack([W[:, 2, 1] - W[:, 1, 2], W[:, 0, 2] - W[:, 2, 0], W[:, 1, 0] - W[:, 0, 1]], -1)
    turn *= 0.5
    return np.concatenate([turn, dX[:, :3, 3] - np.cross(turn, mid[:, :3, 3])], axis=1)


def path_step(model: Model, y: np.ndarray, v: np.ndarray, a: np.ndarray, t: float) -> np.ndarray:
    """The state at time t of a motion that passes y at time 0 with velocities v and rates a.

    For ball joints too: the angular velocity of exp(v t + a t^2 / 2) is v + a t + O(t^2).
    """
    return moved(model, y, t * v + 0.5 * t * t * a)
