"""Newton on one block, with the guards that keep it on its branch.

A block is left untouched on its branch when the first correction is small, every further one is
much smaller than the one before (contraction: the basin of one root), and the determinant of its
Jacobian keeps its sign (neighbouring branches meet where it is zero).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from solvers.kinematics import pose_link, turn_quaternion
from solvers.rows import row_gradient, row_phi

OK, NO_CONTRACTION, SINGULAR, SIGN_CHANGED = 0, 1, 2, 3
MAX_ITER = 8
CONTRACTION = 0.35  # a Newton step in the basin of its root is at least this much smaller
FLOOR = 1e-10  # residual that rounding may leave on an ill-conditioned block


@njit(cache=True, error_model="numpy")
def lu_solve(A, b, n):
    """Solve A x = b in place (x in b), partial pivoting; return the determinant."""
    det = 1.0
    for k in range(n):
        p, big = k, abs(A[k, k])
        for i in range(k + 1, n):
            if abs(A[i, k]) > big:
                p, big = i, abs(A[i, k])
        if big == 0.0:
            return 0.0
        if p != k:
            for j in range(k, n):
                A[k, j], A[p, j] = A[p, j], A[k, j]
            b[k], b[p] = b[p], b[k]
            det = -det
        det *= A[k, k]
        inv = 1.0 / A[k, k]
        for i in range(k + 1, n):
            f = A[i, k] * inv
            if f != 0.0:
                for j in range(k + 1, n):
                    A[i, j] -= f * A[k, j]
                b[i] -= f * b[k]
    for k in range(n - 1, -1, -1):
        s = b[k]
        for j in range(k + 1, n):
            s -= A[k, j] * b[j]
        b[k] = s / A[k, k]
    return det


@njit(cache=True, error_model="numpy")
def solve_small(J, x, n):
    """Solve J x = x in place; 1x1 and 2x2 in closed form; return the determinant."""
    if n == 1:
        det = J[0, 0]
        if det != 0.0:
            x[0] /= det
        return det
    if n == 2:
        det = J[0, 0] * J[1, 1] - J[0, 1] * J[1, 0]
        if det != 0.0:
            x0 = (J[1, 1] * x[0] - J[0, 1] * x[1]) / det
            x[1] = (J[0, 0] * x[1] - J[1, 0] * x[0]) / det
            x[0] = x0
        return det
    return lu_solve(J, x, n)


@njit(cache=True, error_model="numpy")
def block_jacobian(M, P, b, y, X, J, W):
    """Write the square Jacobian of block b, in comparable units (radians, model lengths)."""
    start = P.row_ptr[b]
    n = P.row_ptr[b + 1] - start
    for r in range(n):
        k = P.rows[start + r]
        for c in range(n):
            J[r, c] = 0.0
        gi, gj = row_gradient(M, k, y, X, W)
        for e in range(P.entry_ptr[start + r], P.entry_ptr[start + r + 1]):
            axis, col = P.entry_axis[e], P.entry_col[e]
            if axis == -1:
                J[r, col] += gi
            elif axis == -2:
                J[r, col] += gj
            else:
                i = P.entry_link[e]
                kind = M.joint[i]
                c = 2 if kind <= 2 else axis
                ux, uy, uz = X[i, c], X[i, 3 + c], X[i, 6 + c]
                force = W[3] * ux + W[4] * uy + W[5] * uz
                if kind == 1:
                    J[r, col] += P.entry_sign[e] * force
                else:
                    px, py, pz = X[i, 9], X[i, 10], X[i, 11]
                    # Moment of the wrench about the joint: (n - p x f) . u
                    moment = (
                        (W[0] - (py * W[5] - pz * W[4])) * ux
                        + (W[1] - (pz * W[3] - px * W[5])) * uy
                        + (W[2] - (px * W[4] - py * W[3])) * uz
                    )
                    J[r, col] += P.entry_sign[e] * (moment + M.pitch[i] * force)
    for c in range(n):
        w = M.weight[P.cols[start + c]]
        if w != 1.0:
            for r in range(n):
                J[r, c] /= w


@njit(cache=True)
def step_column(M, P, at, dx, y):
    """Move the unknown at position `at` of the plan by dx [rad or model lengths]."""
    v = P.cols[at]
    link = P.col_link[at]
    if link > 0 and M.joint[link] >= 3:
        axis = P.col_axis[at]
        s = M.s0[link]
        turn_quaternion(
            y, s, dx if axis == 0 else 0.0, dx if axis == 1 else 0.0, dx if axis == 2 else 0.0
        )
    else:
        y[v] += dx / M.weight[v]


@njit(cache=True)
def step_block(M, P, b, x, y):
    """Move all unknowns of block b by x; the freedoms of one ball joint turn together."""
    start, end = P.row_ptr[b], P.row_ptr[b + 1]
    at = start
    while at < end:
        link = P.col_link[at]
        if link > 0 and M.joint[link] >= 3:
            wx = wy = wz = 0.0
            first = True
            for other in range(start, end):
                if P.col_link[other] == link:
                    if other < at:
                        first = False
                    axis = P.col_axis[other]
                    if axis == 0:
                        wx = x[other - start]
                    elif axis == 1:
                        wy = x[other - start]
                    else:
                        wz = x[other - start]
            if first:
                turn_quaternion(y, M.s0[link], wx, wy, wz)
        else:
            v = P.cols[at]
            y[v] += x[at - start] / M.weight[v]
        at += 1


@njit(cache=True, error_model="numpy")
def solve_block(M, P, b, y, X, sign, limit, tol, J, x, W):
    """Bring block b to |phi| <= tol by Newton from y; return code, determinant, total correction.

    `sign` is the determinant's sign on the branch (0: any); `limit` the largest correction
    [rad or model lengths] that still counts as the same branch.
    """
    start, end = P.row_ptr[b], P.row_ptr[b + 1]
    n = end - start
    for e in range(P.pre_ptr[b], P.pre_ptr[b + 1]):
        pose_link(M, P.pre[e], y, X)
    det, before, total, last = 0.0, math.inf, 0.0, math.inf
    for it in range(MAX_ITER):
        for e in range(P.link_ptr[b], P.link_ptr[b + 1]):
            pose_link(M, P.links[e], y, X)
        worst = 0.0
        for r in range(n):
            f = row_phi(M, P.rows[start + r], y, X)
            x[r] = -f
            if not abs(f) <= worst:
                worst = abs(f)
        if it > 0 and (worst <= tol or (worst <= FLOOR and worst >= 0.5 * last)):
            return OK, det, total
        if not math.isfinite(worst):
            return NO_CONTRACTION, det, total
        block_jacobian(M, P, b, y, X, J, W)
        det = solve_small(J, x, n)
        if det == 0.0 or not math.isfinite(det):
            return SINGULAR, 0.0, total
        if sign * det < 0.0:
            return SIGN_CHANGED, det, total
        size = 0.0
        for r in range(n):
            size = max(size, abs(x[r]))
        total += size
        if total > limit or (it > 0 and size > 1e-9 and size > CONTRACTION * before):
            return NO_CONTRACTION, det, total
        before, last = size, worst
        step_block(M, P, b, x, y)
        if worst <= tol:
            for e in range(P.link_ptr[b], P.link_ptr[b + 1]):
                pose_link(M, P.links[e], y, X)
            return OK, det, total
    return NO_CONTRACTION, det, total


def workspace(plan) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return scratch J, x, W large enough for every block of the plan."""
    n = int(np.diff(plan.row_ptr).max(initial=1))
    return np.empty((n, n)), np.empty(n), np.empty(6)
