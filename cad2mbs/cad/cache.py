"""Documents kept in the user's cache folder, found by what was read and with what.

An entry is a folder that is whole or not there: it is written under another name, with a manifest
of sizes and checksums, and renamed. Whoever finds it damaged deletes it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from cad2mbs.cad import stored
from cad2mbs.cad.document import Document

VARIABLE = "CAD2MBS_CACHE"  # a folder, or "off"
MANIFEST = "manifest.json"
DRAFT = "draft-"  # how folders begin that are being written or deleted
ENTRY = re.compile("[0-9a-f]{64}")
LARGEST = 2 << 30  # bytes of all entries; the ones not used for longest go first
ABANDONED = 24 * 3600  # [s] after which a half-written entry is nobody's


def folder() -> Path | None:
    """The folder of the cache; None where it is switched off."""
    stated = os.environ.get(VARIABLE, "")
    if stated.lower() == "off":
        return None
    if stated:
        return Path(stated) / "cad2mbs-step"  # an own folder: all in it may be deleted
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "cad2mbs" / "step"


def key(contents: list[tuple[str, bytes]], kernel: str, options: object) -> str:
    """The name of the entry: of all files with their names, of reader, kernel and options."""
    digest = hashlib.sha256()
    digest.update(json.dumps([stored.FORMAT, kernel, options, len(contents)]).encode())
    digest.update(_reader_version())
    for name, data in contents:
        digest.update(json.dumps([name, len(data)]).encode())
        digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()


@functools.cache
def _reader_version() -> bytes:
    """A checksum of the reader itself: what another version has read may differ."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.digest()


def find(where: Path, name: str) -> Document | None:
    """The document of an entry; None where there is none, or none that is whole."""
    entry = where / name
    try:
        if not entry.exists():
            return None
        _verify(entry)
        document = stored.load(entry)
    except Exception:  # whatever is wrong with it, it can be made again
        remove(entry)
        return None
    with contextlib.suppress(OSError):
        os.utime(entry)
    return document


@contextlib.contextmanager
def drafted(where: Path) -> Iterator[Path]:
    """A new folder within the cache to write an entry into; gone afterwards unless kept."""
    where.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=DRAFT, dir=where))
    try:
        yield draft
    finally:
        remove(draft)


def keep(draft: Path, name: str) -> None:
    """Make a draft the entry of this name; the first writer wins."""
    sums = {p.name: [p.stat().st_size, _checksum(p)] for p in sorted(draft.iterdir())}
    (draft / MANIFEST).write_text(json.dumps(sums), encoding="utf-8")
    with contextlib.suppress(OSError):  # another process was first: its entry is as good
        draft.replace(draft.parent / name)


def trim(where: Path, largest: int = LARGEST) -> None:
    """Remove what was not used for longest until the rest is within the limit."""
    entries = []
    for entry in where.iterdir():
        with contextlib.suppress(OSError):
            used = entry.stat().st_mtime
            if entry.name.startswith(DRAFT):
                if time.time() - used > ABANDONED:
                    remove(entry)
            elif ENTRY.fullmatch(entry.name):
                entries.append((used, sum(p.stat().st_size for p in entry.iterdir()), entry))
    total = sum(size for _, size, _ in entries)
    for _, size, entry in sorted(entries, key=lambda e: e[0]):
        if total <= largest:
            return
        remove(entry)
        total -= size


def remove(entry: Path) -> None:
    """Delete an entry or a draft; renamed first, so that nobody reads a half of it."""
    with contextlib.suppress(OSError):
        if entry.is_file():
            entry.unlink()
        elif not entry.name.startswith(DRAFT):
            gone = Path(tempfile.mkdtemp(prefix=DRAFT, dir=entry.parent))
            entry = entry.replace(gone)
    shutil.rmtree(entry, ignore_errors=True)


def _verify(entry: Path) -> None:
    sums = json.loads((entry / MANIFEST).read_text(encoding="utf-8"))
    for name in (stored.TREE, stored.NUMBERS):
        size, checksum = sums[name]
        path = entry / name
        if path.stat().st_size != size or _checksum(path) != checksum:
            raise ValueError(f"{name} is damaged")


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
