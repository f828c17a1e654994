"""cad2mbs render: pictures, moving pictures and glTF of assemblies with geometry."""

from __future__ import annotations

import av
import numpy as np
import pytest
import trimesh
from PIL import Image
from typer.testing import CliRunner

import cad2mbs
from cad2mbs.cli import app
from cad2mbs.pictures.item import items_of
from cad2mbs.pictures.moving import frames, see_through
from cad2mbs.pictures.trace import COLOURS
from cad2mbs.viewer import html


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


def test_a_path_is_drawn_whole_over_the_position_at_start(tmp_path):
    images = []
    for k, motion in enumerate(("30:390:73", "390:30:73", "120:480:73")):
        code, out = run(
            "four_bar", "-o", tmp_path / f"{k}.png", "-d", f"crank={motion}", "--trace", "crank/b",
            "--size", "200x150", "--view", "top",
        )  # fmt: skip
        assert code == 0, out
        images.append(np.asarray(Image.open(tmp_path / f"{k}.png"), int))
    forth, back, elsewhere = images
    red = (forth[..., 0] - forth[..., 1] > 100) & (forth[..., 2] > 20)
    assert red.sum() > 150
    assert np.abs(forth - back).max() < 12  # 30 and 390 degrees: the same circle, the same place
    assert np.abs(forth - elsewhere).max() > 100


def test_a_drive_that_stands_stays_while_another_moves(tmp_path):
    m = cad2mbs.load("excavator").mechanism()
    names = list(m.drives)
    values = {n: d.value for n, d in m.drives.items()}
    both = ["-d", f"{names[0]}={values[names[0]] + 3}"]
    both += ["-d", f"{names[1]}={values[names[1]]}:{values[names[1]] + 3}:3"]
    code, out = run("excavator", "-o", tmp_path / "e.glb", *both)
    assert code == 0, out
    m.drive({names[0]: values[names[0]] + 3})
    scene = trimesh.load(tmp_path / "e.glb")
    for part, pose in m.poses.items():
        if part in scene.graph.nodes:
            x, y, z = np.array(pose.position) * m.units.metre
            np.testing.assert_allclose(scene.graph.get(part)[0][:3, 3], (x, z, -y), atol=1e-6)


def test_a_sweep_becomes_a_film(tmp_path):
    code, out = run(
        "four_bar", "-o", tmp_path / "t.mp4", "-d", "crank=0:180:5", "--size", "121x91", "--fps", 10
    )
    assert code == 0, out
    with av.open(tmp_path / "t.mp4") as film:
        assert sum(1 for _ in film.decode(video=0)) == 5
        assert film.streams.video[0].average_rate == 10


def test_a_page_is_written_with_its_size_told(tmp_path, monkeypatch):
    (tmp_path / "page.js").write_text("export {};")
    (tmp_path / "page.css").write_text("")
    monkeypatch.setattr(html, "PAGE", tmp_path)
    code, out = run("four_bar", "-o", tmp_path / "x.html")
    assert code == 0, out
    assert "MB; it moves crank" in out
    assert (tmp_path / "x.html").read_text().startswith("<!doctype html>")


def test_a_path_keeps_its_colour_in_a_gif(tmp_path):
    arguments = ["-d", "crank=0:300:4", "--trace", "crank/b", "--size", "200x150"]
    run("four_bar", "-o", tmp_path / "t.gif", *arguments)
    with Image.open(tmp_path / "t.gif") as moving:
        moving.seek(3)
        last = np.asarray(moving.convert("RGB"), int)
    wanted = np.round(255 * np.array(COLOURS[0][:3]))
    assert (np.abs(last - wanted).max(axis=2) <= 2).sum() > 20


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
        (["four_bar", "-o", "x.bmp"], "ends in .png or .gif or .mp4 or .glb or .html"),
        (["four_bar", "-o", "x.mp4", "-d", "crank=10"], "a moving picture needs --drive"),
        (["four_bar", "-o", "x.png", "-d", "crank=0:9:3"], "a picture shows one position"),
        (["four_bar", "-o", "x.png", "--trace", "crank/b"], "--trace draws the path of a motion"),
        (
            ["four_bar", "-o", "x.png", "-d", "crank=0:9:3", "--trace", "crank/bb"],
            "did you mean 'crank/b'",
        ),
        (["four_bar", "-o", "x.gif", "-d", "crank=0:9:3", "-d", "crank=3"], "given twice"),
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
