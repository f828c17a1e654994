"""Builder, neutral state and the hash of a model's content."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.model import Builder, Joint, Row, Target, content_hash, neutral
from tests.solvers.mechanisms import EX, EY, EZ, I3, O3, about_z

PLAIN = {
    "parent": 1,
    "joint": Joint.SCREW,
    "R": about_z(0.1),
    "p": 0.3 * EX,
    "pitch": 0.01,
    "kind": Row.PLANE_POINT,
    "l": 1,
    "r": 2,
    "p_l": 0.1 * EX,
    "u": EX,
    "u2": EY,
    "p_r": 0.2 * EY,
    "w": EZ,
    "offset": 0.5,
    "target": Target.SHIFTED,
    "i": 5,
    "j": -1,
    "coef": (1.0, 2.0),
    "scale": 3.0,
    "one_sided": False,
    "is_length": False,
    "bounds": (-1.0, 1.0),
    "length": 2.0,
}
CHANGES = {
    "parent": 0,
    "joint": Joint.TURN,
    "R": about_z(np.nextafter(0.1, 1.0)),
    "p": np.array([0.3, 0.0, 5e-324]),
    "pitch": np.nextafter(0.01, 1.0),
    "kind": Row.PLANE_PLANE,
    "l": 0,
    "r": 1,
    "p_l": np.array([0.1, 1e-300, 0.0]),
    "u": EY,
    "u2": EZ,
    "p_r": 0.2 * EZ,
    "w": EX,
    "offset": np.nextafter(0.5, 1.0),
    "target": Target.COSINE,
    "i": 4,
    "j": 0,
    "coef": (1.0, np.nextafter(2.0, 3.0)),
    "scale": np.nextafter(3.0, 4.0),
    "one_sided": True,
    "is_length": True,
    "bounds": (-1.0, np.inf),
    "length": np.nextafter(2.0, 3.0),
}


def build(**changes):
    s = {**PLAIN, **changes}
    out = Builder()
    out.add_link(0, Joint.BALL, I3, O3)
    out.add_link(s["parent"], s["joint"], s["R"], s["p"], s["pitch"])
    out.add_coordinate(False)
    out.add_coordinate(s["is_length"])
    row = ("l", "r", "p_l", "u", "u2", "p_r", "w", "offset", "target", "i", "j", "coef", "scale")
    out.add_row(s["kind"], one_sided=s["one_sided"], **{key: s[key] for key in row})
    out.bounds[3] = s["bounds"]
    return out.build(s["length"])


def test_equal_models_have_equal_hashes():
    assert content_hash(build()) == content_hash(build())


@pytest.mark.parametrize("what", CHANGES)
def test_any_changed_number_changes_the_hash(what):
    assert content_hash(build(**{what: CHANGES[what]})) != content_hash(build())


def test_every_number_of_a_model_is_changed_here():
    assert CHANGES.keys() == PLAIN.keys()


def test_all_these_models_have_different_hashes():
    hashes = {content_hash(build(**{what: value})) for what, value in CHANGES.items()}
    assert len(hashes) == len(CHANGES)


def test_one_more_link_coordinate_or_row_changes_the_hash():
    hashes = set()
    for what in ("nothing", "link", "coordinate", "row"):
        out = Builder()
        out.add_link(0, Joint.TURN, I3, O3)
        if what == "link":
            out.add_link(1, Joint.TURN, I3, O3)
        elif what == "coordinate":
            out.add_coordinate(False)
        elif what == "row":
            out.add_row(Row.PLANE_PLANE, 0, 1)
        hashes.add(content_hash(out.build(1.0)))
    assert len(hashes) == 4


def test_the_hash_is_64_hexadecimal_digits():
    out = Builder()
    out.add_link(0, Joint.TURN, I3, O3)
    digest = content_hash(out.build(1.0))
    assert len(digest) == 64
    int(digest, 16)


def test_sizes_are_those_of_the_joints():
    model = build()
    assert (model.nl, model.nv, model.ny, model.m) == (3, 6, 10, 1)
    assert model.length == 2.0


def test_bounds_and_weights_are_put_at_their_coordinates():
    model = build(joint=Joint.SLIDE, is_length=True)
    np.testing.assert_array_equal(model.weight, [1.0, 1.0, 1.0, 0.5, 1.0, 0.5])
    np.testing.assert_array_equal(model.low, [-np.inf] * 3 + [-1.0] + [-np.inf] * 2)
    np.testing.assert_array_equal(model.high, [np.inf] * 3 + [1.0] + [np.inf] * 2)


def test_neutral_is_zeros_and_identity_quaternions():
    out = Builder()
    for joint in (Joint.BALL, Joint.SLIDE, Joint.POINTER):
        out.add_link(0, joint, I3, O3)
    y = neutral(out.build(1.0))
    np.testing.assert_array_equal(y, [0.0] * 6 + [1.0, 0.0, 0.0, 0.0] * 2)


def test_a_child_before_its_parent_is_refused():
    with pytest.raises((AssertionError, ValueError), match="parent"):
        Builder().add_link(1, Joint.TURN, I3, O3)


def test_later_changes_to_given_arrays_do_not_reach_the_model():
    p = np.zeros(3)
    out = Builder()
    out.add_link(0, Joint.TURN, I3, p)
    before = content_hash(out.build(1.0))
    p[0] = 1.0
    assert content_hash(out.build(1.0)) == before
