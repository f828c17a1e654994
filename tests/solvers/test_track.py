"""Tracking keeps the branch, ends where the mechanism ends, and says why."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import blocks
from solvers.follow import follow
from solvers.kinematics import moved
from solvers.model import Builder, Joint, Row, neutral
from solvers.rates import rates
from solvers.rows import residuals
from solvers.track import Outcome, branch, track
from tests.reference import four_bar, slider_crank
from tests.solvers.mechanisms import (
    ALONG_X,
    EX,
    EZ,
    I3,
    O3,
    Mechanism,
    assert_on,
    four_bar_chain,
    four_bar_mechanism,
    four_bar_state,
    hexapod,
    radial_engine,
    slider_crank_builder,
    slider_crank_mechanism,
    slider_crank_state,
    whole_plan,
)

EXACT = 1e-10  # tolerance of the rows times the condition of a block
CLOSED = 1e-11  # of the rows, pure numbers of order one
DEAD = 1e-6  # how near to a dead point the way must lead
EDGE = 1e-8  # how near to a limit
CRANK_ROCKER = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
DOUBLE_ROCKER = four_bar.FourBar(2.0, 1.5, 0.6, 1.6)
TRIPLE_ROCKER = four_bar.FourBar(1.5, 0.9, 0.8, 1.0)
R, L = 0.3, 1.1
seeds = st.integers(0, 2**32 - 1)


def go(mechanism: Mechanism, target: float, y=None, **options):
    start = mechanism.y if y is None else y
    return track(*mechanism[:2], mechanism.known, start, np.array([target]), **options)


def sweep(mechanism: Mechanism, values, y=None, **options):
    """States along the driven values, and what stopped the way (None: nothing)."""
    start = mechanism.y if y is None else y
    U = np.asarray(values, float)[:, None]
    return follow(*mechanism[:2], mechanism.known, start, U, **options)[:2]


def assert_closed(mechanism: Mechanism, y: np.ndarray, rows=None) -> None:
    rows = np.array(mechanism.plan.rows) if rows is None else rows
    assert np.abs(residuals(mechanism.model, y, rows)).max(initial=0.0) < CLOSED


# --- positions ----------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.floats(-3.0, 3.0), st.floats(-12.0, 12.0), st.sampled_from([1, -1]))
def test_a_tracked_four_bar_is_where_its_closed_form_is(start, target, side):
    mechanism = four_bar_mechanism(CRANK_ROCKER, start, side)
    found = go(mechanism, target)
    assert found.outcome is Outcome.REACHED
    assert found.fraction == 1.0
    assert found.culprit == -1
    assert found.y[0] == pytest.approx(target, abs=1e-15 * max(1.0, abs(target)))
    assert_on(mechanism, found.y, four_bar_state(CRANK_ROCKER, target, side), EXACT)


@pytest.mark.parametrize("side", [1, -1])
def test_every_position_of_a_sweep_is_that_of_the_closed_form(side):
    mechanism = four_bar_mechanism(CRANK_ROCKER, 0.0, side)
    values = np.linspace(0.0, 4 * np.pi, 721)
    Y, stop = sweep(mechanism, values)
    assert stop is None
    np.testing.assert_array_equal(Y[:, 0], values)
    for y, phi in zip(Y, values, strict=True):
        assert_on(mechanism, y, four_bar_state(CRANK_ROCKER, phi, side), EXACT)


@pytest.mark.parametrize("steps", [8, 36, 360])
@pytest.mark.parametrize("side", [1, -1])
def test_two_turns_forward_and_back_end_where_they_began(side, steps):
    mechanism = four_bar_mechanism(CRANK_ROCKER, 0.4, side)
    there = 0.4 + np.linspace(0.0, 4 * np.pi, 2 * steps + 1)
    Y, stop = sweep(mechanism, np.r_[there, there[-2::-1]])
    assert stop is None
    np.testing.assert_allclose(Y[-1], mechanism.y, rtol=0, atol=EXACT)
    # The rocker swings and the coupler turns back once a turn, as the crank goes on.
    turned = mechanism.y + 4 * np.pi * np.array([1.0, -1.0, 0.0])
    np.testing.assert_allclose(Y[len(there) - 1], turned, rtol=0, atol=EXACT)


@pytest.mark.parametrize("target", [1.0, -2.5, 7.0, 4 * np.pi])
def test_one_jump_ends_where_a_thousand_steps_end(target):
    mechanism = four_bar_mechanism(CRANK_ROCKER, 0.2)
    jump, stop = sweep(mechanism, [target])
    assert stop is None
    steps, stop = sweep(mechanism, np.linspace(0.2, target, 1001))
    assert stop is None
    np.testing.assert_allclose(jump[-1], steps[-1], rtol=0, atol=EXACT)
    np.testing.assert_allclose(go(mechanism, target).y, steps[-1], rtol=0, atol=EXACT)


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_a_sweep_in_uneven_steps_stays_on_its_branch(seed):
    rng = np.random.default_rng(seed)
    side = rng.choice([1, -1])
    mechanism = four_bar_mechanism(CRANK_ROCKER, 0.0, side)
    values = np.cumsum(rng.normal(size=30) * 10.0 ** rng.uniform(-4, 0.5, 30))
    values[10] = values[9]  # standing still is a step, too
    Y, stop = sweep(mechanism, values)
    assert stop is None
    for y, phi in zip(Y, values, strict=True):
        assert_on(mechanism, y, four_bar_state(CRANK_ROCKER, phi, side), EXACT)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_the_size_of_the_model_does_not_matter(size):
    mechanism = slider_crank_mechanism(0.3, size * R, size * L)
    Y, stop = sweep(mechanism, np.linspace(0.3, 9.0, 50))
    assert stop is None
    want = slider_crank_state(9.0, size * R, size * L)
    assert_on(mechanism, Y[-1], want, EXACT)


def test_a_radial_engine_turns_twice_and_closes():
    model = radial_engine(7)
    y = neutral(model)
    y[1:] = _engine_start()
    mechanism = Mechanism(model, whole_plan(model, [0]), y, np.array([0]))
    Y, stop = sweep(mechanism, np.linspace(0.0, 4 * np.pi, 361))
    assert stop is None
    for state in Y:
        assert_closed(mechanism, state)
    want = y - 4 * np.pi * np.eye(model.nv)[1] + 4 * np.pi * np.eye(model.nv)[0]
    np.testing.assert_allclose(Y[-1], want, rtol=0, atol=EXACT)
    master = slider_crank.position(Y[:, 0], 1.0, 4.0)
    np.testing.assert_allclose(Y[:, 2], master, rtol=0, atol=EXACT)


def _engine_start(n=7, r=1.0, l=4.0, eye=0.6):
    """(rod, piston) of each cylinder with the crank at 0, from the triangle of each rod."""
    out = [0.0, r + l]
    for k in range(1, n):
        along = np.exp(2j * np.pi * k / n)
        pin = (r + eye * along) / along  # seen along the cylinder
        rod = np.arcsin(-pin.imag / (l - eye))
        out += [rod, pin.real + (l - eye) * np.cos(rod)]
    return out


@pytest.mark.parametrize("n", [1, 3, 20])
def test_a_chain_of_four_bars_follows_its_crank(n):
    # Parallelograms away from their change points: every rocker copies the crank.
    bars = four_bar.FourBar(2.0, 1.0, 2.0, 1.0)
    model = four_bar_chain(n, bars)

    def state(phi):
        return np.r_[phi, np.tile([-phi, phi], n)]

    mechanism = Mechanism(model, whole_plan(model, [0]), state(1.0), np.array([0]))
    Y, stop = sweep(mechanism, np.linspace(1.0, 2.5, 40))
    assert stop is None
    np.testing.assert_allclose(Y, [state(phi) for phi in Y[:, 0]], rtol=0, atol=1e-9)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_a_nut_that_is_pushed_turns_its_screw(size):
    build = Builder()
    nut = build.add_link(0, Joint.SLIDE, I3, O3)
    spindle = build.add_link(0, Joint.SCREW, I3, O3, pitch=0.2 * size)
    # Along the axis the pitch alone moves a point of the spindle.
    build.add_row(Row.PLANE_POINT, nut, spindle, u=EZ, p_r=0.3 * size * EX, scale=1.0 / size)
    model = build.build(size)
    mechanism = Mechanism(model, whole_plan(model, [0]), np.zeros(2), np.array([0]))
    Y, stop = sweep(mechanism, size * np.linspace(0.0, 2.0, 21))
    assert stop is None
    np.testing.assert_allclose(Y[:, 1], Y[:, 0] / (0.2 * size), rtol=0, atol=EXACT)
    v, a, *_ = rates(model, mechanism.plan, Y[-1], np.array([size, 0.0]), np.array([size, 0.0]))
    np.testing.assert_allclose([v[1], a[1]], 5.0, rtol=1e-12)


def test_two_driven_coordinates_move_together():
    build = Builder()
    first = build.add_link(0, Joint.SLIDE, ALONG_X, O3)
    second = build.add_link(first, Joint.TURN, I3, O3)
    own = build.add_coordinate(False)
    build.add_row(Row.LINEAR, i=1, j=own, coef=(2.0, -1.0))
    model = build.build(1.0)
    assert second == 2
    plan = blocks.plan(model, np.array([0]), np.array([own]))
    found = track(model, plan, np.array([0, 1]), np.zeros(3), np.array([5.0, -3.0]))
    assert found.outcome is Outcome.REACHED
    np.testing.assert_allclose(found.y, [5.0, -3.0, -6.0], rtol=0, atol=EXACT)


def test_a_slightly_open_start_is_closed_first():
    mechanism = four_bar_mechanism(CRANK_ROCKER, 0.7)
    found = go(mechanism, 0.7, mechanism.y + np.array([0.0, 1e-5, -1e-5]))
    assert found.outcome is Outcome.REACHED
    np.testing.assert_allclose(found.y, mechanism.y, rtol=0, atol=EXACT)


def test_the_given_state_is_kept():
    mechanism = four_bar_mechanism(CRANK_ROCKER, 0.7)
    kept = mechanism.y.copy()
    go(mechanism, 2.0)
    sweep(mechanism, [1.0, 2.0])
    np.testing.assert_array_equal(mechanism.y, kept)


@pytest.mark.parametrize("seed", range(5))
def test_a_platform_with_a_held_shift_goes_and_returns(seed):
    # One leg is left out and one shift is driven: five rows for five unknowns, one of them a ball.
    model = hexapod(np.random.default_rng(seed))
    plan = blocks.plan(model, np.arange(5), np.arange(1, 6))
    mechanism = Mechanism(model, plan, neutral(model), np.array([0]))
    there = go(mechanism, 0.01)
    assert there.outcome is Outcome.REACHED
    assert_closed(mechanism, there.y, np.arange(5))
    back = go(mechanism, 0.0, there.y)
    np.testing.assert_allclose(back.y, mechanism.y, rtol=0, atol=1e-8)


# --- branches -----------------------------------------------------------------------------


def test_the_two_branches_of_a_four_bar_have_opposite_signs():
    signs = [
        branch(m.model, m.plan, m.y)[0]
        for side in (1, -1)
        for m in [four_bar_mechanism(CRANK_ROCKER, 0.9, side)]
    ]
    assert sorted(np.sign(signs)) == [-1.0, 1.0]


@pytest.mark.parametrize("side", [1, -1])
def test_the_branch_stays_the_same_all_around(side):
    mechanism = four_bar_mechanism(CRANK_ROCKER, 0.0, side)
    Y, _ = sweep(mechanism, np.linspace(0.0, 2 * np.pi, 60))
    signs = {tuple(np.sign(branch(mechanism.model, mechanism.plan, y))) for y in Y}
    assert len(signs) == 1


# --- dead points --------------------------------------------------------------------------


def dead_ends(bars):
    """(lowest, highest) crank angle between which the crank swings."""
    fold, stretch = four_bar.dead_points(bars)
    if fold is not None:
        assert stretch is not None
        return fold, stretch
    assert stretch is not None
    return -stretch, stretch


@pytest.mark.parametrize("steps", [0, 7, 100])
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("bars", [DOUBLE_ROCKER, TRIPLE_ROCKER])
@pytest.mark.parametrize("end", [0, 1])
def test_a_rocker_stops_at_its_dead_point(bars, side, end, steps):
    ends = dead_ends(bars)
    middle = 0.4 * ends[0] + 0.6 * ends[1]
    mechanism = four_bar_mechanism(bars, middle, side)
    beyond = ends[end] + (2 * end - 1) * 0.5
    if steps:
        values = np.linspace(middle, beyond, steps + 1)
        Y, found = sweep(mechanism, values)
        inside = values <= ends[1] if end else values >= ends[0]
        assert len(Y) == inside.sum()
        for y in Y:
            assert_on(mechanism, y, four_bar_state(bars, y[0], side), 1e-7)
    else:
        found = go(mechanism, beyond)
    assert found.outcome is Outcome.DEAD_POINT
    assert found.culprit == 0
    assert 0.0 <= found.fraction < 1.0
    assert found.y[0] == pytest.approx(ends[end], abs=DEAD)
    assert_closed(mechanism, found.y)


@pytest.mark.parametrize("end", [0, 1])
def test_there_and_back_from_a_dead_point_keeps_the_branch(end):
    ends = dead_ends(DOUBLE_ROCKER)
    middle = 0.5 * sum(ends)
    mechanism = four_bar_mechanism(DOUBLE_ROCKER, middle)
    signs = branch(mechanism.model, mechanism.plan, mechanism.y)
    at_end = go(mechanism, ends[end] + (2 * end - 1)).y
    back = go(mechanism, middle, at_end, signs=signs)
    if back.outcome is Outcome.REACHED:
        assert_on(mechanism, back.y, mechanism.y, 1e-9)
    else:
        assert back.outcome in (Outcome.DEAD_POINT, Outcome.SINGULAR_START)
        assert_on(mechanism, back.y, at_end, 1e-3)


def collinear_state(bars, end):
    """The state at a dead point, from coupler and rocker on one line: no root of rounding in it."""
    phi = dead_ends(bars)[end]
    g, a, b, c = bars
    pin = a * np.exp(1j * phi)
    along = np.angle(pin - g)  # from rocker pivot to crank pin
    stretched = abs(pin - g) > max(b, c)
    psi = along if stretched or c > b else along + np.pi
    theta = np.angle(g + c * np.exp(1j * psi) - pin)
    return np.array([phi, theta - phi, psi])


@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("way", [-0.4, 0.2, 0.4])
@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("bars", [DOUBLE_ROCKER, TRIPLE_ROCKER])
def test_a_start_on_a_dead_point_never_gives_a_wrong_pose(bars, end, way, cross):
    mechanism = four_bar_mechanism(bars, 0.5 * sum(dead_ends(bars)))
    y = collinear_state(bars, end)
    assert_closed(mechanism, y)
    target = y[0] + way
    found = go(mechanism, target, y, cross=cross)
    assert_closed(mechanism, found.y)
    if found.outcome is Outcome.REACHED:
        both = np.array([four_bar_state(bars, target, side) for side in (1, -1)])
        assert np.isfinite(both).all(), "reached what the bars do not reach"
        assert np.abs(np.exp(1j * both) - np.exp(1j * found.y)).max(axis=1).min() < EXACT
    else:
        assert found.outcome in (Outcome.DEAD_POINT, Outcome.SINGULAR_START)
        assert_on(mechanism, found.y, y, 1e-4)


def test_a_start_of_zero_determinant_is_told():
    mechanism = slider_crank_mechanism(0.0, R, L)
    plan = whole_plan(mechanism.model, [2])
    for target in (R + L + 0.1, R + L - 0.1):
        found = track(mechanism.model, plan, np.array([2]), mechanism.y, np.array([target]))
        assert found.outcome is Outcome.SINGULAR_START
        assert found.fraction == 0.0
        np.testing.assert_array_equal(found.y, mechanism.y)


def test_a_piston_that_drives_the_crank_stops_at_both_dead_centres():
    mechanism = slider_crank_mechanism(1.0, R, L)
    plan = whole_plan(mechanism.model, [2])
    for target, stop in ((2.0, L + R), (0.1, L - R)):
        found = track(mechanism.model, plan, np.array([2]), mechanism.y, np.array([target]))
        assert found.outcome is Outcome.DEAD_POINT
        assert found.y[2] == pytest.approx(stop, abs=DEAD)


# --- change points ------------------------------------------------------------------------

PARALLELOGRAM = four_bar.FourBar(1.0, 0.5, 1.0, 0.5)
RHOMBUS = four_bar.FourBar(1.0, 1.0, 1.0, 1.0)
KITE = four_bar.FourBar(2.0, 1.0, 1.0, 2.0)
WAYS = [(1.0, -1.0, 0.0), (1.0, -1.2345, 0.0), (1.0, 4.0, np.pi), (2.0, 3.9, np.pi)]


def parallelogram(bars, phi):
    model = four_bar_mechanism(bars, 1.0).model
    return Mechanism(model, whole_plan(model, [0]), np.array([phi, -phi, phi]), np.array([0]))


@pytest.mark.parametrize(("start", "end", "change"), WAYS)
@pytest.mark.parametrize("bars", [PARALLELOGRAM, RHOMBUS])
def test_a_change_point_is_crossed_smoothly_when_asked(bars, start, end, change):
    mechanism = parallelogram(bars, start)
    found = go(mechanism, end, cross=True)
    if found.outcome is Outcome.REACHED:
        assert_on(mechanism, found.y, np.array([end, -end, end]), EXACT)
    else:
        assert found.outcome is Outcome.DEAD_POINT
        assert found.y[0] == pytest.approx(change, abs=DEAD)
        assert_closed(mechanism, found.y)


def test_crossing_a_change_point_between_positions_succeeds():
    # None of the ways above may hide behind "says why not": this one passes.
    mechanism = parallelogram(PARALLELOGRAM, 1.0)
    assert go(mechanism, 4.0, cross=True).outcome is Outcome.REACHED


@pytest.mark.parametrize(("start", "end", "change"), WAYS)
@pytest.mark.parametrize("bars", [PARALLELOGRAM, RHOMBUS])
@pytest.mark.parametrize("steps", [37, 200])
def test_a_sweep_crosses_a_change_point_smoothly_when_asked(bars, start, end, change, steps):
    mechanism = parallelogram(bars, start)
    Y, stop = sweep(mechanism, np.linspace(start, end, steps + 1), cross=True)
    for y in Y:
        near = abs(y[0] - change) < 1e-6  # on the point itself the rows hold the pose to 1e-6 only
        assert_on(mechanism, y, np.array([y[0], -y[0], y[0]]), 1e-5 if near else EXACT)
    if stop is not None:
        assert stop.outcome in (Outcome.DEAD_POINT, Outcome.SINGULAR_START)
        assert stop.y[0] == pytest.approx(change, abs=DEAD)


@pytest.mark.parametrize("steps", [0, 200])
@pytest.mark.parametrize(("start", "end", "change"), WAYS)
@pytest.mark.parametrize("bars", [PARALLELOGRAM, RHOMBUS, KITE])
def test_a_change_point_stops_the_way_when_crossing_is_not_asked_for(
    bars, start, end, change, steps
):
    # Beyond the point two motions go on; to take either in silence would be a guess.
    mechanism = four_bar_mechanism(bars, start)
    if steps:
        Y, found = sweep(mechanism, np.linspace(start, end, steps + 1))
        assert found is not None, f"slipped to {Y[-1]}"
    else:
        found = go(mechanism, end)
    assert found.outcome in (Outcome.DEAD_POINT, Outcome.SINGULAR_START), f"slipped to {found.y}"
    assert found.y[0] == pytest.approx(change, abs=DEAD)
    assert_closed(mechanism, found.y)


# --- limits and one-sided rows ------------------------------------------------------------


@pytest.mark.parametrize("steps", [0, 5, 300])
@pytest.mark.parametrize(("start", "end", "stop"), [(2.5, 0.2, 1.0), (0.5, 2.9, 2.2)])
def test_a_limit_of_a_coordinate_stops_at_its_bound(start, end, stop, steps):
    bound = slider_crank.position(stop, R, L)
    low_high = (-np.inf, bound) if start > end else (bound, np.inf)
    mechanism = slider_crank_mechanism(start, R, L, {2: low_high})
    if steps:
        Y, found = sweep(mechanism, np.linspace(start, end, steps + 1))
        assert (Y[:, 2] >= low_high[0] - EDGE).all()
        assert (Y[:, 2] <= low_high[1] + EDGE).all()
    else:
        found = go(mechanism, end)
    assert found.outcome is Outcome.LIMIT
    assert found.culprit == 2
    assert found.y[2] == pytest.approx(bound, abs=EDGE)
    assert found.y[0] == pytest.approx(stop, abs=10 * EDGE)
    assert_closed(mechanism, found.y)


@pytest.mark.parametrize(("end", "bound"), [(3.0, 2.0), (-3.0, -1.0)])
def test_a_limit_of_the_drive_itself_stops_it(end, bound):
    mechanism = slider_crank_mechanism(0.5, R, L, {0: (-1.0, 2.0)})
    found = go(mechanism, end)
    assert found.outcome is Outcome.LIMIT
    assert found.culprit == 0
    assert found.y[0] == pytest.approx(bound, abs=EDGE)
    assert found.fraction == pytest.approx((bound - 0.5) / (end - 0.5), abs=EDGE)


def test_a_start_beyond_its_limit_may_come_back_and_not_go_further():
    mechanism = slider_crank_mechanism(0.5, R, L, {0: (1.0, 2.0)})
    assert go(mechanism, 1.5).outcome is Outcome.REACHED
    further = go(mechanism, 0.0)
    assert further.outcome is Outcome.LIMIT
    assert further.y[0] == pytest.approx(0.5, abs=EDGE)


def test_a_limit_that_is_touched_but_not_passed_does_not_stop():
    mechanism = slider_crank_mechanism(0.5, R, L, {0: (-1.0, 2.0)})
    found = go(mechanism, 2.0)
    assert found.outcome is Outcome.REACHED


@pytest.mark.parametrize("at", [0.3, 0.05])
def test_a_limit_passed_only_for_a_short_way_stops_too(at):
    # The piston is beyond its bound for crank angles within +-at alone, around dead centre.
    bound = slider_crank.position(at, R, L)
    mechanism = slider_crank_mechanism(-1.0, R, L, {2: (-np.inf, bound)})
    found = go(mechanism, 1.0)
    assert found.outcome is Outcome.LIMIT
    # Near dead centre the bound is met at a shallow angle: EDGE over the slope of the piston.
    room = EDGE / abs(slider_crank.first(at, R, L))
    assert found.y[0] == pytest.approx(-at, abs=10 * room)


def with_stop(start: float, at: float) -> tuple[Mechanism, int]:
    """A slider-crank whose piston must stay below where it is at crank angle `at`."""
    build = slider_crank_builder(R, L)
    bound = slider_crank.position(at, R, L)
    row = build.add_row(Row.PLANE_POINT, 0, 3, u=-EX, offset=-bound, scale=1.0 / L, one_sided=True)
    model = build.build(L)
    plan = whole_plan(model, [0], [0, 1])
    return Mechanism(model, plan, slider_crank_state(start, R, L), np.array([0])), row


@pytest.mark.parametrize("steps", [0, 5, 300])
def test_a_one_sided_row_stops_where_it_becomes_active(steps):
    mechanism, row = with_stop(2.5, 1.0)
    sides = np.array([row])
    if steps:
        Y, found = sweep(mechanism, np.linspace(2.5, 0.2, steps + 1), sides=sides)
        assert (residuals(mechanism.model, Y[-1], sides) > -EDGE).all()
        assert Y[-1, 0] > 1.0 - EDGE
    else:
        found = go(mechanism, 0.2, sides=sides)
    assert found.outcome is Outcome.CONDITION
    assert found.culprit == row
    assert found.y[0] == pytest.approx(1.0, abs=10 * EDGE)


def test_a_one_sided_row_not_in_sides_is_not_watched():
    mechanism, _ = with_stop(2.5, 1.0)
    assert go(mechanism, 0.2).outcome is Outcome.REACHED


def test_a_one_sided_row_lets_the_mechanism_move_away():
    mechanism, row = with_stop(1.0, 1.0)
    found = go(mechanism, 2.0, sides=np.array([row]))
    assert found.outcome is Outcome.REACHED


# --- the ends of the road -----------------------------------------------------------------


def test_too_few_steps_are_told():
    found = go(four_bar_mechanism(CRANK_ROCKER, 0.2), 50.0, max_steps=3)
    assert found.outcome is Outcome.TOO_MANY
    assert 0.0 < found.fraction < 1.0


def test_an_open_start_is_told():
    mechanism = four_bar_mechanism(CRANK_ROCKER, 0.2)
    found = go(mechanism, 1.0, moved(mechanism.model, mechanism.y, np.array([0.0, 0.5, 0.5])))
    assert found.outcome is not Outcome.REACHED
    assert found.fraction == 0.0


def test_a_sweep_that_cannot_start_has_no_states():
    mechanism = four_bar_mechanism(DOUBLE_ROCKER, 0.9)
    Y, stop = sweep(mechanism, [3.0, 3.1])
    assert len(Y) == 0
    assert stop.outcome is Outcome.DEAD_POINT


def test_the_state_check_sees_another_branch():
    mechanism = four_bar_mechanism(CRANK_ROCKER, 0.9)
    with pytest.raises(AssertionError, match="off by"):
        assert_on(mechanism, mechanism.y, four_bar_state(CRANK_ROCKER, 0.9, -1), EXACT)
