# pyright: reportAttributeAccessIssue=false
# The kernel's modules are built at import; their names are not known before.
"""Area, volume, centre and inertia of a shape, face by face, and what is wrong with it.

The kernel's own integrals are exact for elementary surfaces within lines and conics, but up to
1e-2 wrong for B-spline faces (3e-5 with its adaptive rule) and 1e-5 for a cylinder cut by another
one: those are integrated by cad2mbs.cad.quadrature.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp, BRepGProp_Domain, BRepGProp_Face, BRepGProp_Vinert
from OCP.gp import gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.TopAbs import TopAbs_FORWARD, TopAbs_REVERSED, TopAbs_SHELL
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS, TopoDS_Face, TopoDS_Shape

from cad2mbs.cad.kernel.patches import outline, patch_of, plain
from cad2mbs.cad.kernel.topology import Topology, topology
from cad2mbs.cad.quadrature import Moments, patch_moments

ADAPTIVE = 1e-9  # the kernel's rule where nothing better is at hand


@dataclass(frozen=True, eq=False)
class Masses:
    """Mass properties at density 1 [mm]; volume and what follows from it is 0 if nothing is closed.

    `inverted`: the material was on the wrong side of all faces; the numbers are put right.
    """

    volume: float
    area: float
    centre: np.ndarray  # (3,)
    inertia: np.ndarray  # (3, 3)  about the centre
    inverted: bool
    face_areas: np.ndarray  # (nfaces,)
    face_centres: np.ndarray  # (nfaces, 3)
    problems: tuple[str, ...]


def masses(parts: Topology) -> Masses:
    """Mass properties of all closed shells of a shape together, areas of all its faces."""
    reference = _reference_point(parts)
    moments = [face_moments(face, reference) for face in parts.faces]
    closed, open_shells = _closed_faces(parts)
    total = sum((m.volume for m, used in zip(moments, closed, strict=True) if used), np.zeros(10))
    inverted = bool(total[0] < 0.0)
    volume, centre, inertia = _rigid(-total if inverted else total)
    areas = np.array([m.area for m in moments])
    firsts = np.array([m.area_first for m in moments]).reshape(-1, 3)
    return Masses(
        volume,
        float(areas.sum()),
        centre + reference if volume else _area_centre(areas, firsts, reference),
        inertia,
        inverted,
        areas,
        firsts / np.where(areas == 0.0, 1.0, areas)[:, None] + reference,
        _problems(parts.shape, open_shells, any(closed), inverted),
    )


def mass_properties(shape: TopoDS_Shape) -> Masses:
    """Mass properties of a shape [mm]."""
    return masses(topology(shape))


def face_moments(face: TopoDS_Face, reference: np.ndarray) -> Moments:
    """What one face adds to area and volume, the volume's part positive where it faces outwards."""
    try:
        if plain(face):
            return _kernel_moments(face, reference, None)
        found = _own_moments(face, reference)
    except Exception as error:
        # The kernel's exceptions have no common base. Here: an edge without a curve on its face,
        # a surface that will not be trimmed.
        if not type(error).__module__.startswith("OCP"):
            raise
        found = None
    if found is not None and np.isfinite(found.volume).all():
        return found
    return _kernel_moments(face, reference, ADAPTIVE)


def _own_moments(face: TopoDS_Face, reference: np.ndarray) -> Moments | None:
    """Moments of a face by our own quadrature; None where it has no usable outline."""
    forward = TopoDS.Face_s(face.Oriented(TopAbs_FORWARD))
    loop = outline(forward)
    if not loop:
        return None
    found = patch_moments(patch_of(forward), loop, reference)
    if found.area < 0.0:
        return None  # an outline that runs the wrong way round: nothing to rely on
    sign = -1.0 if face.Orientation() == TopAbs_REVERSED else 1.0
    return Moments(found.area, found.area_first, sign * found.volume)


