"""Pulling parts: the nearest pose that all mates allow, on the branch, within limits, honestly."""

from __future__ import annotations

import numpy as np
import pytest

import cad2mbs
from cad2mbs import library
from cad2mbs.errors import InputError, MechanismError
from cad2mbs.io import mates_file
from cad2mbs.library.build import Builder
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH
from cad2mbs.mechanism import Mechanism
from cad2mbs.model.references import frame
from cad2mbs.pulling import Pull
from scripts.solids.spatial_sizes import Delta, Robot
from tests.mechanism.support import FOLDERS, ROD_BETWEEN_BALLS, assert_same_poses, open_rows
from tests.reference import delta_robot, four_bar, six_axis_robot, slider_crank

HOLDS = 1e-8  # of the model's size: every mate, after any pull
THERE = 1e-6  # [mm] a target that can be reached is reached
NEAREST = 1e-6  # relative: the nearest point of those that can be reached
LIMITS = 1e-9  # [rad or model lengths] a limit may be passed by rounding
ASSEMBLED = [f for f in FOLDERS if f.name not in ("conflict", "two_boxes", "dietmaier")]
UP = np.array([0.0, 20.0, 0.0])
ASIDE = np.array([20.0, 0.0, -30.0])
OFF = (3.0, 2.0, 1.0)  # [mm] a point of a part that is nothing special


def where(m: Mechanism, part: str, point=(0.0, 0.0, 0.0)) -> np.ndarray:
    """Place [mm] of a point [mm] of a part."""
    pose = m.poses[part]
    return np.array(pose.position) * m.units.metre * 1e3 + pose.rotation() @ np.array(point)


def turned(point: np.ndarray, centre: np.ndarray, angle: float) -> np.ndarray:
    """The point turned about z through the centre."""
    c, s = np.cos(angle), np.sin(angle)
    return centre + np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ (point - centre)


def arm(lengths=(60.0, 40.0)) -> Mechanism:
    """Bars in a row, pinned, bent a little."""
    build = Builder("arm")
    build.ground("base", a=frame())
    start, last = (0.0, 0.0), "base/a"
    for k, length in enumerate(lengths):
        end = (start[0] + length * np.cos(0.3 * k), start[1] + length * np.sin(0.3 * k))
        build.bar(f"bar_{k}", start, end)
        build.revolute(f"pin_{k}", last, f"bar_{k}/a")
        start, last = end, f"bar_{k}/b"
    return build.build().mechanism()


# --- within reach and beyond -----------------------------------------------------------------


@pytest.mark.parametrize("angle", [0.4, -1.0, 2.9, -3.0])
@pytest.mark.parametrize("distance", [200.0, 70.0, 10.0])
def test_a_pin_of_a_crank_ends_on_the_ray_to_the_target(angle, distance):
    m = arm((60.0,))
    target = distance * np.array([np.cos(angle), np.sin(angle), 0.5])
    done = Pull(m, "bar_0", (60.0, 0.0, 0.0)).to(target)
    nearest = 60.0 * np.array([np.cos(angle), np.sin(angle), 0.0])
    np.testing.assert_allclose(where(m, "bar_0", (60.0, 0.0, 0.0)), nearest, atol=NEAREST * 60.0)
    assert done.gap_mm == pytest.approx(np.linalg.norm(target - nearest), rel=NEAREST)
    assert done.moved
    assert not done.stopped
    assert "as near as the mates allow" in done.status


@pytest.mark.parametrize("target", [(50.0, 50.0), (-30.0, 60.0), (10.0, -70.0), (21.0, 0.0)])
def test_an_arm_of_two_bars_reaches_what_lies_within_its_ring(target):
    m = arm()
    done = Pull(m, "bar_1", (40.0, 0.0, 0.0)).to((*target, 0.0))
    assert done.gap_mm < THERE
    elbow = where(m, "bar_1")
    assert np.linalg.norm(elbow) == pytest.approx(60.0)
    assert np.linalg.norm(elbow - (*target, 0.0)) == pytest.approx(40.0)


