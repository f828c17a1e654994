"""Closed forms of the other shipped linkages: scissor lift, Sarrus, Jansen leg, spatial slider.

Elementary geometry throughout; lengths in any one unit, angles [rad].
"""

from __future__ import annotations

import numpy as np


def scissor_height(stages, arm, slide):
    """Height of the platform: each stage is as high as the other leg of the arm's triangle."""
    return stages * np.sqrt(arm * arm - slide * slide)


def sarrus_height(leaf, lift):
    """Height of the platform over the base, two leaves at angle `lift`."""
    return 2 * leaf * np.sin(lift)


def spatial_slider(phi, radius, length, rail):
    """x of the slider on the rail along x through (0, rail[0], rail[1]).

    The rod keeps the ball at radius (cos phi, sin phi, 0) at distance `length` (Pythagoras).
    """
    across = (radius * np.sin(phi) - rail[0]) ** 2 + rail[1] ** 2
    return radius * np.cos(phi) + np.sqrt(length**2 - across)


def crossing(p: complex, rp: float, q: complex, rq: float, side: int) -> complex:
    """Where two circles cross, left (side 1) or right (-1) of the way p to q (law of cosines)."""
    d = abs(q - p)
    angle = np.arccos((rp * rp + d * d - rq * rq) / (2 * rp * d))
    return p + rp * (q - p) / d * np.exp(1j * side * angle)


def jansen(phi, s) -> dict[str, complex]:
    """Pins of Jansen's leg by name, for bar lengths s by his letters a..m."""
    hip = complex(-s["a"], -s["l"])
    pin = s["m"] * np.exp(1j * phi)
    top = crossing(hip, s["b"], pin, s["j"], 1)
    knee = crossing(hip, s["c"], pin, s["k"], -1)
    back = crossing(hip, s["d"], top, s["e"], 1)
    ankle = crossing(knee, s["g"], back, s["f"], 1)
    foot = crossing(knee, s["i"], ankle, s["h"], 1)
    return {
        "hip": hip,
        "pin": pin,
        "top": top,
        "knee": knee,
        "back": back,
        "ankle": ankle,
        "foot": foot,
    }
