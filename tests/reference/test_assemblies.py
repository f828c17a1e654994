"""The shipped folders are complete, readable, closed at the start, and as their script writes them.

No solver here: counts and positions in `expected.toml` are held against the plain rows of
`mate_rows`, so that a wrong expectation cannot hide behind a wrong solver.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
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
REAL = re.compile(r"[-+]?\d+\.\d*(?:E[-+]?\d+)?")
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
    shipped = ROOT / "assemblies"
    changed = make_assemblies.differing(tmp_path, shipped)
    assert [name for name in changed if not name.endswith(".step")] == []
    for file in sorted(tmp_path.rglob("*.step")):
        assert same_model(file, shipped / file.relative_to(tmp_path)), file.name


def same_model(one: Path, other: Path) -> bool:
    """Whether two STEP files say the same but for last digits, in which processors may differ."""
    texts = [path.read_text(encoding="ascii") for path in (one, other)]
    words = [REAL.sub("", text) for text in texts]
    reals = [[float(number) for number in REAL.findall(text)] for text in texts]
    return words[0] == words[1] and np.allclose(reals[0], reals[1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["jansen_leg", "bennett", "gear_pair"])
def test_files_are_the_same_bytes_in_every_process(name, tmp_path):
    code = (
        "import sys; from pathlib import Path; from scripts.make_assemblies import write_one\n"
        "write_one(Path(sys.argv[1]), sys.argv[2])"
    )
    for seed in ("1", "2"):
        call = [sys.executable, "-c", code, str(tmp_path / seed), name]
        subprocess.run(call, cwd=ROOT, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    one, other = (tmp_path / seed / f"{name}.step" for seed in ("1", "2"))
    assert one.read_bytes() == other.read_bytes()


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
