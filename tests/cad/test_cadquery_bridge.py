"""CadQuery's constraints as mates: our poses satisfy its own measure of every one of them."""

from __future__ import annotations

import dataclasses
import math

import cadquery as cq
import numpy as np
import pytest

import cad2mbs
from cad2mbs.cad.cadquery_bridge import constrain
from cad2mbs.errors import InputError
from tests.cad.cadquery_models import THICK, costs_of, door, slider_crank, stroke

HOLDS = 1e-9  # lengths over the size of the assembly, unit vectors and cosines
# Of FixedRotation CadQuery takes 1 - cos^2 of half the angle: rounding alone makes 1e-8 of it.
SQUARED = 1e-15


def assert_holds(assembly: cq.Assembly) -> None:
    open_ones = {
        name: cost
        for name, cost in costs_of(assembly).items()
        if abs(cost) > (SQUARED if name.endswith("FixedRotation") else HOLDS**2)
    }
    assert not open_ones


def solved(assembly: cq.Assembly) -> tuple[cq.Assembly, cad2mbs.Assembly]:
    """The assembly with our poses, and ours."""
    ours = cad2mbs.from_cadquery(assembly, solids=False)
    mechanism = ours.mechanism()
    assert mechanism.assembled, mechanism.status
    return cad2mbs.to_cadquery(mechanism, assembly), ours


def pair(**more) -> cq.Assembly:
    """A base and a block that starts askew."""
    assembly = cq.Assembly(name="pair", **more)
    assembly.add(cq.Workplane().box(30, 20, 10), name="base", loc=cq.Location((3, -2, 1)))
    start = cq.Location((17, 23, 31), (1, 2, 3), 40)
    assembly.add(cq.Workplane().box(6, 8, 12), name="block", loc=start)
    return assembly


# -- whole assemblies ---------------------------------------------------------------------


@pytest.mark.parametrize("build", [slider_crank, door])
def test_our_poses_satisfy_all_constraints_of_cadquery(build):
    assert_holds(solved(build())[0])


@pytest.mark.parametrize("build", [slider_crank, door])
def test_both_solvers_put_the_parts_at_the_same_places(build):
    assembly = build()
    ours, _ = solved(assembly)
    assembly.solve()
    size = assembly.toCompound().BoundingBox().DiagonalLength
    for child in assembly.children:
        apart = np.subtract(child.loc.toTuple()[0], ours.objects[child.name].loc.toTuple()[0])
        # CadQuery stops at a cost, a square, of 1e-14 or so.
        assert np.abs(apart).max() < 1e-6 * size, child.name


@pytest.mark.parametrize("tilt", [25.0, 50.0, 90.0, 140.0])
def test_slider_stands_where_the_closed_form_puts_it(tilt):
    ours, _ = solved(slider_crank(tilt))
    position = ours.objects["slider"].loc.toTuple()[0]
    # All points of the chain lie on lower edges, so the parts are in one plane.
    np.testing.assert_allclose(position, (stroke(tilt), 0.0, 0.0), atol=1e-9 * stroke(tilt))


def test_slider_crank_without_its_angle_has_one_freedom():
    assembly = slider_crank()
    del assembly.constraints[-1]
    mechanism = cad2mbs.from_cadquery(assembly, solids=False).mechanism()
    assert mechanism.mobility.freedoms == 1


def test_door_is_rigid():
    mechanism = cad2mbs.from_cadquery(door(), solids=False).mechanism()
    assert mechanism.mobility.freedoms == 0


# -- one constraint at a time -------------------------------------------------------------

