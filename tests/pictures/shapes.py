"""Meshes of shapes whose pictures are known in closed form."""

from __future__ import annotations

import numpy as np

from cad2mbs.model.solid import Mesh

NO_EDGES = (np.empty((0, 3), dtype=np.float32), np.zeros(1, dtype=np.int32))


def mesh(vertices, triangles, normals=None, edges=NO_EDGES) -> Mesh:
    vertices = np.asarray(vertices, dtype=np.float32)
    triangles = np.asarray(triangles, dtype=np.int32)
    if normals is None:  # flat: every triangle has corners of its own
        vertices = vertices[triangles.ravel()]
        triangles = np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
        a, b, c = (vertices[triangles[:, k]] for k in range(3))
        flat = np.cross(b - a, c - a)
        normals = np.repeat(flat / np.linalg.norm(flat, axis=1, keepdims=True), 3, axis=0)
    face = np.zeros(len(triangles), dtype=np.int32)
    return Mesh(vertices, np.asarray(normals, np.float32), triangles, face, *edges, 0.01)


def box(size, middle=(0.0, 0.0, 0.0)) -> Mesh:
    """A box with its twelve edges."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2.0
    corners = corners * size + middle
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    pairs = [(i, j) for i in range(8) for j in range(i) if bin(i ^ j).count("1") == 1]
    points = corners[np.array(pairs).ravel()].astype(np.float32)
    starts = np.arange(0, 2 * len(pairs) + 1, 2, dtype=np.int32)
    return mesh(corners, triangles, edges=(points, starts))


def sphere(radius, steps=96) -> Mesh:
    """A sphere of latitude and longitude, smooth, without edges."""
    polar = np.linspace(0.0, np.pi, steps + 1)
    around = np.linspace(0.0, 2.0 * np.pi, 2 * steps + 1)
    p, a = (grid.ravel() for grid in np.meshgrid(polar, around, indexing="ij"))
    normals = np.column_stack([np.sin(p) * np.cos(a), np.sin(p) * np.sin(a), np.cos(p)])
    wide = 2 * steps + 1
    i, j = (g.ravel() for g in np.meshgrid(np.arange(steps), np.arange(wide - 1), indexing="ij"))
    k = i * wide + j
    lower = np.column_stack([k, k + wide, k + wide + 1])
    upper = np.column_stack([k, k + wide + 1, k + 1])
    triangles = np.concatenate([lower[i < steps - 1], upper[i > 0]])  # none flat at a pole
    return mesh(radius * normals, triangles, normals)


def rectangle(width, height, z=0.0) -> Mesh:
    """A rectangle in the plane z, seen from above, without edges."""
    w, h = width / 2.0, height / 2.0
    return mesh([(-w, -h, z), (w, -h, z), (w, h, z), (-w, h, z)], [(0, 1, 2), (0, 2, 3)])
