"""Six-axis robot: turntable, upper arm between two cheeks, elbow casting, slim wrist."""

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
    bevel,
    block,
    cut,
    disc,
    join,
    location,
    off,
    rod,
    soft_disc,
    soften,
    strap,
    together,
    turned,
)
from scripts.solids.spatial_sizes import Robot as R

TABLE = 200.0  # height of the face between base and column
SPIGOT_1, SPIGOT_4, SPIGOT_6 = 60.0, 35.0, 18.0  # radii of the centring spigots
CLEARANCE = 0.25  # round the spigots, on the radius
PIVOT_2, PIVOT_3, PIVOT_5 = 40.0, 34.0, 18.0  # radii of the shafts across
ARM = 40.0  # half width of the upper arm
SEAT = 62.0  # from the wrist's middle to the flange's back


def build() -> cq.Assembly:
    parts = {
        "base": (base(), palette.DARK_GREY),
        "column": (column(), palette.ORANGE),
        "upper_arm": (upper_arm(), palette.ORANGE),
        "elbow": (elbow(), palette.ORANGE),
        "forearm": (forearm(), palette.ORANGE),
        "wrist": (wrist(), palette.DARK_GREY),
        "flange": (flange(), palette.ALUMINIUM),
    }
    where = places()
    return together("Six-axis robot", {n: (*p, location(where[n])) for n, p in parts.items()})


def places() -> dict[str, Pose]:
    """Where the part frames are at home; all have the axes of the base."""
    return {
        "base": Pose(),
        "column": Pose((0.0, 0.0, TABLE)),
        "upper_arm": Pose(R.SHOULDER),
        "elbow": Pose(R.ELBOW),
        "forearm": Pose((R.FOREARM, 0.0, R.WRIST[2])),
        "wrist": Pose(R.WRIST),
        "flange": Pose(R.FLANGE),
    }


def base() -> cq.Shape:
    plate = block((-190, -170, 0), (170, 170, 26), 30)
    bolts = [rod(9, (x, y, 0), (x, y, 26)) for x in (-160, 140) for y in (-140, 140)]
    drum = turned(
        [(0, 20), (150, 20), (150, 40), (128, 60), (128, TABLE - 20), (120, TABLE), (0, TABLE)]
    )
    box = block((-186, -62, 20), (-60, 62, 150), 10, "|Z and <X")
    sockets = [disc(16, (-186, y, 95), X, 24) for y in (-30, 30)]
    whole = join(cut(bevel(plate, ">Z", 2), *bolts), drum, box, *sockets)
    return cut(whole, rod(SPIGOT_1 + CLEARANCE, (0, 0, TABLE - 60), (0, 0, TABLE)))


def column() -> cq.Shape:
    """Turntable with two cheeks about axis 2; motors outside."""
    shoulder = np.array(R.SHOULDER) - (0, 0, TABLE)
    spigot = rod(SPIGOT_1, (0, 0, -50), (0, 0, 4))
    table = turned([(0, 0), (132, 0), (132, 24), (124, 36), (0, 36)])
    inner, outer = ARM + 2, ARM + 36
    cheeks = [
        join(
            disc(78, off(shoulder, 0, s * (inner + outer) / 2, 0), Y, outer - inner),
            cheek_foot(shoulder, s * (inner + outer) / 2, outer - inner),
        )
        for s in (-1, 1)
    ]
    can = turned(
        [(0, 0), (56, 0), (56, 50), (50, 56), (50, 96), (42, 104), (0, 104)],
        off(shoulder, 0, outer - 2, 0),
        Y,
    )
    cap = soft_disc(52, off(shoulder, 0, -(outer + 4), 0), Y, 12, 4)
    riser = rod(40, (-62, 0, 30), (-62, 0, 180))  # motor of axis 1
    top = soft_disc(44, (-62, 0, 176), Z, 16, 4)
    pivot = disc(PIVOT_2, shoulder, Y, 2 * inner + 10)
    return join(spigot, table, *cheeks, can, cap, riser, top, pivot)


def cheek_foot(shoulder: np.ndarray, y: float, thick: float) -> cq.Shape:
    """The wall under a cheek, narrowing from the turntable to the shoulder."""
    x, _, z = shoulder
    wall = cq.Workplane("XZ", origin=(0, y + thick / 2, 0))
    return (
        wall.polyline([(-40, 20), (112, 20), (x + 77, z), (x - 77, z)]).close().extrude(thick).val()
    )


