"""First and second differentials against closed forms and against differences along the motion."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import blocks
from solvers.kinematics import moved, poses
from solvers.least_squares import solve
from solvers.model import Builder, Joint, Row, Target, neutral
from solvers.rates import rates
from solvers.rows import residuals
from solvers.track import Outcome, track
from tests.reference import four_bar, linkages, slider_crank
from tests.solvers.mechanisms import (
    ALONG_X,
    EX,
    EY,
    EZ,
    I3,
    O3,
    Mechanism,
    coincide,
    four_bar_mechanism,
    path_step,
    radial_engine,
    rotation,
    slider_crank_mechanism,
    twist_between,
    whole_plan,
)

EXACT = 1e-11  # closed forms: rounding times the condition of a 2x2 block
TIME = 1e-3  # step of the five-point differences below: TIME^4 = 1e-12, eps / TIME^2 = 2e-10
DIFFERENCES = 1e-7
SPIN = 4 * TIME**2  # a step of a pointer is spin-free to the third order in its size
BARS = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
R, L = 0.3, 1.1
seeds = st.integers(0, 2**32 - 1)
angles = st.floats(-7.0, 7.0)
speeds = st.floats(-3.0, 3.0)


def driven(mechanism: Mechanism, speed: float, gain: float, y=None):
    """Rates with coordinate 0 driven at the given speed and acceleration."""
    v, a = np.zeros((2, mechanism.model.nv))
    v[0], a[0] = speed, gain
    y = mechanism.y if y is None else y
    return rates(mechanism.model, mechanism.plan, y, v, a)


@settings(max_examples=40, deadline=None)
@given(angles, st.sampled_from([1, -1]), speeds, speeds)
def test_four_bar_rates_are_those_of_the_closed_form(phi, branch, speed, gain):
    v, a, _, _, fine = driven(four_bar_mechanism(BARS, phi, branch), speed, gain)
    first = np.array(four_bar.first(BARS, phi, branch))
    second = np.array(four_bar.second(BARS, phi, branch))
    relative = np.array([speed, 0.0]), np.array([gain, 0.0])  # the coupler is measured to the crank
    assert fine
    np.testing.assert_allclose(v[1:], first * speed - relative[0], rtol=0, atol=100 * EXACT)
    want = second * speed**2 + first * gain - relative[1]
    np.testing.assert_allclose(a[1:], want, rtol=0, atol=100 * EXACT)


@settings(max_examples=40, deadline=None)
@given(angles, speeds, speeds)
def test_slider_crank_rates_are_those_of_the_closed_form(phi, speed, gain):
    v, a, _, _, fine = driven(slider_crank_mechanism(phi, R, L), speed, gain)
    first, second = slider_crank.first(phi, R, L), slider_crank.second(phi, R, L)
    assert fine
    assert v[2] == pytest.approx(first * speed, abs=EXACT)
    assert a[2] == pytest.approx(second * speed**2 + first * gain, abs=10 * EXACT)


def test_link_rates_of_a_turning_crank_are_those_of_circular_motion():
    phi, speed, gain = 0.7, 2.0, -1.5
    _, _, V, A, _ = driven(slider_crank_mechanism(phi, R, L), speed, gain)
    first, second = slider_crank.first(phi, R, L), slider_crank.second(phi, R, L)
    np.testing.assert_array_equal(V[0], 0.0)
    np.testing.assert_array_equal(A[0], 0.0)
    np.testing.assert_allclose(V[1], [0, 0, speed, 0, 0, 0], rtol=0, atol=EXACT)
    np.testing.assert_allclose(A[1], [0, 0, gain, 0, 0, 0], rtol=0, atol=EXACT)
    np.testing.assert_allclose(V[3], [0, 0, 0, first * speed, 0, 0], rtol=0, atol=EXACT)
    piston = second * speed**2 + first * gain
    np.testing.assert_allclose(A[3], [0, 0, 0, piston, 0, 0], rtol=0, atol=10 * EXACT)


def spatial_slider(joint: Joint) -> Mechanism:
    """Crank in the xy plane, rod on a ball or pointer, slider on a skew rail along x.

    A ball leaves the rod its spin, which a row holds: x of the rod stays level.
    """
    radius, length, rail = 0.4, 1.5, (0.3, 0.6)
    build = Builder()
    crank = build.add_link(0, Joint.TURN, I3, O3)
    rod = build.add_link(crank, joint, I3, radius * EX)
    slider = build.add_link(0, Joint.SLIDE, ALONG_X, np.array([0.0, *rail]))
    coincide(build, slider, O3, rod, length * EZ, (EX, EY, EZ), 1.0 / length)
    if joint is Joint.BALL:
        build.add_row(Row.PLANE_PLANE, 0, rod, u=EZ, w=EX)
    model = build.build(length)
    x = linkages.spatial_slider(0.0, radius, length, rail)
    z = (np.array([x, *rail]) - radius * EX) / length
    if joint is Joint.BALL:
        level = np.cross(EZ, z) / np.linalg.norm(np.cross(EZ, z))
        start = np.column_stack([level, np.cross(z, level), z])
    else:
        # The shortest turn from ez to z needs no spin.
        n = np.cross(EZ, z)
        K = np.cross(np.eye(3), n)
        start = np.eye(3) + K + K @ K / (1.0 + z[2])
    y = neutral(model)
    y[model.nv :] = quaternion(start)
    y[model.nv - 1] = x
    return Mechanism(model, whole_plan(model, [0]), y, np.array([0]))


def quaternion(turn: np.ndarray) -> np.ndarray:
    """Unit quaternion w x y z of a rotation matrix of less than half a turn."""
    w = 0.5 * np.sqrt(1.0 + np.trace(turn))
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return np.r_[w, axis / (4 * w)]


def at(mechanism: Mechanism, phi: float, y: np.ndarray | None = None) -> np.ndarray:
    """The state at driven value phi, tracked from y or from the mechanism's start."""
    start = mechanism.y if y is None else y
    found = track(*mechanism[:2], mechanism.known, start, np.array([phi]), tol=1e-14)
    assert found.outcome is Outcome.REACHED
    return found.y


