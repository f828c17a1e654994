"""Which parts of the geometry the entities of a STEP file mean.

The kernel gives a tree of named instances, the text numbers of uses and products. Both trees are
walked side by side; a use is matched with the instance that has its name, product and place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cad2mbs.cad.document import Document, Instance
from cad2mbs.cad.part21 import Ref
from cad2mbs.io.kinematics.text import Entities, label, refs

CLOSE = 1e-6  # of unit vectors, and [mm] times the size of a placement


@dataclass(frozen=True)
class Use:
    """One use of a product in another."""

    number: int
    name: str
    parent: int  # product definitions
    child: int


@dataclass(eq=False)
class Place:
    """An instance in the geometry, with the names that lead to it."""

    path: tuple[str, ...]
    X_WC: np.ndarray  # (4, 4) [mm]
    parts: list[str] = field(default_factory=list)  # the placed solids in it


class Products:
    """The instances of a document by use, product definition and representation."""

    def __init__(self, entities: Entities, document: Document):
        self.e = entities
        self.uses = uses_in(entities)
        self.below: dict[int, list[Use]] = {}
        for use in self.uses:
            self.below.setdefault(use.parent, []).append(use)
        self.by_use: dict[int, list[Place]] = {}
        self.by_product: dict[int, list[Place]] = {}
        self._product_names: dict[int, str] = {}
        self._names = {leaf.path: name for name, leaf in document.parts().items()}
        self._poses = self._placements()
        self._definitions = definitions_in(entities)
        self._walk_roots(document.root)

    def of_use(self, number: int) -> list[Place]:
        """The instances that a use (NEXT_ASSEMBLY_USAGE_OCCURRENCE) became."""
        return self.by_use.get(number, [])

    def of_representation(self, number: int) -> list[Place]:
        """The instances of the product that a shape representation is of."""
        return self.by_product.get(self._definitions.get(number, -1), [])

    # -- the text -------------------------------------------------------------------------

    def _placements(self) -> dict[int, np.ndarray]:
        """Pose of child in parent [mm] by use."""
        out = {}
        for _, args in self.e.all("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION"):
            two = refs(args)
            owner = refs(self.e.one(two[1]).args) if len(two) == 2 else []
            if not owner:
                continue
            relation = {t.word: t.args for t in self.e.text.entity(two[0])}
            operator = relation.get("REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION", [])
            moved = self.e.one(operator[-1] if operator else None)
            if moved.word != "ITEM_DEFINED_TRANSFORMATION":
                continue
            related = refs(relation.get("REPRESENTATION_RELATIONSHIP", []))
            parent = refs(self.e.one(related[-1]).args) if related else []
            length = self.e.units(parent[-1])[0] if parent else 1.0
            X = [self.e.placement(r, length) for r in refs(moved.args)]
            if len(X) == 2 and X[0] is not None and X[1] is not None:
                out[owner[0].number] = X[1] @ np.linalg.inv(X[0])
        return out

    # -- both trees -----------------------------------------------------------------------

    def _walk_roots(self, root: Instance) -> None:
        used = {use.child for use in self.uses}
        roots = list(dict.fromkeys(u.parent for u in self.uses if u.parent not in used))
        if not self.uses:
            roots = list(dict.fromkeys(self._definitions.values()))
        if len(roots) == 1:
            self._walk(roots[0], root, (), np.eye(4), 0)
            return
        names = {self._product_name(pd): pd for pd in roots}
        for child in root.children:
            if child.product in names:
                X = root.X_PC @ child.X_PC
                self._walk(names[child.product], child, (child.name,), X, 0, placed=True)

    def _walk(
        self,
        definition: int,
        node: Instance,
        path: tuple[str, ...],
        X: np.ndarray,
        depth: int,
        placed: bool = False,
    ) -> Place:
        X_WC = X if placed else X @ node.X_PC
        place = Place(path, X_WC)
        self.by_product.setdefault(definition, []).append(place)
        uses = self.below.get(definition, [])
        if not uses:  # a part, or one product that was split into its solids
            own = self._names.get(path or (node.name,)) if node.solid is not None else None
            place.parts = [own] if own else self._all_below(path)
        for use, child in self._matched(uses, node) if depth < 100 else ():
            below = self._walk(use.child, child, (*path, child.name), X_WC, depth + 1)
            self.by_use.setdefault(use.number, []).append(below)
            place.parts += below.parts
        return place

    def _all_below(self, path: tuple[str, ...]) -> list[str]:
        return [name for p, name in self._names.items() if p[: len(path)] == path]

    def _matched(self, uses: list[Use], node: Instance) -> list[tuple[Use, Instance]]:
        """Each use with the instance it became: by name and place, else by what fits best."""
        groups: dict[object, list[Instance]] = {}
        for child in node.children:
            at = _rounded(child.X_PC)
            for name in {child.original_name, child.name}:
                groups.setdefault((name, at), []).append(child)
                groups.setdefault(name, []).append(child)
        taken: set[int] = set()
        out: list[tuple[Use, Instance]] = []
        for use in uses:
            X = self._poses.get(use.number)
            keys = [(use.name, _rounded(X)) if X is not None else None, use.name]
            choices = [*(groups.get(key, []) for key in keys), node.children]
            left = next((l for c in choices if (l := [i for i in c if id(i) not in taken])), [])
            best = max(left, key=lambda child: self._fit(use, child), default=None)
            if best is not None and self._fit(use, best) > 0:
                taken.add(id(best))
                out.append((use, best))
        return out

    def _fit(self, use: Use, child: Instance) -> int:
        same_name = child.original_name == use.name or child.name == use.name
        same_product = child.product == self._product_name(use.child)
        X = self._poses.get(use.number)
        near = X is not None and bool(np.abs(X - child.X_PC).max() < CLOSE * (1 + np.abs(X).max()))
        return 4 * same_name + 2 * same_product + near

    def _product_name(self, definition: int) -> str:
        if definition not in self._product_names:
            self._product_names[definition] = self._looked_up(definition)
        return self._product_names[definition]

    def _looked_up(self, definition: int) -> str:
        formation = refs(self.e.one(Ref(definition)).args)
        product = refs(self.e.one(formation[0]).args) if formation else []
        args = self.e.one(product[0]).args if product else []
        return args[1].strip() if len(args) > 1 and isinstance(args[1], str) else ""


def _rounded(X: np.ndarray) -> tuple[float, ...]:
    """The position as a key; places that differ by rounding may fall on either side of a step."""
    return tuple((np.round(X[:3, 3], 3) + 0.0).tolist())


def uses_in(e: Entities) -> list[Use]:
    """The uses of products in others, in file order."""
    out = []
    for n, args in e.all("NEXT_ASSEMBLY_USAGE_OCCURRENCE"):
        two = refs(args)
        if len(two) >= 2:
            name = args[1] if len(args) > 1 and isinstance(args[1], str) else ""
            out.append(Use(n, name.strip() or label(args), two[0].number, two[1].number))
    return out


def definitions_in(e: Entities) -> dict[int, int]:
    """Product definition by number of a representation of its shape."""
    out: dict[int, int] = {}
    for _, args in e.all("SHAPE_DEFINITION_REPRESENTATION"):
        two = refs(args)
        shape = e.one(two[0]) if len(two) == 2 else None
        if shape is not None and shape.word == "PRODUCT_DEFINITION_SHAPE":
            owner = refs(shape.args)
            if owner and e.one(owner[0]).word.startswith("PRODUCT_DEFINITION"):
                out[two[1].number] = owner[0].number
    for _, args in e.all("SHAPE_REPRESENTATION_RELATIONSHIP"):
        two = [r.number for r in refs(args)]
        if len(two) == 2:
            for here, there in (two, two[::-1]):
                if here in out:
                    out.setdefault(there, out[here])
    return out
