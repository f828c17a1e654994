"""Save a changed assembly: the mates file keeps its comments and layout, only changes are written.

Mates switched on or off, numbers of mates, drives and named positions are edited in the text; an
assembly that came from another kind of file is written anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.io import mates_entries, mates_file, yaml_edit, yaml_lines
from cad2mbs.io.mates_text import drive_fields, mate_fields, to_text
from cad2mbs.io.source import STEP_ENDINGS, YAML_ENDINGS
from cad2mbs.io.yaml_edit import Change, NotEditable
from cad2mbs.model.assembly import Assembly, Drive
from cad2mbs.model.check import checked
from cad2mbs.model.mates import Mate
from cad2mbs.units import Units
from cad2mbs.wording import quoted, shown_path

BOM = b"\xef\xbb\xbf"
EDITABLE = ("mates", "drives", "positions")
UNTOUCHED = ("source", "notes")  # of an assembly: not in its file


def edited(text: bytes, before: Assembly, after: Assembly) -> bytes:
    """The mates file `text`, which reads as `before`, changed so that it reads as `after`.

    InputError if it has changed meanwhile, if `after` has errors, or if it differs in more than
    mates (off, numbers, sense), drives (value, bounds) and positions.
    """
    file = before.source
    _require_editable(before, after)
    if _stated(text, file) != _said(before):
        raise _refused(file, "the file has changed since it was read; open it again")
    new = _with(text, list(_changes(before, checked(after))), file)
    if _stated(new, file) != _said(after):
        raise _refused(
            file, "the changed text would not read back as the changed assembly; nothing is written"
        )
    return new


def save(
    before: Assembly, after: Assembly, path: str | os.PathLike[str], replace: bool = False
) -> tuple[str, ...]:
    """Write `after` as a mates file, whole or not at all; return what there is to tell.

    `before` is what was read: if from a mates file, its text is edited, else the file is written
    anew. In another folder the CAD files are named so that they are found from there. A file that
    exists is refused unless `replace`.
    """
    path = Path(path)
    if path.suffix.lower() not in YAML_ENDINGS:
        raise _refused(path, f"wanted a name that ends in {' or '.join(YAML_ENDINGS)}")
    if path.exists() and not replace:
        raise _refused(path, "the file exists; choose another name, or say that it is replaced")
    source = Path(before.source)
    if source.suffix.lower() in YAML_ENDINGS:
        text = edited(mates_file.content(source), before, after)
        moved = _moved_cad(after, source.parent, path.parent)
        changes = [Change(place, file) for place, (_, file) in moved.items()]
        text = _with(text, changes, before.source)
    else:
        after = _with_step(after, source)
        moved = _moved_cad(after, source.parent, path.parent)
        text = to_text(checked(_with_cad(after, moved))).encode("utf-8")
    mates_file.write_bytes(text, path)
    return tuple(
        f"the CAD file {quoted(old)} is named {quoted(new)} there"
        for old, new in dict.fromkeys(moved.values())
    )


def _refused(file: object, message: str) -> InputError:
    return InputError([Diagnostic(message, shown_path(file))])


# --- what changes ------------------------------------------------------------------------------


def _require_editable(before: Assembly, after: Assembly) -> None:
    """InputError unless the two differ only in what can be edited."""
    names = [f.name for f in fields(Assembly) if f.name not in (*EDITABLE, *UNTOUCHED)]
    others = [n for n in names if getattr(before, n) != getattr(after, n)]
    for section in ("mates", "drives"):
        if list(getattr(before, section)) != list(getattr(after, section)):
            others.append(section)
    if others:
        raise _refused(
            before.source,
            f"found changes of {', '.join(others)}; only numbers and switches of mates, values of "
            "drives and named positions can be edited in the text",
        )


def _changes(before: Assembly, after: Assembly) -> Iterator[Change]:
    yield from _field_changes("mates", before.mates, after.mates, mate_fields)
    yield from _field_changes("drives", before.drives, after.drives, drive_fields)
    for name, values in after.positions.items():
        old = before.positions.get(name)
        if old is None:
            yield Change(("positions", name), dict(values))
        else:
            yield from _differences(("positions", name), old, values)
    for name in before.positions:
        if name not in after.positions:
            yield Change(("positions", name), drop=True)


def _field_changes(
    section: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    entry: Callable[[Any], dict[str, Any]],
) -> Iterator[Change]:
    for name, new in after.items():
        yield from _differences((section, name), entry(before[name]), entry(new))


def _differences(
    path: tuple[str, ...], old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[Change]:
    # First what is put: an entry must not be empty in between.
    for key, value in new.items():
        if key not in old or old[key] != value:
            yield Change((*path, key), value)
    for key in old:
        if key not in new:
            yield Change((*path, key), drop=True)


def _with(text: bytes, changes: list[Change], file: str) -> bytes:
    """The text of a mates file with the changes made; a byte order mark stays."""
    lead = BOM if text.startswith(BOM) else b""
    try:
        return lead + yaml_edit.changed(yaml_lines.decoded(text), changes).encode("utf-8")
    except NotEditable as error:
        raise _refused(file, f"the change cannot be written into this text: {error}") from None


# --- what is said ------------------------------------------------------------------------------

Said = tuple[Units, dict[str, Mate], dict[str, Drive], dict[str, dict[str, float]]]


def _stated(text: bytes, file: str) -> Said:
    """What a text says about all that can be edited, without lines."""
    found = mates_file.entries(text, file)
    units = Units(found.units.length, found.units.angle)
    return (
        units,
        {name: mates_entries.mate(name, entry, units) for name, entry in found.mates.items()},
        {name: mates_entries.drive(name, entry) for name, entry in found.drives.items()},
        found.positions,
    )


def _said(assembly: Assembly) -> Said:
    """The same of an assembly."""
    return (
        assembly.units,
        {name: replace(mate, line=None) for name, mate in assembly.mates.items()},
        {name: replace(drive, line=None) for name, drive in assembly.drives.items()},
        {name: dict(values) for name, values in assembly.positions.items()},
    )


# --- CAD files from another folder -------------------------------------------------------------

Moved = dict[tuple[str, ...], tuple[str, str]]  # path in the file -> old and new name


def _moved_cad(assembly: Assembly, old: Path, new: Path) -> Moved:
    """Names of CAD files that must change when the mates file goes from folder to folder."""
    named: dict[tuple[str, ...], str | None] = {("cad",): assembly.cad}
    named |= {("parts", part.name, "cad"): part.cad for part in assembly.parts.values()}
    moved: Moved = {}
    for place, file in named.items():
        if file is not None and (there := _seen_from(file, old, new)) != file:
            moved[place] = (file, there)
    return moved


def _seen_from(file: str, old: Path, new: Path) -> str:
    """The name by which a file beside `old` is found from the folder `new`."""
    if Path(file).is_absolute() or os.path.realpath(old) == os.path.realpath(new):
        return file
    target, folder = os.path.realpath(old / file), os.path.realpath(new)
    try:
        shared = os.path.commonpath([target, folder])
    except ValueError:  # on different drives
        return target
    if len(Path(shared).parts) <= 1:  # nothing in common: neither will move along with the other
        return target
    return Path(os.path.relpath(target, folder)).as_posix()


def _with_cad(assembly: Assembly, moved: Moved) -> Assembly:
    """The assembly with other names of its CAD files."""
    parts = {
        name: replace(part, cad=moved[place][1])
        if (place := ("parts", name, "cad")) in moved
        else part
        for name, part in assembly.parts.items()
    }
    cad = moved[("cad",)][1] if ("cad",) in moved else assembly.cad
    return replace(assembly, parts=parts, cad=cad)


def _with_step(assembly: Assembly, source: Path) -> Assembly:
    """The assembly with the STEP file it was read from as its CAD file."""
    if assembly.cad is not None or source.suffix.lower() not in STEP_ENDINGS:
        return assembly
    return replace(assembly, cad=source.name)