def engine() -> Mechanism:
    """A radial engine of three cylinders, the crank in line with the first."""
    model = radial_engine(3)
    y = neutral(model)
    y[2::2] = 4.5
    found = solve(model, y, free=np.arange(model.nv) > 0, tol=1e-14)
    assert found.ok
    return Mechanism(model, whole_plan(model, [0]), found.y, np.array([0]))


MECHANISMS = {
    "four-bar": lambda: four_bar_mechanism(BARS, 0.3),
    "slider-crank": lambda: slider_crank_mechanism(0.3, R, L),
    "spatial slider on a pointer": lambda: spatial_slider(Joint.POINTER),
    "spatial slider on a ball": lambda: spatial_slider(Joint.BALL),
    "radial engine": engine,
}


@pytest.mark.parametrize("radius_angle", [0.0, 0.6, 2.0, 4.0])
@pytest.mark.parametrize("joint", [Joint.POINTER, Joint.BALL])
def test_the_spatial_slider_is_where_its_closed_form_is(joint, radius_angle):
    mechanism = spatial_slider(joint)
    y = at(mechanism, radius_angle)
    want = linkages.spatial_slider(radius_angle, 0.4, 1.5, (0.3, 0.6))
    assert y[mechanism.model.nv - 1] == pytest.approx(want, abs=1e-11)


