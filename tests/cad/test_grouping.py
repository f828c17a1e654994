"""A sub-assembly taken as one part weighs, looks and is selected like its parts together."""

from __future__ import annotations

import cadquery as cq
import numpy as np
import pytest

from cad2mbs import masses
from cad2mbs.cad import load
from cad2mbs.cad.grouping import grouped
from cad2mbs.cad.kernel.meshes import mesh_volume
from cad2mbs.cad.kernel.solids import solid_of
from cad2mbs.cad.kernel.write import write_cq
from cad2mbs.io import mates_file

PIECES = {
    "bar": (cq.Workplane().box(40, 10, 6).faces(">Z").workplane().hole(5), cq.Location()),
    "cap": (
        cq.Workplane().circle(8).circle(4).extrude(12),
        cq.Location((35, 3, -2), (1, 2, 3), 50.0),
    ),
    "cone": (
        cq.Workplane(cq.Solid.makeCone(5, 2, 9)),
        cq.Location((-40, 0, 0), (1, 0, 0), 180.0),
    ),
}
PLACE = cq.Location((100, 20, 5), (0, 1, 1), 70.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("group")
    rod = cq.Assembly(name="rod")
    for name, (shape, loc) in PIECES.items():
        rod.add(shape, name=name, loc=loc)
    whole = cq.Assembly(name="whole").add(rod, name="rod", loc=PLACE)
    whole.add(cq.Workplane().box(9, 9, 9), name="block")
    write_cq(place / "whole.step", whole)
    return place


@pytest.fixture(scope="module")
def group(folder):
    document = load.read(folder / "whole.step")
    return grouped(document, document.groups()["rod"][0])


@pytest.fixture(scope="module")
def compound():
    """The same made by the kernel: one compound of the placed pieces."""
    shapes = [s.val().moved(loc) for s, loc in PIECES.values()]
    return solid_of(cq.Compound.makeCompound(shapes).wrapped, "compound")


def test_masses_are_those_of_the_pieces_together(group, compound):
    assert group.volume == pytest.approx(compound.volume, rel=1e-9)
    np.testing.assert_allclose(group.centre, compound.centre, atol=1e-8)
    np.testing.assert_allclose(group.inertia, compound.inertia, rtol=1e-8, atol=1e-4)


def test_features_are_those_of_the_pieces_together(group, compound):
    def told(solid):
        rows = [
            (f.kind, *np.round([*f.origin, *f.z, f.radius, f.half_angle], 6) + 0.0)
            for f in solid.features
        ]
        return sorted(rows)

    for one, other in zip(told(group), told(compound), strict=True):
        assert one[0] == other[0]
        np.testing.assert_allclose(one[1:], other[1:], atol=1e-5)


def test_the_mesh_is_whole(group):
    assert mesh_volume(group.mesh) == pytest.approx(group.volume, rel=2e-2)
    assert group.mesh.triangles.max() < len(group.mesh.vertices)
    assert group.mesh.edge_starts[-1] == len(group.mesh.edge_points)


def test_numbers_of_features_stay_apart(group):
    faces = [n for f in group.features if f.kind != "circle" for n in f.numbers]
    assert len(faces) == len(set(faces))


def test_a_mates_file_takes_a_sub_assembly_as_one_part(folder):
    text = """cad2mbs: 1
cad: whole.step
parts:
  block: {grounded: true}
  rod: {references: {hole: {axis: {select: hole, radius: 2.5}}}}
"""
    assembly = mates_file.read_bytes(text.encode(), folder=folder)
    assert assembly.notes == ()
    rod = assembly.parts["rod"]
    np.testing.assert_allclose(rod.pose.position, (100, 20, 5), atol=1e-9)
    np.testing.assert_allclose(rod.references["hole"].origin, (0, 0, 0), atol=1e-9)
    assert masses.of_part(rod, assembly).mass == pytest.approx(rod.solid.volume * 7850e-9)


def test_a_file_of_several_parts_can_be_one_part(folder):
    text = "cad2mbs: 1\nparts: {all: {cad: whole.step, grounded: true}}\n"
    solid = mates_file.read_bytes(text.encode(), folder=folder).parts["all"].solid
    assert solid.volume == pytest.approx(
        9**3 + sum(s.val().Volume() for s, _ in PIECES.values()), rel=1e-9
    )
