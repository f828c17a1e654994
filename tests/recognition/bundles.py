"""Catalogue of bundles of mates between two parts, each with the joint it makes.

A bundle is written in two joint frames, 0 on the one part and 1 on the other, that meet up to the
motion Q of the joint: z is the axis of revolute, cylindrical and screw, the direction of prismatic,
the normal of planar; the origin is the centre of spherical and universal; a universal joint turns
about z of frame 0 and x of frame 1. `build` places the joint frames anywhere on two parts.
Numbers of mates are measured at Q, so every bundle holds at the pose it is built at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from cad2mbs.model.assembly import Assembly, Coupling, CouplingKind, Part
from cad2mbs.model.mates import Mate, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.units import Units
from tests.recognition.geometry import (
    EX,
    EY,
    EZ,
    ORIGIN,
    A,
    Draw,
    E,
    P,
    Placed,
    Spec,
    V,
    inverse,
    reference,
    times,
    turn,
)
from tests.recognition.geometry import unit as unit_vector

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


# --- pieces that several joints share ----------------------------------------------------------


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


# --- revolute ----------------------------------------------------------------------------------


def revolute_two_points(d: Draw) -> list[Spec]:
    return [d.coincident(P(d.s, z(h)), P(d.t, z(h))) for h in two_heights_on_axis(d)]


def revolute_piano(d: Draw) -> list[Spec]:
    h, k = two_heights_on_axis(d)
    return [on_axis(d, h), on_axis(d, k), height(d, d.point())]


def revolute_point_and_line(d: Draw) -> list[Spec]:
    h, k = two_heights_on_axis(d)
    return [*same_point(d, z(h), 0), on_axis(d, k)]


def revolute_three_distances(d: Draw) -> list[Spec]:
    h, k = two_heights_on_axis(d)
    return [*same_point(d, z(h), 0), *(d.distance(P(d.s, z(k)), P(d.t, q)) for q in around(d, 3))]


def revolute_axis_distances(d: Draw) -> list[Spec]:
    return [
        *along_z(d),
        height(d, d.point()),
        *(d.axis_distance(P(d.s, q), A(d.t, ORIGIN, EZ)) for q in around(d, 3)),
    ]


def revolute_table(d: Draw) -> list[Spec]:
    h = d.num()
    legs = [q * [1, 1, 0] + z(h) for q in around(d, 3)]
    return [*(height(d, q) for q in legs), on_axis(d, d.num())]


REVOLUTE = [
    Bundle(
        "revolute", "coincident, parallel-z", lambda d: [*same_point(d, z(d.num()), 0), *along_z(d)]
    ),
    Bundle(
        "revolute",
        "in-line, in-plane, parallel-z",
        lambda d: [on_axis(d, d.num()), height(d, d.point()), *along_z(d)],
    ),
    Bundle("revolute", "coincident twice", revolute_two_points),
    Bundle("revolute", "in-line twice, in-plane", revolute_piano),
    Bundle("revolute", "coincident, in-line", revolute_point_and_line),
    Bundle(
        "revolute",
        "in-plane three times, parallel-z",
        lambda d: [*same_point(d, z(d.num()), 1), *along_z(d)],
    ),
    Bundle(
        "revolute",
        "coincident, offset-z 90 twice",
        lambda d: [*same_point(d, z(d.num()), 0), *square_to_z(d)],
    ),
    Bundle(
        "revolute",
        "coincident, offset-z three times",
        lambda d: [*same_point(d, z(d.num()), 0), *three_tilts(d)],
    ),
    Bundle("revolute", "coincident, distance three times", revolute_three_distances),
    Bundle("revolute", "parallel-z, in-plane, axis-distance three times", revolute_axis_distances),
    Bundle("revolute", "in-plane three times, in-line", revolute_table),
]


# --- prismatic ---------------------------------------------------------------------------------


def anywhere_line(d: Draw, p: np.ndarray, h: float = 0.0) -> Spec:
    return d.in_line(P(d.s, p + z(h)), A(d.t, p, EZ))


def prismatic_two_planes(d: Draw) -> list[Spec]:
    n = d.flat(EZ)
    normals = n, turn(EZ, d.angle()) @ n
    return [*(beside(d, d.point(), m) for m in normals), d.offset_x()]


def prismatic_line_and_plane(d: Draw) -> list[Spec]:
    h, k = two_heights_on_axis(d)
    q = abs(d.num()) * d.flat(EZ)
    normal = turn(EZ, d.angle()) @ np.cross(EZ, q / np.linalg.norm(q))
    return [on_axis(d, h), on_axis(d, k), beside(d, q, normal)]


def prismatic_two_vectors(d: Draw) -> list[Spec]:
    u = d.unit()
    w = turn(d.flat(u), 1.0) @ u
    return [
        anywhere_line(d, d.point()),
        d.parallel(V(d.s, u), V(d.t, u)),
        d.parallel(V(d.s, w), V(d.t, w)),
    ]


def prismatic_rails(d: Draw) -> list[Spec]:
    p = d.point()
    q = p + abs(d.num()) * d.flat(EZ)
    return [anywhere_line(d, p), anywhere_line(d, p, d.num()), anywhere_line(d, q)]


def prismatic_rails_parallel(d: Draw) -> list[Spec]:
    p = d.point()
    q = p + abs(d.num()) * d.flat(EZ)
    return [anywhere_line(d, p), anywhere_line(d, q), *along_z(d)]


def prismatic_five_points(d: Draw) -> list[Spec]:
    n = d.flat(EZ)
    m = np.cross(EZ, n)
    floor = [c[0] * EZ + c[1] * m for c in ((1.0, 0.2), (-0.8, 1.1), (0.1, -1.3))]
    wall = [abs(d.num()) * n + EZ, -abs(d.num()) * n - EZ]
    return [*(beside(d, q, n) for q in floor), *(beside(d, q, m) for q in wall)]


PRISMATIC = [
    Bundle("prismatic", "in-line, offset-x", lambda d: [anywhere_line(d, d.point()), d.offset_x()]),
    Bundle("prismatic", "in-plane twice, offset-x", prismatic_two_planes),
    Bundle("prismatic", "in-line twice, in-plane", prismatic_line_and_plane),
    Bundle("prismatic", "in-line, parallel-z twice", prismatic_two_vectors),
    Bundle("prismatic", "in-line on two rails, three points", prismatic_rails),
    Bundle("prismatic", "in-line on two rails, parallel-z", prismatic_rails_parallel),
    Bundle("prismatic", "in-plane three and two", prismatic_five_points),
]


# --- cylindrical -------------------------------------------------------------------------------


def cylindrical_planes(d: Draw) -> list[Spec]:
    n, h = d.flat(EZ), d.num()
    return [beside(d, z(h), n), beside(d, z(d.num()), turn(EZ, d.angle()) @ n), *along_z(d)]


def cylindrical_mutual(d: Draw) -> list[Spec]:
    return [
        d.in_line(P(0, z(d.num())), A(1, ORIGIN, EZ)),
        d.in_line(P(1, z(d.num() + 3.0)), A(0, ORIGIN, EZ)),
    ]


CYLINDRICAL = [
    Bundle("cylindrical", "in-line, parallel-z", lambda d: [on_axis(d, d.num()), *along_z(d)]),
    Bundle(
        "cylindrical", "in-line twice", lambda d: [on_axis(d, h) for h in two_heights_on_axis(d)]
    ),
    Bundle("cylindrical", "in-plane twice, parallel-z", cylindrical_planes),
    Bundle(
        "cylindrical",
        "in-line, offset-z 90 twice",
        lambda d: [on_axis(d, d.num()), *square_to_z(d)],
    ),
    Bundle(
        "cylindrical",
        "in-line, offset-z three times",
        lambda d: [on_axis(d, d.num()), *three_tilts(d)],
    ),
    Bundle(
        "cylindrical",
        "parallel-z, axis-distance three times",
        lambda d: [
            *along_z(d),
            *(d.axis_distance(P(d.s, q), A(d.t, ORIGIN, EZ)) for q in around(d, 3)),
        ],
    ),
    Bundle(
        "cylindrical",
        "in-line, axis-distance three times",
        lambda d: [
            on_axis(d, 0.0),
            *(d.axis_distance(P(d.s, q), A(d.t, ORIGIN, EZ)) for q in around(d, 3)),
        ],
        several=True,
    ),
    Bundle("cylindrical", "in-line from both sides", cylindrical_mutual, several=True),
]


# --- planar ------------------------------------------------------------------------------------


def planar_legs(d: Draw, count: int) -> list[Spec]:
    h = d.num()
    return [height(d, q * [1, 1, 0] + z(h)) for q in around(d, count)]


def planar_both_sides(d: Draw) -> list[Spec]:
    return [
        d.in_plane(P(0, d.point()), E(1, ORIGIN, EZ)),
        d.in_plane(P(1, d.point()), E(0, ORIGIN, EZ)),
        *along_z(d),
    ]


PLANAR = [
    Bundle("planar", "in-plane, parallel-z", lambda d: [height(d, d.point()), *along_z(d)]),
    Bundle("planar", "in-plane three times", lambda d: planar_legs(d, 3)),
    Bundle("planar", "in-plane four times, uneven", lambda d: [height(d, q) for q in spread(d)]),
    Bundle(
        "planar", "in-plane, offset-z 90 twice", lambda d: [height(d, d.point()), *square_to_z(d)]
    ),
    Bundle(
        "planar",
        "in-plane, offset-z three times",
        lambda d: [height(d, d.point()), *three_tilts(d)],
    ),
    Bundle("planar", "in-plane from both sides, parallel-z", planar_both_sides),
    Bundle("planar", "in-plane four times, level", lambda d: planar_legs(d, 4)),
]


# --- spherical ---------------------------------------------------------------------------------


def spherical_line_distances(d: Draw) -> list[Spec]:
    axis = A(d.t, ORIGIN, d.unit())
    far = [d.point() + 2 * d.unit() for _ in range(2)]
    return [d.in_line(P(d.s, ORIGIN), axis), *(d.distance(P(d.s, ORIGIN), P(d.t, q)) for q in far)]


SPHERICAL = [
    Bundle("spherical", "coincident", lambda d: same_point(d, ORIGIN, 0)),
    Bundle("spherical", "in-plane three times", lambda d: same_point(d, ORIGIN, 1)),
    Bundle("spherical", "in-line, in-plane", lambda d: same_point(d, ORIGIN, 2)),
    Bundle("spherical", "in-line twice", lambda d: same_point(d, ORIGIN, 3)),
    Bundle("spherical", "distance four times", lambda d: four_distances(d, ORIGIN)),
    Bundle("spherical", "in-line, distance twice", spherical_line_distances),
]


# --- universal ---------------------------------------------------------------------------------


def cross_axes(d: Draw) -> Spec:
    return d.square(V(0, EZ), V(1, EX))


def universal_arm_in_plane(d: Draw) -> list[Spec]:
    arms = (P(1, d.num() * EX), E(0, ORIGIN, EZ)), (P(0, d.num() * EZ), E(1, ORIGIN, EX))
    return [*same_point(d, ORIGIN, 0), d.in_plane(*arms[d.s])]


def universal_crossing_shafts(d: Draw) -> list[Spec]:
    return [
        d.in_line(P(0, ORIGIN), A(1, ORIGIN, EX)),
        d.in_line(P(1, ORIGIN), A(0, ORIGIN, EZ)),
        cross_axes(d),
    ]


UNIVERSAL = [
    *(
        Bundle(
            "universal",
            f"{name}, offset-z 90",
            lambda d, way=way: [*same_point(d, ORIGIN, way), cross_axes(d)],
        )
        for way, name in enumerate(
            ("coincident", "in-plane three times", "in-line and in-plane", "in-line twice")
        )
    ),
    Bundle("universal", "coincident, in-plane of an arm", universal_arm_in_plane),
    Bundle(
        "universal",
        "coincident, distance of two arms",
        lambda d: [*same_point(d, ORIGIN, 0), d.distance(P(0, d.num() * EZ), P(1, d.num() * EX))],
    ),
    Bundle("universal", "in-line of crossing shafts, offset-z 90", universal_crossing_shafts),
    Bundle(
        "universal",
        "distance four times, offset-z 90",
        lambda d: [*four_distances(d, ORIGIN), cross_axes(d)],
    ),
]


# --- fixed -------------------------------------------------------------------------------------


def fixed_points(d: Draw, count: int) -> list[Spec]:
    return [d.coincident(P(d.s, q), P(d.t, q)) for q in spread(d)[:count]]


def fixed_hinge_and_plane(d: Draw) -> list[Spec]:
    """Two pins, and a third point in a plane it passes through, not touches."""
    a, b, c, _ = spread(d)
    u = (b - a) / np.linalg.norm(b - a)
    n = np.cross(u, c - a)
    n = turn(u, 0.5 * d.angle()) @ (n / np.linalg.norm(n))
    return [d.coincident(P(d.s, q), P(d.t, q)) for q in (a, b)] + [
        d.in_plane(P(d.s, c), E(d.t, c, n))
    ]


def fixed_two_vectors(d: Draw) -> list[Spec]:
    u = d.unit()
    w = turn(d.flat(u), 1.0) @ u
    return [
        *same_point(d, d.point(), 0),
        d.parallel(V(d.s, u), V(d.t, u)),
        d.parallel(V(d.s, w), V(d.t, w)),
    ]


def fixed_lattice(d: Draw) -> list[Spec]:
    """Every corner of one tetrahedron braced to three of another: no mirror image fits."""
    mine, other = spread(d), spread(d)
    return [
        d.distance(P(d.s, p), P(d.t, q))
        for i, p in enumerate(mine)
        for j, q in enumerate(other)
        if i != j
    ]


FIXED = [
    Bundle("fixed", "identical", lambda d: [d.identical()]),
    Bundle("fixed", "coincident three times", lambda d: fixed_points(d, 3)),
    Bundle("fixed", "coincident, offset-x", lambda d: [*same_point(d, d.point(), 0), d.offset_x()]),
    Bundle("fixed", "coincident, parallel-z twice", fixed_two_vectors),
    Bundle("fixed", "coincident twice, in-plane", fixed_hinge_and_plane, several=True),
    Bundle(
        "fixed",
        "in-line, in-plane, offset-x",
        lambda d: [*same_point(d, d.point(), 2), d.offset_x()],
    ),
    Bundle("fixed", "distance twelve times", fixed_lattice, several=True),
]

LOWER_PAIRS = (*REVOLUTE, *PRISMATIC, *CYLINDRICAL, *PLANAR, *SPHERICAL, *UNIVERSAL, *FIXED)
SCREWS = tuple(replace(b, kind="screw") for b in CYLINDRICAL)
CATALOGUE = (*LOWER_PAIRS, *SCREWS)


# --- bundles that are no lower pair ------------------------------------------------------------


def rods(d: Draw, count: int) -> list[Spec]:
    return [d.distance(P(d.s, d.point()), P(d.t, d.point() + 3 * EX)) for _ in range(count)]


def skew_lines(d: Draw) -> list[Spec]:
    """Two points, each on a line of its own."""
    X_ts = d.Q if d.s == 1 else inverse(d.Q)
    out = []
    for _ in range(2):
        p = d.point()
        out.append(d.in_line(P(d.s, p), A(d.t, X_ts[0] @ p + X_ts[1], d.unit())))
    return out


def touching(d: Draw) -> list[Spec]:
    """Two parallel cylinders that keep their axes apart."""
    return [d.parallel(V(0, EZ), V(1, EZ)), d.axis_distance(P(1, ORIGIN), A(0, ORIGIN, EZ))]


def slot(d: Draw) -> list[Spec]:
    return [
        d.parallel(V(0, EZ), V(1, EZ)),
        d.in_plane(P(1, ORIGIN), E(0, ORIGIN, EZ)),
        d.in_plane(P(1, ORIGIN), E(0, ORIGIN, EY)),
    ]


EVERYDAY = (
    Bundle("point on line", "in-line", lambda d: [d.in_line(P(1, ORIGIN), A(0, ORIGIN, EZ))]),
    Bundle(
        "point on line",
        "in-plane twice",
        lambda d: [d.in_plane(P(1, ORIGIN), E(0, ORIGIN, n)) for n in (EX, EY)],
    ),
    Bundle("point on plane", "in-plane", lambda d: [d.in_plane(P(1, ORIGIN), E(0, ORIGIN, EZ))]),
    Bundle("rod", "distance", lambda d: [d.distance(P(0, ORIGIN), P(1, ORIGIN))]),
    Bundle("parallel axes", "parallel-z", lambda d: [d.parallel(V(0, EZ), V(1, EZ))]),
    Bundle("angle", "offset-z", lambda d: [d.tilt(V(0, EZ), V(1, EZ))]),
    Bundle("translation", "offset-x", lambda d: [d.offset_x()]),
    Bundle(
        "translation in a plane",
        "offset-x, in-plane",
        lambda d: [d.offset_x(), d.in_plane(P(1, ORIGIN), E(0, ORIGIN, EZ))],
    ),
    Bundle("pin in slot", "parallel-z, in-plane twice", slot),
    Bundle("cylindrical/cylindrical", "parallel-z, axis-distance (cylinders touch)", touching),
    Bundle(
        "revolute/revolute",
        "the same, and in-plane (discs touch)",
        lambda d: [*touching(d), d.in_plane(P(1, ORIGIN), E(0, ORIGIN, EZ))],
    ),
    Bundle(
        "planar/cylindrical",
        "in-plane, offset-z 90 (cylinder on a plane)",
        lambda d: [d.in_plane(P(1, ORIGIN), E(0, ORIGIN, EZ)), d.square(V(0, EZ), V(1, EZ))],
    ),
    Bundle(
        "planar/cylindrical",
        "in-plane twice (edge on a plane)",
        lambda d: [d.in_plane(P(1, k * EZ), E(0, ORIGIN, EZ)) for k in (0.0, d.num())],
    ),
    Bundle(
        "revolute/spherical",
        "in-plane, axis-distance (point on a circle)",
        lambda d: [
            d.in_plane(P(1, ORIGIN), E(0, ORIGIN, EZ)),
            d.axis_distance(P(1, ORIGIN), A(0, ORIGIN, EZ)),
        ],
    ),
    Bundle(
        "point on cylinder",
        "axis-distance (point on a cylinder)",
        lambda d: [d.axis_distance(P(1, ORIGIN), A(0, ORIGIN, EZ))],
    ),
    Bundle(
        "revolute/revolute",
        "coincident, offset-z (cone on a ball)",
        lambda d: [*same_point(d, ORIGIN, 0), d.tilt(V(0, EZ), V(1, EZ))],
    ),
    Bundle(
        "cylindrical/revolute",
        "in-line, offset-z (tilted pin in a tube)",
        lambda d: [d.in_line(P(1, ORIGIN), A(0, ORIGIN, EZ)), d.tilt(V(0, EZ), V(1, EZ))],
    ),
    Bundle("none", "distance twice", lambda d: rods(d, 2)),
    Bundle("none", "distance three times", lambda d: rods(d, 3)),
    Bundle("none", "distance five times", lambda d: rods(d, 5)),
    Bundle(
        "none",
        "parallel-z, distance",
        lambda d: [d.parallel(V(0, EZ), V(1, EZ)), d.distance(P(0, ORIGIN), P(1, ORIGIN))],
    ),
    Bundle(
        "none",
        "offset-x, distance",
        lambda d: [d.offset_x(), d.distance(P(0, ORIGIN), P(1, ORIGIN))],
    ),
    Bundle(
        "none",
        "in-plane, distance",
        lambda d: [d.in_plane(P(1, ORIGIN), E(0, ORIGIN, EZ)), *rods(d, 1)],
    ),
    Bundle("none", "in-line twice, on skew lines", skew_lines),
)


# --- poses -------------------------------------------------------------------------------------

SPECIALS = ("aligned", "parallel", "antiparallel", "half turn", "origins")
STARTS = ("satisfied", "near", "scattered")


def motion(bundle: Bundle, rng: np.random.Generator, at_rest: bool = False) -> Placed:
    """A pose Q of joint frame 1 in joint frame 0 that the joint allows."""
    a, b = (0.0, 0.0) if at_rest else rng.uniform(-np.pi, np.pi, 2)
    h = np.zeros(3) if at_rest else rng.uniform(-1.0, 1.0, 3)
    any_R = np.eye(3) if at_rest else turn(unit_vector(rng), a)
    Rz, out = turn(EZ, a), 1.0 + abs(h[0])  # a radius that is never zero
    match bundle.kind:
        case "fixed":
            return np.eye(3), ORIGIN
        case "revolute":
            return Rz, ORIGIN
        case "prismatic":
            return np.eye(3), z(h[2])
        case "cylindrical" | "screw":
            return Rz, z(h[2])
        case "planar":
            return Rz, h * [1, 1, 0]
        case "spherical":
            return any_R, ORIGIN
        case "universal":
            return Rz @ turn(EX, b), ORIGIN
        case "point on line":
            return any_R, z(h[2])
        case "point on plane":
            return any_R, h * [1, 1, 0]
        case "parallel axes" | "pin in slot":
            return Rz, h * ([1, 0, 0] if bundle.kind == "pin in slot" else [1, 1, 1])
        case "translation in a plane":
            return np.eye(3), h * [1, 1, 0]
        case "translation":
            return np.eye(3), h
        case "cylindrical/cylindrical":
            return Rz, out * (turn(EZ, b) @ EX) + z(h[2])
        case "revolute/spherical":
            return any_R, out * (turn(EZ, b) @ EX)
        case "point on cylinder":
            return any_R, out * (turn(EZ, b) @ EX) + z(h[2])
        case "planar/cylindrical":
            return Rz @ turn(EX, np.pi / 2) @ turn(EZ, b), h * [1, 1, 0]
        case "cylindrical/revolute":
            return Rz @ turn(EX, 0.9) @ turn(EZ, b), z(h[2])
        case "revolute/revolute":
            if "ball" in bundle.name:
                return Rz @ turn(EX, 0.9) @ turn(EZ, b), ORIGIN
            return Rz, out * (turn(EZ, b) @ EX)
        case "none":
            if "offset-x" in bundle.name:
                return np.eye(3), h + 2 * EX
            if "parallel-z" in bundle.name:
                return Rz, h + 2 * EX
            return any_R, h * [1, 1, 0]
    return any_R, h + 2 * EX


@dataclass(frozen=True)
class Case:
    """A bundle built on two parts, with the truth about its joint in part coordinates."""

    bundle: Bundle
    assembly: Assembly
    parts: tuple[str, str]  # part of joint frame 0, of joint frame 1
    joint_frames: tuple[Placed, Placed]  # X_part,joint for each side, in user lengths
    pose: Placed  # of part 1 in part 0 at which the bundle was built
    duplicates: tuple[tuple[str, str], ...]  # pairs of mates that say the very same
    scale: float
    far: float

    def axis(self, side: int) -> np.ndarray:
        """Direction of the joint on the part of that side."""
        R = self.joint_frames[side][0]
        return R[:, 0] if self.bundle.kind == "universal" and side == 1 else R[:, 2]

    def centre(self, side: int) -> np.ndarray:
        return self.joint_frames[side][1]


def build(
    bundle: Bundle,
    seed: int,
    scale: float = 1.0,
    start: str = "satisfied",
    special: str | None = None,
    duplicate: bool = False,
    mix: Bundle | None = None,
    Q: Placed | None = None,
    far: float = 1.0,
) -> Case:
    """The bundle at a random pose on random parts, its mates in random order.

    `special` names a pose of SPECIALS; `duplicate` repeats a mate; `mix` adds the mates of another
    bundle of the same joint, which then say nothing new; `Q` sets the pose instead of a random one;
    `far` puts the joint that many times farther from the origins of the parts.
    """
    rng = np.random.default_rng([seed, len(bundle.id), int(1e3 * scale)])
    Q = _motion_at(bundle, rng, special) if Q is None else Q
    X = _joint_frames(rng, special, far)
    draw = Draw(rng, Q)
    specs = bundle.make(draw)
    if mix is not None:
        specs = specs + mix.make(Draw(rng, Q))
    specs = [specs[k] for k in rng.permutation(len(specs))]
    names = ("base", "arm") if rng.random() < 0.5 else ("arm", "base")
    unit = Units("mm", "deg") if rng.random() < 0.5 else Units("m", "rad")
    refs: tuple[dict, dict] = ({}, {})
    mates: dict[str, Mate] = {}
    for k, spec in enumerate(specs):
        _add_mate(mates, f"mate_{k}", spec, refs, names, X, scale, unit, rng)
    twins: tuple[tuple[str, str], ...] = ()
    if duplicate:
        first = f"mate_{int(rng.integers(len(specs)))}"
        mates["twin"] = replace(mates[first], name="twin")
        twins = ((first, "twin"),)
    X_01 = times(X[0], times(Q, inverse(X[1])))
    poses = _start_poses(X_01, rng, start, bundle)
    parts = {}
    for side in (0, 1) if rng.random() < 0.5 else (1, 0):
        R, p = poses[side]
        parts[names[side]] = Part(names[side], refs[side], pose=Pose.from_matrix(scale * p, R))
    if rng.random() < 0.5:
        fixed = names[int(rng.integers(2))]
        parts[fixed] = replace(parts[fixed], grounded=True)
    couplings = _screw(bundle, names, X, refs, scale, rng)
    assembly = Assembly(bundle.id, parts, mates, couplings=couplings, units=unit)
    frames = tuple((R, scale * p) for R, p in X)
    return Case(bundle, assembly, names, frames, (X_01[0], scale * X_01[1]), twins, scale, far)


def _motion_at(bundle: Bundle, rng: np.random.Generator, special: str | None) -> Placed:
    R, p = motion(
        bundle, rng, at_rest=special in ("aligned", "parallel", "antiparallel", "origins")
    )
    if special == "half turn":
        about = {"spherical": unit_vector(rng), "fixed": None, "prismatic": None}.get(
            bundle.kind, EZ
        )
        R = np.eye(3) if about is None else turn(about, np.pi)
        p = motion(bundle, rng)[1]
    return R, p


def _joint_frames(
    rng: np.random.Generator, special: str | None, far: float
) -> tuple[Placed, Placed]:
    X = [
        (turn(unit_vector(rng), float(rng.uniform(0, np.pi))), far * rng.uniform(-2.0, 2.0, 3))
        for _ in range(2)
    ]
    if special in ("aligned", "origins"):
        X = [(np.eye(3), ORIGIN if special == "origins" else p) for _, p in X]
    elif special == "parallel":
        X = [(X[0][0], p) for _, p in X]
    elif special == "antiparallel":
        X = [X[0], (X[0][0] @ turn(EX, np.pi), X[1][1])]
    return X[0], X[1]


def _add_mate(mates, name, spec, refs, names, X, scale, unit, rng) -> None:
    ids = []
    for slot, ref in (("a", spec.a), ("b", spec.b)):
        key = f"{name}_{slot}"
        refs[ref.side][key] = reference(ref, X[ref.side], scale, rng)
        ids.append(RefId(names[ref.side], key))
    value = spec.value
    if value is not None:
        is_angle = spec.kind in ("offset-x", "offset-z")
        value = value / unit.radian if is_angle else value * scale
    T = spec.transform
    px, py, pz = (scale * c for c in T.position)
    mates[name] = Mate(
        name,
        spec.kind,
        *ids,
        value=value,
        sense=spec.sense,
        transform=Pose((px, py, pz), T.quaternion),
    )


def _start_poses(X_01: Placed, rng, start: str, bundle: Bundle) -> list[Placed]:
    """Poses of both parts, the second one disturbed as asked for."""
    world = (turn(unit_vector(rng), float(rng.uniform(0, np.pi))), rng.uniform(-2.0, 2.0, 3))
    off = {"satisfied": 0.0, "near": 1e-3 if bundle.several else 0.05, "scattered": 0.0}[start]
    nudge = (turn(unit_vector(rng), off), off * unit_vector(rng))
    second = times(world, times(X_01, nudge))
    if start == "scattered" and not bundle.several:
        second = (turn(unit_vector(rng), float(rng.uniform(0, np.pi))), rng.uniform(-4.0, 4.0, 3))
    return [world, second]


def _screw(bundle, names, X, refs, scale, rng) -> dict[str, Coupling]:
    if bundle.kind != "screw":
        return {}
    for side in (0, 1):
        refs[side]["screw"] = reference(A(side, ORIGIN, EZ), X[side], scale, rng)
    pitch = float(rng.uniform(0.1, 1.0) * rng.choice([-1.0, 1.0])) * scale
    a, b = RefId(names[0], "screw"), RefId(names[1], "screw")
    return {"thread": Coupling("thread", CouplingKind.SCREW, a, b, pitch)}
