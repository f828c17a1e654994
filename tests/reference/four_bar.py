"""Closed form of the planar four-bar, both branches, with rates and dead points.

Loop in the complex plane: a e^(i phi) + b e^(i theta) = g + c e^(i psi), pivots at 0 and g.
psi from the triangle rocker pivot, crank pin, rocker pin (law of cosines); rates by
differentiating the loop and multiplying by e^(-i theta) or e^(-i psi) to drop one unknown.
E. A. Dijksman, Motion Geometry of Mechanisms, 1976; F. Freudenstein, An analytical approach to
the design of four-link mechanisms, 1954. Angles [rad] from the ground line; lengths g, a, b, c =
ground, crank, coupler, rocker in any one unit. branch 1: rocker pin left of the way from crank
pin to rocker pivot, -1: right of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class FourBar(NamedTuple):
    g: float
    a: float
    b: float
    c: float


class Angles(NamedTuple):
    """Coupler theta and rocker psi, or their derivatives with respect to phi."""

    theta: float
    psi: float


def position(bars: FourBar, phi, branch: int = 1) -> Angles:
    """theta and psi at crank angle phi; nan where the bars do not reach."""
    g, a, b, c = bars
    back = a * np.exp(1j * phi) - g  # from rocker pivot to crank pin
    e = np.abs(back)
    with np.errstate(invalid="ignore"):
        gamma = np.arccos((e * e + c * c - b * b) / (2 * e * c))
    psi = np.angle(back) - branch * gamma
    theta = np.angle(g + c * np.exp(1j * psi) - a * np.exp(1j * phi))
    return Angles(theta, np.angle(np.exp(1j * psi)))


def first(bars: FourBar, phi, branch: int = 1) -> Angles:
    """dtheta/dphi and dpsi/dphi."""
    _, a, b, c = bars
    theta, psi = position(bars, phi, branch)
    across = np.sin(psi - theta)  # 0 at a dead point
    return Angles(a * np.sin(phi - psi) / (b * across), a * np.sin(phi - theta) / (c * across))


def second(bars: FourBar, phi, branch: int = 1) -> Angles:
    """d2theta/dphi2 and d2psi/dphi2."""
    _, a, b, c = bars
    theta, psi = position(bars, phi, branch)
    theta1, psi1 = first(bars, phi, branch)
    across, along = np.sin(psi - theta), np.cos(psi - theta)
    theta2 = (a * np.cos(phi - psi) + b * theta1**2 * along - c * psi1**2) / (b * across)
    psi2 = (a * np.cos(phi - theta) + b * theta1**2 - c * psi1**2 * along) / (c * across)
    return Angles(theta2, psi2)


def rocker_pin(bars: FourBar, phi, branch: int = 1) -> np.ndarray:
    """Where coupler and rocker meet, (2,)."""
    pin = bars.g + bars.c * np.exp(1j * position(bars, phi, branch).psi)
    return np.array([pin.real, pin.imag])


def dead_points(bars: FourBar) -> tuple[float | None, float | None]:
    """Crank angles in (0, pi) where coupler and rocker fold (first) and stretch (second).

    None where the crank passes: crank pin and rocker pivot never get that near or that far.
    By symmetry -phi is a dead point too.
    """
    g, a, b, c = bars
    result = []
    for reach in (abs(b - c), b + c):
        cosine = (g * g + a * a - reach * reach) / (2 * g * a)
        result.append(float(np.arccos(cosine)) if abs(cosine) < 1 else None)
    return result[0], result[1]
