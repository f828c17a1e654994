"""Where every value of a YAML text stands: a tree with character positions, aliases kept apart.

For texts that `yaml_lines.parse` has read without a problem; that is where size and nesting are
bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import yaml

from cad2mbs.io import yaml_lines


class Form(Enum):
    SCALAR = "scalar"
    ALIAS = "alias"
    MAPPING = "mapping"
    LIST = "list"


@dataclass(eq=False)
class Spot:
    """A value at text[start:end]; its anchor is inside, comments and blank lines behind it not."""

    form: Form
    start: int
    end: int
    anchor: str | None = None
    value: Any = None  # of a scalar
    target: Spot | None = None  # of an alias
    flow: bool = False  # of a collection: in brackets
    inside: int = 0  # of a collection in brackets: place behind the opening one
    pairs: list[tuple[Spot, Spot]] = field(default_factory=list)
    items: list[Spot] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is written here at all."""
        return self.start == self.end

    def child(self, key: str) -> Spot | None:
        """The value of a key; None where there is none."""
        return next((value for name, value in self.pairs if name.value == key), None)

    def plain(self) -> Any:
        """The value without places: dicts, lists, scalars; aliases written out."""
        match self.form:
            case Form.SCALAR:
                return self.value
            case Form.ALIAS:
                assert self.target is not None
                return self.target.plain()
            case Form.LIST:
                return [item.plain() for item in self.items]
            case Form.MAPPING:
                return {key.value: value.plain() for key, value in self.pairs}

    def walk(self) -> Iterator[Spot]:
        """Every spot from here on down, keys included; aliases are not followed."""
        yield self
        for key, value in self.pairs:
            yield key
            yield from value.walk()
        for item in self.items:
            yield from item.walk()

    def __contains__(self, other: Spot) -> bool:
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True)
class Places:
    """A YAML text and the places of its values."""

    text: str
    root: Spot
    closed: bool  # whether '...' ends the document

    @property
    def newline(self) -> str:
        """The way this text ends its lines."""
        found = _BREAK.search(self.text)
        return found.group() if found else "\n"

    def line_start(self, at: int) -> int:
        """Start of the line that holds the place."""
        return max((self.text.rfind(c, 0, at) for c in _BREAKS), default=-1) + 1

    def line_end(self, at: int) -> int:
        """End of the line that holds the place, before its line break."""
        found = _BREAK.search(self.text, at)
        return found.start() if found else len(self.text)

    def after_break(self, at: int) -> int:
        """The place behind the line break that stands there; the same place if there is none."""
        found = _BREAK.match(self.text, at)
        return found.end() if found else at

    def comments(self, start: int, end: int) -> list[str]:
        """The comments in text[start:end]."""
        values = iter(s for s in self.root.walk() if s.form in (Form.SCALAR, Form.ALIAS))
        spans = sorted((s.start, s.end) for s in values if s.end > start and s.start < end)
        found, at = [], start
        for low, high in [*spans, (end, end)]:
            while at < low:
                if self.text[at] == "#":
                    stop = self.line_end(at)
                    found.append(self.text[at:stop].rstrip())
                    at = stop
                else:
                    at += 1
            at = max(at, high)
        return found

    def comma(self, start: int, end: int) -> int | None:
        """Place of the comma between two entries in brackets; None if there is none."""
        at = start
        while at < end:
            if self.text[at] == "#":
                at = self.line_end(at)
            elif self.text[at] == ",":
                return at
            else:
                at += 1
        return None


_BREAKS = "\n\r\x85\u2028\u2029"
_BREAK = re.compile("\r\n|[" + _BREAKS + "]")


def places(text: str) -> Places:
    """The places of all values of the text."""
    stack: list[Spot] = []
    keys: list[Spot | None] = []  # of each open mapping: the key that waits for its value
    anchors: dict[str, Spot] = {}
    root: Spot | None = None
    closed = False

    def place(spot: Spot) -> None:
        nonlocal root
        if not stack:
            root = spot
        elif stack[-1].form is Form.LIST:
            stack[-1].items.append(spot)
        elif (key := keys[-1]) is None:
            keys[-1] = spot
        else:
            stack[-1].pairs.append((key, spot))
            keys[-1] = None

    for event in yaml_lines.events(text):
        if isinstance(event, yaml.NodeEvent):
            is_key = bool(stack) and stack[-1].form is Form.MAPPING and keys[-1] is None
            spot = _spot(event, text, anchors, is_key)
            if event.anchor and spot.form is not Form.ALIAS:
                anchors[event.anchor] = spot
            if isinstance(event, yaml.CollectionStartEvent):
                stack.append(spot)
                keys.append(None)
            else:
                place(spot)
        elif isinstance(event, yaml.CollectionEndEvent):
            spot = stack.pop()
            keys.pop()
            spot.end = _content_end(spot, event.end_mark.index)
            place(spot)
        elif isinstance(event, yaml.DocumentEndEvent):
            closed = bool(event.explicit)
    assert root is not None, "a text that parses has a root"
    return Places(text, root, closed)


def _spot(event: Any, text: str, anchors: dict[str, Spot], is_key: bool) -> Spot:
    start, end = event.start_mark.index, event.end_mark.index
    if isinstance(event, yaml.AliasEvent):
        return Spot(Form.ALIAS, start, end, target=anchors[event.anchor])
    if isinstance(event, yaml.ScalarEvent):
        # A block scalar ends where the next token starts: what follows its text is not its own.
        end = start + len(text[start:end].rstrip()) if event.style in ("|", ">") else end
        plain = bool(event.implicit[0]) and not is_key
        value = yaml_lines.scalar(event.value) if plain else event.value
        return Spot(Form.SCALAR, start, end, event.anchor, value)
    form = Form.MAPPING if isinstance(event, yaml.MappingStartEvent) else Form.LIST
    return Spot(form, start, end, event.anchor, flow=bool(event.flow_style), inside=end)


def _content_end(spot: Spot, end: int) -> int:
    """End of a collection: its closing bracket, or the end of what it holds last."""
    if spot.flow:
        return end
    last = [value.end for _, value in spot.pairs[-1:]] + [item.end for item in spot.items[-1:]]
    return last[0] if last else spot.inside
