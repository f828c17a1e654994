"""Read and write the mates file: one YAML file, one assembly (docs/mates-file.md).

Reading goes text -> nodes with lines -> typed entries -> Assembly -> check. Each stage reports
what it finds and goes on with what is left, so that one run shows every error of the file.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.io import mates_entries, mates_misfits, yaml_lines
from cad2mbs.io import mates_schema as ms
from cad2mbs.io.mates_geometry import Geometry
from cad2mbs.io.mates_text import to_text
from cad2mbs.io.yaml_lines import Node
from cad2mbs.model.assembly import (
    Assembly,
)
from cad2mbs.model.check import checked, findings
from cad2mbs.model.findings import MAX_FINDINGS, SECTIONS, Finding, and_more
from cad2mbs.model.mates import Dim
from cad2mbs.units import Units
from cad2mbs.wording import shown_path

ASSEMBLY_FILE = "assembly.yaml"  # what makes a folder an assembly
_DIM_KEYS = {(str(dim),) for dim in Dim}


def read(path: str | os.PathLike[str]) -> Assembly:
    """The assembly in the mates file at `path`; InputError with every finding of the file."""
    path = Path(path)
    return read_bytes(content(path), file=str(path), name=default_name(path), folder=path.parent)


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
    said = shape.entries()
    if said is None:
        raise _error(found + _located(shape.found, root, file))
    geometry = Geometry(Path(folder), Units(said.units.length, said.units.angle), said.cad)
    assembly = mates_entries.assembly(said, root, file, name, geometry)
    misuse = list(islice(mates_entries.misuse(said), MAX_FINDINGS))
    # A number under the wrong key is said once: not also as missing under the right one.
    misplaced = {(*m.path[:2], str(d)) for m in misuse if m.path[2:] in _DIM_KEYS for d in Dim}
    unread = shape.unread | misplaced | geometry.unread
    meaning = islice(findings(assembly, unread), MAX_FINDINGS)
    found += _located((*shape.found, *misuse, *geometry.found, *meaning), root, file)
    if any(d.severity == "error" for d in found):
        raise _error(found)
    return assembly


def entries(content: bytes, file: str = "") -> ms.MatesFile:
    """The typed entries of a mates file, without its CAD files; InputError if its shape is wrong.

    What the names refer to is not looked at: `read_bytes` does.
    """
    root, problems = yaml_lines.parse(content)
    found = [Diagnostic(p.message, file, p.line) for p in problems]
    if root is None:
        raise _error(found)
    shape = _Shape(root)
    made = shape.entries()
    found += _located(shape.found, root, file)
    if found or made is None:
        raise _error(found)
    return made


def _located(found: Iterable[Finding], root: Node, file: str) -> list[Diagnostic]:
    return [Diagnostic(f.message, file, root.line_of(f.path), f.severity) for f in found]


def default_name(path: Path) -> str:
    """Name of an assembly that gives itself none: its folder or its file."""
    path = Path(os.path.abspath(path))
    return (path.parent.name if path.name == ASSEMBLY_FILE else path.stem) or "assembly"


def content(path: Path) -> bytes:
    """The bytes of a mates file; InputError if it cannot be read."""
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


# --- writing -----------------------------------------------------------------------------------


def write(assembly: Assembly, path: str | os.PathLike[str], comment: str = "") -> None:
    """Write the assembly as a mates file, whole or not at all; reading gives the same assembly.

    The same but for lines, and for the last digits of directions that were set by hand and not
    quite of length 1 or perpendicular: reading makes them so.
    `comment`: lines for the head of the file. InputError if the assembly has errors or the file
    cannot be written; what stood there before then still stands.
    """
    write_bytes(to_text(checked(assembly), comment).encode("utf-8"), path)


def write_bytes(content: bytes, path: str | os.PathLike[str]) -> None:
    """Put the content in place of the file, whole or not at all; InputError if that fails."""
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
