"""Closed form of the centred slider-crank, with rates.

Law of cosines in the triangle crank axis, crank pin, piston pin: l^2 = r^2 + s^2 - 2 r s cos(phi);
the piston is on the far side of the pin. R. L. Norton, Design of Machinery, position analysis of
the slider-crank. phi [rad] from the cylinder axis, lengths in any one unit.
"""

from __future__ import annotations

import numpy as np


def position(phi, r, l):
    """Distance s of the piston pin from the crank axis."""
    return r * np.cos(phi) + np.sqrt(l * l - (r * np.sin(phi)) ** 2)


def first(phi, r, l):
    """ds/dphi."""
    root = np.sqrt(l * l - (r * np.sin(phi)) ** 2)
    return -r * np.sin(phi) - r * r * np.sin(phi) * np.cos(phi) / root


def second(phi, r, l):
    """d2s/dphi2."""
    w = l * l - (r * np.sin(phi)) ** 2
    half = r * r * np.sin(phi) * np.cos(phi)  # -dw/dphi / 2
    return -r * np.cos(phi) - r * r * np.cos(2 * phi) / np.sqrt(w) - half**2 / w**1.5


def rod_angle(phi, r, l):
    """Direction of the rod from crank pin to piston pin, from the cylinder axis [rad]."""
    return -np.arcsin(r * np.sin(phi) / l)


def crank_angle_at(s, r, l):
    """The crank angle in [0, pi] that puts the piston pin at s: the law of cosines solved."""
    return np.arccos((r * r + s * s - l * l) / (2 * r * s))
