"""What an assembly of FreeCAD consists of: components that move, joints, and shapes at places.

A component is what a joint moves as one: a body, a link, a part with all it holds, a rigid
sub-assembly. Groups and flexible sub-assemblies are seen through: what is in them moves on its
own. Frame C of a component is where its Placement puts it; all below is placed in C.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from cad2mbs.io.fcstd_objects import Library, Thing
from cad2mbs.wording import quoted

ASSEMBLY, ASSEMBLY_LINK = "Assembly::AssemblyObject", "Assembly::AssemblyLink"
LINKS = ("App::Link", "App::LinkPython", "App::LinkElement", "App::LinkElementPython")
GROUPS = (
    "App::DocumentObjectGroup", "App::DocumentObjectGroupPython", "App::LinkGroup",
    "App::LinkGroupPython",
)  # fmt: skip
IGNORED_GROUPS = ("Assembly::ViewGroup", "Assembly::BomGroup", "Assembly::SnapshotGroup")
JOINT_GROUPS = ("Assembly::JointGroup", "Assembly::SimulationGroup")
CONTAINERS = ("App::Part", ASSEMBLY, ASSEMBLY_LINK, *GROUPS)
BODY = "PartDesign::Body"
ORIGINS = ("App::Origin", "App::LocalCoordinateSystem", "Part::LocalCoordinateSystem")
DATUMS = (
    *ORIGINS, "App::Plane", "App::Line", "App::Point", "Part::DatumPlane", "Part::DatumLine",
    "Part::DatumPoint", "PartDesign::Plane", "PartDesign::Line", "PartDesign::Point",
    "PartDesign::CoordinateSystem", "Sketcher::SketchObject",
)  # fmt: skip
CONSUMERS = ("Base", "Tool", "Source", "Shapes", "Profile", "Objects", "Refine")
DEEPEST = 60
MOST_PIECES = 100_000


@dataclass(frozen=True, eq=False)
class Component:
    """What moves as one; `X_WC` is where it starts [mm]."""

    thing: Thing
    X_WC: np.ndarray  # (4, 4)


@dataclass(frozen=True, eq=False)
class Piece:
    """A shape of a component at its place."""

    X_CS: np.ndarray  # (4, 4)
    shape: Thing


@dataclass(frozen=True, eq=False)
class Spot:
    """An object within a component: its frame there, seen from frame C."""

    component: Component
    X_CO: np.ndarray  # (4, 4)
    thing: Thing


@dataclass
class Tree:
    """The components, joints, grounds and motions of one assembly."""

    library: Library
    assembly: Thing
    components: dict[tuple[Path, str], Component] = field(default_factory=dict)
    joints: list[Thing] = field(default_factory=list)
    grounds: list[Thing] = field(default_factory=list)
    motions: list[Thing] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ground = Component(self.assembly, self.assembly.placement())
        self._gather(self.assembly, self.ground.X_WC, (self.assembly.key,))

    # -- what moves -----------------------------------------------------------------------

    def _gather(self, container: Thing, X: np.ndarray, above: tuple, own: bool = True) -> None:
        """Collect what a container holds; `own` False: below a sub-assembly, whose grounds move."""
        for thing in self.children(container):
            if thing.type in IGNORED_GROUPS or thing.type in DATUMS or thing.key in self.components:
                continue
            if thing.key in above or len(above) > DEEPEST:
                thing.fail("is within itself: its groups or links run in a circle")
            if thing.has("JointType"):
                self.joints.append(thing)
            elif thing.has("ObjectToGround"):
                self.grounds += [thing] if own else []
            elif thing.has("MotionType"):
                self.motions.append(thing)
            elif self._is_seen_through(thing):
                own_below = own and thing.type != ASSEMBLY_LINK
                self._gather(thing, X @ thing.placement(), (*above, thing.key), own_below)
            elif self._is_component(thing):
                self.components[thing.key] = Component(thing, X @ thing.placement())

    @staticmethod
    def _is_seen_through(thing: Thing) -> bool:
        flexible = thing.type == ASSEMBLY_LINK and not thing.flag("Rigid", True)
        simulation = thing.has("aTimeStart")  # holds motions
        return flexible or simulation or thing.type in (*GROUPS, *JOINT_GROUPS)

    @staticmethod
    def _is_component(thing: Thing) -> bool:
        held = thing.type in CONTAINERS or thing.type in LINKS or thing.type == BODY
        return held or (thing.has("Shape") and thing.has("Placement"))

    def children(self, thing: Thing) -> list[Thing]:
        """What a container holds, as its file lists it."""
        names = ("Group",) if thing.type not in GROUPS else ("Group", "ElementList")
        return [child for name in names for child in self.library.targets(thing, name)]

    # -- links ----------------------------------------------------------------------------

    def linked(self, thing: Thing) -> tuple[np.ndarray, Thing]:
        """What a chain of links leads to, and its frame seen from the frame of the first link.

        A link whose LinkTransform is off replaces the placement of its target.
        """
        X, seen = np.eye(4), set()
        while self._is_link(thing):
            if thing.key in seen or len(seen) > DEEPEST:
                thing.fail("links to itself, directly or through other links")
            seen.add(thing.key)
            pointer = thing.pointer("LinkedObject")
            if pointer is None:
                thing.fail("is a link to nothing; choose what it links to")
            if any(pointer.subs):
                thing.fail(
                    f"links to the piece {quoted(pointer.subs[0])} of an object, which is not "
                    "read; link to the object itself"
                )
            if abs(thing.number("Scale", 1.0) - 1.0) > 1e-12:
                thing.fail("is a scaled link; a scale of 1 was wanted")
            target = self.library.target(thing, pointer)
            if thing.flag("LinkTransform"):
                X = X @ target.placement()
            thing = target
        return X, thing

    def _is_link(self, thing: Thing) -> bool:
        empty_assembly = thing.type == ASSEMBLY_LINK and not thing.pointers("Group")
        return (thing.type in LINKS or empty_assembly) and not self._is_array(thing)

    def _is_array(self, thing: Thing) -> bool:
        if thing.count("ElementCount") < 1:
            return False
        if not thing.pointers("ElementList"):
            thing.fail("is an array of links without elements of its own; switch on ShowElement")
        return True

    # -- shapes ---------------------------------------------------------------------------

    def pieces(self, component: Component) -> list[Piece]:
        """The shapes of a component at their places in its frame."""
        found: list[Piece] = []
        for piece in self._below(component.thing, np.eye(4), ()):
            found.append(piece)
            if len(found) > MOST_PIECES:
                component.thing.fail(f"holds more than {MOST_PIECES} shapes")
        return found

    def _below(self, thing: Thing, X: np.ndarray, above: tuple) -> Iterator[Piece]:
        if thing.key in above or len(above) > DEEPEST:
            thing.fail("is within itself: its groups or links run in a circle")
        above = (*above, thing.key)
        if self._is_link(thing):
            X_link, target = self.linked(thing)
            yield from self._below(target, X @ X_link, above)
        elif thing.type in CONTAINERS or self._is_array(thing):
            array = self._is_array(thing)
            inside = self.library.targets(thing, "ElementList") if array else self.children(thing)
            hidden = self._consumed(inside)
            for child in inside:
                if child.key not in hidden and child.type not in DATUMS:
                    yield from self._below(child, X @ child.placement(), above)
        elif shape_entry(thing):
            yield Piece(X, thing)

    def _consumed(self, siblings: list[Thing]) -> set[tuple[Path, str]]:
        """Those that are hidden and only the raw material of another: the operands of a cut."""
        used = {
            (thing.file.path, pointer.name)
            for thing in siblings
            if thing.has("Shape")
            for name in CONSUMERS
            for pointer in thing.pointers(name)
        }
        return {t.key for t in siblings if t.key in used and not t.flag("Visibility", True)}

    # -- names in paths -------------------------------------------------------------------

    def spot(self, owner: Thing, root: Thing, names: list[str]) -> Spot | None:
        """The object that a path of names means; None where it is not in the assembly.

        The path starts at `root`: a component, the assembly, or what the assembly is in.
        """
        if root.key not in self.components and not self._leads_in(root):
            if self.assembly.name not in names:
                return self.found(root.name, None)
            names = names[names.index(self.assembly.name) + 1 :]
        path = [root.name, *names] if root.key in self.components else names
        here = None
        for name in path:
            thing = self.assembly.file.things.get(name)
            if here is None and thing is not None and thing.key in self.components:
                here = Spot(self.components[thing.key], np.eye(4), thing)
            elif here is None and thing is not None and self._leads_in(thing):
                continue
            else:  # datums of the assembly itself belong to the ground
                here = here or Spot(self.ground, np.eye(4), self.assembly)
                here = self._step(here, name, owner)
        return here

    def _leads_in(self, thing: Thing) -> bool:
        """Whether a name only leads to components: the assembly, a group, what is seen through."""
        return thing.key == self.assembly.key or self._is_seen_through(thing)

    def found(self, name: str, part: Thing | None) -> Spot | None:
        """An object of this name within a component, or within any of them."""
        for component in self.components.values():
            if part is None or component.thing.key == part.key:
                found = self._search(Spot(component, np.eye(4), component.thing), name, ())
                if found is not None:
                    return found
        return None

    def _search(self, here: Spot, name: str, above: tuple) -> Spot | None:
        if here.thing.name == name:
            return here
        X, base = self.linked(here.thing)
        if base.key in above or len(above) > DEEPEST:
            base.fail("is within itself: its groups or links run in a circle")
        if base.name == name:
            return Spot(here.component, here.X_CO @ X, base)
        for child in self._named(base):
            frame = Spot(here.component, here.X_CO @ X @ child.placement(), child)
            found = self._search(frame, name, (*above, base.key))
            if found is not None:
                return found
        return None

    def _step(self, here: Spot, name: str, owner: Thing) -> Spot:
        """One name further down the path; features of a body stand for the body."""
        X, base = self.linked(here.thing)
        for child in self._named(base):
            if child.name == name:
                return Spot(here.component, here.X_CO @ X @ child.placement(), child)
        if base.type in CONTAINERS:
            owner.fail(f"refers to {quoted(name)}, which {base} does not hold")
        return here

    def _named(self, base: Thing) -> Iterator[Thing]:
        """What can be named below an object: contents, origin, datums of a body."""
        for name in ("Origin", "OriginFeatures", "Group", "ElementList"):
            for child in self.library.targets(base, name) if base.has(name) else ():
                if base.type == BODY and child.type not in DATUMS:
                    continue
                yield child
                if child.type in GROUPS:
                    yield from self._named(child)


def shape_entry(thing: Thing) -> str:
    """Name of the entry that holds the object's shape; "" where it has none."""
    held = thing.raw.properties.get("Shape")
    part = next(iter(held.below("Part")), None) if held is not None else None
    return part.get("file") if part is not None else ""
