"""How a point of a link follows the freedoms of a plan: first and second derivatives, exactly.

With a the freedoms [rad or model lengths], x the point, e any vector:

    Z = d(coordinates)/da  (nv, f),      B = dx/da / length  (3, f),
    Q_ij = e . d2x/da_i da_j / length,   by rates along a_i, a_j and a_i + a_j
"""

from __future__ import annotations

import math

import numpy as np

from solvers.compiled import batch, inner
from solvers.rates import rates_kernel
from solvers.rows import row_rates

NEWTON = 12  # freedoms up to which second derivatives are worth their cost


@inner
def place_point(link, p, X, out):
    """Write out (3,) = where the point p of a link is."""
    for i in range(3):
        out[i] = (
            X[link, 9 + i]
            + X[link, 3 * i] * p[0]
            + X[link, 3 * i + 1] * p[1]
            + X[link, 3 * i + 2] * p[2]
        )


@inner
def _point_rates(V, A, i, x, speed, gain):
    """Write velocity and acceleration of the point of link i that is at x."""
    wx, wy, wz = V[i, 0], V[i, 1], V[i, 2]
    ax, ay, az = A[i, 0], A[i, 1], A[i, 2]
    speed[0] = V[i, 3] + wy * x[2] - wz * x[1]
    speed[1] = V[i, 4] + wz * x[0] - wx * x[2]
    speed[2] = V[i, 5] + wx * x[1] - wy * x[0]
    gain[0] = A[i, 3] + ay * x[2] - az * x[1] + wy * speed[2] - wz * speed[1]
    gain[1] = A[i, 4] + az * x[0] - ax * x[2] + wz * speed[0] - wx * speed[2]
    gain[2] = A[i, 5] + ax * x[1] - ay * x[0] + wx * speed[1] - wy * speed[0]


@inner
def gap_between(x, target):
    return math.sqrt((x[0] - target[0]) ** 2 + (x[1] - target[1]) ** 2 + (x[2] - target[2]) ** 2)


@inner
def _curvature(M, V, A, link, x, e, speed, gain):
    """e . d2x/ds2 / length along the motion whose rates are V, A."""
    _point_rates(V, A, link, x, speed, gain)
    return (e[0] * gain[0] + e[1] * gain[1] + e[2] * gain[2]) / M.length


@batch
def tangents(M, P, free, y, link, x, sides, X, V, A, J, w, W, Z, B, G_sides):
    """Write Z (nv, f), B (3, f) and the slopes of one-sided rows G_sides (sides, f).

    Return the largest entry of Z, inf where a block is singular.
    """
    nv = M.low.shape[0]
    v, a = np.zeros(nv), np.zeros(nv)
    speed, gain = np.empty(3), np.empty(3)
    largest = 0.0
    for c in range(free.shape[0]):
        v[:] = 0.0
        v[free[c]] = 1.0 / M.weight[free[c]]
        if not rates_kernel(M, P, y, v, a, X, V, A, J, w, W, False):
            return math.inf
        for k in range(nv):
            Z[k, c] = v[k] * M.weight[k]
            largest = max(largest, abs(Z[k, c]))
        _point_rates(V, A, link, x, speed, gain)
        for i in range(3):
            B[i, c] = speed[i] / M.length
        for s in range(sides.shape[0]):
            if M.rows[sides[s]].one_sided:
                G_sides[s, c], _ = row_rates(M.rows[sides[s]], y, v, a, X, V, A)
    return largest


@batch
def steady_rates(M, P, free, y, a_free, X, V, A, J, w, W, v, a):
    """Complete v, a, V, A for freedoms that move steadily at a_free (f,)."""
    v[:] = 0.0
    a[:] = 0.0
    for c in range(free.shape[0]):
        v[free[c]] = a_free[c] / M.weight[free[c]]
    rates_kernel(M, P, y, v, a, X, V, A, J, w, W, True)


@batch
def curve(M, P, free, y, link, x, e, X, V, A, J, w, W, H):
    """Subtract Q from H, return the largest d2x/da2 / length; for many freedoms nothing and 0."""
    f, nv = free.shape[0], M.low.shape[0]
    if f > NEWTON:
        return 0.0
    bend = 0.0
    v, a, way = np.empty(nv), np.empty(nv), np.zeros(f)
    speed, gain, own = np.empty(3), np.empty(3), np.empty(f)
    for i in range(f):
        way[i] = 1.0
        steady_rates(M, P, free, y, way, X, V, A, J, w, W, v, a)
        own[i] = _curvature(M, V, A, link, x, e, speed, gain)
        H[i, i] -= own[i]
        bend = max(bend, math.sqrt(gain[0] ** 2 + gain[1] ** 2 + gain[2] ** 2) / M.length)
        for j in range(i):
            way[j] = 1.0
            steady_rates(M, P, free, y, way, X, V, A, J, w, W, v, a)
            mixed = 0.5 * (_curvature(M, V, A, link, x, e, speed, gain) - own[i] - own[j])
            H[i, j] -= mixed
            H[j, i] -= mixed
            way[j] = 0.0
        way[i] = 0.0
    return bend
