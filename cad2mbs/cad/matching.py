"""Which features of a solid a selector means: all its keys must hold, then it chooses."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cad2mbs.cad.telling import MM, SelectError, found_several, none_found
from cad2mbs.model import references
from cad2mbs.model.selector import Pick, Selector
from cad2mbs.model.solid import Feature, FeatureKind, Solid

RADIUS = 0.02  # relative: a radius given as one value may be this far off
ANGLE = np.sin(np.radians(5.0))  # sine: a direction may be this far off
TIE = 1e-6  # of the part's diagonal: places closer than this do not choose
SAME_SIZE = 1e-6  # relative

ROUND = {FeatureKind.CYLINDER, FeatureKind.CONE, FeatureKind.TORUS, FeatureKind.CIRCLE}
LONG = {FeatureKind.CYLINDER, FeatureKind.CONE}


def select(selector: Selector, solid: Solid, metre: float = MM) -> Feature:
    """The one feature the selector means; SelectError, with what is there, if none or several."""
    tests = _tests(selector, solid, metre)
    left = [f for f in solid.features if all(test(f) for _, test in tests)]
    if not left:
        raise SelectError(none_found(selector, solid, [t for _, t in tests], metre))
    left = _chosen(selector, left, solid, metre)
    if len(left) > 1:
        raise SelectError(found_several(selector, solid, left, metre))
    return left[0]


Test = tuple[str, Callable[[Feature], bool]]  # the selector's key, and whether a feature meets it


def _tests(selector: Selector, solid: Solid, metre: float) -> list[Test]:
    tests: list[Test] = [("select", lambda f: picked(selector.select, f))]
    if selector.name is not None:
        tests.append(("name", lambda f: f.name == selector.name))
    if selector.radius is not None:
        low, high = radius_range(selector.radius, metre)
        tests.append(("radius", lambda f: f.radius > 0.0 and low <= f.radius <= high))
    if selector.normal is not None:
        normal = np.array(references.unit(selector.normal))
        tests.append(("normal", lambda f: f.kind is FeatureKind.PLANE and _points(f, normal)))
    if selector.along is not None:
        along = np.array(references.unit(selector.along))
        tests.append(
            ("along", lambda f: f.kind in ROUND and (_points(f, along) or _points(f, -along)))
        )
    if selector.cadquery is not None:
        edges = selector.select is Pick.CIRCLE
        numbers = _cadquery_numbers(selector.cadquery, solid, edges)
        tests.append(
            (
                "cadquery",
                lambda f: (
                    (f.kind is FeatureKind.CIRCLE) == edges and not numbers.isdisjoint(f.numbers)
                ),
            )
        )
    return tests


def picked(pick: Pick, feature: Feature) -> bool:
    """Whether the feature is of the kind a selector looks at."""
    if pick is Pick.FACE:
        return feature.kind is not FeatureKind.CIRCLE
    if pick in (Pick.HOLE, Pick.PIN):
        return feature.kind is FeatureKind.CYLINDER and feature.concave == (pick is Pick.HOLE)
    return feature.kind.value == pick.value


def radius_range(radius: float | tuple[float, float], metre: float) -> tuple[float, float]:
    """Smallest and largest radius [mm] a selector accepts."""
    scale = metre / MM
    if isinstance(radius, tuple):
        low, high = min(radius) * scale, max(radius) * scale
        return low * (1.0 - 1e-9), high * (1.0 + 1e-9)
    return radius * scale * (1.0 - RADIUS), radius * scale * (1.0 + RADIUS)


def _points(feature: Feature, direction: np.ndarray) -> bool:
    z = np.array(feature.z)
    return bool(z @ direction > 0.0 and np.linalg.norm(np.cross(z, direction)) <= ANGLE)


def _cadquery_numbers(text: str, solid: Solid, edges: bool) -> frozenset[int]:
    """Numbers of the faces or edges a CadQuery selector string gives on the solid."""
    if solid.brep is None:
        raise SelectError(f"cadquery: part '{solid.name}' has no B-rep to select on.")
    try:
        from cad2mbs.cad.kernel.picks import cadquery_numbers
    except ImportError as error:
        raise SelectError("cadquery: CadQuery is not installed; use the other keys.") from error
    try:
        return cadquery_numbers(solid.brep, text, edges)
    except ValueError as error:
        raise SelectError(
            f"cadquery: {text!r} is no selector that CadQuery takes: {error}"
        ) from error


def _chosen(selector: Selector, left: list[Feature], solid: Solid, metre: float) -> list[Feature]:
    """What `towards`, `near` and `size`, in this order, leave of the features."""
    tie = TIE * max(solid.diagonal, 1e-9)
    if selector.towards is not None:
        towards = np.array(references.unit(selector.towards))
        left = _least(left, [-float(np.array(f.origin) @ towards) for f in left], tie)
    if selector.near is not None and len(left) > 1:
        near = np.array(selector.near) * (metre / MM)
        left = _least(left, [_distance(f, near) for f in left], tie)
        left = _least(left, [float(np.linalg.norm(np.array(f.origin) - near)) for f in left], tie)
    if selector.size is not None:
        left = _of_size(selector, left, solid)
    return left


def _least(features: list[Feature], values: list[float], tie: float) -> list[Feature]:
    limit = min(values) + tie
    return [f for f, value in zip(features, values, strict=True) if value <= limit]


def _of_size(selector: Selector, left: list[Feature], solid: Solid) -> list[Feature]:
    order = sorted(left, key=lambda f: -f.size)
    rank = {"largest": 1, "smallest": len(order)}.get(str(selector.size), selector.size)
    if not isinstance(rank, int) or isinstance(rank, bool) or not 1 <= rank <= len(order):
        raise SelectError(
            f"size: {selector.size!r} found on part '{solid.name}', 'largest', 'smallest' or a "
            f"number from 1 to {len(order)} wanted: so many features are left to choose from."
        )
    if isinstance(selector.size, int):
        return [order[rank - 1]]
    wanted = order[rank - 1].size
    return [f for f in left if abs(f.size - wanted) <= SAME_SIZE * max(wanted, 1e-12)]


def _distance(feature: Feature, point: np.ndarray) -> float:
    """Distance [mm] of a point from a feature's axis (within its length), face or centre."""
    r = point - np.array(feature.origin)
    z = np.array(feature.z)
    if feature.kind in LONG:
        along = np.clip(r @ z, -0.5 * feature.length, 0.5 * feature.length)
        return float(np.linalg.norm(r - along * z))
    if feature.kind in (FeatureKind.PLANE, FeatureKind.FREE):
        low, high = (np.array(corner) for corner in feature.box)
        outside = float(np.linalg.norm(point - np.clip(point, low, high)))
        return max(outside, abs(float(r @ z))) if feature.kind is FeatureKind.PLANE else outside
    return float(np.linalg.norm(r))
