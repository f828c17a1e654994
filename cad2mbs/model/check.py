"""Whether an assembly makes sense: every finding by name, for files and for code alike.

`check` lists, `checked` raises. A finding carries the path of the entry it is about
(`("mates", "pin", "a")`), so that a file reader can point at the very line.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeGuard

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.model.assembly import (
    Assembly,
    Coupling,
    CouplingKind,
    Drive,
    Freedom,
    JointFreedom,
    Part,
)
from cad2mbs.model.mates import MATE_KINDS, Dim, Mate, MateKind, RefId
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.model.references import SERVES, Reference, RefKind
from cad2mbs.units import ANGLES, LENGTHS

MAX_FINDINGS = 500  # nobody reads more in one go
MAX_NUMBER = 1e15  # beyond this the squares of lengths lose all meaning in a double
MAX_NAME = 200
UNIT_TOL = 1e-9  # how far a unit vector or quaternion may be from length 1

Path = tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """One finding, at the entry `path` of the assembly."""

    path: Path
    message: str
    severity: str = "error"


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


def number(mate: Mate) -> float | None:
    """The number of a mate, or the default of its kind; None if it carries none."""
    return mate.value if mate.value is not None else MATE_KINDS[mate.kind].default


def findings(assembly: Assembly, unread: Collection[Path] = frozenset()) -> Iterator[Finding]:
    """Yield the findings section by section.

    `unread`: entries that exist but could not be read and were reported before; nothing that
    only follows from their absence is said.
    """
    book = _Book(assembly, frozenset(unread))
    yield from _units(book)
    yield from _names(book)
    yield from _parts(book)
    for mate in assembly.mates.values():
        yield from _mate(book, mate)
    yield from _drives(book)
    for limit in assembly.limits.values():
        path, who = ("limits", limit.name), f"limit {quoted(limit.name)}"
        yield from _joint(book, path, who, limit.of)
        yield from _range(path, who, limit.low, limit.high)
        if limit.low is None and limit.high is None:
            yield Finding(path, f"{who} limits nothing; give min, max or both")
    for coupling in assembly.couplings.values():
        yield from _coupling(book, coupling)


# --- words -------------------------------------------------------------------------------------


def quoted(text: object, most: int = 60) -> str:
    """The text in quotes for a message: at most so many characters, no control characters."""
    shown = text if isinstance(text, str) else str(text)
    if len(shown) > most:
        shown = shown[: most - 3] + "..."
    return "'" + "".join(c if c.isprintable() else repr(c)[1:-1] for c in shown) + "'"


def shown_path(path: object) -> str:
    """A file name for a message: long ones in full, no control characters."""
    return quoted(path, 1000)[1:-1]


def listed(names: Iterable[object], most: int = 12) -> str:
    """The names in a row, shortened where there are many."""
    names = list(names)
    text = ", ".join(quoted(n)[1:-1] for n in names[:most])
    return text + (f", ... ({len(names)} in all)" if len(names) > most else "")


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """The end of a sentence: the closest choice, or a full stop."""
    near = closest(name, choices)
    return f"; did you mean {quoted(near)}?" if near is not None else "."


def closest(name: str, choices: Iterable[str]) -> str | None:
    """The choice most like the name, None if none is."""
    # Bounded: comparing names costs their product of lengths, for every choice.
    short = {c[:MAX_NAME].lower(): c for c in islice(choices, 1000)}
    near = difflib.get_close_matches(name[:MAX_NAME].lower(), short, n=1)
    return short[near[0]] if near else None


def and_more() -> str:
    return f"stopped after {MAX_FINDINGS} findings; mend these first, there may be more"


def a_or_an(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _or(nouns: Iterable[str]) -> str:
    *most, last = nouns
    return f"{', '.join(most)} or {last}" if most else last


# --- entries -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Book:
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
                f"{did_you_mean(name, parts)} {_choices('Parts', parts)}",
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
            f"{_choices(f'References of {quoted(ref.part)}', has)}",
        )

    def kind(self, ref: RefId) -> RefKind | None:
        """Kind of a reference object, None if it is not there."""
        part = self.assembly.parts.get(ref.part)
        found = part.references.get(ref.ref) if part else None
        return found.kind if found else None

    def serving(self, part: str, need: RefKind) -> list[str]:
        has = self.assembly.parts[part].references
        return [name for name, ref in has.items() if ref.kind in SERVES[need]]


def _choices(title: str, names: Collection[str]) -> str:
    return f"{title}: {listed(names)}." if names else f"{title}: none."


def _line(assembly: Assembly, path: Path) -> int | None:
    """Line of the named entry around `path`, as far as the data classes know it."""
    if len(path) < 2 or path[0] not in SECTIONS:
        return None
    return getattr(getattr(assembly, path[0]).get(path[1]), "line", None)


def _units(book: _Book) -> Iterator[Finding]:
    units = book.assembly.units
    for what, found, choices in (("length", units.length, LENGTHS), ("angle", units.angle, ANGLES)):
        if found not in choices:
            yield Finding(
                ("units", what),
                f"units: found the {what} unit {quoted(found)}; wanted one of {listed(choices)}",
            )


SECTIONS = {
    "parts": "part",
    "mates": "mate",
    "drives": "drive",
    "limits": "limit",
    "couplings": "coupling",
}


def _names(book: _Book) -> Iterator[Finding]:
    for section, noun in SECTIONS.items():
        entries: Mapping[str, Any] = getattr(book.assembly, section)
        for key, entry in entries.items():
            yield from _name((section, key), noun, key)
            if entry.name != key:
                yield Finding(
                    (section, key),
                    f"{noun} {quoted(entry.name)} is filed under the name {quoted(key)}; "
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


def _parts(book: _Book) -> Iterator[Finding]:
    parts = book.assembly.parts
    some_unread = any(path[0] == "parts" for path in book.unread)
    if not parts and not some_unread:
        yield Finding(("parts",), "there are no parts; wanted at least one under 'parts'")
    for part in parts.values():
        yield from _part(part)
    if parts and not some_unread and not any(p.grounded for p in parts.values()):
        first = next(iter(parts))
        yield Finding(
            ("parts", first),
            f"no part is grounded; the first one, {quoted(first)}, is taken as ground. "
            "Say 'grounded: true' on the part that stands still",
            "warning",
        )


def _part(part: Part) -> Iterator[Finding]:
    who = f"part {quoted(part.name)}"
    if part.pose is not None:
        yield from _pose(("parts", part.name, "pose"), f"{who}, pose", part.pose)
    for name, reference in part.references.items():
        path = ("parts", part.name, "references", name)
        yield from _geometry(path, f"reference {quoted(f'{part.name}/{name}')}", reference)


def _geometry(path: Path, who: str, reference: Reference) -> Iterator[Finding]:
    for field in ("origin", "z", "x"):
        values = getattr(reference, field)
        bad = next(_numbers(path, f"{who}, {field}", values, 3), None)
        if bad is not None:
            yield bad
            return
    for field, direction in (("z", reference.z), ("x", reference.x)):
        length = math.hypot(*direction)
        if length == 0.0:
            yield Finding(path, f"{who}: its {field} direction is the zero vector")
            return
        if abs(length - 1.0) > UNIT_TOL:
            yield Finding(
                path, f"{who}: its {field} direction has length {length:.9g}; wanted length 1"
            )
            return
    slope = sum(a * b for a, b in zip(reference.z, reference.x, strict=True))
    if abs(slope) > UNIT_TOL:
        yield Finding(path, f"{who}: x and z are not perpendicular (x.z = {slope:.3g})")


def _pose(path: Path, who: str, pose: Pose) -> Iterator[Finding]:
    yield from _numbers(path, f"{who}, position", pose.position, 3)
    bad = list(_numbers(path, f"{who}, quaternion", pose.quaternion, 4))
    yield from bad
    if not bad and abs((length := math.hypot(*pose.quaternion)) - 1.0) > UNIT_TOL:
        yield Finding(path, f"{who}: the quaternion has length {length:.9g}; wanted length 1")


def _numbers(path: Path, who: str, values: Any, count: int) -> Iterator[Finding]:
    try:
        values = tuple(values)
    except TypeError:
        yield Finding(path, f"{who}: found {quoted(values)}; wanted {count} numbers")
        return
    if len(values) != count:
        yield Finding(path, f"{who}: found {len(values)} numbers; wanted {count}")
    for value in values:
        yield from _finite(path, who, value)


def _is_number(value: Any) -> TypeGuard[float]:
    try:
        return not isinstance(value, (bool, str)) and abs(float(value)) <= MAX_NUMBER
    except (TypeError, ValueError, OverflowError):
        return False


def _finite(path: Path, who: str, value: Any) -> Iterator[Finding]:
    if not _is_number(value):
        yield Finding(
            path,
            f"{who}: found {quoted(value)[1:-1]}; wanted a finite number, "
            f"at most {MAX_NUMBER:.0e} in size",
        )


# --- mates -------------------------------------------------------------------------------------


def _mate(book: _Book, mate: Mate) -> Iterator[Finding]:
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
    if mate.a.part == mate.b.part:
        yield Finding(
            path,
            f"{who} has both references on part {quoted(mate.a.part)}; "
            "wanted references on two different parts",
        )
    if kind is not None:
        yield from _slots(book, path, who, mate, kind)
        yield from _mate_number(book, path, who, mate, kind)
        yield from _mate_extras(path, who, mate, kind)


def _slots(book: _Book, path: Path, who: str, mate: Mate, kind: MateKind) -> Iterator[Finding]:
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
            + ("Swap a and b." if swap else _what_serves(book, ref.part, need)),
        )


def _what_serves(book: _Book, part: str, need: RefKind) -> str:
    kinds = _or(k for k in RefKind if k in SERVES[need])
    names = book.serving(part, need)
    on_part = f"on part {quoted(part)}"
    return f"What serves there: {kinds}; {on_part}: {listed(names) if names else 'none, add one'}."


def _mate_number(
    book: _Book, path: Path, who: str, mate: Mate, kind: MateKind
) -> Iterator[Finding]:
    if kind.value is None:
        if mate.value is not None:
            yield Finding(path, f"{who} carries no number; found {mate.value!r}, leave it out")
        return
    if mate.value is None:
        if kind.default is None and not book.lost("mates", mate.name, kind.value):
            yield Finding(path, f"{who} needs its number; give '{kind.value}'")
        return
    path = (*path, kind.value)
    bad = next(_finite(path, f"{who}, {kind.value}", mate.value), None)
    if bad is not None:
        yield bad
    elif not _inside(book, kind, mate.value):
        wanted = _wanted(book, kind)
        yield Finding(path, f"{who}: found {kind.value} {mate.value!r}; wanted {wanted}")


def _bounds(book: _Book, kind: MateKind) -> tuple[float, float]:
    """Open interval of the mate's number in user units."""
    if book.lost("units"):
        return -math.inf, math.inf
    half_turn = math.pi / ANGLES.get(book.assembly.units.angle, 1.0)
    scale = half_turn if kind.value is Dim.ANGLE else 1.0
    return kind.low * scale, kind.high * scale


