"""Slider-cranks: the contract's two engines, one with a stop, one with everything doubled.

The crank turns about z, the angle is counted from x; a piston slides along its cylinder axis,
at s = r cos(phi) + sqrt(l^2 - r^2 sin^2(phi)) from the crank axis, phi counted from the cylinder.
"""

from __future__ import annotations

import math

from cad2mbs.library.build import ORIGIN, Builder, Point2, X, Y, Z, heading, in_plane, polar
from cad2mbs.model.assembly import Assembly, Freedom
from cad2mbs.model.references import axis, frame, plane, point, vector

CRANK_RADIUS = 40.0  # [mm]
ROD_LENGTH = 120.0  # [mm]
ROD_PITCH = 12.0  # [mm] between neighbouring rods on the radial engine's pin


def single_cylinder_engine(crank: float = 0.0) -> Assembly:
    """Housing, crank, rod, piston with the redundant mates of the contract's table.

    `crank`: start angle [deg]. Implicit form: 29 two-sided and 7 one-sided conditions for 18
    unknowns, the driving offset-x included.
    """
    phi = math.radians(crank)
    pin, piston = _slider_crank(phi)
    build = Builder("Single-cylinder engine")
    build.ground(
        "housing",
        bearing_point=point(ORIGIN),
        bearing_axis=vector(Z),
        thrust_point=point((0.0, 0.0, 20.0)),
        thrust_axis=vector(Z),
        zero=frame(ORIGIN, Z, X),
        bore=axis(ORIGIN, X),
        bore_direction=vector(X),
        bore_frame=frame(ORIGIN, X, Z),
    )
    build.part(
        "crank",
        in_plane((0.0, 0.0), phi),
        journal=axis(ORIGIN, Z),
        journal_direction=vector(Z),
        shoulder=plane((0.0, 0.0, 15.0), Z),
        shoulder_direction=vector(Z),
        web=frame(ORIGIN, Z, X),
        pin_point=point((CRANK_RADIUS, 0.0, 0.0)),
        pin_axis=vector(Z),
    )
    build.part(
        "rod",
        in_plane(pin, heading(pin, piston)),
        big_end=point(ORIGIN),
        big_end_axis=vector(Z),
        small_end=point((ROD_LENGTH, 0.0, 0.0)),
        small_end_axis=vector(Z),
    )
    build.part(
        "piston",
        in_plane(piston, 0.0),
        pin_point=point(ORIGIN),
        pin_axis=vector(Z),
        crown=point((25.0, 0.0, 0.0)),
        skirt_direction=vector(X),
        skirt_frame=frame(ORIGIN, X, Z),
    )
    mate = build.mate
    mate("main_bearing_line", "in-line", "housing/bearing_point", "crank/journal")
    mate("main_bearing_axis", "parallel-z", "housing/bearing_axis", "crank/journal_direction")
    mate("thrust_gap", "in-plane", "housing/thrust_point", "crank/shoulder", 5.0)
    mate("thrust_axis", "parallel-z", "housing/thrust_axis", "crank/shoulder_direction")
    mate("crank_angle", "offset-x", "housing/zero", "crank/web", crank)
    mate("big_end_point", "coincident", "crank/pin_point", "rod/big_end")
    mate("big_end_axis", "parallel-z", "crank/pin_axis", "rod/big_end_axis")
    mate("small_end_point", "coincident", "rod/small_end", "piston/pin_point")
    mate("small_end_axis", "parallel-z", "rod/small_end_axis", "piston/pin_axis")
    mate("bore_line", "in-line", "piston/crown", "housing/bore")
    mate("bore_axis", "parallel-z", "piston/skirt_direction", "housing/bore_direction")
    mate("bore_turn", "offset-x", "piston/skirt_frame", "housing/bore_frame", 0.0)
    build.drive_mate("crank", "crank_angle")
    return build.build()


