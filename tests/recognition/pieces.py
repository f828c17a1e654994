"""What bundles are made of: the class itself, points to pick, and mates that several joints share.

A bundle is written in two joint frames, 0 on the one part and 1 on the other, that meet up to the
motion Q of the joint: z is the axis of revolute, cylindrical and screw, the direction of prismatic,
the normal of planar; the origin is the centre of spherical and universal; a universal joint turns
about z of frame 0 and x of frame 1.
Numbers of mates are measured at Q, so every bundle holds at the pose it is built at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.recognition.geometry import EX, EY, EZ, ORIGIN, A, Draw, E, P, Spec, V, turn

Make = Callable[[Draw], list[Spec]]


@dataclass(frozen=True)
class Bundle:
    """A way to make a joint of `kind`.

    `several`: the mates also have solutions that are another joint or sit elsewhere on the part,
    so only a start near the wanted one decides which is meant.
    """

    kind: str
    name: str
    make: Make
    several: bool = False

    @property
    def id(self) -> str:
        return f"{self.kind}: {self.name}"


def z(h: float) -> np.ndarray:
    return h * EZ


def around(d: Draw, count: int) -> list[np.ndarray]:
    """Points well apart from the z axis and from each other."""
    start = d.rng.uniform(0, 2 * np.pi)
    return [
        turn(EZ, start + 2 * np.pi * k / count) @ (abs(d.num()) * EX) + d.num() * EZ
        for k in range(count)
    ]


def spread(d: Draw) -> list[np.ndarray]:
    """Four points that span space, about the origin."""
    R, corners = d.rotation(), np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1.0]])
    return [R @ (c * d.rng.uniform(0.6, 1.4)) for c in corners]


def three_directions(d: Draw) -> list[np.ndarray]:
    """Three independent unit vectors, none of them along or normal to a joint axis."""
    R = d.rotation()
    return [R @ turn(EZ, 2 * np.pi * k / 3) @ turn(EY, 0.7) @ EZ for k in range(3)]


# --- mates that several joints share -----------------------------------------------------------


def same_point(d: Draw, p: np.ndarray, way: int) -> list[Spec]:
    """Point p of both sides agrees, said in one of four ways."""
    if way == 0:
        return [d.coincident(P(d.s, p), P(d.t, p))]
    if way == 1:
        return [d.in_plane(P(d.s, p), E(d.t, p, n)) for n in three_directions(d)]
    if way == 2:
        u = d.unit()
        n = turn(d.flat(u), 0.6) @ u
        return [d.in_line(P(d.s, p), A(d.t, p, u)), d.in_plane(P(d.s, p), E(d.t, p, n))]
    u = d.unit()
    return [d.in_line(P(d.s, p), A(d.t, p, u)), d.in_line(P(d.s, p), A(d.t, p, d.flat(u)))]


def four_distances(d: Draw, p: np.ndarray) -> list[Spec]:
    return [d.distance(P(d.s, p), P(d.t, p + c)) for c in spread(d)]


def along_z(d: Draw) -> list[Spec]:
    return [d.parallel(V(d.s, EZ), V(d.t, EZ))]


def square_to_z(d: Draw) -> list[Spec]:
    """z of one side is normal to two directions of the other one."""
    x = d.flat(EZ)
    y = turn(EZ, d.angle()) @ x
    return [d.square(V(d.s, EZ), V(d.t, u)) for u in (x, y)]


def three_tilts(d: Draw) -> list[Spec]:
    return [d.tilt(V(d.s, EZ), V(d.t, u)) for u in three_directions(d)]


def on_axis(d: Draw, h: float) -> Spec:
    return d.in_line(P(d.s, z(h)), A(d.t, ORIGIN, EZ))


def height(d: Draw, p: np.ndarray) -> Spec:
    """The z of a point is kept."""
    return d.in_plane(P(d.s, p), E(d.t, ORIGIN, EZ))


def beside(d: Draw, p: np.ndarray, normal: np.ndarray) -> Spec:
    return d.in_plane(P(d.s, p), E(d.t, ORIGIN, normal))


def two_heights_on_axis(d: Draw) -> tuple[float, float]:
    h = d.num()
    return h, h + d.num()
