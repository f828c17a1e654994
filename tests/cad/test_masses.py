"""Masses against closed forms, of elementary and of B-spline parts; wrong solids are reported."""

from __future__ import annotations

import math

import cadquery as cq
import numpy as np
import pytest
from OCP.BOPAlgo import BOPAlgo_Builder
from OCP.BRep import BRep_Builder
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shell
from scipy.integrate import quad

from cad2mbs.cad.kernel.masses import mass_properties
from cad2mbs.cad.kernel.solids import solid_of
from cad2mbs.cad.kernel.topology import topology
from tests.cad import shapes

EXACT = 1e-9  # asked of elementary parts
SPLINE = 1e-6  # asked of B-spline parts
PI = math.pi


def closed_box(x, y, z):
    v = x * y * z
    return (
        v,
        2 * (x * y + y * z + z * x),
        (0, 0, 0),
        np.diag([v * (y * y + z * z) / 12, v * (z * z + x * x) / 12, v * (x * x + y * y) / 12]),
    )


def closed_tube(a, b, h):
    v = PI * (a * a - b * b) * h
    side = v * (3 * (a * a + b * b) + h * h) / 12
    area = 2 * PI * (a + b) * h + 2 * PI * (a * a - b * b)
    return v, area, (0, 0, h / 2), np.diag([side, side, v * (a * a + b * b) / 2])


def closed_torus(r, c):
    v = 2 * PI**2 * r * c * c
    side = v * (4 * r * r + 5 * c * c) / 8
    return v, 4 * PI**2 * r * c, (0, 0, 0), np.diag([side, side, v * (4 * r * r + 3 * c * c) / 4])


def closed_cap(r, h):
    """Slices of radius sqrt(r^2 - z^2) between r - h and r; integrals of polynomials in z."""
    z = np.polynomial.Polynomial([0, 1])
    disc = r * r - z**2

    def over(p):
        whole = p.integ()
        return float(whole(r) - whole(r - h))

    v = PI * over(disc)
    centre = PI * over(disc * z) / v
    axial = PI / 2 * over(disc**2)
    side = axial / 2 + PI * over(disc * z**2) - v * centre**2
    area = 2 * PI * r * h + PI * (r * r - (r - h) ** 2)
    return v, area, (0, 0, centre), np.diag([side, side, axial])


CASES = {
    "box": (shapes.box(10, 20, 30), closed_box(10, 20, 30)),
    "tube": (shapes.tube(5, 3, 20), closed_tube(5, 3, 20)),
    "torus": (shapes.torus(20, 5), closed_torus(20, 5)),
    "sphere cap": (shapes.cap(5, 2), closed_cap(5, 2)),
}


def assert_masses(found, wanted, tolerance):
    volume, area, centre, inertia = wanted
    assert found.volume == pytest.approx(volume, rel=tolerance)
    assert found.area == pytest.approx(area, rel=tolerance)
    size = volume ** (1 / 3)
    np.testing.assert_allclose(found.centre, centre, rtol=0, atol=tolerance * size)
    np.testing.assert_allclose(
        found.inertia, inertia, rtol=0, atol=tolerance * np.abs(inertia).max()
    )


@pytest.mark.parametrize("name", CASES)
def test_masses_are_the_closed_form(name):
    shape, wanted = CASES[name]
    assert_masses(mass_properties(shape), wanted, EXACT)


@pytest.mark.parametrize("name", CASES)
def test_masses_of_the_same_part_in_b_splines_are_the_closed_form(name):
    shape, wanted = CASES[name]
    assert_masses(mass_properties(shapes.nurbs(shape)), wanted, SPLINE)


@pytest.mark.parametrize("name", CASES)
def test_masses_keep_their_digits_far_from_the_origin(name):
    shape, (volume, area, centre, inertia) = CASES[name]
    far = cq.Shape.cast(shape).moved(cq.Location((4000, -3000, 500))).wrapped
    moved = np.add(centre, (4000, -3000, 500))
    assert_masses(mass_properties(far), (volume, area, moved, inertia), EXACT)


def test_a_face_trimmed_within_its_patch_weighs_as_the_elementary_one():
    shape = shapes.plate()
    one, other = mass_properties(shape), mass_properties(shapes.nurbs(shape))
    assert_masses(other, (one.volume, one.area, one.centre, one.inertia), SPLINE)


def branched():
    """A bar of radius 5 and length 40, a branch of radius 3 reaching 30 from its axis."""
    bar = cq.Workplane().circle(5).extrude(40)
    return bar.union(cq.Workplane("XZ").center(0, 20).circle(3).extrude(30)).val().wrapped


@pytest.mark.parametrize("form", [lambda s: s, shapes.nurbs], ids=["elementary", "b-spline"])
def test_a_cylinder_cut_by_another_one_has_the_volume_of_the_integral(form):
    def slab(t):  # x = 3 sin t: chord of the branch times depth inside the bar, times dx / dt
        return 18 * math.cos(t) ** 2 * math.sqrt(25 - 9 * math.sin(t) ** 2)

    inside = quad(slab, -PI / 2, PI / 2, epsabs=1e-12, epsrel=1e-12)[0]
    wanted = PI * 25 * 40 + PI * 9 * 30 - inside
    # 1e-8: the kernel's intersection curve is itself only that exact.
    assert mass_properties(form(branched())).volume == pytest.approx(wanted, rel=1e-8)


