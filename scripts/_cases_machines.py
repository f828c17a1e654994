"""What must come out of the machines that have no version in `cad2mbs.library`."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

import cad2mbs
from scripts._assembly_cases import Case, Check, Joint, quaternion
from tests.reference import slider_crank

# The V engine: crank radius and rod length [mm]; then, for the cylinders 1 to 6, the place along
# the crankshaft [mm], the bank's and the throw's angle about it from the vertical [deg].
V_CRANK, V_ROD = 30.0, 105.0
V_CYLINDERS = (
    (81, 45, 0),
    (67, -45, 0),
    (7, 45, 120),
    (-7, -45, 120),
    (-67, 45, 240),
    (-81, -45, 240),
)


def cases() -> dict[str, Callable[[], Case]]:
    return {"v_engine": v_engine}


def v_engine() -> Case:
    joints: list[Joint] = [("block", "crankshaft", "revolute")]
    for k in range(1, 7):
        joints += [
            ("crankshaft", f"rod_{k}", "revolute"),
            (f"rod_{k}", f"piston_{k}", "cylindrical"),
            (f"piston_{k}", "block", "cylindrical"),
        ]
    return Case(
        cad2mbs.load("assemblies/v_engine"),
        "V6 short block at 90 degrees, two rods on every crank pin; own dimensions.",
        freedoms=1,
        joints=joints,
        checks=[c for phi in (50, 200) for c in v_engine_checks(phi)],
        source="slider-crank in the plane of each cylinder (tests/reference/slider_crank.py)",
    )


def v_engine_checks(phi: float) -> list[Check]:
    """All pistons, and the first two rods, at crank angle phi [deg]."""
    checks = []
    for k, (x, bank, throw) in enumerate(V_CYLINDERS, start=1):
        tilt = math.radians(bank)
        turn = math.radians(phi + throw)
        s = slider_crank.position(turn - tilt, V_CRANK, V_ROD)
        place = (x, -s * math.sin(tilt), s * math.cos(tilt))
        checks.append(Check({"crank": phi}, f"piston_{k}", place, upright(tilt)))
        if k <= 2:
            lean = tilt + slider_crank.rod_angle(turn - tilt, V_CRANK, V_ROD)
            pin = (x, -V_CRANK * math.sin(turn), V_CRANK * math.cos(turn))
            checks.append(Check({"crank": phi}, f"rod_{k}", pin, upright(lean)))
    return checks


def upright(angle: float) -> tuple[float, float, float, float]:
    """Quaternion of a part whose z is the crankshaft (x), whose x is `angle` [rad] off z."""
    c, s = math.cos(angle), math.sin(angle)
    return quaternion(np.array([[0.0, 0.0, 1.0], [-s, -c, 0.0], [c, -s, 0.0]]))
