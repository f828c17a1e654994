"""Residual phi, wrench W and coordinate gradient of every row; the conditions of the contract.

All rows depend on the relative pose of their two frames, so that dphi = W . (twist_r - twist_l),
W taken about the ground origin, plus the gradient to the row's own coordinates.
"""

from __future__ import annotations

import math

import numpy as np

from solvers.compiled import batch, entry, inlined, inner
from solvers.kinematics import freedoms, joint_axis, pose_all
from solvers.model import Model

POINT_POINT, PLANE_POINT, PLANE_PLANE, LINE_POINT, ANGLE, LINEAR = 0, 1, 2, 3, 4, 5
CONSTANT, SHIFTED, COSINE, SINE = 0, 1, 2, 3
TWO_PI = 2.0 * math.pi


@inner
def _point(X, i, g, k):
    x, y, z = g[k], g[k + 1], g[k + 2]
    return (
        X[i, 9] + X[i, 0] * x + X[i, 1] * y + X[i, 2] * z,
        X[i, 10] + X[i, 3] * x + X[i, 4] * y + X[i, 5] * z,
        X[i, 11] + X[i, 6] * x + X[i, 7] * y + X[i, 8] * z,
    )


@inner
def _axis(X, i, g, k):
    x, y, z = g[k], g[k + 1], g[k + 2]
    return (
        X[i, 0] * x + X[i, 1] * y + X[i, 2] * z,
        X[i, 3] * x + X[i, 4] * y + X[i, 5] * z,
        X[i, 6] * x + X[i, 7] * y + X[i, 8] * z,
    )


@inner
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inner
def _cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@inner
def _sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@inner
def target_value(row, y):
    """The target t of the row."""
    mode = row.target
    t = row.offset
    if mode == CONSTANT:
        return t
    t += y[row.i]
    if mode == SHIFTED:
        return t
    if mode == COSINE:
        return math.cos(t)
    return math.sin(t)


@inner
def target_slope(row, y):
    """dt / dy_i of a row."""
    mode = row.target
    if mode == CONSTANT:
        return 0.0
    if mode == SHIFTED:
        return 1.0
    t = row.offset + y[row.i]
    if mode == COSINE:
        return -math.sin(t)
    return math.cos(t)


@inlined
def row_phi(row, y, X):
    """Return the scaled residual of a row."""
    kind = row.kind
    if kind == LINEAR:
        return row.scale * (row.coef[0] * y[row.i] + row.coef[1] * y[row.j] - row.offset)
    g = row.geo
    l, r = row.l, row.r
    t = target_value(row, y)
    if kind == PLANE_POINT:
        d = _sub(_point(X, r, g, 9), _point(X, l, g, 0))
        return row.scale * (_dot(_axis(X, l, g, 3), d) - t)
    if kind == PLANE_PLANE:
        return row.scale * (_dot(_axis(X, l, g, 3), _axis(X, r, g, 12)) - t)
    if kind == ANGLE:
        w = _axis(X, r, g, 12)
        angle = math.atan2(_dot(_axis(X, l, g, 6), w), _dot(_axis(X, l, g, 3), w)) - t
        return row.scale * (angle - TWO_PI * math.floor(angle / TWO_PI + 0.5))
    d = _sub(_point(X, r, g, 9), _point(X, l, g, 0))
    value = _dot(d, d) - t * t
    if kind == LINE_POINT:
        value -= _dot(_axis(X, l, g, 3), d) ** 2
    return row.scale * 0.5 * value


