"""STEP files written: a tree of placed shapes in, the same bytes out in every process.

The kernel stamps its files with the time, the machine and counters that run on from file to
file; `settled` in step_text.py takes all of that out again.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from OCP.BRepBuilderAPI import BRepBuilderAPI_Copy, BRepBuilderAPI_Transform
from OCP.gp import gp_Trsf
from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.Interface import Interface_Static
from OCP.Quantity import Quantity_Color, Quantity_ColorRGBA, Quantity_TOC_sRGB
from OCP.ShapeCustom import ShapeCustom
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPConstruct import STEPConstruct
from OCP.StepRepr import StepRepr_RepresentationItem
from OCP.TCollection import TCollection_ExtendedString, TCollection_HAsciiString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Shape
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import (
    XCAFDoc_ColorSurf,
    XCAFDoc_DocumentTool,
    XCAFDoc_ShapeTool,
)

from cad2mbs.cad.kernel import quiet
from cad2mbs.cad.kernel.topology import topology
from cad2mbs.cad.step_text import Names, settled
from cad2mbs.errors import InputError
from cad2mbs.model.solid import Colour
from cad2mbs.wording import either, quoted, shown_path

if TYPE_CHECKING:
    import cadquery as cq

SCHEMAS = {"AP203": "AP203", "AP214": "AP214IS", "AP242": "AP242DIS"}
UNITS = {"mm": "MM", "cm": "CM", "m": "M", "in": "INCH"}
SQUARE = 1e-9  # how far a rotation may be from one that keeps lengths and angles


@dataclass(frozen=True, eq=False)
class Placed:
    """A node of the tree to write: a shape or children at a pose in its parent [mm].

    Nodes that place the same shape in the same colour, or equal children, share one product in
    the file. A colour holds for all below that has none of its own.
    """

    name: str
    shape: TopoDS_Shape | None = None
    children: tuple[Placed, ...] = ()
    X_PC: np.ndarray = field(default_factory=lambda: np.eye(4))  # (4, 4)
    product: str = ""  # "": the name of the first node that places it
    colour: Colour | None = None
    material: str = ""
    density: float | None = None  # [kg/m^3]
    face_names: Mapping[int, str] = field(default_factory=dict)  # by number, see topology.py


def write_step(
    path: str | Path, root: Placed, *, schema: str = "AP214", unit: str = "mm", title: str = ""
) -> None:
    """Write the tree as a STEP file, whole or not at all; equal trees give equal bytes.

    schema  AP203, AP214 or AP242
    unit    mm, cm, m or in: what the file is written in; shapes and poses are in mm always
    title   name of the file in its header, "": the name of the root
    """
    for what, value, choices in (("schema", schema, SCHEMAS), ("unit", unit, UNITS)):
        if value not in choices:
            raise InputError(f"STEP {what} {quoted(value)} found, {either(choices)} wanted.")
    names = Names()
    text = _text(root, names, SCHEMAS[schema], UNITS[unit])
    _replace(Path(path), settled(text, title or root.name, names))


def write_cq(
    path: str | Path, assembly: cq.Assembly, *, schema: str = "AP214", unit: str = "mm"
) -> None:
    """Write a CadQuery assembly as `write_step` does: names, places, colours, materials, faces."""
    from cad2mbs.cad.kernel.from_cq import placed

    write_step(path, placed(assembly), schema=schema, unit=unit)


def _text(root: Placed, names: Names, schema: str, unit: str) -> bytes:
    quiet.start()
    builder = _Builder(names)
    document = builder.build(root)
    STEPCAFControl_Writer()  # the parameters below exist once there was a writer
    parameters = {
        "write.step.schema": schema,
        "write.step.unit": unit,
        "xstep.cascade.unit": "MM",
        "write.step.assembly": "1",
        "write.surfacecurve.mode": "0",
        "write.precision.mode": "0",
    }
    out = io.BytesIO()
    with _parameters(parameters):
        writer = STEPCAFControl_Writer()
        writer.SetColorMode(True)
        writer.SetNameMode(True)
        writer.SetMaterialMode(True)
        if not writer.Transfer(document):
            raise InputError(f"The CAD kernel cannot turn {quoted(root.name)} into a STEP model.")
        _name_faces(writer, builder.named_faces)
        if writer.WriteStream(out) != IFSelect_ReturnStatus.IFSelect_RetDone:
            raise InputError(f"The CAD kernel cannot write {quoted(root.name)} as a STEP file.")
    return out.getvalue()


def _name_faces(writer: STEPCAFControl_Writer, named: list[tuple[TopoDS_Shape, str]]) -> None:
    """Put names on the faces of the model; the kernel's own switch misses most of them."""
    finder = writer.ChangeWriter().WS().TransferWriter().FinderProcess()
    for face, name in named:
        entity = STEPConstruct.FindEntity_s(finder, face)
        if not isinstance(entity, StepRepr_RepresentationItem):
            raise AssertionError(f"face {name!r} has no entity in the model")
        entity.SetName(TCollection_HAsciiString(name))


