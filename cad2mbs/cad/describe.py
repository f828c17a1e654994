"""The shortest selector that finds a feature again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from cad2mbs.cad.matching import ROUND, select
from cad2mbs.cad.telling import MM, SelectError, shown
from cad2mbs.model.references import Vec3
from cad2mbs.model.selector import Pick, Selector
from cad2mbs.model.solid import Feature, FeatureKind, Solid

DIGITS = 6
AXES: tuple[Vec3, ...] = (
    (0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0),
    (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0),
)  # fmt: skip
Keys = dict[str, Any]


def describe(solid: Solid, feature: Feature, metre: float = MM) -> Selector:
    """The selector with the fewest keys that gives the feature; lengths in the user's unit.

    SelectError if nothing tells it apart from another one.
    """
    pick = _pick(feature)
    for keys in sorted(_choices(solid, feature, metre), key=_cost):
        selector = Selector(pick, **keys)
        try:
            if select(selector, solid, metre) is feature:
                return selector
        except SelectError:
            continue
    raise SelectError(
        f"nothing tells {shown(feature, metre)} on part '{solid.name}' apart from another feature."
    )


def _cost(keys: Keys) -> int:
    """Number of keys; a place in the order of sizes counts for more: new features shift it."""
    return len(keys) + (2 if isinstance(keys.get("size"), int) else 0)


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
    rows += [{"towards": a, "near": near} for a in AXES]
    rows += [{"near": near, "size": size} for size in ("largest", "smallest", 1, 2, 3, 4)]
    rows += [{"towards": a, "size": s} for a in AXES for s in ("largest", "smallest")]
    rows += [{"size": n} for n in range(1, min(len(solid.features), 200) + 1)]
    return rows


def _near(origin: np.ndarray, diagonal: float, metre: float) -> Vec3:
    """The feature's place, rounded to a millionth of the part's size."""
    scale = MM / metre
    digits = int(np.clip(6 - np.floor(np.log10(max(diagonal * scale, 1e-12))), 0, 15))
    return _rounded(origin * scale, digits)


def _rounded(values: Any, digits: int = 9) -> Vec3:
    x, y, z = (round(float(v), digits) + 0.0 for v in values)
    return (x, y, z)
