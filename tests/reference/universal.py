"""Hooke's joint: output angle over input angle, with rates.

The pins of the two forks stay perpendicular: tan(psi) = cos(beta) tan(phi) when at phi = 0 the
input's fork is normal to the plane of the shafts. H. C. Seherr-Thoss, F. Schmelz, E. Aucktor,
Universal Joints and Driveshafts. beta: angle between the shafts, all angles [rad].
"""

from __future__ import annotations

import numpy as np


def position(phi, beta):
    """psi, continuous in phi: it gains a full turn with every full turn of the input."""
    wrapped = np.arctan2(np.sin(phi) * np.cos(beta), np.cos(phi))
    # psi stays within a quarter turn of phi, which tells the number of turns.
    return wrapped + 2 * np.pi * np.round((phi - wrapped) / (2 * np.pi))


def first(phi, beta):
    """dpsi/dphi = cos(beta) / (1 - sin^2(beta) sin^2(phi))."""
    return np.cos(beta) / (1 - (np.sin(beta) * np.sin(phi)) ** 2)


def second(phi, beta):
    """d2psi/dphi2."""
    w = 1 - (np.sin(beta) * np.sin(phi)) ** 2
    return np.cos(beta) * np.sin(beta) ** 2 * np.sin(2 * phi) / w**2
