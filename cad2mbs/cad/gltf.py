"""glTF 2.0 binary files (GLB) of assemblies: tree, names, colours, shared meshes, CAD edges.

glTF wants metres and y up: lengths are divided by 1000, and one node above all turns z into y.
Every node has translation and rotation of its own, so that a program may move it. Equal meshes
are stored once; the same mesh in two colours shares its arrays. A motion becomes an animation with
one key a position, turned and shifted in straight lines between them; paths become lines.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cad2mbs.cad.document import Document, Instance
from cad2mbs.errors import InputError
from cad2mbs.model.solid import Colour, Mesh
from cad2mbs.pictures.item import PALETTE, Item, items_of
from cad2mbs.pictures.trace import Trace
from cad2mbs.results import write_whole

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism
    from cad2mbs.model.assembly import Assembly

METRE = 1e-3  # [m / mm]
MAGIC, VERSION, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
LARGEST = 2**32 - 1  # bytes: the header counts in 32 bits
FLOAT, UNSIGNED = 5126, 5125  # component types
ARRAY_BUFFER, ELEMENT_BUFFER = 34962, 34963
LINES, STRIP, TRIANGLES = 1, 3, 4  # primitive modes
UPRIGHT = [-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]  # x y z w: z of CAD becomes y of glTF
EDGE_COLOUR: Colour = (0.10, 0.13, 0.17, 1.0)
METALLIC, ROUGHNESS = 0.1, 0.55
STILL = 1e-7  # [m], or of a quaternion: what moves less gets no animation


@dataclass(frozen=True, eq=False)
class Motion:
    """Where items are along a motion."""

    times: np.ndarray  # (k,) [s], from 0 on, rising
    poses: np.ndarray  # (k, items, 7)  x y z [mm], qx qy qz qw


def write_glb(
    path: str | os.PathLike[str],
    source: Document | Assembly | Mechanism | Sequence[Item],
    *,
    edges: bool = True,
    name: str = "",
    motion: Motion | None = None,
    traces: Sequence[Trace] = (),
) -> None:
    """Write a CAD file, an assembly, a mechanism as it is now, or placed meshes as GLB.

    `motion` moves the items of a source that is none but items. The file is whole or not there at
    all.
    """
    data = glb(source, edges=edges, name=name, motion=motion, traces=traces)
    write_whole(Path(path), lambda file: file.write(data), binary=True)


def glb(
    source: Document | Assembly | Mechanism | Sequence[Item],
    *,
    edges: bool = True,
    name: str = "",
    motion: Motion | None = None,
    traces: Sequence[Trace] = (),
) -> bytes:
    """The same as bytes; equal sources give equal bytes."""
    out = _Builder(edges)
    if not isinstance(source, Document | Sequence):
        source, name = items_of(source), name or source.name
    if isinstance(source, Document):
        top = out.tree(source, source.root, None)
        title = name or source.root.name
    else:
        title = name or "assembly"
        places = [out.node(i.name or f"part_{k + 1}", i.X_WC) for k, i in enumerate(source)]
        for place, item in zip(places, source, strict=True):
            out.nodes[place] |= out.shown(item.mesh, item.colour, item.name)
        lines = [out.line(trace) for trace in traces if len(trace.points) > 1]
        top = out.node(title, np.eye(4), [*places, *lines])
        if motion is not None:
            out.animate(places, motion)
    if not out.meshes:
        raise InputError(f"{title or 'assembly'}: no meshes found, nothing to write as glTF")
    return out.packed(title, top)


@dataclass
class _Builder:
    """A glTF file in the making: its lists, as the format names them, and the binary block."""

    edges: bool
    nodes: list[dict[str, Any]] = field(default_factory=list)
    meshes: list[dict[str, Any]] = field(default_factory=list)
    materials: list[dict[str, Any]] = field(default_factory=list)
    accessors: list[dict[str, Any]] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)
    animations: list[dict[str, Any]] = field(default_factory=list)
    blocks: list[bytes] = field(default_factory=list)
    length: int = 0
    _arrays: dict[int, tuple[Mesh, list[dict[str, Any]]]] = field(default_factory=dict)
    _meshes: dict[tuple[int, Colour], int] = field(default_factory=dict)
    _materials: dict[tuple[Colour, bool], int] = field(default_factory=dict)

    def tree(self, document: Document, instance: Instance, colour: Colour | None) -> int:
        """Row of the node of an instance, with all below it."""
        own = instance.colour or colour
        children = [self.tree(document, child, own) for child in instance.children]
        row = self.node(instance.name, instance.X_PC, children)
        if instance.solid is not None:
            solid = document.solids[instance.solid]
            shade = own or solid.colour or PALETTE[instance.solid % len(PALETTE)]
            if solid.mesh is not None:
                self.nodes[row] |= self.shown(solid.mesh, shade, solid.name)
        return row

    def node(self, name: str, X_PC: np.ndarray, children: Sequence[int] = ()) -> int:
        """Row of a new node, placed in its parent; a mirrored one is mirrored along its z first."""
        node: dict[str, Any] = {"name": name}
        shift = [float(v) for v in X_PC[:3, 3] * METRE]
        if any(shift):
            node["translation"] = shift
        R = X_PC[:3, :3]
        if np.linalg.det(R) < 0.0:
            R, node["scale"] = R * [1.0, 1.0, -1.0], [1.0, 1.0, -1.0]
        turn = quaternion(R)
        if turn != [0.0, 0.0, 0.0, 1.0]:
            node["rotation"] = turn
        if children:
            node["children"] = list(children)
        self.nodes.append(node)
        return len(self.nodes) - 1

    def shown(self, mesh: Mesh, colour: Colour, name: str) -> dict[str, int]:
        """What a node needs to show a mesh in a colour; nothing for a mesh without triangles."""
        if not len(mesh.triangles):
            return {}
        key = (id(mesh), colour)
        if key not in self._meshes:
            faces, *lines = self._primitives(mesh)
            primitives = [faces | {"material": self._material(colour, False)}]
            primitives += [line | {"material": self._material(EDGE_COLOUR, True)} for line in lines]
            self.meshes.append({"name": name or "part", "primitives": primitives})
            self._meshes[key] = len(self.meshes) - 1
        return {"mesh": self._meshes[key]}

    def line(self, trace: Trace) -> int:
        """Row of a new node that shows the path of a point."""
        points = {"POSITION": self._vectors(trace.points * METRE, bounds=True)}
        material = self._material(trace.colour, True)
        primitive = {"attributes": points, "mode": STRIP, "material": material}
        name = f"path of {trace.name}"
        self.meshes.append({"name": name, "primitives": [primitive]})
        row = self.node(name, np.eye(4))
        self.nodes[row]["mesh"] = len(self.meshes) - 1
        return row

    def animate(self, places: Sequence[int], motion: Motion) -> None:
        """Let the nodes in rows `places` follow a motion; those that stand still are left out."""
        moving = []
        for row, poses in zip(places, np.moveaxis(motion.poses, 1, 0), strict=True):
            values = {"translation": poses[:, :3] * METRE, "rotation": steady(poses[:, 3:])}
            moving += [(row, k, v) for k, v in values.items() if np.ptp(v, axis=0).max() > STILL]
        if not moving:
            return
        times = np.ascontiguousarray(motion.times, "<f4")
        ends = {"min": [float(times[0])], "max": [float(times[-1])]}
        clock = self._accessor(times, None, FLOAT, "SCALAR", len(times), ends)
        samplers, channels = [], []
        for row, path, values in moving:
            array = np.ascontiguousarray(values, "<f4")
            kind = "VEC3" if path == "translation" else "VEC4"
            keys = self._accessor(array, None, FLOAT, kind, len(array), {})
            target = {"node": row, "path": path}
            channels.append({"sampler": len(samplers), "target": target})
            samplers.append({"input": clock, "output": keys, "interpolation": "LINEAR"})
        self.animations.append({"name": "motion", "channels": channels, "samplers": samplers})

    def _primitives(self, mesh: Mesh) -> list[dict[str, Any]]:
        """Triangles and, where there are any, edges of a mesh, without their material."""
        if id(mesh) not in self._arrays:
            points = self._vectors(mesh.vertices * METRE, bounds=True)
            normals = self._vectors(unit(mesh.normals))
            attributes = {"POSITION": points, "NORMAL": normals}
            rows = self._indices(mesh.triangles)
            parts = [{"attributes": attributes, "indices": rows, "mode": TRIANGLES}]
            pairs = segments(mesh.edge_starts)
            if self.edges and len(pairs):
                ends = {"POSITION": self._vectors(mesh.edge_points * METRE, bounds=True)}
                rows = self._indices(pairs)
                parts.append({"attributes": ends, "indices": rows, "mode": LINES})
            self._arrays[id(mesh)] = (mesh, parts)  # the mesh too: its id must stay its own
        return self._arrays[id(mesh)][1]

    def _material(self, colour: Colour, line: bool) -> int:
        if (colour, line) not in self._materials:
            linear = [float(v) for v in _linear(colour[:3])]
            surface = {
                "baseColorFactor": [*linear, float(colour[3])],
                "metallicFactor": 0.0 if line else METALLIC,
                "roughnessFactor": 1.0 if line else ROUGHNESS,
            }
            material: dict[str, Any] = {"pbrMetallicRoughness": surface, "doubleSided": True}
            shade = "#" + bytes(_bytes(colour[:3])).hex()
            lines = "edges" if colour == EDGE_COLOUR else f"line {shade}"
            material["name"] = lines if line else shade
            if colour[3] < 1.0:
                material["alphaMode"] = "BLEND"
            self.materials.append(material)
            self._materials[colour, line] = len(self.materials) - 1
        return self._materials[colour, line]

    def _vectors(self, values: np.ndarray, bounds: bool = False) -> int:
        array = np.ascontiguousarray(values, dtype="<f4")
        extra = {}
        if bounds:  # the format asks for them where places are meant
            extra = {"min": array.min(axis=0).tolist(), "max": array.max(axis=0).tolist()}
        return self._accessor(array, ARRAY_BUFFER, FLOAT, "VEC3", len(array), extra)

    def _indices(self, rows: np.ndarray) -> int:
        array = np.ascontiguousarray(rows, dtype="<u4")
        return self._accessor(array, ELEMENT_BUFFER, UNSIGNED, "SCALAR", array.size, {})

    def _accessor(
        self, array: np.ndarray, target: int | None, component: int, kind: str, count: int,
        extra: dict[str, Any],
    ) -> int:  # fmt: skip
        """Row of a new array; `target` None: it is for an animation, not for a mesh."""
        data = array.tobytes()  # of 4-byte numbers: the next array starts aligned
        view = {"buffer": 0, "byteOffset": self.length, "byteLength": len(data)}
        self.views.append(view | ({"target": target} if target else {}))
        self.blocks.append(data)
        self.length += len(data)
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "type": kind}
        self.accessors.append(accessor | {"count": count} | extra)
        return len(self.accessors) - 1

    def packed(self, title: str, top: int) -> bytes:
        """The whole file, its tree hanging on a node that stands it upright."""
        self.nodes.append({"name": "z_up", "rotation": UPRIGHT, "children": [top]})
        head = {
            "asset": {"version": "2.0", "generator": "cad2mbs"},
            "scene": 0,
            "scenes": [{"name": title, "nodes": [len(self.nodes) - 1]}],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "materials": self.materials,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": self.length}],
        }
        if self.animations:
            head["animations"] = self.animations
        # A name may hold half a character, which no UTF-8 text can.
        text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8", "replace"
        )
        text += b" " * (-len(text) % 4)
        binary = b"".join(self.blocks)
        total = 12 + 8 + len(text) + 8 + len(binary)
        if total > LARGEST:
            raise InputError(
                f"{title}: {total} bytes found, a GLB file holds {LARGEST} at most. "
                "Mesh with a larger tolerance."
            )
        return b"".join([
            struct.pack("<III", MAGIC, VERSION, total),
            struct.pack("<II", len(text), JSON_CHUNK), text,
            struct.pack("<II", len(binary), BINARY_CHUNK), binary,
        ])  # fmt: skip


def segments(starts: np.ndarray) -> np.ndarray:
    """Pairs of rows, (n, 2), that polylines starts[i] to starts[i + 1] - 1 consist of."""
    if len(starts) < 2:
        return np.empty((0, 2), dtype=np.int64)
    rows = np.arange(starts[0], starts[-1] - 1)
    joined = ~np.isin(rows + 1, starts[1:-1])
    return np.column_stack([rows[joined], rows[joined] + 1])


def steady(quaternions: np.ndarray) -> np.ndarray:
    """The same turns (k, 4), each with the sign that is nearer to the one before."""
    near = np.einsum("ki,ki->k", quaternions[1:], quaternions[:-1])
    signs = np.cumprod(np.where(near < 0.0, -1.0, 1.0))
    return quaternions * np.concatenate([[1.0], signs])[:, None]


def unit(vectors: np.ndarray) -> np.ndarray:
    """The vectors with length one; z where they have none."""
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    whole = vectors / np.where(size > 0.0, size, 1.0)
    return np.where(size > 0.0, whole, np.array([0.0, 0.0, 1.0]))


def quaternion(R: np.ndarray) -> list[float]:
    """x, y, z, w of a rotation, w not negative: the largest of the four taken from the diagonal."""
    t = np.trace(R)
    squares = np.array([*(1.0 + 2.0 * np.diag(R) - t), 1.0 + t])
    k = int(np.argmax(squares))
    skew = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    q = np.empty(4)
    if k == 3:
        q[:3], q[3] = skew, squares[3]
    else:
        q[:3], q[3] = (R + R.T)[k], skew[k]
        q[k] = squares[k]
    q /= np.linalg.norm(q)
    if q[3] < 0.0:
        q = -q
    return [float(v) + 0.0 for v in q]


def _linear(srgb: Sequence[float]) -> np.ndarray:
    """Linear light of sRGB values: glTF states its factors so."""
    s = np.asarray(srgb, dtype=np.float64)
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


def _bytes(srgb: Sequence[float]) -> np.ndarray:
    return np.round(255.0 * np.clip(srgb, 0.0, 1.0)).astype(np.uint8)
