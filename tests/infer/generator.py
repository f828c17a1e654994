"""Random mechanisms with real geometry, and decoys among them; the same for the same seed.

A base plate carries a few units at places of their own: linkages of bars and pins, slider-cranks,
ball-jointed rods, arms, rails, posts, telescopes. Between them stands what only looks like a
joint: screwed brackets, holes in line by chance, stops that a link just touches.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tests.infer.shop import Point, Shop, ball, bar, block, rod

BASE = "base"
PITCH = 420.0  # between units
FLOOR = 12.0  # thickness of the base plate, its top at z = 0


def generate(seed: int) -> tuple[Shop, np.random.Generator]:
    """A shop with everything in it, and the generator to go on with."""
    rng = np.random.default_rng(seed)
    shop = Shop(scale=float(rng.choice([0.3, 1.0, 1.0, 4.0])))
    count = int(rng.integers(1, 4))
    decoys = int(rng.integers(1, 4))
    places = [(PITCH * (k % 3), PITCH * (k // 3)) for k in range(count + decoys)]
    high = (PITCH * (min(count + decoys, 3) - 0.5), PITCH * ((count + decoys + 2) // 3 - 0.5))
    shop.add(BASE, block((-PITCH / 2, -PITCH / 2, -FLOOR), (*high, 0.0)))
    for k, (x, y) in enumerate(places):
        made = UNITS if k < count else DECOYS
        made[int(rng.integers(len(made)))](shop, rng, f"u{k}", x, y)
    return shop, rng


# -- joints -------------------------------------------------------------------------------


def hinge(
    shop: Shop,
    rng: np.random.Generator,
    lower: str,
    upper: str,
    at: Point,
    thick: float,
    radius: float,
    below: float,
) -> None:
    """A pin joint: `upper` lies on `lower`, its foot at height at[2], the parts `thick` each.

    `below`: how far the lower part reaches down there.
    """
    x, y, z = at
    gap = float(rng.choice([0.0, 0.1]))  # clearance on the radius
    wall = 0.0  # of a sleeve
    style = rng.choice(["headed", "headed", "plain", "loose", "missing", "long"])
    if style in ("headed", "loose") and rng.random() < 0.3:
        _bush(shop, upper, at, thick, radius, gap)
        wall = 2.0
    shop.cut(upper, rod(radius + gap + wall, (x, y, z - 1), thick + 2))
    shop.joint("revolute", lower, upper, at)
    if style == "headed":
        shop.put(lower, rod(radius, (x, y, z - below), thick + below + 0.2))
        shop.put(lower, rod(1.6 * radius, (x, y, z + thick + 0.2), 2.0))
    elif style == "plain":
        shop.put(lower, rod(radius, (x, y, z - below), thick + below))
    elif style == "long":  # sticks out a little, with a washer on it
        shop.put(lower, rod(radius, (x, y, z - below), thick + below + 5.0))
        washer = f"{upper}_washer_{len(shop.hardware)}"
        shop.hardware.add(washer)
        shop.add(washer, rod(1.9 * radius, (x, y, z + thick), 2.0))
        shop.cut(washer, rod(radius + 0.2, (x, y, z + thick - 1), 4.0))
    elif style == "loose":
        name = f"{upper}_pin_{len(shop.hardware)}"
        shop.hardware.add(name)
        shop.cut(lower, rod(radius + gap, (x, y, z - below), below + 1))
        shop.add(name, rod(radius, (x, y, z - below), thick + below))
        shop.add(name, rod(1.7 * radius, (x, y, z + thick), 3.0))
    else:
        shop.cut(lower, rod(radius + gap, (x, y, z - below), below + 1))


def _bush(shop: Shop, upper: str, at: Point, thick: float, radius: float, gap: float) -> None:
    """A sleeve in the hole of the upper part, around the pin."""
    x, y, z = at
    name = f"{upper}_bush_{len(shop.hardware)}"
    shop.hardware.add(name)
    shop.add(name, rod(radius + gap + 2.0, (x, y, z), thick))
    shop.cut(name, rod(radius + gap, (x, y, z - 1), thick + 2))


def seat_on_base(
    shop: Shop, rng: np.random.Generator, part: str, at: Point, thick: float, radius: float
) -> None:
    """A pin joint on a post of the base."""
    x, y, z = at
    shop.add(BASE, rod(1.8 * radius, (x, y, -1.0), z + 1.0))
    hinge(shop, rng, BASE, part, at, thick, radius, min(z, 8.0))


# -- units --------------------------------------------------------------------------------


def four_bar(shop: Shop, rng: np.random.Generator, name: str, x: float, y: float) -> None:
    """Crank, coupler and rocker, at times with two more links on the coupler."""
    radius, thick = float(rng.uniform(4, 7)), float(rng.uniform(6, 10))
    width = 2 * radius + float(rng.uniform(8, 12))
    a, b, c, d = (float(rng.uniform(*r)) for r in ((35, 50), (100, 120), (80, 100), (110, 130)))
    angle = float(rng.uniform(0.3, 2.5))
    A, D = np.array([x - 60, y - 60]), np.array([x - 60 + d, y - 60])
    B = A + a * np.array([math.cos(angle), math.sin(angle)])
    C = _meet(B, D, b, c)
    z1, z2 = 10.0, 10.0 + thick
    crank, coupler, rocker = (f"{name}_{n}" for n in ("crank", "coupler", "rocker"))
    shop.add(crank, bar((*A, z1), (*B, z1), width, thick))
    shop.add(rocker, bar((*D, z1), (*C, z1), width, thick))
    shop.add(coupler, bar((*B, z2), (*C, z2), width, thick))
    seat_on_base(shop, rng, crank, (*A, z1), thick, radius)
    seat_on_base(shop, rng, rocker, (*D, z1), thick, radius)
    hinge(shop, rng, crank, coupler, (*B, z2), thick, radius, thick)
    hinge(shop, rng, rocker, coupler, (*C, z2), thick, radius, thick)
    if rng.random() < 0.5:
        _dyad(shop, rng, name, (B, C, D), coupler, (z2, thick, width, radius))


def _dyad(shop, rng, name, points, coupler, sizes) -> None:
    """Two links from the middle of the coupler to a tall post of the base."""
    B, C, D = points
    z2, thick, width, radius = sizes
    P = 0.5 * (B + C)
    E = D + np.array([20.0, 90.0])
    reach = float(np.linalg.norm(E - P))
    F = _meet(P, E, 0.75 * reach, 0.7 * reach)
    z3, z4 = z2 + thick, z2 + 2 * thick
    first, second = f"{name}_link", f"{name}_swing"
    shop.add(first, bar((*P, z3), (*F, z3), width, thick))
    shop.add(second, bar((*F, z4), (*E, z4), width, thick))
    hinge(shop, rng, coupler, first, (*P, z3), thick, radius, thick)
    hinge(shop, rng, first, second, (*F, z4), thick, radius, thick)
    seat_on_base(shop, rng, second, (*E, z4), thick, radius)


def _meet(p: np.ndarray, q: np.ndarray, r: float, s: float) -> np.ndarray:
    """A point at distance r from p and s from q."""
    d = q - p
    n = float(np.linalg.norm(d))
    along = (n * n + r * r - s * s) / (2 * n)
    height = math.sqrt(max(r * r - along * along, 0.0))
    return p + along * d / n + height * np.array([-d[1], d[0]]) / n


def slider_crank(shop: Shop, rng: np.random.Generator, name: str, x: float, y: float) -> None:
    """Crank and rod push a piston in a bore, or a block on a rail."""
    radius, thick = float(rng.uniform(4, 6)), 8.0
    width = 2 * radius + 10
    a, l = float(rng.uniform(25, 35)), float(rng.uniform(90, 110))
    angle = float(rng.uniform(0.4, 2.6))
    A = np.array([x - 110, y])
    B = A + a * np.array([math.cos(angle), math.sin(angle)])
    C = np.array([A[0] + a * math.cos(angle) + math.sqrt(l * l - (a * math.sin(angle)) ** 2), y])
    z1 = 30.0
    z2 = z1 + thick
    crank, conrod, slider = (f"{name}_{n}" for n in ("crank", "rod", "slider"))
    shop.add(crank, bar((*A, z1), (*B, z1), width, thick))
    shop.add(conrod, bar((*B, z2), (*C, z2), width, thick))
    seat_on_base(shop, rng, crank, (*A, z1), thick, radius)
    hinge(shop, rng, crank, conrod, (*B, z2), thick, radius, thick)
    (_piston if rng.random() < 0.5 else _on_rail)(shop, rng, slider, C, (z1, thick, a))
    hinge(shop, rng, slider, conrod, (*C, z2), thick, radius, 10.0)


def _piston(shop, rng, slider, C, sizes) -> None:
    """A round piston with a flat on top at the pin, in a bore along x."""
    z1, thick, a = sizes
    z = z1 - 12.0
    bore = 14.0
    gap = float(rng.choice([0.0, 0.1]))
    start = C[0] + 18.0
    shop.add(slider, rod(bore, (start, C[1], z), 34.0, (1, 0, 0)))
    shop.add(slider, block((C[0] - 14, C[1] - 10, z - 6), (start + 1, C[1] + 10, z1 + thick)))
    length = 2 * a + 60
    first = start - a - 6.0 + 10
    shop.add(BASE, block((first, C[1] - 24, -1), (first + length, C[1] + 24, z + 22)))
    shop.cut(BASE, rod(bore + gap, (first - 1, C[1], z), length + 2, (1, 0, 0)))
    shop.joint("prismatic", BASE, slider, (C[0], C[1], z), (1, 0, 0))


def _on_rail(shop, rng, slider, C, sizes) -> None:
    """A block that slides in a channel with lips over it."""
    z1, thick, a = sizes
    gap = float(rng.choice([0.0, 0.05, 0.1]))
    low, high = 12.0, z1 - 4.0
    shop.add(slider, block((C[0] - 22, C[1] - 15, low), (C[0] + 22, C[1] + 15, high)))
    shop.add(slider, block((C[0] - 12, C[1] - 8, high - 1), (C[0] + 12, C[1] + 8, z1 + thick)))
    x0, x1 = C[0] - 22 - 2 * a, C[0] + 22 + 2 * a
    wall = 15 + gap
    for side in (-1, 1):
        near, far = C[1] + side * wall, C[1] + side * (wall + 10)
        shop.add(BASE, block((x0, min(near, far), -1), (x1, max(near, far), high + gap + 6)))
        lip = C[1] + side * 10
        shop.add(BASE, block((x0, min(lip, far), high + gap), (x1, max(lip, far), high + gap + 6)))
    shop.add(BASE, block((x0, C[1] - 20, -1), (x1, C[1] + 20, low - gap)))
    shop.joint("prismatic", BASE, slider, (C[0], C[1], low), (1, 0, 0))


def ball_rod(shop: Shop, rng: np.random.Generator, name: str, x: float, y: float) -> None:
    """Two levers on posts, joined by a rod with a socket at each end."""
    radius, thick = 6.0, 10.0
    size = float(rng.uniform(7, 10))
    gap = float(rng.choice([0.0, 0.05]))
    ends = []
    for k, (px, py, pz) in enumerate(((x - 90, y - 40, 14.0), (x + 70, y + 30, 60.0))):
        part = f"{name}_lever_{k}"
        tip = (px + 20 + 25 * k, py + 30 - 70 * k, pz)
        shop.add(part, bar((px, py, pz), tip, 26.0, thick))
        seat_on_base(shop, rng, part, (px, py, pz), thick, radius)
        centre = (tip[0], tip[1], pz + thick + 22.0)
        shop.put(part, rod(0.5 * size, (tip[0], tip[1], pz + thick - 1), 23.0), ball(size, centre))
        ends.append((part, centre))
    (p, a), (q, b) = ends
    link = f"{name}_rod"
    d = np.array(b) - np.array(a)
    n = float(np.linalg.norm(d))
    way = (float(d[0] / n), float(d[1] / n), float(d[2] / n))
    shop.add(link, rod(0.45 * size, a, n, way))
    for centre in (a, b):
        # Open below: the stud comes in from there.
        shop.add(link, rod(1.5 * size, (centre[0], centre[1], centre[2] - 0.4 * size), 1.9 * size))
        shop.cut(link, ball(size + gap, centre))
    shop.joint("spherical", p, link, a)
    shop.joint("spherical", q, link, b)


def arm(shop: Shop, rng: np.random.Generator, name: str, x: float, y: float) -> None:
    """A turntable on the base, a fork on it, and a swinging arm in the fork."""
    r = float(rng.uniform(12, 18))
    gap = float(rng.choice([0.0, 0.1]))
    table, swing = f"{name}_table", f"{name}_arm"
    shop.add(BASE, rod(2 * r, (x, y, -1), 31.0))
    shop.cut(BASE, rod(r + gap, (x, y, 4.0), 40.0))
    shop.add(table, rod(r, (x, y, 6.0), 26.0), rod(2.2 * r, (x, y, 30.0), 12.0))
    shop.joint("revolute", BASE, table, (x, y, 10.0))
    axis = float(rng.uniform(0, math.pi))
    n = np.array([math.cos(axis), math.sin(axis), 0.0])
    t = np.array([-n[1], n[0], 0.0])
    centre = np.array([x, y, 42.0 + 24.0])
    for side in (-1, 1):
        foot = centre + side * 14.0 * n
        shop.add(table, _upright(foot, n, t, 8.0 * side, 26.0))
    pin = centre - 22 * n
    shop.put(table, rod(6.0, tuple(pin), 44.0, tuple(n)))
    shop.add(swing, rod(14.0, tuple(centre - 13.0 * n), 26.0, tuple(n)))
    out = centre + 8.0 * np.array([0, 0, 1.0])
    shop.add(swing, rod(7.0, tuple(out), 90.0, (0, 0, 1)))
    shop.cut(swing, rod(6.0 + gap, tuple(centre - 30 * n), 60.0, tuple(n)))
    shop.joint("revolute", table, swing, tuple(centre), tuple(n))


def _upright(foot, n, t, thick, height):
    """A cheek of the fork: a plate normal to n from the table up past the pin."""
    import cadquery as cq

    wide = 14.0
    low = min(0.0, thick)
    angle = math.degrees(math.atan2(n[1], n[0]))
    plate = block((low, -wide, -height), (low + abs(thick), wide, 14.0))
    plate = plate.rotate(cq.Vector(0, 0, 0), cq.Vector(0, 0, 1), angle)
    return plate.translate(cq.Vector(*foot))


def posts(shop: Shop, rng: np.random.Generator, name: str, x: float, y: float) -> None:
    """A carriage on two or three posts of the base."""
    radius, gap = float(rng.uniform(5, 8)), float(rng.choice([0.0, 0.05, 0.1]))
    carriage = f"{name}_carriage"
    shop.add(carriage, block((x - 60, y - 40, 50), (x + 60, y + 40, 74)))
    for dx, dy in ((-40, -20), (40, 20), (-40, 20))[: int(rng.integers(2, 4))]:
        shop.add(BASE, rod(radius, (x + dx, y + dy, -1), 161.0))
        shop.cut(carriage, rod(radius + gap, (x + dx, y + dy, 40), 50.0))
    shop.joint("prismatic", BASE, carriage, (x, y, 60.0))


def telescope(shop: Shop, rng: np.random.Generator, name: str, x: float, y: float) -> None:
    """A barrel on a fork of the base with a rod in it."""
    bore, gap = float(rng.uniform(8, 12)), float(rng.choice([0.0, 0.1]))
    barrel, piston = f"{name}_barrel", f"{name}_rod"
    z = 40.0
    shop.add(barrel, rod(14.0, (x - 80, y - 10, z), 20.0, (0, 1, 0)))
    shop.add(barrel, rod(bore + 5, (x - 75, y, z), 140.0, (1, 0, 0)))
    shop.cut(barrel, rod(bore + gap, (x - 55, y, z), 140.0, (1, 0, 0)))
    shop.cut(barrel, rod(6.0, (x - 80, y - 20, z), 40.0, (0, 1, 0)))
    for side in (-1, 1):
        near, far = sorted((y + side * 11.0, y + side * 19.0))
        shop.add(BASE, block((x - 94, near, -1), (x - 66, far, z + 12)))
    shop.put(BASE, rod(6.0, (x - 80, y - 19, z), 38.0, (0, 1, 0)))
    shop.joint("revolute", BASE, barrel, (x - 80, y, z), (0, 1, 0))
    reach = float(rng.uniform(60, 90))
    shop.add(piston, rod(bore, (x + 65 - reach, y, z), reach + 40, (1, 0, 0)))
    shop.add(piston, block((x + 100, y - 12, z - 12), (x + 124, y + 12, z + 20)))
    shop.joint("cylindrical", barrel, piston, (x, y, z), (1, 0, 0))


# -- decoys -------------------------------------------------------------------------------


def bracket(shop: Shop, rng: np.random.Generator, name: str, x: float, y: float) -> None:
    """A foot screwed to the base; the screws are parts, or only their holes are there."""
    part, count = f"{name}_foot", int(rng.integers(2, 5))
    radius = float(rng.uniform(3, 5))
    shop.add(part, block((x - 50, y - 50, 0), (x + 50, y + 50, 10)))
    shop.add(part, block((x - 10, y - 50, 9), (x + 10, y + 50, 60)))
    screws = rng.random() < 0.6
    for k in range(count):
        px, py = x + (-38, 38, -38, 38)[k], y + (-38, 38, 38, -38)[k]
        shop.cut(part, rod(radius, (px, py, -1), 12.0))
        shop.cut(BASE, rod(radius, (px, py, -FLOOR - 1), FLOOR + 2))
        if screws:
            screw = f"{name}_screw_{k}"
            shop.hardware.add(screw)
            shop.add(screw, rod(radius, (px, py, -FLOOR + 1), FLOOR + 9))
            shop.add(screw, rod(1.7 * radius, (px, py, 10), 0.9 * radius))
    shop.rigid.append((BASE, part))


def holes_in_line(shop: Shop, rng: np.random.Generator, name: str, x: float, y: float) -> None:
    """Two uprights of the base's own material with a screwed one between; holes line up afar."""
    part = f"{name}_wall"
    bracket_at = Shop()
    bracket(bracket_at, rng, name, x, y)
    for attribute in ("solids", "tools"):
        for key, shapes in getattr(bracket_at, attribute).items():
            new = part if key == f"{name}_foot" else key
            getattr(shop, attribute).setdefault(new, []).extend(shapes)
    shop.hardware |= bracket_at.hardware
    shop.rigid.append((BASE, part))
    radius = float(rng.uniform(4, 8))
    for side in (-1, 1):
        shop.add(BASE, block((x + side * 100 - 6, y - 30, -1), (x + side * 100 + 6, y + 30, 60)))
        shop.cut(BASE, rod(radius, (x + side * 100 - 20, y, 40), 40.0, (1, 0, 0)))
    shop.cut(part, rod(radius, (x - 30, y, 40), 60.0, (1, 0, 0)))


