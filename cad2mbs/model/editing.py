"""Changes to an assembly, each a new assembly: mates on and off, numbers, starts, positions.

What would be wrong after the change and was not before is an `InputError`, in the words of a
check of the whole assembly.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.check import findings
from cad2mbs.model.mates import MATE_KINDS
from cad2mbs.wording import did_you_mean, quoted, titled


def switched(assembly: Assembly, mate: str, on: bool) -> Assembly:
    """The assembly with the mate switched on or off."""
    _require(assembly, "mate", mate, assembly.mates)
    changed = replace(assembly.mates[mate], off=not on)
    return replace(assembly, mates={**assembly.mates, mate: changed})


def with_value(assembly: Assembly, mate: str, value: float) -> Assembly:
    """The assembly with another number in the mate, in the user's unit.

    A drive of this number that has a start of its own then starts there: it would hide the number.
    """
    _require(assembly, "mate", mate, assembly.mates)
    old = assembly.mates[mate]
    kind = MATE_KINDS.get(old.kind)
    if kind is None or kind.value is None:
        numbered = [
            m.name
            for m in assembly.mates.values()
            if m.kind in MATE_KINDS and MATE_KINDS[m.kind].value is not None
        ]
        raise _refused(
            assembly,
            f"mate {quoted(mate)} ({old.kind}) carries no number that could be changed. "
            + titled("Mates with a number", numbered),
        )
    mates = {**assembly.mates, mate: replace(old, value=value)}
    drives = {
        name: replace(d, value=value) if d.mate == mate and d.value is not None else d
        for name, d in assembly.drives.items()
    }
    return _sound(assembly, replace(assembly, mates=mates, drives=drives))


def with_start(assembly: Assembly, drive: str, value: float | None) -> Assembly:
    """The assembly with another start of the drive; None: left to the mates and poses."""
    _require(assembly, "drive", drive, assembly.drives)
    drives = {**assembly.drives, drive: replace(assembly.drives[drive], value=value)}
    return _sound(assembly, replace(assembly, drives=drives))


def with_position(assembly: Assembly, name: str, values: Mapping[str, float] | None) -> Assembly:
    """The assembly with the named position at these drive values; None: without it."""
    positions = dict(assembly.positions)
    if values is None:
        _require(assembly, "position", name, positions)
        del positions[name]
    else:
        positions[name] = dict(values)
    return _sound(assembly, replace(assembly, positions=positions))


def _require(assembly: Assembly, noun: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        raise _refused(
            assembly,
            f"there is no {noun} {quoted(name)}{did_you_mean(name, names)} "
            + titled(f"{noun.capitalize()}s", names),
        )


def _sound(before: Assembly, after: Assembly) -> Assembly:
    """The changed assembly; InputError with what the change has made wrong."""
    # Models of other systems hold mates that a check refuses: only what is new counts.
    known = set(findings(before))
    new = [f for f in findings(after) if f.severity == "error" and f not in known]
    if new:
        raise InputError([Diagnostic(f.message, after.source) for f in new])
    return after


def _refused(assembly: Assembly, message: str) -> InputError:
    return InputError([Diagnostic(message, assembly.source)])
