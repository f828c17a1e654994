"""What the text of a STEP file says and the CAD kernel drops: densities, mirrors, other files."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath

import numpy as np

from cad2mbs.cad.part21 import START, Enum, Part21, Ref, Typed, read_text
from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.wording import listed, quoted, shown_path

STEP_ENDINGS = (".stp", ".step", ".p21")
OTHER_ENDINGS = frozenset(
    ".3dm .3dxml .asm .bmp .brep .catdrawing .catpart .catproduct .csv .dgn .doc .docx .dwg .dxf "
    ".gif .glb .gltf .htm .html .iam .iges .igs .ipt .jpeg .jpg .json .jt .log .md .obj .odt .pdf "
    ".png .ppt .pptx .prt .ps .rtf .sat .sldasm .slddrw .sldprt .stl .svg .tif .tiff .txt .vda "
    ".vrml .wrl .x_b .x_t .xls .xlsx .xml .zip".split()
)  # of files that hold no part of a STEP file, and so may be missing
MOST_FILES = 10_000
SI_PREFIX = {
    "EXA": 1e18, "PETA": 1e15, "TERA": 1e12, "GIGA": 1e9, "MEGA": 1e6, "KILO": 1e3, "HECTO": 1e2,
    "DECA": 1e1, "DECI": 1e-1, "CENTI": 1e-2, "MILLI": 1e-3, "MICRO": 1e-6, "NANO": 1e-9,
    "PICO": 1e-12, "FEMTO": 1e-15, "ATTO": 1e-18,
}  # fmt: skip
PARALLEL = 1e-12  # length of a cross product of unit vectors below which they have one direction


@dataclass(frozen=True, eq=False)
class Mirror:
    """A placement in the text that turns right hands into left ones; lengths in file units."""

    X: np.ndarray  # (4, 4)  what the file says, determinant -1
    uses: int  # how many placements refer to it


def files_of(path: Path) -> list[tuple[Path, Part21]]:
    """A STEP file and all files it refers to, each once, the file itself first.

    InputError names every file that is missing, and where it is referred to.
    """
    found: dict[Path, Part21] = {}
    missing: list[Diagnostic] = []
    waiting = [path]
    folder = path.parent.resolve()
    while waiting:
        here = waiting.pop(0)
        key = here.resolve()
        if key in found:
            continue
        if len(found) >= MOST_FILES:
            raise InputError(f"{shown_path(path)}: refers to more than {MOST_FILES} files.")
        text = found[key] = read_text(here)
        for name in external_names(text):
            other = beside(here, name, folder)
            if other is None and _may_hold_parts(name):
                missing.append(_missing(here, name))
            elif other is not None and _is_step(other):
                waiting.append(other)
    if missing:
        raise InputError(missing)
    first = path.resolve()
    return [(path if key == first else key, text) for key, text in found.items()]


def _may_hold_parts(name: str) -> bool:
    """Whether a file of this name could be STEP; numbers of documents have no ending."""
    ending = PureWindowsPath(name.strip()).suffix.lower()
    return bool(ending) and ending not in OTHER_ENDINGS


def _missing(here: Path, name: str) -> Diagnostic:
    return Diagnostic(
        f"refers to the file {quoted(name, 200)}, which is not there; put it into the folder "
        f"{quoted(here.parent, 500)} or export the assembly into one file.",
        shown_path(here),
    )


def external_names(text: Part21) -> list[str]:
    """Names of the files this one refers to, each once; STEP files, drawings, texts, ..."""
    names: dict[str, None] = {}
    if not text.count("DOCUMENT_FILE"):
        return []
    located = {
        item.number: _first_text(entity)
        for _, entity in text.all("APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT")
        for item in (entity.args[-1] if entity.args and isinstance(entity.args[-1], list) else [])
        if isinstance(item, Ref)
    }
    for number, entity in text.all("DOCUMENT_FILE"):
        name = located.get(number) or _first_text(entity)
        if name.strip():
            names[name] = None
    return list(names)


def _first_text(entity: Typed) -> str:
    first = entity.args[0] if entity.args else ""
    return first if isinstance(first, str) else ""


def _is_step(path: Path) -> bool:
    """Whether a file is a STEP file by its name or, as for the kernel, by its content."""
    if path.name.lower().endswith(STEP_ENDINGS):
        return True
    try:
        with path.open("rb") as file:
            return file.read(4096).lstrip().startswith(START)
    except OSError:
        return True  # reading it says why


def beside(here: Path, name: str, folder: Path) -> Path | None:
    """The file of this name as seen from another one; None where none is within the folder."""
    if PureWindowsPath(name).anchor:  # also that of other systems
        return None
    other = here.parent / name.replace("\\", "/")
    try:
        inside = other.is_file() and other.resolve().is_relative_to(folder)
    except (OSError, ValueError, RuntimeError):  # a name no file system takes; links in a circle
        return None
    return other if inside else None


def hidden_names(text: Part21, entity: str) -> dict[str, str]:
    """True name by identifier, where the kernel shows the identifier of the entity instead.

    It does so where the name is empty, and where it has no ASCII character. An identifier that
    several share under different names, or that is the name of another one, tells nothing.
    """
    seen: set[str] = set()
    hidden: dict[str, set[str]] = {}
    for _, found in text.all(entity):
        identifier, name = (a if isinstance(a, str) else "" for a in [*found.args, "", ""][:2])
        seen.add(name)
        if not any(c.isascii() and c.strip() for c in name):
            hidden.setdefault(identifier, set()).add(name.strip())
    return {i: names.pop() for i, names in hidden.items() if len(names) == 1 and i not in seen}


def densities(text: Part21) -> tuple[dict[str, float], list[str]]:
    """Density [kg/m^3] by name of material, and sentences about those without a known unit."""
    materials: dict[int, str] = {}  # by the number of the product definition
    values: dict[int, tuple[float, float | None]] = {}
    if not text.count("MEASURE_REPRESENTATION_ITEM"):
        return {}, []
    for _, link in text.all("PROPERTY_DEFINITION_REPRESENTATION"):
        refs = [a for a in link.args if isinstance(a, Ref)]
        definition = text.part(refs[0], "PROPERTY_DEFINITION") if len(refs) == 2 else None
        if not definition or len(definition) < 3 or definition[0] != "material property":
            continue
        if not isinstance(definition[2], Ref):
            continue
        for item in _items(text, refs[1]):
            _sort_in(text, item, definition[2].number, materials, values)
    stated: dict[str, set[float]] = {}
    unknown: list[str] = []
    for product, (value, factor) in values.items():
        name = materials.get(product, "")
        if factor is None:
            unknown.append(name)
        elif math.isfinite(value * factor) and value > 0:
            stated.setdefault(name, set()).add(value * factor)
    known = {name: min(values) for name, values in stated.items() if name and len(values) == 1}
    return known, [*_unknown_units(unknown), *_not_told_apart(set(stated) - set(known))]


def _not_told_apart(names: set[str]) -> list[str]:
    if not names:
        return []
    return [
        f"Densities are stated for {listed(sorted(quoted(n) for n in names))}, but by this name "
        "they cannot be told apart, so they are left out. State them in the mates file."
    ]


def _unknown_units(names: list[str]) -> list[str]:
    if not names:
        return []
    return [
        f"The density of {listed(sorted(set(names)))} has a unit that is not mass per volume; "
        "it is left out. State the density in the mates file."
    ]


def _items(text: Part21, ref: Ref) -> list[Ref]:
    args = text.part(ref, "REPRESENTATION") or []
    return [i for a in args if isinstance(a, list) for i in a if isinstance(i, Ref)]


def _sort_in(text: Part21, item: Ref, product: int, materials: dict, values: dict) -> None:
    """Put one item of a material's representation where it belongs."""
    told = text.part(item, "DESCRIPTIVE_REPRESENTATION_ITEM")
    if told and isinstance(told[0], str):
        # Writers put the material's name first or last, a description into the other one.
        materials.setdefault(product, told[0] or str(told[-1] or ""))
    measure = text.part(item, "MEASURE_REPRESENTATION_ITEM")
    if measure and isinstance(measure[0], str) and "density" in measure[0].lower():
        number = next((a for a in measure[1:] if isinstance(a, Typed) and a.args), None)
        unit = next((a for a in measure[1:] if isinstance(a, Ref)), None)
        if number and isinstance(number.args[0], float):
            values[product] = (number.args[0], density_factor(text, unit))


