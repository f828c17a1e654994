"""What a selector did not find, or found too often, in the words the user reads."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from cad2mbs.model.selector import Pick, Selector
from cad2mbs.model.solid import Feature, FeatureKind, Solid
from cad2mbs.wording import quoted

MM = 1e-3  # m; features are in mm
MOST = 12  # features listed
UNITS = {1e-3: "mm", 1e-2: "cm", 1.0: "m", 0.0254: "in", 0.3048: "ft", 1e-6: "um"}


class SelectError(ValueError):
    """A selector does not lead to one feature that can serve."""


def unit_name(metre: float) -> str:
    """The name of the user's unit with a space before it, nothing if it has none."""
    found = [name for size, name in UNITS.items() if math.isclose(size, metre, rel_tol=1e-9)]
    return f" {found[0]}" if found else ""


def number(value: float) -> str:
    """Six digits, no negative zero, no tails of rounding."""
    return f"{round(value, 9) + 0.0:.6g}"


def vector(values: object) -> str:
    """Three numbers in brackets."""
    return "[" + ", ".join(number(float(v)) for v in np.array(values)) + "]"


def word(feature: Feature) -> str:
    """What a person calls the feature: hole and pin rather than cylinder."""
    if feature.kind is FeatureKind.CYLINDER:
        return "hole" if feature.concave else "pin"
    return "free-form face" if feature.kind is FeatureKind.FREE else feature.kind.value


def shown(feature: Feature, metre: float) -> str:
    """The feature in a few words, lengths in the user's unit."""
    scale = MM / metre
    text = word(feature)
    if feature.name:
        text += f" {quoted(feature.name, 30)}"
    if feature.radius > 0.0:
        text += f" r {number(feature.radius * scale)}"
    if feature.minor > 0.0:
        text += f"/{number(feature.minor * scale)}"
    text += f" at {vector(np.array(feature.origin) * scale)}"
    if feature.kind is FeatureKind.PLANE:
        text += f" normal {vector(feature.z)}"
    elif feature.kind not in (FeatureKind.SPHERE, FeatureKind.FREE):
        text += f" along {vector(feature.z)}"
    return text


def none_found(
    selector: Selector, solid: Solid, tests: list[Callable[[Feature], bool]], metre: float
) -> str:
    """A sentence: what was looked for, and what is there, the nearest misses first."""
    head = f"no {_wanted(selector, metre, plural=False)} on part {quoted(solid.name)}"
    if not solid.features:
        return f"{head}; the part has no faces at all."
    ranked = sorted(solid.features, key=lambda f: _miss(selector, tests, f, metre))
    return f"{head}; there are: {_listed(ranked, metre)}."


def found_several(selector: Selector, solid: Solid, left: list[Feature], metre: float) -> str:
    """A sentence: what was found, and which keys would tell them apart."""
    head = f"{len(left)} {_wanted(selector, metre, plural=True)} on part {quoted(solid.name)}"
    return f"{head}: {_listed(left, metre)}; {_apart(selector, left, metre)}."


def _listed(features: list[Feature], metre: float) -> str:
    text = ", ".join(shown(f, metre) for f in features[:MOST])
    return text + (f", ... ({len(features)} in all)" if len(features) > MOST else "")


def _wanted(selector: Selector, metre: float, *, plural: bool) -> str:
    noun = selector.select.value
    if plural:
        noun = "tori" if selector.select is Pick.TORUS else noun + "s"
    unit = unit_name(metre)
    keys = []
    if selector.name is not None:
        keys.append(f"name {quoted(selector.name)}")
    if isinstance(selector.radius, tuple):
        low, high = selector.radius
        keys.append(f"radius {number(low)} to {number(high)}{unit}")
    elif selector.radius is not None:
        keys.append(f"radius {number(selector.radius)}{unit}")
    if selector.normal is not None:
        keys.append(f"normal {vector(selector.normal)}")
    if selector.along is not None:
        keys.append(f"axis along {vector(selector.along)}")
    if selector.cadquery is not None:
        keys.append(f"CadQuery selector {quoted(selector.cadquery)}")
    if selector.towards is not None:
        keys.append(f"outermost towards {vector(selector.towards)}")
    if selector.near is not None:
        keys.append(f"nearest to {vector(selector.near)}")
    if selector.size is not None:
        keys.append(f"size {selector.size}")
    return noun + (" with " + ", ".join(keys) if keys else "")


def _miss(
    selector: Selector, tests: list[Callable[[Feature], bool]], feature: Feature, metre: float
) -> tuple[bool, int, float]:
    failed = [not test(feature) for test in tests]
    off = 0.0
    if selector.radius is not None:
        radius = selector.radius
        middle = sum(radius) / 2.0 if isinstance(radius, tuple) else radius
        off = abs(feature.radius - middle * metre / MM)
    return failed[0], sum(failed), off


def _apart(selector: Selector, left: list[Feature], metre: float) -> str:
    """What to add to the selector."""
    scale = MM / metre
    origins = np.array([f.origin for f in left]) * scale
    spread = np.ptp(origins, axis=0)
    ways = []
    if spread.max() > 1e-9 * max(1.0, float(np.abs(origins).max())):
        ways.append(f"`near` (for example near: {vector(origins[0])})")
        row = int(np.argmax(spread))
        at_end = origins[:, row] >= origins[:, row].max() - 1e-6 * spread[row]
        if selector.towards is None and at_end.sum() == 1:
            ways.append(f"`towards` (for example towards: {vector(np.eye(3)[row])})")
    sizes = sorted(f.size for f in left)
    if selector.size is None and sizes[-1] - sizes[0] > 1e-6 * sizes[-1]:
        ways.append("`size` (largest, smallest or a number)")
    if selector.radius is None and np.ptp([f.radius for f in left]) > 1e-6:
        ways.append("`radius`")
    if not ways:
        return "give `size` as a number to take one of them"
    return "add " + " or ".join(ways) + " to tell them apart"
