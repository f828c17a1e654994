"""What people and machines read about a mechanism: plain dictionaries for JSON, tables for eyes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cad2mbs.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from cad2mbs.mechanism import Mechanism
    from cad2mbs.model.pose import Pose
    from cad2mbs.results import SweepResult
    from cad2mbs.units import Units

MM = 1e-3  # [m]
OFF = "off"  # verdict of a mate that is switched off
RESIDUALS = ("residual_mm", "residual_deg")


def plain(value: Any) -> Any:
    """The value as JSON can hold it: numpy numbers as Python ones, nan and inf as None."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


# ---------------------------------------------------------------- for machines


def structure(m: Mechanism) -> dict[str, Any]:
    """All that `inspect` tells."""
    return {
        "name": m.name,
        "units": units(m.units),
        "formulation": m.formulation,
        "assembled": m.assembled,
        "status": m.status,
        "parts": list(m.assembly.parts),
        "bodies": [
            {"name": b.name, "parts": list(b.parts), "grounded": b.grounded} for b in m.bodies
        ],
        "joints": [
            {
                "name": j.name,
                "bodies": list(j.bodies),
                "kind": j.kind,
                "freedoms": j.freedoms,
                "mates": list(j.mates),
                "role": j.role,
                "limits": list(j.limits),
                "reason": j.reason,
            }
            for j in m.joints
        ],
        "mobility": {
            "freedoms": m.mobility.freedoms,
            "gruebler": m.mobility.gruebler,
            "redundant": m.mobility.redundant,
            "at_pose": m.mobility.at_pose,
            "names": list(m.mobility.names),
        },
        "mates": mates(m),
        "conflict": list(m.conflict),
        "formulations": {k: dict(v) for k, v in m.formulations.items()},
        "blocks": list(m.blocks),
        "loops": m.loops,
        "drives": [
            {
                "name": d.name,
                "value": d.value,
                "unit": d.unit,
                "low": d.low,
                "high": d.high,
                "what": d.what,
            }
            for d in m.drives.values()
        ],
    }


def mates(m: Mechanism) -> list[dict[str, Any]]:
    """Every mate with its verdict, in file order; one that is off has no gap to tell."""
    verdicts = {v.name: v for v in m.verdicts()}
    rows = []
    for mate in m.whole.mates.values():
        v = verdicts.get(mate.name)
        rows.append(
            {
                "name": mate.name,
                "kind": str(mate.kind),
                "verdict": v.verdict if v is not None else OFF,
                "residual_mm": v.residual_mm if v is not None else None,
                "residual_deg": v.residual_deg if v is not None else None,
            }
        )
    return rows


def solution(m: Mechanism, solved: Any) -> dict[str, Any]:
    """All that `solve` tells; positions in mm whatever the file's unit, the rest in its units."""
    from cad2mbs.observers import observed

    return {
        "name": m.name,
        "units": units(m.units),
        "ok": solved.ok,
        "status": solved.status,
        "residual": solved.residual,
        "smallest_singular_value": solved.smallest_singular_value,
        "drives": dict(solved.values),
        "parts": poses(m.poses, m.units),
        "joints": {name: list(q) for name, q in m.joint_coordinates.items()},
        "observers": observed(m),
    }


def swept(result: SweepResult, files: Mapping[str, str]) -> dict[str, Any]:
    """All that `sweep` tells beside the table it wrote."""
    return {
        "ok": result.ok,
        "status": result.status,
        "positions": len(result),
        "stopped_at": result.stopped_at,
        "residual": result.residual,
        "columns": [{"name": n, "unit": u} for n, u in result.columns],
        "files": dict(files),
    }


def replayed(replay: Any, tol: float, ok: bool) -> dict[str, Any]:
    """All that `replay` tells."""
    return {
        "ok": ok,
        "status": replay.status,
        "tol": tol,
        "largest_relative": replay.largest_relative,
        "model_size": replay.model_size,
        "parts": [
            {"part": p, "position_difference": d, "orientation_difference_deg": a}
            for p, d, a in replay.rows
        ],
    }


def modes(m: Mechanism, found: Sequence[Mapping[str, Pose]]) -> dict[str, Any]:
    """All that `modes-of-assembly` tells; positions in mm."""
    return {
        "name": m.name,
        "units": units(m.units),
        "count": len(found),
        "modes": [poses(mode, m.units) for mode in found],
    }


def units(u: Units) -> dict[str, str]:
    return {"length": u.length, "angle": u.angle}


def poses(by_part: Mapping[str, Pose], u: Units) -> dict[str, Any]:
    """Position [mm] and quaternion (w x y z) of every part."""
    scale = u.metre / MM
    return {
        part: {
            "position": [float(c) * scale for c in pose.position],
            "quaternion": [float(c) for c in pose.quaternion],
        }
        for part, pose in by_part.items()
    }


# ---------------------------------------------------------------- for people


