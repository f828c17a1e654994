"""How far a pin can slide in its hole: until flat faces meet, or one leaves the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cad2mbs.infer.fits import Fit
from cad2mbs.infer.scene import Scene

NEAR = 3.0  # radii of the hole: faces that begin farther out do not stop what turns in it
BITE = 0.02  # of the radius: by so much two rings must overlap to stop each other


Sides = tuple[Sequence[int], Sequence[int]]  # rows of two groups of bodies
Faces = tuple[tuple[int, int], tuple[int, int]]  # (body, flat) of the pin, of the hole


@dataclass(frozen=True)
class Travel:
    """Way of the pin along the fit's axis [mm]."""

    ahead: float  # until a stop; inf: there is none
    back: float
    free: float  # total way on which the overlap stays what it is, within the stops
    engaged: float  # length over which pin and hole guide each other, gaps included
    ahead_faces: Faces | None = None  # that meet first
    back_faces: Faces | None = None

    @property
    def stops(self) -> int:
        """On how many sides faces stop the pin."""
        return int(np.isfinite(self.ahead)) + int(np.isfinite(self.back))

    @property
    def play(self) -> float:
        return self.ahead + self.back


Ring = tuple[float, bool, float, float, tuple[int, int]]  # height, whether it looks ahead, radii
# inside and out, body and flat
Stop = tuple[float, Faces | None]


def travel(scene: Scene, fits: list[Fit], slack: float, sides: Sides | None = None) -> Travel:
    """Way of the pin in the tightest of coaxial fits between two bodies.

    sides  rows of the two groups that hole and pin belong to: all their faces may stop
    """
    best = tightest(fits)
    hole, pin = _run(scene, best, hole=True), _run(scene, best, hole=False)
    reach = max(hole[1], pin[1]) - min(hole[0], pin[0])
    rings = [
        [ring for body in rows for ring in _rings(scene, body, best)]
        for rows in _rows(scene, fits, best, reach, sides)
    ]
    ends = _stops(rings[0], rings[1], best.radius, slack)
    (ahead, ahead_faces), (back, back_faces) = ends
    overlap = min(hole[1], pin[1]) - max(hole[0], pin[0])
    # Shifts of the pin that keep the whole overlap.
    shifts = sorted((hole[0] - pin[0], hole[1] - pin[1]))
    low, high = min(shifts[0], 0.0), max(shifts[1], 0.0)
    free = max(min(high, ahead) - max(low, -back), 0.0)
    at = [float((f.point - best.point) @ best.z) for f in fits]
    half = [0.5 * f.overlap for f in fits]
    span = max(a + h for a, h in zip(at, half, strict=True)) - min(
        a - h for a, h in zip(at, half, strict=True)
    )
    engaged = float(max(span, overlap))
    return Travel(float(ahead), float(back), float(free), engaged, ahead_faces, back_faces)


def _rows(
    scene: Scene, fits: list[Fit], best: Fit, reach: float, sides: Sides | None
) -> tuple[list[int], list[int]]:
    """The bodies on the side of the hole and on that of the pin that are near the axis."""
    if sides is None:
        return sorted({f.hole for f in fits}), sorted({f.pin for f in fits})
    ordered = sides if best.hole in sides[0] else sides[::-1]
    room = reach * np.abs(best.z) + NEAR * best.radius
    out = []
    for rows in ordered:
        near = np.array(rows)
        low, high = scene.low[near], scene.high[near]
        close = np.all((low <= best.point + room) & (high >= best.point - room), axis=1)
        out.append([int(r) for r in near[close]])
    return out[0], out[1]


def tightest(fits: list[Fit]) -> Fit:
    """The fit with the least clearance, of equal ones the longest."""
    return min(fits, key=lambda f: (round(f.clearance / f.radius, 3), -round(f.overlap, 6)))


def _run(scene: Scene, fit: Fit, hole: bool) -> tuple[float, float]:
    """From where to where on the fit's axis the hole (pin) has about this radius."""
    body, row = (fit.hole, fit.hole_line) if hole else (fit.pin, fit.pin_line)
    number = fit.hole_segment if hole else fit.pin_segment
    line, point, z = scene.line(body, row)
    own = line.segments[number]
    low, high = line.run(own.radius, own.concave, 0.02 * own.radius)
    ends = sorted(float((point + t * z - fit.point) @ fit.z) for t in (low, high))
    return ends[0], ends[1]


def _rings(scene: Scene, body: int, fit: Fit) -> list[Ring]:
    """The flat faces of a body normal to the axis, as rings about it, heights from `fit.point`."""
    b = scene.bodies[body]
    own = {fit.hole: fit.hole_line, fit.pin: fit.pin_line}.get(body)
    if own is None:
        o, z = (fit.point - b.p) @ b.R, fit.z @ b.R
        table, start, sign = b.shape.rings_about(o, z), 0.0, 1.0
    else:
        _, point, z = scene.line(body, own)
        table = b.shape.rings_of(own)
        start, sign = float((point - fit.point) @ fit.z), float(np.sign(z @ fit.z))
    return [
        (start + sign * height, up == (sign > 0.0), inner, outer, (body, flat))
        for height, up, inner, outer, flat in table
        if inner < NEAR * fit.radius
    ]


def _stops(hole: list[Ring], pin: list[Ring], radius: float, slack: float) -> list[Stop]:
    """How far the pin's faces are from the hole's, ahead and back, and which they are."""
    ends: list[Stop] = [(np.inf, None), (np.inf, None)]
    for at, up, inner, outer, own in pin:
        for wall, wall_up, wall_inner, wall_outer, other in hole:
            if up == wall_up or min(outer, wall_outer) - max(inner, wall_inner) < BITE * radius:
                continue
            gap = (wall - at) if up else (at - wall)
            if -slack <= gap < ends[0 if up else 1][0]:
                ends[0 if up else 1] = (max(gap, 0.0), (own, other))
    return ends
