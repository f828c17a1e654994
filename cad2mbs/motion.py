"""Mover: one way to drive a mechanism, which coordinates are given and how the rest follows.

When the solver stops at a singular block, the whole Jacobian is asked: if it is regular, only the
choice of rows was poor there; other rows are chosen and the motion goes on. Otherwise it is a true
dead point, held and told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cad2mbs.mapping.planning import DENSE, REGULAR, Planned, Planner
from solvers.follow import follow
from solvers.least_squares import solve
from solvers.mobility import Overdriven, block_conditions, scaled
from solvers.track import EDGE, Outcome, Tracked, branch, track

Progress = Callable[[int, int], None]  # positions done, of how many
CHUNK = 5000  # positions of a sweep between two looks at the progress bar
POLISH = 1e-4  # how far closing all rows may move a state that satisfies the independent ones
TRUE_DEAD_POINT = 1e-5  # smallest singular value below which the mechanism itself is singular


@dataclass(frozen=True)
class Stop:
    """Why a motion ended early, in words, and the state where it did."""

    reason: str
    y: np.ndarray
    outcome: Outcome


class Mover:
    """Moves a state so that given coordinates take given values, on one branch."""

    def __init__(self, planner: Planner, planned: Planned, names: tuple[str, ...]):
        self.s, self.planner, self.planned, self.names = planner.s, planner, planned, names
        self.edge = max(EDGE, 10.0 * planner.slack)

    @property
    def known(self) -> np.ndarray:
        return self.planned.known

    def place(self, coord: int) -> int:
        """Position of a coordinate among the known ones."""
        return int(np.searchsorted(self.known, coord))

    @property
    def block_sizes(self) -> list[int]:
        return self.planned.plan.sizes

    def go(self, y: np.ndarray, target: np.ndarray, cross: bool) -> tuple[np.ndarray, Stop | None]:
        """Return the state with y[known] = target, or where the way ended."""
        planned = self.planned
        while True:
            options = self._options(planned, y, cross)
            done = track(self.s.model, planned.plan, self.known, y, target, **options)
            if done.outcome is Outcome.REACHED:
                return done.y, None
            again = self._replanned(done, planned)
            if again is None:
                return done.y, self._stop(done, planned)
            planned, y = again

    def follow(
        self, y: np.ndarray, U: np.ndarray, cross: bool
    ) -> tuple[np.ndarray, Stop | None, float]:
        """States at the known values U, why it stopped if it did, and the residual left."""
        planned, parts, worst = self.planned, [], 0.0
        while True:
            options = self._options(planned, y, cross)
            done = follow(self.s.model, planned.plan, self.known, y, U, **options)
            parts.append(done.Y)
            worst = max(worst, done.residual)
            if done.ended is None:
                return parts[0] if len(parts) == 1 else np.concatenate(parts), None, worst
            again = self._replanned(done.ended, planned)
            if again is None:
                return np.concatenate(parts), self._stop(done.ended, planned), worst
            (planned, y), U = again, U[len(done.Y) :]

    def follow_in_chunks(
        self, y: np.ndarray, U: np.ndarray, cross: bool, progress: Progress | None
    ) -> tuple[np.ndarray, Stop | None, float]:
        """The same as `follow`, in pieces so that a progress bar can move."""
        if len(U) <= CHUNK:
            out = self.follow(y, U, cross)
            if progress is not None:
                progress(len(out[0]), len(U))
            return out
        parts, worst, stop = [], 0.0, None
        for k in range(0, len(U), CHUNK):
            Y, stop, residual = self.follow(y, U[k : k + CHUNK], cross)
            parts.append(Y)
            worst = max(worst, residual)
            if progress is not None:
                progress(k + len(Y), len(U))
            if stop is not None:
                break
            y = Y[-1]
        return np.concatenate(parts), stop, worst

    def _options(self, planned: Planned, y: np.ndarray, cross: bool) -> dict[str, Any]:
        """What `track` and `follow` are told beside where to go."""
        here = branch(self.s.model, planned.plan, y)
        signs = np.copysign(np.maximum(np.abs(here), planned.usual), here)
        return {"signs": signs, "sides": planned.watch, "edge": self.edge, "cross": cross}

    def _replanned(self, done: Tracked, planned: Planned) -> tuple[Planned, np.ndarray] | None:
        """Where only the chosen rows are singular: other ones, and the state to go on from."""
        if done.outcome not in (Outcome.DEAD_POINT, Outcome.SINGULAR_START, Outcome.DEPARTED):
            return None
        model = self.s.model
        if model.nv > DENSE or self.smallest_singular_value(done.y) < TRUE_DEAD_POINT:
            return None
        # Near their singularity the old rows left the others slightly open: close all of them.
        free = np.zeros(model.nv, bool)
        free[planned.choice.unknown] = True
        polished = solve(model, done.y, self.s.closing_rows, free)
        moved = np.abs(polished.y - done.y).max()
        if not (polished.ok or polished.residual <= self.edge) or moved > POLISH:
            return None
        try:
            again = self.planner.planned(self.known, at=polished.y)
        except Overdriven:
            return None
        if np.array_equal(again.choice.rows, planned.choice.rows):
            # Regular all the same: several small singular values made the determinant small.
            usual = np.abs(branch(model, planned.plan, polished.y))
            return (replace(planned, usual=usual), polished.y) if done.fraction > 0.0 else None
        return again, polished.y

    def regular_at(self, y: np.ndarray) -> Planned:
        """The system itself, or one with other rows where its own are singular by choice."""
        if block_conditions(self.s.model, self.planned.plan, y).min(initial=1.0) > REGULAR:
            return self.planned
        if self.s.model.nv > DENSE or self.smallest_singular_value(y) < TRUE_DEAD_POINT:
            return self.planned
        try:
            return self.planner.planned(self.known, at=y)
        except Overdriven:
            return self.planned

    def _stop(self, done: Tracked, planned: Planned) -> Stop:
        s = self.s
        match done.outcome:
            case Outcome.LIMIT:
                reason = f"the limit of {self.limited(done.culprit, done.y)} is reached"
            case Outcome.CONDITION:
                reason = f"the one-sided mate {s.row_owner[done.culprit]} is reached"
            case Outcome.TOO_MANY:
                reason = "too many sub-steps; try smaller steps"
            case Outcome.DEPARTED:
                reason = (
                    f"mate {s.row_owner.get(done.culprit, '')} would open: beyond this point the "
                    f"mates leave no way on"
                )
            case Outcome.SINGULAR_START:
                reason = (
                    f"the mechanism stands on a dead point ({self.mates(done.culprit, planned)})"
                )
            case _:
                sigma = self.smallest_singular_value(done.y)
                reason = (
                    f"dead point, beyond it the parts do not fit or another branch begins "
                    f"(smallest singular value {sigma:.1e}; {self.mates(done.culprit, planned)})"
                )
        return Stop(reason, done.y, done.outcome)

    def mates(self, block: int, planned: Planned) -> str:
        """The mates behind a block of a plan, in words; -1: all of them."""
        if block < 0:
            return "all mates of the loops"
        rows = planned.plan.rows_of(block)
        names = dict.fromkeys(self.s.row_owner.get(int(r), "a measured quantity") for r in rows)
        return "mates " + ", ".join(names)

    def limited(self, coord: int, y: np.ndarray) -> str:
        """The drive or limit whose own bound on the coordinate is the one that is met at y."""
        assembly, nearest = self.s.assembly, (np.inf, f"coordinate {coord}")
        for name, g in [*self.s.limits.items(), *self.s.gauges.items()]:
            if g.coord != coord:
                continue
            unit = assembly.units.metre if g.is_length else assembly.units.radian
            value = (g.sign * y[g.coord] + g.zero) / unit
            owner = assembly.limits[name] if g is self.s.limits.get(name) else assembly.drives[name]
            for end in (owner.low, owner.high):
                if end is not None and abs(end - value) < nearest[0]:
                    nearest = (abs(end - value), name)
        return nearest[1]

    def smallest_singular_value(self, y: np.ndarray) -> float:
        """Of all closing rows to the unknowns, in radians and model lengths; 0 is a dead point."""
        choice = self.planned.choice
        if len(choice.unknown) == 0:
            return float("inf")
        if self.s.model.nv > DENSE:
            return float(block_conditions(self.s.model, self.planned.plan, y).min())
        J = scaled(self.s.model, y, self.s.closing_rows)[:, choice.unknown]
        return float(np.linalg.svd(J, compute_uv=False)[-1])

    def rank_here(self, y: np.ndarray) -> int:
        """Rank of the closing rows at y; regular blocks prove it without a large matrix."""
        model, planned = self.s.model, self.planned
        if model.nv > DENSE and block_conditions(model, planned.plan, y).min(initial=1.0) > 1e-7:
            return planned.choice.rank
        return self.planner.rank_here(y)
