"""The five reference objects: unit axes, right angles, the same answer every time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cad2mbs.model import references as ref
from cad2mbs.model.references import SERVES, RefKind

NUMBERS = st.floats(-1e6, 1e6)
VECTORS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
DIRECTIONS = VECTORS.filter(lambda v: math.hypot(*v) > 1e-3)
EPS = 8 * np.finfo(float).eps  # a few roundings of numbers of size 1


def assert_is_rotation(R):
    np.testing.assert_allclose(R.T @ R, np.eye(3), rtol=0, atol=EPS)
    assert np.linalg.det(R) > 0


def test_the_rotation_checker_says_no_to_a_mirror():
    with pytest.raises(AssertionError):
        assert_is_rotation(np.diag([1.0, 1.0, -1.0]))


@given(DIRECTIONS)
@example((0.0, 0.0, 1.0))
@example((0.0, 0.0, -1.0))
@example((1.0, 1.0, 1.0))
@example((1.0, 0.0, 1e-300))
def test_every_direction_gets_a_right_handed_frame(direction):
    for made in (
        ref.vector(direction),
        ref.axis([1, 2, 3], direction),
        ref.plane([1, 2, 3], direction),
    ):
        assert_is_rotation(made.rotation)
        np.testing.assert_allclose(
            made.rotation[:, 2], np.array(direction) / math.hypot(*direction), rtol=0, atol=EPS
        )


@given(DIRECTIONS, DIRECTIONS)
def test_x_of_a_frame_is_made_perpendicular_and_stays_on_its_side(z, x):
    cosine = np.dot(z, x) / (math.hypot(*z) * math.hypot(*x))
    if abs(cosine) > 0.99:
        return
    made = ref.frame([0, 0, 0], z, x)
    assert_is_rotation(made.rotation)
    assert np.dot(made.x, x) > 0
    assert abs(np.dot(np.cross(z, x), made.x)) <= 1e-12 * math.hypot(*z) * math.hypot(*x)


@given(DIRECTIONS, st.floats(2e-6, 1.0), st.booleans())
@example((1.0, 2.0, 3.0), 2e-6, False)
def test_a_frame_with_x_close_to_z_is_square_and_its_axes_give_it_again(z, tilt, against):
    upright = ref.frame([1, 2, 3], z)
    sign = -1 if against else 1
    made = ref.frame([1, 2, 3], z, sign * np.array(upright.z) + tilt * np.array(upright.x))
    assert_is_rotation(made.rotation)
    assert ref.frame(made.origin, made.z, made.x) == made


@given(DIRECTIONS, st.floats(1e-3, 1e3))
def test_the_length_of_a_direction_does_not_matter(direction, factor):
    one, other = ref.vector(direction), ref.vector([factor * v for v in direction])
    np.testing.assert_allclose(one.z, other.z, rtol=0, atol=EPS)


def test_the_standard_frame_is_the_standard_frame():
    assert ref.frame().rotation.tolist() == np.eye(3).tolist()
    assert ref.any_normal((0.0, 0.0, 1.0)) == (1.0, 0.0, 0.0)
    assert ref.point([1, 2, 3]).origin == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    "make", [ref.vector, lambda v: ref.axis([0, 0, 0], v), lambda v: ref.frame(z=v)]
)
def test_a_zero_direction_is_refused(make):
    with pytest.raises(ValueError, match="a direction must not be the zero vector"):
        make([0, 0, 0])


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_coordinates_that_are_no_numbers_are_refused(bad):
    with pytest.raises(ValueError, match="coordinates must be finite numbers"):
        ref.point([0, bad, 0])


def test_a_frame_with_parallel_axes_is_refused():
    with pytest.raises(ValueError, match="x is parallel to z"):
        ref.frame(z=[0, 0, 1], x=[0, 0, -2])


def test_a_frame_serves_everywhere_and_everything_serves_its_own_slot():
    assert all(RefKind.FRAME in kinds for kinds in SERVES.values())
    assert all(need in kinds for need, kinds in SERVES.items())
    assert set(SERVES) == set(RefKind)
