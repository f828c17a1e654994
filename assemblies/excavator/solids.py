"""A small excavator: house and tracks, boom, stick, bucket with its linkage, three cylinders.

Sizes and start pose are here, the shapes of the parts in scripts/solids/excavator.py. Points are
(x forwards, z upwards) in the frame of the part they belong to; everything that moves is symmetric
about the plane y = 0. The boom turns about the origin.
"""

from __future__ import annotations

import math

import cadquery as cq

from cad2mbs.library.build import Point2, heading, meet, polar
from cad2mbs.model.pose import Pose
from scripts.solids import excavator, hydraulic, palette
from scripts.solids.excavator import (
    BOOM_EYE,
    BOOM_FOOT,
    BUCKET_EYE,
    BUCKET_FOOT,
    LINK,
    REACH,
    ROCKER,
    ROCKER_FOOT,
    STICK,
    STICK_EYE,
    STICK_FOOT,
)
from scripts.solids.hydraulic import Cylinder
from scripts.solids.linkage import together

BOOM_CYLINDER, STICK_CYLINDER, BUCKET_CYLINDER = Cylinder(600), Cylinder(980), Cylinder(500)
START = (220.0, 180.0, 180.0)  # strokes of boom, stick and bucket


def build() -> cq.Assembly:
    pose = start()
    yellow, grey, steel = palette.YELLOW, palette.DARK_GREY, palette.STEEL
    parts = {
        "house": (excavator.house(), yellow),
        "tracks": (excavator.tracks(), grey),
        "boom": (excavator.boom(), yellow),
        "stick": (excavator.stick(), yellow),
        "bucket": (excavator.bucket(), palette.CAST_IRON),
        "rocker": (excavator.rocker(), palette.DARK_STEEL),
        "link": (excavator.link_pair(), palette.DARK_STEEL),
    }
    for name, size in (
        ("boom", BOOM_CYLINDER),
        ("stick", STICK_CYLINDER),
        ("bucket", BUCKET_CYLINDER),
    ):
        parts[f"{name}_barrel"] = (hydraulic.barrel(size), grey)
        parts[f"{name}_rod"] = (hydraulic.rod(size), steel)
    return together("excavator", {n: (*part, pose.get(n, Pose())) for n, part in parts.items()})


def start() -> dict[str, Pose]:
    """Poses of all moving parts at the strokes `START`: each pin is where two circles cross."""
    lengths = [
        cylinder.length(stroke)
        for cylinder, stroke in zip(
            (BOOM_CYLINDER, STICK_CYLINDER, BUCKET_CYLINDER), START, strict=True
        )
    ]
    origin = (0.0, 0.0)
    boom_eye = meet(origin, math.hypot(*BOOM_EYE), BOOM_FOOT, lengths[0], 1)
    boom = heading(origin, boom_eye) - heading(origin, BOOM_EYE)
    tip, stick_foot = polar(origin, REACH, boom), local(origin, boom, STICK_FOOT)
    stick_eye = meet(tip, math.hypot(*STICK_EYE), stick_foot, lengths[1], -1)
    stick = heading(tip, stick_eye) - heading(origin, STICK_EYE)
    wrist, knuckle = polar(tip, STICK, stick), local(tip, stick, ROCKER_FOOT)
    bucket_foot = local(tip, stick, BUCKET_FOOT)
    elbow = meet(knuckle, ROCKER, bucket_foot, lengths[2], -1)
    bucket_eye = meet(wrist, math.hypot(*BUCKET_EYE), elbow, LINK, -1)
    return {
        "boom": placed(origin, boom),
        "stick": placed(tip, stick),
        "bucket": placed(wrist, heading(wrist, bucket_eye) - heading(origin, BUCKET_EYE)),
        "rocker": placed(knuckle, heading(knuckle, elbow)),
        "link": placed(elbow, heading(elbow, bucket_eye)),
        "boom_barrel": placed(BOOM_FOOT, heading(BOOM_FOOT, boom_eye)),
        "boom_rod": placed(boom_eye, heading(BOOM_FOOT, boom_eye)),
        "stick_barrel": placed(stick_foot, heading(stick_foot, stick_eye)),
        "stick_rod": placed(stick_eye, heading(stick_foot, stick_eye)),
        "bucket_barrel": placed(bucket_foot, heading(bucket_foot, elbow)),
        "bucket_rod": placed(elbow, heading(bucket_foot, elbow)),
    }


def local(origin: Point2, angle: float, p: Point2) -> Point2:
    """A part's point seen from the house."""
    return polar(origin, math.hypot(*p), angle + math.atan2(p[1], p[0]))


def placed(at: Point2, angle: float) -> Pose:
    """Pose in the plane y = 0, turned from x towards z."""
    return Pose.turned((at[0], 0.0, at[1]), (0.0, -1.0, 0.0), angle)
