"""Names that faces and solids have in a STEP file, found again on the kernel's shapes."""

from __future__ import annotations

import re

from OCP.TDF import TDF_Label
from OCP.TopAbs import TopAbs_FACE
from OCP.TopExp import TopExp
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Shape
from OCP.TopTools import TopTools_IndexedMapOfShape
from OCP.XCAFDoc import XCAFDoc_ShapeTool

from cad2mbs.cad.kernel import labels
from cad2mbs.cad.names import meaningful
from cad2mbs.cad.part21 import Part21

_NAMED = re.compile(
    rb"\b(?:ADVANCED_FACE|FACE_SURFACE|MANIFOLD_SOLID_BREP|BREP_WITH_VOIDS)"
    rb"\s*\(\s*'([^']*[^'\s][^']*)'"
)


def any_named(text: Part21) -> bool:
    """Whether a face or a solid has a name at all: asking the kernel for them takes a while."""
    return _NAMED.search(text.data) is not None


class ShapeNames:
    """Name by shape, wherever the shape is placed, of one product."""

    def __init__(self, product: TDF_Label) -> None:
        self._shapes = TopTools_IndexedMapOfShape()
        self._names: dict[int, str] = {}
        for sub in labels.sub_shapes(product):
            name = meaningful(labels.name(sub))
            if name:
                shape = XCAFDoc_ShapeTool.GetShape_s(sub).Located(TopLoc_Location())
                self._names[self._shapes.Add(shape)] = name

    def of(self, shape: TopoDS_Shape) -> str:
        """The name of a shape, "" where it has none."""
        if not self._names:
            return ""
        return self._names.get(self._shapes.FindIndex(shape.Located(TopLoc_Location())), "")

    def of_faces(self, shape: TopoDS_Shape) -> dict[int, str]:
        """Name by number of the face in the shape, counted from 0."""
        if not self._names:
            return {}
        faces = TopTools_IndexedMapOfShape()
        TopExp.MapShapes_s(shape, TopAbs_FACE, faces)
        named = {i: self.of(faces.FindKey(i + 1)) for i in range(faces.Extent())}
        return {number: name for number, name in named.items() if name}
