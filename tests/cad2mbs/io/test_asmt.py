"""Reading .asmt: the meaning of every joint, motion and limit, on small files of our own.

The checks know nothing of the reader's own conversions: the residuals of mates come from the table
of mates, those of joints from their definition between the markers I and J.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from cad2mbs.io import asmt
from cad2mbs.io.asmt_joints import KINDS
from cad2mbs.model.assembly import Freedom
from cad2mbs.model.mates import RefId
from tests.cad2mbs.io.asmt_models import (
    EYE,
    frame_text,
    joint_text,
    limit_text,
    lines,
    model_text,
    motion_text,
    write,
)
from tests.cad2mbs.io.asmt_residuals import mate_residual, pose_matrix, reference_matrix, world


def random_pose(rng):
    return pose_matrix(rng.normal(size=3), Rotation.from_quat(rng.normal(size=4)).as_matrix())


FIELDS = {
    "AngleJoint": {"theIzJz": 0.7},
    "CylSphJoint": {"distanceIJ": 0.8},
    "LineInPlaneJoint": {"offset": 0.3},
    "PlanarJoint": {"offset": -0.4},
    "PointInPlaneJoint": {"offset": 0.25},
    "RevCylJoint": {"distanceIJ": 0.8},
    "RevRevJoint": {"distanceIJ": 0.8},
    "SphSphJoint": {"distanceIJ": 0.9},
}


def joint_equations(kind, I, J):
    """The scalar equations of a joint as the format defines it: J seen from marker I."""
    X = np.linalg.inv(I) @ J
    (x, y, z), R, f = X[:3, 3], X[:3, :3], FIELDS.get(kind, {})
    axes, no_turn = [R[2, 0], R[2, 1]], [R[1, 0], R[2, 0], R[2, 1]]
    ring = [math.hypot(x, y) - f.get("distanceIJ", 0.0)]
    return {
        "AngleJoint": lambda: [R[2, 2] - math.cos(f["theIzJz"])],
        "CylSphJoint": lambda: ring,
        "CylindricalJoint": lambda: [x, y, *axes],
        "FixedJoint": lambda: [x, y, z, *no_turn],
        "LineInPlaneJoint": lambda: [z - f["offset"], R[2, 2]],
        "NoRotationJoint": lambda: no_turn,
        "ParallelAxesJoint": lambda: axes,
        "PerpendicularJoint": lambda: [R[2, 2]],
        "PlanarJoint": lambda: [z - f["offset"], *axes],
        "PointInLineJoint": lambda: [x, y],
        "PointInPlaneJoint": lambda: [z - f["offset"]],
        "RevCylJoint": lambda: ring + axes,
        "RevRevJoint": lambda: [*ring, z, *axes],
        "RevoluteJoint": lambda: [x, y, z, *axes],
        "SphSphJoint": lambda: [math.sqrt(x * x + y * y + z * z) - f["distanceIJ"]],
        "SphericalJoint": lambda: [x, y, z],
        "TranslationalJoint": lambda: [x, y, *no_turn],
        "UniversalJoint": lambda: [x, y, z, R[2, 2]],
    }[kind]()


MATED = sorted(set(KINDS) - {"GearJoint", "RackPinionJoint", "ScrewJoint"})


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", MATED)
def test_mates_of_a_joint_hold_exactly_where_the_joint_holds(kind, seed, tmp_path):
    rng = np.random.default_rng(seed)
    X_I, X_J, X_WB = (random_pose(rng) for _ in range(3))
    text = model_text(
        joint_text(kind, "joint", "/model/I", "/model/body/J", **FIELDS.get(kind, {})),
        X_I=X_I,
        X_J=X_J,
        X_WB=X_WB,
    )
    assembly = asmt.read(write(tmp_path, text))

    def moved(step, X_WB):
        return pose_matrix(
            X_WB[:3, 3] + step[:3], Rotation.from_rotvec(step[3:]).as_matrix() @ X_WB[:3, :3]
        )

    def ours(step, X_WB):
        poses = {"model": EYE, "body": moved(step, X_WB)}
        return np.concatenate(
            [
                mate_residual(m, world(assembly, poses, m.a), world(assembly, poses, m.b))
                for m in assembly.mates.values()
            ]
        )

    def theirs(step, X_WB):
        return np.array(joint_equations(kind, X_I, moved(step, X_WB) @ X_J))

    def rank(rows, X_WB):
        h = 1e-6
        J = np.column_stack([(rows(h * e, X_WB) - rows(-h * e, X_WB)) / (2 * h) for e in np.eye(6)])
        return np.linalg.matrix_rank(J, tol=1e-4)

    fit = least_squares(ours, np.zeros(6), args=(X_WB,), xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert np.abs(fit.fun).max() < 1e-7
    solved = moved(fit.x, X_WB)
    assert np.abs(theirs(np.zeros(6), solved)).max() < 1e-7
    assert rank(ours, solved) == rank(theirs, solved) == len(theirs(np.zeros(6), solved))


ALL_FLIPS = [np.diag(d) for d in ([1.0, 1, 1], [-1.0, -1, 1], [1.0, -1, -1], [-1.0, 1, -1])]


@pytest.mark.parametrize("flip", ALL_FLIPS, ids=["none", "z", "x", "y"])
@pytest.mark.parametrize("kind", ["FixedJoint", "NoRotationJoint", "TranslationalJoint"])
def test_a_joint_without_turn_keeps_the_half_turn_it_starts_with(kind, flip, tmp_path):
    off = Rotation.from_rotvec([0.2, -0.3, 0.1]).as_matrix()  # the start need not be exact
    X_WB = pose_matrix(np.zeros(3), flip @ off)
    assembly = asmt.read(write(tmp_path, model_text(joint_text(kind), X_WB=X_WB)))
    there = {"model": EYE, "body": pose_matrix(np.zeros(3), flip)}
    for mate in assembly.mates.values():
        A, B = world(assembly, there, mate.a), world(assembly, there, mate.b)
        assert np.abs(mate_residual(mate, A, B)).max() < 1e-12


@pytest.mark.parametrize("kind", ["RevoluteJoint", "CylindricalJoint", "PlanarJoint"])
@pytest.mark.parametrize("sense", [True, False])
def test_axes_stay_along_or_against_each_other_as_they_start(kind, sense, tmp_path):
    turned = Rotation.from_rotvec([0.3 if sense else math.pi - 0.3, 0, 0]).as_matrix()
    text = model_text(joint_text(kind), X_WB=pose_matrix(np.zeros(3), turned))
    assert asmt.read(write(tmp_path, text)).mates["joint.parallel-z"].sense is sense


def test_the_meaning_of_a_joint_is_decided_by_its_number(tmp_path):
    def read(*joint, **fields):
        return asmt.read(write(tmp_path, model_text(joint_text(*joint, **fields)))).mates

    assert read("AngleJoint", theIzJz=0.0)["joint"].kind == "parallel-z"
    assert read("AngleJoint", theIzJz=-0.5)["joint"].value == pytest.approx(0.5)
    assert read("AngleJoint", theIzJz=2 * math.pi - 0.5)["joint"].value == pytest.approx(0.5)
    assert read("SphSphJoint", distanceIJ=0)["joint"].kind == "coincident"
    assert read("CylSphJoint", distanceIJ=0)["joint"].kind == "in-line"
    assert read("SphSphJoint", distanceIJ=-2)["joint"].value == 2.0
    assert read("PlanarJoint")["joint.in-plane"].value == 0.0


@pytest.mark.parametrize(
    ("angle", "tilt", "sense"),
    [
        (0, 1.0, True),
        (0, 3.0, True),
        (0, math.pi, False),
        (math.pi, 1.0, False),
        (math.pi, 0, True),
    ],
)
def test_an_angle_of_zero_or_a_half_turn_is_parallel_axes(angle, tilt, sense, tmp_path):
    X_WB = pose_matrix(np.zeros(3), Rotation.from_rotvec([tilt, 0, 0]).as_matrix())
    text = model_text(joint_text("AngleJoint", theIzJz=repr(float(angle))), X_WB=X_WB)
    mate = asmt.read(write(tmp_path, text)).mates["joint"]
    assert (mate.kind, mate.sense) == ("parallel-z", sense)


def test_couplings_carry_their_ratio(tmp_path):
    text = model_text(
        joint_text("GearJoint", "gear", radiusI=1.0, radiusJ="4.0d")
        + joint_text("ScrewJoint", "screw", pitch=-0.5)
        + joint_text("RackPinionJoint", "rack", pitchRadius=0.3)
    )
    couplings = asmt.read(write(tmp_path, text)).couplings
    assert [c.kind.value for c in couplings.values()] == ["gear", "screw", "rack-and-pinion"]
    assert [c.ratio for c in couplings.values()] == [0.25, -0.5, 0.3]
    assert all(c.carrier is None for c in couplings.values())
    rack = couplings["rack"]
    assert (rack.a, rack.b) == (RefId("body", "J"), RefId("model", "rack.rack"))


def test_a_rack_turns_its_sign_when_the_pinion_axis_points_back(tmp_path):
    turned = pose_matrix(np.zeros(3), np.diag([1.0, -1, -1]))
    text = model_text(joint_text("RackPinionJoint", pitchRadius=0.3), X_WB=turned)
    assert asmt.read(write(tmp_path, text)).couplings["joint"].ratio == -0.3


def test_a_marker_sits_on_its_reference_point(tmp_path):
    rng = np.random.default_rng(7)
    point, marker = random_pose(rng), random_pose(rng)
    text = model_text(X_J=marker)
    lone = lines(4, "RefPoint") + frame_text(5, EYE)
    assert text.count(lone) == 1
    text = text.replace(lone, lines(4, "RefPoint") + frame_text(5, point))
    found = asmt.read(write(tmp_path, text)).reference(RefId("body", "J"))
    np.testing.assert_allclose(reference_matrix(found), point @ marker, atol=1e-12)


def test_a_translational_motion_drives_the_slide(tmp_path):
    motion = motion_text(
        "TranslationalMotion", MotionJoint="/model/joint", TranslationZ="0.5 + 2.0d*time"
    )
    file = asmt.read_all(write(tmp_path, model_text(joint_text("TranslationalJoint"), motion)))
    drive = file.assembly.drives["drive"]
    assert drive.of is not None
    assert drive.of.freedom is Freedom.SLIDE
    assert drive.of.zero == (RefId("model", "I"), RefId("body", "J"))
    assert (drive.value, file.motions["drive"].rate(3.0)) == (0.5, 2.0)
    assert file.series is None


def test_a_motion_may_name_markers_instead_of_a_joint(tmp_path):
    motion = motion_text(MarkerI="/model/I", MarkerJ="/model/body/J", MotionJoint="", RotationZ="t")
    motions = asmt.read_motion(write(tmp_path, model_text(joint_text("RevoluteJoint"), motion)))
    assert motions["drive"].value(2.0) == 2.0


def test_a_limit_may_be_written_as_a_formula(tmp_path):
    text = model_text(joint_text("RevoluteJoint"), limits=limit_text())
    assert asmt.read(write(tmp_path, text)).limits["stop"].low == pytest.approx(math.pi / 6)


def test_a_part_named_like_the_assembly_gets_along_with_the_ground(tmp_path):
    text = model_text(joint_text("RevoluteJoint", j="/model/model/J"))
    assembly = asmt.read(write(tmp_path, text.replace("\tbody\n", "\tmodel\n")))
    assert list(assembly.parts) == ["model (ground)", "model"]
    assert assembly.parts["model (ground)"].grounded


def test_windows_line_ends_and_a_byte_order_mark_do_not_matter(tmp_path):
    text = model_text(joint_text("RevoluteJoint"))
    plain = asmt.read(write(tmp_path, text))
    other = asmt.read(write(tmp_path, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()))
    assert plain == other
