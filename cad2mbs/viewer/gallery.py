"""The shipped assemblies, as the page offers them: title, size, freedoms, a small picture."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from cad2mbs.errors import InputError
from cad2mbs.io import source, yaml_lines
from cad2mbs.io.mates_file import ASSEMBLY_FILE
from cad2mbs.wording import did_you_mean, quoted

PREFIX = "shipped:"  # of the source of a shipped assembly
THUMBNAIL = "thumbnail.png"
EXPECTED = "expected.toml"


def items() -> list[dict[str, Any]]:
    """One entry for each shipped assembly; `thumbnail` is '' where there is no picture."""
    return [_item(name) for name in source.shipped()]


def _item(name: str) -> dict[str, Any]:
    folder = source.SHIPPED / name
    root, _ = yaml_lines.parse((folder / ASSEMBLY_FILE).read_bytes())
    said: dict[str, Any] = root.plain() if root is not None else {}
    freedoms = _expected(folder).get("freedoms")
    return {
        "source": PREFIX + name,
        "title": _title(str(said.get("name") or name)),
        "thumbnail": f"thumbnail/{name}.png" if (folder / THUMBNAIL).is_file() else "",
        "parts": len(said.get("parts") or ()),
        "freedoms": freedoms if isinstance(freedoms, int) else 0,
    }


def _title(name: str) -> str:
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _expected(folder: Path) -> dict[str, Any]:
    """What is known to come out of an assembly; {} where nobody wrote it down."""
    try:
        return tomllib.loads((folder / EXPECTED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def path(text: str) -> Path:
    """The file behind a source of the gallery."""
    name = text.removeprefix(PREFIX)
    names = source.shipped()
    if name not in names:
        raise InputError(f"no shipped assembly {quoted(name)}{did_you_mean(name, names)}")
    return source.SHIPPED / name / ASSEMBLY_FILE


def thumbnail(file: str) -> bytes | None:
    """The picture NAME.png of a shipped assembly."""
    name = file.removesuffix(".png")
    if name == file or name not in source.shipped():
        return None
    try:
        return (source.SHIPPED / name / THUMBNAIL).read_bytes()
    except OSError:
        return None


def is_shipped(place: Path) -> bool:
    """Whether a file belongs to a shipped assembly."""
    root = source.SHIPPED.resolve()
    return root in place.resolve().parents and place.name == ASSEMBLY_FILE
