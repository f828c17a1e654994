"""Velocities and accelerations of parts and joints for given drive rates, in user units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.errors import MechanismError, require_finite
from solvers.kinematics import poses
from solvers.rates import rates

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism


DEAD = 1e-6  # smallest singular value at which rates are no longer told: they go to infinity


@dataclass(frozen=True)
class PartRates:
    """Motion of a part: its origin's velocity and acceleration, its angular ones, in the ground."""

    velocity: np.ndarray  # (3,) [length/s]
    omega: np.ndarray  # (3,) [angle/s]
    acceleration: np.ndarray  # (3,) [length/s^2]
    alpha: np.ndarray  # (3,) [angle/s^2]


@dataclass(frozen=True)
class Rates:
    """First and second kinematic differentials at the present pose."""

    parts: dict[str, PartRates]
    drives: dict[str, tuple[float, float]]  # rate and second rate of every drive and freedom
    joints: dict[str, tuple[tuple[float, ...], tuple[float, ...]]]  # of tree joints


def mechanism_rates(
    m: Mechanism, speeds: Mapping[str, float], accelerations: Mapping[str, float]
) -> Rates:
    """Rates of everything for drive rates `speeds` and second rates `accelerations`."""
    names = list(dict.fromkeys([*speeds, *accelerations]))
    m.require(names)
    mover, model = m.mover(names), m.structure.model
    v, a = np.zeros(model.nv), np.zeros(model.nv)
    for name in names:
        g, unit = m.gauge(name), m.unit_of(m.gauge(name))
        for given, out in ((speeds, v), (accelerations, a)):
            value = given.get(name, 0.0)
            require_finite(f"rate of {name}", value)
            out[g.coord] = g.sign * value * unit
    planned = mover.regular_at(m.state)
    v, a, V, A, regular = rates(model, planned.plan, m.state, v, a)
    if not regular or mover.smallest_singular_value(m.state) < DEAD:
        raise MechanismError("no rates here: the mechanism stands on a dead point")
    X = poses(model, m.state)
    parts = {name: _part(m, place, X, V, A) for name, place in m.structure.part_place.items()}
    drives = {
        n: (g.sign * float(v[g.coord]) / m.unit_of(g), g.sign * float(a[g.coord]) / m.unit_of(g))
        for n, g in {**m.gauges, **{n: m.gauge(n) for n in names}}.items()
    }
    return Rates(parts, drives, _joints(m, v, a))


def _part(m: Mechanism, place, X: np.ndarray, V: np.ndarray, A: np.ndarray) -> PartRates:
    """Rates of a part's origin from the spatial ones of its link, which are about the ground's."""
    i = place.link
    p = X[i, 9:] + X[i, :9].reshape(3, 3) @ place.p
    w, alpha = V[i, :3], A[i, :3]
    velocity = V[i, 3:] + np.cross(w, p)
    acceleration = A[i, 3:] + np.cross(alpha, p) + np.cross(w, velocity)
    L, R = m.units.metre, m.units.radian
    return PartRates(velocity / L, w / R, acceleration / L, alpha / R)


def _joints(m: Mechanism, v: np.ndarray, a: np.ndarray):
    """Rates of the coordinates of tree joints, in the joint's own direction."""
    from solvers.model import FREEDOMS, Joint

    out = {}
    for joint in m.structure.joints:
        if not joint.in_tree:
            continue
        first, second = [], []
        for coord, e in joint.ordered:
            unit = m.units.metre if e.joint is Joint.SLIDE else m.units.radian
            for k in range(FREEDOMS[e.joint]):
                first.append(joint.sign * float(v[coord + k]) / unit)
                second.append(joint.sign * float(a[coord + k]) / unit)
        out[joint.name] = (tuple(first), tuple(second))
    return out
