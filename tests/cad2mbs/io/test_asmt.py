"""Reading .asmt: the meaning of every joint, real files against their stored results, bad files.

The checks know nothing of the reader's own conversions: the residuals of mates come from the table
of mates, those of joints from their definition between the markers I and J.
"""

from __future__ import annotations

import math
import os
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from cad2mbs.errors import InputError
from cad2mbs.io import asmt
from cad2mbs.io.asmt_joints import KINDS
from cad2mbs.model.assembly import CouplingKind, Freedom
from cad2mbs.model.mates import MATE_KINDS, RefId
from cad2mbs.model.references import SERVES, RefKind

_BESIDE = Path(__file__).resolve().parents[3].parent / "shared"
DATA = Path(os.environ.get("CAD2MBS_SHARED", _BESIDE)) / "data" / "asmt"
FILES = sorted(DATA.glob("*.asmt"))
needs_data = pytest.mark.skipif(not FILES, reason=f"no third-party .asmt models at {DATA}")
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
each_stored = pytest.mark.parametrize(
    "path",
    [path for path in FILES if b"\nTimeSeries" in path.read_bytes()],
    ids=lambda path: path.stem,
)

# The stored results were solved to 1e-6 and printed with 14 digits.
STORED_TOLERANCE = 1e-6
# Known to contradict itself: the offsets of its planar joints are lost.
INCONSISTENT = "mateproblembobcat"


# ---------------------------------------------------------------- frames and residuals, by table


def pose_matrix(position, R):
    X = np.zeros((*np.shape(position)[:-1], 4, 4))
    X[..., :3, :3], X[..., :3, 3], X[..., 3, 3] = R, position, 1.0
    return X


def reference_matrix(reference):
    return pose_matrix(np.array(reference.origin), reference.rotation)


def start_poses(assembly):
    return {
        name: pose_matrix(np.array(part.pose.position), part.pose.rotation())
        for name, part in assembly.parts.items()
    }


def world(assembly, poses, id: RefId):
    return poses[id.part] @ reference_matrix(assembly.reference(id))


def mate_residual(mate, A, B):
    """Lengths and cosines that vanish where the mate holds; A, B (..., 4, 4) in the world."""
    p = B[..., :3, 3] - A[..., :3, 3]
    RA, RB = A[..., :3, :3], B[..., :3, :3]

    def dot(u, v):
        return np.einsum("...i,...i->...", u, v)

    x, y, z = 0, 1, 2
    cosines = np.einsum("...ji,...jk->...ik", RA, RB)  # [..., i, k] = axis i of A on axis k of B
    # The point a seen from the axis or plane b.
    seen = np.einsum("...ji,...j->...i", RB, -p)
    if mate.kind == "coincident":
        rows = [p[..., 0], p[..., 1], p[..., 2]]
    elif mate.kind == "distance":
        rows = [np.sqrt(dot(p, p)) - mate.value]
    elif mate.kind == "in-line":
        rows = [seen[..., x], seen[..., y]]
    elif mate.kind == "axis-distance":
        rows = [np.hypot(seen[..., x], seen[..., y]) - mate.value]
    elif mate.kind == "in-plane":
        rows = [seen[..., z] - mate.value]
    elif mate.kind == "parallel-z":
        sign = 1 if mate.sense else -1
        rows = [RB[..., i, z] - sign * RA[..., i, z] for i in range(3)]
    elif mate.kind == "offset-z":
        rows = [cosines[..., z, z] - math.cos(mate.value)]
    elif mate.kind == "offset-x":
        rows = [RB[..., i, z] - RA[..., i, z] for i in range(3)]
        # x of b is x of a turned about z by the angle: its y part in a is +sin.
        rows += [cosines[..., x, x] - math.cos(mate.value)]
        rows += [cosines[..., y, x] - math.sin(mate.value)]
    elif mate.kind == "identical":
        R = mate.transform.rotation()
        offset = np.einsum("...ji,...j->...i", RA, p) - np.array(mate.transform.position)
        rows = [offset[..., i] for i in range(3)]
        rows += [cosines[..., i, k] - R[i, k] for i in range(3) for k in range(3)]
    else:
        raise AssertionError(f"no residual for {mate.kind}")
    return np.stack(np.broadcast_arrays(*rows), axis=-1)