def radial_engine(n: int = 7, crank: float = 0.0) -> Assembly:
    """n cylinders around one crank pin, evenly spread from the x axis on: n loops, 1 freedom.

    `crank`: start angle [deg]. The rods sit side by side along the pin, `ROD_PITCH` apart, each
    in the plane of its cylinder.
    """
    if n < 1:
        raise ValueError(f"a radial engine needs at least one cylinder, found {n}")
    phi = math.radians(crank)
    heights = [ROD_PITCH * k for k in range(n)]
    angles = [2 * math.pi * k / n for k in range(n)]
    build = Builder(f"Radial engine, {n} cylinder{'s' if n > 1 else ''}")
    bores = {
        f"bore_{k + 1}": frame((0.0, 0.0, heights[k]), (*polar((0.0, 0.0), 1.0, a), 0.0), Z)
        for k, a in enumerate(angles)
    }
    pins = {f"pin_{k + 1}": frame((CRANK_RADIUS, 0.0, h)) for k, h in enumerate(heights)}
    build.ground("housing", main=frame(), **bores)
    build.part("crank", in_plane((0.0, 0.0), phi), main=frame(), **pins)
    build.revolute("main_bearing", "housing/main", "crank/main")
    build.mate("crank_angle", "offset-x", "housing/main", "crank/main", crank)
    for k, (angle, height) in enumerate(zip(angles, heights, strict=True), start=1):
        pin, piston = _slider_crank(phi, angle)
        build.bar(f"rod_{k}", pin, piston, height)
        build.part(
            f"piston_{k}", in_plane(piston, angle, height), pin=frame(), skirt=frame(ORIGIN, X, Z)
        )
        build.revolute(f"big_end_{k}", f"crank/pin_{k}", f"rod_{k}/a")
        build.revolute(f"small_end_{k}", f"rod_{k}/b", f"piston_{k}/pin")
        build.prismatic(f"bore_{k}", f"piston_{k}/skirt", f"housing/bore_{k}")
    build.drive_mate("crank", "crank_angle")
    return build.build()


def slider_crank_stop(stop: float = 100.0) -> Assembly:
    """A slider-crank whose piston must stay at least `stop` [mm] from the crank axis.

    The stop ends the crank's turn where cos(phi) = (r^2 + stop^2 - l^2) / (2 r stop).
    """
    pin, piston = _slider_crank(0.0)
    build = Builder("Slider-crank with a stop")
    build.ground("housing", main=frame(), bore=frame(ORIGIN, X, Z), stop=plane((stop, 0.0, 0.0), X))
    build.bar("crank", (0.0, 0.0), pin)
    build.bar("rod", pin, piston)
    build.part("piston", in_plane(piston, 0.0), pin=frame(), skirt=frame(ORIGIN, X, Z))
    build.revolute("main_bearing", "housing/main", "crank/a")
    build.revolute("big_end", "crank/b", "rod/a")
    build.revolute("small_end", "rod/b", "piston/pin")
    build.prismatic("bore", "piston/skirt", "housing/bore")
    build.mate("stop", "halfspace", "piston/pin", "housing/stop", 0.0, sense=True)
    build.drive_joint("crank", "housing/main", "crank/a", Freedom.TURN, 0.0)
    return build.build()


def over_redundant(crank: float = 40.0, gap: float = 30.0) -> Assembly:
    """A slider-crank with every hinge and rail there twice, `gap` [mm] apart: it still moves.

    `crank`: start angle [deg]. Each second hinge or rail adds nothing that the first one did
    not already ask for.
    """
    phi = math.radians(crank)
    pin, piston = _slider_crank(phi)
    both = {"low": 0.0, "high": gap}
    build = Builder("Over-redundant slider-crank")
    build.ground(
        "base",
        **{f"bearing_{s}": frame((0.0, 0.0, z)) for s, z in both.items()},
        **{f"rail_{s}": frame((0.0, 0.0, z), X, Y) for s, z in both.items()},
    )
    for name, length, place in (
        ("crank", CRANK_RADIUS, in_plane((0.0, 0.0), phi)),
        ("rod", ROD_LENGTH, in_plane(pin, heading(pin, piston))),
    ):
        build.part(
            name,
            place,
            **{f"a_{s}": frame((0.0, 0.0, z)) for s, z in both.items()},
            **{f"b_{s}": frame((length, 0.0, z)) for s, z in both.items()},
        )
    build.part(
        "slider",
        in_plane(piston, 0.0),
        **{f"pin_{s}": frame((0.0, 0.0, z)) for s, z in both.items()},
        **{f"shoe_{s}": frame((0.0, 0.0, z), X, Y) for s, z in both.items()},
    )
    for s in both:
        build.revolute(f"bearing_{s}", f"base/bearing_{s}", f"crank/a_{s}")
        build.revolute(f"big_end_{s}", f"crank/b_{s}", f"rod/a_{s}")
        build.revolute(f"small_end_{s}", f"rod/b_{s}", f"slider/pin_{s}")
        build.prismatic(f"rail_{s}", f"slider/shoe_{s}", f"base/rail_{s}")
    build.drive_joint("crank", "base/bearing_low", "crank/a_low", Freedom.TURN, crank)
    return build.build()


def _slider_crank(phi: float, cylinder: float = 0.0) -> tuple[Point2, Point2]:
    """Crank pin and piston pin at crank angle phi [rad], cylinder axis at `cylinder` [rad]."""
    r, l = CRANK_RADIUS, ROD_LENGTH
    rel = phi - cylinder
    s = r * math.cos(rel) + math.sqrt(l * l - (r * math.sin(rel)) ** 2)
    return polar((0.0, 0.0), r, phi), polar((0.0, 0.0), s, cylinder)
