"""Newton on one block, with the guards that keep it on its branch.

A block is left untouched on its branch when the first correction is small, every further one is
much smaller than the one before (contraction: the basin of one root), and the determinant of its
Jacobian keeps its sign (neighbouring branches meet where it is zero).
"""

from __future__ import annotations

import math

import numpy as np

from solvers.blocks import COORDINATE_I, COORDINATE_J, Plan
from solvers.compiled import inlined, inner
from solvers.kinematics import pose_link, turn_quaternion
from solvers.rows import row_gradient, row_phi

OK, NO_CONTRACTION, SINGULAR, SIGN_CHANGED = 0, 1, 2, 3
MAX_ITER = 8
CONTRACTION = 0.35  # a Newton step in the basin of its root is at least this much smaller
FLOOR = 1e-10  # residual that rounding may leave on an ill-conditioned block


@inner
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


@inlined
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


@inlined
def block_jacobian(M, P, b, y, X, J, W):
    """Write the square Jacobian of block b, in comparable units (radians, model lengths)."""
    block = P.blocks[b]
    n = block.end - block.start
    for r in range(n):
        for c in range(n):
            J[r, c] = 0.0
        equation = P.equations[block.start + r]
        gi, gj = row_gradient(M.rows[equation.row], y, X, W)
        for e in range(equation.start, equation.end):
            entry = P.entries[e]
            c = entry.axis
            if c == COORDINATE_I:
                J[r, entry.col] += entry.push * gi
            elif c == COORDINATE_J:
                J[r, entry.col] += entry.push * gj
            else:
                i = entry.link
                ux, uy, uz = X[i, c], X[i, 3 + c], X[i, 6 + c]
                value = entry.push * (W[3] * ux + W[4] * uy + W[5] * uz)
                if entry.lever != 0.0:
                    px, py, pz = X[i, 9], X[i, 10], X[i, 11]
                    # Moment of the wrench about the joint: (n - p x f) . u
                    value += entry.lever * (
                        (W[0] - (py * W[5] - pz * W[4])) * ux
                        + (W[1] - (pz * W[3] - px * W[5])) * uy
                        + (W[2] - (px * W[4] - py * W[3])) * uz
                    )
                J[r, entry.col] += value


@inner
def turn_ball(P, start, end, at, x, y):
    """Turn the ball joint of the unknown `at` by all its unknowns in the block together."""
    lead = P.unknowns[at]
    wx = wy = wz = 0.0
    for other in range(at, end):
        u = P.unknowns[other]
        if u.link == lead.link:
            if u.axis == 0:
                wx = x[other - start]
            elif u.axis == 1:
                wy = x[other - start]
            else:
                wz = x[other - start]
    turn_quaternion(y, lead.s0, wx, wy, wz)


@inner
def solve_blocks(M, P, y, X, signs, limit, tol, dets, J, x, W):
    """Bring every block to |phi| <= tol by Newton from y; return code, block, largest |phi| left.

    `signs` are those of the determinants on the branch (0: any); `limit` is the largest correction
    [rad or model lengths] that still counts as the same branch. X[0] must hold the ground; the
    links no block needs are not posed. `dets` gets the determinant of each block next to its root.
    At a code other than OK, y is spoilt from `block` on.
    """
    left = 0.0
    for b in range(P.blocks.shape[0] - 1):
        block = P.blocks[b]
        start, end = block.start, block.end
        n = end - start
        for e in range(block.pre, block.links):
            i = P.links[e]
            pose_link(M.links[i], i, y, X)
        before, total, last = math.inf, 0.0, math.inf
        for it in range(MAX_ITER):
            for e in range(block.links, block.end_links):
                i = P.links[e]
                pose_link(M.links[i], i, y, X)
            worst = 0.0
            for r in range(n):
                f = row_phi(M.rows[P.equations[start + r].row], y, X)
                x[r] = -f
                if not abs(f) <= worst:
                    worst = abs(f)
            if it > 0 and (worst <= tol or (worst <= FLOOR and worst >= 0.5 * last)):
                left = max(left, worst)
                break
            if it == MAX_ITER - 1 or not math.isfinite(worst):
                return NO_CONTRACTION, b, worst
            block_jacobian(M, P, b, y, X, J, W)
            det = solve_small(J, x, n)
            if det == 0.0 or not math.isfinite(det):
                return SINGULAR, b, worst
            if signs[b] * det < 0.0:
                return SIGN_CHANGED, b, worst
            dets[b] = det
            size = 0.0
            for r in range(n):
                size = max(size, abs(x[r]))
            total += size
            if total > limit or (it > 0 and size > 1e-9 and size > CONTRACTION * before):
                return NO_CONTRACTION, b, worst
            before, last = size, worst
            for at in range(start, end):
                u = P.unknowns[at]
                if u.s0 < 0:
                    y[u.v] += x[at - start] * u.unit
                elif u.turns:
                    turn_ball(P, start, end, at, x, y)
    return OK, -1, left


def workspace(plan: Plan) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return scratch J, x, W large enough for every block of the plan."""
    n = int((plan.blocks["end"] - plan.blocks["start"]).max(initial=1))
    return np.empty((n, n)), np.empty(n), np.empty(6)
