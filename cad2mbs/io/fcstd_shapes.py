"""Shapes out of `.FCStd` files: unpacked, then read by the CAD kernel in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cad2mbs.cad import stored
from cad2mbs.cad.worker import Limits, crashed, too_large, too_slow
from cad2mbs.io.fcstd_archive import refused
from cad2mbs.io.fcstd_objects import Thing
from cad2mbs.io.fcstd_tree import Piece, shape_entry
from cad2mbs.model.solid import Solid

ENDINGS = (".brp", ".bin")


@dataclass(frozen=True)
class ElementKind:
    """What a face, edge or vertex is: plane, cylinder, ..., line, circle, curve or point."""

    kind: str | None  # None: the shape has no element of that number
    radius: float = 0.0  # of a cylinder, sphere or circle [mm]


@dataclass(frozen=True)
class Shapes:
    """What the kernel found: solids by part, kinds by object and element."""

    solids: dict[str, Solid]
    elements: dict[tuple[Thing, str], ElementKind]


def read(
    path: Path,
    parts: dict[str, list[Piece]],
    elements: list[tuple[Thing, str]],
    tolerance: float | None,
    limits: Limits,
) -> Shapes:
    """The solids of parts made of pieces, and what the elements of shapes are.

    Parts with the same pieces at the same places share one solid.
    """
    if not parts and not elements:
        return Shapes({}, {})
    with tempfile.TemporaryDirectory(prefix="cad2mbs-") as folder:
        files = _Files(Path(folder))
        rows = {name: files.pieces(pieces) for name, pieces in parts.items()}
        same: dict[str, str] = {}  # pieces -> the first part that has them
        for name, pieces in rows.items():
            same.setdefault(json.dumps(pieces), name)
        request = {
            "parts": [{"name": name, "pieces": json.loads(key)} for key, name in same.items()],
            "elements": [{"file": files.of(t), "element": word} for t, word in elements],
            "folder": folder,
            "tolerance": tolerance,
            "seconds": limits.seconds,
            "memory_mb": limits.memory_mb,
        }
        answer = _asked(path, request, Path(folder), limits)
        if "error" in answer:
            owner = files.owners.get(answer.get("file", ""))
            owner.fail(answer["error"]) if owner else refused(path, answer["error"])
        document = stored.load(Path(folder))
        made = {
            child.name: document.solids[child.solid]
            for child in document.root.children
            if child.solid is not None
        }
    solids = {
        name: made[first] for name, p in rows.items() if (first := same[json.dumps(p)]) in made
    }
    kinds = [ElementKind(e["kind"], e["radius"]) for e in answer["elements"]]
    return Shapes(solids, dict(zip(elements, kinds, strict=True)))


class _Files:
    """Entries of archives as files in a folder, each once."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.names: dict[tuple[Path, str], str] = {}
        self.owners: dict[str, Thing] = {}  # whose shape a file is

    def of(self, thing: Thing) -> str:
        entry = shape_entry(thing)
        ending = Path(entry).suffix.lower()
        if ending not in ENDINGS:
            thing.fail(f"its shape is in {entry!r}; an entry that ends in .brp or .bin was wanted")
        if entry not in thing.file.archive:
            thing.fail(f"its shape {entry!r} is missing in the file; save it again")
        key = (thing.file.path, entry)
        if key not in self.names:
            place = self.folder / f"shape{len(self.names)}{ending}"
            place.write_bytes(thing.file.archive.read(entry))
            self.names[key] = str(place)
            self.owners[str(place)] = thing
        return self.names[key]

    def pieces(self, pieces: list[Piece]) -> list[dict[str, Any]]:
        return [
            {"file": self.of(p.shape), "pose": np.round(p.X_CS, 15).ravel().tolist()}
            for p in pieces
        ]


def _asked(path: Path, request: dict, folder: Path, limits: Limits) -> dict:
    """The kernel's answer; InputError where it crashes, takes too long or cannot read a shape."""
    ask, told = folder / "request.json", folder / "answer.json"
    ask.write_text(json.dumps(request), encoding="utf-8")
    root = str(Path(__file__).resolve().parents[2])
    paths = [root, os.environ.get("PYTHONPATH", "")]
    try:
        done = subprocess.run(
            # -P: no code is taken from the folder the user happens to stand in.
            [sys.executable, "-P", "-m", "cad2mbs.cad.kernel.brp", str(ask), str(told)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limits.seconds,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in paths if p)},
            check=False,
        )
    except subprocess.TimeoutExpired:
        refused(path, too_slow(limits).rstrip("."))
    if done.returncode or not told.is_file():
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        refused(path, crashed(done.returncode, lines[-1][:200] if lines else "").rstrip("."))
    answer = json.loads(told.read_text(encoding="utf-8"))
    if "memory" in answer:
        refused(path, too_large(limits).rstrip("."))
    return answer