@inlined
def row_gradient(row, y, X, W):
    """Write the wrench W (6,) of a row; return dphi/dy_i and dphi/dy_j."""
    kind = row.kind
    s = row.scale
    if kind == LINEAR:
        W[:] = 0.0
        return s * row.coef[0], s * row.coef[1]
    g = row.geo
    l, r = row.l, row.r
    slope = target_slope(row, y)
    if kind == PLANE_PLANE or kind == ANGLE:
        w = _axis(X, r, g, 12)
        u = _axis(X, l, g, 3)
        if kind == PLANE_PLANE:
            n = _cross(w, u)
            gradient = -s * slope
        else:
            u2 = _axis(X, l, g, 6)
            a, b = _dot(u, w), _dot(u2, w)
            f = 1.0 / (a * a + b * b)
            n1, n2 = _cross(w, u2), _cross(w, u)
            n = (
                f * (a * n1[0] - b * n2[0]),
                f * (a * n1[1] - b * n2[1]),
                f * (a * n1[2] - b * n2[2]),
            )
            gradient = -s * slope
        W[0], W[1], W[2] = s * n[0], s * n[1], s * n[2]
        W[3] = W[4] = W[5] = 0.0
        return gradient, 0.0
    p_r = _point(X, r, g, 9)
    if kind == PLANE_POINT:
        f = _axis(X, l, g, 3)
        gradient = -s * slope
    else:
        f = _sub(p_r, _point(X, l, g, 0))
        if kind == LINE_POINT:
            u = _axis(X, l, g, 3)
            h = _dot(u, f)
            f = (f[0] - h * u[0], f[1] - h * u[1], f[2] - h * u[2])
        gradient = -s * target_value(row, y) * slope
    n = _cross(p_r, f)
    W[0], W[1], W[2] = s * n[0], s * n[1], s * n[2]
    W[3], W[4], W[5] = s * f[0], s * f[1], s * f[2]
    return gradient, 0.0


@inner
def _moving(V, A, i, p):
    """Velocity and acceleration of the point p fixed in link i."""
    w, a = (V[i, 0], V[i, 1], V[i, 2]), (A[i, 0], A[i, 1], A[i, 2])
    c = _cross(w, p)
    vel = (V[i, 3] + c[0], V[i, 4] + c[1], V[i, 5] + c[2])
    e, h = _cross(a, p), _cross(w, vel)
    return vel, (A[i, 3] + e[0] + h[0], A[i, 4] + e[1] + h[1], A[i, 5] + e[2] + h[2])


@inner
def _turning(V, A, i, u):
    """First and second derivative of the axis u fixed in link i."""
    w, a = (V[i, 0], V[i, 1], V[i, 2]), (A[i, 0], A[i, 1], A[i, 2])
    du = _cross(w, u)
    e, h = _cross(a, u), _cross(w, du)
    return du, (e[0] + h[0], e[1] + h[1], e[2] + h[2])


@inner
def row_rates(row, y, v, a, X, V, A):
    """Return dphi/dt and d2phi/dt2 of a row for link velocities V and accelerations A."""
    kind = row.kind
    s = row.scale
    if kind == LINEAR:
        i, j, ci, cj = row.i, row.j, row.coef[0], row.coef[1]
        return s * (ci * v[i] + cj * v[j]), s * (ci * a[i] + cj * a[j])
    g = row.geo
    l, r = row.l, row.r
    t, dt, ddt = target_value(row, y), 0.0, 0.0
    if row.target != CONSTANT:
        i = row.i
        slope = target_slope(row, y)
        curve = 0.0 if row.target == SHIFTED else -t
        dt, ddt = slope * v[i], slope * a[i] + curve * v[i] * v[i]
    if kind == PLANE_PLANE or kind == ANGLE:
        u, w = _axis(X, l, g, 3), _axis(X, r, g, 12)
        du, ddu = _turning(V, A, l, u)
        dw, ddw = _turning(V, A, r, w)
        c1 = _dot(du, w) + _dot(u, dw)
        c2 = _dot(ddu, w) + 2.0 * _dot(du, dw) + _dot(u, ddw)
        if kind == PLANE_PLANE:
            return s * (c1 - dt), s * (c2 - ddt)
        u2 = _axis(X, l, g, 6)
        du2, ddu2 = _turning(V, A, l, u2)
        c, b = _dot(u, w), _dot(u2, w)
        b1 = _dot(du2, w) + _dot(u2, dw)
        b2 = _dot(ddu2, w) + 2.0 * _dot(du2, dw) + _dot(u2, ddw)
        n = c * c + b * b
        rate = (c * b1 - b * c1) / n
        return s * (rate - dt), s * ((c * b2 - b * c2 - 2.0 * rate * (c * c1 + b * b1)) / n - ddt)
    p_l, p_r = _point(X, l, g, 0), _point(X, r, g, 9)
    vel_l, acc_l = _moving(V, A, l, p_l)
    vel_r, acc_r = _moving(V, A, r, p_r)
    d, dd, ddd = _sub(p_r, p_l), _sub(vel_r, vel_l), _sub(acc_r, acc_l)
    h = h1 = h2 = 0.0
    if kind != POINT_POINT:
        u = _axis(X, l, g, 3)
        du, ddu = _turning(V, A, l, u)
        h = _dot(u, d)
        h1 = _dot(du, d) + _dot(u, dd)
        h2 = _dot(ddu, d) + 2.0 * _dot(du, dd) + _dot(u, ddd)
        if kind == PLANE_POINT:
            return s * (h1 - dt), s * (h2 - ddt)
    rate = _dot(d, dd) - h * h1 - t * dt
    return s * rate, s * (_dot(dd, dd) + _dot(d, ddd) - h1 * h1 - h * h2 - dt * dt - t * ddt)


