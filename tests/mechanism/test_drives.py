"""Drives: several at once, another one instead, limits, turns, mate numbers, couplings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cad2mbs import library
from cad2mbs.errors import InputError, MechanismError
from cad2mbs.library.build import ORIGIN, Builder, X, Y, Z, in_plane, polar
from cad2mbs.model.assembly import Assembly, CouplingKind, Drive, Freedom, JointFreedom, Limit
from cad2mbs.model.mates import RefId
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.model.references import axis, frame, plane, point, vector
from cad2mbs.units import Units
from tests.mechanism.support import about_z, assert_pose, assert_same_poses
from tests.reference import four_bar

BARS = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
AT_LIMIT = 1e-7  # [deg]: a limit may be passed by 1e-9 rad
NOT_NUMBERS = [float("nan"), float("inf"), -float("inf")]


def turn_of(a: str, b: str, zero: bool = True) -> JointFreedom:
    """The turn between two parts, refs `part/ref`."""
    (pa, ra), (pb, rb) = a.split("/"), b.split("/")
    return JointFreedom(pa, pb, Freedom.TURN, (RefId(pa, ra), RefId(pb, rb)) if zero else None)


def with_rocker_drive() -> Assembly:
    """The four-bar with its rocker's angle as a second drive: one freedom, two names."""
    plain = library.four_bar()
    rocker = Drive("rocker", of=turn_of("ground/d", "rocker/a"))
    return replace(plain, drives={**plain.drives, "rocker": rocker})


def two_arms(first: float = 20.0, second: float = 50.0) -> Assembly:
    """A robot arm of two links in a plane, 2 freedoms, the first one driven; angles [deg]."""
    build = Builder("Two arms")
    a, b = np.radians(first), np.radians(first + second)
    elbow = polar((0.0, 0.0), 100.0, a)
    build.ground("base", pivot=frame())
    build.bar("upper", (0.0, 0.0), elbow)
    build.bar("lower", elbow, polar(elbow, 80.0, b))
    build.revolute("shoulder", "base/pivot", "upper/a")
    build.revolute("elbow", "upper/b", "lower/a")
    build.drive_joint("shoulder", "base/pivot", "upper/a", Freedom.TURN, first)
    return build.build()


def arm(radius: float = 60.0, angle: float = 40.0) -> Builder:
    """An arm hinged at the origin, tip at `radius`; references to hang mates on."""
    build = Builder("Arm")
    build.ground(
        "base", pivot=frame(), post=point((100.0, 0.0, 0.0)), level=vector(X),
        floor=plane(ORIGIN, Y), rod=axis((100.0, 0.0, 0.0), Z),
    )  # fmt: skip
    build.part(
        "arm", in_plane((0.0, 0.0), np.radians(angle)), pivot=frame(),
        tip=point((radius, 0.0, 0.0)), along=vector(X),
    )  # fmt: skip
    build.revolute("hinge", "base/pivot", "arm/pivot")
    return build


# -- several drives, and what is not driven -----------------------------------------------


def test_legs_driven_together_and_one_by_one_end_in_the_same_pose():
    together, single = library.stewart().mechanism(), library.stewart().mechanism()
    start = together.drives["leg_1"].value
    wanted = {f"leg_{k}": start + d for k, d in enumerate((12.0, -8.0, 20.0, 5.0, -3.0, 9.0), 1)}
    assert together.drive(wanted).ok
    for name, value in reversed(wanted.items()):
        assert single.drive({name: value}).ok
    assert_same_poses(together.poses, single.poses, 400.0)


def test_legs_not_driven_keep_their_length():
    m = library.stewart().mechanism()
    before = {n: d.value for n, d in m.drives.items()}
    solved = m.drive(leg_3=before["leg_3"] + 15.0)
    assert solved.ok
    wanted = {**before, "leg_3": before["leg_3"] + 15.0}
    assert solved.values == pytest.approx(wanted, rel=1e-12)


def test_undriven_freedom_stays_put():
    m = two_arms().mechanism()
    assert m.mobility.freedoms == 2
    assert len(m.held_freedoms) == 1
    solved = m.drive(shoulder=75.0)
    assert solved.ok
    assert_pose(m.poses["upper"], ORIGIN, about_z(np.radians(75.0)), 180.0)
    elbow = polar((0.0, 0.0), 100.0, np.radians(75.0))
    # The elbow keeps its angle, so the lower arm turns along.
    assert_pose(m.poses["lower"], (*elbow, 0.0), about_z(np.radians(125.0)), 180.0)


