"""CadQuery's selector strings on a stored shape."""

from __future__ import annotations

import cadquery
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE
from OCP.TopExp import TopExp
from OCP.TopTools import TopTools_IndexedMapOfShape

from cad2mbs.cad.kernel.solids import shape_of


def cadquery_numbers(brep: bytes, text: str, edges: bool) -> frozenset[int]:
    """Numbers of the faces (or edges) that a CadQuery selector string gives on a shape.

    ValueError if CadQuery cannot read the string.
    """
    shape = shape_of(brep)
    numbers = TopTools_IndexedMapOfShape()
    TopExp.MapShapes_s(shape, TopAbs_EDGE if edges else TopAbs_FACE, numbers)
    work = cadquery.Workplane(obj=cadquery.Shape.cast(shape))
    try:
        found = (work.edges(text) if edges else work.faces(text)).vals()
    except Exception as error:  # the parser of the strings raises its own kinds
        raise ValueError(str(error).splitlines()[0] if str(error) else "not understood") from error
    return frozenset(numbers.FindIndex(f.wrapped) - 1 for f in found)  # type: ignore[union-attr]
