"""The shape of a mates file: typed models, the JSON Schema made of them, errors in plain words.

The models know the shape only (keys, types, lengths of lists); what the names refer to is the
business of `cad2mbs.model.check`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from cad2mbs.io.yaml_lines import Node, Path
from cad2mbs.model.assembly import CouplingKind, Freedom
from cad2mbs.model.findings import MAX_FINDINGS, SECTIONS
from cad2mbs.model.mates import MATE_KINDS, Dim, MateKind
from cad2mbs.units import ANGLES, LENGTHS
from cad2mbs.wording import closest, did_you_mean, listed, quoted

VERSION = 1
COUPLING_NUMBERS = {  # the fields that can give the ratio, one of which must
    CouplingKind.GEAR: ("teeth", "radii", "ratio"),
    CouplingKind.RACK: ("radius",),
    CouplingKind.SCREW: ("pitch",),
}
QUATERNION_TOL = 1e-3  # four hand-written digits; more is a mistake, not rounding


def _wrong(message: str) -> PydanticCustomError:
    # The message goes in as a value: it may hold braces that the user wrote.
    return PydanticCustomError("mates_file", "{text}", {"text": message})  # type: ignore[arg-type]


def _list_of(count: int, names: str) -> BeforeValidator:
    def check(value: Any) -> Any:
        if not isinstance(value, list):
            raise PydanticCustomError("wanted", f"{count} values [{names}]")  # type: ignore[arg-type]
        if len(value) != count:
            raise _wrong(f"found a list of {len(value)}, wanted {count} values [{names}]")
        return value

    return BeforeValidator(check)


def _direction(value: tuple[float, ...]) -> tuple[float, ...]:
    length = math.hypot(*value)
    if length == 0.0:
        raise _wrong("found the zero vector, wanted a direction: at least one number other than 0")
    if not 1e-100 < length < 1e100:
        raise _wrong(f"found a vector of length {length:g}, wanted a direction of ordinary size")
    return value


def _unit_quaternion(value: tuple[float, ...]) -> tuple[float, ...]:
    length = math.hypot(*value)
    if not abs(length - 1.0) < QUATERNION_TOL:
        raise _wrong(
            f"found a quaternion of length {length:.6g}, wanted w, x, y, z of length 1; "
            "'turn: {axis: [x, y, z], angle: ...}' may be easier"
        )
    return value


def _ref_text(value: str) -> str:
    part, slash, ref = value.rpartition("/")
    if not (slash and part and ref):
        raise _wrong(f"found {quoted(value)}, wanted 'part/reference'")
    return value


def _positive(value: tuple[float, ...]) -> tuple[float, ...]:
    if not all(v > 0 for v in value):
        raise _wrong(f"found {list(value)}, wanted two numbers greater than 0")
    return value


def _one_of(what: str, choices: Collection[str]) -> AfterValidator:
    def check(value: str) -> str:
        if value not in choices:
            raise _wrong(
                f"found the {what} {quoted(value)}{did_you_mean(value, choices)} "
                f"Choices: {listed(choices)}."
            )
        return value

    return AfterValidator(check)


def _enum(choices: Collection[str]) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": [str(c) for c in choices]})


Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Truth = Annotated[bool, Field(strict=True)]
Point = Annotated[tuple[Number, Number, Number], _list_of(3, "x, y, z")]
Direction = Annotated[Point, AfterValidator(_direction)]
Quaternion = Annotated[
    tuple[Number, Number, Number, Number],
    _list_of(4, "w, x, y, z"),
    AfterValidator(_unit_quaternion),
]
RefText = Annotated[
    str, AfterValidator(_ref_text), Field(json_schema_extra={"pattern": "^.+/[^/]+$"})
]
RefPair = Annotated[tuple[RefText, RefText], _list_of(2, "on the first part, on the second part")]
PartPair = Annotated[tuple[str, str], _list_of(2, "part, part")]
NumberPair = Annotated[tuple[Number, Number], _list_of(2, "of a, of b"), AfterValidator(_positive)]
LengthUnit = Annotated[str, _one_of("length unit", LENGTHS), _enum(LENGTHS)]
AngleUnit = Annotated[str, _one_of("angle unit", ANGLES), _enum(ANGLES)]
FreedomName = Annotated[str, _one_of("freedom", tuple(Freedom)), _enum(Freedom)]
CouplingName = Annotated[str, _one_of("coupling kind", tuple(CouplingKind)), _enum(CouplingKind)]


class Entry(BaseModel):
    """A mapping with known keys only."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


def _exactly_one(entry: Entry, names: tuple[str, ...]) -> None:
    given = [n for n in names if getattr(entry, n) is not None]
    if len(given) != 1:
        found = " and ".join(given) if given else "none"
        raise _wrong(f"found {found} of {', '.join(names)}; wanted exactly one of them")


