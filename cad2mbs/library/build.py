"""A small builder for assemblies in code, and the plane geometry the library starts from."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

import numpy as np

from cad2mbs.model.assembly import (
    Assembly,
    Coupling,
    CouplingKind,
    Drive,
    Freedom,
    JointFreedom,
    Part,
)
from cad2mbs.model.mates import MATE_KINDS, Mate, RefId
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.model.references import Reference, frame
from cad2mbs.units import Units

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ORIGIN = (0.0, 0.0, 0.0)
Point2 = tuple[float, float]


def ref_id(text: str) -> RefId:
    """`part/ref`, split at the last slash."""
    part, _, ref = text.rpartition("/")
    return RefId(part, ref)


class Builder:
    """Collects parts, mates, drives and couplings by name; `build` freezes them.

    References are written `part/ref`. A name used twice or a reference that does not exist is a
    mistake in the calling code and raises `ValueError` at once.
    """

    def __init__(self, name: str, units: Units = Units()):
        self.name = name
        self.units = units
        self.parts: dict[str, Part] = {}
        self.mates: dict[str, Mate] = {}
        self.drives: dict[str, Drive] = {}
        self.couplings: dict[str, Coupling] = {}

    def part(self, name: str, pose: Pose, /, **references: Reference) -> None:
        self._new(name, self.parts)
        self.parts[name] = Part(name, references, pose=pose)

    def ground(self, name: str, pose: Pose = IDENTITY, /, **references: Reference) -> None:
        self._new(name, self.parts)
        self.parts[name] = Part(name, references, grounded=True, pose=pose)

    def bar(self, name: str, start: Point2, end: Point2, z: float = 0.0) -> None:
        """A straight bar in a plane z = const: pin frames `a` at its start, `b` at its end.

        The part's x axis runs from start to end, its z axis is that of the ground.
        """
        length = math.dist(start, end)
        self.part(name, in_plane(start, heading(start, end), z), a=frame(), b=frame((length, 0, 0)))

    def mate(
        self,
        name: str,
        kind: str,
        a: str,
        b: str,
        value: float | None = None,
        sense: bool = True,
    ) -> None:
        self._new(name, self.mates)
        number = MATE_KINDS[kind].default if value is None else float(value)
        self.mates[name] = Mate(name, kind, self._ref(a), self._ref(b), number, sense)

    def revolute(self, name: str, a: str, b: str) -> None:
        """A hinge from two mates: points `<name>_point`, directions `<name>_axis`."""
        self.mate(f"{name}_point", "coincident", a, b)
        self.mate(f"{name}_axis", "parallel-z", a, b)

    def prismatic(self, name: str, a: str, b: str) -> None:
        """A slide along z of b from two mates: `<name>_line` and `<name>_turn`."""
        self.mate(f"{name}_line", "in-line", a, b)
        self.mate(f"{name}_turn", "offset-x", a, b, 0.0)

    def drive_mate(self, name: str, mate: str) -> None:
        """Drive the number of a mate, starting at the number it has."""
        self._new(name, self.drives)
        self.drives[name] = Drive(name, mate=mate, value=self.mates[mate].value)

    def drive_joint(self, name: str, a: str, b: str, freedom: Freedom, value: float) -> None:
        """Drive a freedom of the joint between the parts of frames a and b, 0 where they meet."""
        self._new(name, self.drives)
        zero = (self._ref(a), self._ref(b))
        of = JointFreedom(zero[0].part, zero[1].part, freedom, zero)
        self.drives[name] = Drive(name, of=of, value=value)

    def couple(
        self, name: str, kind: CouplingKind, a: str, b: str, ratio: float, carrier: str | None
    ) -> None:
        self._new(name, self.couplings)
        self.couplings[name] = Coupling(name, kind, self._ref(a), self._ref(b), ratio, carrier)

    def build(self) -> Assembly:
        return Assembly(
            self.name,
            self.parts,
            self.mates,
            self.drives,
            couplings=self.couplings,
            units=self.units,
        )

    def _ref(self, text: str) -> RefId:
        ref = ref_id(text)
        if ref.part not in self.parts or ref.ref not in self.parts[ref.part].references:
            raise ValueError(f"no reference '{text}' in assembly '{self.name}'")
        return ref

    def _new(self, name: str, taken: Collection[str]) -> None:
        if name in taken:
            raise ValueError(f"the name '{name}' is used twice in assembly '{self.name}'")


def in_plane(position: Point2, angle: float, z: float = 0.0) -> Pose:
    """Pose at (x, y, z), turned about the z axis by `angle` [rad]."""
    return Pose.turned((position[0], position[1], z), Z, angle)


def placed(position: Iterable[float], R: np.ndarray) -> Pose:
    """Pose at `position` with rotation matrix R."""
    return Pose.from_matrix([float(c) for c in position], R)


def heading(start: Point2, end: Point2) -> float:
    """Direction from start to end [rad], from the x axis, right-hand rule about z."""
    return math.atan2(end[1] - start[1], end[0] - start[0])


def polar(centre: Point2, radius: float, angle: float) -> Point2:
    """The point at `radius` from `centre` in direction `angle` [rad]."""
    return (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))


def meet(p: Point2, p_radius: float, q: Point2, q_radius: float, side: int = 1) -> Point2:
    """Where the circles about p and q cross, left (side 1) or right (side -1) of the way p to q.

    Raises `ValueError` when they do not cross: the bars cannot be joined.
    """
    d = math.dist(p, q)
    along = (p_radius**2 - q_radius**2 + d**2) / (2 * d)
    square = p_radius**2 - along**2
    if square < 0:
        raise ValueError(f"bars of length {p_radius} and {q_radius} cannot join pins {d} apart")
    ux, uy = (q[0] - p[0]) / d, (q[1] - p[1]) / d
    across = side * math.sqrt(square)
    return (p[0] + along * ux - across * uy, p[1] + along * uy + across * ux)


def unit(v: np.ndarray) -> np.ndarray:
    """v divided by its length."""
    return v / np.linalg.norm(v)


def axes(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    """The rotation matrix with the given x and z axes, unit and perpendicular."""
    return np.column_stack([x, np.cross(z, x), z])
