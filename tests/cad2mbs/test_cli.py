"""The command line: what it prints, what it refuses, and the exit codes.

Most tests run on a stand-in mechanism with known numbers, so that they prove the command line
alone; the last ones go through to the real one.
"""

from __future__ import annotations

import json
from types import SimpleNamespace as Record

import numpy as np
import pytest
from typer.testing import CliRunner

from cad2mbs import cli
from cad2mbs.cli import common
from cad2mbs.errors import InputError, MechanismError
from cad2mbs.model.pose import Pose
from cad2mbs.plots import panels
from cad2mbs.results import SweepResult, pose_names
from cad2mbs.units import Units

INSPECT_KEYS = {
    "parts",
    "bodies",
    "joints",
    "mobility",
    "mates",
    "formulations",
    "blocks",
    "loops",
}


class StandIn:
    """A crank of 2 m in a file with metres: the tip is at 2 cos, 2 sin; it locks above 90 deg."""

    name = "Crank [bold]"
    units = Units("m", "deg")
    formulation = "mixed"
    assembled = True
    conflict: tuple[str, ...] = ()
    status = "all mates hold"
    blocks = (2,)
    loops = 1

    def __init__(self) -> None:
        self.assembly = Record(
            parts={"ground": None, "tip": None},
            source="crank.yaml",
            observers={},
            positions={"up": {"crank": 80.0}, "beyond": {"crank": 100.0}},
        )
        mates = (Record(name="spare", kind="in-line"), Record(name="pin", kind="coincident"))
        self.whole = Record(mates={m.name: m for m in mates})  # of which spare is off
        self.bodies = [Record(name="ground", parts=("ground",), grounded=True)]
        self.joints = [
            Record(
                name="hinge",
                bodies=("ground", "tip"),
                kind="revolute",
                freedoms=1,
                mates=("pin",),
                role="tree",
                limits=[{"name": "stop", "low": None, "high": 90.0}],
                reason="one freedom",
            )
        ]
        self.mobility = Record(
            freedoms=1, gruebler=-2, redundant=3, at_pose=np.int64(1), names=("crank",)
        )
        counts = {"equations": 5, "inequalities": 0, "unknowns": 6}
        self.formulations = {"implicit": counts, "explicit": counts}
        self.drives = {
            "crank": Record(name="crank", value=0.0, unit="deg", low=None, high=90.0, what="hinge")
        }
        self.poses = {"tip": Pose((2.0, 0.0, 0.0))}
        self.joint_coordinates = {"hinge": [0.0]}
        self.crossed = False

    def verdicts(self):
        return [
            Record(
                name="pin",
                kind="coincident",
                verdict="needed",
                residual_mm=0.0,
                residual_deg=np.nan,
            )
        ]

    def drive(self, values, cross=False):
        self.crossed = cross
        angle = values.get("crank", 0.0)
        turn = np.radians(angle)
        self.poses = {"tip": Pose((2.0 * np.cos(turn), 2.0 * np.sin(turn), 0.0))}
        self.joint_coordinates = {"hinge": [angle]}
        ok = angle <= 90.0
        return Record(
            ok=ok,
            status="solved" if ok else "locks at crank = 90 deg",
            residual=1e-12,
            smallest_singular_value=0.5,
            values={"crank": min(angle, 90.0)},
        )

    def sweep(self, ranges, cross=False, progress=None):
        angles = ranges["crank"]
        kept = angles[angles <= 90.0]
        progress(len(kept), len(angles))
        ok = len(kept) == len(angles)
        turn = np.radians(kept)
        tip = np.zeros((len(kept), 7))
        tip[:, 0], tip[:, 1], tip[:, 3] = 2.0 * np.cos(turn), 2.0 * np.sin(turn), 1.0
        return SweepResult(
            names=("crank", *pose_names("tip")),
            units=("deg", "m", "m", "m", "", "", "", ""),
            table=np.column_stack([kept, tip]),
            ok=ok,
            status="done" if ok else "locks at crank = 90 deg",
            residual=1e-12,
            metadata={} if ok else {"stopped_at": {"crank": 90.0}},
        )

    def modes(self, seed=0, max_starts=100):
        return [self.poses, {"tip": Pose((-2.0, 0.0, 0.0))}]


@pytest.fixture
def stand_in(monkeypatch):
    m = StandIn()
    monkeypatch.setattr(common, "mechanism", lambda source, formulation: m)
    monkeypatch.delenv("CAD2MBS_DEBUG", raising=False)
    return m


