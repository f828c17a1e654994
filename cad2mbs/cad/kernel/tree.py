"""The kernel's document as a tree of instances over shared solids.

Mirrored placements: X with determinant -1 is written X = X' S, S the mirror at z = 0. X' is a
proper pose, and the part (or every part below a sub-assembly) is mirrored by S into a solid of
its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from OCP.BRep import BRep_Builder
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf
from OCP.TDF import TDF_Label
from OCP.TopAbs import TopAbs_FACE, TopAbs_SHAPE, TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Compound, TopoDS_Shape
from OCP.TopTools import TopTools_IndexedMapOfShape
from OCP.XCAFDoc import XCAFDoc_ShapeTool

from cad2mbs.cad.document import Instance
from cad2mbs.cad.facts import Mirror
from cad2mbs.cad.kernel import labels
from cad2mbs.cad.kernel.shape_names import ShapeNames
from cad2mbs.cad.names import chosen, unique
from cad2mbs.model.solid import Colour, Solid
from cad2mbs.wording import quoted

S = np.diag([1.0, 1.0, -1.0, 1.0])
CLOSE = 1e-6  # [mm] and of unit vectors: a placement is the one in the text
MOST_LEAVES = 200_000
DEEPEST = 200


@dataclass(frozen=True)
class TreeText:
    """What the text of the file adds to the kernel's tree."""

    fallback: str = "part"  # name for what has none
    hidden: dict[str, str] = field(default_factory=dict)  # names of placements by what is shown
    hidden_products: dict[str, str] = field(default_factory=dict)  # the same of products
    densities: dict[str, float] = field(default_factory=dict)  # [kg/m^3] by material
    mirrors: list[Mirror] = field(default_factory=list)
    unit_mm: float = 1.0
    structured: bool = True  # False: the file has no assembly structure of its own


class Tree:
    """Builds instances; `solids` and `notes` fill on the way."""

    def __init__(self, told: TreeText, make: Callable[..., Solid]):
        self.told = told
        self.make = make
        self.solids: list[Solid] = []
        self.notes: list[str] = []
        self._rows: dict[tuple[str, bool], int | None] = {}
        self._put_right: dict[str, np.ndarray] = {}
        self._leaves = 0

    def grown(self, roots: list[TDF_Label]) -> Instance | None:
        """The tree over the free shapes of the document; None where nothing has a surface."""
        self._find_mirrors(roots)
        grown = [g for root in roots for g in self._root(root)]
        if not grown:
            return None
        if len(grown) == 1:
            return _renamed(grown[0], grown[0].name)
        return Instance(self.told.fallback, "", np.eye(4), children=_siblings(grown))

    def _root(self, label: TDF_Label) -> list[Instance]:
        shape = XCAFDoc_ShapeTool.GetShape_s(label)
        simple = not XCAFDoc_ShapeTool.IsAssembly_s(label)
        if simple and not self.told.structured and _count(shape, TopAbs_SOLID) > 1:
            return self._split(label, shape)
        grown = self._instance(label, False, 0)
        return [grown] if grown is not None else []

    def _instance(self, label: TDF_Label, mirrored: bool, depth: int) -> Instance | None:
        """One placement and all below; None where it holds no surface."""
        product = labels.referred(label)
        X = self._put_right.get(labels.entry(label))
        X = labels.placement(label) if X is None else X
        X_PC, mirrored = proper(X, mirrored)
        own, of_product = labels.name(label), labels.name(product)
        own = "" if label.IsEqual(product) else self.told.hidden.get(own, own)
        of_product = self.told.hidden_products.get(of_product) or of_product
        name = chosen(own, of_product, self.told.fallback)
        colour = labels.colour(label)
        if XCAFDoc_ShapeTool.IsAssembly_s(product) and depth < DEEPEST:
            below = [self._instance(c, mirrored, depth + 1) for c in labels.components(product)]
            children = _siblings([b for b in below if b is not None])
            colour = colour or labels.colour(product)
            if not children:
                return None
            return Instance(name, of_product, X_PC, None, children, colour, own)
        row = self._solid(product, of_product or name, mirrored)
        if row is None:
            self._say(f"{quoted(name)} has no surfaces; it is left out.")
            return None
        self._count_leaf()
        # Without a colour here the one of an assembly above would win over the part's own.
        return Instance(name, of_product, X_PC, row, (), colour or self.solids[row].colour, own)

    def _solid(self, product: TDF_Label, name: str, mirrored: bool) -> int | None:
        """The row of the solid of a product, made at its first use."""
        key = (labels.entry(product), mirrored)
        if key not in self._rows:
            shape = XCAFDoc_ShapeTool.GetShape_s(product)
            material = labels.material(product)
            self._rows[key] = self._made(
                shape, name, mirrored, labels.part_colour(product), material, ShapeNames(product)
            )
        return self._rows[key]

    def _made(
        self,
        shape: TopoDS_Shape,
        name: str,
        mirrored: bool,
        colour: Colour | None,
        material: str,
        names: ShapeNames,
    ) -> int | None:
        if shape.IsNull() or not _count(shape, TopAbs_FACE):
            return None
        solid = self.make(
            flipped(shape) if mirrored else shape,
            name,
            face_names=names.of_faces(shape),  # a mirrored copy keeps the order of faces
            colour=colour,
            material=material,
            density=self.told.densities.get(material),
        )
        self.solids.append(solid)
        return len(self.solids) - 1

    def _split(self, label: TDF_Label, shape: TopoDS_Shape) -> list[Instance]:
        """The solids of one product as parts of their own; equal ones share their geometry."""
        product, names = labels.name(label), ShapeNames(label)
        colour = labels.part_colour(label)
        colours = {}
        for sub in labels.sub_shapes(label):
            colours[_key(XCAFDoc_ShapeTool.GetShape_s(sub))] = labels.colour(sub)
        seen = TopTools_IndexedMapOfShape()
        rows: dict[tuple[int, bool], int | None] = {}
        out = []
        for piece in [*_pieces(shape, TopAbs_SOLID), *_rest(shape)]:
            X_PC, mirrored = proper(labels.matrix(piece.Location().Transformation()), False)
            prototype = piece.Located(TopLoc_Location())
            key = (seen.Add(prototype), mirrored)
            own = names.of(piece)
            name = chosen(own, product, self.told.fallback)
            own_colour = colours.get(_key(piece)) or colour
            if key not in rows:
                rows[key] = self._made(
                    prototype, name, mirrored, own_colour, labels.material(label), names
                )
            row = rows[key]
            if row is not None:
                self._count_leaf()
                out.append(Instance(name, product, X_PC, row, (), own_colour, own))
        return out

    def _find_mirrors(self, roots: list[TDF_Label]) -> None:
        """Find the placements that the kernel read as rotations though the file mirrors."""
        wanted = sum(m.uses for m in self.told.mirrors)
        if not wanted:
            return
        found: dict[str, np.ndarray] = {}
        for label in _all_components(roots):
            X = labels.placement(label)
            for mirror in self.told.mirrors:
                right, wrong = as_read(mirror.X, self.told.unit_mm)
                if np.allclose(X, wrong, rtol=1e-9, atol=CLOSE):
                    found[labels.entry(label)] = right
        if len(found) == wanted:
            self._put_right = found
            self._say(f"{wanted} placement(s) in this file mirror their part: each is a new part.")
        else:
            self._say(
                f"{wanted} placement(s) in this file mirror their part; {len(found)} found that "
                "could be meant, so none is mirrored. Check the places of mirrored parts."
            )

    def _count_leaf(self) -> None:
        self._leaves += 1
        if self._leaves > MOST_LEAVES:
            raise MemoryError(f"more than {MOST_LEAVES} placed parts")

    def _say(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)