def _inside(book: _Book, kind: MateKind, value: float) -> bool:
    low, high = _bounds(book, kind)
    return low < value < high


def _wanted(book: _Book, kind: MateKind) -> str:
    low, high = _bounds(book, kind)
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
        yield from _pose((*path, "transform"), f"{who}, transform", mate.transform)
    elif mate.transform != IDENTITY:
        yield Finding((*path, "transform"), f"{who} has no 'transform'; only identical has one")


# --- drives, limits, couplings -----------------------------------------------------------------


def _drives(book: _Book) -> Iterator[Finding]:
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


def _mate_drive(book: _Book, path: Path, who: str, drive: Drive, name: str) -> Iterator[Finding]:
    mates = book.assembly.mates
    mate = mates.get(name)
    if mate is None:
        if not book.lost("mates", name):
            drivable = [m.name for m in mates.values() if _drivable(m)]
            yield Finding(
                (*path, "mate"),
                f"{who} names the mate {quoted(name)}, which is not there"
                f"{did_you_mean(name, drivable)} {_choices('Mates with a number', drivable)}",
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
            + _choices("Mates with a number", drivable),
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
    book: _Book, path: Path, who: str, drive: Drive, kind: MateKind
) -> Iterator[Finding]:
    """The driven number must stay where the mate has a meaning; bounds may touch the ends."""
    low, high = _bounds(book, kind)
    if _is_number(drive.value) and not low < drive.value < high:
        yield Finding(
            (*path, "value"), f"{who}: found value {drive.value!r}; wanted {_wanted(book, kind)}"
        )
    for field, bound in (("min", drive.low), ("max", drive.high)):
        # Half a turn in radians is not a round number: let a hand-rounded pi pass.
        if _is_number(bound) and not low - 1e-9 <= bound <= high * (1 + 1e-9):
            yield Finding(
                (*path, field), f"{who}: found {field} {bound!r}; wanted {_wanted(book, kind)}"
            )


