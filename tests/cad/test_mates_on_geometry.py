"""Mates files that take parts from a STEP file and state references by selectors."""

from __future__ import annotations

import cadquery as cq
import numpy as np
import pytest

import cad2mbs
from cad2mbs.cad.kernel.write import write_cq
from cad2mbs.errors import InputError
from cad2mbs.io import mates_file

LENGTH, RADIUS, THICK = 80.0, 6.0, 8.0


def link(length: float = LENGTH) -> cq.Workplane:
    """A flat bar with a hole at the origin and one at x = length."""
    bar = cq.Workplane().slot2D(length + 24.0, 24.0).extrude(THICK)
    bar = bar.translate((length / 2, 0, 0))
    return (
        bar.faces(">Z")
        .workplane(origin=(0, 0, 0))
        .pushPoints([(0, 0), (length, 0)])
        .hole(2 * RADIUS)
    )


def hinge() -> cq.Assembly:
    """Two bars, one on the other, turned by 30 degrees about the hole at the far end."""
    turned = cq.Location((LENGTH, 0, THICK), (0, 0, 1), 30.0)
    return (
        cq.Assembly(name="hinge")
        .add(link(), name="base", color=cq.Color(0.5, 0.5, 0.5))
        .add(link(50.0), name="arm", loc=turned, color=cq.Color(0.8, 0.2, 0.1))
    )


