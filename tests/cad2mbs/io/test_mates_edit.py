"""Saving a changed assembly: the text keeps all that was not changed, and reads as the change."""

from __future__ import annotations

import difflib
import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cad2mbs.errors import InputError
from cad2mbs.io import mates_edit, mates_file, source
from cad2mbs.model import editing
from cad2mbs.model import references as ref
from cad2mbs.model.assembly import Assembly, Part
from cad2mbs.model.mates import MATE_KINDS, Mate, RefId
from cad2mbs.units import Units

SHIPPED = ["four_bar", "excavator", "slider_crank_stop", "stewart", "radial_engine"]

LAYOUT = """\
# Größe: 3 µm\t— a tab\tand umlauts
---
cad2mbs: 1   # format
name: "Prüfstand # 1"
parts: {base: {grounded: true, references: {K: {frame: {}}, E: &e {plane: {normal: [0, 1, 0]}}}},
  arm: {references: {K: {frame: {}}, E: *e}}}   # in brackets
mates:
  # \tfirst
  "kürze # 2": &shared {kind: distance, a: base/K,   b: arm/K, distance: &d 5 }  # five
  same: *shared
  'long':
    kind: distance
    a: base/K
    # between
    b: arm/K
    distance: *d    # as above

  angle:
    kind: offset-x
    a: base/K
    b: arm/K   # no number: 0
  stop: {
    kind: halfspace, a: arm/K,  # the arm
    b: base/E,
    distance: -3.50e+0,  # by hand
    off: true,
  }
drives:
  turn: {mate: angle, min: -90, max: 90}  # both ways
  länge:
    mate: long
positions:   # named

  home: &home {turn: 0, länge: 5}
  also: *home
  far:
    turn: 80.0   # nearly
    länge: 12
# the end
"""


@cache
def loaded(name: str) -> tuple[bytes, Assembly]:
    path = source.find(name)
    return path.read_bytes(), mates_file.read(path)


def layout(ending: str = "\n", mark: bytes = b"") -> bytes:
    return mark + LAYOUT.replace("\n", ending).encode()


def without_lines(a: Assembly) -> Assembly:
    sections = ("parts", "mates", "drives", "limits", "couplings", "observers")
    bare = {s: {k: replace(v, line=None) for k, v in getattr(a, s).items()} for s in sections}
    return replace(a, source="", **bare)


def changed_lines(old: bytes, new: bytes) -> tuple[list[str], list[str]]:
    rows = difflib.ndiff(old.decode().splitlines(), new.decode().splitlines())
    kinds = [(row[0], row[2:]) for row in rows if row[0] in "-+"]
    return [t for k, t in kinds if k == "-"], [t for k, t in kinds if k == "+"]


# --- single edits --------------------------------------------------------------------------------


def test_switching_a_mate_off_changes_its_line_only():
    text, a = loaded("four_bar")
    new = mates_edit.edited(text, a, editing.switched(a, "rocker_pin_axis", on=False))
    assert changed_lines(text, new) == (
        ["  rocker_pin_axis: {kind: parallel-z, a: coupler/b, b: rocker/b}"],
        ["  rocker_pin_axis: {kind: parallel-z, a: coupler/b, b: rocker/b, off: true}"],
    )


def test_switching_off_and_on_again_gives_the_same_bytes():
    text, a = loaded("four_bar")
    off = editing.switched(a, "rocker_pin_axis", on=False)
    new = mates_edit.edited(text, a, off)
    assert mates_edit.edited(new, off, a) == text


def test_a_position_put_in_and_taken_out_gives_the_same_bytes():
    text, a = loaded("four_bar")
    with_it = editing.with_position(a, "up: #1", {"crank": 90.5})
    new = mates_edit.edited(text, a, with_it)
    assert new == text + b'positions:\n  "up: #1": {crank: 90.5}\n'
    assert mates_edit.edited(new, with_it, a) == text


def test_a_number_and_the_start_of_its_drive_are_written():
    text, a = loaded("radial_engine")
    new = mates_edit.edited(text, a, editing.with_value(a, "crank_angle", 12.25))
    old_lines, new_lines = changed_lines(text, new)
    assert len(old_lines) == 2
    assert new_lines[0].endswith("b: crank/main, angle: 12.25}")
    assert new_lines[1] == "  crank: {mate: crank_angle, value: 12.25}"


