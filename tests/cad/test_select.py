"""Selectors find what they mean, survive small changes, and say what is there when they do not."""

from __future__ import annotations

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cad2mbs.cad.kernel.solids import solid_of
from cad2mbs.cad.select import SelectError, describe, direction_of, point_of, reference, select
from cad2mbs.model.references import RefKind
from cad2mbs.model.selector import At, Pick, Selector
from tests.cad import shapes

PLATE = solid_of(shapes.plate(), "plate", mesh=False)
UP = (0.0, 0.0, 1.0)
TOP = Selector(Pick.PLANE, normal=UP, size="largest")


def message(selector, solid=PLATE, metre=1e-3):
    with pytest.raises(SelectError) as caught:
        select(selector, solid, metre)
    return str(caught.value)


def test_a_hole_is_found_by_radius_and_place():
    f = select(Selector(Pick.HOLE, radius=3.0, near=(10, 0, 0)), PLATE)
    np.testing.assert_allclose(f.origin, (12, 0, 0), atol=1e-9)


def test_lengths_are_in_the_user_s_unit():
    in_metres = Selector(Pick.HOLE, radius=3e-3, towards=(-1, 0, 0))
    axis = reference(RefKind.AXIS, in_metres, PLATE, 1.0)
    np.testing.assert_allclose(axis.origin, (-0.012, 0, 0), atol=1e-12)
    in_inches = Selector(Pick.HOLE, radius=3 / 25.4, near=(12 / 25.4, 0, 0))
    axis = reference(RefKind.AXIS, in_inches, PLATE, 0.0254)
    np.testing.assert_allclose(axis.origin, (12 / 25.4, 0, 0), atol=1e-12)


def test_a_radius_may_be_a_range_and_a_value_may_be_two_percent_off():
    assert select(Selector(Pick.HOLE, radius=(2.0, 2.6)), PLATE).radius == 2.5
    assert select(Selector(Pick.HOLE, radius=2.54), PLATE).radius == 2.5
    assert "no hole with radius 2.56 mm" in message(Selector(Pick.HOLE, radius=2.56))


def test_a_normal_may_be_five_degrees_off_but_not_opposite():
    tilted = (0.0, np.sin(np.radians(4.9)), np.cos(np.radians(4.9)))
    assert select(Selector(Pick.PLANE, normal=tilted, size="largest"), PLATE).z == UP
    assert "no plane" in message(Selector(Pick.PLANE, normal=(0, 1, 1)))


def test_along_turns_the_axis_and_flip_turns_it_again():
    down = Selector(Pick.HOLE, radius=2.5, along=(0, 0, -1))
    assert direction_of(select(down, PLATE), down) == (0, 0, -1)
    flipped = Selector(Pick.HOLE, radius=2.5, along=(0, 0, -1), flip=True)
    assert direction_of(select(flipped, PLATE), flipped) == UP


def test_the_reference_sits_at_start_end_or_where_a_plane_cuts():
    hole = {"select": Pick.HOLE, "radius": 1.5}

    def height(**more):
        selector = Selector(**hole, **more)
        return point_of(select(selector, PLATE), selector, PLATE)[2]

    assert height() == pytest.approx(-1)
    assert height(at=At.START) == pytest.approx(-5)
    assert height(at=At.END) == pytest.approx(3)
    assert height(at=At.START, along=(0, 0, -1)) == pytest.approx(3)
    assert height(at=TOP) == pytest.approx(5)


def test_sizes_are_ordered():
    planes = sorted((f for f in PLATE.features if f.kind == "plane"), key=lambda f: -f.size)
    assert select(Selector(Pick.PLANE, size="smallest"), PLATE) is planes[-1]
    assert select(Selector(Pick.PLANE, size=len(planes)), PLATE) is planes[-1]
    assert "a number from 1 to 7 wanted" in message(Selector(Pick.PLANE, size=8))


def test_a_name_of_the_file_finds_its_face():
    tube = solid_of(shapes.tube(), "tube", face_names={1: "bore"}, mesh=False)
    assert select(Selector(name="bore"), tube).radius == 3
    assert "no face with name 'bohrung' on part 'tube'" in message(Selector(name="bohrung"), tube)


def test_cadquery_s_strings_find_the_same_faces_and_edges():
    assert select(Selector(cadquery=">Z"), PLATE) is select(TOP, PLATE)
    rim = select(Selector(Pick.CIRCLE, cadquery=">Z", radius=2.5), PLATE)
    np.testing.assert_allclose(rim.origin, (0, 0, 5), atol=1e-9)
    assert "is no selector that CadQuery takes" in message(Selector(cadquery=">>nonsense"))


def test_none_lists_what_is_there_the_nearest_miss_first():
    text = message(Selector(Pick.HOLE, radius=6.0))
    head = "no hole with radius 6 mm on part 'plate'; there are: hole r 3 at [-12, 0, 0]"
    assert text.startswith(head)
    assert text.count(" at [") == 12
    assert f"({len(PLATE.features)} in all)" in text


def test_several_are_listed_with_what_tells_them_apart():
    text = message(Selector(Pick.HOLE, radius=3.0))
    assert text.startswith("2 holes with radius 3 mm on part 'plate': hole r 3 at [-12, 0, 0]")
    assert "`near` (for example near: [-12, 0, 0])" in text
    assert "`towards` (for example towards: [1, 0, 0])" in text
    assert "`size`" not in text


def test_the_advice_for_several_works():
    assert select(Selector(Pick.HOLE, radius=3.0, near=(-12, 0, 0)), PLATE).origin[0] < 0
    assert select(Selector(Pick.HOLE, radius=3.0, towards=(1, 0, 0)), PLATE).origin[0] > 0