def _reference_point(parts: Topology) -> np.ndarray:
    """A point within the part: moments about a far origin would lose digits."""
    from OCP.Bnd import Bnd_Box
    from OCP.BRepBndLib import BRepBndLib

    box = Bnd_Box()
    BRepBndLib.Add_s(parts.shape, box, False)
    if box.IsVoid() or box.IsOpen():
        return np.zeros(3)
    low, high = box.CornerMin().Coord(), box.CornerMax().Coord()
    return 0.5 * (np.array(low) + np.array(high))


def _kernel_moments(face: TopoDS_Face, reference: np.ndarray, adaptive: float | None) -> Moments:
    origin = gp_Pnt(*reference.tolist())
    surface = GProp_GProps(origin)
    patch, domain = BRepGProp_Face(face, False), BRepGProp_Domain(face)
    # Not BRepGProp.VolumeProperties: for a lone face it takes a vertex of it as the reference.
    if adaptive is None:
        BRepGProp.SurfaceProperties_s(face, surface)
        volume = BRepGProp_Vinert(patch, domain, origin)
    else:
        BRepGProp.SurfaceProperties_s(face, surface, adaptive)
        volume = BRepGProp_Vinert(patch, domain, origin, adaptive)
    area, content = surface.Mass(), volume.Mass()
    first = content * (np.array(volume.CentreOfMass().Coord()) - reference)
    # Moments of inertia about the centre of mass, moved to the reference point.
    about = volume.MatrixOfInertia()
    inertia = np.array([[about.Value(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)])
    if content != 0.0:
        g = first / content
        inertia = inertia + content * ((g @ g) * np.eye(3) - np.outer(g, g))
    squares = 0.5 * np.trace(inertia) - np.diag(inertia)
    second = [*squares, -inertia[0, 1], -inertia[1, 2], -inertia[2, 0]]
    return Moments(
        area,
        area * (np.array(surface.CentreOfMass().Coord()) - reference),
        np.array([content, *first, *second]),
    )


def _rigid(total: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume, centre and inertia about it from the ten moments."""
    volume = float(total[0])
    if volume <= 0.0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    g = total[1:4] / volume
    xx, yy, zz, xy, yz, zx = total[4:]
    second = np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]) - volume * np.outer(g, g)
    return volume, g, np.trace(second) * np.eye(3) - second


def _area_centre(areas: np.ndarray, firsts: np.ndarray, reference: np.ndarray) -> np.ndarray:
    total = float(areas.sum())
    return firsts.sum(axis=0) / total + reference if total > 0.0 else reference


def _closed_faces(parts: Topology) -> tuple[list[bool], int]:
    """For each face whether it belongs to a closed shell, and the number of open shells."""
    from OCP.TopAbs import TopAbs_FACE
    from OCP.TopTools import TopTools_MapOfShape

    inside = TopTools_MapOfShape()
    open_shells = 0
    shells = TopExp_Explorer(parts.shape, TopAbs_SHELL)
    while shells.More():
        shell = shells.Current()
        if BRep_Tool.IsClosed_s(shell):
            faces = TopExp_Explorer(shell, TopAbs_FACE)
            while faces.More():
                inside.Add(faces.Current())
                faces.Next()
        else:
            open_shells += 1
        shells.Next()
    return [inside.Contains(face) for face in parts.faces], open_shells


def _problems(
    shape: TopoDS_Shape, open_shells: int, closed: bool, inverted: bool
) -> tuple[str, ...]:
    problems = []
    if open_shells:
        shells = "a shell is" if open_shells == 1 else f"{open_shells} shells are"
        problems.append(
            f"The solid is not closed: {shells} open, so that "
            + ("they add" if open_shells > 1 else "it adds")
            + " nothing to the volume. Close the gaps in the CAD system."
        )
    elif not closed:
        problems.append("There is no solid, only loose faces or edges: it has no volume.")
    if inverted:
        problems.append(
            "The solid is inside out (its volume came out negative): volume, inertia and the "
            "directions of faces were turned round."
        )
    if not BRepCheck_Analyzer(shape, True).IsValid():
        problems.append(
            "The kernel finds the solid not valid (faces that cut each other, or edges off their "
            "faces): its mass properties may be off. Repair it in the CAD system."
        )
    return tuple(problems)
