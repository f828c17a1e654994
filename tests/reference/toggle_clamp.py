"""Closed form of the toggle clamp: a four-bar with the link as crank and the arm as rocker.

Side view as a complex plane, mm. The link turns about B, the arm about A; the handle joins the
link's end D to the arm's tail C. The clamp locks where B, D, C lie in line, and there the arm is
level.
"""

from __future__ import annotations

import cmath
from typing import NamedTuple

import numpy as np

from tests.reference import four_bar

A, B = 60j, -38 + 12j
ARM, HANDLE, LINK = 40.0, 20.0, 30.0
GROUND = A - B
BARS = four_bar.FourBar(abs(GROUND), LINK, HANDLE, ARM)


class Clamp(NamedTuple):
    arm: float  # angle of the arm, 0 where it is level [rad]
    tail: complex  # C
    handle: float  # angle of the way from D to C [rad]


def locked() -> float:
    """Angle of the link [rad] where the clamp locks: the law of cosines in the triangle B A C."""
    far = LINK + HANDLE
    cosine = (abs(GROUND) ** 2 + far**2 - ARM**2) / (2 * abs(GROUND) * far)
    return cmath.phase(GROUND) + float(np.arccos(cosine))


def position(link: float) -> Clamp:
    """Arm and handle at the link's angle [rad] from the x axis."""
    level = cmath.phase(B + (LINK + HANDLE) * cmath.exp(1j * locked()) - A)
    base = cmath.phase(GROUND)
    theta, psi = four_bar.position(BARS, link - base, 1)
    tail = A + ARM * cmath.exp(1j * (psi + base))
    return Clamp(float(psi + base - level), tail, float(theta + base))