def _joint(book: _Book, path: Path, who: str, of: JointFreedom) -> Iterator[Finding]:
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
            f"{who}: found the freedom {quoted(of.freedom)}; wanted {_or(Freedom)}",
        )
    if of.zero is not None:
        yield from _zero(book, (*path, "zero"), who, of)


def _zero(book: _Book, path: Path, who: str, of: JointFreedom) -> Iterator[Finding]:
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
                + _what_serves(book, part, need),
            )


def _range(path: Path, who: str, low: float | None, high: float | None) -> Iterator[Finding]:
    bad = [
        finding
        for field, bound in (("min", low), ("max", high))
        if bound is not None
        for finding in _finite((*path, field), f"{who}, {field}", bound)
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
    bad = list(_finite(path, f"{who}, value", value))
    yield from bad
    if bad or not all(b is None or _is_number(b) for b in (low, high)):
        return
    if low is not None and high is not None and low > high:
        return  # said where the range is checked
    if (low is not None and value < low) or (high is not None and value > high):
        yield Finding(path, f"{who} starts at {value!r}; wanted a start {_within(low, high)}")


def _within(low: float | None, high: float | None) -> str:
    if low is None:
        return f"of at most {high!r}"
    return f"of at least {low!r}" if high is None else f"from {low!r} to {high!r}"


def _start_in_limits(book: _Book, path: Path, who: str, drive: Drive) -> Iterator[Finding]:
    """A limit that measures exactly what the drive sets must let it start."""
    for limit in book.assembly.limits.values():
        if limit.of == drive.of:
            owner = f"{who}, held by limit {quoted(limit.name)},"
            yield from _start(path, owner, drive.value, limit.low, limit.high)


def _coupling(book: _Book, coupling: Coupling) -> Iterator[Finding]:
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
                + _what_serves(book, ref.part, RefKind.AXIS),
            )
    if coupling.a.part == coupling.b.part:
        yield Finding(
            path,
            f"{who} has both references on part {quoted(coupling.a.part)}; "
            "wanted references on two different parts",
        )
    yield from _ratio(path, who, coupling.ratio)
    yield from _carrier(book, (*path, "carrier"), who, coupling)


def _ratio(path: Path, who: str, ratio: float) -> Iterator[Finding]:
    bad = list(_finite(path, f"{who}, ratio", ratio))
    yield from bad
    if not bad and ratio == 0:
        yield Finding(path, f"{who} has the ratio 0, which couples nothing; wanted another number")


def _carrier(book: _Book, path: Path, who: str, coupling: Coupling) -> Iterator[Finding]:
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
