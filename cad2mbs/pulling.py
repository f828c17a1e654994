"""Pulling a part by the hand: the mechanism goes to the nearest pose that all mates allow.

The freedoms that move are those of the present drives as long as they lead on. Where they stand on
a dead point and the mechanism does not, others are chosen: a crank that can no longer drive is
carried over its dead point by the rocker in hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.errors import InputError, MechanismError, require_finite
from cad2mbs.mapping.planning import DENSE, Planned
from cad2mbs.motion import POLISH, TRUE_DEAD_POINT, Mover
from cad2mbs.wording import did_you_mean, listed, quoted
from solvers.blocks import pattern
from solvers.kinematics import poses
from solvers.least_squares import solve
from solvers.mobility import block_conditions
from solvers.model import FREEDOMS, Joint
from solvers.pull import POOR, Held, PullOutcome, PullResult, pull
from solvers.track import branch

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

MM = 1e-3  # [m]
USUAL = 10.0  # times its usual size, against which a determinant is zero: ten times earlier
ZERO = 3e-7  # of its usual size: a determinant that is rounding
ANY = 1e6  # how fast coordinates may follow where no choice of freedoms is better
WAY = 1e-6  # [rad or m]: a shorter motion does not tell where a pull came from
WORTH = 0.9  # of the gap left after as many steps as one call takes: then it goes on
CHANGES = 12  # of the freedoms, or calls, in one pull


@dataclass(frozen=True)
class Pulled:
    """Where a pull ended. `stopped`: something is in the way, and `status` says what."""

    moved: bool
    status: str
    gap_mm: float  # left between point and target
    stopped: bool


class Pull:
    """A point of a part, held by the hand: `to` moves the mechanism after it."""

    def __init__(self, m: Mechanism, part: str, point_mm: Sequence[float]):
        places = m.structure.part_place
        if part not in places:
            raise InputError(f"no part {quoted(part)}{did_you_mean(part, places)}")
        if not m.assembled:
            raise MechanismError(f"{m.name} cannot be moved: {m.status}")
        self.m, self.part, place = m, part, places[part]
        self._link = place.link
        self._point = place.R @ (_vector("a point", point_mm) * MM) + place.p
        self._plan = _Freedoms(m, m.mover(()).planned, place.link, self._point)
        self._before: np.ndarray | None = None  # where the pull last came from

    def to(self, target_mm: Sequence[float]) -> Pulled:
        """Move the mechanism so that the point comes as near to the target as it can.

        Steps are small and stay on the branch; what ends the way is told.
        """
        target = _vector("a target", target_mm) * MM
        if self._link == 0 or len(self._plan.at) == 0:
            return self._fixed(target)
        before = self.m.state
        done, singular = self._pulled(before, target)
        residual = self.m.residual_along(done.y[None])
        if residual > self.m.tolerated:
            gap = self._gap(before, target)
            text = f"not solved: a row is left open by {residual:.1e} of the model length"
            return Pulled(False, text, gap, True)
        self.m.state = done.y
        way = float(np.abs(done.y - before).max())
        if way > WAY:
            self._before = before
        status, stopped = self._told(done, singular)
        return Pulled(way > 0.0, status, done.gap / MM, stopped)

    def _pulled(self, y: np.ndarray, target: np.ndarray) -> tuple[PullResult, bool]:
        """Pull, with other freedoms where the present ones lead no further; and whether none do."""
        poor, fresh = POOR, False
        gap = self._gap(y, target) * MM
        for _ in range(CHANGES):
            done = self._plan.pull(y, target, self._before, poor)
            if done.outcome is PullOutcome.ON_THE_WAY and done.gap < WORTH * gap:
                y, gap = done.y, done.gap
                continue
            if done.outcome not in (PullOutcome.POOR_PLAN, PullOutcome.BLOCKED):
                return done, False
            if fresh and np.array_equal(done.y, y):
                # The best freedoms there are, and they do not move it.
                if done.outcome is PullOutcome.BLOCKED or poor == ANY:
                    return done, True
                poor = ANY
                continue
            again = self._plan.others(done)
            if again is None:
                return done, True
            (self._plan, y), poor, fresh = again, POOR, True
        return done, False

    def _gap(self, y: np.ndarray, target: np.ndarray) -> float:
        X = poses(self.m.structure.model, y)[self._link]
        return float(np.linalg.norm(X[:9].reshape(3, 3) @ self._point + X[9:] - target)) / MM

    # -- words ----------------------------------------------------------------------------

    def _fixed(self, target: np.ndarray) -> Pulled:
        gap = self._gap(self.m.state, target)
        if self._link == 0:
            text = f"{self.part} is fixed to the ground and cannot be moved"
        else:
            text = f"{self.part} cannot be moved: the mates leave it no freedom"
        return Pulled(False, text, gap, True)

    def _told(self, done: PullResult, singular: bool) -> tuple[str, bool]:
        """The end of a pull in words, and whether something is in the way."""
        if singular:
            return self._singular(done), True
        mover = self._plan.mover
        match done.outcome:
            case PullOutcome.ARRIVED:
                return f"{self.part} is where it is pulled to", False
            case PullOutcome.AT_LIMIT:
                return f"the limit of {mover.limited(done.culprit, done.y)} is reached", True
            case PullOutcome.AT_SIDE:
                owner = self.m.structure.row_owner[done.culprit]
                return f"the one-sided mate {owner} is reached", True
            case PullOutcome.NO_EFFECT:
                return self._no_effect(), True
            case PullOutcome.STANDS:
                return f"no freedom moves this point of {self.part}; take another one", True
            case PullOutcome.NEAREST:
                away = done.gap / self.m.units.metre
                return (
                    f"as near as the mates allow: {away:.4g} {self.m.units.length} away",
                    False,
                )
            case _:
                return "on the way", False

    def _no_effect(self) -> str:
        mates = self._plan.mates
        of = f" (mates {listed(mates, 6)})" if mates else ""
        return (
            f"dead point: pulling {self.part} this way has no effect here{of}; "
            "pull another way, or another part"
        )

    def _singular(self, done: PullResult) -> str:
        plan = self._plan
        of = plan.mover.mates(done.culprit, plan.planned)
        return (
            f"change point: from here the parts could go on in more than one way ({of}); "
            "pull back, or move a drive across it"
        )


class _Freedoms:
    """A plan, and those of its freedoms that a link follows."""

    def __init__(self, m: Mechanism, planned: Planned, link: int, point: np.ndarray):
        self.m, self.planned, self._link, self._point = m, planned, link, point
        self.mover = Mover(m.planner, planned, ())
        reached = self._reached()
        self.at = np.flatnonzero(np.isin(planned.known, list(reached))).astype(np.int64)

    def _reached(self) -> set[int]:
        """Coordinates that the link's pose depends on, those that follow and those that are given.

        A coordinate that follows depends on all coordinates that the rows of its block know.
        """
        model, plan = self.m.structure.model, self.planned.plan
        block_of = {
            int(v): b
            for b, (start, end) in enumerate(zip(plan.row_ptr, plan.row_ptr[1:], strict=False))
            for v in plan.cols[start:end]
        }
        waiting, found = list(self._chain()), set[int]()
        self.blocks: list[int] = []
        while waiting:
            k = waiting.pop()
            if k in found:
                continue
            found.add(k)
            b = block_of.get(k)
            if b is not None and b not in self.blocks:
                self.blocks.append(b)
                for row in plan.rows_of(b):
                    waiting += [v for v, *_ in pattern(model, int(row))]
        return found

    def _chain(self) -> list[int]:
        """Coordinates of the joints between the ground and the link."""
        links, out, i = self.m.structure.model.links, [], self._link
        while i > 0:
            first = int(links["v0"][i])
            out += range(first, first + FREEDOMS[Joint(links["joint"][i])])
            i = int(links["parent"][i])
        return out

    @cached_property
    def mates(self) -> list[str]:
        """The mates of the loops that the link is in, those nearest to it first."""
        owner = self.m.structure.row_owner
        rows = [int(r) for b in self.blocks for r in self.planned.plan.rows_of(b)]
        return list(dict.fromkeys(owner[r] for r in rows if r in owner))

    @cached_property
    def _held(self) -> Held:
        p = self.planned
        edge = self.mover.edge
        return Held(p.plan, p.known, self.at, p.watch, edge, self._link, self._point)

    def pull(
        self, y: np.ndarray, target: np.ndarray, before: np.ndarray | None, poor: float
    ) -> PullResult:
        """Pull with these freedoms; `before` is a state that the pull came from."""
        planned, model = self.planned, self.m.structure.model
        here = branch(model, planned.plan, y)
        zero = np.abs(here) <= ZERO * planned.usual
        if zero.any():
            X = poses(model, y)[self._link]
            gap = float(np.linalg.norm(X[:9].reshape(3, 3) @ self._point + X[9:] - target))
            return PullResult(y, PullOutcome.BLOCKED, gap, int(np.argmax(zero)))
        signs = np.copysign(np.maximum(np.abs(here), USUAL * planned.usual), here)
        free = planned.known[self.at]
        back = None if before is None else (before[free] - y[free]) * model.weight[free]
        return pull(model, self._held, y, target, signs, back, poor)

    def others(self, done: PullResult) -> tuple[_Freedoms, np.ndarray] | None:
        """The best freedoms at a state, and the state with all rows closed; None: none are regular.

        Where the rank of all rows is lower than elsewhere, several ways lead on and none is better.
        """
        model, y = self.m.structure.model, done.y
        if model.nv > DENSE:
            return None
        if done.outcome is PullOutcome.BLOCKED:
            polished = solve(model, y, self.m.structure.closing_rows)
            if not polished.ok and polished.residual > self.mover.edge:
                return None
            if np.abs(polished.y - y).max() > POLISH:
                return None
            y = polished.y
        planned = self.m.planner.planned(np.empty(0, np.int64), at=y)
        if planned.choice.rank < self.m.mover(()).planned.choice.rank:
            return None
        if block_conditions(model, planned.plan, y).min(initial=1.0) < TRUE_DEAD_POINT:
            return None
        return _Freedoms(self.m, planned, self._link, self._point), y


def _vector(what: str, values: Sequence[float]) -> np.ndarray:
    """Three finite numbers as an array."""
    found = list(values)
    if len(found) != 3:
        raise InputError(f"{what} of a pull: {len(found)} numbers found, 3 wanted")
    for value in found:
        require_finite(f"{what} of a pull", value)
    return np.array(found, float)
