"""What a mates file takes from CAD files: solids, places, and references by selectors."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cad2mbs.cad import select
from cad2mbs.cad.document import Document, Instance, Leaf
from cad2mbs.cad.grouping import grouped
from cad2mbs.errors import InputError
from cad2mbs.io import mates_references as mr
from cad2mbs.io.mates_schema import PartEntry
from cad2mbs.model import references
from cad2mbs.model.findings import Finding
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import Reference, RefKind, Vec3
from cad2mbs.model.selector import At, Pick, Selector
from cad2mbs.model.solid import Colour, Solid
from cad2mbs.units import Units
from cad2mbs.wording import did_you_mean, listed, quoted

MM = 1e-3  # [m]


@dataclass(frozen=True)
class Placed:
    """A part's geometry: its solid, where the file has it, and its colour."""

    solid: Solid
    pose: Pose
    colour: Colour | None


@dataclass
class Geometry:
    """Reads the CAD files that a mates file names, each once, and resolves what points at them."""

    folder: Path
    units: Units
    cad: str | None  # the file of the whole assembly
    found: list[Finding] = field(default_factory=list)
    unread: set[tuple[str, ...]] = field(default_factory=set)
    documents: dict[str, Document | None] = field(default_factory=dict)
    bare: list[str] = field(default_factory=list)  # parts that the CAD file does not have
    used: set[tuple[str, ...]] = field(default_factory=set)  # paths of the assembly's leaves

    def part(self, name: str, entry: PartEntry) -> Placed | None:
        """The geometry of a part; None if it has none, or if that was reported."""
        own = entry.cad is not None
        file = entry.cad if own else self.cad
        if file is None:
            if entry.instance is not None:
                self._say(("parts", name, "instance"), "there is no 'cad' file to look in", name)
            return None
        where = ("parts", name, "cad") if own else ("cad",)
        document = self._document(file, where)
        if document is None:
            self.unread.add(("parts", name))
            return None
        group = _group(name, entry, document, own)
        if group is not None:
            node, X_WC = group
            if not own:
                self.used |= {leaf.path for leaf in document.named(entry.instance or name)}
            solid = grouped(document, node)
            return Placed(solid, user_pose(X_WC, self.units), solid.colour)
        leaf = self._leaf(name, entry, document, own)
        if leaf is None:
            return None
        if not own:
            self.used.add(leaf.path)
        return placed(document, leaf, self.units)

    def reference(
        self, part: str, name: str, entry: mr.ReferenceEntry, solid: Solid | None
    ) -> Reference | None:
        """The reference object; None if it could not be found, which was reported."""
        path = ("parts", part, "references", name)
        if entry.selects and solid is None:
            if not self._lost(part):
                why = "the part has no geometry" if self.cad else "the file names no 'cad:' file"
                who = f"reference {quoted(f'{part}/{name}')}"
                self.found.append(Finding(path, f"{who} is stated by a selector, but {why}"))
            self.unread.add(path)
            return None
        try:
            return _reference(entry, solid, self.units.metre)
        except (select.SelectError, ValueError) as error:
            self.found.append(Finding(path, f"reference {quoted(f'{part}/{name}')}: {error}"))
            self.unread.add(path)
            return None

    def notes(self) -> tuple[str, ...]:
        """What the files had to tell, and which of their parts are not used."""
        told = [n for d in self.documents.values() if d is not None for n in d.notes]
        if self.bare:
            told.append(f"not in {self.cad}, so without geometry: {listed(self.bare)}")
        document = self.documents.get(self.cad) if self.cad is not None else None
        if document is not None:
            unused = [n for n, leaf in document.parts().items() if leaf.path not in self.used]
            if unused:
                told.append(
                    f"{self.cad} has parts that are not listed and left out: {listed(unused)}"
                )
        return tuple(told)

    def _lost(self, part: str) -> bool:
        return ("parts", part) in self.unread or ("parts", part, "instance") in self.unread

    def _say(self, path: tuple[str, ...], message: str, part: str) -> None:
        self.found.append(Finding(path, f"part {quoted(part)}: {message}"))

    def _document(self, file: str, where: tuple[str, ...]) -> Document | None:
        if file not in self.documents:
            from cad2mbs.cad import load

            try:
                self.documents[file] = load.read(self.folder / file)
            except InputError as error:
                self.documents[file] = None
                for d in error.diagnostics:
                    self.found.append(Finding(where, f"CAD file {quoted(file)}: {d.message}"))
        return self.documents[file]

    def _leaf(self, name: str, entry: PartEntry, document: Document, own: bool) -> Leaf | None:
        parts = document.parts()
        wanted = entry.instance or name
        found = document.named(wanted)
        if len(found) == 1:
            return found[0]
        if own and entry.instance is None and len(parts) == 1:
            return next(iter(parts.values()))
        selects = any(r.selects for r in entry.references.values())
        if entry.instance is None and not own and not selects:
            self.bare.append(name)
            return None
        path = ("parts", name, "instance") if entry.instance is not None else ("parts", name)
        if found:
            members = listed(["/".join(leaf.path) for leaf in found])
            what = (
                f"{quoted(wanted)} can be {len(found)} parts of the CAD file: {members}. Say which"
            )
        else:
            what = (
                f"there is no {quoted(wanted)} in the CAD file{did_you_mean(wanted, parts)} "
                f"Its parts: {listed(parts, 30)}."
            )
        self._say(path, what, name)
        self.unread.add(("parts", name, "instance"))
        return None


