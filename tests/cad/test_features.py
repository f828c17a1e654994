"""Features of shapes built to known measures."""

from __future__ import annotations

import math

import cadquery as cq
import numpy as np
import pytest
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf

from cad2mbs.cad.kernel.solids import shape_of, solid_of
from cad2mbs.cad.merging import canonical, covered
from cad2mbs.model.solid import FeatureKind
from tests.cad import shapes

FULL = 2 * math.pi


def of_kind(shape, kind, **options):
    return [f for f in solid_of(shape, "part", mesh=False, **options).features if f.kind == kind]


def test_a_box_has_six_planes_that_look_outwards():
    planes = of_kind(shapes.box(10, 20, 30), FeatureKind.PLANE)
    assert len(planes) == 6
    for f in planes:
        assert np.dot(f.origin, f.z) == pytest.approx(np.abs(np.dot((5, 10, 15), f.z)))
    assert sorted(round(f.size, 9) for f in planes) == [200, 200, 300, 300, 600, 600]


def test_a_tube_has_a_pin_and_a_hole_with_their_extent():
    pin, hole = of_kind(shapes.tube(5, 3, 20), FeatureKind.CYLINDER)
    assert (pin.radius, pin.concave) == (5, False)
    assert (hole.radius, hole.concave) == (3, True)
    for f in (pin, hole):
        assert f.sweep == pytest.approx(FULL)
        assert f.length == pytest.approx(20)
        np.testing.assert_allclose(f.origin, (0, 0, 10), atol=1e-9)
        assert f.z == (0, 0, 1)
        assert f.size == pytest.approx(FULL * f.radius * 20)


def test_a_hole_split_in_two_halves_is_one_hole():
    tube = cq.Workplane(cq.Shape.cast(shapes.tube(5, 3, 20)))
    half = tube.intersect(cq.Workplane().box(20, 10, 50).translate((0, 5, 0)))
    other = tube.intersect(cq.Workplane().box(20, 10, 50).translate((0, -5, 0)))
    whole = half.val().fuse(other.val()).wrapped
    faces = solid_of(whole, "tube", mesh=False)
    cylinders = [f for f in faces.features if f.kind is FeatureKind.CYLINDER]
    assert [len(f.numbers) for f in cylinders] == [2, 2]
    for f in cylinders:
        assert f.sweep == pytest.approx(FULL)
        assert f.size == pytest.approx(FULL * f.radius * 20)
    circles = [f for f in faces.features if f.kind is FeatureKind.CIRCLE]
    assert sorted((f.radius, f.origin[2]) for f in circles) == [(3, 0), (3, 20), (5, 0), (5, 20)]
    assert all(f.sweep == pytest.approx(FULL) for f in circles)


def test_a_pin_in_two_lengths_is_one_pin_of_the_whole_length():
    lower = cq.Workplane().circle(4).extrude(10).val()
    upper = cq.Workplane().workplane(offset=10).circle(4).extrude(5).val()
    (pin,) = of_kind(lower.fuse(upper).wrapped, FeatureKind.CYLINDER)
    assert pin.numbers == (0, 2) or len(pin.numbers) == 2
    assert pin.length == pytest.approx(15)
    assert pin.sweep == pytest.approx(FULL)
    assert pin.origin[2] == pytest.approx(7.5)


def test_stepped_holes_on_one_axis_stay_apart():
    holes = [f for f in of_kind(shapes.plate(), FeatureKind.CYLINDER) if f.concave]
    assert sorted((f.radius, f.length) for f in holes) == [
        (1.5, pytest.approx(8)),
        (2.5, pytest.approx(2)),
        (3, pytest.approx(10)),
        (3, pytest.approx(10)),
    ]


def test_rounded_ends_of_a_link_sweep_half_a_turn():
    link = cq.Workplane().slot2D(40, 10).extrude(5).val().wrapped
    ends = of_kind(link, FeatureKind.CYLINDER)
    assert [(f.radius, f.concave, round(f.sweep, 9)) for f in ends] == [
        (5, False, round(math.pi, 9))
    ] * 2
    arcs = of_kind(link, FeatureKind.CIRCLE)
    assert [round(f.size, 9) for f in arcs] == [round(5 * math.pi, 9)] * 4