def turn_about(z, R):
    """Turn of the rotations R (k, 3, 3) about the fixed unit vector z, counted over full turns."""
    q = Rotation.from_matrix(R).as_quat()
    return np.unwrap(2 * np.arctan2(q[:, :3] @ z, q[:, 3]))


# ------------------------------------------------------------------------------- real files


@needs_data
@each_file
def test_every_real_model_reads_and_fits_the_table_of_mates(path):
    assembly = asmt.read(path)
    grounded = [part for part in assembly.parts.values() if part.grounded]
    assert [part.name for part in grounded] == [assembly.name]
    assert all(part.pose is not None for part in assembly.parts.values())
    assert (assembly.units.length, assembly.units.angle) == ("m", "rad")
    for mate in assembly.mates.values():
        kind = MATE_KINDS[mate.kind]
        assert assembly.reference(mate.a).kind in SERVES[kind.a]
        assert assembly.reference(mate.b).kind in SERVES[kind.b]
        if kind.value is not None:
            assert mate.value is not None
            unit = math.pi if kind.value == "angle" else 1.0
            assert kind.low < mate.value / unit < kind.high
    for coupling in assembly.couplings.values():
        assert assembly.reference(coupling.a).kind in SERVES[RefKind.AXIS]
        assert assembly.reference(coupling.b).kind in SERVES[RefKind.AXIS]


def stored(path):
    file = asmt.read_all(path)
    series = file.series
    assert series is not None
    poses = {
        name: pose_matrix(series.position[name], series.rotation[name])
        for name in file.assembly.parts
    }
    points = np.concatenate([X[:, :3, 3] for X in poses.values()])
    markers = [
        world(file.assembly, poses, RefId(part.name, name))[:, :3, 3]
        for part in file.assembly.parts.values()
        for name in part.references
    ]
    size = np.ptp(np.concatenate([points, *markers]), axis=0).max()
    return file, series, poses, size


def worst_mate(file, poses, size):
    """The largest residual over all mates and instants, lengths by model size; and its name."""
    worst = {}
    for mate in file.assembly.mates.values():
        A, B = world(file.assembly, poses, mate.a), world(file.assembly, poses, mate.b)
        for X in (A, B):
            X[..., :3, 3] /= size
        scaled = mate
        if mate.kind in ("distance", "axis-distance", "in-plane"):
            scaled = type(mate)(mate.name, mate.kind, mate.a, mate.b, mate.value / size)
        worst[mate.name] = np.abs(mate_residual(scaled, A, B)).max()
    name = max(worst, key=worst.__getitem__)
    return worst[name], name


@needs_data
@each_stored
def test_mates_hold_along_the_stored_results(path):
    file, _, poses, size = stored(path)
    residual, name = worst_mate(file, poses, size)
    if path.stem == INCONSISTENT:
        assert residual > 1e-3
        return
    assert residual < STORED_TOLERANCE, name


@needs_data
def test_the_check_of_mates_says_no_when_a_part_is_moved():
    file, _, poses, size = stored(DATA / "fourbar.asmt")
    poses["Part2"][:, 0, 3] += 1e-3
    residual, name = worst_mate(file, poses, size)
    assert residual > 1e-4
    assert name.startswith(("Joint2", "Joint3"))


def measured(freedom, A, B):
    """Angle from x of A to x of B about z of A, or height of B over A along z of A; (k,)."""
    R = np.einsum("kji,kjl->kil", A[:, :3, :3], B[:, :3, :3])
    if freedom is Freedom.TURN:
        return np.unwrap(np.arctan2(R[:, 1, 0], R[:, 0, 0]))
    return np.einsum("ki,ki->k", A[:, :3, 2], B[:, :3, 3] - A[:, :3, 3])