@pytest.mark.parametrize("angle", [0.1, 1.5, -2.0])
def test_an_arm_pulled_beyond_its_reach_ends_stretched_towards_the_target(angle):
    m = arm((60.0, 40.0, 30.0))
    target = 400.0 * np.array([np.cos(angle), np.sin(angle), 0.0])
    pull = Pull(m, "bar_2", (30.0, 0.0, 0.0))
    done = pull.to(target)
    for _ in range(3):
        done = pull.to(target)
    # The last digits of a stretched arm come slowly: its reach changes with the square of the bend.
    assert done.gap_mm == pytest.approx(400.0 - 130.0, abs=1e-4)
    np.testing.assert_allclose(
        where(m, "bar_2", (30.0, 0.0, 0.0)), target * 130.0 / 400.0, atol=0.1
    )


def test_the_platform_of_a_delta_robot_goes_where_the_closed_form_has_its_arms():
    m = cad2mbs.load("assemblies/delta_robot").mechanism()
    pull = Pull(m, "platform", (0.0, 0.0, 0.0))
    for degrees in ((30.0, 25.0, 40.0), (10.0, 60.0, 20.0), (-10.0, 0.0, 5.0)):
        sizes = (Delta.BASE, Delta.PLATFORM, Delta.ARM, Delta.ROD)
        done = pull.to(delta_robot.position(np.radians(degrees), *sizes))
        assert done.gap_mm < THERE, done.status
        assert [d.value for d in m.drives.values()] == pytest.approx(degrees, abs=1e-5)


def test_a_robot_pulled_by_its_flange_is_where_its_angles_say():
    m = cad2mbs.load("assemblies/six_axis_robot").mechanism()
    points = ((0, 0, 0), Robot.SHOULDER, Robot.ELBOW, Robot.WRIST, Robot.WRIST, Robot.WRIST)
    start = where(m, "flange")
    pull = Pull(m, "flange", (0.0, 0.0, 0.0))
    for step in ((-50.0, 80.0, -60.0), (-200.0, -150.0, 40.0), (0.0, 0.0, -300.0)):
        done = pull.to(start + step)
        assert done.gap_mm < THERE, done.status
        angles = np.radians([d.value for d in m.drives.values()])
        X = six_axis_robot.position(angles, points, Robot.AXES, Robot.FLANGE)
        np.testing.assert_allclose(X[:3, 3], start + step, atol=THERE)


def test_freedoms_that_the_point_leaves_over_move_as_little_as_can_be():
    m = arm((60.0, 40.0, 30.0))
    before = m.state
    end = (30.0, 0.0, 0.0)
    step = np.array([0.3, -0.2, 0.0])
    pull = Pull(m, "bar_2", end)
    pivots = [where(m, f"bar_{k}") for k in range(3)]
    tip = where(m, "bar_2", end)
    J = np.array([[-(tip - p)[1], (tip - p)[0]] for p in pivots]).T  # planar: z x (tip - pivot)
    assert pull.to(tip + step).gap_mm < THERE
    least = np.linalg.pinv(J) @ step[:2]
    np.testing.assert_allclose(m.state - before, least, atol=2.0 * np.abs(least).max() ** 2)


# --- special poses ---------------------------------------------------------------------------


@pytest.mark.parametrize("step", [(-5.0, 0.0, 0.0), (5.0, 0.0, 0.0), (0.0, 5.0, 0.0)])
def test_a_piston_at_its_dead_point_stays_and_the_mates_are_named(step):
    m = library.radial_engine().mechanism()
    before = m.poses
    done = Pull(m, "piston_1", (0.0, 0.0, 0.0)).to(where(m, "piston_1") + step)
    assert (done.moved, done.stopped) == (False, True)
    assert done.gap_mm == pytest.approx(5.0)
    assert "dead point" in done.status
    assert "small_end_1" in done.status
    assert_same_poses(m.poses, before, 1.0, 0.0)


@pytest.mark.parametrize("crank", [40.0, -40.0])
def test_a_piston_pulled_to_its_dead_point_comes_back_the_way_it_went(crank):
    m = library.radial_engine(crank=crank).mechanism()
    pull = Pull(m, "piston_1", (0.0, 0.0, 0.0))
    top = pull.to((200.0, 0.0, 0.0))
    assert top.stopped
    assert "dead point" in top.status
    assert m.drives["crank"].value == pytest.approx(0.0, abs=1e-4)
    low = slider_crank.position(np.radians(crank), CRANK_RADIUS, ROD_LENGTH)
    assert pull.to((low, 0.0, 0.0)).gap_mm < THERE
    assert m.drives["crank"].value == pytest.approx(crank, abs=1e-5)


