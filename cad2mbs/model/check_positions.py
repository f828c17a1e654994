"""Findings about named positions: drives that exist, values that they can take."""

from __future__ import annotations

from collections.abc import Iterator

from cad2mbs.model.assembly import Drive, Limit
from cad2mbs.model.check_mates import bounds, wanted_number
from cad2mbs.model.findings import Book, Finding, Path, finite, is_number
from cad2mbs.model.mates import MATE_KINDS
from cad2mbs.wording import did_you_mean, quoted, titled


def position_findings(book: Book) -> Iterator[Finding]:
    """Yield what is wrong with the named positions."""
    drives = book.assembly.drives
    for name, values in book.assembly.positions.items():
        path, who = ("positions", name), f"position {quoted(name)}"
        if not values:
            yield Finding(path, f"{who} names no drive; give at least one 'drive: value'")
        for drive, value in values.items():
            at = (*path, drive)
            if drive in drives:
                yield from _value(book, at, f"{who}, drive {quoted(drive)}", drives[drive], value)
            elif not book.lost("drives", drive):
                yield Finding(
                    at,
                    f"{who} names the drive {quoted(drive)}, which is not there"
                    f"{did_you_mean(drive, drives)} {titled('Drives', drives)}",
                )


def _value(book: Book, path: Path, who: str, drive: Drive, value: float) -> Iterator[Finding]:
    bad = next(finite(path, who, value), None)
    if bad is not None:
        yield bad
        return
    mate = book.assembly.mates.get(drive.mate) if drive.mate is not None else None
    kind = MATE_KINDS.get(mate.kind) if mate is not None else None
    if kind is not None and kind.value is not None:
        low, high = bounds(book, kind)
        if not low < value < high:
            yield Finding(path, f"{who}: found {value!r}; wanted {wanted_number(book, kind)}")
            return
    for side, bound, owner in _bounds(book, drive):
        if is_number(bound) and (value < bound if side == "min" else value > bound):
            wanted = f"at {'least' if side == 'min' else 'most'} {bound!r}, the {side} of {owner}"
            yield Finding(path, f"{who}: found {value!r}; wanted {wanted}")
            return


def _bounds(book: Book, drive: Drive) -> Iterator[tuple[str, float | None, str]]:
    """What holds the drive: side, bound, and whose it is; limits that measure the same included."""
    owners: list[tuple[Drive | Limit, str]] = [(drive, f"drive {quoted(drive.name)}")]
    for limit in book.assembly.limits.values():
        if drive.of is not None and limit.of == drive.of:
            owners.append((limit, f"limit {quoted(limit.name)}"))
    for owner, name in owners:
        low, high = owner.low, owner.high
        if is_number(low) and is_number(high) and low > high:
            continue  # said where the range is checked
        yield "min", low, name
        yield "max", high, name
