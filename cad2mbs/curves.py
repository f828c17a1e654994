"""Quantities over a drive, from one end of its reach to the other, with their rates.

Rates are those of a drive that moves steadily. Coordinates and parts have theirs from the first
kinematic differential. What is measured on top of a pose (closing joints, observers) is
differenced along the tangent v: with f(s) its value at the state moved by s v,

    df/dt = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h,      error h^4

No sweep is differenced, so the rate of a position does not depend on its neighbours. Where rates go
to infinity (dead points), or a measure has a kink, they are nan.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.errors import InputError, require_finite
from cad2mbs.paths import Path, path, path_rates
from cad2mbs.reach import End, Extent, extent
from cad2mbs.wording import did_you_mean, quoted
from solvers.rates import RatesAlong, carried

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

H = 1e-3  # of the state along the tangent [rad or model lengths]: H^4 = 1e-12, eps / H = 2e-13
KINK = 0.1  # of H and of the measure's range: what bends by more has a kink, and no rate there
SHOWN = 6  # quantities that are shown unasked
FINE = 180  # positions of a turn that show what a point of a turning part runs: 2 degrees


@dataclass(frozen=True)
class Quantity:
    """A column that can be drawn; group is drive, joint, part or observer."""

    name: str
    unit: str
    group: str
    shown: bool


@dataclass(frozen=True, eq=False)
class Curves:
    """Columns and their rates over the drive values x; states are those of the solver's model."""

    drive: str
    unit: str  # of x
    x: np.ndarray  # (k,) [user units], rising
    columns: Mapping[str, np.ndarray]  # (k,) by name
    rates: Mapping[str, np.ndarray]  # (k,) per second; nan: no rate there
    units: Mapping[str, str]  # of the columns
    states: np.ndarray  # (k, ny)
    speed: float  # of the drive [user units per s]
    range: tuple[float, float]  # ends of the drive [user units]
    turns: bool  # it comes round: the last position is the first one again
    ok: bool
    status: str
    cut_from: float | None = None  # turns that the drive could go, where it went over fewer


def rate_unit(unit: str) -> str:
    """The unit of the rate of a quantity with this unit."""
    return f"{unit or '1'}/s"


def quantities(m: Mechanism) -> list[Quantity]:
    """Every column of a table of this mechanism, with its unit and whether it is shown unasked."""
    groups, units = _groups(m), m._columns.header[1]
    shown = _shown(m, groups)
    return [
        Quantity(name, unit, group, name in shown)
        for (name, group), unit in zip(groups.items(), units, strict=True)
    ]


def _groups(m: Mechanism) -> dict[str, str]:
    """Group of every column, in their order."""
    names, _ = m._columns.header
    drives, parts = len(m.gauges), 7 * len(m.assembly.parts)
    measured = len(m._columns.measured)
    joints = len(names) - drives - parts - measured
    kinds = ["drive"] * drives + ["part"] * parts + ["joint"] * joints + ["observer"] * measured
    return dict(zip(names, kinds, strict=True))


def _shown(m: Mechanism, groups: Mapping[str, str]) -> set[str]:
    """What most want to see, at most `SHOWN`: observers, then slides and turns that follow.

    Of joints with one freedom, those on the ground and slides first. Where none follows: the
    position of the body that hangs on most joints, or of the last one of an open chain.
    """
    s = m.structure
    found = [n for n, group in groups.items() if group == "observer"]
    joints = []
    for joint in s.joints:
        coords = [coord for coord, _ in joint.coords]
        names = [n for n, g in m.offered.items() if n not in m.gauges and g.coord in coords]
        if joint.freedoms == 1 and names:
            far = not (s.bodies[joint.a].grounded or s.bodies[joint.b].grounded)
            joints.append((far, not m.offered[names[0]].is_length, len(joints), names[0]))
    found += [name for *_, name in sorted(joints)]
    if not found:
        header, parts = list(groups), list(m.assembly.parts)
        first = len(m.gauges) + 7 * parts.index(_hand(m))
        found = header[first : first + 3]
    return set(found[:SHOWN])


def _hand(m: Mechanism) -> str:
    """A part of the body that the motion is about."""
    s = m.structure
    bodies = [b for b in s.bodies.values() if not b.grounded] or list(s.bodies.values())
    count = {b.name: sum(b.name in (j.a, j.b) for j in s.joints) for b in bodies}
    body = max(bodies, key=lambda b: count[b.name]) if s.loops else bodies[-1]
    return next(iter(body.places))


