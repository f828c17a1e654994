"""The lines of an `.asmt` file as a tree, and the fields every item of it is made of.

A line hangs below the nearest line above it that has one tab less. A field is a keyword line with
its value one tab deeper. The stored results after `TimeSeries` are rows without indentation and
stay lines here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, TypeVar

import numpy as np

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.io.expression import parse_number

# Numbers are printed with about 14 digits; more than this off a rotation is another matrix.
ROTATION_TOLERANCE = 1e-6
MAX_BYTES = 200_000_000
SERIES = "TimeSeries"

T = TypeVar("T")
Item = TypeVar("Item")


@dataclass
class Node:
    """One line with the lines below it; `text` without tabs and outer blanks."""

    text: str
    line: int
    file: str
    children: list[Node] = field(default_factory=list)

    def fail(self, message: str) -> NoReturn:
        raise InputError([Diagnostic(message, self.file, self.line)])

    def find(self, keyword: str) -> Node | None:
        """The one child with this keyword; two of them are an error."""
        found = [child for child in self.children if child.text == keyword]
        if len(found) > 1:
            found[1].fail(f"{self.text} has {keyword} twice, first in line {found[0].line}")
        return found[0] if found else None

    def get(self, keyword: str) -> Node:
        found = self.find(keyword)
        if found is None:
            names = ", ".join(child.text for child in self.children[:12]) or "nothing"
            self.fail(f"{self.text} needs {keyword}; found below it: {names}")
        return found

    def only(self, known: Iterable[str]) -> None:
        """Complain about the first child whose keyword is not one of `known`."""
        known = set(known)
        for child in self.children:
            if child.text not in known:
                listed = ", ".join(sorted(known))
                child.fail(f"unknown {_short(child.text)!r} in {self.text}; known: {listed}")

    def word(self, keyword: str, default: str | None = None) -> str:
        """The one line of text below `keyword`; `default` where it or its value is absent."""
        found = self.get(keyword) if default is None else self.find(keyword)
        if found is None or (default is not None and not found.children):
            return default or ""
        if len(found.children) != 1 or found.children[0].children:
            count = len(found.children)
            found.fail(f"{keyword} of {self.text} needs one line of text, found {count}")
        return found.children[0].text

    def number(self, keyword: str, default: float | None = None) -> float:
        found = self.get(keyword) if default is None else self.find(keyword)
        if found is None:
            assert default is not None
            return default
        return float(_numbers(found, rows=1, columns=1)[0, 0])

    def vector(self, keyword: str) -> np.ndarray:
        """(3,): the numbers below `keyword`."""
        return _numbers(self.get(keyword), rows=1, columns=3)[0]

    def rotation(self, keyword: str = "RotationMatrix") -> np.ndarray:
        """(3, 3): the rotation nearest to the matrix below `keyword`; its columns are the axes."""
        found = self.get(keyword)
        matrix = _numbers(found, rows=3, columns=3)
        if np.abs(matrix).max() > 2 or np.linalg.det(matrix) <= 0:
            found.fail(f"{keyword} is not a rotation: it must have determinant +1")
        u, _, vt = np.linalg.svd(matrix)
        nearest = u @ vt
        if np.abs(nearest - matrix).max() > ROTATION_TOLERANCE:
            off = np.abs(nearest - matrix).max()
            found.fail(f"{keyword} is not a rotation: the nearest one differs by {off:.2g}")
        return nearest

    def frame(self) -> np.ndarray:
        """(4, 4): the pose that Position3D and RotationMatrix of this item give, in its parent."""
        X = np.eye(4)
        X[:3, 3] = self.vector("Position3D")
        X[:3, :3] = self.rotation()
        return X


def _numbers(node: Node, rows: int, columns: int) -> np.ndarray:
    """(rows, columns): the numbers in the lines below a keyword."""
    if len(node.children) != rows:
        lines = "line" if rows == 1 else "lines"
        node.fail(
            f"{node.text} needs {rows} {lines} of {columns} numbers, found {len(node.children)}"
        )
    result = np.empty((rows, columns))
    for i, child in enumerate(node.children):
        words = child.text.split()
        if len(words) != columns or child.children:
            child.fail(
                f"{node.text} needs {columns} numbers in a line, found {_short(child.text)!r}"
            )
        result[i] = numbers(words, child)
    return result


def numbers(words: list[str], where: Node) -> list[float]:
    values = []
    for word in words:
        value = parse_number(word)
        if value is None:
            where.fail(f"{_short(word)!r} is not a number; written like 2, 0.5, 1.0e-9 or 2.0d")
        values.append(value)
    return values


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def each(items: Iterable[Item], work: Callable[[Item], T]) -> Iterator[T]:
    """The result of `work` for every item; the findings of all of them come in one error."""
    findings: list[Diagnostic] = []
    results: list[T] = []
    for item in items:
        try:
            results.append(work(item))
        except InputError as error:
            findings += error.diagnostics
    if findings:
        raise InputError(findings)
    return iter(results)


def read_tree(path: str | Path) -> tuple[Node, list[Node]]:
    """The Assembly line with everything below it, and the lines of the stored results."""
    file = str(path)
    lines = _lines(path)
    start = Node(file, 1, file)
    if len(lines) < 2 or not lines[0].strip() or lines[1].rstrip() != "Assembly":
        found = _short(lines[1].strip()) if len(lines) > 1 else "the end of the file"
        start.fail(
            "not an .asmt model: a banner line and then 'Assembly' were expected, "
            f"found {found!r} in line 2"
        )
    end = next((i for i, line in enumerate(lines) if line.rstrip() == SERIES), len(lines))
    assembly = _tree(lines[1:end], file)
    rows = [
        Node(line.strip(), number, file)
        for number, line in enumerate(lines[end + 1 :], end + 2)
        if line.strip()
    ]
    if end < len(lines) and not rows:
        Node(SERIES, end + 1, file).fail("TimeSeries is empty; the file ends too early")
    return assembly, rows


def _lines(path: str | Path) -> list[str]:
    file = str(path)
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError([Diagnostic(f"cannot be read: {reason}", file)]) from None
    if len(data) > MAX_BYTES:
        raise InputError([Diagnostic(f"is larger than {MAX_BYTES // 1_000_000} MB", file)])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8 text; an .asmt model is plain text"
        raise InputError([Diagnostic(message, file, line)]) from None
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        # One test for the whole line is fast; only a line that fails it is looked at closely.
        if not line.isprintable():
            bad = [c for c in line.rstrip("\r") if ord(c) < 32 and c != "\t"]
            if bad:
                message = f"control character {bad[0]!r}; an .asmt model is plain text"
                raise InputError([Diagnostic(message, file, number)])
    return lines


def _tree(lines: list[str], file: str) -> Node:
    """The tree of `lines`; the first one is line 2 of the file and the root."""
    root = Node(lines[0].strip(), 2, file)
    above = [root]  # above[d] is the last line seen with d tabs
    for number, line in enumerate(lines[1:], 3):
        text = line.strip()
        if not text:
            continue
        depth = len(line) - len(line.lstrip("\t"))
        node = Node(text, number, file)
        if depth == 0:
            node.fail(f"found {_short(text)!r} without a tab; a section of Assembly has one")
        if depth > len(above):
            parent = above[-1].text
            node.fail(
                f"{depth} tabs before {_short(text)!r}, at most {len(above)} were expected below "
                f"{_short(parent)!r}"
            )
        del above[depth:]
        above[-1].children.append(node)
        above.append(node)
    return root
