"""What each kind of FreeCAD joint becomes, and what it leaves free."""

from __future__ import annotations

from dataclasses import replace

import cadquery as cq
import numpy as np
import pytest

from cad2mbs.io import fcstd
from cad2mbs.model.assembly import Assembly, CouplingKind
from tests.cad2mbs.io import fcstd_models as fm
from tests.cad2mbs.io.fcstd_models import DIALECTS, End, FcFile, pose
from tests.reference.joint_kinds import FREEDOMS

BOX = cq.Workplane().box(10, 10, 10).val()
CYLINDER = cq.Solid.makeCylinder(4, 20)
BALL = cq.Solid.makeSphere(3, angleDegrees1=-90)
CONE = cq.Solid.makeCone(4, 1, 10)
RING = cq.Solid.makeTorus(8, 2)


def element(shape: cq.Shape, kind: str) -> str:
    """Name of the first face or edge of a kind, counted by the kernel's own map."""
    from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE
    from OCP.TopExp import TopExp
    from OCP.TopTools import TopTools_IndexedMapOfShape

    face = kind in ("PLANE", "CYLINDER", "SPHERE", "CONE", "TORUS")
    found = TopTools_IndexedMapOfShape()
    TopExp.MapShapes_s(shape.wrapped, TopAbs_FACE if face else TopAbs_EDGE, found)
    for i in range(1, found.Extent() + 1):
        piece = cq.Shape.cast(found.FindKey(i))
        if piece.geomType() == kind:
            return f"{'Face' if face else 'Edge'}{i}"
    raise AssertionError(f"no {kind}")


@pytest.mark.parametrize(
    ("kind", "joint"),
    [("Revolute", "revolute"), ("Cylindrical", "cylindrical"), ("Slider", "prismatic"),
     ("Ball", "spherical")],
)  # fmt: skip
def test_lower_pairs_are_recognised(tmp_path, kind, joint):
    X = pose((1, 2, 3), (1, 1, 0), 40)
    path = fm.pair(tmp_path, kind, End("a", X), End("b", X))
    m = fcstd.read(path).mechanism()
    (found,) = m.joints
    assert found.kind == joint
    assert m.mobility.freedoms == FREEDOMS[joint]


@pytest.mark.parametrize(
    ("kind", "more", "freedoms"),
    [("Fixed", {}, 0), ("Parallel", {}, 4), ("Perpendicular", {}, 5),
     ("Angle", {"Distance": fm.number(30.0)}, 5), ("Angle", {"Angle": fm.number(30.0)}, 5),
     ("Angle", {"Angle": fm.number(0.0), "Distance": fm.number(30.0)}, 4)],
)  # fmt: skip
def test_freedoms_that_are_left(tmp_path, kind, more, freedoms):
    tilt = {"Perpendicular": 90.0, "Angle": 30.0}.get(kind, 0.0)
    places = (pose(), pose((3, 4, 5), (1, 0, 0), tilt))
    path = fm.pair(tmp_path, kind, End("a", pose()), End("b", pose()), places=places, **more)
    m = fcstd.read(path).mechanism()
    assert m.assembled
    assert m.mobility.freedoms == freedoms
    if kind == "Angle" and freedoms == 5:
        assert m.poses["b"].rotation()[2, 2] == pytest.approx(np.cos(np.radians(30)), abs=1e-9)


def test_the_number_of_a_joint_type_counts_in_the_list_of_the_file(tmp_path):
    words = ("Slider", "Revolute")  # another order than FreeCAD's present one
    kind = {"JointType": fm.choice("Slider", words)}
    path = fm.pair(tmp_path, "Ball", End("a", pose()), End("b", pose()), **kind)
    assert fcstd.read(path).mechanism().joints[0].kind == "prismatic"


