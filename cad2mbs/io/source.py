"""From what the user names to an assembly: a folder, a file, or the name of a shipped one."""

from __future__ import annotations

import os
from pathlib import Path

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.io import mates_file
from cad2mbs.model.assembly import Assembly
from cad2mbs.wording import closest, listed, quoted, shown_path

SHIPPED = Path(__file__).resolve().parents[2] / "assemblies"  # in a checkout, beside the package
YAML_ENDINGS = (".yaml", ".yml")
ASMT_ENDING = ".asmt"
STEP_ENDINGS = (".step", ".stp", ".p21")
FREECAD_ENDING = ".fcstd"
READABLE = (*YAML_ENDINGS, ASMT_ENDING, FREECAD_ENDING, *STEP_ENDINGS)
KINDS = (
    f"a STEP file ({', '.join(STEP_ENDINGS)}), a mates file ({', '.join(YAML_ENDINGS)}), "
    f"a folder with {mates_file.ASSEMBLY_FILE}, a FreeCAD assembly ({FREECAD_ENDING}), "
    f"an Ondsel model ({ASMT_ENDING})"
)


def load(path: str | os.PathLike[str]) -> Assembly:
    """The assembly that `path` names; InputError says what was found and what can be read."""
    place = find(path)
    if place.suffix.lower() in YAML_ENDINGS:
        return mates_file.read(place)
    if place.suffix.lower() == ASMT_ENDING:
        from cad2mbs.io.asmt import read  # only on demand: most runs never need it

        return read(place)
    if place.suffix.lower() == FREECAD_ENDING:
        from cad2mbs.io.fcstd import read

        return read(place)
    if place.suffix.lower() in STEP_ENDINGS:
        return _step(place)
    ending = f"that ends in {quoted(place.suffix)}" if place.suffix else "without an ending"
    raise _refused(place, f"found a file {ending}")


def _step(place: Path) -> Assembly:
    """The mechanism that a STEP file carries, else its parts without mates."""
    from cad2mbs.io.kinematics import carries_mechanism, read_mechanism

    if carries_mechanism(place):
        return read_mechanism(place)
    from cad2mbs.io.step_source import read

    return read(place)


def shipped() -> list[str]:
    """Names of the assemblies beside the package; [] where there is no checkout."""
    return sorted(p.parent.name for p in SHIPPED.glob(f"*/{mates_file.ASSEMBLY_FILE}"))


def find(path: str | os.PathLike[str]) -> Path:
    """The file that is meant; InputError if there is none."""
    path = Path(path)
    try:
        if path.is_dir():
            return _in_folder(path)
        if path.exists():
            return path
    except (OSError, ValueError) as error:  # names too long, or with a NUL
        raise _refused(path, f"no such file: {error}") from None
    names = shipped()
    if len(path.parts) == 1 and path.name in names:
        return SHIPPED / path.name / mates_file.ASSEMBLY_FILE
    raise _refused(path, "there is no such file or folder" + _near(path, names))


def _in_folder(folder: Path) -> Path:
    file = folder / mates_file.ASSEMBLY_FILE
    if file.is_file():
        return file
    readable = sorted(
        p.name for p in folder.iterdir() if p.suffix.lower() in READABLE and p.is_file()
    )
    hint = f"; name one of its files: {listed(readable)}" if readable else ""
    raise _refused(folder, f"found a folder without {mates_file.ASSEMBLY_FILE}{hint}")


def _near(path: Path, names: list[str]) -> str:
    """What the user may have meant: a neighbour of the missing file, or a shipped assembly."""
    try:
        neighbours = [p.name for p in path.parent.iterdir() if _readable(p)]
    except OSError:
        neighbours = []
    stems = {Path(name).stem: name for name in neighbours}  # endings are alike without meaning it
    near = closest(path.stem, stems)
    if near is not None:
        return f"; did you mean '{shown_path(path.with_name(stems[near]))}'?"
    near = closest(path.name, names)
    if near is not None:
        return f"; did you mean the shipped assembly {quoted(near)}?"
    return f". Shipped assemblies: {listed(names, 30)}" if names else ""


def _readable(path: Path) -> bool:
    return path.suffix.lower() in READABLE or (path / mates_file.ASSEMBLY_FILE).is_file()


def _refused(path: Path, found: str) -> InputError:
    stop = "" if found.endswith("?") else "."
    return InputError([Diagnostic(f"{found}{stop} Wanted {KINDS}", shown_path(path))])