BINARY = {  # kind, ends, number -> freedoms left of the six
    "points meet": (("base@faces@>Z", "block@faces@<Z", "Point"), None, 3),
    "points apart": (("base@faces@>Z", "block@faces@<Z", "Point"), 7.5, 5),
    "points apart, negative": (("base@faces@>Z", "block@faces@<Z", "Point"), -7.5, 5),
    "axes opposed": (("base@faces@>Z", "block@faces@<X", "Axis"), None, 4),
    "axes opposed by number": (("base@faces@>Z", "block@faces@<X", "Axis"), 180, 4),
    "axes along": (("base@faces@>Z", "block@faces@<X", "Axis"), 0, 4),
    "axes a whole turn": (("base@faces@>Z", "block@faces@<X", "Axis"), 360, 4),
    "axes at an angle": (("base@faces@>Z", "block@faces@<X", "Axis"), 35, 5),
    "axes at a large angle": (("base@faces@>Z", "block@faces@<X", "Axis"), 250, 5),
    "planes face": (("base@faces@>Z", "block@faces@<X", "Plane"), None, 1),
    "planes along": (("base@faces@>Z", "block@faces@<X", "Plane"), 0, 1),
    "planes at an angle": (("base@faces@>Z", "block@faces@<X", "Plane"), 60, 2),
    "point in plane": (("block@faces@<Z", "base@faces@>Z", "PointInPlane"), None, 5),
    "point above plane": (("block@faces@<Z", "base@faces@>Z", "PointInPlane"), 4.0, 5),
    "point below plane": (("block@faces@<Z", "base@faces@>X", "PointInPlane"), -4.0, 5),
    "point on line": (("block@faces@<Z", "base@edges@>X and >Y", "PointOnLine"), None, 4),
}
UNARY = {
    "point held": (("block@faces@<Z", "FixedPoint"), (1.0, -2.0, 3.5), 3),
    "axis held": (("block@faces@<Z", "FixedAxis"), (1.0, 1.0, -0.5), 4),
    "rotation held": (("block", "FixedRotation"), (20.0, -40.0, 110.0), 3),
}


@pytest.mark.parametrize("case", [*BINARY, *UNARY])
def test_one_constraint_holds_and_leaves_its_freedoms(case):
    ends, number, freedoms = {**BINARY, **UNARY}[case]
    assembly = pair()
    assembly.constrain("base", "Fixed")
    if number is None:
        assembly.constrain(*ends)
    else:
        assembly.constrain(*ends, number)
    moved, ours = solved(assembly)
    assert_holds(moved)
    assert ours.mechanism().mobility.freedoms == freedoms
    before = assembly.objects["base"].loc.toTuple()
    assert np.allclose(moved.objects["base"].loc.toTuple(), before, atol=1e-12)


def test_cost_check_sees_a_constraint_that_is_open():
    assembly = pair()
    assembly.constrain("base@faces@>Z", "block@faces@<Z", "Point")
    with pytest.raises(AssertionError):
        assert_holds(assembly)


def test_number_of_point_on_line_is_the_distance():
    assembly = pair()
    assembly.constrain("base", "Fixed")
    assembly.constrain("block@faces@<Z", "base@edges@>X and >Y", "PointOnLine", 5.0)
    moved, _ = solved(assembly)
    block = moved.objects["block"]
    foot = block.obj.faces("<Z").val().moved(block.loc).Center().toTuple()
    base = assembly.objects["base"]
    edge = base.obj.edges(">X and >Y").val().moved(base.loc)
    along, middle = edge.tangentAt().toTuple(), edge.Center().toTuple()
    away = np.linalg.norm(np.cross(np.subtract(foot, middle), along))
    assert away == pytest.approx(5.0, rel=1e-9)


# -- what stands still --------------------------------------------------------------------


def grounded(assembly: cq.Assembly) -> set[str]:
    parts = cad2mbs.from_cadquery(assembly, solids=False).parts
    return {name for name, part in parts.items() if part.grounded}


def test_first_part_of_the_first_constraint_stands_still_where_none_is_fixed():
    assembly = pair()
    assembly.constrain("block@faces@<Z", "base@faces@>Z", "Plane")
    assert grounded(assembly) == {"block"}
    still = assembly.objects["block"].loc.toTuple()
    assembly.solve()
    assert np.allclose(assembly.objects["block"].loc.toTuple(), still)


