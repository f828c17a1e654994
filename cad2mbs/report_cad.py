"""What people and machines read about geometry: the tree of parts, features, masses."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from cad2mbs import masses
from cad2mbs.cad.document import Document, Instance
from cad2mbs.model.assembly import Assembly, Part
from cad2mbs.model.selector import At, Pick, Selector
from cad2mbs.model.solid import Colour, Feature, FeatureKind, Solid
from cad2mbs.report import num, show
from cad2mbs.units import LENGTHS
from cad2mbs.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from cad2mbs.mechanism import Mechanism

MM = 1e-3  # [m]


# ---------------------------------------------------------------- for machines


def tree(document: Document, assembly: Assembly) -> dict[str, Any]:
    """All that `parts` tells about a CAD file."""
    uses = Counter(leaf.solid for leaf in document.leaves())
    return {
        "name": assembly.name,
        "source": document.source,
        "schema": document.schema,
        "unit": document.unit,
        "parts": sum(uses.values()),
        "solids": len(document.solids),
        "files": list(document.files),
        "notes": list(document.notes),
        "tree": _node(document.root, document, assembly, uses, None),
    }


def _node(
    node: Instance,
    document: Document,
    assembly: Assembly,
    uses: Mapping[int, int],
    inherited: Colour | None,
) -> dict[str, Any]:
    colour = node.colour or inherited
    data: dict[str, Any] = {"name": node.name, "product": node.product}
    if node.solid is not None:
        solid = document.solids[node.solid]
        part = Part(node.name, solid=solid)
        data |= {"instances": uses[node.solid], **_solid(part, assembly)}
        data["colour"] = hex_colour(colour or solid.colour)
    data["children"] = [_node(c, document, assembly, uses, colour) for c in node.children]
    return data


def flat(assembly: Assembly) -> dict[str, Any]:
    """All that `parts` tells about a mates file: its parts, with geometry where they have some."""
    uses = Counter(id(p.solid) for p in assembly.parts.values() if p.solid is not None)
    children = []
    for part in assembly.parts.values():
        data: dict[str, Any] = {"name": part.name, "product": "", "children": []}
        if part.solid is not None:
            data["product"] = part.solid.name
            data |= {"instances": uses[id(part.solid)], **_solid(part, assembly)}
            data["colour"] = hex_colour(part.colour or part.solid.colour)
        children.append(data)
    return {
        "name": assembly.name,
        "source": assembly.source,
        "schema": "",
        "unit": assembly.units.length,
        "parts": len(assembly.parts),
        "solids": len(uses),
        "files": [assembly.cad] if assembly.cad else [],
        "notes": list(assembly.notes),
        "tree": {"name": assembly.name, "product": "", "children": children},
    }


def _solid(part: Part, assembly: Assembly) -> dict[str, Any]:
    """What a solid weighs and how large it is."""
    solid = part.solid
    assert solid is not None
    mass = masses.of_part(part, assembly)
    low, high = (np.array(corner) for corner in solid.box)
    return {
        "size_mm": (high - low).tolist(),
        "volume_mm3": solid.volume,
        "mass_kg": mass.mass if mass is not None else None,
        "material": part.material or solid.material,
        "problems": list(solid.problems),
    }


def hex_colour(colour: Colour | None) -> str | None:
    """The colour as #rrggbb."""
    if colour is None:
        return None
    return "#" + "".join(f"{round(255 * min(max(c, 0.0), 1.0)):02x}" for c in colour[:3])


def weights(m: Mechanism) -> dict[str, Any]:
    """All that `mass` tells: every part in its own frame, every body in the body's frame (SI)."""
    assembly = m.assembly
    parts = []
    for part in assembly.parts.values():
        density = masses.density_of(part, assembly)
        mass = masses.of_part(part, assembly)
        parts.append(
            {
                "part": part.name,
                "density": density.value,
                "density_from": density.said_by,
                **_mass(mass),
                "problems": list(part.solid.problems) if part.solid is not None else [],
            }
        )
    bodies = [{"body": name, **_mass(mass)} for name, mass in masses.of_bodies(m).items()]
    return {
        "name": m.name,
        "parts": parts,
        "bodies": bodies,
        "total_kg": sum(p["mass_kg"] or 0.0 for p in parts),
        "massless": [p["part"] for p in parts if p["mass_kg"] is None],
    }


def _mass(mass: masses.Mass | None) -> dict[str, Any]:
    if mass is None:
        return {"mass_kg": None, "centre_m": None, "inertia_kgm2": None, "principal_kgm2": None}
    return {
        "mass_kg": mass.mass,
        "centre_m": mass.centre.tolist(),
        "inertia_kgm2": mass.inertia.tolist(),
        "principal_kgm2": mass.principal().tolist(),
    }


KIND_ORDER = ("hole", "pin", "plane", "sphere", "cone", "torus", "free", "circle")


def features(part: str, solid: Solid, unit: str = "mm", kind: str | None = None) -> dict[str, Any]:
    """All that `features` tells about one part; lengths in `unit`, angles in degrees.

    Sorted by kind, the ones most used for mates first, then by size.
    """
    shown = [f for f in solid.features if kind is None or feature_word(f) == kind]
    shown.sort(key=lambda f: (KIND_ORDER.index(feature_word(f)), -f.size))
    scale = MM / LENGTHS[unit]
    return {
        "part": part,
        "unit": unit,
        "features": [
            {
                "kind": feature_word(f),
                "radius": f.radius * scale or None,
                "minor_radius": f.minor * scale or None,
                "half_angle": math.degrees(f.half_angle) or None,
                "sweep": math.degrees(f.sweep) or None,
                "length": f.length * scale or None,
                "size": f.size * (scale if f.kind is FeatureKind.CIRCLE else scale**2),
                "origin": [c * scale for c in f.origin],
                "direction": list(f.z),
                "name": f.name,
                "recovered": f.recovered,
                "selector": selector_fields(selector_of(solid, f, LENGTHS[unit])),
            }
            for f in shown
        ],
    }


