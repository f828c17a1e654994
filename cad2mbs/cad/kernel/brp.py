"""Shapes kept as B-rep files: read, put together and described in a process of their own.

`python -m cad2mbs.cad.kernel.brp REQUEST ANSWER` answers one request, both JSON files:

    parts      [{name, pieces: [{file, pose}]}]   pose: 16 numbers, row by row [mm]
    elements   [{file, element}]                  element: Face3, Edge12, Vertex1, from 1
    folder     where the parts are written as a document, see cad2mbs.cad.stored
    tolerance, seconds, memory_mb

A part's shape is its pieces together, each without the placement its file holds. The answer lists
what kind of curve or surface each element is; where that fails it is {"error": text, "file": which}
or {"memory": true}.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from OCP.BinTools import BinTools
from OCP.BRep import BRep_Builder
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.BRepTools import BRepTools
from OCP.GeomAbs import GeomAbs_CurveType, GeomAbs_SurfaceType
from OCP.gp import gp_Trsf
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_VERTEX
from OCP.TopExp import TopExp
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Compound, TopoDS_Shape
from OCP.TopTools import TopTools_IndexedMapOfShape

from cad2mbs.cad import job, stored
from cad2mbs.cad.document import Document, Instance
from cad2mbs.cad.kernel import quiet
from cad2mbs.cad.kernel.solids import solid_of
from cad2mbs.errors import Diagnostic, InputError

BINARY = ".bin"
TYPES = {"Face": TopAbs_FACE, "Edge": TopAbs_EDGE, "Vertex": TopAbs_VERTEX}
SURFACES = {
    GeomAbs_SurfaceType.GeomAbs_Plane: "plane",
    GeomAbs_SurfaceType.GeomAbs_Cylinder: "cylinder",
    GeomAbs_SurfaceType.GeomAbs_Sphere: "sphere",
    GeomAbs_SurfaceType.GeomAbs_Cone: "cone",
    GeomAbs_SurfaceType.GeomAbs_Torus: "torus",
}
CURVES = {GeomAbs_CurveType.GeomAbs_Line: "line", GeomAbs_CurveType.GeomAbs_Circle: "circle"}


class Shapes:
    """The shapes of files, each read once, without their own placement."""

    def __init__(self) -> None:
        self._known: dict[str, TopoDS_Shape] = {}

    def of(self, file: str) -> TopoDS_Shape:
        if file not in self._known:
            self._known[file] = _read(file).Located(TopLoc_Location())
        return self._known[file]

    def together(self, pieces: list[dict]) -> TopoDS_Shape:
        """One compound of the pieces at their poses; a single piece in place stays itself."""
        placed = [_moved(self.of(p["file"]), np.array(p["pose"]).reshape(4, 4)) for p in pieces]
        if len(placed) == 1 and placed[0].Location().IsIdentity():
            return placed[0]
        compound, builder = TopoDS_Compound(), BRep_Builder()
        builder.MakeCompound(compound)
        for shape in placed:
            builder.Add(compound, shape)
        return compound

    def element(self, file: str, name: str) -> dict:
        """{kind, radius} of a face, edge or vertex; kind None where the shape has none such."""
        word, digits = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
        found = TopTools_IndexedMapOfShape()
        if word in TYPES:
            TopExp.MapShapes_s(self.of(file), TYPES[word], found)
        if not digits or not 1 <= int(digits[:9]) <= found.Extent():
            return {"kind": None, "radius": 0.0, "count": found.Extent()}
        return _described(word, found.FindKey(int(digits)))


def _read(file: str) -> TopoDS_Shape:
    shape = TopoDS_Shape()
    if file.lower().endswith(BINARY):
        done = BinTools.Read_s(shape, file)
    else:
        done = BRepTools.Read_s(shape, file, BRep_Builder())
    if not done or shape.IsNull():
        raise InputError([Diagnostic("its shape cannot be read: it is damaged", file)])
    return shape


def _moved(shape: TopoDS_Shape, X: np.ndarray) -> TopoDS_Shape:
    if np.array_equal(X, np.eye(4)):
        return shape
    move = gp_Trsf()
    move.SetValues(*(float(v) for v in X[:3].ravel()))
    return shape.Located(TopLoc_Location(move))


def _described(word: str, shape: TopoDS_Shape) -> dict:
    if word == "Vertex":
        return {"kind": "point", "radius": 0.0}
    if word == "Edge":
        curve = BRepAdaptor_Curve(TopoDS.Edge_s(shape))
        kind = CURVES.get(curve.GetType(), "curve")
        return {"kind": kind, "radius": curve.Circle().Radius() if kind == "circle" else 0.0}
    surface = BRepAdaptor_Surface(TopoDS.Face_s(shape))
    kind = SURFACES.get(surface.GetType(), "surface")
    radius = {
        "cylinder": lambda: surface.Cylinder().Radius(),
        "sphere": lambda: surface.Sphere().Radius(),
    }.get(kind, lambda: 0.0)
    return {"kind": kind, "radius": radius()}


def answered(request: dict) -> dict:
    """Write the document of the request's parts and return what its elements are."""
    shapes, solids, children = Shapes(), [], []
    for part in request["parts"]:
        shape = shapes.together(part["pieces"])
        row = None
        faces = TopTools_IndexedMapOfShape()
        TopExp.MapShapes_s(shape, TopAbs_FACE, faces)
        if faces.Extent():
            row = len(solids)
            solids.append(solid_of(shape, part["name"], tolerance=request["tolerance"]))
        children.append(Instance(part["name"], part["name"], np.eye(4), row))
    root = Instance("parts", "", np.eye(4), children=tuple(children))
    stored.save(Document(root, tuple(solids)), Path(request["folder"]))
    return {"elements": [shapes.element(e["file"], e["element"]) for e in request["elements"]]}


def main(request_file: str, answer_file: str) -> None:
    """Answer the request in one file into another."""
    request = json.loads(Path(request_file).read_text(encoding="utf-8"))
    try:
        job.limit(request["memory_mb"], request["seconds"])
        quiet.start()
        answer = answered(request)
    except InputError as error:
        found = error.diagnostics[0]
        answer = {"error": found.message, "file": found.file}
    except MemoryError:
        answer = {"memory": True}
    except Exception as error:  # whatever the kernel throws: the file's fault, told to the user
        answer = {"error": f"the CAD kernel gave up: {type(error).__name__}: {error}"[:500]}
        if "OutOfMemory" in type(error).__name__ or "bad_alloc" in str(error):
            answer = {"memory": True}
    Path(answer_file).write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
