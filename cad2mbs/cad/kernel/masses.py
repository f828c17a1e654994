"""Area, volume, centre and inertia of a shape, face by face, and what is wrong with it.

The kernel's own integrals are exact for elementary surfaces within lines and conics, but up to
1e-2 wrong for B-spline faces (3e-5 with its adaptive rule) and 1e-5 for a cylinder cut by another
one: those are integrated by cad2mbs.cad.quadrature.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp, BRepGProp_Domain, BRepGProp_Face, BRepGProp_Vinert
from OCP.gp import gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.TopAbs import (
    TopAbs_FACE,
    TopAbs_FORWARD,
    TopAbs_REVERSED,
    TopAbs_SHAPE,
    TopAbs_ShapeEnum,
    TopAbs_SHELL,
    TopAbs_SOLID,
)
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS, TopoDS_Face, TopoDS_Shape
from OCP.TopTools import TopTools_IndexedMapOfShape, TopTools_MapOfShape

from cad2mbs.cad.kernel.patches import outline, patch_of, plain
from cad2mbs.cad.kernel.topology import Topology, topology
from cad2mbs.cad.quadrature import Moments, patch_moments

ADAPTIVE = 1e-9  # the kernel's rule where nothing better is at hand


@dataclass(frozen=True, eq=False)
class Masses:
    """Mass properties at density 1 [mm]; volume and what follows from it is 0 if nothing is closed.

    `inverted`: the material was on the wrong side of all faces; the numbers are put right, as they
    are for single solids inside out among others.
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
    """Mass properties of all solids and closed shells of a shape together, areas of its faces."""
    reference = _reference_point(parts)
    moments = [face_moments(face, reference) for face in parts.faces]
    bodies, open_shells = _bodies(parts)
    totals = [sum((s * moments[i].volume for i, s in b), np.zeros(10)) for b in bodies]
    turned = sum(bool(t[0] < 0.0) for t in totals)
    inverted = 0 < turned == len(totals)
    total = sum((-t if t[0] < 0.0 else t for t in totals), np.zeros(10))
    volume, centre, inertia = _rigid(total)
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
        _problems(parts.shape, open_shells, len(bodies), turned),
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


Body = list[tuple[int, float]]  # numbers of faces; -1.0 where a face is turned against Topology's


def _bodies(parts: Topology) -> tuple[list[Body], int]:
    """The faces of each solid's closed shells, and of those in no solid as one; the open shells.

    A face between two solids belongs to both, once each way round.
    """
    numbers = TopTools_IndexedMapOfShape()
    for face in parts.faces:
        numbers.Add(face)
    bodies: list[Body] = []
    open_shells = 0
    seen = TopTools_MapOfShape()
    for solid in _within(parts.shape, TopAbs_SOLID):
        if seen.Add(solid):
            body, gaps = _body(parts, numbers, _within(solid, TopAbs_SHELL))
            bodies.append(body)
            open_shells += gaps
    loose, gaps = _body(parts, numbers, _within(parts.shape, TopAbs_SHELL, TopAbs_SOLID))
    once = [(number, 1.0) for number in sorted({number for number, _ in loose})]
    return [body for body in (*bodies, once) if body], open_shells + gaps


def _body(
    parts: Topology, numbers: TopTools_IndexedMapOfShape, shells: Iterator[TopoDS_Shape]
) -> tuple[Body, int]:
    """The faces of the closed ones among the shells, and the number of open ones."""
    body: Body = []
    open_shells = 0
    for shell in shells:
        if not BRep_Tool.IsClosed_s(shell):
            open_shells += 1
            continue
        for face in _within(shell, TopAbs_FACE):
            number = numbers.FindIndex(face) - 1
            same = _reversed(face) == _reversed(parts.faces[number])
            body.append((number, 1.0 if same else -1.0))
    return body, open_shells


def _reversed(shape: TopoDS_Shape) -> bool:
    return shape.Orientation() == TopAbs_REVERSED


def _within(
    shape: TopoDS_Shape, kind: TopAbs_ShapeEnum, outside: TopAbs_ShapeEnum = TopAbs_SHAPE
) -> Iterator[TopoDS_Shape]:
    """The shapes of a kind within another, as often as they come, but for those in an `outside`."""
    found = TopExp_Explorer(shape, kind, outside)
    while found.More():
        yield found.Current()
        found.Next()


def _problems(shape: TopoDS_Shape, open_shells: int, bodies: int, turned: int) -> tuple[str, ...]:
    problems = []
    if open_shells:
        shells = "a shell is" if open_shells == 1 else f"{open_shells} shells are"
        problems.append(
            f"The solid is not closed: {shells} open, so that "
            + ("they add" if open_shells > 1 else "it adds")
            + " nothing to the volume. Close the gaps in the CAD system."
        )
    elif not bodies:
        problems.append("There is no solid, only loose faces or edges: it has no volume.")
    if 0 < turned < bodies:
        verb = "is" if turned == 1 else "are"
        problems.append(
            f"{turned} of {bodies} solids in this part {verb} inside out (the volume came out "
            "negative): volume and inertia were turned round, the directions of the faces were "
            "not. Repair it in the CAD system."
        )
    elif turned:
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