def selector_of(solid: Solid, feature: Feature, metre: float) -> Selector | None:
    """A selector that finds the feature; None if nothing tells it apart."""
    from cad2mbs.cad.describe import describe
    from cad2mbs.cad.select import SelectError

    try:
        return describe(solid, feature, metre)
    except SelectError:
        return None


def feature_word(feature: Feature) -> str:
    """The kind as selectors call it: hole or pin rather than cylinder."""
    if feature.kind is FeatureKind.CYLINDER:
        return str(Pick.HOLE if feature.concave else Pick.PIN)
    return str(feature.kind)


def selector_fields(selector: Selector | None) -> dict[str, Any] | None:
    """The selector as a mates file writes it; what is at its default is left out."""
    if selector is None:
        return None
    said: dict[str, Any] = {}
    for f in fields(Selector):
        value = getattr(selector, f.name)
        if value is None or value is False or (f.name == "at" and value is At.MIDDLE):
            continue
        if isinstance(value, Selector):
            value = selector_fields(value)
        said[f.name] = list(value) if isinstance(value, tuple) else value
    return {k: str(v) if isinstance(v, Pick | At) else v for k, v in said.items()}


# ---------------------------------------------------------------- for people


def show_tree(console: Console, data: Mapping[str, Any]) -> None:
    schema = f"{data['schema']}, " if data["schema"] else ""
    console.print(
        f"{data['name']}: {schema}unit {data['unit']}, {counted(data['parts'], 'part')} of "
        f"{counted(data['solids'], 'solid')}"
    )
    rows: list[tuple[str, ...]] = []
    for child in data["tree"]["children"] or [data["tree"]]:
        _rows(child, 0, rows)
    show(console, "Parts", ("name", "product", "times", "size [mm]", "mass [kg]", "colour"), rows)
    for row in _problems(data["tree"]):
        console.print(row)
    for note in data["notes"]:
        console.print(f"note: {note}")


def _rows(node: Mapping[str, Any], depth: int, rows: list[tuple[str, ...]]) -> None:
    size = " x ".join(f"{c:.4g}" for c in node.get("size_mm", ()))
    rows.append(
        (
            "  " * depth + node["name"],
            node["product"] if node["product"] != node["name"] else "",
            str(node.get("instances", "")),
            size,
            num(node.get("mass_kg")),
            node.get("colour") or "",
        )
    )
    for child in node["children"]:
        _rows(child, depth + 1, rows)


def _problems(node: Mapping[str, Any]) -> list[str]:
    own = [f"{node['name']}: {p}" for p in node.get("problems", ())]
    return own + [row for child in node["children"] for row in _problems(child)]


def show_weights(console: Console, data: Mapping[str, Any]) -> None:
    console.print(f"{data['name']}: {num(data['total_kg'])} kg in all")
    header = ("centre x y z [m]", "principal moments [kg m^2]")
    show(
        console,
        "Parts, each in its own frame",
        ("part", "mass [kg]", "density [kg/m^3]", "stated by", *header),
        [
            (p["part"], num(p["mass_kg"]), num(p["density"]), p["density_from"], *_shown(p))
            for p in data["parts"]
            if p["mass_kg"] is not None
        ],
    )
    show(
        console,
        "Bodies",
        ("body", "mass [kg]", *header),
        [
            (b["body"], num(b["mass_kg"]), *_shown(b))
            for b in data["bodies"]
            if b["mass_kg"] is not None
        ],
    )
    for part in data["parts"]:
        for problem in part["problems"]:
            console.print(f"{part['part']}: {problem}")
    if data["massless"]:
        console.print(f"without mass: {', '.join(data['massless'])}")


def _shown(entry: Mapping[str, Any]) -> tuple[str, str]:
    return (
        "  ".join(num(c) for c in entry["centre_m"]),
        "  ".join(f"{c:.4g}" for c in entry["principal_kgm2"]),
    )


def show_features(console: Console, data: Mapping[str, Any]) -> None:
    show(
        console,
        f"Features of {data['part']} [{data['unit']}, deg]",
        ("kind", "radius", "sweep", "size", "origin", "direction", "selector"),
        [
            (
                f["kind"] + (" *" if f["recovered"] else ""),
                num(f["radius"]),
                num(f["sweep"]),
                f"{f['size']:.5g}",
                "  ".join(num(round(c, 6)) for c in f["origin"]),
                "  ".join(num(round(c, 6)) for c in f["direction"]),
                _selector_text(f["selector"]),
            )
            for f in data["features"]
        ],
    )
    if any(f["recovered"] for f in data["features"]):
        console.print("* written as a free-form surface, found to be this kind")


def _selector_text(selector: Mapping[str, Any] | None) -> str:
    if selector is None:
        return ""

    def text(value: Any) -> str:
        if isinstance(value, list):
            return "[" + ", ".join(map(text, value)) + "]"
        return f"{value:.6g}" if isinstance(value, float) else str(value)

    return "{" + ", ".join(f"{k}: {text(v)}" for k, v in selector.items()) + "}"