# Elements on a and b with the distance that must come out, and what it leaves free.
DISTANCES = {
    "point-point": (BOX, "Vertex1", BOX, "Vertex2", 7.0, "distance", 7.0, 5),
    "point-point-0": (BOX, "Vertex1", BOX, "Vertex2", 0.0, "coincident", None, 3),
    "line-line": (BOX, "LINE", BOX, "LINE", 7.0, "axis-distance", 7.0, 3),
    "circle-line": (CYLINDER, "CIRCLE", BOX, "LINE", 7.0, "axis-distance", 11.0, 3),
    "circle-circle": (CYLINDER, "CIRCLE", CYLINDER, "CIRCLE", 1.0, "axis-distance", 9.0, 3),
    "plane-plane": (BOX, "PLANE", BOX, "PLANE", 7.0, "in-plane", 7.0, 3),
    "cylinder-plane": (CYLINDER, "CYLINDER", BOX, "PLANE", 7.0, "in-plane", 11.0, 4),
    "plane-sphere": (BOX, "PLANE", BALL, "SPHERE", 7.0, "in-plane", 10.0, 5),
    "plane-cone": (BOX, "PLANE", CONE, "CONE", 7.0, "in-plane", 7.0, 3),
    "plane-torus": (BOX, "PLANE", RING, "TORUS", 7.0, "in-plane", 7.0, 3),
    "cylinder-cylinder": (CYLINDER, "CYLINDER", CYLINDER, "CYLINDER", 0.0, "axis-distance", 8.0, 3),
    "sphere-cylinder": (BALL, "SPHERE", CYLINDER, "CYLINDER", 1.0, "axis-distance", 8.0, 5),
    "cylinder-torus": (CYLINDER, "CYLINDER", RING, "TORUS", 1.0, "axis-distance", 5.0, 3),
    "torus-sphere": (RING, "TORUS", BALL, "SPHERE", 1.0, "axis-distance", 4.0, 5),
    "torus-torus": (RING, "TORUS", RING, "TORUS", 7.0, "in-plane", 7.0, 3),
    "sphere-sphere": (BALL, "SPHERE", BALL, "SPHERE", 0.0, "distance", 6.0, 5),
    "cone-cylinder": (CONE, "CONE", CYLINDER, "CYLINDER", 7.0, "in-plane", 7.0, 3),
    "point-plane": (BOX, "Vertex1", BOX, "PLANE", 7.0, "in-plane", 7.0, 5),
    "point-cylinder": (BOX, "Vertex1", CYLINDER, "CYLINDER", 1.0, "axis-distance", 5.0, 5),
    "point-sphere": (BOX, "Vertex1", BALL, "SPHERE", 1.0, "distance", 4.0, 5),
    "line-plane": (BOX, "LINE", BOX, "PLANE", 7.0, "in-plane", 7.0, 4),
    "circle-plane": (CYLINDER, "CIRCLE", BOX, "PLANE", 7.0, "in-plane", 7.0, 3),
    "point-line": (BOX, "Vertex1", BOX, "LINE", 7.0, "axis-distance", 7.0, 5),
    "point-circle": (BOX, "Vertex1", CYLINDER, "CIRCLE", 7.0, "in-plane", 7.0, 5),
}  # fmt: skip


@pytest.fixture(scope="module")
def all_distances(tmp_path_factory) -> Assembly:
    """One file with every case, each between two components of its own."""
    folder, file = tmp_path_factory.mktemp("distances"), FcFile()
    for case, (one, first, two, second, given, *_) in DISTANCES.items():
        words = ((one, first), (two, second))
        names = [w if w.startswith("Vertex") else element(s, w) for s, w in words]
        # The line in a plane, and a cylinder on one, lie along it.
        tilt = 90.0 if case in ("line-plane", "cylinder-plane") else 0.0
        file.feature(f"a-{case}", one, pose(), folder)
        file.feature(f"b-{case}", two, pose((5, 1, 2), (1, 0, 0), tilt), folder)
        ends = End(f"a-{case}", pose(), names[0]), End(f"b-{case}", pose(), names[1])
        joint = fm.joint_properties("Distance", *ends, Distance=fm.number(given))
        file.add("App::FeaturePython", case, **joint)
    file.add("Assembly::JointGroup", "Joints", Group=fm.links(*DISTANCES))
    parts = [f"{end}-{case}" for case in DISTANCES for end in "ab"]
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links(*parts, "Joints"))
    return fcstd.read(file.write(folder / "all.FCStd"))


@pytest.mark.parametrize("case", DISTANCES)
def test_a_distance_joint_means_what_its_elements_are(all_distances, case):
    *_, kind, value, freedoms = DISTANCES[case]
    names = (f"a-{case}", f"b-{case}")
    mates = {n: m for n, m in all_distances.mates.items() if m.a.part in names}
    found = {m.kind: m.value for m in mates.values()}
    assert kind in found
    assert found[kind] == (None if value is None else pytest.approx(value))
    parts = {n: replace(all_distances.parts[n], grounded=n == names[0]) for n in names}
    m = Assembly(case, parts, mates).mechanism()
    assert m.assembled
    assert m.mobility.freedoms == freedoms


