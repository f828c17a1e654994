"""Row gradients against central differences along `moved`, for every kind, target and joint."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.kinematics import moved, poses
from solvers.model import Builder, Joint, Row, Target, neutral
from solvers.rows import jacobian, residuals, wrenches
from tests.solvers.mechanisms import (
    EX,
    EY,
    EZ,
    I3,
    O3,
    STEP,
    about_z,
    as_matrices,
    rotation,
    twist_between,
)

DIFFERENCES = 1e-8  # STEP^2 times third derivatives, and eps / STEP, both with room
GEOMETRIC = [Row.POINT_POINT, Row.PLANE_POINT, Row.PLANE_PLANE, Row.LINE_POINT, Row.ANGLE]
SQUARED = (Row.POINT_POINT, Row.LINE_POINT)
LENGTHS = (*SQUARED, Row.PLANE_POINT)
KINDS = [*product(GEOMETRIC, Target), (Row.LINEAR, Target.CONSTANT)]
# Links of the tree in `tree`: 1 is the common ancestor, 3 hangs on 2, 4 is a branch of its own.
PAIRS = [(0, 3), (3, 0), (4, 3), (1, 3), (3, 2), (3, 3)]
seeds = st.integers(0, 2**32 - 1)
FLIP = np.diag([1.0, -1.0, -1.0])  # half a turn about x: z antiparallel


def tree(build, joint, frames, size):
    """Links 1..4, all with the joint under test but the common ancestor, which turns."""
    (R1, p1), (R2, p2), (R3, p3), (R4, p4) = frames
    pitch = 0.4 * size if joint is Joint.SCREW else 0.0
    build.add_link(0, Joint.TURN, R1, size * p1)
    build.add_link(1, joint, R2, size * p2, pitch)
    build.add_link(2, joint, R3, size * p3, pitch)
    build.add_link(1, joint, R4, size * p4, pitch)


def row_scale(kind, size):
    if kind in SQUARED:
        return 1.0 / size**2
    return 1.0 / size if kind is Row.PLANE_POINT else 1.0


def model_with_rows(kind, target, joint, frames, geometry, size, offset=0.3):
    """A tree with one row of the kind for each pair of links, and the rows' own coordinate."""
    build = Builder()
    tree(build, joint, frames, size)
    is_length = kind in LENGTHS and target in (Target.CONSTANT, Target.SHIFTED)
    own = build.add_coordinate(is_length)
    for (l, r), (p_l, p_r, R_l, R_r) in zip(PAIRS, geometry, strict=True):
        if kind is Row.LINEAR:
            build.add_row(kind, i=own, j=0, coef=(1.7, -0.6), offset=offset, scale=2.0)
            continue
        build.add_row(
            kind,
            l,
            r,
            p_l=size * p_l,
            u=R_l[:, 0],
            u2=R_l[:, 1],
            p_r=size * p_r,
            w=R_r[:, 0],
            offset=offset * size if is_length else offset,
            target=target,
            i=-1 if target is Target.CONSTANT else own,
            scale=row_scale(kind, size),
        )
    return build.build(size)


def random_frames(rng):
    return [(rotation(rng), rng.normal(size=3)) for _ in range(4)]


def random_geometry(rng):
    return [(*rng.normal(size=(2, 3)), rotation(rng), rotation(rng)) for _ in PAIRS]


def differences(model, kind, y, step=STEP):
    """Central differences of all rows, in comparable units; angles may jump a full turn."""
    J = np.empty((model.m, model.nv))
    for k in range(model.nv):
        dv = np.zeros(model.nv)
        dv[k] = step / model.weight[k]
        change = residuals(model, moved(model, y, dv)) - residuals(model, moved(model, y, -dv))
        if kind is Row.ANGLE:
            change = (change + np.pi) % (2 * np.pi) - np.pi
        J[:, k] = change / (2 * step)
    return J


def regular(kind, model, geometry, y):
    """Rows whose angle is defined with room: w must not stand along the axis it turns about."""
    if kind is not Row.ANGLE:
        return np.ones(model.m, bool)
    R = as_matrices(poses(model, y))[:, :3, :3]
    along = [
        (R[l] @ R_l[:, 2]) @ (R[r] @ R_r[:, 0])
        for (l, r), (_, _, R_l, R_r) in zip(PAIRS, geometry, strict=True)
    ]
    return np.abs(along) < 0.9


def assert_jacobian(model, kind, geometry, y):
    J, J_fd = jacobian(model, y) / model.weight, differences(model, kind, y)
    rows = regular(kind, model, geometry, y)
    assert rows.any()
    # Differences of a large phi round off in proportion to it.
    size = np.maximum(np.abs(J_fd).max(axis=1), np.abs(residuals(model, y)))
    size = np.maximum(1.0, size)[:, None]
    off = (np.abs(J - J_fd) / size)[rows]
    # A w near the turning axis bends the angle sharply: 1 / sqrt(1 - 0.9^2)^3 = 12.
    assert off.max() < DIFFERENCES * (12 if kind is Row.ANGLE else 1), f"{off}"


