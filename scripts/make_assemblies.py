"""Write `assemblies/`: STEP file, origin and expected numbers of every shipped mechanism.

    python scripts/make_assemblies.py               write all folders
    python scripts/make_assemblies.py four_bar      write this one
    python scripts/make_assemblies.py --check       write nothing, fail if a file would change

The parts are built by each folder's `solids.py`; its mates file is written by hand, with
selectors on the geometry. What must come out stands in `_assembly_cases.py` and `_cases_*.py`.
Numbers are rounded so that the files are the same bytes on every machine.
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import _assembly_cases, _cases_linkages, _cases_machines, _cases_spatial  # noqa: E402
from scripts._assembly_cases import Case  # noqa: E402  (needs the path above)
from tests.reference import mate_rows  # noqa: E402
from tests.reference.joint_kinds import FREEDOMS  # noqa: E402

RELATIVE = 1e-10  # wanted accuracy of positions, of the model's size
DECIMALS = 12  # of lengths in mm and of all expected numbers


class Tolerance(float):
    """A small number that is written as it is, not rounded."""


def cases() -> dict[str, Callable[[], Case]]:
    """Every shipped mechanism by name."""
    families = (_assembly_cases, _cases_machines, _cases_linkages, _cases_spatial)
    return {name: make for family in families for name, make in family.cases().items()}


def expected_toml(case: Case) -> str:
    """The text of `expected.toml`."""
    bodies = len(case.assembly.parts) if case.bodies is None else case.bodies
    # A screw coupling is part of its joint; gears and racks take a freedom each.
    ties = sum(c.kind != "screw" for c in case.assembly.couplings.values())
    gruebler = 6 * (bodies - 1) - sum(6 - FREEDOMS[kind] for _, _, kind in case.joints) - ties
    lines = ["# What must come out; written by scripts/make_assemblies.py, by closed forms."]
    facts: dict[str, object] = {"freedoms": case.freedoms, "gruebler": gruebler, "bodies": bodies}
    facts["loops"] = len(case.joints) - (bodies - 1)
    facts["drives"] = list(case.assembly.drives)
    facts |= case.facts
    lines += table({k: v for k, v in facts.items() if v is not None})
    if case.implicit:
        lines += ["", "[formulations.implicit]", *count_lines(mate_rows.counts(case.assembly))]
    if case.explicit is not None:
        lines += ["", "[formulations.explicit]", *count_lines(case.explicit)]
        lines += table({"blocks": list(case.blocks or ())})
    for a, b, kind in case.joints:
        lines += ["", "[[joint]]", *table({"bodies": [a, b], "kind": kind})]
    lines += check_lines(case)
    if case.stops:
        lines += ["", "# The motion of a drive ends at value; all in the drive's unit."]
    for stop in case.stops:
        lines += ["", "[[stop]]"]
        lines += table(
            {
                "drive": stop.drive,
                "from": float(stop.start),
                "to": float(stop.towards),
                "value": stop.value,
                "reason": stop.reason,
                "tol": Tolerance(1e-6),
            }
        )
    return "\n".join(lines) + "\n"


def check_lines(case: Case) -> list[str]:
    """The [[check]] tables; tolerances follow from the model's size."""
    size_mm = mate_rows.model_size(case.assembly, mate_rows.start(case.assembly))
    size_mm *= case.assembly.units.metre / 1e-3
    tol = 10.0 ** math.floor(math.log10(RELATIVE * size_mm))
    lines = []
    if case.checks:
        lines += ["", "# position and tol in mm, quaternion w x y z up to its sign.", "# Source:"]
        lines[-1] += f" {case.source}."
    for check in case.checks:
        lines += ["", "[[check]]"]
        row: dict[str, object] = {
            "drive": {k: float(v) for k, v in check.drive.items()},
            "part": check.part,
            "position": [float(c) for c in check.position],
        }
        if check.quaternion is not None:
            row["quaternion"] = [float(c) for c in check.quaternion]
            row["tol_quaternion"] = Tolerance(RELATIVE)
        row["tol"] = Tolerance(tol)
        lines += table(row)
    return lines


def count_lines(counts: tuple[int, int, int]) -> list[str]:
    names = ("equations", "inequalities", "unknowns")
    return table(dict(zip(names, counts, strict=True)))


def table(values: dict[str, object]) -> list[str]:
    return [f"{key} = {toml(value)}" for key, value in values.items()]


def toml(value: object) -> str:
    """A value as TOML text; floats rounded to `DECIMALS`, tolerances left alone."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Tolerance):
        return f"{value:.0e}"
    if isinstance(value, float):
        return repr(rounded(value))
    if isinstance(value, dict):
        return "{ " + ", ".join(table(value)) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(v) for v in value) + "]"
    if isinstance(value, str):
        return f'"{value}"'
    return str(value)


def rounded(value: float, decimals: int = DECIMALS) -> float:
    return round(float(value), decimals) + 0.0  # + 0.0 turns -0.0 into 0.0


def write_all(folder: Path, names: Sequence[str] = ()) -> None:
    for name in names or cases():
        write_one(folder / name, name)


def write_one(place: Path, name: str) -> None:
    """Write the folder of one mechanism, all but its mates file."""
    from cad2mbs.cad.kernel.write import write_cq

    place.mkdir(parents=True, exist_ok=True)
    write_cq(place / f"{name}.step", solids(name).build())
    case = cases()[name]()
    _write(place / "ORIGIN.md", case.origin + "\n")
    _write(place / "expected.toml", expected_toml(case))


def solids(name: str) -> ModuleType:
    """The script that builds the parts of a shipped mechanism."""
    return importlib.import_module(f"assemblies.{name}.solids")


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))  # bytes: the same line ends on every system


def differing(fresh: Path, shipped: Path) -> list[str]:
    """Files that `fresh` has and `shipped` lacks or has with other bytes."""
    names = [p.relative_to(fresh) for p in sorted(fresh.rglob("*")) if p.is_file()]
    return [
        str(n)
        for n in names
        if not (shipped / n).is_file() or (shipped / n).read_bytes() != (fresh / n).read_bytes()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare with what is there")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these")
    options = parser.parse_args()
    if unknown := set(options.names) - set(cases()):
        parser.error(f"no such assembly: {', '.join(sorted(unknown))}")
    shipped = ROOT / "assemblies"
    if not options.check:
        write_all(shipped, options.names)
        print(f"wrote {len(options.names) or len(cases())} assemblies to {shipped}")
        return 0
    with TemporaryDirectory() as folder:
        write_all(Path(folder), options.names)
        changed = differing(Path(folder), shipped)
    for name in changed:
        print(f"differs: assemblies/{name}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
