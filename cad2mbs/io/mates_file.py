"""Read and write the mates file: one YAML file, one assembly (docs/mates-file.md).

Reading goes text -> nodes with lines -> typed entries -> Assembly -> check. Each stage reports
what it finds and goes on with what is left, so that one run shows every error of the file.
"""

from __future__ import annotations

import math
import os
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.io import mates_misfits, yaml_lines
from cad2mbs.io import mates_schema as ms
from cad2mbs.io.mates_geometry import Geometry
from cad2mbs.io.mates_text import to_text
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
    Part,
)
from cad2mbs.model.check import checked, findings
from cad2mbs.model.findings import MAX_FINDINGS, SECTIONS, Finding, and_more
from cad2mbs.model.mates import MATE_KINDS, Dim, Mate, RefId
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.units import Units
from cad2mbs.wording import did_you_mean, quoted, shown_path, titled

ASSEMBLY_FILE = "assembly.yaml"  # what makes a folder an assembly
_DIM_KEYS = {(str(dim),) for dim in Dim}


def read(path: str | os.PathLike[str]) -> Assembly:
    """The assembly in the mates file at `path`; InputError with every finding of the file."""
    path = Path(path)
    return read_bytes(_content(path), file=str(path), name=default_name(path), folder=path.parent)


def read_bytes(
    content: bytes,
    file: str = "",
    name: str = "assembly",
    folder: str | os.PathLike[str] = ".",
) -> Assembly:
    """The assembly in the text of a mates file.

    `name` serves if the text gives none; CAD files are looked for in `folder`.
    """
    root, problems = yaml_lines.parse(content)
    found = [Diagnostic(p.message, file, p.line) for p in problems]
    if root is None:
        raise _error(found)
    if (version := _version(root)) is not None:
        # Another version has other rules: nothing else in the file can be judged.
        raise _error([*found, Diagnostic(version, file, root.line_of(("cad2mbs",)))])
    shape = _Shape(root)
    entries = shape.entries()
    if entries is None:
        raise _error(found + _located(shape.found, root, file))
    geometry = Geometry(Path(folder), Units(entries.units.length, entries.units.angle), entries.cad)
    assembly = _assembly(entries, root, file, name, geometry)
    misuse = list(islice(_misuse(entries), MAX_FINDINGS))
    # A number under the wrong key is said once: not also as missing under the right one.
    misplaced = {(*m.path[:2], str(d)) for m in misuse if m.path[2:] in _DIM_KEYS for d in Dim}
    unread = shape.unread | misplaced | geometry.unread
    meaning = islice(findings(assembly, unread), MAX_FINDINGS)
    found += _located((*shape.found, *misuse, *geometry.found, *meaning), root, file)
    if any(d.severity == "error" for d in found):
        raise _error(found)
    return assembly


def _located(found: Iterable[Finding], root: Node, file: str) -> list[Diagnostic]:
    return [Diagnostic(f.message, file, root.line_of(f.path), f.severity) for f in found]


def default_name(path: Path) -> str:
    """Name of an assembly that gives itself none: its folder or its file."""
    path = Path(os.path.abspath(path))
    return (path.parent.name if path.name == ASSEMBLY_FILE else path.stem) or "assembly"


def _content(path: Path) -> bytes:
    try:
        with open(path, "rb") as stream:
            # One byte more than allowed is enough to know, whatever the file claims to be.
            return stream.read(yaml_lines.MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            [Diagnostic(f"cannot read this file: {reason}", shown_path(path))]
        ) from None


def _error(found: list[Diagnostic]) -> InputError:
    unique = sorted(dict.fromkeys(found), key=lambda d: d.line or 0)
    if len(unique) >= MAX_FINDINGS:
        unique = [*unique[:MAX_FINDINGS], Diagnostic(and_more(), unique[0].file)]
    return InputError(unique)


def _version(root: Node) -> str | None:
    """What is wrong with the version if it is one, but not ours."""
    node = root.value.get("cad2mbs")
    if node is None or isinstance(node.value, bool) or not isinstance(node.value, int):
        return None
    if node.value == ms.VERSION:
        return None
    return (
        f"found format version {node.value}, wanted {ms.VERSION}, the only one this program reads"
    )


# --- shape -------------------------------------------------------------------------------------