@needs_data
@each_stored
def test_drives_follow_their_motion_along_the_stored_results(path):
    file, series, poses, size = stored(path)
    assert set(file.motions) == set(file.assembly.drives)
    for name, drive in file.assembly.drives.items():
        assert drive.of is not None
        assert drive.of.zero is not None
        zero_a, zero_b = drive.of.zero
        assert (drive.of.a, drive.of.b) == (zero_a.part, zero_b.part)
        A, B = world(file.assembly, poses, zero_a), world(file.assembly, poses, zero_b)
        found, wanted = (
            measured(drive.of.freedom, A, B),
            file.motions[name].value(series.times),
        )
        off = np.asarray(found - wanted)
        if drive.of.freedom is Freedom.TURN:
            off = (off + math.pi) % (2 * math.pi) - math.pi
        else:
            off = off / size
        assert np.abs(off).max() < STORED_TOLERANCE
        assert drive.value == pytest.approx(float(np.asarray(wanted)[0]))


def coupling_residual(assembly, coupling, poses, carrier):
    """What the coupling leaves open at each stored instant, counted from the first; (k,)."""
    A, B = world(assembly, poses, coupling.a), world(assembly, poses, coupling.b)
    if coupling.kind is CouplingKind.SCREW:
        slide = measured(Freedom.SLIDE, A, B)
        turns = measured(Freedom.TURN, A, B) / (2 * math.pi)
        return (slide - slide[0]) - coupling.ratio * (turns - turns[0])

    def seen(X):
        return np.linalg.inv(poses[carrier]) @ X

    def turn(X):
        return turn_about(X[0, :3, 2], X[:, :3, :3] @ X[0, :3, :3].T)

    A, B = seen(A), seen(B)
    if coupling.kind is CouplingKind.GEAR:
        return turn(B) + coupling.ratio * turn(A)
    slide = (B[:, :3, 3] - B[0, :3, 3]) @ B[0, :3, 2]
    return slide - coupling.ratio * turn(A)


@needs_data
@pytest.mark.parametrize(("stem", "count"), [("Gears", 1), ("rackscrew", 2)])
def test_couplings_hold_along_the_stored_results(stem, count):
    file, _, poses, size = stored(DATA / f"{stem}.asmt")
    assert len(file.assembly.couplings) == count
    for coupling in file.assembly.couplings.values():
        residual = coupling_residual(file.assembly, coupling, poses, file.assembly.name)
        assert np.abs(residual).max() < STORED_TOLERANCE * max(1.0, size)
        wrong = type(coupling)(
            coupling.name, coupling.kind, coupling.a, coupling.b, -coupling.ratio
        )
        assert (
            np.abs(coupling_residual(file.assembly, wrong, poses, file.assembly.name)).max() > 0.1
        )


@needs_data
@each_stored
def test_parts_start_at_the_input_or_where_it_was_solved(path):
    """crank_slider was saved after its first instant; all others as they went in."""
    file, series, poses, size = stored(path)
    for name, part in file.assembly.parts.items():
        assert part.pose is not None
        position, R = series.input_position[name], series.input_rotation[name]
        if path.stem == "crank_slider":
            position, R = poses[name][0, :3, 3], poses[name][0, :3, :3]
        np.testing.assert_allclose(part.pose.position, position, atol=STORED_TOLERANCE * size)
        np.testing.assert_allclose(part.pose.rotation(), R, atol=STORED_TOLERANCE)


@needs_data
@pytest.mark.parametrize("stem", ["fourbar", "rackscrew", "crank_slider"])
def test_stored_rates_are_the_slopes_of_the_stored_poses(stem):
    series = asmt.read_series(DATA / f"{stem}.asmt")
    assert series is not None
    h = series.times[1] - series.times[0]
    for name, p in series.position.items():
        slope = (p[2:] - p[:-2]) / (2 * h)
        # Second-order differences at 100 instants a turn: (2 pi / 100)^2 / 6 is below 1 %.
        scale = np.abs(series.velocity[name]).max() + 1e-6
        np.testing.assert_allclose(series.velocity[name][1:-1], slope, atol=0.02 * scale)
        spin = Rotation.from_matrix(
            series.rotation[name][2:] @ series.rotation[name][:-2].swapaxes(1, 2)
        ).as_rotvec() / (2 * h)
        scale = np.abs(series.omega[name]).max() + 1e-6
        np.testing.assert_allclose(series.omega[name][1:-1], spin, atol=0.03 * scale)