def test_ground_is_a_part_of_its_own_where_constraints_speak_of_it():
    assembly = pair()
    assembly.constrain("block@faces@<Z", "FixedPoint", (0, 0, 0))
    assert grounded(assembly) == {"ground"}


def test_ground_gets_another_name_where_a_part_has_that_one():
    assembly = pair()
    assembly.add(cq.Workplane().box(1, 1, 1), name="ground")
    assembly.constrain("block@faces@<Z", "FixedPoint", (0, 0, 0))
    assert grounded(assembly) == {"ground'"}


def test_root_with_a_shape_stands_still_wherever_it_is_placed():
    place = cq.Location((50, 60, 70), (0, 1, 1), 35)
    assembly = cq.Assembly(cq.Workplane().box(30, 30, 5), name="table", loc=place)
    assembly.add(cq.Workplane().box(4, 6, 8), name="cup", loc=cq.Location((9, 9, 9)))
    assembly.constrain("table@faces@>Z", "cup@faces@<Z", "Plane")
    assembly.constrain("table@faces@>X", "cup@faces@>X", "Axis", 0)
    ours, _ = solved(assembly)
    # On the table: half the heights of both up, whatever the place of the table.
    position, turn = ours.objects["cup"].loc.toTuple()
    np.testing.assert_allclose(position, (0, 0, 2.5 + 4), atol=1e-9)
    np.testing.assert_allclose(turn, (0, 0, 0), atol=1e-9)
    assert ours.loc.toTuple() == place.toTuple()


# -- trees, shapes, names -----------------------------------------------------------------


def nested() -> cq.Assembly:
    """A block that hangs turned and shifted below a child, mated by its own face."""
    block = cq.Workplane().box(6, 8, 12)
    inner = cq.Assembly(name="inner", loc=cq.Location((1, 2, 3), (0, 0, 1), 90))
    inner.add(block, name="brick", loc=cq.Location((5, 0, 0), (1, 0, 0), 90), color=cq.Color("red"))
    outer = cq.Assembly(name="outer").add(inner).add(block, name="other")
    assembly = cq.Assembly(name="all")
    assembly.add(cq.Workplane().box(30, 20, 10), name="base")
    assembly.add(outer, loc=cq.Location((40, 0, 0), (1, 1, 0), 70))
    assembly.constrain("base", "Fixed")
    assembly.constrain("base@faces@>Z", "outer/inner/brick@faces@<Y", "Plane")
    return assembly


def test_nested_shape_is_mated_where_its_tree_puts_it():
    ours, _ = solved(nested())
    assert_holds(ours)
    face = ours.objects["outer/inner/brick"].obj.faces("<Y").val()
    for name in ("outer/inner/brick", "outer/inner", "outer"):
        face = face.moved(ours.objects[name].loc)
    np.testing.assert_allclose(face.Center().toTuple(), (0, 0, 5), atol=1e-9)
    np.testing.assert_allclose(face.normalAt().toTuple(), (0, 0, -1), atol=1e-9)


def test_copy_keeps_names_tree_and_colours_and_the_original_its_places():
    assembly = nested()
    before = assembly.objects["outer"].loc.toTuple()
    ours, _ = solved(assembly)
    assert [n for n, _ in ours.traverse()] == [n for n, _ in assembly.traverse()]
    assert set(ours.objects) == set(assembly.objects)
    for name in ("outer/inner", "outer/inner/brick", "outer/other"):
        was, now = assembly.objects[name], ours.objects[name]
        assert now.loc.toTuple() == was.loc.toTuple()
        assert now.color == was.color
    assert assembly.objects["outer"].loc.toTuple() == before
    assert len(ours.constraints) == len(assembly.constraints)


def test_parts_carry_the_volume_of_all_below_them():
    parts = cad2mbs.from_cadquery(nested()).parts
    assert parts["base"].solid.volume == pytest.approx(30 * 20 * 10, rel=1e-12)
    assert parts["outer"].solid.volume == pytest.approx(2 * 6 * 8 * 12, rel=1e-12)


