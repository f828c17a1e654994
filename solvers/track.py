"""Following the mechanism as its drives move: every position on the branch it started on.

`track` takes sub-steps along the tangent, halved until every block keeps its branch and every
limit holds. What still fails at the smallest step is an event: a dead point, or a limit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from solvers.blocks import Plan
from solvers.compiled import batch, entry, inner
from solvers.kinematics import pose_all, pose_ground, pose_link, retract
from solvers.model import Model
from solvers.newton import OK, SIGN_CHANGED, block_jacobian, solve_blocks, solve_small, workspace
from solvers.rates import rates_kernel
from solvers.rows import row_phi, row_rates, violation

REACHED, DEAD_POINT, LIMIT, CONDITION, SINGULAR_START, TOO_MANY, DEPARTED = 0, 1, 2, 3, 4, 5, 6
FIRST_STEP = 0.1  # of the drives [rad or model lengths]: a sub-step no tangent gets wrong by much
LONGEST_STEP = 0.5  # of any coordinate: a tangent tells nothing about longer ones
SPIN_STEP = 0.03  # the same where a ball joint's spin is held, which is kept step by step
SMALLEST_STEP = 1e-13  # of the drives: below it rounding decides
DIP_STEP = 1e-4  # of the first step: shorter ones are not searched for limits passed on the way
LIMIT_EDGE = 1e-12  # how far a limit may be passed by rounding [rad or model lengths]
EDGE = 1e-9  # how far a limit or one-sided row may be passed by rounding
CAREFUL = 1e-14  # residual of the careful road: near singular poses every digit counts
VANISHED = 1.5e-7  # of its largest value so far: a determinant this small is zero; closer, rounding
# joins the branches that meet there (a residual r moves them by sqrt(r))


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
        if (
            over > LIMIT_EDGE
            and over > max(M.low[k] - y_old[k], y_old[k] - M.high[k]) * M.weight[k]
        ):
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
def pose_rest(M, P, y, X):
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
    """Steps of the present size until a determinant is zero if it goes on so, and its block.

    Linear in what the last step did; a double zero is twice as far away.
    """
    steps, block = math.inf, -1
    for b in range(dets.shape[0]):
        fall = abs(before[b]) - abs(dets[b])
        if fall > 0.0 and abs(dets[b]) < steps * fall:
            steps, block = abs(dets[b]) / fall, b
    return steps, block


@inner
def _lowest(g0, slope, g1):
    """Lowest value between g0 and g1 of the parabola that starts with `slope`; inf: at an end."""
    curve = g1 - g0 - slope
    if slope < 0.0 and curve > -0.5 * slope:
        return g0 - 0.25 * slope * slope / curve
    return math.inf


@inner
def dips(M, sides, edge, h, y, y_old, X, X_old, v, a, V, A):
    """Return (REACHED, -1), or the limit or one-sided row that is passed within the step.

    v, V are rates at y_old along the way, X_old the poses there; h is the length of the step.
    """
    for k in range(M.low.shape[0]):
        slope, w = h * v[k], M.weight[k]
        if w * _lowest(y_old[k] - M.low[k], slope, y[k] - M.low[k]) < -EDGE:
            return LIMIT, k
        if w * _lowest(M.high[k] - y_old[k], -slope, M.high[k] - y[k]) < -EDGE:
            return LIMIT, k
    for r in sides:
        row = M.rows[r]
        if row.one_sided:
            rate, _ = row_rates(row, y_old, v, a, X_old, V, A)
            if _lowest(row_phi(row, y_old, X_old), h * rate, row_phi(row, y, X)) < -edge:
                return CONDITION, r
    return REACHED, -1


@inner
def holds_spin(M, known):
    """Whether a freedom of a ball joint is among the known ones: it is held."""
    for i in range(1, M.links.shape[0]):
        for k in range(known.shape[0]):
            if M.links[i].s0 >= 0 and 0 <= known[k] - M.links[i].v0 < 3:
                return True
    return False


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
    longest = SPIN_STEP if holds_spin(M, known) else LONGEST_STEP
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
        # Nowhere to go: y itself may be a singular pose.
        return (REACHED, 1.0, -1) if way == 0.0 else (SINGULAR_START, 0.0, b)
    y[:] = y_try
    for b in range(dets.shape[0]):
        largest[b] = max(abs(dets[b]), abs(signs[b]))
    if way == 0.0:
        return REACHED, 1.0, -1
    # The first step is a short one: it tells how fast the determinants fall.
    s, h = 0.0, min(0.1, FIRST_STEP / way)
    h_first, h_min = h, SMALLEST_STEP / way
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
            if speed > longest:
                failed, reason, culprit = True, DEAD_POINT, -1
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
                    pose_rest(M, P, y_try, X)
                    stop, which = limits_hold(M, sides, edge, y_try, y, X, X_old)
                    if stop == REACHED and h > DIP_STEP * h_first:
                        stop, which = dips(M, sides, edge, h, y_try, y, X, X_old, v, a, V, A)
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
    ends where one would be open by more than `edge`. `signs` are determinants of the blocks: the
    sign is that of the branch, the size a usual one, against which a small one counts as zero
    (default: those at y).
    """
    y = y.copy()
    signs = branch(model, plan, y) if signs is None else signs
    scratch = workspace(plan)
    tol = min(tol, CAREFUL)
    code, fraction, culprit = track_kernel(
        model, plan, known, y, target, signs, sides, edge, tol, cross, max_steps, *scratch
    )
    return Tracked(y, _OUTCOMES[code], float(fraction), int(culprit))