def test_no_change_gives_the_same_bytes():
    text, a = loaded("excavator")
    assert mates_edit.edited(text, a, a) == text


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_shared_values_are_written_out_and_the_rest_stays(ending, mark):
    text = layout(ending, mark)
    a = mates_file.read_bytes(text)
    b = editing.with_value(editing.switched(a, "stop", on=True), "kürze # 2", 7.0)
    b = editing.with_position(b, "home", {"turn": 1.0, "länge": 5.0})
    b = editing.with_value(b, "angle", 3.5)
    new = mates_edit.edited(text, a, b)
    assert without_lines(mates_file.read_bytes(new)) == without_lines(b)
    assert new.startswith(mark + b"# Gr")
    assert new.count(b"\r\n") == (new.count(b"\n") if ending == "\r\n" else 0)
    old_lines, new_lines = changed_lines(text.lstrip(b"\xef\xbb\xbf"), new.lstrip(b"\xef\xbb\xbf"))
    assert new_lines == [
        '  "kürze # 2": &shared {kind: distance, a: base/K,   b: arm/K, distance: 7 }  # five',
        "  same: {kind: distance, a: base/K, b: arm/K, distance: 5}",
        "    distance: 5    # as above",
        "    angle: 3.5",
        "  home: &home {turn: 1, länge: 5}",
        '  also: {turn: 0, "länge": 5}',
    ]
    assert old_lines == [
        '  "kürze # 2": &shared {kind: distance, a: base/K,   b: arm/K, distance: &d 5 }  # five',
        "  same: *shared",
        "    distance: *d    # as above",
        "    off: true,",
        "  home: &home {turn: 0, länge: 5}",
        "  also: *home",
    ]


def test_removing_a_position_keeps_what_shares_it_and_its_comments():
    text = layout()
    a = mates_file.read_bytes(text)
    b = editing.with_position(editing.with_position(a, "home", None), "far", None)
    new = mates_edit.edited(text, a, b).decode()
    assert new.count("#") == LAYOUT.count("#")
    assert '  also: {turn: 0, "länge": 5}\n  # nearly\n# the end\n' in new


# --- any edits -----------------------------------------------------------------------------------


@st.composite
def edits(draw, a: Assembly) -> list[Assembly]:
    """The assembly after each of some random edits."""
    steps = []
    for _ in range(draw(st.integers(1, 5))):
        try:
            a = draw(edit(a))
        except InputError:
            continue  # out of bounds: refused before it gets to the text
        steps.append(a)
    return steps


@st.composite
def edit(draw, a: Assembly) -> Assembly:
    number = st.one_of(st.floats(-200, 200), st.integers(-90, 400), st.just(1e-7))
    mate = draw(st.sampled_from(list(a.mates)))
    kind = MATE_KINDS[a.mates[mate].kind]
    match draw(st.sampled_from(["switch", "value", "start", "position", "no position"])):
        case "value" if kind.value is not None:
            return editing.with_value(a, mate, draw(number))
        case "start" if a.drives:
            drive = draw(st.sampled_from(list(a.drives)))
            return editing.with_start(a, drive, draw(st.none() | number))
        case "position" if a.drives:
            known = st.sampled_from(["p", "yes", "1", "x: {y}", "Höhe", *a.positions])
            values = st.dictionaries(st.sampled_from(list(a.drives)), number, min_size=1)
            return editing.with_position(a, draw(known), draw(values))
        case "no position" if a.positions:
            return editing.with_position(a, draw(st.sampled_from(list(a.positions))), None)
        case _:
            return editing.switched(a, mate, draw(st.booleans()))


SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)


@pytest.mark.parametrize("name", SHIPPED)
@SLOW
@given(st.data())
def test_any_edits_of_a_shipped_file_round_trip_and_keep_every_comment(name, data):
    text, before = loaded(name)
    steps = data.draw(edits(before))
    now, new = before, text
    for after in steps:
        new = mates_edit.edited(new, now, after)
        now = after
    assert new.count(b"#") == text.count(b"#")
    back = mates_edit.edited(new, now, before)
    assert back.count(b"#") == text.count(b"#")
    # By another road: all of it read with its CAD file, compared entry by entry.
    read = mates_file.read_bytes(new, folder=Path(before.source).parent, name=before.name)
    assert without_lines(read) == without_lines(now)


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
@settings(deadline=None)
@given(st.data())
def test_any_edits_of_a_file_of_mixed_layout_round_trip(ending, data):
    text = layout(ending, b"\xef\xbb\xbf")
    before = mates_file.read_bytes(text)
    now, new = before, text
    for after in data.draw(edits(before)):
        new = mates_edit.edited(new, now, after)
        now = after
    assert new.count(b"#") == text.count(b"#")
    assert without_lines(mates_file.read_bytes(new)) == without_lines(now)
    back = mates_edit.edited(new, now, before)
    assert without_lines(mates_file.read_bytes(back)) == without_lines(before)


# --- what is refused -----------------------------------------------------------------------------


def test_a_file_that_has_changed_meanwhile_is_left_alone():
    text, a = loaded("four_bar")
    other = text.replace(b"value: 60", b"value: 61")
    with pytest.raises(InputError, match="has changed since it was read; open it again"):
        mates_edit.edited(other, a, editing.switched(a, "rocker_pin_axis", on=False))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"name": "other"}, "name"),
        ({"units": Units("cm")}, "units"),
        ({"mates": {}, "drives": {}}, "mates, drives"),
        ({"limits": {"x": None}}, "limits"),
    ],
)
def test_other_changes_are_refused(change, what):
    text, a = loaded("four_bar")
    with pytest.raises(InputError, match=f"found changes of {what}; only numbers and switches"):
        mates_edit.edited(text, a, replace(a, **change))


