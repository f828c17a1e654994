"""Bundles that are no lower pair: chains of two joints, and mates that no chain stands for."""

from __future__ import annotations

from tests.recognition.geometry import EX, EY, EZ, ORIGIN, A, Draw, E, P, Spec, V, inverse
from tests.recognition.pieces import Bundle, same_point


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
