"""Curves over a drive and their rates, against closed forms and the rates of single poses."""

from __future__ import annotations

import numpy as np
import pytest

import cad2mbs
from cad2mbs import library
from cad2mbs.curves import curves, quantities
from cad2mbs.errors import InputError
from cad2mbs.io import mates_file
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH
from cad2mbs.results import pose_names
from tests.mechanism.support import FOLDERS, assert_same_poses
from tests.reference import four_bar, slider_crank

PISTON = "housing-piston_1.slide"
EXACT = 1e-9  # relative: solved to 1e-12, over blocks of condition up to 1e2
MEASURED = 1e-8  # the same for what is differenced along the tangent: h^4 and eps / h
ASSEMBLED = [f for f in FOLDERS if f.name != "conflict"]


def test_piston_travel_and_speed_are_those_of_the_closed_form():
    m = library.radial_engine(crank=50.0).mechanism()
    found = curves(m, "crank", [PISTON, "piston_1.x", "crank"])
    assert found.ok, found.status
    assert found.turns
    np.testing.assert_allclose(found.x, np.linspace(0.0, 360.0, 361), atol=1e-9)
    phi = np.radians(found.x)
    s = slider_crank.position(phi, CRANK_RADIUS, ROD_LENGTH)
    speed = slider_crank.first(phi, CRANK_RADIUS, ROD_LENGTH) * 2 * np.pi
    assert found.speed == pytest.approx(360.0)  # one turn a second
    np.testing.assert_allclose(found.columns["piston_1.x"], s, atol=EXACT * ROD_LENGTH)
    np.testing.assert_allclose(found.rates["piston_1.x"], speed, atol=EXACT * 300.0)
    np.testing.assert_allclose(np.abs(found.rates[PISTON]), np.abs(speed), atol=EXACT * 300.0)
    np.testing.assert_allclose(found.rates["crank"], 360.0)


def test_rates_of_a_double_rocker_are_right_up_to_the_dead_points_and_nan_there():
    bars = four_bar.FourBar(1.0, 0.8, 0.4, 0.9)
    found = curves(library.double_rocker().mechanism(), "crank", ["ground-rocker.turn"], speed=1.0)
    rate = found.rates["ground-rocker.turn"]
    assert np.isnan(rate[[0, -1]]).all()
    inside = slice(1, -1)
    exact = four_bar.first(bars, np.radians(found.x[inside]), 1).psi
    np.testing.assert_allclose(np.abs(rate[inside]), np.abs(exact), rtol=1e-7)
    assert np.abs(exact).max() > 5.0


def test_a_closing_joint_turns_at_the_difference_of_its_bodies():
    bars = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
    m = library.four_bar(*bars).mechanism()
    name = next(q.name for q in quantities(m) if q.name.startswith("coupler-rocker"))
    found = curves(m, "crank", [name], count=73)
    first = four_bar.first(bars, np.radians(found.x), 1)
    np.testing.assert_allclose(
        np.abs(found.rates[name]), 360.0 * np.abs(first.psi - first.theta), atol=MEASURED * 360.0
    )


def test_the_rate_of_a_distance_is_that_of_the_piston():
    m = cad2mbs.load("assemblies/radial_engine").mechanism()
    found = curves(m, "crank", ["piston_1_height"], count=91)
    exact = slider_crank.first(np.radians(found.x), CRANK_RADIUS, ROD_LENGTH) * 2 * np.pi
    np.testing.assert_allclose(found.rates["piston_1_height"], exact, atol=MEASURED * 300.0)


TURNTABLE = """
cad2mbs: 1
parts:
  base:
    grounded: true
    references: {K: {frame: {}}, u: {axis: {point: [0, 0, 0], along: [1, 0, 0]}}}
  table: {references: {K: {frame: {}}, u: {axis: {point: [0, 0, 0], along: [1, 0, 0]}}}}
mates:
  pin: {kind: coincident, a: base/K, b: table/K}
  axis: {kind: parallel-z, a: base/K, b: table/K}
drives:
  turn: {joint: [base, table], freedom: turn}
observers:
  between: {angle: [base/u, table/u]}
"""