def stop(shop: Shop, rng: np.random.Generator, name: str, x: float, y: float) -> None:
    """A lever on a post that lies against a stop screwed to the base, and over a washer."""
    radius, thick = 6.0, 10.0
    lever, block_ = f"{name}_lever", f"{name}_stop"
    shop.add(lever, bar((x - 60, y, 12), (x + 60, y, 12), 24.0, thick))
    seat_on_base(shop, rng, lever, (x - 60, y, 12), thick, radius)
    shop.add(block_, block((x + 20, y + 12, 0), (x + 50, y + 60, 26)))
    for k, dx in enumerate((28, 42)):
        screw = f"{name}_bolt_{k}"
        shop.hardware.add(screw)
        shop.cut(block_, rod(3.0, (x + dx, y + 40, -1), 30.0))
        shop.cut(BASE, rod(3.0, (x + dx, y + 40, -FLOOR - 1), FLOOR + 2))
        shop.add(screw, rod(3.0, (x + dx, y + 40, -FLOOR + 1), FLOOR + 25))
        shop.add(screw, rod(5.0, (x + dx, y + 40, 26), 3.0))
    shop.rigid.append((BASE, block_))


def lid(shop: Shop, rng: np.random.Generator, name: str, x: float, y: float) -> None:
    """A cover that only rests on the base."""
    part = f"{name}_cover"
    shop.add(part, block((x - 60, y - 45, 0), (x + 60, y + 45, float(rng.uniform(10, 40)))))
    shop.rigid.append((BASE, part))


Unit = Callable[[Shop, np.random.Generator, str, float, float], None]
UNITS: tuple[Unit, ...] = (four_bar, four_bar, slider_crank, ball_rod, arm, posts, telescope)
DECOYS: tuple[Unit, ...] = (bracket, holes_in_line, stop, lid)
