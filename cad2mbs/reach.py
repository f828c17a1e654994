"""How far a drive can go from the present pose on its branch, and what ends the way.

A motion that meets nothing within a turn is compared with where it began. If every part is back,
the drive comes round (after one turn, or after a few where gears are in between). Otherwise it goes
on, up to `TURNS` turns; a slide goes up to `FAR` model lengths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.mapping.gauges import Gauge
from cad2mbs.motion import Mover, Stop
from cad2mbs.wording import counted
from solvers.kinematics import poses
from solvers.model import Joint
from solvers.track import Outcome

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

TURNS = 10  # turns after which a drive that meets no stop counts as endless
FAR = 10.0  # model lengths after which a slide that meets no stop counts as endless
SAME = 1e-6  # poses that differ by less are the same [rad or model lengths]
SPUN = 5e-3  # the same where a spin that nobody drives is held step by step: it wanders a little
DEAD = (Outcome.DEAD_POINT, Outcome.SINGULAR_START)


@dataclass(frozen=True)
class DeadPoint:
    """A value of the drive at which it, or a joint that follows, turns back; `text` says which."""

    value: float
    text: str


@dataclass(frozen=True)
class Reach:
    """Ends of a drive on the present branch [user units] and why they are there, in words.

    `turns`: the drive comes round; low and high are then the ends of the present turn (of as many
    turns as bring every part back), and the reasons are empty.
    """

    drive: str
    low: float
    high: float
    low_reason: str
    high_reason: str
    turns: bool
    dead: tuple[DeadPoint, ...]


@dataclass(frozen=True)
class End:
    """One end of a drive's way: the value [user units], the state there, and what is met."""

    value: float
    y: np.ndarray
    reason: str
    dead: bool


@dataclass(frozen=True)
class Extent:
    """Both ends; `turns` > 0: after so many turns every part is back, and there is no end."""

    low: End
    high: End
    turns: int


def reach(m: Mechanism, drive: str) -> Reach:
    """How far the drive can go both ways from the present pose; the mechanism is not moved."""
    from cad2mbs.paths import path, reversals

    e = extent(m, drive)
    dead = [_dead_end(end) for end in (e.low, e.high) if end.dead]
    count = _count(m, drive, e)
    for value, text in reversals(m, path(m, drive, _shifted(e, count), count)):
        dead.append(DeadPoint(_in_turn(e, value), text))
    return Reach(
        drive,
        e.low.value,
        e.high.value,
        e.low.reason,
        e.high.reason,
        e.turns > 0,
        tuple(sorted(dead, key=lambda d: d.value)),
    )


def _dead_end(end: End) -> DeadPoint:
    """The end of a drive's own way; its text begins with "dead point", those of others do not."""
    known = end.reason.startswith("dead point")
    return DeadPoint(end.value, end.reason if known else f"dead point: {end.reason}")


def _shifted(e: Extent, count: int) -> Extent:
    """The same turns from half a step earlier: round values, where joints like to turn back, are
    then between two positions and not at the seam."""
    if not e.turns:
        return e
    half = 0.5 * (e.high.value - e.low.value) / (count - 1)
    low, high = (replace(end, value=end.value - half) for end in (e.low, e.high))
    return replace(e, low=low, high=high)


def _in_turn(e: Extent, value: float) -> float:
    """The value within the present turn where the drive comes round."""
    whole = e.high.value - e.low.value
    if not e.turns or value >= e.low.value - 1e-9 * whole:
        return value
    return value + whole


def _count(m: Mechanism, drive: str, e: Extent) -> int:
    """Positions close enough together that each reversal shows: 2 degrees, or 180 on the way."""
    if m.gauge(drive).is_length:
        return 181
    turns = (e.high.value - e.low.value) * m.units.radian / (2 * math.pi)
    return 1 + 180 * max(1, math.ceil(turns - SAME))


def extent(m: Mechanism, drive: str) -> Extent:
    """Where the ways of the drive end, with the states there."""
    m.require([drive])
    g, y = m.gauge(drive), m.state
    mover = m.mover([drive])
    ends = []
    for way in (-g.sign, g.sign):
        y_end, reason, turns = _go(m, mover, g, y, way)
        if turns:
            return _round(m, g, y, turns)
        value = float((g.sign * y_end[g.coord] + g.zero) / m.unit_of(g))
        text = reason if isinstance(reason, str) else reason.reason
        dead = isinstance(reason, Stop) and reason.outcome in DEAD
        ends.append(End(value, y_end, text, dead))
    return Extent(ends[0], ends[1], 0)


def _round(m: Mechanism, g: Gauge, y: np.ndarray, turns: int) -> Extent:
    """The present turn (or turns) of a drive that comes round."""
    whole = turns * 2 * math.pi / m.units.radian
    value = float((g.sign * y[g.coord] + g.zero) / m.units.radian)
    low = whole * math.floor(value / whole + 1e-12)
    return Extent(End(low, y, "", False), End(low + whole, y, "", False), turns)


def _go(
    m: Mechanism, mover: Mover, g: Gauge, y: np.ndarray, way: float
) -> tuple[np.ndarray, str | Stop, int]:
    """State at the end of one way, what is met there, and turns after which all is back (0: no)."""
    model = m.structure.model
    bound = float((model.high if way > 0 else model.low)[g.coord])
    if math.isfinite(bound):
        end, stop = _move(mover, g, y, bound)
        return end, stop or f"the limit of {mover.limited(g.coord, end)} is reached", 0
    if g.is_length:
        end, stop = _move(mover, g, y, y[g.coord] + way * FAR * model.length)
        return end, stop or f"no stop within {FAR:g} model lengths", 0
    start, same = poses(model, y), SPUN if _holds_spin(m, mover) else SAME
    at = y
    for turn in range(1, TURNS + 1):
        at, stop = _move(mover, g, at, y[g.coord] + way * 2 * math.pi * turn)
        if stop is not None:
            return at, stop, 0
        if _agree(start, poses(model, at), model.length, same):
            return at, "", turn
    return at, f"no stop within {counted(TURNS, 'turn')}, nor are all parts back by then", 0


def _move(mover: Mover, g: Gauge, y: np.ndarray, value: float) -> tuple[np.ndarray, Stop | None]:
    target = y[mover.known].copy()
    target[mover.place(g.coord)] = value
    return mover.go(y, target, cross=False)


def _agree(X: np.ndarray, X_then: np.ndarray, length: float, same: float) -> bool:
    """Whether all links are at the same place."""
    off = np.abs(X_then - X)
    return bool(off[:, :9].max() < same and off[:, 9:].max() < same * length)


def _holds_spin(m: Mechanism, mover: Mover) -> bool:
    """Whether a freedom of a ball joint is held."""
    links = m.structure.model.links
    first = links["v0"][np.isin(links["joint"], (Joint.BALL, Joint.POINTER))]
    away = mover.known[:, None] - first[None]
    return bool(((away >= 0) & (away < 3)).any())
