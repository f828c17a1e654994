"""Round fits: a pin in a hole of another part, and holes in line whose pin is missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cad2mbs.infer.boxes import between_owners
from cad2mbs.infer.scene import Round, Scene

MAX_ANGLE = 0.03  # [rad] between axes that are meant to agree
WIDE = 0.12  # of the hole's radius: a pin with more clearance than this is not in its hole
PRESS = 0.25  # of the tolerance: by so much a pin may be thicker than its hole
SHALLOW = 0.1  # of the shorter of the two: less overlap than this is no fit
UNEQUAL = 1.7  # ratio of radii up to which holes in line may be for one stepped pin
PIN_SWEEP, HOLE_SWEEP = 2.6, 2.6  # [rad] what round faces must cover to guide


@dataclass(frozen=True, eq=False)
class Fit:
    """Coaxial segments of two bodies: `hole` around `pin` (or around a missing one)."""

    hole: int  # body
    pin: int  # body; of a missing pin: the body with the other hole
    hole_line: int
    pin_line: int
    hole_segment: int
    pin_segment: int
    point: np.ndarray  # (3,)  on the axis of the hole, middle of the overlap, in the scene
    z: np.ndarray  # (3,)  axis of the hole
    radius: float  # of the hole
    clearance: float  # radius of the hole less that of the pin
    overlap: float  # along the axis; negative: gap between two holes
    off: float  # largest distance of the axes within the overlap
    missing: bool = False  # both are holes


def slack_of(radius: np.ndarray | float, tolerance: float) -> np.ndarray:
    """What imprecision counts at a radius: the tolerance, of small features a fifth of them."""
    return np.minimum(tolerance, 0.2 * np.asarray(radius, float))


def fits(scene: Scene, rounds: Round, tolerance: float) -> list[Fit]:
    """Every pin of a body in a hole of another one."""
    holes = np.flatnonzero(rounds.concave & (rounds.sweep > HOLE_SWEEP))
    pins = np.flatnonzero(~rounds.concave & (rounds.sweep > PIN_SWEEP))
    i, j = _close(rounds, holes, pins, tolerance)
    R, r = rounds.radius[i], rounds.radius[j]
    slack = slack_of(r, tolerance)
    gap = R - r
    keep = (gap >= -PRESS * slack) & (gap <= WIDE * R + slack)
    i, j, slack = i[keep], j[keep], slack[keep]
    point, overlap, off, parallel = _shared(rounds, i, j)
    shorter = 2.0 * np.minimum(rounds.half[i], rounds.half[j])
    keep = parallel & (overlap > SHALLOW * shorter) & (off <= slack + 1e-9)
    return [_made(rounds, i[k], j[k], point[k], overlap[k], off[k]) for k in np.flatnonzero(keep)]


def holes_in_line(scene: Scene, rounds: Round, tolerance: float) -> list[Fit]:
    """Full holes of two bodies that follow each other on one axis, with nothing in them."""
    rows = np.flatnonzero(rounds.concave & (rounds.sweep > 6.0) & ~_filled(rounds, tolerance))
    i, j = _close(rounds, rows, rows, tolerance)
    keep = rounds.body[i] < rounds.body[j]
    i, j = i[keep], j[keep]
    smaller = np.minimum(rounds.radius[i], rounds.radius[j])
    slack = slack_of(smaller, tolerance)
    like = np.maximum(rounds.radius[i], rounds.radius[j]) <= UNEQUAL * smaller
    i, j, slack, smaller = i[like], j[like], slack[like], smaller[like]
    point, overlap, off, parallel = _shared(rounds, i, j)
    # Walls next to each other touch or leave a gap; they do not run through each other.
    near = (overlap <= slack) & (overlap >= -smaller - slack)
    keep = parallel & near & (off <= slack + 1e-9)
    return [
        _made(rounds, i[k], j[k], point[k], overlap[k], off[k], missing=True)
        for k in np.flatnonzero(keep)
    ]


def _filled(rounds: Round, tolerance: float) -> np.ndarray:
    """(n,) which holes have a pin of another body in them, however thin."""
    holes, pins = np.flatnonzero(rounds.concave), np.flatnonzero(~rounds.concave)
    i, j = _close(rounds, holes, pins, tolerance)
    keep = rounds.radius[j] < rounds.radius[i] + tolerance
    i, j = i[keep], j[keep]
    _, overlap, off, parallel = _shared(rounds, i, j)
    inside = parallel & (overlap > 0.0) & (off <= slack_of(rounds.radius[i], tolerance))
    out = np.zeros(len(rounds.body), bool)
    out[i[inside]] = True
    return out


def _made(
    rounds: Round,
    i: int,
    j: int,
    point: np.ndarray,
    overlap: float,
    off: float,
    missing: bool = False,
) -> Fit:
    """The fit of row j in row i."""
    r = rounds
    return Fit(
        int(r.body[i]),
        int(r.body[j]),
        int(r.line[i]),
        int(r.line[j]),
        int(r.segment[i]),
        int(r.segment[j]),
        point,
        r.z[i],
        float(r.radius[i]),
        float(r.radius[i] - r.radius[j]),
        float(overlap),
        float(off),
        missing,
    )


def _close(
    rounds: Round, a: np.ndarray, b: np.ndarray, tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of cylinders of different bodies whose boxes overlap and whose axes may agree."""
    reach = rounds.half[:, None] * np.abs(rounds.z) + rounds.radius[:, None] * np.sqrt(
        np.maximum(1.0 - rounds.z**2, 0.0)
    )
    low, high = rounds.middle - reach - tolerance, rounds.middle + reach + tolerance
    # Missing pins: the gap between two walls may be as wide as the radius.
    wide = 0.5 * rounds.radius[:, None] * np.abs(rounds.z)
    low, high = low - wide, high + wide
    i, j = between_owners((low[a], high[a], rounds.body[a]), (low[b], high[b], rounds.body[b]))
    i, j = a[i], b[j]
    keep = np.abs(np.sum(rounds.z[i] * rounds.z[j], axis=1)) > np.cos(2 * MAX_ANGLE)
    return i[keep], j[keep]


def _shared(
    rounds: Round, i: np.ndarray, j: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Middle, length and largest offset of what two cylinders share; whether they are parallel."""
    z, d = rounds.z[i], rounds.middle[j] - rounds.middle[i]
    zj = rounds.z[j] * np.sign(np.sum(rounds.z[j] * z, axis=1))[:, None]
    at = np.sum(d * z, axis=1)
    low = np.maximum(-rounds.half[i], at - rounds.half[j])
    high = np.minimum(rounds.half[i], at + rounds.half[j])
    off = np.zeros(len(i))
    for end in (low, high):
        where = d + (end - at)[:, None] * zj  # a point on axis j at height `end`, nearly
        off = np.maximum(
            off, np.linalg.norm(where - np.sum(where * z, axis=1)[:, None] * z, axis=1)
        )
    point = rounds.middle[i] + (0.5 * (low + high))[:, None] * z
    parallel = np.linalg.norm(np.cross(z, zj), axis=1) < MAX_ANGLE
    return point, high - low, off, parallel
