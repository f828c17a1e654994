"""Changes to a YAML text that touch nothing else: comments, order, layout and line ends stay.

A change puts a value at a path of keys, or drops what stands there. A value that is shared through
an anchor is written out first wherever else it is used, so that a change acts in one place only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cad2mbs.io.mates_text import flow, key_text
from cad2mbs.io.yaml_places import Form, Places, Spot, places

Path = tuple[str, ...]
INDENT = "  "
BLANK = " \t"


@dataclass(frozen=True)
class Change:
    """A value to put at a path of keys; `drop`: take away what stands there."""

    path: Path
    value: Any = None
    drop: bool = False


class NotEditable(Exception):
    """The text has a form in which the change cannot be made without touching more."""


def changed(text: str, changes: Iterable[Change]) -> str:
    """The text with the changes made; NotEditable if they, and only they, cannot be made."""
    wanted = places(text).root.plain()
    for change in changes:
        _change(wanted, change)
        text = _dropped(text, change.path) if change.drop else _put(text, change.path, change.value)
    if _told(places(text).root.plain()) != _told(wanted):
        raise NotEditable("the changed text does not read back as what was wanted")
    return text


def _told(data: dict[str, Any]) -> dict[str, Any]:
    """The sections that hold something: an empty one says as little as none."""
    return {key: value for key, value in data.items() if value not in (None, {})}


def _change(data: dict[str, Any], change: Change) -> None:
    """Make the change in plain values."""
    *way, last = change.path
    for key in way:
        if data.get(key) is None:
            data[key] = {}
        data = data[key]
        if not isinstance(data, dict):
            raise NotEditable(f"found no mapping to put {last!r} into")
    if change.drop:
        del data[last]
    else:
        data[last] = change.value


# --- shared values -----------------------------------------------------------------------------


def _alone(text: str, path: Path) -> Places:
    """The places of the text after values shared with the one at `path` are written out.

    What holds it, and it itself, is then no alias, and no alias elsewhere follows a change of it.
    """
    while True:
        at = places(text)
        way = _way(at.root, path)
        aliases = [s for s in at.root.walk() if s.form is Form.ALIAS]
        shared = [s for s in way if s.form is Form.ALIAS]
        if not shared:
            touched = [s for s in way if s.anchor]
            if len(way) == len(path) + 1:  # it exists: anchors inside it go with it
                touched += [s for s in way[-1].walk() if s.anchor]
            shared = [
                s
                for s in aliases
                if any(s.target is anchored for anchored in touched)
                and not (len(way) == len(path) + 1 and s in way[-1])
            ]
        if not shared:
            return at
        text = _spliced(text, [(s.start, s.end, flow(s.plain())) for s in shared])


def _way(root: Spot, path: Path) -> list[Spot]:
    """The spots from the root along the path, as far as they exist."""
    way = [root]
    for key in path:
        child = way[-1].child(key)
        if child is None:
            break
        way.append(child)
    return way


def _spliced(text: str, pieces: Iterable[tuple[int, int, str]]) -> str:
    """The text with pieces replaced, given as start, end and new text; they do not overlap."""
    for start, end, new in sorted(pieces, reverse=True):
        text = text[:start] + new + text[end:]
    return text


# --- putting -----------------------------------------------------------------------------------


def _put(text: str, path: Path, value: Any) -> str:
    at = _alone(text, path)
    way = _way(at.root, path)
    if len(way) == len(path) + 1:
        spot = way[-1]
        lead = " " if spot.is_empty else ""
        return _spliced(at.text, [(spot.start, spot.end, lead + flow(value))])
    holder, missing = way[-1], path[len(way) - 1 :]
    for key in reversed(missing[1:]):
        value = {key: value}
    return _added(at, holder, missing[0], value, depth=len(way) - 1)


def _added(at: Places, holder: Spot, key: str, value: Any, depth: int) -> str:
    """The text with a new entry at the end of a mapping."""
    entry = f"{key_text(key)}: {flow(value)}"
    if holder.form is Form.SCALAR and holder.value is None:
        return _filled(at, holder, entry)
    if holder.flow:
        return _added_in_brackets(at, holder, entry)
    indent = _indent(at, holder)
    lines = [entry]
    if depth == 0 and isinstance(value, Mapping):  # a section: one entry a line
        lines = [f"{key_text(key)}:"]
        lines += [f"{INDENT}{key_text(k)}: {flow(v)}" for k, v in value.items()]
    lines = [indent + line for line in lines]
    if depth == 0 and not at.closed:  # comments at the end of the file belong to what is above
        return _appended(at, lines)
    return _below(at, holder.pairs[-1][1].end, lines)


def _filled(at: Places, holder: Spot, entry: str) -> str:
    """The text with a first entry in a section that holds nothing."""
    if not holder.is_empty:  # null or ~
        return _spliced(at.text, [(holder.start, holder.end, "{" + entry + "}")])
    start = at.line_start(holder.start)
    line = at.text[start : holder.start]
    indent = line[: len(line) - len(line.lstrip(BLANK))]
    return _below(at, holder.start, [indent + INDENT + entry])


def _added_in_brackets(at: Places, holder: Spot, entry: str) -> str:
    if not holder.pairs:
        return _spliced(at.text, [(holder.inside, holder.inside, entry)])
    end = holder.pairs[-1][1].end
    comma = at.comma(end, holder.end - 1)
    if comma is not None:
        return _spliced(at.text, [(comma + 1, comma + 1, f" {entry}")])
    return _spliced(at.text, [(end, end, f", {entry}")])


def _below(at: Places, place: int, lines: list[str]) -> str:
    """The text with lines below the one that holds the place."""
    end = at.line_end(place)
    return _spliced(at.text, [(end, end, "".join(at.newline + line for line in lines))])


def _appended(at: Places, lines: list[str]) -> str:
    end = len(at.text)
    if at.line_start(end) != end:
        return _below(at, end, lines)
    return at.text + "".join(line + at.newline for line in lines)


def _indent(at: Places, mapping: Spot) -> str:
    """What stands before the keys of a mapping without brackets."""
    first = mapping.pairs[0][0].start
    before = at.text[at.line_start(first) : first]
    if before.strip(" "):
        raise NotEditable("a mapping does not start on a line of its own")
    return before


# --- dropping ----------------------------------------------------------------------------------


def _dropped(text: str, path: Path) -> str:
    at = _alone(text, path)
    way = _way(at.root, path)
    assert len(way) == len(path) + 1, f"nothing to drop at {path}"
    holder = way[-2]
    number = next(i for i, (key, _) in enumerate(holder.pairs) if key.value == path[-1])
    if holder.flow:
        return _dropped_in_brackets(at, holder, number)
    start, end = _lines(at, holder.pairs[number])
    if len(holder.pairs) == 1 and len(path) > 1:
        # An empty section goes too, unless someone has written something about it.
        section = next((k, v) for k, v in way[-3].pairs if v is holder)
        lines = _lines(at, section)
        if not at.comments(*lines) and not way[-3].flow:
            start, end = lines
    indent = at.text[start : holder.pairs[number][0].start] if start < end else ""
    indent = indent[: len(indent) - len(indent.lstrip(BLANK))]
    kept = "".join(f"{indent}{comment}{at.newline}" for comment in at.comments(start, end))
    if end == len(at.text) and at.line_start(end) != end:  # a last line without line break
        kept = kept[: -len(at.newline)] if kept else ""
        if not kept and start > 0:
            start = at.line_end(at.line_start(start - 1))
    return _spliced(at.text, [(start, end, kept)])


def _lines(at: Places, pair: tuple[Spot, Spot]) -> tuple[int, int]:
    """Start and end of the lines of an entry, its last line break included."""
    key, value = pair
    start = at.line_start(key.start)
    if at.text[start : key.start].strip(" "):
        raise NotEditable("an entry does not start on a line of its own")
    return start, at.after_break(at.line_end(value.end))


def _dropped_in_brackets(at: Places, holder: Spot, number: int) -> str:
    key, value = holder.pairs[number]
    is_last = number == len(holder.pairs) - 1
    stop = holder.end - 1 if is_last else holder.pairs[number + 1][0].start
    comma = at.comma(value.end, stop)
    start, end = key.start, value.end
    pieces: list[tuple[int, int, str]] = []
    if comma is not None and not at.comments(value.end, comma):
        end = comma + 1
        while end < stop and at.text[end] in BLANK:
            end += 1
    elif comma is not None:
        pieces.append((comma, comma + 1, ""))
    elif number > 0:
        before = holder.pairs[number - 1][1].end
        last = at.comma(before, start)
        assert last is not None, "entries in brackets have commas between them"
        if at.comments(last, start):
            pieces.append((last, last + 1, ""))
        else:
            start = last
    kept = "".join(f" {c}{at.newline}{INDENT}" for c in at.comments(start, end))
    line = at.line_start(start), at.line_end(end)
    if not kept and not (at.text[line[0] : start] + at.text[end : line[1]]).strip(BLANK):
        start, end = line[0], at.after_break(line[1])  # it stood on lines of its own
    return _spliced(at.text, [*pieces, (start, end, kept)])