def density_factor(text: Part21, unit: Ref | None) -> float | None:
    """One unit of density in kg/m^3; None where the unit is no density."""
    elements = text.part(unit, "DERIVED_UNIT") or [[]]
    powers: dict[str, float] = {}
    factor = 1.0
    for ref in elements[0] if isinstance(elements[0], list) else []:
        args = text.part(ref, "DERIVED_UNIT_ELEMENT") or []
        if len(args) != 2 or not isinstance(args[1], float) or abs(args[1]) > 4:
            return None
        kind, size = unit_size(text, args[0])
        powers[kind] = powers.get(kind, 0.0) + args[1]
        factor *= size ** args[1]
    if powers == {"mass": 1.0, "length": -3.0}:
        return factor
    if powers == {"mass": 3.0, "length": 2.0}:
        # Open CASCADE writes g^3 cm^2 and means g/cm^3.
        return 1e3 if math.isclose(factor, 1e-9 * 1e-4) else None
    return None


def unit_size(text: Part21, ref: object) -> tuple[str, float]:
    """What a unit measures ("mass", "length" or "") and its size in kg or m."""
    words = {t.word: t.args for t in text.entity(ref)}
    kind = "mass" if "MASS_UNIT" in words else "length" if "LENGTH_UNIT" in words else ""
    if "SI_UNIT" in words:
        prefix = next((a.word for a in words["SI_UNIT"][:-1] if isinstance(a, Enum)), None)
        return kind, SI_PREFIX.get(prefix or "", 1.0) * (1e-3 if kind == "mass" else 1.0)
    base = (words.get("CONVERSION_BASED_UNIT") or [None])[-1]
    for measure in text.entity(base):
        value = next((a for a in measure.args if isinstance(a, Typed) and a.args), None)
        if value and isinstance(value.args[0], float) and isinstance(measure.args[-1], Ref):
            if measure.args[-1] != ref:
                return kind, value.args[0] * unit_size(text, measure.args[-1])[1]
    return "", 1.0