def test_a_crank_carries_the_piston_through_its_dead_points():
    m = library.radial_engine(crank=-50.0).mechanism()
    pin = (CRANK_RADIUS, 0.0, 0.0)
    pull = Pull(m, "crank", pin)
    for angle in np.radians(np.arange(-50.0, 311.0, 8.0)):
        target = CRANK_RADIUS * np.array([np.cos(angle), np.sin(angle), 0.0])
        assert pull.to(target).gap_mm < THERE
        assert where(m, "piston_1")[0] == pytest.approx(
            slider_crank.position(angle, CRANK_RADIUS, ROD_LENGTH), abs=1e-5
        )


def test_a_rocker_in_hand_carries_the_crank_over_the_crank_s_own_dead_point():
    bars = four_bar.FourBar(1.0, 0.8, 0.4, 0.9)
    m = library.double_rocker().mechanism()
    assembly = m.assembly
    point = (900.0, 0.0, 0.0)
    _, dead = four_bar.dead_points(bars)
    assert dead is not None
    pull, cranks = Pull(m, "rocker", point), []
    for _ in range(20):
        target = turned(where(m, "rocker", point), where(m, "rocker"), np.radians(2.5))
        done = pull.to(target)
        cranks.append(m.drives["crank"].value)
        assert open_rows(assembly, m.poses) < HOLDS
        if done.stopped:
            break
    top = max(cranks)
    assert top == pytest.approx(np.degrees(dead), abs=1.5)
    assert cranks[-1] < top - 5.0, "it has turned back beyond its dead point"


@pytest.mark.parametrize("start", [0.0, 180.0])
def test_a_parallelogram_laid_flat_stays_and_says_that_two_ways_lead_on(start):
    m = library.four_bar(1.0, 0.5, 1.0, 0.5, start=start).mechanism()
    for part in ("crank", "coupler", "rocker"):
        done = Pull(m, part, (300.0, 0.0, 0.0)).to(where(m, part, (300.0, 0.0, 0.0)) + UP)
        assert (done.moved, done.stopped) == (False, True)
        assert "change point" in done.status
        assert "rocker_pin" in done.status


@pytest.mark.parametrize("part", ["crank", "rocker"])
@pytest.mark.parametrize("step", [1.0, 7.0, 40.0])
def test_a_parallelogram_stops_before_it_lies_flat_and_can_be_pulled_back(part, step):
    m = library.four_bar(1.0, 0.5, 1.0, 0.5, start=100.0).mechanism()
    pull, pin = Pull(m, part, (500.0, 0.0, 0.0)), (500.0, 0.0, 0.0)
    for angle in np.arange(100.0, 260.0, step):
        centre = where(m, part)
        target = centre + 500.0 * np.array(
            [np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0]
        )
        done = pull.to(target)
        crank, rocker = (where(m, p, pin) - where(m, p) for p in ("crank", "rocker"))
        np.testing.assert_allclose(crank, rocker, atol=1e-3)
    assert done.stopped
    assert "change point" in done.status
    assert m.drives["crank"].value == pytest.approx(180.0, abs=1e-3)
    back = where(m, part) + 500.0 * np.array([np.cos(2.0), np.sin(2.0), 0.0])
    assert pull.to(back).gap_mm < THERE
    assert m.drives["crank"].value == pytest.approx(np.degrees(2.0), abs=1e-3)


def test_a_grounded_part_says_that_it_cannot_be_moved():
    m = library.four_bar().mechanism()
    done = Pull(m, "ground", (0.0, 0.0, 0.0)).to((0.0, 30.0, 40.0))
    assert done.status == "ground is fixed to the ground and cannot be moved"
    assert (done.moved, done.stopped, done.gap_mm) == (False, True, 50.0)


def test_a_part_without_freedom_says_so():
    m = library.four_bar().mechanism()
    build = Builder("triangle")
    build.ground("base", a=frame(), d=frame((100.0, 0.0, 0.0)))
    build.bar("left", (0.0, 0.0), (50.0, 80.0))
    build.bar("right", (100.0, 0.0), (50.0, 80.0))
    build.revolute("p", "base/a", "left/a")
    build.revolute("q", "base/d", "right/a")
    build.revolute("r", "left/b", "right/b")
    m = build.build().mechanism()
    done = Pull(m, "left", (10.0, 0.0, 0.0)).to((0.0, 0.0, 0.0))
    assert done.status == "left cannot be moved: the mates leave it no freedom"
    assert (done.moved, done.stopped) == (False, True)


