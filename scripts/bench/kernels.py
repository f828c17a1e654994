"""Time the kernels of solvers/ on a four-bar and a radial engine, checked against closed forms.

Run as `python scripts/bench/kernels.py` from the project folder; medians of 15 runs.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from solvers import blocks, follow, least_squares, track
from solvers.kinematics import poses_along
from solvers.model import Builder, Joint, Model, Row, neutral
from solvers.newton import workspace
from solvers.rates import rates
from solvers.rows import residuals, worst_along

RUNS = 15
GROUND, CRANK, COUPLER, ROCKER = 1.0, 0.5, 1.2, 0.8  # four-bar [m]
RADIUS, ROD, CYLINDERS = 0.040, 0.120, 7  # radial engine [m]
AGREES = 1e-10  # with the closed forms, radians and model lengths


def four_bar() -> Model:
    """Crank 0, coupler 1 on the crank, rocker 2 on the ground; the coupler's end on the rocker."""
    x, y, _ = np.eye(3)
    b = Builder()
    crank = b.add_link(0, Joint.TURN, np.eye(3), 0 * x)
    coupler = b.add_link(crank, Joint.TURN, np.eye(3), CRANK * x)
    rocker = b.add_link(0, Joint.TURN, np.eye(3), GROUND * x)
    for u in (x, y):
        b.add_row(Row.PLANE_POINT, l=rocker, r=coupler, p_l=ROCKER * x, u=u, p_r=COUPLER * x)
    return b.build(1.0)


def radial_engine() -> Model:
    """Crank 0, then rod and piston of each cylinder; pistons slide outward, their pin at x = 0."""
    x, _, z = np.eye(3)
    b = Builder()
    crank = b.add_link(0, Joint.TURN, np.eye(3), 0 * x)
    for c in range(CYLINDERS):
        angle = 2 * np.pi * c / CYLINDERS
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        rod = b.add_link(crank, Joint.TURN, np.eye(3), RADIUS * x)
        R = np.column_stack([np.cross(z, out), z, out])  # z of the piston frame points outward
        piston = b.add_link(0, Joint.SLIDE, R, 0 * x)
        for u in (x, z):
            b.add_row(Row.PLANE_POINT, l=piston, r=rod, u=u, p_r=ROD * x, scale=1 / (RADIUS + ROD))
    return b.build(RADIUS + ROD)


def engine_start(model: Model) -> np.ndarray:
    """The closed form at crank angle 0."""
    y = neutral(model)
    lean, stroke = engine_states(np.zeros(1))
    y[1::2], y[2::2] = lean[0], stroke[0]
    return y


def engine_states(crank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rod angle against the crank and stroke of each slider-crank, (k, cylinders)."""
    cylinder = 2 * np.pi * np.arange(CYLINDERS) / CYLINDERS
    ahead = crank[:, None] - cylinder
    tilt = -np.arcsin(RADIUS / ROD * np.sin(ahead))  # of the rod against the cylinder axis
    return tilt - ahead, RADIUS * np.cos(ahead) + ROD * np.cos(tilt)


def four_bar_states(crank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coupler angle against the crank and rocker angle, coupler end above the diagonal."""
    ax, ay = CRANK * np.cos(crank), CRANK * np.sin(crank)
    dx, dy = GROUND - ax, -ay
    d = np.hypot(dx, dy)
    at_a = np.arccos((d**2 + COUPLER**2 - ROCKER**2) / (2 * d * COUPLER))
    coupler = np.arctan2(dy, dx) + at_a
    ex, ey = ax + COUPLER * np.cos(coupler), ay + COUPLER * np.sin(coupler)
    return coupler - crank, np.arctan2(ey, ex - GROUND)


def median(call: Callable[[], object]) -> float:
    """Seconds a call takes."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def turns_apart(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs((a - b + np.pi) % (2 * np.pi) - np.pi).max())


def report(
    name: str, model: Model, y: np.ndarray, unknown: np.ndarray, U: np.ndarray, tol: float
) -> np.ndarray:
    """Print the time of each stage; return the followed states."""
    rows, known = np.arange(model.m), np.array([0])
    plan = blocks.plan(model, rows, unknown)
    done = follow.follow(model, plan, known, y, U, tol)
    assert done.ended is None, done.ended
    Y = done.Y
    signs = track.branch(model, plan, y)
    t, orders = np.empty(len(U)), np.empty(len(U), np.int64)
    follow.path(U, model.weight[known], t, orders)
    scratch, out, Z = workspace(plan), np.empty(len(U)), Y.copy()
    v = np.zeros(model.nv)
    v[0] = 1.0

    def kernel() -> None:
        follow.follow_kernel(
            model, plan, known, U, t, orders, 1, Z, signs, track.NO_SIDES, track.EDGE, tol, *scratch
        )

    stages = {
        "plan": lambda: blocks.plan(model, rows, unknown),
        "branch": lambda: track.branch(model, plan, y),
        "track to the start": lambda: track.track(model, plan, known, y, U[0], signs, tol),
        "residuals": lambda: residuals(model, y, rows),
        "follow kernel": kernel,
        "follow": lambda: follow.follow(model, plan, known, y, U, tol),
        "poses along": lambda: poses_along(model, Y),
        "worst along": lambda: worst_along(model, Y, rows, out),
        "rates, one position": lambda: rates(model, plan, y, v, np.zeros(model.nv)),
    }
    print(f"{name}: {len(U)} positions, {plan.nb} blocks, tol {tol:g}, left {done.residual:.1e}")
    for stage, call in stages.items():
        seconds = median(call)
        print(f"  {stage:22} {seconds * 1e3:8.4f} ms {seconds / len(U) * 1e6:8.4f} us a position")
    return Y


def main() -> None:
    start = time.perf_counter()
    model = four_bar()
    guess = neutral(model)
    guess[1:3] = 0.6, 1.0
    free = np.array([False, True, True])
    found = least_squares.solve(model, guess, free=free)
    assert found.ok, found
    U = np.linspace(0, 4 * np.pi, 1001)[:, None]
    plan = blocks.plan(model, np.arange(2), np.array([1, 2]))
    follow.follow(model, plan, np.array([0]), found.y, U)
    rates(model, plan, found.y, np.array([1.0, 0, 0]), np.zeros(3))
    print(f"first use of solve, plan, follow, rates: {time.perf_counter() - start:.2f} s")

    Y = report("four-bar", model, found.y, np.array([1, 2]), U, 1e-12)
    coupler, rocker = four_bar_states(U[:, 0])
    error = max(turns_apart(Y[:, 1], coupler), turns_apart(Y[:, 2], rocker))
    print(f"  against the closed form {error:.1e}")
    assert error < AGREES

    model = radial_engine()
    U = np.linspace(0, 2 * np.pi, 500)[:, None]
    y = engine_start(model)
    lean, stroke = engine_states(U[:, 0])
    for tol in (1e-10, 1e-12):
        Y = report("radial engine", model, y, np.arange(1, model.nv), U, tol)
        error = max(
            turns_apart(Y[:, 1::2], lean), float(np.abs(Y[:, 2::2] - stroke).max()) / model.length
        )
        print(f"  against the closed form {error:.1e}")
        assert error < AGREES


if __name__ == "__main__":
    main()
