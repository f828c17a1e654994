"""Findings about parts: at least one, a ground, and poses and references of unit length."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from cad2mbs.model.assembly import Part
from cad2mbs.model.findings import Book, Finding, Path, finite
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import Reference
from cad2mbs.wording import quoted

UNIT_TOL = 1e-9  # how far a unit vector or quaternion may be from length 1


def part_findings(book: Book) -> Iterator[Finding]:
    """Yield what is wrong with the parts, and a warning if none is grounded."""
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
        yield from pose_findings(("parts", part.name, "pose"), f"{who}, pose", part.pose)
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


def pose_findings(path: Path, who: str, pose: Pose) -> Iterator[Finding]:
    """Yield what is wrong with a pose, wherever it stands."""
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
        yield from finite(path, who, value)
