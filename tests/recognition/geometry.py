"""Random geometry for the catalogue: rotations, poses (R, p), and references in joint frames."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cad2mbs.model import references
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.model.references import Reference, RefKind

Placed = tuple[np.ndarray, np.ndarray]  # (R, p): pose of a frame in another one

EX, EY, EZ = np.eye(3)
ORIGIN = np.zeros(3)


def times(X: Placed, Y: Placed) -> Placed:
    """Pose of C in A from the pose of B in A and of C in B."""
    return X[0] @ Y[0], X[0] @ Y[1] + X[1]


def inverse(X: Placed) -> Placed:
    """Pose of A in B from the pose of B in A."""
    return X[0].T, -X[0].T @ X[1]


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation matrix about a unit axis, right-hand rule."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def across(z: np.ndarray) -> np.ndarray:
    """Some unit vector normal to z."""
    return np.array(references.any_normal((float(z[0]), float(z[1]), float(z[2]))))


@dataclass(frozen=True)
class Ref:
    """A reference in the joint frame of its side (0 or 1); None: any value will do."""

    side: int
    need: RefKind
    p: np.ndarray | None = None
    z: np.ndarray | None = None
    x: np.ndarray | None = None


def P(side: int, p: np.ndarray) -> Ref:
    return Ref(side, RefKind.POINT, p=np.asarray(p, float))


def V(side: int, z: np.ndarray) -> Ref:
    return Ref(side, RefKind.VECTOR, z=z)


def A(side: int, p: np.ndarray, z: np.ndarray) -> Ref:
    return Ref(side, RefKind.AXIS, p=np.asarray(p, float), z=z)


def E(side: int, p: np.ndarray, z: np.ndarray) -> Ref:
    return Ref(side, RefKind.PLANE, p=np.asarray(p, float), z=z)


def K(side: int, R: np.ndarray, p: np.ndarray | None = None) -> Ref:
    return Ref(side, RefKind.FRAME, p=p, z=R[:, 2], x=R[:, 0])


@dataclass(frozen=True)
class Spec:
    """A mate between two references in joint coordinates; lengths still without scale."""

    kind: str
    a: Ref
    b: Ref
    value: float | None = None
    sense: bool = True
    transform: Pose = IDENTITY


class Draw:
    """Random numbers for one bundle, and the pose Q of joint frame 1 in joint frame 0."""

    def __init__(self, rng: np.random.Generator, Q: Placed):
        self.rng, self.Q = rng, Q
        self.s = int(rng.integers(2))  # the side that plays the first role in the bundle
        self.t = 1 - self.s

    def num(self) -> float:
        return float(self.rng.uniform(0.3, 1.5) * self.rng.choice([-1.0, 1.0]))

    def angle(self) -> float:
        return float(self.rng.uniform(0.4, 1.2) * self.rng.choice([-1.0, 1.0]))

    def unit(self) -> np.ndarray:
        v = self.rng.normal(size=3)
        return v / np.linalg.norm(v)

    def rotation(self) -> np.ndarray:
        return turn(self.unit(), float(self.rng.uniform(0.3, 3.0)))

    def point(self) -> np.ndarray:
        return self.rng.uniform(-1.0, 1.0, 3)

    def flat(self, normal: np.ndarray) -> np.ndarray:
        """A unit vector normal to the given one."""
        return turn(normal, float(self.rng.uniform(0, 2 * np.pi))) @ across(normal)

    def in_0(self, ref: Ref) -> tuple[np.ndarray, np.ndarray]:
        """Point and direction of a reference in joint frame 0 at the pose Q."""
        p = ORIGIN if ref.p is None else ref.p
        z = EZ if ref.z is None else ref.z
        if ref.side == 0:
            return p, z
        return self.Q[0] @ p + self.Q[1], self.Q[0] @ z

    # -- mates; their numbers are what the pose Q has ---------------------------------------

    def coincident(self, a: Ref, b: Ref) -> Spec:
        return self._either("coincident", a, b)

    def distance(self, a: Ref, b: Ref) -> Spec:
        gap = self.in_0(a)[0] - self.in_0(b)[0]
        return self._either("distance", a, b, float(np.linalg.norm(gap)))

    def in_line(self, point: Ref, axis: Ref) -> Spec:
        return Spec("in-line", point, axis)

    def axis_distance(self, point: Ref, axis: Ref) -> Spec:
        p, (o, z) = self.in_0(point)[0], self.in_0(axis)
        return Spec("axis-distance", point, axis, float(np.linalg.norm(np.cross(z, p - o))))

    def in_plane(self, point: Ref, plane: Ref) -> Spec:
        """The point at the height it has; the plane itself is moved by a random amount."""
        shift = self.num() if self.rng.random() < 0.7 else 0.0
        plane = replace(plane, p=plane.p + shift * plane.z)
        if self.rng.random() < 0.5:
            plane = replace(plane, z=-plane.z)
        p, (o, z) = self.in_0(point)[0], self.in_0(plane)
        return Spec("in-plane", point, plane, float(z @ (p - o)))

    def parallel(self, a: Ref, b: Ref) -> Spec:
        """Parallel the way Q has them, written with either sense."""
        if self.rng.random() < 0.5:
            b = replace(b, z=-b.z)
        same = bool(self.in_0(a)[1] @ self.in_0(b)[1] > 0)
        return replace(self._either("parallel-z", a, b), sense=same)

    def tilt(self, a: Ref, b: Ref) -> Spec:
        u, w = self.in_0(a)[1], self.in_0(b)[1]
        angle = float(np.arctan2(np.linalg.norm(np.cross(u, w)), u @ w))
        return self._either("offset-z", a, b, angle)

    def square(self, a: Ref, b: Ref) -> Spec:
        """Two directions at a right angle, exactly."""
        return self._either("offset-z", a, b, np.pi / 2)

    def offset_x(self, p_a: np.ndarray | None = None, p_b: np.ndarray | None = None) -> Spec:
        """Frames on both sides, turned against each other about a random common z."""
        R_a, angle = self.rotation(), float(self.rng.uniform(-3.0, 3.0))
        back = self.Q[0].T if self.s == 0 else self.Q[0]
        R_b = back @ R_a @ turn(EZ, angle)
        return Spec("offset-x", K(self.s, R_a, p_a), K(self.t, R_b, p_b), angle)

    def identical(self) -> Spec:
        F, T = (self.rotation(), self.point()), (self.rotation(), self.point())
        X_ts = self.Q if self.s == 1 else inverse(self.Q)
        R_b, p_b = times(X_ts, times(F, T))
        return Spec(
            "identical", K(self.s, *F), K(self.t, R_b, p_b), transform=Pose.from_matrix(T[1], T[0])
        )

    def _either(self, kind: str, a: Ref, b: Ref, value: float | None = None) -> Spec:
        """A mate that does not care which reference stands first."""
        return Spec(kind, a, b, value) if self.rng.random() < 0.5 else Spec(kind, b, a, value)


def reference(ref: Ref, X: Placed, scale: float, rng: np.random.Generator) -> Reference:
    """The reference on a part whose joint frame sits at X; what is free is drawn at random."""
    z = unit(rng) if ref.z is None else ref.z
    p = rng.uniform(-1.0, 1.0, 3) if ref.p is None else ref.p
    if ref.need is RefKind.AXIS:
        p = p + rng.uniform(-1.0, 1.0) * z
    if ref.need is RefKind.PLANE:
        n = across(z)
        p = p + rng.uniform(-1.0, 1.0) * n + rng.uniform(-1.0, 1.0) * np.cross(z, n)
    x = turn(z, float(rng.uniform(0, 2 * np.pi))) @ across(z) if ref.x is None else ref.x
    origin, z, x = scale * (X[0] @ p + X[1]), X[0] @ z, X[0] @ x
    if ref.need is not RefKind.FRAME and rng.random() < 0.5:
        plain = {
            RefKind.POINT: lambda: references.point(origin),
            RefKind.VECTOR: lambda: references.vector(z),
            RefKind.AXIS: lambda: references.axis(origin, z),
            RefKind.PLANE: lambda: references.plane(origin, z),
        }
        return plain[ref.need]()
    return references.frame(origin, z, x)


def unit(rng: np.random.Generator) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)
