"""Positions, velocities and accelerations against closed forms, over the whole turn.

Rates are asked for a drive that turns at SPEED and speeds up at GROWTH, so that the chain rule
gives  dx/dt = x' w,  d2x/dt2 = x'' w^2 + x' a  for x as a function of the drive's angle.
"""

from __future__ import annotations

import numpy as np
import pytest

from cad2mbs import library
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH
from cad2mbs.library.platforms import HOME_HEIGHT, stewart_joints
from cad2mbs.library.spatial import BENNETT_A, BENNETT_B
from tests.mechanism.support import POSITION, RATE, about_z, assert_pose, matrices, swept_poses
from tests.reference import bennett, four_bar, slider_crank, stewart, universal

TURN = np.linspace(0.0, 360.0, 721)  # hits 0, 90, 180, 270 exactly
SPECIAL = [0.0, 90.0, 180.0, 270.0, 360.0, -90.0]
ANYWHERE = [1e-6, 37.0, 89.999999, 133.0, 211.0, 301.5]
SPEED, GROWTH = 70.0, -25.0  # [deg/s], [deg/s^2]
W, A = np.radians(SPEED), np.radians(GROWTH)

BARS = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
BETA = np.radians(30.0)
K_BENNETT = bennett.constant(np.radians(BENNETT_A[1]), np.radians(BENNETT_B[1]))


def extremes(branch: int) -> list[float]:
    """Crank angles [deg] where crank and coupler stretch and fold: the rocker turns round."""
    g, a, b, c = BARS
    stretched = np.arccos((g**2 + (b + a) ** 2 - c**2) / (2 * g * (b + a)))
    folded = np.arccos((g**2 + (b - a) ** 2 - c**2) / (2 * g * (b - a))) + np.pi
    # Mirrored for the other branch.
    return [branch * float(np.degrees(x)) for x in (stretched, folded)]


def chain(first, second):
    """First and second rate in time [1/s], [1/s^2] from derivatives over the drive's angle."""
    return first * W, second * W**2 + first * A


def assert_rate(found, wanted, scale) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=RATE * scale)


def driven(assembly, value: float):
    """The mechanism with its one drive at `value`, and its rates there."""
    m = assembly.mechanism()
    (name,) = m.assembly.drives
    solved = m.drive({name: value})
    assert solved.ok, solved.status
    return m, m.rates({name: SPEED}, {name: GROWTH})


def swept(assembly, values):
    m = assembly.mechanism()
    (name,) = m.assembly.drives
    result = m.sweep({name: values})
    assert result.ok, result.status
    assert len(result.values) == len(values)
    np.testing.assert_allclose(result.column(name), values, rtol=0, atol=1e-11)
    return result


# -- slider-crank -------------------------------------------------------------------------

ENGINES = {
    "mates": (library.single_cylinder_engine, "rod", "piston"),
    "loop": (lambda: library.radial_engine(1), "rod_1", "piston_1"),
    "doubled": (library.over_redundant, "rod", "slider"),
}


@pytest.mark.parametrize("engine", ENGINES)
def test_slider_crank_is_the_closed_form_all_around(engine):
    make, rod, piston = ENGINES[engine]
    result, phi = swept(make(), TURN), np.radians(TURN)
    size = CRANK_RADIUS + ROD_LENGTH
    s = slider_crank.position(phi, CRANK_RADIUS, ROD_LENGTH)
    np.testing.assert_allclose(result.column(f"{piston}.x"), s, rtol=0, atol=POSITION * size)
    angle = slider_crank.rod_angle(phi, CRANK_RADIUS, ROD_LENGTH)
    x_axis = matrices(result.poses(rod))[:, :2, 0]
    wanted = np.column_stack([np.cos(angle), np.sin(angle)])
    np.testing.assert_allclose(x_axis, wanted, rtol=0, atol=POSITION)


@pytest.mark.parametrize("crank", SPECIAL + ANYWHERE)
@pytest.mark.parametrize("engine", ENGINES)
def test_slider_crank_rates_are_the_closed_form(engine, crank):
    make, _, piston = ENGINES[engine]
    _, rates = driven(make(), crank)
    at = np.radians(crank), CRANK_RADIUS, ROD_LENGTH
    speed, growth = chain(slider_crank.first(*at), slider_crank.second(*at))
    assert_rate(rates.parts[piston].velocity, [speed, 0, 0], W * CRANK_RADIUS)
    assert_rate(rates.parts[piston].acceleration, [growth, 0, 0], W**2 * CRANK_RADIUS)
    assert_rate(rates.parts[piston].omega, [0, 0, 0], SPEED)


