"""Random closed-loop mechanisms with a known solution, the same ones for the same seed.

Bodies are put at random poses first; every joint is then a pair of reference frames that agree
there up to the joint's own freedoms, so the mates hold by construction. Only afterwards the parts
are scattered. Families:

    spatial    all kinds of joints in space, rods and points on lines among them
    tight      the same with mobility 0 or 1 and no loose ends: few solutions, far apart
    rods       mostly rods and balls, also several rods between the same two bodies
    planar     hinges and slides of one plane, written as spatial mates: every loop overconstrained
    spherical  hinge axes through one point: every loop overconstrained
    platform   every body on six rods to bodies before it, mobility 0; more loops than the others
               have, so only on request

The first three and platform have independent conditions at the known pose (rank as Grübler counts
it), planar and spherical ones the rank of their plane or sphere. So the mobility is 0 or more and
no solution hangs on a coincidence that rounding would destroy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation

from cad2mbs.library.build import Builder
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import frame

FAMILIES = ("spatial", "tight", "rods", "planar", "spherical")
SHARES = (0.3, 0.25, 0.15, 0.2, 0.1)
STARTS = ("scattered", "displaced", "none")
KINDS = {
    "spatial": {
        "revolute": 4,
        "prismatic": 2,
        "cylindrical": 3,
        "spherical": 3,
        "universal": 2,
        "planar": 2,
        "rod": 1,
        "on_line": 1,
    },
    "rods": {"rod": 6, "spherical": 3, "universal": 1, "revolute": 1, "on_line": 1},
    "platform": {"rod": 1},
    "planar": {"revolute": 4, "prismatic": 1},
    "spherical": {"revolute": 1},
}
KINDS["tight"] = KINDS["spatial"]
FREEDOMS = {
    "revolute": 1,
    "prismatic": 1,
    "cylindrical": 2,
    "spherical": 3,
    "universal": 2,
    "planar": 3,
    "rod": 5,
    "on_line": 4,
}
FLAT = ("planar", "spherical")  # families whose bodies have three freedoms, not six
RANK = 1e-4  # smallest singular value that counts, of unit wrenches at unit distances
SCATTER = 4.0  # translations of the start poses, in sizes of the mechanism
Frame = tuple[np.ndarray, np.ndarray]  # rotation, origin


@dataclass(frozen=True)
class Case:
    """A mechanism as the user would hand it over, and the poses it was made from."""

    seed: int
    family: str
    start: str
    assembly: Assembly
    solution: dict[str, Pose]
    size: float  # of the mechanism at its solution [user length]
    bodies: int
    loops: int
    mobility: int


@dataclass(frozen=True)
class Edge:
    """A joint between bodies a and b: frames at the known pose, in the world."""

    a: int
    b: int
    kind: str
    on_a: Frame
    on_b: Frame


def make(seed: int, start: str = "scattered", family: str | None = None) -> Case:
    """Return the mechanism of this seed; `start` says where its parts lie at first."""
    rng = np.random.default_rng([seed, 20])
    family = family or str(rng.choice(FAMILIES, p=SHARES))
    n, edges, bodies, rank, loops = _draw(rng, family)
    scale = 10.0 ** rng.uniform(-2, 2)
    builder = Builder(f"{family} {seed}")
    solution = {_name(i): _pose(X, scale) for i, X in enumerate(bodies)}
    references: dict[int, dict[str, object]] = {i: {} for i in range(n)}
    for k, e in enumerate(edges):
        for body, F in ((e.a, e.on_a), (e.b, e.on_b)):
            R, p = _relative(bodies[body], F)
            references[body][f"k{k}"] = frame(p * scale, R[:, 2], R[:, 0])
    for i in range(n):
        put = builder.ground if i == 0 else builder.part
        put(_name(i), solution[_name(i)], **references[i])
    for k, e in enumerate(edges):
        _mates(builder, rng, f"j{k}_{e.kind}", e, k, scale)
    size = scale * float(np.ptp([e.on_a[1] for e in edges], axis=0).max())
    assembly = _started(builder.build(), start, size, rng)
    return Case(seed, family, start, assembly, solution, size, n, loops, 6 * (n - 1) - rank)


def _name(i: int) -> str:
    return "ground" if i == 0 else f"body{i}"


def _pose(X: Frame, scale: float) -> Pose:
    return Pose.from_matrix([float(c) for c in X[1] * scale], X[0])


def _relative(X: Frame, F: Frame) -> Frame:
    return X[0].T @ F[0], X[0].T @ (F[1] - X[1])


def _draw(rng: np.random.Generator, family: str):
    """Graph, joints and poses whose conditions are independent; redrawn until they are."""
    while True:
        n = int(rng.integers(3, 13))
        loops = int(rng.integers(1, 5))
        if family == "platform":
            n = int(rng.integers(3, 6))
            pairs = [(int(a), i) for i in range(1, n) for a in rng.integers(0, i, 6)]
        else:
            pairs = _graph(rng, n, loops, several=family == "rods")
        if pairs is None:
            continue
        for _ in range(30):
            kinds = _kinds(rng, family, pairs)
            if family == "tight" and not _is_tight(pairs, kinds, n):
                continue
            bodies = [
                (Rotation.random(random_state=rng).as_matrix(), rng.uniform(-1, 1, 3))
                for _ in range(n)
            ]
            edges = _edges(rng, family, pairs, kinds, bodies)
            W = _locked(edges, n)
            wanted = 3 * (n - 1) + 2 * len(edges) if family in FLAT else len(W)
            if wanted > 6 * (n - 1):
                continue
            if int((np.linalg.svd(W, compute_uv=False) > RANK).sum()) == wanted:
                return n, edges, bodies, wanted, len(edges) - n + 1


def _graph(rng: np.random.Generator, n: int, loops: int, several: bool):
    """A random tree over n bodies and `loops` more edges; None where there is no room."""
    pairs = [(int(rng.integers(0, i)), i) for i in range(1, n)]
    rest = [(a, b) for b in range(n) for a in range(b) if several or (a, b) not in pairs]
    if len(rest) < loops:
        return None
    extra = rng.choice(len(rest), loops, replace=False)
    return pairs + [rest[k] for k in extra]


def _kinds(rng, family: str, pairs) -> list[str]:
    """A kind of joint for every pair; a second joint between two bodies is a rod."""
    weights = np.array(list(KINDS[family].values()), float)
    drawn = rng.choice(list(KINDS[family]), len(pairs), p=weights / weights.sum())
    return ["rod" if pair in pairs[:k] else str(drawn[k]) for k, pair in enumerate(pairs)]


def _is_tight(pairs, kinds: list[str], n: int) -> bool:
    """Mobility 0 or 1 by Grübler's count, every body but the ground in a loop."""
    mobility = 6 * (n - 1) - sum(6 - FREEDOMS[k] for k in kinds)
    ends = [sum(i in pair for pair in pairs) for i in range(1, n)]
    return mobility in (0, 1) and min(ends) >= 2