def test_a_cone_has_its_radius_at_the_middle_and_opens_away_from_its_tip():
    (f,) = of_kind(shapes.cone(5, 10), FeatureKind.CONE)
    assert f.radius == pytest.approx(2.5)
    assert f.half_angle == pytest.approx(-math.atan(0.5))
    assert f.length == pytest.approx(10)
    np.testing.assert_allclose(f.origin, (0, 0, 5), atol=1e-9)
    assert not f.concave


def test_a_ball_and_a_socket_differ():
    ball = of_kind(shapes.cap(), FeatureKind.SPHERE)
    block = cq.Workplane().box(20, 20, 20).cut(cq.Workplane().sphere(4).translate((0, 0, 10)))
    socket = of_kind(block.val().wrapped, FeatureKind.SPHERE)
    assert [(f.radius, f.concave) for f in ball] == [(5, False)]
    assert [(f.radius, f.concave) for f in socket] == [(4, True)]
    np.testing.assert_allclose(socket[0].origin, (0, 0, 10), atol=1e-9)


def test_a_torus_has_two_radii():
    (f,) = of_kind(shapes.torus(20, 5), FeatureKind.TORUS)
    assert (f.radius, f.minor, f.concave) == (20, 5, False)


def test_a_mirrored_part_keeps_holes_as_holes():
    mirror = gp_Trsf()
    mirror.SetMirror(gp_Ax2(gp_Pnt(30, 0, 0), gp_Dir(1, 0, 0)))
    shape = BRepBuilderAPI_Transform(shapes.plate(), mirror, True).Shape()
    plain, other = solid_of(shapes.plate(), "p"), solid_of(shape, "p")
    assert other.problems == ()

    def key(f):
        return (f.kind.value, f.concave, round(f.radius, 6), round(f.size, 6))

    assert sorted(map(key, plain.features)) == sorted(map(key, other.features))
    assert other.centre[0] == pytest.approx(60 - plain.centre[0])


def test_seams_and_joins_of_one_surface_are_no_circles():
    assert of_kind(shapes.sphere(), FeatureKind.CIRCLE) == []
    assert of_kind(shapes.torus(), FeatureKind.CIRCLE) == []


@pytest.mark.parametrize(
    ("shape", "low", "high"),
    [
        (shapes.sphere(5), (-5, -5, -5), (5, 5, 5)),
        (shapes.torus(20, 5), (-25, -25, -5), (25, 25, 5)),
        (shapes.cap(5, 2), (-4, -4, 3), (4, 4, 5)),
        (shapes.plate(), (-20, -10, -5), (20, 10, 5)),
    ],
)
def test_the_box_is_tight(shape, low, high):
    solid = solid_of(shape, "part")
    np.testing.assert_allclose(solid.box, (low, high), atol=1e-9)


def test_names_of_faces_come_along():
    named = of_kind(shapes.tube(), FeatureKind.CYLINDER, face_names={1: "bore"})
    assert [f.name for f in named] == ["", "bore"]


def test_features_are_the_same_after_the_b_rep_was_stored():
    solid = solid_of(shapes.plate(), "plate", mesh=False)
    assert solid.brep is not None
    again = solid_of(shape_of(solid.brep), "plate", mesh=False)
    assert again.features == solid.features


@pytest.mark.parametrize(
    ("z", "sign"),
    [
        ((0, 0, -1), -1),
        ((-1, 1, 0), -1),
        ((-1, 1 + 1e-12, 0), -1),
        ((1, -2, 0), -1),
        ((1, 0, 0), 1),
    ],
)
def test_the_largest_component_of_an_axis_is_positive(z, sign):
    assert canonical(np.array(z, float)) == sign


@pytest.mark.parametrize(
    ("arcs", "total"),
    [
        ([(0.0, 1.0), (0.5, 2.0)], 2.0),
        ([(0.0, 1.0), (3.0, 4.0)], 2.0),
        ([(6.0, 7.0), (0.0, 0.5)], 1.0),
        ([(1.0, 1.0 + math.pi), (1.0 + math.pi, 1.0 + FULL)], FULL),
        ([(0.0, FULL), (0.0, FULL)], FULL),
    ],
)
def test_arcs_that_overlap_are_counted_once(arcs, total):
    assert covered(arcs) == pytest.approx(total)
