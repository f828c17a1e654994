"""The shape of a mates file: typed models and the JSON Schema made of them.

The models know the shape only (keys, types, lengths of lists); what the names refer to is the
business of `cad2mbs.model.check`.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import ConfigDict, Field, WithJsonSchema, model_validator

from cad2mbs.io.mates_fields import (
    AngleUnit,
    CouplingName,
    Direction,
    Entry,
    FreedomName,
    LengthUnit,
    Number,
    NumberPair,
    PartPair,
    Point,
    Positive,
    Quaternion,
    RefPair,
    RefText,
    Truth,
    TwoRefs,
    exactly_one,
    required_one,
    wrong,
)
from cad2mbs.io.mates_references import ReferenceEntry
from cad2mbs.model.assembly import CouplingKind
from cad2mbs.model.mates import MATE_KINDS, Dim, MateKind

VERSION = 1
COUPLING_NUMBERS = {  # the fields that can give the ratio, one of which must
    CouplingKind.GEAR: ("teeth", "radii", "ratio"),
    CouplingKind.RACK: ("radius",),
    CouplingKind.SCREW: ("pitch",),
}


class UnitsEntry(Entry):
    length: LengthUnit = "mm"
    """Unit of every length in the file."""
    angle: AngleUnit = "deg"
    """Unit of every angle in the file."""


class TurnEntry(Entry):
    """A rotation about an axis, right-hand rule."""

    axis: Direction
    """Direction of the axis."""
    angle: Number
    """How far, in the file's angle unit."""


class PoseEntry(Entry):
    """Position and rotation of one frame in another."""

    model_config = ConfigDict(json_schema_extra={"not": {"required": ["quaternion", "turn"]}})

    position: Point = (0.0, 0.0, 0.0)
    """Where the origin sits."""
    quaternion: Quaternion | None = None
    """Rotation as a unit quaternion w, x, y, z."""
    turn: TurnEntry | None = None
    """Rotation as axis and angle, instead of the quaternion."""

    @model_validator(mode="after")
    def _one_rotation(self) -> PoseEntry:
        if self.quaternion is not None and self.turn is not None:
            raise wrong("found both 'quaternion' and 'turn'; wanted at most one of them")
        return self


class PartEntry(Entry):
    """A part and its reference objects."""

    grounded: Truth = False
    """Whether the part stands still."""
    references: dict[str, ReferenceEntry] = Field(default_factory=dict)
    """Reference objects by name; no slash in a name."""
    pose: PoseEntry | None = None
    """Where the part starts; left out: where the CAD file has it, else anywhere."""
    cad: str | None = None
    """A CAD file that is this part alone; left out: the part is in the file's `cad`, if any."""
    instance: str | None = None
    """Name or path/of/names of the part in the CAD file; left out: the part's own name."""
    density: Positive | None = None
    """Density [kg/m^3]; left out: of its material, else of the CAD file, else the default."""
    material: str | None = None
    """One of the file's `materials`."""


def _fields_for(kind: MateKind, name: str) -> dict[str, Any]:
    """What one mate kind allows and requires, as a JSON Schema branch."""
    allowed = {str(kind.value)} if kind.value else set()
    allowed |= {"sense"} if kind.sense else set()
    allowed |= {"transform"} if name == "identical" else set()
    branch: dict[str, Any] = {
        "properties": {f: False for f in (*Dim, "sense", "transform") if f not in allowed}
    }
    if kind.value is not None and kind.default is None:
        branch["required"] = [str(kind.value)]
    return {"if": {"properties": {"kind": {"const": name}}}, "then": branch}


class MateEntry(Entry):
    """A mate between reference a and reference b."""

    model_config = ConfigDict(
        json_schema_extra={"allOf": [_fields_for(k, name) for name, k in MATE_KINDS.items()]}
    )

    # Unknown kinds are found with the meaning of the file, together with the mate's names.
    kind: Annotated[str, Field(json_schema_extra={"enum": list(MATE_KINDS)})]
    """Kind of mate."""
    a: RefText
    """First reference, part/reference."""
    b: RefText
    """Second reference, part/reference."""
    distance: Number | None = None
    """The number of a mate that carries a length."""
    angle: Number | None = None
    """The number of a mate that carries an angle."""
    sense: Truth | None = None
    """parallel-z: same way or opposite; one-sided mates: which side. Default true."""
    transform: PoseEntry | None = None
    """identical: pose of frame b in frame a. Default: they agree."""
    off: Truth = False
    """Whether the mate is switched off: read and checked, but without effect."""


class JointEntry(Entry):
    """What drives and limits say about a joint."""

    freedom: FreedomName | None = None
    """Which freedom of the joint; may be left out if it has just one."""
    zero: RefPair | None = None
    """Frames that meet at value 0, on the first and the second part; default: where they start."""


class DriveEntry(JointEntry):
    """A quantity to move: the number of a mate, or a freedom of a joint."""

    model_config = ConfigDict(
        json_schema_extra={
            **required_one("mate", "joint"),
            "dependentRequired": {"freedom": ["joint"], "zero": ["joint"]},
        }
    )

    mate: str | None = None
    """Name of the mate whose number is driven."""
    joint: PartPair | None = None
    """The two parts of the joint; the value is measured from the first to the second."""
    value: Number | None = None
    """Where it starts."""
    min: Number | None = None
    """Lower bound."""
    max: Number | None = None
    """Upper bound."""

    @model_validator(mode="after")
    def _mate_or_joint(self) -> DriveEntry:
        exactly_one(self, ("mate", "joint"))
        for name in ("freedom", "zero"):
            if self.mate is not None and getattr(self, name) is not None:
                raise wrong(f"found '{name}' beside 'mate'; it goes with 'joint' only")
        return self


