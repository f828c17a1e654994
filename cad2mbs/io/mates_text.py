"""The text of a mates file for an assembly: one entry a line, numbers in full, quotes where needed.

The counterpart of `mates_file.read_bytes`: what is written here reads back as the same assembly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cad2mbs.io.mates_schema import VERSION
from cad2mbs.model.assembly import (
    Assembly,
    Coupling,
    CouplingKind,
    Drive,
    JointFreedom,
    Limit,
    Observer,
    Part,
)
from cad2mbs.model.mates import MATE_KINDS, Mate
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.model.references import Reference, RefKind


def to_text(assembly: Assembly, comment: str = "") -> str:
    """The text of the mates file."""
    lines = [f"# {line}".rstrip() for line in _comment_lines(comment)]
    lines.append(f"cad2mbs: {VERSION}")
    lines.append(f"name: {word(assembly.name)}")
    units = {"length": assembly.units.length, "angle": assembly.units.angle}
    lines.append(f"units: {flow(units)}")
    if assembly.cad is not None:
        lines.append(f"cad: {word(assembly.cad)}")
    if assembly.density is not None:
        lines.append(f"density: {number_text(assembly.density)}")
    if assembly.materials:
        lines.append(f"materials: {flow(dict(assembly.materials))}")
    lines.append("parts:" if assembly.parts else "parts: {}")
    for part in assembly.parts.values():
        lines += _part_lines(part)
    lines += _section("mates", {m.name: mate_fields(m) for m in assembly.mates.values()})
    lines += _section("drives", {d.name: drive_fields(d) for d in assembly.drives.values()})
    lines += _section("limits", {d.name: _limit_fields(d) for d in assembly.limits.values()})
    lines += _section(
        "couplings", {c.name: _coupling_fields(c) for c in assembly.couplings.values()}
    )
    lines += _section(
        "observers", {o.name: _observer_fields(o) for o in assembly.observers.values()}
    )
    lines += _section("positions", {n: dict(v) for n, v in assembly.positions.items()})
    return "\n".join(lines) + "\n"


def _comment_lines(comment: str) -> list[str]:
    return ["".join(c if c.isprintable() else " " for c in s) for s in comment.splitlines()]


def _part_lines(part: Part) -> list[str]:
    lines = [f"  {word(part.name)}:"]
    if part.grounded:
        lines.append("    grounded: true")
    if part.references:
        lines.append("    references:")
        for name, reference in part.references.items():
            said = part.selected.get(name) or _reference_fields(reference)
            lines.append(f"      {word(name)}: {flow(said)}")
    for key in ("cad", "instance", "material"):
        if (text := getattr(part, key)) is not None:
            lines.append(f"    {key}: {word(text)}")
    if part.density is not None:
        lines.append(f"    density: {number_text(part.density)}")
    if part.pose is not None:
        lines.append(f"    pose: {flow(_pose_fields(part.pose))}")
    if len(lines) == 1:
        lines[0] += " {}"
    return lines


def _section(name: str, entries: Mapping[str, dict[str, Any]]) -> list[str]:
    if not entries:
        return []
    return [f"{name}:", *(f"  {word(key)}: {flow(entry)}" for key, entry in entries.items())]


def _reference_fields(reference: Reference) -> dict[str, Any]:
    origin, z = list(reference.origin), list(reference.z)
    match reference.kind:
        case RefKind.POINT:
            return {"point": origin}
        case RefKind.VECTOR:
            return {"vector": z}
        case RefKind.AXIS:
            return {"axis": {"point": origin, "along": z}}
        case RefKind.PLANE:
            return {"plane": {"point": origin, "normal": z}}
        case RefKind.FRAME:
            return {"frame": {"origin": origin, "z": z, "x": list(reference.x)}}


def _pose_fields(pose: Pose) -> dict[str, Any]:
    fields: dict[str, Any] = {"position": list(pose.position)}
    if pose.quaternion != IDENTITY.quaternion:
        fields["quaternion"] = list(pose.quaternion)
    return fields


def mate_fields(mate: Mate) -> dict[str, Any]:
    """The entry of a mate: what differs from the defaults."""
    fields: dict[str, Any] = {"kind": mate.kind, "a": str(mate.a), "b": str(mate.b)}
    if mate.value is not None:
        fields[str(MATE_KINDS[mate.kind].value)] = mate.value
    if not mate.sense:
        fields["sense"] = False
    if mate.transform != IDENTITY:
        fields["transform"] = _pose_fields(mate.transform)
    if mate.off:
        fields["off"] = True
    return fields


def _joint_fields(of: JointFreedom) -> dict[str, Any]:
    fields: dict[str, Any] = {"joint": [of.a, of.b]}
    if of.freedom is not None:
        fields["freedom"] = str(of.freedom)
    if of.zero is not None:
        fields["zero"] = [str(ref) for ref in of.zero]
    return fields


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def drive_fields(drive: Drive) -> dict[str, Any]:
    """The entry of a drive."""
    what = _joint_fields(drive.of) if drive.of is not None else {"mate": drive.mate}
    return what | _given(value=drive.value, min=drive.low, max=drive.high)


def _limit_fields(limit: Limit) -> dict[str, Any]:
    return _joint_fields(limit.of) | _given(min=limit.low, max=limit.high)


def _coupling_fields(coupling: Coupling) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "kind": str(coupling.kind),
        "a": str(coupling.a),
        "b": str(coupling.b),
    }
    match coupling.kind:
        case CouplingKind.GEAR:
            fields["ratio"] = abs(coupling.ratio)
            if coupling.ratio < 0:
                fields["internal"] = True
        case CouplingKind.RACK:
            fields["radius"] = coupling.ratio
        case CouplingKind.SCREW:
            fields["pitch"] = coupling.ratio
    return fields | _given(carrier=coupling.carrier)


def _observer_fields(observer: Observer) -> dict[str, Any]:
    if observer.b is None:
        return {"position": str(observer.a)} | _given(**{"in": observer.seen_from})
    return {str(observer.kind): [str(observer.a), str(observer.b)]}


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key_text(key)}: {flow(v)}" for key, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return word(value) if isinstance(value, str) else number_text(value)


def number_text(value: float) -> str:
    """Shortest text that reads back as the same number."""
    value = float(value)
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))  # also turns -0.0 into 0
    text = repr(value)
    mantissa, e, exponent = text.partition("e")
    # YAML 1.1 readers take 1e-07 for text; with a point everybody reads a number.
    return f"{mantissa}.0e{exponent}" if e and "." not in mantissa else text


_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*")
_OWN_KEY = "off"  # a key of the format; readers of YAML 1.1 take it for a truth value
_NOT_TEXT = {"null", "true", "false", "yes", "no", "on", "off"}  # in YAML 1.1 or 1.2


def key_text(key: str) -> str:
    """A key of a mapping as YAML text."""
    return key if key == _OWN_KEY else word(key)


def word(text: str) -> str:
    """Text as a YAML scalar, in quotes where it needs them."""
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT:
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    code = ord(character)
    # U+FEFF is printable to no one and a byte order mark to YAML.
    if character.isprintable() and code != 0xFEFF:
        return character
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