@needs_data
def test_the_pinion_may_be_named_first():
    assembly = asmt.read(DATA / "rackPinion.asmt")
    (rack,) = assembly.couplings.values()
    assert (rack.a.part, rack.b.part) == ("rackPinion#Cylinder", "rackPinion#Box")
    slide = assembly.reference(RefId("rackPinion#Box", "rackPinion#Slider"))
    along = np.array(assembly.reference(rack.b).z)
    assert abs(along @ np.array(slide.z)) == pytest.approx(1.0)


@needs_data
def test_limits_are_one_sided_and_measured_at_their_markers():
    assembly = asmt.read(DATA / "pistonWithLimits.asmt")
    turn, slide = assembly.limits["Limit1"], assembly.limits["Limit2"]
    assert (turn.low, turn.high, turn.of.freedom) == (0.0, None, Freedom.TURN)
    assert (slide.low, slide.high, slide.of.freedom) == (None, 1.2, Freedom.SLIDE)
    assert turn.of.zero == (RefId("Assembly1", "Marker2"), RefId("Part1", "Marker1"))
    assert (slide.of.a, slide.of.b) == ("Part3", "Assembly1")


# ------------------------------------------------------------------------- small files of our own

EYE = np.eye(4)


def lines(depth, *texts):
    return "".join("\t" * depth + text + "\n" for text in texts)


def frame_text(depth, X):
    rows = ["\t".join(repr(float(v)) for v in row) for row in X[:3, :3]]
    origin = "\t".join(repr(float(v)) for v in X[:3, 3])
    return (
        lines(depth, "Position3D")
        + lines(depth + 1, origin)
        + lines(depth, "RotationMatrix")
        + lines(depth + 1, *rows)
    )


def points_text(depth, markers):
    text = lines(depth, "RefPoints")
    for name, X in markers.items():
        text += lines(depth + 1, "RefPoint") + frame_text(depth + 2, EYE)
        text += lines(depth + 2, "Markers") + lines(depth + 3, "Marker")
        text += lines(depth + 4, "Name") + lines(depth + 5, name) + frame_text(depth + 4, X)
    return text + lines(depth, "RefCurves", "RefSurfaces")


def item_text(kind, **fields):
    text = lines(3, kind)
    for keyword, value in fields.items():
        text += lines(4, keyword) + lines(5, str(value))
    return text


def joint_text(kind, name="joint", i="/model/I", j="/model/body/J", **fields):
    return item_text(kind, Name=name, MarkerI=i, MarkerJ=j, **fields)


def model_text(joints="", motions="", limits="", series="", X_I=EYE, X_J=EYE, X_WB=EYE):
    """A ground with marker I, a part 'body' with marker J, and what is given."""
    text = "banner\n" + lines(0, "Assembly") + lines(1, "Notes") + lines(2, "none")
    text += lines(1, "Name") + lines(2, "model") + frame_text(1, EYE)
    text += points_text(1, {"I": X_I}) + lines(1, "Parts") + lines(2, "Part")
    text += lines(3, "Name") + lines(4, "body") + frame_text(3, X_WB) + lines(3, "FeatureOrder")
    text += points_text(3, {"J": X_J}) + lines(1, "KinematicIJs", "ConstraintSets")
    text += lines(2, "Joints") + joints + lines(2, "Motions") + motions
    if limits:
        text += lines(2, "Limits") + limits
    text += lines(2, "GeneralConstraintSets") + lines(1, "ForceTorques", "SimulationParameters")
    return text + lines(2, "tstart") + lines(3, "0.0") + series


def write(tmp_path, text):
    path = tmp_path / "model.asmt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


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


def motion_text(kind="RotationalMotion", name="drive", **fields):
    return item_text(kind, Name=name, **fields)


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


