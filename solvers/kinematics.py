"""Poses of links, steps on the state manifold, joint axes; the innermost kernels."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from solvers.model import Model

TURN, SLIDE, SCREW, BALL, POINTER = 0, 1, 2, 3, 4


@njit(cache=True, error_model="numpy")
def pose_link(M, i, y, X):
    """Write X[i] from X[parent] and the state: X_WM = X_WP X_PF X_FM(y)."""
    p = M.parent[i]
    a0, a1, a2 = X[p, 0], X[p, 1], X[p, 2]
    a3, a4, a5 = X[p, 3], X[p, 4], X[p, 5]
    a6, a7, a8 = X[p, 6], X[p, 7], X[p, 8]
    F = M.X_PF
    fx, fy, fz = F[i, 9], F[i, 10], F[i, 11]
    px = X[p, 9] + a0 * fx + a1 * fy + a2 * fz
    py = X[p, 10] + a3 * fx + a4 * fy + a5 * fz
    pz = X[p, 11] + a6 * fx + a7 * fy + a8 * fz
    if M.turned[i]:
        f0, f1, f2 = F[i, 0], F[i, 1], F[i, 2]
        f3, f4, f5 = F[i, 3], F[i, 4], F[i, 5]
        f6, f7, f8 = F[i, 6], F[i, 7], F[i, 8]
        b0, b1, b2 = a0 * f0 + a1 * f3 + a2 * f6, a0 * f1 + a1 * f4 + a2 * f7, a0 * f2 + a1 * f5 + a2 * f8
        b3, b4, b5 = a3 * f0 + a4 * f3 + a5 * f6, a3 * f1 + a4 * f4 + a5 * f7, a3 * f2 + a4 * f5 + a5 * f8
        b6, b7, b8 = a6 * f0 + a7 * f3 + a8 * f6, a6 * f1 + a7 * f4 + a8 * f7, a6 * f2 + a7 * f5 + a8 * f8
    else:
        b0, b1, b2, b3, b4, b5, b6, b7, b8 = a0, a1, a2, a3, a4, a5, a6, a7, a8
    kind = M.joint[i]
    if kind == TURN or kind == SCREW:
        angle = y[M.v0[i]]
        c, s = math.cos(angle), math.sin(angle)
        X[i, 0], X[i, 1], X[i, 2] = c * b0 + s * b1, c * b1 - s * b0, b2
        X[i, 3], X[i, 4], X[i, 5] = c * b3 + s * b4, c * b4 - s * b3, b5
        X[i, 6], X[i, 7], X[i, 8] = c * b6 + s * b7, c * b7 - s * b6, b8
        if kind == SCREW:
            h = M.pitch[i] * angle
            px, py, pz = px + h * b2, py + h * b5, pz + h * b8
    elif kind == SLIDE:
        h = y[M.v0[i]]
        X[i, 0], X[i, 1], X[i, 2] = b0, b1, b2
        X[i, 3], X[i, 4], X[i, 5] = b3, b4, b5
        X[i, 6], X[i, 7], X[i, 8] = b6, b7, b8
        px, py, pz = px + h * b2, py + h * b5, pz + h * b8
    else:
        s0 = M.s0[i]
        w, qx, qy, qz = y[s0], y[s0 + 1], y[s0 + 2], y[s0 + 3]
        c0, c1, c2 = 1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - w * qz), 2 * (qx * qz + w * qy)
        c3, c4, c5 = 2 * (qx * qy + w * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - w * qx)
        c6, c7, c8 = 2 * (qx * qz - w * qy), 2 * (qy * qz + w * qx), 1 - 2 * (qx * qx + qy * qy)
        X[i, 0], X[i, 1], X[i, 2] = b0 * c0 + b1 * c3 + b2 * c6, b0 * c1 + b1 * c4 + b2 * c7, b0 * c2 + b1 * c5 + b2 * c8
        X[i, 3], X[i, 4], X[i, 5] = b3 * c0 + b4 * c3 + b5 * c6, b3 * c1 + b4 * c4 + b5 * c7, b3 * c2 + b4 * c5 + b5 * c8
        X[i, 6], X[i, 7], X[i, 8] = b6 * c0 + b7 * c3 + b8 * c6, b6 * c1 + b7 * c4 + b8 * c7, b6 * c2 + b7 * c5 + b8 * c8
    X[i, 9], X[i, 10], X[i, 11] = px, py, pz


@njit(cache=True)
def pose_ground(X):
    """Write X[0], the ground."""
    X[0, :] = 0.0
    X[0, 0] = X[0, 4] = X[0, 8] = 1.0


@njit(cache=True)
def pose_all(M, y, X):
    """Write the poses of all links."""
    pose_ground(X)
    for i in range(1, M.parent.shape[0]):
        pose_link(M, i, y, X)


@njit(cache=True, nogil=True)
def pose_batch(M, Y, out):
    """Write out[k] = poses of all links at state Y[k]."""
    for k in range(Y.shape[0]):
        pose_all(M, Y[k], out[k])


@njit(cache=True)
def joint_axis(M, i, axis, X, S):
    """Write S, the twist about the ground origin of freedom `axis` of link i."""
    kind = M.joint[i]
    c = 2 if kind <= SCREW else axis
    ux, uy, uz = X[i, c], X[i, 3 + c], X[i, 6 + c]
    if kind == SLIDE:
        S[0] = S[1] = S[2] = 0.0
        S[3], S[4], S[5] = ux, uy, uz
        return
    px, py, pz = X[i, 9], X[i, 10], X[i, 11]
    h = M.pitch[i]
    S[0], S[1], S[2] = ux, uy, uz
    S[3] = py * uz - pz * uy + h * ux
    S[4] = pz * ux - px * uz + h * uy
    S[5] = px * uy - py * ux + h * uz


@njit(cache=True)
def turn_quaternion(y, s, wx, wy, wz):
    """Multiply the quaternion at y[s] by exp of the rotation vector (wx, wy, wz), in its own frame."""
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


@njit(cache=True)
def retract(M, y, dv, y_out):
    """Write y_out = y moved by the tangent step dv (nv,)."""
    nv = M.low.shape[0]
    y_out[:] = y
    for k in range(nv):
        y_out[k] += dv[k]
    for i in range(1, M.parent.shape[0]):
        s = M.s0[i]
        if s >= 0:
            a = M.v0[i]
            spin = dv[a + 2] if M.joint[i] == BALL else 0.0
            turn_quaternion(y_out, s, dv[a], dv[a + 1], spin)
            y_out[a] = y_out[a + 1] = 0.0
            if M.joint[i] == BALL:
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
