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

from solvers.blocks import Plan
from solvers.compiled import batch, entry, inner
from solvers.kinematics import pose_all, pose_ground, pose_link, retract, turn_quaternion
from solvers.model import Model
from solvers.newton import OK, SIGN_CHANGED, block_jacobian, solve_blocks, solve_small, workspace
from solvers.rates import rates_kernel
from solvers.rows import residuals, row_phi, violation

REACHED, DEAD_POINT, LIMIT, CONDITION, SINGULAR_START, TOO_MANY, DEPARTED = 0, 1, 2, 3, 4, 5, 6
FIRST_STEP = 0.1  # of the drives [rad or model lengths]: a sub-step no tangent gets wrong by much
SMALLEST_STEP = 1e-13  # of the drives: below it rounding decides
EDGE = 1e-9  # how far a limit or one-sided row may be passed by rounding
CAREFUL = 1e-14  # residual of the careful road: near singular poses every digit counts
VANISHED = 1e-7  # of its largest value so far: a determinant this small is zero; closer, rounding
# joins the branches that meet there (a residual r moves them by sqrt(r))
NEAR = 1.5  # positions to a zero determinant from which on a sweep takes the careful road
HISTORY = 6  # states the extrapolation uses; 4 do for steps of 0.7 degree, 6 for twice that
EVEN = 1e-9  # steps whose lengths differ by less than this part count as equal
# Weights of the last states for equal steps: y[k] = sum over a of (-1)^a C(n, a+1) y[k-1-a].
EVEN_WEIGHTS = np.zeros((HISTORY + 1, HISTORY))
for _n in range(1, HISTORY + 1):
    for _a in range(_n):
        EVEN_WEIGHTS[_n, _a] = (-1) ** _a * math.comb(_n, _a + 1)


class Outcome(Enum):
    REACHED = "reached"
    DEAD_POINT = "a dead point"
    LIMIT = "a limit"
    CONDITION = "a one-sided mate"
    SINGULAR_START = "the mechanism stands on a dead point already"
    TOO_MANY = "too many sub-steps"
    DEPARTED = "a row that should follow from the others no longer holds"


_OUTCOMES = tuple(Outcome)


@dataclass(frozen=True)
class Tracked:
    """Where a track ended: `fraction` of the way to the target, and what stopped it."""

    y: np.ndarray
    outcome: Outcome
    fraction: float
    culprit: int  # block (dead point), velocity (limit) or row (condition) that said no


@inner
def limits_hold(M, sides, edge, y, y_old, X, X_old):
    """Return (REACHED, -1), or what is violated by more than before: code and number.

    X holds the poses at y; X_old is scratch.
    """
    for k in range(M.low.shape[0]):
        over = max(M.low[k] - y[k], y[k] - M.high[k]) * M.weight[k]
        if over > EDGE and over > max(M.low[k] - y_old[k], y_old[k] - M.high[k]) * M.weight[k]:
            return LIMIT, k
    for r in sides:
        row = M.rows[r]
        open_by = violation(row_phi(row, y, X), row.one_sided)
        if open_by > edge:
            pose_all(M, y_old, X_old)
            if open_by > violation(row_phi(row, y_old, X_old), row.one_sided):
                return (CONDITION if row.one_sided else DEPARTED), r
    return REACHED, -1


@inner
def _pose_rest(M, P, y, X):
    rest = P.blocks[P.blocks.shape[0] - 1]
    for e in range(rest.pre, rest.links):
        i = P.links[e]
        pose_link(M.links[i], i, y, X)


@entry
def determinants(M, P, y, X, J, x, W, out):
    """Write X = poses at y and out[b] = determinant of each block."""
    pose_all(M, y, X)
    for b in range(P.blocks.shape[0] - 1):
        block_jacobian(M, P, b, y, X, J, W)
        n = P.blocks[b].end - P.blocks[b].start
        for r in range(n):
            x[r] = 0.0
        out[b] = solve_small(J, x, n)


