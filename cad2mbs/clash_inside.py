"""Whether points are inside a closed mesh: a line through each meets the surface on both sides.

The line is cut at the point. From inside, both halves meet the surface an odd number of times. A
point on the surface is not inside: what the line meets there is not counted, and then one half
leads through the material and the other one away from it.
"""

from __future__ import annotations

import numpy as np

from cad2mbs.model.solid import Mesh
from solvers.compiled import batch

WAYS = np.array([[0.3717, 0.5583, 0.7417], [-0.6151, 0.7043, 0.3541]])  # along nothing drawn


@batch
def _inside(points, corners, ways, near):
    """Whether all points (n, 3) are inside the triangles (t, 3, 3), seen along each of the ways."""
    for p in range(points.shape[0]):
        for w in range(ways.shape[0]):
            dx, dy, dz = ways[w, 0], ways[w, 1], ways[w, 2]
            ahead, behind = 0, 0
            for t in range(corners.shape[0]):
                c = corners[t]
                # Volumes of the point's line with the sides: all of one sign where it goes through.
                ax, ay, az = c[0, 0] - points[p, 0], c[0, 1] - points[p, 1], c[0, 2] - points[p, 2]
                bx, by, bz = c[1, 0] - points[p, 0], c[1, 1] - points[p, 1], c[1, 2] - points[p, 2]
                ex, ey, ez = c[2, 0] - points[p, 0], c[2, 1] - points[p, 1], c[2, 2] - points[p, 2]
                u = dx * (by * ez - bz * ey) + dy * (bz * ex - bx * ez) + dz * (bx * ey - by * ex)
                v = dx * (ey * az - ez * ay) + dy * (ez * ax - ex * az) + dz * (ex * ay - ey * ax)
                if (u > 0.0 and v < 0.0) or (u < 0.0 and v > 0.0):
                    continue
                s = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx)
                if (min(u, v, s) < 0.0 and max(u, v, s) > 0.0) or u + v + s == 0.0:
                    continue
                total = u + v + s
                along = (
                    u * (ax * dx + ay * dy + az * dz)
                    + v * (bx * dx + by * dy + bz * dz)
                    + s * (ex * dx + ey * dy + ez * dz)
                ) / total
                ahead += along > near
                behind += along < -near
            if ahead % 2 == 0 or behind % 2 == 0:
                return False
    return True


class Inside:
    """A mesh to ask what is inside it; `probes` are a few of its own vertices, far apart."""

    def __init__(self, mesh: Mesh):
        self._mesh = mesh
        self._corners: np.ndarray | None = None
        used = mesh.vertices[np.unique(mesh.triangles)].astype(float)
        lowest, highest = used.argmin(axis=0), used.argmax(axis=0)
        self.probes = used[np.unique(np.concatenate([lowest, highest]))]  # (n <= 6, 3) [mm]

    def holds(self, points: np.ndarray, near: float) -> bool:
        """Whether all points (n, 3) [mm] are inside; `near` the surface is not inside."""
        if self._corners is None:
            triangles = self._mesh.vertices[self._mesh.triangles].astype(float)
            self._corners = np.ascontiguousarray(triangles)
        return bool(_inside(np.ascontiguousarray(points), self._corners, WAYS, near))
