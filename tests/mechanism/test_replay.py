"""Stored .asmt results are met again; what cannot be replayed says why."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from cad2mbs.cli import app
from cad2mbs.errors import InputError
from cad2mbs.io import asmt
from cad2mbs.replay import replay

TOLERANCE = 1e-6  # of the model's size, and rad
SERIES = {
    "Gears", "anglejoint", "crank_slider", "fourbar", "parm", "piston", "rackscrew",
    "mateproblembobcat",
}  # fmt: skip
INCONSISTENT = "mateproblembobcat"
BARE = {
    "CylSphJt", "RevCylJt", "RevRevJt", "Schmidt_Coupling_Ass_1-1", "SphSphJt", "fixplnplnpln",
    "limits", "pistonWithLimits", "rackPinion",
}  # fmt: skip


def run(*arguments: str):
    return CliRunner().invoke(app, list(arguments))


def test_every_file_of_the_collection_is_tested_here(shared_data):
    found = {p.stem: asmt.read_all(p).series for p in (shared_data / "asmt").glob("*.asmt")}
    assert {n for n, series in found.items() if series is not None} == SERIES
    assert {n for n, series in found.items() if series is None} == BARE


@pytest.mark.parametrize("name", sorted(SERIES - {INCONSISTENT}))
def test_stored_series_is_met_again(shared_data, name):
    path = shared_data / "asmt" / f"{name}.asmt"
    series = asmt.read_all(path).series
    assert series is not None
    done = replay(path)
    assert done.ok, done.status
    assert done.largest_relative <= TOLERANCE
    assert {part for part, _, _ in done.rows} == set(series.position)
    assert max(d for _, d, _ in done.rows) <= TOLERANCE * done.model_size
    assert str(len(series.times)) in done.status


@pytest.mark.parametrize("name", sorted(SERIES - {INCONSISTENT}))
def test_command_line_tells_the_largest_difference(shared_data, name):
    path = str(shared_data / "asmt" / f"{name}.asmt")
    result = run("replay", path, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["ok"] is True


def test_replay_says_no_when_the_stored_result_differs(shared_data):
    path = str(shared_data / "asmt" / "fourbar.asmt")
    assert run("replay", path, "--tol", "1e-17").exit_code == 1


def test_replay_sees_a_part_moved_in_the_stored_result(shared_data, tmp_path):
    lines = (shared_data / "asmt" / "fourbar.asmt").read_text(encoding="utf-8").splitlines()
    part = max(k for k, line in enumerate(lines) if line.startswith("PartSeries"))
    x = next(k for k in range(part, len(lines)) if lines[k].startswith("X\t"))
    cells = lines[x].split("\t")
    cells[-1] = repr(float(cells[-1]) + 1e-3)
    lines[x] = "\t".join(cells)
    copy = tmp_path / "moved.asmt"
    copy.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert replay(copy).largest_relative > 1e-5


def test_inconsistent_model_is_reported_with_its_mates(shared_data):
    path = shared_data / "asmt" / f"{INCONSISTENT}.asmt"
    assembly = asmt.read_all(path).assembly
    m = assembly.mechanism()
    assert not m.assembled
    assert m.conflict
    assert set(m.conflict) <= set(assembly.mates)
    done = replay(path)
    assert not done.ok
    assert all(mate in done.status for mate in m.conflict)
    result = run("replay", str(path))
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    found = json.loads(run("inspect", str(path), "--json").stdout)
    named = [v["name"] for v in found["mates"] if v["verdict"] == "conflicting"]
    assert named == list(m.conflict)


@pytest.mark.parametrize("name", sorted(BARE))
def test_file_without_a_series_says_so_and_can_still_be_inspected(shared_data, name):
    path = shared_data / "asmt" / f"{name}.asmt"
    with pytest.raises(InputError, match="no result series"):
        replay(path)
    refused = run("replay", str(path))
    assert refused.exit_code == 2
    assert "Traceback" not in refused.output
    looked = run("inspect", str(path), "--json")
    assert looked.exit_code == 0, looked.output
    found = json.loads(looked.stdout)
    assert found["parts"]
    assert {v["verdict"] for v in found["mates"]} <= {"needed", "redundant"}
