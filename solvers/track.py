"""Following the mechanism as its drives move: every position on the branch it started on.

`follow` is the fast road for the positions of a sweep: extrapolate the last states, a Newton step
or two per block. Where a guard of newton.py objects it stops, and `track` takes the careful road:
sub-steps along the tangent, halved until every block keeps its branch and every limit holds. What
still fails at the smallest step is an event: a dead point, or a limit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numba import njit

from solvers.blocks import Plan
from solvers.kinematics import pose_all, pose_link, retract
from solvers.model import Model
from solvers.newton import OK, block_jacobian, solve_block, solve_small, workspace
from solvers.rates import rates_kernel
from solvers.rows import row_phi

REACHED, DEAD_POINT, LIMIT, CONDITION, SINGULAR_START, TOO_MANY = 0, 1, 2, 3, 4, 5
FIRST_STEP = 0.1  # of the drives [rad or model lengths]: a sub-step no tangent gets wrong by much
SMALLEST_STEP = 1e-13  # of the drives: below it rounding decides
EDGE = 1e-9  # how far a limit or one-sided row may be passed by rounding
HISTORY = 4  # states the extrapolation uses: a cubic


class Outcome(Enum):
    REACHED = "reached"
    DEAD_POINT = "a dead point"
    LIMIT = "a limit"
    CONDITION = "a one-sided mate"
    SINGULAR_START = "the mechanism stands on a dead point already"
    TOO_MANY = "too many sub-steps"


_OUTCOMES = tuple(Outcome)


@dataclass(frozen=True)
class Tracked:
    """Where a track ended: `fraction` of the way to the target, and what stopped it."""

    y: np.ndarray
    outcome: Outcome
    fraction: float
    culprit: int  # block (dead point), velocity (limit) or row (condition) that said no


@njit(cache=True)
def _poses_before(X):
    X[0, :] = 0.0
    X[0, 0] = X[0, 4] = X[0, 8] = 1.0


@njit(cache=True)
def limits_hold(M, sides, y, y_old, X, X_old):
    """Return (REACHED, -1), or what is violated by more than before: code and number."""
    for k in range(M.low.shape[0]):
        over = max(M.low[k] - y[k], y[k] - M.high[k]) * M.weight[k]
        if over > EDGE and over > max(M.low[k] - y_old[k], y_old[k] - M.high[k]) * M.weight[k]:
            return LIMIT, k
    for r in sides:
        f = row_phi(M, r, y, X)
        if f < -EDGE and f < row_phi(M, r, y_old, X_old):
            return CONDITION, r
    return REACHED, -1


@njit(cache=True)
def _solve_all(M, P, y, X, signs, limit, tol, J, x, W):
    """Solve all blocks in order; return code, block."""
    _poses_before(X)
    nb = P.row_ptr.shape[0] - 1
    for b in range(nb):
        code, det, _ = solve_block(M, P, b, y, X, signs[b], limit, tol, J, x, W)
        if code != OK:
            return code, b
    return OK, -1


@njit(cache=True)
def _pose_rest(M, P, y, X):
    nb = P.row_ptr.shape[0] - 1
    for e in range(P.pre_ptr[nb], P.pre_ptr[nb + 1]):
        pose_link(M, P.pre[e], y, X)


@njit(cache=True)
def determinants(M, P, y, X, J, x, W, out):
    """Write out[b] = determinant of each block at y (all links posed in X)."""
    for b in range(P.row_ptr.shape[0] - 1):
        block_jacobian(M, P, b, y, X, J, W)
        n = P.row_ptr[b + 1] - P.row_ptr[b]
        for r in range(n):
            x[r] = 0.0
        out[b] = solve_small(J, x, n)


@njit(cache=True, nogil=True)
def track_kernel(M, P, known, y, target, signs, sides, tol, cross, max_steps, J, x, W):
    """Move y (in place) until y[known] = target; return outcome, fraction, culprit."""
    nv = M.low.shape[0]
    nl = M.parent.shape[0]
    X, X_old = np.empty((nl, 12)), np.empty((nl, 12))
    V, A = np.zeros((nl, 6)), np.zeros((nl, 6))
    v, a, dv = np.zeros(nv), np.zeros(nv), np.zeros(nv)
    y_try = y.copy()
    nk = known.shape[0]
    start = np.empty(nk)
    way = 0.0
    for k in range(nk):
        start[k] = y[known[k]]
        way = max(way, abs(target[k] - start[k]) * M.weight[known[k]])
    # Polish first, so that a slightly open start is not taken for a dead point.
    y_try[:] = y
    code, b = _solve_all(M, P, y_try, X, signs, 1e-3, tol, J, x, W)
    if code != OK:
        return SINGULAR_START, 0.0, b
    y[:] = y_try
    if way == 0.0:
        return REACHED, 1.0, -1
    s, h = 0.0, min(1.0, FIRST_STEP / way)
    h_min = SMALLEST_STEP / way
    reason, culprit = DEAD_POINT, -1
    for _ in range(max_steps):
        if s >= 1.0:
            return REACHED, 1.0, -1
        h = min(h, 1.0 - s)
        v[:] = 0.0
        for k in range(nk):
            v[known[k]] = target[k] - start[k]
        rates_kernel(M, P, y, v, a, X_old, V, A, J, x, W, False)
        while True:
            speed = 0.0
            for k in range(nv):
                dv[k] = h * v[k]
                speed = max(speed, abs(dv[k]) * M.weight[k])
            failed = False
            if speed > 0.5:
                failed, reason = True, DEAD_POINT
            else:
                retract(M, y, dv, y_try)
                s_new = 1.0 if s + h >= 1.0 else s + h
                for k in range(nk):
                    y_try[known[k]] = start[k] + s_new * (target[k] - start[k])
                # The corrector may not undo much of the step: that would be another branch.
                code, b = _solve_all(M, P, y_try, X, signs, 0.3 * speed + 1e-9, tol, J, x, W)
                if code == 3 and cross:
                    code, b = _solve_all(M, P, y_try, X, signs * 0.0, 0.1 * speed, tol, J, x, W)
                if code != OK:
                    failed, reason, culprit = True, DEAD_POINT, b
                else:
                    _pose_rest(M, P, y_try, X)
                    stop, which = limits_hold(M, sides, y_try, y, X, X_old)
                    if stop != REACHED:
                        failed, reason, culprit = True, stop, which
            if not failed:
                break
            h *= 0.5
            if h < h_min:
                return reason, s, culprit
        y[:] = y_try
        s = s_new
        h *= 1.7
    return TOO_MANY, s, -1


@njit(cache=True, error_model="numpy")
def _extrapolate(t, Y, k, order, nv, ny, y):
    """Write y = the polynomial through the last `order` states, taken at t[k]; quaternions stay."""
    for c in range(ny):
        y[c] = Y[k - 1, c]
    if order < 2:
        return
    for c in range(nv):
        y[c] = 0.0
    for a in range(order):
        weight = 1.0
        for b in range(order):
            if a != b:
                weight *= (t[k] - t[k - 1 - b]) / (t[k - 1 - a] - t[k - 1 - b])
        for c in range(nv):
            y[c] += weight * Y[k - 1 - a, c]


@njit(cache=True, nogil=True)
def follow_kernel(M, P, known, U, t, fresh, first, Y, signs, sides, tol, J, x, W):
    """Fill Y[first:] with the states at drive values U; return the first position not solved.

    Y[first - 1] must hold. `t` is a path parameter that grows; `fresh[k]` says that the path
    bends at k, so that older states do not extrapolate.
    """
    nl, nv, ny = M.parent.shape[0], M.low.shape[0], Y.shape[1]
    X, X_old = np.empty((nl, 12)), np.empty((nl, 12))
    y = np.empty(ny)
    bounded = sides.shape[0] > 0
    for k in range(nv):
        bounded = bounded or math.isfinite(M.low[k]) or math.isfinite(M.high[k])
    _poses_before(X)
    _poses_before(X_old)
    order = 1
    nb = P.row_ptr.shape[0] - 1
    for k in range(first, U.shape[0]):
        order = 1 if fresh[k] or k == first else min(order + 1, HISTORY)
        _extrapolate(t, Y, k, order, nv, ny, y)
        for c in range(known.shape[0]):
            y[known[c]] = U[k, c]
        for b in range(nb):
            code, _, _ = solve_block(M, P, b, y, X, signs[b], 0.1, tol, J, x, W)
            if code != OK:
                return k
        if bounded:
            _pose_rest(M, P, y, X)
            pose_all(M, Y[k - 1], X_old)
            stop, _ = limits_hold(M, sides, y, Y[k - 1], X, X_old)
            if stop != REACHED:
                return k
        Y[k, :] = y
    return U.shape[0]


def branch(model: Model, plan: Plan, y: np.ndarray) -> np.ndarray:
    """Return the sign of each block's determinant at y: the branch the mechanism is on."""
    X = np.empty((model.nl, 12))
    pose_all(model, y, X)
    out = np.empty(plan.nb)
    determinants(model, plan, y, X, *workspace(plan), out)
    return np.sign(out)


