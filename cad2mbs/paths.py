"""The way of a drive from end to end: states, rates along it, and where other joints turn back.

The states start at the present pose and go both ways, so that all of them are on its branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.mapping.gauges import Gauge
from cad2mbs.motion import Mover, Stop
from cad2mbs.reach import Extent
from solvers.rates import RatesAlong, rates, rates_along

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

STEEP = 1e5  # rates above this many times the drive's are not told: they go to infinity there
STILL = 1e-7  # a follower that never moves faster, for a drive of rate one, stands
ROUNDS = 3  # of Newton towards a reversal, from 2 degrees away: 1e-3, 1e-6, rounding


@dataclass(frozen=True)
class Path:
    """States Y (k, ny) at drive values x (k,) [user units], rising; what stopped it, if it did."""

    drive: str
    gauge: Gauge
    mover: Mover
    x: np.ndarray
    Y: np.ndarray
    stops: tuple[Stop, ...]
    residual: float  # largest that the solved rows keep


def path(m: Mechanism, drive: str, e: Extent, count: int) -> Path:
    """States at `count` drive values, equally spaced over the extent."""
    g, y, mover = m.gauge(drive), m.state, m.mover([drive])
    x = np.linspace(e.low.value, e.high.value, count)
    now = (g.sign * y[g.coord] + g.zero) / m.unit_of(g)
    inside = slice(0, count) if e.turns else slice(1, count - 1)
    split = int(np.searchsorted(x[inside], now))
    down, stop_low, left = _follow(m, mover, g, y, x[inside][:split][::-1])
    up, stop_high, right = _follow(m, mover, g, y, x[inside][split:])
    kept = x[inside][split - len(down) : split + len(up)]
    Y = np.concatenate([down[::-1], up])
    if not e.turns:
        # The ends are states of their own: at a dead point no drive value leads there twice.
        first, last = [stop_low is None], [stop_high is None]
        Y = np.concatenate([e.low.y[None][first], Y, e.high.y[None][last]])
        kept = np.concatenate([x[:1][first], kept, x[-1:][last]])
    stops = tuple(s for s in (stop_low, stop_high) if s is not None)
    return Path(drive, g, mover, kept, Y, stops, max(left, right))


def _follow(
    m: Mechanism, mover: Mover, g: Gauge, y: np.ndarray, x: np.ndarray
) -> tuple[np.ndarray, Stop | None, float]:
    """States at the drive values x, from y on."""
    if len(x) == 0:
        return np.empty((0, len(y))), None, 0.0
    U = np.repeat(y[mover.known][None], len(x), axis=0)
    U[:, mover.place(g.coord)] = g.sign * (x * m.unit_of(g) - g.zero)
    return mover.follow(y, U, cross=False)


def path_rates(m: Mechanism, p: Path, speed: float) -> RatesAlong:
    """Rates along the path for a drive speed [rad/s, m/s]; `fine` False where there are none."""
    model = m.structure.model
    v = np.zeros(model.nv)
    v[p.gauge.coord] = p.gauge.sign * speed
    found = rates_along(model, p.mover.planned.plan, p.Y, v)
    size = abs(speed) * model.weight[p.gauge.coord]
    steepest = np.abs(found.v * model.weight).max(axis=1)
    found.fine[:] &= steepest <= STEEP * size
    for k in np.flatnonzero(~found.fine):
        # Perhaps only the chosen rows are singular there: other ones tell.
        other = p.mover.regular_at(p.Y[k])
        if other is p.mover.planned:
            continue
        one = rates(model, other.plan, p.Y[k], v, np.zeros(model.nv))
        found.v[k], found.a[k], found.V[k], found.A[k], fine = one
        found.fine[k] = fine and np.abs(one[0] * model.weight).max() <= STEEP * size
    return found


def reversals(m: Mechanism, p: Path) -> Iterator[tuple[float, str]]:
    """Drive values at which a joint on the ground that follows turns back, and the words for it."""
    if len(p.x) < 2:
        return
    model = m.structure.model
    found = path_rates(m, p, 1.0 / model.weight[p.gauge.coord])
    for name, g in _followers(m, p).items():
        v = found.v[:, g.coord] * model.weight[g.coord]
        fine = found.fine & np.isfinite(v)
        if np.abs(v[fine]).max(initial=0.0) < STILL:
            continue
        turned = np.flatnonzero(((v[:-1] >= 0) != (v[1:] >= 0)) & fine[:-1] & fine[1:])
        seen: list[float] = []
        for k in turned:
            value = _refined(m, p, g.coord, int(k), v)
            if value is not None and all(abs(value - s) > 1e-6 * np.ptp(p.x) for s in seen):
                seen.append(value)
                yield value, f"{name} turns back here: its dead point, were it to drive"


def _followers(m: Mechanism, p: Path) -> dict[str, Gauge]:
    """Coordinates of joints on the ground with one freedom, less those given for this drive."""
    known = set(p.mover.known.tolist())
    on_ground = {
        coord
        for joint in m.structure.joints
        if joint.freedoms == 1
        and (m.structure.bodies[joint.a].grounded or m.structure.bodies[joint.b].grounded)
        for coord, _ in joint.coords
    }
    names = {g.coord: n for n, g in reversed(m.offered.items())}
    return {names[c]: m.offered[names[c]] for c in sorted(on_ground - known) if c in names}


def _refined(m: Mechanism, p: Path, coord: int, k: int, v: np.ndarray) -> float | None:
    """The drive value between positions k and k + 1 where the coordinate's rate is zero."""
    model, unit = m.structure.model, m.unit_of(p.gauge)
    share = v[k] / (v[k] - v[k + 1]) if v[k] != v[k + 1] else 0.0
    low, high = p.x[k], p.x[k + 1]
    value = float(low + share * (high - low))
    drive = np.zeros(model.nv)
    drive[p.gauge.coord] = p.gauge.sign * unit
    y = p.Y[k]
    for _ in range(ROUNDS):
        target = y[p.mover.known].copy()
        target[p.mover.place(p.gauge.coord)] = p.gauge.sign * (value * unit - p.gauge.zero)
        y, stop = p.mover.go(y, target, cross=False)
        if stop is not None:
            return None
        rate, second, *_ = rates(model, p.mover.regular_at(y).plan, y, drive, np.zeros(model.nv))
        if second[coord] == 0.0:
            break
        value = float(np.clip(value - rate[coord] / second[coord], low, high))
    return value
