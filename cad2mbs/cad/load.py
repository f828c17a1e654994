"""STEP files as documents: read in a process of their own, remembered in the user's cache."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import tempfile
from pathlib import Path

from cad2mbs.cad import cache as entries
from cad2mbs.cad import facts, stored
from cad2mbs.cad.document import Document
from cad2mbs.cad.worker import Limits, Worker

__all__ = ["Limits", "Worker", "read"]


def read(
    path: str | os.PathLike[str],
    *,
    tolerance: float | None = None,
    limits: Limits | None = None,
    cache: bool = True,
    worker: Worker | None = None,
) -> Document:
    """The document in a STEP file; InputError says what is wrong with it.

    tolerance  of the meshes [mm]; None: 1/1000 of each part's size
    limits     on time and memory; by default from the environment
    worker     reads many files without a new process for each
    """
    path = Path(path)
    limits = limits or Limits()
    files = facts.files_of(path)
    where = entries.folder() if cache else None
    if where is None:
        return _uncached(path, tolerance, limits, worker)
    parent = path.resolve().parent
    contents = [(os.path.relpath(p.resolve(), parent), text.data) for p, text in files]
    # The file's name is part of the key: it names what has no name in the file.
    name = entries.key(contents, _kernel_version(), [tolerance])
    found = entries.find(where, name)
    if found is None:
        try:
            draft = entries.drafted(where)
            with draft as folder:
                found = _made(path, folder, tolerance, limits, worker)
                # A file that was written meanwhile must not be remembered under its old content.
                if [text.data for _, text in facts.files_of(path)] == [c for _, c in contents]:
                    entries.keep(folder, name)
        except OSError:  # no place or no right to write there
            return _uncached(path, tolerance, limits, worker)
        with contextlib.suppress(OSError):
            entries.trim(where)
    # Equal files in two places share an entry.
    return dataclasses.replace(found, source=str(path), files=tuple(str(p) for p, _ in files))


def _uncached(
    path: Path, tolerance: float | None, limits: Limits, worker: Worker | None
) -> Document:
    with tempfile.TemporaryDirectory(prefix="cad2mbs-") as folder:
        return _made(path, Path(folder), tolerance, limits, worker)


def _made(
    path: Path, folder: Path, tolerance: float | None, limits: Limits, worker: Worker | None
) -> Document:
    if worker is not None:
        worker.read(path, folder, limits, tolerance)
    else:
        with Worker() as one:
            one.read(path, folder, limits, tolerance)
    return stored.load(folder)


def _kernel_version() -> str:
    from cad2mbs.cad.kernel.quiet import kernel_version

    return kernel_version()
