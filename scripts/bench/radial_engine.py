"""The radial engine, seven cylinders, one turn in 500 positions: cad2mbs and others in one run.

Everyone starts at the exact first position, solves to a residual of 1e-10 of the model length
and is compared with the closed form to 1e-8 before the clock starts. Programs take turns on one
thread, two runs each: the first is cold, the second warm.
Peers that are not installed are told and skipped; they are no dependencies of the project.

  python scripts/bench/radial_engine.py
  python scripts/bench/radial_engine.py --runs 15
  python scripts/bench/radial_engine.py --slow      # also CadQuery's solver, minutes, one run
  python scripts/bench/radial_engine.py --json
  python scripts/bench/radial_engine.py --write     # region `radial_engine` of docs/benchmarks.md
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import _common as bench
import _engine_peers as engine
import numpy as np
from _engine_peers import Contestant, Points

from cad2mbs.library import radial_engine

AGREES = 1e-8  # with the closed form, of the model length
PEERS = ("mujoco", "pin", "exudyn", "cadquery")
MM = 1e-3  # [m]
CRANK_DEG = np.linspace(0.0, 360.0, engine.POSITIONS)


def ours() -> tuple[list[Contestant], dict[str, Any]]:
    """cad2mbs through its public API, without and with the table of poses; its structure."""
    m = radial_engine(engine.CYLINDERS).mechanism()

    def sweep() -> Any:
        result = m.sweep({"crank": CRANK_DEG})
        if not result.ok or result.residual > engine.TOLERANCE:
            raise SystemExit(f"cad2mbs: {result.status}, residual {result.residual:.1e}")
        return result

    def with_table() -> Any:
        result = sweep()
        assert result.values.shape[0] == engine.POSITIONS
        return result

    def back() -> None:
        m.drive(crank=0.0)

    structure = {
        "unknowns": m.formulations["explicit"]["unknowns"],
        "equations": m.formulations["explicit"]["equations"],
        "blocks": m.blocks,
    }
    return [
        Contestant("cad2mbs, states solved, every mate checked", sweep, our_points, back),
        Contestant("cad2mbs, the same and the table of all columns", with_table, our_points, back),
    ], structure


def our_points(result: Any) -> Points:
    """Pins from the part poses of a sweep: big end is the rod's origin, x runs along the rod."""
    rods = np.stack([result.poses(f"rod_{k + 1}") for k in range(engine.CYLINDERS)], axis=1)
    pistons = np.stack([result.poses(f"piston_{k + 1}") for k in range(engine.CYLINDERS)], axis=1)
    w, x, y, z = np.moveaxis(rods[..., 3:], -1, 0)
    along = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z)], axis=-1)
    big = rods[..., :2] * MM
    return Points(big, big + engine.ROD * along, pistons[..., :2] * MM)


def check(c: Contestant) -> tuple[float, float, float]:
    """Residual, deviation and time of a first run; stops where it is not accurate enough.

    One that is run once may miss: its solver takes no tolerance, and the table says so.
    """
    c.reset()
    spent, out = bench.seconds(c.run)
    points = c.points(out)
    left, apart = engine.residual(points), engine.deviation(points)
    if not c.once and (left > engine.TOLERANCE or apart > AGREES):
        raise SystemExit(f"{c.name}: residual {left:.1e}, deviation {apart:.1e}; not comparable")
    return left, apart, spent


def timed(contestants: list[Contestant], runs: int) -> dict[str, tuple[list[float], list[float]]]:
    """Seconds of every run, by name: cold, right after another program, and warm, right after that.

    Contestants take turns, so that a busy minute hits all alike.
    """
    times: dict[str, tuple[list[float], list[float]]] = {c.name: ([], []) for c in contestants}
    for _ in range(runs):
        for c in contestants:
            for kind in times[c.name]:
                c.reset()
                kind.append(bench.seconds(c.run)[0])
    return times


def measure(args: argparse.Namespace) -> dict[str, Any]:
    machine = bench.facts(PEERS)
    say = lambda text: print(text, file=sys.stderr)  # noqa: E731
    mine, structure = ours()
    everyone = mine + engine.made(args.slow, say)
    checked = {}
    for c in everyone:
        say(f"checking {c.name}")
        checked[c.name] = check(c)
    times = timed([c for c in everyone if not c.once], args.runs)
    times |= {c.name: ([checked[c.name][2]],) * 2 for c in everyone if c.once}
    unit = bench.median(times[mine[0].name][1])
    rows = [
        {
            "name": c.name,
            "ms": bench.median(times[c.name][1]) * 1e3,
            "cold_ms": bench.median(times[c.name][0]) * 1e3,
            "runs": len(times[c.name][1]),
            "ratio": bench.median(times[c.name][1]) / unit,
            "residual": checked[c.name][0],
            "deviation": checked[c.name][1],
        }
        for c in everyone
    ]
    return {
        "machine": machine,
        "runs": args.runs,
        "positions": engine.POSITIONS,
        "structure": structure,
        "rows": rows,
    }


def digits(x: float) -> str:
    """Three digits, without an exponent."""
    return f"{x:.0f}" if x >= 100 else f"{x:.3g}"


def remark(row: dict[str, Any]) -> str:
    """What sets a row apart from the others."""
    if row["runs"] > 1:
        return ""
    missed = row["residual"] > engine.TOLERANCE or row["deviation"] > AGREES
    return " (one run, misses the accuracy)" if missed else " (one run)"


def as_text(data: dict[str, Any]) -> str:
    rows = [
        [
            r["name"] + remark(r),
            digits(r["ms"]),
            digits(r["cold_ms"]),
            digits(r["ratio"]),
            f"{r['residual']:.0e}",
            f"{r['deviation']:.0e}",
        ]
        for r in data["rows"]
    ]
    head = ["program", "ms", "cold ms", "ratio", "residual", "off the closed form"]
    s = data["structure"]
    blocks = s["blocks"]
    return "\n".join(
        [
            bench.table(head, rows),
            "",
            f"Medians of {data['runs']} runs of {data['positions']} positions: ms right after a "
            f"run of the same program (ratios are of these), cold ms right after another program. "
            f"Ours solves {s['equations']} equations for {s['unknowns']} unknowns in "
            f"{len(blocks)} blocks of {max(blocks)}.",
            "",
            bench.facts_line(data["machine"]),
        ]
    )


def main() -> None:
    p = bench.parser(__doc__ or "")
    p.add_argument("--slow", action="store_true", help="also CadQuery's assembly solver, one run")
    args = p.parse_args()
    if args.runs < 1:
        p.error("--runs must be at least 1")
    data = measure(args)
    bench.publish("radial_engine", as_text(data), data, args)


if __name__ == "__main__":
    main()
