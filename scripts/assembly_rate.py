"""How often random closed-loop mechanisms assemble, by kind of mechanism and of start.

    python scripts/assembly_rate.py --count 300

Prints a markdown table. "wrong" counts poses given as solved at which a mate is open by more than
1e-9 of the mechanism's size; it must be 0. The seeds begin far from those of the tests.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from tests.assembly.checks import Outcome, attempt
from tests.assembly.random_mechanisms import FAMILIES, STARTS, make

HEAD = (
    "| family | start | mechanisms | assembled | rate | told open | wrong | median ms | slowest s |"
)


def row(family: str, start: str, outcomes: list[Outcome]) -> str:
    """One line of the table."""
    seconds = np.array([o.seconds for o in outcomes])
    good = sum(o.claimed and not o.wrong for o in outcomes)
    told = sum(not o.claimed for o in outcomes)
    wrong = sum(o.wrong for o in outcomes)
    return (
        f"| {family} | {start} | {len(outcomes)} | {good} | {good / len(outcomes):.2%} | {told} "
        f"| {wrong} | {1e3 * np.median(seconds):.0f} | {seconds.max():.2f} |"
    )


def table(families: Iterable[str], starts: Iterable[str], first: int, count: int) -> int:
    """Print the table; return the number of wrong poses."""
    print(HEAD)
    print("|---" * (HEAD.count("|") - 1) + "|", flush=True)
    wrong, everything = 0, []
    for start in starts:
        for family in families:
            seeds = range(first, first + count)
            outcomes = [attempt(make(seed, start, family)) for seed in seeds]
            print(row(family, start, outcomes), flush=True)
            wrong += sum(o.wrong for o in outcomes)
            everything += outcomes
    print(row("all", "all", everything))
    for o in everything:
        if not o.claimed or o.wrong:
            print(f"\n{o.case.family} seed {o.case.seed} {o.case.start}: {o.status}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=300, help="mechanisms of each kind and start")
    parser.add_argument("--first", type=int, default=600_000, help="first seed")
    parser.add_argument("--family", action="append", choices=[*FAMILIES, "platform"])
    parser.add_argument("--start", action="append", choices=STARTS)
    args = parser.parse_args()
    make(0).assembly.mechanism()  # kernels are compiled or read before anything is timed
    wrong = table(args.family or FAMILIES, args.start or STARTS, args.first, args.count)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
