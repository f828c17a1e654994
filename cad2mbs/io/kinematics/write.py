"""A mechanism written into a STEP file beside its geometry (AP242, ISO 10303-105).

The kernel writes the geometry at the present pose; links, joints and pairs follow as text. Every
part is a link of its own; parts that are one rigid body are held by fully constrained pairs, so
that the frames of a pair lie in the coordinates of one part.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.cad.part21 import Part21, Ref
from cad2mbs.errors import InputError
from cad2mbs.io.kinematics.convert import CARRIED
from cad2mbs.io.kinematics.entities_out import NONE, Writer, listed, real, text
from cad2mbs.io.kinematics.geometry import placed
from cad2mbs.io.kinematics.joints_out import MM, PairOut, pair_of
from cad2mbs.io.kinematics.products import Use, definitions_in, uses_in
from cad2mbs.io.kinematics.ranges_out import Ranger, bounds_of
from cad2mbs.io.kinematics.text import Entities, refs
from cad2mbs.model.assembly import Coupling, CouplingKind
from cad2mbs.model.mates import MATE_KINDS, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.wording import listed as named
from cad2mbs.wording import quoted, shown_path

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

_NUMBER = re.compile(rb"^#(\d+)\s*=", re.MULTILINE)
_END = b"ENDSEC;"


def write_step_with_mechanism(
    m: Mechanism, path: str | os.PathLike[str], *, strict: bool = False
) -> tuple[str, ...]:
    """Write parts and mechanism as a STEP file, whole or not at all.

    strict  write * where the schema derives a value, as the standard wants; by default the value
            stands there, since readers built on Open CASCADE call a * there a mistake

    Returns a sentence for all of the mechanism that STEP kinematics cannot say. InputError where
    no part has a shape, or the place cannot be written to.
    """
    path = Path(path)
    content, told = _text(m, strict)
    try:
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=".writing-", suffix=".step")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(scratch, 0o644)
            os.replace(scratch, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(scratch)
            raise
    except OSError as error:
        why = error.strerror or str(error)
        raise InputError(f"{shown_path(path)}: cannot be written: {why}.") from None
    return told


def _text(m: Mechanism, strict: bool) -> tuple[bytes, tuple[str, ...]]:
    told: list[str] = []
    geometry = _geometry(m, told)
    made = _Made(m, geometry, told, strict)
    made.write()
    at = geometry.rfind(_END)
    lines = "".join(made.out.lines).encode("ascii")
    return geometry[:at] + lines + geometry[at:], tuple(dict.fromkeys(told))


def _geometry(m: Mechanism, told: list[str]) -> bytes:
    """The kernel's STEP text of all parts that have a shape."""
    from cad2mbs.cad.kernel.solids import shape_of
    from cad2mbs.cad.kernel.write import Placed, write_step

    shapes: dict[int, object] = {}
    children = []
    bare = []
    for name, part in m.assembly.parts.items():
        if part.solid is None or part.solid.brep is None:
            bare.append(name)
            continue
        shape = shapes.setdefault(id(part.solid), None) or shape_of(part.solid.brep)
        shapes[id(part.solid)] = shape
        colour = part.colour or part.solid.colour
        children.append(
            Placed(name, shape=shape, X_PC=_matrix(m, m.poses[name]), colour=colour)  # type: ignore[arg-type]
        )
    if not children:
        raise InputError(f"No part of {quoted(m.name)} has a shape; a STEP file needs geometry.")
    if bare:
        told.append(f"parts without a shape are links without geometry: {named(bare)}.")
    with tempfile.TemporaryDirectory(prefix="cad2mbs-") as folder:
        file = Path(folder) / "geometry.step"
        write_step(file, Placed(m.name, children=tuple(children)), schema="AP242")
        return file.read_bytes()


def _matrix(m: Mechanism, pose: Pose) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = pose.rotation()
    X[:3, 3] = np.array(pose.position) * m.units.metre * MM
    return X


