"""How far a drive can go, against closed forms of dead points, and against driving there."""

from __future__ import annotations

import numpy as np
import pytest

import cad2mbs
from cad2mbs import library
from cad2mbs.errors import InputError
from cad2mbs.library.build import ORIGIN, Builder, X, Z, heading, in_plane
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH
from cad2mbs.model.assembly import Freedom
from cad2mbs.model.references import frame
from cad2mbs.reach import FAR, reach
from tests.mechanism.support import FOLDERS, assert_same_poses
from tests.reference import four_bar, slider_crank

# A dead point is approached until the determinant is 1.5e-7 of its usual size; the drive is then
# off by the square of that, and by rounding.
DEAD = 1e-8  # relative to the range
ASSEMBLED = [f for f in FOLDERS if f.name != "conflict"]


def offset_slider_crank(r: float, l: float, e: float, phi: float):
    """A crank at the origin and a slider along x at height e."""
    pin = (r * np.cos(phi), r * np.sin(phi))
    slider = (pin[0] + np.sqrt(l * l - (e - pin[1]) ** 2), e)
    build = Builder("Offset slider-crank")
    build.ground("housing", main=frame(), bore=frame((0.0, e, 0.0), X, Z))
    build.bar("crank", (0.0, 0.0), pin)
    build.bar("rod", pin, slider)
    build.part("piston", in_plane(slider, 0.0), pin=frame(), skirt=frame(ORIGIN, X, Z))
    build.revolute("main", "housing/main", "crank/a")
    build.revolute("big", "crank/b", "rod/a")
    build.revolute("small", "rod/b", "piston/pin")
    build.prismatic("bore", "piston/skirt", "housing/bore")
    build.drive_joint("slide", "housing/bore", "piston/skirt", Freedom.SLIDE, slider[0])
    assert heading(pin, slider) is not None
    return build.build().mechanism()


@pytest.mark.parametrize("offset", [0.0, 15.0, -30.0])
@pytest.mark.parametrize("phi", [0.7, 2.0, -1.2])
def test_a_slide_ends_where_crank_and_rod_are_in_line(offset, phi):
    r, l = 40.0, 120.0
    found = reach(offset_slider_crank(r, l, offset, phi), "slide")
    low, high = np.sqrt((l - r) ** 2 - offset**2), np.sqrt((l + r) ** 2 - offset**2)
    assert found.low == pytest.approx(low, abs=DEAD * (high - low))
    assert found.high == pytest.approx(high, abs=DEAD * (high - low))
    assert not found.turns
    assert "dead point" in found.low_reason
    assert "small" in found.high_reason
    assert [d.value for d in found.dead] == [found.low, found.high]


def test_the_rocker_of_a_crank_rocker_swings_between_the_two_lines_of_crank_and_coupler():
    g, a, b, c = 1.0, 0.5, 1.2, 0.8
    m = library.four_bar(g, a, b, c).mechanism()
    start = four_bar.position(four_bar.FourBar(g, a, b, c), np.radians(60.0)).psi
    ends = [
        np.degrees(np.pi - np.arccos((g * g + c * c - d * d) / (2 * g * c)) - start)
        for d in (b + a, b - a)
    ]
    found = reach(m, "ground-rocker.turn")
    assert sorted((found.low, found.high)) == pytest.approx(sorted(ends), abs=1e-6)


@pytest.mark.parametrize("crank", [60.0, 200.0, 355.0])
def test_the_crank_of_a_crank_rocker_comes_round_and_passes_the_rocker_s_dead_points(crank):
    g, a, b, c = 1.0, 0.5, 1.2, 0.8
    m = library.four_bar(g, a, b, c, start=crank).mechanism()
    found = reach(m, "crank")
    assert (found.low, found.high, found.turns) == (0.0, 360.0, True)
    assert (found.low_reason, found.high_reason) == ("", "")
    stretched = np.arccos((g * g + (b + a) ** 2 - c * c) / (2 * g * (b + a)))
    folded = np.pi + np.arccos((g * g + (b - a) ** 2 - c * c) / (2 * g * (b - a)))
    np.testing.assert_allclose(
        [d.value for d in found.dead], np.degrees([stretched, folded]), atol=1e-7
    )
    assert all("ground-rocker.turn" in d.text for d in found.dead)


def test_the_present_turn_is_the_one_the_drive_is_in():
    m = library.four_bar().mechanism()
    assert m.drive(crank=-400.0).ok
    found = reach(m, "crank")
    assert (found.low, found.high) == (-720.0, -360.0)


