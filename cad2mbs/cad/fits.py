"""Elementary surfaces and circles through sampled points: fitted, then checked at every point.

Each fit is linear (no start value, no iteration): points on an exact surface give it back to
rounding. A fit counts only if no point is farther away than the tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cad2mbs.model.references import any_normal
from cad2mbs.model.solid import FeatureKind

FLATTEST = 1e-3  # of the patch's own bend: how far a fit may be off, else any weak bend is a torus
LARGEST_RADIUS = 100.0  # of the patch's size; flatter than that says nothing about a centre


@dataclass(frozen=True, eq=False)
class Surface:
    """An unbounded surface; cone: `radius` at `origin`, growing along z by tan(half_angle)."""

    kind: FeatureKind
    origin: np.ndarray  # (3,)
    z: np.ndarray  # (3,) unit
    x: np.ndarray  # (3,) unit, perpendicular to z
    radius: float = 0.0
    minor: float = 0.0
    half_angle: float = 0.0  # signed
    recovered: bool = False

    def distance(self, points: np.ndarray) -> np.ndarray:
        """Distance of each point (n, 3) from the surface, unsigned."""
        r = points - self.origin
        along = r @ self.z
        if self.kind is FeatureKind.PLANE:
            return np.abs(along)
        if self.kind is FeatureKind.SPHERE:
            return np.abs(np.linalg.norm(r, axis=1) - self.radius)
        across = np.linalg.norm(r - np.outer(along, self.z), axis=1)
        if self.kind is FeatureKind.CYLINDER:
            return np.abs(across - self.radius)
        if self.kind is FeatureKind.CONE:
            slope = across - self.radius - along * np.tan(self.half_angle)
            return np.abs(slope) * np.cos(self.half_angle)
        return np.abs(np.hypot(across - self.radius, along) - self.minor)


@dataclass(frozen=True, eq=False)
class Circle:
    """A circle in space."""

    origin: np.ndarray  # (3,)
    z: np.ndarray  # (3,) unit
    radius: float


def surface_through(points: np.ndarray, normals: np.ndarray, tolerance: float) -> Surface | None:
    """The plane, cylinder, cone, sphere or torus all points (n, 3) lie on, or None.

    `normals` (n, 3), unit, of the surface at the points, either sign but the same for all.
    """
    middle = points.mean(axis=0)
    r = points - middle  # far from the origin the fits would lose digits
    size = float(np.linalg.norm(np.ptp(r, axis=0)))
    if size <= 10.0 * tolerance:
        return None
    plane = _plane(r)
    bend = float(plane.distance(r).max())
    if bend <= tolerance:
        return _placed(plane, middle)
    limit = min(tolerance, FLATTEST * bend)
    for fit in (_cylinder, _sphere, _cone, _torus):
        found = fit(r, normals)
        if found is None or not _sensible(found, size):
            continue
        if float(found.distance(r).max()) <= limit:
            return _placed(found, middle)
    return None


def circle_through(points: np.ndarray, tolerance: float) -> Circle | None:
    """The circle all points (n, 3) lie on, or None; points on a straight line give None."""
    middle = points.mean(axis=0)
    r = points - middle
    size = float(np.linalg.norm(np.ptp(r, axis=0)))
    if size <= 10.0 * tolerance:
        return None
    _, values, axes = np.linalg.svd(r, full_matrices=False)
    flat = r @ axes[:2].T
    # The second direction holds the bend: an arc flatter than this is a line as well.
    if np.abs(flat[:, 1]).max() <= max(tolerance, 1e-3 * size) or values[1] == 0.0:
        return None
    centre, radius = _circle_fit(flat)
    off = np.hypot(np.linalg.norm(flat - centre, axis=1) - radius, r @ axes[2])
    if float(off.max()) > tolerance or radius > LARGEST_RADIUS * size:
        return None
    return Circle(middle + centre @ axes[:2], axes[2], radius)


def _placed(surface: Surface, middle: np.ndarray) -> Surface:
    return Surface(
        surface.kind,
        surface.origin + middle,
        surface.z,
        np.array(any_normal(tuple(surface.z))),  # type: ignore[arg-type]
        surface.radius,
        surface.minor,
        surface.half_angle,
        recovered=True,
    )


def _sensible(surface: Surface, size: float) -> bool:
    numbers = [*surface.origin, surface.radius, surface.minor, surface.half_angle]
    if not np.all(np.isfinite(numbers)):
        return False
    return max(surface.radius, surface.minor) <= LARGEST_RADIUS * size


def _surface(
    kind: FeatureKind,
    origin: np.ndarray,
    z: np.ndarray,
    radius: float = 0.0,
    minor: float = 0.0,
    half_angle: float = 0.0,
) -> Surface:
    return Surface(kind, origin, z, np.zeros(3), radius, minor, half_angle)


def _plane(r: np.ndarray) -> Surface:
    # Points of a symmetric patch have their mean on the plane: r is about it already.
    normal = np.linalg.svd(r, full_matrices=False)[2][2]
    return _surface(FeatureKind.PLANE, np.zeros(3), normal)


def _sphere(r: np.ndarray, _normals: np.ndarray) -> Surface:
    # |p|^2 = 2 c.p + (R^2 - |c|^2): linear in c and the bracket.
    centre, radius = _circle_fit(r)
    return _surface(FeatureKind.SPHERE, centre, np.array([0.0, 0.0, 1.0]), radius=radius)


def _circle_fit(r: np.ndarray) -> tuple[np.ndarray, float]:
    """Centre and radius of the circle (n, 2) or sphere (n, 3) through the points."""
    scale = float(np.abs(r).max())
    p = r / scale
    rows = np.column_stack([2.0 * p, np.ones(len(p))])
    answer = np.linalg.lstsq(rows, np.einsum("ij,ij->i", p, p), rcond=None)[0]
    centre = answer[:-1]
    return centre * scale, scale * float(np.sqrt(max(answer[-1] + centre @ centre, 0.0)))


def _cylinder(r: np.ndarray, normals: np.ndarray) -> Surface:
    # Normals have no part along the axis.
    z = np.linalg.svd(normals, full_matrices=False)[2][2]
    u = np.array(any_normal(tuple(z)))  # type: ignore[arg-type]
    basis = np.stack([u, np.cross(z, u)])
    centre, radius = _circle_fit(r @ basis.T)
    return _surface(FeatureKind.CYLINDER, centre @ basis, z, radius=radius)


def _cone(r: np.ndarray, normals: np.ndarray) -> Surface | None:
    # Tips of the normals lie on a circle about the axis; planes through p, n meet in the apex.
    z = np.linalg.svd(normals - normals.mean(axis=0), full_matrices=False)[2][2]
    apex = np.linalg.lstsq(normals, np.einsum("ij,ij->i", normals, r), rcond=None)[0]
    along = (r - apex) @ z
    if along.sum() < 0.0:
        z, along = -z, -along
    across = np.linalg.norm(r - apex - np.outer(along, z), axis=1)
    height = float(along.mean())
    if height <= 0.0 or along.min() < -1e-6 * np.abs(along).max():
        return None
    slope = float(across @ along / (along @ along))
    if not 1e-6 < slope < 1e6:
        return None
    half_angle = float(np.arctan(slope))
    return _surface(
        FeatureKind.CONE, apex + height * z, z, radius=height * slope, half_angle=half_angle
    )


def _torus(r: np.ndarray, normals: np.ndarray) -> Surface | None:
    # Every normal line meets the axis: n.m + (p x n).z = 0 with m the moment of the axis.
    scale = float(np.abs(r).max())
    rows = np.column_stack([normals, np.cross(r / scale, normals)])
    line = np.linalg.svd(rows, full_matrices=False)[2][-1]
    moment, z = line[:3], line[3:]
    length = float(np.linalg.norm(z))
    if length < 1e-6:
        return None
    z, moment = z / length, moment * scale / length
    foot = np.cross(z, moment)
    along = (r - foot) @ z
    across = np.linalg.norm(r - foot - np.outer(along, z), axis=1)
    centre, minor = _circle_fit(np.column_stack([across, along]))
    if centre[0] <= 0.0:
        return None
    return _surface(
        FeatureKind.TORUS, foot + centre[1] * z, z, radius=float(centre[0]), minor=minor
    )
