"""Poses of links, steps on the state manifold, joint axes; the innermost kernels."""

from __future__ import annotations

import math

import numpy as np

from solvers.compiled import batch, entry, inlined, inner
from solvers.model import Model

TURN, SLIDE, SCREW, BALL, POINTER = 0, 1, 2, 3, 4


@inner
def _times(x, y, z, R):
    """One row of a rotation, (x, y, z), times the rotation R (9 numbers, row by row)."""
    return (
        x * R[0] + y * R[3] + z * R[6],
        x * R[1] + y * R[4] + z * R[7],
        x * R[2] + y * R[5] + z * R[8],
    )


@inlined
def pose_link(link, i, y, X):
    """Write X[i] of link i from X[parent] and the state: X_WM = X_WP X_PF X_FM(y)."""
    p = link.parent
    F = link.X_PF
    b0, b1, b2 = X[p, 0], X[p, 1], X[p, 2]
    b3, b4, b5 = X[p, 3], X[p, 4], X[p, 5]
    b6, b7, b8 = X[p, 6], X[p, 7], X[p, 8]
    px = X[p, 9] + b0 * F[9] + b1 * F[10] + b2 * F[11]
    py = X[p, 10] + b3 * F[9] + b4 * F[10] + b5 * F[11]
    pz = X[p, 11] + b6 * F[9] + b7 * F[10] + b8 * F[11]
    if link.turned:
        b0, b1, b2 = _times(b0, b1, b2, F)
        b3, b4, b5 = _times(b3, b4, b5, F)
        b6, b7, b8 = _times(b6, b7, b8, F)
    kind = link.joint
    if kind == TURN or kind == SCREW:
        angle = y[link.v0]
        c, s = math.cos(angle), math.sin(angle)
        X[i, 0], X[i, 1], X[i, 2] = c * b0 + s * b1, c * b1 - s * b0, b2
        X[i, 3], X[i, 4], X[i, 5] = c * b3 + s * b4, c * b4 - s * b3, b5
        X[i, 6], X[i, 7], X[i, 8] = c * b6 + s * b7, c * b7 - s * b6, b8
        if kind == SCREW:
            h = link.pitch * angle
            px, py, pz = px + h * b2, py + h * b5, pz + h * b8
    elif kind == SLIDE:
        h = y[link.v0]
        X[i, 0], X[i, 1], X[i, 2] = b0, b1, b2
        X[i, 3], X[i, 4], X[i, 5] = b3, b4, b5
        X[i, 6], X[i, 7], X[i, 8] = b6, b7, b8
        px, py, pz = px + h * b2, py + h * b5, pz + h * b8
    else:
        s0 = link.s0
        w, qx, qy, qz = y[s0], y[s0 + 1], y[s0 + 2], y[s0 + 3]
        c0, c1, c2 = 1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - w * qz), 2 * (qx * qz + w * qy)
        c3, c4, c5 = 2 * (qx * qy + w * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - w * qx)
        c6, c7, c8 = 2 * (qx * qz - w * qy), 2 * (qy * qz + w * qx), 1 - 2 * (qx * qx + qy * qy)
        Q = (c0, c1, c2, c3, c4, c5, c6, c7, c8)
        X[i, 0], X[i, 1], X[i, 2] = _times(b0, b1, b2, Q)
        X[i, 3], X[i, 4], X[i, 5] = _times(b3, b4, b5, Q)
        X[i, 6], X[i, 7], X[i, 8] = _times(b6, b7, b8, Q)
    X[i, 9], X[i, 10], X[i, 11] = px, py, pz


@inner
def pose_ground(X):
    """Write X[0], the ground."""
    X[0, :] = 0.0
    X[0, 0] = X[0, 4] = X[0, 8] = 1.0


@entry
def pose_all(M, y, X):
    """Write the poses of all links."""
    pose_ground(X)
    for i in range(1, M.links.shape[0]):
        pose_link(M.links[i], i, y, X)


@batch
def pose_batch(M, Y, out):
    """Write out[k] = poses of all links at state Y[k]."""
    for k in range(Y.shape[0]):
        pose_all(M, Y[k], out[k])


@inner
def freedoms(link):
    """How many velocities the link has."""
    if link.joint <= SCREW:
        return 1
    return 3 if link.joint == BALL else 2


@inner
def joint_axis(link, i, axis, X, S):
    """Write S, the twist about the ground origin of freedom `axis` of link i."""
    kind = link.joint
    c = 2 if kind <= SCREW else axis
    ux, uy, uz = X[i, c], X[i, 3 + c], X[i, 6 + c]
    if kind == SLIDE:
        S[0] = S[1] = S[2] = 0.0
        S[3], S[4], S[5] = ux, uy, uz
        return
    px, py, pz = X[i, 9], X[i, 10], X[i, 11]
    h = link.pitch
    S[0], S[1], S[2] = ux, uy, uz
    S[3] = py * uz - pz * uy + h * ux
    S[4] = pz * ux - px * uz + h * uy
    S[5] = px * uy - py * ux + h * uz


@inner
def turn_quaternion(y, s, wx, wy, wz):
    """Multiply the quaternion at y[s] by exp of the rotation vector (wx, wy, wz) in its frame."""
    angle2 = wx * wx + wy * wy + wz * wz
    if angle2 < 1e-8:
        # Series of sin(a/2)/a; the next term is angle^4 / 3840 < 1e-19.
        f, c = 0.5 - angle2 / 48.0, 1.0 - angle2 / 8.0 + angle2 * angle2 / 384.0
    else:
        angle = math.sqrt(angle2)
        f, c = math.sin(0.5 * angle) / angle, math.cos(0.5 * angle)
    bx, by, bz = f * wx, f * wy, f * wz
    w, x, yy, z = y[s], y[s + 1], y[s + 2], y[s + 3]
    rw = w * c - x * bx - yy * by - z * bz
    rx = w * bx + x * c + yy * bz - z * by
    ry = w * by - x * bz + yy * c + z * bx
    rz = w * bz + x * by - yy * bx + z * c
    n = 1.0 / math.sqrt(rw * rw + rx * rx + ry * ry + rz * rz)
    y[s], y[s + 1], y[s + 2], y[s + 3] = rw * n, rx * n, ry * n, rz * n


@entry
def retract(M, y, dv, y_out):
    """Write y_out = y moved by the tangent step dv (nv,)."""
    nv = M.low.shape[0]
    y_out[:] = y
    for k in range(nv):
        y_out[k] += dv[k]
    for i in range(1, M.links.shape[0]):
        link = M.links[i]
        if link.s0 >= 0:
            a = link.v0
            spin = dv[a + 2] if link.joint == BALL else 0.0
            turn_quaternion(y_out, link.s0, dv[a], dv[a + 1], spin)
            y_out[a] = y_out[a + 1] = 0.0
            if link.joint == BALL:
                y_out[a + 2] = 0.0


def poses(model: Model, y: np.ndarray) -> np.ndarray:
    """Return X (nl, 12), the poses of all links at state y."""
    X = np.empty((model.nl, 12))
    pose_all(model, y, X)
    return X


def poses_along(model: Model, Y: np.ndarray) -> np.ndarray:
    """Return X (k, nl, 12) for the states Y (k, ny)."""
    out = np.empty((len(Y), model.nl, 12))
    pose_batch(model, Y, out)
    return out


def moved(model: Model, y: np.ndarray, dv: np.ndarray) -> np.ndarray:
    """Return y moved by the tangent step dv."""
    out = np.empty_like(y)
    retract(model, y, dv, out)
    return out
