"""A sub-assembly as one rigid part: its solids joined into one, in the sub-assembly's frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cad2mbs.cad.document import Document, Instance, Leaf
from cad2mbs.model.references import Vec3
from cad2mbs.model.solid import Box, Feature, FeatureKind, Mesh, Solid

AXIAL = {FeatureKind.CYLINDER, FeatureKind.CONE, FeatureKind.TORUS, FeatureKind.CIRCLE}
TIE = 1e-9  # of two equally large components of an axis the first one counts


def grouped(document: Document, node: Instance) -> Solid:
    """All solids below the node as one."""
    below = Document(replace(node, X_PC=np.eye(4)), document.solids)
    leaves = list(below.leaves())
    solids = [document.solids[leaf.solid] for leaf in leaves]
    faces = np.cumsum([0, *(_faces(s) for s in solids)])
    moved = [
        _moved(f, leaf.X_WC, int(first))
        for leaf, solid, first in zip(leaves, solids, faces, strict=False)
        for f in solid.features
    ]
    volume, centre, inertia, density = _weighed(leaves, solids)
    corners = np.concatenate(
        [_corners(s.box, leaf.X_WC) for leaf, s in zip(leaves, solids, strict=True)]
    )
    return Solid(
        node.name,
        tuple(moved),
        volume,
        sum(s.area for s in solids),
        centre,
        inertia,
        _box(corners),
        node.colour or next((leaf.colour for leaf in leaves if leaf.colour), None),
        solids[0].material if len({s.material for s in solids}) == 1 else "",
        density,
        tuple(f"{s.name}: {p}" for s in solids for p in s.problems),
        _mesh(leaves, solids, faces),
    )


def _faces(solid: Solid) -> int:
    """How many numbers the faces and edges of a solid take up."""
    return 1 + max((n for f in solid.features for n in f.numbers), default=0)


def _moved(feature: Feature, X: np.ndarray, first: int) -> Feature:
    """The feature seen from the group, its direction canonical there as well."""
    z, x = X[:3, :3] @ feature.z, X[:3, :3] @ feature.x
    half_angle = feature.half_angle
    if feature.kind in AXIAL and _points_back(z):
        z, half_angle = -z, -half_angle
    return replace(
        feature,
        origin=_vec3(X[:3, :3] @ feature.origin + X[:3, 3]),
        z=_vec3(z),
        x=_vec3(x),
        half_angle=half_angle,
        box=_box(_corners(feature.box, X)),
        numbers=tuple(n + first for n in feature.numbers),
    )


def _points_back(z: np.ndarray) -> bool:
    largest = next(c for c in z if abs(c) >= np.abs(z).max() - TIE)
    return bool(largest < 0.0)


def _weighed(
    leaves: Sequence[Leaf], solids: Sequence[Solid]
) -> tuple[float, Vec3, tuple[Vec3, Vec3, Vec3], float | None]:
    """Volume, centre, inertia for density 1, and density, such that the mass comes out right."""
    stated = [s.density for s in solids]
    rho = np.array([1.0 if d is None or None in stated else d for d in stated])
    V = np.array([s.volume for s in solids])
    m = rho * V
    if m.sum() <= 0.0:
        zero = (0.0, 0.0, 0.0)
        return 0.0, zero, (zero, zero, zero), None
    mean = m.sum() / V.sum()
    centres = np.array(
        [lf.X_WC[:3, :3] @ s.centre + lf.X_WC[:3, 3] for lf, s in zip(leaves, solids, strict=True)]
    )
    centre = m @ centres / m.sum()
    inertia = np.zeros((3, 3))
    for leaf, solid, density, mass, c in zip(leaves, solids, rho, m, centres, strict=True):
        R, d = leaf.X_WC[:3, :3], c - centre
        inertia += density * R @ np.array(solid.inertia) @ R.T
        inertia += mass * (d @ d * np.eye(3) - np.outer(d, d))
    rows = tuple(_vec3(row) for row in inertia / mean)
    return (
        float(V.sum()),
        _vec3(centre),
        (rows[0], rows[1], rows[2]),
        None if None in stated else float(mean),
    )


def _mesh(leaves: Sequence[Leaf], solids: Sequence[Solid], faces: np.ndarray) -> Mesh | None:
    meshes = [s.mesh for s in solids]
    if any(m is None for m in meshes):
        return None
    placed = [(lf.X_WC, m) for lf, m in zip(leaves, meshes, strict=True) if m is not None]
    vertices = np.cumsum([0, *(len(m.vertices) for _, m in placed)])
    points = np.cumsum([0, *(len(m.edge_points) for _, m in placed)])
    single = np.float32
    return Mesh(
        np.concatenate([m.vertices @ X[:3, :3].T + X[:3, 3] for X, m in placed]).astype(single),
        np.concatenate([m.normals @ X[:3, :3].T for X, m in placed]).astype(single),
        np.concatenate(
            [m.triangles + v for (_, m), v in zip(placed, vertices, strict=False)]
        ).astype(np.int32),
        np.concatenate([m.face + f for (_, m), f in zip(placed, faces, strict=False)]).astype(
            np.int32
        ),
        np.concatenate([m.edge_points @ X[:3, :3].T + X[:3, 3] for X, m in placed]).astype(single),
        np.concatenate(
            [[0], *(m.edge_starts[1:] + p for (_, m), p in zip(placed, points, strict=False))]
        ).astype(np.int32),
        max(m.tolerance for _, m in placed),
    )


def _corners(box: Box, X: np.ndarray) -> np.ndarray:
    low, high = box
    at = np.array(
        [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )
    return at @ X[:3, :3].T + X[:3, 3]


def _box(points: np.ndarray) -> Box:
    return _vec3(points.min(axis=0)), _vec3(points.max(axis=0))


def _vec3(values: np.ndarray) -> Vec3:
    x, y, z = (float(v) for v in values)
    return (x, y, z)
