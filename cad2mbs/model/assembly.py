"""The assembly as the user said it: parts, mates, what to move and measure; frozen, user units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from cad2mbs.model.mates import Mate, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import Reference
from cad2mbs.model.solid import Colour, Solid
from cad2mbs.units import Units
from cad2mbs.wording import quoted

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism


class Freedom(StrEnum):
    TURN = "turn"
    SLIDE = "slide"


@dataclass(frozen=True)
class Part:
    """A part with its reference objects; `pose` is where it starts, None: anywhere.

    What comes from a CAD file: `solid` and `colour`; `cad` and `instance` say from where, and
    `selected` holds the references that were stated by selectors, in the file's own words.
    """

    name: str
    references: Mapping[str, Reference] = field(default_factory=dict)
    grounded: bool = False
    pose: Pose | None = None
    line: int | None = None
    solid: Solid | None = None
    colour: Colour | None = None
    density: float | None = None  # [kg/m^3], None: of the material, the solid, the assembly
    material: str | None = None
    cad: str | None = None
    instance: str | None = None
    selected: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class JointFreedom:
    """One freedom of the joint between two parts, as measured from `a` to `b`.

    `freedom` None: the joint has just one. `zero`: frames whose x axes (turn) or origins (slide)
    meet at value 0; None: the value is 0 where the parts start.
    """

    a: str
    b: str
    freedom: Freedom | None = None
    zero: tuple[RefId, RefId] | None = None


@dataclass(frozen=True)
class Drive:
    """A named quantity the user moves: the number of a mate (`mate`) or a joint freedom (`of`).

    Exactly one of `mate` and `of` is set. Values in user units; None: not bounded, not set.
    """

    name: str
    mate: str | None = None
    of: JointFreedom | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    line: int | None = None


@dataclass(frozen=True)
class Limit:
    """Bounds on a freedom of a joint; either side may be None."""

    name: str
    of: JointFreedom
    low: float | None = None
    high: float | None = None
    line: int | None = None


class CouplingKind(StrEnum):
    GEAR = "gear"
    RACK = "rack-and-pinion"
    SCREW = "screw"


@dataclass(frozen=True)
class Coupling:
    """A fixed ratio between two freedoms, counted from where the parts start.

    gear: turn of b about its axis = -ratio x turn of a about its axis (ratio = teeth a / teeth b,
    negative for an internal mesh), both measured from `carrier`.
    rack-and-pinion: slide of b along its axis = ratio x turn of a [rad] (ratio = radius, user
    length), both measured from `carrier`.
    screw: slide of b along a's axis, measured from a, = ratio x turn of b about a's axis,
    measured from a, in full turns (ratio = pitch, user length a turn). No carrier.
    `carrier` None: the part that is jointed to both.
    """

    name: str
    kind: CouplingKind
    a: RefId
    b: RefId
    ratio: float
    carrier: str | None = None
    line: int | None = None


class ObserverKind(StrEnum):
    POSITION = "position"
    DISTANCE = "distance"
    ANGLE = "angle"


@dataclass(frozen=True)
class Observer:
    """A named quantity that is measured: the position of `a`, or what lies between `a` and `b`.

    `b` None: a position, seen from the part `seen_from` (None: from the ground's origin).
    """

    name: str
    kind: ObserverKind
    a: RefId
    b: RefId | None = None
    seen_from: str | None = None
    line: int | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its columns in a table."""
        if self.kind == ObserverKind.POSITION:
            return tuple(f"{self.name}.{axis}" for axis in "xyz")
        return (self.name,)


@dataclass(frozen=True)
class Assembly:
    """Everything the user said, by name; build it in code or with `cad2mbs.load`."""

    name: str
    parts: Mapping[str, Part]
    mates: Mapping[str, Mate] = field(default_factory=dict)
    drives: Mapping[str, Drive] = field(default_factory=dict)
    limits: Mapping[str, Limit] = field(default_factory=dict)
    couplings: Mapping[str, Coupling] = field(default_factory=dict)
    units: Units = Units()
    source: str = ""
    cad: str | None = None  # the file that holds the parts, as the mates file names it
    density: float | None = None  # [kg/m^3] of parts that say nothing else
    materials: Mapping[str, float] = field(default_factory=dict)  # density [kg/m^3] by name
    notes: tuple[str, ...] = ()  # what reading the CAD file had to tell
    observers: Mapping[str, Observer] = field(default_factory=dict)
    positions: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # drive -> value

    def acting(self) -> Assembly:
        """The assembly without mates that are off, and without drives of their numbers.

        A note tells of each such drive; positions keep the values of the other drives.
        """
        off = {m.name for m in self.mates.values() if m.off}
        if not off:
            return self
        idle = {d.name: d.mate for d in self.drives.values() if d.mate in off}
        positions = {
            name: {drive: value for drive, value in values.items() if drive not in idle}
            for name, values in self.positions.items()
        }
        return replace(
            self,
            mates={n: m for n, m in self.mates.items() if n not in off},
            drives={n: d for n, d in self.drives.items() if n not in idle},
            positions={name: values for name, values in positions.items() if values},
            notes=(
                *self.notes,
                *(
                    f"drive {quoted(name)} is left out: its mate {quoted(mate)} is off"
                    for name, mate in idle.items()
                ),
            ),
        )

    def reference(self, ref: RefId) -> Reference:
        return self.parts[ref.part].references[ref.ref]

    def mechanism(self, formulation: str = "mixed") -> Mechanism:
        """Map mates to joints, assemble, and return the mechanism ready to drive."""
        from cad2mbs.mechanism import Mechanism

        return Mechanism(self, formulation)
