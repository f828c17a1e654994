"""Chains of n four-bars: is the cost of a position linear in the number of loops?

Each chain is built, set up once and swept over a few degrees, forwards; set-up is one run, the
sweep a median. The exponent is the slope of log(time a position) over log(n) from n = 10 on:
1 is linear.

  python scripts/bench/chain.py
  python scripts/bench/chain.py --loops 1 10 100 --runs 15
  python scripts/bench/chain.py --json
  python scripts/bench/chain.py --write     # region `chain` of docs/benchmarks.md
"""

from __future__ import annotations

import sys

import _common as bench
import numpy as np

from cad2mbs.library import four_bar_chain

LOOPS = (1, 10, 100, 300, 1000)
START, STOP, COUNT = 90.0, 95.0, 101  # crank [deg]; all levers stay far from dead points
FIT_FROM = 10  # below this the fixed cost of a call is what one sees
TIGHT = 1e-10  # residual demanded, of the model length


def measure(n: int, runs: int) -> dict[str, float | int]:
    """Set-up and sweep of a chain of n loops; stops where the sweep does not go through."""
    build, assembly = bench.seconds(lambda: four_bar_chain(n))
    setup, m = bench.seconds(lambda: assembly.mechanism())
    values = np.linspace(START, STOP, COUNT)
    times, result = [], None
    for _ in range(runs + 1):
        m.drive(crank=START)
        spent, result = bench.seconds(lambda: m.sweep({"crank": values}))
        times.append(spent)
    assert result is not None
    if not result.ok or result.residual > TIGHT:
        raise SystemExit(f"{n} loops: {result.status}, residual {result.residual:.1e}")
    position = bench.median(times[1:]) / COUNT
    blocks = m.blocks
    return {
        "loops": n,
        "build_s": build,
        "setup_s": setup,
        "setup_ms_per_loop": setup / n * 1e3,
        "us_per_position": position * 1e6,
        "us_per_position_and_loop": position / n * 1e6,
        "blocks": len(blocks),
        "largest_block": max(blocks),
        "residual": result.residual,
    }


def slope(rows: list[dict[str, float | int]], key: str) -> float | None:
    """Exponent p of key ~ loops^p over the chains from FIT_FROM on; None with fewer than two."""
    points = [(r["loops"], r[key]) for r in rows if r["loops"] >= FIT_FROM]
    if len(points) < 2:
        return None
    n, t = np.log(np.array(points)).T
    return float(np.polyfit(n, t, 1)[0])


def as_text(data: dict) -> str:
    rows = [
        [
            f"{r['loops']}",
            f"{r['setup_s']:.3f}",
            f"{r['setup_ms_per_loop']:.1f}",
            f"{r['us_per_position']:.2f}",
            f"{r['us_per_position_and_loop']:.3f}",
            f"{r['blocks']} of {r['largest_block']}",
            f"{r['residual']:.0e}",
        ]
        for r in data["rows"]
    ]
    head = [
        "loops",
        "set-up s",
        "ms a loop",
        "µs a position",
        "µs a position and loop",
        "blocks",
        "residual",
    ]
    lines = [bench.table(head, rows), ""]
    for key, what in (("position_exponent", "Time a position"), ("setup_exponent", "Set-up time")):
        if data[key] is not None:
            lines.append(
                f"{what} grows with the number of loops to the power {data[key]:.2f} "
                f"(fit from {FIT_FROM} loops on)."
            )
    lines += ["", bench.facts_line(data["machine"])]
    return "\n".join(lines)


def main() -> None:
    p = bench.parser(__doc__ or "")
    p.add_argument("--loops", type=int, nargs="+", default=list(LOOPS), help="chains to measure")
    args = p.parse_args()
    machine = bench.facts()
    four_bar_chain(2).mechanism().sweep({"crank": [START, STOP]})  # kernels from the cache
    rows = []
    for n in args.loops:
        print(f"{n} loops ...", file=sys.stderr)
        rows.append(measure(n, args.runs))
    data = {
        "machine": machine,
        "runs": args.runs,
        "positions": COUNT,
        "rows": rows,
        "position_exponent": slope(rows, "us_per_position"),
        "setup_exponent": slope(rows, "setup_s"),
    }
    bench.publish("chain", as_text(data), data, args)


if __name__ == "__main__":
    main()
