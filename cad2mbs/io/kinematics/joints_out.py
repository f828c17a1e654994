"""Joints of a mechanism as pairs of STEP kinematics: which pair, where, and what is free in it.

A joint is known by the chain of turns and slides that was proven for it. The chain stands in body
a at a pose of reference, so a frame there, and the same place seen from body b, coincide at value
0. Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.io.kinematics.geometry import Geo, placed
from cad2mbs.io.kinematics.snap import MM, references_on, snapped

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism


SQUARE = 1e-9  # cosine up to which two axes count as perpendicular
BOTH_TURNS = ("tx", "ty", "tz", "rx", "rz")


@dataclass(frozen=True, eq=False)
class PairOut:
    """A pair to write: frame 1 on body `first`, frame 2 on `second`, at value 0 one place."""

    name: str
    word: str
    first: str
    second: str
    F1: np.ndarray  # (4, 4) in body `first`
    F2: np.ndarray  # (4, 4) in body `second`
    free: tuple[str, ...]
    numbers: tuple[float, ...] = ()
    surface: Geo | None = None  # in body `first`
    ranges: dict[str, tuple[float | None, float | None]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Step:
    """One element of a chain, in body a at the pose of reference."""

    joint: str  # TURN, SLIDE, BALL, POINTER
    z: np.ndarray
    p: np.ndarray  # [mm]


@dataclass(frozen=True, eq=False)
class _Shape:
    """A pair before its bodies are named: a frame in body a; `in_b`: b is the first link."""

    word: str
    F: np.ndarray
    free: tuple[str, ...]
    in_b: bool = False
    point: np.ndarray | None = None  # on the other body, where it is not the frame's origin
    surface: Geo | None = None


def pair_of(m: Mechanism, joint) -> PairOut | None:
    """The pair that says the same as a joint; None where there is none."""
    found = joint.found
    if not found.proven or not found.consistent:
        return None
    steps = [_Step(e.joint.name, e.R[:, 2], e.p * MM) for e in found.elements]
    make = _KINDS.get(found.kind)
    shape = make(steps) if make is not None else None
    if shape is None:
        return None
    word, numbers = shape.word, ()
    if joint.pitch is not None:
        word, numbers = "SCREW_PAIR", (joint.pitch * 2 * np.pi * MM,)
    X_ab = np.eye(4)
    X_ab[:3, :3], X_ab[:3, 3] = found.R_ab, found.p_ab * MM
    to_b = np.linalg.inv(X_ab)
    lines_a, lines_b = (references_on(m, body, joint.mates) for body in (joint.a, joint.b))
    F = snapped(shape.F, shape.word, lines_a, move=True)
    other = F if shape.point is None else _frame(shape.point, F[:3, 2], F[:3, 0])
    if shape.in_b:
        surface = shape.surface.seen_from(to_b) if shape.surface is not None else None
        return PairOut(
            joint.name, word, joint.b, joint.a, to_b @ F, other, shape.free, numbers, surface
        )
    F2 = snapped(to_b @ other, shape.word, lines_b, move=False)
    return PairOut(joint.name, word, joint.a, joint.b, F, F2, shape.free, numbers, shape.surface)


def _frame(p: np.ndarray, z: np.ndarray, x: np.ndarray | None = None) -> np.ndarray:
    X = placed(p, z)
    if x is not None:
        X[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    return X


def _along_x(p: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A frame whose x axis is given."""
    z = placed(p, x)[:3, 0]
    return _frame(p, z, x)


def _perpendicular(a: np.ndarray, b: np.ndarray) -> bool:
    return abs(float(a @ b)) < SQUARE


def _pick(steps: list[_Step], joint: str) -> list[_Step]:
    return [s for s in steps if s.joint == joint]


def _revolute(steps: list[_Step]) -> _Shape:
    return _Shape("REVOLUTE_PAIR", _frame(steps[0].p, steps[0].z), ("rz",))


def _prismatic(steps: list[_Step]) -> _Shape:
    return _Shape("PRISMATIC_PAIR", _along_x(steps[0].p, steps[0].z), ("tx",))


def _cylindrical(steps: list[_Step]) -> _Shape:
    (turn,) = _pick(steps, "TURN")
    return _Shape("CYLINDRICAL_PAIR", _frame(turn.p, turn.z), ("tz", "rz"))


def _planar(steps: list[_Step]) -> _Shape:
    (turn,) = _pick(steps, "TURN")
    slide = _pick(steps, "SLIDE")[0]
    return _Shape("PLANAR_PAIR", _frame(turn.p, turn.z, slide.z), ("tx", "ty", "rz"))


