"""Masses of parts and bodies, against closed forms and the parallel-axis theorem done by hand."""

from __future__ import annotations

import numpy as np
import pytest

from cad2mbs import masses
from cad2mbs.io import mates_file
from cad2mbs.masses import STEEL, Mass, density_of, merged, of_part, placed
from cad2mbs.model.assembly import Assembly, Part
from cad2mbs.model.solid import Solid


def box(a: float, b: float, c: float, **facts) -> Solid:
    """A solid box [mm] with its corner at the origin."""
    v = a * b * c
    moments = ((b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12)
    inertia = tuple(tuple(v * moments[i] if i == j else 0.0 for j in range(3)) for i in range(3))
    return Solid("box", volume=v, centre=(a / 2, b / 2, c / 2), inertia=inertia, **facts)


def point_cloud_inertia(points: np.ndarray, mass: float) -> tuple[np.ndarray, np.ndarray]:
    """Centre and inertia of equal point masses: the definition itself."""
    centre = points.mean(axis=0)
    d = points - centre
    I = np.einsum("ni,ni->", d, d) * np.eye(3) - d.T @ d
    return centre, mass * I / len(points)


def test_a_steel_cube_weighs_what_it_must():
    part = Part("cube", solid=box(100, 100, 100))
    found = of_part(part, Assembly("a", {"cube": part}))
    assert found.mass == pytest.approx(7.85)
    np.testing.assert_allclose(found.centre, [0.05] * 3)
    np.testing.assert_allclose(found.inertia, 7.85 * 0.01 / 6 * np.eye(3), atol=1e-15)


def test_the_nearest_word_on_density_counts():
    materials = {"brass": 8500.0}
    said = [
        (Part("p", solid=box(1, 1, 1), density=1.0, material="brass"), 1.0, "part"),
        (Part("p", solid=box(1, 1, 1), material="brass"), 8500.0, "material brass"),
        (Part("p", solid=box(1, 1, 1, density=3.0, material="X")), 3.0, "CAD file, X"),
        (Part("p", solid=box(1, 1, 1, material="brass")), 8500.0, "material brass"),
        (Part("p", solid=box(1, 1, 1)), 2.0, "assembly"),
    ]
    for part, value, by in said:
        found = density_of(part, Assembly("a", {"p": part}, density=2.0, materials=materials))
        assert (found.value, found.said_by) == (value, by)
    assert density_of(Part("p"), Assembly("a", {})).value == STEEL


def test_merging_boxes_gives_the_box_they_fill():
    steel = Assembly("a", {})
    halves = [of_part(Part("h", solid=box(50, 30, 20)), steel)] * 2
    both = merged([halves[0], placed(halves[1], np.eye(3), np.array([0.05, 0, 0]))])
    whole = of_part(Part("w", solid=box(100, 30, 20)), steel)
    assert both.mass == pytest.approx(whole.mass, rel=1e-14)
    np.testing.assert_allclose(both.centre, whole.centre, rtol=1e-14)
    np.testing.assert_allclose(both.inertia, whole.inertia, atol=1e-15)


def test_merging_turned_masses_equals_a_cloud_of_points():
    rng = np.random.default_rng(5)
    clouds, found = [], []
    for _ in range(3):
        points = rng.normal(size=(40, 3))
        R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        R *= np.linalg.det(R)
        p = rng.normal(size=3)
        found.append(placed(Mass(2.0, *point_cloud_inertia(points, 2.0)), R, p))
        clouds.append(points @ R.T + p)
    both = merged(found)
    centre, inertia = point_cloud_inertia(np.concatenate(clouds), 6.0)
    np.testing.assert_allclose(both.centre, centre, rtol=1e-12)
    np.testing.assert_allclose(both.inertia, inertia, rtol=1e-12, atol=1e-12)


def test_welded_parts_make_one_body_with_their_common_mass():
    text = """cad2mbs: 1
parts:
  a: {grounded: true, references: {K: {frame: {}}}}
  b: {references: {K: {frame: {}}}}
  c: {references: {K: {frame: {}}}}
mates:
  weld: {kind: identical, a: b/K, b: c/K, transform: {position: [50, 0, 0]}}
"""
    assembly = mates_file.read_bytes(text.encode())
    solid = box(50, 30, 20)
    from dataclasses import replace

    parts = {n: replace(p, solid=solid) for n, p in assembly.parts.items()}
    m = replace(assembly, parts=parts).mechanism()
    (moving,) = [b.name for b in m.bodies if not b.grounded]
    found = masses.of_bodies(m)[moving]
    whole = of_part(Part("w", solid=box(100, 30, 20)), assembly)
    assert found.mass == pytest.approx(whole.mass)
    np.testing.assert_allclose(found.principal(), whole.principal(), rtol=1e-12)
    assert masses.massless(m) == []


def test_a_moving_part_without_a_solid_is_named():
    text = "cad2mbs: 1\nparts: {a: {grounded: true}, b: {}}\n"
    assert masses.massless(mates_file.read_bytes(text.encode()).mechanism()) == ["b"]
