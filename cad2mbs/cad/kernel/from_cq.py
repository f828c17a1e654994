# pyright: reportAttributeAccessIssue=false
# The kernel's modules are built at import; their names are not known before.
"""CadQuery assemblies as plain trees of placed shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from OCP.BRep import BRep_Builder
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shape

from cad2mbs.cad.kernel.topology import topology
from cad2mbs.cad.kernel.write import Placed
from cad2mbs.errors import InputError
from cad2mbs.model.solid import Colour
from cad2mbs.wording import quoted

if TYPE_CHECKING:
    import cadquery as cq

OWN = "body"  # name of a node's own shape where the node has children as well
# Density units a material may name -> kg/m^3.
DENSITY_UNITS = {"kg/m^3": 1.0, "kg/m3": 1.0, "g/cm^3": 1e3, "g/cm3": 1e3, "kg/mm^3": 1e9}


def placed(assembly: cq.Assembly) -> Placed:
    """The assembly as a tree to write; a node with shape and children gets its shape as a child.

    Shapes used several times stay one shape. Materials come with their density only where the
    assembly states one: CadQuery gives every material that of steel.
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


def _numbered(name: str):
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
    """The node's own colour, sRGB."""
    if node.color is None:
        return None
    # CadQuery keeps single precision: further digits are noise.
    red, green, blue, opacity = (round(float(c), 6) for c in node.color.toTuple())
    return red, green, blue, opacity


def material_of(node: cq.Assembly) -> tuple[str, float | None]:
    """Name and density [kg/m^3] of the node's material, "" and None where it has none."""
    material = node.material
    if material is None:
        return "", None
    unit = DENSITY_UNITS.get(material.densityUnit)
    return material.name, None if unit is None else material.density * unit
