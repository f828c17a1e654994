"""The mates and what each one asks for: the one table that reader, mapping and docs share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.model.references import RefKind


class Dim(StrEnum):
    LENGTH = "distance"
    ANGLE = "angle"


@dataclass(frozen=True)
class MateKind:
    """Slots, parameter and meaning of one kind of mate."""

    a: RefKind  # what slot a needs
    b: RefKind  # what slot b needs
    value: Dim | None  # dimension of its number, if it carries one
    meaning: str
    sense: bool = False  # whether `sense` (B in the spec) means something
    one_sided: bool = False
    default: float | None = None  # of the number, None: must be given
    low: float = float("-inf")  # open interval the number must lie in [user unit for lengths,
    high: float = float("inf")  # half turns for angles: 1 = pi]


P, V, A, E, K = RefKind.POINT, RefKind.VECTOR, RefKind.AXIS, RefKind.PLANE, RefKind.FRAME
LEN, ANG = Dim.LENGTH, Dim.ANGLE

MATE_KINDS: dict[str, MateKind] = {
    "coincident": MateKind(P, P, None, "the points agree"),
    "distance": MateKind(P, P, LEN, "the points are d apart, d > 0", low=0.0),
    "in-line": MateKind(P, A, None, "the point lies on the axis"),
    "in-plane": MateKind(
        P, E, LEN, "the point lies at signed distance d above the plane", default=0.0
    ),
    "offset-x": MateKind(
        K, K, ANG, "the z axes agree and the angle from x of a to x of b is given", default=0.0
    ),
    "parallel-z": MateKind(
        V, V, None, "the vectors point the same way (sense false: opposite ways)", sense=True
    ),
    "offset-z": MateKind(
        V, V, ANG, "the angle between the vectors is given, between 0 and pi", low=0.0, high=1.0
    ),
    "identical": MateKind(K, K, None, "frame b sits rigidly at `transform` in frame a"),
    "halfspace": MateKind(
        P,
        E,
        LEN,
        "the point is at least (sense false: at most) d above the plane",
        sense=True,
        one_sided=True,
        default=0.0,
    ),
    "signum-z": MateKind(
        V,
        V,
        ANG,
        "the angle between the vectors is at most (sense false: at least) the given one",
        sense=True,
        one_sided=True,
        low=0.0,
        high=1.0,
    ),
    # Beyond the contract's ten: needed by other systems' joints and by cams.
    "axis-distance": MateKind(P, A, LEN, "the point is d away from the axis, d > 0", low=0.0),
}


@dataclass(frozen=True)
class RefId:
    """A reference object by the names the user gave: `part/ref`."""

    part: str
    ref: str

    def __str__(self) -> str:
        return f"{self.part}/{self.ref}"


@dataclass(frozen=True)
class Mate:
    """One mate between reference a and reference b; numbers in the units of the assembly."""

    name: str
    kind: str
    a: RefId
    b: RefId
    value: float | None = None
    sense: bool = True
    transform: Pose = IDENTITY  # identical only: pose of frame b in frame a
    line: int | None = None
    off: bool = False  # read and checked, but without effect