def _edges(rng, family: str, pairs, kinds: list[str], bodies: list[Frame]) -> list[Edge]:
    common = Rotation.random(random_state=rng).as_matrix()
    out = []
    for (a, b), kind in zip(pairs, kinds, strict=True):
        middle = 0.5 * (bodies[a][1] + bodies[b][1]) + rng.uniform(-0.5, 0.5, 3)
        R = Rotation.random(random_state=rng).as_matrix()
        if family == "planar":
            R = common @ _turn(rng.uniform(-np.pi, np.pi))
            if kind == "prismatic":
                R = R[:, [1, 2, 0]]  # slides along a direction of the plane
        elif family == "spherical":
            middle = R[:, 2] * rng.uniform(0.3, 1.0)
        out.append(Edge(a, b, kind, (R, middle), _other(rng, kind, R, middle)))
    return out


def _turn(angle: float) -> np.ndarray:
    return Rotation.from_rotvec([0, 0, angle]).as_matrix()


def _other(rng, kind: str, R: np.ndarray, p: np.ndarray) -> Frame:
    """The frame on b: the one on a, moved by the joint's freedoms."""
    about, along = _turn(rng.uniform(-np.pi, np.pi)), rng.uniform(-0.7, 0.7, 3)
    anyhow = Rotation.random(random_state=rng).as_matrix()
    match kind:
        case "revolute":
            return R @ about, p
        case "prismatic":
            return R, p + R[:, 2] * along[2]
        case "cylindrical":
            return R @ about, p + R[:, 2] * along[2]
        case "planar":
            return R @ about, p + R[:, :2] @ along[:2]
        case "universal":
            # z of b is perpendicular to z of a.
            return R @ about @ np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]), p
        case "spherical":
            return anyhow, p
        case "on_line":
            return anyhow, p + anyhow[:, 2] * along[2]
        case "rod":
            return anyhow, p + R[:, 2] * rng.uniform(0.3, 1.5)
    raise AssertionError(kind)


