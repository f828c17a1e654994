"""Double wishbone suspension: front left corner with rack, tie rod, damper, hub and wheel."""

from __future__ import annotations

import cadquery as cq
import numpy as np

from cad2mbs.model.pose import Pose
from scripts.solids import palette
from scripts.solids.spatial import (
    X,
    Y,
    Z,
    around,
    ball,
    ball_pin,
    block,
    cut,
    disc,
    ears,
    join,
    location,
    off,
    rod,
    soft_disc,
    strap,
    together,
    turned,
    yoke,
)
from scripts.solids.spatial_sizes import Suspension as S
from scripts.solids.spatial_sizes import axes, direction

PIVOT, BUSH, BUSH_WIDTH = 10.0, 21.0, 44.0  # arm hinges: radii of pin and bush, width
CLEARANCE = 0.1  # between pin and bush, on the radius
BALL, STUD = 14.0, 7.0  # ball joints of the arms
STEER_BALL, CROSS, PIN = 12.0, 14.0, 6.0  # tie rod's outer ball, balls and pins of the crosses
RACK_BAR, SPINDLE = 14.0, 20.0
PISTON, DAMPER = 9.0, 24.0
RIM, TYRE, HALF = 184.0, 300.0, 88.0  # wheel: radii, half width


def build() -> cq.Assembly:
    parts = {
        "chassis": (chassis(), palette.DARK_STEEL),
        "lower_arm": (lower_arm(), palette.RED),
        "upper_arm": (upper_arm(), palette.RED),
        "knuckle": (knuckle(), palette.CAST_IRON),
        "rack": (rack(), palette.STEEL),
        "tie_rod": (tie_rod(), palette.BRASS),
        "damper_body": (damper_body(), palette.YELLOW),
        "damper_rod": (damper_rod(), palette.STEEL),
        "wheel": (wheel(), palette.ALUMINIUM),
        "tyre": (tyre(), palette.DARK_GREY),
    }
    where = places()
    return together("Suspension", {n: (*p, location(where[n])) for n, p in parts.items()})


def places() -> dict[str, Pose]:
    """Where the part frames are at design height; most have the axes of the car."""
    upper = direction(S.UPPER_REAR, S.UPPER_FRONT)
    tie = direction(S.RACK, S.STEER)
    damper = direction(S.DAMPER_TOP, S.DAMPER_FOOT)
    # Round rods: z along them; x is their own pin of the cross, normal to the one they hang on.
    R_tie = axes(np.cross(Z, tie), tie)
    R_damper = axes(np.cross(X, damper), damper)
    R_upper = np.column_stack([upper, Y, np.cross(upper, Y)])
    wheel_place = Pose(S.WHEEL)
    return {
        "chassis": Pose(),
        "lower_arm": Pose(tuple(middle(S.LOWER_FRONT, S.LOWER_REAR))),
        "upper_arm": Pose.from_matrix(middle(S.UPPER_FRONT, S.UPPER_REAR), R_upper),
        "knuckle": wheel_place,
        "rack": Pose(S.RACK),
        "tie_rod": Pose.from_matrix(S.RACK, R_tie),
        "damper_body": Pose.from_matrix(S.DAMPER_TOP, R_damper),
        "damper_rod": Pose.from_matrix(S.DAMPER_FOOT, R_damper),
        "wheel": wheel_place,
        "tyre": wheel_place,
    }


def middle(p, q) -> np.ndarray:
    return (np.array(p) + np.array(q)) / 2


def chassis() -> cq.Shape:
    """Two rails with posts, ears for the arms, the rack's housing and the damper's tower."""
    low = block((-240, 296, 165), (220, 346, 215), 8, "|X and >Y")
    high = block((-240, 316, 402), (220, 376, 472), 8, "|X and >Y")
    posts = [block((x, 304, 200), (x + 36, 338, 420)) for x in (-238, 182)]
    brace = rod(11, (195, 322, 200), (15, 335, 415))
    hinges: list[cq.Shape] = []
    for p, n, back in (
        (S.LOWER_FRONT, X, 60),
        (S.LOWER_REAR, X, 60),
        (S.UPPER_FRONT, direction(S.UPPER_REAR, S.UPPER_FRONT), 66),
        (S.UPPER_REAR, direction(S.UPPER_REAR, S.UPPER_FRONT), 66),
    ):
        pair = ears(n, (0, -1, 0), BUSH_WIDTH + 2, (13, 9, back))
        pin = disc(PIVOT, (0, 0, 0), n, BUSH_WIDTH + 30)
        hinges += [s.translate(cq.Vector(*p)) for s in (*pair, pin)]
    rx, _, rz = S.RACK
    housing = turned(
        [(0, 0), (26, 0), (26, 180), (31, 186), (31, 214), (28, 218), (0, 218)], (rx, 40, rz), Y
    )
    saddle = [
        block((rx - 20, 230, 190), (rx + 20, 254, rz)),
        block((rx - 20, 230, 180), (rx + 20, 300, 212)),
    ]
    pinion = [
        block((rx - 27, 130, rz - 27), (rx + 27, 190, rz + 40)),
        rod(9, (rx, 160, rz), (rx, 160, rz + 80)),
    ]
    whole = join(low, high, *posts, brace, *hinges, housing, *saddle, *pinion, tower())
    return cut(whole, rod(RACK_BAR, (rx, 52, rz), (rx, 340, rz)))


