"""Replay: solve the stored instants of an .asmt model from its motions, compare with its result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.io import asmt
from cad2mbs.io.asmt import AsmtFile, Series
from cad2mbs.mechanism import Mechanism
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose


@dataclass(frozen=True)
class Replay:
    """`rows`: (part, largest position difference [user length], orientation difference [deg])."""

    ok: bool
    status: str
    rows: tuple[tuple[str, float, float], ...]
    largest_relative: float  # largest difference: position over model size, or orientation [rad]
    model_size: float  # [user length]


def replay(path: str | Path) -> Replay:
    """Compare our motion with the series stored in an .asmt file."""
    file = asmt.read_all(path)
    if file.series is None:
        raise InputError(
            [
                Diagnostic(
                    "the file holds no result series to compare with; run its own solver first",
                    str(path),
                )
            ]
        )
    m = _meshed(file.assembly, file.series).mechanism()
    size = m.structure.length / m.units.metre
    if not m.assembled:
        mates = ", ".join(m.conflict) or "none found"
        return Replay(False, f"{m.status}. Mates in conflict: {mates}", (), float("inf"), size)
    table, status, ok = _motion(m, file)
    rows = tuple(
        _compare(part, table[part], file.series) for part in file.series.position if part in table
    )
    missing = [p for p in file.series.position if p not in table]
    if missing:
        ok, status = False, f"{status}; no such part in the model: {', '.join(missing)}"
    largest = max((max(d / size, np.radians(a)) for _, d, a in rows), default=0.0)
    return Replay(ok, status, rows, float(largest), size)


def _meshed(assembly: Assembly, series: Series) -> Assembly:
    """The assembly with its geared parts at the first stored instant.

    A coupling counts from where its parts start, and which teeth mesh is stored nowhere else: the
    input pose is often the end of an earlier run, where a gear may stand half a turn away.
    """
    geared = {ref.part for c in assembly.couplings.values() for ref in (c.a, c.b)}
    parts = {
        name: replace(
            part, pose=Pose.from_matrix(series.position[name][0], series.rotation[name][0])
        )
        if name in geared and name in series.position and not part.grounded
        else part
        for name, part in assembly.parts.items()
    }
    return replace(assembly, parts=parts)


def _motion(m: Mechanism, file: AsmtFile) -> tuple[dict[str, np.ndarray], str, bool]:
    """Poses (k, 7) of every part at the stored instants."""
    assert file.series is not None
    times = file.series.times
    count = len(times)
    if not file.motions:
        held = {
            part: np.repeat(np.array([[*p.position, *p.quaternion]]), count, axis=0)
            for part, p in m.poses.items()
        }
        return held, f"no motions: the assembled pose at {count} stored instants", True
    values = {n: np.array([e.value(t) for t in times]) for n, e in file.motions.items()}
    result = m.sweep(values)
    return {p: result.poses(p) for p in m.assembly.parts}, result.status, result.ok


def _compare(part: str, poses: np.ndarray, series: Series) -> tuple[str, float, float]:
    k = len(poses)
    d = np.linalg.norm(poses[:, :3] - series.position[part][:k], axis=1)
    R = _rotations(poses[:, 3:])
    turn = np.swapaxes(series.rotation[part][:k], 1, 2) @ R
    s = 0.5 * np.linalg.norm(
        np.stack(
            [
                turn[:, 2, 1] - turn[:, 1, 2],
                turn[:, 0, 2] - turn[:, 2, 0],
                turn[:, 1, 0] - turn[:, 0, 1],
            ],
            axis=1,
        ),
        axis=1,
    )
    angle = np.arctan2(s, 0.5 * (np.trace(turn, axis1=1, axis2=2) - 1.0))
    return part, float(d.max(initial=0.0)), float(np.degrees(angle.max(initial=0.0)))


def _rotations(q: np.ndarray) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    return Rotation.from_quat(np.roll(q, -1, axis=1)).as_matrix()
