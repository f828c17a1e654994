"""What a page asks and what it is answered, over a real connection."""

from __future__ import annotations

import csv
import io
import math
import time
from pathlib import Path

import numpy as np
import pytest
import yaml

import cad2mbs
from cad2mbs.io.source import SHIPPED
from cad2mbs.viewer import geometry
from cad2mbs.viewer.readout import DRAGGED, OK, STOPPED
from cad2mbs.viewer.scene import body_poses
from cad2mbs.viewer.serving import serve
from tests.viewer.client import Page, fetch

ROUNDING = 1e-12  # of the largest coordinate


def turned(q: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The point p turned by the quaternion x y z w."""
    u, w = q[:3], q[3]
    return p + 2.0 * np.cross(u, np.cross(u, p) + w * p)


def place_of(page: Page, pose, part: str) -> np.ndarray:
    """Where a part's origin is [mm], from its body's pose and its place in it."""
    row = next(p for p in page.scene["parts"] if p["name"] == part)
    body = pose.poses[row["body"]]
    return body[:3] + turned(body[3:], np.array(row["place"][:3]))


# --- opening -----------------------------------------------------------------------------------


def test_hello_names_version_folder_and_largest_upload(engine):
    with Page(engine) as page:
        assert page.hello == {
            "type": "hello",
            "version": 1,
            "live": True,
            "folder": str(Path.cwd()),
            "maxUpload": 200_000_000,
        }


def test_opening_shows_scene_and_pose_then_verdicts_then_the_reach_of_each_drive(engine):
    with Page(engine) as page:
        scene = page.open()
        page.next("reach")
        order = [m["type"] if isinstance(m, dict) else "pose" for m in page.heard]
    assert order == ["hello", "busy", "scene", "pose", "idle", "verdicts", "reach"]
    assert scene["source"] == "shipped:radial_engine"
    assert [d["name"] for d in scene["drives"] if d["driving"]] == ["crank"]
    assert len(scene["bodies"]) == 16
    verdicts, reach = page.heard[-2:]
    assert {m["name"] for m in verdicts["mates"]} == {m["name"] for m in scene["mates"]}
    assert (reach["drive"], reach["low"], reach["high"], reach["turns"]) == ("crank", 0, 360, True)


def test_the_scene_names_shapes_that_can_be_fetched_for_ever(engine):
    with Page(engine) as page:
        scene = page.open()
        status, headers, data = fetch(engine, "/" + scene["geometry"])
    assert status == 200
    assert headers["cache-control"] == "private, max-age=31536000, immutable"
    assert scene["geometry"] == "geometry/" + geometry.key(data)
    assert len(geometry.read(data)) == 1 + max(p["solid"] for p in scene["parts"])


def test_without_a_source_the_gallery_is_shown(start):
    with Page(start()) as page:
        page.say("open", source="")
        items = page.next("gallery")["items"]
    engine = next(i for i in items if i["source"] == "shipped:radial_engine")
    assert engine["title"] == "Radial engine, 7 cylinders"
    assert (engine["parts"], engine["freedoms"]) == (16, 1)
    assert len(items) == len(cad2mbs.io.source.shipped())


def test_a_shipped_assembly_opens_from_the_gallery(start):
    with Page(start()) as page:
        assert page.open("shipped:four_bar")["name"] == "Four-bar"


def test_what_waits_is_forgotten_when_something_else_is_opened(start):
    with Page(start()) as page:
        page.say("open", source="shipped:radial_engine")
        page.say("curves", drive="crank", names=["crank"])
        page.say("open", source="shipped:four_bar")
        page.next("scene", name="Four-bar")
        page.next("reach")
        kinds = [m["type"] for m in page.heard if isinstance(m, dict)]
    assert "curves" not in kinds
    assert "error" not in kinds


def test_twenty_clients_read_a_source_once(start, monkeypatch):
    read = []
    load = cad2mbs.io.source.load
    monkeypatch.setattr(cad2mbs.io.source, "load", lambda path: read.append(path) or load(path))
    server = start("four_bar")
    pages = [Page(server) for _ in range(20)]
    for page in pages:
        page.say("open", source="")
    for page in pages:
        page.next("scene")
        page.close()
    assert len(read) == 1


def test_a_file_that_has_changed_is_read_again(start, folder):
    server = start(folder=folder)
    file = folder / "four_bar" / "assembly.yaml"
    with Page(server) as page:
        assert page.open("four_bar")["name"] == "Four-bar"
        file.write_text(file.read_text().replace("name: Four-bar", "name: Another one"))
        assert page.open("four_bar")["name"] == "Another one"


def test_errors_of_a_source_are_told_and_the_client_stays(start, folder):
    (folder / "broken.yaml").write_text("cad2mbs: 1\nparts: 3\n")
    with Page(start(folder=folder)) as page:
        assert "broken.yaml:2" in page.refused("open", source="broken.yaml")
        assert page.open("four_bar")["name"] == "Four-bar"


def test_a_mechanism_made_in_python_is_shown_and_stays_as_it_is():
    m = cad2mbs.load("four_bar").mechanism()
    m.drive(crank=40.0)
    with serve(m, browser=False) as server, Page(server) as page:
        page.open()
        assert page.value(page.first_pose, "crank") == pytest.approx(40.0)
        assert page.value(page.drive(1, crank=70.0), "crank") == pytest.approx(70.0)
    assert m.drives["crank"].value == pytest.approx(40.0)


# --- motion ------------------------------------------------------------------------------------


def test_poses_on_the_wire_are_those_of_the_solver(engine):
    m = cad2mbs.load("radial_engine").mechanism()
    with Page(engine) as page:
        page.open()
        for seq, crank in enumerate((10.0, 100.0, 250.0, -30.0), 1):
            m.drive(crank=crank)
            pose = page.drive(seq, crank=crank)
            wanted = body_poses(m, m.state[None])[0]
            assert (pose.flags, pose.seq) == (OK, seq)
            np.testing.assert_allclose(pose.poses, wanted, rtol=0, atol=ROUNDING * 1e3)
            assert page.value(pose, "crank") == pytest.approx(crank, abs=1e-12)


def test_parts_placed_in_their_bodies_are_where_the_solver_has_them(engine):
    m = cad2mbs.load("radial_engine").mechanism()
    m.drive(crank=77.0)
    with Page(engine) as page:
        page.open()
        pose = page.drive(1, crank=77.0)
        for name, wanted in m.poses.items():
            got = place_of(page, pose, name)
            np.testing.assert_allclose(got, wanted.position, rtol=0, atol=1e-9)


def test_a_piston_is_where_the_law_of_cosines_has_it(engine):
    # The offset of the first piston from its expected.toml: r cos a + sqrt(l^2 - r^2 sin^2 a).
    with Page(engine) as page:
        page.open()
        ends = [place_of(page, page.drive(k, crank=180.0 * k), "piston_1")[0] for k in (0, 1)]
        r, rod = 0.5 * (ends[0] - ends[1]), 0.5 * (ends[0] + ends[1])
        got = place_of(page, page.drive(3, crank=30.0), "piston_1")[0]
    a = math.radians(30.0)
    assert got == pytest.approx(r * math.cos(a) + math.sqrt(rod**2 - (r * math.sin(a)) ** 2))


def test_the_solver_takes_less_than_a_millisecond_of_a_drive(engine):
    with Page(engine) as page:
        page.open()
        page.next("reach")
        shares = [page.drive(seq, crank=0.7 * seq).seconds for seq in range(1, 200)]
    assert 0.0 < float(np.median(shares)) < 1e-3


def test_only_the_newest_of_many_drives_is_solved(engine):
    with Page(engine) as page:
        page.open()
        page.next("reach")
        for seq in range(1, 201):
            page.say("drive", seq=seq, values={"crank": float(seq)})
        last = page.pose(200)
        answers = [m.seq for m in page.heard if not isinstance(m, dict)]
    assert page.value(last, "crank") == pytest.approx(200.0)
    assert len(answers) < 150
    assert answers == sorted(answers)


def test_drives_that_wait_are_merged_so_that_no_value_is_lost(start):
    with Page(start("six_axis_robot")) as page:
        names = [d["name"] for d in page.open()["drives"] if d["driving"]]
        for seq, name in enumerate(names, 1):
            page.say("drive", seq=seq, values={name: 5.0})
        last = page.pose(len(names))
        for name in names:
            assert page.value(last, name) == pytest.approx(5.0)


def test_twenty_clients_each_have_a_pose_of_their_own(engine):
    pages = [Page(engine) for _ in range(20)]
    for page in pages:
        page.open()
    for k, page in enumerate(pages):
        page.say("drive", seq=1, values={"crank": 10.0 * k})
    for k, page in enumerate(pages):
        assert page.value(page.pose(1), "crank") == pytest.approx(10.0 * k)
    for k, page in enumerate(pages):  # nobody was moved by the others
        assert page.value(page.drive(2, crank=10.0 * k + 1.0), "crank") == pytest.approx(10 * k + 1)
        page.close()


def test_a_stop_is_flagged_and_told_once_and_so_is_its_end(start):
    with Page(start("double_rocker")) as page:
        page.open()
        reach = page.next("reach")
        drive, beyond = reach["drive"], reach["high"] + 30.0
        stopped = page.drive(1, **{drive: beyond})
        assert stopped.flags == STOPPED
        assert page.value(stopped, drive) == pytest.approx(reach["high"], abs=1e-3)
        status = page.next("status")
        assert status["level"] == "stop"
        assert "stopped at" in status["text"]
        middle = 0.5 * (reach["low"] + reach["high"])
        assert page.drive(2, **{drive: middle}).flags == OK
        assert page.next("status")["level"] == "ok"
        count = len(page.heard)
        page.drive(3, **{drive: middle + 1.0})
        assert all(not isinstance(m, dict) for m in page.heard[count:])


def test_a_dragged_part_follows_the_hand(start):
    with Page(start("four_bar")) as page:
        scene = page.open()
        row = next(k for k, p in enumerate(scene["parts"]) if p["name"] == "coupler")
        begin = place_of(page, page.first_pose, "coupler")  # the pin of crank and coupler
        angle = math.atan2(begin[1], begin[0]) + 0.4
        radius = math.hypot(begin[0], begin[1])
        target = [radius * math.cos(angle), radius * math.sin(angle), float(begin[2])]
        page.say("drag", seq=1, part=row, point=[0.0, 0.0, 0.0], target=target)
        pose = page.pose(1)
        assert pose.flags & (DRAGGED | OK) == DRAGGED | OK
        np.testing.assert_allclose(place_of(page, pose, "coupler"), target, atol=1e-4)
        page.say("drop")
        assert page.value(page.drive(2, crank=5.0), "crank") == pytest.approx(5.0)


def test_reset_goes_back_to_the_start_pose(engine):
    with Page(engine) as page:
        page.open()
        page.drive(1, crank=123.0)
        page.say("reset")
        np.testing.assert_array_equal(page.pose().poses, page.first_pose.poses)


def test_a_joint_that_follows_can_drive_instead(engine):
    with Page(engine) as page:
        page.open()
        page.drive(1, crank=60.0)
        page.say("driving", names=["housing-piston_1.slide"])
        scene = page.next("scene")
        first = scene["drives"][0]
        assert (first["name"], first["driving"]) == ("housing-piston_1.slide", True)
        assert not any(d["driving"] for d in scene["drives"][1:])
        before = page.pose()
        page.next("reach", drive="housing-piston_1.slide")
        wanted = float(before.values[0]) - 1.0
        after = page.drive(2, **{"housing-piston_1.slide": wanted})
        assert after.values[0] == pytest.approx(wanted)
        assert page.value(after, "crank") != pytest.approx(60.0, abs=1e-3)


def test_a_choice_with_too_many_drives_is_refused_and_the_old_one_stays(engine):
    with Page(engine) as page:
        page.open()
        said = page.refused("driving", names=["crank", "housing-piston_1.slide"])
        assert "follows from the others" in said
        assert page.value(page.drive(1, crank=12.0), "crank") == pytest.approx(12.0)
        assert "no freedom 'krank'; did you mean 'crank'?" in page.refused(
            "driving", names=["krank"]
        )


def test_reach_is_found_again_where_another_drive_has_moved(start):
    with Page(start("excavator")) as page:
        scene = page.open()
        names = [d["name"] for d in scene["drives"] if d["driving"]]
        assert len(names) > 1
        for name in names:
            page.next("reach", drive=name)
        drive = next(d for d in scene["drives"] if d["name"] == names[0])
        page.drive(1, **{names[0]: drive["value"] + 0.01})
        assert page.next("reach")["drive"] == names[0]


# --- edits -------------------------------------------------------------------------------------


def test_a_mate_switched_off_changes_mobility_and_undo_brings_it_back(start):
    with Page(start("four_bar")) as page:
        scene = page.open()
        page.drive(1, crank=33.0)
        mate = "rocker_pivot_point"
        page.say("mate", name=mate, off=True)
        edited = page.next("scene")
        moved = page.pose()
        assert edited["edited"]
        assert next(m for m in edited["mates"] if m["name"] == mate)["verdict"] == "off"
        assert (scene["mobility"]["freedoms"], edited["mobility"]["freedoms"]) == (1, 3)
        assert page.value(moved, "crank") == pytest.approx(33.0)
        assert {m["name"]: m["verdict"] for m in page.next("verdicts")["mates"]}[mate] == "off"
        page.say("undo")
        again = page.next("scene")
        assert not again["edited"]
        assert again["mobility"] == scene["mobility"]
        assert page.value(page.pose(), "crank") == pytest.approx(33.0)
        assert page.refused("undo") == "there is nothing to undo"


def test_another_number_in_a_mate_moves_the_parts(start):
    with Page(start("single_cylinder_engine")) as page:
        page.open()
        page.say("mate", name="thrust_gap", value=12.0)  # was 5
        scene = page.next("scene")
        after = page.pose()
        assert {m["name"]: m["value"] for m in scene["mates"]}["thrust_gap"] == 12.0
        shift = np.linalg.norm(after.poses[:, :3] - page.first_pose.poses[:, :3], axis=1).max()
        assert shift == pytest.approx(7.0)


def test_the_number_of_a_driven_mate_moves_its_drive_and_undo_moves_it_back(start):
    with Page(start("radial_engine_1")) as page:
        page.open()
        page.drive(1, crank=20.0)
        page.say("mate", name="crank_angle", value=50.0)
        page.next("scene")
        assert page.value(page.pose(), "crank") == pytest.approx(50.0)
        page.say("undo")
        assert not page.next("scene")["edited"]


def test_an_edit_that_cannot_be_is_refused_in_words(start):
    with Page(start("four_bar")) as page:
        page.open()
        assert "there is no mate 'nope'" in page.refused("mate", name="nope", off=True)
        numberless = next(m for m in page.scene["mates"] if m["value"] is None)
        said = page.refused("mate", name=numberless["name"], value=3.0)
        assert "carries no number" in said
        said = page.refused("mate", name=numberless["name"])
        assert "nothing to change" in said
        page.say("mate", name=numberless["name"], off=True)
        page.next("scene")  # nothing of what was refused can be undone
        page.say("undo")
        assert not page.next("scene")["edited"]
        assert page.refused("undo") == "there is nothing to undo"


def test_positions_are_stored_and_removed(start, folder):
    with Page(start(folder=folder)) as page:
        page.open("four_bar")
        before = page.scene["positions"]
        page.drive(1, crank=44.0)
        page.say("position", name="half way")
        stored = page.next("scene")
        assert stored["edited"]
        assert page.value(page.pose(), "crank") == pytest.approx(44.0)
        values = {p["name"]: p["values"] for p in stored["positions"]}
        assert values["half way"] == {"crank": pytest.approx(44.0)}
        page.say("position", name="half way", remove=True)
        assert page.next("scene")["positions"] == before
        page.say("undo")
        assert {p["name"] for p in page.next("scene")["positions"]} >= {"half way"}


# --- files -------------------------------------------------------------------------------------


def test_saving_keeps_the_text_and_reads_back(start, folder):
    file = folder / "four_bar" / "assembly.yaml"
    comment = "# a remark that stays\n"
    file.write_text(file.read_text() + comment)
    with Page(start(folder=folder)) as page:
        page.open("four_bar")
        mate = page.scene["mates"][0]["name"]
        page.say("mate", name=mate, off=True)
        page.next("scene")
        assert "exists" in page.refused("save", path="", replace=False)
        page.say("save", path="", replace=True)
        assert page.next("saved")["path"] == "four_bar/assembly.yaml"
        assert file.read_text().endswith(comment)
        assert cad2mbs.load(file).mates[mate].off
        page.say("undo")
        assert page.next("scene")["edited"]
        page.say("save", path="", replace=True)
        page.next("saved")
        assert not cad2mbs.load(file).mates[mate].off


def test_a_shipped_assembly_is_saved_as_a_copy_with_its_cad_file_and_opens_again(start, folder):
    with Page(start("four_bar", folder=folder)) as page:
        page.open()
        page.say("mate", name=page.scene["mates"][0]["name"], off=True)
        page.next("scene")
        page.say("save", path="mine.yaml", replace=False)
        saved = page.next("saved")
        assert saved["path"] == "mine.yaml"
        assert saved["notes"] == ["the CAD file 'four_bar.step' is copied beside it"]
        again = page.open("mine.yaml")
        assert again["geometry"] is not None
        assert again["mates"][0]["off"]
    text = yaml.safe_load((folder / "mine.yaml").read_text())
    assert text["cad"] == "four_bar.step"
    wanted = (SHIPPED / "four_bar" / "four_bar.step").read_bytes()
    assert (folder / "four_bar.step").read_bytes() == wanted


def test_a_step_file_is_saved_as_a_mates_file_that_names_it(start, folder):
    with Page(start(folder=folder)) as page:
        page.open("four_bar/four_bar.step")
        assert page.scene["geometry"] is not None
        page.say("save", path="parts.yaml", replace=False)
        assert page.next("saved")["path"] == "parts.yaml"
    saved = cad2mbs.load(folder / "parts.yaml")
    assert saved.cad == "four_bar/four_bar.step"
    assert len(saved.parts) == 4


def test_the_mates_file_and_a_table_can_be_taken_away(start):
    with Page(start("four_bar")) as page:
        page.open()
        page.say("text", what="mates")
        text = page.next("text")
        assert text["name"].endswith(".yaml")
        assert yaml.safe_load(text["content"])["name"] == "Four-bar"
        page.say("text", what="table", drive="crank")
        table = page.next("text")
    assert table["name"].endswith(".csv")
    rows = list(csv.reader(io.StringIO(table["content"])))
    crank = [float(row[rows[0].index("crank [deg]")]) for row in rows[1:]]
    np.testing.assert_allclose(crank, np.linspace(0.0, 360.0, 361), atol=1e-9)


def test_the_folder_is_listed_with_what_can_be_opened(start, folder):
    (folder / "notes.yaml").write_text("just: notes\n")
    (folder / "readme.txt").write_text("text\n")
    (folder / ".hidden.yaml").write_text("cad2mbs: 1\n")
    (folder / "plain").mkdir()
    (folder / "part.STEP").write_text("")
    with Page(start(folder=folder)) as page:
        page.say("browse", folder="")
        files = page.next("files")
        assert (files["folder"], files["parent"]) == ("", None)
        found = {e["name"]: (e["kind"], e["source"]) for e in files["entries"]}
        assert found == {
            "plain": ("folder", "plain"),
            "four_bar": ("source", "four_bar"),
            "part.STEP": ("source", "part.STEP"),
        }
        page.say("browse", folder="plain")
        files = page.next("files")
        assert (files["folder"], files["parent"], files["entries"]) == ("plain", "", [])


# --- studies -----------------------------------------------------------------------------------


def test_curves_run_over_the_reach_with_their_rates(start):
    with Page(start("four_bar")) as page:
        page.open()
        page.say("curves", drive="crank", names=["crank", "coupler.x"])
        found = page.next("curves")
    crank, x = found["columns"]
    a = np.radians(found["x"])
    assert found["speed"] == {"value": pytest.approx(360.0), "unit": "deg/s"}
    assert (crank["unit"], crank["rateUnit"]) == ("deg", "deg/s")
    np.testing.assert_allclose(crank["rate"], 360.0)
    np.testing.assert_allclose(x["y"], 0.5 * np.cos(a), atol=1e-10)  # [m], the crank's pin
    np.testing.assert_allclose(x["rate"], -0.5 * 2 * np.pi * np.sin(a), atol=1e-8)


def test_a_trace_is_the_way_of_a_point_of_a_part(start):
    with Page(start("four_bar")) as page:
        scene = page.open()
        row = next(k for k, p in enumerate(scene["parts"]) if p["name"] == "coupler")
        page.say("trace", id=7, part=row, point=[0.0, 0.0, 3.0])
        trace = page.next("trace")
        points = np.array(trace["points"])
        assert (trace["id"], trace["part"], trace["closed"]) == (7, row, True)
        np.testing.assert_allclose(np.hypot(points[:, 0], points[:, 1]), 500.0)
        np.testing.assert_allclose(
            points[:, 2] - place_of(page, page.first_pose, "coupler")[2], 3.0
        )
        page.say("driving", names=["crank"])
        assert page.next("trace")["id"] == 7  # drawn anew when something else drives
        page.say("untrace", id=7)
        count = len(page.heard)
        page.say("driving", names=["crank"])
        page.next("reach")
        page.drive(1, crank=1.0)
        late = [m for m in page.heard[count:] if isinstance(m, dict) and m["type"] == "trace"]
        assert late == []


def test_clashes_follow_the_pose_while_they_are_asked_for(start):
    with Page(start("four_bar")) as page:
        page.open()
        page.say("clash", on=True)
        assert page.next("clash")["pairs"] == []
        page.drive(1, crank=90.0)
        page.next("clash")
        page.say("clash", on=False)
        page.next("clash")
        page.drive(2, crank=91.0)
        page.drive(3, crank=92.0)
        time.sleep(0.3)
        page.drive(4, crank=93.0)
        assert all(not isinstance(m, dict) for m in page.heard[-3:])


def test_requests_need_something_open(start):
    with Page(start()) as page:
        for type, fields in {
            "drive": {"seq": 1, "values": {"crank": 1.0}},
            "drag": {"seq": 1, "part": 0, "point": [0, 0, 0], "target": [0, 0, 0]},
            "reset": {},
            "undo": {},
            "curves": {"drive": "crank", "names": []},
            "clash": {"on": True},
            "save": {"path": "x.yaml", "replace": False},
        }.items():
            assert page.refused(type, **fields) == "nothing is open; open a source first"


def test_a_drive_on_its_dead_point_gets_its_range_once_it_has_left_it(start):
    slide = "housing-piston.slide"
    with Page(start("single_cylinder_engine")) as page:
        page.open()
        page.drive(1, crank=60.0)
        page.say("driving", names=[slide])
        page.next("reach", drive=slide)
        page.drive(2, **{slide: -80.0})
        page.say("drive", seq=3, values={slide: -80.0}, cross=True)  # it turns back there
        page.pose(3)
        page.drive(4, **{slide: -40.0})
        time.sleep(0.6)  # in which ranges are looked for again
        page.say("browse", folder="")
        page.next("files")
        ranges = [m for m in page.heard if isinstance(m, dict) and m["type"] == "reach"]
        spans = [r["high"] - r["low"] for r in ranges if r["drive"] == slide]
        assert spans == pytest.approx([80.0] * len(spans), rel=1e-3)