def one_sided_rows(model: Model) -> np.ndarray:
    return np.flatnonzero(model.one_sided)


def track(
    model: Model,
    plan: Plan,
    known: np.ndarray,
    y: np.ndarray,
    target: np.ndarray,
    signs: np.ndarray | None = None,
    tol: float = 1e-12,
    cross: bool = False,
    sides: np.ndarray = np.zeros(0, np.int64),
    max_steps: int = 20000,
) -> Tracked:
    """Move the known coordinates straight to `target`; return where that ended and why."""
    y = y.copy()
    signs = branch(model, plan, y) if signs is None else signs
    code, fraction, culprit = track_kernel(
        model, plan, known, y, target, signs, sides, tol, cross, max_steps,
        *workspace(plan),
    )
    return Tracked(y, _OUTCOMES[code], float(fraction), int(culprit))


def follow(
    model: Model,
    plan: Plan,
    known: np.ndarray,
    y: np.ndarray,
    U: np.ndarray,
    tol: float = 1e-12,
    cross: bool = False,
    sides: np.ndarray = np.zeros(0, np.int64),
) -> tuple[np.ndarray, Tracked | None, float]:
    """Return the states at drive values U (k, len(known)) and, if the way ended early, why.

    The returned states stop before the first position that cannot be reached on the branch.
    """
    Y = np.empty((len(U), model.ny))
    signs = branch(model, plan, y)
    first = track(model, plan, known, y, U[0], signs, tol, cross, sides)
    if first.outcome is not Outcome.REACHED:
        return Y[:0], first, 0.0
    Y[0] = first.y
    steps = np.diff(U, axis=0) * model.weight[known]
    size = np.sqrt((steps**2).sum(axis=1))
    t = np.concatenate([[0.0], np.cumsum(size)])
    fresh = np.ones(len(U), np.bool_)
    if len(U) > 2:
        along = (steps[1:] * steps[:-1]).sum(axis=1)
        fresh[2:] = (along < 0.999 * size[1:] * size[:-1]) | (size[1:] == 0) | (size[:-1] == 0)
    k = 1
    scratch = workspace(plan)
    while k < len(U):
        k = follow_kernel(model, plan, known, U, t, fresh, k, Y, signs, sides, tol, *scratch)
        if k == len(U):
            break
        careful = track(model, plan, known, Y[k - 1], U[k], signs, tol, cross, sides)
        if careful.outcome is not Outcome.REACHED:
            return Y[:k], careful, 1e-12
        Y[k] = careful.y
        if cross:
            signs = branch(model, plan, careful.y)
        k += 1
    return Y, None, 1e-12
