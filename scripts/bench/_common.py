"""What the benchmarks share: one thread, medians, facts about the machine, regions of a page.

Import this before numpy: the numbers of threads are read when numpy is loaded.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

for _name in ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "NUMEXPR"):
    os.environ.setdefault(f"{_name}_NUM_THREADS", "1")

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "benchmarks.md"
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

OUR_PACKAGES = ("numpy", "scipy", "numba", "llvmlite", "networkx", "pydantic", "typer")


def parser(doc: str) -> argparse.ArgumentParser:
    """Options that every benchmark has; its docstring is the help."""
    head, _, rest = doc.partition("\n")
    p = argparse.ArgumentParser(
        description=head, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--runs", type=int, default=7, help="runs the medians are taken of (default 7)")
    p.add_argument("--json", action="store_true", help="print JSON instead of tables")
    p.add_argument("--write", action="store_true", help="put the tables into docs/benchmarks.md")
    return p


def seconds(call: Callable[[], object]) -> tuple[float, object]:
    """How long a call takes [s], without pauses of the garbage collector, and what it returns.

    Nothing is collected just before: that alone empties the caches and shows in a millisecond.
    """
    gc.disable()
    try:
        start = time.perf_counter()
        out = call()
        return time.perf_counter() - start, out
    finally:
        gc.enable()


def median(values: Sequence[float]) -> float:
    return float(statistics.median(values))


def load() -> float | None:
    """Processes that wanted a core, averaged over the last minute; None where not known."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


def package(name: str) -> str | None:
    """Installed version of a package; None: it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def facts(others: Sequence[str] = ()) -> dict[str, object]:
    """Cores, load, Python and the versions that matter; nothing that names a machine."""
    versions = {n: package(n) for n in (*OUR_PACKAGES, *others)}
    return {
        "cores": os.cpu_count(),
        "load": load(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {n: v for n, v in versions.items() if v is not None},
    }


def facts_line(f: dict[str, object]) -> str:
    packages = f["packages"]
    assert isinstance(packages, dict)
    names = ", ".join(f"{n} {v}" for n, v in packages.items())
    busy = "not known" if f["load"] is None else f"{f['load']}"
    return (
        f"{f['cores']} cores, {f['system']}, Python {f['python']}, {names}. "
        f"Load average at the start: {busy}."
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, first column to the left, the others to the right, readable as it is."""
    wide = [max(len(r[c]) for r in [head, *rows]) for c in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        padded = [
            c.ljust(w) if k == 0 else c.rjust(w)
            for k, (c, w) in enumerate(zip(cells, wide, strict=True))
        ]
        return f"| {' | '.join(padded)} |"

    rule = [("-" * w if k == 0 else "-" * (w - 1) + ":") for k, w in enumerate(wide)]
    return "\n".join([line(head), line(rule), *(line(r) for r in rows)])


def fill(region: str, text: str, path: Path = PAGE) -> None:
    """Replace what stands between the marks of a region of a page."""
    begin, end = f"<!-- begin {region} -->", f"<!-- end {region} -->"
    page = path.read_text(encoding="utf-8")
    if page.count(begin) != 1 or page.count(end) != 1:
        raise SystemExit(f"{path.name}: the marks '{begin}' and '{end}' are wanted once each")
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    whole = f"{before}{begin}\n{text.strip()}\n{end}{after}"
    path.write_text(whole, encoding="utf-8")


def publish(region: str, text: str, data: object, args: argparse.Namespace) -> None:
    """Print the tables or the JSON, and fill the page where that is wanted."""
    print(json.dumps(data, indent=2) if args.json else text)
    if args.write:
        fill(region, text)
        print(f"wrote region {region} of {PAGE.name}", file=sys.stderr)
