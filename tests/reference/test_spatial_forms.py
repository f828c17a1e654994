"""The closed forms of suspension, delta robot and serial robot keep what they must keep."""

from __future__ import annotations

import numpy as np
import pytest

from scripts.solids.spatial_sizes import Delta, Robot, Suspension
from tests.reference import delta_robot, six_axis_robot, suspension

ROUNDING = 1e-9  # of lengths up to 1e3: a few hundred eps through two or three square roots
S = Suspension
POINTS = ((0, 0, 0), Robot.SHOULDER, Robot.ELBOW, Robot.WRIST, Robot.WRIST, Robot.WRIST)


def carrier(travel_deg: float, stroke: float) -> np.ndarray:
    return suspension.position(
        np.radians(travel_deg),
        stroke,
        (S.LOWER_REAR, S.LOWER_FRONT),
        (S.UPPER_REAR, S.UPPER_FRONT),
        (S.LOWER_BALL, S.UPPER_BALL),
        (S.RACK, S.STEER),
    )


def platform(*degrees: float) -> np.ndarray:
    return delta_robot.position(
        np.radians(degrees), Delta.BASE, Delta.PLATFORM, Delta.ARM, Delta.ROD
    )


def test_carrier_stays_at_design_height_when_nothing_is_driven():
    np.testing.assert_allclose(carrier(0.0, 0.0), np.eye(4), atol=ROUNDING)


@pytest.mark.parametrize(("travel", "stroke"), [(12, 0), (-12, 50), (7, -50), (0, 20)])
def test_no_bar_of_the_suspension_changes_its_length(travel, stroke):
    X = carrier(travel, stroke)
    np.testing.assert_allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-13)
    ball = suspension.moved(X, S.UPPER_BALL)
    for end in (S.UPPER_REAR, S.UPPER_FRONT):
        assert np.linalg.norm(ball - end) == pytest.approx(
            np.linalg.norm(np.subtract(S.UPPER_BALL, end)), abs=ROUNDING
        )
    rack = np.add(S.RACK, (0, stroke, 0))
    assert np.linalg.norm(suspension.moved(X, S.STEER) - rack) == pytest.approx(
        np.linalg.norm(np.subtract(S.STEER, S.RACK)), abs=ROUNDING
    )


def test_lower_ball_turns_with_the_lower_arm():
    # The lower hinge runs along x, so that the ball moves on a circle in its plane x = const.
    x, y, z = np.subtract(S.LOWER_BALL, S.LOWER_REAR)
    c, s = np.cos(np.radians(9)), np.sin(np.radians(9))
    wanted = np.add(S.LOWER_REAR, (x, c * y - s * z, s * y + c * z))
    np.testing.assert_allclose(
        suspension.moved(carrier(9, 30), S.LOWER_BALL), wanted, atol=ROUNDING
    )


def test_rack_moved_outwards_turns_the_wheel_in():
    # The steering arm is behind the king pin: pushed outwards, the wheel's front swings inwards.
    front = carrier(0.0, 30.0)[:3, 0]
    assert front[1] < -0.1
    assert carrier(0.0, -30.0)[1, 0] > 0.1


def test_delta_with_equal_arms_stands_over_its_middle():
    reach = Delta.BASE + Delta.ARM * np.cos(np.radians(40)) - Delta.PLATFORM
    height = Delta.ARM * np.sin(np.radians(40)) + np.sqrt(Delta.ROD**2 - reach**2)
    np.testing.assert_allclose(platform(40, 40, 40), (0, 0, -height), atol=ROUNDING)


@pytest.mark.parametrize("degrees", [(45, 10, 25), (-5, 40, 55), (-30, 80, 0)])
def test_every_rod_of_the_delta_keeps_its_length(degrees):
    place = platform(*degrees)
    for k, t in enumerate(np.radians(degrees)):
        out = np.array([np.cos(2 * np.pi * k / 3), np.sin(2 * np.pi * k / 3), 0.0])
        elbow = (Delta.BASE + Delta.ARM * np.cos(t)) * out - (0, 0, Delta.ARM * np.sin(t))
        rod = place + Delta.PLATFORM * out - elbow
        assert np.linalg.norm(rod) == pytest.approx(Delta.ROD, abs=ROUNDING)
    assert place[2] < -Delta.ARM


def test_robot_at_home_is_at_home():
    X = six_axis_robot.position(np.zeros(6), POINTS, Robot.AXES, Robot.FLANGE)
    np.testing.assert_allclose(X[:3, 3], Robot.FLANGE)
    np.testing.assert_array_equal(X[:3, :3], np.eye(3))


def test_shoulder_and_elbow_alone_make_a_two_bar_arm():
    a, b = np.radians([35, -20])
    X = six_axis_robot.position([0, a, b, 0, 0, 0], POINTS, Robot.AXES, Robot.WRIST)
    upper, fore = np.subtract(Robot.ELBOW, Robot.SHOULDER), np.subtract(Robot.WRIST, Robot.ELBOW)
    # Turns about y in the complex plane x + i z: by -angle.
    arm = complex(upper[0], upper[2]) * np.exp(-1j * a)
    arm += complex(fore[0], fore[2]) * np.exp(-1j * (a + b))
    wanted = np.add(Robot.SHOULDER, (arm.real, 0, arm.imag))
    np.testing.assert_allclose(X[:3, 3], wanted, atol=ROUNDING)


def test_wrist_joints_leave_the_wrist_where_it_is():
    X = six_axis_robot.position(
        np.radians([0, 0, 0, 70, -40, 110]), POINTS, Robot.AXES, Robot.WRIST
    )
    np.testing.assert_allclose(X[:3, 3], Robot.WRIST, atol=ROUNDING)
