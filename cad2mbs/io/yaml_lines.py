"""YAML text to plain values that remember their lines; safe against hostile files.

Works on the event stream of the parser, not on its finished tree, so that nesting, aliases and
size are bounded while reading and no input can exhaust the stack or the memory. Plain scalars
follow the YAML 1.2 core rules: `1e-3` is a number, `yes` and `on` are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 32
MAX_VALUES = 1_000_000
MAX_PROBLEMS = 500
MAX_ALIAS_VALUES = 10_000  # values that aliases may add by repetition, all together
MAX_NUMBER_CHARS = 64  # longer digit strings stay text: converting them can take minutes

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Problem:
    """One thing wrong with the text itself."""

    line: int | None
    message: str


@dataclass(slots=True)
class Node:
    """A value with its line; `value` is a dict or list of Nodes, or a scalar."""

    line: int
    value: Any = None
    key_lines: dict[str, int] = field(default_factory=dict)  # of a mapping: line of each key
    quoted: bool = False  # a scalar in quotes is always text
    broken: bool = False  # already reported; whoever uses it says nothing more about it
    size: int = 1  # values in here, aliases counted as often as they are used
    open_key: tuple[str, int, bool] | None = None  # of a mapping being read: the key that waits
    # for its value, its line, whether to keep the entry

    def plain(self) -> Any:
        """The value without lines: dicts, lists, scalars."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def at(self, path: Path) -> Node | None:
        """The node at `path`, None where there is none."""
        node: Node | None = self
        for step in path:
            node = node._child(step) if node is not None else None
        return node

    def line_of(self, path: Path) -> int:
        """Line of the entry at `path` (its key, in a mapping), or of what would contain it."""
        node, line = self, self.line
        for step in path:
            child = node._child(step)
            if child is None:
                return line
            line = node.key_lines.get(step, child.line) if isinstance(step, str) else child.line
            node = child
        return line

    def _child(self, step: str | int) -> Node | None:
        if isinstance(self.value, dict):
            return self.value.get(step)
        if isinstance(self.value, list) and isinstance(step, int) and step < len(self.value):
            return self.value[step]
        return None


class _Stop(Exception):
    """Reading cannot go on after this problem."""

    def __init__(self, line: int | None, message: str):
        super().__init__(message)
        self.problem = Problem(line, message)


def parse(content: bytes) -> tuple[Node | None, list[Problem]]:
    """The top mapping of a YAML document and every problem found; None: nothing usable."""
    reader = _Reader()
    try:
        return reader.read(decoded(content)), reader.problems
    except _Stop as stop:
        return None, [*reader.problems, stop.problem]