@dataclass
class _Shape:
    """Fits the nodes to the typed entries; leaves out what does not fit, and says so."""

    root: Node
    found: list[Finding] = field(default_factory=list)
    unread: set[tuple[str, ...]] = field(default_factory=set)
    excused: set[yaml_lines.Path] = field(default_factory=set)  # had a misspelt key: what follows
    # from the missing one is not said

    def entries(self) -> ms.MatesFile | None:
        """What fits; None if so much does not that going on is no use."""
        data = self.root.plain()
        self._empty(data)
        while len(self.found) < MAX_FINDINGS:
            try:
                return ms.MatesFile.model_validate(data)
            except ValidationError as error:
                self._leave_out(data, error)
        return None

    def _empty(self, data: dict[str, Any]) -> None:
        """Empty sections are empty; any other key without a value is an error."""
        for path, node in _nothings((), self.root):
            if len(self.found) >= MAX_FINDINGS:
                return
            section = len(path) == 1 and path[0] in SECTIONS
            references_of_part = path[:1] == ("parts",) and path[2:] == ("references",)
            if (section or references_of_part) and not node.broken:
                _put(data, path, {})
                continue
            if not node.broken:
                message = (
                    f"{mates_misfits.place(path)}: found no value; give one or leave the key out"
                )
                self._say(path, message)
            self._drop(data, _item(path))

    def _leave_out(self, data: dict[str, Any], error: ValidationError) -> None:
        misspelt = []
        for misfit in list(mates_misfits.misfits(error, self.root)):
            item = _item(misfit.path)
            if misfit.message is not None and item not in self.excused:
                self._say(misfit.path, misfit.message)
            if not misfit.unknown_key:
                self._drop(data, item)
                continue
            _cut(data, misfit.path)
            if misfit.meant is not None:
                self.unread.add(tuple(str(s) for s in (*misfit.path[:-1], misfit.meant)))
                misspelt.append(item)
        self.excused.update(misspelt)

    def _say(self, path: yaml_lines.Path, message: str) -> None:
        self.found.append(Finding(path, message))  # type: ignore[arg-type]

    def _drop(self, data: dict[str, Any], item: yaml_lines.Path) -> None:
        self.unread.add(tuple(str(s) for s in item))
        _cut(data, item)
        if item == ("cad2mbs",):
            data["cad2mbs"] = ms.VERSION
        if item == ("parts",):
            data["parts"] = {}


def _item(path: yaml_lines.Path) -> yaml_lines.Path:
    """The smallest entry around `path` that the rest of the file can do without."""
    if path and path[0] == "parts":
        return path[:4] if path[2:3] == ("references",) else path[:3]
    return path[:2] if path and path[0] in SECTIONS else path[:1]


def _nothings(path: yaml_lines.Path, node: Node) -> Iterator[tuple[yaml_lines.Path, Node]]:
    if node.value is None:
        yield path, node
    elif isinstance(node.value, dict):
        for key, child in node.value.items():
            yield from _nothings((*path, key), child)
    elif isinstance(node.value, list):
        for index, child in enumerate(node.value):
            yield from _nothings((*path, index), child)


def _put(data: Any, path: yaml_lines.Path, value: Any) -> None:
    for step in path[:-1]:
        if not isinstance(data, dict) or step not in data:
            return
        data = data[step]
    if isinstance(data, dict):
        data[path[-1]] = value


def _cut(data: Any, path: yaml_lines.Path) -> None:
    for step in path[:-1]:
        if not isinstance(data, dict) or step not in data:
            return
        data = data[step]
    if isinstance(data, dict):
        data.pop(path[-1], None)


# --- entries to data classes -------------------------------------------------------------------


def _assembly(
    entries: ms.MatesFile, root: Node, file: str, name: str, geometry: Geometry
) -> Assembly:
    units = geometry.units

    def line(section: str, entry: str) -> int:
        return root.line_of((section, entry))

    return Assembly(
        name=name if entries.name is None else entries.name,
        parts={k: _part(k, p, geometry, root, line("parts", k)) for k, p in entries.parts.items()},
        mates={k: _mate(k, m, units, line("mates", k)) for k, m in entries.mates.items()},
        drives={k: _drive(k, d, line("drives", k)) for k, d in entries.drives.items()},
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
    )


def _misuse(entries: ms.MatesFile) -> Iterator[Finding]:
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


def _mate(name: str, entry: ms.MateEntry, units: Units, line: int) -> Mate:
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


def _drive(name: str, entry: ms.DriveEntry, line: int) -> Drive:
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


# --- writing -----------------------------------------------------------------------------------


def write(assembly: Assembly, path: str | os.PathLike[str], comment: str = "") -> None:
    """Write the assembly as a mates file, whole or not at all; reading gives the same assembly.

    The same but for lines, and for the last digits of directions that were set by hand and not
    quite of length 1 or perpendicular: reading makes them so.
    `comment`: lines for the head of the file. InputError if the assembly has errors or the file
    cannot be written; what stood there before then still stands.
    """
    content = to_text(checked(assembly), comment).encode("utf-8")
    path = Path(path)
    try:
        _replace(Path(os.path.realpath(path)), content)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            [Diagnostic(f"cannot write this file: {reason}", shown_path(path))]
        ) from None


def _replace(path: Path, content: bytes) -> None:
    """Put the content in place of the file in one step."""
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}.tmp")
    try:
        # Made by plain open, so that a new file gets the rights the user's system gives new files.
        with open(temporary, "xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            os.chmod(temporary, path.stat().st_mode & 0o7777)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