@inner
def nearest_zero(dets, before):
    """Steps of the present size until the first determinant is zero, if it goes on so; and its block.

    Linear in what the last step did; a double zero is twice as far away.
    """
    steps, block = math.inf, -1
    for b in range(dets.shape[0]):
        fall = abs(before[b]) - abs(dets[b])
        if fall > 0.0 and abs(dets[b]) < steps * fall:
            steps, block = abs(dets[b]) / fall, b
    return steps, block


@batch
def track_kernel(M, P, known, y, target, signs, sides, edge, tol, cross, max_steps, J, x, W):
    """Move y (in place) until y[known] = target; return outcome, fraction, culprit."""
    nv = M.low.shape[0]
    nl = M.links.shape[0]
    X, X_old = np.empty((nl, 12)), np.empty((nl, 12))
    V, A = np.zeros((nl, 6)), np.zeros((nl, 6))
    v, a, dv = np.zeros(nv), np.zeros(nv), np.zeros(nv)
    y_try = y.copy()
    any_sign = np.zeros_like(signs)
    dets, before, largest = np.zeros_like(signs), np.zeros_like(signs), np.zeros_like(signs)
    nk = known.shape[0]
    start = np.empty(nk)
    way = 0.0
    for k in range(nk):
        start[k] = y[known[k]]
        way = max(way, abs(target[k] - start[k]) * M.weight[known[k]])
    # Polish first, so that a slightly open start is not taken for a dead point.
    y_try[:] = y
    pose_ground(X)
    code, b, _ = solve_blocks(M, P, y_try, X, signs, 1e-3, tol, dets, J, x, W)
    if code != OK:
        return SINGULAR_START, 0.0, b
    y[:] = y_try
    for b in range(dets.shape[0]):
        largest[b] = max(abs(dets[b]), abs(signs[b]))
    if way == 0.0:
        return REACHED, 1.0, -1
    # The first step is a short one: it tells how fast the determinants fall.
    s, h = 0.0, min(0.1, FIRST_STEP / way)
    h_min = SMALLEST_STEP / way
    reason, culprit = DEAD_POINT, -1
    for _ in range(max_steps):
        if s >= 1.0:
            return REACHED, 1.0, -1
        h = min(h, 1.0 - s)
        for b in range(dets.shape[0]):
            before[b] = dets[b]
        v[:] = 0.0
        for k in range(nk):
            v[known[k]] = target[k] - start[k]
        rates_kernel(M, P, y, v, a, X_old, V, A, J, x, W, False)
        s_new = s
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
                limit = 0.3 * speed + 1e-9
                code, b, _ = solve_blocks(M, P, y_try, X, signs, limit, tol, dets, J, x, W)
                if code == SIGN_CHANGED and cross:
                    limit = 0.1 * speed
                    code, b, _ = solve_blocks(M, P, y_try, X, any_sign, limit, tol, dets, J, x, W)
                if code != OK:
                    failed, reason, culprit = True, DEAD_POINT, b
                else:
                    _pose_rest(M, P, y_try, X)
                    stop, which = limits_hold(M, sides, edge, y_try, y, X, X_old)
                    if stop != REACHED:
                        failed, reason, culprit = True, stop, which
            if not failed:
                break
            h *= 0.5
            if h < h_min:
                return reason, s, culprit
        y[:] = y_try
        s = s_new
        if not cross:
            # Towards a singular pose in steps too short to pass it: another branch begins there.
            for b in range(dets.shape[0]):
                largest[b] = max(largest[b], abs(dets[b]))
                if abs(dets[b]) < VANISHED * largest[b] and abs(dets[b]) < abs(before[b]):
                    return DEAD_POINT, s, b
            steps, b = nearest_zero(dets, before)
            if 0.5 * steps < 1.7:
                h *= 0.5 * steps
                if h < h_min:
                    return DEAD_POINT, s, b
                continue
        h *= 1.7
    return TOO_MANY, s, -1


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
    pose_ground(X)
    steps = math.inf
    determinants(M, P, y, X, J, x, W, dets)
    if first > 1:
        determinants(M, P, Y[first - 2], X, J, x, W, before)
        steps, _ = nearest_zero(dets, before)
    for b in range(dets.shape[0]):
        before[b] = dets[b]
    left = 0.0
    for k in range(first, U.shape[0]):
        if steps < NEAR:
            return k, left
        if orders[k] > 1:
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
            _pose_rest(M, P, y, X)
            stop, _ = limits_hold(M, sides, edge, y, Y[k - 1], X, X_old)
            if stop != REACHED:
                return k, left
        left = max(left, worst)
        for c in range(ny):
            Y[k, c] = y[c]
    return U.shape[0], left


