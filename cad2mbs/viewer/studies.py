"""What takes longer than a pose, as messages for the page: verdicts, reach, curves, traces, tables.

Each takes a fork of the mechanism, so that it may run beside the motion.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cad2mbs.errors import MechanismError

if TYPE_CHECKING:
    from cad2mbs.clash import Clashes
    from cad2mbs.mechanism import Mechanism

COUNT, MOST = 361, 2001  # positions of curves and tables; of drives that go on for many turns
PATH, LONG = 181, 4000  # positions of a trace; the same


def verdicts(m: Mechanism) -> dict[str, Any]:
    """The message `verdicts`."""
    from cad2mbs.viewer.scene import verdicts

    return {"type": "verdicts", **verdicts(m)}


def reach(m: Mechanism, drive: str) -> dict[str, Any]:
    """The message `reach` of one drive."""
    from cad2mbs.reach import reach

    found = reach(m, drive)
    return {
        "type": "reach",
        "drive": drive,
        "low": found.low,
        "high": found.high,
        "turns": found.turns,
        "lowReason": found.low_reason,
        "highReason": found.high_reason,
        "dead": [{"value": d.value, "text": d.text} for d in found.dead],
    }


def curves(m: Mechanism, drive: str, names: Sequence[str]) -> dict[str, Any]:
    """The message `curves`: quantities over the reach of a drive, with their rates."""
    from cad2mbs.curves import curves, rate_unit

    found = curves(m, drive, list(dict.fromkeys(names)), COUNT, most=MOST)
    return {
        "type": "curves",
        "drive": drive,
        "x": found.x.tolist(),
        "unit": found.unit,
        "columns": [
            {
                "name": name,
                "unit": found.units[name],
                "y": _numbers(values),
                "rate": _numbers(found.rates[name]),
                "rateUnit": rate_unit(found.units[name]),
            }
            for name, values in found.columns.items()
        ],
        "ok": found.ok,
        "status": found.status,
        "speed": {"value": found.speed, "unit": rate_unit(found.unit)},
    }


def trace(
    m: Mechanism, drive: str, part: int, point: Sequence[float]
) -> tuple[list[list[float]], bool]:
    """The way of a point of a part [mm] over the reach of a drive, and whether it closes."""
    from cad2mbs.columns import Columns
    from cad2mbs.curves import curves
    from cad2mbs.pictures.follow import turned

    found = curves(m, drive, [], PATH, most=LONG)
    poses = Columns(m.structure, m.gauges).parts(found.states, si=True)[:, part]
    ways = 1e3 * poses[:, :3] + turned(poses[:, 3:], np.asarray(point, float))
    return ways.tolist(), found.turns


def table(m: Mechanism, drive: str) -> str:
    """Every column over the reach of a drive, as CSV."""
    from cad2mbs.columns import Columns
    from cad2mbs.curves import curves

    columns = Columns(m.structure, m.gauges)
    values = columns.table(curves(m, drive, [], COUNT, most=MOST).states)
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow([f"{n} [{u}]" if u else n for n, u in zip(*columns.header, strict=True)])
    out.writerows([repr(float(v)) for v in row] for row in values)
    return text.getvalue()


def clash(m: Mechanism, known: Clashes | None) -> tuple[Clashes, dict[str, Any]]:
    """The message `clash`: rows of parts that penetrate now; and the searcher, to use again."""
    from cad2mbs.clash import Clashes

    known = Clashes(m) if known is None else known
    row = {name: k for k, name in enumerate(m.assembly.parts)}
    pairs = [[row[a], row[b]] for a, b in known.at(m)]
    return known, {"type": "clash", "pairs": pairs}


def first_drive(m: Mechanism, driving: Sequence[str]) -> str:
    """The drive that a trace follows."""
    if not driving:
        raise MechanismError("nothing moves: no freedom drives this mechanism")
    return driving[0]


def _numbers(values: np.ndarray) -> list[float | None]:
    """The values for JSON, which knows no NaN."""
    return [float(v) if np.isfinite(v) else None for v in values]
