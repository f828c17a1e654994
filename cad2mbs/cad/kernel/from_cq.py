"""CadQuery assemblies taken apart: trees of placed shapes, solids of what moves, moved copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from OCP.BRep import BRep_Builder
from OCP.gp import gp_Trsf
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shape

from cad2mbs.cad.kernel.topology import topology
from cad2mbs.cad.kernel.write import Placed
from cad2mbs.errors import InputError
from cad2mbs.model.solid import Colour, Solid
from cad2mbs.wording import either, listed, quoted

if TYPE_CHECKING:
    import cadquery as cq

OWN = "body"  # name of a node's own shape where the node has children as well
# Density units a material may name -> kg/m^3.
DENSITY_UNITS = {"kg/m^3": 1.0, "kg/m3": 1.0, "g/cm^3": 1e3, "g/cm3": 1e3, "kg/mm^3": 1e9}
UNSTATED = (7.85, "g/cm^3")


def placed(assembly: cq.Assembly) -> Placed:
    """The assembly as a tree to write; a node with shape and children gets its shape as a child.

    Shapes used several times stay one shape.
    """
    return _placed(assembly, {})


def _placed(node: cq.Assembly, known: dict[int, TopoDS_Shape]) -> Placed:
    shape = shape_of(node, known)
    children = tuple(_placed(child, known) for child in node.children)
    if shape is not None and not children:
        return Placed(node.name, shape=shape, X_PC=matrix(node.loc), **_look(node, shape))
    if shape is not None:
        taken = {child.name for child in node.children}
        own = next(n for n in _numbered(OWN) if n not in taken)
        product = f"{node.name} {own}"
        children = (Placed(own, shape=shape, product=product, **_look(node, shape)), *children)
    if not children:
        raise InputError(
            f"CadQuery assembly {quoted(node.name)} is empty: no shape and no children. "
            "Add a shape to it or remove it."
        )
    return Placed(node.name, children=children, X_PC=matrix(node.loc), colour=colour_of(node))


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name} {number}"
        number += 1


def _look(node: cq.Assembly, shape: TopoDS_Shape) -> dict[str, Any]:
    material, density = material_of(node)
    return {
        "colour": colour_of(node),
        "material": material,
        "density": density,
        "face_names": face_names(node, shape),
    }


def shape_of(
    node: cq.Assembly, known: dict[int, TopoDS_Shape] | None = None
) -> TopoDS_Shape | None:
    """The node's own shape, several as one compound, None where it has none.

    `known` keeps the compounds made so far, by object, so that its uses share one.
    """
    shapes = [shape.wrapped for shape in node.shapes if shape.wrapped is not None]
    if len(shapes) < 2:
        return shapes[0] if shapes else None
    known = {} if known is None else known
    key = id(node.obj)
    if key not in known:
        known[key] = _compound(shapes)
    return known[key]


def _compound(shapes: list[TopoDS_Shape]) -> TopoDS_Compound:
    made = TopoDS_Compound()
    builder = BRep_Builder()
    builder.MakeCompound(made)
    for shape in shapes:
        builder.Add(made, shape)
    return made


def face_names(node: cq.Assembly, shape: TopoDS_Shape) -> dict[int, str]:
    """Names the assembly gives to faces of the node's shape, by number of the face."""
    named = node._subshape_names  # CadQuery has no other way to them
    if not named:
        return {}
    faces = topology(shape).faces
    return {
        number: name
        for sub, name in named.items()
        for number, face in enumerate(faces)
        if face.IsSame(sub.wrapped)
    }


def matrix(location: cq.Location) -> np.ndarray:
    """The location as a matrix, (4, 4) [mm]."""
    move = location.wrapped.Transformation()
    X = np.eye(4)
    X[:3] = [[move.Value(i, j) for j in (1, 2, 3, 4)] for i in (1, 2, 3)]
    return X


def colour_of(node: cq.Assembly) -> Colour | None:
    """The node's own colour."""
    return None if node.color is None else srgb(node.color)


def srgb(colour: cq.Color) -> Colour:
    # CadQuery keeps single precision: further digits are noise.
    red, green, blue, opacity = (round(float(c), 6) for c in colour.toTuple())
    return red, green, blue, opacity


