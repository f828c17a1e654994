"""Closed form of the hinged box: where its folding stay stands, and where it is stretched.

Seen along the hinge as a complex plane: y to the back, z upwards as imaginary part, mm.
"""

from __future__ import annotations

import cmath

import numpy as np

from tests.reference.linkages import crossing

HINGE, ON_BOX, ON_LID = 207 + 120j, 130 + 85j, -110 + 15j  # the last seen from the hinge
ARM = 92.0


def stay(opening: float) -> tuple[complex, float, float]:
    """The knee, and the angles [rad] of the lower and upper arm, at the lid's opening [rad]."""
    eye = HINGE + ON_LID * cmath.exp(-1j * opening)
    knee = crossing(ON_BOX, ARM, eye, ARM, 1)
    return knee, cmath.phase(knee - ON_BOX), cmath.phase(eye - knee)


def widest() -> float:
    """Opening [rad] at which the stay is stretched: the law of cosines about the hinge."""
    near = ON_BOX - HINGE
    a, b = abs(near), abs(ON_LID)
    spread = np.arccos((a * a + b * b - (2 * ARM) ** 2) / (2 * a * b))
    closed = cmath.phase(near / ON_LID)  # from the lid's pin to the box's, lid closed
    return float(spread - closed)
