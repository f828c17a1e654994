"""How many freedoms, which rows carry information, which coordinates follow from which.

Ranks are decided at generic states of the solution set: at special poses (stretched, aligned,
parallel, as CAD loves them) rows may look dependent that are not, and the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr

from solvers.blocks import Plan
from solvers.compiled import entry
from solvers.kinematics import moved, poses
from solvers.least_squares import solve
from solvers.model import Model
from solvers.newton import block_jacobian, workspace
from solvers.rows import jacobian

RANK_TOL = 1e-5  # states hold to 1e-12; where rows open at second order only, that leaves 1e-6
WANDER = 0.3  # how far a generic state is sought [rad or model lengths]
SAMPLES = 3


@dataclass(frozen=True)
class Choice:
    """A square system: these rows give these unknown velocities, the other ones are given."""

    rows: np.ndarray
    unknown: np.ndarray
    known: np.ndarray
    rank: int  # of all rows at a generic state


class Overdriven(Exception):
    """The wanted coordinates cannot all be given: the rows tie them; `surplus` is one too many."""

    def __init__(self, surplus: int):
        self.surplus = surplus
        super().__init__(f"coordinate {surplus} follows from the others")


def scaled(model: Model, y: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The Jacobian with columns in comparable units (radians, model lengths)."""
    return jacobian(model, y, rows) / model.weight


def rank_tol(slack: float) -> float:
    """Singular values below this are rounding, or the imprecision of the data."""
    return max(RANK_TOL, 30.0 * slack)


def rank_of(J: np.ndarray, tol: float = RANK_TOL) -> int:
    if J.size == 0:
        return 0
    s = np.linalg.svd(J, compute_uv=False)
    return int((s > tol * max(1.0, s[0])).sum())


def null_space(J: np.ndarray, tol: float = RANK_TOL) -> np.ndarray:
    """Orthonormal basis (n, f) of the directions that no row objects to."""
    m, n = J.shape
    if m == 0:
        return np.eye(n)
    # R has the singular values and right vectors of J without its many rows.
    _, s, Vt = np.linalg.svd(np.linalg.qr(J, mode="r") if m > n else J)
    return Vt[int((s > tol * max(1.0, s[0])).sum()) :].T


def generic_states(
    model: Model,
    y: np.ndarray,
    rows: np.ndarray,
    free: np.ndarray | None = None,
    slack: float = 0.0,
    seed: int = 5,
) -> list[np.ndarray]:
    """A few states a fair way from y at which the rows still hold; fewer where y cannot move.

    `slack` is how far imprecise data leave the rows open at y; as much again is tolerated.
    """
    rng = np.random.default_rng(seed)
    free = np.ones(model.nv, bool) if free is None else free
    found: list[np.ndarray] = []
    at = y
    for _ in range(SAMPLES):
        N = null_space(scaled(model, at, rows)[:, free], rank_tol(slack))
        if N.shape[1] == 0:
            break
        for size in (WANDER, 0.2 * WANDER, 0.02 * WANDER):
            step = np.zeros(model.nv)
            step[free] = N @ rng.normal(size=N.shape[1])
            step *= size / max(np.abs(step).max(), 1e-300)
            result = solve(model, moved(model, at, step / model.weight), rows, free, max_iter=60)
            if result.ok or result.residual <= 3.0 * slack:
                at = result.y
                found.append(at)
                break
    return found


def independent_rows(
    model: Model, states: list[np.ndarray], rows: np.ndarray, tol: float = RANK_TOL
) -> np.ndarray:
    """As many of the rows as their generic rank, well conditioned at all the states."""
    J = [scaled(model, y, rows) for y in states]
    ranks = [rank_of(j, tol) for j in J]
    rank = max(ranks, default=0)
    if rank == 0:
        return rows[:0]
    # Together first: strong at the first pose and at generic ones. Rows whose dependence changes
    # from pose to pose (Bennett) may fool that choice; then the best single state decides.
    best = J[int(np.argmax(ranks))]
    for A in (np.hstack(J), best):
        order = np.asarray(qr(A.T, mode="r", pivoting=True)[-1])[:rank]
        if rank_of(best[order], tol) == rank:
            return rows[np.sort(order)]
    raise AssertionError("pivoted QR lost rank on the matrix it was made from")


def choose(
    model: Model,
    states: list[np.ndarray],
    rows: np.ndarray,
    wanted: np.ndarray,
    reluctant: np.ndarray,
    tol: float = RANK_TOL,
) -> Choice:
    """Rows and unknowns of a regular square system in which the `wanted` velocities are given.

    Freedoms beyond the wanted ones are held; `reluctant` (nv,) < 1 marks coordinates that are
    better held than solved for. Raises Overdriven when the wanted ones depend on each other.
    """
    kept = independent_rows(model, states, rows, tol)
    rank = len(kept)
    candidates = np.setdiff1d(np.arange(model.nv), wanted)
    J = [scaled(model, y, kept) for y in states]
    if max((rank_of(j[:, candidates], tol) for j in J), default=0) < rank:
        raise Overdriven(_surplus(J, wanted, rank, model.nv, tol))
    good = [j for j in J if rank_of(j[:, candidates], tol) == rank]
    order = np.asarray(
        qr(np.vstack(good)[:, candidates] * reluctant[candidates], mode="r", pivoting=True)[-1]
    )[:rank]
    if all(rank_of(j[:, candidates[order]], tol) < rank for j in good):
        order = np.asarray(
            qr(good[0][:, candidates] * reluctant[candidates], mode="r", pivoting=True)[-1]
        )[:rank]
    unknown = np.sort(candidates[order])
    known = np.setdiff1d(np.arange(model.nv), unknown)
    return Choice(kept, unknown, known, rank)


def _surplus(J: list[np.ndarray], wanted: np.ndarray, rank: int, nv: int, tol: float) -> int:
    """The first wanted coordinate that the ones before it fix already."""
    for k in range(1, len(wanted) + 1):
        rest = np.setdiff1d(np.arange(nv), wanted[:k])
        if max(rank_of(j[:, rest], tol) for j in J) < rank:
            return int(wanted[k - 1])
    raise AssertionError("no surplus among dependent coordinates")


@entry
def _block(M, P, b, y, X, J, W):
    block_jacobian(M, P, b, y, X, J, W)


def block_conditions(model: Model, plan: Plan, y: np.ndarray) -> np.ndarray:
    """Return smallest over largest singular value of each block at y."""
    X = poses(model, y)
    J, _, W = workspace(plan)
    out = np.empty(plan.nb)
    for b, n in enumerate(plan.sizes):
        _block(model, plan, b, y, X, J, W)
        s = np.linalg.svd(J[:n, :n], compute_uv=False)
        out[b] = s[-1] / s[0] if s[0] > 0 else 0.0
    return out
