"""First and second kinematic differentials: velocities and accelerations for given drive rates.

Block by block, in the order of the plan, with J the block's Jacobian:
    J v_block = -dphi/dt (block at rest),     J a_block = -d2phi/dt2 (block not accelerating).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solvers.blocks import Plan
from solvers.compiled import batch, entry, inner
from solvers.kinematics import freedoms, joint_axis, pose_all, retract
from solvers.model import Model
from solvers.newton import block_jacobian, solve_small, workspace
from solvers.rows import row_rates


@inner
def _link_rates(link, i, v, a, X, V, A, S, T):
    """Write V[i], A[i]: parent's plus joint twist T = S v, and S a + V_parent x T."""
    p = link.parent
    for k in range(6):
        V[i, k], A[i, k], T[k] = V[p, k], A[p, k], 0.0
    for c in range(freedoms(link)):
        joint_axis(link, i, c, X, S)
        for k in range(6):
            T[k] += S[k] * v[link.v0 + c]
            A[i, k] += S[k] * a[link.v0 + c]
    w0, w1, w2, u0, u1, u2 = V[p, 0], V[p, 1], V[p, 2], V[p, 3], V[p, 4], V[p, 5]
    t0, t1, t2, s0, s1, s2 = T[0], T[1], T[2], T[3], T[4], T[5]
    A[i, 0] += w1 * t2 - w2 * t1
    A[i, 1] += w2 * t0 - w0 * t2
    A[i, 2] += w0 * t1 - w1 * t0
    A[i, 3] += w1 * s2 - w2 * s1 + u1 * t2 - u2 * t1
    A[i, 4] += w2 * s0 - w0 * s2 + u2 * t0 - u0 * t2
    A[i, 5] += w0 * s1 - w1 * s0 + u0 * t1 - u1 * t0
    for k in range(6):
        V[i, k] += T[k]


@entry
def rates_kernel(M, P, y, v, a, X, V, A, J, x, W, second):
    """Complete v (and a when `second`) from known entries; return False at a singular block."""
    S, T = np.empty(6), np.empty(6)
    pose_all(M, y, X)
    V[0, :] = 0.0
    A[0, :] = 0.0
    nb = P.blocks.shape[0] - 1
    fine = True
    for b in range(nb):
        block = P.blocks[b]
        n = block.end - block.start
        for order in range(2 if second else 1):
            unknown = v if order == 0 else a
            for c in range(n):
                unknown[P.unknowns[block.start + c].v] = 0.0
            for e in range(block.pre, block.end_links):
                _link_rates(M.links[P.links[e]], P.links[e], v, a, X, V, A, S, T)
            for r in range(n):
                row = M.rows[P.equations[block.start + r].row]
                first, two = row_rates(row, y, v, a, X, V, A)
                x[r] = -first if order == 0 else -two
            block_jacobian(M, P, b, y, X, J, W)
            det = solve_small(J, x, n)
            if det == 0.0 or not math.isfinite(det):
                fine = False
                for c in range(n):
                    x[c] = 0.0
            for c in range(n):
                u = P.unknowns[block.start + c]
                unknown[u.v] = x[c] * u.unit
        for e in range(block.links, block.end_links):
            _link_rates(M.links[P.links[e]], P.links[e], v, a, X, V, A, S, T)
    for e in range(P.blocks[nb].pre, P.blocks[nb].links):
        _link_rates(M.links[P.links[e]], P.links[e], v, a, X, V, A, S, T)
    return fine


@batch
def rates_batch(M, P, Y, v, out_v, out_a, out_V, out_A, fine, J, x, W):
    """Write v, a (k, nv), V, A (k, nl, 6) and fine (k,) at the states Y for drive rates v (nv,)."""
    X = np.empty((M.links.shape[0], 12))
    for k in range(Y.shape[0]):
        out_v[k] = v
        out_a[k] = 0.0
        fine[k] = rates_kernel(M, P, Y[k], out_v[k], out_a[k], X, out_V[k], out_A[k], J, x, W, True)


@batch
def _carried(M, Y, D, out):
    for k in range(Y.shape[0]):
        retract(M, Y[k], D[k], out[k])


def carried(model: Model, Y: np.ndarray, D: np.ndarray) -> np.ndarray:
    """Return the states Y (k, ny), each moved by its own tangent step D (k, nv)."""
    out = np.empty((len(Y), model.ny))
    _carried(model, np.ascontiguousarray(Y), np.ascontiguousarray(D), out)
    return out


class RatesAlong(NamedTuple):
    """Rates at many states: of coordinates v, a (k, nv), of links V, A (k, nl, 6)."""

    v: np.ndarray
    a: np.ndarray
    V: np.ndarray
    A: np.ndarray
    fine: np.ndarray  # (k,) whether all blocks were regular


def rates_along(model: Model, plan: Plan, Y: np.ndarray, v: np.ndarray) -> RatesAlong:
    """Return the rates at the states Y (k, ny); known coordinates move at v (nv,), steadily."""
    k = len(Y)
    v_all, a_all = np.zeros((2, k, model.nv))
    V, A = np.zeros((2, k, model.nl, 6))
    fine = np.zeros(k, np.bool_)
    states = np.ascontiguousarray(Y)
    rates_batch(model, plan, states, v, v_all, a_all, V, A, fine, *workspace(plan))
    return RatesAlong(v_all, a_all, V, A, fine)


def rates(
    model: Model, plan: Plan, y: np.ndarray, v: np.ndarray, a: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, bool]:
    """Return v, a (nv,), link rates V, A (nl, 6) and whether all blocks were regular.

    Entries of v and a at known (driven, held) coordinates are taken, the others computed.
    """
    V, A = (x[0] for x in np.zeros((2, 1, model.nl, 6)))
    v, a = v.copy(), a.copy()
    X = np.empty((model.nl, 12))
    fine = rates_kernel(model, plan, y, v, a, X, V, A, *workspace(plan), True)
    return v, a, V, A, bool(fine)
