"""Write `assemblies/`: every shipped mechanism with its mates file, origin and expected numbers.

    python scripts/make_assemblies.py            write all folders
    python scripts/make_assemblies.py --check    write nothing, fail if a file would change

What must come out stands in `_assembly_cases.py`. Numbers are rounded so that the files are the
same bytes on every machine.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cad2mbs.io import mates_file  # noqa: E402  (needs the path above)
from cad2mbs.model.assembly import Assembly  # noqa: E402
from cad2mbs.model.pose import Pose  # noqa: E402
from cad2mbs.model.references import Vec3  # noqa: E402
from scripts._assembly_cases import Case, cases  # noqa: E402
from tests.reference import mate_rows  # noqa: E402
from tests.reference.joint_kinds import FREEDOMS  # noqa: E402

RELATIVE = 1e-10  # wanted accuracy of positions, of the model's size
DECIMALS = 12  # of lengths in mm and of all expected numbers
UNIT_DECIMALS = 14  # of directions, quaternions and lengths in m


class Tolerance(float):
    """A small number that is written as it is, not rounded."""


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


def steady(assembly: Assembly) -> Assembly:
    """The assembly with the last digits of its numbers cut, where machines may differ.

    Directions keep enough digits for over-constrained loops to close to rounding.
    """
    length = DECIMALS if assembly.units.length == "mm" else UNIT_DECIMALS
    parts = {}
    for part in assembly.parts.values():
        references = {
            name: replace(
                r,
                origin=_round(r.origin, length),
                z=_round(r.z, UNIT_DECIMALS),
                x=_round(r.x, UNIT_DECIMALS),
            )
            for name, r in part.references.items()
        }
        pose = part.pose
        if pose is not None:
            w, x, y, z = (rounded(c, UNIT_DECIMALS) for c in pose.quaternion)
            pose = Pose(_round(pose.position, length), (w, x, y, z))
        parts[part.name] = replace(part, references=references, pose=pose)
    drives = {
        d.name: replace(d, value=None if d.value is None else rounded(d.value))
        for d in assembly.drives.values()
    }
    return replace(assembly, parts=parts, drives=drives)


def _round(values: Vec3, decimals: int) -> Vec3:
    x, y, z = (rounded(v, decimals) for v in values)
    return (x, y, z)


def write_all(folder: Path) -> None:
    for name, make in cases().items():
        case = make()
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        mates_file.write(steady(case.assembly), place / "assembly.yaml")
        _write(place / "ORIGIN.md", case.origin + "\n")
        _write(place / "expected.toml", expected_toml(case))


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
    options = parser.parse_args()
    shipped = ROOT / "assemblies"
    if not options.check:
        write_all(shipped)
        print(f"wrote {len(cases())} assemblies to {shipped}")
        return 0
    with TemporaryDirectory() as folder:
        write_all(Path(folder))
        changed = differing(Path(folder), shipped)
    for name in changed:
        print(f"differs: assemblies/{name}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
