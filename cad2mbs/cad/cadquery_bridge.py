"""CadQuery assemblies with their constraints as ours, and solved poses back to CadQuery.

The direct children of a CadQuery assembly move; what hangs below a child moves with it. So every
child becomes a part, in millimetres and degrees, and every constraint one or two mates:

    Point            coincident; with a number: distance
    Axis             parallel-z, opposed where no angle is given; else offset-z
    Plane            the two together
    PointInPlane     in-plane, at its number above the plane
    PointOnLine      in-line; with a number: axis-distance
    Fixed            the part is grounded where it is
    FixedPoint       coincident, FixedAxis parallel-z, FixedRotation offset-x, each with a part of
                     their own that stands for the ground

CadQuery holds one part still where none is Fixed. So do we, and the same one, unless constraints
against the ground hold parts already.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.model import references
from cad2mbs.model.assembly import Assembly, Part
from cad2mbs.model.mates import Mate, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import Reference
from cad2mbs.units import Units
from cad2mbs.wording import listed, quoted

if TYPE_CHECKING:
    import cadquery as cq

    from cad2mbs.mechanism import Mechanism

UNITS = Units("mm", "deg")
GROUND = "ground"
# Angles closer than this to 0 or a half turn [rad] are parallel axes: the cosine that CadQuery
# compares is flat there and cannot tell them apart.
PARALLEL = 1e-9


def from_cadquery(assembly: cq.Assembly, *, solids: bool = True) -> Assembly:
    """The assembly with parts, start poses and mates of a CadQuery assembly [mm, deg].

    solids  whether parts get their features, masses and meshes; without them it is much faster
    """
    from cad2mbs.cad.kernel import quiet

    quiet.start()
    if not hasattr(assembly, "constraints"):
        raise InputError(f"found {type(assembly).__name__}, wanted a cadquery.Assembly")
    names = _entities(assembly)
    wrong: list[Diagnostic] = []
    wants: list[_Wanted] = []
    for number, constraint in enumerate(assembly.constraints, 1):
        try:
            wants += _read(constraint, f"{constraint.kind}_{number}", names)
        except _Unfit as error:
            ends = listed(constraint.objects)
            where = f"Constraint {number} of {quoted(assembly.name)}, {constraint.kind} on {ends}"
            wrong.append(Diagnostic(f"{where}: {error}"))
    if wrong:
        raise InputError(wrong)
    grounded = _grounded(assembly, any(w.against_ground for w in wants))
    parts = _parts(assembly, names, grounded, solids)
    return _assembled(assembly.name, parts, wants)


def to_cadquery(mechanism: Mechanism, assembly: cq.Assembly) -> cq.Assembly:
    """A copy of the CadQuery assembly with its children where the mechanism has them now.

    Names, tree, colours and constraints are kept; the given assembly stays as it is.
    """
    from cad2mbs.cad.kernel import from_cq

    poses = mechanism.poses
    missing = [c.name for c in assembly.children if c.name not in poses]
    if missing:
        raise InputError(
            f"The mechanism has no part {listed(missing)}; its parts are {listed(poses)}. "
            "Give the CadQuery assembly from which the mechanism was made."
        )
    mm = mechanism.units.metre * 1e3
    X_WR = _root_pose(assembly)
    places = {c.name: np.linalg.inv(X_WR) @ _matrix(poses[c.name], mm) for c in assembly.children}
    return from_cq.moved(assembly, places)


def constrain(
    assembly: cq.Assembly, name: str, shape: cq.Shape, kind: str, param: Any = None
) -> None:
    """Add a constraint of one shape to a CadQuery assembly.

    The same as `assembly.constrain(name, shape, kind, param)`, which is documented, but which
    CadQuery 2.8 takes for a constraint between two objects.
    """
    from cad2mbs.cad.kernel import from_cq

    from_cq.add_unary(assembly, name, shape, kind, param)


# -- parts --------------------------------------------------------------------------------


def _entities(assembly: cq.Assembly) -> list[str]:
    """Names of what moves as one: the root where it has a shape, and its children."""
    own = [assembly.name] if assembly.shapes else []
    names = [*own, *(child.name for child in assembly.children)]
    if not names:
        raise InputError(
            f"CadQuery assembly {quoted(assembly.name)} has no parts. Add shapes to it."
        )
    return names


def _grounded(assembly: cq.Assembly, held: bool) -> set[str]:
    """The parts that stand still, by the rules above."""
    fixed = {c.objects[0] for c in assembly.constraints if c.kind == "Fixed"}
    if assembly.shapes:
        fixed.add(assembly.name)
    if fixed or held:
        return fixed
    first = next((c.objects[0] for c in assembly.constraints), None)
    return {first if first is not None else assembly.children[0].name}


def _root_pose(assembly: cq.Assembly) -> np.ndarray:
    """Pose of the root in the world that constraints speak of, (4, 4) [mm].

    CadQuery solves in the root's own coordinates, save where the root has a shape that takes
    part in constraints: then in those the root is placed in.
    """
    from cad2mbs.cad.kernel import from_cq

    used = {name for c in assembly.constraints for name in c.objects}
    takes_part = bool(assembly.shapes) and assembly.name in used
    return from_cq.matrix(assembly.loc) if takes_part else np.eye(4)


def _parts(
    assembly: cq.Assembly, names: list[str], grounded: set[str], solids: bool
) -> dict[str, Part]:
    from cad2mbs.cad.kernel import from_cq

    X_WR = _root_pose(assembly)
    bodies = from_cq.bodies(assembly) if solids else {}
    parts: dict[str, Part] = {}
    places = {child.name: from_cq.matrix(child.loc) for child in assembly.children}
    for name in names:
        X_WC = X_WR @ places.get(name, np.eye(4))
        pose = Pose.from_matrix(X_WC[:3, 3].tolist(), X_WC[:3, :3])
        solid = bodies.get(name)
        colour = solid.colour if solid else None
        parts[name] = Part(name, grounded=name in grounded, pose=pose, solid=solid, colour=colour)
    return parts


def _assembled(name: str, parts: dict[str, Part], wants: list[_Wanted]) -> Assembly:
    """The assembly, with a part for the ground where mates need one."""
    ground = GROUND
    while ground in parts:
        ground += "'"
    added: dict[str, dict[str, Reference]] = {}
    mates: dict[str, Mate] = {}
    for want in wants:
        ids = []
        for slot, (part, reference) in zip("ab", (want.a, want.b), strict=True):
            ref = RefId(ground if part is None else part, f"{want.name}.{slot}")
            added.setdefault(ref.part, {})[ref.ref] = reference
            ids.append(ref)
        mates[want.name] = Mate(want.name, want.kind, *ids, value=want.value, sense=want.sense)
    if ground in added:
        parts = {ground: Part(ground, grounded=True, pose=Pose()), **parts}
    parts = {n: replace(p, references=added.get(n, {})) for n, p in parts.items()}
    return Assembly(name, parts, mates, units=UNITS)


def _matrix(pose: Pose, mm: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = pose.rotation(), np.array(pose.position) * mm
    return X


# -- constraints --------------------------------------------------------------------------


class _Unfit(Exception):
    """Why a constraint cannot be taken over, and what to do."""


@dataclass(frozen=True)
class _Wanted:
    """A mate to be; an end is a part, None for the ground, and a reference on it."""

    name: str
    kind: str
    a: tuple[str | None, Reference]
    b: tuple[str | None, Reference]
    value: float | None = None
    sense: bool = True

    @property
    def against_ground(self) -> bool:
        return self.b[0] is None


@dataclass(frozen=True)
class _Simple:
    """A constraint as CadQuery's solver gets it: geometry in part coordinates [mm, rad]."""

    name: str
    objects: tuple[str, ...]
    markers: tuple[Any, ...] = field(default=())
    param: Any = None

    def number(self) -> float:
        """The number it carries, 0 where none is given."""
        value = 0.0 if self.param is None else float(self.param)
        if not math.isfinite(value):
            raise _Unfit(f"its number is {value}, a finite one is wanted.")
        return value

    def three(self, what: str) -> tuple[float, float, float]:
        """The three numbers it carries."""
        if self.param is None:
            raise _Unfit(f"it needs {what} as its param, three numbers; there is none.")
        x, y, z = (float(v) for v in self.param)
        if not all(map(math.isfinite, (x, y, z))):
            raise _Unfit(f"{what} is ({x:g}, {y:g}, {z:g}), finite numbers are wanted.")
        return x, y, z

    def mate(self, kind: str, a: Reference, b: Reference, **more: Any) -> _Wanted:
        first, second = (*self.objects, None)[:2]
        return _Wanted(self.name, kind, (first, a), (second, b), **more)


