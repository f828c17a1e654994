"""How deep two crossing triangles are in each other, and how far each may be from its surface.

A triangle is cut to what lies over or under the other one, seen along that one's normal, and
measured from its plane; the depth is the smaller of both ways. A wall that stands on a floor has
depth 0, though the floor goes on behind the wall's plane; bars that cross are deep, though no
corner of one is inside the other.

The normals of a mesh are those of the true surface. Where a side e of a triangle bows out, the
normals n at its ends lean along it: the arc over a chord of length L has n . e = L sin(a / 2) and
rises by L tan(a / 4) / 2, so by n . e / 4 while the angle a is small. In the middle of an
equilateral triangle on a sphere the surface is 4/3 as far away as over its sides.
"""

from __future__ import annotations

import math

import numpy as np

from cad2mbs.model.solid import Mesh
from solvers.compiled import batch, inner

BOW = 1.0 / 3.0  # height of the surface over a triangle, of how far a normal leans along a side


@inner
def _clip(points, count, ax, ay, az, mx, my, mz, out):
    """Write the part of a polygon on the side of the plane through a that m points to."""
    n = 0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        here = (points[i, 0] - ax) * mx + (points[i, 1] - ay) * my + (points[i, 2] - az) * mz
        then = (points[j, 0] - ax) * mx + (points[j, 1] - ay) * my + (points[j, 2] - az) * mz
        if here >= 0.0:
            for k in range(3):
                out[n, k] = points[i, k]
            n += 1
        if (here > 0.0 and then < 0.0) or (here < 0.0 and then > 0.0):
            share = here / (here - then)
            for k in range(3):
                out[n, k] = points[i, k] + share * (points[j, k] - points[i, k])
            n += 1
    return n


@batch
def _behind(corners, others, depth):
    """Write depth (n,) = how far each triangle reaches behind the other one, within its outline."""
    points, cut = np.empty((8, 3)), np.empty((8, 3))
    for t in range(corners.shape[0]):
        b = others[t]
        ux, uy, uz = b[1, 0] - b[0, 0], b[1, 1] - b[0, 1], b[1, 2] - b[0, 2]
        vx, vy, vz = b[2, 0] - b[0, 0], b[2, 1] - b[0, 1], b[2, 2] - b[0, 2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        size = math.sqrt(nx * nx + ny * ny + nz * nz)
        depth[t] = 0.0
        if size == 0.0:
            continue
        nx, ny, nz = nx / size, ny / size, nz / size
        for i in range(3):
            for k in range(3):
                points[i, k] = corners[t, i, k]
        count = 3
        for i in range(3):
            j = (i + 1) % 3
            ex, ey, ez = b[j, 0] - b[i, 0], b[j, 1] - b[i, 1], b[j, 2] - b[i, 2]
            mx, my, mz = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex
            count = _clip(points, count, b[i, 0], b[i, 1], b[i, 2], mx, my, mz, cut)
            for p in range(count):
                for k in range(3):
                    points[p, k] = cut[p, k]
        for p in range(count):
            height = (
                (points[p, 0] - b[0, 0]) * nx
                + (points[p, 1] - b[0, 1]) * ny
                + (points[p, 2] - b[0, 2]) * nz
            )
            depth[t] = max(depth[t], -height)


def depths(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Depth (n,) of each pair of crossing triangles (n, 3, 3), counter-clockwise from outside."""
    first, second = (np.ascontiguousarray(t, float) for t in (first, second))
    one, two = np.empty(len(first)), np.empty(len(first))
    _behind(first, second, one)
    _behind(second, first, two)
    return np.minimum(one, two)


def normals(corners: np.ndarray) -> np.ndarray:
    """Unit normals (n, 3) out of the material; zero where a triangle has no area."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    return np.divide(normal, size, out=np.zeros_like(normal), where=size > 0.0)


def deviations(mesh: Mesh) -> np.ndarray:
    """How far each triangle (nt,) may be from the true surface [mm], at most the mesh's tolerance.

    Nothing where the normals say that the surface is flat.
    """
    corners = mesh.vertices[mesh.triangles].astype(float)
    normal = mesh.normals[mesh.triangles].astype(float)
    sides = corners[:, [1, 2, 0]] - corners
    here = np.einsum("tci,tci->tc", normal, sides)
    then = np.einsum("tci,tci->tc", normal[:, [1, 2, 0]], sides)
    lean = np.maximum(np.abs(here), np.abs(then)).max(axis=1, initial=0.0)
    return np.minimum(BOW * lean, mesh.tolerance)
