"""The commands about geometry: parts, features, mass, and what bad CAD input ends in."""

from __future__ import annotations

import json

import cadquery as cq
import numpy as np
import pytest
from typer.testing import CliRunner

from cad2mbs.cad.kernel.write import write_cq
from cad2mbs.cli import app


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One STEP file: a plate with two holes, and two equal bolts in a sub-assembly."""
    place = tmp_path_factory.mktemp("cad")
    plate = cq.Workplane().box(60, 40, 10).faces(">Z").workplane().rarray(30, 1, 2, 1).hole(8)
    bolt = cq.Workplane().circle(4).extrude(20)
    bolts = cq.Assembly(name="bolts")
    bolts.add(bolt, name="left", loc=cq.Location((-15, 0, -5)), color=cq.Color("red"))
    bolts.add(bolt, name="right", loc=cq.Location((15, 0, -5)), color=cq.Color("red"))
    whole = cq.Assembly(name="whole").add(plate, name="plate").add(bolts, name="bolts")
    write_cq(place / "plate.step", whole)
    return place


def run(*arguments) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    return result.exit_code, result.output


def data_of(*arguments) -> dict:
    code, out = run(*arguments, "--json")
    assert code == 0, out
    return json.loads(out[out.index("{") :])


def test_parts_shows_the_tree_with_shared_solids(folder):
    data = data_of("parts", folder / "plate.step")
    assert (data["parts"], data["solids"]) == (3, 2)
    plate, bolts = data["tree"]["children"]
    assert plate["name"] == "plate"
    assert [c["name"] for c in bolts["children"]] == ["left", "right"]
    assert {c["instances"] for c in bolts["children"]} == {2}
    assert {c["colour"] for c in bolts["children"]} == {"#ff0000"}
    np.testing.assert_allclose(plate["size_mm"], (60, 40, 10), atol=1e-6)
    code, out = run("parts", folder / "plate.step")
    assert code == 0
    assert "  left" in out


def test_mass_is_density_times_volume(folder):
    data = data_of("mass", folder / "plate.step")
    found = {p["part"]: p["mass_kg"] for p in data["parts"]}
    bolt = 7850e-9 * np.pi * 16 * 20
    plate = 7850e-9 * (60 * 40 * 10 - 2 * np.pi * 16 * 10)
    np.testing.assert_allclose([found["left"], found["plate"]], [bolt, plate], rtol=1e-9)
    assert data["total_kg"] == pytest.approx(plate + 2 * bolt, rel=1e-9)
    assert run("mass", folder / "plate.step")[0] == 0


def test_features_lists_holes_with_a_selector_that_finds_them(folder):
    data = data_of("features", folder / "plate.step", "plate")
    holes = [f for f in data["features"] if f["kind"] == "hole"]
    assert [f["radius"] for f in holes] == pytest.approx([4.0, 4.0])
    assert sorted(f["origin"][0] for f in holes) == pytest.approx([-15.0, 15.0])
    assert all(f["sweep"] == pytest.approx(360.0) for f in holes)
    assert all(f["selector"]["select"] == "hole" for f in holes)
    code, out = run("features", folder / "plate.step", "plate")
    assert code == 0
    assert "hole" in out


def test_features_are_told_in_the_unit_of_the_mates_file():
    data = data_of("features", "four_bar", "crank", "--kind", "hole")
    assert data["unit"] == "m"
    assert {f["kind"] for f in data["features"]} == {"hole"}
    radii = [f["radius"] for f in data["features"]]
    assert max(radii) < 0.1
    selected = [f["selector"]["radius"] for f in data["features"] if "radius" in f["selector"]]
    assert all(any(s == pytest.approx(r, rel=1e-3) for r in radii) for s in selected)
    assert run("features", "four_bar", "crank", "--kind", "hoel")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["features", "plate.step"], "which part? Give one of: plate, left, right"),
        (["features", "plate.step", "plat"], "did you mean 'plate'?"),
        (["features", "four_bar_chain.asmt"], "there is no such file"),
        (["parts", "empty.step"], "empty"),
        (["parts", "text.step"], "STEP"),
        (["inspect", "text.step"], "STEP"),
        (["parts", "none.step"], "there is no such file"),
    ],
)
def test_bad_input_is_a_clear_error_with_exit_code_2(folder, monkeypatch, arguments, said):
    monkeypatch.chdir(folder)
    (folder / "empty.step").write_bytes(b"")
    (folder / "text.step").write_text("Dear reader, this is a letter.\n" * 20, encoding="utf-8")
    code, out = run(*arguments)
    assert code == 2, out
    assert said in out
    assert "Traceback" not in out


def test_a_file_without_solids_is_refused(folder, monkeypatch):
    monkeypatch.chdir(folder)
    cq.exporters.export(cq.Workplane(cq.Edge.makeLine((0, 0, 0), (1, 0, 0))), "line.step")
    code, out = run("parts", "line.step")
    assert code == 2, out
    assert "no solids" in out
