"""How long a STEP file of 500 different parts takes: bare kernel, first load, load from the cache.

The file is built in a temporary folder. The bare kernel only parses and transfers; the first load
also starts a process, finds features, masses and meshes, and stores all of it. Loads are fresh
processes but for the cached one, which is timed inside one (without the start of Python).

  python scripts/bench/load_step.py
  python scripts/bench/load_step.py --parts 50 --runs 3
  python scripts/bench/load_step.py --json
  python scripts/bench/load_step.py --write     # region `load_step` of docs/benchmarks.md
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import _common as bench

BUILD = """
import sys
import cadquery as cq
a = cq.Assembly(name="many")
for i in range(int(sys.argv[2])):
    s = cq.Workplane().box(30 + i * 0.01, 20, 8).faces(">Z").workplane().hole(3 + i * 0.001)
    a.add(s, name=f"part_{i}", loc=cq.Location((40 * (i % 25), 30 * (i // 25), 0)))
a.export(sys.argv[1])
"""
BARE = """
import json, sys, time
from pathlib import Path
from cad2mbs.cad.kernel.quiet import start
start()
from OCP.STEPControl import STEPControl_Reader
t = time.perf_counter()
r = STEPControl_Reader(); r.ReadFile(sys.argv[1]); r.TransferRoots()
print(json.dumps({"s": time.perf_counter() - t}))
"""
LOAD = """
import json, resource, sys, time
from cad2mbs.cad.load import read
from cad2mbs.report_cad import features
t = time.perf_counter()
d = read(sys.argv[1])
s = time.perf_counter() - t
t = time.perf_counter()
n = len(features("part", d.solids[0])["features"])
own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(json.dumps({"s": s, "features_s": time.perf_counter() - t, "parts": len(d.solids),
                  "features": n, "own_mb": own, "child_mb": child}))
"""


def run(code: str, *arguments: str, cache: str) -> dict:
    """Run code in a fresh process; its last line as JSON."""
    env = dict(os.environ, PYTHONPATH=str(bench.ROOT), CAD2MBS_CACHE=cache)
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=bench.ROOT, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"ended with {done.returncode}: {done.stderr[-2000:]}")
    lines = done.stdout.strip().splitlines()
    return json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}


def measure(parts: int, runs: int) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        path, kept = f"{folder}/many.step", f"{folder}/cache"
        run(BUILD, path, str(parts), cache="off")
        bare = [run(BARE, path, cache="off") for _ in range(runs)]
        first = [run(LOAD, path, cache=f"{kept}_{i}") for i in range(runs)]
        second = [run(LOAD, path, cache=f"{kept}_{i}") for i in range(runs)]
        megabytes = Path(path).stat().st_size / 1e6
    return {
        "parts": first[0]["parts"],
        "file_mb": megabytes,
        "bare_s": bench.median([r["s"] for r in bare]),
        "first_s": bench.median([r["s"] for r in first]),
        "second_s": bench.median([r["s"] for r in second]),
        "features_ms": 1e3 * bench.median([r["features_s"] for r in second]),
        "first_child_mb": bench.median([r["child_mb"] for r in first]),
        "second_own_mb": bench.median([r["own_mb"] for r in second]),
    }


def as_text(data: dict) -> str:
    m = data["measured"]
    rows = [
        ["bare kernel: parse and transfer [s]", f"{m['bare_s']:.2f}"],
        ["first load [s]", f"{m['first_s']:.2f}"],
        ["second load, from the cache [s]", f"{m['second_s']:.3f}"],
        ["first / second", f"{m['first_s'] / m['second_s']:.0f}"],
        ["features of one part with selectors, document loaded [ms]", f"{m['features_ms']:.3f}"],
        ["memory of the reading process [MB]", f"{m['first_child_mb']:.0f}"],
        ["memory of a process that loads from the cache [MB]", f"{m['second_own_mb']:.0f}"],
    ]
    return "\n".join(
        [
            bench.table([f"{m['parts']} different parts, {m['file_mb']:.1f} MB", ""], rows),
            "",
            f"Medians of {data['runs']} runs.",
            "",
            bench.facts_line(data["machine"]),
        ]
    )


def main() -> None:
    p = bench.parser(__doc__ or "")
    p.add_argument("--parts", type=int, default=500, help="different parts (default 500)")
    args = p.parse_args()
    data = {
        "machine": bench.facts(),
        "runs": args.runs,
        "measured": measure(args.parts, args.runs),
    }
    bench.publish("load_step", as_text(data), data, args)


if __name__ == "__main__":
    main()
