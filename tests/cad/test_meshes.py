"""Meshes are watertight, within their tolerance and wound outwards; edges come once."""

from __future__ import annotations

import time

import cadquery as cq
import numpy as np
import pytest
import trimesh
from OCP.BRepMesh import BRepMesh_IncrementalMesh

from cad2mbs.cad.kernel.meshes import mesh_of
from cad2mbs.cad.kernel.solids import solid_of
from cad2mbs.cad.kernel.topology import topology
from tests.cad import shapes

SHAPES = {
    "box": shapes.box(),
    "sphere": shapes.sphere(),
    "torus": shapes.torus(),
    "plate": shapes.plate(),
    "cone": shapes.cone(),
    "moved": cq.Shape.cast(shapes.plate()).moved(cq.Location((5, 6, 7), (1, 1, 0), 40)).wrapped,
    "mirrored": cq.Shape.cast(shapes.plate()).mirror("YZ", (30, 0, 0)).wrapped,
    "inside out": shapes.plate().Reversed(),
}


def welded(mesh):
    return trimesh.Trimesh(mesh.vertices.astype(float), mesh.triangles, process=True)


@pytest.mark.parametrize("name", SHAPES)
def test_mesh_is_watertight_and_wound_outwards(name):
    solid = solid_of(SHAPES[name], name)
    assert solid.mesh is not None
    body = welded(solid.mesh)
    assert body.is_watertight
    assert body.is_winding_consistent
    assert body.volume == pytest.approx(solid.volume, abs=2 * solid.mesh.tolerance * solid.area)


@pytest.mark.parametrize("name", SHAPES)
def test_normals_point_the_way_the_triangles_do(name):
    mesh = solid_of(SHAPES[name], name).mesh
    assert mesh is not None
    a, b, c = (mesh.vertices[mesh.triangles[:, i]].astype(float) for i in range(3))
    flat = np.cross(b - a, c - a)
    flat /= np.linalg.norm(flat, axis=1)[:, None]
    at_corners = mesh.normals[mesh.triangles].mean(axis=1)
    assert (np.einsum("ij,ij->i", flat, at_corners) > 0.5).all()


def test_a_sphere_s_triangles_are_within_the_tolerance():
    mesh = solid_of(shapes.sphere(5.0), "ball", tolerance=0.01).mesh
    assert mesh is not None
    middles = mesh.vertices[mesh.triangles].astype(float).mean(axis=1)
    assert np.linalg.norm(middles, axis=1).min() >= 5.0 - 0.0101
    np.testing.assert_allclose(np.linalg.norm(mesh.vertices, axis=1), 5.0, atol=1e-5)


def test_edges_that_show_come_once_and_seams_not_at_all():
    def polylines(shape):
        mesh = solid_of(shape, "part").mesh
        assert mesh is not None
        assert mesh.edge_starts[-1] == len(mesh.edge_points)
        return len(mesh.edge_starts) - 1

    assert polylines(shapes.box()) == 12
    assert polylines(shapes.tube()) == 4
    assert polylines(shapes.sphere()) == 0
    assert polylines(cq.Workplane().box(10, 20, 30).edges("|Z").fillet(2).val().wrapped) == 16


def test_every_face_has_triangles_with_its_number():
    solid = solid_of(shapes.plate(), "plate")
    assert solid.mesh is not None
    numbers = {n for f in solid.features if f.kind != "circle" for n in f.numbers}
    assert set(solid.mesh.face.tolist()) == numbers


def test_a_solid_without_mesh_is_the_same_but_for_it():
    with_mesh, without = solid_of(shapes.plate(), "p"), solid_of(shapes.plate(), "p", mesh=False)
    assert without.mesh is None
    assert without == with_mesh


def perforated(n):
    """A plate with n x n holes of radius 1, 4 apart."""
    plate = cq.Workplane().rect(4 * n + 4, 4 * n + 4).extrude(5)
    return plate.faces(">Z").workplane().rarray(4, 4, n, n).hole(2).val().wrapped


def test_a_perforated_plate_is_meshed_quicker_than_by_the_kernel_s_default():
    one, other = topology(perforated(15)), perforated(15)
    start = time.process_time()
    mesh_of(one, 0.1)
    between = time.process_time()
    BRepMesh_IncrementalMesh(other, 0.1, False, 0.3, False)
    assert between - start < 0.7 * (time.process_time() - between)


def test_a_perforated_plate_s_mesh_is_watertight():
    solid = solid_of(perforated(5), "sieve")
    assert solid.mesh is not None
    assert welded(solid.mesh).is_watertight
    assert solid.problems == ()


def test_the_mesh_keeps_its_tolerance_and_the_angle_between_normals():
    mesh = solid_of(shapes.tube(5.0, 3.0, 20.0), "tube", tolerance=10.0).mesh
    assert mesh is not None
    corners = np.unique(np.round(np.arctan2(mesh.vertices[:, 1], mesh.vertices[:, 0]), 4))
    assert np.diff(corners).max() <= 0.3 + 1e-3