def test_a_double_rocker_turns_between_its_dead_points():
    bars = four_bar.FourBar(1.0, 0.8, 0.4, 0.9)
    found = reach(library.double_rocker().mechanism(), "crank")
    ends = np.degrees(np.array(four_bar.dead_points(bars), float))
    np.testing.assert_allclose((found.low, found.high), ends, atol=1e-6)


def test_a_triple_rocker_turns_as_far_to_one_side_as_to_the_other():
    bars = four_bar.FourBar(2.0, 1.0, 1.2, 1.1)  # shortest + longest > the other two
    m = library.four_bar(*bars, start=20.0).mechanism()
    _, end = four_bar.dead_points(bars)
    assert end is not None
    found = reach(m, "crank")
    np.testing.assert_allclose(
        (found.low, found.high), (-np.degrees(end), np.degrees(end)), atol=1e-6
    )
    assert not found.turns


def test_a_one_sided_mate_ends_the_way_and_is_named():
    found = reach(library.slider_crank_stop(100.0).mechanism(), "crank")
    end = np.degrees(slider_crank.crank_angle_at(100.0, CRANK_RADIUS, ROD_LENGTH))
    assert (found.low, found.high) == pytest.approx((-end, end), abs=1e-6)
    assert found.low_reason == found.high_reason == "the one-sided mate stop is reached"


def test_limits_end_the_way_and_are_named():
    m = cad2mbs.load("assemblies/excavator").mechanism()
    for name, info in m.drives.items():
        found = reach(m, name)
        assert (found.low, found.high) == pytest.approx((info.low, info.high))
        assert found.low_reason == f"the limit of {name} is reached"


def test_gears_come_round_after_as_many_turns_as_bring_all_of_them_back():
    found = reach(library.gear_pair((20, 50)).mechanism(), "pinion")
    assert found.turns
    assert found.high - found.low == pytest.approx(5 * 360.0)


def test_a_nut_on_a_spindle_never_comes_round_and_says_so():
    m = library.lead_screw().mechanism()
    found = reach(m, next(iter(m.drives)))
    assert not found.turns
    assert "no stop within 10 turns" in found.high_reason


def test_a_slide_without_end_is_told_as_far_as_it_was_followed():
    m = library.lead_screw().mechanism()
    found = reach(m, "frame-nut.slide")
    length = m.structure.length / m.units.metre
    assert found.high == pytest.approx(FAR * length)
    assert "no stop within 10 model lengths" in found.low_reason


def test_at_a_dead_point_of_its_own_a_drive_goes_nowhere_and_says_why():
    found = reach(library.radial_engine().mechanism(), "housing-piston_1.slide")
    assert found.high - found.low < 1e-6
    assert "dead point" in found.low_reason
    assert "dead point" in found.high_reason


def test_pistons_of_a_radial_engine_have_their_dead_points_every_seventh_of_a_half_turn():
    found = reach(library.radial_engine(crank=3.0).mechanism(), "crank")
    wanted = np.arange(14) * 180.0 / 7
    values = np.sort([d.value % 360.0 for d in found.dead])
    np.testing.assert_allclose(np.sort((values + 1.0) % 360.0) - 1.0, wanted, atol=1e-7)


@pytest.mark.parametrize("folder", ASSEMBLED, ids=lambda f: f.name)
def test_drives_get_to_the_ends_that_are_told_and_not_beyond(folder):
    m = cad2mbs.load(folder).mechanism()
    before = m.poses
    for name in m.drives:
        found = reach(m, name)
        value = m.drives[name].value
        assert found.low - 1e-9 <= value <= found.high + 1e-9
        span = found.high - found.low
        for end, out in ((found.low, -1.0), (found.high, 1.0)):
            fork = m.fork()
            inside = fork.drive({name: end - out * 1e-6 * span})
            assert inside.ok, inside.status
            if not found.turns and "no stop" not in found.low_reason:
                assert not m.fork().drive({name: end + out * 1e-3 * span}).ok
    assert_same_poses(m.poses, before, 1.0, 0.0)


def test_an_unknown_drive_is_refused():
    with pytest.raises(InputError, match="no drive wheel"):
        reach(library.four_bar().mechanism(), "wheel")


def test_a_reversal_at_the_seam_of_a_turn_is_told_once_wherever_the_drive_stands():
    # Piston 1 turns back at 0 and 180, the others a seventh of a turn apart: 14 in all.
    m = library.radial_engine().mechanism()
    for start in (0.0, 100.0, 590.0):
        m.drive(crank=start)
        found = reach(m, "crank")
        assert len(found.dead) == 14
        expected = found.low + np.arange(14) * 360.0 / 14
        assert [d.value for d in found.dead] == pytest.approx(expected, abs=1e-6)
