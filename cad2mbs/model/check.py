"""Whether an assembly makes sense: every finding by name, for files and for code alike.

`check` lists, `checked` raises; `findings` goes through the sections one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.check_couplings import coupling_findings
from cad2mbs.model.check_drives import drive_findings, limit_findings
from cad2mbs.model.check_mates import mate_findings
from cad2mbs.model.check_observers import observer_findings
from cad2mbs.model.check_parts import part_findings
from cad2mbs.model.check_positions import position_findings
from cad2mbs.model.findings import MAX_FINDINGS, SECTIONS, Book, Finding, Path, and_more
from cad2mbs.units import ANGLES, LENGTHS
from cad2mbs.wording import listed, quoted

MAX_NAME = 200


def check(assembly: Assembly) -> list[Diagnostic]:
    """Everything wrong or doubtful about the assembly; [] when all is well.

    Errors have severity "error"; "warning" is for what can be worked with.
    """
    found = [
        Diagnostic(f.message, assembly.source, _line(assembly, f.path), f.severity)
        for f in islice(findings(assembly), MAX_FINDINGS)
    ]
    if len(found) == MAX_FINDINGS:
        found.append(Diagnostic(and_more(), assembly.source))
    return sorted(found, key=lambda d: d.line or 0)


def checked(assembly: Assembly) -> Assembly:
    """The assembly itself; InputError with all findings if any of them is an error."""
    found = check(assembly)
    if any(d.severity == "error" for d in found):
        raise InputError(found)
    return assembly


def findings(assembly: Assembly, unread: Collection[Path] = frozenset()) -> Iterator[Finding]:
    """Yield the findings section by section.

    `unread`: entries that exist but could not be read and were reported before; nothing that
    only follows from their absence is said.
    """
    book = Book(assembly, frozenset(unread))
    yield from _units(book)
    yield from _names(book)
    yield from part_findings(book)
    for mate in assembly.mates.values():
        yield from mate_findings(book, mate)
    yield from drive_findings(book)
    for limit in assembly.limits.values():
        yield from limit_findings(book, limit)
    for coupling in assembly.couplings.values():
        yield from coupling_findings(book, coupling)
    yield from observer_findings(book)
    yield from position_findings(book)


def _line(assembly: Assembly, path: Path) -> int | None:
    """Line of the named entry around `path`, as far as the data classes know it."""
    if len(path) < 2 or path[0] not in SECTIONS:
        return None
    return getattr(getattr(assembly, path[0]).get(path[1]), "line", None)


def _units(book: Book) -> Iterator[Finding]:
    units = book.assembly.units
    for what, found, choices in (("length", units.length, LENGTHS), ("angle", units.angle, ANGLES)):
        if found not in choices:
            yield Finding(
                ("units", what),
                f"units: found the {what} unit {quoted(found)}; wanted one of {listed(choices)}",
            )


def _names(book: Book) -> Iterator[Finding]:
    for section, noun in SECTIONS.items():
        entries: Mapping[str, Any] = getattr(book.assembly, section)
        for key, entry in entries.items():
            yield from _name((section, key), noun, key)
            said = getattr(entry, "name", key)  # a position is a plain mapping
            if said != key:
                yield Finding(
                    (section, key),
                    f"{noun} {quoted(said)} is filed under the name {quoted(key)}; "
                    "wanted the same name",
                )
    for part in book.assembly.parts.values():
        for name in part.references:
            path = ("parts", part.name, "references", name)
            yield from _name(path, "reference", name)
            if "/" in name:
                yield Finding(
                    path,
                    f"reference {quoted(name)} of part {quoted(part.name)} has a slash in its "
                    "name; wanted none, since 'part/reference' is split at the last slash",
                )


def _name(path: Path, noun: str, name: str) -> Iterator[Finding]:
    if not name.strip() or name != name.strip():
        yield Finding(
            path, f"found the {noun} name {quoted(name)}; wanted a name without space around it"
        )
    elif len(name) > MAX_NAME:
        yield Finding(
            path,
            f"{noun} {quoted(name)} has a name of {len(name)} characters; "
            f"wanted at most {MAX_NAME}",
        )
    elif not name.isprintable():
        yield Finding(
            path, f"found the {noun} name {quoted(name)}; wanted no control characters in a name"
        )
