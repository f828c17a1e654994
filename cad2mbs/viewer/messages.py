"""What the page may say: one typed record per message, anything else is refused in words.

The other side is web/src/protocol.ts. Numbers are finite and of a size that means something, texts
and lists are bounded, and nothing unknown is let through.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from cad2mbs.errors import InputError
from cad2mbs.wording import quoted

MAX_BYTES = 64 * 1024  # of one message
LARGEST = 1e12  # in the user's units, or mm
MOST = 1000  # names in one message

Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]
Seq = Annotated[int, Field(ge=0, le=2**32 - 1)]
Row = Annotated[int, Field(ge=0, le=2**31)]
Name = Annotated[str, Field(max_length=1000)]
Names = Annotated[list[Name], Field(max_length=MOST)]
Point = tuple[Number, Number, Number]


class Message(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Open(Message):
    type: Literal["open"]
    source: Annotated[str, Field(max_length=4096)]


class Gallery(Message):
    type: Literal["gallery"]


class Browse(Message):
    type: Literal["browse"]
    folder: Annotated[str, Field(max_length=4096)]


class Drive(Message):
    type: Literal["drive"]
    seq: Seq
    values: Annotated[dict[Name, Number], Field(max_length=MOST)]
    cross: bool = False


class Drag(Message):
    type: Literal["drag"]
    seq: Seq
    part: Row
    point: Point
    target: Point


class Drop(Message):
    type: Literal["drop"]


class Driving(Message):
    type: Literal["driving"]
    names: Names


class Reset(Message):
    type: Literal["reset"]


class MateEdit(Message):
    type: Literal["mate"]
    name: Name
    off: bool | None = None
    value: Number | None = None


class Undo(Message):
    type: Literal["undo"]


class Curves(Message):
    type: Literal["curves"]
    drive: Name
    names: Names


class Trace(Message):
    type: Literal["trace"]
    id: Row
    part: Row
    point: Point


class Untrace(Message):
    type: Literal["untrace"]
    id: Row


class Clash(Message):
    type: Literal["clash"]
    on: bool


class Position(Message):
    type: Literal["position"]
    name: Annotated[str, Field(min_length=1, max_length=200)]
    remove: bool = False


class Save(Message):
    type: Literal["save"]
    path: Annotated[str, Field(max_length=4096)]
    replace: bool


class Text(Message):
    type: Literal["text"]
    what: Literal["mates", "table"]
    drive: Name | None = None


Said = (
    Open | Gallery | Browse | Drive | Drag | Drop | Driving | Reset | MateEdit | Undo | Curves
    | Trace | Untrace | Clash | Position | Save | Text
)  # fmt: skip
_READER: TypeAdapter[Said] = TypeAdapter(Annotated[Said, Field(discriminator="type")])


def read(text: str | bytes) -> Said:
    """The message in a text; InputError says what is wrong with it."""
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        raise InputError(f"message refused: {_misfit(error)}") from None
    except (ValueError, RecursionError):  # such as half a surrogate
        raise InputError("message refused: this is no JSON text") from None


def _misfit(error: ValidationError) -> str:
    """The first thing that is wrong, with its place in the message."""
    first: Any = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(quoted(step)[1:-1] for step in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])[:300]


def text(message: dict[str, Any]) -> str:
    """A message to the page as JSON; half surrogates, which no websocket carries, are replaced."""
    made = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return made.encode("utf-8", "replace").decode("utf-8")
