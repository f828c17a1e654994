"""Small quadratic programmes against their optimality conditions and a general optimiser."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from solvers.quadratic import cholesky, minimise


def solved(H, b, C, d):
    """Minimiser, and the multipliers of all rows."""
    n = len(b)
    F = H.copy()
    assert cholesky(F, n)
    a, multipliers, held = np.empty(n), np.empty(n), np.empty(n, np.int64)
    count = minimise(
        F, n, b, C, d, len(d), a, np.empty(n), held, multipliers, np.empty((n, n)), np.empty((n, n))
    )
    every = np.zeros(len(d))
    every[held[:count]] = multipliers[:count]
    return a, every


def test_without_rows_it_is_the_solution_of_the_linear_system():
    H = np.array([[4.0, 1.0], [1.0, 3.0]])
    b = np.array([1.0, -2.0])
    a, _ = solved(H, b, np.empty((0, 2)), np.empty(0))
    np.testing.assert_allclose(a, np.linalg.solve(H, b))


def test_a_matrix_that_is_not_positive_is_refused():
    assert not cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]), 2)


@pytest.mark.parametrize("seed", range(40))
def test_rows_and_multipliers_satisfy_the_optimality_conditions(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 6), rng.integers(1, 8)
    R = rng.normal(size=(n, n))
    H = R @ R.T + 0.1 * np.eye(n)
    b, C = rng.normal(size=n), rng.normal(size=(m, n))
    d = rng.uniform(0.0, 0.5, m) * rng.integers(0, 2, m)
    a, mu = solved(H, b, C, d)
    assert (C @ a <= d + 1e-9).all()
    assert (mu >= -1e-9).all()
    np.testing.assert_allclose(mu * (C @ a - d), 0.0, atol=1e-8)
    np.testing.assert_allclose(H @ a - b + C.T @ mu, 0.0, atol=1e-8)


@pytest.mark.parametrize("seed", range(10))
def test_a_general_optimiser_finds_the_same_minimum(seed):
    rng = np.random.default_rng(100 + seed)
    n, m = 3, 4
    R = rng.normal(size=(n, n))
    H, b, C = R @ R.T + 0.2 * np.eye(n), rng.normal(size=n), rng.normal(size=(m, n))
    d = rng.uniform(0.01, 0.3, m)
    a, _ = solved(H, b, C, d)
    rows = [
        {"type": "ineq", "fun": lambda x, c=c, e=e: e - c @ x} for c, e in zip(C, d, strict=True)
    ]
    other = minimize(
        lambda x: 0.5 * x @ H @ x - b @ x,
        np.zeros(n),
        jac=lambda x: H @ x - b,
        constraints=rows,
        method="SLSQP",
        options={"ftol": 1e-14},
    )
    np.testing.assert_allclose(a, other.x, atol=1e-5)
