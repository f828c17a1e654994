"""Animated glTF: valid by the Khronos validator, and moving as the solver says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

import cad2mbs
from cad2mbs.cad.gltf import Motion, glb, steady, write_glb
from cad2mbs.cli import app
from cad2mbs.pictures.item import Item
from cad2mbs.pictures.trace import Trace
from tests.cad.test_gltf import array_of as three_columns
from tests.cad.test_gltf import head_of
from tests.pictures.shapes import box, sphere
from tests.pictures.validator import report, require_valid

CLEAR = (0.2, 0.4, 0.8, 0.3)
ODD_NAMES = ["", "a/b\\c", '"quoted"', "</script>", "tab\tline\n", "底座 Träger", "\ud800", "\0"]


def array_of(data: bytes, row: int) -> np.ndarray:
    """An array of the file, with as many columns as it states."""
    columns = {"VEC4": 4, "VEC3": 3, "SCALAR": 1}[head_of(data)["accessors"][row]["type"]]
    if columns < 4:
        return three_columns(data, row)
    head = head_of(data)
    start = 28 + int.from_bytes(data[12:16], "little")
    view = head["bufferViews"][head["accessors"][row]["bufferView"]]
    count = head["accessors"][row]["count"] * columns
    return np.frombuffer(data, "<f4", count, start + view["byteOffset"]).reshape(-1, columns)


def keys(data: bytes, node: str, path: str) -> tuple[np.ndarray, np.ndarray]:
    """Times and values of the channel that moves a node."""
    head = head_of(data)
    (motion,) = head["animations"]
    for channel in motion["channels"]:
        if (head["nodes"][channel["target"]["node"]]["name"], channel["target"]["path"]) == (
            node,
            path,
        ):
            sampler = motion["samplers"][channel["sampler"]]
            assert sampler["interpolation"] == "LINEAR"
            return array_of(data, sampler["input"])[:, 0], array_of(data, sampler["output"])
    raise AssertionError(f"nothing moves {path} of {node}")


def mirrored(shift) -> np.ndarray:
    X = np.diag([1.0, 1.0, -1.0, 1.0])
    X[:3, :3] = Rotation.from_rotvec((0.3, -1.0, 0.4)).as_matrix() @ X[:3, :3]
    X[:3, 3] = shift
    return X


def turning(count: int, turns: float) -> np.ndarray:
    """Quaternions x y z w of a turn about z, with signs as they come from a matrix."""
    angle = np.linspace(0.0, 2.0 * np.pi * turns, count)
    q = np.column_stack([0 * angle, 0 * angle, np.sin(angle / 2), np.cos(angle / 2)])
    return q * np.where(q[:, 3:] < 0.0, -1.0, 1.0)


@pytest.mark.parametrize("source", ["radial_engine", "delta_robot", "v_engine"])
def test_the_motion_of_an_assembly_is_valid(source, tmp_path):
    drive = next(iter(cad2mbs.load(source).drives))
    value = cad2mbs.load(source).mechanism().drives[drive].value
    arguments = ["render", source, "-o", str(tmp_path / "x.glb")]
    motion = f"{drive}={value}:{value + 5}:7"
    result = CliRunner().invoke(app, [*arguments, "-d", motion])
    assert result.exit_code == 0, result.output
    found = require_valid(tmp_path / "x.glb")
    assert found["info"]["animationCount"] == 1


def test_odd_names_glass_mirrors_shared_meshes_and_paths_are_valid(tmp_path):
    shapes = [box((3, 4, 5)), sphere(2.0, 8)]
    items = [
        Item(shapes[k % 2], mirrored((9 * k, 0, 0)), CLEAR if k % 3 else (0.5, 0.5, 0.5, 1.0), name)
        for k, name in enumerate(ODD_NAMES)
    ]
    poses = np.zeros((5, len(items), 7))
    poses[..., 6] = 1.0
    poses[:, 1, 3:] = turning(5, 0.5)
    poses[:, 2, 0] = np.arange(5)
    path = Trace("</a>\ud800", np.random.default_rng(1).normal(size=(9, 3)))
    motion = Motion(np.arange(5) / 20.0, poses)
    write_glb(tmp_path / "x.glb", items, motion=motion, traces=[path], name="\0\ud800")
    found = require_valid(tmp_path / "x.glb")
    assert found["info"]["animationCount"] == 1


def test_the_validator_says_no_to_a_broken_file(tmp_path):
    write_glb(tmp_path / "x.glb", [Item(box((1, 2, 3)))])
    data = (tmp_path / "x.glb").read_bytes()
    (tmp_path / "y.glb").write_bytes(data.replace(b'"count":36', b'"count":37'))
    assert report(tmp_path / "y.glb")["issues"]["numErrors"] > 0


def test_a_mirrored_part_is_mirrored_in_the_file(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    X = mirrored((10.0, 20.0, 30.0))
    write_glb(tmp_path / "x.glb", [Item(box((1, 2, 3)), X, name="left")])
    found = trimesh.load_scene(tmp_path / "x.glb").graph["left"][0]
    y_up = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    np.testing.assert_allclose(found[:3, :3], y_up @ X[:3, :3], atol=1e-9)
    assert np.linalg.det(found[:3, :3]) == pytest.approx(-1.0)


def test_a_crank_that_turns_has_the_keys_of_its_closed_form(tmp_path):
    arguments = ["render", "four_bar", "-o", str(tmp_path / "x.glb"), "-d", "crank=0:720:73"]
    result = CliRunner().invoke(app, [*arguments, "--fps", "24"])
    assert result.exit_code == 0, result.output
    data = (tmp_path / "x.glb").read_bytes()
    times, q = keys(data, "crank", "rotation")
    np.testing.assert_allclose(times, np.arange(73) / 24.0, atol=1e-6)
    half = np.radians(np.linspace(0.0, 720.0, 73)) / 2.0
    # counted on through two turns: the half angle reaches 2 pi, and no sign is lost on the way
    np.testing.assert_allclose(q[:, 2], np.sin(half), atol=1e-6)
    np.testing.assert_allclose(q[:, 3], np.cos(half), atol=1e-6)


def test_what_stands_still_is_not_animated(tmp_path):
    poses = np.zeros((4, 2, 7))
    poses[..., 6] = 1.0
    poses[:, 1, 1] = (0.0, 1.0, 2.0, 3.0)
    items = [Item(box((1, 1, 1)), name="base"), Item(box((1, 1, 1)), name="slide")]
    data = glb(items, motion=Motion(np.arange(4.0), poses))
    targets = [c["target"] for c in head_of(data)["animations"][0]["channels"]]
    assert targets == [{"node": 1, "path": "translation"}]
    np.testing.assert_allclose(keys(data, "slide", "translation")[1][:, 1], [0, 1e-3, 2e-3, 3e-3])


def test_without_any_motion_there_is_no_animation():
    poses = np.zeros((3, 1, 7))
    poses[..., 6] = 1.0
    data = glb([Item(box((1, 1, 1)))], motion=Motion(np.arange(3.0), poses))
    assert "animations" not in head_of(data)


def test_neighbouring_turns_get_neighbouring_signs():
    q = turning(40, 2.0)
    assert (np.einsum("ki,ki->k", q[1:], q[:-1]) < 0).any()  # the input does jump
    found = steady(q)
    assert (np.einsum("ki,ki->k", found[1:], found[:-1]) > 0).all()
    same = Rotation.from_quat(found).as_matrix() - Rotation.from_quat(q).as_matrix()
    assert np.abs(same).max() < 1e-12


def test_a_path_is_a_line_through_its_points_in_metres():
    points = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 5.0, 1.0]])
    data = glb([Item(box((1, 1, 1)))], traces=[Trace("pen", points)])
    head = head_of(data)
    (line,) = [m for m in head["meshes"] if m["name"] == "path of pen"]
    assert line["primitives"][0]["mode"] == 3
    found = array_of(data, line["primitives"][0]["attributes"]["POSITION"])
    np.testing.assert_allclose(found, points * 1e-3, atol=1e-9)