NO_SIDES = np.empty(0, np.int64)


def branch(model: Model, plan: Plan, y: np.ndarray) -> np.ndarray:
    """Return the determinant of each block at y: its sign is the branch, its size what is usual."""
    out = np.empty(plan.nb)
    determinants(model, plan, y, np.empty((model.nl, 12)), *workspace(plan), out)
    return out


def track(
    model: Model,
    plan: Plan,
    known: np.ndarray,
    y: np.ndarray,
    target: np.ndarray,
    signs: np.ndarray | None = None,
    tol: float = 1e-12,
    cross: bool = False,
    max_steps: int = 20000,
    sides: np.ndarray = NO_SIDES,
    edge: float = EDGE,
) -> Tracked:
    """Move the known coordinates straight to `target`; return where that ended and why.

    `sides` are rows to watch beyond those solved for, one-sided ones and surplus ones: the way
    ends where one would be open by more than `edge`.
    """
    y = y.copy()
    signs = branch(model, plan, y) if signs is None else signs
    scratch = workspace(plan)
    tol = min(tol, CAREFUL)
    code, fraction, culprit = track_kernel(
        model, plan, known, y, target, signs, sides, edge, tol, cross, max_steps, *scratch
    )
    return Tracked(y, _OUTCOMES[code], float(fraction), int(culprit))


@dataclass(frozen=True)
class Followed:
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
) -> tuple[np.ndarray, Tracked | None]:
    """Return the states at drive values U (k, len(known)) and, if the way ended early, why.

    The returned states stop before the first position that cannot be reached on the branch.
    `sides` are rows to watch, as in `track`.
    """
    done = followed(model, plan, known, y, U, tol, cross, sides, edge)
    return done.Y, done.ended


def followed(
    model: Model,
    plan: Plan,
    known: np.ndarray,
    y: np.ndarray,
    U: np.ndarray,
    tol: float = 1e-12,
    cross: bool = False,
    sides: np.ndarray = NO_SIDES,
    edge: float = EDGE,
) -> Followed:
    """Return what `follow` does, and the largest residual of all positions."""
    # One layout, whatever slice came in: the kernels are compiled once.
    way = np.ascontiguousarray(U, float)
    Y = np.empty((len(way), model.ny))
    signs = branch(model, plan, y)
    first = track(model, plan, known, y, U[0], signs, tol, cross, sides=sides, edge=edge)
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
            model, plan, known, U, t, orders, k, Y, signs, sides, edge, tol, *scratch
        )
        left = max(left, worst)
        if k == len(way):
            break
        careful = track(model, plan, known, Y[k - 1], U[k], signs, tol, cross, sides=sides, edge=edge)
        if careful.outcome is not Outcome.REACHED:
            return Followed(Y[:k], careful, left)
        Y[k] = careful.y
        left = max(left, _residual(model, plan, Y[k]))
        if cross:
            signs = branch(model, plan, careful.y)
        k += 1
    return Followed(Y, None, left)


def _residual(model: Model, plan: Plan, y: np.ndarray) -> float:
    return float(np.abs(residuals(model, y, plan.rows)).max(initial=0.0))