def test_a_freedom_nobody_named_can_be_driven_by_the_name_it_is_given():
    m = two_arms().mechanism()
    (held,) = m.held_freedoms
    assert held in m.drives
    assert m.drives[held].unit == "deg"
    start = m.drives[held].value
    assert m.drive({held: start + 30.0}).ok
    assert m.drives["shoulder"].value == pytest.approx(20.0, abs=1e-10)
    turned = np.degrees(np.arctan2(*m.poses["lower"].rotation()[[1, 0], 0]))
    assert turned == pytest.approx(100.0, abs=1e-9) or turned == pytest.approx(40.0, abs=1e-9)


def test_loose_part_stays_where_it_is():
    build = arm()
    away = Pose.turned((7.0, 8.0, 9.0), (1.0, 2.0, 3.0), 0.7)
    build.part("loose", away)
    build.drive_joint("turn", "base/pivot", "arm/pivot", Freedom.TURN, 40.0)
    m = build.build().mechanism()
    assert m.mobility.freedoms == 7
    assert m.drive(turn=200.0).ok
    assert_pose(m.poses["loose"], away.position, away.rotation(), 100.0, 1e-12)


# -- another drive instead ----------------------------------------------------------------


def test_one_freedom_can_be_driven_from_either_end():
    m = with_rocker_drive().mechanism()
    assert m.tied_drives == ("rocker",)
    psi = float(np.degrees(four_bar.position(BARS, np.radians(100.0)).psi))
    solved = m.drive(rocker=psi)
    assert solved.ok, solved.status
    assert solved.values["crank"] == pytest.approx(100.0, abs=1e-8)
    assert solved.values["rocker"] == pytest.approx(psi, abs=1e-10)
    assert m.drive(crank=60.0).ok
    back = float(np.degrees(four_bar.position(BARS, np.radians(60.0)).psi))
    assert m.drives["rocker"].value == pytest.approx(back, abs=1e-8)


def test_rocker_as_drive_stops_where_crank_and_coupler_are_in_line():
    m = with_rocker_drive().mechanism()
    g, a, b, c = BARS
    # Folded: the triangle b - a, c, g gives the rocker's other end.
    inner = np.degrees(np.arccos((g**2 + c**2 - (b - a) ** 2) / (2 * g * c)))
    solved = m.drive(rocker=179.0)
    assert not solved.ok
    assert solved.values["rocker"] == pytest.approx(180.0 - inner, abs=1e-6)


def test_too_many_drives_are_refused_by_name():
    m = with_rocker_drive().mechanism()
    before = m.poses
    with pytest.raises(MechanismError, match="rocker follows from the others"):
        m.drive(crank=70.0, rocker=100.0)
    with pytest.raises(MechanismError, match="rocker"):
        m.sweep({"crank": [61.0], "rocker": [90.0]})
    with pytest.raises(MechanismError, match="rocker"):
        m.rates({"crank": 1.0, "rocker": 1.0})
    assert_same_poses(m.poses, before, 1.0, 0.0)


@pytest.mark.parametrize("formulation", ["mixed", "explicit"])
def test_a_freedom_nobody_named_can_be_swept(formulation):
    nameless = replace(library.four_bar(), drives={})
    m = nameless.mechanism(formulation)
    (name,) = m.drives
    start = m.drives[name].value
    walking = nameless.mechanism(formulation)
    values = start + np.arange(0.0, 60.0, 10.0)
    result = m.sweep({name: values})
    assert result.ok, result.status
    assert len(set(result.names)) == len(result.names)
    np.testing.assert_allclose(result.column(name), values, rtol=0, atol=1e-10)
    assert walking.drive({name: float(values[-1])}).ok
    assert_same_poses(m.poses, walking.poses, 1.0)


# -- bad values ---------------------------------------------------------------------------


