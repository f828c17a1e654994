"""Judging a first assembly from outside: the mates' own rows and gaps at the poses it gave."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from cad2mbs.mapping.gaps import gap
from tests.assembly.random_mechanisms import Case
from tests.reference import mate_rows

HOLDS = 1e-9  # of the mechanism's size, or rad: ten times what the solver accepts


@dataclass(frozen=True)
class Outcome:
    """What the mechanism claims, and what the mates say at its poses."""

    case: Case
    claimed: bool  # the mechanism says that every mate holds
    violation: float  # largest, of lengths by size and of angles
    open_mates: tuple[str, ...]
    status: str
    seconds: float  # mapping and assembling

    @property
    def wrong(self) -> bool:
        """A pose was given as solved at which a mate is open."""
        return self.claimed and self.violation > HOLDS


def violations(case: Case, poses) -> dict[str, float]:
    """Largest violation of every mate at poses {part: Pose}, by two independent evaluations."""
    assembly, size = case.assembly, case.size
    placed = {n: (np.array(p.position), p.rotation()) for n, p in poses.items()}
    metre = assembly.units.metre
    out = {}
    for mate in assembly.mates.values():
        two, one = mate_rows.mate_rows(assembly, placed, mate, size)
        (p_a, R_a), (p_b, R_b) = placed[mate.a.part], placed[mate.b.part]
        length, angle = gap(assembly, mate, (R_a, p_a * metre), (R_b, p_b * metre))
        out[mate.name] = max(*np.abs(two), *(-np.array(one)), length / (size * metre), angle, 0.0)
    return out


def attempt(case: Case) -> Outcome:
    """Build the mechanism from its start poses and judge what comes out."""
    begin = time.perf_counter()
    mechanism = case.assembly.mechanism()
    seconds = time.perf_counter() - begin
    found = violations(case, mechanism.poses)
    open_mates = tuple(n for n, v in found.items() if not v <= HOLDS)
    worst = max(found.values())
    return Outcome(
        case,
        mechanism.assembled,
        float(worst) if np.isfinite(worst) else np.inf,
        open_mates,
        mechanism.status,
        seconds,
    )