@pytest.mark.parametrize("phi", [-0.9, 0.5, 1.9, 3.3])
@pytest.mark.parametrize("name", MECHANISMS)
def test_rates_equal_differences_along_the_tracked_motion(name, phi):
    mechanism, speed, gain = MECHANISMS[name](), 1.3, -0.7
    model = mechanism.model
    times = TIME * np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    # Each state from the one before: the spin of a pointer depends on the way taken.
    states = [mechanism.y]
    for t in times:
        states.append(at(mechanism, phi + speed * t + 0.5 * gain * t * t, states[-1]))
    states = states[1:]
    room = SPIN if "pointer" in name else DIFFERENCES
    solved = [
        driven(mechanism, speed + gain * t, gain, y) for t, y in zip(times, states, strict=True)
    ]
    assert all(fine for *_, fine in solved)
    v, a, V, A, _ = solved[2]
    slope = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) / (12 * TIME)
    scalar = _scalars(mechanism)
    got = np.tensordot(slope, np.array([y[: model.nv] for y in states]), 1)
    np.testing.assert_allclose(got[scalar], v[scalar], rtol=0, atol=DIFFERENCES)
    got = np.tensordot(slope, np.array([s[0] for s in solved]), 1)
    np.testing.assert_allclose(got, a, rtol=0, atol=room)
    got = np.tensordot(slope, np.array([s[2] for s in solved]), 1)
    np.testing.assert_allclose(got, A, rtol=0, atol=DIFFERENCES)
    X = [poses(model, y) for y in states]
    near, far = (twist_between(X[2 - k], X[2 + k], X[2], k * TIME) for k in (1, 2))
    # Richardson: the error of central differences is even in the step.
    np.testing.assert_allclose((4 * near - far) / 3, V, rtol=0, atol=room)


def _scalars(mechanism):
    """Coordinates with a number in y: those that a motion leaves at 0 belong to balls."""
    return at(mechanism, 0.777)[: mechanism.model.nv] != 0.0


KINDS = {
    # kind, target: what the row's own coordinate is, read from phi with a zero target
    (Row.POINT_POINT, Target.SHIFTED): lambda phi: np.sqrt(2 * phi),
    (Row.PLANE_POINT, Target.SHIFTED): lambda phi: phi,
    (Row.PLANE_PLANE, Target.SHIFTED): lambda phi: phi,
    (Row.PLANE_PLANE, Target.COSINE): np.arccos,
    (Row.PLANE_PLANE, Target.SINE): np.arcsin,
    (Row.LINE_POINT, Target.SHIFTED): lambda phi: np.sqrt(2 * phi),
    (Row.ANGLE, Target.SHIFTED): lambda phi: phi,
}


def measuring_tree(kind, target, joint, rng):
    """A tree whose links 3 and 4 are measured by one row; and the same with a zero target."""
    pitch = 0.4 * (joint is Joint.SCREW)
    frames = [(rotation(rng), rng.normal(size=3)) for _ in range(4)]
    p_l, p_r = rng.normal(size=(2, 3))
    A, B = rotation(rng), rotation(rng)
    models = []
    for mode in (target, Target.CONSTANT):
        build = Builder()
        for parent, kind_of_joint, (R_PF, p_PF) in zip(
            (0, 1, 2, 1), (Joint.TURN, joint, joint, joint), frames, strict=True
        ):
            used = 0.0 if kind_of_joint is Joint.TURN else pitch
            build.add_link(parent, kind_of_joint, R_PF, p_PF, used)
        own = build.add_coordinate(False)
        build.add_row(
            kind,
            4,
            3,
            p_l=p_l,
            u=A[:, 0],
            u2=A[:, 1],
            p_r=p_r,
            w=B[:, 0],
            target=mode,
            i=-1 if mode is Target.CONSTANT else own,
        )
        models.append(build.build(1.0))
    return *models, own


