"""The building stones of a mates file's entries: numbers, points, names, checked on reading."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from cad2mbs.model.assembly import CouplingKind, Freedom
from cad2mbs.units import ANGLES, LENGTHS
from cad2mbs.wording import did_you_mean, listed, quoted

QUATERNION_TOL = 1e-3  # four hand-written digits; more is a mistake, not rounding


def wrong(message: str) -> PydanticCustomError:
    # The message goes in as a value: it may hold braces that the user wrote.
    return PydanticCustomError("mates_file", "{text}", {"text": message})  # type: ignore[arg-type]


def list_of(count: int, names: str) -> BeforeValidator:
    def check(value: Any) -> Any:
        if not isinstance(value, list):
            raise PydanticCustomError("wanted", f"{count} values [{names}]")  # type: ignore[arg-type]
        if len(value) != count:
            raise wrong(f"found a list of {len(value)}, wanted {count} values [{names}]")
        return value

    return BeforeValidator(check)


def _direction(value: tuple[float, ...]) -> tuple[float, ...]:
    length = math.hypot(*value)
    if length == 0.0:
        raise wrong("found the zero vector, wanted a direction: at least one number other than 0")
    if not 1e-100 < length < 1e100:
        raise wrong(f"found a vector of length {length:g}, wanted a direction of ordinary size")
    return value


def _unit_quaternion(value: tuple[float, ...]) -> tuple[float, ...]:
    length = math.hypot(*value)
    if not abs(length - 1.0) < QUATERNION_TOL:
        raise wrong(
            f"found a quaternion of length {length:.6g}, wanted w, x, y, z of length 1; "
            "'turn: {axis: [x, y, z], angle: ...}' may be easier"
        )
    return value


def _ref_text(value: str) -> str:
    part, slash, ref = value.rpartition("/")
    if not (slash and part and ref):
        raise wrong(f"found {quoted(value)}, wanted 'part/reference'")
    return value


def _positive(value: tuple[float, ...]) -> tuple[float, ...]:
    if not all(v > 0 for v in value):
        raise wrong(f"found {list(value)}, wanted two numbers greater than 0")
    return value


def _above_zero(value: float) -> float:
    if value <= 0:
        raise wrong(f"found {value!r}, wanted a number above 0")
    return value


def one_of(what: str, choices: Collection[str]) -> AfterValidator:
    def check(value: str) -> str:
        if value not in choices:
            raise wrong(
                f"found the {what} {quoted(value)}{did_you_mean(value, choices)} "
                f"Choices: {listed(choices)}."
            )
        return value

    return AfterValidator(check)


def enum(choices: Collection[str]) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": [str(c) for c in choices]})


Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive = Annotated[Number, AfterValidator(_above_zero)]
Truth = Annotated[bool, Field(strict=True)]
Point = Annotated[tuple[Number, Number, Number], list_of(3, "x, y, z")]
Direction = Annotated[Point, AfterValidator(_direction)]
Quaternion = Annotated[
    tuple[Number, Number, Number, Number],
    list_of(4, "w, x, y, z"),
    AfterValidator(_unit_quaternion),
]
RefText = Annotated[
    str, AfterValidator(_ref_text), Field(json_schema_extra={"pattern": "^.+/[^/]+$"})
]
RefPair = Annotated[tuple[RefText, RefText], list_of(2, "on the first part, on the second part")]
TwoRefs = Annotated[tuple[RefText, RefText], list_of(2, "part/reference, part/reference")]
PartPair = Annotated[tuple[str, str], list_of(2, "part, part")]
NumberPair = Annotated[tuple[Number, Number], list_of(2, "of a, of b"), AfterValidator(_positive)]
LengthUnit = Annotated[str, one_of("length unit", LENGTHS), enum(LENGTHS)]
AngleUnit = Annotated[str, one_of("angle unit", ANGLES), enum(ANGLES)]
FreedomName = Annotated[str, one_of("freedom", tuple(Freedom)), enum(Freedom)]
CouplingName = Annotated[str, one_of("coupling kind", tuple(CouplingKind)), enum(CouplingKind)]


class Entry(BaseModel):
    """A mapping with known keys only."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


def exactly_one(entry: Entry, names: tuple[str, ...]) -> None:
    given = [n for n in names if getattr(entry, n) is not None]
    if len(given) != 1:
        found = " and ".join(given) if given else "none"
        raise wrong(f"found {found} of {', '.join(names)}; wanted exactly one of them")


def required_one(*names: str) -> dict[str, Any]:
    return {"oneOf": [{"required": [n]} for n in names]}