def test_an_angle_that_is_never_negative_has_no_rate_where_it_turns_round():
    m = mates_file.read_bytes(TURNTABLE.encode()).mechanism()
    found = curves(m, "turn", ["between"], count=361, speed=1.0)
    rate = found.rates["between"]
    kinks = np.isin(found.x, (0.0, 180.0, 360.0))
    assert np.isnan(rate[kinks]).all()
    np.testing.assert_allclose(rate[(found.x > 0) & (found.x < 180)], 1.0, atol=1e-9)
    np.testing.assert_allclose(rate[(found.x > 180) & (found.x < 360)], -1.0, atol=1e-9)


@pytest.mark.parametrize("folder", ASSEMBLED, ids=lambda f: f.name)
def test_rates_along_the_way_are_those_of_each_pose_alone(folder):
    m = cad2mbs.load(folder).mechanism()
    before = m.poses
    names = [n for part in m.assembly.parts for n in pose_names(part)]
    for drive in list(m.drives)[:2]:
        found = curves(m, drive, names, count=12)
        fork = m.fork()
        for k in (3, 7):
            fork.state = found.states[k]
            one = fork.rates({drive: found.speed})
            for part in m.assembly.parts:
                got = np.array([found.rates[n][k] for n in pose_names(part)])
                q = np.array([found.columns[n][k] for n in pose_names(part)[3:]])
                w = one.parts[part].omega * m.units.radian
                # dq/dt = 1/2 (0, w) q, written out.
                turn = 0.5 * np.array(
                    [
                        -w @ q[1:],
                        w[0] * q[0] + w[1] * q[3] - w[2] * q[2],
                        w[1] * q[0] + w[2] * q[1] - w[0] * q[3],
                        w[2] * q[0] + w[0] * q[2] - w[1] * q[1],
                    ]
                )
                wanted = np.concatenate([one.parts[part].velocity, turn])
                np.testing.assert_allclose(
                    got, wanted, rtol=1e-7, atol=1e-8 * (1.0 + np.abs(wanted).max())
                )
    assert_same_poses(m.poses, before, 1.0, 0.0)


def test_the_default_speed_of_a_drive_with_ends_is_its_range_a_second():
    m = cad2mbs.load("assemblies/excavator").mechanism()
    found = curves(m, "boom", ["boom"], count=5)
    assert found.speed == pytest.approx(345.0 - 60.0)
    assert found.range == pytest.approx((60.0, 345.0))
    np.testing.assert_allclose(found.columns["boom"], np.linspace(60.0, 345.0, 5))


def test_quantities_are_all_columns_and_few_of_them_are_shown():
    m = cad2mbs.load("assemblies/radial_engine").mechanism()
    found = quantities(m)
    assert [q.name for q in found] == list(m._columns.header[0])
    groups = {q.name: q.group for q in found}
    assert groups["crank"] == "drive"
    assert groups["piston_3.x"] == "part"
    assert groups[PISTON] == "joint"
    assert groups["piston_1_height"] == "observer"
    shown = [q.name for q in found if q.shown]
    assert len(shown) == 6
    assert {"piston_1_height", PISTON, "housing-piston_5.slide"} <= set(shown)


@pytest.mark.parametrize("folder", ASSEMBLED, ids=lambda f: f.name)
def test_between_one_and_six_quantities_are_shown(folder):
    assert 1 <= sum(q.shown for q in quantities(cad2mbs.load(folder).mechanism())) <= 6


def test_an_unknown_quantity_is_refused_with_what_was_probably_meant():
    with pytest.raises(InputError, match="no quantity 'crnk'; did you mean 'crank'"):
        curves(library.four_bar().mechanism(), "crank", ["crnk"])


def test_too_few_positions_are_refused():
    with pytest.raises(InputError, match="at least 3"):
        curves(library.four_bar().mechanism(), "crank", ["crank"], count=2)