def test_parts_that_place_one_object_share_its_mesh():
    parts = cad2mbs.from_cadquery(door()).parts
    assert parts["left"].solid.mesh is parts["right"].solid.mesh
    assert parts["left"].colour == (0.7, 0.7, 0.75, 1.0)


def test_solved_mechanism_of_a_bar_keeps_holes_as_features():
    solid = cad2mbs.from_cadquery(slider_crank()).parts["crank"].solid
    holes = [f for f in solid.features if f.kind == "cylinder" and f.concave]
    assert [(f.radius, f.length) for f in holes] == [(2.5, THICK)] * 2


# -- wrong input --------------------------------------------------------------------------


def test_contradicting_constraints_are_a_conflict():
    assembly = pair()
    assembly.constrain("base", "Fixed")
    assembly.constrain("base@faces@>Z", "block@faces@<Z", "Point")
    assembly.constrain("base@faces@>Z", "block@faces@<Z", "Axis")
    assembly.constrain("base@faces@<Z", "block@faces@>Z", "Point", 3.0)
    mechanism = cad2mbs.from_cadquery(assembly, solids=False).mechanism()
    assert not mechanism.assembled
    assert set(mechanism.conflict) == {"Point_2", "Axis_3", "Point_4"}


def test_constraint_within_one_child_is_refused():
    assembly = nested()
    assembly.constrain("outer/inner/brick@faces@<Y", "outer/other@faces@<Y", "Point")
    with pytest.raises(InputError, match=r"Constraint 3 of 'all', Point on outer.*same child"):
        cad2mbs.from_cadquery(assembly)


@pytest.mark.parametrize(
    ("kind", "number", "told"),
    [
        ("FixedPoint", None, "needs the place of the point"),
        ("FixedPoint", (0.0, math.nan, 0.0), "finite"),
        ("FixedAxis", (0.0, 0.0, 0.0), "not zero"),
    ],
)
def test_bad_param_is_named_with_its_constraint(kind, number, told):
    assembly = pair()
    face = assembly.objects["block"].obj.faces("<Z").val()
    constrain(assembly, "block", face, kind, number)
    with pytest.raises(InputError, match=rf"Constraint 1 of 'pair', {kind} on block: .*{told}"):
        cad2mbs.from_cadquery(assembly)


def test_negative_distance_from_a_line_is_refused():
    assembly = pair()
    assembly.constrain("block@faces@<Z", "base@edges@>X and >Y", "PointOnLine", -5.0)
    with pytest.raises(InputError, match=r"distance is -5, 0 or more is wanted"):
        cad2mbs.from_cadquery(assembly)


def test_assembly_without_parts_is_refused():
    with pytest.raises(InputError, match=r"'nothing' has no parts"):
        cad2mbs.from_cadquery(cq.Assembly(name="nothing"))


def test_child_without_shape_is_refused():
    assembly = pair()
    assembly.add(cq.Assembly(name="hollow"))
    with pytest.raises(InputError, match=r"'hollow' is empty"):
        cad2mbs.from_cadquery(assembly)


def test_poses_go_back_only_to_the_assembly_they_came_from():
    mechanism = cad2mbs.from_cadquery(pair(), solids=False).mechanism()
    with pytest.raises(InputError, match=r"no part crank, rod, slider; its parts are base, block"):
        cad2mbs.to_cadquery(mechanism, slider_crank())


def test_constraint_of_one_shape_is_added_as_cadquery_documents_it():
    by_query, by_shape = pair(), pair()
    by_query.constrain("block@faces@<Z", "FixedPoint", (1, 2, 3))
    face = by_shape.objects["block"].obj.faces("<Z").val()
    constrain(by_shape, "block", face, "FixedPoint", (1, 2, 3))
    one, other = (cad2mbs.from_cadquery(a, solids=False) for a in (by_query, by_shape))
    assert dataclasses.replace(one, name="") == dataclasses.replace(other, name="")
    with pytest.raises(InputError, match=r"no object 'blok'.*base, block"):
        constrain(by_shape, "blok", face, "FixedPoint", (1, 2, 3))
