"""Bundles that try to mislead: one joint at the pose they start in, another one beyond it.

And bundles that no pose satisfies. All are built at Q = identity.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cad2mbs.model.pose import Pose
from tests.recognition.geometry import EX, EY, EZ, ORIGIN, A, Draw, E, P, Spec, V, turn
from tests.recognition.pieces import Bundle, Make, along_z, height, same_point, z

HERE = np.eye(3), ORIGIN


@dataclass(frozen=True)
class Trap:
    """`seems`: what the null space says at the start; `is_`: what may be proven, if anything."""

    name: str
    seems: str
    is_: frozenset[str]
    make: Make

    @property
    def bundle(self) -> Bundle:
        # Near is near: the point of a trap is the pose it starts in.
        return Bundle("fixed", self.name, self.make, several=True)


def rod(d: Draw, p: np.ndarray, q: np.ndarray) -> Spec:
    return d.distance(P(d.s, p), P(d.t, q))


def planar(d: Draw) -> list[Spec]:
    return [*along_z(d), height(d, d.point())]


def rail_and_shortest_rod(d: Draw) -> list[Spec]:
    p = d.point()
    return [d.in_line(P(d.s, p), A(d.t, p, EZ)), d.offset_x(), rod(d, p, p + 0.7 * d.flat(EZ))]


def hinge_at_its_highest(d: Draw) -> list[Spec]:
    n = d.flat(EZ)
    return [*same_point(d, ORIGIN, 0), *along_z(d), d.in_plane(P(d.s, n), E(d.t, n, n))]


def ball_and_stretched_rod(d: Draw) -> list[Spec]:
    u = d.unit()
    return [*same_point(d, ORIGIN, 0), rod(d, 0.8 * u, -1.1 * u)]


def ball_and_widest_circle(d: Draw) -> list[Spec]:
    return [
        *same_point(d, ORIGIN, 0),
        d.axis_distance(P(d.s, 0.9 * d.flat(EZ)), A(d.t, ORIGIN, EZ)),
    ]


def parallelogram(d: Draw) -> list[Spec]:
    crank, beam = d.flat(EZ), d.num() * turn(EZ, 0.3) @ EX
    return [*planar(d), rod(d, ORIGIN, crank), rod(d, beam, beam + crank)]


def rods_that_meet(d: Draw, count: int) -> list[Spec]:
    spokes = [turn(EZ, 1.3 * k) @ EX for k in range(count)]
    return [
        *planar(d),
        *(rod(d, (1 + 0.2 * k) * u, (2.1 - 0.3 * k) * u) for k, u in enumerate(spokes)),
    ]


def lines_from_both_sides(d: Draw) -> list[Spec]:
    return [d.in_line(P(0, ORIGIN), A(1, ORIGIN, EZ)), d.in_line(P(1, ORIGIN), A(0, ORIGIN, EZ))]


TRAPS = (
    Trap("rail and shortest rod", "prismatic", frozenset({"fixed"}), rail_and_shortest_rod),
    Trap(
        "hinge with a point at its highest", "revolute", frozenset({"fixed"}), hinge_at_its_highest
    ),
    Trap("ball and stretched rod", "spherical", frozenset({"revolute"}), ball_and_stretched_rod),
    Trap("ball and widest circle", "spherical", frozenset({"universal"}), ball_and_widest_circle),
    Trap("parallelogram", "prismatic", frozenset(), parallelogram),
    Trap("planar, two rods that meet", "revolute", frozenset(), lambda d: rods_that_meet(d, 2)),
    Trap(
        "planar, three rods that meet",
        "revolute",
        frozenset({"fixed"}),
        lambda d: rods_that_meet(d, 3),
    ),
    Trap(
        "in-line from both sides, points together",
        "point on line",
        frozenset({"cylindrical", "spherical"}),
        lines_from_both_sides,
    ),
)


# --- almost universal --------------------------------------------------------------------------


def tilted_cross(d: Draw, angle: float) -> list[Spec]:
    return [*same_point(d, ORIGIN, 0), replace(d.square(V(0, EZ), V(1, EX)), value=angle)]


def skew_cross(d: Draw) -> list[Spec]:
    """Axes at a right angle that pass each other; the pose is Q = (1, r y)."""
    return [
        d.in_plane(P(1, ORIGIN), E(0, ORIGIN, EZ)),
        d.in_plane(P(0, ORIGIN), E(1, ORIGIN, EX)),
        d.axis_distance(P(1, ORIGIN), A(0, ORIGIN, EZ)),
        d.square(V(0, EZ), V(1, EX)),
    ]


# --- contradictions ----------------------------------------------------------------------------


def two_pins(d: Draw, stretch: float) -> list[Spec]:
    return [d.coincident(P(d.s, z(h)), P(d.t, z(h * stretch))) for h in (0.0, 1.0)]


def both_senses(d: Draw) -> list[Spec]:
    mate = d.parallel(V(d.s, EZ), V(d.t, EZ))
    return [mate, replace(mate, sense=not mate.sense)]


def two_heights(d: Draw) -> list[Spec]:
    mate = height(d, d.point())
    assert mate.value is not None
    return [mate, replace(mate, value=mate.value + 0.2), height(d, d.point())]


def two_welds(d: Draw) -> list[Spec]:
    mate = d.identical()
    T = mate.transform
    return [
        mate,
        replace(mate, transform=Pose((T.position[0] + 0.1, *T.position[1:]), T.quaternion)),
    ]


CONTRADICTIONS = {
    "pins of different spacing": lambda d: two_pins(d, 1.3),
    "pins of slightly different spacing": lambda d: two_pins(d, 1.001),
    "parallel and antiparallel": both_senses,
    "two heights over one plane": two_heights,
    "pinned and apart": lambda d: [*same_point(d, EX, 0), replace(rod(d, EX, EX), value=0.5)],
    "on two parallel lines": lambda d: [
        d.in_line(P(d.s, ORIGIN), A(d.t, p, EZ)) for p in (ORIGIN, 0.4 * EX)
    ],
    "turned two ways": lambda d: [
        *along_z(d),
        replace(d.square(V(d.s, EZ), V(d.t, EZ)), value=1.0),
    ],
    "too close to two directions": lambda d: [
        replace(d.square(V(d.s, EZ), V(d.t, u)), value=0.2) for u in (EX, EY)
    ],
    "welded in two places": two_welds,
}