def run(*arguments, code=0):
    result = CliRunner().invoke(cli.app, [str(a) for a in arguments])
    assert result.exit_code == code, result.output
    return result


# ---------------------------------------------------------------- inspect, solve


def test_inspect_json_has_the_published_keys_and_no_nan(stand_in):
    data = json.loads(run("inspect", "x", "--json").stdout)
    assert data.keys() >= INSPECT_KEYS
    assert data["joints"][0].keys() >= {"bodies", "kind", "freedoms", "mates", "role", "limits"}
    counts = {"freedoms": 1, "gruebler": -2, "redundant": 3, "at_pose": 1}
    assert data["mobility"] == {**counts, "names": ["crank"]}
    assert data["mates"][0]["residual_deg"] is None


def test_inspect_table_shows_names_as_they_are(stand_in):
    text = run("inspect", "x").stdout
    assert "Crank [bold]" in text
    assert "revolute" in text
    assert "Grübler -2" in text


def test_inspect_of_a_conflict_prints_it_and_exits_with_1(stand_in):
    stand_in.conflict = ("pin", "other")
    assert "contradict each other: pin, other" in run("inspect", "x", code=1).stdout


def test_solve_json_gives_millimetres_for_a_file_in_metres(stand_in):
    data = json.loads(run("solve", "x", "--drive", "crank=90", "--json").stdout)
    assert data["parts"]["tip"]["position"] == pytest.approx([0.0, 2000.0, 0.0], abs=1e-9)
    assert data["parts"]["tip"]["quaternion"] == [1.0, 0.0, 0.0, 0.0]
    assert data["joints"] == {"hinge": [90.0]}
    assert data["smallest_singular_value"] == 0.5


def test_inspect_lists_a_mate_that_is_off_where_the_file_has_it(stand_in):
    first, second = json.loads(run("inspect", "x", "--json").stdout)["mates"]
    assert (first["name"], first["verdict"], first["residual_mm"]) == ("spare", "off", None)
    assert (second["name"], second["verdict"], second["residual_mm"]) == ("pin", "needed", 0.0)
    row = next(r for r in run("inspect", "x").stdout.splitlines() if "spare" in r)
    assert row.split() == ["spare", "in-line", "off"]


def test_solve_drives_to_a_named_position(stand_in):
    data = json.loads(run("solve", "x", "--position", "up", "--json").stdout)
    assert data["drives"] == {"crank": 80.0}
    data = json.loads(run("solve", "x", "-p", "beyond", "-d", "crank=10", "--json").stdout)
    assert data["drives"] == {"crank": 10.0}
    run("solve", "x", "-p", "beyond", code=1)


def test_solve_refuses_a_position_that_is_not_there(stand_in):
    text = run("solve", "x", "-p", "upp", code=2).stderr
    assert "crank.yaml: error: no position 'upp'; did you mean 'up'? Positions: up, beyond." in text


def test_solve_that_locks_says_so_and_exits_with_1(stand_in):
    assert "locks at crank = 90 deg" in run("solve", "x", "-d", "crank=120", code=1).stdout


def test_cross_is_off_unless_asked_for(stand_in):
    run("solve", "x", "-d", "crank=1")
    assert not stand_in.crossed
    run("solve", "x", "-d", "crank=1", "--cross")
    assert stand_in.crossed


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("crank=nan", "is not finite"),
        ("crank=inf", "is not finite"),
        ("crank=", "is no number"),
        ("crank", "wanted NAME=VALUE"),
        ("=3", "wanted NAME=VALUE"),
        ("crnk=3", "did you mean 'crank'? Drives: crank"),
    ],
)
def test_solve_refuses_a_bad_drive_with_exit_code_2(stand_in, argument, message):
    assert message in run("solve", "x", "--drive", argument, code=2).stderr


def test_all_bad_drives_are_told_in_one_run(stand_in):
    text = run("solve", "x", "-d", "a=nan", "-d", "b=x", code=2).stderr
    assert "a=nan" in text
    assert "b=x" in text


def test_a_drive_given_twice_is_refused(stand_in):
    assert "given twice" in run("solve", "x", "-d", "crank=1", "-d", "crank=2", code=2).stderr


# ---------------------------------------------------------------- sweep