def test_an_assembly_with_errors_is_refused():
    text, a = loaded("four_bar")
    with pytest.raises(InputError, match="names the drive 'cork', which is not there"):
        mates_edit.edited(text, a, replace(a, positions={"p": {"cork": 1.0}}))


def test_a_change_that_the_text_cannot_take_is_refused():
    a = mates_file.read_bytes(layout())
    mates = dict(a.mates) | {"same": replace(a.mates["same"], kind="axis-distance")}
    text = layout().replace(b"  same: *shared\n", b"  ? same\n  : *shared\n")
    assert mates_edit.edited(text, a, replace(a, mates=mates))  # a value may change there
    text = layout().replace(b"  home: &home {turn: 0", b"  ? home\n  : &home {turn: 0")
    with pytest.raises(InputError, match="the change cannot be written into this text: an entry"):
        mates_edit.edited(text, a, editing.with_position(a, "home", None))


# --- saving --------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bench.yaml"
    path.write_bytes(layout())
    return path


def test_saving_over_the_file_needs_leave(file: Path):
    a = mates_file.read(file)
    b = editing.switched(a, "angle", on=False)
    with pytest.raises(InputError, match="the file exists; choose another name"):
        mates_edit.save(a, b, file)
    assert file.read_bytes() == layout()
    assert mates_edit.save(a, b, file, replace=True) == ()
    assert without_lines(mates_file.read(file)) == without_lines(b)
    assert [p.name for p in file.parent.iterdir()] == ["bench.yaml"]


def test_a_save_that_fails_leaves_the_old_file(file: Path, monkeypatch):
    a = mates_file.read(file)

    def fail(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(InputError, match="cannot write this file: No space left"):
        mates_edit.save(a, editing.switched(a, "angle", on=False), file, replace=True)
    assert file.read_bytes() == layout()
    assert [p.name for p in file.parent.iterdir()] == ["bench.yaml"]


@pytest.mark.parametrize("name", ["x.txt", "x", "x.step"])
def test_another_ending_is_refused(file: Path, name):
    a = mates_file.read(file)
    with pytest.raises(InputError, match=r"wanted a name that ends in \.yaml or \.yml"):
        mates_edit.save(a, a, file.with_name(name))


def test_a_missing_folder_is_an_input_error(file: Path):
    a = mates_file.read(file)
    with pytest.raises(InputError, match="cannot write this file"):
        mates_edit.save(a, a, file.parent / "none" / "x.yaml")


def copied(name: str, folder: Path) -> Path:
    """A shipped assembly in a folder of its own."""
    folder.mkdir(parents=True)
    shipped = source.find(name).parent
    for path in (shipped / "assembly.yaml", shipped / f"{name}.step"):
        (folder / path.name).write_bytes(path.read_bytes())
    return folder / "assembly.yaml"


def test_a_file_saved_elsewhere_still_finds_its_geometry(tmp_path):
    a = mates_file.read(copied("two_boxes", tmp_path / "in"))
    place = tmp_path / "out" / "deep"
    place.mkdir(parents=True)
    told = mates_edit.save(a, a, place / "copy.yaml")
    assert told == ("the CAD file 'two_boxes.step' is named '../../in/two_boxes.step' there",)
    again = mates_file.read(place / "copy.yaml")
    assert again.cad == "../../in/two_boxes.step"
    assert without_lines(replace(again, cad=a.cad)) == without_lines(a)
    assert changed_lines(
        (tmp_path / "in" / "assembly.yaml").read_bytes(), (place / "copy.yaml").read_bytes()
    )[1] == ['cad: "../../in/two_boxes.step"']


def test_files_with_nothing_but_the_root_in_common_are_named_in_full():
    found = mates_edit._seen_from("x.step", Path("/one/two"), Path("/three"))
    assert found == os.path.realpath("/one/two/x.step")


def test_a_step_file_becomes_a_mates_file_that_names_it(tmp_path):
    step = copied("two_boxes", tmp_path / "in").with_name("two_boxes.step")
    a = source.load(step)
    told = mates_edit.save(a, a, tmp_path / "new.yaml")
    assert told == ("the CAD file 'two_boxes.step' is named 'in/two_boxes.step' there",)
    again = source.load(tmp_path / "new.yaml")
    assert list(again.parts) == list(a.parts)
    for name, part in again.parts.items():
        assert part.solid == a.parts[name].solid
        assert part.pose == a.parts[name].pose


def test_an_assembly_made_in_code_is_written_anew(tmp_path):
    refs = {"K": ref.frame()}
    mate = Mate("m", "distance", RefId("one", "K"), RefId("two", "K"), 3.0)
    parts = {"one": Part("one", refs, grounded=True), "two": Part("two", refs)}
    a = Assembly("made", parts, {"m": mate})
    b = editing.with_value(a, "m", 4.0)
    assert mates_edit.save(a, b, tmp_path / "made.yaml") == ()
    assert without_lines(mates_file.read(tmp_path / "made.yaml")) == b
