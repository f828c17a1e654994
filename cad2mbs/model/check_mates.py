"""Findings about mates: kinds, slots, numbers in range, and what a kind does not have."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cad2mbs.model.check_parts import pose_findings
from cad2mbs.model.findings import Book, Finding, Path, finite, two_parts, what_serves
from cad2mbs.model.mates import MATE_KINDS, Dim, Mate, MateKind
from cad2mbs.model.pose import IDENTITY
from cad2mbs.model.references import SERVES
from cad2mbs.units import ANGLES
from cad2mbs.wording import a_or_an, did_you_mean, listed, quoted


def mate_findings(book: Book, mate: Mate) -> Iterator[Finding]:
    """Yield what is wrong with the mate."""
    path = ("mates", mate.name)
    kind = MATE_KINDS.get(mate.kind)
    who = f"mate {quoted(mate.name)}" + (f" ({mate.kind})" if kind else "")
    if kind is None:
        yield Finding(
            (*path, "kind"),
            f"{who} has the unknown kind {quoted(mate.kind)}"
            f"{did_you_mean(mate.kind, MATE_KINDS)} Kinds: {listed(MATE_KINDS, 50)}.",
        )
    for slot, ref in (("a", mate.a), ("b", mate.b)):
        yield from book.reference((*path, slot), f"{who}: {slot}", ref)
    yield from two_parts(path, who, mate.a, mate.b)
    if kind is not None:
        yield from _slots(book, path, who, mate, kind)
        yield from _mate_number(book, path, who, mate, kind)
        yield from _mate_extras(path, who, mate, kind)


def _slots(book: Book, path: Path, who: str, mate: Mate, kind: MateKind) -> Iterator[Finding]:
    is_a, is_b = book.kind(mate.a), book.kind(mate.b)
    wrong = [
        (slot, ref, need, found)
        for slot, ref, need, found in (
            ("a", mate.a, kind.a, is_a),
            ("b", mate.b, kind.b, is_b),
        )
        if found is not None and found not in SERVES[need]
    ]
    swap = is_a in SERVES[kind.b] and is_b in SERVES[kind.a]
    for slot, ref, need, found in wrong:
        yield Finding(
            (*path, slot),
            f"{who} needs {a_or_an(need)} as {slot}; {quoted(ref)} is {a_or_an(found)}. "
            + ("Swap a and b." if swap else what_serves(book, ref.part, need)),
        )


def _mate_number(book: Book, path: Path, who: str, mate: Mate, kind: MateKind) -> Iterator[Finding]:
    if kind.value is None:
        if mate.value is not None:
            yield Finding(path, f"{who} carries no number; found {mate.value!r}, leave it out")
        return
    if mate.value is None:
        if kind.default is None and not book.lost("mates", mate.name, kind.value):
            yield Finding(path, f"{who} needs its number; give '{kind.value}'")
        return
    path = (*path, kind.value)
    bad = next(finite(path, f"{who}, {kind.value}", mate.value), None)
    if bad is not None:
        yield bad
    elif not _inside(book, kind, mate.value):
        wanted = wanted_number(book, kind)
        yield Finding(path, f"{who}: found {kind.value} {mate.value!r}; wanted {wanted}")


def number(mate: Mate) -> float | None:
    """The number of a mate, or the default of its kind; None if it carries none."""
    return mate.value if mate.value is not None else MATE_KINDS[mate.kind].default


def bounds(book: Book, kind: MateKind) -> tuple[float, float]:
    """Open interval of the mate's number in user units."""
    if book.lost("units"):
        return -math.inf, math.inf
    half_turn = math.pi / ANGLES.get(book.assembly.units.angle, 1.0)
    scale = half_turn if kind.value is Dim.ANGLE else 1.0
    return kind.low * scale, kind.high * scale


def _inside(book: Book, kind: MateKind, value: float) -> bool:
    low, high = bounds(book, kind)
    return low < value < high


def wanted_number(book: Book, kind: MateKind) -> str:
    """The range of the mate's number in words."""
    low, high = bounds(book, kind)
    if math.isinf(high):
        return f"a number greater than {low:g}"
    return f"a number between {low:g} and {high:.10g} {book.assembly.units.angle}, without the ends"


def _mate_extras(path: Path, who: str, mate: Mate, kind: MateKind) -> Iterator[Finding]:
    if not kind.sense and mate.sense is not True:
        with_sense = listed(name for name, k in MATE_KINDS.items() if k.sense)
        yield Finding(
            (*path, "sense"), f"{who} has no 'sense'; leave it out. Kinds with it: {with_sense}."
        )
    if mate.kind == "identical":
        yield from pose_findings((*path, "transform"), f"{who}, transform", mate.transform)
    elif mate.transform != IDENTITY:
        yield Finding((*path, "transform"), f"{who} has no 'transform'; only identical has one")
