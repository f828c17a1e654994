"""Reference objects in a mates file: by coordinates in the part frame, or by selectors."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Tag,
    WithJsonSchema,
    model_validator,
)

from cad2mbs.io.mates_fields import (
    Direction,
    Entry,
    Point,
    Truth,
    enum,
    exactly_one,
    one_of,
    required_one,
    wrong,
)
from cad2mbs.model.selector import At, Pick

TYPED, SELECTED, TOWARD = "<typed>", "<selected>", "<toward>"  # which way a place is given
WAYS = {TYPED, SELECTED, TOWARD}
SIZES = ("largest", "smallest")
# What only selectors have: `along` and `normal` stand in typed axes and planes as well.
_SELECTOR_KEYS = ("select", "name", "radius", "cadquery", "towards", "near", "size", "at", "flip")
_TYPED_KEYS = {"point", "along", "normal", "origin", "z", "x"}  # of typed axes, planes, frames


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _radius(value: Any) -> float | tuple[float, float]:
    if _is_number(value) and value > 0:
        return float(value)
    if isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)):
        low, high = value
        if 0 <= low <= high:
            return (float(low), float(high))
    raise wrong(f"found {value!r:.60}, wanted a number above 0 or a range [smallest, largest]")


def _size(value: Any) -> str | int:
    if value in SIZES or (isinstance(value, int) and not isinstance(value, bool) and value >= 1):
        return value
    raise wrong(f"found {value!r:.60}, wanted largest, smallest, or n for the n-th largest")


Radius = Annotated[
    Any,
    BeforeValidator(_radius),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0},
                {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
            ]
        }
    ),
]
Size = Annotated[
    Any,
    BeforeValidator(_size),
    WithJsonSchema({"anyOf": [{"enum": list(SIZES)}, {"type": "integer", "minimum": 1}]}),
]
PickName = Annotated[str, one_of("kind of feature", tuple(Pick)), enum(Pick)]
AtName = Annotated[str, one_of("place", tuple(At)), enum(At)]


def _way(value: Any) -> str:
    """How a place that is typed as a list is given."""
    return SELECTED if isinstance(value, dict | SelectorEntry) else TYPED


def _way_of_mapping(value: Any) -> str:
    """How a place that is typed as a mapping is given."""
    if isinstance(value, SelectorEntry):
        return SELECTED
    return SELECTED if isinstance(value, dict) and selects(set(value)) else TYPED


def selects(keys: set[str]) -> bool:
    """Whether a mapping with these keys is a selector."""
    return bool(keys & set(_SELECTOR_KEYS)) or bool(keys and not keys & _TYPED_KEYS)


def _way_of_x(value: Any) -> str:
    if isinstance(value, TowardEntry) or (isinstance(value, dict) and "toward" in value):
        return TOWARD
    return _way(value)


class SelectorEntry(Entry):
    """A feature of the part's geometry, by what it is; exactly one must fit."""

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": [key]} for key in _SELECTOR_KEYS]}
    )

    select: PickName = "face"
    """What to look at: a kind of face, or circle for circular edges."""
    name: str | None = None
    """Name of the face in the CAD file."""
    radius: Radius | None = None
    """Radius (2 % off at most), or a range."""
    normal: Direction | None = None
    """Direction of a plane's normal, out of the material, within 5 degrees."""
    along: Direction | None = None
    """Direction of an axis, within 5 degrees either way; the axis then points this way."""
    cadquery: str | None = None
    """A CadQuery selector string, such as '>Z' or '%CYLINDER and <X'."""
    towards: Direction | None = None
    """Of those that fit, the outermost one in this direction."""
    near: Point | None = None
    """Of those that fit, the one nearest to this point."""
    size: Size | None = None
    """Of those that fit, the largest, the smallest, or the n-th largest."""
    at: Annotated[
        Annotated[AtName, Tag(TYPED)] | Annotated[SelectorEntry, Tag(SELECTED)],
        Discriminator(_way),
    ] = "middle"
    """Where on its axis the origin is: middle, start, end, or a selector of a plane across."""
    flip: Truth = False
    """Whether to turn its direction round."""


class TowardEntry(Entry):
    """The direction from the frame's origin to a feature."""

    toward: SelectorEntry
    """The feature that the axis points at."""


_Place = Annotated[
    Annotated[Point, Tag(TYPED)] | Annotated[SelectorEntry, Tag(SELECTED)], Discriminator(_way)
]
_Way = Annotated[
    Annotated[Direction, Tag(TYPED)] | Annotated[SelectorEntry, Tag(SELECTED)], Discriminator(_way)
]
_XWay = Annotated[
    Annotated[Direction, Tag(TYPED)]
    | Annotated[SelectorEntry, Tag(SELECTED)]
    | Annotated[TowardEntry, Tag(TOWARD)],
    Discriminator(_way_of_x),
]


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
    """A full coordinate system; each of its places typed or selected."""

    origin: _Place = (0.0, 0.0, 0.0)
    """Where it sits."""
    z: _Way = (0.0, 0.0, 1.0)
    """Its z axis; the length does not matter."""
    x: _XWay | None = None
    """Its x axis, made perpendicular to z; left out: some direction perpendicular to z."""

    @model_validator(mode="after")
    def _axes_differ(self) -> FrameEntry:
        z, x = self.z, self.x
        if isinstance(x, tuple) and isinstance(z, tuple):
            nz, nx = math.hypot(*z), math.hypot(*x)
            unit_z, unit_x = [v / nz for v in z], [v / nx for v in x]
            sine = math.hypot(
                unit_z[1] * unit_x[2] - unit_z[2] * unit_x[1],
                unit_z[2] * unit_x[0] - unit_z[0] * unit_x[2],
                unit_z[0] * unit_x[1] - unit_z[1] * unit_x[0],
            )
            if sine < 2e-6:
                raise wrong(
                    f"found x {list(x)} parallel to z {list(z)}, wanted two different directions"
                )
        return self

    @property
    def selects(self) -> bool:
        return any(isinstance(v, Entry) for v in (self.origin, self.z, self.x))


REFERENCE_KINDS = ("point", "vector", "axis", "plane", "frame")


class ReferenceEntry(Entry):
    """A reference object of one of five kinds: by coordinates in the part frame, or selected."""

    model_config = ConfigDict(json_schema_extra=required_one(*REFERENCE_KINDS))

    point: _Place | None = None
    """A point."""
    vector: _Way | None = None
    """A direction; its length does not matter."""
    axis: (
        Annotated[
            Annotated[AxisEntry, Tag(TYPED)] | Annotated[SelectorEntry, Tag(SELECTED)],
            Discriminator(_way_of_mapping),
        ]
        | None
    ) = None
    """A line."""
    plane: (
        Annotated[
            Annotated[PlaneEntry, Tag(TYPED)] | Annotated[SelectorEntry, Tag(SELECTED)],
            Discriminator(_way_of_mapping),
        ]
        | None
    ) = None
    """A plane."""
    frame: (
        Annotated[
            Annotated[FrameEntry, Tag(TYPED)] | Annotated[SelectorEntry, Tag(SELECTED)],
            Discriminator(_way_of_mapping),
        ]
        | None
    ) = None
    """A full coordinate system."""

    @model_validator(mode="after")
    def _one_kind(self) -> ReferenceEntry:
        exactly_one(self, REFERENCE_KINDS)
        return self

    @property
    def selects(self) -> bool:
        """Whether any of it is given by a selector."""
        if isinstance(self.frame, FrameEntry):
            return self.frame.selects
        return any(isinstance(getattr(self, k), SelectorEntry) for k in REFERENCE_KINDS)
