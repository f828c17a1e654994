"""Closed form of the excavator: boom, stick and bucket from the strokes of their cylinders.

Side view as a complex plane: x forwards, z upwards as imaginary part, mm, the boom's foot at 0.
Each cylinder closes a triangle; the bucket follows over a rocker and a link, which close another.
"""

from __future__ import annotations

import cmath

import numpy as np

from tests.reference.linkages import crossing

BOOM_FOOT = 200 - 180j  # of the boom's cylinder, on the house
REACH, BOOM_EYE, STICK_FOOT = 1900.0, 820 + 130j, 740 + 590j  # on the boom
STICK, STICK_EYE = 1000.0, -260 - 80j  # on the stick
BUCKET_FOOT, ROCKER_FOOT = 60 + 190j, 800 + 40j
ROCKER, LINK = 230.0, 300.0
BUCKET_EYE = 190 * cmath.exp(1j * np.radians(100))  # on the bucket
# Distance of a cylinder's eyes when its rod is in.
CLOSED = {"boom": 650.0, "stick": 1030.0, "bucket": 550.0}


def position(boom: float, stick: float, bucket: float) -> dict[str, tuple[complex, float]]:
    """Place of the pivot and angle [rad] of boom, stick and bucket at the strokes [mm]."""
    eye = crossing(0j, abs(BOOM_EYE), BOOM_FOOT, CLOSED["boom"] + boom, 1)
    a = cmath.phase(eye / BOOM_EYE)
    tip = REACH * cmath.exp(1j * a)
    foot = STICK_FOOT * cmath.exp(1j * a)
    eye = crossing(tip, abs(STICK_EYE), foot, CLOSED["stick"] + stick, -1)
    b = cmath.phase((eye - tip) / STICK_EYE)
    turn = cmath.exp(1j * b)
    wrist, knuckle, foot = (tip + p * turn for p in (STICK, ROCKER_FOOT, BUCKET_FOOT))
    elbow = crossing(knuckle, ROCKER, foot, CLOSED["bucket"] + bucket, -1)
    eye = crossing(wrist, abs(BUCKET_EYE), elbow, LINK, -1)
    c = cmath.phase((eye - wrist) / BUCKET_EYE)
    return {"boom": (0j, a), "stick": (tip, b), "bucket": (wrist, c)}
