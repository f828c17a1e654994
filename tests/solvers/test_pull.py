"""How a point follows the freedoms, against differences; pulls of bare models against geometry."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.kinematics import poses
from solvers.model import Builder, Joint, neutral
from solvers.newton import workspace
from solvers.point_motion import curve, tangents
from solvers.pull import Held, PullOutcome, pull
from solvers.track import NO_SIDES, Outcome, branch, track
from tests.reference import four_bar
from tests.solvers.mechanisms import I3, O3, four_bar_mechanism, whole_plan

BARS = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
H = 1e-3  # of central differences: H^2 = 1e-6 of the third derivative
POINT = np.array([0.3, 0.2, 0.1])


def place(model, y, link):
    X = poses(model, y)[link]
    return X[9:] + X[:9].reshape(3, 3) @ POINT


def arm(turns: int):
    """Bars of length 1 in a row, turning about z."""
    build = Builder()
    link = 0
    for k in range(turns):
        link = build.add_link(link, Joint.TURN, I3, O3 if k == 0 else np.array([1.0, 0.0, 0.0]))
    model = build.build(1.0)
    return model, whole_plan(model, list(range(turns))), link


def terms(model, plan, free, y, link, e):
    """B and Q at y."""
    f, X = len(free), np.empty((model.nl, 12))
    V, A = np.zeros((2, model.nl, 6))
    Z, B, H_ = np.empty((model.nv, f)), np.empty((3, f)), np.zeros((f, f))
    x = place(model, y, link)
    tangents(
        model, plan, free, y, link, x, NO_SIDES, X, V, A, *workspace(plan), Z, B, np.zeros((0, f))
    )
    curve(model, plan, free, y, link, x, e, X, V, A, *workspace(plan), H_)
    return B, -H_


@pytest.mark.parametrize("phi", [0.4, 2.0, 4.0])
def test_derivatives_of_a_coupler_point_are_differences_along_the_motion(phi):
    m = four_bar_mechanism(BARS, phi, 1)
    e = np.array([0.3, -0.7, 0.2])
    link = m.model.nl - 1
    B, Q = terms(m.model, m.plan, m.known, m.y, link, e)

    def at(step):
        done = track(m.model, m.plan, m.known, m.y, m.y[m.known] + step)
        assert done.outcome is Outcome.REACHED
        return place(m.model, done.y, link) / m.model.length

    first = (at(H) - at(-H)) / (2 * H)
    second = (at(H) - 2 * at(0.0) + at(-H)) / H**2
    np.testing.assert_allclose(B[:, 0], first * m.model.weight[m.known[0]] ** -1, atol=1e-5)
    np.testing.assert_allclose(Q[0, 0], e @ second, atol=1e-4)


def test_mixed_second_derivatives_are_differences_of_the_first():
    model, plan, link = arm(3)
    free, e = np.arange(3), np.array([0.5, 0.1, -0.4])
    y = neutral(model) + np.array([0.3, -0.8, 0.5])
    _, Q = terms(model, plan, free, y, link, e)
    for k in range(3):
        step = H * np.eye(3)[k]
        up, _ = terms(model, plan, free, y + step, link, e)
        down, _ = terms(model, plan, free, y - step, link, e)
        np.testing.assert_allclose(Q[k], e @ (up - down) / (2 * H), atol=1e-6)


def pulled(model, plan, known, y, link, target):
    hand = Held(plan, known, np.arange(len(known)), NO_SIDES, 1e-9, link, POINT)
    return pull(model, hand, y, np.asarray(target, float), branch(model, plan, y))


@pytest.mark.parametrize("turns", [2, 3, 6, 14])
def test_an_arm_reaches_what_lies_within_its_reach(turns):
    model, plan, link = arm(turns)
    y = neutral(model) + 0.2 * np.arange(1, turns + 1) / turns
    target = [0.9 * turns - 1.0, 0.4, 0.1]
    done = pulled(model, plan, np.arange(turns), y, link, target)
    assert done.outcome is PullOutcome.ARRIVED
    np.testing.assert_allclose(place(model, done.y, link), target, atol=1e-6)


def test_a_bound_is_met_exactly_and_named():
    build = Builder()
    link = build.add_link(0, Joint.TURN, I3, O3)
    build.bounds[0] = (-1.0, 0.7)
    model = build.build(1.0)
    plan = whole_plan(model, [0])
    done = pulled(model, plan, np.array([0]), neutral(model), link, [-1.0, 1.0, 0.0])
    assert (done.outcome, done.culprit) == (PullOutcome.AT_LIMIT, 0)
    assert done.y[0] == 0.7


def test_a_target_straight_behind_the_pivot_leaves_no_way_and_that_is_told():
    model, plan, link = arm(1)
    y = neutral(model)
    behind = -10.0 * place(model, y, link) * [1.0, 1.0, 0.0]
    done = pulled(model, plan, np.array([0]), y, link, behind)
    assert done.outcome is PullOutcome.NO_EFFECT
    np.testing.assert_array_equal(done.y, y)