# -- four-bar -----------------------------------------------------------------------------


@pytest.mark.parametrize("branch", [1, -1])
def test_four_bar_is_the_closed_form_all_around(branch):
    result = swept(library.four_bar(branch=branch), TURN)
    theta, psi = four_bar.position(BARS, np.radians(TURN), branch)
    for part, angle in (("coupler", theta), ("rocker", psi)):
        x_axis = matrices(result.poses(part))[:, :2, 0]
        wanted = np.column_stack([np.cos(angle), np.sin(angle)])
        np.testing.assert_allclose(x_axis, wanted, rtol=0, atol=POSITION)
    pin = BARS.a * np.exp(1j * np.radians(TURN))
    at = result.poses("coupler")[:, :2]
    np.testing.assert_allclose(at, np.column_stack([pin.real, pin.imag]), rtol=0, atol=POSITION)


@pytest.mark.parametrize(
    ("branch", "crank"),
    [(b, c) for b in (1, -1) for c in [*SPECIAL, *ANYWHERE, *extremes(b)]],
)
def test_four_bar_rates_are_the_closed_form(branch, crank):
    m, rates = driven(library.four_bar(branch=branch), crank)
    phi = np.radians(crank)
    one, two = four_bar.first(BARS, phi, branch), four_bar.second(BARS, phi, branch)
    for part in ("theta", "psi"):
        name = "coupler" if part == "theta" else "rocker"
        speed, growth = chain(getattr(one, part), getattr(two, part))
        assert_rate(np.radians(rates.parts[name].omega), [0, 0, speed], W)
        assert_rate(np.radians(rates.parts[name].alpha), [0, 0, growth], W**2)
    arm = np.array([*m.poses["coupler"].position])
    z = np.array([0, 0, 1.0])
    assert_rate(rates.parts["coupler"].velocity, np.cross(W * z, arm), W)
    assert_rate(rates.parts["coupler"].acceleration, np.cross(A * z, arm) - W**2 * arm, W**2)


@pytest.mark.parametrize("branch", [1, -1])
def test_rocker_stands_still_where_crank_and_coupler_are_in_line(branch):
    for crank in extremes(branch):
        _, rates = driven(library.four_bar(branch=branch), crank)
        assert_rate(rates.parts["rocker"].omega, [0, 0, 0], SPEED)


# -- universal joint ----------------------------------------------------------------------


def test_universal_joint_law_holds_over_two_turns():
    values = np.linspace(-360.0, 360.0, 721)
    result = swept(library.universal_shaft(), values)
    psi = universal.position(np.radians(values), BETA)
    side, up = np.array([-np.sin(BETA), np.cos(BETA), 0.0]), np.array([0.0, 0.0, 1.0])
    wanted = np.cos(psi)[:, None] * side + np.sin(psi)[:, None] * up
    x_axis = matrices(result.poses("output"))[:, :, 0]
    np.testing.assert_allclose(x_axis, wanted, rtol=0, atol=POSITION)
    # The joint's own coordinate counts turns on; its direction and zero are its own affair.
    turn = result.column("ground-output.turn")
    np.testing.assert_allclose(np.abs(turn - turn[0]), np.degrees(psi - psi[0]), rtol=0, atol=1e-7)


@pytest.mark.parametrize("value", SPECIAL + ANYWHERE)
def test_universal_joint_rates_are_the_closed_form(value):
    _, rates = driven(library.universal_shaft(), value)
    phi = np.radians(value)
    speed, growth = chain(universal.first(phi, BETA), universal.second(phi, BETA))
    axis = np.array([np.cos(BETA), np.sin(BETA), 0.0])
    assert_rate(np.radians(rates.parts["output"].omega), speed * axis, W)
    assert_rate(np.radians(rates.parts["output"].alpha), growth * axis, W**2)


# -- Bennett ------------------------------------------------------------------------------


def bennett_links(theta_1: float) -> dict[str, np.ndarray]:
    """Poses (4, 4) of the moving links, link 4 being the ground."""
    theta_2 = bennett.position(theta_1, K_BENNETT)
    a, b = ((length, np.radians(twist)) for length, twist in (BENNETT_A, BENNETT_B))
    one = bennett.row(0.0, *b) @ bennett.row(theta_1, 0.0, 0.0)
    two = one @ bennett.row(0.0, *a) @ bennett.row(theta_2, 0.0, 0.0)
    three = two @ bennett.row(0.0, *b) @ bennett.row(-theta_1, 0.0, 0.0)
    return {"link_1": one, "link_2": two, "link_3": three}


