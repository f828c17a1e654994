"""Reference objects on parts for the features that mates need: by selector where one exists."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cad2mbs.cad.describe import describe
from cad2mbs.cad.select import SelectError, reference
from cad2mbs.infer.scene import MM
from cad2mbs.model import references
from cad2mbs.model.assembly import Assembly, Part
from cad2mbs.model.mates import RefId
from cad2mbs.model.references import Reference, RefKind
from cad2mbs.model.selector import Selector
from cad2mbs.model.solid import FeatureKind, Solid
from cad2mbs.report_cad import feature_word, selector_fields

Placing = tuple[np.ndarray, np.ndarray]  # rotation and position [user unit] of a part
BODY = "body"  # the part's own frame
# What serves in more places stands higher.
_RANK = {RefKind.POINT: 0, RefKind.VECTOR: 0, RefKind.AXIS: 1, RefKind.PLANE: 1, RefKind.FRAME: 2}


@dataclass
class _Entry:
    name: str
    kind: RefKind


class References:
    """Collects what mates refer to, one reference for each feature and sense."""

    def __init__(self, assembly: Assembly):
        self.assembly = assembly
        self.metre = assembly.units.metre
        self._entries: dict[str, dict[tuple[int, bool], _Entry]] = {}
        self._selectors: dict[tuple[int, int], Selector | None] = {}
        self._values: dict[tuple[int, int, bool, RefKind], Reference] = {}
        self._bodies: set[str] = set()

    def feature(self, part: str, feature: int, kind: RefKind, flip: bool = False) -> RefId:
        """A reference on a feature that serves as `kind`; `flip` turns its z round."""
        mine = self._entries.setdefault(part, {})
        entry = mine.get((feature, flip))
        if entry is None:
            entry = mine[feature, flip] = _Entry(self._name(part, feature, flip, mine), kind)
        elif _RANK[kind] > _RANK[entry.kind]:
            entry.kind = kind
        elif kind is not entry.kind and _RANK[kind] == _RANK[entry.kind]:
            entry.kind = RefKind.FRAME
        return RefId(part, entry.name)

    def body(self, part: str) -> RefId:
        """The part's own frame."""
        self._bodies.add(part)
        return RefId(part, BODY)

    def value(self, part: str, feature: int, flip: bool = False) -> Reference:
        """The feature as a frame, whatever kind it is written as."""
        key = id(self._solid(part)), feature, flip, RefKind.FRAME
        if key not in self._values:
            self._values[key] = self._frame(part, feature, flip)
        return self._values[key]

    def _selected(self, part: str, feature: int, kind: RefKind, selector: Selector) -> Reference:
        """What the selector gives; solids that many parts share are asked once."""
        solid = self._solid(part)
        key = id(solid), feature, selector.flip, kind
        if key not in self._values:
            self._values[key] = reference(kind, selector, solid, self.metre)
        return self._values[key]

    def _frame(self, part: str, feature: int, flip: bool) -> Reference:
        f = self._solid(part).features[feature]
        if f.kind is FeatureKind.SPHERE:
            return references.point(np.array(f.origin) * (MM / self.metre))
        selector = self._selector(part, feature)
        if selector is not None:
            return reference(
                RefKind.FRAME, replace(selector, flip=flip), self._solid(part), self.metre
            )
        z = -np.array(f.z) if flip else np.array(f.z)
        return references.frame(np.array(f.origin) * (MM / self.metre), z + 0.0, f.x)

    def part(self, part: Part) -> Part:
        """The part with all references asked for."""
        refs: dict[str, Reference] = {}
        said: dict[str, Any] = {}
        if part.name in self._bodies:
            refs[BODY] = references.frame()
        for (feature, flip), entry in self._entries.get(part.name, {}).items():
            selector = self._selector(part.name, feature)
            if selector is None:
                refs[entry.name] = _as(entry.kind, self.value(part.name, feature, flip))
                continue
            selector = replace(selector, flip=flip)
            refs[entry.name] = self._selected(part.name, feature, entry.kind, selector)
            said[entry.name] = {str(entry.kind): selector_fields(selector)}
        return replace(part, references=refs, selected=said)

    def _solid(self, part: str) -> Solid:
        solid = self.assembly.parts[part].solid
        assert solid is not None
        return solid

    def _selector(self, part: str, feature: int) -> Selector | None:
        solid = self._solid(part)
        key = (id(solid), feature)
        if key not in self._selectors:
            try:
                self._selectors[key] = describe(solid, solid.features[feature], self.metre)
            except SelectError:
                self._selectors[key] = None
        return self._selectors[key]

    def _name(
        self, part: str, feature: int, flip: bool, mine: dict[tuple[int, bool], _Entry]
    ) -> str:
        twin = mine.get((feature, not flip))
        if twin is not None:
            return f"{twin.name}_back" if flip else f"{twin.name}_front"
        word = feature_word(self._solid(part).features[feature])
        number = 1 + sum(e.name.startswith(f"{word}_") for e in mine.values())
        return f"{word}_{number}"


def _as(kind: RefKind, value: Reference) -> Reference:
    """The frame as a reference of the kind, with that kind's own x axis."""
    match kind:
        case RefKind.POINT:
            return references.point(value.origin)
        case RefKind.VECTOR:
            return references.vector(value.z)
        case RefKind.AXIS:
            return references.axis(value.origin, value.z)
        case RefKind.PLANE:
            return references.plane(value.origin, value.z)
        case RefKind.FRAME:
            return value
