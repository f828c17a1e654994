"""What does not fit the shape of a mates file, in plain words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from cad2mbs.io import mates_references as mr
from cad2mbs.io import mates_schema as ms
from cad2mbs.io.yaml_lines import Node, Path
from cad2mbs.model.findings import MAX_FINDINGS, SECTIONS
from cad2mbs.wording import closest, did_you_mean, listed, quoted


@dataclass(frozen=True)
class Misfit:
    """One place where the file has not the shape it should have."""

    path: Path
    message: str | None  # None: another misfit says it already
    unknown_key: bool = False
    meant: str | None = None  # the known key most like an unknown one


def misfits(error: ValidationError, root: Node) -> Iterator[Misfit]:
    """The errors of a validation, in our words; not more than anyone would read."""
    errors = error.errors(include_url=False, include_input=False)[:MAX_FINDINGS]
    meant: dict[Path, str | None] = {}
    for item in errors:
        if item["type"] == "extra_forbidden":
            *where, key = path = _path(item)
            meant[path] = closest(str(key), keys_at(tuple(where), root))
    misspelt = {(*path[:-1], near) for path, near in meant.items() if near is not None}
    for item in errors:
        path = _path(item)
        said = item["type"] == "missing" and path in misspelt
        message = None if said else _sentence(item, path, root)
        yield Misfit(path, message, path in meant, meant.get(path))


def _path(item: Any) -> Path:
    """Where the error is in the file; the models' own marks of a choice are no step there."""
    return tuple(step for step in item["loc"] if step not in mr.WAYS)


def place(path: Path) -> str:
    """The entry at `path` as the user would call it."""
    if len(path) >= 4 and path[0] == "parts" and path[2] == "references":
        name, rest = f"reference {quoted(f'{path[1]}/{path[3]}')}", path[4:]
    elif len(path) >= 2 and path[0] in SECTIONS:
        name, rest = f"{SECTIONS[str(path[0])]} {quoted(path[1])}", path[2:]
    elif path:
        name, rest = quoted(path[0]), path[1:]
    else:
        return "the file"
    steps = [f"number {s + 1}" if isinstance(s, int) else quoted(s)[1:-1] for s in rest]
    return ", ".join([name, *steps])


def _sentence(item: Any, path: Path, root: Node) -> str:
    kind, node = item["type"], root.at(path)
    if kind == "extra_forbidden":
        keys = keys_at(path[:-1], root)
        return (
            f"{place(path[:-1])}: found the unknown key {quoted(path[-1])}"
            f"{did_you_mean(str(path[-1]), keys)} Keys: {listed(keys, 20)}."
        )
    if kind == "missing":
        return f"{place(path[:-1])}: the key '{path[-1]}' is missing"
    if kind == "mates_file":
        return f"{place(path)}: {item['msg']}"
    wanted = item["msg"] if kind == "wanted" else _WANTED.get(kind, item["msg"])
    return f"{place(path)}: found {describe(node)}, wanted {wanted}{_hint(kind, node)}"


_WANTED = {
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text",
    "int_type": "a whole number",
    "dict_type": "a mapping (name: entry)",
    "model_type": "a mapping (key: value)",
    "model_attributes_type": "a mapping (key: value)",
}


def describe(node: Node | None) -> str:
    """What a value is, for a message."""
    value = node.value if node is not None else None
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return f"a mapping with {listed(value, 6)}" if value else "an empty mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"the text {quoted(value)}" if isinstance(value, str) else f"the number {value!r}"


def _hint(kind: str, node: Node | None) -> str:
    value = node.value if node is not None else None
    if kind == "string_type" and isinstance(value, (int, float)):
        return "; put it in quotes"
    if kind == "bool_type" and isinstance(value, str):
        return "; without quotes" if value.lower() in ("true", "false") else ""
    if kind != "float_type" or not isinstance(value, str):
        return ""
    if _is_float(value):
        return "; take the quotes off" if node is not None and node.quoted else ""
    if _is_float(value.replace(",", ".")):
        return "; write a decimal point"
    if _is_float(value.rstrip("abcdefghijklmnopqrstuvwxyz° ")):
        return "; write the number alone, units stand once under 'units'"
    return ""


def _is_float(text: str) -> bool:
    try:
        return len(text) < 100 and math.isfinite(float(text))
    except ValueError:
        return False


def keys_at(path: Path, root: Node) -> list[str]:
    """The keys that the mapping at `path` can have, from the models."""
    model: type[BaseModel] = ms.MatesFile
    for i, step in enumerate(path):
        if (model, str(step)) in _SECTION_MODELS:
            model = _SECTION_MODELS[model, str(step)]
        elif str(step) in _FIELD_MODELS and not _is_name(path, i):
            model = _field_model(str(step), root.at(path[: i + 1]))
    return [field.alias or name for name, field in model.model_fields.items()]


def _is_name(path: Path, i: int) -> bool:
    """Whether step i is a name the user gave to an entry, whatever word it is."""
    return (i == 1 and path[0] in SECTIONS) or (i == 3 and path[2] == "references")


_SECTION_MODELS: dict[tuple[type[BaseModel], str], type[BaseModel]] = {
    (ms.MatesFile, "parts"): ms.PartEntry,
    (ms.MatesFile, "mates"): ms.MateEntry,
    (ms.MatesFile, "drives"): ms.DriveEntry,
    (ms.MatesFile, "limits"): ms.LimitEntry,
    (ms.MatesFile, "couplings"): ms.CouplingEntry,
    (ms.MatesFile, "observers"): ms.ObserverEntry,
    (ms.PartEntry, "references"): mr.ReferenceEntry,
}
_FIELD_MODELS: dict[str, type[BaseModel]] = {
    "units": ms.UnitsEntry,
    "pose": ms.PoseEntry,
    "transform": ms.PoseEntry,
    "turn": ms.TurnEntry,
    "axis": mr.AxisEntry,
    "plane": mr.PlaneEntry,
    "frame": mr.FrameEntry,
    **dict.fromkeys(("point", "vector", "origin", "z", "x", "toward", "at"), mr.SelectorEntry),
}


def _field_model(step: str, node: Node | None) -> type[BaseModel]:
    """The model of the mapping that is the value of a field."""
    keys = set(node.value) if node is not None and isinstance(node.value, dict) else set()
    if step == "x" and "toward" in keys:
        return mr.TowardEntry
    if step in ("axis", "plane", "frame") and mr.selects(keys):
        return mr.SelectorEntry
    return _FIELD_MODELS[step]