@pytest.mark.parametrize("joint", Joint)
@pytest.mark.parametrize(("kind", "target"), KINDS)
@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_a_measured_coordinate_has_the_rates_of_what_it_measures(kind, target, joint, seed):
    rng = np.random.default_rng(seed)
    model, bare, own = measuring_tree(kind, target, joint, rng)
    plan = blocks.plan(model, np.array([0]), np.array([own]))
    y = moved(model, neutral(model), rng.normal(size=model.nv))
    v, a = 0.5 * rng.normal(size=(2, model.nv))
    v[own] = a[own] = 0.0
    times = TIME * np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    phi = np.array([residuals(bare, path_step(bare, y, v, a, t))[0] for t in times])
    if kind is Row.ANGLE:
        phi = np.unwrap(phi)
    value = KINDS[kind, target](phi)
    y[own] = value[2]
    got_v, got_a, *_, fine = rates(model, plan, y, v, a)
    first = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) @ value / (12 * TIME)
    second = np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) @ value / (12 * TIME**2)
    assert fine
    # Second differences round off at eps / TIME^2 times the value.
    room = max(1.0, abs(first), abs(second)) ** 2
    assert got_v[own] == pytest.approx(first, abs=DIFFERENCES * room)
    assert got_a[own] == pytest.approx(second, abs=10 * DIFFERENCES * room)


def test_linear_rows_hand_rates_on_by_their_ratio():
    build = Builder()
    wheel, pinion = (build.add_link(0, Joint.TURN, I3, p) for p in (O3, EX))
    assert (wheel, pinion) == (1, 2)
    build.add_row(Row.LINEAR, i=0, j=1, coef=(2.0, 0.5), offset=0.3)
    model = build.build(1.0)
    plan = blocks.plan(model, np.array([0]), np.array([1]))
    v, a, *_, fine = rates(model, plan, np.zeros(2), np.array([1.5, 9.0]), np.array([-0.5, 9.0]))
    assert fine
    np.testing.assert_allclose(v, [1.5, -6.0], rtol=1e-15)
    np.testing.assert_allclose(a, [-0.5, 2.0], rtol=1e-15)


@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_rates_scale_with_the_model(size):
    phi = 0.9
    v, a, *_ = driven(slider_crank_mechanism(phi, size * R, size * L), 1.1, 0.4)
    assert v[2] / size == pytest.approx(1.1 * slider_crank.first(phi, R, L), abs=EXACT)
    want = 1.21 * slider_crank.second(phi, R, L) + 0.4 * slider_crank.first(phi, R, L)
    assert a[2] / size == pytest.approx(want, abs=EXACT)


def test_a_singular_block_is_told_and_leaves_numbers():
    # Driven by the piston at its dead centre; all zeros, so that the determinant is exactly 0.
    mechanism = slider_crank_mechanism(0.0, R, L)
    plan = whole_plan(mechanism.model, [2])
    v = np.array([0.0, 0.0, 1.0])
    v, a, V, A, fine = rates(mechanism.model, plan, mechanism.y, v, np.zeros(3))
    assert not fine
    for x in (v, a, V, A):
        assert np.isfinite(x).all()


def test_given_rates_are_kept_and_only_known_entries_matter():
    mechanism = four_bar_mechanism(BARS, 0.4)
    v, a = np.array([1.0, 5.0, -7.0]), np.array([0.5, 1.0, 3.0])
    got = rates(mechanism.model, mechanism.plan, mechanism.y, v, a)
    np.testing.assert_array_equal(v, [1.0, 5.0, -7.0])
    np.testing.assert_array_equal(a, [0.5, 1.0, 3.0])
    want = driven(mechanism, 1.0, 0.5)
    for x, w in zip(got[:4], want[:4], strict=True):
        np.testing.assert_array_equal(x, w)


def test_links_no_row_speaks_of_get_their_rates_too():
    build = Builder()
    build.add_link(0, Joint.TURN, I3, EX)
    model = build.build(1.0)
    plan = blocks.plan(model, np.arange(0), np.arange(0))
    _, _, V, A, fine = rates(model, plan, np.array([0.4]), np.array([2.0]), np.array([3.0]))
    assert fine
    # About the ground origin: EX x EZ = -EY.
    np.testing.assert_allclose(V[1], [0, 0, 2.0, 0, -2.0, 0], rtol=0, atol=1e-15)
    np.testing.assert_allclose(A[1], [0, 0, 3.0, 0, -3.0, 0], rtol=0, atol=1e-15)
