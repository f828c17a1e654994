"""Catalogue of bundles of mates between two parts that make a lower pair, universal or fixed joint.

How they are written stands in `pieces.py`; bundles that are no lower pair are in `everyday.py`;
`placing.build` puts the joint frames anywhere on two parts.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.recognition.geometry import EX, EZ, ORIGIN, A, Draw, E, P, Spec, V, turn
from tests.recognition.pieces import (
    Bundle,
    along_z,
    around,
    beside,
    four_distances,
    height,
    on_axis,
    same_point,
    spread,
    square_to_z,
    three_tilts,
    two_heights_on_axis,
    z,
)

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