def test_unknown_drive_is_refused_with_the_choices():
    m = library.four_bar().mechanism()
    for ask in (
        lambda: m.drive(crnk=1.0),
        lambda: m.sweep({"crnk": [1.0]}),
        lambda: m.rates({"crnk": 1.0}),
    ):
        with pytest.raises(InputError, match=r"no drive crnk; drives are: crank"):
            ask()


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_what_is_no_number_is_refused_and_nothing_moves(value):
    m = library.four_bar().mechanism()
    before = m.poses
    for ask in (
        lambda: m.drive(crank=value),
        lambda: m.sweep({"crank": [61.0, value]}),
        lambda: m.rates({"crank": value}),
        lambda: m.rates({"crank": 1.0}, {"crank": value}),
    ):
        with pytest.raises(InputError, match="finite"):
            ask()
    assert_same_poses(m.poses, before, 1.0, 0.0)


@pytest.mark.parametrize("value", ["abc", None, [1.0], np.array([1.0, 2.0]), 1j, {}])
def test_what_is_not_even_a_number_is_bad_input_everywhere(value):
    m = library.four_bar().mechanism()
    before = m.poses
    for ask in (
        lambda: m.drive(crank=value),
        lambda: m.sweep({"crank": [61.0, value]}),
        lambda: m.rates({"crank": value}),
        lambda: m.rates({"crank": 1.0}, {"crank": value}),
    ):
        with pytest.raises(InputError, match=r"number|finite"):
            ask()
    assert_same_poses(m.poses, before, 1.0, 0.0)


def test_text_instead_of_a_list_is_no_sweep():
    with pytest.raises(InputError, match="lists of numbers"):
        library.four_bar().mechanism().sweep({"crank": "60, 70"})


@pytest.mark.parametrize("ranges", [{}, {"leg_1": []}, {"leg_1": [400.0, 401.0], "leg_2": [400.0]}])
def test_sweep_refuses_lists_that_do_not_go_together(ranges):
    with pytest.raises(InputError, match="equally many"):
        library.stewart().mechanism().sweep(ranges)


def test_what_does_not_fit_cannot_be_driven():
    m = library.conflict().mechanism()
    with pytest.raises(MechanismError, match="cannot be driven"):
        m.drive()


# -- limits -------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [100.0, 5000.0, -100.0])
def test_limits_of_a_drive_hold_and_are_told(target):
    plain = library.four_bar()
    bounded = replace(plain.drives["crank"], low=-30.0, high=95.0)
    m = replace(plain, drives={"crank": bounded}).mechanism()
    assert (m.drives["crank"].low, m.drives["crank"].high) == pytest.approx((-30.0, 95.0))
    end = 95.0 if target > 0 else -30.0
    solved = m.drive(crank=target)
    assert not solved.ok
    assert solved.values["crank"] == pytest.approx(end, abs=AT_LIMIT)
    assert "limit of crank" in solved.status
    assert m.drive(crank=60.0).ok
    swept = m.sweep({"crank": np.linspace(60.0, target, 50)})
    assert not swept.ok
    assert swept.column("crank").min() >= -30.0 - AT_LIMIT
    assert swept.column("crank").max() <= 95.0 + AT_LIMIT


def test_limit_of_a_follower_stops_the_drive():
    high = float(np.degrees(four_bar.position(BARS, np.radians(100.0)).psi))
    limit = Limit("swing", turn_of("ground/d", "rocker/a"), high=high)
    m = replace(library.four_bar(), limits={"swing": limit}).mechanism()
    solved = m.drive(crank=150.0)
    assert not solved.ok
    assert "limit of swing" in solved.status
    assert solved.values["crank"] == pytest.approx(100.0, abs=1e-6)
    joint = next(j for j in m.joints if set(j.bodies) == {"ground", "rocker"})
    assert [(lim["name"], lim["high"]) for lim in joint.limits] == [("swing", high)]
    assert m.drive(crank=60.0).ok


@pytest.mark.parametrize("ends", [(-800.0, 800.0), (-725.0, 1085.0)])
def test_limits_may_lie_beyond_a_full_turn(ends):
    plain = library.gear_pair()
    bounded = replace(plain.drives["pinion"], low=ends[0], high=ends[1])
    m = replace(plain, drives={"pinion": bounded}).mechanism()
    for target, end in ((2000.0, ends[1]), (-2000.0, ends[0])):
        solved = m.drive(pinion=target)
        assert not solved.ok
        assert solved.values["pinion"] == pytest.approx(end, abs=AT_LIMIT)


