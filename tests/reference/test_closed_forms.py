"""The closed forms satisfy the conditions they come from, and their rates are their derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference import bennett, four_bar, linkages, slider_crank, stewart, universal

EXACT = 1e-12  # a few roundings on numbers of size 1 to 200
H = np.cbrt(np.finfo(float).eps)  # best step of a central difference
ANGLES = np.radians([-170.0, -90.0, -37.0, 0.0, 1e-6, 30.0, 90.0, 133.0, 180.0, 271.0])

CRANK_ROCKER = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
DOUBLE_ROCKER = four_bar.FourBar(1.0, 0.8, 0.4, 0.9)


def assert_derivative(f, df, x, tol=1e-8):
    """Raise unless df(x) is the slope of f at x, by central differences, relative to its size."""
    slope = (np.asarray(f(x + H)) - np.asarray(f(x - H))) / (2 * H)
    np.testing.assert_allclose(df(x), slope, rtol=0, atol=tol * max(1.0, np.abs(slope).max()))


def test_derivative_check_says_no_to_a_wrong_slope():
    with pytest.raises(AssertionError):
        assert_derivative(np.sin, np.sin, 0.3)


@pytest.mark.parametrize("phi", ANGLES)
def test_slider_crank_keeps_the_rod_length(phi):
    s = slider_crank.position(phi, 40.0, 120.0)
    pin = 40.0 * np.array([np.cos(phi), np.sin(phi)])
    assert np.hypot(s - pin[0], pin[1]) == pytest.approx(120.0, rel=EXACT)
    rod = 120.0 * np.exp(1j * slider_crank.rod_angle(phi, 40.0, 120.0))
    assert pin[0] + rod.real == pytest.approx(s, rel=EXACT)


@pytest.mark.parametrize("phi", ANGLES)
def test_slider_crank_rates_are_derivatives(phi):
    assert_derivative(
        lambda x: slider_crank.position(x, 0.4, 1.2), lambda x: slider_crank.first(x, 0.4, 1.2), phi
    )
    assert_derivative(
        lambda x: slider_crank.first(x, 0.4, 1.2), lambda x: slider_crank.second(x, 0.4, 1.2), phi
    )


def test_slider_crank_angle_at_undoes_position():
    phi = 1.9
    s = slider_crank.position(phi, 40.0, 120.0)
    assert slider_crank.crank_angle_at(s, 40.0, 120.0) == pytest.approx(phi, rel=EXACT)


@pytest.mark.parametrize("branch", [1, -1])
@pytest.mark.parametrize("phi", ANGLES)
def test_four_bar_closes_on_the_branch_it_names(phi, branch):
    g, a, b, c = CRANK_ROCKER
    theta, psi = four_bar.position(CRANK_ROCKER, phi, branch)
    pin = a * np.exp(1j * phi)
    far = pin + b * np.exp(1j * theta)
    assert abs(far - g - c * np.exp(1j * psi)) < EXACT
    side = np.imag(np.conj(g - pin) * (far - pin))  # left of the way pin to pivot: positive
    assert np.sign(side) == branch


@pytest.mark.parametrize("branch", [1, -1])
@pytest.mark.parametrize("phi", ANGLES)
def test_four_bar_rates_are_derivatives(phi, branch):
    def unwrapped(x):
        here = np.array(four_bar.position(CRANK_ROCKER, phi, branch))
        there = np.array(four_bar.position(CRANK_ROCKER, x, branch))
        return here + np.angle(np.exp(1j * (there - here)))

    assert_derivative(unwrapped, lambda x: four_bar.first(CRANK_ROCKER, x, branch), phi)
    assert_derivative(
        lambda x: four_bar.first(CRANK_ROCKER, x, branch),
        lambda x: four_bar.second(CRANK_ROCKER, x, branch),
        phi,
    )


def test_crank_rocker_has_no_dead_points():
    assert four_bar.dead_points(CRANK_ROCKER) == (None, None)


@pytest.mark.parametrize("which", [0, 1])
def test_both_branches_meet_at_a_dead_point(which):
    phi = four_bar.dead_points(DOUBLE_ROCKER)[which]
    assert phi is not None
    inside = phi + (1e-12 if which == 0 else -1e-12)
    left = np.array(four_bar.rocker_pin(DOUBLE_ROCKER, inside, 1))
    right = np.array(four_bar.rocker_pin(DOUBLE_ROCKER, inside, -1))
    # Square-root behaviour: 1e-12 rad from the dead point the branches are some 1e-6 apart.
    assert np.linalg.norm(left - right) < 1e-5


@pytest.mark.parametrize("outside", [-1e-6, 1e-6])
def test_double_rocker_does_not_reach_beyond_its_dead_points(outside):
    low, high = four_bar.dead_points(DOUBLE_ROCKER)
    assert low is not None
    assert high is not None
    assert np.isnan(four_bar.position(DOUBLE_ROCKER, (low if outside < 0 else high) + outside).psi)


@pytest.mark.parametrize("phi", [*ANGLES, np.radians(725.0)])
def test_universal_joint_keeps_its_pins_perpendicular(phi):
    beta = np.radians(30.0)
    psi = universal.position(phi, beta)
    pin_in = np.array([0.0, -np.sin(phi), np.cos(phi)])
    side = np.array([-np.sin(beta), np.cos(beta), 0.0])
    pin_out = np.cos(psi) * side + np.sin(psi) * np.array([0.0, 0.0, 1.0])
    assert abs(pin_in @ pin_out) < EXACT
    assert abs(psi - phi) < np.pi / 2


@pytest.mark.parametrize("phi", ANGLES)
def test_universal_rates_are_derivatives(phi):
    beta = np.radians(30.0)
    assert_derivative(
        lambda x: universal.position(x, beta), lambda x: universal.first(x, beta), phi
    )
    assert_derivative(lambda x: universal.first(x, beta), lambda x: universal.second(x, beta), phi)


@pytest.mark.parametrize("theta", np.radians([5.0, 60.0, 120.0, 180.0, 240.0, 355.0]))
def test_bennett_loop_closes(theta):
    loop = bennett.loop(theta, 220.0, np.radians(90.0), 110.0, np.radians(150.0))
    np.testing.assert_allclose(loop, np.eye(4), rtol=0, atol=200 * EXACT)


def test_bennett_constant_is_the_square_root_of_three():
    k = bennett.constant(np.radians(90.0), np.radians(150.0))
    assert k == pytest.approx(1.7320508075689, rel=1e-13)


def test_bennett_loop_stays_open_for_other_lengths():
    loop = bennett.loop(1.0, 220.0, np.radians(90.0), 120.0, np.radians(150.0))
    assert np.abs(loop - np.eye(4)).max() > 1.0


@pytest.mark.parametrize("theta", np.radians([5.0, 60.0, 120.0, 180.0, 240.0, 355.0]))
def test_bennett_rates_are_derivatives(theta):
    k = np.sqrt(3.0)
    assert_derivative(lambda x: bennett.position(x, k), lambda x: bennett.first(x, k), theta)
    assert_derivative(lambda x: bennett.first(x, k), lambda x: bennett.second(x, k), theta)


def test_stewart_rates_are_derivatives():
    rng = np.random.default_rng(7)
    base, platform = rng.normal(size=(6, 3)), rng.normal(size=(6, 3))
    p0, v, dv, axis = rng.normal(size=(4, 3))
    axis /= np.linalg.norm(axis)
    rate, growth = 0.7, -1.3

    # A motion with known rates: path p0 + v t + dv t^2 / 2, turn rate t + growth t^2 / 2.
    def motion(t):
        R = stewart.rotation(axis, 0.4 + rate * t + growth * t * t / 2)
        return p0 + v * t + dv * t * t / 2, R, v + dv * t, axis * (rate + growth * t)

    def lengths(t):
        p, R, _, _ = motion(t)
        return stewart.position(base, platform, p, R)

    def rates(t):
        return stewart.first(base, platform, *motion(t))

    def second(t):
        return stewart.second(base, platform, *motion(t), dv, axis * growth)

    assert_derivative(lengths, rates, 0.2)
    assert_derivative(rates, second, 0.2)


def test_stewart_legs_follow_a_pure_shift():
    base = np.zeros((1, 3))
    assert stewart.position(base, np.array([[3.0, 0, 0]]), np.array([0, 4.0, 0]), np.eye(3)) == 5.0


@pytest.mark.parametrize("phi", ANGLES)
def test_jansen_pins_keep_all_bar_lengths(phi):
    from cad2mbs.library.planar import JANSEN as s

    j = linkages.jansen(phi, s)
    bars = {
        "b": ("hip", "top"),
        "c": ("hip", "knee"),
        "d": ("hip", "back"),
        "e": ("top", "back"),
        "f": ("back", "ankle"),
        "g": ("knee", "ankle"),
        "h": ("ankle", "foot"),
        "i": ("knee", "foot"),
        "j": ("pin", "top"),
        "k": ("pin", "knee"),
    }
    for bar, (one, other) in bars.items():
        assert abs(j[one] - j[other]) == pytest.approx(s[bar], rel=EXACT)


@pytest.mark.parametrize("phi", ANGLES)
def test_spatial_slider_keeps_the_rod_length(phi):
    x = linkages.spatial_slider(phi, 40.0, 150.0, (30.0, 60.0))
    ball = 40.0 * np.array([np.cos(phi), np.sin(phi), 0.0])
    assert np.linalg.norm(ball - [x, 30.0, 60.0]) == pytest.approx(150.0, rel=EXACT)
