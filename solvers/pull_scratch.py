"""The arrays that a pull works on, made once for all its steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solvers.blocks import Plan
from solvers.model import Model
from solvers.newton import workspace


class Scratch(NamedTuple):
    """Arrays of one pull: nv coordinates, nl links, f freedoms, ns watched rows, n bounds."""

    X: np.ndarray  # (nl, 12)
    V: np.ndarray  # (nl, 6)
    A: np.ndarray  # (nl, 6)
    Z: np.ndarray  # (nv, f)
    B: np.ndarray  # (3, f)
    slopes: np.ndarray  # (ns, f) of one-sided rows
    H: np.ndarray  # (f, f)
    G: np.ndarray  # (f, f) Z'Z
    F: np.ndarray  # (f, f) factor of H + damping G
    KA: np.ndarray  # (f, f)
    S: np.ndarray  # (f, f)
    C: np.ndarray  # (n, f)
    d: np.ndarray  # (n,)
    room: np.ndarray  # (n,)
    what: np.ndarray  # (n,) coordinate, or -1 - row
    sense: np.ndarray  # (n,) 1: an upper bound, -1: a lower one
    held: np.ndarray  # (f,)
    multipliers: np.ndarray  # (f,)
    a: np.ndarray  # (f,) the step
    goal: np.ndarray  # (f,)
    b: np.ndarray  # (f,)
    v: np.ndarray  # (nv,)
    gain: np.ndarray  # (nv,) second rates
    x: np.ndarray  # (3,) the point
    e: np.ndarray  # (3,)
    r: np.ndarray  # (3,) what a first-order step leaves of e
    ends: np.ndarray  # (nk,) known values at the end of a step
    y_try: np.ndarray  # (ny,)
    dets: np.ndarray  # (nb,)
    dets_then: np.ndarray  # (nb,)
    J: np.ndarray
    w: np.ndarray
    W: np.ndarray


def scratch(model: Model, plan: Plan, known: np.ndarray, f: int, ns: int) -> Scratch:
    """Return room for pulls with f freedoms and ns watched rows."""
    nv, nl, n = model.nv, model.nl, 2 * model.nv + ns
    J, w, W = workspace(plan)
    return Scratch(
        X=np.empty((nl, 12)),
        V=np.zeros((nl, 6)),
        A=np.zeros((nl, 6)),
        Z=np.empty((nv, f)),
        B=np.empty((3, f)),
        slopes=np.zeros((ns, f)),
        H=np.empty((f, f)),
        G=np.empty((f, f)),
        F=np.empty((f, f)),
        KA=np.empty((f, f)),
        S=np.empty((f, f)),
        C=np.empty((n, f)),
        d=np.empty(n),
        room=np.empty(n),
        what=np.empty(n, np.int64),
        sense=np.empty(n),
        held=np.empty(f, np.int64),
        multipliers=np.empty(f),
        a=np.empty(f),
        goal=np.empty(f),
        b=np.empty(f),
        v=np.empty(nv),
        gain=np.empty(nv),
        x=np.empty(3),
        e=np.empty(3),
        r=np.empty(3),
        ends=np.empty(len(known)),
        y_try=np.empty(model.ny),
        dets=np.empty(plan.nb),
        dets_then=np.empty(plan.nb),
        J=J,
        w=w,
        W=W,
    )
