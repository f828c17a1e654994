"""Where a changed assembly may be saved, and its text to take away.

Only within the served folder and the folder of what the command named. A shipped assembly is never
overwritten; a copy of it, and what was uploaded, is saved along with its CAD files.
"""

from __future__ import annotations

import filecmp
from dataclasses import replace
from pathlib import Path

from cad2mbs.errors import InputError
from cad2mbs.io import mates_edit, mates_file
from cad2mbs.io.mates_text import to_text
from cad2mbs.io.source import STEP_ENDINGS, YAML_ENDINGS
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.check import checked
from cad2mbs.viewer import gallery
from cad2mbs.viewer.folders import Folder, refused
from cad2mbs.viewer.uploads import Uploads
from cad2mbs.viewer.workbench import Workbench
from cad2mbs.wording import quoted


def save(
    bench: Workbench, folder: Folder, uploads: Uploads, path: str, over: bool
) -> tuple[str, tuple[str, ...]]:
    """Write the mates file; its name within the folder, and what there is to tell.

    An empty path stands for the source.
    """
    place = target(bench, folder, path)
    source = Path(bench.read.source) if bench.read.source else None
    notes: tuple[str, ...] = ()
    if source is None:
        _require_free(place, over)
        mates_file.write(bench.whole, place)
    elif uploads.holds(source) or gallery.is_shipped(source):
        notes = _save_with_cad(bench, source, folder, place, over)
    else:
        notes = mates_edit.save(bench.read, bench.whole, place, over)
        if place == source.resolve():
            bench.read = bench.whole
    bench.saved = bench.whole
    return folder.shown(place), notes


def target(bench: Workbench, folder: Folder, path: str) -> Path:
    """The file to write; InputError where that is not allowed."""
    if path.strip() == "":
        path = _default(bench, folder)
    if Path(path).suffix.lower() not in YAML_ENDINGS:
        raise refused(path, f"wanted a name that ends in {' or '.join(YAML_ENDINGS)}")
    place = folder.path(path)
    if place.is_dir() or not place.parent.is_dir():
        raise refused(path, "this is no place for a file; choose an existing folder")
    if gallery.is_shipped(place):
        raise refused(path, "shipped assemblies are not overwritten; choose another name")
    return place


def _default(bench: Workbench, folder: Folder) -> str:
    """The source itself where it may be written, else a new file in the served folder."""
    source = Path(bench.read.source)
    if source.suffix.lower() in YAML_ENDINGS and not gallery.is_shipped(source):
        try:
            return str(folder.path(str(source.resolve())))
        except InputError:
            pass
    return file_name(bench.whole)


def file_name(assembly: Assembly) -> str:
    """A file name made from the assembly's name."""
    letters = [c if c.isalnum() or c in "-_" else "_" for c in assembly.name[:80]]
    return ("".join(letters).strip("_").lower() or "assembly") + ".yaml"


def text(bench: Workbench) -> str:
    """The mates file as it would be saved beside its source."""
    before, after = bench.read, bench.whole
    source = Path(before.source)
    if source.suffix.lower() in YAML_ENDINGS and source.is_file():
        return mates_edit.edited(mates_file.content(source), before, after).decode()
    if after.cad is None and source.suffix.lower() in STEP_ENDINGS:
        after = replace(after, cad=source.name)
    return to_text(checked(after))


def _save_with_cad(
    bench: Workbench, source: Path, folder: Folder, place: Path, over: bool
) -> tuple[str, ...]:
    """Write what lies elsewhere, with copies of its CAD files beside it; tells which were made."""
    _require_free(place, over)
    content = text(bench).encode()
    names = {bench.whole.cad, *(part.cad for part in bench.whole.parts.values())}
    if source.suffix.lower() in STEP_ENDINGS:
        names.add(source.name)
    copies: dict[str, Path] = {}
    for name in sorted(n for n in names if n):
        there = folder.path(str(place.parent / name))  # where a link leads
        if not there.exists():
            copies[name] = there
        elif not there.is_file() or not filecmp.cmp(source.parent / name, there, shallow=False):
            raise refused(there, "another file of this name is here; save into another folder")
    for name, there in copies.items():
        mates_file.write_bytes((source.parent / name).read_bytes(), there)
    mates_file.write_bytes(content, place)
    return tuple(f"the CAD file {quoted(name)} is copied beside it" for name in copies)


def _require_free(place: Path, over: bool) -> None:
    if place.exists() and not over:
        raise refused(place, "the file exists; choose another name, or say that it is replaced")
