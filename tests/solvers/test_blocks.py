"""The plan finds a mechanism's small blocks and an order in which they can be solved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import blocks
from solvers.kinematics import moved
from solvers.model import Builder, Joint, Row, Target, neutral
from solvers.rows import jacobian
from tests.reference import four_bar
from tests.solvers.mechanisms import EX, EY, I3, O3, four_bar_chain, hexapod, radial_engine

CHAIN = four_bar.FourBar(2.0, 1.0, 2.0, 1.2)


def members(plan):
    """(rows, unknowns) of each block in solving order."""
    ends = zip(plan.row_ptr[:-1], plan.row_ptr[1:], strict=True)
    return [(frozenset(plan.rows[a:b]), frozenset(plan.cols[a:b])) for a, b in ends]


def assert_solvable_in_order(model, order, known):
    """Every block needs nothing but itself, earlier blocks and what is known.

    What a row needs is read off its Jacobian at random states, not off the plan.
    """
    rng = np.random.default_rng(0)
    needs = np.zeros((model.m, model.nv), bool)
    for _ in range(3):
        y = moved(model, neutral(model), rng.normal(size=model.nv) / model.weight)
        needs |= np.abs(jacobian(model, y) / model.weight) > 1e-12
    ready = set(known)
    for rows, cols in order:
        ready |= cols
        for row in rows:
            missing = set(np.flatnonzero(needs[row])) - ready
            assert not missing, f"row {row} needs {missing} before they are solved"


def assert_square_and_complete(plan, rows, unknown):
    assert sorted(plan.rows) == sorted(rows)
    assert sorted(plan.cols) == sorted(unknown)
    assert all(len(r) == len(c) for r, c in members(plan))


def test_seven_cylinders_of_a_radial_engine_are_seven_blocks_of_two():
    model = radial_engine(7)
    plan = blocks.plan(model, np.arange(14), np.arange(1, 15))
    assert plan.nb == 7
    assert set(members(plan)) == {
        (frozenset({2 * k, 2 * k + 1}), frozenset({2 * k + 1, 2 * k + 2})) for k in range(7)
    }
    # All other rods hang on the master rod.
    assert members(plan)[0] == (frozenset({0, 1}), frozenset({1, 2}))
    assert_solvable_in_order(model, members(plan), [0])


@pytest.mark.parametrize("n", [1, 2, 5, 40])
def test_a_chain_of_four_bars_is_one_block_of_two_for_each(n):
    model = four_bar_chain(n, CHAIN)
    plan = blocks.plan(model, np.arange(2 * n), np.arange(1, 2 * n + 1))
    assert members(plan) == [
        (frozenset({2 * k, 2 * k + 1}), frozenset({2 * k + 1, 2 * k + 2})) for k in range(n)
    ]
    assert_solvable_in_order(model, members(plan), [0])


def test_a_chain_driven_at_its_far_end_is_solved_backwards():
    n = 6
    model = four_bar_chain(n, CHAIN)
    plan = blocks.plan(model, np.arange(2 * n), np.arange(2 * n))
    assert plan.nb == n
    assert [min(rows) for rows, _ in members(plan)] == [2 * k for k in reversed(range(n))]
    assert_solvable_in_order(model, members(plan), [2 * n])


def test_a_chain_driven_in_the_middle_is_solved_to_both_sides():
    n, driven = 6, 6  # coordinate 6 is the third rocker
    model = four_bar_chain(n, CHAIN)
    plan = blocks.plan(model, np.arange(2 * n), np.setdiff1d(np.arange(2 * n + 1), driven))
    assert [len(rows) for rows, _ in members(plan)] == [2] * n
    assert_solvable_in_order(model, members(plan), [driven])


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(14)), st.permutations(range(1, 15)))
def test_the_order_of_rows_and_unknowns_does_not_change_the_blocks(rows, unknown):
    model = radial_engine(7)
    plan = blocks.plan(model, np.array(rows), np.array(unknown))
    assert set(members(plan)) == set(members(blocks.plan(model, np.arange(14), np.arange(1, 15))))
    assert_square_and_complete(plan, rows, unknown)
    assert_solvable_in_order(model, members(plan), [0])


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(10)), st.integers(0, 10))
def test_any_driven_coordinate_of_a_chain_gives_a_plan_in_solvable_order(rows, driven):
    model = four_bar_chain(5, CHAIN)
    unknown = np.setdiff1d(np.arange(11), driven)
    plan = blocks.plan(model, np.array(rows), unknown)
    assert_square_and_complete(plan, rows, unknown)
    assert_solvable_in_order(model, members(plan), [driven])


def test_a_fully_coupled_platform_stays_one_block():
    model = hexapod(np.random.default_rng(1))
    plan = blocks.plan(model, np.arange(6), np.arange(6))
    assert members(plan) == [(frozenset(range(6)), frozenset(range(6)))]


def test_no_rows_make_no_blocks():
    build = Builder()
    build.add_link(0, Joint.TURN, I3, O3)
    plan = blocks.plan(build.build(1.0), np.arange(0), np.arange(0))
    assert plan.nb == 0


def test_more_rows_than_unknowns_are_refused():
    model = four_bar_chain(1, CHAIN)
    with pytest.raises((AssertionError, ValueError), match="square"):
        blocks.plan(model, np.arange(2), np.arange(1))


def test_measured_coordinates_come_after_what_they_measure():
    build = Builder()
    arm = build.add_link(0, Joint.TURN, I3, O3)
    tip = build.add_link(arm, Joint.TURN, I3, EX)
    across, sum_ = build.add_coordinate(True), build.add_coordinate(True)
    build.add_row(Row.LINEAR, i=sum_, j=across, coef=(1.0, -2.0))
    build.add_row(Row.PLANE_POINT, 0, tip, u=EX, p_r=EX, target=Target.SHIFTED, i=across)
    build.add_row(Row.PLANE_POINT, 0, tip, u=EY, p_r=EX, offset=0.3)
    model = build.build(1.0)
    plan = blocks.plan(model, np.arange(3), np.array([1, across, sum_]))
    assert members(plan) == [
        (frozenset({2}), frozenset({1})),
        (frozenset({1}), frozenset({across})),
        (frozenset({0}), frozenset({sum_})),
    ]


def test_a_structurally_singular_system_is_one_honest_block():
    build = Builder()
    arm = build.add_link(0, Joint.TURN, I3, O3)
    build.add_link(0, Joint.TURN, I3, EX)
    for u in (EX, EY):
        build.add_row(Row.PLANE_POINT, 0, arm, u=u, p_r=EX)
    plan = blocks.plan(build.build(1.0), np.arange(2), np.arange(2))
    assert members(plan) == [(frozenset({0, 1}), frozenset({0, 1}))]


def test_the_order_check_sees_a_block_too_early():
    model = four_bar_chain(2, CHAIN)
    plan = blocks.plan(model, np.arange(4), np.arange(1, 5))
    with pytest.raises(AssertionError, match="before they are solved"):
        assert_solvable_in_order(model, members(plan)[::-1], [0])
