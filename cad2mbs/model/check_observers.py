"""Findings about observers: references that can be measured, and column names of their own."""

from __future__ import annotations

from collections.abc import Iterator

from cad2mbs.model.assembly import Observer, ObserverKind
from cad2mbs.model.findings import Book, Finding, Path, what_serves
from cad2mbs.model.mates import RefId
from cad2mbs.model.references import SERVES, RefKind
from cad2mbs.results import pose_names
from cad2mbs.wording import a_or_an, did_you_mean, listed, quoted

# What a reference must have to be measured: a place, or a direction.
NEEDS = {
    ObserverKind.POSITION: RefKind.POINT,
    ObserverKind.DISTANCE: RefKind.POINT,
    ObserverKind.ANGLE: RefKind.VECTOR,
}


def observer_findings(book: Book) -> Iterator[Finding]:
    """Yield what is wrong with the observers, each by itself and against other columns."""
    for observer in book.assembly.observers.values():
        yield from _observer(book, observer)
    yield from _clashes(book)


def _observer(book: Book, observer: Observer) -> Iterator[Finding]:
    path = ("observers", observer.name)
    who = f"observer {quoted(observer.name)}"
    if observer.kind not in list(ObserverKind):
        yield Finding(
            path,
            f"{who} has an unknown kind{did_you_mean(observer.kind, ObserverKind)} "
            f"Kinds: {listed(ObserverKind)}.",
        )
        return
    path = (*path, observer.kind)
    for ref in (observer.a, observer.b):
        if ref is not None:
            yield from _measurable(book, path, who, ref, NEEDS[observer.kind])
    if observer.kind is ObserverKind.POSITION:
        yield from _position(book, path, who, observer)
    else:
        yield from _between(path, who, observer)


def _measurable(book: Book, path: Path, who: str, ref: RefId, need: RefKind) -> Iterator[Finding]:
    yield from book.reference(path, who, ref)
    found = book.kind(ref)
    if found is not None and found not in SERVES[need]:
        has = "place" if need is RefKind.POINT else "direction"
        yield Finding(
            path,
            f"{who}: {quoted(ref)} is {a_or_an(found)}, which has no {has}. "
            + what_serves(book, ref.part, need),
        )


def _position(book: Book, path: Path, who: str, observer: Observer) -> Iterator[Finding]:
    if observer.b is not None:
        yield Finding(path, f"{who}: found two references; a position has one")
    if observer.seen_from is None:
        return
    path = (*path[:-1], "in")
    yield from book.part(path, f"{who}: in", observer.seen_from)
    if observer.seen_from == observer.a.part:
        yield _constant(path, who, observer.seen_from)


def _between(path: Path, who: str, observer: Observer) -> Iterator[Finding]:
    if observer.b is None:
        yield Finding(path, f"{who}: found one reference; {a_or_an(observer.kind)} needs two")
    elif observer.a.part == observer.b.part:
        yield _constant(path, who, observer.a.part)
    if observer.seen_from is not None:
        yield Finding(
            (*path[:-1], "in"), f"{who}: found 'in', which only a position has; leave it out"
        )


def _constant(path: Path, who: str, part: str) -> Finding:
    return Finding(
        path, f"{who} stays within part {quoted(part)}: its value never changes", "warning"
    )


def _clashes(book: Book) -> Iterator[Finding]:
    """Columns of a table are found by name: no observer may take the name of another column."""
    taken = {name: f"drive {quoted(name)}" for name in book.assembly.drives}
    for part in book.assembly.parts:
        taken |= dict.fromkeys(pose_names(part), f"part {quoted(part)}")
    for observer in book.assembly.observers.values():
        for column in observer.columns:
            if column in taken:
                yield Finding(
                    ("observers", observer.name),
                    f"observer {quoted(observer.name)}: its column {quoted(column)} is taken by "
                    f"{taken[column]}; choose another name",
                )
                break
            taken[column] = f"observer {quoted(observer.name)}"
