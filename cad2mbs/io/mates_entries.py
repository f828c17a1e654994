"""From the typed entries of a mates file to the data classes of the model."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cad2mbs.io import mates_schema as ms
from cad2mbs.io.mates_geometry import Geometry
from cad2mbs.io.yaml_lines import Node
from cad2mbs.model import references
from cad2mbs.model.assembly import (
    Assembly,
    Coupling,
    CouplingKind,
    Drive,
    Freedom,
    JointFreedom,
    Limit,
    Observer,
    ObserverKind,
    Part,
)
from cad2mbs.model.findings import Finding
from cad2mbs.model.mates import MATE_KINDS, Dim, Mate, RefId
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.units import Units
from cad2mbs.wording import did_you_mean, quoted, titled


def assembly(
    entries: ms.MatesFile, root: Node, file: str, name: str, geometry: Geometry
) -> Assembly:
    units = geometry.units

    def line(section: str, entry: str) -> int:
        return root.line_of((section, entry))

    return Assembly(
        name=name if entries.name is None else entries.name,
        parts={k: _part(k, p, geometry, root, line("parts", k)) for k, p in entries.parts.items()},
        mates={k: mate(k, m, units, line("mates", k)) for k, m in entries.mates.items()},
        drives={k: drive(k, d, line("drives", k)) for k, d in entries.drives.items()},
        limits={
            k: Limit(k, _joint(d.joint, d), d.min, d.max, line("limits", k))
            for k, d in entries.limits.items()
        },
        couplings={k: _coupling(k, c, line("couplings", k)) for k, c in entries.couplings.items()},
        units=units,
        source=file,
        cad=entries.cad,
        density=entries.density,
        materials=entries.materials,
        notes=geometry.notes(),
        observers={k: _observer(k, o, line("observers", k)) for k, o in entries.observers.items()},
        positions=entries.positions,
    )


def misuse(entries: ms.MatesFile) -> Iterator[Finding]:
    """Keys that are fine as such but not for the kind of entry they stand in."""
    for name, mate in entries.mates.items():
        yield from _mate_misuse(name, mate)
    for name, coupling in entries.couplings.items():
        yield from _coupling_misuse(name, coupling)
    for name, part in entries.parts.items():
        if part.material is not None and part.material not in entries.materials:
            yield Finding(
                ("parts", name, "material"),
                f"part {quoted(name)}: found the material {quoted(part.material)}"
                f"{did_you_mean(part.material, entries.materials)} "
                f"{titled('Materials of this file', entries.materials)}",
            )


def _part(name: str, entry: ms.PartEntry, geometry: Geometry, root: Node, line: int) -> Part:
    placed = geometry.part(name, entry)
    solid = placed.solid if placed is not None else None
    found = {k: geometry.reference(name, k, r, solid) for k, r in entry.references.items()}
    in_words = root.value["parts"].value[name].value.get("references")
    pose = placed.pose if placed is not None else None
    return Part(
        name,
        {k: r for k, r in found.items() if r is not None},
        entry.grounded,
        _pose(entry.pose, geometry.units) if entry.pose is not None else pose,
        line,
        solid,
        placed.colour if placed is not None else None,
        entry.density,
        entry.material,
        entry.cad,
        entry.instance,
        {k: in_words.value[k].plain() for k, r in entry.references.items() if r.selects},
    )


def _pose(entry: ms.PoseEntry, units: Units) -> Pose:
    if entry.turn is not None:
        axis = references.unit(entry.turn.axis)
        return Pose.turned(entry.position, axis, entry.turn.angle * units.radian)
    if entry.quaternion is None:
        return Pose(entry.position)
    n = math.hypot(*entry.quaternion)
    w, x, y, z = entry.quaternion
    same = abs(n - 1.0) <= references.ROUNDING
    return Pose(entry.position, (w, x, y, z) if same else (w / n, x / n, y / n, z / n))


def _ref(text: str) -> RefId:
    part, _, ref = text.rpartition("/")
    return RefId(part, ref)


def mate(name: str, entry: ms.MateEntry, units: Units, line: int | None = None) -> Mate:
    """The mate that an entry states."""
    kind = MATE_KINDS.get(entry.kind)
    value = getattr(entry, kind.value) if kind and kind.value else None
    has_transform = entry.kind == "identical" and entry.transform is not None
    return Mate(
        name,
        entry.kind,
        _ref(entry.a),
        _ref(entry.b),
        value,
        entry.sense if kind and kind.sense and entry.sense is not None else True,
        _pose(entry.transform, units) if has_transform and entry.transform else IDENTITY,
        line,
        entry.off,
    )


def _mate_misuse(name: str, entry: ms.MateEntry) -> Iterator[Finding]:
    """Keys that this kind of mate does not have."""
    kind = MATE_KINDS.get(entry.kind)
    if kind is None:
        return
    who = f"mate {quoted(name)} ({entry.kind})"
    for dim in Dim:
        if getattr(entry, dim) is not None and dim is not kind.value:
            instead = f"its number is '{kind.value}'" if kind.value else "it carries no number"
            yield Finding(("mates", name, dim), f"{who}: found '{dim}', but {instead}")
    if entry.sense is not None and not kind.sense:
        yield Finding(
            ("mates", name, "sense"), f"{who}: found 'sense', which this kind has not; leave it out"
        )
    if entry.transform is not None and entry.kind != "identical":
        yield Finding(
            ("mates", name, "transform"),
            f"{who}: found 'transform', which only identical has; leave it out",
        )


def _joint(parts: tuple[str, str], entry: ms.JointEntry) -> JointFreedom:
    a, b = parts
    return JointFreedom(
        a,
        b,
        Freedom(entry.freedom) if entry.freedom is not None else None,
        (_ref(entry.zero[0]), _ref(entry.zero[1])) if entry.zero is not None else None,
    )


def drive(name: str, entry: ms.DriveEntry, line: int | None = None) -> Drive:
    """The drive that an entry states."""
    of = _joint(entry.joint, entry) if entry.joint is not None else None
    return Drive(name, entry.mate, of, entry.value, entry.min, entry.max, line)


def _coupling_misuse(name: str, entry: ms.CouplingEntry) -> Iterator[Finding]:
    kind = CouplingKind(entry.kind)
    who, path = f"coupling {quoted(name)} ({kind})", ("couplings", name)
    wanted = ms.COUPLING_NUMBERS[kind]
    every = [f for fields in ms.COUPLING_NUMBERS.values() for f in fields]
    given = [f for f in every if getattr(entry, f) is not None]
    for extra in given:
        if extra not in wanted:
            yield Finding(
                (*path, extra), f"{who}: found '{extra}', but its number is {' or '.join(wanted)}"
            )
    fitting = [f for f in given if f in wanted]
    if len(fitting) != 1 and (fitting or not given):
        yield Finding(
            path,
            f"{who}: found {' and '.join(fitting) or 'none'} of {', '.join(wanted)}; "
            "wanted exactly one of them",
        )
    if entry.internal is not None and kind is not CouplingKind.GEAR:
        yield Finding((*path, "internal"), f"{who}: found 'internal', which only a gear has")
    if entry.internal is not None and entry.ratio is not None and entry.ratio < 0:
        yield Finding(
            (*path, "ratio"),
            f"{who}: found a negative ratio and 'internal'; the sign says it already, give one",
        )


def _coupling(name: str, entry: ms.CouplingEntry, line: int) -> Coupling:
    kind = CouplingKind(entry.kind)
    pair = entry.teeth or entry.radii
    numbers = (entry.ratio, entry.radius, entry.pitch)
    # Without a number 1 will do: the file is refused, but its names are still looked at.
    ratio = pair[0] / pair[1] if pair else next((n for n in numbers if n is not None), 1.0)
    ratio = -ratio if entry.internal else ratio
    return Coupling(name, kind, _ref(entry.a), _ref(entry.b), ratio, entry.carrier, line)


def _observer(name: str, entry: ms.ObserverEntry, line: int) -> Observer:
    if entry.position is not None:
        a = _ref(entry.position)
        return Observer(name, ObserverKind.POSITION, a, seen_from=entry.in_, line=line)
    kind = ObserverKind.DISTANCE if entry.distance is not None else ObserverKind.ANGLE
    pair = entry.distance or entry.angle
    assert pair is not None
    return Observer(name, kind, _ref(pair[0]), _ref(pair[1]), line=line)
