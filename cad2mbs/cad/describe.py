"""The shortest selector that finds a feature again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from cad2mbs.cad.matching import ROUND, picked, select
from cad2mbs.cad.telling import MM, SelectError, shown
from cad2mbs.model.references import Vec3
from cad2mbs.model.selector import Pick, Selector
from cad2mbs.model.solid import Feature, FeatureKind, Solid

DIGITS = 6
MANY = 150  # features: above, what takes long to try is left out
REACH = 1e-3  # of the part's diagonal: features farther from a place cannot be nearest to it
AXES: tuple[Vec3, ...] = (
    (0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0),
    (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0),
)  # fmt: skip
Keys = dict[str, Any]
FILTERS = {"name", "normal", "radius", "along"}


def describe(solid: Solid, feature: Feature, metre: float = MM) -> Selector:
    """The selector with the fewest keys that gives the feature; lengths in the user's unit.

    SelectError if nothing tells it apart from another one.
    """
    pick = _pick(feature)
    peers = tuple(f for f in solid.features if picked(pick, f))
    lines = _Lines.of(feature, peers)
    # What a selector chooses from: the others would be sorted out anyway, but take time.
    alike = replace(solid, features=peers)
    close = replace(solid, features=_in_reach(feature, peers, REACH * solid.diagonal))
    for keys in sorted(_choices(solid, feature, metre), key=_cost):
        if lines.has_rival(keys):
            continue
        selector = Selector(pick, **keys)
        by_place = "near" in keys and "towards" not in keys
        try:
            if select(selector, close if by_place else alike, metre) is feature:
                return selector
        except SelectError:
            continue
    raise SelectError(
        f"nothing tells {shown(feature, metre)} on part '{solid.name}' apart from another feature."
    )


def _cost(keys: Keys) -> tuple[int, bool]:
    """Number of keys; a place in the order of sizes counts for more: new features shift it.

    A place, or one in that order, without a filter counts as much as with one, and comes after it.
    """
    ranked = isinstance(keys.get("size"), int)
    bare = (ranked or "near" in keys) and FILTERS.isdisjoint(keys)
    return len(keys) + 2 * ranked + bare, bare


@dataclass(frozen=True, eq=False)
class _Lines:
    """A feature and its peers, those of the same pick, as arrays with one line for each peer."""

    feature: Feature
    origin: np.ndarray  # (n, 3)
    z: np.ndarray  # (n, 3)
    radius: np.ndarray  # (n,)
    size: np.ndarray  # (n,)
    named: np.ndarray  # (n,)  has the feature's name

    @classmethod
    def of(cls, feature: Feature, peers: tuple[Feature, ...]) -> _Lines:
        return cls(
            feature,
            np.array([f.origin for f in peers]),
            np.array([f.z for f in peers]),
            np.array([f.radius for f in peers]),
            np.array([f.size for f in peers]),
            np.array([f.name == feature.name for f in peers]),
        )

    def has_rival(self, keys: Keys) -> bool:
        """Whether a peer surely meets the keys as well as the feature does; quicker than select."""
        choosers = keys.keys() - FILTERS
        if len(choosers) > 1 or "near" in keys or isinstance(keys.get("size"), int):
            return False
        f = self.feature
        rivals = np.ones(len(self.size), bool)
        if "name" in keys:
            rivals &= self.named
        if "radius" in keys:
            rivals &= np.abs(self.radius - f.radius) <= 0.01 * f.radius
        if "normal" in keys or "along" in keys:
            rivals &= self.z @ np.array(f.z) > 1.0 - 1e-6
        if "towards" in keys:
            axis = np.array(keys["towards"])
            rivals &= self.origin @ axis >= np.array(f.origin) @ axis
        if "size" in keys:
            rivals &= self.size >= f.size if keys["size"] == "largest" else self.size <= f.size
        return int(rivals.sum()) > 1  # one is the feature itself


def _in_reach(feature: Feature, peers: tuple[Feature, ...], slack: float) -> tuple[Feature, ...]:
    """The peers that may be as near to the feature's origin as the feature is, and some more."""

    def may(f: Feature) -> bool:
        if f.kind in (FeatureKind.PLANE, FeatureKind.FREE):
            rows = zip(feature.origin, *f.box, strict=True)
            return all(low - slack <= v <= high + slack for v, low, high in rows)
        return math.dist(f.origin, feature.origin) <= 0.5 * f.length + slack

    close = tuple(f for f in peers if may(f))
    return close if any(f is feature for f in close) else peers


def _pick(feature: Feature) -> Pick:
    if feature.kind is FeatureKind.CYLINDER:
        return Pick.HOLE if feature.concave else Pick.PIN
    return Pick.FACE if feature.kind is FeatureKind.FREE else Pick(feature.kind.value)


def _choices(solid: Solid, feature: Feature, metre: float) -> Iterator[Keys]:
    for filters, chooser in product(_filters(feature, metre), _choosers(solid, feature, metre)):
        yield {**filters, **chooser}


def _filters(feature: Feature, metre: float) -> list[Keys]:
    """What must hold, simplest first."""
    rows: list[Keys] = [{}]
    if feature.name:
        rows.append({"name": feature.name})
    if feature.kind is FeatureKind.PLANE:
        rows.append({"normal": _rounded(feature.z)})
    if feature.radius > 0.0:
        rows.append({"radius": float(f"{feature.radius * MM / metre:.{DIGITS}g}")})
    if feature.kind in ROUND:
        rows.append({"along": _rounded(feature.z)})
        rows.append({**rows[-2], **rows[-1]})
    return rows


def _choosers(solid: Solid, feature: Feature, metre: float) -> list[Keys]:
    """What chooses among those left, the sturdiest first."""
    low, high = (np.array(corner) for corner in solid.box)
    near = _near(np.array(feature.origin), float(np.linalg.norm(high - low)), metre)
    rows: list[Keys] = [{}, *({"towards": axis} for axis in AXES)]
    rows += [{"size": "largest"}, {"size": "smallest"}, {"near": near}]
    few = len(solid.features) <= MANY
    if few:
        rows += [{"towards": a, "near": near} for a in AXES]
    rows += [{"near": near, "size": size} for size in ("largest", "smallest", 1, 2, 3, 4)]
    if few:
        rows += [{"towards": a, "size": s} for a in AXES for s in ("largest", "smallest")]
        rows += [{"size": n} for n in range(1, len(solid.features) + 1)]
    return rows


def _near(origin: np.ndarray, diagonal: float, metre: float) -> Vec3:
    """The feature's place, rounded to a millionth of the part's size."""
    scale = MM / metre
    digits = int(np.clip(6 - np.floor(np.log10(max(diagonal * scale, 1e-12))), 0, 15))
    return _rounded(origin * scale, digits)


def _rounded(values: Any, digits: int = 9) -> Vec3:
    x, y, z = (round(float(v), digits) + 0.0 for v in values)
    return (x, y, z)
