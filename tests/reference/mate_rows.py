"""The mates' conditions straight from the contract's table, for checking from outside.

Slow and plain on purpose: poses in, rows out, nothing shared with the solvers. Two-sided rows
must be 0, one-sided rows must be >= 0. Lengths are divided by `size`, so rows have no unit.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import Mate, RefId

Poses = Mapping[str, tuple[np.ndarray, np.ndarray]]  # part -> position (3,), rotation (3, 3)


def start(assembly: Assembly) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Start poses of all parts."""
    poses = {}
    for part in assembly.parts.values():
        assert part.pose is not None
        poses[part.name] = (np.array(part.pose.position), part.pose.rotation())
    return poses


def frame(assembly: Assembly, poses: Poses, ref: RefId) -> tuple[np.ndarray, np.ndarray]:
    """Origin and axes of a reference object in the ground frame."""
    p, R = poses[ref.part]
    reference = assembly.reference(ref)
    return p + R @ np.array(reference.origin), R @ reference.rotation


def mate_rows(
    assembly: Assembly, poses: Poses, mate: Mate, size: float
) -> tuple[list[float], list[float]]:
    """Two-sided and one-sided rows of one mate."""
    p, P = frame(assembly, poses, mate.a)
    q, Q = frame(assembly, poses, mate.b)
    a = 0.0 if mate.value is None else mate.value
    angle = a * assembly.units.radian
    sign = 1.0 if mate.sense else -1.0
    gap = (p - q) / size
    along = [float(P[:, 2] @ Q[:, i]) for i in range(3)]  # z of a against x, y, z of b
    match mate.kind:
        case "coincident":
            return list(P.T @ -gap), []
        case "distance":
            return [gap @ gap - (a / size) ** 2], []
        case "in-line":
            return [Q[:, 0] @ gap, Q[:, 1] @ gap], []
        case "in-plane":
            return [Q[:, 2] @ gap - a / size], []
        case "offset-x":
            x = [P[:, 0] @ Q[:, 0] - np.cos(angle), P[:, 0] @ Q[:, 1] + np.sin(angle)]
            return [along[0], along[1], *x], [along[2]]
        case "parallel-z":
            return along[:2], [sign * along[2]]
        case "offset-z":
            return [along[2] - np.cos(angle)], []
        case "identical":
            T = P @ mate.transform.rotation()
            t = p + P @ np.array(mate.transform.position)
            turn = [float(T[:, i] @ Q[:, j]) for i, j in ((0, 1), (0, 2), (1, 2))]
            return [*(T.T @ (q - t) / size), *turn], []
        case "halfspace":
            return [], [sign * (Q[:, 2] @ gap - a / size)]
        case "signum-z":
            return [], [sign * (along[2] - np.cos(angle))]
    raise ValueError(f"no rows for mate kind '{mate.kind}'")


def all_rows(
    assembly: Assembly, poses: Poses, size: float, without: frozenset[str] = frozenset()
) -> tuple[np.ndarray, np.ndarray]:
    """Two-sided and one-sided rows of all mates but those named in `without`."""
    two, one = [], []
    for mate in assembly.mates.values():
        if mate.name not in without:
            rows = mate_rows(assembly, poses, mate, size)
            two += rows[0]
            one += rows[1]
    return np.array(two), np.array(one)


def moved(poses: Poses, part: str, twist: np.ndarray, size: float) -> Poses:
    """The poses with one part turned by twist[:3] [rad] and shifted by size * twist[3:]."""
    p, R = poses[part]
    angle = np.linalg.norm(twist[:3])
    K = np.cross(np.eye(3), -twist[:3])
    turn = np.eye(3) + np.sinc(angle / np.pi) * K
    turn = turn + 0.5 * np.sinc(angle / 2 / np.pi) ** 2 * K @ K
    return {**poses, part: (p + size * twist[3:], turn @ R)}


def freedoms(assembly: Assembly, poses: Poses | None = None) -> int:
    """Freedoms at the poses, driving mates left out: 6 per free part less the rank of all rows.

    Central differences, so ranks are trusted only where singular values leave a gap. Couplings
    take one freedom each, which holds when they tie freedoms the mates leave open.
    """
    poses = start(assembly) if poses is None else poses
    size = model_size(assembly, poses)
    driving = frozenset(d.mate for d in assembly.drives.values() if d.mate is not None)
    free = [p.name for p in assembly.parts.values() if not p.grounded]
    h, columns = 1e-5, []
    for part in free:
        for e in np.eye(6):
            ahead = all_rows(assembly, moved(poses, part, h * e, size), size, driving)[0]
            behind = all_rows(assembly, moved(poses, part, -h * e, size), size, driving)[0]
            columns.append((ahead - behind) / (2 * h))
    values = np.linalg.svd(np.column_stack(columns), compute_uv=False)
    rank = int(np.sum(values > 1e-6))
    # Rows that come from differences are good to 1e-9: a value in between would be a guess.
    assert not np.any((values > 1e-8) & (values < 1e-3)), f"no clear rank: {values}"
    return 6 * len(free) - rank - len(assembly.couplings)


def model_size(assembly: Assembly, poses: Poses) -> float:
    """Largest extent of all reference origins, the length rows are measured against."""
    points = [
        frame(assembly, poses, RefId(part.name, name))[0]
        for part in assembly.parts.values()
        for name in part.references
    ]
    return float(np.ptp(np.array(points), axis=0).max())


def counts(assembly: Assembly) -> tuple[int, int, int]:
    """Two-sided rows, one-sided rows and unknowns of the implicit form."""
    two, one = all_rows(assembly, start(assembly), 1.0)
    return len(two), len(one), 6 * sum(not p.grounded for p in assembly.parts.values())