def upper_arm() -> cq.Shape:
    length = R.ELBOW[2] - R.SHOULDER[2]
    beam = strap(((0, 0, 0), (0, 0, length)), (68, 56), Y, 2 * ARM - 16)
    hubs = [soft_disc(72, (0, 0, 0), Y, 2 * ARM, 2), soft_disc(60, (0, 0, length), Y, 2 * ARM, 2)]
    groove = strap(((0, 0, 120), (0, 0, length - 110)), (38, 30), Y, 12)
    pockets = [groove.translate(cq.Vector(0, s * (ARM - 8), 0)) for s in (-1, 1)]
    whole = cut(join(beam, *hubs), *pockets)
    bores = [disc(PIVOT_2, (0, 0, 0), Y, 200), disc(PIVOT_3, (0, 0, length), Y, 200)]
    return cut(whole, *bores)


def elbow() -> cq.Shape:
    """Casting over the arm's upper end: cheeks about axis 3, motor behind, seat of axis 4."""
    up = R.WRIST[2] - R.ELBOW[2]
    face = R.FOREARM - R.ELBOW[0]
    inner, outer = ARM + 2, ARM + 26
    cheeks = [
        join(
            disc(56, (0, s * (inner + outer) / 2, 0), Y, outer - inner),
            block((-56, min(s * inner, s * outer), 0), (56, max(s * inner, s * outer), up)),
        )
        for s in (-1, 1)
    ]
    body = block((-90, -outer, up - 24), (130, outer, up + 56), 14, "|Z")
    body = soften(body, ">Z", 10)
    neck = turned(
        [(0, 0), (58, 0), (58, 62), (52, 70), (52, face - 120), (0, face - 120)], (120, 0, up), X
    )
    motors = [
        turned([(0, 0), (30, 0), (30, 54), (24, 60), (0, 60)], (-86, y, up + 16), (-1, 0, 0))
        for y in (-32, 32)
    ]
    caps = [soft_disc(42, (0, s * (outer + 3), 0), Y, 10, 3) for s in (-1, 1)]
    whole = join(*cheeks, body, neck, *motors, *caps, disc(PIVOT_3, (0, 0, 0), Y, 2 * inner + 8))
    return cut(whole, rod(SPIGOT_4 + CLEARANCE, (face - 50, 0, up), (face, 0, up)))


def forearm() -> cq.Shape:
    """Tube about axis 4 with a fork for the wrist; its back face is the origin."""
    reach = R.WRIST[0] - R.FOREARM
    tube = turned([(0, 0), (50, 0), (50, 20), (46, 28), (40, 150), (0, 150)], along=X)
    spigot = rod(SPIGOT_4, (-40, 0, 0), (4, 0, 0))
    fork = [strap(((reach - 90, y, 0), (reach, y, 0)), (36, 32), Y, 16) for y in (-38, 38)]
    root = block((reach - 100, -46, -30), (reach - 62, 46, 30), 8, "|X")
    caps = [soft_disc(24, (reach, s * 48, 0), Y, 6, 2) for s in (-1, 1)]
    return join(tube, spigot, *fork, root, *caps, disc(PIVOT_5, (reach, 0, 0), Y, 70))


def wrist() -> cq.Shape:
    drum = soft_disc(32, (0, 0, 0), Y, 58, 2)
    neck = turned([(0, -SEAT), (28, -SEAT), (28, -SEAT + 10), (25, -SEAT + 16), (25, 0), (0, 0)])
    bore = rod(SPIGOT_6 + CLEARANCE, (0, 0, -SEAT), (0, 0, -SEAT + 22))
    return cut(join(drum, neck), disc(PIVOT_5, (0, 0, 0), Y, 80), bore)


def flange() -> cq.Shape:
    """The tool flange; its face is the origin, the spigot points back into the wrist."""
    back = R.WRIST[2] - R.FLANGE[2] - SEAT
    spigot = rod(SPIGOT_6, (0, 0, back - 4), (0, 0, back + 18))
    plate = turned([(0, 0), (31, 0), (31, 12), (26, 16), (26, back), (0, back)])
    taps = [rod(3, p, p + np.array([0, 0, 10])) for p in around(22, 6)]
    pilot = rod(12, (0, 0, 0), (0, 0, 6))
    return cut(join(plate, spigot), pilot, *taps)
