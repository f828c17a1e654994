"""Infer mates on bare copies and print the tables of docs/inference.md.

python scripts/infer_table.py [--seed 1] [--first 2000] [--count 240] [--write]
python scripts/infer_table.py --only shipped

shipped   every shipped assembly: names, mates and colours gone, parts shuffled, the whole rotated;
          as drawn, and with clearance and noise
step      some of them again by a STEP file that is written and read
random    the generator's mechanisms with decoys, seeds `first` to `first + count - 1`
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import cad2mbs  # noqa: E402  (a script finds the package beside itself)
from cad2mbs.cad import load  # noqa: E402
from cad2mbs.cad.document import Document  # noqa: E402
from cad2mbs.infer import infer  # noqa: E402
from scripts._infer_cases import (  # noqa: E402
    EXACT,
    ROUGH,
    Score,
    Setting,
    bare,
    score,
    without_couplings,
)
from scripts.bench._common import fill  # noqa: E402
from tests.infer.generator import generate  # noqa: E402
from tests.infer.judging import Verdict, judge  # noqa: E402

PAGE = ROOT / "docs" / "inference.md"
BY_FILE = ("four_bar", "scissor_lift", "suspension", "stewart", "two_boxes")


def names() -> list[str]:
    return sorted(p.parent.name for p in (ROOT / "assemblies").glob("*/assembly.yaml"))


def scored(name: str, document: Document, known: dict[str, str]) -> tuple[Score, float]:
    """Infer on a bare document of a shipped assembly and compare; with the time taken [s]."""
    truth = without_couplings(cad2mbs.load(ROOT / "assemblies" / name)).mechanism()
    start = time.perf_counter()
    found = infer(document)
    spent = time.perf_counter() - start
    return score(truth, found.assembly.mechanism(), known), spent


def shipped(name: str, seed: int, setting: Setting) -> tuple[Score, float]:
    document = load.read(ROOT / "assemblies" / name / f"{name}.step")
    return scored(name, *bare(document, seed, setting))


def by_file(name: str, seed: int) -> tuple[Score, float]:
    """The same with a bare STEP file in between."""
    from cad2mbs.cad.kernel import quiet
    from cad2mbs.cad.kernel.solids import shape_of
    from cad2mbs.cad.kernel.write import Placed, write_step

    quiet.start()
    document, known = bare(load.read(ROOT / "assemblies" / name / f"{name}.step"), seed)
    shapes = [shape_of(s.brep) for s in document.solids if s.brep is not None]
    children = tuple(
        Placed(n, shape=shapes[leaf.solid], X_PC=leaf.X_WC) for n, leaf in document.parts().items()
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bare.step"
        write_step(path, Placed("bare", children=children))
        return scored(name, load.read(path, cache=False), known)


def shipped_table(seed: int) -> str:
    head = "| assembly | joints | mobility | false merges | s | rough: joints | mobility | s |"
    lines = [head, "| --- | --: | --: | --: | --: | --: | --: | --: |"]
    total = {s.name: [0, 0, 0, 0, 0] for s in (EXACT, ROUGH)}
    wrong: list[str] = []
    for name in names():
        cells = []
        for setting in (EXACT, ROUGH):
            s, spent = shipped(name, seed, setting)
            t = total[setting.name]
            same = s.freedoms[0] == s.freedoms[1]
            for k, v in enumerate((s.right, s.total, s.extra, s.merges, same)):
                t[k] += v
            moves = str(s.freedoms[1]) if same else f"{s.freedoms[1]}, not {s.freedoms[0]}"
            merges = [str(s.merges)] if setting is EXACT else []
            cells += [f"{s.right}/{s.total}", moves, *merges, f"{spent:.2f}"]
            if setting is EXACT:
                wrong += [f"- {name}, {w}" for w in s.wrong]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    (a, b, c, d, e), (f, g, h, i, j) = total.values()
    n = len(names())
    lines.append(
        f"| **all** | **{a}/{b}, {100 * a / b:.1f} %** | **{e}/{n} the same** | **{d}** | "
        f"| **{f}/{g}, {100 * f / g:.1f} %** | **{j}/{n} the same** | |"
    )
    tail = f"Joints that are not there: {c} as drawn, {h} rough. False merges, rough: {i}."
    return "\n".join([*lines, "", tail, "", "Wrong as drawn:", "", *wrong])


def step_table(seed: int) -> str:
    lines = ["| assembly, by a STEP file | joints | mobility |", "| --- | --: | --: |"]
    for name in BY_FILE:
        s, _ = by_file(name, seed)
        lines.append(f"| {name} | {s.right}/{s.total} | {s.freedoms[1]} of {s.freedoms[0]} |")
    return "\n".join(lines)


def random_table(first: int, count: int) -> str:
    total, parts = Verdict(), 0
    start = time.perf_counter()
    for seed in range(first, first + count):
        shop, rng = generate(seed)
        assembly = shop.assembly(rng)
        parts += len(assembly.parts)
        verdict = judge(shop, infer(assembly).assembly.mechanism())
        verdict.wrong = [f"- seed {seed}: {w}" for w in verdict.wrong]
        total += verdict
    spent = time.perf_counter() - start
    lines = [
        "| assemblies | parts | joints made | recall | precision | welds found | false merges |",
        "| --: | --: | --: | --: | --: | --: | --: |",
        f"| {count} | {parts} | {total.true} | {100 * total.recall:.1f} % | "
        f"{100 * total.precision:.1f} % | {total.welded}/{total.welds} | {total.merges} |",
        "",
        f"Seeds {first} to {first + count - 1}; {spent:.0f} s with making the parts.",
    ]
    return "\n".join([*lines, *(["", *total.wrong] if total.wrong else [])])


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--seed", type=int, default=1, help="of order, rotation and noise")
    p.add_argument("--first", type=int, default=2000, help="first seed of the generator")
    p.add_argument("--count", type=int, default=240, help="mechanisms of the generator")
    p.add_argument("--only", choices=("shipped", "step", "random"))
    p.add_argument("--write", action="store_true", help="put the tables into docs/inference.md")
    a = p.parse_args()
    makers: dict[str, Callable[[], str]] = {
        "shipped": lambda: shipped_table(a.seed),
        "step": lambda: step_table(a.seed),
        "random": lambda: random_table(a.first, a.count),
    }
    for region, make in makers.items():
        if a.only in (None, region):
            text = make()
            print(f"{text}\n")
            if a.write:
                fill(region, text, PAGE)


if __name__ == "__main__":
    main()
