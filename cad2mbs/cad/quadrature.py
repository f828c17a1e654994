"""Area and volume moments of a trimmed patch, to rounding; numpy only.

A volume's moments are a sum over its faces (divergence theorem, r from the reference point):
    integral of m dV = sum of integral m (r . N) / (k + 3) du dv,   m a monomial of degree k,
with N = S_u x S_v. Over the trimmed domain (Green's theorem)
    integral of g du dv = loop integral of G(u, v) dv,   G = integral of g from u_0 to u.
Outer and inner integrals are Gauss sums between all knots, where the integrands are smooth:
a rational patch that stands for a cylinder or a sphere comes out exact to about 1e-12.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

POINTS = 12  # Gauss points between two knots
SMOOTH_POINTS = 7  # the same on elementary surfaces, an eighth of a turn at a time
MANY = 16  # stretches of a curve; from there on each is short and
DENSE_POINTS = 5  # so many Gauss points do
MOST = 4_000_000  # surface points per patch; beyond, fewer Gauss points are taken
MONOMIALS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))  # of second degree
DEGREES = np.array([0, 1, 1, 1, 2, 2, 2, 2, 2, 2])


class Patch(Protocol):
    """A surface over (u, v), smooth between its breaks."""

    @property
    def breaks_u(self) -> np.ndarray: ...

    @property
    def breaks_v(self) -> np.ndarray: ...

    def evaluate(self, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points and both tangents, (n, 3) each."""
        ...


