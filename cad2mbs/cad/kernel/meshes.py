"""Triangles and edge polylines of a shape within a chordal tolerance."""

from __future__ import annotations

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepLib import BRepLib_ToolTriangulatedShape
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.GCPnts import GCPnts_TangentialDeflection
from OCP.GeomAbs import GeomAbs_C0
from OCP.IMeshTools import IMeshTools_MeshAlgoType, IMeshTools_Parameters
from OCP.Message import Message_ProgressRange
from OCP.Poly import Poly_Triangulation
from OCP.TopAbs import TopAbs_REVERSED
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from cad2mbs.cad.kernel.topology import Topology, has_length, is_seam
from cad2mbs.model.solid import Mesh

ANGLE = 0.3  # rad between neighbouring normals at most
RELATIVE = 1e-3  # of the box's diagonal: the tolerance where none is given
THIN = 1e-12  # of the longest side squared: a triangle of less area is dropped


def mesh_of(parts: Topology, tolerance: float, *, inverted: bool = False) -> Mesh:
    """The mesh of a shape; `inverted` turns triangles and normals round."""
    _triangulate(parts.shape, tolerance)
    pieces = [_face_mesh(face, inverted) for face in parts.faces]
    counts = [len(points) for points, _, _ in pieces]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    triangles = [t + starts[i] for i, (_, _, t) in enumerate(pieces)]
    polylines = _polylines(parts, tolerance)
    ends = np.cumsum([0, *(len(line) for line in polylines)])
    return Mesh(
        _stacked([p for p, _, _ in pieces], 3, np.float32),
        _stacked([n for _, n, _ in pieces], 3, np.float32),
        _stacked(triangles, 3, np.int32),
        np.repeat(np.arange(len(pieces), dtype=np.int32), [len(t) for t in triangles]),
        _stacked(polylines, 3, np.float32),
        ends.astype(np.int32),
        tolerance,
    )


def mesh_volume(mesh: Mesh) -> float:
    """Volume enclosed by the triangles; wrong where they are not closed."""
    a, b, c = (mesh.vertices[mesh.triangles[:, i]].astype(float) for i in range(3))
    if not len(a):
        return 0.0
    middle = a.mean(axis=0)
    return float(np.einsum("ij,ij->", a - middle, np.cross(b - middle, c - middle))) / 6.0


def _triangulate(shape: TopoDS_Shape, tolerance: float) -> None:
    """Triangles on all faces; the kernel's default algorithm is slow for faces of many holes."""
    asked = IMeshTools_Parameters()
    asked.MeshAlgo = IMeshTools_MeshAlgoType.IMeshTools_MeshAlgoType_Delabella
    asked.Deflection = tolerance
    asked.Angle = ANGLE
    asked.Relative = False
    asked.InParallel = False
    BRepMesh_IncrementalMesh(shape, asked, Message_ProgressRange())


def _stacked(rows: list[np.ndarray], width: int, kind: type) -> np.ndarray:
    return np.concatenate(rows).astype(kind) if rows else np.empty((0, width), kind)


def _face_mesh(face: TopoDS_Face, inverted: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points, outward normals and triangles of one face; nothing where the kernel made none."""
    location = TopLoc_Location()
    triangulation = BRep_Tool.Triangulation_s(face, location)
    if triangulation is None or not triangulation.NbTriangles():
        return np.empty((0, 3)), np.empty((0, 3)), np.empty((0, 3), np.int32)
    BRepLib_ToolTriangulatedShape.ComputeNormals_s(face, triangulation)
    points, normals, triangles = _arrays(triangulation)
    turn = np.eye(3)
    if not location.IsIdentity():
        transform = location.Transformation()
        turn = np.array([[transform.Value(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)])
        points = points @ turn.T + [transform.Value(i, 4) for i in (1, 2, 3)]
    mirrored = bool(np.linalg.det(turn) < 0.0)
    normals = normals @ turn.T
    if (face.Orientation() == TopAbs_REVERSED) != inverted:
        normals = -normals
    if (face.Orientation() == TopAbs_REVERSED) != (inverted != mirrored):
        triangles = triangles[:, ::-1]
    return points, normals, _without_thin(points, triangles)


def _without_thin(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """The triangles without those of no area: at poles and tips the kernel makes such."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    double_area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.max([((q - p) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    return triangles[double_area > THIN * longest]


def _arrays(t: Poly_Triangulation) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    count = t.NbNodes()
    points = np.array([t.Node(i).Coord() for i in range(1, count + 1)])
    normals = np.array([t.Normal(i).Coord() for i in range(1, count + 1)])
    triangles = np.array([t.Triangle(i).Get() for i in range(1, t.NbTriangles() + 1)], np.int32)
    return points, normals, triangles - 1


def _polylines(parts: Topology, tolerance: float) -> list[np.ndarray]:
    """Points along every edge that shows: no seams, no smooth joins of faces."""
    lines = []
    for number, edge in enumerate(parts.edges):
        if not has_length(edge) or is_seam(parts, number) or _is_smooth(parts, number):
            continue
        curve = GCPnts_TangentialDeflection(BRepAdaptor_Curve(edge), ANGLE, tolerance, 2)
        lines.append(np.array([curve.Value(i).Coord() for i in range(1, curve.NbPoints() + 1)]))
    return lines


def _is_smooth(parts: Topology, edge: int) -> bool:
    """Whether the kernel has noted that the two faces run into each other without a crease."""
    beside = parts.faces_of_edge[edge]
    if len(beside) != 2:
        return False
    first, second = (parts.faces[i] for i in beside)
    return BRep_Tool.Continuity_s(parts.edges[edge], first, second) != GeomAbs_C0
