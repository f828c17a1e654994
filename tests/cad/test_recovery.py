"""Faces written as B-splines, extrusions or revolutions are found to be what they really are."""

from __future__ import annotations

import math

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism, BRepPrimAPI_MakeRevol
from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Vec
from OCP.STEPControl import STEPControl_Reader

from cad2mbs.cad.fits import Surface, circle_through, surface_through
from cad2mbs.cad.kernel.solids import solid_of
from cad2mbs.model.references import any_normal, unit
from cad2mbs.model.solid import FeatureKind
from tests.cad import shapes

CLOSE = 1e-7  # mm; the recovery's own tolerance for small parts


def key(f):
    return (
        f.kind.value,
        f.concave,
        tuple(round(v, 5) + 0.0 for v in (*f.origin, f.radius, f.size)),
    )


@pytest.mark.parametrize(
    "shape",
    [shapes.box(), shapes.tube(), shapes.plate(), shapes.cone(), shapes.sphere(), shapes.torus(),
     shapes.cap()],
    ids=["box", "tube", "plate", "cone", "sphere", "torus", "cap"],
)  # fmt: skip
def test_a_part_in_b_splines_has_the_features_of_the_elementary_one(shape):
    plain = solid_of(shape, "part").features
    splines = solid_of(shapes.nurbs(shape), "part").features
    assert sorted(map(key, plain)) == sorted(map(key, splines))
    assert all(f.recovered for f in splines)
    assert not any(f.recovered for f in plain)
    for f in splines:
        (same,) = [g for g in plain if key(g) == key(f)]
        assert f.sweep == pytest.approx(same.sweep, abs=1e-6)
        assert f.length == pytest.approx(same.length, abs=1e-6)
        if f.kind not in (FeatureKind.SPHERE, FeatureKind.FREE):
            np.testing.assert_allclose(f.z, same.z, atol=1e-6)


def test_a_wavy_face_stays_free():
    points = [
        [cq.Vector(x, y, 0.5 * math.sin(x) * math.cos(y)) for x in range(6)] for y in range(6)
    ]
    face = cq.Face.makeSplineApprox(points, tol=1e-3)
    assert [f.kind for f in solid_of(face.wrapped, "wave").features if f.kind != "circle"] == [
        FeatureKind.FREE
    ]


def test_an_extruded_ellipse_stays_free():
    shape = cq.Workplane().ellipse(5, 4.99).extrude(10).val().wrapped
    kinds = [f.kind for f in solid_of(shape, "part").features]
    assert kinds.count(FeatureKind.FREE) == 1
    assert FeatureKind.CYLINDER not in kinds


def test_extrusions_and_revolutions_of_splines_that_are_circles_are_round():
    circle = shapes.nurbs(cq.Edge.makeCircle(4).wrapped)
    prism = BRepPrimAPI_MakePrism(circle, gp_Vec(0, 0, 7)).Shape()
    arc = shapes.nurbs(cq.Edge.makeThreePointArc((12, 0, -1), (13, 0, 0), (12, 0, 1)).wrapped)
    ring = BRepPrimAPI_MakeRevol(arc, gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))).Shape()
    (pin,) = [f for f in solid_of(prism, "p").features if f.kind != "circle"]
    (bead,) = [f for f in solid_of(ring, "r").features if f.kind != "circle"]
    assert (pin.kind, pin.recovered) == (FeatureKind.CYLINDER, True)
    assert (pin.radius, pin.length) == (pytest.approx(4), pytest.approx(7))
    assert bead.kind is FeatureKind.TORUS
    assert (bead.radius, bead.minor) == (pytest.approx(12), pytest.approx(1))


