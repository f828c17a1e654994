"""What the joints of an `.asmt` model ask for, as mates and couplings.

I and J are the two markers of a joint, z is the joint axis. Point conditions are measured in
marker I: the origin of J lies on the z axis of I, in the xy plane of I, and so on. So I is the
line or plane (slot b of our mates) and J the point (slot a).

Conditions on directions are cosines that vanish there, so a joint holds with z axes along or
against each other, and a joint without any turn holds in four attitudes half a turn apart. Ours
name one of them: the one nearest to where the parts start.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from cad2mbs.io.asmt_tree import Node
from cad2mbs.model import references
from cad2mbs.model.assembly import Coupling, CouplingKind
from cad2mbs.model.mates import Mate, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import Reference

# Angles closer than this to 0 or a half turn are written as parallel axes: the cosine is flat
# there and cannot hold the angle any better.
ANGLE_TOLERANCE = 1e-9
# How close a cosine at the start must come to +-1 for the axes to count as parallel.
START_TOLERANCE = 1e-6

# The four attitudes in which every pair of different axes of two frames is perpendicular.
FLIPS = [np.diag(d) for d in ([1.0, 1, 1], [-1.0, -1, 1], [1.0, -1, -1], [-1.0, 1, -1])]


@dataclass(frozen=True)
class Marker:
    """A marker by name, where it sits in its part and where it starts in the world."""

    id: RefId
    X_PM: np.ndarray  # (4, 4)  marker in its part
    X_WM: np.ndarray  # (4, 4)  marker in the world, parts at their start poses

    def reference(self) -> Reference:
        return references.frame(self.X_PM[:3, 3], self.X_PM[:3, 2], self.X_PM[:3, 0])


@dataclass(frozen=True)
class Joint:
    """A joint as the file has it; `node` holds its further fields."""

    name: str
    kind: str
    i: Marker
    j: Marker
    node: Node


@dataclass(frozen=True)
class Result:
    """What one joint becomes; `references` are those it needs beyond the markers, by id."""

    mates: tuple[Mate, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    references: tuple[tuple[RefId, Reference], ...] = ()


def _mate(kind: str, a: Marker, b: Marker, **numbers) -> Mate:
    return Mate("", kind, a.id, b.id, **numbers)


def _coincident(joint: Joint) -> Mate:
    return _mate("coincident", joint.i, joint.j)


def _in_line(joint: Joint) -> Mate:
    return _mate("in-line", joint.j, joint.i)


def _in_plane(joint: Joint, offset: float = 0.0) -> Mate:
    return _mate("in-plane", joint.j, joint.i, value=offset)


def _parallel(joint: Joint) -> Mate:
    along = float(joint.i.X_WM[:3, 2] @ joint.j.X_WM[:3, 2]) >= 0
    return _mate("parallel-z", joint.i, joint.j, sense=along)


def _perpendicular(joint: Joint) -> Mate:
    return _mate("offset-z", joint.i, joint.j, value=math.pi / 2)


def _offset(joint: Joint) -> float:
    # Older writers leave the field out when they lost it; they then worked with 0.
    return joint.node.number("offset", default=0.0)


def _distance(joint: Joint) -> float:
    # Only its square enters the joint, so the sign means nothing.
    return abs(joint.node.number("distanceIJ"))


def _axis_distance(joint: Joint) -> Mate:
    d = _distance(joint)
    return _mate("axis-distance", joint.j, joint.i, value=d) if d > 0 else _in_line(joint)


def _nearest_flip(joint: Joint) -> np.ndarray:
    R_IJ = joint.i.X_WM[:3, :3].T @ joint.j.X_WM[:3, :3]
    return max(FLIPS, key=lambda flip: round(float(np.trace(flip @ R_IJ)), 9))


def _no_turn(joint: Joint) -> Result:
    """offset-x by 0 or a half turn; z against z needs a frame on J that is turned about its x."""
    flip = _nearest_flip(joint)
    angle = 0.0 if flip[0, 0] > 0 else math.pi
    if flip[2, 2] > 0:
        return Result((_mate("offset-x", joint.i, joint.j, value=angle),))
    id = RefId(joint.j.id.part, f"{joint.name}.turned")
    marker = replace(joint.j, id=id, X_PM=joint.j.X_PM @ np.diag([1.0, -1, -1, 1]))
    mate = _mate("offset-x", joint.i, marker, value=angle)
    return Result((mate,), references=((id, marker.reference()),))


def _fixed(joint: Joint) -> Result:
    transform = Pose.from_matrix((0.0, 0.0, 0.0), _nearest_flip(joint))
    return Result((_mate("identical", joint.i, joint.j, transform=transform),))


def _translational(joint: Joint) -> Result:
    turn = _no_turn(joint)
    return replace(turn, mates=(_in_line(joint), *turn.mates))


def _angle(joint: Joint) -> Result:
    # The file means the cosine, so any angle has its twin between 0 and a half turn.
    angle = math.acos(math.cos(joint.node.number("theIzJz")))
    if ANGLE_TOLERANCE < angle < math.pi - ANGLE_TOLERANCE:
        return Result((_mate("offset-z", joint.i, joint.j, value=angle),))
    # Stored results show axes that start the other way round and stay so: there the joint is
    # read as parallel axes, like all others. A start in between obeys the angle.
    along, start = angle < 1, float(joint.i.X_WM[:3, 2] @ joint.j.X_WM[:3, 2])
    if abs(start + (1 if along else -1)) < START_TOLERANCE:
        along = not along
    return Result((_mate("parallel-z", joint.i, joint.j, sense=along),))


def _sphere_sphere(joint: Joint) -> Result:
    d = _distance(joint)
    mate = _mate("distance", joint.i, joint.j, value=d) if d > 0 else _coincident(joint)
    return Result((mate,))


def _gear(joint: Joint) -> Result:
    """theta_J = -theta_I radiusI / radiusJ, each about its own z, seen from the line of centres."""
    i, j = joint.node.number("radiusI"), joint.node.number("radiusJ")
    if i == 0 or j == 0:
        joint.node.fail(f"gear {joint.name!r} needs radii other than 0, found {i:g} and {j:g}")
    return _coupling(joint, CouplingKind.GEAR, joint.i.id, joint.j.id, i / j)


def _screw(joint: Joint) -> Result:
    """2 pi dz = pitch dtheta, both of J in I about z of I."""
    pitch = _nonzero(joint, "pitch")
    return _coupling(joint, CouplingKind.SCREW, joint.i.id, joint.j.id, pitch)


def _rack(joint: Joint) -> Result:
    """dx + pitchRadius dtheta = 0 for the pinion J seen from the rack I; the rack runs along its x.

    Seen from the frame that carries both, the rack runs by +pitchRadius times the turn of the
    pinion about z of I.
    """
    radius = _nonzero(joint, "pitchRadius")
    rack, pinion = joint.i, joint.j
    id = RefId(rack.id.part, f"{joint.name}.rack")
    axis = references.axis(rack.X_PM[:3, 3], rack.X_PM[:3, 0])
    if float(rack.X_WM[:3, 2] @ pinion.X_WM[:3, 2]) < 0:
        radius = -radius
    result = _coupling(joint, CouplingKind.RACK, pinion.id, id, radius)
    return replace(result, references=((id, axis),))


def _nonzero(joint: Joint, keyword: str) -> float:
    value = joint.node.number(keyword)
    if value == 0:
        joint.node.get(keyword).fail(f"{keyword} of {joint.name!r} must not be 0")
    return value


def _coupling(joint: Joint, kind: CouplingKind, a: RefId, b: RefId, ratio: float) -> Result:
    if not math.isfinite(ratio):
        joint.node.fail(f"the ratio of {joint.name!r} is not a finite number")
    return Result(couplings=(Coupling(joint.name, kind, a, b, ratio, line=joint.node.line),))


def _mates(*makers: Callable[[Joint], Mate]) -> Callable[[Joint], Result]:
    return lambda joint: Result(tuple(make(joint) for make in makers))


@dataclass(frozen=True)
class Kind:
    """How a joint kind is read: `fields` beside Name and markers, and what it becomes."""

    read: Callable[[Joint], Result]
    fields: tuple[str, ...] = ()


def _plane(joint: Joint) -> Mate:
    return _in_plane(joint, _offset(joint))


KINDS: dict[str, Kind] = {
    "AngleJoint": Kind(_angle, ("theIzJz",)),
    "CylSphJoint": Kind(_mates(_axis_distance), ("distanceIJ",)),
    "CylindricalJoint": Kind(_mates(_in_line, _parallel)),
    "FixedJoint": Kind(_fixed),
    "GearJoint": Kind(_gear, ("radiusI", "radiusJ")),
    "LineInPlaneJoint": Kind(_mates(_plane, _perpendicular), ("offset",)),
    "NoRotationJoint": Kind(_no_turn),
    "ParallelAxesJoint": Kind(_mates(_parallel)),
    "PerpendicularJoint": Kind(_mates(_perpendicular)),
    "PlanarJoint": Kind(_mates(_parallel, _plane), ("offset",)),
    "PointInLineJoint": Kind(_mates(_in_line)),
    "PointInPlaneJoint": Kind(_mates(_plane), ("offset",)),
    "RackPinionJoint": Kind(_rack, ("pitchRadius",)),
    "RevCylJoint": Kind(_mates(_axis_distance, _parallel), ("distanceIJ",)),
    "RevRevJoint": Kind(_mates(_axis_distance, _in_plane, _parallel), ("distanceIJ",)),
    "RevoluteJoint": Kind(_mates(_coincident, _parallel)),
    "ScrewJoint": Kind(_screw, ("pitch",)),
    "SphSphJoint": Kind(_sphere_sphere, ("distanceIJ",)),
    "SphericalJoint": Kind(_mates(_coincident)),
    "TranslationalJoint": Kind(_translational),
    "UniversalJoint": Kind(_mates(_coincident, _perpendicular)),
}


def rack_first(joint: Joint, sliding: set[str]) -> Joint:
    """The rack-and-pinion joint with the rack as I.

    Some writers name the pinion first. The rack is told by its translational joint (`sliding`
    holds the parts that have one); where that does not decide, the file's order stands.
    """
    i, j = joint.i, joint.j
    swapped = j.id.part in sliding and i.id.part not in sliding
    return replace(joint, i=j, j=i) if swapped else joint


def convert(joint: Joint, sliding: set[str]) -> Result:
    """The mates and couplings of a joint, named after it."""
    if joint.kind == "RackPinionJoint":
        joint = rack_first(joint, sliding)
    result = KINDS[joint.kind].read(joint)
    single = len(result.mates) == 1
    mates = tuple(
        replace(
            mate,
            name=joint.name if single else f"{joint.name}.{mate.kind}",
            line=joint.node.line,
        )
        for mate in result.mates
    )
    return replace(result, mates=mates)
