"""Reading `.FCStd`: assemblies of FreeCAD's Assembly workbench, without FreeCAD.

Components become parts with their shapes, joints become mates, limits and couplings, motions of a
simulation drives. Lengths in mm, angles in degrees. docs/freecad.md has the tables.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from cad2mbs.cad.names import unique
from cad2mbs.cad.worker import Limits
from cad2mbs.io import fcstd_shapes
from cad2mbs.io.asmt_joints import Result
from cad2mbs.io.asmt_tree import each
from cad2mbs.io.fcstd_archive import refused
from cad2mbs.io.fcstd_joints import COUPLINGS, Converter, FcJoint, Side, read_joint
from cad2mbs.io.fcstd_objects import Library, Thing
from cad2mbs.io.fcstd_shapes import ElementKind, Shapes
from cad2mbs.io.fcstd_tree import ASSEMBLY, Component, Tree, shape_entry
from cad2mbs.model.assembly import (
    Assembly,
    Coupling,
    Drive,
    Freedom,
    JointFreedom,
    Limit,
    Part,
)
from cad2mbs.model.mates import Mate, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import Reference
from cad2mbs.wording import listed, quoted

ELEMENTS = ("Face", "Edge", "Vertex")
MOTIONS = {"Angular": Freedom.TURN, "Linear": Freedom.SLIDE}


def read(
    path: str | os.PathLike[str],
    *,
    assembly: str | None = None,
    tolerance: float | None = None,
    limits: Limits | None = None,
) -> Assembly:
    """The assembly in an `.FCStd` file; InputError names the object that is wrong.

    assembly   label or name of the one that is meant; None: the first that is in no other
    tolerance  of the meshes [mm]; None: 1/1000 of each part's size
    limits     on time and memory of the CAD kernel; by default from the environment
    """
    path = Path(path)
    with Library(path) as library:
        notes: list[str] = []
        tree = Tree(library, _chosen(path, library, assembly, notes))
        return _Reading(path, tree, notes).assembly(tolerance, limits or Limits())


def _chosen(path: Path, library: Library, wanted: str | None, notes: list[str]) -> Thing:
    """The assembly to read."""
    things = library.main.things.values()
    found = [t for t in things if t.type == ASSEMBLY]
    if not found:
        refused(
            path,
            "holds no assembly of the Assembly workbench (FreeCAD 1.0 or later); "
            "make one there, or export the parts as STEP",
        )
    if wanted is not None:
        named = [t for t in found if wanted in (t.label, t.name)]
        if not named:
            names = listed(t.label for t in found)
            refused(path, f"holds no assembly {quoted(wanted)}; it holds: {names}")
        return named[0]
    inner = {p.name for t in found for p in t.pointers("Group") if not p.file}
    roots = [t for t in found if t.name not in inner] or found
    if len(roots) > 1:
        others = listed(t.label for t in roots[1:])
        notes.append(f"{path.name} holds several assemblies; {roots[0]} is read, not: {others}.")
    return roots[0]


@dataclass
class _Reading:
    """Everything on the way from the tree to the assembly."""

    path: Path
    tree: Tree
    notes: list[str]
    names: dict[Component, str] = field(default_factory=dict)  # part of each component
    references: dict[str, dict[str, Reference]] = field(default_factory=dict)
    mates: dict[str, Mate] = field(default_factory=dict)
    limits: dict[str, Limit] = field(default_factory=dict)
    couplings: dict[str, Coupling] = field(default_factory=dict)

    def assembly(self, tolerance: float | None, limits: Limits) -> Assembly:
        joints = self._joints()
        pieces = {c: self.tree.pieces(c) for c in self.tree.components.values()}
        self._name_parts(joints, {c for c, found in pieces.items() if found})
        shapes = fcstd_shapes.read(
            self.path,
            {name: pieces[c] for c, name in self.names.items() if pieces.get(c)},
            self._asked(joints),
            tolerance,
            limits,
        )
        self._convert(joints, shapes)
        return Assembly(
            self.tree.assembly.label,
            self._parts(shapes),
            self.mates,
            drives=self._drives(joints),
            limits=self.limits,
            couplings=self.couplings,
            source=str(self.path),
            notes=tuple(dict.fromkeys(self.notes)),
        )

    # -- joints and parts -----------------------------------------------------------------

    def _joints(self) -> dict[str, FcJoint]:
        """The joints that say something, by unique name."""
        things = self.tree.joints
        out: dict[str, FcJoint] = {}
        read = each(things, lambda thing: read_joint(self.tree, thing))
        for thing, name, found in zip(things, unique([t.label for t in things]), read, strict=True):
            if isinstance(found, str):
                self.notes.append(f"joint {thing} is left out: {found}.")
            else:
                out[name] = found
        return out

    def _name_parts(self, joints: dict[str, FcJoint], shaped: set[Component]) -> None:
        """Name the components that have a shape, a joint or stand still, and the ground if used."""
        jointed = {side.component for j in joints.values() for side in (j.one, j.two)}
        used = shaped | jointed | self._grounded()
        listed_ = [c for c in self.tree.components.values() if c in used]
        empty = [c.thing.label for c in self.tree.components.values() if c not in used]
        if empty:
            self.notes.append(f"without a shape or a joint, so left out: {listed(empty)}.")
        if self.tree.ground in jointed:
            listed_.insert(0, self.tree.ground)
        labels = unique([c.thing.label for c in listed_])
        self.names = dict(zip(listed_, labels, strict=True))
        if not self.names:
            self.tree.assembly.fail("holds no components")

    def _grounded(self) -> set[Component]:
        """The components that stand still."""
        out = set()
        for thing in self.tree.grounds:
            pointer = thing.pointer("ObjectToGround")
            if pointer is None:
                continue
            target = self.tree.library.target(thing, pointer)
            component = self.tree.components.get(target.key)
            if component is None:
                spot = self.tree.found(target.name, None)
                component = spot.component if spot is not None else None
            if component is None:
                self.notes.append(f"{thing} grounds {target}, which is no component; left out.")
            else:
                out.add(component)
        return out

    def _parts(self, shapes: Shapes) -> dict[str, Part]:
        grounded = self._grounded() | {self.tree.ground}
        if not any(c in grounded for c in self.names):
            self.notes.append("no component is grounded; the first one is taken to stand still.")
        return {
            name: Part(
                name,
                self.references.get(name, {}),
                grounded=component in grounded,
                pose=Pose.from_matrix(component.X_WC[:3, 3].tolist(), component.X_WC[:3, :3]),
                line=component.thing.raw.line,
                solid=shapes.solids.get(name),
            )
            for component, name in self.names.items()
        }

    # -- what the kernel is asked ---------------------------------------------------------

    @staticmethod
    def _asked(joints: dict[str, FcJoint]) -> list[tuple[Thing, str]]:
        """The elements of Distance joints: what they are decides what the joint means."""
        sides = [s for j in joints.values() if j.kind == "Distance" for s in (j.one, j.two)]
        return list(dict.fromkeys((s.shape, s.element) for s in sides if _has_kind(s)))

    # -- mates ----------------------------------------------------------------------------

    def _convert(self, joints: dict[str, FcJoint], shapes: Shapes) -> None:
        def kind_of(side: Side) -> ElementKind:
            return shapes.elements.get((side.shape, side.element), ElementKind(None))

        converter = Converter(lambda c: self.names[c], list(joints.values()), kind_of)
        self._refuse_unknown_elements(joints, kind_of)

        def work(item: tuple[str, FcJoint]) -> None:
            name, joint = item
            if not joint.on and joint.kind in COUPLINGS:
                self.notes.append(f"coupling {joint.thing} is switched off and left out.")
                return
            found = converter.converted(joint, name)
            if isinstance(found, str):
                self.notes.append(f"joint {joint.thing} is left out: {found}.")
                return
            self._merge(found)
            bounds = converter.limits(joint, name)
            if bounds and not joint.on:
                self.notes.append(
                    f"the limits of {joint.thing}, which is switched off, are left out."
                )
            else:
                self.limits.update({limit.name: limit for limit in bounds})

        list(each(joints.items(), work))

    def _refuse_unknown_elements(self, joints: dict[str, FcJoint], kind_of) -> None:
        for joint in joints.values():
            for side in (joint.one, joint.two) if joint.kind == "Distance" else ():
                if _has_kind(side) and kind_of(side).kind is None:
                    joint.thing.fail(f"{side.shape} has no {side.element}; pick it again")

    def _merge(self, found: Result) -> None:
        for mate in found.mates:
            self.mates[mate.name] = mate
        for coupling in found.couplings:
            self.couplings[coupling.name] = coupling
        for id, reference in found.references:
            self.references.setdefault(id.part, {})[id.ref] = reference

    def _drives(self, joints: dict[str, FcJoint]) -> dict[str, Drive]:
        """A drive for each motion of a simulation; how it moves with time is not read."""
        acting = {j.thing.key: (name, j) for name, j in joints.items() if j.on}
        motions = self.tree.motions
        out: dict[str, Drive] = {}
        for thing, name in zip(motions, unique([t.label for t in motions]), strict=True):
            pointer = thing.pointer("Joint")
            target = self.tree.library.target(thing, pointer) if pointer is not None else None
            if target is None or target.key not in acting:
                self.notes.append(f"motion {thing} moves no joint that acts; it is left out.")
                continue
            freedom = MOTIONS[thing.choice("MotionType", tuple(MOTIONS))]
            joint_name, joint = acting[target.key]
            i, j = (RefId(self.names[s.component], joint_name) for s in (joint.one, joint.two))
            out[name] = Drive(name, of=JointFreedom(i.part, j.part, freedom, zero=(i, j)))
            formula = quoted(thing.text("Formula"))
            self.notes.append(f"motion {thing} is a drive; its formula {formula} is not followed.")
        return out


def _has_kind(side: Side) -> bool:
    """Whether the side is a face, edge or vertex of a shape."""
    word = side.element.rstrip("0123456789")
    return word in ELEMENTS and word != side.element and bool(shape_entry(side.shape))
