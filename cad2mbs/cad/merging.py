"""Faces that continue each other become one feature; numpy only."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cad2mbs.cad.fits import Surface
from cad2mbs.model.references import Vec3
from cad2mbs.model.solid import Box, Feature, FeatureKind

TIE = 1e-9  # components this close count as equal when the sign of a direction is chosen
FULL = 2.0 * math.pi


@dataclass(frozen=True, eq=False)
class Piece:
    """One face: its surface, which side the material is on, what part of the surface it covers."""

    number: int
    surface: Surface
    concave: bool
    sweep: float
    towards: np.ndarray  # (3,) from the axis to the middle of the sweep, any length
    low: float  # along surface.z from surface.origin
    high: float
    size: float
    centre: np.ndarray  # (3,) of area
    box: np.ndarray  # (2, 3)
    name: str = ""


def canonical(z: np.ndarray) -> float:
    """1 or -1: the sign that makes the largest component of z positive, the first one on ties."""
    sizes = np.abs(z)
    first = int(np.flatnonzero(sizes >= sizes.max() - TIE)[0])
    return 1.0 if z[first] >= 0.0 else -1.0


def vec3(values: np.ndarray) -> Vec3:
    """Three plain numbers, no negative zeros."""
    x, y, z = (float(v) + 0.0 for v in values)
    return (x, y, z)


def box_of(rows: np.ndarray) -> Box:
    """The box (2, 3) as plain numbers."""
    return vec3(rows[0]), vec3(rows[1])


def same_surface(a: Piece, b: Piece, tolerance: float) -> bool:
    """Whether two faces lie on one surface with the material on the same side."""
    s, t = a.surface, b.surface
    if s.kind is not t.kind or s.kind is FeatureKind.FREE or a.concave != b.concave:
        return False
    near = 4.0 * tolerance
    gap = t.origin - s.origin
    if abs(s.radius - t.radius) > near and s.kind is not FeatureKind.CONE:
        return False
    if s.kind is FeatureKind.SPHERE:
        return float(np.linalg.norm(gap)) <= near
    reach = max(float(np.linalg.norm(np.ptp(np.vstack([a.box, b.box]), axis=0))), 1e-300)
    turned = float(np.linalg.norm(np.cross(s.z, t.z)))
    if turned > max(near / reach, 1e-9):
        return False
    if s.kind is FeatureKind.PLANE:
        return bool(s.z @ t.z > 0.0) and abs(float(gap @ s.z)) <= near
    if float(np.linalg.norm(gap - (gap @ s.z) * s.z)) > near:
        return False
    if s.kind is FeatureKind.CYLINDER:
        return True
    if s.kind is FeatureKind.TORUS:
        return abs(float(gap @ s.z)) <= near and abs(s.minor - t.minor) <= near
    sign = 1.0 if s.z @ t.z > 0.0 else -1.0
    expected = s.radius + float(gap @ s.z) * math.tan(s.half_angle)
    bent = abs(s.half_angle - sign * t.half_angle)
    return bent <= max(near / reach, 1e-9) and abs(expected - t.radius) <= near


def merged(pieces: list[Piece]) -> Feature:
    """The feature that pieces of one surface make together; the first one gives its axes."""
    s = pieces[0].surface
    size = sum(p.size for p in pieces)
    sign = 1.0 if s.kind in (FeatureKind.PLANE, FeatureKind.FREE) else canonical(s.z)
    origin, radius, length = s.origin, s.radius, 0.0
    if s.kind is FeatureKind.PLANE:
        centre = sum((p.size * p.centre for p in pieces), np.zeros(3))
        origin = centre / size if size > 0.0 else pieces[0].centre
        origin = origin - ((origin - s.origin) @ s.z) * s.z
    elif s.kind in (FeatureKind.CYLINDER, FeatureKind.CONE):
        low, high = _range(pieces)
        middle = 0.5 * (low + high)
        length = high - low
        origin = s.origin + middle * s.z
        radius = s.radius + middle * math.tan(s.half_angle)
    boxes = np.array([p.box for p in pieces])
    return Feature(
        s.kind,
        vec3(origin),
        vec3(sign * s.z),
        vec3(s.x),
        radius=float(radius),
        minor=float(s.minor),
        half_angle=sign * float(s.half_angle),
        concave=pieces[0].concave,
        sweep=_sweep(pieces),
        length=float(length),
        size=float(size),
        box=box_of(np.array([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])),
        name=next((p.name for p in pieces if p.name), ""),
        numbers=tuple(p.number for p in pieces),
        recovered=any(p.surface.recovered for p in pieces),
    )


def _range(pieces: list[Piece]) -> tuple[float, float]:
    """Lowest and highest place of all pieces along the first one's z, from its origin."""
    s = pieces[0].surface
    ends = []
    for piece in pieces:
        shift = float((piece.surface.origin - s.origin) @ s.z)
        sign = 1.0 if piece.surface.z @ s.z > 0.0 else -1.0
        ends += [shift + sign * piece.low, shift + sign * piece.high]
    return min(ends), max(ends)


def _sweep(pieces: list[Piece]) -> float:
    """Angle that all pieces cover together about the axis: pieces may lie behind each other."""
    s = pieces[0].surface
    if len(pieces) == 1:
        return pieces[0].sweep
    if s.kind is FeatureKind.SPHERE and any(
        np.linalg.norm(np.cross(p.surface.z, s.z)) > 1e-6 for p in pieces
    ):
        return min(sum(p.sweep for p in pieces), FULL)  # no common axis to measure about
    y = np.cross(s.z, s.x)
    arcs = []
    for piece in pieces:
        middle = math.atan2(float(piece.towards @ y), float(piece.towards @ s.x))
        start = (middle - 0.5 * piece.sweep) % FULL
        arcs.append((start, start + piece.sweep))
    return covered(arcs)


def covered(arcs: list[tuple[float, float]]) -> float:
    """Angle covered by arcs (start in [0, 2 pi), end > start) of one circle together."""
    turns = sorted([*arcs, *((a + FULL, b + FULL) for a, b in arcs)])
    reach = turns[0][0]
    total, limit = 0.0, turns[0][0] + FULL
    # One turn, begun at the first start; what ran over from before is found at the end of it.
    wrapped = max(b for _, b in arcs) - FULL
    reach = max(reach, min(wrapped, limit))
    total = reach - turns[0][0]
    for a, b in turns:
        a, b = max(a, reach), min(b, limit)
        if b > a:
            total += b - a
            reach = b
    return FULL if total > FULL - 1e-9 else total
