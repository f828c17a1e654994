"""Planar linkages in space: every hinge is a coincident point and a parallel axis z."""

from __future__ import annotations

import math

from cad2mbs.library.build import (
    ORIGIN,
    Builder,
    Point2,
    X,
    Z,
    heading,
    in_plane,
    meet,
    polar,
)
from cad2mbs.model.assembly import Assembly, Freedom
from cad2mbs.model.references import frame
from cad2mbs.units import Units

# Lengths of Theo Jansen's leg [mm, any unit will do: only proportions matter], by his letters.
JANSEN = {
    "a": 38.0,
    "b": 41.5,
    "c": 39.3,
    "d": 40.1,
    "e": 55.8,
    "f": 39.4,
    "g": 36.7,
    "h": 65.7,
    "i": 49.0,
    "j": 50.0,
    "k": 61.9,
    "l": 7.8,
    "m": 15.0,
}

# The chain: pivot distance, arm of even levers, coupler, arm of odd levers [mm]; safe range.
CHAIN_GROUND, CHAIN_EVEN, CHAIN_COUPLER, CHAIN_ODD = 100.0, 60.0, 90.0, 80.0
CHAIN_RANGE = (50.0, 150.0)


def four_bar(
    ground: float = 1.0,
    crank: float = 0.5,
    coupler: float = 1.2,
    rocker: float = 0.8,
    *,
    start: float = 60.0,
    branch: int = 1,
    unit: str = "m",
    name: str = "Four-bar",
) -> Assembly:
    """A four-bar in the plane z = 0; the standard lengths make a crank-rocker.

    Lengths in `unit`, `start` is the crank's angle [deg]. branch 1: the coupler's far pin lies
    left of the way from the crank pin to the rocker's pivot; -1: right of it.
    """
    pivot_a: Point2 = (0.0, 0.0)
    pivot_d: Point2 = (ground, 0.0)
    pin_b = polar(pivot_a, crank, math.radians(start))
    pin_c = meet(pin_b, coupler, pivot_d, rocker, branch)
    build = Builder(name, Units(unit, "deg"))
    build.ground("ground", a=frame(), d=frame((ground, 0.0, 0.0)))
    build.bar("crank", pivot_a, pin_b)
    build.bar("coupler", pin_b, pin_c)
    build.bar("rocker", pivot_d, pin_c)
    build.revolute("crank_pivot", "ground/a", "crank/a")
    build.revolute("crank_pin", "crank/b", "coupler/a")
    build.revolute("rocker_pin", "coupler/b", "rocker/b")
    build.revolute("rocker_pivot", "ground/d", "rocker/a")
    build.drive_joint("crank", "ground/a", "crank/a", Freedom.TURN, start)
    return build.build()


def double_rocker() -> Assembly:
    """A four-bar 1.0 / 0.8 / 0.4 / 0.9 whose crank turns only between two dead points.

    They lie where coupler and rocker are in line: cos(phi) = (g^2 + a^2 - (c +- b)^2) / (2 g a).
    """
    return four_bar(1.0, 0.8, 0.4, 0.9, start=60.0, name="Double rocker")


def scissor_lift(stages: int = 3, arm: float = 200.0, slide: float = 160.0) -> Assembly:
    """`stages` crossed pairs of arms between a base and a platform, driven by the base block.

    `slide`: start distance of the lower block from the fixed pivot [mm]. The platform rises to
    stages * sqrt(arm^2 - slide^2) and stays level.
    """
    if stages < 1:
        raise ValueError(f"a scissor lift needs at least one stage, found {stages}")
    rise = math.sqrt(arm * arm - slide * slide)
    rail = frame(ORIGIN, X, Z)
    build = Builder(f"Scissor lift, {stages} stage{'s' if stages > 1 else ''}")
    build.ground("base", pivot=frame(), rail=rail)
    build.part("base_block", in_plane((slide, 0.0), 0.0), pin=frame(), shoe=rail)
    for k in range(1, stages + 1):
        low, high = (k - 1) * rise, k * rise
        _scissor_arm(build, f"rising_{k}", (0.0, low), (slide, high))
        _scissor_arm(build, f"falling_{k}", (slide, low), (0.0, high))
    top = stages * rise
    build.part("platform", in_plane((0.0, top), 0.0), pivot=frame(), rail=rail)
    build.part("top_block", in_plane((slide, top), 0.0), pin=frame(), shoe=rail)

    build.revolute("base_pivot", "base/pivot", "rising_1/a")
    build.prismatic("base_rail", "base_block/shoe", "base/rail")
    build.revolute("base_pin", "base_block/pin", "falling_1/a")
    for k in range(1, stages + 1):
        build.revolute(f"cross_{k}", f"rising_{k}/middle", f"falling_{k}/middle")
    for k in range(1, stages):
        build.revolute(f"left_{k}", f"falling_{k}/b", f"rising_{k + 1}/a")
        build.revolute(f"right_{k}", f"rising_{k}/b", f"falling_{k + 1}/a")
    build.revolute("top_pivot", f"falling_{stages}/b", "platform/pivot")
    build.revolute("top_pin", f"rising_{stages}/b", "top_block/pin")
    build.prismatic("top_rail", "top_block/shoe", "platform/rail")
    build.drive_joint("slide", "base/rail", "base_block/shoe", Freedom.SLIDE, slide)
    return build.build()


