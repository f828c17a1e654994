"""Mover: one way to drive a mechanism, which coordinates are given and how the rest follows.

When the solver stops at a singular block, the whole Jacobian is asked: if it is regular, only the
choice of rows was poor there; other rows are chosen and the motion goes on. Otherwise it is a true
dead point, held and told.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cad2mbs.mapping.planning import DENSE, Planned, Planner
from cad2mbs.mapping.structure import Structure
from solvers.mobility import Overdriven, block_conditions, scaled
from solvers.track import Outcome, Tracked, follow, track

TRUE_DEAD_POINT = 1e-5  # smallest singular value below which the mechanism itself is singular


@dataclass(frozen=True)
class Stop:
    """Why a motion ended early, in words, and the state where it did."""

    reason: str
    y: np.ndarray
    outcome: Outcome


class Mover:
    """Moves a state so that given coordinates take given values, on one branch."""

    def __init__(self, structure: Structure, planned: Planned, names: tuple[str, ...]):
        self.s, self.planned, self.names = structure, planned, names

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
            done = track(
                self.s.model, planned.plan, self.known, y, target, sides=self.s.sides, cross=cross)
            if done.outcome is Outcome.REACHED:
                return done.y, None
            again = self._replanned(done, y, planned)
            if again is None:
                return done.y, self._stop(done, planned)
            planned, y = again, done.y

    def follow(
        self, y: np.ndarray, U: np.ndarray, cross: bool
    ) -> tuple[np.ndarray, Stop | None, float]:
        """States at the known values U, why it stopped if it did, and the residual left."""
        planned, parts, worst = self.planned, [], 0.0
        start = y
        while True:
            Y, done, residual = follow(
                self.s.model, planned.plan, self.known, start, U, sides=self.s.sides, cross=cross)
            parts.append(Y)
            worst = max(worst, residual)
            if done is None:
                break
            before = Y[-1] if len(Y) else start
            again = self._replanned(done, before, planned)
            if again is None:
                return np.concatenate(parts), self._stop(done, planned), worst
            planned, start, U = again, done.y, U[len(Y) :]
        return parts[0] if len(parts) == 1 else np.concatenate(parts), None, worst

    def _replanned(self, done: Tracked, before: np.ndarray, planned: Planned) -> Planned | None:
        """Another choice of rows where the present one went singular though the mechanism is not."""
        if done.outcome not in (Outcome.DEAD_POINT, Outcome.SINGULAR_START):
            return None
        if self.s.model.nv > DENSE or self.smallest_singular_value(done.y) < TRUE_DEAD_POINT:
            return None
        try:
            again = Planner(self.s, done.y).planned(self.known, at=done.y)
        except Overdriven:
            return None
        if np.array_equal(again.choice.rows, planned.choice.rows):
            return None
        return again

    def _stop(self, done: Tracked, planned: Planned) -> Stop:
        s = self.s
        match done.outcome:
            case Outcome.LIMIT:
                reason = f"the limit of {self._coordinate_name(done.culprit)} is reached"
            case Outcome.CONDITION:
                reason = f"the one-sided mate {s.row_owner[done.culprit]} is reached"
            case Outcome.TOO_MANY:
                reason = "too many sub-steps; try smaller steps"
            case Outcome.SINGULAR_START:
                reason = f"the mechanism stands on a dead point ({self._mates(done, planned)})"
            case _:
                sigma = self.smallest_singular_value(done.y)
                reason = (
                    f"dead point, beyond it the parts do not fit or another branch begins "
                    f"(smallest singular value {sigma:.1e}; {self._mates(done, planned)})")
        return Stop(reason, done.y, done.outcome)

    def _mates(self, done: Tracked, planned: Planned) -> str:
        if done.culprit < 0:
            return "all mates of the loops"
        rows = planned.plan.rows_of(done.culprit)
        names = dict.fromkeys(self.s.row_owner.get(int(r), "a measured quantity") for r in rows)
        return "mates " + ", ".join(names)

    def _coordinate_name(self, coord: int) -> str:
        for name, g in {**self.s.limits, **self.s.gauges}.items():
            if g.coord == coord:
                return name
        return f"coordinate {coord}"

    def smallest_singular_value(self, y: np.ndarray) -> float:
        """Of all closing rows to the unknowns, in radians and model lengths; 0 is a dead point."""
        choice = self.planned.choice
        if len(choice.unknown) == 0:
            return float("inf")
        if self.s.model.nv > DENSE:
            return float(block_conditions(self.s.model, self.planned.plan, y).min())
        J = scaled(self.s.model, y, self.s.closing_rows)[:, choice.unknown]
        return float(np.linalg.svd(J, compute_uv=False)[-1])

    def rank_here(self, y: np.ndarray, planner: Planner) -> int:
        """Rank of the closing rows at y; regular blocks prove it without a large matrix."""
        model, planned = self.s.model, self.planned
        if model.nv > DENSE and block_conditions(model, planned.plan, y).min(initial=1.0) > 1e-7:
            return planned.choice.rank
        return planner.rank_here(y)