@pytest.mark.parametrize("end", [420.0, -300.0])
def test_bennett_is_the_closed_form_all_around(end):
    assembly = library.bennett(60.0)
    values = np.linspace(60.0, end, 721)
    result = swept(assembly, values)
    for k in range(0, len(values), 3):
        poses = swept_poses(assembly, result, k)
        for part, X in bennett_links(np.radians(values[k])).items():
            assert_pose(poses[part], X[:3, 3], X[:3, :3], BENNETT_A[0] + BENNETT_B[0])


@pytest.mark.parametrize("theta", [0.0, 5.0, 60.0, 90.0, 120.0, 180.0, 240.0, 270.0, 355.0])
def test_bennett_rates_are_the_closed_form(theta):
    m, rates = driven(library.bennett(), theta)
    theta_1 = np.radians(theta)
    speed, growth = chain(bennett.first(theta_1, K_BENNETT), bennett.second(theta_1, K_BENNETT))
    one, two = rates.parts["link_1"], rates.parts["link_2"]
    z = m.poses["link_2"].rotation()[:, 2]
    w1, w2 = np.radians(one.omega), np.radians(two.omega)
    assert_rate(w2 - w1, speed * z, W)
    # The hinge's axis is carried round by link 1, which turns the relative velocity.
    relative = np.radians(two.alpha) - np.radians(one.alpha) - np.cross(w1, w2)
    assert_rate(relative, growth * z, W**2)


# -- Stewart ------------------------------------------------------------------------------

BASE, PLATFORM = stewart_joints()
HOME = np.array([0.0, 0.0, HOME_HEIGHT])


def stewart_poses() -> list[tuple[np.ndarray, np.ndarray]]:
    """Home, pure shifts, pure turns, and anything (seed 11)."""
    rng = np.random.default_rng(11)
    level, up, aside = np.eye(3), np.array([0, 0, 40.0]), np.array([25.0, 0, 0])
    special = [(HOME, level), (HOME + up, level), (HOME + aside, level)]
    special += [(HOME, stewart.rotation(axis, 0.2)) for axis in np.eye(3)]
    anything = [
        (HOME + rng.uniform(-40, 40, 3), stewart.rotation(rng.normal(size=3), rng.uniform(0, 0.3)))
        for _ in range(6)
    ]
    return special + anything


def legs(values) -> dict[str, float]:
    return {f"leg_{k}": float(v) for k, v in enumerate(values, 1)}


def test_stewart_platform_stands_where_its_legs_were_computed_for():
    m = library.stewart().mechanism()
    for p, R in stewart_poses():
        wanted = legs(stewart.position(BASE, PLATFORM, p, R))
        solved = m.drive(wanted)
        assert solved.ok, solved.status
        assert_pose(m.poses["platform"], p, R, HOME_HEIGHT)
        assert {n: solved.values[n] for n in wanted} == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("k", range(len(stewart_poses())))
def test_stewart_rates_are_those_its_legs_were_computed_for(k):
    p, R = stewart_poses()[k]
    m = library.stewart().mechanism()
    assert m.drive(legs(stewart.position(BASE, PLATFORM, p, R))).ok
    rng = np.random.default_rng(100 + k)
    v, dv = rng.uniform(-50, 50, (2, 3))
    w, dw = rng.uniform(-0.5, 0.5, (2, 3))
    speeds = legs(stewart.first(BASE, PLATFORM, p, R, v, w))
    growths = legs(stewart.second(BASE, PLATFORM, p, R, v, w, dv, dw))
    platform = m.rates(speeds, growths).parts["platform"]
    assert_rate(platform.velocity, v, 50.0)
    assert_rate(np.radians(platform.omega), w, 0.5)
    assert_rate(platform.acceleration, dv, 50.0)
    assert_rate(np.radians(platform.alpha), dw, 0.5)


# -- the checker --------------------------------------------------------------------------


def test_pose_check_says_no_to_a_part_slightly_out_of_place():
    pose = library.four_bar().mechanism().poses["rocker"]
    R = pose.rotation()
    assert_pose(pose, pose.position, R, 1.0)
    with pytest.raises(AssertionError):
        assert_pose(pose, (1.0 + 2 * POSITION, 0.0, 0.0), R, 1.0)
    with pytest.raises(AssertionError):
        assert_pose(pose, pose.position, about_z(2 * POSITION) @ R, 1.0)
