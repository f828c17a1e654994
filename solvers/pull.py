"""Pulling: move the mechanism so that a point p of a link comes as near to a target t as it can.

    minimise 1/2 |e|^2,  e = (t - x(y)) / length,  over states at which all rows and bounds hold

Freedoms a are known coordinates of a plan; Z (nv, f) says how all coordinates follow, so that its
columns span the null space of the closing rows. B and Q are the first and second derivatives of x
(solvers/point_motion.py), Q along r, the part of e that a first-order step leaves. A step solves

    (B'B - Q + damping Z'Z) a = B'e,      C a <= d  for bounds and one-sided rows

For a target within reach r = 0: the smallest of all steps that get there. Beyond reach B'e = 0 and
r = e at the end: Newton's step.

`track` then walks the step with all its guards: branch, limits, dead points. One that does not
bring the point nearer is undone and tried again, shorter.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import NamedTuple

import numpy as np

from solvers.blocks import Plan
from solvers.compiled import batch, inner
from solvers.kinematics import BALL, pose_all, retract
from solvers.model import Model
from solvers.point_motion import curve, gap_between, place_point, steady_rates, tangents
from solvers.pull_bounds import LONGEST, bounds_near, make_room, most_in_the_way
from solvers.pull_scratch import scratch
from solvers.quadratic import cholesky, cholesky_solve, minimise, with_rows
from solvers.track import (
    CAREFUL,
    CONDITION,
    DEAD_POINT,
    LIMIT,
    REACHED,
    TOO_MANY,
    determinants,
    track_kernel,
)

ARRIVED, NEAREST, AT_LIMIT, AT_SIDE, NO_EFFECT, STANDS, POOR_PLAN, BLOCKED, ON_THE_WAY = range(9)
NEAR = 1e-10  # of the model length: a point this near to its target goes no further
THERE = 1e-7  # the same: it counts as arrived where steps bring it no nearer
SETTLED = 1e-9  # the same: a shorter step is none
POOR = 10.0  # how much faster than the freedoms a coordinate may move before others are chosen
DAMPING = 1e-9  # of the largest entry: picks the smallest step among equally good ones
DEAD = 1e-6  # [rad or model lengths]: so near to a dead point a pull does not know its way
NUDGE = 0.01  # the same: the way back from a dead point to where a pull came from
STEPS = 60  # of one call
TRIES = 12  # of one step, each shorter
WALK = 2000  # sub-steps along one step
PROBE = 1e-6  # [rad or model lengths] along the tangent, to see how fast determinants fall


class PullOutcome(Enum):
    ARRIVED = "the point is at its target"
    NEAREST = "no way leads nearer"
    AT_LIMIT = "a bound is in the way"
    AT_SIDE = "a one-sided row is in the way"
    NO_EFFECT = "a dead point: to the first order the pull has no effect"
    STANDS = "no freedom moves the point"
    POOR_PLAN = "other freedoms must be chosen here"
    BLOCKED = "the freedoms lead no further"
    ON_THE_WAY = "steps used up"


_OUTCOMES = tuple(PullOutcome)


class PullResult(NamedTuple):
    y: np.ndarray
    outcome: PullOutcome
    gap: float  # [m] left between point and target
    culprit: int  # velocity (limit), row (one-sided) or block (blocked), -1: none


@inner
def _shortened(Z, a, f):
    """Scale the step a so that no coordinate moves too far; return the largest change of one."""
    size = 0.0
    for k in range(Z.shape[0]):
        s = 0.0
        for c in range(f):
            s += Z[k, c] * a[c]
        size = max(size, abs(s))
    if size > LONGEST:
        for c in range(f):
            a[c] *= LONGEST / size
        return LONGEST
    return size


@inner
def _forget_balls(M, y):
    """Zero the numbers of ball joints, which `track` counts up: the quaternion holds the turn."""
    for i in range(1, M.links.shape[0]):
        link = M.links[i]
        if link.s0 >= 0:
            for c in range(3 if link.joint == BALL else 2):
                y[link.v0 + c] = 0.0


@inner
def _damped(H, G, damping, F):
    """Write F = H + damping G and factor it; return False if that is not positive."""
    n = F.shape[0]
    for i in range(n):
        for j in range(n):
            F[i, j] = H[i, j] + damping * G[i, j]
    return cholesky(F, n)


@inner
def _squares(Z, G):
    """Write G = Z'Z."""
    for i in range(G.shape[0]):
        for j in range(i + 1):
            s = 0.0
            for k in range(Z.shape[0]):
                s += Z[k, i] * Z[k, j]
            G[i, j] = G[j, i] = s


