"""The page in one file: the motion in it is the solver's, and nothing gets in or out."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace

import numpy as np
import pytest

import cad2mbs
from cad2mbs.errors import Cad2mbsError
from cad2mbs.library import four_bar
from cad2mbs.model.assembly import Assembly, Part
from cad2mbs.pictures.follow import read_points
from cad2mbs.reach import reach
from cad2mbs.viewer import geometry, html, studies
from cad2mbs.viewer.html import page, write_html
from cad2mbs.viewer.record import Track, _drive, record
from cad2mbs.viewer.scene import body_poses, solids
from tests.viewer.one_file import SCRIPT, STYLE, Elements, poses_in, recording_in, small_page

__all__ = ["small_page"]
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]></style><img src=x onerror=alert(1)>",
    "'\"&amp;\u2028\\",
]


def test_recorded_poses_are_those_the_solver_gives():
    m = cad2mbs.load("excavator").mechanism()
    before = m.state
    data = record(m, count=21)
    np.testing.assert_array_equal(m.state, before)
    assert [d["name"] for d in data["drives"]] == ["boom", "stick", "bucket"]
    for drive in data["drives"]:
        found = poses_in(drive, len(data["scene"]["bodies"]))
        assert len(found) == len(drive["values"]) == 21
        for k in (1, 6, 19):
            own = m.fork()
            own.drive({drive["name"]: drive["values"][k]})
            (expected,) = body_poses(own, own.state[None])
            np.testing.assert_allclose(found[k, :, :3], expected[:, :3], atol=1e-6)
            near = np.abs(np.einsum("bi,bi->b", found[k, :, 3:], expected[:, 3:]))
            np.testing.assert_allclose(near, 1.0, atol=1e-12)


def test_a_drive_goes_over_its_whole_reach():
    m = cad2mbs.load("double_rocker").mechanism()
    (drive,) = record(m, count=31)["drives"]
    found = reach(m, "crank")
    assert drive["values"][0] == pytest.approx(found.low, abs=1e-9)
    assert drive["values"][-1] == pytest.approx(found.high, abs=1e-9)


def test_given_ranges_are_recorded_rising_from_a_start_within_them():
    m = cad2mbs.load("four_bar").mechanism()  # starts at 60 degrees
    data = record(m, {"crank": np.linspace(200.0, 100.0, 11)})
    (drive,) = data["drives"]
    np.testing.assert_allclose(drive["values"], np.linspace(100.0, 200.0, 11))
    (info,) = [d for d in data["scene"]["drives"] if d["driving"]]
    assert info["value"] == pytest.approx(200.0)
    assert not info["turns"]
    m.drive(crank=150.0)
    found = poses_in(drive, 4)[5]
    np.testing.assert_allclose(found, body_poses(m, m.state[None])[0], atol=1e-6)


def test_of_a_drive_with_many_turns_those_around_the_pose_are_kept_finely_and_a_note_says_so():
    m = cad2mbs.load("rack_and_pinion").mechanism()
    assert m.drive(pinion=400.0).ok
    data = record(m)
    (drive,) = data["drives"]
    x = np.array(drive["values"])
    assert np.diff(x).max() == pytest.approx(2.0)
    assert (x[0], x[-1]) == pytest.approx((400.0 - 1080.0, 400.0 + 1080.0))
    (note,) = data["notes"]
    assert "pinion: 6 turns around the present pose of the 20" in note
    assert len(json.dumps(data)) < 1e6


def test_quantities_without_a_unit_have_the_same_unit_of_rate_in_the_file_and_in_the_answer():
    m = cad2mbs.load("stewart").mechanism()
    recorded = {c["name"]: c["rateUnit"] for c in record(m, count=3)["drives"][0]["columns"]}
    bare = "platform.qw"
    drive = next(iter(m.drives))
    names = [*recorded, bare]
    asked = {c["name"]: c["rateUnit"] for c in studies.curves(m, drive, names)["columns"]}
    assert asked[bare] == "1/s"
    assert recorded == {n: asked[n] for n in recorded}
    track = Track(
        drive, np.zeros(1), m.state[None], {bare: ("", np.zeros(1), np.zeros(1))}, 1, False
    )
    assert _drive(m, track)["columns"][0]["rateUnit"] == "1/s"


def test_a_full_turn_that_comes_round_says_so():
    m = cad2mbs.load("four_bar").mechanism()
    for ranges in (None, {"crank": np.linspace(0.0, 360.0, 19)}):
        (info,) = [d for d in record(m, ranges, 19)["scene"]["drives"] if d["driving"]]
        assert info["turns"]
    (info,) = record(m, {"crank": np.linspace(0.0, 350.0, 19)})["scene"]["drives"]
    assert not info["turns"]


def test_a_range_that_ends_early_is_recorded_so_far_with_a_note():
    m = cad2mbs.load("double_rocker").mechanism()
    data = record(m, {"crank": np.linspace(60.0, 150.0, 19)})
    assert 1 < len(data["drives"][0]["values"]) < 19
    assert "dead point" in data["notes"][0]
    assert data["notes"][0] in data["scene"]["notes"]


def test_columns_hold_the_quantities_with_their_rates():
    m = cad2mbs.load("radial_engine").mechanism()
    data = record(m, count=61)
    (drive,) = data["drives"]
    names = [c["name"] for c in drive["columns"]]
    assert names == [q["name"] for q in data["scene"]["quantities"]]
    (crank,) = [c for c in drive["columns"] if c["name"] == "crank"]
    np.testing.assert_allclose(crank["y"], drive["values"], atol=1e-4)
    np.testing.assert_allclose(crank["rate"], drive["speed"]["value"], rtol=1e-6)
    assert crank["rateUnit"] == "deg/s"


def test_a_mechanism_that_does_not_fit_is_shown_standing():
    data = record(cad2mbs.load("conflict").mechanism())
    assert data["drives"] == []
    assert len(data["start"]) == len(data["scene"]["bodies"])
    assert not data["scene"]["assembled"]
    assert data["scene"]["conflict"]


def test_the_page_holds_geometry_motion_and_points(small_page):
    assembly = cad2mbs.load("four_bar")
    m = assembly.mechanism()
    data = recording_in(page(m, count=7, points=read_points(assembly, ["coupler/b"])))
    blob = gzip.decompress(base64.b64decode(data["geometry"]))
    assert blob == geometry.blob(solids(m))
    (trace,) = data["traces"]
    assert data["scene"]["parts"][trace["part"]]["name"] == "coupler"
    assert data["scene"]["mates"][0]["verdict"] == "needed"


def test_glass_parts_are_see_through_in_the_page():
    data = record(cad2mbs.load("radial_engine").mechanism(), count=3, glass=["housing"])
    opacity = {p["name"]: p["colour"][3] for p in data["scene"]["parts"]}
    assert opacity["housing"] < 0.5
    assert opacity["crank"] == 1.0


def test_the_page_does_not_tell_where_the_file_lay(small_page):
    text = page(cad2mbs.load("four_bar").mechanism(), count=3)
    assert recording_in(text)["scene"]["source"] == "assembly.yaml"
    assert "/assemblies/" not in text


def hostile() -> Assembly:
    """A four-bar whose name and parts would like to run a script."""
    assembly = four_bar()
    extra = {name: Part(name, grounded=True) for name in HOSTILE}
    return replace(assembly, name=HOSTILE[0], parts={**assembly.parts, **extra})


def test_hostile_names_stay_names(small_page, monkeypatch):
    # The reader of mates files refuses such names; other sources need not.
    monkeypatch.setattr("cad2mbs.mechanism.checked", lambda assembly: assembly)
    text = page(hostile().mechanism(), count=3)
    elements = Elements(text)
    assert [tag for tag, _ in elements.found] == [
        "html", "head", "meta", "meta", "meta", "meta", "title", "style", "body", "div",
        "script", "script",
    ]  # fmt: skip
    assert elements.texts("title") == [HOSTILE[0]]
    names = [p["name"] for p in recording_in(text)["scene"]["parts"]]
    assert names[-len(HOSTILE) :] == HOSTILE


def test_half_a_character_in_a_name_does_not_stop_the_file(small_page, tmp_path):
    m = cad2mbs.load("four_bar").mechanism()
    text = page(m, count=3, title="half \ud800")
    assert write_html(tmp_path / "x.html", text) == (tmp_path / "x.html").stat().st_size


def test_script_and_style_come_through_whole(small_page):
    elements = Elements(page(cad2mbs.load("four_bar").mechanism(), count=3))
    # A backslash before a slash or an exclamation mark in a string changes nothing.
    assert elements.texts("script")[1].replace("<\\", "<") == SCRIPT
    assert elements.texts("style")[0].replace("<\\", "<") == STYLE


def test_the_policy_allows_the_one_script_and_nothing_from_outside(small_page):
    text = page(cad2mbs.load("four_bar").mechanism(), count=3)
    elements = Elements(text)
    (policy,) = [a["content"] for t, a in elements.found if t == "meta" and "http-equiv" in a]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    script = elements.texts("script")[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == f"'sha256-{digest}'"
    assert "connect-src" not in rules  # none, by default
    assert not re.search(r"\b(src|href)\s*=", text.split("<script")[0])


def test_the_built_page_fits_into_one_file():
    if not (html.PAGE / html.SCRIPT).is_file():
        pytest.skip("the page is not built: run python3 scripts/make_page.py")
    text = page(cad2mbs.load("radial_engine").mechanism())
    elements = Elements(text)
    assert len(elements.texts("script")) == 2
    assert len(text) < 4e6
    json.loads(elements.texts("script")[0])


def test_a_page_that_is_not_built_is_told_with_the_way_to_build_it(tmp_path, monkeypatch):
    monkeypatch.setattr(html, "PAGE", tmp_path)
    with pytest.raises(Cad2mbsError, match=r"page\.js was not found.*make_page"):
        page(cad2mbs.load("four_bar").mechanism(), count=3)


def test_equal_mechanisms_give_equal_pages(small_page):
    one, other = (page(cad2mbs.load("four_bar").mechanism(), count=5) for _ in range(2))
    assert one == other