@contextlib.contextmanager
def _parameters(values: dict[str, str]) -> Iterator[None]:
    """Set parameters of the translator, which are one set for the whole process, for a while."""
    before = {name: Interface_Static.CVal_s(name) for name in values}
    for name, value in values.items():
        if not Interface_Static.SetCVal_s(name, value):
            raise AssertionError(f"the kernel knows no parameter {name} = {value}")
    try:
        yield
    finally:
        for name, value in before.items():
            Interface_Static.SetCVal_s(name, value)


def _replace(path: Path, text: bytes) -> None:
    """Put the bytes at the path: all of them, or the path stays as it was."""
    try:
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=".writing-", suffix=".step")
    except OSError as error:
        raise _cannot_write(path, error) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        os.chmod(scratch, 0o666 & ~_umask())
        os.replace(scratch, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(scratch)
        raise _cannot_write(path, error) from None


def _cannot_write(path: Path, error: OSError) -> InputError:
    return InputError(f"{shown_path(path)}: cannot be written: {error.strerror or error}.")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class _Builder:
    """The tree as a document of the kernel; equal sub-trees become one product."""

    def __init__(self, names: Names) -> None:
        self.names = names
        app = XCAFApp_Application.GetApplication_s()
        self.document = TDocStd_Document(TCollection_ExtendedString("XCAF"))
        app.InitDocument(self.document)
        main = self.document.Main()
        XCAFDoc_ShapeTool.SetAutoNaming_s(False)
        XCAFDoc_DocumentTool.SetLengthUnit_s(self.document, 1e-3)
        self.tool = XCAFDoc_DocumentTool.ShapeTool_s(main)
        self.colours = XCAFDoc_DocumentTool.ColorTool_s(main)
        self.materials = XCAFDoc_DocumentTool.MaterialTool_s(main)
        self.products: dict[Hashable, TDF_Label] = {}
        self.shapes: list[TopoDS_Shape] = []
        self.rows: dict[int, list[int]] = {}  # hash -> rows of shapes
        self.named_faces: list[tuple[TopoDS_Shape, str]] = []
        self.used: set[int] = set()  # rows that are a product already

    def build(self, root: Placed) -> TDocStd_Document:
        """The document; a root that is placed or is a mere shape gets a product around it."""
        if not root.children or not np.array_equal(root.X_PC, np.eye(4)):
            root = Placed(root.name, children=(root,))
        self._product(root, None)
        self.tool.UpdateAssemblies()
        return self.document

    def _product(self, node: Placed, above: Colour | None) -> tuple[TDF_Label, Hashable]:
        """The label of what the node places and the key by which it is known."""
        colour = node.colour or above
        if (node.shape is None) == (not node.children):
            raise InputError(
                f"{quoted(node.name)} has {'no shape and no' if node.shape is None else 'both'} "
                f"{'children' if node.shape is None else 'shape and children'}, exactly one of "
                "them is wanted. Leave an empty node out; put the shape into a child of its own."
            )
        if node.shape is not None:
            return self._leaf(node, node.shape, colour)
        return self._assembly(node, colour)

    def _assembly(self, node: Placed, colour: Colour | None) -> tuple[TDF_Label, Hashable]:
        below = [
            (child, _location(child), *self._product(child, colour)) for child in node.children
        ]
        key = (node.product, *((c.name, c.X_PC.tobytes(), k) for c, _, _, k in below))
        if key in self.products:
            return self.products[key], key
        label = self.products[key] = self.tool.NewShape()
        self._name(label, node.product or node.name)
        for child, location, product, _ in below:
            self._name(self.tool.AddComponent(label, product, location), child.name)
        return label, key

    def _leaf(
        self, node: Placed, shape: TopoDS_Shape, colour: Colour | None
    ) -> tuple[TDF_Label, Hashable]:
        row = self._row(shape)
        faces = tuple(sorted(node.face_names.items()))
        key = (row, node.product, colour, node.material, node.density, faces)
        if key in self.products:
            return self.products[key], key
        if not shape.Location().IsIdentity():
            shape = _settled_shape(shape)
        elif row in self.used:
            # The kernel writes one product a shape, whatever labels say, so this one needs its
            # own. Colours of single instances would do for ours, but many readers skip them.
            shape = BRepBuilderAPI_Copy(shape).Shape()
        if faces:
            # Left-handed planes are turned on writing, and the faces are then not found again.
            shape = ShapeCustom.DirectFaces_s(shape)
        self.used.add(row)
        label = self.products[key] = self.tool.NewShape()
        self.tool.SetShape(label, shape)
        self._name(label, node.product or node.name)
        if colour is not None:
            self._colour(label, colour)
        if node.material or node.density is not None:
            self._material(label, node)
        if faces:
            self._find_faces(shape, node)
        return label, key

    def _row(self, shape: TopoDS_Shape) -> int:
        """Number of the shape, the same for the same one."""
        rows = self.rows.setdefault(hash(shape), [])
        for row in rows:
            if self.shapes[row].IsEqual(shape):
                return row
        rows.append(len(self.shapes))
        self.shapes.append(shape)
        return rows[-1]

    def _name(self, label: TDF_Label, text: str) -> None:
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(self.names.stand_in(text)))

    def _colour(self, label: TDF_Label, colour: Colour) -> None:
        red, green, blue, opacity = (min(max(float(c), 0.0), 1.0) for c in colour)
        rgba = Quantity_ColorRGBA(Quantity_Color(red, green, blue, Quantity_TOC_sRGB), opacity)
        self.colours.SetColor(label, rgba, XCAFDoc_ColorSurf)

    def _material(self, label: TDF_Label, node: Placed) -> None:
        # The kernel takes densities for g/cm^3, whatever unit the last text names.
        texts = (
            self.names.stand_in(node.material),
            "",
            "density measure",
            "POSITIVE_RATIO_MEASURE",
        )
        name, description, density, kind = (TCollection_HAsciiString(t) for t in texts)
        value = 0.0 if node.density is None else node.density * 1e-3
        self.materials.SetMaterial(label, name, description, value, density, kind)

    def _find_faces(self, shape: TopoDS_Shape, node: Placed) -> None:
        faces = topology(shape).faces
        for number, name in node.face_names.items():
            if not 0 <= number < len(faces):
                raise InputError(
                    f"{quoted(node.name)} has {len(faces)} faces, face {number} is to be named "
                    f"{quoted(name)}. Faces count from 0."
                )
            self.named_faces.append((faces[number], self.names.stand_in(name)))


def _settled_shape(shape: TopoDS_Shape) -> TopoDS_Shape:
    """The shape with its own location worked into its geometry; faces keep their numbers.

    The kernel takes a product with a location for a placement and loses its name.
    """
    move = shape.Location().Transformation()
    return BRepBuilderAPI_Transform(shape.Located(TopLoc_Location()), move, True).Shape()


def _location(node: Placed) -> TopLoc_Location:
    """The pose as the kernel has it; STEP knows no mirrored, scaled or skewed placements."""
    X = np.asarray(node.X_PC, float)
    if X.shape != (4, 4) or not np.isfinite(X).all():
        raise InputError(f"Pose of {quoted(node.name)}: a (4, 4) matrix of finite numbers wanted.")
    R = X[:3, :3]
    if np.abs(R.T @ R - np.eye(3)).max() > SQUARE or np.linalg.det(R) < 0:
        raise InputError(
            f"Pose of {quoted(node.name)}: a rotation and a shift are wanted, the matrix mirrors, "
            "scales or skews. Apply it to the shape instead."
        )
    move = gp_Trsf()
    move.SetValues(*(float(v) for v in X[:3].ravel()))
    return TopLoc_Location(move)