def tower() -> cq.Shape:
    """The bracket over the upper rail that holds the damper's cross."""
    tx, ty, tz = S.DAMPER_TOP
    plate = block((-80, 316, 440), (80, 336, tz + 44), 18, "|Y and >Z")
    window = disc(26, (0, 326, 530), Y, 60)
    roof = block((-80, 316, tz + 26), (80, ty + 34, tz + 44), 18, "|Z and >Y")
    ribs = [
        cq.Workplane("YZ", origin=(x, 0, 0))
        .polyline([(330, tz + 30), (330, tz - 90), (ty + 20, tz + 30)])
        .close()
        .extrude(10)
        .val()
        for x in (-70, 60)
    ]
    cross = [*ears(X, Z, 44, (14, 9, 26)), ball_pin(CROSS, PIN, 66, X)]
    return join(
        cut(plate, window), roof, *ribs, *(s.translate(cq.Vector(tx, ty, tz)) for s in cross)
    )


def wishbone(pivots, joint, drop: float, thick: float) -> cq.Shape:
    """Two legs from the bushes to a boss `drop` away from the ball along z."""
    seat = off(np.array(joint), 0, 0, drop)
    legs = [
        strap((p, seat), (11, 18), np.cross(direction(p, seat), X_NORMAL), thick) for p in pivots
    ]
    bushes = [soft_disc(BUSH, p, X, BUSH_WIDTH, 1.5) for p in pivots]
    boss = soft_disc(20, seat, Z, thick + 8, 1.5)
    stem = rod(STUD, seat, joint)
    holes = [disc(PIVOT + CLEARANCE, p, X, 3 * BUSH_WIDTH) for p in pivots]
    body = cut(join(*legs, *bushes, boss), *holes)
    return join(body, stem, ball(BALL, joint))


X_NORMAL = np.array([1.0, 0.0, 0.0])


def lower_arm() -> cq.Shape:
    origin = middle(S.LOWER_FRONT, S.LOWER_REAR)
    pivots = [np.array(p) - origin for p in (S.LOWER_FRONT, S.LOWER_REAR)]
    joint, foot = np.array(S.LOWER_BALL) - origin, np.array(S.DAMPER_FOOT) - origin
    arm = wishbone(pivots, joint, -32, 22)
    bridge = block((foot[0] - 62, foot[1] - 24, -26), (foot[0] + 62, foot[1] + 24, -8))
    fork = [*ears(X, (0, 0, -1), 34, (14, 10, foot[2] + 14)), ball_pin(CROSS, PIN, 62, X)]
    return join(arm, bridge, *(s.translate(cq.Vector(*foot)) for s in fork))


def upper_arm() -> cq.Shape:
    place = places()["upper_arm"]
    R, origin = place.rotation(), np.array(place.position)
    pivots = [R.T @ (np.array(p) - origin) for p in (S.UPPER_FRONT, S.UPPER_REAR)]
    return wishbone(pivots, R.T @ (np.array(S.UPPER_BALL) - origin), 32, 18)


def knuckle() -> cq.Shape:
    """The upright: sockets for both arms, the wheel's spindle, steering arm and brake caliper."""
    origin = np.array(S.WHEEL)
    low, high, steer = (np.array(p) - origin for p in (S.LOWER_BALL, S.UPPER_BALL, S.STEER))
    carrier = soft_disc(58, (0, -58, 0), Y, 36, 3)
    elbow = np.array([high[0], -96.0, high[2] - 50])
    spine = [
        strap(((0, -60, 0), off(low, 0, 0, 16)), (30, 20), Y, 30),
        strap(((0, -60, 0), off(elbow, 0, 36, 0)), (30, 20), Y, 30),
        strap((off(elbow, 0, 30, -10), off(high, 0, 0, -10)), (18, 18), X, 34),
    ]
    sockets = [
        rod(23, off(low, 0, 0, -6), off(low, 0, 0, 24)),
        rod(23, off(high, 0, 0, 6), off(high, 0, 0, -24)),
    ]
    knee = off(steer, 0, 4, 25)
    arm = strap(((-20, -62, -16), knee), (22, 11), Y, 20)
    stud = [rod(6, knee, steer), ball(STEER_BALL, steer)]
    spindle = [rod(SPINDLE, (0, -60, 0), (0, 34, 0)), rod(13, (0, 34, 0), (0, 44, 0))]
    nut = cq.Workplane("XZ", origin=(0, 36, 0)).polygon(6, 46).extrude(-14).val()
    caliper = block((92, -58, -52), (152, 2, 52), 12, "|Y")
    slot = disc(146, (0, -26, 0), Y, 16)
    holder = block((40, -70, -22), (110, -48, 22))
    whole = join(carrier, *spine, *sockets, arm, stud[0], *spindle, nut, cut(caliper, slot), holder)
    whole = cut(whole, ball(BALL, low), ball(BALL, high))
    return join(whole, stud[1])