def _required_one(*names: str) -> dict[str, Any]:
    return {"oneOf": [{"required": [n]} for n in names]}


class UnitsEntry(Entry):
    length: LengthUnit = "mm"
    """Unit of every length in the file."""
    angle: AngleUnit = "deg"
    """Unit of every angle in the file."""


class AxisEntry(Entry):
    """The line through a point along a direction."""

    point: Point = (0.0, 0.0, 0.0)
    """A point on the line."""
    along: Direction
    """Direction of the line; its length does not matter."""


class PlaneEntry(Entry):
    """The plane through a point, normal to a direction."""

    point: Point = (0.0, 0.0, 0.0)
    """A point of the plane."""
    normal: Direction
    """Direction out of the plane; its length does not matter."""


class FrameEntry(Entry):
    """A full coordinate system."""

    origin: Point = (0.0, 0.0, 0.0)
    """Where it sits."""
    z: Direction = (0.0, 0.0, 1.0)
    """Its z axis; the length does not matter."""
    x: Direction | None = None
    """Its x axis, made perpendicular to z; left out: some direction perpendicular to z."""

    @model_validator(mode="after")
    def _axes_differ(self) -> FrameEntry:
        if self.x is not None:
            nz, nx = math.hypot(*self.z), math.hypot(*self.x)
            unit_z, unit_x = [v / nz for v in self.z], [v / nx for v in self.x]
            sine = math.hypot(
                unit_z[1] * unit_x[2] - unit_z[2] * unit_x[1],
                unit_z[2] * unit_x[0] - unit_z[0] * unit_x[2],
                unit_z[0] * unit_x[1] - unit_z[1] * unit_x[0],
            )
            if sine < 2e-6:
                raise _wrong(
                    f"found x {list(self.x)} parallel to z {list(self.z)}, "
                    "wanted two different directions"
                )
        return self


REFERENCE_KINDS = ("point", "vector", "axis", "plane", "frame")


class ReferenceEntry(Entry):
    """A reference object, by coordinates in the part frame: one of the five kinds."""

    model_config = ConfigDict(json_schema_extra=_required_one(*REFERENCE_KINDS))

    point: Point | None = None
    """A point."""
    vector: Direction | None = None
    """A direction; its length does not matter."""
    axis: AxisEntry | None = None
    """A line."""
    plane: PlaneEntry | None = None
    """A plane."""
    frame: FrameEntry | None = None
    """A full coordinate system."""

    @model_validator(mode="after")
    def _one_kind(self) -> ReferenceEntry:
        _exactly_one(self, REFERENCE_KINDS)
        return self


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
            raise _wrong("found both 'quaternion' and 'turn'; wanted at most one of them")
        return self


class PartEntry(Entry):
    """A part and its reference objects."""

    grounded: Truth = False
    """Whether the part stands still."""
    references: dict[str, ReferenceEntry] = {}
    """Reference objects by name; no slash in a name."""
    pose: PoseEntry | None = None
    """Where the part starts; left out: anywhere."""


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
            **_required_one("mate", "joint"),
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
        _exactly_one(self, ("mate", "joint"))
        for name in ("freedom", "zero"):
            if self.mate is not None and getattr(self, name) is not None:
                raise _wrong(f"found '{name}' beside 'mate'; it goes with 'joint' only")
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
        "then": {"properties": dict.fromkeys(refused, False), **_required_one(*numbers)},
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


class MatesFile(Entry):
    """An assembly for cad2mbs: parts with reference objects, mates, drives, limits, couplings."""

    cad2mbs: Annotated[int, Field(strict=True), WithJsonSchema({"const": VERSION})]
    """Version of the file format."""
    name: str | None = None
    """Name of the assembly; default: name of the file or folder."""
    units: UnitsEntry = UnitsEntry()
    """Units of the numbers in the file."""
    parts: dict[str, PartEntry]
    """Parts by name."""
    mates: dict[str, MateEntry] = {}
    """Mates by name."""
    drives: dict[str, DriveEntry] = {}
    """Drives by name."""
    limits: dict[str, LimitEntry] = {}
    """Limits by name."""
    couplings: dict[str, CouplingEntry] = {}
    """Couplings by name."""


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
        (kept,) = [b for b in branches if b != {"type": "null"}]
        del part["anyOf"]
        part = {**kept, **part}
    return part


# --- errors in plain words ---------------------------------------------------------------------


@dataclass(frozen=True)
class Misfit:
    """One place where the file has not the shape it should have."""

    path: Path
    message: str | None  # None: another misfit says it already
    unknown_key: bool = False
    meant: str | None = None  # the known key most like an unknown one


