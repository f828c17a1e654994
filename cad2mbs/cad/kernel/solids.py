"""A shape of the CAD kernel as a Solid: features, masses, mesh, all plain data."""

from __future__ import annotations

import io
from collections.abc import Mapping

import numpy as np
from OCP.BinTools import BinTools, BinTools_FormatVersion
from OCP.BRepLib import BRepLib
from OCP.TopAbs import TopAbs_FACE
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS_Shape

from cad2mbs.cad.kernel.boxes import joined
from cad2mbs.cad.kernel.faces import features, geometry
from cad2mbs.cad.kernel.masses import masses
from cad2mbs.cad.kernel.meshes import RELATIVE, mesh_of, mesh_volume
from cad2mbs.cad.kernel.recovery import tolerance_for
from cad2mbs.cad.kernel.topology import topology
from cad2mbs.cad.merging import box_of, vec3
from cad2mbs.model.solid import Colour, Mesh, Solid

SMOOTH = 1e-3  # rad between the normals of two faces along an edge that does not show


def solid_of(
    shape: TopoDS_Shape,
    name: str,
    *,
    tolerance: float | None = None,
    face_names: Mapping[int, str] | None = None,
    colour: Colour | None = None,
    material: str = "",
    density: float | None = None,
    mesh: bool = True,
) -> Solid:
    """The shape [mm] as plain data.

    tolerance   of the mesh [mm]; None: 1/1000 of the box's diagonal
    face_names  by number of the face, as cad2mbs.cad.kernel.topology counts
    mesh        False: no triangles, and no check of the volume against them
    """
    parts = topology(shape)
    shapes = geometry(parts)
    rough = joined(shapes.boxes)
    diagonal = float(np.linalg.norm(rough[1] - rough[0])) if len(parts.edges) else 0.0
    diagonal = diagonal if np.isfinite(diagonal) else 0.0
    weighed = masses(parts)
    near = tolerance_for(diagonal)
    triangles: Mesh | None = None
    problems = weighed.problems
    if mesh:
        asked = tolerance or max(RELATIVE * _size(diagonal, weighed.area), 1e-6)
        BRepLib.EncodeRegularity_s(shape, SMOOTH)
        triangles = mesh_of(parts, asked, inverted=weighed.inverted)
        # A face between two solids is meshed once: such a mesh tells nothing about the volume.
        if not problems and _occurrences(shape) == len(parts.faces):
            problems += _disagreement(triangles, weighed.volume, weighed.area)
    found = features(parts, shapes, weighed, near, face_names)
    boxes = [np.array(f.box) for f in found if np.isfinite(f.box).all()]
    boxes += [box for box in shapes.boxes if np.isfinite(box).all()]
    return Solid(
        name,
        found,
        weighed.volume,
        weighed.area,
        vec3(weighed.centre),
        (vec3(weighed.inertia[0]), vec3(weighed.inertia[1]), vec3(weighed.inertia[2])),
        box_of(joined(boxes)) if boxes else box_of(np.zeros((2, 3))),
        colour,
        material,
        density,
        problems,
        triangles,
        brep_of(shape),
    )


def brep_of(shape: TopoDS_Shape) -> bytes:
    """The shape in the kernel's binary format, without triangles."""
    stream = io.BytesIO()
    BinTools.Write_s(
        shape, stream, False, False, BinTools_FormatVersion.BinTools_FormatVersion_VERSION_4
    )
    return stream.getvalue()


def shape_of(brep: bytes) -> TopoDS_Shape:
    """The shape back from its binary format."""
    shape = TopoDS_Shape()
    BinTools.Read_s(shape, io.BytesIO(brep))
    return shape


def _size(diagonal: float, area: float) -> float:
    """The diagonal of the edges' box; a sphere has one edge only, its area says more."""
    return max(diagonal, float(np.sqrt(area / 6.0) * np.sqrt(3.0)) * 0.5)


def _occurrences(shape: TopoDS_Shape) -> int:
    """How many faces the shape has when a face of two solids counts twice."""
    faces = TopExp_Explorer(shape, TopAbs_FACE)
    count = 0
    while faces.More():
        count += 1
        faces.Next()
    return count


def _disagreement(mesh: Mesh, volume: float, area: float) -> tuple[str, ...]:
    """A sentence if the mesh encloses another volume than the faces, beyond its tolerance."""
    if volume <= 0.0 or not len(mesh.triangles):
        return ()
    seen = mesh_volume(mesh)
    allowed = 2.0 * mesh.tolerance * area + 1e-6 * volume  # a skin of the tolerance's thickness
    if abs(seen - volume) <= allowed:
        return ()
    return (
        f"The mesh encloses {seen:.6g} mm^3, the faces {volume:.6g} mm^3: they differ by more "
        "than the tolerance of the mesh. A face may be missing or not trimmed; check the solid.",
    )
