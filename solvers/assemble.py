"""First assembly: from wherever the parts lie to a state in which every row holds.

1. All rows at once from the given state y: the nearest way to close, and mostly enough.
2. Else the rows fall into groups that share no coordinate, and each group is closed on its own:
   chances of independent loops then add up instead of multiplying. Coordinates that no row
   touches stay where they are. A group is tried from y, from states near y, then from anywhere:
       y_k + spread * u,   u uniform in +-pi (turns), +-length (slides); quaternions likewise,
   about y and about the best state so far in turn, with longer steps allowed.
3. A group gives up after `max_starts` or when its share of the work is spent. Work is counted,
   not timed, so the same call always ends the same way.

Whatever was found, `ok` is decided by the rows themselves at the final state. A failure is no
proof that the rows contradict each other; it says that no start led to a state where they hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from solvers.blocks import pattern
from solvers.least_squares import solve
from solvers.model import Model
from solvers.rows import worst_along

ACCEPT = 1e-10  # rows are pure numbers of order one
BUDGET = 1.0e6  # work of a whole call, in nominal microseconds
MIN_STARTS = 30  # of a group, whatever its work
MAX_STARTS = 5000
NEAR = ((0.1, 4), (0.3, 4), (0.6, 4))  # spread and number of the starts near y
NEAR_STEP, FAR_STEP = 0.7, 2.0  # longest step of one iteration [rad, model lengths]


@dataclass(frozen=True)
class Assembled:
    """The best state found; `ok` when every row holds there."""

    y: np.ndarray
    ok: bool
    residual: float
    starts: int  # of the group that needed most


@dataclass(frozen=True)
class Group:
    """Rows that share coordinates with each other and with no other row."""

    rows: np.ndarray
    free: np.ndarray  # (nv,) the free coordinates these rows depend on

    @property
    def work(self) -> float:
        """Nominal microseconds of one iteration: a fit to measured times, good to a factor 2."""
        m, n = len(self.rows), int(self.free.sum())
        return 4.0 + 0.15 * m + 5e-5 * (m * n * n + n**3)


def random_state(
    model: Model, y: np.ndarray, free: np.ndarray, spread: float, rng: np.random.Generator
) -> np.ndarray:
    """y with its free coordinates thrown: `spread` 1 is anywhere, less stays nearer."""
    out = y.copy()
    for k in np.flatnonzero(free[: model.nv]):
        if np.isfinite(model.low[k]) and np.isfinite(model.high[k]):
            out[k] = rng.uniform(model.low[k], model.high[k])
        else:
            size = np.pi if model.weight[k] == 1.0 else 1.0 / model.weight[k]
            out[k] = y[k] + spread * rng.uniform(-size, size)
    for v0, s in model.links[["v0", "s0"]].tolist():
        if s >= 0 and free[v0]:
            q = (1.0 - spread) * y[s : s + 4] + spread * rng.normal(size=4)
            out[s : s + 4] = q / np.linalg.norm(q)
    return np.where(np.isfinite(out), out, 0.0)


def groups(model: Model, free: np.ndarray) -> list[Group]:
    """The rows in groups that share no free coordinate; rows without any are left out."""
    touched = [[v for v, *_ in pattern(model, k) if free[v]] for k in range(model.m)]
    at = np.array([(k, v) for k, vs in enumerate(touched) for v in vs], np.int64).reshape(-1, 2)
    size = model.m + model.nv
    links = coo_array((np.ones(len(at)), (at[:, 0], model.m + at[:, 1])), shape=(size, size))
    label = connected_components(links, directed=False)[1]
    out = []
    for g in dict.fromkeys(label[at[:, 0]].tolist()):
        inside = label == g
        out.append(Group(np.flatnonzero(inside[: model.m]), inside[model.m :] & free))
    return out


def assemble(
    model: Model,
    y: np.ndarray,
    free: np.ndarray | None = None,
    max_starts: int | None = None,
    seed: int = 1,
    budget: float = BUDGET,
    loose: float = 0.0,
) -> Assembled:
    """Return a state near y at which all rows hold, or the best one found.

    `max_starts` bounds the starts of each group; `budget` the work of all, in nominal
    microseconds. A state next to y that leaves rows open by no more than `loose` is taken as
    it is: rows that imprecise data make contradict each other hold nowhere better.
    """
    free = np.ones(model.nv, np.bool_) if free is None else free
    first = solve(model, y, np.arange(model.m), free, max_step=NEAR_STEP)
    if ACCEPT < first.residual <= loose:
        first = solve(model, first.y, np.arange(model.m), free, max_iter=1000)
    if first.residual <= max(ACCEPT, loose):
        return Assembled(first.y, first.residual <= ACCEPT, first.residual, 1)
    limit = MAX_STARTS if max_starts is None else max_starts
    out, most = y, 1
    parts = groups(model, free)
    for number, group in enumerate(parts):
        rng = np.random.default_rng([seed, number])
        out, starts = _close(model, out, group, limit, budget / len(parts), rng)
        most = max(most, starts)
    residual = _worst(model, out)
    if first.residual < residual:
        out, residual = first.y, first.residual
    return Assembled(out, residual <= ACCEPT, residual, most)


def _close(
    model: Model,
    y: np.ndarray,
    group: Group,
    max_starts: int,
    budget: float,
    rng: np.random.Generator,
) -> tuple[np.ndarray, int]:
    """Close one group; return the state found, else the best one near y, and the starts made."""
    best, worst = y, np.inf
    near = y
    spent, count = 0.0, 0
    tries = _tries()
    while count < max_starts and (count < MIN_STARTS or spent < budget):
        count += 1
        spread, about_best, step = next(tries)
        centre = best if about_best else y
        start = random_state(model, centre, group.free, spread, rng) if spread > 0.0 else centre
        result = solve(model, start, group.rows, group.free, max_step=step)
        spent += result.iterations * group.work
        if result.residual < worst:
            best, worst = result.y, result.residual
            # Where rows contradict each other, far states only trade one open row for another.
            near = best if spread < 1.0 or worst <= ACCEPT else near
        if worst <= ACCEPT:
            break
    return near, count


def _tries() -> Iterator[tuple[float, bool, float]]:
    """Spread, whether about the best state, longest step: near y first, then anywhere."""
    yield 0.0, False, NEAR_STEP
    for spread, number in NEAR:
        for _ in range(number):
            yield spread, False, NEAR_STEP
    while True:
        yield 1.0, False, FAR_STEP
        yield 1.0, True, FAR_STEP


def _worst(model: Model, y: np.ndarray) -> float:
    """Largest violation of any row at y."""
    out = np.empty(1)
    worst_along(model, y[None], np.arange(model.m), out)
    return float(out[0])
