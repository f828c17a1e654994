"""What the tests of the mechanism share: poses against closed forms, mates against the contract."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from cad2mbs import library
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose
from cad2mbs.results import SweepResult
from tests.reference import mate_rows

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = sorted(p.parent for p in (ROOT / "assemblies").glob("*/assembly.yaml"))

POSITION = 1e-10  # relative to the model's size, over a whole turn
RATE = 1e-8  # relative to the largest rate over the turn
SAME = 1e-9  # two ways to one pose: each is solved to 1e-12, conditions up to 1e3 in between


def expected(folder: Path) -> dict:
    return tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8"))


def matrices(rows: np.ndarray) -> np.ndarray:
    """Rotations (k, 3, 3) of pose rows (k, 7)."""
    return np.stack([Pose(quaternion=tuple(q)).rotation() for q in np.atleast_2d(rows)[:, 3:]])


def row(pose: Pose) -> np.ndarray:
    """A pose as (7,): position, quaternion w x y z."""
    return np.array([*pose.position, *pose.quaternion])


def assert_pose(pose: Pose, position, R, size: float, tol: float = POSITION) -> None:
    """Raise unless the pose is at `position` with rotation R, within tol of size and of 1."""
    np.testing.assert_allclose(pose.position, position, rtol=0, atol=tol * size)
    np.testing.assert_allclose(pose.rotation(), R, rtol=0, atol=tol)


def assert_same_poses(
    left: Mapping[str, Pose], right: Mapping[str, Pose], size: float, tol: float = SAME
) -> None:
    """Raise unless every part is at the same place, quaternions up to their sign."""
    assert left.keys() == right.keys()
    for part in left:
        assert_pose(left[part], right[part].position, right[part].rotation(), size, tol)


def about_z(angle: float) -> np.ndarray:
    """Rotation about z by `angle` [rad], (3, 3)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def size_of(assembly: Assembly) -> float:
    """Extent of the model [user length]."""
    return mate_rows.model_size(assembly, mate_rows.start(assembly))


def open_rows(assembly: Assembly, poses: Mapping[str, Pose]) -> float:
    """Largest violation of any row at the poses, of the model's size; driven mates left out."""
    placed = {n: (np.array(p.position), p.rotation()) for n, p in poses.items()}
    driven = frozenset(d.mate for d in assembly.drives.values() if d.mate is not None)
    two, one = mate_rows.all_rows(assembly, placed, size_of(assembly), driven)
    return max(float(np.abs(two).max(initial=0.0)), -float(one.min(initial=0.0)))


def swept_poses(assembly: Assembly, result: SweepResult, k: int) -> dict[str, Pose]:
    """Poses of all parts in row k of a sweep."""
    out = {}
    for part in assembly.parts:
        x, y, z, *q = (float(v) for v in result.poses(part)[k])
        out[part] = Pose((x, y, z), (q[0], q[1], q[2], q[3]))
    return out


def without(assembly: Assembly, names: Iterable[str]) -> Assembly:
    """The assembly with some mates left out."""
    gone = set(names)
    assert gone <= set(assembly.mates)
    return replace(assembly, mates={n: m for n, m in assembly.mates.items() if n not in gone})


@cache
def dietmaier_modes(seed: int) -> tuple[Pose, ...]:
    """Poses of the Dietmaier platform in all modes found; searched once a seed."""
    return tuple(mode["platform"] for mode in library.dietmaier().mechanism().modes(seed=seed))


# A crank and a rocker joined by a rod between two balls, which spins idly.
ROD_BETWEEN_BALLS = """
cad2mbs: 1
parts:
  base:
    grounded: true
    references: {K: {frame: {}}, B: {frame: {origin: [30, 0, 0], z: [0, 1, 0.3]}}}
  crank: {references: {K: {frame: {}}, E: {point: [10, 0, 0]}}}
  rod:
    references: {P: {point: [0, 0, 0]}, Q: {point: [25, 0, 0]}}
    pose: {position: [10, 0, 0]}
  rocker: {references: {K: {frame: {}}, E: {point: [20, 0, 0]}}, pose: {position: [30, 0, 0]}}
mates:
  pin_1: {kind: coincident, a: base/K, b: crank/K}
  axis_1: {kind: parallel-z, a: base/K, b: crank/K}
  ball_1: {kind: coincident, a: crank/E, b: rod/P}
  ball_2: {kind: coincident, a: rod/Q, b: rocker/E}
  pin_2: {kind: coincident, a: base/B, b: rocker/K}
  axis_2: {kind: parallel-z, a: base/B, b: rocker/K}
drives:
  q: {joint: [base, crank], freedom: turn}
"""