def test_the_plane_of_a_distance_joint_is_its_first_end_whichever_was_picked_first(tmp_path):
    face = element(BOX, "PLANE")
    ends = End("a", pose(), "Vertex1"), End("b", pose((0, 0, 2)), face)
    path = fm.pair(tmp_path, "Distance", *ends, Distance=fm.number(7.0))
    (mate,) = fcstd.read(path).mates.values()
    assert mate.kind == "in-plane"
    assert (mate.a.part, mate.b.part) == ("a", "b")  # the point a, the plane b


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_joint_that_is_switched_off_is_read_without_effect(tmp_path, dialect):
    path = fm.slider_crank(tmp_path, dialect, Guide=fm.switched(dialect, False))
    a = fcstd.read(path)
    assert {m.name.partition(".")[0] for m in a.mates.values() if m.off} == {"Guide"}
    assert a.mechanism().mobility.freedoms == 3


LIMITS = {
    "LengthMin": fm.number(-5.0), "LengthMax": fm.number(60.0), "AngleMin": fm.number(-10.0),
    "AngleMax": fm.number(20.0),
}  # fmt: skip


def enabled(*names: str) -> dict:
    return {**LIMITS, **{f"Enable{n}": fm.boolean(n in names) for n in LIMITS}}


def test_a_limit_without_its_flag_means_nothing(tmp_path):
    path = fm.pair(tmp_path, "Cylindrical", End("a", pose()), End("b", pose()), **enabled())
    assert not fcstd.read(path).limits


def test_limits_bound_slide_and_turn_of_the_joint(tmp_path):
    flags = enabled("LengthMin", "LengthMax", "AngleMax")
    path = fm.pair(
        tmp_path, "Cylindrical", End("a", pose()), End("b", pose((0, 0, -3))), places=(pose(),) * 2,
        **flags,
    )  # fmt: skip
    a = fcstd.read(path)
    bounds = {name: (limit.low, limit.high) for name, limit in a.limits.items()}
    assert bounds == {"J length": (-5.0, 60.0), "J angle": (None, 20.0)}
    m = a.mechanism()
    slide = next(n for n in m.drives if "slide" in n)
    start = m.poses["b"].position[2]
    m.drive({slide: 1000.0})
    # b's frame sits 3 below its origin and may rise to 60 above a's.
    assert max(m.poses["b"].position[2], start) == pytest.approx(63.0, abs=1e-6)


def test_bounds_in_the_wrong_order_are_swapped(tmp_path):
    more = {**enabled("AngleMin", "AngleMax"), "AngleMin": fm.number(40.0)}
    path = fm.pair(tmp_path, "Revolute", End("a", pose()), End("b", pose()), **more)
    (limit,) = fcstd.read(path).limits.values()
    assert (limit.low, limit.high) == (20.0, 40.0)


def wheels(folder, kind: str, one: End, two: End, second_joint: tuple, **more):
    """A base, a wheel on a hinge at the origin, another component, and a coupling of the two."""
    file = FcFile()
    places = {"base": pose(), "wheel": pose(), "other": pose((30, 0, 0))}
    for name, X in places.items():
        file.feature(name, BOX, X, folder)
    hinge = fm.joint_properties("Revolute", End("base", pose()), End("wheel", pose()))
    file.add("App::FeaturePython", "Hinge", **hinge)
    file.add("App::FeaturePython", "Second", **fm.joint_properties(*second_joint))
    file.add("App::FeaturePython", "Mesh", **fm.joint_properties(kind, one, two, **more))
    file.add("App::FeaturePython", "Ground", ObjectToGround=fm.link("base"))
    file.add("Assembly::JointGroup", "Joints", Group=fm.links("Hinge", "Second", "Mesh", "Ground"))
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links(*places, "Joints"))
    return file.write(folder / "wheels.FCStd")


def turned(m, part: str) -> float:
    R = m.poses[part].rotation()
    return float(np.degrees(np.arctan2(R[1, 0], R[0, 0])))


def driven(m, part: str, by: float) -> None:
    drive = next(n for n in m.offer() if part in n)
    assert m.drive({drive: m.offer()[drive].value + by}).ok