def test_sweep_writes_a_table_that_reads_back_exactly(stand_in, tmp_path):
    file = tmp_path / "t.csv"
    run("sweep", "x", "--drive", "crank=0:90:4", "-o", file)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "crank [deg],tip.x [m],tip.y [m],tip.z [m],tip.qw,tip.qx,tip.qy,tip.qz"
    values = np.loadtxt(file, delimiter=",", skiprows=1)
    np.testing.assert_array_equal(values[:, 1], 2.0 * np.cos(np.radians([0.0, 30.0, 60.0, 90.0])))


def test_sweep_draws_a_picture_and_leaves_nothing_else(stand_in, tmp_path):
    run("sweep", "x", "-d", "crank=0:90:9", "-o", tmp_path / "t.csv", "--plot", tmp_path / "t.png")
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.csv", "t.png"]


def test_sweep_that_stops_writes_what_it_has_and_exits_with_1(stand_in, tmp_path):
    file = tmp_path / "t.csv"
    result = run("sweep", "x", "-d", "crank=0:180:3", "-o", file, "--json", code=1)
    assert json.loads(result.stdout)["stopped_at"] == {"crank": 90.0}
    assert len(file.read_text(encoding="utf-8").splitlines()) == 1 + 2


def test_sweep_replaces_a_file_only_when_forced(stand_in, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("mine", encoding="utf-8")
    assert "--force" in run("sweep", "x", "-d", "crank=0:9:3", "-o", file, code=2).stderr
    assert file.read_text(encoding="utf-8") == "mine"
    run("sweep", "x", "-d", "crank=0:9:3", "-o", file, "--force")
    assert file.read_text(encoding="utf-8").startswith("crank")


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("crank=0:90", "has 2 of 3 numbers"),
        ("crank=0:90:0", "COUNT 0 is not between"),
        ("crank=0:90:1e3", "no whole number"),
        ("crank=0:nan:5", "is not finite"),
        ("crank=5:5:5", "the range is empty"),
        ("crank=0:1:99999999999", "is not between"),
        ("wheel=0:1:5", "Drives: crank"),
    ],
)
def test_sweep_refuses_a_bad_range_with_exit_code_2(stand_in, tmp_path, argument, message):
    assert message in run("sweep", "x", "-d", argument, "-o", tmp_path / "t.csv", code=2).stderr
    assert list(tmp_path.iterdir()) == []


def test_drives_that_move_together_need_equal_counts():
    with pytest.raises(InputError, match="same COUNT"):
        common.read_ranges(["a=0:1:5", "b=0:1:6"])


@pytest.mark.parametrize("name", ["t.yaml", "nowhere/t.csv", ""])
def test_sweep_refuses_a_file_it_should_not_write(stand_in, tmp_path, name):
    run("sweep", "x", "-d", "crank=0:9:3", "-o", tmp_path / name, "--force", code=2)
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_keeps_the_old_file(tmp_path):
    result = SweepResult(("a",), ("mm",), np.array([["no number"]]), True, "", 0.0)
    file = tmp_path / "t.csv"
    file.write_text("old", encoding="utf-8")
    with pytest.raises(ValueError, match="no number"):
        result.to_csv(file)
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]
    assert file.read_text(encoding="utf-8") == "old"


def test_picture_leaves_out_rounding_and_what_stands_still():
    x = np.linspace(0.0, 1.0, 5)
    values = np.column_stack([x, 1e-16 * x, 3.0 + 0.0 * x, 2.0 * x**2])
    result = SweepResult(("d", "a.x", "b.x", "c.x"), ("deg", "mm", "mm", "mm"), values, True, "", 0)
    assert panels(result) == {"positions of parts": ["c.x"]}


def test_picture_of_no_rows_is_still_a_picture(tmp_path):
    result = SweepResult(("d", "a"), ("deg", "mm"), np.zeros((0, 2)), False, "stopped", 0.0)
    result.plot(tmp_path / "t.png")
    assert (tmp_path / "t.png").stat().st_size > 0


def test_result_refuses_values_that_do_not_fit_its_names():
    with pytest.raises(ValueError, match="2 names"):
        _ = SweepResult(("a", "b"), ("mm", "mm"), np.zeros((3, 1)), True, "", 0.0).values


def test_unknown_column_lists_the_known_ones():
    result = SweepResult(("a",), ("mm",), np.zeros((3, 1)), True, "", 0.0)
    with pytest.raises(KeyError, match="there are: a"):
        result.column("b")


# ---------------------------------------------------------------- modes, replay, failures


def test_modes_json_counts_and_lists_them(stand_in):
    data = json.loads(run("modes-of-assembly", "x", "--json").stdout)
    assert data["count"] == 2
    assert data["modes"][1]["tip"]["position"] == [-2000.0, 0.0, 0.0]


