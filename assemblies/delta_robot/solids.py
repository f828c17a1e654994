"""Delta robot: three motor arms, six rods in pairs, a platform that stays level."""

from __future__ import annotations

import math

import cadquery as cq
import numpy as np

from cad2mbs.model.pose import Pose
from scripts.solids import palette
from scripts.solids.spatial import (
    Y,
    Z,
    around,
    ball_pin,
    bevel,
    block,
    cut,
    disc,
    join,
    location,
    rod,
    soft_disc,
    strap,
    taper,
    together,
    turned,
    yoke,
)
from scripts.solids.spatial_sizes import Delta as D
from scripts.solids.spatial_sizes import axes

SHAFT, HUB, HUB_WIDTH = 12.0, 30.0, 40.0  # motor shaft, arm hub
BALL, PIN = 11.0, 6.0  # crosses at both ends of the rods
ARM_WIDTH, TUBE = 20.0, 6.5
PLATE = (62.0, 78.0)  # base plate over the motor axes
SIDES = {"a": -1, "b": 1}  # the two rods of a pair


def build() -> cq.Assembly:
    where = places()
    shapes = {"base": (base(), palette.LIGHT_GREY), "platform": (platform(), palette.ORANGE)}
    one_arm, one_rod = arm(), forearm()
    for k in (1, 2, 3):
        shapes[f"arm_{k}"] = (one_arm, palette.BLUE)
        shapes |= {f"rod_{k}{side}": (one_rod, palette.DARK_GREY) for side in SIDES}
    return together("Delta robot", {n: (*s, location(where[n])) for n, s in shapes.items()})


def places() -> dict[str, Pose]:
    """Where the part frames are with all arms at their home angle.

    Arms: x along the arm, z the motor axis. Rods: z from elbow to platform, x their own pin.
    """
    home = math.radians(D.HOME)
    drop = D.BASE + D.ARM * math.cos(home) - D.PLATFORM
    height = D.ARM * math.sin(home) + math.sqrt(D.ROD**2 - drop**2)
    poses = {"base": Pose(), "platform": Pose((0.0, 0.0, -height))}
    for k in (1, 2, 3):
        a = math.radians(120.0 * (k - 1))
        out, side = (
            np.array([math.cos(a), math.sin(a), 0.0]),
            np.array([-math.sin(a), math.cos(a), 0.0]),
        )
        along = math.cos(home) * out - math.sin(home) * np.array(Z)
        poses[f"arm_{k}"] = Pose.from_matrix(D.BASE * out, axes(along, side))
        elbow = D.BASE * out + D.ARM * along
        way = D.PLATFORM * out - (0, 0, height) - elbow
        R = axes(np.cross(side, way / D.ROD), way / D.ROD)
        for name, sign in SIDES.items():
            poses[f"rod_{k}{name}"] = Pose.from_matrix(elbow + sign * D.SPREAD * side, R)
    return poses


def base() -> cq.Shape:
    """A round plate with three motors; each shaft runs between two cheeks."""
    plate = soft_disc(235, (0, 0, sum(PLATE) / 2), Z, PLATE[1] - PLATE[0], 2)
    mounts = [rod(6, (*p[:2], 60), (*p[:2], 80)) for p in around(205, 3, 60)]
    light = [rod(38, (*p[:2], 60), (*p[:2], 80)) for p in around(115, 3, 60)]
    plate = cut(plate, *mounts, *light, rod(45, (0, 0, 60), (0, 0, 80)))
    station = motor()
    turned_to = [station.rotate(cq.Vector(0, 0, 0), cq.Vector(0, 0, 1), a) for a in (0, 120, 240)]
    return join(plate, *turned_to)


def motor() -> cq.Shape:
    """The motor on the x axis: cheeks about the arm, motor outside along y."""
    gap = HUB_WIDTH / 2 + 1
    cheeks = [
        block((D.BASE - 32, min(y), -34), (D.BASE + 32, max(y), PLATE[0] + 1), 12, "|Y and <Z")
        for y in ((gap, gap + 12), (-gap, -gap - 12))
    ]
    body = turned(
        [(0, 0), (38, 0), (38, 10), (33, 14), (33, 92), (28, 98), (0, 98)], (D.BASE, gap + 8, 0), Y
    )
    plug = block((D.BASE - 12, gap + 60, 28), (D.BASE + 12, gap + 84, 48))
    cap = soft_disc(22, (D.BASE, -gap - 14, 0), Y, 8, 2)
    return join(*cheeks, body, plug, cap, disc(SHAFT, (D.BASE, 0, 0), Y, 2 * gap + 10))


def arm() -> cq.Shape:
    """Hub on the motor shaft at the origin, cross shaft with two balls at the elbow."""
    beam = strap(((0, 0, 0), (D.ARM, 0, 0)), (HUB - 2, 13), Z, ARM_WIDTH)
    slot = strap(((58, 0, 0), (D.ARM - 50, 0, 0)), (14, 7), Z, 40)
    hub = soft_disc(HUB, (0, 0, 0), Z, HUB_WIDTH, 1.5)
    body = cut(join(cut(beam, slot), hub), disc(SHAFT, (0, 0, 0), Z, 60))
    collar = disc(13, (D.ARM, 0, 0), Z, ARM_WIDTH + 8)
    return join(body, collar, *crosses((D.ARM, 0, 0), Z))


def crosses(centre, along) -> list[cq.Shape]:
    """A shaft through `centre` with a ball at each end."""
    n, c = np.array(along, float), np.array(centre, float)
    ends = [
        ball_pin(BALL, PIN, 2 * BALL + 6, n).translate(cq.Vector(*(c + s * D.SPREAD * n)))
        for s in (-1, 1)
    ]
    return [disc(PIN, c, n, 2 * D.SPREAD), *ends]


def forearm() -> cq.Shape:
    """A thin tube with a yoke at each end, elbow at the origin, z down to the platform."""
    top = yoke(BALL, 24, 14, 5)
    bottom = top.rotate(cq.Vector(0, 0, 0), cq.Vector(1, 0, 0), 180).translate(
        cq.Vector(0, 0, D.ROD)
    )
    tube = rod(TUBE, (0, 0, 22), (0, 0, D.ROD - 22))
    sleeves = [
        taper((11, TUBE), (0, 0, 24), (0, 0, 52)),
        taper((TUBE, 11), (0, 0, D.ROD - 52), (0, 0, D.ROD - 24)),
    ]
    return join(top, bottom, tube, *sleeves)


def platform() -> cq.Shape:
    """Three cross shafts on a hub, with a suction cup below."""
    hub = bevel(rod(38, (0, 0, -10), (0, 0, 12)), ">Z", 2)
    arms = []
    for a in (0, 120, 240):
        lobe = [
            strap(((0, 0, 0), (D.PLATFORM, 0, 0)), (24, 11), Z, 16),
            *crosses((D.PLATFORM, 0, 0), Y),
        ]
        arms += [s.rotate(cq.Vector(0, 0, 0), cq.Vector(0, 0, 1), a) for s in lobe]
    flange = turned([(0, -40), (9, -40), (9, -20), (22, -18), (22, -8), (0, -8)])
    cup = taper((20, 8), (0, 0, -58), (0, 0, -38))
    taps = [rod(2.5, (*p[:2], 0), (*p[:2], 20)) for p in around(26, 6, 30)]
    return cut(join(hub, *arms, flange, cup), rod(12, (0, 0, 2), (0, 0, 20)), *taps)