@pytest.mark.parametrize(
    ("pick", "kind"),
    [("plane", RefKind.AXIS), ("cylinder", RefKind.PLANE)],
)
def test_a_feature_that_cannot_serve_says_what_it_can_be(pick, kind):
    selector = TOP if pick == "plane" else Selector(Pick.HOLE, radius=2.5)
    with pytest.raises(SelectError, match=f"cannot serve as an? {kind.value}; it can be a"):
        reference(kind, selector, PLATE)


def test_a_ball_serves_as_a_point_only():
    ball = solid_of(shapes.sphere(), "ball", mesh=False)
    assert reference(RefKind.POINT, Selector(Pick.SPHERE), ball).origin == (0, 0, 0)
    for kind in (RefKind.AXIS, RefKind.PLANE, RefKind.VECTOR, RefKind.FRAME):
        with pytest.raises(SelectError, match="cannot serve"):
            reference(kind, Selector(Pick.SPHERE), ball)


def test_a_free_form_face_serves_as_nothing():
    egg = solid_of(cq.Workplane().ellipse(5, 4).extrude(10).val().wrapped, "egg", mesh=False)
    free = Selector(Pick.FACE, near=(5, 0, 5))
    with pytest.raises(SelectError, match=r"free-form face .* it serves as nothing"):
        reference(RefKind.POINT, free, egg)
    with pytest.raises(SelectError, match="has no centre"):
        point_of(select(free, egg), free, egg)


def test_a_circle_serves_as_axis_and_plane():
    rim = Selector(Pick.CIRCLE, radius=2.5, towards=UP)
    for kind in RefKind:
        assert reference(kind, rim, PLATE).kind is kind


def test_a_frame_is_right_handed_and_lies_on_the_feature():
    frame = reference(RefKind.FRAME, Selector(Pick.HOLE, radius=2.5), PLATE)
    np.testing.assert_allclose(frame.rotation @ frame.rotation.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(frame.rotation) == pytest.approx(1)


def test_a_crossing_with_a_parallel_plane_is_refused():
    side = Selector(Pick.PLANE, normal=(1, 0, 0))
    selector = Selector(Pick.HOLE, radius=2.5, at=side)
    with pytest.raises(SelectError, match="is parallel to"):
        point_of(select(selector, PLATE), selector, PLATE)


PARTS = {
    "plate": PLATE,
    "tube": solid_of(shapes.tube(), "tube", mesh=False),
    "cone": solid_of(shapes.cone(), "cone", mesh=False),
    "cap": solid_of(shapes.cap(), "cap", mesh=False),
    "torus": solid_of(shapes.torus(), "torus", mesh=False),
    "splines": solid_of(shapes.nurbs(shapes.plate()), "splines", mesh=False),
    "rounded": solid_of(
        cq.Workplane().box(10, 20, 30).edges().fillet(2).val().wrapped, "rounded", mesh=False
    ),
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("metre", [1e-3, 1.0, 0.0254])
def test_a_described_feature_is_found_again(name, metre):
    solid = PARTS[name]
    for feature in solid.features:
        selector = describe(solid, feature, metre)
        assert select(selector, solid, metre) is feature


@settings(max_examples=12)
@given(scale=st.floats(0.99, 1.01), shift=st.tuples(*[st.floats(-0.1, 0.1)] * 3))
def test_selectors_survive_a_part_scaled_by_a_percent_and_moved_a_little(scale, shift):
    changed = cq.Shape.cast(shapes.plate(scale)).moved(cq.Location(shift)).wrapped
    other = solid_of(changed, "plate", mesh=False)
    for feature in PLATE.features:
        found = select(describe(PLATE, feature), other)
        assert found.kind is feature.kind
        assert found.concave == feature.concave
        expected = np.array(feature.origin) * scale + shift
        np.testing.assert_allclose(found.origin, expected, atol=1e-6)
        assert found.radius == pytest.approx(feature.radius * scale)


def sieve(n):
    """A plate with n x n holes of radius 1 and one of radius 1.5 beside them: many features."""
    plate = cq.Workplane().rect(4 * n + 4, 4 * n + 20).extrude(5).faces(">Z").workplane()
    plate = plate.rarray(4, 4, n, n).hole(2).faces(">Z").workplane(origin=(0, 0, 5))
    return solid_of(plate.center(0, 2 * n + 5).hole(3).val().wrapped, "sieve", mesh=False)


def test_features_of_a_part_of_hundreds_are_described_and_found_again():
    solid = sieve(17)
    assert len(solid.features) > 850
    selectors = [describe(solid, f) for f in solid.features]
    for selector, feature in list(zip(selectors, solid.features, strict=True))[::20]:
        assert select(selector, solid) is feature
    odd = next(f for f in solid.features if f.concave and f.radius == pytest.approx(1.5))
    assert describe(solid, odd).near is None


def test_a_place_comes_with_a_radius_or_a_normal():
    comb = cq.Workplane().box(50, 50, 5).faces(">Z").workplane().rarray(10, 10, 3, 3).hole(4)
    comb = comb.faces(">Z").workplane().rarray(10, 20, 4, 2).rect(2, 2).cutBlind(-2)
    solid = solid_of(comb.val().wrapped, "comb", mesh=False)
    for feature in solid.features:
        selector = describe(solid, feature)
        if selector.near is not None or isinstance(selector.size, int):
            assert selector.radius is not None or selector.normal is not None
    middle = next(
        f for f in solid.features if f.concave and abs(f.origin[0]) + abs(f.origin[1]) < 1
    )
    assert describe(solid, middle) == Selector(Pick.HOLE, radius=2.0, near=middle.origin)