def test_a_point_on_the_axis_says_that_nothing_moves_it():
    m = arm((60.0,))
    done = Pull(m, "bar_0", (0.0, 0.0, 5.0)).to((10.0, 0.0, 0.0))
    assert "no freedom moves this point of bar_0" in done.status
    assert (done.moved, done.stopped) == (False, True)


# --- limits ----------------------------------------------------------------------------------


def test_a_stop_holds_the_piston_where_the_closed_form_has_it():
    m = library.slider_crank_stop(100.0).mechanism()
    m.drive(crank=60.0)
    pull = Pull(m, "piston", (0.0, 0.0, 0.0))
    done = pull.to((20.0, 0.0, 0.0))
    assert where(m, "piston")[0] == pytest.approx(100.0, abs=1e-6)
    assert done.status == "the one-sided mate stop is reached"
    assert done.stopped
    end = np.degrees(slider_crank.crank_angle_at(100.0, CRANK_RADIUS, ROD_LENGTH))
    assert m.drives["crank"].value == pytest.approx(end, abs=1e-5)
    assert pull.to((130.0, 0.0, 0.0)).gap_mm < THERE


def test_a_robot_pulled_far_to_the_side_stops_at_the_limit_that_it_names():
    m = cad2mbs.load("assemblies/six_axis_robot").mechanism()
    pull = Pull(m, "flange", (0.0, 0.0, 0.0))
    for angle in np.radians(np.arange(0.0, 260.0, 10.0)):
        done = pull.to(
            where(m, "flange") * 0 + 600.0 * np.array([np.cos(angle), np.sin(angle), 1.0])
        )
    assert m.drives["joint_1"].value <= 170.0 + 1e-9
    assert done.stopped
    assert "limit of joint_" in done.status


LIMITED_ARM = """
cad2mbs: 1
parts:
  base: {grounded: true, references: {a: {frame: {}}}}
  upper: {references: {a: {frame: {}}, b: {frame: {origin: [60, 0, 0]}}}}
  fore:
    references: {a: {frame: {}}, b: {frame: {origin: [40, 0, 0]}}}
    pose: {position: [60, 0, 0], turn: {axis: [0, 0, 1], angle: 40}}
mates:
  p1: {kind: coincident, a: base/a, b: upper/a}
  z1: {kind: parallel-z, a: base/a, b: upper/a}
  p2: {kind: coincident, a: upper/b, b: fore/a}
  z2: {kind: parallel-z, a: upper/b, b: fore/a}
limits:
  elbow: {joint: [upper, fore], freedom: turn, min: -30, max: 30}
"""


def test_an_arm_whose_elbow_is_at_its_limit_goes_on_with_the_shoulder():
    m = mates_file.read_bytes(LIMITED_ARM.encode()).mechanism()
    pull = Pull(m, "fore", (40.0, 0.0, 0.0))
    done = pull.to((0.0, 35.0, 0.0))
    # Bent as far as it goes, the arm is one bar: it points at the target and ends before it.
    elbow, tip = where(m, "fore"), where(m, "fore", (40.0, 0.0, 0.0))
    assert done.stopped
    assert done.status == "the limit of elbow is reached"
    bend = np.arctan2(*(tip - elbow)[1::-1]) - np.arctan2(*elbow[1::-1])
    start = np.radians(40.0)
    assert abs(abs(bend - start) - np.radians(30.0)) < 1e-8
    np.testing.assert_allclose(tip / np.linalg.norm(tip), (0.0, 1.0, 0.0), atol=1e-5)


# --- what does not take part -----------------------------------------------------------------


def test_pulling_the_stick_of_the_excavator_leaves_the_bucket_s_cylinder_as_it_is():
    m = cad2mbs.load("assemblies/excavator").mechanism()
    bucket = m.drives["bucket"].value
    done = Pull(m, "stick", OFF).to(where(m, "stick", OFF) + ASIDE)
    assert done.moved
    assert m.drives["bucket"].value == bucket


FREE = """
cad2mbs: 1
parts:
  base: {grounded: true, references: {K: {frame: {}}}}
  one: {references: {K: {frame: {}}}, pose: {position: [10, 0, 0]}}
  two:
    references: {K: {frame: {}}}
    pose: {position: [0, 50, 0], turn: {axis: [1, 1, 0], angle: 30}}
"""