# -- turns --------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [library.four_bar, library.radial_engine, library.lead_screw])
@pytest.mark.parametrize("turns", [1.0, -3.0, 10.0])
def test_turns_are_counted_on(make, turns):
    m = make().mechanism()
    (name,) = m.assembly.drives
    value = m.drives[name].value
    before = m.poses
    solved = m.drive({name: value + 360.0 * turns})
    assert solved.ok, solved.status
    assert solved.values[name] == pytest.approx(value + 360.0 * turns, abs=1e-8)
    if "nut" in before:
        slid = m.poses["nut"].position[2] - before["nut"].position[2]
        assert slid == pytest.approx(-2.0 * turns, rel=1e-10)
    else:
        assert_same_poses(m.poses, before, 200.0)
    assert m.drive({name: value}).ok
    assert_same_poses(m.poses, before, 200.0)


@pytest.mark.parametrize("value", [400.0, -300.0, 1020.0])
def test_first_value_of_a_drive_may_be_on_another_turn(value):
    plain = library.four_bar()
    m = replace(plain, drives={"crank": replace(plain.drives["crank"], value=value)}).mechanism()
    assert m.drives["crank"].value == pytest.approx(value, abs=1e-9)
    psi = four_bar.position(BARS, np.radians(value)).psi
    assert_pose(m.poses["rocker"], (1.0, 0.0, 0.0), about_z(psi), 1.0)


# -- what must not matter -----------------------------------------------------------------

MAKERS = [library.four_bar, library.stewart, library.jansen_leg, library.over_redundant]


@pytest.mark.parametrize("make", MAKERS)
def test_order_of_parts_and_mates_does_not_matter(make):
    plain = make()
    turned_round = replace(
        plain,
        parts=dict(reversed(plain.parts.items())),
        mates=dict(reversed(plain.mates.items())),
    )
    one, other = plain.mechanism(), turned_round.mechanism()
    assert other.mobility.freedoms == one.mobility.freedoms
    assert other.mobility.gruebler == one.mobility.gruebler
    for m in (one, other):
        assert m.drive({n: m.drives[n].value + 11.0 for n in plain.drives}).ok
    assert_same_poses({p: other.poses[p] for p in plain.parts}, one.poses, 400.0)


@pytest.mark.parametrize("unit", ["mm", "cm", "m", "in"])
def test_units_of_the_file_are_the_units_of_the_answer(unit):
    plain = library.four_bar()
    crank = replace(plain.drives["crank"], value=np.radians(60.0))
    m = replace(plain, units=Units(unit, "rad"), drives={"crank": crank}).mechanism()
    assert m.drives["crank"].unit == "rad"
    assert m.drive(crank=np.radians(100.0)).ok
    psi = four_bar.position(BARS, np.radians(100.0)).psi
    assert_pose(m.poses["rocker"], (1.0, 0.0, 0.0), about_z(psi), 1.0)
    rates = m.rates({"crank": 2.0})
    first = four_bar.first(BARS, np.radians(100.0)).psi
    assert rates.parts["rocker"].omega[2] == pytest.approx(2.0 * first, rel=1e-8)
    assert np.linalg.norm(rates.parts["coupler"].velocity) == pytest.approx(1.0, rel=1e-8)


# -- numbers of mates ---------------------------------------------------------------------


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_driven_distance_obeys_the_law_of_cosines(side):
    build = arm(60.0, 40.0 * side)
    build.mate("reach", "distance", "arm/tip", "base/post", 70.0)
    build.drive_mate("reach", "reach")
    m = build.build().mechanism()
    assert m.drives["reach"].unit == "mm"
    for d in (70.0, 45.0, 110.0, 155.0):
        solved = m.drive(reach=d)
        assert solved.ok, solved.status
        phi = side * np.arccos((60.0**2 + 100.0**2 - d**2) / (2 * 60.0 * 100.0))
        assert_pose(m.poses["arm"], ORIGIN, about_z(phi), 100.0)
    for target, end in ((200.0, 160.0), (10.0, 40.0)):
        solved = m.drive(reach=target)
        assert not solved.ok
        assert solved.values["reach"] == pytest.approx(end, abs=1e-6)
        assert m.drive(reach=70.0).ok
        tip = np.degrees(np.arctan2(*m.poses["arm"].rotation()[[1, 0], 0]))
        assert np.sign(tip) == side