@pytest.mark.parametrize("arguments", [["a.yaml"], ["missing.asmt"], ["a.asmt", "--tol", "nan"]])
def test_replay_refuses_bad_input_with_exit_code_2(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    run("replay", *arguments, code=2)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("bad line"), 2),
        (MechanismError("no way"), 1),
        (KeyboardInterrupt(), 130),
        (RuntimeError("oops"), 70),
    ],
)
def test_every_failure_has_its_exit_code_and_no_traceback(monkeypatch, error, code):
    def fail(source, formulation):
        raise error

    monkeypatch.setattr(common, "mechanism", fail)
    monkeypatch.delenv("CAD2MBS_DEBUG", raising=False)
    text = run("inspect", "x", code=code).stderr
    assert "Traceback" not in text
    assert str(error) in text


def test_debug_lets_our_own_mistake_through(monkeypatch):
    def fail(source, formulation):
        raise RuntimeError("oops")

    monkeypatch.setattr(common, "mechanism", fail)
    result = CliRunner().invoke(cli.app, ["--debug", "inspect", "x"])
    assert isinstance(result.exception, RuntimeError)


def test_unknown_formulation_lists_the_choices():
    text = run("inspect", "four_bar", "--formulation", "magic", code=2).output
    assert "implicit" in text


@pytest.mark.parametrize(
    "command", ["inspect", "solve", "sweep", "replay", "modes-of-assembly", "compile"]
)
def test_help_of_every_command_has_an_example(command):
    assert f"cad2mbs {command}" in run(command, "--help").output.split("Example")[1]


# ---------------------------------------------------------------- through to the real mechanism


def test_missing_source_exits_with_2():
    assert "no such file" in run("inspect", "no_such_thing.yaml", code=2).stderr


def test_four_bar_is_inspected_end_to_end():
    data = json.loads(run("inspect", "four_bar", "--json").stdout)
    assert data["mobility"]["freedoms"] == 1
    assert data["loops"] == 1


def test_four_bar_crank_goes_where_it_is_driven():
    data = json.loads(run("solve", "four_bar", "-d", "crank=90", "--json").stdout)
    assert data["parts"]["coupler"]["position"] == pytest.approx([0.0, 500.0, 0.0], abs=1e-6)


def test_a_mate_that_is_off_frees_the_mechanism_and_is_told(tmp_path):
    text = """\
cad2mbs: 1
parts:
  base: {grounded: true, references: {K: {frame: {}}}}
  arm: {references: {K: {frame: {}}}}
mates:
  pivot: {kind: coincident, a: base/K, b: arm/K}
  angle: {kind: offset-x, a: base/K, b: arm/K, angle: 0, off: true}
drives:
  turn: {mate: angle}
"""
    file = tmp_path / "arm.yaml"
    file.write_text(text, encoding="utf-8")
    freed = run("inspect", file, "--json")
    assert freed.stderr == "note: drive 'turn' is left out: its mate 'angle' is off\n"
    data = json.loads(freed.stdout)
    assert data["mobility"]["freedoms"] == 3  # of a ball joint
    assert [m["verdict"] for m in data["mates"]] == ["needed", "off"]
    file.write_text(text.replace("off: true", "off: false"), encoding="utf-8")
    assert json.loads(run("inspect", file, "--json").stdout)["mobility"]["freedoms"] == 1


def test_solve_tells_what_the_observers_measure():
    data = json.loads(run("solve", "excavator", "-p", "start", "--json").stdout)
    assert list(data["observers"]) == ["tooth.x", "tooth.y", "tooth.z", "tooth_height"]
    assert data["observers"]["tooth_height"] == pytest.approx(data["observers"]["tooth.z"] + 900.0)
    assert "tooth_height" in run("solve", "excavator").stdout


def test_four_bar_turns_once_and_closes(tmp_path):
    file = tmp_path / "t.csv"
    run("sweep", "four_bar", "-d", "crank=0:360:37", "-o", file)
    values = np.loadtxt(file, delimiter=",", skiprows=1)
    assert len(values) == 37
    names = file.read_text(encoding="utf-8").splitlines()[0].split(",")
    coupler = [i for i, n in enumerate(names) if n.startswith("coupler.")]
    assert coupler
    np.testing.assert_allclose(np.abs(values[0, coupler]), np.abs(values[-1, coupler]), atol=1e-8)


def test_conflict_exits_with_1():
    run("inspect", "conflict", code=1)
