"""Edits of an assembly: what they change, what they refuse, and what a mechanism makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cad2mbs.errors import InputError
from cad2mbs.library import four_bar
from cad2mbs.model import editing
from cad2mbs.model import references as ref
from cad2mbs.model.assembly import Assembly, Drive, Part
from cad2mbs.model.check import check
from cad2mbs.model.mates import Mate, RefId

ONE, TWO = RefId("one", "K"), RefId("two", "K")
REFS = {"K": ref.frame()}


def made() -> Assembly:
    mates = (
        Mate("place", "coincident", ONE, TWO),
        Mate("angle", "offset-x", ONE, TWO, 30.0),
        Mate("tilt", "offset-z", ONE, TWO, 20.0),
        Mate("apart", "distance", ONE, TWO, 5.0),
    )
    drives = (Drive("turn", "angle", low=-90.0, high=90.0), Drive("slope", "tilt", value=20.0))
    return Assembly(
        "made",
        {"one": Part("one", REFS, grounded=True), "two": Part("two", REFS)},
        {m.name: m for m in mates},
        {d.name: d for d in drives},
        positions={"home": {"turn": 0.0, "slope": 10.0}, "flat": {"slope": 1.0}},
    )


def test_the_made_assembly_is_sound():
    assert check(made()) == []


# --- switching -----------------------------------------------------------------------------------


def test_switching_off_and_on_gives_the_assembly_back():
    a = made()
    off = editing.switched(a, "angle", on=False)
    assert off.mates["angle"].off
    assert list(off.mates) == list(a.mates)
    assert not a.mates["angle"].off
    assert editing.switched(off, "angle", on=True) == a


def test_nothing_off_means_the_assembly_itself_acts():
    a = made()
    assert a.acting() is a


def test_a_mate_that_is_off_does_not_act_nor_does_its_drive():
    acting = editing.switched(made(), "tilt", on=False).acting()
    assert list(acting.mates) == ["place", "angle", "apart"]
    assert list(acting.drives) == ["turn"]
    assert acting.positions == {"home": {"turn": 0.0}}
    assert acting.notes == ("drive 'slope' is left out: its mate 'tilt' is off",)
    assert check(acting) == []


def test_a_mate_that_is_off_is_checked_all_the_same():
    off = editing.switched(made(), "tilt", on=False)
    wrong = replace(off, mates={**off.mates, "tilt": replace(off.mates["tilt"], kind="glue")})
    assert "unknown kind 'glue'" in check(wrong)[0].message


def test_a_mechanism_works_on_what_acts_and_keeps_the_whole():
    a = four_bar()
    pin = "rocker_pin_point"
    m = editing.switched(a, pin, on=False).mechanism()
    without = replace(a, mates={n: x for n, x in a.mates.items() if n != pin}).mechanism()
    assert m.mobility == without.mobility
    assert m.mobility.freedoms == 3  # an open chain of two bars, and a single one
    assert [v.name for v in m.verdicts()] == [n for n in a.mates if n != pin]
    assert pin in m.whole.mates
    assert pin not in m.assembly.mates


def test_a_redundant_mate_that_is_off_leaves_the_motion_as_it_is():
    a = four_bar()
    m, freed = a.mechanism(), editing.switched(a, "rocker_pin_axis", on=False).mechanism()
    for each in (m, freed):
        assert each.drive(crank=100.0).ok
    assert freed.poses["rocker"].position == pytest.approx(m.poses["rocker"].position, abs=1e-9)


# --- numbers -------------------------------------------------------------------------------------


def test_a_number_of_a_mate_is_changed():
    a = editing.with_value(made(), "apart", 7.5)
    assert a.mates["apart"].value == 7.5
    assert editing.with_value(a, "apart", 5.0) == made()


def test_a_drive_with_a_start_of_its_own_starts_at_the_new_number():
    assert editing.with_value(made(), "tilt", 60.0).drives["slope"].value == 60.0
    assert editing.with_value(made(), "angle", 60.0).drives["turn"].value is None


@pytest.mark.parametrize(
    ("mate", "value", "message"),
    [
        ("angel", 3.0, "there is no mate 'angel'; did you mean 'angle'? Mates: place, angle, tilt"),
        ("place", 3.0, "mate 'place' (coincident) carries no number that could be changed. Mates"),
        ("apart", 0.0, "found distance 0.0; wanted a number greater than 0"),
        ("tilt", 180.0, "wanted a number between 0 and 180 deg, without the ends"),
        ("apart", float("nan"), "found nan; wanted a finite number"),
        ("apart", "3", "found 3; wanted a finite number"),
        ("angle", 91.0, "drive 'turn' starts at 91.0; wanted a start from -90.0 to 90.0"),
    ],
)
def test_a_number_that_cannot_be_is_refused(mate, value, message):
    with pytest.raises(InputError) as caught:
        editing.with_value(made(), mate, value)
    assert message in str(caught.value)


def test_errors_that_were_there_before_do_not_stop_an_edit():
    a = made()
    a = replace(a, mates={**a.mates, "odd": Mate("odd", "glue", ONE, TWO)})
    assert editing.with_value(a, "apart", 6.0).mates["apart"].value == 6.0


def test_the_start_of_a_drive_is_changed_within_its_bounds():
    assert editing.with_start(made(), "turn", 45.0).drives["turn"].value == 45.0
    assert editing.with_start(made(), "slope", None).drives["slope"].value is None
    with pytest.raises(InputError, match=r"starts at 200; wanted a start from -90.0 to 90.0"):
        editing.with_start(made(), "turn", 200)
    with pytest.raises(InputError, match=r"there is no drive 'trun'; did you mean 'turn'\?"):
        editing.with_start(made(), "trun", 0.0)


# --- positions -----------------------------------------------------------------------------------


def test_positions_are_added_replaced_and_removed():
    a = editing.with_position(made(), "up", {"turn": 10.0})
    assert list(a.positions) == ["home", "flat", "up"]
    a = editing.with_position(a, "home", {"turn": 1.0})
    assert a.positions["home"] == {"turn": 1.0}
    a = editing.with_position(a, "flat", None)
    assert list(a.positions) == ["home", "up"]


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("hom", None, "there is no position 'hom'; did you mean 'home'? Positions: home, flat."),
        ("up", {"trun": 1.0}, "position 'up' names the drive 'trun', which is not there; did you"),
        ("up", {"turn": 91.0}, "found 91.0; wanted at most 90.0, the max of drive 'turn'"),
        ("up", {"turn": -91.0}, "found -91.0; wanted at least -90.0, the min of drive 'turn'"),
        ("up", {"slope": 180.0}, "wanted a number between 0 and 180 deg, without the ends"),
        ("up", {"turn": float("inf")}, "found inf; wanted a finite number"),
        ("up", {}, "position 'up' names no drive; give at least one 'drive: value'"),
        (" up", {"turn": 1.0}, "wanted a name without space around it"),
    ],
)
def test_a_position_that_cannot_be_is_refused(name, values, message):
    with pytest.raises(InputError) as caught:
        editing.with_position(made(), name, values)
    assert message in str(caught.value)
