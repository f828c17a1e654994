"""Documents as files: one JSON for the tree and the words, one npz for all numbers.

Numbers of all solids lie end to end in few large arrays, so reading costs little per part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from cad2mbs.cad.document import Document, Instance
from cad2mbs.model.solid import Feature, FeatureKind, Mesh, Solid

TREE, NUMBERS = "document.json", "numbers.npz"
FORMAT = 1  # raise with every change of what is stored, or of what is read from a file
KINDS = tuple(FeatureKind)
MESH = ("vertices", "normals", "triangles", "face", "edge_points", "edge_starts")
WIDTH = {"vertices": 3, "normals": 3, "triangles": 3, "face": 0, "edge_points": 3, "edge_starts": 0}
TYPES = {"triangles": np.int32, "face": np.int32, "edge_starts": np.int32}


def save(document: Document, folder: Path) -> None:
    """Write a document into an existing folder."""
    solids = document.solids
    tree = {
        "format": FORMAT,
        "root": _node(document.root),
        "solids": [_words(s) for s in solids],
        "unit": document.unit,
        "schema": document.schema,
        "source": document.source,
        "notes": document.notes,
        "files": document.files,
    }
    (folder / TREE).write_text(json.dumps(tree), encoding="utf-8")
    arrays: dict[str, Any] = {**_features(solids), **_meshes(solids), **_breps(solids)}
    np.savez(folder / NUMBERS, **arrays)


def load(folder: Path) -> Document:
    """The document in a folder; ValueError, KeyError or OSError where it is not whole."""
    tree = json.loads((folder / TREE).read_text(encoding="utf-8"))
    if tree["format"] != FORMAT:
        raise ValueError("another format")
    with np.load(folder / NUMBERS, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    words = tree["solids"]
    features = _features_back(arrays, words)
    meshes = _meshes_back(arrays, words)
    breps = _breps_back(arrays, words)
    return Document(
        root=_node_back(tree["root"]),
        solids=tuple(map(_solid_back, words, features, meshes, breps)),
        unit=tree["unit"],
        schema=tree["schema"],
        source=tree["source"],
        notes=tuple(tree["notes"]),
        files=tuple(tree["files"]),
    )


def _node(i: Instance) -> dict:
    return {
        "name": i.name,
        "product": i.product,
        "X": i.X_PC.ravel().tolist(),
        "solid": i.solid,
        "children": [_node(c) for c in i.children],
        "colour": i.colour,
        "original": i.original_name,
    }


def _node_back(node: dict) -> Instance:
    return Instance(
        node["name"],
        node["product"],
        np.array(node["X"], dtype=float).reshape(4, 4),
        node["solid"],
        tuple(_node_back(c) for c in node["children"]),
        _tuple(node["colour"]),
        node["original"],
    )


def _words(s: Solid) -> dict:
    return {
        "name": s.name,
        "volume": s.volume,
        "area": s.area,
        "centre": s.centre,
        "inertia": s.inertia,
        "box": s.box,
        "colour": s.colour,
        "material": s.material,
        "density": s.density,
        "problems": s.problems,
        "tolerance": None if s.mesh is None else s.mesh.tolerance,
        "brep": s.brep is not None,
        "named": {i: f.name for i, f in enumerate(s.features) if f.name},
    }


def _solid_back(w: dict, features: tuple, mesh: Mesh | None, brep: bytes | None) -> Solid:
    return Solid(
        name=w["name"],
        features=features,
        volume=w["volume"],
        area=w["area"],
        centre=tuple(w["centre"]),
        inertia=tuple(map(tuple, w["inertia"])),  # type: ignore[arg-type]
        box=tuple(map(tuple, w["box"])),  # type: ignore[arg-type]
        colour=_tuple(w["colour"]),
        material=w["material"],
        density=w["density"],
        problems=tuple(w["problems"]),
        mesh=mesh,
        brep=brep,
    )


def _tuple(values: list | None):
    return None if values is None else tuple(values)


def _starts(lengths: Iterable[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(list(lengths), dtype=np.int64)]).astype(np.int64)


def _features(solids: tuple[Solid, ...]) -> dict[str, np.ndarray]:
    every = [f for s in solids for f in s.features]
    rows = [
        (*f.origin, *f.z, *f.x, f.radius, f.minor, f.half_angle, f.sweep, f.length, f.size,
         *f.box[0], *f.box[1])
        for f in every
    ]  # fmt: skip
    return {
        "feature_starts": _starts(len(s.features) for s in solids),
        "feature_values": np.array(rows, dtype=float).reshape(len(rows), 21),
        "feature_flags": np.array(
            [(KINDS.index(f.kind), f.concave, f.recovered) for f in every], dtype=np.int8
        ).reshape(len(rows), 3),
        "feature_number_starts": _starts(len(f.numbers) for f in every),
        "feature_numbers": np.array([n for f in every for n in f.numbers], dtype=np.int32),
    }


def _features_back(arrays: dict, words: list[dict]) -> list[tuple[Feature, ...]]:
    values, flags = arrays["feature_values"].tolist(), arrays["feature_flags"].tolist()
    at, numbers = arrays["feature_number_starts"].tolist(), arrays["feature_numbers"].tolist()
    starts = arrays["feature_starts"].tolist()
    out = []
    for row, w in enumerate(words):
        first, names = starts[row], w["named"]
        out.append(
            tuple(
                _feature(values[i], flags[i], numbers[at[i] : at[i + 1]], names.get(str(i - first)))
                for i in range(first, starts[row + 1])
            )
        )
    return out


def _feature(v: list, flags: list, numbers: list, name: str | None) -> Feature:
    kind, concave, recovered = flags
    return Feature(
        kind=KINDS[kind],
        origin=(v[0], v[1], v[2]),
        z=(v[3], v[4], v[5]),
        x=(v[6], v[7], v[8]),
        radius=v[9],
        minor=v[10],
        half_angle=v[11],
        sweep=v[12],
        length=v[13],
        size=v[14],
        box=((v[15], v[16], v[17]), (v[18], v[19], v[20])),
        concave=bool(concave),
        recovered=bool(recovered),
        numbers=tuple(numbers),
        name=name or "",
    )


def _meshes(solids: tuple[Solid, ...]) -> dict[str, np.ndarray]:
    meshes = [s.mesh for s in solids if s.mesh is not None]
    out = {}
    for name in MESH:
        shape = (0, WIDTH[name]) if WIDTH[name] else (0,)
        empty = np.zeros(shape, TYPES.get(name, np.float32))
        pieces = [getattr(m, name) for m in meshes]
        out[f"mesh_{name}"] = np.concatenate([empty, *pieces])
        out[f"mesh_{name}_starts"] = _starts(map(len, pieces))
    return out


def _meshes_back(arrays: dict, words: list[dict]) -> list[Mesh | None]:
    starts = {n: arrays[f"mesh_{n}_starts"].tolist() for n in MESH}
    out: list[Mesh | None] = []
    row = 0
    for w in words:
        if w["tolerance"] is None:
            out.append(None)
            continue
        cut = {n: arrays[f"mesh_{n}"][starts[n][row] : starts[n][row + 1]] for n in MESH}
        out.append(Mesh(**cut, tolerance=w["tolerance"]))
        row += 1
    return out


def _breps(solids: tuple[Solid, ...]) -> dict[str, np.ndarray]:
    blobs = [s.brep for s in solids if s.brep is not None]
    return {
        "brep": np.frombuffer(b"".join(blobs), dtype=np.uint8),
        "brep_starts": _starts(map(len, blobs)),
    }


def _breps_back(arrays: dict, words: list[dict]) -> list[bytes | None]:
    blob, starts = arrays["brep"].tobytes(), iter(arrays["brep_starts"].tolist())
    out: list[bytes | None] = []
    start = next(starts)
    for w in words:
        if not w["brep"]:
            out.append(None)
            continue
        end = next(starts)
        out.append(blob[start:end])
        start = end
    return out