@pytest.mark.parametrize("joint", Joint)
@pytest.mark.parametrize(("kind", "target"), KINDS)
@settings(max_examples=4, deadline=None)
@given(seed=seeds, size=st.sampled_from([1e-3, 1.0, 1e3]))
def test_jacobian_equals_differences_at_random_poses(kind, target, joint, seed, size):
    rng = np.random.default_rng(seed)
    geometry = random_geometry(rng)
    model = model_with_rows(kind, target, joint, random_frames(rng), geometry, size)
    y = moved(model, neutral(model), rng.normal(size=model.nv) / model.weight)
    assert_jacobian(model, kind, geometry, y)


SPECIAL_FRAMES = {
    "all frames the ground's": [(I3, O3)] * 4,
    "parallel, shifted along z": [(I3, EZ)] * 4,
    "parallel, shifted across": [(I3, EX)] * 4,
    "antiparallel": [(I3, O3), (FLIP, EX), (FLIP, EY), (FLIP, O3)],
    "square": [(I3, O3), (rotation(np.random.default_rng(0)), EX), (FLIP, O3), (I3, EY)],
}
# On the l side and on the r side: points and axes.
SPECIAL_GEOMETRY = {
    "coinciding": (O3, O3, I3, I3),
    "parallel": (O3, EX, I3, I3),
    "antiparallel": (O3, EX, I3, about_z(np.pi)),
    "exactly pi": (EX, EX, I3, np.diag([-1.0, -1.0, 1.0])),
    "at right angles": (EY, EZ, I3, np.column_stack([EY, -EX, EZ])),
}


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("joint", Joint)
@pytest.mark.parametrize(("kind", "target"), KINDS)
def test_jacobian_equals_differences_at_special_poses(kind, target, joint, size):
    checked = 0
    for frames, sides in product(SPECIAL_FRAMES.values(), SPECIAL_GEOMETRY.values()):
        geometry = [sides] * len(PAIRS)
        for offset in (0.0, np.pi, 0.5 * np.pi):
            model = model_with_rows(kind, target, joint, frames, geometry, size, offset)
            at_rest = neutral(model)
            half_turn = moved(model, at_rest, np.r_[np.pi, np.zeros(model.nv - 1)])
            for y in (at_rest, half_turn):
                if regular(kind, model, geometry, y).any():
                    assert_jacobian(model, kind, geometry, y)
                    checked += 1
    assert checked >= 100


def test_the_difference_check_sees_a_wrong_jacobian():
    rng = np.random.default_rng(1)
    geometry = random_geometry(rng)
    args = (Row.PLANE_POINT, Target.SHIFTED, Joint.BALL)
    model = model_with_rows(*args, random_frames(rng), geometry, 1.0)
    y = moved(model, neutral(model), rng.normal(size=model.nv))
    off = jacobian(model, moved(model, y, np.full(model.nv, 1e-6))) - differences(
        model, Row.PLANE_POINT, y
    )
    assert np.abs(off).max() > DIFFERENCES


@pytest.mark.parametrize("joint", Joint)
@pytest.mark.parametrize("kind", GEOMETRIC)
def test_a_row_on_one_link_does_not_depend_on_any_velocity(kind, joint):
    rng = np.random.default_rng(2)
    model = model_with_rows(
        kind, Target.CONSTANT, joint, random_frames(rng), random_geometry(rng), 1.0
    )
    y = moved(model, neutral(model), rng.normal(size=model.nv))
    J = jacobian(model, y, np.array([PAIRS.index((3, 3))]))
    np.testing.assert_allclose(J, 0.0, rtol=0, atol=1e-13)


@pytest.mark.parametrize("joint", Joint)
@pytest.mark.parametrize("kind", GEOMETRIC)
def test_a_shared_ancestor_does_not_move_a_row(kind, joint):
    rng = np.random.default_rng(4)
    model = model_with_rows(
        kind, Target.CONSTANT, joint, random_frames(rng), random_geometry(rng), 1.0
    )
    y = moved(model, neutral(model), rng.normal(size=model.nv))
    rows = np.array([PAIRS.index(pair) for pair in ((4, 3), (1, 3), (3, 2))])
    np.testing.assert_allclose(jacobian(model, y, rows)[:, 0], 0.0, rtol=0, atol=1e-13)
    turned = moved(model, y, np.r_[1.3, np.zeros(model.nv - 1)])
    np.testing.assert_allclose(
        residuals(model, turned, rows), residuals(model, y, rows), rtol=0, atol=1e-13
    )


