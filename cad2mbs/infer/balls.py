"""Balls in sockets, and crosses: balls that are held by pins from both parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from cad2mbs.infer.fits import PRESS, WIDE, slack_of
from cad2mbs.infer.scene import Balls, Scene

UPRIGHT = 0.05  # cosine: pins closer to a right angle than this cross each other


@dataclass(frozen=True, eq=False)
class BallFit:
    """A ball of body `ball` in the socket of body `socket`."""

    ball: int
    socket: int
    ball_row: int  # of the body's balls
    socket_row: int
    centre: np.ndarray  # (3,)  of the socket
    radius: float
    clearance: float
    off: float
    pins: tuple[int, int] | None = None  # lines of ball and socket that cross: a universal joint


def ball_fits(scene: Scene, balls: Balls, tolerance: float) -> list[BallFit]:
    """Every ball in a socket of another body."""
    full, hollow = np.flatnonzero(~balls.concave), np.flatnonzero(balls.concave)
    if not len(full) or not len(hollow):
        return []
    tree = KDTree(balls.centre[full])
    near = tree.query_ball_point(balls.centre[hollow], tolerance)
    found: dict[tuple[int, int, tuple[int, ...]], BallFit] = {}
    for h, rows in zip(hollow, near, strict=True):
        for b in full[rows]:
            fit = _fit(scene, balls, int(b), int(h), tolerance)
            if fit is None:
                continue
            # A socket may be in several faces; the tightest one speaks for all.
            key = (fit.ball, fit.socket, tuple(np.round(fit.centre / (4 * tolerance)).astype(int)))
            if key not in found or abs(fit.clearance) < abs(found[key].clearance):
                found[key] = fit
    return list(found.values())


def _fit(scene: Scene, balls: Balls, b: int, h: int, tolerance: float) -> BallFit | None:
    if balls.body[b] == balls.body[h]:
        return None
    slack = float(slack_of(balls.radius[b], tolerance))
    gap = float(balls.radius[h] - balls.radius[b])
    off = float(np.linalg.norm(balls.centre[h] - balls.centre[b]))
    if not -PRESS * slack <= gap <= WIDE * balls.radius[h] + slack or off > slack + 1e-9:
        return None
    ball, socket = int(balls.body[b]), int(balls.body[h])
    pins = _crossed(scene, ball, socket, balls.centre[b], float(balls.radius[b]), slack)
    rows = int(balls.ball[b]), int(balls.ball[h])
    return BallFit(ball, socket, *rows, balls.centre[h], float(balls.radius[h]), gap, off, pins)


def _crossed(
    scene: Scene, ball: int, socket: int, centre: np.ndarray, radius: float, slack: float
) -> tuple[int, int] | None:
    """Lines of the two bodies with pins on both sides of the ball, at right angles."""
    one = _pins(scene, ball, centre, radius, slack)
    other = _pins(scene, socket, centre, radius, slack)
    for a, za in one:
        for b, zb in other:
            if abs(za @ zb) < UPRIGHT:
                return a, b
    return None


def _pins(
    scene: Scene, body: int, centre: np.ndarray, radius: float, slack: float
) -> list[tuple[int, np.ndarray]]:
    """Lines through the centre with round faces on both sides of the ball, and none across it."""
    b = scene.bodies[body]
    own = (centre - b.p) @ b.R
    out = []
    for k, line in enumerate(b.shape.lines):
        d = own - line.point
        at = float(d @ line.z)
        if np.linalg.norm(d - at * line.z) > slack:
            continue
        thin = [s for s in line.segments if s.radius < radius and not s.concave]
        sides = {1 if s.low > at else -1 for s in thin if not s.low <= at <= s.high}
        beside = all(min(abs(s.low - at), abs(s.high - at)) > 0.3 * radius for s in thin)
        if sides == {1, -1} and beside and not any(s.low < at < s.high for s in thin):
            out.append((k, b.R @ line.z))
    return out