@entry
def jacobian_row(M, row, y, X, out, W, S):
    """Write out (nv,) = gradient of a row to all velocities: walk both branches to the root."""
    out[:] = 0.0
    gi, gj = row_gradient(row, y, X, W)
    if row.kind != LINEAR:
        for side in range(2):
            i = row.r if side == 0 else row.l
            sign = 1.0 if side == 0 else -1.0
            while i > 0:
                link = M.links[i]
                for c in range(freedoms(link)):
                    joint_axis(link, i, c, X, S)
                    out[link.v0 + c] += sign * (
                        (W[0] * S[0] + W[1] * S[1] + W[2] * S[2])
                        + (W[3] * S[3] + W[4] * S[4] + W[5] * S[5])
                    )
                i = link.parent
    if row.i >= 0:
        out[row.i] += gi
    if row.j >= 0:
        out[row.j] += gj


@entry
def evaluate(M, y, rows, X, phi, J):
    """Write poses X, residuals phi (len(rows),) and Jacobian J (len(rows), nv) at y."""
    W, S = np.empty(6), np.empty(6)
    pose_all(M, y, X)
    for a in range(rows.shape[0]):
        phi[a] = row_phi(M.rows[rows[a]], y, X)
        jacobian_row(M, M.rows[rows[a]], y, X, J[a], W, S)


@entry
def residuals_into(M, y, rows, X, phi):
    """Write poses X and residuals phi of the rows at y."""
    pose_all(M, y, X)
    for a in range(rows.shape[0]):
        phi[a] = row_phi(M.rows[rows[a]], y, X)


@inner
def violation(phi, one_sided):
    """How far a residual is from what is wanted: |phi|, or the negative part of a one-sided one."""
    if one_sided:
        return max(0.0, -phi)
    return abs(phi)


@batch
def worst_along(M, Y, rows, out):
    """Write out[k] = largest violation of the rows at state Y[k]."""
    X = np.empty((M.links.shape[0], 12))
    for k in range(Y.shape[0]):
        pose_all(M, Y[k], X)
        worst = 0.0
        for r in rows:
            worst = max(worst, violation(row_phi(M.rows[r], Y[k], X), M.rows[r].one_sided))
        out[k] = worst


def residuals(model: Model, y: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
    """Return phi of the given rows (default: all) at y."""
    rows = np.arange(model.m) if rows is None else rows
    phi = np.empty(len(rows))
    residuals_into(model, y, rows, np.empty((model.nl, 12)), phi)
    return phi


def jacobian(model: Model, y: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
    """Return J (len(rows), nv) = dphi / d(tangent step) at y."""
    rows = np.arange(model.m) if rows is None else rows
    phi, J = np.empty(len(rows)), np.empty((len(rows), model.nv))
    evaluate(model, y, rows, np.empty((model.nl, 12)), phi, J)
    return J


@entry
def _wrenches(M, y, rows, X, out):
    pose_all(M, y, X)
    for a in range(rows.shape[0]):
        row_gradient(M.rows[rows[a]], y, X, out[a])


def wrenches(model: Model, y: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return W (len(rows), 6): gradients of the rows to the twist of r against l."""
    out = np.empty((len(rows), 6))
    _wrenches(model, y, rows, np.empty((model.nl, 12)), out)
    return out
