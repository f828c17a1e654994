"""The folder that is served: what can be opened in it and saved to it, and nothing outside.

Names come from the page and are taken as paths within the folder. What a symbolic link leads to is
what counts, so none leads outside.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.io import source
from cad2mbs.io.mates_file import ASSEMBLY_FILE
from cad2mbs.wording import quoted, shown_path

MOST = 500  # entries of a listing
LOOKED_AT = 10_000  # entries of a folder that are looked at
HEAD = 64 * 1024  # bytes of a YAML file in which its first key is looked for
MATES_KEY = re.compile(rb"^[ \t{\"']*cad2mbs[\"']?[ \t]*:", re.MULTILINE)


class Folder:
    """A folder and what lies in it; `also` are folders that may be written to beside it."""

    def __init__(self, root: Path, also: tuple[Path, ...] = ()):
        self.root = Path(os.path.realpath(root))
        self.also = tuple(Path(os.path.realpath(f)) for f in also)

    def path(self, name: str) -> Path:
        """The real path that a name from the page means; InputError if it lies outside."""
        try:
            place = Path(os.path.realpath(self.root / name))
        except (OSError, ValueError):  # too long, a NUL, a ring of links
            raise refused(name, "this is no name of a file") from None
        if (within := self.around(place)) is None:
            raise refused(name, f"this lies outside the served folder {self.root}")
        if any(part.startswith(".") for part in place.relative_to(within).parts):
            raise refused(name, "hidden files and folders are not served")
        return place

    def around(self, place: Path) -> Path | None:
        """The served folder that a real path lies in, None where it lies outside."""
        folders = (self.root, *self.also)
        return next((f for f in folders if place == f or f in place.parents), None)

    def shown(self, place: Path) -> str:
        """The name by which the page knows a path: within the folder, '' is the folder itself."""
        if place == self.root:
            return ""
        if self.root in place.parents:
            return place.relative_to(self.root).as_posix()
        return str(place)

    def browse(self, name: str) -> dict[str, Any]:
        """Folders and readable files, as the message `files`."""
        place = self.path(name)
        if not place.is_dir():
            raise refused(name, "there is no such folder")
        entries = sorted(self._entries(place), key=lambda e: (e["kind"], e["name"].lower()))
        return {
            "type": "files",
            "folder": self.shown(place),
            "parent": self.shown(place.parent) if self.root in place.parents else None,
            "entries": entries[:MOST],
        }

    def _entries(self, folder: Path) -> Iterator[dict[str, str]]:
        try:
            with os.scandir(folder) as found:
                names = [entry.name for entry, _ in zip(found, range(LOOKED_AT), strict=False)]
        except OSError as error:
            raise refused(folder, f"cannot be read: {error.strerror}") from None
        for name in names:
            try:
                name.encode()  # a name that is no text cannot be shown, nor asked for
                place = self.path(str(folder / name))
            except (InputError, UnicodeEncodeError):
                continue
            kind = _kind(place)
            if kind:
                yield {"name": name, "kind": kind, "source": self.shown(folder / name)}


def _kind(place: Path) -> str:
    """'folder', 'source', or '' for what is not offered; a folder with a mates file is a source."""
    try:
        if place.is_dir():
            return "source" if (place / ASSEMBLY_FILE).is_file() else "folder"
        if not place.is_file():
            return ""
    except OSError:
        return ""
    ending = place.suffix.lower()
    if ending in source.YAML_ENDINGS:
        return "source" if _is_mates_file(place) else ""
    return "source" if ending in source.READABLE else ""


def _is_mates_file(place: Path) -> bool:
    """Whether a YAML file states the format on a line, as every mates file does."""
    try:
        with place.open("rb") as file:
            head = file.read(HEAD)
    except OSError:
        return False
    return MATES_KEY.search(head.removeprefix(b"\xef\xbb\xbf")) is not None


def refused(name: object, message: str) -> InputError:
    """An error about a name that comes from the page, shown without what no line can hold."""
    return InputError([Diagnostic(message, quoted(shown_path(name), 1000)[1:-1])])