def _spherical(steps: list[_Step]) -> _Shape:
    return _Shape("SPHERICAL_PAIR", _frame(steps[0].p, np.array([0.0, 0, 1])), ("rx", "ry", "rz"))


def _universal(steps: list[_Step]) -> _Shape | None:
    """x of the frame along the first axis, z along the second, where they cross."""
    first, second = steps
    if not _perpendicular(first.z, second.z):
        return None
    along = float((second.p - first.p) @ first.z)
    F = _frame(first.p + along * first.z, second.z, first.z)
    return _Shape("UNIVERSAL_PAIR", F, ("rx", "rz"))


def _translation(steps: list[_Step]) -> _Shape:
    F = _frame(steps[0].p, np.array([0.0, 0, 1]))
    return _Shape("LOW_ORDER_KINEMATIC_PAIR", F, ("tx", "ty", "tz"))


def _plane_translation(steps: list[_Step]) -> _Shape:
    x, y = (s.z for s in steps)
    F = _frame(steps[0].p, np.cross(x, y), x)
    return _Shape("LOW_ORDER_KINEMATIC_PAIR", F, ("tx", "ty"))


def _parallel_axes(steps: list[_Step]) -> _Shape:
    (turn,) = _pick(steps, "TURN")
    return _Shape("LOW_ORDER_KINEMATIC_PAIR", _frame(turn.p, turn.z), ("tx", "ty", "tz", "rz"))


def _angle(steps: list[_Step]) -> _Shape | None:
    turns = _pick(steps, "TURN")
    if len(turns) != 2 or not _perpendicular(turns[0].z, turns[1].z):
        return None
    F = _frame(turns[0].p, turns[1].z, turns[0].z)
    return _Shape("LOW_ORDER_KINEMATIC_PAIR", F, BOTH_TURNS)


def _point_on_line(steps: list[_Step]) -> _Shape:
    """The line is on a where the chain starts with the slide, else on b."""
    (slide,) = _pick(steps, "SLIDE")
    ball = next(s for s in steps if s.joint in ("BALL", "POINTER"))
    free = ("tx", "rx", "ry", "rz")
    F = _along_x(ball.p, slide.z)
    return _Shape("LOW_ORDER_KINEMATIC_PAIR", F, free, steps[0].joint != "SLIDE")


def _point_on_plane(steps: list[_Step]) -> _Shape:
    x, y = (s.z for s in _pick(steps, "SLIDE"))
    ball = next(s for s in steps if s.joint in ("BALL", "POINTER"))
    free = ("tx", "ty", "rx", "ry", "rz")
    F = _frame(ball.p, np.cross(x, y), x)
    return _Shape("LOW_ORDER_KINEMATIC_PAIR", F, free, steps[0].joint != "SLIDE")


def _pin_in_slot(steps: list[_Step]) -> _Shape | None:
    (slide,), (turn,) = _pick(steps, "SLIDE"), _pick(steps, "TURN")
    if not _perpendicular(slide.z, turn.z):
        return None
    F = _frame(turn.p, turn.z, slide.z)
    return _Shape("LOW_ORDER_KINEMATIC_PAIR", F, ("tx", "rz"), steps[0].joint != "SLIDE")


def _point_on_cylinder(steps: list[_Step]) -> _Shape:
    (turn,), (ball,) = _pick(steps, "TURN"), _pick(steps, "BALL")
    across = ball.p - turn.p
    across = across - turn.z * (across @ turn.z)
    F = _frame(turn.p, turn.z)
    surface = Geo("cylinder", F, float(np.linalg.norm(across)))
    in_b = steps[0].joint == "BALL"
    return _Shape("POINT_ON_SURFACE_PAIR", F, (), in_b, ball.p, surface)


def _rod(steps: list[_Step]) -> _Shape:
    first, second = steps
    F = _frame(first.p, np.array([0.0, 0, 1]))
    surface = Geo("sphere", F, float(np.linalg.norm(second.p - first.p)))
    return _Shape("POINT_ON_SURFACE_PAIR", F, (), False, second.p, surface)


_KINDS: dict[str, Callable[[list[_Step]], _Shape | None]] = {
    "revolute": _revolute,
    "prismatic": _prismatic,
    "cylindrical": _cylindrical,
    "planar": _planar,
    "spherical": _spherical,
    "universal": _universal,
    "translation": _translation,
    "translation in a plane": _plane_translation,
    "parallel axes": _parallel_axes,
    "angle": _angle,
    "point on line": _point_on_line,
    "point on plane": _point_on_plane,
    "pin in slot": _pin_in_slot,
    "point on cylinder": _point_on_cylinder,
    "rod": _rod,
}
