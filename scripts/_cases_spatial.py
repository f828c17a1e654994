"""What must come out of the spatial mechanisms that are stated on geometry alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np

import cad2mbs
from cad2mbs.model.assembly import Assembly
from scripts._assembly_cases import Case, Check, Joint, quaternion
from scripts.solids.spatial_sizes import Delta, Robot, Suspension
from tests.reference import delta_robot as delta
from tests.reference import six_axis_robot as serial
from tests.reference import suspension as wishbones

ASSEMBLIES = Path(__file__).resolve().parent.parent / "assemblies"


def cases() -> dict[str, Callable[[], Case]]:
    return {
        "suspension": suspension,
        "delta_robot": delta_robot,
        "six_axis_robot": six_axis_robot,
    }


def loaded(name: str) -> Assembly:
    return cad2mbs.load(ASSEMBLIES / name)


def suspension() -> Case:
    s = Suspension
    checks = []
    for travel, stroke, spin in ((8.0, 0.0, 0.0), (-6.0, 30.0, 90.0), (5.0, -40.0, -30.0)):
        X = wishbones.position(
            math.radians(travel),
            stroke,
            (s.LOWER_REAR, s.LOWER_FRONT),
            (s.UPPER_REAR, s.UPPER_FRONT),
            (s.LOWER_BALL, s.UPPER_BALL),
            (s.RACK, s.STEER),
        )
        centre = X[:3, :3] @ s.WHEEL + X[:3, 3]
        spun = X[:3, :3] @ serial.rotation((0, 1, 0), math.radians(spin))
        drive = {"travel": travel, "steering": stroke, "spin": spin}
        checks += [
            Check(drive, "knuckle", centre, quaternion(X[:3, :3])),
            Check(drive, "tyre", centre, quaternion(spun)),
        ]
    return Case(
        loaded("suspension"),
        "Front left double wishbone suspension with steering rack and damper; own dimensions.",
        freedoms=3,
        joints=[
            ("chassis", "lower_arm", "revolute"),
            ("chassis", "upper_arm", "revolute"),
            ("lower_arm", "knuckle", "spherical"),
            ("upper_arm", "knuckle", "spherical"),
            ("chassis", "rack", "prismatic"),
            ("rack", "tie_rod", "universal"),
            ("tie_rod", "knuckle", "spherical"),
            ("chassis", "damper_body", "universal"),
            ("damper_body", "damper_rod", "prismatic"),
            ("damper_rod", "lower_arm", "spherical"),
            ("knuckle", "wheel", "revolute"),
        ],
        checks=checks,
        source="circles that meet spheres (tests/reference/suspension.py)",
        bodies=9,
        facts={"redundant_mates": 0},
    )


def delta_robot() -> Case:
    joints: list[Joint] = []
    for k in (1, 2, 3):
        joints.append(("base", f"arm_{k}", "revolute"))
        for rod in (f"rod_{k}a", f"rod_{k}b"):
            joints += [(f"arm_{k}", rod, "universal"), (rod, "platform", "spherical")]
    checks = []
    for angles in ((30.0, 30.0, 30.0), (45.0, 10.0, 25.0), (-5.0, 40.0, 55.0)):
        place = delta.position(np.radians(angles), Delta.BASE, Delta.PLATFORM, Delta.ARM, Delta.ROD)
        drive = {f"arm_{k}": angle for k, angle in enumerate(angles, 1)}
        checks.append(Check(drive, "platform", place, (1, 0, 0, 0)))
    return Case(
        loaded("delta_robot"),
        "Delta robot (R. Clavel, 1985) with six single rods; own dimensions.",
        freedoms=3,
        joints=joints,
        checks=checks,
        source="three spheres that meet (tests/reference/delta_robot.py)",
        facts={"redundant_mates": 0},
    )


def six_axis_robot() -> Case:
    r = Robot
    points = ((0, 0, 0), r.SHOULDER, r.ELBOW, r.WRIST, r.WRIST, r.WRIST)
    checks = []
    for angles in ((30, -20, 25, 40, -50, 60), (-100, 45, -30, -120, -15, 200)):
        X = serial.position(np.radians(angles), points, r.AXES, r.FLANGE)
        drive = {f"joint_{k}": float(angle) for k, angle in enumerate(angles, 1)}
        checks.append(Check(drive, "flange", X[:3, 3], quaternion(X[:3, :3])))
    names = ("base", "column", "upper_arm", "elbow", "forearm", "wrist", "flange")
    return Case(
        loaded("six_axis_robot"),
        "Six-axis robot with a central wrist; own dimensions.",
        freedoms=6,
        joints=[(a, b, "revolute") for a, b in pairwise(names)],
        checks=checks,
        source="product of turns about the home axes (tests/reference/six_axis_robot.py)",
        facts={"redundant_mates": 0},
    )
