"""What must come out of the clamp, the gripper, the excavator and the box, by closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable

import cad2mbs
from scripts._assembly_cases import Case, Check, Joint, Stop, about_z
from tests.reference import excavator, hinged_box, toggle_clamp


def cases() -> dict[str, Callable[[], Case]]:
    return {
        "toggle_clamp": toggle_clamp_case,
        "parallel_gripper": parallel_gripper,
        "excavator": excavator_case,
        "hinged_box": hinged_box_case,
    }


def toggle_clamp_case() -> Case:
    checks = []
    for link in (math.radians(40), math.radians(70), toggle_clamp.locked()):
        drive = {"link": math.degrees(link)}
        clamp = toggle_clamp.position(link)
        tip = toggle_clamp.A + 78 * complex(math.cos(clamp.arm), math.sin(clamp.arm))
        tail, turn = clamp.tail, about_z(clamp.handle)
        checks.append(Check(drive, "arm", (0, 60, 0), about_z(clamp.arm)))
        checks.append(Check(drive, "handle", (tail.real, tail.imag, 0), turn))
        checks.append(Check(drive, "spindle", (tip.real, tip.imag, 0), about_z(clamp.arm)))
    return Case(
        cad2mbs.load("assemblies/toggle_clamp"),
        "Hold-down toggle clamp with an upright handle that locks past its dead point; "
        "own dimensions.",
        freedoms=1,
        bodies=4,  # the spindle is fixed in the arm
        joints=[
            ("base", "arm", "revolute"),
            ("base", "link", "revolute"),
            ("arm", "handle", "revolute"),
            ("handle", "link", "revolute"),
        ],
        checks=checks,
        source="four-bar loop in the complex plane (tests/reference/toggle_clamp.py)",
    )


def parallel_gripper() -> Case:
    joints: list[Joint] = []
    for side in ("right", "left"):
        driver, follower, finger = (f"{side}_{p}" for p in ("driver", "follower", "finger"))
        joints += [("body", driver, "revolute"), ("body", follower, "revolute")]
        joints += [(driver, finger, "revolute"), (follower, finger, "revolute")]
    checks = []
    for degrees in (50, 90):
        phi = math.radians(degrees)
        x, y = 15 + 52 * math.cos(phi), 52 * math.sin(phi)
        checks.append(Check({"grip": degrees}, "right_finger", (x, y, 0), (1, 0, 0, 0)))
        checks.append(Check({"grip": degrees}, "left_finger", (-x, y, 0), (1, 0, 0, 0)))
        follower = (-33, -14, 0)
        checks.append(Check({"grip": degrees}, "left_follower", follower, about_z(math.pi - phi)))
    return Case(
        cad2mbs.load("assemblies/parallel_gripper"),
        "Gripper with two geared parallelograms, so that its fingers stay parallel; "
        "own dimensions.",
        freedoms=1,
        joints=joints,
        checks=checks,
        source="parallelograms: each finger moves on a circle of 52 mm without turning",
    )


def excavator_case() -> Case:
    joints: list[Joint] = [
        ("house", "boom", "revolute"),
        ("boom", "stick", "revolute"),
        ("stick", "bucket", "revolute"),
        ("stick", "rocker", "revolute"),
        ("rocker", "link", "revolute"),
        ("link", "bucket", "revolute"),
    ]
    ends = {"boom": ("house", "boom"), "stick": ("boom", "stick"), "bucket": ("stick", "rocker")}
    for name, (foot, head) in ends.items():
        joints += [
            (foot, f"{name}_barrel", "revolute"),
            (f"{name}_barrel", f"{name}_rod", "cylindrical"),
            (f"{name}_rod", head, "revolute"),
        ]
    checks = []
    for strokes in ((100, 250, 100), (300, 100, 300)):
        drive = dict(zip(("boom", "stick", "bucket"), map(float, strokes), strict=True))
        for part, (place, angle) in excavator.position(**drive).items():
            # Upwards is z: a turn from x towards z is one about -y.
            turn = (math.cos(angle / 2), 0.0, -math.sin(angle / 2), 0.0)
            checks.append(Check(drive, part, (place.real, 0, place.imag), turn))
    return Case(
        cad2mbs.load("assemblies/excavator"),
        "Small excavator with cylinders for boom, stick and bucket, the bucket over a rocker; "
        "own dimensions.",
        freedoms=3,
        bodies=12,  # house and tracks both stand still
        joints=joints,
        checks=checks,
        source="triangles, law of cosines (tests/reference/excavator.py)",
    )


def hinged_box_case() -> Case:
    checks = []
    for degrees in (10, 100):
        drive, opening = {"lid": float(degrees)}, math.radians(degrees)
        knee, lower, upper = hinged_box.stay(opening)
        checks.append(Check(drive, "lid", (0, 207, 120), about_x(-opening)))
        checks.append(Check(drive, "stay_lower", (0, 130, 85), about_x(lower)))
        checks.append(Check(drive, "stay_upper", (0, knee.real, knee.imag), about_x(upper)))
    return Case(
        cad2mbs.load("assemblies/hinged_box"),
        "Box with a lid on two hinges, held by a folding stay that ends the opening; "
        "own dimensions.",
        freedoms=1,
        joints=[
            ("box", "lid", "revolute"),
            ("box", "stay_lower", "revolute"),
            ("stay_lower", "stay_upper", "revolute"),
            ("lid", "stay_upper", "revolute"),
        ],
        checks=checks,
        stops=[Stop("lid", 75, 130, math.degrees(hinged_box.widest()), "dead point")],
        source="crossing circles (tests/reference/hinged_box.py)",
        facts={"redundant_mates_at_least": 2},  # the second hinge
    )


def about_x(angle: float) -> tuple[float, float, float, float]:
    """Quaternion of a turn about x by `angle` [rad]."""
    return (math.cos(angle / 2), math.sin(angle / 2), 0.0, 0.0)
