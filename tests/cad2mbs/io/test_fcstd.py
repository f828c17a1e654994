"""FreeCAD assemblies in every dialect are the mechanism that a plain mates file describes."""

from __future__ import annotations

from pathlib import Path

import cadquery as cq
import numpy as np
import pytest

from cad2mbs.io import fcstd, mates_file
from cad2mbs.mechanism import Mechanism
from cad2mbs.model.assembly import Assembly
from tests.cad2mbs.io import fcstd_models as fm
from tests.cad2mbs.io.fcstd_models import DIALECTS, End, FcFile, pose

POSE_TOL = 1e-7  # [mm]  the file holds 16 digits behind the point, the solver closes to 1e-9


@pytest.fixture
def mates(tmp_path) -> Assembly:
    path = tmp_path / "assembly.yaml"
    path.write_text(fm.MATES, encoding="utf-8")
    return mates_file.read(path)


def joints_of(m: Mechanism) -> set[tuple[frozenset[str], str]]:
    return {(frozenset(j.bodies), j.kind) for j in m.joints}


def assert_slider_crank(a: Assembly, mates: Assembly) -> None:
    m, wanted = a.mechanism(), mates.mechanism()
    assert m.assembled
    assert m.mobility.freedoms == wanted.mobility.freedoms == 1
    assert joints_of(m) == joints_of(wanted)
    for name, X in fm.start_poses().items():
        assert np.allclose(m.poses[name].position, X[:3, 3], atol=POSE_TOL)
        assert np.allclose(m.poses[name].rotation(), X[:3, :3], atol=1e-9)
    # Where the slider is, by the law of the slider-crank.
    (drive,) = m.drives
    for turn in (20.0, 75.0, 140.0):
        assert m.drive({drive: m.drives[drive].value + turn}).ok
        crank = np.arctan2(*m.poses["crank"].rotation()[[1, 0], 0])
        x = fm.CRANK * np.cos(crank) + np.sqrt(fm.ROD**2 - (fm.CRANK * np.sin(crank)) ** 2)
        assert m.poses["slider"].position == pytest.approx((x, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize("how", ["direct", "links", "files"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_reads_to_the_same_mechanism(tmp_path, dialect, how, mates):
    a = fcstd.read(fm.slider_crank(tmp_path, dialect, how))
    assert a.name == "slider-crank"
    assert a.notes == ()
    assert [n for n, p in a.parts.items() if p.grounded] == ["frame"]
    assert_slider_crank(a, mates)


def test_shapes_lose_the_placement_in_their_file_and_keep_their_size(tmp_path):
    a = fcstd.read(fm.slider_crank(tmp_path, how="links"))
    for name, shape in fm.solids().items():
        solid = a.parts[name].solid
        assert solid is not None
        assert solid.volume == pytest.approx(shape.Volume(), rel=1e-9)
        assert solid.centre == pytest.approx(shape.Center().toTuple(), abs=1e-9)


def test_a_link_with_transform_keeps_the_placement_of_its_target(tmp_path):
    file, X_target, X_link = (
        FcFile(),
        pose((1, 2, 3), (1, 0, 0), 30),
        pose((10, 0, 0), (0, 0, 1), 9),
    )
    file.feature("box", cq.Workplane().box(2, 4, 6).translate((1, 2, 3)).val(), X_target, tmp_path)
    for name, on in (("kept", True), ("replaced", False)):
        file.add(
            "App::Link", name, LinkedObject=fm.xlink("box"), LinkTransform=fm.boolean(on),
            Placement=fm.placement(X_link),
        )  # fmt: skip
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("kept", "replaced"))
    a = fcstd.read(file.write(tmp_path / "links.FCStd"))
    centre = np.array([1, 2, 3, 1.0])
    for name, X in (("kept", X_link @ X_target), ("replaced", X_link)):
        part = a.parts[name]
        assert part.pose is not None
        assert part.solid is not None
        at = part.pose.rotation() @ part.solid.centre + part.pose.position
        assert at == pytest.approx((X @ centre)[:3], abs=1e-9)
    assert "grounded" in a.notes[0]


def nested(folder: Path) -> FcFile:
    """App::Part "unit" with a moved body and a moved group member; a hinge on the body's face."""
    file = FcFile()
    box = cq.Workplane().box(10, 10, 10).val()
    X_body = pose((20, 0, 0), (0, 0, 1), 90)
    file.add(
        "PartDesign::Body", "Body", Placement=fm.placement(X_body),
        Shape=file.shape("Body", box, X_body, folder), Group=fm.links("Pad"),
    )  # fmt: skip
    file.feature("Pad", box, pose(), folder)
    file.feature("Extra", box, pose((0, 0, 50)), folder)
    file.add("App::DocumentObjectGroup", "Group", Group=fm.links("Extra"))
    file.add(
        "App::Part", "Unit", Placement=fm.placement(pose((0, 5, 0))),
        Group=fm.links("Body", "Group"),
    )  # fmt: skip
    file.feature("base", box, pose(), folder)
    return file


def finished(file: FcFile, folder: Path, joint: dict, *components: str) -> Path:
    file.add("App::FeaturePython", "J", **joint)
    file.add("App::FeaturePython", "Ground", ObjectToGround=fm.link("base"))
    file.add("Assembly::JointGroup", "Joints", Group=fm.links("J", "Ground"))
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links(*components, "Joints"))
    return file.write(folder / "nested.FCStd")


@pytest.mark.parametrize("path", ["Body.", "Body.Pad.", "Body.;g3v1;SKT."])
def test_a_part_moves_as_one_and_its_body_is_found_by_path(tmp_path, path):
    file = nested(tmp_path)
    hinge = pose((1, 0, 0))
    # World: Unit (0,5,0) * Body (20,0,0 turned 90) * (1,0,0) = (20,6,0), x along world y.
    joint = fm.joint_properties(
        "Revolute",
        End("base", pose((20, 6, 0), (0, 0, 1), 90)),
        End("Unit", hinge, path=path, object="Body"),
    )
    a = fcstd.read(finished(file, tmp_path, joint, "base", "Unit"))
    assert set(a.parts) == {"base", "Unit"}
    unit = a.parts["Unit"].solid
    assert unit is not None
    assert unit.volume == pytest.approx(2000.0)
    assert unit.centre == pytest.approx((10.0, 0.0, 25.0), abs=1e-9)
    m = a.mechanism()
    assert m.assembled
    assert m.mobility.freedoms == 1
    assert m.poses["Unit"].position == pytest.approx((0, 5, 0), abs=POSE_TOL)


@pytest.mark.parametrize("dialect", ["strings", "object"])
def test_older_dialects_find_an_object_inside_a_part_by_its_name(tmp_path, dialect):
    file = nested(tmp_path)
    joint = fm.joint_properties(
        "Ball", End("base", pose((20, 6, 0))), End("Unit", pose((1, 0, 0)), object="Body"), dialect
    )
    a = fcstd.read(finished(file, tmp_path, joint, "base", "Unit"))
    assert a.parts["Unit"].references["J"].origin == pytest.approx((20, 1, 0), abs=1e-9)


def test_a_joint_to_the_origin_of_the_assembly_is_a_joint_to_the_ground(tmp_path):
    file = nested(tmp_path)
    file.add("App::Plane", "XZ_Plane", Placement=fm.placement(pose(axis=(1, 0, 0), degrees=90)))
    file.add("App::Origin", "Origin", OriginFeatures=fm.links("XZ_Plane"))
    joint = fm.joint_properties(
        "Fixed", End("Origin", pose(), "", "XZ_Plane."), End("base", pose())
    )
    file.add("App::FeaturePython", "J", **joint)
    file.add("Assembly::JointGroup", "Joints", Group=fm.links("J"))
    file.add(
        "Assembly::AssemblyObject", "Assembly",
        Group=fm.links("base", "Joints"), Origin=fm.link("Origin"),
    )  # fmt: skip
    a = fcstd.read(file.write(tmp_path / "origin.FCStd"))
    assert a.parts["Assembly"].grounded
    # z of the plane XZ is -y of the assembly.
    assert a.parts["Assembly"].references["J"].z == pytest.approx((0, -1, 0), abs=1e-12)
    assert a.mechanism().mobility.freedoms == 0


def sub_assembly(folder: Path, rigid: bool) -> Path:
    """A base and a link to a sub-assembly of two hinged boxes, hinged on one of them."""
    box = cq.Workplane().box(10, 10, 10).val()
    file = FcFile()
    file.feature("shape", box, pose(), folder)
    for name, x in (("Left", 0), ("Right", 20)):
        file.add(
            "App::Link", name, LinkedObject=fm.xlink("shape"),
            Placement=fm.placement(pose((x, 0, 0))),
        )  # fmt: skip
    hinge = fm.joint_properties(
        "Revolute", End("Left", pose((10, 0, 0))), End("Right", pose((-10, 0, 0))), "component"
    )
    file.add("App::FeaturePython", "Inner", **hinge)
    file.add("App::FeaturePython", "InnerGround", ObjectToGround=fm.link("Left"))
    file.add("Assembly::JointGroup", "InnerJoints", Group=fm.links("Inner", "InnerGround"))
    file.add(
        "Assembly::AssemblyLink", "Sub", Rigid=fm.boolean(rigid),
        Placement=fm.placement(pose((0, 30, 0))), Group=fm.links("Left", "Right", "InnerJoints"),
    )  # fmt: skip
    file.feature("base", box, pose(), folder)
    joint = fm.joint_properties(
        "Revolute", End("base", pose((0, 15, 0))), End("Sub", pose((0, -15, 0)), path="Left.")
    )
    return finished(file, folder, joint, "base", "Sub")


def test_a_rigid_sub_assembly_is_one_part(tmp_path):
    a = fcstd.read(sub_assembly(tmp_path, rigid=True))
    assert set(a.parts) == {"base", "Sub"}
    assert a.mechanism().mobility.freedoms == 1


def test_a_flexible_sub_assembly_moves_inside_and_its_ground_is_not_ours(tmp_path):
    a = fcstd.read(sub_assembly(tmp_path, rigid=False))
    assert {n for n, p in a.parts.items() if p.grounded} == {"base"}
    m = a.mechanism()
    assert m.assembled
    assert m.mobility.freedoms == 2
    assert m.poses["Right"].position == pytest.approx((20, 30, 0), abs=POSE_TOL)


def test_of_two_assemblies_the_first_is_read_and_a_note_names_the_other(tmp_path):
    file = FcFile()
    for name in ("One", "Two"):
        file.feature(f"box{name}", cq.Workplane().box(1, 1, 1).val(), pose(), tmp_path)
        file.add("Assembly::AssemblyObject", name, Group=fm.links(f"box{name}"))
    path = file.write(tmp_path / "two.FCStd")
    a = fcstd.read(path)
    assert set(a.parts) == {"boxOne"}
    assert any("Two" in note for note in a.notes)
    assert set(fcstd.read(path, assembly="Two").parts) == {"boxTwo"}


def test_operands_of_a_cut_are_not_shown_beside_it(tmp_path):
    file = nested(tmp_path)
    box = cq.Workplane().box(2, 2, 2).val()
    file.feature("Tool", box, pose(), tmp_path, Visibility=fm.boolean(False))
    file.feature("Cut", box, pose(), tmp_path, Tool=fm.link("Tool"))
    file.add("App::Part", "Cuts", Group=fm.links("Tool", "Cut"))
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("Cuts"))
    solid = fcstd.read(file.write(tmp_path / "cut.FCStd")).parts["Cuts"].solid
    assert solid is not None
    assert solid.volume == pytest.approx(8.0)