class LimitEntry(JointEntry):
    """Bounds on a freedom of a joint."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["min"]}, {"required": ["max"]}]}
    )

    joint: PartPair
    """The two parts of the joint; the value is measured from the first to the second."""
    min: Number | None = None
    """Lower bound."""
    max: Number | None = None
    """Upper bound."""


def _coupling_branch(kind: CouplingKind) -> dict[str, Any]:
    numbers = COUPLING_NUMBERS[kind]
    every = [f for fields in COUPLING_NUMBERS.values() for f in fields]
    refused = [f for f in every if f not in numbers]
    refused += [] if kind is CouplingKind.GEAR else ["internal"]
    refused += ["carrier"] if kind is CouplingKind.SCREW else []
    return {
        "if": {"properties": {"kind": {"const": str(kind)}}},
        "then": {"properties": dict.fromkeys(refused, False), **required_one(*numbers)},
    }


class CouplingEntry(Entry):
    """A fixed ratio between two freedoms, counted from where the parts start."""

    model_config = ConfigDict(
        json_schema_extra={"allOf": [_coupling_branch(k) for k in CouplingKind]}
    )

    kind: CouplingName
    """Kind of coupling."""
    a: RefText
    """Axis of the first part (gear, pinion, spindle)."""
    b: RefText
    """Axis of the second part (gear, rack, nut)."""
    teeth: NumberPair | None = None
    """gear: teeth of a and of b."""
    radii: NumberPair | None = None
    """gear: pitch radii of a and of b, instead of teeth."""
    ratio: Number | None = None
    """gear: teeth of a / teeth of b, instead of both."""
    radius: Number | None = None
    """rack-and-pinion: pitch radius of the pinion."""
    pitch: Number | None = None
    """screw: advance a turn, negative for a left-hand thread."""
    internal: Truth | None = None
    """gear: whether one wheel runs inside the other, so that both turn the same way."""
    carrier: str | None = None
    """Part both turns are measured from; default: the one jointed to both."""


class ObserverEntry(Entry):
    """A quantity to measure along with every motion: one of position, distance, angle."""

    model_config = ConfigDict(
        json_schema_extra={
            **required_one("position", "distance", "angle"),
            "dependentRequired": {"in": ["position"]},
        }
    )

    position: RefText | None = None
    """Reference whose x, y and z are measured."""
    in_: str | None = Field(default=None, alias="in")
    """position: part in whose coordinates it is seen; left out: those of the ground."""
    distance: TwoRefs | None = None
    """Two references: how far apart they are; signed where one is a plane."""
    angle: TwoRefs | None = None
    """Two references with a direction: the angle between, 0 to 180 degrees."""

    @model_validator(mode="after")
    def _one_kind(self) -> ObserverEntry:
        exactly_one(self, ("position", "distance", "angle"))
        if self.in_ is not None and self.position is None:
            raise wrong("found 'in' without 'position'; only a position is seen from a part")
        return self


class MatesFile(Entry):
    """An assembly for cad2mbs: parts with reference objects, mates, what to move and measure."""

    cad2mbs: Annotated[int, Field(strict=True), WithJsonSchema({"const": VERSION})]
    """Version of the file format."""
    name: str | None = None
    """Name of the assembly; default: name of the file or folder."""
    units: UnitsEntry = UnitsEntry()
    """Units of the numbers in the file."""
    cad: str | None = None
    """The CAD file that holds the parts, beside this file."""
    density: Positive | None = None
    """Density [kg/m^3] of parts that say nothing else."""
    materials: dict[str, Positive] = Field(default_factory=dict)
    """Density [kg/m^3] by name of material."""
    parts: dict[str, PartEntry]
    """Parts by name."""
    mates: dict[str, MateEntry] = Field(default_factory=dict)
    """Mates by name."""
    drives: dict[str, DriveEntry] = Field(default_factory=dict)
    """Drives by name."""
    limits: dict[str, LimitEntry] = Field(default_factory=dict)
    """Limits by name."""
    couplings: dict[str, CouplingEntry] = Field(default_factory=dict)
    """Couplings by name."""
    observers: dict[str, ObserverEntry] = Field(default_factory=dict)
    """Quantities to measure, by name."""
    positions: dict[str, dict[str, Number]] = Field(default_factory=dict)
    """Named positions: values of drives by name."""


# --- JSON Schema -------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """The JSON Schema of a mates file, draft 2020-12."""
    made = _without_null(MatesFile.model_json_schema())
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def schema_text() -> str:
    """The published file's content."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _without_null(part: Any) -> Any:
    """Optional means left out, never null: drop the null branches pydantic writes."""
    if isinstance(part, list):
        return [_without_null(p) for p in part]
    if not isinstance(part, dict):
        return part
    part = {k: _without_null(v) for k, v in part.items() if not (k == "default" and v is None)}
    branches = part.get("anyOf")
    if isinstance(branches, list) and {"type": "null"} in branches:
        kept = [b for b in branches if b != {"type": "null"}]
        del part["anyOf"]
        part = {**(kept[0] if len(kept) == 1 else {"anyOf": kept}), **part}
    return part
