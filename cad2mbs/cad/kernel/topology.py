"""Faces and edges of a shape as numbered lists, and which edge bounds which faces.

Numbers count from 0 in the kernel's own order of exploration, each face and edge once; names of
faces and triangles of meshes use the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from OCP.BRep import BRep_Tool
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face, TopoDS_Shape
from OCP.TopTools import (
    TopTools_IndexedDataMapOfShapeListOfShape,
    TopTools_IndexedMapOfShape,
    TopTools_ListOfShape,
)


@dataclass(frozen=True)
class Topology:
    """A shape taken apart."""

    shape: TopoDS_Shape
    faces: list[TopoDS_Face]
    edges: list[TopoDS_Edge]
    faces_of_edge: list[tuple[int, ...]]  # numbers, twice the same one at a seam
    edges_of_face: list[list[int]]  # each edge once


def topology(shape: TopoDS_Shape) -> Topology:
    """The faces and edges of a shape with their numbers, each once."""
    face_map = TopTools_IndexedMapOfShape()
    TopExp.MapShapes_s(shape, TopAbs_FACE, face_map)
    edge_map = TopTools_IndexedDataMapOfShapeListOfShape()
    TopExp.MapShapesAndAncestors_s(shape, TopAbs_EDGE, TopAbs_FACE, edge_map)
    faces = [TopoDS.Face_s(face_map.FindKey(i)) for i in range(1, face_map.Extent() + 1)]
    edges: list[TopoDS_Edge] = []
    faces_of_edge: list[tuple[int, ...]] = []
    edges_of_face: list[list[int]] = [[] for _ in faces]
    for number in range(edge_map.Extent()):
        edges.append(TopoDS.Edge_s(edge_map.FindKey(number + 1)))
        around = _listed(edge_map.FindFromIndex(number + 1))
        beside = tuple(face_map.FindIndex(face) - 1 for face in around)
        faces_of_edge.append(beside)
        for face in set(beside):
            edges_of_face[face].append(number)
    return Topology(shape, faces, edges, faces_of_edge, edges_of_face)


def _listed(shapes: TopTools_ListOfShape) -> list[TopoDS_Shape]:
    """The shapes of a list; its ends are asked for directly, as walking it is slow."""
    match shapes.Size():
        case 1:
            return [shapes.First()]
        case 2:
            return [shapes.First(), shapes.Last()]
    return list(shapes)


def has_length(edge: TopoDS_Edge) -> bool:
    """False for the point at the tip of a cone or the pole of a sphere."""
    return not BRep_Tool.Degenerated_s(edge)


def is_seam(topology: Topology, edge: int) -> bool:
    """Whether the edge only closes one face onto itself."""
    beside = topology.faces_of_edge[edge]
    return len(beside) == 2 and beside[0] == beside[1]