def test_a_free_part_follows_the_hand_and_the_others_stay():
    m = mates_file.read_bytes(FREE.encode()).mechanism()
    two = m.poses["two"]
    pull = Pull(m, "one", OFF)
    for target in ((30.0, 20.0, -10.0), (-80.0, 0.0, 5.0)):
        done = pull.to(target)
        assert done.gap_mm < THERE, done.status
        np.testing.assert_allclose(where(m, "one", OFF), target, atol=THERE)
    assert m.poses["two"] == two


def test_a_rod_between_two_balls_can_be_spun_by_a_point_off_its_axis():
    assembly = mates_file.read_bytes(ROD_BETWEEN_BALLS.encode())
    m = assembly.mechanism()
    off = (12.0, 0.0, 4.0)
    pull = Pull(m, "rod", off)
    ends = [where(m, "rod"), where(m, "rod", (25.0, 0.0, 0.0))]
    axis = (ends[1] - ends[0]) / 25.0
    foot = ends[0] + 12.0 * axis
    side = np.cross(axis, where(m, "rod", off) - foot)
    for share in (0.3, 0.8, 1.2):
        at = where(m, "rod", off) - foot
        target = foot + 4.0 * (np.cos(share) * at / 4.0 + np.sin(share) * side / 4.0)
        done = pull.to(target)
        assert m.residual_along(m.state[None]) < HOLDS
        assert done.gap_mm < 0.5


# --- any pull --------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ASSEMBLED, ids=lambda f: f.name)
def test_after_any_pull_mates_and_limits_hold_and_the_gap_has_not_grown(folder):
    assembly = cad2mbs.load(folder)
    m = assembly.mechanism()
    model = m.structure.model
    rng = np.random.default_rng(20)
    size = m.structure.length * 1e3
    moving = [n for n, p in m.structure.part_place.items() if p.link]
    for part in rng.choice(moving, 4):
        point = rng.normal(size=3) * 0.1 * size
        pull = Pull(m, part, point)
        for step in rng.choice([0.003, 0.03, 0.3], 5):
            at, before = where(m, part, point), m.poses
            target = at + rng.normal(size=3) * step * size
            done = pull.to(target)
            gap = np.linalg.norm(where(m, part, point) - target)
            assert done.gap_mm == pytest.approx(gap, abs=1e-9 * size)
            assert gap <= np.linalg.norm(target - at) + 1e-9 * size
            assert open_rows(assembly, m.poses) < HOLDS
            y = m.state[: model.nv]
            over = np.maximum(model.low - y, y - model.high) * model.weight
            assert over.max(initial=-1.0) < LIMITS
            assert done.moved or m.poses == before


@pytest.mark.parametrize("name", ["four_bar", "radial_engine_3", "jansen_leg", "stewart"])
def test_small_pulls_move_every_part_a_little_only(name):
    m = cad2mbs.load(f"assemblies/{name}").mechanism()
    rng = np.random.default_rng(7)
    size = m.structure.length * 1e3
    part = list(m.assembly.parts)[-1]
    pull = Pull(m, part, OFF)
    for _ in range(200):
        before = {p: where(m, p, OFF) for p in m.assembly.parts}
        done = pull.to(where(m, part, OFF) + rng.normal(size=3) * 2e-4 * size)
        if done.status.startswith(("dead", "change")):
            break
        for p, old in before.items():
            # Next to a dead point of the part in hand the others move much faster than it does.
            assert np.linalg.norm(where(m, p, OFF) - old) < 0.1 * size


# --- wrong input -----------------------------------------------------------------------------


def test_an_unknown_part_is_refused_with_what_was_probably_meant():
    with pytest.raises(InputError, match="no part 'rockr'; did you mean 'rocker'"):
        Pull(library.four_bar().mechanism(), "rockr", (0.0, 0.0, 0.0))


@pytest.mark.parametrize("target", [(0.0, 0.0), (0.0, 0.0, np.nan), (0.0, np.inf, 0.0)])
def test_a_target_that_is_no_point_is_refused(target):
    pull = Pull(library.four_bar().mechanism(), "rocker", (0.0, 0.0, 0.0))
    with pytest.raises(InputError, match="a target of a pull"):
        pull.to(target)


def test_what_does_not_assemble_cannot_be_pulled():
    m = library.conflict().mechanism()
    with pytest.raises(MechanismError, match="cannot be moved"):
        Pull(m, next(iter(m.assembly.parts)), (0.0, 0.0, 0.0))
