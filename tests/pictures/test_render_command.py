"""cad2mbs render: pictures, moving pictures and glTF of assemblies with geometry."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from PIL import Image
from typer.testing import CliRunner

import cad2mbs
from cad2mbs.cli import app
from cad2mbs.pictures.item import items_of
from cad2mbs.pictures.moving import frames, see_through


def run(*arguments) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["render", *map(str, arguments)])
    return result.exit_code, result.output


def test_a_picture_has_the_asked_size_and_shows_something(tmp_path):
    code, out = run("gear_pair", "-o", tmp_path / "g.png", "--size", "200x150")
    assert code == 0, out
    image = np.asarray(Image.open(tmp_path / "g.png"))
    assert image.shape == (150, 200, 3)
    assert image[40:110, 60:140].std() > 20  # gears, not the plain background


def test_a_drive_value_changes_the_picture(tmp_path):
    for crank in (10, 100):
        run(
            "four_bar", "-o", tmp_path / f"{crank}.png", "-d", f"crank={crank}", "--size", "160x120"
        )
    one, other = (np.asarray(Image.open(tmp_path / f"{c}.png"), int) for c in (10, 100))
    assert np.abs(one - other).max() > 50


def test_a_sweep_becomes_a_moving_picture(tmp_path):
    code, out = run(
        "four_bar",
        "-o",
        tmp_path / "t.gif",
        "-d",
        "crank=0:180:4",
        "--size",
        "120x90",
        "--view",
        "top",
    )
    assert code == 0, out
    with Image.open(tmp_path / "t.gif") as moving:
        assert moving.n_frames == 4


def test_a_sweep_that_stops_is_drawn_so_far_with_exit_code_1(tmp_path):
    code, out = run(
        "double_rocker", "-o", tmp_path / "t.gif", "-d", "crank=60:150:10", "--size", "80x60"
    )
    assert code == 1
    assert "dead point" in out
    with Image.open(tmp_path / "t.gif") as moving:
        assert 1 < moving.n_frames < 10


def test_gltf_has_the_parts_where_the_drive_puts_them(tmp_path):
    code, out = run("four_bar", "-o", tmp_path / "f.glb", "-d", "crank=100")
    assert code == 0, out
    m = cad2mbs.load("four_bar").mechanism()
    m.drive(crank=100.0)
    scene = trimesh.load(tmp_path / "f.glb")
    for part in ("crank", "coupler", "rocker"):
        X, _ = scene.graph.get(part)
        x, y, z = m.poses[part].position  # metres; glTF has y up
        np.testing.assert_allclose(X[:3, 3], (x, z, -y), atol=1e-6)


def test_glass_lets_through_what_is_behind():
    m = cad2mbs.load("radial_engine").mechanism()
    solid, clear = items_of(m), see_through(items_of(m), ["housing"])
    assert [i.colour[3] for i in solid if i.name == "housing"] == [1.0]
    (housing,) = [i for i in clear if i.name == "housing"]
    assert housing.colour[3] < 1.0
    assert len(housing.mesh.edge_points) == 0
    assert sum(len(i.mesh.edge_points) > 0 for i in clear) == len(clear) - 1


def test_what_stands_still_stays_where_it_is_in_all_frames():
    assembly = cad2mbs.load("four_bar")
    m = assembly.mechanism()
    result = m.sweep({"crank": np.linspace(0.0, 300.0, 3)})
    pictures = np.array(list(frames(assembly, result, (160, 120), "top", shadow=False)), int)
    same = np.abs(pictures - pictures[0]).max(axis=(0, 3)) < 8
    dark = pictures[0].max(axis=2) < 120  # the grey ground bar
    assert (same & dark).sum() > 20


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["four_bar", "-o", "x.gif"], "a moving picture needs --drive"),
        (["four_bar", "-o", "x.png", "--view", "topp"], "did you mean 'top'?"),
        (["four_bar", "-o", "x.png", "--size", "big"], "wanted WIDTHxHEIGHT"),
        (["four_bar", "-o", "x.png", "--up", "w"], "x, y or z wanted"),
        (["four_bar", "-o", "x.png", "--glass", "grund"], "did you mean 'ground'?"),
        (["four_bar", "-o", "x.png", "-d", "crnk=3"], "did you mean 'crank'?"),
        (["four_bar", "-o", "x.bmp"], "ends in .png or .gif or .glb"),
        (["bare.yaml", "-o", "x.png"], "no part has geometry to draw"),
    ],
)
def test_mistakes_are_told(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bare.yaml").write_text("cad2mbs: 1\nparts: {a: {grounded: true}}\n")
    code, out = run(*arguments)
    assert code == 2, out
    assert said in out
    assert [p.name for p in tmp_path.iterdir()] == ["bare.yaml"]
