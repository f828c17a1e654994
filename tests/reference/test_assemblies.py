"""The shipped folders are complete, readable, closed at the start, and as their script writes them.

No solver here: counts and positions in `expected.toml` are held against the plain rows of
`mate_rows`, so that a wrong expectation cannot hide behind a wrong solver.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from cad2mbs.io import mates_file
from scripts import make_assemblies
from tests.reference import mate_rows
from tests.reference.joint_kinds import FREEDOMS

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = sorted(p.parent for p in (ROOT / "assemblies").glob("*/assembly.yaml"))
# STEP files carry 15 digits, which holes and pins of a model far larger than them lose a few of.
CLOSED = 1e-11
WANTED = {
    "bennett",
    "conflict",
    "four_bar",
    "four_bar_chain",
    "gear_pair",
    "jansen_leg",
    "lead_screw",
    "over_redundant",
    "rack_and_pinion",
    "radial_engine",
    "radial_engine_1",
    "radial_engine_2",
    "radial_engine_3",
    "sarrus",
    "scissor_lift",
    "single_cylinder_engine",
    "slider_crank_stop",
    "spatial_four_bar",
    "stewart",
    "two_boxes",
    "universal_shaft",
}


def expected(folder: Path) -> dict:
    return tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8"))


def test_all_wanted_assemblies_are_shipped():
    assert {f.name for f in FOLDERS} >= WANTED


def test_shipped_files_are_what_the_script_writes(tmp_path):
    make_assemblies.write_all(tmp_path)
    assert make_assemblies.differing(tmp_path, ROOT / "assemblies") == []


def test_script_sees_a_changed_file(tmp_path):
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "ORIGIN.md").write_text("x", encoding="utf-8")
    assert make_assemblies.differing(tmp_path, ROOT / "assemblies") == [
        str(Path("new") / "ORIGIN.md")
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.name)
def test_folder_has_a_line_of_origin(folder):
    assert len((folder / "ORIGIN.md").read_text(encoding="utf-8").strip().splitlines()) == 1


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.name)
def test_expected_names_exist_in_the_mates_file(folder):
    assembly, wanted = mates_file.read(folder / "assembly.yaml"), expected(folder)
    assert list(assembly.drives) == wanted["drives"]
    for joint in wanted.get("joint", ()):
        assert set(joint["bodies"]) <= set(assembly.parts)
        assert joint["kind"] in FREEDOMS
    for check in wanted.get("check", ()):
        assert check["part"] in assembly.parts
        assert set(check["drive"]) <= set(assembly.drives)
    assert set(wanted.get("conflicting_mates", ())) <= set(assembly.mates)
    assert all(stop["drive"] in assembly.drives for stop in wanted.get("stop", ()))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.name)
def test_mates_file_starts_closed_with_the_expected_freedoms(folder):
    assembly, wanted = mates_file.read(folder / "assembly.yaml"), expected(folder)
    poses = mate_rows.start(assembly)
    size = mate_rows.model_size(assembly, poses)
    two, one = mate_rows.all_rows(assembly, poses, size)
    if wanted.get("conflict"):
        assert np.abs(two).max() * size == pytest.approx(wanted["open_mm"], rel=1e-12)
        return
    assert np.abs(two).max() < CLOSED
    assert one.min(initial=0.0) >= 0
    assert mate_rows.freedoms(assembly) == wanted["freedoms"]


@pytest.mark.parametrize(
    "folder",
    [f for f in FOLDERS if "implicit" in expected(f).get("formulations", {})],
    ids=lambda f: f.name,
)
def test_implicit_counts_are_those_of_the_mates(folder):
    counts = expected(folder)["formulations"]["implicit"]
    found = mate_rows.counts(mates_file.read(folder / "assembly.yaml"))
    assert found == (counts["equations"], counts["inequalities"], counts["unknowns"])