@pytest.mark.parametrize(("kind", "sense"), [("Gears", -1.0), ("Belt", 1.0)])
def test_gears_turn_against_each_other_and_belts_the_same_way(tmp_path, kind, sense):
    path = wheels(
        tmp_path, kind, End("wheel", pose()), End("other", pose()),
        ("Revolute", End("base", pose((30, 0, 0))), End("other", pose())),
        Distance=fm.number(10.0), Distance2=fm.number(20.0),
    )  # fmt: skip
    m = fcstd.read(path).mechanism()
    assert m.mobility.freedoms == 1
    driven(m, "wheel", 40.0)
    assert abs(turned(m, "wheel")) == pytest.approx(40.0, abs=1e-6)
    assert turned(m, "other") == pytest.approx(sense * 0.5 * turned(m, "wheel"), abs=1e-6)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_rack_runs_by_the_radius_times_the_turn(tmp_path, swapped):
    along_x = pose(axis=(0, 1, 0), degrees=90.0)
    ends = [End("wheel", pose()), End("other", along_x)]
    path = wheels(
        tmp_path, "RackPinion", *(ends[::-1] if swapped else ends),
        ("Slider", End("base", along_x), End("other", along_x)), Distance=fm.number(12.0),
    )  # fmt: skip
    a = fcstd.read(path)
    assert next(iter(a.couplings.values())).kind is CouplingKind.RACK
    m = a.mechanism()
    assert m.mobility.freedoms == 1
    driven(m, "wheel", 30.0)
    # FreeCAD's law: the rack runs along the axis of its marker by +radius x turn of the pinion.
    run = m.poses["other"].position[0] - 30.0
    assert run == pytest.approx(12.0 * np.radians(turned(m, "wheel")), abs=1e-6)


def test_a_screw_moves_the_sliding_part_by_its_pitch_a_turn(tmp_path):
    at = pose((30, 0, 0))
    path = wheels(
        tmp_path, "Screw", End("wheel", pose()), End("other", pose()),
        ("Slider", End("base", at), End("other", pose())), Distance=fm.number(8.0),
    )  # fmt: skip
    m = fcstd.read(path).mechanism()
    assert m.mobility.freedoms == 1
    driven(m, "wheel", 90.0)
    assert abs(m.poses["other"].position[2]) == pytest.approx(2.0, abs=1e-6)


def test_a_rack_without_a_slider_is_left_out_with_a_note(tmp_path):
    path = wheels(
        tmp_path, "RackPinion", End("wheel", pose()), End("other", pose()),
        ("Revolute", End("base", pose((30, 0, 0))), End("other", pose())), Distance=fm.number(9.0),
    )  # fmt: skip
    a = fcstd.read(path)
    assert not a.couplings
    assert any("'Mesh'" in note and "Slider" in note for note in a.notes)


def test_a_joint_with_an_empty_end_is_left_out_with_a_note(tmp_path):
    empty = {"Reference2": ("App::PropertyXLinkSub", '<XLink file="" stamp="" name=""/>')}
    path = fm.pair(tmp_path, "Ball", End("a", pose()), End("b", pose()), **empty)
    a = fcstd.read(path)
    assert not a.mates
    assert any("'J'" in note and "second reference" in note for note in a.notes)


def test_a_motion_becomes_a_drive_of_its_joint(tmp_path):
    file = FcFile()
    for name in "ab":
        file.feature(name, BOX, pose(), tmp_path)
    hinge = fm.joint_properties("Revolute", End("a", pose()), End("b", pose()))
    file.add("App::FeaturePython", "J", **hinge)
    file.add(
        "App::FeaturePython", "Motion", Joint=fm.xsub("J", ""), Formula=fm.string("5*time"),
        MotionType=fm.choice("Angular", ("Angular", "Linear")),
    )  # fmt: skip
    file.add("App::FeaturePython", "Sim", aTimeStart=fm.number(0.0), Group=fm.links("Motion"))
    file.add("Assembly::SimulationGroup", "Sims", Group=fm.links("Sim"))
    file.add("App::FeaturePython", "Ground", ObjectToGround=fm.link("a"))
    file.add("Assembly::JointGroup", "Joints", Group=fm.links("J", "Ground"))
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("a", "b", "Joints", "Sims"))
    a = fcstd.read(file.write(tmp_path / "motion.FCStd"))
    m = a.mechanism()
    assert m.drive(Motion=25.0).ok
    assert turned(m, "b") == pytest.approx(25.0, abs=1e-9)
    assert any("5*time" in note for note in a.notes)
