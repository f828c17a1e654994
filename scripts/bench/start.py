"""How long the command line takes to start: help, inspect, imports, and the one-off compile.

Every figure is the wall time of a fresh process with the kernels in the cache, a median, but for
the compile: that is one run of `cad2mbs compile` with an empty cache of its own.

  python scripts/bench/start.py
  python scripts/bench/start.py --no-compile
  python scripts/bench/start.py --json
  python scripts/bench/start.py --write     # region `start` of docs/benchmarks.md
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict

import _common as bench

PROGRAM = (sys.executable, "-c", "from cad2mbs.cli import main; main()")
COMMANDS = {
    "python, nothing imported": (sys.executable, "-c", "pass"),
    "import cad2mbs": (sys.executable, "-c", "import cad2mbs"),
    "import of all that inspect needs": (
        sys.executable,
        "-c",
        "import cad2mbs.cli, cad2mbs.mechanism, cad2mbs.io.source",
    ),
    "cad2mbs --help": (*PROGRAM, "--help"),
    "cad2mbs inspect radial_engine": (*PROGRAM, "inspect", "radial_engine"),
    "cad2mbs inspect radial_engine --json": (*PROGRAM, "inspect", "radial_engine", "--json"),
}
# Times the steps of `inspect` inside a process; prints them as JSON.
STEPS = """
import json, time
t = [time.perf_counter()]
import cad2mbs.cli, cad2mbs.mechanism, cad2mbs.report, cad2mbs.io.source
t.append(time.perf_counter())
a = cad2mbs.load("assemblies/radial_engine"); t.append(time.perf_counter())
m = a.mechanism(); t.append(time.perf_counter())
cad2mbs.report.plain(cad2mbs.report.structure(m)); t.append(time.perf_counter())
names = ["imports", "reading the file", "mechanism", "counts and verdicts"]
print(json.dumps(dict(zip(names, [b - a for a, b in zip(t, t[1:])]))))
"""
LARGEST = 6  # packages of the import table that are told


def run(command: tuple[str, ...], cache: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in the project folder; stops with its message where it fails."""
    env = dict(os.environ, PYTHONPATH=str(bench.ROOT))
    if cache is not None:
        env["NUMBA_CACHE_DIR"] = cache
    done = subprocess.run(
        command, cwd=bench.ROOT, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command[3:])} ended with {done.returncode}: {done.stderr}")
    return done


def walls(runs: int) -> dict[str, float]:
    """Median wall seconds of every command; they take turns, as the load may change."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, command in COMMANDS.items():
            times[name].append(bench.seconds(lambda c=command: run(c))[0])
    return {name: bench.median(spent) for name, spent in times.items()}


def steps(runs: int) -> dict[str, float]:
    """Median seconds of each step of `inspect`, and of the process around them."""
    all_runs = []
    for _ in range(runs):
        spent, done = bench.seconds(lambda: run((sys.executable, "-c", STEPS)))
        told = json.loads(done.stdout)
        # From the same process: shares of different runs need not add up on a busy machine.
        all_runs.append({**told, "start and end of the process": spent - sum(told.values())})
    return {name: bench.median([r[name] for r in all_runs]) for name in all_runs[0]}


def import_shares() -> list[tuple[str, float]]:
    """Own import time by top package [s], largest first, from python -X importtime."""
    command = COMMANDS["import of all that inspect needs"]
    told = run((command[0], "-X", "importtime", *command[1:])).stderr
    total: dict[str, float] = defaultdict(float)
    for line in told.splitlines():
        fields = line.removeprefix("import time:").split("|")
        if len(fields) == 3 and fields[0].strip().isdigit():
            total[fields[2].strip().split(".")[0]] += int(fields[0]) * 1e-6
    return sorted(total.items(), key=lambda item: -item[1])[:LARGEST]


def compile_once() -> float:
    with tempfile.TemporaryDirectory() as cache:
        return bench.seconds(lambda: run((*PROGRAM, "compile"), cache))[0]


def as_text(data: dict) -> str:
    rows = [[name, f"{value:.2f}"] for name, value in data["commands"].items()]
    if data["compile_s"] is not None:
        rows.append(["cad2mbs compile, empty cache (one run)", f"{data['compile_s']:.1f}"])
    parts = ", ".join(f"{name} {value:.2f} s" for name, value in data["steps"].items())
    packages = ", ".join(f"{name} {value * 1e3:.0f} ms" for name, value in data["imports"])
    return "\n".join(
        [
            bench.table(["fresh process", "s"], rows),
            "",
            f"Medians of {data['runs']} runs. The steps of `inspect radial_engine`, without "
            f"printing: {parts}. Largest own "
            f"import times by package (`python -X importtime`, which slows imports): {packages}.",
            "",
            bench.facts_line(data["machine"]),
        ]
    )


def main() -> None:
    p = bench.parser(__doc__ or "")
    p.add_argument("--no-compile", action="store_true", help="leave the one-off compile out")
    args = p.parse_args()
    machine = bench.facts()
    for command in COMMANDS.values():  # fills the caches
        run(command)
    data = {
        "machine": machine,
        "runs": args.runs,
        "commands": walls(args.runs),
        "steps": steps(args.runs),
        "imports": import_shares(),
        "compile_s": None if args.no_compile else compile_once(),
    }
    bench.publish("start", as_text(data), data, args)


if __name__ == "__main__":
    main()
