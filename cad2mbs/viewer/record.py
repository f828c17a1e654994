"""A motion kept for later: what the page needs to move each drive without a solver behind it.

The drives move one at a time from the present pose, the others staying where they are, so that
the size grows with their number and not with all their combinations.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from cad2mbs.pictures.item import GLASS
from cad2mbs.report import plain
from cad2mbs.viewer import geometry
from cad2mbs.viewer.scene import body_poses, scene, solids, verdicts
from cad2mbs.wording import counted

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism
    from cad2mbs.pictures.follow import Followed

COUNT = 181  # positions of each drive, or of each of its turns
TURNS = 6  # of a drive that goes on for more: those around the present pose
SIZE = 4e6  # [bytes] of a drive's poses and columns before packing; fewer turns where they are more
DIGITS = 7  # of the numbers in curves: more than a screen can show
ROUNDING = 1e-10  # of the largest number of a curve
GROUPS = ("drive", "joint", "observer")  # columns that are kept; of parts only the shown ones


@dataclass(frozen=True, eq=False)
class Track:
    """One drive moved alone: its values, rising, the states there, and columns with rates."""

    drive: str
    values: np.ndarray  # (k,) [user units]
    states: np.ndarray  # (k, ny)
    columns: Mapping[str, tuple[str, np.ndarray, np.ndarray]]  # name -> unit, values, rates
    speed: float  # of the drive in the rates [user units per s]
    turns: bool
    note: str = field(default="")  # why it ends early or was cut, if so


def record(
    m: Mechanism,
    ranges: Mapping[str, Sequence[float] | np.ndarray] | None = None,
    count: int = COUNT,
    points: Sequence[Followed] = (),
    glass: Collection[str] = (),
    compact: bool = False,
) -> dict[str, Any]:
    """The scene, the motion of every drive and the geometry, ready for JSON; m is not moved.

    Each drive goes over its whole reach in `count` positions, or through the values in `ranges`,
    where only the drives named there move. A drive that goes on for several turns has `count`
    positions for each of them, and of many turns those around the present pose are kept. `points`
    are those whose paths the page draws; the parts in `glass` are see-through. `compact`: the page
    begins with the view and the drives, its other panels folded. In the result `notes` tells of
    drives that end early or are cut.
    """
    m = _inside(m, ranges or {})
    names = kept(m)
    if not m.assembled:
        tracks = []
    elif ranges is None:
        driving = [n for n in m.drives if n not in m.tied_drives]
        tracks = [_reached(m, name, names, count) for name in driving]
    else:
        tracks = [_ranged(m, name, np.asarray(v, float), names) for name, v in ranges.items()]
    notes = [f"{track.drive}: {track.note}" for track in tracks if track.note]
    tracks = [track for track in tracks if len(track.values) > 1]
    shapes = solids(m)
    row = {name: k for k, name in enumerate(m.assembly.parts)}
    return {
        "scene": _scene(m, tracks, names, notes, glass),
        "notes": notes,
        "compact": compact,
        "start": plain(body_poses(m, m.state[None])[0]),
        "drives": [_drive(m, track) for track in tracks],
        "traces": [{"name": p.name, "part": row[p.part], "point": list(p.point)} for p in points],
        "geometry": _packed(geometry.keyed(shapes)[1]) if shapes else None,
    }


def kept(m: Mechanism) -> list[str]:
    """The columns that are recorded: not all, since a pose of every part is there anyway."""
    from cad2mbs.curves import quantities

    return [q.name for q in quantities(m) if q.shown or q.group in GROUPS]


def _inside(m: Mechanism, ranges: Mapping[str, Sequence[float] | np.ndarray]) -> Mechanism:
    """A mechanism of its own whose drives start within their ranges."""
    m = m.fork()
    for name, values in ranges.items():
        m.require([name])
        low, high = float(np.min(values)), float(np.max(values))
        if not low <= m.drives[name].value <= high:
            m.drive({name: float(np.asarray(values, float).flat[0])})
    return m


def _reached(m: Mechanism, name: str, names: Sequence[str], count: int) -> Track:
    from cad2mbs.curves import curves

    turns = _kept_turns(m, names, count)
    found = curves(m, name, names, count, most=1 + turns * (count - 1), turns=turns)
    columns = {n: (found.units[n], found.columns[n], found.rates[n]) for n in names}
    note = "" if found.ok else found.status
    if found.cut_from is not None:
        cut = (
            f"{counted(turns, 'turn')} around the present pose of the {found.cut_from:.3g} "
            "it can go are kept"
        )
        note = f"{note}; {cut}" if note else cut
    return Track(name, found.x, found.states, columns, found.speed, found.turns, note)


def _kept_turns(m: Mechanism, names: Sequence[str], count: int) -> int:
    """Turns of a drive that are kept, so that the file does not grow too large."""
    numbers = 7 * len(m.structure.bodies) + 2 * len(names)
    return int(np.clip(SIZE / (8.0 * numbers * count), 1, TURNS))


def _ranged(m: Mechanism, name: str, values: np.ndarray, names: Sequence[str]) -> Track:
    """The drive through given values; rates are slopes over the drive, from value to value."""
    result = m.fork().sweep({name: values})
    assert result.states is not None
    reached = values[: len(result)]
    order = slice(None, None, -1 if len(reached) > 1 and reached[0] > reached[-1] else 1)
    x, unit = reached[order], dict(result.columns)
    speed = float(np.ptp(x)) if len(x) else 0.0
    columns = {}
    for n in names:
        y = result.column(n)[order]
        slope = np.gradient(y, x) if len(x) > 1 else np.zeros(len(x))
        columns[n] = (unit[n], y, speed * slope)
    turns = _comes_round(m, name, x, result.states[order])
    note = "" if result.ok else result.status
    return Track(name, x, result.states[order], columns, speed, turns, note)


def _comes_round(m: Mechanism, name: str, x: np.ndarray, Y: np.ndarray) -> bool:
    """Whether the range is one full turn at whose end everything is where it began."""
    info, turn = m.drives[name], 2.0 * np.pi / m.units.radian
    if len(x) < 2 or info.unit == m.units.length or abs(x[-1] - x[0] - turn) > 1e-9 * turn:
        return False
    first, last = body_poses(m, Y[[0, -1]])
    size = max(1.0, float(np.abs(first[:, :3]).max()))
    same_turn = np.abs(np.einsum("bi,bi->b", first[:, 3:], last[:, 3:])) > 1.0 - 1e-9
    return bool(np.abs(first - last)[:, :3].max() < 1e-6 * size and same_turn.all())


def _scene(
    m: Mechanism,
    tracks: Sequence[Track],
    names: Sequence[str],
    notes: Sequence[str],
    glass: Collection[str],
) -> dict[str, Any]:
    """The scene as it is when nothing but these tracks can be asked for."""
    by_name = {track.drive: track for track in tracks}
    data = scene(m, driving=list(by_name))
    found = verdicts(m)
    for mate, verdict in zip(data["mates"], found["mates"], strict=True):
        mate.update(verdict)
    for drive in data["drives"]:
        if drive["name"] in by_name:
            drive["turns"] = by_name[drive["name"]].turns
    data["drives"] = [d for d in data["drives"] if d["driving"]] or data["drives"]
    data["quantities"] = [q for q in data["quantities"] if q["name"] in names]
    for part in data["parts"]:
        if part["name"] in glass:
            part["colour"][3] = GLASS
    # The reader of the file may be anybody: where it lay on this machine is not for them.
    return data | {
        "type": "scene",
        "source": PurePath(data["source"]).name,
        "editable": False,
        "geometry": None,
        "conflict": found["conflict"],
        "notes": [*data["notes"], *notes],
    }


def _drive(m: Mechanism, track: Track) -> dict[str, Any]:
    from cad2mbs.curves import rate_unit

    unit = m.drives[track.drive].unit
    return {
        "name": track.drive,
        "values": track.values.tolist(),
        "poses": _packed(body_poses(m, track.states).astype("<f8").tobytes()),
        "columns": [
            {
                "name": n,
                "unit": u,
                "y": _rounded(y),
                "rate": _rounded(rate),
                "rateUnit": rate_unit(u),
            }
            for n, (u, y, rate) in track.columns.items()
        ],
        "speed": {"value": track.speed, "unit": rate_unit(unit)},
    }


def _rounded(values: np.ndarray) -> list[float | None]:
    """The numbers with few digits, none where there is none, 0 for what is rounding beside them."""
    noise = ROUNDING * float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    clean = np.where(np.abs(values) <= noise, 0.0, values)
    return [float(f"{v:.{DIGITS}g}") if np.isfinite(v) else None for v in clean.tolist()]


def _packed(data: bytes) -> str:
    """base64 of gzip, without a date: equal data give equal text."""
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()
