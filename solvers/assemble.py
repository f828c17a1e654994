"""First assembly: from wherever the parts lie to a state in which every row holds.

From the given start first, then from random states, nearer ones before farther ones, always with
all rows at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers.least_squares import solve
from solvers.model import Model

ACCEPT = 1e-10  # rows are pure numbers of order one


@dataclass(frozen=True)
class Assembled:
    """The best state found; `ok` when every row holds there."""

    y: np.ndarray
    ok: bool
    residual: float
    starts: int


def random_state(model: Model, y: np.ndarray, free: np.ndarray, spread: float,
                 rng: np.random.Generator) -> np.ndarray:
    """y with its free coordinates thrown: `spread` 1 is anywhere, less stays nearer."""
    out = y.copy()
    for k in np.flatnonzero(free[: model.nv]):
        if np.isfinite(model.low[k]) and np.isfinite(model.high[k]):
            out[k] = rng.uniform(model.low[k], model.high[k])
        else:
            size = np.pi if model.weight[k] == 1.0 else 1.0 / model.weight[k]
            out[k] = y[k] + spread * rng.uniform(-size, size)
    for s in range(model.nv, model.ny, 4):
        q = (1.0 - spread) * y[s : s + 4] + spread * rng.normal(size=4)
        out[s : s + 4] = q / np.linalg.norm(q)
    return np.where(np.isfinite(out), out, 0.0)


def starts(model: Model, y: np.ndarray, free: np.ndarray, seed: int) -> Iterator[np.ndarray]:
    """The given state, then random ones, nearer ones first."""
    rng = np.random.default_rng(seed)
    yield y
    for spread in (0.1, 0.3, 0.6):
        for _ in range(4):
            yield random_state(model, y, free, spread, rng)
    while True:
        yield random_state(model, y, free, 1.0, rng)


def assemble(
    model: Model,
    y: np.ndarray,
    free: np.ndarray | None = None,
    max_starts: int = 120,
    seed: int = 1,
) -> Assembled:
    """Return a state near y at which all rows hold, or the best one found."""
    free = np.ones(model.nv, bool) if free is None else free
    rows = np.arange(model.m)
    best, worst = y, np.inf
    count = 0
    for start in starts(model, y, free, seed):
        count += 1
        result = solve(model, start, rows, free)
        if result.residual < worst:
            best, worst = result.y, result.residual
        if worst <= ACCEPT or count >= max_starts:
            break
    return Assembled(best, worst <= ACCEPT, worst, count)