def wheel() -> cq.Shape:
    """Rim with five spokes, hub and brake disc, about y."""
    barrel = turned(
        [
            (RIM - 12, -HALF),
            (RIM + 8, -HALF),
            (RIM + 8, -HALF + 8),
            (RIM - 2, -HALF + 14),
            (RIM - 2, HALF - 14),
            (RIM + 8, HALF - 8),
            (RIM + 8, HALF),
            (RIM - 12, HALF),
        ],
        along=Y,
    )
    hub = turned([(0, -20), (62, -20), (62, 4), (50, 16), (50, 34), (0, 34)], along=Y)
    face = [strap(((0, 24, 0), (x, 24, z)), (44, 23), Y, 20) for z, x, _ in around(RIM - 31, 5)]
    brake = soft_disc(136, (0, -26, 0), Y, 12, 1.5)
    bolts = [rod(7, (x, -40, z), (x, 60, z)) for z, x, _ in around(34, 5, 36)]
    vents = [rod(7, (x, -40, z), (x, -10, z)) for z, x, _ in around(100, 12)]
    valve = rod(4, (0, 50, RIM - 14), (0, HALF + 8, RIM - 14))
    whole = join(barrel, hub, *face, brake, valve)
    return cut(whole, rod(SPINDLE, (0, -60, 0), (0, 60, 0)), *bolts, *vents)


def tyre() -> cq.Shape:
    """A ring with bulging walls and two grooves, about y."""
    half = [(RIM + 8, 76), (RIM + 24, 92), (RIM + 66, 100), (TYRE - 12, 92), (TYRE, 78)]
    groove = [(TYRE, 32), (TYRE - 8, 32), (TYRE - 8, 22), (TYRE, 22)]
    right = half + groove
    left = [(r, -y) for r, y in reversed(right)]
    body = turned([(RIM - 1, 72), *right, *left, (RIM - 1, -72)], along=Y)
    dot = rod(5, (0, 94, RIM + 60), (0, 110, RIM + 60))  # sits at the valve
    return cut(body, *(ring_at(y) for y in (-1, 1)), dot)


def ring_at(side: int) -> cq.Shape:
    """Clearance for the rim's flange on one side."""
    low, high = sorted((side * (HALF - 15), side * (HALF + 1)))
    return turned([(RIM - 4, low), (RIM + 8.5, low), (RIM + 8.5, high), (RIM - 4, high)], along=Y)


def rack() -> cq.Shape:
    """The toothed bar, with a fork and its cross at the origin; it slides along y."""
    bar = rod(RACK_BAR, (0, -245, 0), (0, -22, 0))
    cross = [*ears(Z, (0, -1, 0), 32, (11, 8, 16)), ball_pin(CROSS, PIN, 56, Z)]
    return join(bar, disc(24, (0, -27, 0), Y, 10), *cross)


def tie_rod() -> cq.Shape:
    """Yoke round the rack's cross at the origin, socket for the steering ball at the far end."""
    length = float(np.linalg.norm(np.array(S.STEER) - np.array(S.RACK)))
    grip = yoke(CROSS, 34, 16, 7)
    shank = rod(8.5, (0, 0, 30), (0, 0, length - 12))
    nut = cq.Workplane("XY", origin=(0, 0, length - 51)).polygon(6, 28).extrude(12).val()
    sleeve = rod(10, (0, 0, length - 40), (0, 0, length - 8))
    eye = disc(18, (0, 0, length), Y, 15)
    whole = join(grip, shank, nut, sleeve, eye)
    return cut(whole, ball(STEER_BALL, (0, 0, length), Y))


def damper_body() -> cq.Shape:
    """Yoke round the tower's cross at the origin, tube with a spring seat down z."""
    grip = yoke(CROSS, 38, 20, 8)
    barrel = turned(
        [
            (0, 34),
            (DAMPER, 34),
            (DAMPER, 100),
            (44, 104),
            (44, 112),
            (DAMPER, 116),
            (DAMPER, 262),
            (DAMPER - 4, 268),
            (0, 268),
        ]
    )
    nuts = [disc(31, (0, 0, z), Z, 8) for z in (126, 140)]
    return cut(join(grip, barrel, *nuts), rod(PISTON, (0, 0, 60), (0, 0, 300)))


def damper_rod() -> cq.Shape:
    """Eye on the lower arm's ball at the origin, the rod up -z."""
    eye = disc(20, (0, 0, 0), Y, 20)
    stem = turned([(0, -36), (22, -36), (22, -28), (8, -14), (0, -14)])
    bar = rod(PISTON, (0, 0, -320), (0, 0, -20))
    return cut(join(eye, stem, bar), ball(CROSS, along=Y))