@dataclass(frozen=True, eq=False)
class PlanePatch:
    """A plane: origin + u x + v y."""

    axes: np.ndarray  # (4, 3)  origin, x, y, z
    breaks_u: np.ndarray
    breaks_v: np.ndarray

    def evaluate(self, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        origin, x, y, _ = self.axes
        ones = np.ones_like(u)
        return origin + np.outer(u, x) + np.outer(v, y), np.outer(ones, x), np.outer(ones, y)


@dataclass(frozen=True, eq=False)
class RoundPatch:
    """A profile turned about z by u: from z by a + b v + c cos v, along z by d v + e sin v.

    That is a cylinder, cone, sphere or torus in the parameters CAD kernels give them.
    """

    axes: np.ndarray  # (4, 3)  origin, x, y, z
    profile: tuple[float, float, float, float, float]  # a, b, c, d, e
    breaks_u: np.ndarray
    breaks_v: np.ndarray

    def evaluate(self, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        origin, x, y, z = self.axes
        a, b, c, d, e = self.profile
        ring = np.outer(np.cos(u), x) + np.outer(np.sin(u), y)
        turn = np.outer(np.cos(u), y) - np.outer(np.sin(u), x)
        away = (a + b * v + c * np.cos(v))[:, None]
        point = origin + away * ring + np.outer(d * v + e * np.sin(v), z)
        along_v = (b - c * np.sin(v))[:, None] * ring + np.outer(d + e * np.cos(v), z)
        return point, away * turn, along_v


@dataclass(frozen=True, eq=False)
class SplineSurface:
    """A rational B-spline surface, not periodic."""

    poles: np.ndarray  # (nu, nv, 4)  w x, w y, w z, w
    knots_u: np.ndarray  # (nu + degree + 1,)
    knots_v: np.ndarray
    degree_u: int
    degree_v: int

    @property
    def breaks_u(self) -> np.ndarray:
        return np.unique(self.knots_u[self.degree_u : -self.degree_u])

    @property
    def breaks_v(self) -> np.ndarray:
        return np.unique(self.knots_v[self.degree_v : -self.degree_v])

    def evaluate(self, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points and both tangents, (n, 3) each."""
        iu, bu, du = basis(self.knots_u, self.degree_u, u)
        iv, bv, dv = basis(self.knots_v, self.degree_v, v)
        rows = iu[:, None] + np.arange(self.degree_u + 1)
        columns = iv[:, None] + np.arange(self.degree_v + 1)
        local = self.poles[rows[:, :, None], columns[:, None, :]]
        half = np.einsum("nj,nijd->nid", bv, local)
        p = np.einsum("ni,nid->nd", bu, half)
        pu = np.einsum("ni,nid->nd", du, half)
        pv = np.einsum("ni,nj,nijd->nd", bu, dv, local)
        w = p[:, 3:]
        point = p[:, :3] / w
        return point, (pu[:, :3] - point * pu[:, 3:]) / w, (pv[:, :3] - point * pv[:, 3:]) / w


@dataclass(frozen=True, eq=False)
class SplineCurve:
    """A rational B-spline curve in the (u, v) plane, not periodic; sign -1: run backwards."""

    poles: np.ndarray  # (n, 3)  w u, w v, w
    knots: np.ndarray
    degree: int
    sign: float = 1.0

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(u, v) and its derivative, (n, 2) each."""
        i, b, d = basis(self.knots, self.degree, t)
        local = self.poles[i[:, None] + np.arange(self.degree + 1)]
        p = np.einsum("ni,nid->nd", b, local)
        dp = np.einsum("ni,nid->nd", d, local)
        point = p[:, :2] / p[:, 2:]
        return point, (dp[:, :2] - point * dp[:, 2:]) / p[:, 2:]


def basis(knots: np.ndarray, p: int, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """First pole, values (n, p + 1) and derivatives (n, p + 1) of the basis functions at t.

    Piegl and Tiller, The NURBS Book, A2.2 and equation 2.7, for all t at once; outside the
    knots the end spans continue.
    """
    span = np.clip(np.searchsorted(knots, t, side="right") - 1, p, len(knots) - p - 2)
    values = np.ones((len(t), 1))
    lower = values
    for k in range(1, p + 1):
        lower = values
        rows = span[:, None] + np.arange(1 - k, 1)
        left, right = knots[rows], knots[rows + k]
        part = lower / (right - left)
        values = np.zeros((len(t), k + 1))
        values[:, :-1] += part * (right - t[:, None])
        values[:, 1:] += part * (t[:, None] - left)
    derivatives = np.zeros((len(t), p + 1))
    if p:
        rows = span[:, None] + np.arange(1 - p, 1)
        part = p * lower / (knots[rows + p] - knots[rows])
        derivatives[:, :-1] -= part
        derivatives[:, 1:] += part
    return span - p, values, derivatives


@dataclass(frozen=True, eq=False)
class Moments:
    """What a face adds to area and volume; the volume's part has the sign of S_u x S_v."""

    area: float
    area_first: np.ndarray  # (3,)  integral of r dA
    volume: np.ndarray  # (10,)  1, x, y, z, xx, yy, zz, xy, yz, zx


def patch_moments(surface: Patch, loop: list[SplineCurve], reference: np.ndarray) -> Moments:
    """Moments of the part of a surface inside a loop, r counted from `reference`."""
    spans_u = surface.breaks_u
    count = _gauss_count(surface, loop, len(spans_u) - 1)
    nodes, weights = np.polynomial.legendre.leggauss(count)
    ends, across = _outer(surface, loop, spans_u, nodes, weights)
    if not isinstance(surface, SplineSurface):
        nodes, weights = np.polynomial.legendre.leggauss(min(count, SMOOTH_POINTS))
    u, v, w = _inner(ends, across, spans_u, nodes, weights)
    return _summed(surface, u, v, w, reference)


def _gauss_count(surface: Patch, loop: list[SplineCurve], spans_u: int) -> int:
    spans_v = len(surface.breaks_v) - 1
    outer = sum(len(np.unique(curve.knots)) - 1 for curve in loop) + 2 * (spans_u + spans_v)
    affordable = int(np.sqrt(MOST / max(outer * spans_u, 1)))
    return int(np.clip(affordable, 3, POINTS))


def _outer(
    surface: Patch,
    loop: list[SplineCurve],
    spans_u: np.ndarray,
    nodes: np.ndarray,
    weights: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 2) on the loop and their weight times dv, (n,)."""
    spans_v = surface.breaks_v
    ends, across = [np.empty((0, 2))], [np.empty(0)]
    # Round surfaces are smooth everywhere: their breaks only keep the inner sums short.
    lines = (spans_u[1:-1], spans_v[1:-1]) if isinstance(surface, SplineSurface) else ((), ())
    for curve in loop:
        breaks = _breaks(curve, *lines)
        if len(breaks) > MANY:
            nodes_here = np.polynomial.legendre.leggauss(min(len(nodes), DENSE_POINTS))
        else:
            nodes_here = (nodes, weights)
        t, w = _nodes_between(breaks, *nodes_here)
        point, slope = curve.evaluate(t)
        ends.append(point)
        across.append(curve.sign * w * slope[:, 1])
    end, dv = np.concatenate(ends), np.concatenate(across)
    moving = np.abs(dv) > 1e-15 * (spans_v[-1] - spans_v[0])  # along u nothing is added
    return end[moving], dv[moving]


def _nodes_between(
    breaks: np.ndarray, nodes: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    half = 0.5 * np.diff(breaks)[:, None]
    t = 0.5 * (breaks[1:] + breaks[:-1])[:, None] + half * nodes
    return t.ravel(), (half * weights).ravel()


def _breaks(curve: SplineCurve, lines_u: Iterable[float], lines_v: Iterable[float]) -> np.ndarray:
    """Parameters between which curve and surface are smooth: knots, and knot lines crossed."""
    breaks = np.unique(curve.knots[curve.degree : len(curve.knots) - curve.degree])
    crossed = [
        _crossings(curve, breaks, column, value)
        for column, values in ((0, lines_u), (1, lines_v))
        for value in values
    ]
    return np.unique(np.concatenate([breaks, *crossed]))


def _crossings(curve: SplineCurve, breaks: np.ndarray, column: int, value: float) -> np.ndarray:
    """Parameters at which a coordinate of the curve passes a value."""
    poles = curve.poles[:, column] / curve.poles[:, 2]
    if not poles.min() < value < poles.max():  # the curve stays within its poles
        return np.empty(0)
    t = np.unique(np.linspace(breaks[:-1], breaks[1:], 9).ravel())
    side = curve.evaluate(t)[0][:, column] - value
    (rows,) = np.nonzero(side[:-1] * side[1:] < 0.0)
    low, high, below = t[rows], t[rows + 1], side[rows]
    for _ in range(50 if len(rows) else 0):
        middle = 0.5 * (low + high)
        same = (curve.evaluate(middle)[0][:, column] - value) * below > 0.0
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return low


def _inner(
    ends: np.ndarray,
    across: np.ndarray,
    spans_u: np.ndarray,
    nodes: np.ndarray,
    weights: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points u, v and weights of all inner sums, from the first knot to each end point."""
    low = np.broadcast_to(spans_u[:-1], (len(ends), len(spans_u) - 1)).copy()
    high = np.minimum(spans_u[1:], ends[:, :1])
    high[:, -1] = np.where(ends[:, 0] > spans_u[-1], ends[:, 0], high[:, -1])
    first = ends[:, 0] < spans_u[0]  # a hair outside: counts backwards
    high[first, 0] = ends[first, 0]
    used = high > low
    used[first, 0] = True
    row, _ = np.nonzero(used)
    half = 0.5 * (high - low)[used][:, None]
    u = 0.5 * (high + low)[used][:, None] + half * nodes
    v = np.broadcast_to(ends[row, 1][:, None], u.shape)
    w = half * weights * across[row][:, None]
    return u.ravel(), v.ravel(), w.ravel()


def _summed(
    surface: Patch, u: np.ndarray, v: np.ndarray, w: np.ndarray, reference: np.ndarray
) -> Moments:
    area, first, volume = 0.0, np.zeros(3), np.zeros(10)
    for start in range(0, len(u), 50_000):  # in pieces: the memory of large patches stays small
        part = slice(start, start + 50_000)
        point, along_u, along_v = surface.evaluate(u[part], v[part])
        r = point - reference
        normal = np.cross(along_u, along_v)
        element = w[part] * np.linalg.norm(normal, axis=1)
        area += float(element.sum())
        first += element @ r
        second = np.stack([r[:, i] * r[:, j] for i, j in MONOMIALS], axis=1)
        monomials = np.column_stack([np.ones(len(r)), r, second])
        volume += (w[part] * np.einsum("ij,ij->i", r, normal)) @ monomials
    return Moments(area, first, volume / (DEGREES + 3.0))
