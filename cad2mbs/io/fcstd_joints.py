"""Joints of FreeCAD assemblies as mates, limits and couplings.

FreeCAD hands its joints to OndselSolver, so each becomes what the same joint of an `.asmt` model
becomes (asmt_joints.py). What is FreeCAD's own is how a joint points at geometry, in several
dialects, and how the kinds of the two elements decide what a Distance joint means.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from cad2mbs.io import asmt_joints
from cad2mbs.io.asmt_joints import Marker, Result
from cad2mbs.io.asmt_tree import Node
from cad2mbs.io.fcstd_objects import Thing
from cad2mbs.io.fcstd_shapes import ElementKind
from cad2mbs.io.fcstd_tree import Component, Spot, Tree
from cad2mbs.model.assembly import Freedom, JointFreedom, Limit
from cad2mbs.model.mates import MATE_KINDS, Dim, Mate, RefId

JOINT_TYPES = (
    "Fixed", "Revolute", "Cylindrical", "Slider", "Ball", "Distance", "Parallel", "Perpendicular",
    "Angle", "RackPinion", "Screw", "Gears", "Belt",
)  # fmt: skip
PLAIN = {
    "Fixed": "FixedJoint",
    "Revolute": "RevoluteJoint",
    "Cylindrical": "CylindricalJoint",
    "Slider": "TranslationalJoint",
    "Ball": "SphericalJoint",
    "Parallel": "ParallelAxesJoint",
    "Perpendicular": "PerpendicularJoint",
}
COUPLINGS = ("RackPinion", "Screw", "Gears", "Belt")
LENGTH_LIMITS, ANGLE_LIMITS = ("Slider", "Cylindrical"), ("Revolute", "Cylindrical")
TOUCH = 1e-7  # [mm] distances below are 0
ALONG = 1e-6  # how far the cosine of parallel axes may be from 1

# The order in which the two elements of a Distance joint are taken.
RANK = (
    "plane", "cylinder", "cone", "torus", "sphere", "surface", "line", "circle", "curve", "point",
)  # fmt: skip
# What a Distance joint is between two elements, and whether their radii add to the distance. All
# other pairs are planes at the distance, as in FreeCAD.
DISTANCES = {
    ("point", "point"): ("SphSphJoint", False),
    ("line", "line"): ("RevCylJoint", False),
    ("line", "circle"): ("RevCylJoint", True),
    ("circle", "circle"): ("RevCylJoint", True),
    ("plane", "cylinder"): ("LineInPlaneJoint", True),
    ("plane", "sphere"): ("PointInPlaneJoint", True),
    ("cylinder", "cylinder"): ("RevCylJoint", True),
    ("cylinder", "sphere"): ("CylSphJoint", True),
    ("cylinder", "torus"): ("RevCylJoint", True),
    ("torus", "sphere"): ("CylSphJoint", True),
    ("sphere", "sphere"): ("SphSphJoint", True),
    ("plane", "point"): ("PointInPlaneJoint", False),
    ("cylinder", "point"): ("CylSphJoint", True),
    ("sphere", "point"): ("SphSphJoint", True),
    ("plane", "line"): ("LineInPlaneJoint", False),
    ("line", "point"): ("CylSphJoint", False),
    ("circle", "point"): ("PointInPlaneJoint", False),
    ("curve", "point"): ("PointInPlaneJoint", False),
}
VALUE_FIELD = {
    "PlanarJoint": "offset",
    "LineInPlaneJoint": "offset",
    "PointInPlaneJoint": "offset",
    "SphSphJoint": "distanceIJ",
    "CylSphJoint": "distanceIJ",
    "RevCylJoint": "distanceIJ",
}


@dataclass(frozen=True, eq=False)
class Side:
    """One end of a joint: its frame on a component, and the element it was picked on."""

    component: Component
    X_CJ: np.ndarray  # (4, 4)
    element: str  # Face3, Edge1, Vertex2, or something else
    shape: Thing  # what the element is on

    @property
    def X_WJ(self) -> np.ndarray:
        return self.component.X_WC @ self.X_CJ


@dataclass(frozen=True, eq=False)
class FcJoint:
    """A joint as the file has it."""

    thing: Thing
    kind: str
    one: Side
    two: Side
    on: bool  # neither suppressed nor deactivated

    def swapped(self) -> FcJoint:
        return replace(self, one=self.two, two=self.one)


def read_joint(tree: Tree, thing: Thing) -> FcJoint | str:
    """The joint, or why it says nothing: an end is missing, or both are on one component."""
    kind = thing.choice("JointType", JOINT_TYPES)
    if kind not in JOINT_TYPES:
        thing.fail(f"joint type {kind!r} is not read; read are: {', '.join(JOINT_TYPES)}")
    sides = [_side(tree, thing, number) for number in (1, 2)]
    if sides[0] is None or sides[1] is None:
        which = "first" if sides[0] is None else "second"
        return f"its {which} reference is empty or not in the assembly"
    if sides[0].component is sides[1].component:
        return f"both its references are on {sides[0].component.thing}"
    on = thing.flag("Activated", True) and not thing.flag("Suppressed", False)
    return FcJoint(thing, kind, sides[0], sides[1], on)


def _side(tree: Tree, joint: Thing, number: int) -> Side | None:
    found = _spot(tree, joint, number)
    if found is None:
        return None
    spot, element = found
    X_CJ = spot.X_CO @ joint.placement(f"Placement{number}")
    return Side(spot.component, X_CJ, element, tree.linked(spot.thing)[1])


def _spot(tree: Tree, joint: Thing, number: int) -> tuple[Spot, str] | None:
    """Where one end of a joint is, and the element there, in whichever dialect it is stored."""
    pointer = joint.pointer(f"Reference{number}")
    if joint.has(f"Reference{number}"):
        if pointer is None:
            return None
        words = (pointer.subs[0] if pointer.subs else "").split(".")
        # Names between semicolons are FreeCAD's own book-keeping of what the element came from.
        names = [w for w in words[:-1] if w and ";" not in w]
        spot = tree.spot(joint, tree.library.target(joint, pointer), names)
        return (spot, words[-1].lstrip("?")) if spot else None
    part = joint.pointer(f"Part{number}")
    inside = tree.library.target(joint, part) if part is not None else None
    pointer = joint.pointer(f"Object{number}")
    name = joint.text(f"Object{number}") if pointer is None else pointer.name
    element = joint.text(f"Element{number}")
    if pointer is not None and pointer.subs:
        element = pointer.subs[0].rpartition(".")[2]
    spot = tree.found(name, inside) if name else None
    if name and spot is None and inside is not None:
        joint.fail(f"refers to {name!r}, which is not within {inside}")
    return (spot, element) if spot else None


Namer = Callable[[Component], str]  # the part a component becomes


class Converter:
    """Turns joints into mates, limits and couplings, with the names of parts."""

    def __init__(
        self,
        part_of: Namer,
        joints: list[FcJoint],
        kind_of: Callable[[Side], ElementKind],
    ):
        self.part_of, self.kind_of = part_of, kind_of
        self.sliders = [j for j in joints if j.kind == "Slider" and j.on]
        self.cylinders = [j for j in joints if j.kind == "Cylindrical" and j.on]

    def converted(self, joint: FcJoint, name: str) -> Result | str:
        """Mates and couplings of a joint with its two frames as references, or why there are none.

        Lengths in mm, angles in degrees.
        """
        if joint.kind in ("RackPinion", "Screw"):
            ordered = self._sliding_first(joint)
            if ordered is None:
                return "neither of its components has a Slider joint, so it means nothing"
            joint = ordered
        word, fields = "", {}
        if joint.kind in PLAIN:
            word = PLAIN[joint.kind]
        elif joint.kind == "Distance":
            joint, word, value = self._distance(joint)
            fields = {VALUE_FIELD[word]: value}
        else:
            word, fields = self._numbers(joint)
        i, j = self.marker(joint.one, name), self.marker(joint.two, name)
        if joint.kind == "RackPinion":
            i = _rack_marker(i, j)
        result = asmt_joints.convert(
            asmt_joints.Joint(name, word, i, j, self._node(joint, word, fields)), set()
        )
        ends = ((i.id, i.reference()), (j.id, j.reference()))
        mates = tuple(replace(_in_degrees(m), off=not joint.on) for m in result.mates)
        return replace(result, mates=mates, references=(*ends, *result.references))

    def marker(self, side: Side, name: str) -> Marker:
        return Marker(RefId(self.part_of(side.component), name), side.X_CJ, side.X_WJ)

    def _numbers(self, joint: FcJoint) -> tuple[str, dict[str, float]]:
        thing = joint.thing
        distance = thing.number("Distance")
        if joint.kind == "Angle":
            degrees = thing.number("Angle") if thing.has("Angle") else distance
            return "AngleJoint", {"theIzJz": math.radians(abs(degrees))}
        if joint.kind == "RackPinion":
            return "RackPinionJoint", {"pitchRadius": distance}
        if joint.kind == "Screw":
            return "ScrewJoint", {"pitch": distance}
        second = thing.number("Distance2") * (-1.0 if joint.kind == "Belt" else 1.0)
        return "GearJoint", {"radiusI": distance, "radiusJ": second}

    def _distance(self, joint: FcJoint) -> tuple[FcJoint, str, float]:
        """The joint in FreeCAD's order, what it is, and its number."""
        a, b = self.kind_of(joint.one), self.kind_of(joint.two)
        value = joint.thing.number("Distance")
        if a.kind is None or b.kind is None:
            return joint, "PlanarJoint", value
        if RANK.index(a.kind) > RANK.index(b.kind):
            joint, a, b = joint.swapped(), b, a
        word, radial = DISTANCES.get((a.kind or "", b.kind or ""), ("PlanarJoint", False))
        value += a.radius + b.radius if radial else 0.0
        if VALUE_FIELD[word] == "distanceIJ" and abs(value) < TOUCH:
            value = 0.0
        return joint, word, value

    def _sliding_first(self, joint: FcJoint) -> FcJoint | None:
        """The joint with the component that slides as its first end.

        A nut on a cylindrical joint with its screw slides and turns at once: the order stands.
        """
        along = [s for s in (joint.one, joint.two) if self._slides(s, True)]
        slides = along or [s for s in (joint.one, joint.two) if self._slides(s, False)]
        if slides:
            return joint if slides[0] is joint.one else joint.swapped()
        ends = {id(joint.one.component), id(joint.two.component)}
        for other in self.cylinders if joint.kind == "Screw" else ():
            if {id(other.one.component), id(other.two.component)} == ends:
                return joint
        return None

    def _slides(self, side: Side, along: bool) -> bool:
        """Whether a Slider joint moves the component, along the side's own axis if asked for."""
        for slider in self.sliders:
            for end in (slider.one, slider.two):
                cosine = abs(float(end.X_WJ[:3, 2] @ side.X_WJ[:3, 2]))
                if end.component is side.component and (not along or cosine > 1 - ALONG):
                    return True
        return False

    @staticmethod
    def _node(joint: FcJoint, word: str, fields: dict[str, float]) -> Node:
        file, line = str(joint.thing.file.path), joint.thing.raw.line
        rows = [Node(f, line, file, [Node(repr(float(v)), line, file)]) for f, v in fields.items()]
        return Node(word, line, file, rows)

    def limits(self, joint: FcJoint, name: str) -> list[Limit]:
        """The bounds whose Enable flag is set, in mm and degrees."""
        rows = [
            (kinds, word, freedom)
            for kinds, word, freedom in (
                (LENGTH_LIMITS, "Length", Freedom.SLIDE),
                (ANGLE_LIMITS, "Angle", Freedom.TURN),
            )
            if joint.kind in kinds
        ]
        found = [self._limit(joint, name, word, freedom) for _, word, freedom in rows]
        return [limit for limit in found if limit is not None]

    def _limit(self, joint: FcJoint, name: str, word: str, freedom: Freedom) -> Limit | None:
        thing = joint.thing
        low, high = (
            thing.number(f"{word}{end}") if thing.flag(f"Enable{word}{end}") else None
            for end in ("Min", "Max")
        )
        if low is None and high is None:
            return None
        if low is not None and high is not None and low > high:
            low, high = high, low  # as FreeCAD does
        i, j = self.marker(joint.one, name).id, self.marker(joint.two, name).id
        of = JointFreedom(i.part, j.part, freedom, zero=(i, j))
        return Limit(f"{name} {word.lower()}", of, low, high, line=thing.raw.line)


def _in_degrees(mate: Mate) -> Mate:
    if mate.value is None or MATE_KINDS[mate.kind].value is not Dim.ANGLE:
        return mate
    return replace(mate, value=math.degrees(mate.value))


def _rack_marker(rack: Marker, pinion: Marker) -> Marker:
    """The rack's marker with z along the pinion's axis and x along its own: the way it slides."""
    z, way = pinion.X_WM[:3, 2], rack.X_WM[:3, 2]
    x = way - z * (z @ way)
    if np.linalg.norm(x) < ALONG:
        return rack
    x /= np.linalg.norm(x)
    X_WM = rack.X_WM.copy()
    X_WM[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    X_PM = rack.X_PM.copy()
    X_PM[:3, :3] = rack.X_PM[:3, :3] @ rack.X_WM[:3, :3].T @ X_WM[:3, :3]
    return replace(rack, X_PM=X_PM, X_WM=X_WM)
