"""Where a changed assembly may be saved, and its text to take away.

Only within the served folder and the folder of what the command named; a shipped assembly is never
overwritten, a copy of it finds its CAD file. What was uploaded is saved along with its CAD files.
"""

from __future__ import annotations

import filecmp
import shutil
from dataclasses import replace
from pathlib import Path

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.io import mates_edit, mates_file
from cad2mbs.io.mates_text import to_text
from cad2mbs.io.source import STEP_ENDINGS, YAML_ENDINGS
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.check import checked
from cad2mbs.viewer import gallery
from cad2mbs.viewer.folders import Folder
from cad2mbs.viewer.uploads import Uploads
from cad2mbs.viewer.workbench import Workbench
from cad2mbs.wording import quoted, shown_path


def save(bench: Workbench, folder: Folder, uploads: Uploads, path: str, over: bool) -> str:
    """Write the mates file and return its name within the folder; '' stands for the source."""
    place = target(bench, folder, path)
    source = Path(bench.read.source) if bench.read.source else None
    if source is not None and uploads.holds(source):
        _save_with_cad(bench, source, place, over)
    elif source is None:
        _write_new(bench.whole, place, over)
    else:
        mates_edit.save(bench.read, bench.whole, place, over)
        if place == source.resolve():
            bench.read = bench.whole
    bench.saved = bench.whole
    return folder.shown(place)


def target(bench: Workbench, folder: Folder, path: str) -> Path:
    """The file to write; InputError where that is not allowed."""
    if path.strip() == "":
        path = _default(bench, folder)
    if Path(path).suffix.lower() not in YAML_ENDINGS:
        raise _refused(path, f"wanted a name that ends in {' or '.join(YAML_ENDINGS)}")
    place = folder.path(path)
    if place.is_dir() or not place.parent.is_dir():
        raise _refused(path, "this is no place for a file; choose an existing folder")
    if gallery.is_shipped(place):
        raise _refused(path, "shipped assemblies are not overwritten; choose another name")
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


def _write_new(assembly: Assembly, place: Path, over: bool) -> None:
    """Write an assembly that came from no file."""
    _require_free(place, over)
    mates_file.write(assembly, place)


def _save_with_cad(bench: Workbench, source: Path, place: Path, over: bool) -> None:
    """Write what was uploaded, with copies of its CAD files beside it."""
    _require_free(place, over)
    content = text(bench).encode()
    names = {bench.whole.cad, *(part.cad for part in bench.whole.parts.values())}
    if source.suffix.lower() in STEP_ENDINGS:
        names.add(source.name)
    for name in sorted(n for n in names if n):
        have, there = source.parent / name, place.parent / name
        if there.exists() and not filecmp.cmp(have, there, shallow=False):
            raise _refused(there, "another file of this name is here; save into another folder")
    for name in sorted(n for n in names if n):
        if not (place.parent / name).exists():
            shutil.copyfile(source.parent / name, place.parent / name)
    mates_file.write_bytes(content, place)


def _require_free(place: Path, over: bool) -> None:
    if place.exists() and not over:
        raise _refused(place, "the file exists; choose another name, or say that it is replaced")


def _refused(path: object, message: str) -> InputError:
    return InputError([Diagnostic(message, quoted(shown_path(path), 1000)[1:-1])])