class _Made:
    """The entities of a mechanism, on their way into a file."""

    def __init__(self, m: Mechanism, geometry: bytes, told: list[str], strict: bool):
        self.m, self.told = m, told
        self.e = Entities(Part21(geometry))
        self.out = Writer(1 + max(int(n) for n in _NUMBER.findall(geometry)), strict)
        self.uses = {use.name: use for use in uses_in(self.e)}
        self.root = next(iter(self.uses.values())).parent
        self.reps: dict[int, int] = {}  # product definition -> the first representation of it
        for rep, definition in definitions_in(self.e).items():
            self.reps.setdefault(definition, rep)
        self.context = refs(self.e.one(Ref(self.reps[self.root])).args)[-1].number
        self.X = {part: _matrix(m, pose) for part, pose in m.poses.items()}
        self.first = {b.name: next(iter(b.places)) for b in m.structure.bodies.values()}
        self.links: dict[str, int] = {}
        self.items: dict[str, list[int]] = {part: [] for part in m.assembly.parts}
        self.pairs: list[tuple[int, str, str]] = []  # pair, first part, second part
        self.joints: list[int] = []

    def write(self) -> None:
        for part in self.m.assembly.parts:
            self.links[part] = self.out.add("KINEMATIC_LINK", text(part))
        self._joints()
        self._welds()
        self._couplings()
        self._floating()
        self._tell_rest()
        if not self.joints:
            self.told.append("there are no joints, so no mechanism is written.")
            return
        self._mechanism()

    # -- pairs ----------------------------------------------------------------------------

    def _pair(self, name: str, word: str, ends: tuple[str, str], frames, **slots) -> None:
        """A pair between two parts; frames in part coordinates [mm]."""
        a, b = ends
        joint = self.out.add("KINEMATIC_JOINT", text(name), self.links[a], self.links[b])
        one, two = (self.out.placement(X) for X in frames)
        pair = self.out.pair(word, name, (one, two), joint, **slots)
        self.joints.append(joint)
        self.items[a].append(one)
        self.items[b].append(two)
        self.pairs.append((pair, a, b))

    def _joints(self) -> None:
        """The joints between bodies, with the bounds that hold there."""
        bodies = {name: self._body_pose(name) for name in self.first}
        ranger = Ranger(self.m, bodies)
        bounds, told = bounds_of(self.m)
        self.told += told
        for joint in self.m.structure.joints:
            pair = pair_of(self.m, joint)
            if pair is None:
                self.told.append(f"joint {quoted(joint.name)} ({joint.kind}): no pair says this.")
                continue
            ends = {joint.a, joint.b}
            for bound in bounds:
                if {ranger.body_of[bound.of.a], ranger.body_of[bound.of.b]} != ends:
                    continue
                with_range = ranger.ranged(pair, bound)
                if with_range is None:
                    self.told.append(f"bounds of {quoted(bound.name)}: no range of a pair says it.")
                pair = with_range or pair
            self._joint(pair, joint, bodies)

    def _joint(self, pair: PairOut, joint, bodies: dict[str, np.ndarray]) -> None:
        ends = tuple(self._part_of(body, joint) for body in (pair.first, pair.second))
        F1, F2 = (
            np.linalg.inv(self.X[part]) @ bodies[body] @ F
            for part, body, F in zip(
                ends, (pair.first, pair.second), (pair.F1, pair.F2), strict=True
            )
        )
        own: list[str | int] = [real(v) for v in pair.numbers]
        if pair.surface is not None:
            at = np.linalg.inv(self.X[ends[0]]) @ bodies[pair.first]
            surface = self.out.surface(pair.surface.seen_from(at))
            self.items[ends[0]].append(surface)
            own = [surface]
        word = pair.word
        self._pair(
            joint.name, word, (ends[0], ends[1]), (F1, F2), free=pair.free, own=own,
            ranges=pair.ranges,
        )  # fmt: skip

    def _part_of(self, body: str, joint) -> str:
        """The part of a body that the joint's mates speak of."""
        places = self.m.structure.bodies[body].places
        for name in joint.mates:
            mate = self.m.assembly.mates[name]
            for part in (mate.a.part, mate.b.part):
                if part in places:
                    return part
        return self.first[body]

    def _body_pose(self, body: str) -> np.ndarray:
        part = self.first[body]
        R, p = self.m.structure.bodies[body].places[part]
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = R, p * MM
        return self.X[part] @ np.linalg.inv(X)

    def _welds(self) -> None:
        """Parts of one body, held to its first one."""
        for name, body in self.m.structure.bodies.items():
            first = self.first[name]
            for other in list(body.places)[1:]:
                X = np.linalg.inv(self.X[first]) @ self.X[other]
                self._pair(
                    f"{first}-{other}", "FULLY_CONSTRAINED_PAIR", (first, other), (X, np.eye(4))
                )

    def _floating(self) -> None:
        """Parts that nothing holds are said to be free of the base."""
        base = self.first[self._ground()]
        for part in self.m.assembly.parts:
            if not self.items[part] and part != base:
                X = np.linalg.inv(self.X[base]) @ self.X[part]
                self._pair(f"{base}-{part}", "UNCONSTRAINED_PAIR", (base, part), (X, np.eye(4)))

    # -- couplings ------------------------------------------------------------------------

    def _couplings(self) -> None:
        for coupling in self.m.assembly.couplings.values():
            if coupling.kind is CouplingKind.GEAR:
                self._gear(coupling)
            elif coupling.kind is CouplingKind.RACK:
                self._rack(coupling)
            elif not self._is_screw_joint(coupling):
                what = f"screw {quoted(coupling.name)}: {coupling.a.part} and {coupling.b.part}"
                self.told.append(f"{what} have no cylindrical joint, so no pair says it.")

    def _is_screw_joint(self, c: Coupling) -> bool:
        body = {p: b.name for b in self.m.structure.bodies.values() for p in b.places}
        ends = {body[c.a.part], body[c.b.part]}
        return any({j.a, j.b} == ends and j.pitch is not None for j in self.m.structure.joints)

    def _carried(self, c: Coupling) -> str:
        return f"{CARRIED}{c.carrier}" if c.carrier is not None else ""

    def _frame(self, ref: RefId) -> np.ndarray:
        """A reference in part coordinates [mm]."""
        found = self.m.assembly.reference(ref)
        X = np.eye(4)
        X[:3, :3] = found.rotation
        X[:3, 3] = np.array(found.origin) * self.m.units.metre * MM
        return X

    def _gear(self, c: Coupling) -> None:
        """Radii that meet between parallel axes; else any two in the ratio."""
        F1, F2 = self._frame(c.a), self._frame(c.b)
        W1, W2 = self.X[c.a.part] @ F1, self.X[c.b.part] @ F2
        across = W2[:3, 3] - W1[:3, 3]
        across = across - W1[:3, 2] * (across @ W1[:3, 2])
        distance = float(np.linalg.norm(across))
        parallel = abs(abs(float(W1[:3, 2] @ W2[:3, 2])) - 1.0) < 1e-9
        total = abs(1.0 + c.ratio)
        second = distance / total if parallel and distance > 1e-9 and total > 1e-9 else 1.0
        own = [real(v) for v in (c.ratio * second, second, 0.0, 0.0, c.ratio)]
        self._pair(
            c.name, "GEAR_PAIR", (c.a.part, c.b.part), (F1, F2), own=own,
            description=self._carried(c),
        )  # fmt: skip

    def _rack(self, c: Coupling) -> None:
        """The rack first, x of its frame along its run and z along the pinion's axis."""
        pinion, rack = self._frame(c.a), self._frame(c.b)
        radius = c.ratio * self.m.units.metre * MM
        run = rack[:3, 2] * (1.0 if radius > 0 else -1.0)
        R = self.X[c.b.part][:3, :3].T @ self.X[c.a.part][:3, :3]
        z = R @ pinion[:3, 2]
        z = z - run * (z @ run)
        length = float(np.linalg.norm(z))
        z = z / length if length > 1e-9 else placed(np.zeros(3), run)[:3, 0]
        rack[:3, :3] = np.column_stack([run, np.cross(z, run), z])
        self._pair(
            c.name, "RACK_AND_PINION_PAIR", (c.b.part, c.a.part), (rack, pinion),
            own=[real(abs(radius))], description=self._carried(c),
        )  # fmt: skip

    # -- the frame around it --------------------------------------------------------------

    def _ground(self) -> str:
        return next(b.name for b in self.m.structure.bodies.values() if b.grounded)

    def _mechanism(self) -> None:
        add, context, name = self.out.add, self.context, text(self.m.name)
        topology = add("KINEMATIC_TOPOLOGY_STRUCTURE", name, listed(self.joints), context)
        reps = {
            part: add("RIGID_LINK_REPRESENTATION", text(part), listed(items), context, link)
            for (part, items), link in zip(self.items.items(), self.links.values(), strict=True)
            if items
        }
        related = [
            add("PAIR_REPRESENTATION_RELATIONSHIP", "''", "''", NONE, reps[a], reps[b], pair)
            for pair, a, b in self.pairs
        ]
        mechanism = add("MECHANISM_REPRESENTATION", name, listed(related), context, topology)
        property_ = add("PRODUCT_DEFINITION_KINEMATICS", "''", NONE, self.root)
        base = reps[self.first[self._ground()]]
        add("KINEMATIC_PROPERTY_MECHANISM_REPRESENTATION", property_, mechanism, base)
        for part, rep in reps.items():
            if part in self.uses:
                self._associate(rep, self.uses[part])

    def _associate(self, rep: int, use: Use) -> None:
        """Tie a link to the instance of its part."""
        add = self.out.add
        shape = self.reps[use.child]
        tie = add("KINEMATIC_LINK_REPRESENTATION_ASSOCIATION", "''", NONE, rep, shape)
        which = add("PRODUCT_DEFINITION_RELATIONSHIP_KINEMATICS", "''", NONE, use.number)
        add("CONTEXT_DEPENDENT_KINEMATIC_LINK_REPRESENTATION", tie, which)

    def _tell_rest(self) -> None:
        """Sentences on what of the assembly has no place in such a file."""
        a = self.m.whole
        sided = [x.name for x in a.mates.values() if MATE_KINDS[x.kind].one_sided and not x.off]
        for what, names in (
            ("one-sided mates", sided),
            ("mates that are off", [x.name for x in a.mates.values() if x.off]),
            ("drives (their bounds are ranges of pairs)", list(a.drives)),
            ("observers", list(a.observers)),
            ("positions", list(a.positions)),
        ):
            if names:
                self.told.append(
                    f"not written, as STEP kinematics has none: {what}: {named(names)}."
                )