@inner
def _out_of_reach(T):
    """Write r = e - B a for the best short step a of Gauss and Newton, H = B'B: what it leaves.

    Only this part bends the way to the end. Where a step gets there r is 0, and of all such steps
    the damping picks the smallest.
    """
    f, largest = T.a.shape[0], 1e-300
    for c in range(f):
        largest = max(largest, T.H[c, c])
        T.a[c] = T.b[c]
    if _damped(T.H, T.G, DAMPING * largest, T.F):
        cholesky_solve(T.F, T.a, f)
    _shortened(T.Z, T.a, f)
    for i in range(3):
        T.r[i] = T.e[i]
        for c in range(f):
            T.r[i] -= T.B[i, c] * T.a[c]


@inner
def _targets(M, y, known, at, a, out):
    """Write the known values (nk,) at the end of the step a, within their bounds."""
    for k in range(known.shape[0]):
        out[k] = y[known[k]]
    for c in range(at.shape[0]):
        k = known[at[c]]
        out[at[c]] = min(max(y[k] + a[c] / M.weight[k], M.low[k]), M.high[k])


@inner
def _dead_end(code):
    """Whether a walk ended at a dead point: these freedoms lead no further."""
    return code != REACHED and code != LIMIT and code != CONDITION and code != TOO_MANY


@batch
def _aim(M, P, free, y, link, target, back, sides, poor, T):
    """Write e, Z, B, H, G, b and the factor F of H + damping G at y.

    Return an outcome that ends the pull, or -1, then damping and the size of H.
    """
    f = free.shape[0]
    for i in range(3):
        T.e[i] = (target[i] - T.x[i]) / M.length
    fastest = tangents(
        M, P, free, y, link, T.x, sides, T.X, T.V, T.A, T.J, T.w, T.W, T.Z, T.B, T.slopes
    )
    if fastest > poor:
        return POOR_PLAN, 0.0, 0.0
    _squares(T.Z, T.G)
    _squares(T.B, T.H)
    force = effect = 0.0
    for c in range(f):
        T.b[c] = T.B[0, c] * T.e[0] + T.B[1, c] * T.e[1] + T.B[2, c] * T.e[2]
        force = max(force, abs(T.b[c]))
        effect = max(effect, abs(T.B[0, c]), abs(T.B[1, c]), abs(T.B[2, c]))
    _out_of_reach(T)
    bend = curve(M, P, free, y, link, T.x, T.r, T.X, T.V, T.A, T.J, T.w, T.W, T.H)
    size = SETTLED * bend
    for c in range(f):
        size = max(size, abs(T.H[c, c]))
    if max(effect, bend) <= SETTLED:
        return STANDS, 0.0, 0.0
    damping = DAMPING * size
    while not _damped(T.H, T.G, damping, T.F):
        damping *= 4.0
    saddle = damping > 1e3 * DAMPING * size
    if effect <= DEAD * bend or (saddle and force <= DEAD * size):
        # Nearer on both sides, or on none. A pull that came here goes back the way it came.
        way = _shortened(T.Z, back, f)
        if not saddle or way == 0.0:
            return NO_EFFECT, 0.0, 0.0
        for c in range(f):
            T.b[c] = 0.0
            for k in range(f):
                T.b[c] += damping * T.G[c, k] * back[k] * (NUDGE / way)
    return -1, damping, size


@batch
def _room_to_zero(M, P, y, signs, T):
    """How long [rad or model lengths] the step a may be, and the block that says so.

    Half the way to where a determinant would be zero if it went on as it does along the tangent:
    other branches begin there, and one of them keeps all signs.
    """
    longest = 0.0
    for k in range(T.v.shape[0]):
        move = 0.0
        for c in range(T.a.shape[0]):
            move += T.Z[k, c] * T.a[c]
        T.v[k] = move / M.weight[k]
        longest = max(longest, abs(move))
    for k in range(T.v.shape[0]):
        T.v[k] *= PROBE / longest
    determinants(M, P, y, T.X, T.J, T.w, T.W, T.dets)
    retract(M, y, T.v, T.y_try)
    determinants(M, P, T.y_try, T.X, T.J, T.w, T.W, T.dets_then)
    room, block = math.inf, -1
    for b in range(signs.shape[0]):
        fall = abs(T.dets[b]) - math.copysign(1.0, T.dets[b]) * T.dets_then[b]
        if fall > 0.0 and 0.5 * PROBE * abs(T.dets[b]) < room * fall:
            room, block = 0.5 * PROBE * abs(T.dets[b]) / fall, b
    return room, block


