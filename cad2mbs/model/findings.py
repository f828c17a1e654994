"""What a check finds, and what every check needs: names that exist, numbers that are finite.

A finding carries the path of the entry it is about (`("mates", "pin", "a")`), so that a file
reader can point at the very line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard

from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import RefId
from cad2mbs.model.references import SERVES, RefKind
from cad2mbs.wording import did_you_mean, either, listed, quoted, titled

MAX_FINDINGS = 500  # nobody reads more in one go
MAX_NUMBER = 1e15  # beyond this the squares of lengths lose all meaning in a double
SECTIONS = {
    "parts": "part",
    "mates": "mate",
    "drives": "drive",
    "limits": "limit",
    "couplings": "coupling",
    "observers": "observer",
    "positions": "position",
}
Path = tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """One finding, at the entry `path` of the assembly."""

    path: Path
    message: str
    severity: str = "error"


def and_more() -> str:
    """The last line of findings that were cut short."""
    return f"stopped after {MAX_FINDINGS} findings; mend these first, there may be more"


@dataclass(frozen=True)
class Book:
    """The assembly and what is known to exist without having been read."""

    assembly: Assembly
    unread: frozenset[Path]

    def lost(self, *path: str) -> bool:
        """Whether the entry or anything around it exists but could not be read."""
        return any(path[:n] in self.unread for n in range(1, len(path) + 1))

    def part(self, path: Path, who: str, name: str) -> Iterator[Finding]:
        parts = self.assembly.parts
        if name not in parts and not self.lost("parts", name):
            yield Finding(
                path,
                f"{who} names the part {quoted(name)}, which is not there"
                f"{did_you_mean(name, parts)} {titled('Parts', parts)}",
            )

    def reference(self, path: Path, who: str, ref: RefId) -> Iterator[Finding]:
        parts = self.assembly.parts
        if ref.part not in parts:
            yield from self.part(path, who, ref.part)
            return
        has = parts[ref.part].references
        if ref.ref in has or self.lost("parts", ref.part, "references", ref.ref):
            return
        yield Finding(
            path,
            f"{who} names {quoted(ref)}, but part {quoted(ref.part)} has no reference "
            f"{quoted(ref.ref)}{did_you_mean(ref.ref, has)} "
            f"{titled(f'References of {quoted(ref.part)}', has)}",
        )

    def kind(self, ref: RefId) -> RefKind | None:
        """Kind of a reference object, None if it is not there."""
        part = self.assembly.parts.get(ref.part)
        found = part.references.get(ref.ref) if part else None
        return found.kind if found else None

    def serving(self, part: str, need: RefKind) -> list[str]:
        has = self.assembly.parts[part].references
        return [name for name, ref in has.items() if ref.kind in SERVES[need]]


def what_serves(book: Book, part: str, need: RefKind) -> str:
    """A sentence: kinds that can stand where `need` is asked for, and those the part has."""
    kinds = either(k for k in RefKind if k in SERVES[need])
    names = book.serving(part, need)
    on_part = f"on part {quoted(part)}"
    return f"What serves there: {kinds}; {on_part}: {listed(names) if names else 'none, add one'}."


def two_parts(path: Path, who: str, a: RefId, b: RefId) -> Iterator[Finding]:
    """Yield a finding if both references are on one part."""
    if a.part == b.part:
        yield Finding(
            path,
            f"{who} has both references on part {quoted(a.part)}; "
            "wanted references on two different parts",
        )


def is_number(value: Any) -> TypeGuard[float]:
    """Whether the value is a finite number of a size that can be worked with."""
    try:
        return not isinstance(value, (bool, str)) and abs(float(value)) <= MAX_NUMBER
    except (TypeError, ValueError, OverflowError):
        return False


def finite(path: Path, who: str, value: Any) -> Iterator[Finding]:
    """Yield a finding if the value is no such number."""
    if not is_number(value):
        yield Finding(
            path,
            f"{who}: found {quoted(value)[1:-1]}; wanted a finite number, "
            f"at most {MAX_NUMBER:.0e} in size",
        )