def test_driven_distance_to_an_axis_is_that_of_the_point():
    build = arm()
    build.mate("reach", "axis-distance", "arm/tip", "base/rod", 70.0)
    build.drive_mate("reach", "reach")
    m = build.build().mechanism()
    assert m.drive(reach=90.0).ok
    phi = np.arccos((60.0**2 + 100.0**2 - 90.0**2) / (2 * 60.0 * 100.0))
    assert_pose(m.poses["arm"], ORIGIN, about_z(phi), 100.0)


def test_driven_offset_x_is_the_turn_and_counts_on():
    build = arm()
    build.mate("turn", "offset-x", "base/pivot", "arm/pivot", 40.0)
    build.drive_mate("turn", "turn")
    m = build.build().mechanism()
    for value in (40.0, -170.0, 180.0, 190.0, 400.0, 1000.0, 0.0):
        solved = m.drive(turn=value)
        assert solved.ok, solved.status
        assert solved.values["turn"] == pytest.approx(value, abs=1e-9)
        assert_pose(m.poses["arm"], ORIGIN, about_z(np.radians(value)), 100.0)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_driven_offset_z_is_the_angle_between_the_vectors(side):
    build = arm(angle=40.0 * side)
    build.mate("angle", "offset-z", "base/level", "arm/along", 40.0)
    build.drive_mate("angle", "angle")
    m = build.build().mechanism()
    for value in (40.0, 90.0, 150.0, 10.0):
        solved = m.drive(angle=value)
        assert solved.ok, solved.status
        assert_pose(m.poses["arm"], ORIGIN, about_z(side * np.radians(value)), 100.0)
    # At 0 and 180 deg the two sides meet.
    for target, end in ((200.0, 180.0), (-20.0, 0.0)):
        solved = m.drive(angle=target)
        assert not solved.ok
        assert solved.values["angle"] == pytest.approx(end, abs=1e-5)
        assert m.drive(angle=90.0).ok
        assert_pose(m.poses["arm"], ORIGIN, about_z(side * np.pi / 2), 100.0)


def test_driven_in_plane_is_the_height_of_the_point():
    build = arm()
    build.mate("height", "in-plane", "arm/tip", "base/floor", 60.0 * np.sin(np.radians(40.0)))
    build.drive_mate("height", "height")
    m = build.build().mechanism()
    for value in (30.0, 0.0, -45.0, 59.0):
        solved = m.drive(height=value)
        assert solved.ok, solved.status
        assert_pose(m.poses["arm"], ORIGIN, about_z(np.arcsin(value / 60.0)), 100.0)
    solved = m.drive(height=70.0)
    assert not solved.ok
    assert solved.values["height"] == pytest.approx(60.0, abs=1e-6)


def test_rates_of_a_driven_mate_are_those_of_its_number():
    build = arm()
    build.mate("reach", "distance", "arm/tip", "base/post", 70.0)
    build.drive_mate("reach", "reach")
    m = build.build().mechanism()
    d, speed, growth, r, g = 70.0, 5.0, -3.0, 60.0, 100.0
    rates = m.rates({"reach": speed}, {"reach": growth})
    phi = np.arccos((r * r + g * g - d * d) / (2 * r * g))
    # d^2 = r^2 + g^2 - 2 r g cos(phi), differentiated once and twice.
    w = d * speed / (r * g * np.sin(phi))
    a = (speed**2 + d * growth - r * g * np.cos(phi) * w**2) / (r * g * np.sin(phi))
    assert np.radians(rates.parts["arm"].omega[2]) == pytest.approx(w, rel=1e-8)
    assert np.radians(rates.parts["arm"].alpha[2]) == pytest.approx(a, rel=1e-8)
    assert rates.drives["reach"] == pytest.approx((speed, growth), rel=1e-10)


# -- couplings ----------------------------------------------------------------------------


