"""GLB files hold the assembly: read back by trimesh, which knows nothing of the writer."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from cad2mbs.cad.document import Document, Instance
from cad2mbs.cad.gltf import glb, quaternion, segments, write_glb
from cad2mbs.errors import InputError
from cad2mbs.model.solid import Solid
from cad2mbs.pictures.item import Item
from tests.pictures.shapes import box, rectangle, sphere

RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.2, 0.8, 0.5)
Y_UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]])  # z of CAD to y


def pose(turn=(0.0, 0.0, 0.0), shift=(0.0, 0.0, 0.0)) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = Rotation.from_rotvec(turn).as_matrix()
    X[:3, 3] = shift
    return X


def assembly() -> Document:
    """A base, and an arm with two pins of one part; umlauts and CJK in the names."""
    pins = (
        Instance("pin", "pin", pose((0.3, 0, 0), (10, 0, 0)), 1),
        Instance("pin_2", "pin", pose((0, 1.2, 0), (-10, 4, 2)), 1, colour=RED),
    )
    arm = Instance("Träger", "arm", pose((0, 0, 2.0), (100, 50, -7)), children=pins)
    base = Instance("底座", "base", pose(shift=(0, 0, 5)), 0, colour=BLUE)
    solids = (Solid("base", mesh=box((20, 30, 5))), Solid("pin", mesh=sphere(4.0, 48)))
    return Document(Instance("whole", "whole", np.eye(4), children=(base, arm)), solids)


def head_of(data: bytes) -> dict:
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length])


def read_back(path: Path):
    trimesh = pytest.importorskip("trimesh")
    return trimesh.load_scene(path)


def shown(scene, name: str) -> tuple[np.ndarray, list]:
    """Pose of a node and the surfaces that hang on it."""
    graph = scene.graph
    below = {name, *graph.transforms.successors(name)}
    meshes = [scene.geometry[graph[n][1]] for n in sorted(below) if graph[n][1] is not None]
    return graph[name][0], meshes


def test_nodes_have_the_names_and_poses_of_the_assembly(tmp_path):
    document = assembly()
    write_glb(tmp_path / "x.glb", document)
    scene = read_back(tmp_path / "x.glb")
    assert {"whole", "底座", "Träger", "pin", "pin_2"} <= set(scene.graph.nodes)
    for leaf in document.leaves():
        expected = leaf.X_WC.copy()
        expected[:3, 3] *= 1e-3
        found = shown(scene, leaf.path[-1])[0]
        np.testing.assert_allclose(found, Y_UP @ expected, atol=1e-9)


def test_volumes_and_boxes_are_those_of_the_parts_in_metres(tmp_path):
    write_glb(tmp_path / "x.glb", assembly(), edges=False)
    scene = read_back(tmp_path / "x.glb")
    (base,) = shown(scene, "底座")[1]
    (pin,) = shown(scene, "pin")[1]
    for surface in (base, pin):
        surface.merge_vertices(merge_norm=True, merge_tex=True)
    assert base.volume == pytest.approx(20 * 30 * 5e-9, rel=1e-6)
    np.testing.assert_allclose(np.ptp(base.vertices, axis=0), (0.02, 0.03, 0.005), rtol=1e-6)
    assert pin.volume == pytest.approx(4 / 3 * np.pi * 4e-3**3, rel=3e-3)  # 48 steps a half turn
    low, high = scene.bounds
    assert low[1] == pytest.approx((-7 - 4) * 1e-3, abs=1e-5)  # y is up; a pin's lowest
    assert high[1] == pytest.approx(7.5e-3, abs=1e-5)


def test_instances_of_one_part_share_its_arrays_and_equal_colours_their_mesh():
    head = head_of(glb(assembly()))
    pin, red = (m for m in head["meshes"] if m["name"] == "pin")
    assert pin["primitives"][0]["attributes"] == red["primitives"][0]["attributes"]
    assert pin["primitives"][0]["material"] != red["primitives"][0]["material"]
    shape = box((1, 2, 3))
    row = [Item(shape, pose(shift=(k, 0, 0)), RED, f"brick_{k}") for k in range(500)]
    head = head_of(glb(row))
    assert len(head["meshes"]) == 1
    assert {n["mesh"] for n in head["nodes"] if "mesh" in n} == {0}
    assert len(glb(row)) < 500 * 150 + 10000  # a node costs its name and place, no more


def test_colours_are_linear_and_clear_ones_blend():
    materials = {m["name"]: m for m in head_of(glb(assembly()))["materials"]}
    blue = materials["#0033cc"]
    factor = blue["pbrMetallicRoughness"]["baseColorFactor"]
    # the sRGB curve of IEC 61966-2-1 at 0.2 and 0.8
    np.testing.assert_allclose(factor, (0.0, 0.0331048, 0.6038273, 0.5), atol=1e-6)
    assert blue["alphaMode"] == "BLEND"
    assert "alphaMode" not in materials["#ff0000"]


def array_of(data: bytes, row: int) -> np.ndarray:
    """An array of the file by the rules of the format."""
    head = head_of(data)
    start = 20 + struct.unpack_from("<I", data, 12)[0] + 8
    accessor = head["accessors"][row]
    view = head["bufferViews"][accessor["bufferView"]]
    kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
    columns = {"SCALAR": 1, "VEC3": 3}[accessor["type"]]
    count = accessor["count"] * columns
    values = np.frombuffer(data, kind, count, start + view["byteOffset"])
    return values.reshape(-1, columns)


def test_edges_are_lines_of_the_right_length():
    # trimesh joins all points of line primitives in a row whatever their indices say, so the
    # arrays are taken from the file itself
    data = glb([Item(box((20, 30, 5)), name="brick")])
    faces, lines = head_of(data)["meshes"][0]["primitives"]
    assert (faces["mode"], lines["mode"]) == (4, 1)
    points = array_of(data, lines["attributes"]["POSITION"])
    ends = points[array_of(data, lines["indices"]).reshape(-1, 2)]
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    assert len(lengths) == 12
    assert lengths.sum() == pytest.approx(4 * (20 + 30 + 5) * 1e-3, rel=1e-6)


def test_edges_are_left_out_when_not_wanted():
    meshes = head_of(glb(assembly(), edges=False))["meshes"]
    assert {p["mode"] for m in meshes for p in m["primitives"]} == {4}


def test_polylines_are_cut_into_their_segments_and_not_joined():
    pairs = segments(np.array([0, 3, 5, 6, 8]))
    assert pairs.tolist() == [[0, 1], [1, 2], [3, 4], [6, 7]]
    assert segments(np.array([0])).shape == (0, 2)


@pytest.mark.parametrize("turn", [
    (0, 0, 0), (np.pi, 0, 0), (0, np.pi, 0), (0, 0, np.pi), (1e-9, 0, 0), (3.1, 0.2, -0.3),
    (0.5, -2.0, 1.0), (np.pi / 2, 0, 0), (0, -np.pi / 2, 0),
])  # fmt: skip
def test_quaternion_is_that_of_the_rotation(turn):
    R = Rotation.from_rotvec(turn).as_matrix()
    q = quaternion(R)
    np.testing.assert_allclose(Rotation.from_quat(q).as_matrix(), R, atol=1e-12)
    assert q[3] >= 0.0


def test_arrays_lie_aligned_within_the_file_and_its_lengths_add_up():
    data = glb(assembly())
    magic, version, total = struct.unpack_from("<4sII", data)
    assert (magic, version, total) == (b"glTF", 2, len(data))
    head = head_of(data)
    assert all(view["byteOffset"] % 4 == 0 for view in head["bufferViews"])
    assert (
        sum(view["byteLength"] for view in head["bufferViews"]) == head["buffers"][0]["byteLength"]
    )


def test_equal_assemblies_give_equal_bytes():
    assert glb(assembly()) == glb(assembly())


def test_an_assembly_without_meshes_is_refused_and_leaves_no_file(tmp_path):
    with pytest.raises(InputError, match="nothing: no meshes found"):
        write_glb(tmp_path / "x.glb", [], name="nothing")
    assert not list(tmp_path.iterdir())


def test_items_without_names_are_numbered():
    names = [
        n["name"] for n in head_of(glb([Item(rectangle(1, 1)), Item(box((1, 1, 1)))]))["nodes"]
    ]
    assert names[:2] == ["part_1", "part_2"]
