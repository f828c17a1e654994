"""Branch honesty: on one branch all the way, or stopped and told; never another one in silence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cad2mbs import library
from cad2mbs.errors import MechanismError
from cad2mbs.io import mates_file
from cad2mbs.library.build import ORIGIN, Builder, Y, in_plane
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH
from cad2mbs.library.platforms import HOME_HEIGHT, stewart_joints
from cad2mbs.model.assembly import Assembly, Freedom, JointFreedom, Limit
from cad2mbs.model.mates import RefId
from cad2mbs.model.references import frame, plane, point
from tests.mechanism.support import (
    ROD_BETWEEN_BALLS,
    SAME,
    about_z,
    assert_pose,
    assert_same_poses,
    matrices,
    open_rows,
    swept_poses,
)
from tests.reference import four_bar, slider_crank

CRANK_ROCKER = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
DOUBLE_ROCKER = four_bar.FourBar(1.0, 0.8, 0.4, 0.9)
DEAD_POINT = 1e-6  # [deg]
VALID = 1e-9  # every mate of a valid pose holds within this, of the model's size


def double_rocker(branch: int = 1):
    return library.four_bar(*DOUBLE_ROCKER, start=60.0, branch=branch)


def dead_points() -> tuple[float, float]:
    """Lower and upper end of the double rocker's crank [deg]."""
    low, high = four_bar.dead_points(DOUBLE_ROCKER)
    assert low is not None
    assert high is not None
    return float(np.degrees(low)), float(np.degrees(high))


def assert_on_branch(bars, poses, crank: float, branch: int, tol: float = SAME) -> None:
    psi = four_bar.position(bars, np.radians(crank), branch).psi
    assert_pose(poses["rocker"], (bars.g, 0.0, 0.0), about_z(psi), 1.0, tol)


