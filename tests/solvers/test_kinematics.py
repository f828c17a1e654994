"""Poses against plain matrix products; steps on the manifold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.kinematics import moved, poses, poses_along
from solvers.model import Builder, Joint, neutral
from tests.solvers.mechanisms import EX, I3, O3, about_z, as_matrices, plain_poses, rotation

ROUNDING = 1e-13  # a dozen products of numbers of order one
JOINTS = list(Joint)
seeds = st.integers(0, 2**32 - 1)
trees = st.lists(st.tuples(st.sampled_from(JOINTS), st.integers(0, 50)), min_size=1, max_size=8)


def random_tree(shape, rng, size=1.0):
    """The same tree for the solver and as plain tuples; every third frame is not turned."""
    build, links = Builder(), []
    for k, (joint, pick) in enumerate(shape):
        R = I3 if k % 3 == 0 else rotation(rng)
        link = (pick % (k + 1), joint, R, size * rng.normal(size=3), size * rng.normal())
        if joint is not Joint.SCREW:
            link = (*link[:4], 0.0)
        build.add_link(*link)
        links.append(link)
    return build.build(size), links


def random_state(model, rng, reach=3.0):
    """A state reached by one random step, so that quaternions are unit and unused scalars 0."""
    return moved(model, neutral(model), reach * rng.normal(size=model.nv) / model.weight)


@settings(max_examples=60, deadline=None)
@given(trees, seeds, st.sampled_from([1e-3, 1.0, 1e3]))
def test_poses_are_the_product_of_the_matrices_along_the_tree(shape, seed, size):
    rng = np.random.default_rng(seed)
    model, links = random_tree(shape, rng, size)
    y = random_state(model, rng)
    got, want = as_matrices(poses(model, y)), plain_poses(links, model.nv, y)
    got[:, :3, 3] /= size
    want[:, :3, 3] /= size
    np.testing.assert_allclose(got, want, rtol=0, atol=ROUNDING * max(1.0, np.abs(want).max()))


@settings(max_examples=20, deadline=None)
@given(trees, seeds)
def test_poses_at_neutral_are_the_joint_frames(shape, seed):
    model, links = random_tree(shape, np.random.default_rng(seed))
    want = [np.eye(4)]
    for parent, _, R, p, _ in links:
        F = np.eye(4)
        F[:3, :3], F[:3, 3] = R, p
        want.append(want[parent] @ F)
    got = as_matrices(poses(model, neutral(model)))
    np.testing.assert_allclose(got, want, rtol=0, atol=10 * ROUNDING)


@settings(max_examples=20, deadline=None)
@given(trees, seeds)
def test_poses_along_are_the_poses_one_by_one(shape, seed):
    rng = np.random.default_rng(seed)
    model, _ = random_tree(shape, rng)
    Y = np.array([random_state(model, rng) for _ in range(4)])
    np.testing.assert_array_equal(poses_along(model, Y), [poses(model, y) for y in Y])


def test_a_model_without_links_has_the_ground_alone():
    model = Builder().build(1.0)
    np.testing.assert_array_equal(as_matrices(poses(model, neutral(model))), [np.eye(4)])


@settings(max_examples=40, deadline=None)
@given(trees, seeds)
def test_rotations_stay_orthonormal_over_many_steps(shape, seed):
    rng = np.random.default_rng(seed)
    model, _ = random_tree(shape, rng)
    y = neutral(model)
    for _ in range(50):
        y = moved(model, y, rng.normal(size=model.nv) * 10.0 ** rng.integers(-6, 2))
    R = as_matrices(poses(model, y))[:, :3, :3]
    np.testing.assert_allclose(
        R @ R.transpose(0, 2, 1), np.tile(I3, (len(R), 1, 1)), rtol=0, atol=1e-13
    )


@pytest.mark.parametrize("size", [0.0, 1e-12, 9.9e-5, 1.01e-4, 1.0, np.pi, 2 * np.pi, 50.0])
@pytest.mark.parametrize("joint", [Joint.BALL, Joint.POINTER])
def test_quaternion_steps_stay_unit_at_any_step_size(joint, size):
    build = Builder()
    build.add_link(0, joint, I3, O3)
    model = build.build(1.0)
    rng = np.random.default_rng(7)
    y = neutral(model)
    for _ in range(200):
        direction = rng.normal(size=model.nv)
        y = moved(model, y, size * direction / np.linalg.norm(direction))
        assert abs(np.linalg.norm(y[model.nv :]) - 1.0) < 1e-15
        np.testing.assert_array_equal(y[: model.nv], 0.0)


@pytest.mark.parametrize("size", [1e-9, 9.99e-5, 1.001e-4, 0.3, np.pi, 5.0])
def test_a_ball_step_is_the_rotation_by_its_vector(size):
    build = Builder()
    build.add_link(0, Joint.BALL, I3, O3)
    model = build.build(1.0)
    y = moved(model, neutral(model), np.array([0.0, 0.0, size]))
    np.testing.assert_allclose(
        poses(model, y)[1, :9].reshape(3, 3), about_z(size), rtol=0, atol=1e-15
    )


@settings(max_examples=25, deadline=None)
@given(seeds)
def test_a_ball_step_is_taken_in_the_links_own_frame(seed):
    rng = np.random.default_rng(seed)
    build = Builder()
    build.add_link(0, Joint.BALL, rotation(rng), O3)
    model = build.build(1.0)
    y = random_state(model, rng)
    angle = rng.normal()
    before, after = (
        poses(model, z)[1, :9].reshape(3, 3)
        for z in (y, moved(model, y, np.array([0.0, 0.0, angle])))
    )
    np.testing.assert_allclose(after, before @ about_z(angle), rtol=0, atol=1e-14)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(JOINTS), seeds, st.floats(1e-9, 20.0))
def test_a_step_and_its_opposite_end_where_they_began(joint, seed, size):
    rng = np.random.default_rng(seed)
    build = Builder()
    build.add_link(0, joint, rotation(rng), rng.normal(size=3), 0.3 * (joint is Joint.SCREW))
    model = build.build(1.0)
    y = random_state(model, rng, reach=1.0)
    dv = size * rng.normal(size=model.nv)
    back = moved(model, moved(model, y, dv), -dv)
    np.testing.assert_allclose(back, y, rtol=0, atol=1e-14 * max(1.0, np.abs(dv).max()))


def test_moving_by_nothing_changes_nothing_and_the_given_state_is_kept():
    rng = np.random.default_rng(3)
    model, _ = random_tree([(j, 0) for j in JOINTS], rng)
    y = random_state(model, rng)
    kept = y.copy()
    np.testing.assert_allclose(moved(model, y, np.zeros(model.nv)), y, rtol=0, atol=1e-15)
    moved(model, y, np.ones(model.nv))
    np.testing.assert_array_equal(y, kept)


def test_a_screw_advances_by_its_pitch_each_radian():
    build = Builder()
    build.add_link(0, Joint.SCREW, I3, EX, pitch=0.25)
    X = poses(build.build(1.0), np.array([2 * np.pi]))[1]
    np.testing.assert_allclose(X[9:], [1.0, 0.0, 0.5 * np.pi], rtol=0, atol=1e-15)
    np.testing.assert_allclose(X[:9].reshape(3, 3), I3, rtol=0, atol=1e-15)


def test_the_matrix_check_sees_a_link_out_of_place():
    rng = np.random.default_rng(5)
    model, links = random_tree([(Joint.TURN, 0), (Joint.BALL, 1)], rng)
    y = random_state(model, rng)
    y_off = moved(model, y, 1e-6 * np.ones(model.nv))
    off = as_matrices(poses(model, y_off)) - plain_poses(links, model.nv, y)
    assert np.abs(off).max() > 1e-7