MATES = """cad2mbs: 1
cad: hinge.step
density: 2700
parts:
  base:
    grounded: true
    references:
      pin: {axis: {select: hole, towards: [1, 0, 0]}}
      top: {plane: {select: plane, normal: [0, 0, 1]}}
      zero:
        frame:
          origin: {select: hole, towards: [1, 0, 0]}
          x: {toward: {select: hole, towards: [-1, 0, 0]}}
  arm:
    references:
      hole: {axis: {select: hole, near: [0, 0, 0]}}
      bottom: {point: {select: plane, normal: [0, 0, -1]}}
      zero:
        frame:
          origin: {select: hole, near: [0, 0, 0]}
          x: {toward: {select: hole, towards: [1, 0, 0]}}
mates:
  line: {kind: in-line, a: arm/hole, b: base/pin}
  upright: {kind: parallel-z, a: arm/hole, b: base/pin}
  on_top: {kind: in-plane, a: arm/bottom, b: base/top}
drives:
  swing: {joint: [base, arm], freedom: turn, zero: [base/zero, arm/zero]}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("hinge")
    write_cq(place / "hinge.step", hinge())
    return place


def read(folder, text=MATES):
    return mates_file.read_bytes(text.encode(), file="hinge.yaml", folder=folder)


def error_of(folder, text) -> str:
    with pytest.raises(InputError) as caught:
        read(folder, text)
    return str(caught.value)


def test_references_are_found_on_the_geometry(folder):
    base = read(folder).parts["base"]
    np.testing.assert_allclose(base.references["pin"].origin, (LENGTH, 0, THICK / 2), atol=1e-9)
    np.testing.assert_allclose(base.references["pin"].z, (0, 0, 1), atol=1e-12)
    np.testing.assert_allclose(base.references["zero"].x, (-1, 0, 0), atol=1e-12)


def test_poses_and_colours_come_from_the_cad_file(folder):
    arm = read(folder).parts["arm"]
    np.testing.assert_allclose(arm.pose.position, (LENGTH, 0, THICK), atol=1e-9)
    c, s = np.cos(np.radians(15.0)), np.sin(np.radians(15.0))
    np.testing.assert_allclose(arm.pose.quaternion, (c, 0, 0, s), atol=1e-12)
    np.testing.assert_allclose(arm.colour[:3], (0.8, 0.2, 0.1), atol=1e-3)


def test_mates_on_selectors_move_the_part(folder):
    m = read(folder).mechanism()
    assert [j.kind for j in m.joints] == ["revolute"]
    # x of base points back to its first hole: at 30 degrees of the file the angle is 30 - 180
    assert m.drives["swing"].value == pytest.approx(-150.0)
    assert m.drive(swing=-90.0).ok
    np.testing.assert_allclose(m.poses["arm"].position, (LENGTH, 0, THICK), atol=1e-9)
    half = np.radians(90.0 / 2)
    np.testing.assert_allclose(
        m.poses["arm"].quaternion, (np.cos(half), 0, 0, np.sin(half)), atol=1e-9
    )


@pytest.mark.parametrize(("unit", "per_mm"), [("m", 1e-3), ("in", 1 / 25.4), ("cm", 0.1)])
def test_the_file_may_be_in_other_units_than_the_geometry(folder, unit, per_mm):
    text = MATES.replace("cad: hinge", f"units: {{length: {unit}}}\ncad: hinge")
    text = text.replace("select: hole, near", f"select: hole, radius: {RADIUS * per_mm}, near")
    pin = read(folder, text).parts["base"].references["pin"]
    np.testing.assert_allclose(pin.origin, np.array((LENGTH, 0, THICK / 2)) * per_mm, atol=1e-9)


@pytest.mark.parametrize("unit", ["m", "in"])
def test_the_same_model_written_in_another_unit_gives_the_same_mechanism(folder, tmp_path, unit):
    write_cq(tmp_path / "hinge.step", hinge(), unit=unit)
    one, other = read(folder).mechanism(), read(tmp_path).mechanism()
    assert [(j.kind, j.bodies, j.mates) for j in one.joints] == [
        (j.kind, j.bodies, j.mates) for j in other.joints
    ]
    for angle in (-150.0, -20.0, 77.0):
        assert one.drive(swing=angle).ok
        assert other.drive(swing=angle).ok
        a, b = one.poses["arm"], other.poses["arm"]
        np.testing.assert_allclose(a.position, b.position, atol=1e-9 * LENGTH)
        np.testing.assert_allclose(a.quaternion, b.quaternion, atol=1e-9)


def test_a_selector_without_match_lists_what_is_there_with_its_line(folder):
    said = error_of(folder, MATES.replace("hole, near: [0, 0, 0]}}\n", "hole, radius: 9}}\n"))
    assert "hinge.yaml:16: error: reference 'arm/hole': no hole with radius 9" in said
    assert "hole r 6 at [" in said
    assert said.count("error:") == 1, "what follows from it is not said"


def test_a_selector_with_several_matches_lists_them(folder):
    said = error_of(
        folder, MATES.replace("{select: hole, towards: [1, 0, 0]}}\n", "{select: hole}}\n")
    )
    assert "2 holes on part 'base': hole r 6 at [" in said


def test_a_feature_that_cannot_serve_says_what_it_can(folder):
    said = error_of(
        folder,
        MATES.replace(
            "pin: {axis: {select: hole, towards: [1, 0, 0]",
            "pin: {axis: {select: plane, normal: [0, 0, 1]",
        ),
    )
    assert "cannot serve as an axis; it can be a point, a vector, a plane or a frame" in said


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (("select: hole, near", "select: hoel, near"), "did you mean 'hole'?"),
        (("select: hole, near", "selcet: hole, near"), "found the unknown key 'selcet'"),
        (("near: [0, 0, 0]", "near: [0, 0]"), "wanted 3 values [x, y, z]"),
        (("cad: hinge.step", "cad: hnge.step"), "CAD file 'hnge.step'"),
        (("  arm:\n", "  amr:\n"), "did you mean 'arm'?"),
        (("density: 2700", "density: 0"), "wanted a number above 0"),
        (("  arm:\n", "  arm:\n    material: tin\n"), "Materials of this file: none"),
        (("select: hole, near", "select: hole, radius: -2, near"), "wanted a number above 0 or"),
        (("select: hole, near", "select: hole, at: top, near"), "Choices: middle, start, end"),
    ],
)
def test_mistakes_are_told_in_plain_words(folder, spoilt, said):
    assert said in error_of(folder, MATES.replace(*spoilt, 1))


def test_parts_that_are_not_listed_are_told(folder):
    text = MATES[: MATES.index("  arm:")] + "mates: {}\n"
    (note,) = read(folder, text).notes
    assert "not listed" in note
    assert "arm" in note


def test_a_part_without_geometry_is_told(folder):
    text = MATES.replace("  arm:\n", "  helper: {references: {P: {point: [0, 0, 0]}}}\n  arm:\n")
    assembly = read(folder, text)
    assert assembly.parts["helper"].solid is None


def test_what_is_written_states_the_selectors_again(folder, tmp_path):
    first = read(folder)
    write_cq(tmp_path / "hinge.step", hinge())
    mates_file.write(first, tmp_path / "copy.yaml")
    text = (tmp_path / "copy.yaml").read_text(encoding="utf-8")
    assert "pin: {axis: {select: hole, towards: [1, 0, 0]}}" in text
    again = mates_file.read(tmp_path / "copy.yaml")
    assert again.parts["arm"].references == first.parts["arm"].references
    assert again.density == 2700


def test_a_step_file_is_a_source_of_free_parts(folder):
    assembly = cad2mbs.load(folder / "hinge.step")
    assert list(assembly.parts) == ["base", "arm"]
    assert assembly.mechanism().mobility.freedoms == 6