def _scissor_arm(build: Builder, name: str, start: Point2, end: Point2) -> None:
    length = math.dist(start, end)
    build.part(
        name,
        in_plane(start, heading(start, end)),
        a=frame(),
        middle=frame((length / 2, 0.0, 0.0)),
        b=frame((length, 0.0, 0.0)),
    )


def jansen_leg(crank: float = 0.0) -> Assembly:
    """One leg of Theo Jansen's walker: 8 links, three loops, 1 freedom; `crank` [deg].

    Proportions from T. Jansen, The Great Pretender, 2007. The foot is `lower/foot`.
    """
    s = JANSEN
    origin: Point2 = (0.0, 0.0)
    hip: Point2 = (-s["a"], -s["l"])
    pin = polar(origin, s["m"], math.radians(crank))
    # Each joint is the crossing of two circles; sides as seen going from the first centre.
    top = meet(pin, s["j"], hip, s["b"], -1)
    back = meet(hip, s["d"], top, s["e"], 1)
    knee = meet(pin, s["k"], hip, s["c"], 1)
    ankle = meet(back, s["f"], knee, s["g"], -1)
    foot = meet(ankle, s["h"], knee, s["i"], -1)
    build = Builder("Jansen leg")
    build.ground("ground", crank=frame(), hip=frame((*hip, 0.0)))
    build.bar("crank", origin, pin)
    build.bar("upper_rod", pin, top)
    build.bar("lower_rod", pin, knee)
    _triangle(build, "upper", {"hip": hip, "top": top, "back": back})
    build.bar("swing", hip, knee)
    build.bar("link", back, ankle)
    _triangle(build, "lower", {"knee": knee, "ankle": ankle, "foot": foot})
    build.revolute("crank_pivot", "ground/crank", "crank/a")
    build.revolute("upper_hip", "ground/hip", "upper/hip")
    build.revolute("swing_hip", "ground/hip", "swing/a")
    build.revolute("upper_pin", "crank/b", "upper_rod/a")
    build.revolute("lower_pin", "crank/b", "lower_rod/a")
    build.revolute("top", "upper_rod/b", "upper/top")
    build.revolute("back", "upper/back", "link/a")
    build.revolute("swing_knee", "lower_rod/b", "swing/b")
    build.revolute("lower_knee", "swing/b", "lower/knee")
    build.revolute("ankle", "link/b", "lower/ankle")
    build.drive_joint("crank", "ground/crank", "crank/a", Freedom.TURN, crank)
    return build.build()


def _triangle(build: Builder, name: str, corners: dict[str, Point2]) -> None:
    """A three-pin part at its first corner, x axis towards the second."""
    (_, first), (_, second), _ = corners.items()
    angle = heading(first, second)
    local = {
        corner: polar((0.0, 0.0), math.dist(first, p), heading(first, p) - angle)
        for corner, p in corners.items()
    }
    pins = {corner: frame((x, y, 0.0)) for corner, (x, y) in local.items()}
    build.part(name, in_plane(first, angle), **pins)


def four_bar_chain(n: int = 3, crank: float = 90.0) -> Assembly:
    """n four-bars in a row on one ground, the rocker of each being the crank of the next.

    Every lever is straight through its pivot: one arm takes part in the four-bar on its left,
    the opposite arm in the one on its right. Odd four-bars lie above the pivots, even ones below
    and are the odd ones turned by half a turn, so that two in a row pass the crank's angle on
    unchanged: lever 2 k stands parallel to lever 0. Chains of any length therefore move over
    the range of the first two, crank angle `CHAIN_RANGE` [deg], without a dead point.
    """
    if n < 1:
        raise ValueError(f"a chain needs at least one four-bar, found {n}")
    g, a, b, c = CHAIN_GROUND, CHAIN_EVEN, CHAIN_COUPLER, CHAIN_ODD
    phi = math.radians(crank)
    pin = polar((0.0, 0.0), a, phi)
    psi = heading((g, 0.0), meet(pin, b, (g, 0.0), c, 1))
    build = Builder(f"Chain of {n} four-bar{'s' if n > 1 else ''}")
    build.ground("ground", **{f"pivot_{k}": frame((g * k, 0.0, 0.0)) for k in range(n + 1)})
    for k in range(n + 1):
        length, angle = (a, phi) if k % 2 == 0 else (c, psi)
        build.part(
            f"lever_{k}",
            in_plane((g * k, 0.0), angle),
            pivot=frame(),
            up=frame((length, 0.0, 0.0)),
            down=frame((-length, 0.0, 0.0)),
        )
        build.revolute(f"pivot_{k}", f"ground/pivot_{k}", f"lever_{k}/pivot")
    for k in range(1, n + 1):
        arm, sign = ("up", 1.0) if k % 2 else ("down", -1.0)
        near, far = ((a, phi), (c, psi)) if k % 2 else ((c, psi), (a, phi))
        start = polar((g * (k - 1), 0.0), sign * near[0], near[1])
        end = polar((g * k, 0.0), sign * far[0], far[1])
        build.bar(f"coupler_{k}", start, end)
        build.revolute(f"left_pin_{k}", f"lever_{k - 1}/{arm}", f"coupler_{k}/a")
        build.revolute(f"right_pin_{k}", f"coupler_{k}/b", f"lever_{k}/{arm}")
    build.drive_joint("crank", "ground/pivot_0", "lever_0/pivot", Freedom.TURN, crank)
    return build.build()
