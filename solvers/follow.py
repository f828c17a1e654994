"""Sweeps: the positions of a whole path, fast.

Extrapolate the last states, a Newton step or two per block. Where a guard of newton.py objects, a
limit may be passed, or a singular pose is near, `track` takes the careful road to that position.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solvers.blocks import Plan
from solvers.compiled import batch, entry, inner
from solvers.kinematics import pose_ground, turn_quaternion
from solvers.model import Model
from solvers.newton import FLOOR, OK, solve_blocks, workspace
from solvers.rows import residuals, row_phi
from solvers.track import (
    EDGE,
    NO_SIDES,
    REACHED,
    SPIN_STEP,
    Outcome,
    Tracked,
    branch,
    determinants,
    holds_spin,
    limits_hold,
    nearest_zero,
    pose_rest,
    track,
)

LONG = 0.2  # of the drives [rad or model lengths]: longer steps may pass something unseen
NEAR = 1.5  # positions to a zero determinant from which on a sweep takes the careful road
HISTORY = 6  # states the extrapolation uses; 4 do for steps of 0.7 degree, 6 for twice that
EVEN = 1e-9  # steps whose lengths differ by less than this part count as equal
# Weights of the last states for equal steps: y[k] = sum over a of (-1)^a C(n, a+1) y[k-1-a].
EVEN_WEIGHTS = np.zeros((HISTORY + 1, HISTORY))
for _n in range(1, HISTORY + 1):
    for _a in range(_n):
        EVEN_WEIGHTS[_n, _a] = (-1) ** _a * math.comb(_n, _a + 1)


@entry
def path(U, weight, t, orders):
    """Write t = length of way up to each position, orders = how many states extrapolate to it."""
    t[0], orders[0] = 0.0, 1
    before = 0.0
    for k in range(1, U.shape[0]):
        size2 = along = 0.0
        for c in range(U.shape[1]):
            step = (U[k, c] - U[k - 1, c]) * weight[c]
            size2 += step * step
            if k > 1:
                along += step * (U[k - 1, c] - U[k - 2, c]) * weight[c]
        size = math.sqrt(size2)
        t[k] = t[k - 1] + size
        straight = k > 1 and along > 0.0 and along >= 0.999 * size * before
        orders[k] = min(orders[k - 1] + 1, HISTORY) if straight else 1
        before = size


@inner
def _history_weights(t, k, order, weights):
    """Write weights[a] of state k-1-a in the polynomial through `order` states, taken at t[k]."""
    step = t[k] - t[k - 1]
    even = True
    for a in range(1, order):
        even = even and abs(t[k - a] - t[k - a - 1] - step) <= EVEN * step
    for a in range(order):
        if even:
            weights[a] = EVEN_WEIGHTS[order, a]
        else:
            weights[a] = 1.0
            for b in range(order):
                if a != b:
                    weights[a] *= (t[k] - t[k - 1 - b]) / (t[k - 1 - a] - t[k - 1 - b])


@inner
def _extrapolate_turn(u, Y, k, order, weights, y):
    """Turn the quaternion of a ball joint to the weighted sum of its last states.

    Only about the freedoms in `u.turns`. One that is held gets no correction from Newton, so that
    what an extrapolation put there would feed the next one and grow without bound.
    """
    s = u.s0
    w = x = yy = z = 0.0
    for a in range(order):
        f, row = weights[a], k - 1 - a
        w += f * Y[row, s]
        x += f * Y[row, s + 1]
        yy += f * Y[row, s + 2]
        z += f * Y[row, s + 3]
    # Step d = conj(last) * sum, in the link's frame; its vector part is sin(angle / 2).
    lw, lx, ly, lz = Y[k - 1, s], Y[k - 1, s + 1], Y[k - 1, s + 2], Y[k - 1, s + 3]
    dw = lw * w + lx * x + ly * yy + lz * z
    dx = lw * x - lx * w - ly * z + lz * yy
    dy = lw * yy + lx * z - ly * w - lz * x
    dz = lw * z - lx * yy + ly * x - lz * w
    sine = math.sqrt(dx * dx + dy * dy + dz * dz)
    scale = 2.0 / dw if sine < 1e-8 else 2.0 * math.atan2(sine, dw) / sine
    turn_quaternion(
        y,
        s,
        scale * dx if u.turns & 1 else 0.0,
        scale * dy if u.turns & 2 else 0.0,
        scale * dz if u.turns & 4 else 0.0,
    )


@inner
def _extrapolate(P, Y, k, order, weights, y):
    """Move the unknowns in y from state k-1 to the weighted sum of the last `order` states."""
    for at in range(P.unknowns.shape[0]):
        u = P.unknowns[at]
        if u.s0 < 0:
            value = 0.0
            for a in range(order):
                value += weights[a] * Y[k - 1 - a, u.v]
            y[u.v] = value
        elif u.turns:
            _extrapolate_turn(u, Y, k, order, weights, y)


@inner
def _may_dip(g0, g1, g2):
    """Whether the parabola through three equally spaced values comes near zero after the second."""
    slope, curve = 0.5 * (g2 - g0), 0.5 * (g2 - 2.0 * g1 + g0)
    if not (slope < 0.0 and -slope < 2.0 * curve):
        return False
    # A quarter of the curvature for what the parabola does not know.
    return g1 - 0.25 * slope * slope / curve < 0.25 * curve


@inner
def _limit_near(M, sides, k, Y, y, X, phi):
    """Whether a limit or one-sided row may be passed between positions k-1 and k.

    `phi` (2, len(sides)) holds the rows' values at k-2 and k-1 and is moved on.
    """
    near = False
    for c in range(M.low.shape[0]):
        g0, g1, g2 = Y[k - 2, c], Y[k - 1, c], y[c]
        low, high = M.low[c], M.high[c]
        near = near or (low > -math.inf and _may_dip(g0 - low, g1 - low, g2 - low))
        near = near or (high < math.inf and _may_dip(high - g0, high - g1, high - g2))
    for a in range(sides.shape[0]):
        row = M.rows[sides[a]]
        value = row_phi(row, y, X)
        near = near or (row.one_sided and _may_dip(phi[0, a], phi[1, a], value))
        phi[0, a], phi[1, a] = phi[1, a], value
    return near


@batch
def follow_kernel(M, P, known, U, t, orders, first, Y, signs, sides, edge, tol, J, x, W):
    """Fill Y[first:] with the states at drive values U.

    Return the first position not solved and the largest |phi| left in those that were.
    Y[:first] must hold. `t` is a path parameter that grows; `orders[k]` says how many states
    before k extrapolate to it, 1 where the path bends.
    """
    nl, nv, ny = M.links.shape[0], M.low.shape[0], Y.shape[1]
    X, X_old = np.empty((nl, 12)), np.empty((nl, 12))
    y = Y[first - 1].copy()
    weights = np.empty(HISTORY)
    dets, before = np.zeros_like(signs), np.zeros_like(signs)
    bounded = sides.shape[0] > 0
    for k in range(nv):
        bounded = bounded or math.isfinite(M.low[k]) or math.isfinite(M.high[k])
    phi = np.full((2, sides.shape[0]), math.inf)
    pose_ground(X)
    longest = SPIN_STEP if holds_spin(M, known) else LONG
    steps = math.inf
    determinants(M, P, y, X, J, x, W, dets)
    if first > 1:
        determinants(M, P, Y[first - 2], X, J, x, W, before)
        steps, _ = nearest_zero(dets, before)
    for b in range(dets.shape[0]):
        before[b] = dets[b]
    left = 0.0
    for k in range(first, U.shape[0]):
        # Where the path begins, bends or leaps, nothing tells how near a singular pose is.
        step = t[k] - t[k - 1]
        if steps < NEAR or orders[k] < 2 or step > longest or step > 2.0 * (t[k - 1] - t[k - 2]):
            return k, left
        _history_weights(t, k, orders[k], weights)
        _extrapolate(P, Y, k, orders[k], weights, y)
        for c in range(known.shape[0]):
            y[known[c]] = U[k, c]
        code, _, worst = solve_blocks(M, P, y, X, signs, 0.1, tol, dets, J, x, W)
        if code != OK:
            return k, left
        steps, _ = nearest_zero(dets, before)
        for b in range(dets.shape[0]):
            before[b] = dets[b]
        if bounded:
            pose_rest(M, P, y, X)
            stop, _ = limits_hold(M, sides, edge, y, Y[k - 1], X, X_old)
            if stop != REACHED or (k > 1 and _limit_near(M, sides, k, Y, y, X, phi)):
                return k, left
        left = max(left, worst)
        for c in range(ny):
            Y[k, c] = y[c]
    return U.shape[0], left


class Followed(NamedTuple):
    """The states of a sweep, what ended it early (None: nothing), the largest |phi| left."""

    Y: np.ndarray
    ended: Tracked | None
    residual: float


def follow(
    model: Model,
    plan: Plan,
    known: np.ndarray,
    y: np.ndarray,
    U: np.ndarray,
    tol: float = 1e-12,
    cross: bool = False,
    sides: np.ndarray = NO_SIDES,
    edge: float = EDGE,
    signs: np.ndarray | None = None,
) -> Followed:
    """Return the states at drive values U (k, len(known)) and, if the way ended early, why.

    The returned states stop before the first position that cannot be reached on the branch.
    `sides` are rows to watch, `signs` determinants on the branch and of usual size, as in `track`.
    """
    # One layout, whatever slice came in: the kernels are compiled once.
    way = np.ascontiguousarray(U, float)
    Y = np.empty((len(way), model.ny))
    signs = branch(model, plan, y) if signs is None else signs
    first = track(model, plan, known, y, way[0], signs, tol, cross, sides=sides, edge=edge)
    if first.outcome is not Outcome.REACHED:
        return Followed(Y[:0], first, 0.0)
    Y[0] = first.y
    left = _residual(model, plan, Y[0])
    t, orders = np.empty(len(way)), np.empty(len(way), np.int64)
    path(way, model.weight[known], t, orders)
    scratch = workspace(plan)
    k = 1
    while k < len(way):
        k, worst = follow_kernel(
            model, plan, known, way, t, orders, k, Y, signs, sides, edge, tol, *scratch
        )
        left = max(left, worst)
        if k == len(way):
            break
        careful = track(
            model, plan, known, Y[k - 1], way[k], signs, tol, cross, sides=sides, edge=edge
        )
        if careful.outcome is not Outcome.REACHED:
            if not (cross and _leap(model, plan, way, known, t, orders[k], Y, k)):
                return Followed(Y[:k], careful, left)
            left, signs = max(left, _residual(model, plan, Y[k])), np.zeros(plan.nb)
            k += 1
            continue
        Y[k] = careful.y
        left = max(left, _residual(model, plan, Y[k]))
        if cross:
            signs = branch(model, plan, careful.y)
        k += 1
    return Followed(Y, None, left)


def _leap(model, plan, U, known, t, order, Y, k) -> bool:
    """Write Y[k], a position on a singular pose, by extrapolation alone; False: it does not fit."""
    if order < 4:
        return False
    t_old = t[k - order : k]
    weights = [
        np.prod((t[k] - np.delete(t_old, a)) / (t_old[a] - np.delete(t_old, a)))
        for a in range(order)
    ]
    y = np.asarray(weights) @ Y[k - order : k]
    y[known] = U[k]
    for s in range(model.nv, model.ny, 4):
        y[s : s + 4] /= np.linalg.norm(y[s : s + 4])
    if _residual(model, plan, y) > FLOOR:
        return False
    Y[k] = y
    return True


def _residual(model: Model, plan: Plan, y: np.ndarray) -> float:
    return float(np.abs(residuals(model, y, plan.rows)).max(initial=0.0))
