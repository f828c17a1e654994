"""Bounds of a mechanism's freedoms as ranges of pairs, with the zeros the user gave."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.io.kinematics.joints_out import MM, PairOut
from cad2mbs.io.kinematics.pairs import PAIRS
from cad2mbs.model.assembly import Freedom, JointFreedom
from cad2mbs.wording import quoted

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

# Mates whose number is a freedom of the joint when a drive moves it, and what it measures.
DRIVEN = {"offset-x": Freedom.TURN, "in-plane": Freedom.SLIDE}


@dataclass(frozen=True)
class Bound:
    """Bounds on a freedom [SI], and what it reads now."""

    name: str
    of: JointFreedom
    low: float | None
    high: float | None
    now: float


def bounds_of(m: Mechanism) -> tuple[list[Bound], list[str]]:
    """All bounds of limits and drives, and sentences on those that bound no joint."""
    out, told = [], []
    for limit in m.assembly.limits.values():
        gauge = m.structure.limits.get(limit.name)
        if gauge is not None:
            out.append(_bound(m, limit.name, limit.of, limit.low, limit.high, gauge))
    for drive in m.assembly.drives.values():
        gauge = m.gauges.get(drive.name)
        if gauge is None or (drive.low is None and drive.high is None):
            continue
        of = drive.of
        if drive.mate is not None:
            mate = m.assembly.mates[drive.mate]
            if mate.kind not in DRIVEN:
                told.append(f"bounds of drive {quoted(drive.name)}: no range of a pair says this.")
                continue
            ends = (mate.a, mate.b) if mate.kind == "offset-x" else (mate.b, mate.a)
            of = JointFreedom(ends[0].part, ends[1].part, DRIVEN[mate.kind], ends)
        if of is not None:
            out.append(_bound(m, drive.name, of, drive.low, drive.high, gauge))
    return out, told


def _bound(m: Mechanism, name: str, of: JointFreedom, low, high, gauge) -> Bound:
    unit = m.unit_of(gauge)
    now = float(gauge.sign * m.state[gauge.coord] + gauge.zero)
    scaled = [None if v is None else v * unit for v in (low, high)]
    kind = Freedom.SLIDE if gauge.is_length else Freedom.TURN
    return Bound(name, replace(of, freedom=kind), scaled[0], scaled[1], now)


class Ranger:
    """Puts bounds into pairs; poses are those of bodies at present."""

    def __init__(self, m: Mechanism, body_poses: dict[str, np.ndarray]):
        self.m, self.X = m, body_poses
        self.body_of = {p: b.name for b in m.structure.bodies.values() for p in b.places}

    def ranged(self, pair: PairOut, bound: Bound) -> PairOut | None:
        """The pair with the bound in it; None where the pair cannot say it.

        Frame 2 is turned or shifted so that the pair reads what the user reads. A second bound on
        the same freedom keeps the zero of the first.
        """
        slide = bound.of.freedom is Freedom.SLIDE
        sense = self._sense(pair, bound, slide)
        if sense is None:
            return None
        freedom, sign = sense
        scale = MM if slide else 1.0
        now = sign * bound.now * scale
        low, high = (None if v is None else sign * v * scale for v in (bound.low, bound.high))
        low, high = (low, high) if sign > 0 else (high, low)
        reads = self._reading(pair, freedom)
        if freedom in pair.ranges:
            shift = reads - now
            low, high = (None if v is None else v + shift for v in (low, high))
            old = pair.ranges[freedom]
            low, high = _tighter(max, low, old[0]), _tighter(min, high, old[1])
            return replace(pair, ranges={**pair.ranges, freedom: (low, high)})
        F2 = self._shifted(pair, freedom, now - reads)
        return replace(pair, F2=F2, ranges={**pair.ranges, freedom: (low, high)})

    def _shifted(self, pair: PairOut, freedom: str, amount: float) -> np.ndarray:
        """Frame 2 moved by an amount along or about an axis of frame 1, or its own if it turns."""
        if freedom[0] == "r":
            return pair.F2 @ _moved(freedom, amount)
        W1, X_2 = self.X[pair.first] @ pair.F1, self.X[pair.second]
        move = W1 @ _moved(freedom, amount) @ np.linalg.inv(W1)
        return np.linalg.inv(X_2) @ move @ X_2 @ pair.F2

    def _sense(self, pair: PairOut, bound: Bound, slide: bool) -> tuple[str, float] | None:
        """Which freedom of the pair a bound is on, and whether it counts the same way."""
        letter, allowed = ("t" if slide else "r"), PAIRS[pair.word].ranges
        free = [f for f in pair.free if f[0] == letter and f in allowed]
        turns = sum(f[0] == "r" for f in pair.free)
        if not free or (not slide and turns > 1):
            return None
        W1 = self.X[pair.first] @ pair.F1
        axis = self._axis(bound, W1, free)
        for f in free:
            cosine = float(axis @ W1[:3, "xyz".index(f[1])])
            if abs(abs(cosine) - 1.0) < 1e-9:
                same = self.body_of[bound.of.a] == pair.first
                return f, np.sign(cosine) * (1.0 if same else -1.0)
        return None

    def _axis(self, bound: Bound, W1: np.ndarray, free: list[str]) -> np.ndarray:
        """The axis the bound counts along or about, in the world."""
        if bound.of.zero is None:
            # Counted about the axis of the chain, which the pair was made from.
            return W1[:3, "xyz".index(free[0][1])]
        za, zb = bound.of.zero
        ref = za if za.part == bound.of.a else zb
        return self.m.poses[ref.part].rotation() @ self.m.assembly.reference(ref).z

    def _reading(self, pair: PairOut, freedom: str) -> float:
        """What the pair reads at present [mm or rad]."""
        X = np.linalg.inv(self.X[pair.first] @ pair.F1) @ self.X[pair.second] @ pair.F2
        k = "xyz".index(freedom[1])
        if freedom[0] == "t":
            return float(X[k, 3])
        i, j = (k + 1) % 3, (k + 2) % 3
        return float(np.arctan2(X[j, i], X[i, i]))


def _moved(freedom: str, amount: float) -> np.ndarray:
    X, k = np.eye(4), "xyz".index(freedom[1])
    if freedom[0] == "t":
        X[k, 3] = amount
        return X
    i, j = (k + 1) % 3, (k + 2) % 3
    c, s = np.cos(amount), np.sin(amount)
    X[i, i], X[i, j], X[j, i], X[j, j] = c, -s, s, c
    return X


def _tighter(choose, a: float | None, b: float | None) -> float | None:
    given = [v for v in (a, b) if v is not None]
    return choose(given) if given else None
