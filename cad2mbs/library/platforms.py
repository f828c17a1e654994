"""Stewart-Gough platforms: one with six driven legs, one with 40 ways to be put together."""

from __future__ import annotations

import math

import numpy as np

from cad2mbs.library.build import Builder, X, Z, axes, placed, polar, unit
from cad2mbs.library.dietmaier_postures import POSTURES
from cad2mbs.model.assembly import Assembly, Freedom
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.model.references import frame, point, vector
from cad2mbs.units import Units

# stewart: circles of the joints, half the angle between the two joints of a pair, start height.
BASE_RADIUS, PLATFORM_RADIUS = 300.0, 200.0  # [mm]
BASE_HALF_ANGLE, PLATFORM_HALF_ANGLE = 10.0, 50.0  # [deg] from 0, 120, 240
HOME_HEIGHT = 350.0  # [mm]

# dietmaier: joints on base and platform, leg lengths [m].
DIETMAIER_BASE = (
    (0.0, 0.0, 0.0),
    (1.107915, 0.0, 0.0),
    (0.549094, 0.756063, 0.0),
    (0.735077, -0.223935, 0.525991),
    (0.514188, -0.526063, -0.368418),
    (0.590473, 0.094733, -0.205018),
)
DIETMAIER_PLATFORM = (
    (0.0, 0.0, 0.0),
    (0.542805, 0.0, 0.0),
    (0.956919, -0.528915, 0.0),
    (0.665885, -0.353482, 1.402538),
    (0.478359, 1.158742, 0.107672),
    (-0.137087, -0.235121, 0.353913),
)
DIETMAIER_LEGS = (1.0, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071)


def stewart_joints() -> tuple[np.ndarray, np.ndarray]:
    """Leg ends on the base and on the platform, (6, 3) each [mm], in the part's own frame."""
    return (
        _pairs(BASE_RADIUS, BASE_HALF_ANGLE),
        _pairs(PLATFORM_RADIUS, PLATFORM_HALF_ANGLE),
    )


def stewart() -> Assembly:
    """A platform on six legs, each a tube and a rod: universal, prismatic, spherical; 6 freedoms.

    Drive `leg_k` is the distance between the leg's two joint centres [mm]. The platform starts
    level at height `HOME_HEIGHT`.
    """
    base, platform = stewart_joints()
    home = np.array([0.0, 0.0, HOME_HEIGHT])
    build = Builder("Stewart platform")
    # Each tube hangs in a cross: one pin tangential on the base, one on the tube.
    tangents = [unit(np.cross(Z, p)) for p in base]
    feet = {f"foot_{k}": point(p) for k, p in enumerate(base, 1)}
    pins = {f"pin_{k}": vector(t) for k, t in enumerate(tangents, 1)}
    build.ground("base", **feet, **pins)
    build.part(
        "platform",
        Pose((0.0, 0.0, HOME_HEIGHT)),
        **{f"head_{k}": point(p) for k, p in enumerate(platform, 1)},
    )
    for k in range(1, 7):
        foot, head = base[k - 1], platform[k - 1] + home
        along = unit(head - foot)
        R = axes(unit(np.cross(tangents[k - 1], along)), along)
        build.part(f"tube_{k}", placed(foot, R), foot=frame(), pin=vector(X))
        build.part(f"rod_{k}", placed(head, R), head=frame())
        build.mate(f"foot_{k}", "coincident", f"base/foot_{k}", f"tube_{k}/foot")
        build.mate(f"cross_{k}", "offset-z", f"base/pin_{k}", f"tube_{k}/pin", 90.0)
        build.prismatic(f"slide_{k}", f"rod_{k}/head", f"tube_{k}/foot")
        build.mate(f"head_{k}", "coincident", f"rod_{k}/head", f"platform/head_{k}")
        length = math.dist(foot, head)
        build.drive_joint(f"leg_{k}", f"tube_{k}/foot", f"rod_{k}/head", Freedom.SLIDE, length)
    return build.build()


def dietmaier(posture: int = 0, driven: bool = False) -> Assembly:
    """The platform with 40 real postures: six fixed distances between base and platform, in m.

    Starts in `posture` (0 to 39) of `dietmaier_postures`. `driven`: each leg's length is a drive
    `leg_k`; otherwise nothing can move. P. Dietmaier, The Stewart-Gough platform of general
    geometry can have 40 real postures, Advances in Robot Kinematics, 1998.
    """
    w, x, y, z, tx, ty, tz = POSTURES[posture]
    build = Builder("Dietmaier platform", Units("m", "deg"))
    build.ground("base", IDENTITY, **{f"p_{k}": point(p) for k, p in enumerate(DIETMAIER_BASE, 1)})
    build.part(
        "platform",
        Pose((tx, ty, tz), (w, x, y, z)),
        **{f"p_{k}": point(p) for k, p in enumerate(DIETMAIER_PLATFORM, 1)},
    )
    for k, length in enumerate(DIETMAIER_LEGS, 1):
        build.mate(f"leg_{k}", "distance", f"base/p_{k}", f"platform/p_{k}", length)
        if driven:
            build.drive_mate(f"leg_{k}", f"leg_{k}")
    return build.build()


def dietmaier_postures() -> tuple[Pose, ...]:
    """All 40 poses of the platform in the base [m], in the order of their scalar part w."""
    return tuple(Pose((tx, ty, tz), (w, x, y, z)) for w, x, y, z, tx, ty, tz in POSTURES)


def _pairs(radius: float, half: float) -> np.ndarray:
    """Six points on a circle in z = 0, in pairs about 0, 120 and 240 deg, in order of angle."""
    angles = [math.radians(c + s * half) for c in (0, 120, 240) for s in (-1, 1)]
    return np.array([(*polar((0.0, 0.0), radius, a), 0.0) for a in angles])
