"""Bounded least squares on the state manifold: min 1/2 |f(y)|^2 with low <= y <= high.

f stacks phi of the two-sided rows and min(phi, 0) of the one-sided ones. The latter is what is
left of  phi - s = 0, s >= 0  when the slack s is eliminated, so an inequality costs no unknown.
Levenberg-Marquardt, (J'J + lambda D) dx = -J'f; coordinates that sit on a bound with the
gradient pushing outward are held (active set), steps are clipped to the bounds. Redundant rows
are welcome: J'J + lambda D is regular whatever the rank of J.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from solvers.compiled import batch, entry
from solvers.kinematics import retract
from solvers.model import Model
from solvers.rows import evaluate, residuals_into, violation


class Status(Enum):
    CONVERGED = "every row is within tolerance"
    STALLED = "no further progress; the worst rows may contradict each other"
    MAX_ITER = "iteration limit reached before the rows were within tolerance"


# Smallest entry of D against its largest. With D = diag(H) alone the coordinates that matter least
# would move most where rows are few (a rod from afar often stalls); with D = max(H) for all, the
# way along a flat valley is so slow that it looks like its end.
FLOOR = 0.03

_STATUS = (Status.CONVERGED, Status.STALLED, Status.MAX_ITER)


@dataclass(frozen=True)
class LeastSquaresResult:
    y: np.ndarray  # (ny,) best state found
    status: Status
    residual: float  # largest violation of a row
    iterations: int

    @property
    def ok(self) -> bool:
        return self.status is Status.CONVERGED


@entry
def _active(M, rows, phi, J):
    """Zero the rows of satisfied one-sided conditions; return the largest violation."""
    worst = 0.0
    for a in range(rows.shape[0]):
        if M.rows[rows[a]].one_sided and phi[a] > 0.0:
            phi[a] = 0.0
            J[a, :] = 0.0
        worst = max(worst, violation(phi[a], M.rows[rows[a]].one_sided))
    return worst


@entry
def _cost(M, rows, phi):
    total = 0.0
    for a in range(rows.shape[0]):
        total += violation(phi[a], M.rows[rows[a]].one_sided) ** 2
    return total


@batch
def levenberg_marquardt(M, y0, rows, free, tol, max_iter, max_step):
    """Move the velocities marked in free (nv,) until the rows hold.

    Return y, status, worst violation, iterations.
    """
    nv, m = M.low.shape[0], rows.shape[0]
    X = np.empty((M.links.shape[0], 12))
    phi, phi_try = np.empty(m), np.empty(m)
    J = np.empty((m, nv))
    y, y_try = y0.copy(), y0.copy()
    for k in range(nv):
        if free[k]:
            y[k] = min(max(y[k], M.low[k]), M.high[k])
    dv = np.zeros(nv)
    damping, grow = 1e-4, 2.0
    status, worst, it, slow = 2, np.inf, 0, 0
    while it < max_iter:
        it += 1
        evaluate(M, y, rows, X, phi, J)
        worst = _active(M, rows, phi, J)
        if worst <= tol:
            status = 0
            break
        gradient = J.T @ phi
        idx = np.empty(nv, np.int64)
        n = 0
        for k in range(nv):
            if not free[k]:
                continue
            if (y[k] <= M.low[k] and gradient[k] > 0) or (y[k] >= M.high[k] and gradient[k] < 0):
                continue
            idx[n] = k
            n += 1
        if n == 0:
            status = 1
            break
        cols = idx[:n]
        Jf = np.empty((m, n))
        for c in range(n):
            # Columns in comparable units: a radian, a model length.
            Jf[:, c] = J[:, cols[c]] / M.weight[cols[c]]
        H = Jf.T @ Jf
        g = Jf.T @ phi
        cost = _cost(M, rows, phi)
        if np.max(np.abs(g)) <= 1e-15 * max(1.0, cost):
            status = 1
            break
        size_H = 1e-6
        for c in range(n):
            size_H = max(size_H, H[c, c])
        accepted = False
        for _ in range(12):
            B = H.copy()
            for c in range(n):
                B[c, c] += damping * max(H[c, c], FLOOR * size_H)
            step = np.linalg.solve(B, -g)
            size = np.max(np.abs(step))
            if size > max_step:
                step *= max_step / size
            dv[:] = 0.0
            for c in range(n):
                dv[cols[c]] = step[c] / M.weight[cols[c]]
            retract(M, y, dv, y_try)
            for c in range(n):
                k = cols[c]
                y_try[k] = min(max(y_try[k], M.low[k]), M.high[k])
            residuals_into(M, y_try, rows, X, phi_try)
            new = _cost(M, rows, phi_try)
            if new < cost:
                predicted = -(g @ step) * 2.0 - step @ (H @ step)
                gain = (cost - new) / max(predicted, 1e-300)
                # Not below 1e-12: H of redundant rows would be singular to rounding.
                damping = max(damping * (0.1 if gain > 0.75 else 0.5), 1e-12)
                grow = 2.0
                y[:] = y_try
                slow = slow + 1 if cost - new < 1e-5 * cost else 0
                accepted = True
                break
            damping = max(damping, 1e-12) * grow
            grow *= 2.0
        if not accepted or slow >= 8:
            status = 1
            break
    if status != 0:
        residuals_into(M, y, rows, X, phi)
        worst = 0.0
        for a in range(m):
            worst = max(worst, violation(phi[a], M.rows[rows[a]].one_sided))
        if worst <= tol:
            status = 0
    return y, status, worst, it


def solve(
    model: Model,
    y: np.ndarray,
    rows: np.ndarray | None = None,
    free: np.ndarray | None = None,
    tol: float = 1e-12,
    max_iter: int = 200,
    max_step: float = 0.7,
) -> LeastSquaresResult:
    """Return the state nearest in the LM sense to y at which the rows hold, or the best found.

    A rounding floor above `tol` is accepted up to 1e-10: rows are pure numbers of order one.
    """
    rows = np.arange(model.m) if rows is None else rows
    free = np.ones(model.nv, np.bool_) if free is None else free
    y, status, worst, its = levenberg_marquardt(model, y, rows, free, tol, max_iter, max_step)
    if worst <= 1e-10:
        status = 0
    return LeastSquaresResult(y, _STATUS[status], float(worst), int(its))