def _locked(edges: list[Edge], n: int) -> np.ndarray:
    """Wrenches that the joints carry, (rows, 6 (n - 1)): the ground has no columns."""
    rows = []
    for e in edges:
        (R, p), (Q, q) = e.on_a, e.on_b
        moments, forces = _carried(e.kind, R, Q, q - p)
        for W in [np.r_[m, 0, 0, 0] for m in moments] + [np.r_[np.cross(p, f), f] for f in forces]:
            row = np.zeros((n, 6))
            row[e.a], row[e.b] = -W, W
            rows.append(row[1:].ravel())
    return np.array(rows)


def _carried(kind: str, R: np.ndarray, Q: np.ndarray, d: np.ndarray):
    """Directions of the moments and forces a joint carries; the forces pass through a's point."""
    x, y, z = R.T
    match kind:
        case "revolute":
            return [x, y], [x, y, z]
        case "prismatic":
            return [x, y, z], [x, y]
        case "cylindrical":
            return [x, y], [x, y]
        case "planar":
            return [x, y], [z]
        case "universal":
            return [np.cross(z, Q[:, 2])], [x, y, z]
        case "spherical":
            return [], [x, y, z]
        case "on_line":
            return [], [Q[:, 0], Q[:, 1]]
        case "rod":
            return [], [d / np.linalg.norm(d)]
    raise AssertionError(kind)


def _mates(builder: Builder, rng, name: str, e: Edge, k: int, scale: float) -> None:
    a, b = f"{_name(e.a)}/k{k}", f"{_name(e.b)}/k{k}"
    if rng.random() < 0.5 and e.kind != "on_line":
        a, b = b, a
    match e.kind:
        case "revolute":
            builder.revolute(name, a, b)
        case "prismatic":
            builder.prismatic(name, a, b)
        case "cylindrical":
            builder.mate(f"{name}_line", "in-line", a, b)
            builder.mate(f"{name}_axis", "parallel-z", a, b)
        case "planar":
            builder.mate(f"{name}_plane", "in-plane", a, b)
            builder.mate(f"{name}_axis", "parallel-z", a, b)
        case "universal":
            builder.mate(f"{name}_point", "coincident", a, b)
            builder.mate(f"{name}_cross", "offset-z", a, b, 90.0)
        case "spherical":
            builder.mate(f"{name}_point", "coincident", a, b)
        case "on_line":
            builder.mate(f"{name}_line", "in-line", a, b)
        case "rod":
            apart = float(np.linalg.norm(e.on_b[1] - e.on_a[1])) * scale
            builder.mate(f"{name}_length", "distance", a, b, apart)


def _started(assembly: Assembly, start: str, size: float, rng) -> Assembly:
    """The assembly with its loose parts put where they start."""
    parts = {}
    for part in assembly.parts.values():
        parts[part.name] = (
            part if part.grounded else replace(part, pose=_start(part.pose, start, size, rng))
        )
    return replace(assembly, parts=parts)


def _start(pose: Pose, start: str, size: float, rng) -> Pose | None:
    if start == "none":
        return None
    if start == "scattered":
        R = Rotation.random(random_state=rng).as_matrix()
        return Pose.from_matrix((rng.uniform(-1, 1, 3) * SCATTER * size).tolist(), R)
    turn = Rotation.from_rotvec(rng.normal(size=3) * 0.1).as_matrix()
    position = np.array(pose.position) + rng.normal(size=3) * 0.05 * size
    return Pose.from_matrix(position.tolist(), turn @ pose.rotation())
