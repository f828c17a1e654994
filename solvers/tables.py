"""Poses of frames along a motion as rows of numbers: position and quaternion, ready for a table."""

from __future__ import annotations

import math

import numpy as np

from solvers.compiled import batch, inner
from solvers.kinematics import pose_all
from solvers.model import Model


@inner
def _quaternion(r, q):
    """Write the unit quaternion (w x y z) of the rotation r (9,), by its largest component."""
    t = r[0] + r[4] + r[8]
    if t > 0.0:
        s = 2.0 * math.sqrt(1.0 + t)
        q[0], q[1], q[2], q[3] = 0.25 * s, (r[7] - r[5]) / s, (r[2] - r[6]) / s, (r[3] - r[1]) / s
    elif r[0] >= r[4] and r[0] >= r[8]:
        s = 2.0 * math.sqrt(1.0 + r[0] - r[4] - r[8])
        q[0], q[1], q[2], q[3] = (r[7] - r[5]) / s, 0.25 * s, (r[1] + r[3]) / s, (r[2] + r[6]) / s
    elif r[4] >= r[8]:
        s = 2.0 * math.sqrt(1.0 - r[0] + r[4] - r[8])
        q[0], q[1], q[2], q[3] = (r[2] - r[6]) / s, (r[1] + r[3]) / s, 0.25 * s, (r[5] + r[7]) / s
    else:
        s = 2.0 * math.sqrt(1.0 - r[0] - r[4] + r[8])
        q[0], q[1], q[2], q[3] = (r[3] - r[1]) / s, (r[2] + r[6]) / s, (r[5] + r[7]) / s, 0.25 * s


@batch
def _frame_table(M, Y, link, F, scale, out):
    X = np.empty((M.links.shape[0], 12))
    r, q = np.empty(9), np.empty(4)
    for k in range(Y.shape[0]):
        pose_all(M, Y[k], X)
        for f in range(link.shape[0]):
            x = X[link[f]]
            for i in range(3):
                a, b, c = x[3 * i], x[3 * i + 1], x[3 * i + 2]
                for j in range(3):
                    r[3 * i + j] = a * F[f, j] + b * F[f, 3 + j] + c * F[f, 6 + j]
                p = x[9 + i] + a * F[f, 9] + b * F[f, 10] + c * F[f, 11]
                out[k, f, i] = scale * p
            _quaternion(r, q)
            # q and -q are the same turn: keep the one next to the row before, w >= 0 at first.
            side = q[0]
            if k > 0:
                side = 0.0
                for i in range(4):
                    side += q[i] * out[k - 1, f, 3 + i]
            sign = -1.0 if side < 0.0 else 1.0
            for i in range(4):
                out[k, f, 3 + i] = sign * q[i]


def frame_table(
    model: Model, Y: np.ndarray, link: np.ndarray, F: np.ndarray, scale: float
) -> np.ndarray:
    """Return (k, nf, 7): positions times `scale` and quaternions of frames F (nf, 12) on links."""
    out = np.empty((len(Y), len(link), 7))
    _frame_table(model, Y, link, F, scale, out)
    return out