@pytest.mark.parametrize("joint", Joint)
@pytest.mark.parametrize("kind", GEOMETRIC)
@settings(max_examples=4, deadline=None)
@given(seed=seeds)
def test_wrench_times_relative_twist_is_the_rate_of_the_row(kind, joint, seed):
    rng = np.random.default_rng(seed)
    geometry = random_geometry(rng)
    model = model_with_rows(kind, Target.CONSTANT, joint, random_frames(rng), geometry, 1.0)
    y = moved(model, neutral(model), rng.normal(size=model.nv))
    dv = rng.normal(size=model.nv)
    ends = [moved(model, y, s * STEP * dv) for s in (-1.0, 1.0)]
    V = twist_between(*(poses(model, z) for z in ends), poses(model, y), STEP)
    W = wrenches(model, y, np.arange(model.m))
    rate = [w @ (V[r] - V[l]) for w, (l, r) in zip(W, PAIRS, strict=True)]
    change = residuals(model, ends[1]) - residuals(model, ends[0])
    if kind is Row.ANGLE:
        change = (change + np.pi) % (2 * np.pi) - np.pi
    rows = regular(kind, model, geometry, y)
    want = (change / (2 * STEP))[rows]
    tol = 100 * DIFFERENCES * max(1.0, np.abs(want).max())
    np.testing.assert_allclose(np.array(rate)[rows], want, rtol=0, atol=tol)


def plain_phi(kind, target, X, l, r, sides, t):
    """The condition as the table in model.py states it, from 4x4 poses."""
    p_l, p_r, R_l, R_r = sides
    d = (X[r] @ np.r_[p_r, 1.0] - X[l] @ np.r_[p_l, 1.0])[:3]
    A, w = X[l][:3, :3] @ R_l, X[r][:3, :3] @ R_r[:, 0]
    t = {Target.COSINE: np.cos, Target.SINE: np.sin}.get(target, float)(t)
    if kind is Row.POINT_POINT:
        return (d @ d - t * t) / 2
    if kind is Row.PLANE_POINT:
        return A[:, 0] @ d - t
    if kind is Row.PLANE_PLANE:
        return A[:, 0] @ w - t
    if kind is Row.LINE_POINT:
        return (np.sum(np.cross(A[:, 0], d) ** 2) - t * t) / 2
    angle = np.arctan2(A[:, 1] @ w, A[:, 0] @ w) - t
    return np.angle(np.exp(1j * angle))


@pytest.mark.parametrize("joint", Joint)
@pytest.mark.parametrize(("kind", "target"), list(product(GEOMETRIC, Target)))
def test_residual_is_the_condition_of_the_table(kind, target, joint):
    rng = np.random.default_rng(11)
    geometry = random_geometry(rng)
    model = model_with_rows(kind, target, joint, random_frames(rng), geometry, 1.0, offset=0.3)
    y = moved(model, neutral(model), rng.normal(size=model.nv))
    t = 0.3 if target is Target.CONSTANT else 0.3 + y[model.nv - 1]
    X = as_matrices(poses(model, y))
    want = [
        plain_phi(kind, target, X, l, r, sides, t)
        for (l, r), sides in zip(PAIRS, geometry, strict=True)
    ]
    np.testing.assert_allclose(residuals(model, y), want, rtol=0, atol=1e-12)


def test_linear_row_is_its_formula():
    build = Builder()
    i, j = build.add_coordinate(False), build.add_coordinate(False)
    build.add_row(Row.LINEAR, i=i, j=j, coef=(2.0, -3.0), offset=0.5, scale=4.0)
    model = build.build(1.0)
    y = np.array([1.0, 0.25])
    np.testing.assert_allclose(residuals(model, y), [4.0 * (2.0 - 0.75 - 0.5)], rtol=1e-15)
    np.testing.assert_allclose(jacobian(model, y), [[8.0, -12.0]], rtol=1e-15)


def test_linear_row_of_one_coordinate_ignores_all_others():
    build = Builder()
    i, other = build.add_coordinate(False), build.add_coordinate(False)
    build.add_row(Row.LINEAR, i=i, coef=(2.0, 0.0), offset=0.5)
    model = build.build(1.0)
    y = np.zeros(2)
    y[other] = 7.0
    np.testing.assert_allclose(residuals(model, y), [-0.5], rtol=1e-15)
    np.testing.assert_allclose(jacobian(model, y), [[2.0, 0.0]], rtol=1e-15)


@pytest.mark.parametrize("turns", [-3, -1, 0, 1, 5])
def test_angle_row_does_not_see_full_turns(turns):
    build = Builder()
    link = build.add_link(0, Joint.TURN, I3, O3)
    build.add_row(Row.ANGLE, 0, link, u=EX, u2=EY, w=EX, offset=0.4)
    model = build.build(1.0)
    y = np.array([1.0 + 2 * np.pi * turns])
    np.testing.assert_allclose(residuals(model, y), [0.6], rtol=0, atol=1e-14)


def test_rows_may_be_asked_for_in_any_order():
    rng = np.random.default_rng(9)
    model = model_with_rows(
        Row.LINE_POINT, Target.SHIFTED, Joint.BALL, random_frames(rng), random_geometry(rng), 1.0
    )
    y = moved(model, neutral(model), rng.normal(size=model.nv))
    rows = np.array([4, 0, 2])
    np.testing.assert_array_equal(residuals(model, y, rows), residuals(model, y)[rows])
    np.testing.assert_array_equal(jacobian(model, y, rows), jacobian(model, y)[rows])
    everything = wrenches(model, y, np.arange(model.m))
    np.testing.assert_array_equal(wrenches(model, y, rows), everything[rows])
