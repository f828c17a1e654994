"""Files that the page sends: into a private folder that is gone when the server ends.

One set is one folder, so that a mates file finds the STEP file sent along with it.
"""

from __future__ import annotations

import atexit
import re
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.io import source
from cad2mbs.wording import quoted

PREFIX = "upload:"  # of the source of an uploaded file
MEGABYTE = 1_000_000
FILES = 1000  # of all sets
SHARE = 5  # all files together may be so many times as large as one
SET = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
LONGEST = 150  # characters of a name that are kept
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?\Z", re.IGNORECASE)  # on Windows


class Uploads:
    """The private folder; `limit` is the size of one file [bytes]."""

    def __init__(self, limit: int):
        self.limit = limit
        self._folder: Path | None = None
        self._names: dict[tuple[str, str], str] = {}  # set and given name -> folder of the set
        self._sets: dict[str, str] = {}
        self._stored: dict[tuple[str, str], int] = {}  # sizes [bytes]
        self._coming = 0  # bytes of files on their way

    @property
    def folder(self) -> Path:
        """Made when it is first needed; no one else on the machine can read it."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="cad2mbs-"))
            atexit.register(self.close)  # a server in a thread may not get to say goodbye
        return self._folder

    async def take(self, set_name: str, name: str, chunks: AsyncIterator[bytes]) -> str:
        """Store a file as it comes in and return its source; InputError if it is refused."""
        if not SET.match(set_name):
            raise InputError("upload: the set must be 1 to 64 letters, digits, - or _")
        kept = kept_name(name)
        if max(len(self._names), len(self._sets)) >= FILES:
            raise InputError(f"upload: {FILES} files are here already; start the server anew")
        folder = self.folder / self._sets.setdefault(set_name, secrets.token_hex(8))
        folder.mkdir(exist_ok=True)
        temporary = folder / f".{secrets.token_hex(8)}.part"
        try:
            size = await self._store(temporary, kept, chunks)
            temporary.replace(folder / kept)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        self._stored[set_name, kept] = size
        self._names[set_name, kept] = folder.name
        return f"{PREFIX}{set_name}/{kept}"

    async def _store(self, place: Path, name: str, chunks: AsyncIterator[bytes]) -> int:
        size = 0
        try:
            with place.open("xb") as file:
                async for chunk in chunks:
                    size += len(chunk)
                    self._coming += len(chunk)
                    self._require_room(name, size)
                    file.write(chunk)
            return size
        finally:
            self._coming -= size

    def _require_room(self, name: str, size: int) -> None:
        """TooLarge if a file, or all of them with those on their way, take too many bytes."""
        if size > self.limit:
            raise TooLarge(
                f"upload: {quoted(name)} is larger than {self.limit / MEGABYTE:g} MB; "
                "start the server with a larger --max-upload, or open it from the folder"
            )
        if sum(self._stored.values()) + self._coming > SHARE * self.limit:
            raise TooLarge("upload: all files together are too large; start anew")

    def path(self, text: str) -> Path:
        """The file behind a source that `take` returned."""
        set_name, _, name = text.removeprefix(PREFIX).partition("/")
        folder = self._names.get((set_name, name))
        if folder is None:
            raise InputError(f"there is no uploaded file {quoted(text)}; send it again")
        return self.folder / folder / name

    def holds(self, place: Path) -> bool:
        return self._folder is not None and self._folder.resolve() in place.resolve().parents

    def close(self) -> None:
        """Remove everything."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
            atexit.unregister(self.close)


class TooLarge(InputError):
    """More bytes than the server takes."""


def kept_name(name: str) -> str:
    """The name a file is stored under: no folders, no control characters, a readable ending."""
    last = re.split(r"[/\\]", name)[-1]
    clean = "".join(c if c.isprintable() and c not in '<>:"|?*' else "_" for c in last)
    clean = clean.strip(". ")
    stem, ending = Path(clean).stem, Path(clean).suffix
    if ending.lower() not in source.READABLE or not stem:
        raise InputError(
            [
                Diagnostic(
                    f"upload: this file is not read. Wanted {source.KINDS}", quoted(name)[1:-1]
                )
            ]
        )
    clean = _shortened(stem, ending)
    return f"_{clean}" if RESERVED.match(clean) else clean


def _shortened(stem: str, ending: str) -> str:
    """The name within what file systems take, which count bytes."""
    kept = stem[:LONGEST].encode(errors="replace")[: 200 - len(ending)].decode(errors="ignore")
    return kept + ending
