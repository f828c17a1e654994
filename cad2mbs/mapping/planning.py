"""Which coordinates drive, which follow: rows and unknowns chosen, split into blocks.

Two roads to the same answer. Near first: each closing joint alone tells how many of its rows carry
information; when the rows so kept match the unknowns and every block is regular, that is the rank,
proven block by block, and the cost grows with the number of loops only. Otherwise all rows are
looked at together (solvers/mobility.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cad2mbs.mapping.structure import Structure
from solvers.blocks import Plan, pattern, plan
from solvers.mobility import (
    Choice,
    block_conditions,
    choose,
    generic_states,
    independent_rows,
    rank_of,
    rank_tol,
    scaled,
)
from solvers.track import branch

FEW = 100  # coordinates up to which generic states cost next to nothing
DENSE = 500  # coordinates up to which matrices of the whole mechanism are affordable
REGULAR = 1e-6  # smallest ratio of singular values at which a block counts as regular


@dataclass(frozen=True)
class Planned:
    """A square system in blocks that moves the mechanism when the `known` coordinates are given."""

    choice: Choice
    plan: Plan
    watch: np.ndarray  # rows not solved for that must hold all the same: surplus, one-sided mates

    usual: np.ndarray  # (nb,) determinants of the blocks, their size at generic states

    @property
    def known(self) -> np.ndarray:
        return self.choice.known


class Planner:
    """Keeps what does not depend on the choice of drives: generic states, rank."""

    def __init__(self, structure: Structure, y: np.ndarray, slack: float = 0.0):
        self.s, self.y, self.slack, self.tol = structure, y, slack, rank_tol(slack)
        self.rows = structure.closing_rows
        self._states: list[np.ndarray] | None = None

    @property
    def states(self) -> list[np.ndarray]:
        """The present state and generic ones."""
        if self._states is None:
            self._states = [
                self.y,
                *generic_states(self.s.model, self.y, self.rows, slack=self.slack),
            ]
        return self._states

    def planned(self, wanted: np.ndarray, at: np.ndarray | None = None) -> Planned:
        """The system in which the wanted coordinates are given; `at` says where it must be good."""
        model = self.s.model
        if at is None:
            near = self._near(wanted)
            if near is not None:
                return near
        states = self.states if at is None else [at]
        choice = choose(model, states, self.rows, wanted, self._reluctance(), self.tol)
        return self._with_plan(choice)

    def _near(self, wanted: np.ndarray) -> Planned | None:
        model = self.s.model
        rows = self._local[0]
        unknown = np.setdiff1d(np.arange(model.nv), wanted)
        if len(rows) != len(unknown):
            return None
        made = self._with_plan(Choice(rows, unknown, np.sort(wanted), len(rows)))
        if block_conditions(model, made.plan, self.y).min(initial=1.0) < REGULAR:
            return None
        return made

    @property
    def violable(self) -> np.ndarray:
        """Rows that a motion could violate: those of closed loops, and one-sided mates."""
        return np.concatenate([self.s.sides, self._local[1]])

    def _with_plan(self, choice: Choice) -> Planned:
        surplus = np.setdiff1d(self._local[1], choice.rows)
        made = plan(self.s.model, choice.rows, choice.unknown)
        # In a large mechanism the present state stands for the generic ones.
        states = self.states if self.s.model.nv <= FEW else [self.y]
        usual = np.max([np.abs(branch(self.s.model, made, y)) for y in states], axis=0)
        return Planned(choice, made, np.concatenate([self.s.sides, surplus]), usual)

    @cached_property
    def _local(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each closing joint the rows that are independent while its own loop is closed.

        And all rows that can be violated at all: not, say, that of two parallel axes in a planar
        loop, whose gradient is zero wherever the loop is closed.
        """
        model = self.s.model
        kept, alive = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        groups: dict[int, list[int]] = {}
        for r in self.rows:
            groups.setdefault(int(self.s.row_group[r]), []).append(int(r))
        for members in groups.values():
            rows = np.array(members, np.int64)
            free = np.zeros(model.nv, bool)
            for r in members:
                free[[v for v, *_ in pattern(model, r)]] = True
            states = [self.y, *generic_states(model, self.y, rows, free, self.slack)]
            kept.append(independent_rows(model, states, rows, self.tol))
            steepest = np.max([np.abs(scaled(model, y, rows)).max(axis=1) for y in states], axis=0)
            alive.append(rows[steepest > self.tol])
        return np.sort(np.concatenate(kept)), np.sort(np.concatenate(alive))

    def _reluctance(self) -> np.ndarray:
        """Joints on the ground are better held than solved for: people think of them as inputs."""
        model = self.s.model
        out = np.ones(model.nv)
        for joint in self.s.joints:
            if joint.in_tree and (
                self.s.bodies[joint.a].grounded or self.s.bodies[joint.b].grounded
            ):
                for coord, _ in joint.coords:
                    out[coord] = 0.3
        return out

    def rank_here(self, y: np.ndarray) -> int:
        return rank_of(scaled(self.s.model, y, self.rows), self.tol)