def curves(
    m: Mechanism,
    drive: str,
    names: Sequence[str],
    count: int = 361,
    speed: float | None = None,
    most: int = 0,
    turns: float = math.inf,
) -> Curves:
    """The named columns over the whole reach of a drive, on the present branch, with their rates.

    `speed` of the drive in user units a second; default: one turn a second where the drive comes
    round, else the whole range in a second. A drive that goes on for several turns has more
    positions than `count`, up to `most`: as many a turn as one turn has, or one every 2 degrees.
    It goes over no more than `turns` turns, those around the present pose. The mechanism is not
    moved.
    """
    _require(m, names, count)
    whole = extent(m, drive)
    e = _around(m, drive, whole, turns)
    p = path(m, drive, e, _positions(m, drive, e, count, most))
    speed = _speed(m, e) if speed is None else speed
    require_finite(f"speed of {drive}", speed)
    units = dict(zip(*m._columns.header, strict=True))
    columns = _columns(m, p.Y, names)
    g = m.gauge(drive)
    if speed == 0.0:
        rates = {n: np.zeros(len(p.x)) for n in names}
    else:
        rates = _rates(m, p, columns, speed * m.unit_of(g))
    residual = max(p.residual, m.residual_along(p.Y))
    ok = not p.stops and residual <= m.tolerated
    return Curves(
        drive,
        m.units.length if g.is_length else m.units.angle,
        p.x,
        {n: columns[n] for n in names},
        rates,
        {n: units[n] for n in names},
        p.Y,
        float(speed),
        (e.low.value, e.high.value),
        e.turns > 0,
        ok,
        _status(p, e, residual, ok),
        _turned(m, drive, whole) if e is not whole else None,
    )


def _turned(m: Mechanism, drive: str, e: Extent) -> float:
    """Turns of a turning drive from end to end; 0 for a slide."""
    if m.gauge(drive).is_length:
        return 0.0
    return (e.high.value - e.low.value) * m.units.radian / (2 * math.pi)


def _positions(m: Mechanism, drive: str, e: Extent, count: int, most: int) -> int:
    """At least `count` positions; more, up to `most`, where a turning drive needs them."""
    wanted = math.ceil(_turned(m, drive, e) * min(count - 1, FINE) - 1e-6)
    return max(count, min(most, 1 + wanted))


def _around(m: Mechanism, drive: str, e: Extent, turns: float) -> Extent:
    """The extent, cut to so many turns around the present pose where it has more."""
    if _turned(m, drive, e) <= turns + 1e-6:
        return e
    g, y, mover = m.gauge(drive), m.state, m.mover([drive])
    unit = m.unit_of(g)
    width = turns * 2 * math.pi / unit
    now = float((g.sign * y[g.coord] + g.zero) / unit)
    low = min(max(now - 0.5 * width, e.low.value), e.high.value - width)
    ends = []
    for value, end in ((low, e.low), (low + width, e.high)):
        target = y[mover.known].copy()
        target[mover.place(g.coord)] = g.sign * (value * unit - g.zero)
        there, stop = mover.go(y, target, cross=False)
        ends.append(end if stop is not None else End(value, there, "", False))
    return Extent(ends[0], ends[1], 0)


def _require(m: Mechanism, names: Sequence[str], count: int) -> None:
    header = m._columns.header[0]
    for name in names:
        if name not in header:
            raise InputError(
                f"no quantity {quoted(name)}{did_you_mean(name, header)} Drives, joint "
                "coordinates, poses of parts and observers can be drawn."
            )
    if count < 3:
        raise InputError(f"{count} positions found, at least 3 wanted")


def _columns(m: Mechanism, Y: np.ndarray, names: Sequence[str]) -> dict[str, np.ndarray]:
    """The named columns at the states Y, and others of the same groups."""
    make, groups = m._columns, _groups(m)
    asked = {groups[n] for n in names}
    first = {group: next(k for k, g in enumerate(groups.values()) if g == group) for group in asked}
    header, out = list(groups), {}
    if "drive" in asked:
        out |= {n: make.drive(m.gauges[n], Y) for n in names if n in m.gauges}
    if "part" in asked:
        table = make.parts(Y).reshape(len(Y), -1)
        out |= dict(zip(header[first["part"] :], table.T, strict=False))
    if "joint" in asked:
        table = np.column_stack(list(make.joints(Y).values()))
        out |= dict(zip(header[first["joint"] :], table.T, strict=False))
    return out | (make.observers(Y) if "observer" in asked else {})


def _speed(m: Mechanism, e: Extent) -> float:
    if e.turns:
        return 2 * math.pi / m.units.radian
    return e.high.value - e.low.value


