"""Features that selectors find on a solid serve as reference objects.

`metre` is the length of the user's unit in metres; features are in mm throughout.
"""

from __future__ import annotations

import numpy as np

from cad2mbs.cad.describe import describe
from cad2mbs.cad.matching import LONG, ROUND, select
from cad2mbs.cad.telling import MM, SelectError, shown
from cad2mbs.model import references
from cad2mbs.model.references import Reference, RefKind, Vec3
from cad2mbs.model.selector import At, Selector
from cad2mbs.model.solid import Feature, FeatureKind, Solid
from cad2mbs.wording import a_or_an, either

__all__ = [
    "SERVES",
    "SelectError",
    "describe",
    "direction_of",
    "point_of",
    "reference",
    "select",
]

_AXIS = {RefKind.AXIS, RefKind.VECTOR, RefKind.POINT, RefKind.FRAME}
# What kinds of reference object a feature can serve as.
SERVES: dict[FeatureKind, set[RefKind]] = {
    FeatureKind.PLANE: {RefKind.PLANE, RefKind.VECTOR, RefKind.POINT, RefKind.FRAME},
    FeatureKind.CYLINDER: _AXIS,
    FeatureKind.CONE: _AXIS,
    FeatureKind.TORUS: _AXIS,
    FeatureKind.CIRCLE: _AXIS | {RefKind.PLANE},
    FeatureKind.SPHERE: {RefKind.POINT},
    FeatureKind.FREE: set(),
}


def reference(kind: RefKind, selector: Selector, solid: Solid, metre: float = MM) -> Reference:
    """The selected feature as a reference object of the kind asked for, in the user's unit."""
    feature = select(selector, solid, metre)
    if kind not in SERVES[feature.kind]:
        raise SelectError(_cannot_serve(kind, feature, solid, metre))
    if kind is RefKind.POINT:
        return references.point(point_of(feature, selector, solid, metre))
    z = direction_of(feature, selector)
    if kind is RefKind.VECTOR:
        return references.vector(z)
    origin = point_of(feature, selector, solid, metre)
    if kind is RefKind.FRAME:
        return references.frame(origin, z, feature.x)
    return Reference(kind, origin, references.unit(z), references.any_normal(references.unit(z)))


def direction_of(feature: Feature, selector: Selector) -> Vec3:
    """The feature's z: along `along` where that is given, turned round by `flip`."""
    if RefKind.VECTOR not in SERVES[feature.kind]:
        raise SelectError(
            f"{a_or_an(_face_word(feature))} has no direction; {_pick_other(feature)}"
        )
    z = np.array(feature.z)
    if selector.along is not None and feature.kind in ROUND and z @ np.array(selector.along) < 0.0:
        z = -z
    z = (-z if selector.flip else z) + 0.0
    return (float(z[0]), float(z[1]), float(z[2]))


def point_of(feature: Feature, selector: Selector, solid: Solid, metre: float = MM) -> Vec3:
    """The place on the feature that the selector's `at` means, in the user's unit."""
    if RefKind.POINT not in SERVES[feature.kind]:
        raise SelectError(f"{a_or_an(_face_word(feature))} has no centre; {_pick_other(feature)}")
    place = np.array(feature.origin)
    if isinstance(selector.at, Selector):
        place = _crossing(feature, selector.at, solid, metre)
    elif selector.at is not At.MIDDLE:
        if feature.kind not in LONG:
            raise SelectError(
                f"at: {selector.at.value} needs a cylinder or a cone, found "
                f"{shown(feature, metre)} on part '{solid.name}'; leave `at` out."
            )
        half = 0.5 * feature.length * np.array(direction_of(feature, selector))
        place = place - half if selector.at is At.START else place + half
    x, y, z = (float(v) for v in place * (MM / metre))
    return (x, y, z)


def _crossing(feature: Feature, at: Selector, solid: Solid, metre: float) -> np.ndarray:
    """Where the feature's axis goes through the plane that `at` selects [mm]."""
    plane = select(at, solid, metre)
    if feature.kind not in ROUND or plane.kind not in (FeatureKind.PLANE, FeatureKind.CIRCLE):
        raise SelectError(
            f"at: needs an axis and a plane it goes through, found {shown(feature, metre)} and "
            f"{shown(plane, metre)} on part '{solid.name}'; select a plane in `at`."
        )
    z, normal = np.array(feature.z), np.array(plane.z)
    slope = float(z @ normal)
    if abs(slope) < 1e-6:
        raise SelectError(
            f"at: the axis of {shown(feature, metre)} is parallel to {shown(plane, metre)} on "
            f"part '{solid.name}'; select a plane that the axis goes through."
        )
    origin = np.array(feature.origin)
    return origin + (np.array(plane.origin) - origin) @ normal / slope * z


def _cannot_serve(kind: RefKind, feature: Feature, solid: Solid, metre: float) -> str:
    can = [k.value for k in RefKind if k in SERVES[feature.kind]]
    serves = [k.value for k in FeatureKind if kind in SERVES[k]]
    return (
        f"{shown(feature, metre)} on part '{solid.name}' cannot serve as {a_or_an(kind.value)}; "
        + (f"it can be {either([a_or_an(c) for c in can])}. " if can else "it serves as nothing. ")
        + f"{a_or_an(kind.value).capitalize()} can be taken from a {either(serves)}."
    )


def _face_word(feature: Feature) -> str:
    return "free-form face" if feature.kind is FeatureKind.FREE else feature.kind.value


def _pick_other(feature: Feature) -> str:
    wanted = RefKind.POINT if feature.kind is FeatureKind.FREE else RefKind.VECTOR
    return f"select a {either([k.value for k in FeatureKind if wanted in SERVES[k]])}."