@pytest.mark.parametrize("teeth", [(20, 40), (17, 53), (60, 20)])
def test_gears_turn_in_the_ratio_of_their_teeth(teeth):
    m = library.gear_pair(teeth).mechanism()
    ratio = teeth[0] / teeth[1]
    for value in (30.0, 180.0, 1234.5, -700.0):
        assert m.drive(pinion=value).ok
        assert_pose(m.poses["pinion"], ORIGIN, about_z(np.radians(value)), 100.0)
        centre = (teeth[0] + teeth[1], 0.0, 0.0)
        assert_pose(m.poses["wheel"], centre, about_z(-ratio * np.radians(value)), 100.0)
    rates = m.rates({"pinion": 10.0}, {"pinion": 4.0})
    assert rates.parts["wheel"].omega[2] == pytest.approx(-10.0 * ratio, rel=1e-10)
    assert rates.parts["wheel"].alpha[2] == pytest.approx(-4.0 * ratio, rel=1e-10)


def test_gear_pair_can_be_driven_from_its_wheel():
    plain = library.gear_pair()
    wheel = Drive("wheel", of=turn_of("frame/wheel_bearing", "wheel/bore"))
    m = replace(plain, drives={**plain.drives, "wheel": wheel}).mechanism()
    solved = m.drive(wheel=-300.0)
    assert solved.ok, solved.status
    assert solved.values["pinion"] == pytest.approx(600.0, abs=1e-8)


def test_internal_gears_turn_the_same_way():
    plain = library.gear_pair()
    mesh = replace(plain.couplings["mesh"], ratio=-0.25)
    m = replace(plain, couplings={"mesh": mesh}).mechanism()
    assert m.drive(pinion=400.0).ok
    assert_pose(m.poses["wheel"], (60.0, 0.0, 0.0), about_z(np.radians(100.0)), 100.0)


def test_planet_on_a_turning_carrier_rolls_around_the_fixed_sun():
    build = Builder("Planet")
    build.ground("sun", axis=frame())
    build.part("carrier", IDENTITY, axis=frame(), pin=frame((50.0, 0.0, 0.0)))
    build.part("planet", Pose((50.0, 0.0, 0.0)), bore=frame())
    build.revolute("main", "sun/axis", "carrier/axis")
    build.revolute("pin", "carrier/pin", "planet/bore")
    build.couple("mesh", CouplingKind.GEAR, "sun/axis", "planet/bore", 1.5, "carrier")
    build.drive_joint("carrier", "sun/axis", "carrier/axis", Freedom.TURN, 0.0)
    m = build.build().mechanism()
    assert m.mobility.freedoms == 1
    for value in (20.0, 360.0, -500.0):
        assert m.drive(carrier=value).ok
        # Willis: against the carrier the sun turns by -phi, the planet by 1.5 phi.
        turn = np.radians(value)
        at = (*polar((0.0, 0.0), 50.0, turn), 0.0)
        assert_pose(m.poses["planet"], at, about_z(2.5 * turn), 100.0)


@pytest.mark.parametrize("radius", [12.0, 3.5])
def test_rack_moves_by_the_arc_of_its_pinion(radius):
    m = library.rack_and_pinion(radius).mechanism()
    for value in (90.0, 720.0, -1000.0):
        assert m.drive(pinion=value).ok
        wanted = (radius * np.radians(value), -radius, 0.0)
        assert_pose(m.poses["rack"], wanted, np.eye(3), 100.0)
    rates = m.rates({"pinion": 90.0})
    assert rates.parts["rack"].velocity[0] == pytest.approx(radius * np.pi / 2, rel=1e-10)


@pytest.mark.parametrize("pitch", [2.0, 7.5, -3.0])
def test_nut_moves_by_the_pitch_a_turn(pitch):
    m = library.lead_screw(pitch).mechanism()
    for value in (90.0, 3600.0, -725.0):
        assert m.drive(spindle=value).ok
        assert_pose(m.poses["nut"], (0.0, 0.0, 60.0 - pitch * value / 360.0), np.eye(3), 100.0)
        assert_pose(m.poses["spindle"], ORIGIN, about_z(np.radians(value)), 100.0)
    joint = next(j for j in m.joints if set(j.bodies) == {"spindle", "nut"})
    assert (joint.kind, joint.freedoms) == ("screw", 1)