@pytest.mark.parametrize("cut", [False, True], ids=["whole", "cut"])
def test_an_extruded_ellipse_has_its_volume_and_inertia(cut):
    a, b, h = 5.0, 3.0, 10.0
    bar = cq.Workplane().ellipse(a, b).extrude(h)
    if cut:  # by a tilted plane through the middle: half the volume, trimmed within the surface
        bar = bar.cut(
            cq.Workplane().box(60, 60, 60).translate((0, 0, 30))
            .rotate((0, 0, 0), (0, 1, 0), 15).translate((0, 0, h / 2))
        )  # fmt: skip
    found = mass_properties(bar.val().wrapped)
    volume = PI * a * b * h / (2 if cut else 1)
    assert found.volume == pytest.approx(volume, rel=SPLINE)
    if not cut:
        assert found.inertia[2, 2] == pytest.approx(volume * (a * a + b * b) / 4, rel=SPLINE)


def test_the_checker_of_masses_says_no():
    shape, _ = CASES["box"]
    with pytest.raises(AssertionError):
        assert_masses(mass_properties(shape), closed_box(10, 20, 30.001), SPLINE)


def test_an_inside_out_solid_is_reported_and_put_right():
    solid = solid_of(shapes.tube().Reversed(), "tube")
    volume, *_, inertia = closed_tube(5, 3, 20)
    assert solid.volume == pytest.approx(volume, rel=EXACT)
    assert solid.inertia[2][2] == pytest.approx(inertia[2][2], rel=EXACT)
    assert any("inside out" in p for p in solid.problems)
    assert [f.concave for f in solid.features if f.kind == "cylinder"] == [False, True]


def open_box():
    shell = TopoDS_Shell()
    builder = BRep_Builder()
    builder.MakeShell(shell)
    for face in topology(shapes.box()).faces[:-1]:
        builder.Add(shell, face)
    return shell


def test_an_open_shell_is_reported_and_has_no_volume():
    solid = solid_of(open_box(), "open")
    assert solid.volume == 0.0
    assert any("not closed" in p for p in solid.problems)


def test_a_good_solid_has_no_problems():
    assert solid_of(shapes.plate(), "plate").problems == ()
    assert solid_of(shapes.nurbs(shapes.plate()), "plate").problems == ()


def test_a_mesh_that_encloses_another_volume_is_reported():
    from cad2mbs.cad.kernel.solids import _disagreement

    solid = solid_of(shapes.box(), "box")
    assert solid.mesh is not None
    assert _disagreement(solid.mesh, solid.volume, solid.area) == ()
    (sentence,) = _disagreement(solid.mesh, 1.5 * solid.volume, solid.area)
    assert "The mesh encloses 6000 mm^3, the faces 9000 mm^3" in sentence


def test_solids_with_a_common_face_each_count_it():
    one = cq.Workplane().box(10, 10, 10).translate((5, 0, 0)).val()
    other = cq.Workplane().box(30, 10, 10).translate((25, 0, 0)).val()
    builder = BOPAlgo_Builder()
    builder.AddArgument(one.wrapped)
    builder.AddArgument(other.wrapped)
    builder.Perform()
    assert len(topology(builder.Shape()).faces) == 11
    found = mass_properties(builder.Shape())
    volume, *_, inertia = closed_box(40, 10, 10)
    assert found.volume == pytest.approx(volume, rel=EXACT)
    np.testing.assert_allclose(found.centre, (20, 0, 0), atol=1e-9)
    np.testing.assert_allclose(found.inertia, inertia, atol=EXACT * inertia.max())
    assert found.problems == ()


def compound(*parts):
    made = TopoDS_Compound()
    builder = BRep_Builder()
    builder.MakeCompound(made)
    for part in parts:
        builder.Add(made, part)
    return made


def test_one_solid_inside_out_among_others_is_reported_and_put_right():
    far = cq.Workplane().box(8, 8, 8).translate((50, 0, 0)).val().wrapped
    found = mass_properties(compound(shapes.box(10, 10, 10), far.Reversed()))
    assert found.volume == pytest.approx(1512, rel=EXACT)
    np.testing.assert_allclose(found.centre, (50 * 512 / 1512, 0, 0), atol=1e-9)
    assert not found.inverted
    assert any("1 of 2 solids in this part is inside out" in p for p in found.problems)


def test_all_solids_inside_out_are_turned_together():
    far = cq.Workplane().box(8, 8, 8).translate((50, 0, 0)).val().wrapped
    found = mass_properties(compound(shapes.box(10, 10, 10).Reversed(), far.Reversed()))
    assert found.volume == pytest.approx(1512, rel=EXACT)
    assert found.inverted
    assert any("The solid is inside out" in p for p in found.problems)


def test_a_closed_shell_without_a_solid_has_a_volume_and_a_void_takes_from_it():
    shell = cq.Shape.cast(shapes.box(10, 20, 30)).Shells()[0].wrapped
    assert mass_properties(shell).volume == pytest.approx(6000, rel=EXACT)
    hollow = cq.Workplane().box(10, 10, 10).cut(cq.Workplane().box(4, 4, 4)).val().wrapped
    assert mass_properties(hollow).volume == pytest.approx(1000 - 64, rel=EXACT)
