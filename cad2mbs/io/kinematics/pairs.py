"""The pairs of STEP kinematics: what each leaves free, its slots, and the mates it becomes.

A pair has frame 1 on its first link and frame 2 on its second; at value 0 they coincide. Slides go
along the axes of frame 1. Where two turns are free, the one with the earlier letter is about the
axis of frame 1 and comes first, the other about the axis of frame 2. Lengths in mm, angles in
degrees.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cad2mbs.model import references
from cad2mbs.model.assembly import Freedom, JointFreedom, Limit
from cad2mbs.model.mates import Mate, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import Reference

AXES = "xyz"
DIRECTIONS = ("tx", "ty", "tz", "rx", "ry", "rz")  # in the order of the slots
FRAMES = {"x": (0, 1), "y": (1, 2), "z": (2, 0)}  # columns that become z and x of a reference


@dataclass(frozen=True)
class PairKind:
    """How a pair is written: slots after the joint are flags, own numbers, then ranges."""

    free: tuple[str, ...] | None  # None: the flags in the file say it
    flags: bool = True  # AP242 has six slots for what is free
    own: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()  # each lower and upper; of a freedom, or a word that is none


YPR = ("yaw", "pitch", "roll")
PAIRS = {
    "REVOLUTE_PAIR": PairKind(("rz",), ranges=("rz",)),
    "PRISMATIC_PAIR": PairKind(("tx",), ranges=("tx",)),
    "CYLINDRICAL_PAIR": PairKind(("tz", "rz"), ranges=("tz", "rz")),
    "PLANAR_PAIR": PairKind(("tx", "ty", "rz"), ranges=("rz", "tx", "ty")),
    "SPHERICAL_PAIR": PairKind(("rx", "ry", "rz"), ranges=YPR),
    "SPHERICAL_PAIR_WITH_PIN": PairKind(("ry", "rz"), ranges=("yaw", "roll")),
    "UNIVERSAL_PAIR": PairKind(("rx", "rz"), own=("skew",), ranges=("first", "second")),
    "HOMOKINETIC_PAIR": PairKind(("rx", "rz"), own=("skew",)),
    "FULLY_CONSTRAINED_PAIR": PairKind(()),
    "UNCONSTRAINED_PAIR": PairKind(DIRECTIONS),
    "LOW_ORDER_KINEMATIC_PAIR": PairKind(None, ranges=("rx", "ry", "rz", "tx", "ty", "tz")),
    "SCREW_PAIR": PairKind(("tz", "rz"), flags=False, own=("pitch",), ranges=("rz",)),
    "RACK_AND_PINION_PAIR": PairKind((), flags=False, own=("radius",), ranges=("rack",)),
    "GEAR_PAIR": PairKind(
        (),
        flags=False,
        own=("radius_1", "radius_2", "bevel", "helix", "ratio"),
        ranges=("rotation_1",),
    ),
    "POINT_ON_SURFACE_PAIR": PairKind((), flags=False, own=("surface",)),
    "POINT_ON_PLANAR_CURVE_PAIR": PairKind((), flags=False, own=("curve", "orientation")),
}
COUPLED = ("RACK_AND_PINION_PAIR", "GEAR_PAIR")
WITH_RANGE = ("_WITH_RANGE", "_AND_RANGE", "_RANGE")


def base_word(word: str) -> str:
    """The pair's keyword without the words for its range."""
    if word == "SPHERICAL_PAIR_WITH_PIN_AND_RANGE":
        return "SPHERICAL_PAIR_WITH_PIN"
    for end in WITH_RANGE:
        if word.endswith(end):
            return word.removesuffix(end)
    return word


@dataclass(frozen=True, eq=False)
class End:
    """Where a pair holds a part: its frame there [mm], in part coordinates."""

    part: str
    X: np.ndarray  # (4, 4)

    def reference(self, axis: str = "z") -> Reference:
        """The frame as a reference whose z lies along one of its axes."""
        z, x = FRAMES[axis]
        return references.frame(self.X[:3, 3], self.X[:3, z], self.X[:3, x])


@dataclass
class Made:
    """What pairs and constraints become; grows pair by pair."""

    mates: dict[str, Mate] = field(default_factory=dict)
    limits: dict[str, Limit] = field(default_factory=dict)
    references: dict[str, dict[str, Reference]] = field(default_factory=dict)

    def refer(self, end: End, name: str, axis: str = "z") -> RefId:
        """The reference of an end, added to its part."""
        named = name if axis == "z" else f"{name}.{axis}"
        self.references.setdefault(end.part, {})[named] = end.reference(axis)
        return RefId(end.part, named)

    def mate(self, name: str, kind: str, a: RefId, b: RefId, **numbers) -> None:
        taken, text = 1, f"{name}.{kind}"
        while text in self.mates:
            taken += 1
            text = f"{name}.{kind} {taken}"
        self.mates[text] = Mate(text, kind, a, b, **numbers)

    def limit(
        self, name: str, one: End, two: End, freedom: str, low: float | None, high: float | None
    ) -> None:
        """Bounds on a freedom between two ends; along or about an axis of the frames."""
        slide, axis = freedom[0] == "t", freedom[1]
        zero = (self.refer(one, name, axis), self.refer(two, name, axis))
        kind = Freedom.SLIDE if slide else Freedom.TURN
        text = f"{name} {kind.value}" if f"{name} {kind.value}" not in self.limits else ""
        text = text or f"{name} {kind.value} {axis}"
        self.limits[text] = Limit(text, JointFreedom(one.part, two.part, kind, zero), low, high)


def add_low_order(made: Made, name: str, one: End, two: End, free: tuple[str, ...]) -> None:
    """Mates that leave just the slides and turns of `free` between two frames."""
    slides = [f[1] for f in free if f[0] == "t"]
    turns = [f[1] for f in free if f[0] == "r"]
    if not free:
        a, b = made.refer(one, name), made.refer(two, name)
        made.mate(name, "identical", a, b, transform=Pose())
        return
    _add_slides(made, name, one, two, slides)
    _add_turns(made, name, one, two, turns, slides)


def _add_slides(made: Made, name: str, one: End, two: End, slides: list[str]) -> None:
    if len(slides) == 0:
        made.mate(name, "coincident", made.refer(one, name), made.refer(two, name))
    elif len(slides) == 1:
        line = made.refer(one, name, slides[0])
        made.mate(name, "in-line", made.refer(two, name, slides[0]), line)
    elif len(slides) == 2:
        normal = next(axis for axis in AXES if axis not in slides)
        plane = made.refer(one, name, normal)
        made.mate(name, "in-plane", made.refer(two, name, normal), plane, value=0.0)


def _add_turns(
    made: Made, name: str, one: End, two: End, turns: list[str], slides: list[str]
) -> None:
    if len(turns) == 0:
        axis = slides[0] if len(slides) == 1 else "z"
        a, b = made.refer(one, name, axis), made.refer(two, name, axis)
        made.mate(name, "offset-x", a, b, value=0.0)
    elif len(turns) == 1:
        a, b = (made.refer(end, name, turns[0]) for end in (one, two))
        made.mate(name, "parallel-z", a, b)
    elif len(turns) == 2:
        a, b = made.refer(one, name, turns[0]), made.refer(two, name, turns[1])
        made.mate(name, "offset-z", a, b, value=90.0)