def material_of(node: cq.Assembly) -> tuple[str, float | None]:
    """Name and density [kg/m^3] of the node's material, "" and None where it has none.

    CadQuery gives 7.85 g/cm^3 to every material whose density is not stated, oak or steel; these
    very numbers count as not stated.
    """
    material = node.material
    if material is None:
        return "", None
    if (material.density, material.densityUnit) == UNSTATED:
        return material.name, None
    unit = DENSITY_UNITS.get(material.densityUnit)
    if unit is None:
        raise InputError(
            f"Density unit of material {quoted(material.name)} of {quoted(node.name)}: "
            f"{quoted(material.densityUnit)} found, {either(DENSITY_UNITS)} wanted."
        )
    return material.name, material.density * unit


# -- what moves ---------------------------------------------------------------------------


def bodies(assembly: cq.Assembly) -> dict[str, Solid]:
    """The root (where it has a shape) and every child with all below it as one solid, by name.

    Children that place the same object share one solid but for their name and look.
    """
    known: dict[int, TopoDS_Shape] = {}
    made: dict[TopoDS_Shape, Solid] = {}
    found: dict[str, Solid] = {}
    own = shape_of(assembly, known)
    if own is not None:
        found[assembly.name] = _solid(assembly, own, made, assembly.color)
    for child in assembly.children:
        if child.children:
            shape = _compound(list(_pieces(child, np.eye(4), known)))
        else:
            shape = shape_of(child, known)
        if shape is None:
            raise InputError(
                f"CadQuery assembly {quoted(child.name)} is empty: no shape and no children. "
                "Add a shape to it or remove it."
            )
        found[child.name] = _solid(child, shape, made, child.color or assembly.color)
    return found


def _solid(
    node: cq.Assembly, shape: TopoDS_Shape, made: dict[TopoDS_Shape, Solid], colour: Any
) -> Solid:
    from cad2mbs.cad.kernel.solids import solid_of  # not needed, and so not loaded, to write

    material, density = material_of(node)
    names = face_names(node, shape)
    shown = None if colour is None else srgb(colour)
    if not names and shape in made:
        same = made[shape]
        return replace(same, name=node.name, colour=shown, material=material, density=density)
    solid = solid_of(
        shape, node.name, face_names=names, colour=shown, material=material, density=density
    )
    if not names:
        made[shape] = solid
    return solid


def _pieces(
    node: cq.Assembly, X: np.ndarray, known: dict[int, TopoDS_Shape]
) -> Iterator[TopoDS_Shape]:
    """Shapes of the node and all below it, in the coordinates of the node."""
    shape = shape_of(node, known)
    if shape is not None:
        yield shape.Moved(_kernel_location(X))
    for child in node.children:
        yield from _pieces(child, X @ matrix(child.loc), known)


# -- back to CadQuery ---------------------------------------------------------------------


def moved(assembly: cq.Assembly, places: Mapping[str, np.ndarray]) -> cq.Assembly:
    """A copy of the assembly with its children at the given poses, (4, 4) [mm] in the root."""
    from cadquery import Location

    copy = assembly.__class__(
        assembly.obj,
        assembly.loc,
        assembly.name,
        assembly.color,
        assembly.material,
        dict(assembly.metadata),
    )
    for child in assembly.children:
        copy.add(child, loc=Location(_kernel_location(places[child.name])))
    for shape, name in assembly._subshape_names.items():
        copy.addSubshape(shape, name=name)
    for shape, colour in assembly._subshape_colors.items():
        copy.addSubshape(shape, color=colour)
    for shape, layer in assembly._subshape_layers.items():
        copy.addSubshape(shape, layer=layer)
    copy.constraints = list(assembly.constraints)
    return copy


def add_unary(assembly: cq.Assembly, name: str, shape: cq.Shape, kind: str, param: Any) -> None:
    """Append a constraint of one shape, of any node of the tree, to the assembly."""
    from cadquery.occ_impl.solver import ConstraintSpec

    if name not in assembly.objects:
        raise InputError(
            f"CadQuery assembly {quoted(assembly.name)} has no object {quoted(name)}. "
            f"Objects: {listed(assembly.objects)}."
        )
    location, top = assembly._subloc(name)
    spec = ConstraintSpec((top,), (shape,), (location,), cast(Any, kind), param)
    assembly.constraints.append(spec)


def _kernel_location(X: np.ndarray) -> TopLoc_Location:
    move = gp_Trsf()
    move.SetValues(*(float(v) for v in X[:3].ravel()))
    return TopLoc_Location(move)
