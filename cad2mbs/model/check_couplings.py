"""Findings about couplings: kinds, axes, ratios and carriers."""

from __future__ import annotations

from collections.abc import Iterator

from cad2mbs.model.assembly import Coupling, CouplingKind
from cad2mbs.model.findings import Book, Finding, Path, finite, two_parts, what_serves
from cad2mbs.model.references import SERVES, RefKind
from cad2mbs.wording import a_or_an, did_you_mean, listed, quoted


def coupling_findings(book: Book, coupling: Coupling) -> Iterator[Finding]:
    """Yield what is wrong with the coupling."""
    path = ("couplings", coupling.name)
    who = f"coupling {quoted(coupling.name)} ({coupling.kind})"
    if coupling.kind not in list(CouplingKind):
        yield Finding(
            (*path, "kind"),
            f"{who} has an unknown kind{did_you_mean(coupling.kind, CouplingKind)} "
            f"Kinds: {listed(CouplingKind)}.",
        )
    for slot, ref in (("a", coupling.a), ("b", coupling.b)):
        yield from book.reference((*path, slot), f"{who}: {slot}", ref)
        found = book.kind(ref)
        if found is not None and found not in SERVES[RefKind.AXIS]:
            yield Finding(
                (*path, slot),
                f"{who} needs an axis as {slot}; {quoted(ref)} is {a_or_an(found)}. "
                + what_serves(book, ref.part, RefKind.AXIS),
            )
    yield from two_parts(path, who, coupling.a, coupling.b)
    yield from _ratio(path, who, coupling.ratio)
    yield from _carrier(book, (*path, "carrier"), who, coupling)


def _ratio(path: Path, who: str, ratio: float) -> Iterator[Finding]:
    bad = list(finite(path, f"{who}, ratio", ratio))
    yield from bad
    if not bad and ratio == 0:
        yield Finding(path, f"{who} has the ratio 0, which couples nothing; wanted another number")


def _carrier(book: Book, path: Path, who: str, coupling: Coupling) -> Iterator[Finding]:
    carrier = coupling.carrier
    if carrier is None:
        return
    if coupling.kind == CouplingKind.SCREW:
        yield Finding(path, f"{who} has no carrier: it is measured from a; leave it out")
        return
    yield from book.part(path, f"{who}: carrier", carrier)
    if carrier in (coupling.a.part, coupling.b.part):
        yield Finding(
            path,
            f"{who}: the carrier {quoted(carrier)} is one of the coupled parts; "
            "wanted the part that carries both",
        )