def test_holes_written_as_b_splines_are_cylinders(shared_data):
    reader = STEPControl_Reader()
    reader.ReadFile(str(shared_data / "step" / "as1-oc-214.stp"))
    reader.TransferRoots()
    features = solid_of(reader.OneShape(), "as1").features
    faces = [f for f in features if f.kind is not FeatureKind.CIRCLE]
    holes = [f for f in faces if f.kind is FeatureKind.CYLINDER and f.concave]
    assert any(f.recovered for f in holes)
    assert not [f for f in faces if f.kind is FeatureKind.FREE]
    assert all(f.sweep == pytest.approx(2 * math.pi, abs=1e-6) for f in holes)


def sample(surface: Surface, across: float, along: float):
    """Points and normals of a patch: `across` rad about the axis, `along` the other way."""
    u, v = (a.ravel() for a in np.meshgrid(np.linspace(0, across, 9), np.linspace(0, along, 9)))
    y = np.cross(surface.z, surface.x)
    ring = np.outer(np.cos(u), surface.x) + np.outer(np.sin(u), y)
    if surface.kind is FeatureKind.CYLINDER:
        return surface.origin + surface.radius * ring + np.outer(v, surface.z), ring
    if surface.kind is FeatureKind.CONE:
        t = math.tan(surface.half_angle)
        points = surface.origin + ring * (surface.radius + v * t)[:, None] + np.outer(v, surface.z)
        return points, (ring - t * surface.z) * math.cos(surface.half_angle)
    normal = ring * np.cos(v)[:, None] + np.outer(np.sin(v), surface.z)
    if surface.kind is FeatureKind.SPHERE:
        return surface.origin + surface.radius * normal, normal
    return surface.origin + surface.radius * ring + surface.minor * normal, normal


ROUND = (FeatureKind.CYLINDER, FeatureKind.CONE, FeatureKind.SPHERE, FeatureKind.TORUS)


@given(
    kind=st.sampled_from(ROUND),
    z=st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda d: math.hypot(*d) > 0.1),
    origin=st.tuples(*[st.floats(-50, 50)] * 3),
    radius=st.floats(5, 20),
    across=st.floats(0.7, 6.0),
    along=st.floats(0.7, 1.5),
)
def test_a_patch_gives_its_surface_back(kind, z, origin, radius, across, along):
    z = unit(z)
    minor = 2.0 if kind is FeatureKind.TORUS else 0.0
    tilt = 0.4 if kind is FeatureKind.CONE else 0.0
    wanted = Surface(
        kind, np.array(origin), np.array(z), np.array(any_normal(z)), radius, minor, tilt
    )
    points, normals = sample(wanted, across, along)
    found = surface_through(points, normals, 1e-6)
    assert found is not None
    assert found.kind is kind
    assert found.minor == pytest.approx(minor, abs=1e-5)
    assert abs(found.half_angle) == pytest.approx(tilt, abs=1e-6)
    assert wanted.distance(points).max() < 1e-9
    if kind is not FeatureKind.CONE:  # a cone's radius depends on where it is counted
        assert found.radius == pytest.approx(radius, abs=1e-5)


@given(bump=st.floats(2e-6, 1e-2), row=st.integers(0, 80))
def test_one_point_off_the_surface_is_noticed(bump, row):
    cylinder = Surface(
        FeatureKind.CYLINDER, np.zeros(3), np.array([0.0, 0, 1]), np.array([1.0, 0, 0]), 10.0
    )
    points, normals = sample(cylinder, 3.0, 5.0)
    points[row] += 3 * bump * normals[row]
    assert surface_through(points, normals, 1e-6) is None


def test_points_on_a_line_or_an_ellipse_make_no_circle():
    t = np.linspace(0, 2, 17)
    line = np.column_stack([t, 2 * t, -t])
    ellipse = np.column_stack([np.cos(t), 1.001 * np.sin(t), 0 * t])
    assert circle_through(line, CLOSE) is None
    assert circle_through(ellipse, CLOSE) is None
    found = circle_through(np.column_stack([np.cos(t), np.sin(t), 0 * t + 3]), CLOSE)
    assert found is not None
    np.testing.assert_allclose(found.origin, (0, 0, 3), atol=1e-9)
    assert found.radius == pytest.approx(1)
