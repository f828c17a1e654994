"""Recognise the catalogue of bundles many times over and print the table of docs/recognition.md.

python scripts/recognition_table.py [--seeds 50] [--write]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.recognition.bundles import CATALOGUE  # noqa: E402  (the catalogue lives beside the tests)
from tests.recognition.checks import answer, assert_recognised, mapped  # noqa: E402
from tests.recognition.everyday import EVERYDAY  # noqa: E402
from tests.recognition.pieces import Bundle  # noqa: E402
from tests.recognition.placing import SPECIALS, STARTS, Case, build  # noqa: E402

PAGE = ROOT / "docs" / "recognition.md"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
SCALES = (1e-3, 1.0, 1e3)
OTHERS = "no lower pair, one chain"
NO_CHAIN = "no chain exists"
HEAD = ("joint", "bundles", "cases", "right", "wrong", "unproven", "ms each")


@dataclass
class Tally:
    """Cases of one line of the table."""

    bundles: int = 0
    right: int = 0
    wrong: int = 0
    unproven: int = 0
    seconds: float = 0.0

    @property
    def cases(self) -> int:
        return self.right + self.wrong + self.unproven

    def cells(self) -> list[str]:
        ms = f"{1e3 * self.seconds / self.cases:.1f}"
        return [
            str(n) for n in (self.bundles, self.cases, self.right, self.wrong, self.unproven)
        ] + [ms]


def varied(bundle: Bundle, seed: int, scale: float) -> Case:
    """Case number `seed`: starts in turn, every fourth with a doubled mate, every fifth special."""
    special = SPECIALS[seed // 5 % len(SPECIALS)] if seed % 5 == 4 else None
    if bundle in EVERYDAY:  # their poses are not all defined at rest
        special = None
    return build(bundle, 1000 + seed, scale, STARTS[seed % 3], special, duplicate=seed % 4 == 3)


def judge(case: Case, tally: Tally) -> None:
    """Recognise the case and count it."""
    begin = time.perf_counter()
    s = mapped(case)
    tally.seconds += time.perf_counter() - begin
    found = answer(case, s)
    if not (found.proven and found.consistent):
        tally.unproven += 1
    elif _is_true(case, s, found.kind):
        tally.right += 1
    else:
        tally.wrong += 1


def _is_true(case: Case, s, kind: str) -> bool:
    if case.bundle in EVERYDAY:
        return sorted(kind.split("/")) == sorted(case.bundle.kind.split("/"))
    try:
        assert_recognised(case, s)
    except AssertionError:
        return False
    return True


def line_of(bundle: Bundle) -> str:
    if bundle in EVERYDAY:
        return NO_CHAIN if bundle.kind == "none" else OTHERS
    return bundle.kind


def run(bundles: Sequence[Bundle], seeds: int) -> dict[str, Tally]:
    """Tallies by line of the table, in the order of the bundles."""
    out: dict[str, Tally] = {}
    mapped(build(bundles[0], 0))  # kernels are compiled before the clock runs
    for bundle in bundles:
        tally = out.setdefault(line_of(bundle), Tally())
        tally.bundles += 1
        for scale in SCALES:
            for seed in range(seeds):
                judge(varied(bundle, seed, scale), tally)
    return out


def table(tallies: dict[str, Tally]) -> str:
    lines = ["| " + " | ".join(HEAD) + " |", "|---|" + "---:|" * (len(HEAD) - 1)]
    lines += ["| " + " | ".join([name, *t.cells()]) + " |" for name, t in tallies.items()]
    pairs = [t for n, t in tallies.items() if n not in (OTHERS, NO_CHAIN)]
    return "\n".join(
        [
            *lines,
            "",
            share("lower pairs, universal and fixed", pairs),
            share("all bundles of the table", list(tallies.values())),
        ]
    )


def share(what: str, tallies: list[Tally]) -> str:
    right, cases = sum(t.right for t in tallies), sum(t.cases for t in tallies)
    percent = f"{100 * right / cases:.1f} %"
    return f"- One proven, right joint, {what}: {right} of {cases} cases ({percent})."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=50, help="cases per bundle and scale")
    parser.add_argument("--write", action="store_true", help="update docs/recognition.md")
    options = parser.parse_args()
    tallies = run((*CATALOGUE, *EVERYDAY), options.seeds)
    text = table(tallies)
    print(text)
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        after = rest.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8", newline="\n")
    return 1 if any(t.wrong for t in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