@pytest.mark.parametrize("branch", [1, -1])
@pytest.mark.parametrize("step", [1.0, 7.0, 45.0, 120.0, 720.0])
def test_crank_rocker_turns_twice_and_back_on_one_branch(branch, step):
    assembly = library.four_bar(branch=branch)
    m = assembly.mechanism()
    start = m.poses
    out = 60.0 + np.append(np.arange(step, 720.0, step), 720.0)
    for values in (out, np.append(out[-2::-1], 60.0)):
        result = m.sweep({"crank": values})
        assert result.ok, result.status
        for k in range(0, len(values), max(1, len(values) // 40)):
            poses = swept_poses(assembly, result, k)
            assert_on_branch(CRANK_ROCKER, poses, values[k], branch)
    assert_same_poses(m.poses, start, 1.0)


@pytest.mark.parametrize("jump", [350.0, -350.0, 1000.0])
@pytest.mark.parametrize(
    "make", [library.four_bar, library.jansen_leg, library.universal_shaft, library.radial_engine]
)
def test_one_jump_equals_many_small_steps(make, jump):
    assembly = make()
    jumping, walking = assembly.mechanism(), assembly.mechanism()
    (name,) = assembly.drives
    start = jumping.drives[name].value
    assert jumping.drive({name: start + jump}).ok
    steps = start + np.sign(jump) * np.arange(1.0, abs(jump) + 1.0)
    for value in steps:
        assert walking.drive({name: float(value)}).ok
    size = max(abs(c) for p in walking.poses.values() for c in p.position)
    assert_same_poses(jumping.poses, walking.poses, size)


@pytest.mark.parametrize("branch", [1, -1])
@pytest.mark.parametrize("target", [0.0, 29.0, 92.0, 180.0, 1000.0, -360.0])
def test_double_rocker_stops_at_its_dead_point_and_can_be_driven_back(branch, target):
    assembly = double_rocker(branch)
    m = assembly.mechanism()
    solved = m.drive(crank=target)
    wanted = dead_points()[1] if target > 60.0 else dead_points()[0]
    assert not solved.ok
    assert solved.values["crank"] == pytest.approx(wanted, rel=0, abs=DEAD_POINT)
    assert m.drives["crank"].value == solved.values["crank"]
    assert open_rows(assembly, m.poses) < VALID  # the last valid pose
    assert solved.residual < VALID
    assert solved.smallest_singular_value < 1e-4
    assert "dead point" in solved.status
    assert f"crank = {solved.values['crank']:.9g} deg" in solved.status
    assert any(mate in solved.status for mate in assembly.mates)
    # Back the same way, on the same branch, and the stop is where it was.
    back = m.drive(crank=60.0)
    assert back.ok, back.status
    assert_on_branch(DOUBLE_ROCKER, m.poses, 60.0, branch)
    again = m.drive(crank=target)
    assert again.values["crank"] == pytest.approx(wanted, rel=0, abs=DEAD_POINT)


@pytest.mark.parametrize("formulation", ["mixed", "implicit", "explicit"])
def test_double_rocker_swings_between_its_dead_points_on_one_branch(formulation):
    m = double_rocker().mechanism(formulation)
    low, high = dead_points()
    for value in (0.0, 180.0, 0.0, 180.0):
        stop = m.drive(crank=value)
        assert not stop.ok
        assert stop.values["crank"] == pytest.approx(low if value == 0 else high, abs=DEAD_POINT)
        for between in (40.0, 80.0):
            assert m.drive(crank=between).ok
            assert_on_branch(DOUBLE_ROCKER, m.poses, between, 1)


@pytest.mark.parametrize("step", [0.5, 1.0, 13.0, 60.0])
@pytest.mark.parametrize("end", [0.0, 180.0])
def test_rows_of_a_sweep_before_a_stop_are_all_valid(end, step):
    assembly = double_rocker()
    m = assembly.mechanism()
    values = np.arange(60.0, end + np.sign(end - 60.0) * 0.1, step * np.sign(end - 60.0))
    result = m.sweep({"crank": values})
    low, high = dead_points()
    inside = values[(values > low) & (values < high)]
    assert not result.ok
    np.testing.assert_allclose(result.column("crank"), inside, rtol=0, atol=1e-11)
    for k, value in enumerate(inside):
        poses = swept_poses(assembly, result, k)
        assert open_rows(assembly, poses) < VALID
        assert_on_branch(DOUBLE_ROCKER, poses, value, 1, 1e-8)
    assert result.stopped_at is not None
    wanted = low if end < 60.0 else high
    assert result.stopped_at["crank"] == pytest.approx(wanted, abs=DEAD_POINT)
    assert m.drives["crank"].value == pytest.approx(wanted, abs=DEAD_POINT)
    assert f"{len(inside)} positions before it" in result.status


def test_a_sweep_that_stops_before_its_first_row_is_an_empty_table(tmp_path):
    result = double_rocker().mechanism().sweep({"crank": [180.0, 181.0]})
    assert not result.ok
    assert result.values.shape == (0, len(result.names))
    assert result.poses("rocker").shape == (0, 7)
    result.to_csv(tmp_path / "empty.csv")
    assert len((tmp_path / "empty.csv").read_text(encoding="utf-8").splitlines()) == 1


def parallelogram():
    """Opposite bars equal: at crank 0 and 180 deg all bars lie in one line, two branches meet."""
    return library.four_bar(1.0, 0.5, 1.0, 0.5, start=60.0)


def assert_parallel(poses, tol: float) -> None:
    """Raise unless the coupler is parallel to the ground."""
    np.testing.assert_allclose(poses["coupler"].rotation(), np.eye(3), rtol=0, atol=tol)


@pytest.mark.parametrize("target", [180.0, 180.001, 181.0, 185.0, 300.0, 0.0, -1.0, -100.0])
def test_parallelogram_stays_one_or_stops_at_its_change_point(target):
    assembly = parallelogram()
    m = assembly.mechanism()
    solved = m.drive(crank=target)
    assert open_rows(assembly, m.poses) < VALID
    # Within VALID of the change point the bars leave the coupler sqrt(VALID) of play.
    assert_parallel(m.poses, 1e-4)
    if solved.ok:
        assert solved.values["crank"] == pytest.approx(target, abs=1e-9)
        return
    change = 180.0 if target > 60.0 else 0.0
    assert solved.values["crank"] == pytest.approx(change, abs=1e-3)
    assert "dead point" in solved.status
    back = m.drive(crank=60.0)
    assert back.ok, back.status
    assert_parallel(m.poses, SAME)


@pytest.mark.parametrize("values", [np.arange(61.0, 301.0), np.arange(60.3, 301.0, 7.0)])
def test_no_row_of_a_sweep_through_the_change_point_is_on_the_other_branch(values):
    assembly = parallelogram()
    result = assembly.mechanism().sweep({"crank": values})
    for k in range(len(result.values)):
        poses = swept_poses(assembly, result, k)
        assert open_rows(assembly, poses) < VALID
        assert_parallel(poses, 1e-4)
    assert result.ok or len(result.values) >= np.sum(values < 179.9)


@pytest.mark.parametrize("target", [181.0, 185.0, 300.0])
def test_crossing_a_change_point_goes_straight_on(target):
    m = parallelogram().mechanism()
    solved = m.drive({"crank": target}, cross=True)
    assert solved.ok, solved.status
    assert_parallel(m.poses, SAME)


def test_scissor_lift_does_not_pass_its_stretched_pose_in_silence():
    assembly = library.scissor_lift(stages=2, arm=200.0, slide=160.0)
    m = assembly.mechanism()
    solved = m.drive(slide=230.0)
    assert not solved.ok
    assert solved.values["slide"] == pytest.approx(200.0, abs=1e-6)
    assert open_rows(assembly, m.poses) < VALID
    assert m.drive(slide=120.0).ok
    assert m.poses["platform"].position[1] == pytest.approx(2 * 160.0, rel=1e-10)


def lowered(height: float) -> dict[str, float]:
    """Equal legs that put the Stewart platform level at `height` [mm] (Pythagoras)."""
    base, platform = stewart_joints()
    across = np.linalg.norm(platform[0] - base[0])
    return {f"leg_{k}": float(np.hypot(across, height)) for k in range(1, 7)}


@pytest.mark.parametrize("height", [100.0, 20.0, 8.0, 3.0])
def test_stewart_platform_is_lowered_in_one_jump_as_in_steps(height):
    m = library.stewart().mechanism()
    solved = m.drive(lowered(height))
    assert solved.ok, solved.status
    # Legs are good to 1e-13; lying nearly flat they tell the height by their square root only.
    assert_pose(m.poses["platform"], (0.0, 0.0, height), np.eye(3), HOME_HEIGHT)


@pytest.mark.parametrize("length", [190.0, 10.0])
def test_stewart_platform_stops_where_it_lies_flat_in_its_base(length):
    assembly = library.stewart()
    m = assembly.mechanism()
    solved = m.drive({f"leg_{k}": length for k in range(1, 7)})
    assert not solved.ok
    assert solved.values["leg_1"] == pytest.approx(lowered(0.0)["leg_1"], abs=1e-3)
    assert open_rows(assembly, m.poses) < VALID
    assert m.drive(lowered(HOME_HEIGHT)).ok
    assert_pose(m.poses["platform"], (0.0, 0.0, HOME_HEIGHT), np.eye(3), HOME_HEIGHT)


@pytest.mark.parametrize("end", [90.0, 100.0])
def test_a_long_sweep_is_the_same_as_its_pieces(end):
    values = np.linspace(60.0, end, 12001)  # more than are worked on at a time
    ticks: list[tuple[int, int]] = []
    result = (
        double_rocker()
        .mechanism()
        .sweep({"crank": values}, progress=lambda done, of: ticks.append((done, of)))
    )
    inside = values[values < dead_points()[1]]
    assert result.ok == (end == 90.0)
    np.testing.assert_allclose(result.column("crank"), inside, rtol=0, atol=1e-11)
    assert ticks[-1] == (len(inside), len(values))
    psi = four_bar.position(DOUBLE_ROCKER, np.radians(inside[:-1]), 1).psi
    x_axis = matrices(result.poses("rocker")[:-1:50])[:, :2, 0]
    wanted = np.column_stack([np.cos(psi), np.sin(psi)])[::50]
    np.testing.assert_allclose(x_axis, wanted, rtol=0, atol=1e-8)


def test_a_first_value_out_of_reach_is_told():
    out = replace(double_rocker().drives["crank"], value=170.0)
    m = replace(double_rocker(), drives={"crank": out}).mechanism()
    assert m.assembled
    assert "first drive values were not reached" in m.status
    assert m.drives["crank"].value == pytest.approx(dead_points()[1], abs=DEAD_POINT)


@pytest.mark.parametrize("formulation", ["mixed", "implicit", "explicit"])
@pytest.mark.parametrize("stop", [90.0, 100.0, 119.0])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_slider_crank_stops_at_its_halfspace(stop, way, formulation):
    assembly = library.slider_crank_stop(stop)
    m = assembly.mechanism(formulation)
    solved = m.drive(crank=way * 180.0)
    phi = np.degrees(slider_crank.crank_angle_at(stop, CRANK_RADIUS, ROD_LENGTH))
    assert not solved.ok
    assert solved.values["crank"] == pytest.approx(way * phi, abs=1e-6)
    assert m.poses["piston"].position[0] == pytest.approx(stop, abs=1e-6)
    assert open_rows(assembly, m.poses) < VALID
    assert "one-sided mate stop" in solved.status
    assert m.drive(crank=0.0).ok
    assert m.poses["piston"].position[0] == pytest.approx(CRANK_RADIUS + ROD_LENGTH, rel=1e-10)


def test_a_jump_over_a_forbidden_range_stops_at_its_near_end():
    m = library.slider_crank_stop(100.0).mechanism()
    phi = np.degrees(slider_crank.crank_angle_at(100.0, CRANK_RADIUS, ROD_LENGTH))
    solved = m.drive(crank=360.0)  # the pose at the end would be fine, the way is not
    assert not solved.ok
    assert solved.values["crank"] == pytest.approx(phi, abs=1e-6)


# -- the change point, from wherever one comes --------------------------------------------

FORMS = ["mixed", "implicit"]


@pytest.mark.parametrize("formulation", FORMS)
@pytest.mark.parametrize("target", [181.0, 190.0, 270.0, 400.0])
def test_the_change_point_is_held_from_any_approach(target, formulation):
    assembly = parallelogram()
    for start in np.arange(61.0, 179.0, 13.0):
        m = assembly.mechanism(formulation)
        assert m.drive(crank=float(start)).ok
        solved = m.drive(crank=target)
        assert_parallel(m.poses, 1e-4)
        assert open_rows(assembly, m.poses) < VALID
        # Straight on or stopped there: never at the target on the other branch.
        if not solved.ok:
            assert solved.values["crank"] == pytest.approx(180.0, abs=1e-3)
            assert "dead point" in solved.status
        back = m.drive(crank=float(start))
        assert back.ok, back.status
        assert_parallel(m.poses, SAME)


@pytest.mark.parametrize("formulation", FORMS)
@pytest.mark.parametrize("step", [0.7, 1.0, 3.0])
@pytest.mark.parametrize("start", [170.0, 175.0, 178.0, 179.0, 179.5, 179.9])
def test_a_sweep_from_near_the_change_point_does_not_leave_its_branch(start, step, formulation):
    assembly = parallelogram()
    m = assembly.mechanism(formulation)
    assert m.drive(crank=start).ok
    values = start + step * np.arange(1.0, 40.0)
    result = m.sweep({"crank": values})
    for k in range(len(result)):
        poses = swept_poses(assembly, result, k)
        assert_parallel(poses, 1e-4)
        assert open_rows(assembly, poses) < VALID
    assert_parallel(m.poses, 1e-4)
    if not result.ok:
        assert len(result) == np.sum(values < 180.0)
        assert result.stopped_at["crank"] == pytest.approx(180.0, abs=1e-3)


@pytest.mark.parametrize("formulation", FORMS)
@pytest.mark.parametrize("start", [0.0, 180.0])
def test_a_flat_parallelogram_stands_at_its_wanted_value(start, formulation):
    m = library.four_bar(1.0, 0.5, 1.0, 0.5, start=start).mechanism(formulation)
    assert m.status == "every mate holds"
    solved = m.drive(crank=start)
    assert solved.ok, solved.status
    assert m.sweep({"crank": [start]}).ok
    assert_parallel(m.poses, SAME)


@pytest.mark.parametrize("formulation", FORMS)
def test_rates_are_refused_at_a_held_dead_point(formulation):
    rocker = double_rocker().mechanism(formulation)
    assert not rocker.drive(crank=180.0).ok
    flat = library.four_bar(1.0, 0.5, 1.0, 0.5, start=0.0).mechanism(formulation)
    for m in (rocker, flat):
        with pytest.raises(MechanismError, match="dead point"):
            m.rates({"crank": 1.0})
    assert rocker.drive(crank=60.0).ok
    first = four_bar.first(DOUBLE_ROCKER, np.radians(60.0)).psi
    omega = rocker.rates({"crank": 1.0}).parts["rocker"].omega[2]
    assert omega == pytest.approx(first, rel=1e-8)


@pytest.mark.parametrize("formulation", FORMS)
def test_freedoms_at_the_pose_follow_the_pose(formulation):
    m = parallelogram().mechanism(formulation)
    assert m.mobility.at_pose == 1
    m.drive(crank=180.0)
    assert (m.mobility.at_pose, m.mobility.freedoms) == (2, 1)
    assert m.drive(crank=60.0).ok
    assert m.mobility.at_pose == 1


# -- sweeps with long or bent steps -------------------------------------------------------


def hinge_with_stop(depth: float) -> Assembly:
    """An arm of 10 mm whose tip must not go deeper than `depth` [mm] below the base."""
    build = Builder("Arm over a floor")
    build.ground("base", pivot=frame(), floor=plane(ORIGIN, Y))
    build.part("arm", in_plane((0.0, 0.0), 0.0), pivot=frame(), tip=point((10.0, 0.0, 0.0)))
    build.revolute("hinge", "base/pivot", "arm/pivot")
    build.mate("stop", "halfspace", "arm/tip", "base/floor", -depth)
    build.drive_joint("q", "base/pivot", "arm/pivot", Freedom.TURN, 0.0)
    return build.build()


@pytest.mark.parametrize("formulation", FORMS)
@pytest.mark.parametrize(
    "values",
    [
        [-180.0],
        [0.0, -180.0],
        [0.0, -180.0, -360.0],
        [0.0, 1.0, -181.0],
        [0.0, -20.0, -160.0],
        [0.0, -29.0, -151.0],
        [0.0, -10.0, -20.0, -160.0],
        [0.0, -10.0, -5.0, -170.0],
        [0.0, 10.0, 20.0, -155.0],
    ],
)
def test_no_step_of_a_sweep_passes_a_stop_unseen(values, formulation):
    m = hinge_with_stop(5.0).mechanism(formulation)  # -150 to -30 deg is forbidden
    result = m.sweep({"q": values})
    assert not result.ok
    assert "one-sided mate stop" in result.status
    inside = [v for v in values if v > -30.0]
    np.testing.assert_allclose(result.column("q"), inside, rtol=0, atol=1e-11)
    assert result.stopped_at["q"] == pytest.approx(-30.0, abs=1e-6)
    assert m.drives["q"].value == pytest.approx(-30.0, abs=1e-6)


@pytest.mark.parametrize("formulation", FORMS)
@pytest.mark.parametrize("step", [1.0, 5.0, 10.0, 11.0, 12.0, 40.0])
def test_no_step_of_a_sweep_passes_a_narrow_stop_unseen(step, formulation):
    depth = 9.99
    m = hinge_with_stop(depth).mechanism(formulation)  # 5 deg are forbidden, about -90
    result = m.sweep({"q": -np.arange(0.0, 181.0, step)})
    assert not result.ok
    end = -np.degrees(np.arcsin(depth / 10.0))
    assert result.stopped_at["q"] == pytest.approx(end, abs=1e-5)


@pytest.mark.parametrize("formulation", FORMS)
@pytest.mark.parametrize(
    "values",
    [
        [420.0],
        [60.0, 61.0, 420.0],
        [60.0, 90.0, 130.0],
        [60.0, 70.0, 80.0, 250.0],
        [60.0, 50.0, 300.0],
    ],
)
def test_no_step_of_a_sweep_passes_a_limit_or_a_dead_point_unseen(values, formulation):
    of = JointFreedom(
        "ground", "rocker", Freedom.TURN, (RefId("ground", "d"), RefId("rocker", "a"))
    )
    swing = np.degrees(four_bar.position(CRANK_ROCKER, np.radians(100.0)).psi)
    limited = replace(library.four_bar(), limits={"swing": Limit("swing", of, high=float(swing))})
    for assembly, end, reason in (
        (limited, 100.0, "limit of swing"),
        (double_rocker(), dead_points()[1], "dead point"),
    ):
        m = assembly.mechanism(formulation)
        result = m.sweep({"crank": values})
        assert not result.ok
        assert reason in result.status
        assert len(result) == next(k for k, v in enumerate(values) if v > end)
        assert result.stopped_at["crank"] == pytest.approx(end, abs=DEAD_POINT)


@pytest.mark.parametrize("formulation", FORMS)
@pytest.mark.parametrize(
    "corners",
    [
        [(0.0, 0.0), (5.0, 5.0), (-180.0, 0.0)],
        [(0.0, 0.0), (0.0, 8.0), (-8.0, 8.0), (-8.0, -172.0)],
        [(10.0, -10.0), (20.0, -10.0), (20.0, -100.0), (-160.0, 0.0)],
    ],
)
def test_a_sweep_round_a_corner_stops_where_drives_do(corners, formulation):
    build = Builder("Two arms over a floor")
    build.ground("base", pivot=frame(), floor=plane(ORIGIN, Y))
    build.bar("upper", (0.0, 0.0), (100.0, 0.0))
    build.bar("lower", (100.0, 0.0), (180.0, 0.0))
    build.revolute("shoulder", "base/pivot", "upper/a")
    build.revolute("elbow", "upper/b", "lower/a")
    build.mate("stop", "halfspace", "lower/b", "base/floor", -50.0)
    build.drive_joint("one", "base/pivot", "upper/a", Freedom.TURN, 0.0)
    build.drive_joint("two", "upper/b", "lower/a", Freedom.TURN, 0.0)
    assembly = build.build()
    walking, sweeping = (assembly.mechanism(formulation) for _ in range(2))
    reached = 0
    for one, two in corners:
        if not walking.drive(one=one, two=two).ok:
            break
        reached += 1
    else:
        raise AssertionError("the way is meant to be blocked")
    result = sweeping.sweep({"one": [c[0] for c in corners], "two": [c[1] for c in corners]})
    assert not result.ok
    assert len(result) == reached
    assert_same_poses(sweeping.poses, walking.poses, 180.0, 1e-7)


# -- the spin of a rod between balls ------------------------------------------------------

SPIN = 0.1  # [deg] over a whole turn of the crank: held step by step, not by a condition


def angle_between(one, other) -> float:
    """Angle of the turn from one pose to the other [deg]."""
    R = one.rotation().T @ other.rotation()
    # From the sine of half the angle: the arc cosine of the trace is blind to small angles.
    return float(np.degrees(2 * np.arcsin(min(1.0, np.linalg.norm(R - np.eye(3)) / np.sqrt(8)))))


@pytest.mark.parametrize("formulation", FORMS)
@pytest.mark.parametrize("count", [2, 8, 36, 60, 360])
def test_the_spin_of_a_rod_is_the_same_for_one_jump_and_many_steps(count, formulation):
    assembly = mates_file.read_bytes(ROD_BETWEEN_BALLS.encode())
    jumping, walking, sweeping = (assembly.mechanism(formulation) for _ in range(3))
    assert jumping.drive(q=360.0).ok
    values = np.linspace(0.0, 360.0, count + 1)[1:]
    assert all(walking.drive(q=float(v)).ok for v in values)
    assert sweeping.sweep({"q": values}).ok
    for m in (walking, sweeping):
        assert angle_between(m.poses["rod"], jumping.poses["rod"]) < SPIN
        assert angle_between(m.poses["rocker"], jumping.poses["rocker"]) < 1e-6