def scalar(text: str) -> Any:
    """A plain scalar by the YAML 1.2 core rules: None, bool, int, float or the text itself."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) <= MAX_NUMBER_CHARS:
        if _INT.fullmatch(text):
            # Beyond 2**53 a float is what every reader of the number gets anyway.
            return int(text) if len(text) <= 16 else float(text)
        if _FLOAT.fullmatch(text):
            return float(text)
        if _NOT_FINITE.fullmatch(text):
            return float(text.replace(".", ""))
    return text


_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?[0-9]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def decoded(content: bytes) -> str:
    """The text of a file, without its byte order mark."""
    if len(content) > MAX_BYTES:
        raise _Stop(None, f"the file is larger than {MAX_BYTES // 2**20} MB, the most that is read")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _Stop(
            line,
            f"found the byte 0x{content[error.start]:02x}, which is not UTF-8; "
            "wanted a YAML text file saved as UTF-8",
        ) from None
    if bad := _UNPRINTABLE.search(text):
        line = text.count("\n", 0, bad.start()) + 1
        raise _Stop(
            line,
            f"found the control character 0x{ord(bad.group()):02x}; wanted a YAML text file "
            "(is this a binary file?)",
        )
    return text


class _Reader:
    """Builds Nodes from parser events, one by one, within the limits."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.stack: list[Node] = []
        self.anchors: dict[str, Node] = {}
        self.root: Node | None = None
        self.values = 0
        self.repeated = 0

    def read(self, text: str) -> Node:
        documents = 0
        for event in events(text):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise _Stop(
                        _line(event),
                        "found a second YAML document ('---'); wanted one document a file",
                    )
            elif isinstance(event, yaml.NodeEvent):
                self._node(event)
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                self._close()
        if self.root is None:
            raise _Stop(1, f"the file is empty; wanted {_WANTED}")
        return self.root

    def _node(self, event: yaml.NodeEvent) -> None:
        line = _line(event)
        self._bounds(line)
        if self.root is None and not isinstance(event, yaml.MappingStartEvent):
            raise _Stop(line, f"found {_kind(event)} at the top; wanted {_WANTED}")
        if isinstance(event, yaml.AliasEvent):
            self._place(self._alias(event.anchor or "", line), line)
            return
        tag = getattr(event, "tag", None)
        if tag:
            self._note(line, f"found the tag {tag[:60]!r}; tags are not read, leave it out")
        node = _new(event, line)
        if event.anchor:
            self.anchors[event.anchor] = node
        if self._expects_key():
            self._key(event, line)
            return
        if isinstance(event, yaml.ScalarEvent):
            self._place(node, line)
        else:
            if self.root is None:
                self.root = node
            self.stack.append(node)

    def _note(self, line: int, message: str) -> None:
        self.problems.append(Problem(line, message))
        if len(self.problems) >= MAX_PROBLEMS:
            raise _Stop(line, f"stopped reading after {MAX_PROBLEMS} problems; mend these first")

    def _bounds(self, line: int) -> None:
        self.values += 1
        if self.values > MAX_VALUES:
            raise _Stop(line, f"found more than {MAX_VALUES} values, the most that is read")
        if len(self.stack) >= MAX_DEPTH:
            raise _Stop(
                line, f"found values nested deeper than {MAX_DEPTH} levels, the most that is read"
            )

    def _alias(self, anchor: str, line: int) -> Node:
        target = self.anchors.get(anchor)
        if target is None:  # the pure Python parser leaves this to its composer
            raise _Stop(line, f"found the alias '*{anchor:.60}', but no anchor '&{anchor:.60}'")
        if any(target is open_node for open_node in self.stack):
            self._note(
                line,
                f"found the alias '*{anchor:.60}' inside its own anchor (line {target.line}): "
                "a value that contains itself has no end; write the value out",
            )
            return Node(line, broken=True)
        self.repeated += target.size
        if self.repeated > MAX_ALIAS_VALUES:
            raise _Stop(
                line,
                f"found aliases that repeat more than {MAX_ALIAS_VALUES} values, the most that "
                "is read; write the values out",
            )
        return target

    def _expects_key(self) -> bool:
        top = self.stack[-1] if self.stack else None
        return top is not None and isinstance(top.value, dict) and top.open_key is None

    def _key(self, event: yaml.NodeEvent, line: int) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            raise _Stop(line, f"found {_kind(event)} as a key; wanted a name")
        merge = event.value == "<<" and bool(event.implicit[0])
        if merge:
            self._note(line, "found the merge key '<<', which is not read; write the entries out")
        self.stack[-1].open_key = (event.value, line, not merge)

    def _place(self, node: Node, line: int) -> None:
        """Put a finished value into the collection that is being read."""
        top = self.stack[-1]
        top.size += node.size
        if isinstance(top.value, list):
            top.value.append(node)
            return
        if top.open_key is None:  # an alias where a key is due
            raise _Stop(line, "found an alias as a key; wanted a name")
        key, key_line, keep = top.open_key
        top.open_key = None
        if not keep:
            return
        if key in top.value:
            self._note(
                key_line,
                f"found {key[:60]!r} a second time (first on line {top.key_lines[key]}); "
                "wanted each name once",
            )
            return
        top.value[key] = node
        top.key_lines[key] = key_line

    def _close(self) -> None:
        node = self.stack.pop()
        if self.stack:
            self._place(node, node.line)


_WANTED = "a mapping that starts with 'cad2mbs: 1'"


def _new(event: yaml.NodeEvent, line: int) -> Node:
    if isinstance(event, yaml.MappingStartEvent):
        return Node(line, {})
    if isinstance(event, yaml.SequenceStartEvent):
        return Node(line, [])
    assert isinstance(event, yaml.ScalarEvent)
    plain = bool(event.implicit[0])
    return Node(line, scalar(event.value) if plain else event.value, quoted=not plain)


def _kind(event: yaml.NodeEvent) -> str:
    if isinstance(event, yaml.MappingStartEvent):
        return "a mapping"
    if isinstance(event, yaml.SequenceStartEvent):
        return "a list"
    if isinstance(event, yaml.ScalarEvent):
        return f"the text {event.value[:40]!r}"
    return "an alias"


def _line(event: Any) -> int:
    return event.start_mark.line + 1


def events(text: str) -> Iterator[Any]:
    """Parser events; a syntax error becomes a _Stop in our words."""
    loader = None
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        while loader.check_event():
            yield loader.get_event()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        context = f" {error.context}" if error.context else ""
        raise _Stop(
            mark.line + 1 if mark else None,
            f"this is not YAML: {error.problem}{context}; check quotes, brackets and indentation",
        ) from None
    except (yaml.YAMLError, ValueError) as error:
        # Also ValueError: escapes such as "\ud800" that no text can hold fail in the decoder.
        raise _Stop(None, f"this is not YAML: {str(error).splitlines()[0]}") from None
    finally:
        if loader is not None:
            loader.dispose()
