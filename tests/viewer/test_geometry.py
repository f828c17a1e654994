"""The block of bytes with the meshes: read back by the rules of the format, nothing else."""

from __future__ import annotations

import json
import struct
from dataclasses import replace

import numpy as np
import pytest

import cad2mbs
from cad2mbs.model.solid import Feature, FeatureKind, Solid
from cad2mbs.viewer import geometry
from cad2mbs.viewer.scene import solids
from tests.pictures.shapes import box, rectangle, sphere


def brick() -> Solid:
    """A box whose triangles come in no order of faces, twelve edges, two features."""
    mesh = box((20.0, 30.0, 5.0))
    order = np.random.default_rng(3).permutation(12)
    mesh = replace(mesh, triangles=mesh.triangles[order], face=(np.arange(12) // 2 + 3)[order])
    features = (
        Feature(FeatureKind.PLANE, (0, 0, 2.5), (0, 0, 1), (1, 0, 0), numbers=(4,), name="top"),
        Feature(FeatureKind.CIRCLE, (0, 0, 0), (0, 0, 1), (1, 0, 0), radius=2.0, numbers=(1,)),
    )
    return Solid("Träger", features, box=((-10, -15, -2.5), (10, 15, 2.5)), mesh=mesh)


def test_arrays_come_back_as_they_were():
    ball = Solid("ball", mesh=sphere(4.0, 8))
    found = geometry.read(geometry.blob([brick(), ball]))
    assert [f["name"] for f in found] == ["Träger", "ball"]
    np.testing.assert_array_equal(found[1]["vertices"], ball.mesh.vertices)
    np.testing.assert_array_equal(found[1]["normals"], ball.mesh.normals)
    np.testing.assert_array_equal(found[1]["triangles"], ball.mesh.triangles)
    assert found[1]["segments"].shape == (0, 6)
    assert found[0]["box"] == [[-10, -15, -2.5], [10, 15, 2.5]]


def test_triangles_are_sorted_by_face_and_every_face_keeps_its_own():
    solid = brick()
    (found,) = geometry.read(geometry.blob([solid]))
    assert found["numbers"] == [3, 4, 5, 6, 7, 8]
    assert found["faces"].tolist() == [0, 2, 4, 6, 8, 10, 12]
    for number, first, last in zip(
        found["numbers"], found["faces"][:-1], found["faces"][1:], strict=True
    ):
        own = {tuple(t) for t in solid.mesh.triangles[solid.mesh.face == number]}
        assert {tuple(t) for t in found["triangles"][first:last]} == own


def test_edges_are_segments_of_the_right_length():
    (found,) = geometry.read(geometry.blob([brick()]))
    lengths = np.linalg.norm(found["segments"][:, 3:] - found["segments"][:, :3], axis=1)
    assert len(lengths) == 12
    assert lengths.sum() == pytest.approx(4 * (20 + 30 + 5))


def test_faces_are_told_and_edges_among_the_features_are_not():
    (found,) = geometry.read(geometry.blob([brick()]))
    (top,) = found["features"]
    assert (top["kind"], top["name"], top["faces"]) == ("plane", "top", [4])
    assert top["origin"] == [0, 0, 2.5]


@pytest.mark.parametrize("name", ["", "a", "ab", "abc", "abcd", "底座", '"\\</script>'])
def test_data_start_at_a_multiple_of_four_and_fill_the_rest(name):
    data = geometry.blob([replace(brick(), name=name)])
    magic, length = struct.unpack_from("<4sI", data)
    assert magic == b"C2MG"
    assert (8 + length) % 4 == 0
    head = json.loads(data[8 : 8 + length])["solids"][0]
    assert head["name"] == name
    last = head["segments"]
    assert 8 + length + last["at"] + 4 * last["count"] == len(data)
    arrays = ("vertices", "normals", "triangles", "faces", "segments")
    assert all(head[a]["at"] % 4 == 0 for a in arrays)


def test_a_solid_without_a_mesh_has_empty_arrays():
    (found,) = geometry.read(geometry.blob([Solid("nothing")]))
    assert len(found["vertices"]) == len(found["triangles"]) == len(found["segments"]) == 0
    assert found["faces"].tolist() == [0]


def test_a_face_without_edges_has_no_segments():
    (found,) = geometry.read(geometry.blob([Solid("sheet", mesh=rectangle(2.0, 3.0))]))
    assert found["segments"].shape == (0, 6)


def test_the_key_changes_with_the_bytes_and_only_then():
    one, other = brick(), replace(brick(), name="other")
    assert geometry.keyed([one]) == (geometry.key(geometry.blob([one])), geometry.blob([one]))
    assert geometry.keyed([one])[0] == geometry.keyed([brick()])[0]
    assert geometry.keyed([one])[0] != geometry.keyed([other])[0]


def test_another_file_is_refused():
    with pytest.raises(ValueError, match="C2MG"):
        geometry.read(b"glTF" + bytes(40))


def test_every_face_of_a_feature_of_a_real_part_has_triangles():
    shapes = solids(cad2mbs.load("radial_engine").mechanism())
    for solid, found in zip(shapes, geometry.read(geometry.blob(shapes)), strict=True):
        assert found["triangles"].max() < len(found["vertices"]), solid.name
        named = {n for f in found["features"] for n in f["faces"]}
        assert named <= set(found["numbers"])
        low, high = (np.array(corner) for corner in found["box"])
        slack = 1e-3 * np.linalg.norm(high - low)
        assert (found["vertices"] > low - slack).all()
        assert (found["vertices"] < high + slack).all()