def misfits(error: ValidationError, root: Node) -> Iterator[Misfit]:
    """The errors of a validation, in our words; not more than anyone would read."""
    errors = error.errors(include_url=False, include_input=False)[:MAX_FINDINGS]
    meant: dict[Path, str | None] = {}
    for item in errors:
        if item["type"] == "extra_forbidden":
            *where, key = item["loc"]
            meant[item["loc"]] = closest(str(key), _keys_at(tuple(where)))
    misspelt = {(*path[:-1], near) for path, near in meant.items() if near is not None}
    for item in errors:
        path = item["loc"]
        said = item["type"] == "missing" and path in misspelt
        message = None if said else _sentence(item, path, root)
        yield Misfit(path, message, path in meant, meant.get(path))


def place(path: Path) -> str:
    """The entry at `path` as the user would call it."""
    if len(path) >= 4 and path[0] == "parts" and path[2] == "references":
        name, rest = f"reference {quoted(f'{path[1]}/{path[3]}')}", path[4:]
    elif len(path) >= 2 and path[0] in SECTIONS:
        name, rest = f"{SECTIONS[str(path[0])]} {quoted(path[1])}", path[2:]
    elif path:
        name, rest = quoted(path[0]), path[1:]
    else:
        return "the file"
    steps = [f"number {s + 1}" if isinstance(s, int) else quoted(s)[1:-1] for s in rest]
    return ", ".join([name, *steps])


def _sentence(item: Any, path: Path, root: Node) -> str:
    kind, node = item["type"], root.at(path)
    if kind == "extra_forbidden":
        keys = _keys_at(path[:-1])
        return (
            f"{place(path[:-1])}: found the unknown key {quoted(path[-1])}"
            f"{did_you_mean(str(path[-1]), keys)} Keys: {listed(keys, 20)}."
        )
    if kind == "missing":
        return f"{place(path[:-1])}: the key '{path[-1]}' is missing"
    if kind == "mates_file":
        return f"{place(path)}: {item['msg']}"
    wanted = item["msg"] if kind == "wanted" else _WANTED.get(kind, item["msg"])
    return f"{place(path)}: found {describe(node)}, wanted {wanted}{_hint(kind, node)}"


_WANTED = {
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text",
    "int_type": "a whole number",
    "dict_type": "a mapping (name: entry)",
    "model_type": "a mapping (key: value)",
    "model_attributes_type": "a mapping (key: value)",
}


def describe(node: Node | None) -> str:
    """What a value is, for a message."""
    value = node.value if node is not None else None
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return f"a mapping with {listed(value, 6)}" if value else "an empty mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"the text {quoted(value)}" if isinstance(value, str) else f"the number {value!r}"


def _hint(kind: str, node: Node | None) -> str:
    value = node.value if node is not None else None
    if kind == "string_type" and isinstance(value, (int, float)):
        return "; put it in quotes"
    if kind == "bool_type" and isinstance(value, str):
        return "; without quotes" if value.lower() in ("true", "false") else ""
    if kind != "float_type" or not isinstance(value, str):
        return ""
    if _is_float(value):
        return "; take the quotes off" if node is not None and node.quoted else ""
    if _is_float(value.replace(",", ".")):
        return "; write a decimal point"
    if _is_float(value.rstrip("abcdefghijklmnopqrstuvwxyz° ")):
        return "; write the number alone, units stand once under 'units'"
    return ""


def _is_float(text: str) -> bool:
    try:
        return len(text) < 100 and math.isfinite(float(text))
    except ValueError:
        return False


def _keys_at(path: Path) -> list[str]:
    """The keys that the mapping at `path` can have, from the models."""
    model: type[BaseModel] = MatesFile
    steps = [str(s) for s in path]
    while steps:
        model, steps = _descend(model, steps)
    return list(model.model_fields)


_SECTION_MODELS: dict[tuple[type[BaseModel], str], type[BaseModel]] = {
    (MatesFile, "parts"): PartEntry,
    (MatesFile, "mates"): MateEntry,
    (MatesFile, "drives"): DriveEntry,
    (MatesFile, "limits"): LimitEntry,
    (MatesFile, "couplings"): CouplingEntry,
    (PartEntry, "references"): ReferenceEntry,
}
_FIELD_MODELS: dict[str, type[BaseModel]] = {
    "units": UnitsEntry,
    "pose": PoseEntry,
    "transform": PoseEntry,
    "turn": TurnEntry,
    "axis": AxisEntry,
    "plane": PlaneEntry,
    "frame": FrameEntry,
}


def _descend(model: type[BaseModel], steps: list[str]) -> tuple[type[BaseModel], list[str]]:
    section = _SECTION_MODELS.get((model, steps[0]))
    if section is not None:
        return section, steps[2:]
    return _FIELD_MODELS[steps[0]], steps[1:]
