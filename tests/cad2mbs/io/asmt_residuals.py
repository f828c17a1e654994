"""Poses and residuals of mates straight from the table of mates; nothing of the reader's own.

The residuals are lengths and cosines, for one instant or for many at once.
"""

from __future__ import annotations

import math

import numpy as np

from cad2mbs.model.mates import RefId


def pose_matrix(position, R):
    X = np.zeros((*np.shape(position)[:-1], 4, 4))
    X[..., :3, :3], X[..., :3, 3], X[..., 3, 3] = R, position, 1.0
    return X


def reference_matrix(reference):
    return pose_matrix(np.array(reference.origin), reference.rotation)


def world(assembly, poses, id: RefId):
    return poses[id.part] @ reference_matrix(assembly.reference(id))


def mate_residual(mate, A, B):
    """Lengths and cosines that vanish where the mate holds; A, B (..., 4, 4) in the world."""
    p = B[..., :3, 3] - A[..., :3, 3]
    RA, RB = A[..., :3, :3], B[..., :3, :3]

    def dot(u, v):
        return np.einsum("...i,...i->...", u, v)

    x, y, z = 0, 1, 2
    cosines = np.einsum("...ji,...jk->...ik", RA, RB)  # [..., i, k] = axis i of A on axis k of B
    # The point a seen from the axis or plane b.
    seen = np.einsum("...ji,...j->...i", RB, -p)
    if mate.kind == "coincident":
        rows = [p[..., 0], p[..., 1], p[..., 2]]
    elif mate.kind == "distance":
        rows = [np.sqrt(dot(p, p)) - mate.value]
    elif mate.kind == "in-line":
        rows = [seen[..., x], seen[..., y]]
    elif mate.kind == "axis-distance":
        rows = [np.hypot(seen[..., x], seen[..., y]) - mate.value]
    elif mate.kind == "in-plane":
        rows = [seen[..., z] - mate.value]
    elif mate.kind == "parallel-z":
        sign = 1 if mate.sense else -1
        rows = [RB[..., i, z] - sign * RA[..., i, z] for i in range(3)]
    elif mate.kind == "offset-z":
        rows = [cosines[..., z, z] - math.cos(mate.value)]
    elif mate.kind == "offset-x":
        rows = [RB[..., i, z] - RA[..., i, z] for i in range(3)]
        # x of b is x of a turned about z by the angle: its y part in a is +sin.
        rows += [cosines[..., x, x] - math.cos(mate.value)]
        rows += [cosines[..., y, x] - math.sin(mate.value)]
    elif mate.kind == "identical":
        R = mate.transform.rotation()
        offset = np.einsum("...ji,...j->...i", RA, p) - np.array(mate.transform.position)
        rows = [offset[..., i] for i in range(3)]
        rows += [cosines[..., i, k] - R[i, k] for i in range(3) for k in range(3)]
    else:
        raise AssertionError(f"no residual for {mate.kind}")
    return np.stack(np.broadcast_arrays(*rows), axis=-1)