def limit_text(kind="RotationLimit", sign="=>", value="30*pi/180", **fields):
    return item_text(
        kind, Name="stop", MotionJoint="/model/joint", Limit=value, Type=sign, Tol="1e-9", **fields
    )


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


# ------------------------------------------------------------------------------------ bad files

REVOLUTE = joint_text("RevoluteJoint")
GOOD = model_text(
    REVOLUTE,
    motion_text(MotionJoint="/model/joint", RotationZ="2*pi*time"),
    limit_text(),
    "TimeSeries\nNumber\tInput\t1\nTime\tInput\t0.0\n"
    + "".join(
        head + "".join(f"{row}\t0\t0\n" for row in ("X", "Y", "Z", "Bryantx", "Bryanty", "Bryantz"))
        for head in ("AssemblySeries\t/model\n", "PartSeries\t/model/body\n")
    ),
)


def test_the_good_file_of_these_tests_is_good(tmp_path):
    file = asmt.read_all(write(tmp_path, GOOD))
    assert file.series is not None
    assert file.series.velocity == {}
    np.testing.assert_array_equal(file.series.rotation["body"], np.eye(3)[None])


def replaced(old, new, count=1):
    assert old in GOOD
    return GOOD.replace(old, new, count)


BAD = {
    "unknown joint": (
        model_text(joint_text("CurveCurveContact", "cam")),
        r"model\.asmt:\d+: error: joint 'cam' is a CurveCurveContact.*read are: AngleJoint.*Univ",
    ),
    "constant velocity": (model_text(joint_text("ConstantVelocityJoint")), "cannot be read"),
    "general motion": (
        model_text(motions=motion_text("GeneralMotion")),
        "motion 'drive' is a GeneralMotion.*RotationalMotion, TranslationalMotion",
    ),
    "distance limit": (
        model_text(REVOLUTE, limits=limit_text("DistanceLimit")),
        "limit 'stop' is a DistanceLimit",
    ),
    "soft limit": (
        model_text(REVOLUTE, limits=limit_text(Behavior="Compliant")),
        "limit 'stop' is Compliant; only Rigid",
    ),
    "limit of time": (model_text(REVOLUTE, limits=limit_text(value="t")), "depends on time"),
    "limit type": (model_text(REVOLUTE, limits=limit_text(sign="==")), "limit type '=='"),
    "unknown marker": (
        model_text(joint_text("RevoluteJoint", j="/model/body/K")),
        r"MarkerJ '/model/body/K' is no marker of this file; some: /model/body/J",
    ),
    "unknown motion joint": (replaced("/model/joint", "/model/hinge"), "no joint of this file"),
    "other markers": (
        model_text(
            REVOLUTE,
            motion_text(
                MarkerI="/model/body/J", MarkerJ="/model/I", MotionJoint="/model/joint", RotationZ=0
            ),
        ),
        "names other markers than its joint",
    ),
    "same marker": (model_text(joint_text("RevoluteJoint", j="/model/I")), "same marker"),
    "unknown field": (model_text(joint_text("RevoluteJoint", slack=1)), "unknown 'slack' in Revol"),
    "unknown section": (replaced("\tForceTorques", "\tMagnets"), "unknown 'Magnets' in Assembly"),
    "measured quantity": (
        replaced("\tKinematicIJs\n", "\tKinematicIJs\n\t\tAngle\n"),
        "KinematicIJs cannot be read and must be empty; found 'Angle'",
    ),
    "missing field": (model_text(joint_text("GearJoint", radiusI=1)), "GearJoint needs radiusJ"),
    "zero radius": (model_text(joint_text("GearJoint", radiusI=1, radiusJ=0)), "other than 0"),
    "zero pitch": (model_text(joint_text("ScrewJoint", pitch=0)), "pitch of 'joint' must not be 0"),
    "tiny radius": (
        model_text(joint_text("GearJoint", radiusI="1e300", radiusJ="1e-300")),
        "not a finite number",
    ),
    "word for number": (model_text(joint_text("ScrewJoint", pitch="fast")), "'fast' is not a num"),
    "nan": (model_text(joint_text("ScrewJoint", pitch="nan")), "'nan' is not a number"),
    "huge number": (model_text(joint_text("ScrewJoint", pitch="1e999")), "'1e999' is not a number"),
    "two numbers": (model_text(joint_text("ScrewJoint", pitch="1 2")), "needs 1 numbers in a line"),
    "joint twice": (model_text(REVOLUTE * 2), "joint 'joint' again, first in line"),
    "motion twice": (
        model_text(REVOLUTE, motion_text(MotionJoint="/model/joint", RotationZ="t") * 2),
        "motion 'drive' again",
    ),
    "limit twice": (model_text(REVOLUTE, limits=limit_text() * 2), "limit 'stop' again"),
    "field twice": (
        replaced("\t\t\t\tMarkerI\n", "\t\t\t\tMarkerI\n\t\t\t\t\t/model/I\n\t\t\t\tMarkerI\n"),
        "has MarkerI twice",
    ),
    "name of a mate": (
        model_text(REVOLUTE + joint_text("SphericalJoint", "joint.coincident")),
        "second mate the name 'joint.coincident'",
    ),
    "empty name": (model_text(joint_text("RevoluteJoint", name="")), "Name of Rev.* needs one"),
    "formula": (replaced("2*pi*time", "2*pi*"), r"asmt:\d+: error: expression '2\*pi\*' ends"),
    "formula without value": (replaced("2*pi*time", "ln(t)"), "has no value at time 0"),
    "mirror": (replaced("1.0\t0.0\t0.0\n", "-1.0\t0.0\t0.0\n"), r"determinant \+1"),
    "shear": (replaced("1.0\t0.0\t0.0\n", "1.0\t0.1\t0.0\n"), "nearest one differs by"),
    "two columns": (replaced("0.0\t0.0\t0.0\n", "0.0\t0.0\n"), "needs 3 numbers in a line"),
    "too deep": (replaced("\tParts\n", "\tParts\n\t\t\t\tPart\n"), "4 tabs before 'Part'"),
    "no tab": (replaced("\tParts\n", "Parts\n"), "found 'Parts' without a tab"),
    "no assembly": ("banner\nbanner\n", "not an .asmt model.*'banner' in line 2"),
    "empty": ("", "not an .asmt model"),
    "not text": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), r"model\.asmt:1: .*0x89 is not UTF-8"),
    "control characters": (replaced("body", "bo\x00dy"), r"control character '\\x00'"),
    "no end of joints": (
        GOOD[: GOOD.index("\t\tGeneralConstraintSets")],
        "ConstraintSets needs GeneralConstraintSets",
    ),
    "empty series": (GOOD[: GOOD.index("Number")], "TimeSeries is empty"),
    "no times": (GOOD[: GOOD.index("Time\tInput")], "need a row 'Time Input"),
    "half a series": (GOOD[: GOOD.index("PartSeries")], "lack those of 'body'"),
    "short row": (replaced("Bryantx\t0\t0", "Bryantx\t0"), "row Bryantx has 1 numbers, wanted"),
    "unknown row": (replaced("Bryantx", "Eulerx"), "row 'Eulerx' in"),
    "missing row": (replaced("Bryantx\t0\t0\n", ""), "needs the rows Bryantx, Bryanty, Bryantz"),
    "other counts": (replaced("Number\tInput\t1", "Number\tInput\t1\t2"), "1 times, but 2 numbers"),
    "foreign series": (replaced("/model/body\nX", "/model/arm\nX"), "/model/arm', which is no"),
    "series twice": (replaced("PartSeries\t/model/body", "PartSeries\t/model"), "a second time"),
    "headless rows": (replaced("AssemblySeries\t/model\n", ""), "was expected before the numbers"),
    "pathless series": (replaced("PartSeries\t/model/body", "PartSeries"), "a heading like"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_wrong_file_is_told_with_file_and_reason(case, tmp_path):
    text, message = BAD[case]
    with pytest.raises(InputError, match=message) as caught:
        asmt.read_all(write(tmp_path, text))
    first = caught.value.diagnostics[0]
    assert Path(first.file).name == "model.asmt"
    assert first.line is not None


def test_duplicate_parts_and_markers_are_refused(tmp_path):
    part = GOOD[GOOD.index("\t\tPart\n") : GOOD.index("\tKinematicIJs")]
    with pytest.raises(InputError, match="part 'body' again, first in line"):
        asmt.read(write(tmp_path, GOOD.replace(part, part * 2)))
    point = part[part.index("\t\t\t\tRefPoint\n") : part.index("\t\t\tRefCurves")]
    with pytest.raises(InputError, match="marker 'J' again on 'body'"):
        asmt.read(write(tmp_path, GOOD.replace(point, point * 2)))


def test_all_wrong_joints_come_in_one_error(tmp_path):
    text = model_text(
        joint_text("CurveCurveContact", "one") + REVOLUTE + joint_text("MagicJoint", "two")
    )
    with pytest.raises(InputError) as caught:
        asmt.read(write(tmp_path, text))
    assert [re.findall("joint '(.*?)'", d.message)[0] for d in caught.value.diagnostics] == [
        "one",
        "two",
    ]
    found = [finding.line or 0 for finding in caught.value.diagnostics]
    assert all(0 < a < b for a, b in pairwise(found))


def test_a_missing_file_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        asmt.read(tmp_path / "nowhere.asmt")
    with pytest.raises(InputError, match="cannot be read"):
        asmt.read(tmp_path)


@pytest.mark.parametrize("at", range(0, len(GOOD), 41))
def test_a_file_cut_anywhere_reads_whole_or_not_at_all(at, tmp_path):
    whole = asmt.read(write(tmp_path, GOOD))
    try:
        cut = asmt.read(write(tmp_path, GOOD[:at]))
    except InputError:
        return
    assert cut == whole


def bases():
    return [GOOD.encode()] + [
        path.read_bytes()[:9000] + b"\n" + path.read_bytes()[-9000:]
        if path.stat().st_size > 20_000
        else path.read_bytes()
        for path in FILES
    ]


@st.composite
def damaged(draw):
    """A model with a few lines dropped, doubled, swapped, re-indented, cut or overwritten."""
    rows = draw(st.sampled_from(bases())).split(b"\n")
    for _ in range(draw(st.integers(1, 4))):
        i, j = (draw(st.integers(0, len(rows) - 1)) for _ in range(2))
        change = draw(st.sampled_from(["drop", "double", "swap", "indent", "dedent", "put", "cut"]))
        if change == "drop" and len(rows) > 1:
            del rows[i]
        elif change == "double":
            rows.insert(i, rows[i])
        elif change == "swap":
            rows[i], rows[j] = rows[j], rows[i]
        elif change == "indent":
            rows[i] = b"\t" + rows[i]
        elif change == "dedent":
            rows[i] = rows[i].removeprefix(b"\t")
        elif change == "cut":
            rows = rows[: i + 1]
        elif change == "put":
            tabs = len(rows[i]) - len(rows[i].lstrip(b"\t"))
            junk = st.sampled_from([b"nan", b"1e308\t1e308\t1e308", b"0", b"-1", b"x", b"1d400"])
            rows[i] = b"\t" * tabs + draw(junk | st.binary(max_size=12))
    return b"\n".join(rows)


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damaged())
def test_a_damaged_file_reads_or_is_an_input_error(tmp_path, data):
    path = write(tmp_path, data)
    try:
        file = asmt.read_all(path)
    except InputError as error:
        findings = error.diagnostics
    else:
        findings = []
        for mate in file.assembly.mates.values():
            file.assembly.reference(mate.a)
            file.assembly.reference(mate.b)
    assert all(finding.file == str(path) for finding in findings)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_garbage_is_an_input_error(tmp_path, data):
    with pytest.raises(InputError):
        asmt.read(write(tmp_path, data))


def test_much_garbage_is_refused_at_once(tmp_path):
    with pytest.raises(InputError, match=r"not an \.asmt model"):
        asmt.read(write(tmp_path, b"lorem ipsum\n" * 900_000))