@batch
def _step(M, P, known, at, free, y, link, p, target, gap, damping, size, signs, sides, edge, T):
    """Walk from y (in place) one step that brings the point nearer, shorter ones if need be.

    Return the gap, how the walk ended (-1: there was none) and its culprit, how many bounds held.
    """
    f = free.shape[0]
    n = bounds_near(M, y, sides, T.X, T.Z, T.slopes, f, T.C, T.d, T.what, T.sense)
    code = which = -1
    count = 0
    for _ in range(TRIES):
        count = minimise(T.F, f, T.b, T.C, T.d, n, T.a, T.goal, T.held, T.multipliers, T.KA, T.S)
        longest = _shortened(T.Z, T.a, f)
        if count > 0 and longest > SETTLED:
            steady_rates(M, P, free, y, T.a, T.X, T.V, T.A, T.J, T.w, T.W, T.v, T.gain)
            make_room(M, y, n, count, T)
            with_rows(T.F, f, T.b, T.C, T.room, T.held, count, T.a, T.multipliers, T.KA, T.S)
            longest = _shortened(T.Z, T.a, f)
        if longest <= SETTLED:
            return gap, -1, -1, count
        room, block = _room_to_zero(M, P, y, signs, T)
        if room < DEAD:
            return gap, DEAD_POINT, block, count
        if room < longest:
            for c in range(f):
                T.a[c] *= room / longest
        _targets(M, y, known, at, T.a, T.ends)
        T.y_try[:] = y
        code, _, which = track_kernel(
            M, P, known, T.y_try, T.ends, signs, sides, edge, CAREFUL, False, WALK, T.J, T.w, T.W
        )
        _forget_balls(M, T.y_try)
        pose_all(M, T.y_try, T.X)
        place_point(link, p, T.X, T.x)
        new = gap_between(T.x, target)
        if new < gap:
            y[:] = T.y_try
            return new, code, which, count
        if _dead_end(code):
            break
        damping = max(10.0 * damping, 1e-3 * size)
        _damped(T.H, T.G, damping, T.F)
    return gap, code, which, count


@batch
def pull_kernel(M, P, known, at, y, link, p, target, back, signs, sides, edge, poor, max_steps, T):
    """Move y (in place) towards the nearest pose; known[at] are the freedoms that may move.

    Return outcome, gap [m], culprit.
    """
    free = known[at]
    pose_all(M, y, T.X)
    place_point(link, p, T.X, T.x)
    gap = gap_between(T.x, target)
    for _ in range(max_steps):
        if gap <= NEAR * M.length:
            return ARRIVED, gap, -1
        pose_all(M, y, T.X)
        place_point(link, p, T.X, T.x)
        outcome, damping, size = _aim(M, P, free, y, link, target, back, sides, poor, T)
        if outcome >= 0:
            return outcome, gap, -1
        before = gap
        gap, code, which, count = _step(
            M, P, known, at, free, y, link, p, target, gap, damping, size, signs, sides, edge, T
        )
        if code >= 0 and _dead_end(code):
            return BLOCKED, gap, which
        if gap < before:
            continue
        if gap <= THERE * M.length:
            return ARRIVED, gap, -1
        stands, what = most_in_the_way(T.held, T.multipliers, count, T.what)
        if stands:
            return (AT_LIMIT, gap, what) if what >= 0 else (AT_SIDE, gap, -1 - what)
        if code == LIMIT or code == CONDITION:
            return (AT_LIMIT if code == LIMIT else AT_SIDE), gap, which
        return NEAREST, gap, -1
    return ON_THE_WAY, gap, -1


class Held(NamedTuple):
    """What a pull has in its hand: a point of a link, and the freedoms that may follow."""

    plan: Plan
    known: np.ndarray  # of the plan
    at: np.ndarray  # places in `known` of the freedoms that may move; the others stay
    sides: np.ndarray  # rows to watch, as in `track`
    edge: float
    link: int
    point: np.ndarray  # (3,) in the link's frame


def pull(
    model: Model,
    hand: Held,
    y: np.ndarray,
    target: np.ndarray,
    signs: np.ndarray,
    back: np.ndarray | None = None,
    poor: float = POOR,
    max_steps: int = STEPS,
) -> PullResult:
    """Return the state nearest to having the point at `target` [m], and what ended the way.

    `signs` are determinants on the branch and of usual size, as in `track`. `back` (f,) is where
    the pull came from, the way to go where a dead point leaves two. `poor`: how fast coordinates
    may follow before the plan is given back for a better one.
    """
    y, f = y.copy(), len(hand.at)
    back = np.zeros(f) if back is None else back.copy()
    code, gap, culprit = pull_kernel(
        model,
        hand.plan,
        hand.known,
        hand.at,
        y,
        hand.link,
        hand.point,
        target,
        back,
        signs,
        hand.sides,
        hand.edge,
        poor,
        max_steps,
        scratch(model, hand.plan, hand.known, f, len(hand.sides)),
    )
    return PullResult(y, _OUTCOMES[code], float(gap), int(culprit))