def placed(document: Document, leaf: Leaf, units: Units) -> Placed:
    """The solid of a leaf and its pose in user units."""
    solid = document.solids[leaf.solid]
    return Placed(solid, user_pose(leaf.X_WC, units), leaf.colour or solid.colour)


def user_pose(X_WC: np.ndarray, units: Units) -> Pose:
    """A pose [mm] in user units."""
    scale = MM / units.metre
    return Pose.from_matrix([c * scale for c in X_WC[:3, 3]], X_WC[:3, :3])


def _group(
    name: str, entry: PartEntry, document: Document, own: bool
) -> tuple[Instance, np.ndarray] | None:
    """The sub-assembly that is meant as one rigid part; None where a single solid is meant."""
    parts = document.parts()
    wanted = entry.instance or name
    if wanted in parts:
        return None
    if own and entry.instance is None:
        return (document.root, document.root.X_PC) if len(parts) > 1 else None
    found = document.groups().get(wanted)
    return found if found is not None and len(document.named(wanted)) > 1 else None


def _reference(entry: mr.ReferenceEntry, solid: Solid | None, metre: float) -> Reference:
    if isinstance(entry.frame, mr.FrameEntry):
        return _frame(entry.frame, solid, metre)
    for kind in RefKind:
        given = getattr(entry, kind)
        if isinstance(given, mr.SelectorEntry):
            assert solid is not None
            return select.reference(kind, selector(given), solid, metre)
    if isinstance(entry.point, tuple):
        return references.point(entry.point)
    if isinstance(entry.vector, tuple):
        return references.vector(entry.vector)
    if isinstance(entry.axis, mr.AxisEntry):
        return references.axis(entry.axis.point, entry.axis.along)
    assert isinstance(entry.plane, mr.PlaneEntry)
    return references.plane(entry.plane.point, entry.plane.normal)


def _frame(entry: mr.FrameEntry, solid: Solid | None, metre: float) -> Reference:
    origin = _selected(RefKind.POINT, entry.origin, solid, metre)
    z = _selected(RefKind.VECTOR, entry.z, solid, metre)
    if not isinstance(entry.x, mr.TowardEntry):
        x = None if entry.x is None else _selected(RefKind.VECTOR, entry.x, solid, metre)
        return references.frame(origin, z, x)
    target = _selected(RefKind.POINT, entry.x.toward, solid, metre)
    across = [t - o for t, o in zip(target, origin, strict=True)]
    if math.hypot(*across) == 0.0:
        raise ValueError("x points toward the frame's own origin; wanted another feature")
    return references.frame(origin, z, across)


def _selected(kind: RefKind, given: Any, solid: Solid | None, metre: float) -> Vec3:
    """A point or direction, typed or selected."""
    if not isinstance(given, mr.SelectorEntry):
        return given
    assert solid is not None
    found = select.reference(kind, selector(given), solid, metre)
    return found.origin if kind is RefKind.POINT else found.z


def selector(entry: mr.SelectorEntry) -> Selector:
    """The selector that an entry states."""
    at = selector(entry.at) if isinstance(entry.at, mr.SelectorEntry) else At(entry.at)
    fields = ("name", "radius", "normal", "along", "cadquery", "towards", "near", "size", "flip")
    return Selector(Pick(entry.select), at=at, **{f: getattr(entry, f) for f in fields})