def _status(p: Path, e: Extent, residual: float, ok: bool) -> str:
    if ok:
        return f"{len(p.x)} positions, every mate holds"
    if p.stops:
        why = "; ".join(stop.reason for stop in p.stops)
        return f"{len(p.x)} positions between {e.low.value:.6g} and {e.high.value:.6g}; {why}"
    return f"a row is left open by {residual:.1e} of the model length"


# --- rates -------------------------------------------------------------------------------------


def _rates(
    m: Mechanism, p: Path, columns: Mapping[str, np.ndarray], speed: float
) -> dict[str, np.ndarray]:
    """Rate of each column [user units per s] for a drive speed [SI]."""
    found = path_rates(m, p, speed)
    known = {**_of_coordinates(m, found), **_of_parts(m, found, columns)}
    rest = [n for n in columns if n not in known]
    if rest:
        known |= _of_measures(m, p, found, columns, rest)
    return {n: np.where(found.fine, known[n], np.nan) for n in columns}


def _of_coordinates(m: Mechanism, found: RatesAlong) -> dict[str, np.ndarray]:
    """Rates of the columns that are coordinates of the solver: drives, tree joints."""
    header = m._columns.header[0]
    return {
        name: g.sign * found.v[:, g.coord] / m.unit_of(g)
        for name, g in m.offered.items()
        if name in header
    }


def _of_parts(
    m: Mechanism, found: RatesAlong, columns: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Rates of positions and quaternions of the parts."""
    header, out = m._columns.header[0], {}
    for k, place in enumerate(m.structure.part_place.values()):
        first = len(m.gauges) + 7 * k
        names = header[first : first + 7]
        if names[0] not in columns:
            continue
        table = np.column_stack([columns[n] for n in names])
        w, v = found.V[:, place.link, :3], found.V[:, place.link, 3:]
        linear = v / m.units.metre + np.cross(w, table[:, :3])
        rates = np.column_stack([linear, _quaternion_rate(w, table[:, 3:])])
        out |= dict(zip(names, rates.T, strict=True))
    return out


def _quaternion_rate(w: np.ndarray, q: np.ndarray) -> np.ndarray:
    """dq/dt (k, 4) = (0, w) q / 2, the angular velocity w in the ground."""
    scalar = -np.einsum("ki,ki->k", w, q[:, 1:])
    vector = q[:, :1] * w + np.cross(w, q[:, 1:])
    return 0.5 * np.column_stack([scalar, vector])


def _of_measures(
    m: Mechanism,
    p: Path,
    found: RatesAlong,
    columns: Mapping[str, np.ndarray],
    names: Sequence[str],
) -> dict[str, np.ndarray]:
    """Rates of what is measured on the poses, differenced along the tangent."""
    model = m.structure.model
    top = np.abs(found.v * model.weight).max(axis=1)
    h = (H / np.maximum(top, 1e-300))[:, None]  # [s]
    v = np.where(found.fine[:, None], found.v, 0.0)
    f = [_columns(m, carried(model, p.Y, s * h * v), names) for s in (-2.0, -1.0, 1.0, 2.0)]
    out = {}
    for name in names:
        turn, least = _measure(m, name)
        here, (b2, b1, a1, a2) = columns[name], (at[name] for at in f)
        near, far = _wrapped(a1 - b1, turn), _wrapped(a2 - b2, turn)
        rate = (8.0 * near - far) / (12.0 * h[:, 0])
        # A smooth measure bends by H^2 within the step, one with a kink by H.
        bend = _wrapped(a1 - here, turn) + _wrapped(b1 - here, turn)
        rate[np.abs(bend) > KINK * H * max(float(np.ptp(here)), least)] = np.nan
        out[name] = np.where(top > 0.0, rate, 0.0)
    return out


def _measure(m: Mechanism, name: str) -> tuple[float, float]:
    """What a column is counted modulo (inf: nothing), and a range that counts as standing still."""
    unit = dict(zip(*m._columns.header, strict=True))[name]
    if unit == m.units.length:
        return math.inf, 1e-6 * m.structure.length / m.units.metre
    if unit != m.units.angle:
        return math.inf, 1e-6
    # Angles of observers lie between 0 and half a turn, with a kink at both ends.
    whole = 2 * math.pi / m.units.radian
    return math.inf if name in m._columns.measured else whole, 1e-6 * whole


def _wrapped(difference: np.ndarray, turn: float) -> np.ndarray:
    """Differences of angles, taken the short way round."""
    if not math.isfinite(turn):
        return difference
    return difference - turn * np.round(difference / turn)
