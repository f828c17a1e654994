"""Meshes of parts as one block of bytes that a browser reads without unpacking anything.

'C2MG', u32 n, n bytes of JSON (UTF-8, padded with spaces so that the data start at a multiple of
four), then the data: little-endian f32 [mm] and u32. The JSON says where each array of each solid
starts, counted in bytes from the start of the data, and how many numbers it holds. Triangles are
sorted by face.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

from cad2mbs.model.solid import Feature, FeatureKind, Mesh, Solid

MAGIC = b"C2MG"
HEAD = 8  # bytes before the JSON
ARRAYS = {"vertices": 3, "normals": 3, "triangles": 3, "faces": 1, "segments": 6}  # width of a row
FLOATS = ("vertices", "normals", "segments")
KEPT = 4  # blobs
NO_MESH = Mesh(
    np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int32),
    np.zeros(0, np.int32), np.zeros((0, 3), np.float32), np.zeros(1, np.int32), 0.0,
)  # fmt: skip


def blob(solids: Sequence[Solid]) -> bytes:
    """All meshes in one block of bytes; equal solids give equal bytes."""
    blocks: list[bytes] = []
    listed: list[dict[str, Any]] = []
    length = 0
    for solid in solids:
        entry: dict[str, Any] = {"name": solid.name}
        arrays, numbers = _arrays(solid.mesh or NO_MESH)
        for name, array in arrays.items():
            data = array.tobytes()  # of 4-byte numbers: the next array starts aligned
            entry[name] = {"at": length, "count": array.size}
            blocks.append(data)
            length += len(data)
        entry["numbers"] = numbers
        entry["features"] = [_feature(f) for f in solid.features if f.kind != FeatureKind.CIRCLE]
        entry["box"] = [list(corner) for corner in solid.box]
        listed.append(entry)
    text = json.dumps({"solids": listed}, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([MAGIC, struct.pack("<I", len(text)), text, *blocks])


def key(data: bytes) -> str:
    """A name for a blob that changes when its bytes do."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


_kept: OrderedDict[tuple[int, ...], tuple[tuple[Solid, ...], str, bytes]] = OrderedDict()
_lock = Lock()


def keyed(solids: Sequence[Solid]) -> tuple[str, bytes]:
    """The key of the blob, and the blob; the last few are kept.

    Editing a mate leaves the shapes alone: a large assembly need not be packed again.
    """
    own = tuple(id(solid) for solid in solids)
    with _lock:
        if own in _kept:
            _kept.move_to_end(own)
            return _kept[own][1:]
    data = blob(solids)
    name = key(data)
    with _lock:
        _kept[own] = (tuple(solids), name, data)  # the solids too: their ids must stay their own
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return name, data


def read(data: bytes) -> list[dict[str, Any]]:
    """What a blob holds, by solid: arrays with one row per vertex, triangle, face or segment."""
    if data[:4] != MAGIC:
        raise ValueError(f"{data[:4]!r} found at the start, {MAGIC!r} wanted")
    (n,) = struct.unpack_from("<I", data, 4)
    solids = json.loads(data[HEAD : HEAD + n])["solids"]
    return [_read(solid, data, HEAD + n) for solid in solids]


def _read(entry: dict[str, Any], data: bytes, start: int) -> dict[str, Any]:
    out = dict(entry)
    for name, width in ARRAYS.items():
        where = entry[name]
        kind = "<f4" if name in FLOATS else "<u4"
        array = np.frombuffer(data, kind, where["count"], start + where["at"])
        out[name] = array if width == 1 else array.reshape(-1, width)
    return out


def _arrays(mesh: Mesh) -> tuple[dict[str, np.ndarray], list[int]]:
    """Arrays by name, as they are stored, and the face number of each range of triangles."""
    order = np.argsort(mesh.face, kind="stable")
    numbers, starts = np.unique(mesh.face[order], return_index=True)
    arrays = {
        "vertices": mesh.vertices,
        "normals": mesh.normals,
        "triangles": mesh.triangles[order],
        "faces": np.append(starts, len(order)),
        "segments": segments(mesh),
    }
    stored = {
        name: np.ascontiguousarray(array, "<f4" if name in FLOATS else "<u4")
        for name, array in arrays.items()
    }
    return stored, numbers.tolist()


def segments(mesh: Mesh) -> np.ndarray:
    """Both ends of every straight piece of the edges, (n, 2, 3) [mm]."""
    points, starts = mesh.edge_points, mesh.edge_starts
    joined = np.ones(max(len(points) - 1, 0), bool)
    joined[starts[1:-1] - 1] = False  # from the end of one edge to the start of the next
    return np.stack([points[:-1][joined], points[1:][joined]], axis=1)


def _feature(feature: Feature) -> dict[str, Any]:
    return {
        "kind": str(feature.kind),
        "origin": list(feature.origin),
        "z": list(feature.z),
        "radius": feature.radius,
        "minor": feature.minor,
        "half_angle": feature.half_angle,
        "concave": feature.concave,
        "faces": list(feature.numbers),
        "name": feature.name,
    }