def _read(constraint: Any, name: str, names: list[str]) -> list[_Wanted]:
    """The mates of one constraint of CadQuery."""
    strange = [n for n in constraint.objects if n not in names]
    if strange:
        raise _Unfit(
            f"{listed(strange)} is no direct child of the assembly. Children: {listed(names)}. "
            "Add the constraint with `constrain` of the assembly itself."
        )
    if len(constraint.objects) == 2 and len(set(constraint.objects)) == 1:
        raise _Unfit(
            "both ends belong to the same child and cannot move against each other. Leave it out, "
            "or add the two shapes as children of their own."
        )
    if constraint.kind == "Fixed":
        return []
    pods = constraint.toPODs()
    found: list[_Wanted] = []
    for markers, kind, param in pods:
        if kind not in KINDS:
            raise _Unfit(f"constraints of this kind are not known. Known: {listed(KINDS)}, Fixed.")
        own = name if len(pods) == 1 else f"{name}.{kind.lower()}"
        found.append(KINDS[kind](_Simple(own, tuple(constraint.objects), markers, param)))
    return found


def _point(s: _Simple) -> _Wanted:
    a, b = (references.point(_xyz(m)) for m in s.markers)
    # Only its square enters, so the sign means nothing.
    apart = abs(s.number())
    return s.mate("distance", a, b, value=apart) if apart else s.mate("coincident", a, b)