def mirrors(text: Part21) -> list[Mirror]:
    """The mirroring placements of a file; the kernel reads each as a rotation."""
    out = []
    for number, entity in text.all("CARTESIAN_TRANSFORMATION_OPERATOR_3D"):
        X = _operator(text, entity.args)
        if X is not None and np.linalg.det(X[:3, :3]) < 0:
            out.append(Mirror(X, _uses(text, number)))
    return out


def _uses(text: Part21, number: int) -> int:
    """How many placements refer to the transformation of this number."""
    mapped = sum(e.args[-1] == Ref(number) for _, e in text.all("MAPPED_ITEM") if e.args)
    related = sum(
        part.word == "REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION" and Ref(number) in part.args
        for _, parts in text.combined("REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION")
        for part in parts
    )
    return mapped + related


def _operator(text: Part21, args: list) -> np.ndarray | None:
    """The matrix of a transformation operator; None where it cannot be read."""
    refs = [a if isinstance(a, Ref) else None for a in args]
    points = [r for r in refs if text.part(r, "CARTESIAN_POINT")]
    if len(points) != 1:
        return None
    at = refs.index(points[0])
    if at < 2 or len(refs) < at + 3:
        return None
    x, y, z = (_numbers(text, refs[i], "DIRECTION") for i in (at - 2, at - 1, at + 2))
    origin = _numbers(text, points[0], "CARTESIAN_POINT")
    # Rules of the standard for axes that are left out: x, then y, then their product.
    x = np.array([1.0, 0.0, 0.0]) if x is None else _unit(x)
    y = np.array([0.0, 1.0, 0.0]) if y is None else y
    y = _unit(y - (y @ x) * x)
    if origin is None or not np.all(np.isfinite(np.r_[x, y, origin])):
        return None
    normal = np.cross(x, y)
    X = np.eye(4)
    X[:3, 0], X[:3, 1] = x, y
    X[:3, 2] = normal if z is None or z @ normal > 0 else -normal
    X[:3, 3] = origin
    return X


def _unit(v: np.ndarray) -> np.ndarray:
    length = float(np.linalg.norm(v))
    return v / length if length > PARALLEL else np.full(3, np.nan)


def _numbers(text: Part21, ref: object, word: str) -> np.ndarray | None:
    args = text.part(ref, word)
    values = args[-1] if args and isinstance(args[-1], list) else []
    if len(values) != 3 or not all(isinstance(v, float) for v in values):
        return None
    return np.array(values)
