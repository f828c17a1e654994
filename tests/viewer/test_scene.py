"""What the page is told: complete, plain, and true to the mechanism."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import cad2mbs
from cad2mbs.io.source import shipped
from cad2mbs.model.editing import switched
from cad2mbs.pictures.item import items_of
from cad2mbs.viewer.geometry import blob, key
from cad2mbs.viewer.scene import body_poses, gap, scene, solids, verdicts

FIELDS = {
    "name", "source", "editable", "edited", "units", "geometry", "bodies", "parts", "joints",
    "mates", "drives", "mobility", "assembled", "status", "notes", "conflict", "quantities",
    "positions", "observers",
}  # fmt: skip
SECTIONS = {
    "bodies": {"name", "grounded", "parts"},
    "parts": {"name", "body", "solid", "colour", "place", "points"},
    "joints": {
        "name", "kind", "freedoms", "bodies", "mates", "role", "reason", "limits", "place",
    },
    "mates": {
        "name", "kind", "a", "b", "value", "unit", "off", "verdict", "gap", "meaning",
    },
    "drives": {
        "name", "unit", "length", "value", "low", "high", "what", "driving", "declared", "turns",
    },
    "quantities": {"name", "unit", "group", "shown"},
}  # fmt: skip


def matrix(place) -> np.ndarray:
    """The pose of seven numbers x y z qx qy qz qw."""
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = Rotation.from_quat(place[3:]).as_matrix(), place[:3]
    return X


def world(data, poses, part: int) -> np.ndarray:
    """Where a part is, put together as the page does."""
    found = data["parts"][part]
    return matrix(poses[found["body"]]) @ matrix(found["place"])


@pytest.mark.parametrize("name", shipped())
def test_a_scene_has_the_fields_of_the_protocol_and_is_plain_json(name):
    data = scene(cad2mbs.load(name).mechanism())
    assert set(data) == FIELDS
    for section, fields in SECTIONS.items():
        assert all(set(entry) == fields for entry in data[section]), section
    assert json.loads(json.dumps(data, allow_nan=False)) == data


@pytest.mark.parametrize("name", shipped())
def test_parts_on_their_bodies_are_where_pictures_have_them(name):
    m = cad2mbs.load(name).mechanism()
    data = scene(m)
    (poses,) = body_poses(m, m.state[None])
    assert len(poses) == len(data["bodies"])
    row = {p["name"]: k for k, p in enumerate(data["parts"])}
    for item in items_of(m):
        part = data["parts"][row[item.name]]
        np.testing.assert_allclose(world(data, poses, row[item.name]), item.X_WC, atol=1e-6)
        assert part["colour"] == pytest.approx(item.colour)
        assert solids(m)[part["solid"]].mesh is item.mesh


def test_bodies_move_along_a_sweep_as_the_parts_do():
    m = cad2mbs.load("radial_engine").mechanism()
    data = scene(m)
    result = m.sweep({"crank": np.linspace(0.0, 720.0, 50)})
    poses = body_poses(m, result.states)
    assert poses.shape == (50, len(data["bodies"]), 7)
    near = np.einsum("kbi,kbi->kb", poses[1:, :, 3:], poses[:-1, :, 3:])
    assert (near > 0.5).all()  # no quaternion changes its sign on the way
    for k in (0, 17, 49):
        for part, name in enumerate(m.assembly.parts):
            table = result.poses(name)[k]
            np.testing.assert_allclose(world(data, poses[k], part)[:3, 3], table[:3], atol=1e-9)


@pytest.mark.parametrize("name", ["radial_engine", "stewart", "suspension", "universal_shaft"])
def test_joint_symbols_lie_on_axes_that_both_bodies_keep(name):
    """A point on the axis of a hinge stays together in both bodies wherever the motion goes."""
    m = cad2mbs.load(name).mechanism()
    data = scene(m)
    row = {b["name"]: k for k, b in enumerate(data["bodies"])}
    (start,) = body_poses(m, m.state[None])
    drive = next(iter(m.drives.values()))
    m.drive({drive.name: drive.value + (5.0 if drive.unit == m.units.angle else 1.0)})
    (moved,) = body_poses(m, m.state[None])
    assert np.abs(moved - start).max() > 1e-3
    for joint in data["joints"]:
        place = joint["place"]
        x, z = np.array(place["x"]), np.array(place["z"])
        assert abs(x @ z) < 1e-9
        assert np.linalg.norm(x) == pytest.approx(1.0)
        if joint["kind"] not in ("revolute", "spherical"):
            continue
        ends = [row[b] for b in joint["bodies"]]
        assert place["body"] in ends
        (other,) = (b for b in ends if b != place["body"])
        along = [0.0, 10.0] if joint["kind"] == "revolute" else [0.0]
        for shift in along:
            point = np.append(np.array(place["origin"]) + shift * z, 1.0)
            in_other = np.linalg.solve(matrix(start[other]), matrix(start[place["body"]]) @ point)
            here = matrix(moved[place["body"]]) @ point
            np.testing.assert_allclose(matrix(moved[other]) @ in_other, here, atol=1e-6)


def test_a_hinge_symbol_sits_at_the_pin_and_not_somewhere_along_the_axis():
    m = cad2mbs.load("radial_engine").mechanism()
    data = scene(m)
    (poses,) = body_poses(m, m.state[None])
    (joint,) = [j for j in data["joints"] if j["name"] == "rod_3-piston_3"]
    place = joint["place"]
    found = matrix(poses[place["body"]]) @ np.append(place["origin"], 1.0)
    pose, pin = m.poses["piston_3"], m.assembly.parts["piston_3"].references
    mates = [m.assembly.mates[n] for n in joint["mates"]]
    ref = next(r for mate in mates for r in (mate.a, mate.b) if r.part == "piston_3")
    expected = np.array(pose.position) + pose.rotation() @ pin[ref.ref].origin
    np.testing.assert_allclose(found[:3], expected, atol=1e-6)


def test_drives_that_drive_come_first_and_others_are_offered():
    m = cad2mbs.load("four_bar").mechanism()
    drives = scene(m)["drives"]
    assert (drives[0]["name"], drives[0]["driving"], drives[0]["declared"]) == ("crank", True, True)
    assert drives[0]["turns"]
    assert drives[0]["value"] == pytest.approx(60.0)
    others = drives[1:]
    assert others
    assert not any(d["driving"] for d in others)
    chosen = scene(m, driving=[others[0]["name"]])["drives"]
    assert [d["name"] for d in chosen if d["driving"]] == [others[0]["name"]]
    assert chosen[0]["name"] == others[0]["name"]


def test_a_mate_that_is_off_is_still_listed():
    assembly = switched(cad2mbs.load("four_bar"), "rocker_pin_point", False)
    m = assembly.mechanism()
    mates = {mate["name"]: mate for mate in scene(m)["mates"]}
    assert mates["rocker_pin_point"]["off"]
    assert mates["rocker_pin_point"]["verdict"] == "off"
    assert mates["crank_pin_point"]["verdict"] == ""
    found = {v["name"]: v["verdict"] for v in verdicts(m)["mates"]}
    assert list(found) == list(assembly.mates)
    assert found["rocker_pin_point"] == "off"
    assert set(found.values()) <= {"needed", "redundant", "off"}


def test_verdicts_name_the_conflict_with_its_gap():
    m = cad2mbs.load("conflict").mechanism()
    found = verdicts(m)
    assert set(found["conflict"]) == set(m.conflict) != set()
    bad = [v for v in found["mates"] if v["verdict"] == "conflicting"]
    assert any(v["gap"] for v in bad)


@pytest.mark.parametrize(
    ("mm", "deg", "text"),
    [(0.0, 0.0, ""), (1e-9, 1e-9, ""), (0.25, 0.0, "0.25 mm"), (2.0, 1.5, "2 mm and 1.5 deg")],
)
def test_a_gap_is_told_in_words(mm, deg, text):
    assert gap(mm, deg) == text


def test_parts_without_shape_have_points_to_draw_as_sticks(tmp_path):
    (tmp_path / "bare.yaml").write_text(
        "cad2mbs: 1\nunits: {length: m}\nparts:\n"
        "  base: {grounded: true, references: {a: {point: [0, 0, 0]}, b: {point: [0.1, 0, 0]},\n"
        "    c: {point: [0.1, 0, 0]}, d: {vector: [0, 0, 1]}}}\n"
    )
    data = scene(cad2mbs.load(tmp_path / "bare.yaml").mechanism())
    (part,) = data["parts"]
    assert data["geometry"] is None
    assert part["solid"] == -1
    assert part["points"] == [[0, 0, 0], [100, 0, 0]]  # mm, each once, no direction
    assert data["units"]["mm"] == 1000


def test_the_scene_names_its_geometry_by_content():
    m = cad2mbs.load("four_bar").mechanism()
    assert scene(m)["geometry"] == f"geometry/{key(blob(solids(m)))}"