def show_structure(console: Console, data: Mapping[str, Any]) -> None:
    mob, forms = data["mobility"], data["formulations"]
    console.print(f"{data['name']}: {data['status']}")
    parts, bodies, joints = (len(data[k]) for k in ("parts", "bodies", "joints"))
    console.print(
        f"{counted(parts, 'part')}, {counted(bodies, 'body', 'bodies')}, "
        f"{counted(joints, 'joint')}, {counted(data['loops'], 'loop')}; "
        f"{counted(mob['freedoms'], 'freedom')}, {mob['at_pose']} at this pose "
        f"(Grübler {mob['gruebler']}: {counted(mob['redundant'], 'redundant equation')})"
    )
    if mob["names"]:
        console.print(f"freedoms by name: {', '.join(mob['names'])}")
    for name, f in forms.items():
        console.print(
            f"{name}: {counted(f['equations'], 'equation')}, "
            f"{counted(f['inequalities'], 'inequality', 'inequalities')}, "
            f"{counted(f['unknowns'], 'unknown')}"
        )
    console.print(f"blocks: {', '.join(map(str, data['blocks'])) or 'none'}")
    rows = [
        (b["name"], "yes" if b["grounded"] else "", ", ".join(b["parts"])) for b in data["bodies"]
    ]
    show(console, "Bodies", ("name", "grounded", "parts"), rows)
    show(
        console,
        "Joints",
        ("name", "kind", "freedoms", "bodies", "role", "limits", "from mates"),
        [
            (
                j["name"],
                j["kind"],
                j["freedoms"],
                " - ".join(j["bodies"]),
                j["role"],
                "; ".join(limit_text(limit) for limit in j["limits"]),
                ", ".join(j["mates"]),
            )
            for j in data["joints"]
        ],
    )
    show(
        console,
        "Mates",
        ("name", "kind", "verdict", "off by [mm]", "off by [deg]"),
        [
            (
                v["name"],
                v["kind"],
                v["verdict"],
                *("" if v["verdict"] == OFF else small(v[k]) for k in RESIDUALS),
            )
            for v in data["mates"]
        ],
    )
    if data["conflict"]:
        console.print(contradiction(data["conflict"]))
    show(
        console,
        "Drives",
        ("name", "value", "unit", "from", "to", "moves"),
        [
            (d["name"], num(d["value"]), d["unit"], num(d["low"]), num(d["high"]), d["what"])
            for d in data["drives"]
        ],
    )


def contradiction(mates: Sequence[str]) -> str:
    """Which mates do not go together, as a sentence."""
    if len(mates) == 1:
        return f"The mate {mates[0]} contradicts what the others have already made rigid."
    return f"These mates contradict each other: {', '.join(mates)}"


def show_solution(console: Console, data: Mapping[str, Any]) -> None:
    console.print(f"{data['name']}: {data['status']}")
    console.print(
        f"residual {small(data['residual'])}, smallest singular value "
        f"{small(data['smallest_singular_value'])}"
    )
    values = ", ".join(f"{n} = {num(v)}" for n, v in data["drives"].items())
    console.print(f"drives: {values or 'none'}")
    show_poses(console, "Parts", data["parts"], data["units"]["length"])
    show(
        console,
        f"Joints [{data['units']['length']}, {data['units']['angle']}]",
        ("name", "coordinates"),
        [(n, "  ".join(num(c) for c in q)) for n, q in data["joints"].items()],
    )
    show(
        console,
        f"Observers [{data['units']['length']}, {data['units']['angle']}]",
        ("name", "value"),
        [(n, num(v)) for n, v in data["observers"].items()],
    )


def show_poses(console: Console, title: str, by_part: Mapping[str, Any], unit: str) -> None:
    """Print poses given in mm in the unit of the file, as joints and tables have it."""
    from cad2mbs.units import LENGTHS

    scale = MM / LENGTHS[unit]
    show(
        console,
        title,
        ("part", *(f"{c} [{unit}]" for c in "xyz"), "quaternion w x y z"),
        [
            (
                part,
                *(num(c * scale) for c in p["position"]),
                "  ".join(f"{c:.6f}".replace("-0.000000", "0.000000") for c in p["quaternion"]),
            )
            for part, p in by_part.items()
        ],
    )


def show_swept(console: Console, data: Mapping[str, Any]) -> None:
    console.print(data["status"])
    console.print(
        f"{len(data['columns'])} columns, largest residual {small(data['residual'])}"
        if data["positions"]
        else "no position was reached, nothing is written"
    )
    for what, file in data["files"].items():
        console.print(f"{what}: {file}", soft_wrap=True)


def show_replayed(console: Console, data: Mapping[str, Any]) -> None:
    size = data["model_size"]
    show(
        console,
        "Largest differences to the stored result",
        ("part", "position / model size", "orientation [deg]"),
        [
            (
                p["part"],
                small(p["position_difference"] / size if size else p["position_difference"]),
                small(p["orientation_difference_deg"]),
            )
            for p in data["parts"]
        ],
    )
    console.print(data["status"])
    if not data["parts"]:
        return
    verdict = "within" if data["ok"] else "NOT within"
    console.print(
        f"largest difference {small(data['largest_relative'])} of the model size, "
        f"{verdict} {data['tol']:g}"
    )


def show_modes(console: Console, data: Mapping[str, Any]) -> None:
    count = data["count"]
    console.print(f"{data['name']}: {count} way{'' if count == 1 else 's'} to assemble")
    for i, mode in enumerate(data["modes"], start=1):
        show_poses(console, f"Mode {i}", mode, data["units"]["length"])


def show(
    console: Console, title: str, header: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Print a table; nothing when it has no rows."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in header:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    if table.row_count:
        console.print(table)


def limit_text(limit: Mapping[str, Any]) -> str:
    """A limit in a few words, whichever of its entries it has."""
    low, high = limit.get("low"), limit.get("high")
    name = str(limit.get("name", ""))
    return f"{name} {num(low) or '-inf'}..{num(high) or 'inf'}".strip()


def num(value: float | None) -> str:
    """A number for a table: six digits, nothing for None, no negative zero."""
    if value is None:
        return ""
    return f"{value + 0.0 if abs(value) > 1e-9 else 0.0:.6g}"


def small(value: float | None) -> str:
    """A residual for a table."""
    if value is None:
        return "?"
    if value == 0.0:
        return "0"
    return "<1e-12" if abs(value) < 1e-12 else f"{value:.1e}"
