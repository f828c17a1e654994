"""What hangs on a label of the kernel's document: name, placement, colour, material, shape."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from OCP.BRepGProp import BRepGProp
from OCP.gp import gp_Trsf
from OCP.GProp import GProp_GProps
from OCP.Quantity import Quantity_Color, Quantity_ColorRGBA, Quantity_TOC_sRGB
from OCP.TCollection import TCollection_AsciiString
from OCP.TDataStd import TDataStd_Name, TDataStd_TreeNode
from OCP.TDF import TDF_Label, TDF_LabelSequence, TDF_Tool
from OCP.TopoDS import TopoDS_Shape
from OCP.XCAFDoc import (
    XCAFDoc,
    XCAFDoc_ColorGen,
    XCAFDoc_ColorSurf,
    XCAFDoc_ColorTool,
    XCAFDoc_Material,
    XCAFDoc_ShapeTool,
)

from cad2mbs.model.solid import Colour


def entry(label: TDF_Label) -> str:
    """The address of a label, like 0:1:1:2."""
    text = TCollection_AsciiString()
    TDF_Tool.Entry_s(label, text)
    return text.ToCString()


def name(label: TDF_Label) -> str:
    """The name on a label, "" where there is none."""
    # Asking for an attribute that is not there crashes the kernel: look first.
    if not label.IsAttribute(TDataStd_Name.GetID_s()):
        return ""
    attribute = TDataStd_Name()
    label.FindAttribute(TDataStd_Name.GetID_s(), attribute)
    return attribute.Get().ToExtString()


def listed(sequence: TDF_LabelSequence) -> list[TDF_Label]:
    return [sequence.Value(i) for i in range(1, sequence.Length() + 1)]


def components(label: TDF_Label) -> list[TDF_Label]:
    """The placements an assembly consists of."""
    found = TDF_LabelSequence()
    XCAFDoc_ShapeTool.GetComponents_s(label, found, False)
    return listed(found)


def referred(label: TDF_Label) -> TDF_Label:
    """What is placed: the label of the product, or the label itself."""
    if not XCAFDoc_ShapeTool.IsReference_s(label):
        return label
    product = TDF_Label()
    XCAFDoc_ShapeTool.GetReferredShape_s(label, product)
    return product


def matrix(transformation: gp_Trsf) -> np.ndarray:
    """The kernel's transformation as (4, 4)."""
    X = np.eye(4)
    for i in range(3):
        for j in range(4):
            X[i, j] = transformation.Value(i + 1, j + 1)
    return X


def placement(label: TDF_Label) -> np.ndarray:
    """(4, 4) of a component [mm]; the identity for what is not placed."""
    if not XCAFDoc_ShapeTool.IsReference_s(label):
        return np.eye(4)
    return matrix(XCAFDoc_ShapeTool.GetLocation_s(label).Transformation())


def colour(label: TDF_Label) -> Colour | None:
    """The colour on the label itself."""
    found = Quantity_ColorRGBA()
    for kind in (XCAFDoc_ColorSurf, XCAFDoc_ColorGen):
        if XCAFDoc_ColorTool.GetColor_s(label, kind, found):
            return _srgb(found.GetRGB(), found.Alpha())
    return None


def _srgb(rgb: Quantity_Color, alpha: float) -> Colour:
    # The kernel works in single precision: further digits are noise.
    red, green, blue = (round(v, 6) for v in rgb.Values(Quantity_TOC_sRGB))
    return (red, green, blue, round(alpha, 6))


def part_colour(label: TDF_Label) -> Colour | None:
    """The colour of a product, else the one most of its surface has."""
    own = colour(label)
    if own is not None:
        return own
    areas: dict[Colour, float] = {}
    coloured = [(sub, c) for sub in sub_shapes(label) if (c := colour(sub)) is not None]
    for sub, c in coloured:
        areas[c] = areas.get(c, 0.0) + _area(XCAFDoc_ShapeTool.GetShape_s(sub))
    most = max(areas, key=lambda c: areas[c], default=None)
    if most is None or areas[most] < 0.5 * _area(XCAFDoc_ShapeTool.GetShape_s(label)):
        return None
    return most


def sub_shapes(label: TDF_Label) -> Iterator[TDF_Label]:
    """Labels of faces and other pieces of a product."""
    found = TDF_LabelSequence()
    XCAFDoc_ShapeTool.GetSubShapes_s(label, found)
    yield from listed(found)


def _area(shape: TopoDS_Shape) -> float:
    properties = GProp_GProps()
    BRepGProp.SurfaceProperties_s(shape, properties)
    return properties.Mass()


def material(label: TDF_Label) -> str:
    """The name of the material of a product, "" where none is stated."""
    link = XCAFDoc.MaterialRefGUID_s()
    if not label.IsAttribute(link):
        return ""
    node = TDataStd_TreeNode()
    label.FindAttribute(link, node)
    if not node.HasFather():
        return ""
    holder = node.Father().Label()
    if not holder.IsAttribute(XCAFDoc_Material.GetID_s()):
        return ""
    stated = XCAFDoc_Material()
    holder.FindAttribute(XCAFDoc_Material.GetID_s(), stated)
    return stated.GetName().ToCString() if stated.GetName() is not None else ""
