"""Small STEP files for tests, written with the CAD kernel or as altered text."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np


def assembly(path: Path) -> Path:
    """Two boxes (one overriding colour) and a cylinder, umlauts and CJK names, a material."""
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
    from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
    from OCP.Quantity import Quantity_Color, Quantity_TOC_sRGB
    from OCP.TCollection import TCollection_ExtendedString, TCollection_HAsciiString
    from OCP.TDataStd import TDataStd_Name
    from OCP.TDocStd import TDocStd_Document
    from OCP.TopLoc import TopLoc_Location
    from OCP.XCAFApp import XCAFApp_Application
    from OCP.XCAFDoc import XCAFDoc_ColorGen, XCAFDoc_DocumentTool

    document = TDocStd_Document(TCollection_ExtendedString("BinXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    colours = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
    materials = XCAFDoc_DocumentTool.MaterialTool_s(document.Main())

    def named(label, text):
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(text, True))
        return label

    def at(x, y, z, angle=0.0):
        move = gp_Trsf()
        move.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(1, 2, 3)), angle)
        move.SetTranslationPart(gp_Vec(x, y, z))
        return TopLoc_Location(move)

    top = named(shapes.NewShape(), "Größe 组装")
    box = named(shapes.AddShape(BRepPrimAPI_MakeBox(10, 20, 30).Shape(), False), "box")
    rod = named(shapes.AddShape(BRepPrimAPI_MakeCylinder(5, 8).Shape(), False), "Zylinder ä")
    colours.SetColor(box, Quantity_Color(0.2, 0.4, 0.6, Quantity_TOC_sRGB), XCAFDoc_ColorGen)
    text = TCollection_HAsciiString
    materials.SetMaterial(
        box, text("steel"), text(""), 7.85, text("density measure"), text("POSITIVE_RATIO_MEASURE")
    )
    named(shapes.AddComponent(top, box, at(1, 2, 3, 0.5)), "one")
    second = named(shapes.AddComponent(top, box, at(40, 0, 0)), "one")
    colours.SetColor(second, Quantity_Color(0.9, 0.1, 0.1, Quantity_TOC_sRGB), XCAFDoc_ColorGen)
    shapes.AddComponent(top, rod, at(0, 50, 0))
    shapes.UpdateAssemblies()
    return written(document, path)


def written(document, path: Path) -> Path:
    from OCP.STEPCAFControl import STEPCAFControl_Writer
    from OCP.STEPControl import STEPControl_AsIs

    from cad2mbs.cad.kernel.quiet import start

    start()
    writer = STEPCAFControl_Writer()
    writer.SetNameMode(True)
    writer.SetColorMode(True)
    writer.SetMaterialMode(True)
    writer.Transfer(document, STEPControl_AsIs)
    writer.Write(str(path))
    return path


def with_mirror(source: Path, target: Path) -> Path:
    """The second placement of `assembly` mirrored in x and put to (7, 0, 0)."""
    text = source.read_text()
    found = re.findall(r"#(\d+) = ITEM_DEFINED_TRANSFORMATION\([^;]*;", text)
    number = found[1]
    operator = (
        f"#{number} = CARTESIAN_TRANSFORMATION_OPERATOR_3D('','','',#90001,#90002,#90003,1.,"
        "#90004);\n#90001=DIRECTION('',(-1.,0.,0.));\n#90002=DIRECTION('',(0.,1.,0.));\n"
        "#90003=CARTESIAN_POINT('',(7.,0.,0.));\n#90004=DIRECTION('',(0.,0.,1.));"
    )
    pattern = rf"#{number} = ITEM_DEFINED_TRANSFORMATION\([^;]*;"
    target.write_text(re.sub(pattern, lambda _: operator, text))
    return target


def rotation(axis, angle: float) -> np.ndarray:
    """Rodrigues' formula."""
    k = np.array(axis, dtype=float) / np.linalg.norm(axis)
    K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
