"""Findings about drives and limits: what they measure exists, ranges and starts fit together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cad2mbs.model.assembly import Drive, Freedom, JointFreedom, Limit
from cad2mbs.model.check_mates import bounds, number, wanted_number
from cad2mbs.model.findings import Book, Finding, Path, finite, is_number, what_serves
from cad2mbs.model.mates import MATE_KINDS, Mate, MateKind
from cad2mbs.model.references import SERVES, RefKind
from cad2mbs.wording import a_or_an, did_you_mean, either, quoted, titled


def drive_findings(book: Book) -> Iterator[Finding]:
    """Yield what is wrong with the drives, each by itself and against the others."""
    seen: dict[Any, str] = {}
    for drive in book.assembly.drives.values():
        path, who = ("drives", drive.name), f"drive {quoted(drive.name)}"
        yield from _range(path, who, drive.low, drive.high)
        if (drive.mate is None) == (drive.of is None):
            found = "neither" if drive.mate is None else "both"
            yield Finding(path, f"{who} has {found} of 'mate' and 'joint'; wanted one of them")
            continue
        if drive.mate is not None:
            what: Any = ("mate", drive.mate)
            yield from _mate_drive(book, path, who, drive, drive.mate)
        else:
            assert drive.of is not None
            what = (frozenset((drive.of.a, drive.of.b)), drive.of.freedom)
            yield from _joint(book, path, who, drive.of)
            yield from _start(path, who, drive.value, drive.low, drive.high)
            yield from _start_in_limits(book, path, who, drive)
        if what in seen:
            yield Finding(
                path,
                f"{who} drives the same {'mate' if drive.mate else 'joint'} as drive "
                f"{quoted(seen[what])}; wanted one drive for it",
            )
        seen.setdefault(what, drive.name)


def limit_findings(book: Book, limit: Limit) -> Iterator[Finding]:
    """Yield what is wrong with the limit."""
    path, who = ("limits", limit.name), f"limit {quoted(limit.name)}"
    yield from _joint(book, path, who, limit.of)
    yield from _range(path, who, limit.low, limit.high)
    if limit.low is None and limit.high is None:
        yield Finding(path, f"{who} limits nothing; give min, max or both")


def _mate_drive(book: Book, path: Path, who: str, drive: Drive, name: str) -> Iterator[Finding]:
    mates = book.assembly.mates
    mate = mates.get(name)
    if mate is None:
        if not book.lost("mates", name):
            drivable = [m.name for m in mates.values() if _drivable(m)]
            yield Finding(
                (*path, "mate"),
                f"{who} names the mate {quoted(name)}, which is not there"
                f"{did_you_mean(name, drivable)} {titled('Mates with a number', drivable)}",
            )
        return
    kind = MATE_KINDS.get(mate.kind)
    if kind is None:
        return
    about = f"mate {quoted(name)} ({mate.kind})"
    if kind.value is None:
        drivable = [m.name for m in mates.values() if _drivable(m)]
        yield Finding(
            (*path, "mate"),
            f"{who}: {about} carries no number that could be driven. "
            + titled("Mates with a number", drivable),
        )
    elif kind.one_sided:
        yield Finding(
            (*path, "mate"),
            f"{who}: {about} is one-sided; it stops a motion and cannot drive one",
        )
    else:
        yield from _drive_bounds(book, path, who, drive, kind)
        start = drive.value if drive.value is not None else number(mate)
        yield from _start(path, who, start, drive.low, drive.high)


def _drivable(mate: Mate) -> bool:
    kind = MATE_KINDS.get(mate.kind)
    return kind is not None and kind.value is not None and not kind.one_sided


def _drive_bounds(
    book: Book, path: Path, who: str, drive: Drive, kind: MateKind
) -> Iterator[Finding]:
    """The driven number must stay where the mate has a meaning; bounds may touch the ends."""
    low, high = bounds(book, kind)
    if is_number(drive.value) and not low < drive.value < high:
        yield Finding(
            (*path, "value"),
            f"{who}: found value {drive.value!r}; wanted {wanted_number(book, kind)}",
        )
    for field, bound in (("min", drive.low), ("max", drive.high)):
        # Half a turn in radians is not a round number: let a hand-rounded pi pass.
        if is_number(bound) and not low - 1e-9 <= bound <= high * (1 + 1e-9):
            yield Finding(
                (*path, field),
                f"{who}: found {field} {bound!r}; wanted {wanted_number(book, kind)}",
            )


def _joint(book: Book, path: Path, who: str, of: JointFreedom) -> Iterator[Finding]:
    at = (*path, "joint")
    yield from book.part(at, f"{who}: joint", of.a)
    if of.a == of.b:
        yield Finding(
            at, f"{who}: joint names part {quoted(of.a)} twice; wanted two different parts"
        )
        return
    yield from book.part(at, f"{who}: joint", of.b)
    if of.freedom is not None and of.freedom not in list(Freedom):
        yield Finding(
            (*path, "freedom"),
            f"{who}: found the freedom {quoted(of.freedom)}; wanted {either(Freedom)}",
        )
    if of.zero is not None:
        yield from _zero(book, (*path, "zero"), who, of)


def _zero(book: Book, path: Path, who: str, of: JointFreedom) -> Iterator[Finding]:
    assert of.zero is not None
    # A slide compares origins only; a turn compares x axes, which just a frame has.
    need = RefKind.POINT if of.freedom == Freedom.SLIDE else RefKind.FRAME
    for ref, part in zip(of.zero, (of.a, of.b), strict=True):
        yield from book.reference(path, f"{who}: zero", ref)
        found = book.kind(ref)
        if ref.part != part:
            yield Finding(
                path,
                f"{who}: found {quoted(ref)} in zero; wanted a reference on {quoted(part)} there "
                f"(first one on {quoted(of.a)}, second one on {quoted(of.b)})",
            )
        elif found is not None and found not in SERVES[need]:
            yield Finding(
                path,
                f"{who}: zero needs {a_or_an(need)}; {quoted(ref)} is {a_or_an(found)}. "
                + what_serves(book, part, need),
            )


def _range(path: Path, who: str, low: float | None, high: float | None) -> Iterator[Finding]:
    bad = [
        finding
        for field, bound in (("min", low), ("max", high))
        if bound is not None
        for finding in finite((*path, field), f"{who}, {field}", bound)
    ]
    yield from bad
    if not bad and low is not None and high is not None and low > high:
        yield Finding(path, f"{who}: min {low!r} is greater than max {high!r}; swap them")


def _start(
    path: Path, who: str, value: float | None, low: float | None, high: float | None
) -> Iterator[Finding]:
    if value is None:
        return
    path = (*path, "value")
    bad = list(finite(path, f"{who}, value", value))
    yield from bad
    if bad or not all(b is None or is_number(b) for b in (low, high)):
        return
    if low is not None and high is not None and low > high:
        return  # said where the range is checked
    if (low is not None and value < low) or (high is not None and value > high):
        yield Finding(path, f"{who} starts at {value!r}; wanted a start {_within(low, high)}")


def _within(low: float | None, high: float | None) -> str:
    if low is None:
        return f"of at most {high!r}"
    return f"of at least {low!r}" if high is None else f"from {low!r} to {high!r}"


def _start_in_limits(book: Book, path: Path, who: str, drive: Drive) -> Iterator[Finding]:
    """A limit that measures exactly what the drive sets must let it start."""
    for limit in book.assembly.limits.values():
        if limit.of == drive.of:
            owner = f"{who}, held by limit {quoted(limit.name)},"
            yield from _start(path, owner, drive.value, limit.low, limit.high)
