"""Objects of `.FCStd` files by what their properties say, across the files that link each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PureWindowsPath
from typing import NoReturn

import numpy as np

from cad2mbs.io.fcstd_archive import Archive, refused
from cad2mbs.io.fcstd_xml import Element, Raw, objects
from cad2mbs.model.pose import Pose
from cad2mbs.wording import listed, quoted

MOST_FILES = 500
# Numbers are written with 16 digits; a quaternion further off unit length is something else.
QUATERNION_TOLERANCE = 1e-6
ENDING = ".fcstd"


@dataclass(frozen=True)
class Pointer:
    """What a link property points at: an object by name, in this file or another one."""

    name: str
    file: str = ""
    subs: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Thing:
    """An object of a file."""

    file: File
    raw: Raw

    @property
    def key(self) -> tuple[Path, str]:
        """What tells it from all others."""
        return self.file.path, self.raw.name

    @property
    def name(self) -> str:
        return self.raw.name

    @property
    def type(self) -> str:
        return self.raw.type

    @cached_property
    def label(self) -> str:
        """The name the user sees."""
        return self.text("Label") or self.raw.name

    def __str__(self) -> str:
        """The object as messages name it."""
        own = quoted(self.label)
        return own if self.label == self.name else f"{own} ({quoted(self.name)[1:-1]})"

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        refused(self.file.path, f"object {self}: {message}", line or self.raw.line)

    def has(self, *names: str) -> bool:
        return any(name in self.raw.properties for name in names)

    def _value(self, name: str, tag: str) -> Element | None:
        """The element that holds the value; None where the object has no such property."""
        held = self.raw.properties.get(name)
        return next(iter(held.below(tag)), None) if held is not None else None

    def text(self, name: str) -> str:
        found = self._value(name, "String")
        return found.get("value") if found is not None else ""

    def flag(self, name: str, default: bool = False) -> bool:
        found = self._value(name, "Bool")
        return found.get("value").lower() in ("true", "1") if found is not None else default

    def number(self, name: str, default: float = 0.0) -> float:
        found = self._value(name, "Float")
        return self._number(found, "value", name) if found is not None else default

    def count(self, name: str) -> int:
        found = self._value(name, "Integer")
        return int(self._number(found, "value", name)) if found is not None else 0

    def _number(self, element: Element, attribute: str, name: str) -> float:
        text = element.get(attribute)
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.fail(f"{name} is {quoted(text)}; a number was wanted", element.line)
        return value

    def choice(self, name: str, usual: tuple[str, ...]) -> str:
        """The word of an enumeration: an index into the list in the file, else into `usual`."""
        found = self._value(name, "Integer")
        own = self._value(name, "CustomEnumList")
        words = [e.get("value") for e in own.below("Enum")] if own is not None else list(usual)
        number = int(self._number(found, "value", name)) if found is not None else -1
        if not 0 <= number < len(words):
            self.fail(f"{name} is choice {number} of {len(words)}: {listed(words, 20)}")
        return words[number]

    def placement(self, name: str = "Placement") -> np.ndarray:
        """(4, 4): the placement in the property [mm]; the identity where there is none."""
        found = self._value(name, "PropertyPlacement")
        X = np.eye(4)
        if found is None:
            return X
        X[:3, 3] = [self._number(found, f"P{axis}", name) for axis in "xyz"]
        x, y, z, w = (self._number(found, f"Q{i}", name) for i in range(4))
        length = math.hypot(x, y, z, w)
        if abs(length - 1.0) > QUATERNION_TOLERANCE:
            self.fail(
                f"{name}: a quaternion of length 1 was wanted, found {length:.6g}", found.line
            )
        X[:3, :3] = Pose((0, 0, 0), (w / length, x / length, y / length, z / length)).rotation()
        return X

    def pointers(self, name: str) -> list[Pointer]:
        """What a link property, or a list of links, points at."""
        held = self.raw.properties.get(name)
        return [p for e in (held.children if held is not None else ()) for p in _pointers(e)]

    def pointer(self, name: str) -> Pointer | None:
        return next(iter(self.pointers(name)), None)


def _pointers(element: Element) -> list[Pointer]:
    """The links in one element, whichever of its forms the writer chose."""
    if element.tag in ("LinkList", "XLinkList", "LinkSubList", "XLinkSubList"):
        return [p for child in element.children for p in _pointers(child)]
    name = element.get("name") or element.get("value") or element.get("obj")
    if element.tag not in ("Link", "XLink", "LinkSub", "XLinkSub") or not name:
        return []
    subs = [sub.get("value") for sub in element.below("Sub")]
    if not subs and "sub" in element.attributes:
        subs = [element.get("sub")]
    return [Pointer(name, element.get("file"), tuple(subs))]


class File:
    """One `.FCStd` file and its objects."""

    def __init__(self, path: Path, archive: Archive):
        self.path, self.archive = path, archive
        raws = objects(archive.document(), path)
        self.things = {name: Thing(self, raw) for name, raw in raws.items()}


class Library:
    """All files read for one assembly: the first one, and those beside it that it links to."""

    def __init__(self, path: Path):
        self.folder = path.resolve().parent
        self._files: dict[Path, File] = {}
        self._archives: list[Archive] = []
        try:
            self.main = self._file(path)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for archive in self._archives:
            archive.close()

    @property
    def count(self) -> int:
        """Number of files read so far."""
        return len(self._files)

    def _file(self, path: Path) -> File:
        key = path.resolve()
        if key not in self._files:
            if len(self._files) >= MOST_FILES:
                refused(path, f"more than {MOST_FILES} files are linked together")
            archive = Archive(path)
            self._archives.append(archive)
            self._files[key] = File(path, archive)
        return self._files[key]

    def target(self, owner: Thing, pointer: Pointer) -> Thing:
        """The object a link points at; InputError names the object that has the link."""
        file = owner.file if not pointer.file else self._beside(owner, pointer.file)
        if pointer.name not in file.things:
            place = "this file" if file is owner.file else quoted(file.path.name)
            owner.fail(f"links to {quoted(pointer.name)}, which {place} does not hold")
        return file.things[pointer.name]

    def targets(self, owner: Thing, name: str) -> list[Thing]:
        return [self.target(owner, pointer) for pointer in owner.pointers(name)]

    def _beside(self, owner: Thing, name: str) -> File:
        """The other file a link names, which must lie in the folder of the first or below."""
        text = name.replace("\\", "/")
        place = (owner.file.path.parent / text).resolve() if not _absolute(text) else None
        if place is None or not place.is_relative_to(self.folder):
            owner.fail(
                f"links to {quoted(name, 200)}, which is outside the folder of the assembly; "
                "keep all files of an assembly in one folder"
            )
        if place.suffix.lower() != ENDING:
            owner.fail(f"links to {quoted(name, 200)}; an .FCStd file was wanted")
        if not place.is_file():
            owner.fail(f"links to the file {quoted(name, 200)}, which is not there; put it back")
        return self._file(owner.file.path.parent / text)


def _absolute(name: str) -> bool:
    return bool(PureWindowsPath(name).anchor) or "\0" in name or "://" in name