def _axis(s: _Simple) -> _Wanted:
    a, b = (references.vector(_xyz(m)) for m in s.markers)
    # Only the cosine enters, so any angle has its twin between 0 and a half turn.
    angle = math.pi if s.param is None else math.acos(math.cos(s.number()))
    if PARALLEL < angle < math.pi - PARALLEL:
        return s.mate("offset-z", a, b, value=math.degrees(angle))
    return s.mate("parallel-z", a, b, sense=angle < 1)


def _point_in_plane(s: _Simple) -> _Wanted:
    point, plane = s.markers
    normal = plane.Axis()
    b = references.plane(_xyz(normal.Location()), _xyz(normal.Direction()))
    return s.mate("in-plane", references.point(_xyz(point)), b, value=s.number())


def _point_on_line(s: _Simple) -> _Wanted:
    point, line = s.markers
    a = references.point(_xyz(point))
    b = references.axis(_xyz(line.Location()), _xyz(line.Direction()))
    # A distance, as CadQuery documents it. Version 2.8 compares the number with the square of the
    # distance over the diagonal of the assembly's box, which is no length one could state.
    away = s.number()
    if away < 0:
        raise _Unfit(f"its distance is {away:g}, 0 or more is wanted.")
    return s.mate("axis-distance", a, b, value=away) if away else s.mate("in-line", a, b)


def _fixed_point(s: _Simple) -> _Wanted:
    where = references.point(s.three("the place of the point"))
    return s.mate("coincident", references.point(_xyz(s.markers[0])), where)


def _fixed_axis(s: _Simple) -> _Wanted:
    along = s.three("the direction of the axis")
    if not any(along):
        raise _Unfit("its direction is (0, 0, 0), one that is not zero is wanted.")
    return s.mate("parallel-z", references.vector(_xyz(s.markers[0])), references.vector(along))


def _fixed_rotation(s: _Simple) -> _Wanted:
    from scipy.spatial.transform import Rotation

    R = Rotation.from_euler("xyz", s.three("the angles")).as_matrix()  # about fixed x, y, z
    there = references.frame(z=R[:, 2], x=R[:, 0])
    return s.mate("offset-x", references.frame(), there, value=0.0)


KINDS: Mapping[str, Callable[[_Simple], _Wanted]] = {
    "Point": _point,
    "Axis": _axis,
    "PointInPlane": _point_in_plane,
    "PointOnLine": _point_on_line,
    "FixedPoint": _fixed_point,
    "FixedAxis": _fixed_axis,
    "FixedRotation": _fixed_rotation,
}


def _xyz(thing: Any) -> Iterable[float]:
    return thing.X(), thing.Y(), thing.Z()
