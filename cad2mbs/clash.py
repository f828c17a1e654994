"""Which parts run into each other: meshes that cross deeper than they deviate, or are swallowed.

Faces that lie on each other, or a pin in a hole of its own size, cross by no more than the meshes
deviate from the true surfaces; that is touching, not a clash. Crossing triangles tell how deep, and
how far each may deviate where it lies (cad2mbs/clash_depth.py): a triangle is many times larger
than its own deviation, so that no depth is too small to be told from it. The tolerance of a whole
mesh would not do, it may be larger than the triangles of a small ball on a long arm. A corner may
look deeper than it is: where a shift by the tolerance, along one of the normals there, sets both
parts free, they touch as well. A part wholly inside another crosses nothing; rays tell
(cad2mbs/clash_inside.py).

Left out are parts of one rigid body, bodies that a joint joins (they touch by design; a rod that
hits its own housing elsewhere is found with `joined`), and pairs that overlap already where the
mechanism was assembled (press fits, threads drawn as cylinders): `notes` names those.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cad2mbs.clash_depth import depths, deviations, normals
from cad2mbs.clash_inside import Inside
from cad2mbs.model.solid import Mesh
from solvers.kinematics import poses

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

FIRST, MOST = 64, 1024  # crossing triangles looked at first, and at most
SURELY = 10.0  # times what the meshes deviate there: this deep is no matter of corners
WAYS = 8  # directions in which a part is shifted to see whether it gets free
ROUNDING = 1e-6  # of the larger part's diagonal: meshes have single precision


class Clashes:
    """Finds the parts that penetrate, for any pose of a mechanism or of its forks, in any thread.

    `joined` True looks at pairs that a joint joins as well; what those overlap where they were
    assembled is left out too.
    """

    def __init__(self, m: Mechanism, joined: bool = False):
        self._m = m
        parts = [p for p in m.assembly.parts.values() if p.solid is not None and p.solid.mesh]
        self.names = [p.name for p in parts]
        self._meshes: list[Mesh] = [p.solid.mesh for p in parts if p.solid and p.solid.mesh]
        places = [m.structure.part_place[n] for n in self.names]
        self._link = np.array([p.link for p in places], np.int64)
        self._R = np.array([p.R for p in places]).reshape(-1, 3, 3)
        self._p = np.array([p.p for p in places]).reshape(-1, 3)
        self._pairs = self._candidates(joined)
        self._alone = threading.Lock()  # the objects are moved to a pose and back

    def at(self, m: Mechanism) -> list[tuple[str, str]]:
        """Pairs of parts that penetrate at the present pose of m."""
        named = {(a, b) for a, b in self.overlapping}
        return [pair for pair in self._found(m.state) if pair not in named]

    @cached_property
    def overlapping(self) -> list[tuple[str, str]]:
        """Pairs that overlap where the mechanism was assembled, before anything moved."""
        return self._found(self._m.planner.y)

    @property
    def notes(self) -> list[str]:
        """A sentence for every pair that is left out because it overlaps from the start."""
        return [
            f"{a} and {b} overlap where the mechanism is assembled; taken as meant, and not "
            "watched for clashes"
            for a, b in self.overlapping
        ]

    def _candidates(self, joined: bool) -> np.ndarray:
        """(n, 2) pairs of parts that may clash at all."""
        s = self._m.structure
        body = {part: b.name for b in s.bodies.values() for part in b.places}
        touching = set() if joined else {frozenset((j.a, j.b)) for j in s.joints}
        found = [
            (i, k)
            for i, first in enumerate(self.names)
            for k, second in enumerate(self.names[:i])
            if body[first] != body[second]
            and frozenset((body[first], body[second])) not in touching
        ]
        return np.array(found, np.int64).reshape(-1, 2)[:, ::-1]

    # -- where the parts are --------------------------------------------------------------

    def _placed(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rotations (n, 3, 3) and positions (n, 3) [mm] of the parts."""
        X = poses(self._m.structure.model, y)[self._link]
        R = X[:, :9].reshape(-1, 3, 3)
        return R @ self._R, (np.einsum("nij,nj->ni", R, self._p) + X[:, 9:]) * 1e3

    @cached_property
    def _boxes(self) -> tuple[np.ndarray, np.ndarray]:
        """Centres and half sizes (n, 3) [mm] of the meshes, in their parts."""
        low = np.array([mesh.vertices.min(axis=0) for mesh in self._meshes], float)
        high = np.array([mesh.vertices.max(axis=0) for mesh in self._meshes], float)
        return 0.5 * (low + high), 0.5 * (high - low)

    def _near(self, R: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The candidates whose boxes, along the axes of the ground, overlap."""
        centre, half = self._boxes
        middle = np.einsum("nij,nj->ni", R, centre) + p
        size = np.einsum("nij,nj->ni", np.abs(R), half)
        i, k = self._pairs.T
        apart = np.abs(middle[i] - middle[k]) > size[i] + size[k]
        return self._pairs[~apart.any(axis=1)]

    # -- what crosses ---------------------------------------------------------------------

    @cached_property
    def _objects(self) -> list[Any]:
        """What the collision library moves and compares; equal meshes share their tree of boxes."""
        import fcl

        trees: dict[int, Any] = {}
        for mesh in self._meshes:
            if id(mesh) not in trees:
                tree = fcl.BVHModel()
                tree.beginModel(len(mesh.vertices), len(mesh.triangles))
                tree.addSubModel(mesh.vertices.astype(float), mesh.triangles.astype(np.int64))
                tree.endModel()
                trees[id(mesh)] = tree
        return [fcl.CollisionObject(trees[id(mesh)]) for mesh in self._meshes]

    def _found(self, y: np.ndarray) -> list[tuple[str, str]]:
        """Pairs that penetrate at a state."""
        if len(self._pairs) == 0:
            return []
        import fcl

        R, p = self._placed(y)
        near = self._near(R, p)
        with self._alone:
            for i in np.unique(near):
                self._objects[i].setTransform(fcl.Transform(R[i].copy(), p[i].copy()))
            return [
                (self.names[i], self.names[k])
                for i, k in near.tolist()
                if self._deep(i, k, R, p) or self._swallowed(i, k, R, p)
            ]

    @cached_property
    def _deviations(self) -> list[np.ndarray]:
        """How far each triangle of each mesh may be from the true surface [mm]."""
        known = {id(mesh): mesh for mesh in self._meshes}
        found = {key: deviations(mesh) for key, mesh in known.items()}
        return [found[id(mesh)] for mesh in self._meshes]

    def _rounding(self, i: int, k: int) -> float:
        """Depth [mm] up to which two flat faces only touch."""
        half = self._boxes[1]
        return 2.0 * ROUNDING * float(max(np.linalg.norm(half[i]), np.linalg.norm(half[k])))

    def _deep(self, i: int, k: int, R: np.ndarray, p: np.ndarray) -> bool:
        """Whether the parts cross deeper than the triangles that cross may deviate."""
        most = FIRST
        while True:
            crossing = self._crossing(i, k, most)
            if len(crossing) == 0:
                return False
            first = _corners(self._meshes[i], crossing[:, 0], R[i], p[i])
            second = _corners(self._meshes[k], crossing[:, 1], R[k], p[k])
            off = self._deviations[i][crossing[:, 0]] + self._deviations[k][crossing[:, 1]]
            off += self._rounding(i, k)
            deep = depths(first, second) / off
            if deep.max() > SURELY:
                return True
            if deep.max() > 1.0 or len(crossing) == MOST:
                ways = np.concatenate([normals(second), -normals(first)])
                return not self._freed(i, k, R, p, ways, float(off.max()))
            if len(crossing) < most:
                return False
            most = MOST

    def _freed(
        self, i: int, k: int, R: np.ndarray, p: np.ndarray, ways: np.ndarray, tolerance: float
    ) -> bool:
        """Whether part i, shifted by the tolerance along one of the ways, no longer crosses k."""
        import fcl

        try:
            for way in _common(ways):
                place = fcl.Transform(R[i].copy(), p[i] + 1.01 * tolerance * way)
                self._objects[i].setTransform(place)
                if len(self._crossing(i, k, 1)) == 0:
                    return True
            return False
        finally:
            self._objects[i].setTransform(fcl.Transform(R[i].copy(), p[i].copy()))

    @cached_property
    def _insides(self) -> list[Inside]:
        known = {id(mesh): mesh for mesh in self._meshes}
        found = {key: Inside(mesh) for key, mesh in known.items()}
        return [found[id(mesh)] for mesh in self._meshes]

    def _swallowed(self, i: int, k: int, R: np.ndarray, p: np.ndarray) -> bool:
        """Whether one of two parts that do not cross is wholly inside the other."""
        for inner, outer in ((i, k), (k, i)):
            turn = R[outer].T
            A, b = turn @ R[inner], turn @ (p[inner] - p[outer])
            probes = self._insides[inner].probes @ A.T + b
            centre, half = self._boxes
            within = (np.abs(probes - centre[outer]) < half[outer]).all()
            if within and self._insides[outer].holds(probes, self._rounding(i, k)):
                return len(self._crossing(i, k, 1)) == 0
        return False

    def _crossing(self, i: int, k: int, most: int) -> np.ndarray:
        """(n, 2) triangles of part i and of part k that cross, at most so many."""
        import fcl

        request = fcl.CollisionRequest(num_max_contacts=most, enable_contact=True)
        result = fcl.CollisionResult()
        fcl.collide(self._objects[i], self._objects[k], request, result)
        found = [(contact.b1, contact.b2) for contact in result.contacts]
        return np.array(found, np.int64).reshape(-1, 2)


def _common(ways: np.ndarray) -> np.ndarray:
    """The few directions that most of the unit vectors (n, 3) have, and their mean."""
    kinds, count = np.unique(np.round(ways, 1), axis=0, return_counts=True)
    chosen = np.vstack([ways.sum(axis=0), kinds[np.argsort(-count, kind="stable")][:WAYS]])
    size = np.linalg.norm(chosen, axis=1, keepdims=True)
    return (chosen / np.maximum(size, 1e-300))[size[:, 0] > 1e-9]


def _corners(mesh: Mesh, rows: np.ndarray, R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Corners (n, 3, 3) [mm] of some triangles of a mesh at its place in the ground."""
    return mesh.vertices[mesh.triangles[rows]].astype(float) @ R.T + p
