"""The zip file behind `.FCStd`: entries read within bounds, whatever the file claims of itself."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import NoReturn

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.wording import quoted, shown_path

DOCUMENT = "Document.xml"
MOST_ENTRIES = 20_000
MOST_BYTES = 1 << 30  # of one entry, unpacked
MOST_TEXT = 200 << 20  # of Document.xml, unpacked
MOST_TOTAL = 4 << 30  # of all entries that are read
# Text of shapes and XML shrinks to a tenth, drawings of nothing to a hundredth; bombs to less.
MOST_RATIO = 300
SMALL = 1 << 20  # bytes below which any ratio will do
CHUNK = 1 << 20


def refused(path: Path, message: str, line: int | None = None) -> NoReturn:
    """Raise the InputError that says what is wrong with a file."""
    raise InputError([Diagnostic(message + ".", shown_path(path), line)])


class Archive:
    """One `.FCStd` file, open until closed."""

    def __init__(self, path: Path):
        self.path = path
        self.read_so_far = 0
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError:
            refused(path, "no such file; check the name")
        except zipfile.BadZipFile:
            refused(
                path, "not an .FCStd file, or cut short: a zip archive was wanted. Save it again"
            )
        except (OSError, NotImplementedError, ValueError) as error:
            refused(path, f"cannot be read: {getattr(error, 'strerror', None) or error}")
        self._entries = {info.filename: info for info in self._zip.infolist()}
        if len(self._entries) > MOST_ENTRIES:
            self.close()
            refused(path, f"holds {len(self._entries)} entries, more than {MOST_ENTRIES}")

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def document(self) -> bytes:
        """The text of Document.xml."""
        if DOCUMENT not in self:
            refused(
                self.path,
                f"holds no {DOCUMENT}: not an .FCStd file. Save the assembly in FreeCAD again",
            )
        return self.read(DOCUMENT, MOST_TEXT)

    def read(self, name: str, most: int = MOST_BYTES) -> bytes:
        """The bytes of an entry; InputError where it is missing, damaged or unpacks to too much."""
        if name not in self:
            refused(self.path, f"the entry {quoted(name)} is missing; save the file again")
        info = self._entries[name]
        if info.flag_bits & 1:
            refused(self.path, f"the entry {quoted(name)} is encrypted; save it without a password")
        try:
            return self._unpacked(info, most)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            refused(
                self.path, f"the entry {quoted(name)} is damaged ({error}); save the file again"
            )

    def _unpacked(self, info: zipfile.ZipInfo, most: int) -> bytes:
        """The content, counted while it comes: the sizes in the headers may lie."""
        packed = max(info.compress_size, 1)
        out = bytearray()
        with self._zip.open(info) as stream:
            while chunk := stream.read(CHUNK):
                out += chunk
                self.read_so_far += len(chunk)
                bomb = len(out) > SMALL and len(out) > MOST_RATIO * packed
                if bomb or len(out) > most or self.read_so_far > MOST_TOTAL:
                    refused(
                        self.path,
                        f"the entry {quoted(info.filename)} unpacks to more than can be meant "
                        f"({len(out) >> 20} MB and more from {packed >> 10} kB)",
                    )
        return bytes(out)