def proper(X: np.ndarray, mirrored: bool) -> tuple[np.ndarray, bool]:
    """The pose of a placement below a (mirrored) parent, and whether what is placed is mirrored."""
    X = S @ X if mirrored else X
    return (X @ S, True) if np.linalg.det(X[:3, :3]) < 0 else (X, False)


def as_read(X: np.ndarray, unit_mm: float) -> tuple[np.ndarray, np.ndarray]:
    """A mirroring placement in mm, and what the kernel makes of it: x and z kept, y turned."""
    right = X.copy()
    right[:3, 3] *= unit_mm
    wrong = right.copy()
    wrong[:3, 1] = np.cross(right[:3, 2], right[:3, 0])
    return right, wrong


def flipped(shape: TopoDS_Shape) -> TopoDS_Shape:
    """The shape mirrored at z = 0."""
    mirror = gp_Trsf()
    mirror.SetMirror(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)))
    return BRepBuilderAPI_Transform(shape, mirror, True).Shape()


def _siblings(instances: list[Instance]) -> tuple[Instance, ...]:
    names = unique([i.name for i in instances])
    return tuple(_renamed(i, name) for i, name in zip(instances, names, strict=True))


def _renamed(i: Instance, name: str) -> Instance:
    original = i.original_name or i.product
    return Instance(name, i.product, i.X_PC, i.solid, i.children, i.colour, original)


def _all_components(roots: list[TDF_Label]) -> list[TDF_Label]:
    """Every component label of the document once."""
    out: dict[str, TDF_Label] = {}
    waiting = [labels.referred(r) for r in roots]
    seen: set[str] = set()
    while waiting:
        product = waiting.pop()
        if labels.entry(product) in seen or not XCAFDoc_ShapeTool.IsAssembly_s(product):
            continue
        seen.add(labels.entry(product))
        for component in labels.components(product):
            out[labels.entry(component)] = component
            waiting.append(labels.referred(component))
    return list(out.values())


def _pieces(shape: TopoDS_Shape, kind, avoid=TopAbs_SHAPE) -> list[TopoDS_Shape]:
    explorer = TopExp_Explorer(shape, kind, avoid)
    out = []
    while explorer.More():
        out.append(explorer.Current())
        explorer.Next()
    return out


def _rest(shape: TopoDS_Shape) -> list[TopoDS_Shape]:
    """The faces that belong to no solid, as one shape."""
    faces = _pieces(shape, TopAbs_FACE, TopAbs_SOLID)
    if not faces:
        return []
    together, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(together)
    for face in faces:
        builder.Add(together, face)
    return [together]


def _count(shape: TopoDS_Shape, kind) -> int:
    return 0 if shape.IsNull() else len(_pieces(shape, kind))


def _key(shape: TopoDS_Shape) -> int:
    return hash(shape.Located(TopLoc_Location()))
