"""The slider-crank of four parts, stated in CadQuery: time a solve there and here.

CadQuery's `solve` starts each time from where the parts are; the crank angle is the number of
its last constraint. Here the same assembly is taken over once and the same number is driven.
Every position of both is judged by CadQuery's own measure of its constraints.

  python scripts/bench/cadquery_solver.py
  python scripts/bench/cadquery_solver.py --runs 15
  python scripts/bench/cadquery_solver.py --json
  python scripts/bench/cadquery_solver.py --write     # region `cadquery` of docs/benchmarks.md
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace

import _common as bench
import numpy as np

WANTED = 100.0  # times faster a solve
HOLDS = 1e-9  # what may stay open, of the size of the assembly
ANGLES = np.linspace(30.0, 150.0, 37)  # crank [deg]


def main() -> int:
    args = bench.parser(__doc__ or "").parse_args()
    try:
        import cadquery  # noqa: F401
    except ImportError:
        print("CadQuery is not installed: pip install cadquery", file=sys.stderr)
        return 2
    data = {"facts": bench.facts(("cadquery", "casadi")), **measure(args.runs)}
    bench.publish("cadquery", text(data), data, args)
    return 0 if data["ratio"] >= WANTED and data["open_ours"] <= HOLDS else 1


def measure(runs: int) -> dict[str, float]:
    """Medians [s] over all positions and runs, set-up of ours once, what stays open in each."""
    import cad2mbs
    from cad2mbs.model.assembly import Drive
    from tests.cad.cadquery_models import costs_of, slider_crank

    def worst(assembly) -> float:
        return math.sqrt(max(abs(c) for c in costs_of(assembly).values()))

    there = slider_crank(float(ANGLES[0]))
    spec = there.constraints[-1]
    theirs: list[float] = []
    open_theirs = 0.0
    for angle in ANGLES:
        spec.param = math.radians(angle)
        theirs.append(bench.seconds(there.solve)[0])
        open_theirs = max(open_theirs, worst(there))

    here = slider_crank(float(ANGLES[0]))
    driven = f"{here.constraints[-1].kind}_{len(here.constraints)}"
    cad2mbs.from_cadquery(here, solids=False).mechanism()  # compiled once a machine
    taken, ours = bench.seconds(lambda: cad2mbs.from_cadquery(here, solids=False))
    ours = replace(ours, drives={"crank": Drive("crank", mate=driven)})
    setup, mechanism = bench.seconds(ours.mechanism)
    mechanism.drive(crank=float(ANGLES[1]))
    drives, sweeps = [], []
    for _ in range(runs):
        for angle in ANGLES:
            drives.append(bench.seconds(lambda a=float(angle): mechanism.drive(crank=a))[0])
        mechanism.drive(crank=float(ANGLES[0]))
        spent, result = bench.seconds(lambda: mechanism.sweep({"crank": ANGLES}))
        if not result.ok:
            raise SystemExit(f"the sweep ended: {result.status}")
        sweeps.append(spent / len(ANGLES))
    open_ours = 0.0
    spec = here.constraints[-1]
    for angle in ANGLES:
        mechanism.drive(crank=float(angle))
        spec.param = math.radians(angle)
        open_ours = max(open_ours, worst(cad2mbs.to_cadquery(mechanism, here)))
    return {
        "cadquery_s": bench.median(theirs),
        "drive_s": bench.median(drives),
        "sweep_s": bench.median(sweeps),
        "taken_over_s": taken,
        "setup_s": setup,
        "ratio": bench.median(theirs) / bench.median(drives),
        "ratio_sweep": bench.median(theirs) / bench.median(sweeps),
        "open_theirs": open_theirs,
        "open_ours": open_ours,
    }


def text(data: dict) -> str:
    ms = lambda key: f"{data[key] * 1e3:.3g}"  # noqa: E731
    rows = [
        ("CadQuery, `solve`", ms("cadquery_s"), "1", f"{data['open_theirs']:.1e}"),
        ("cad2mbs, `drive`", ms("drive_s"), f"{data['ratio']:.0f}", f"{data['open_ours']:.1e}"),
        ("cad2mbs, `sweep`", ms("sweep_s"), f"{data['ratio_sweep']:.0f}", ""),
    ]
    head = ("one position", "ms", "times faster", "open at most, of the size")
    return (
        f"{bench.facts_line(data['facts'])}\n\n{bench.table(head, rows)}\n\n"
        f"Taking the assembly over needs {ms('taken_over_s')} ms once, setting the mechanism up "
        f"{ms('setup_s')} ms once."
    )


if __name__ == "__main__":
    raise SystemExit(main())
