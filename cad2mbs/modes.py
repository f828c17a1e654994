"""Assembly modes: the different ways the same parts fit together at the same drive values.

Newton from very many random states; what is found twice is kept once. The search ends when for
long nothing new has come: three times as many starts as the last discovery needed, and at least
`PATIENCE` more for every mode known. It proves that modes exist, not that there are no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.errors import MechanismError
from cad2mbs.mapping.structure import Mapper
from cad2mbs.model.pose import Pose
from solvers.assemble import ACCEPT, random_state
from solvers.least_squares import solve
from solvers.tables import frame_table

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

PATIENCE = 150  # starts without a discovery, for every mode known, before the search ends
SAME = 1e-6  # of the model length, or of a quaternion: closer poses are one mode


def assembly_modes(m: Mechanism, max_starts: int, seed: int) -> list[dict[str, Pose]]:
    """Return the modes found, the present one first."""
    if not m.assembled:
        raise MechanismError(f"{m.name} does not assemble: {m.status}")
    # Rigid pairs may fit in several ways, so they are taken apart again.
    s = Mapper(m.assembly, "mixed", merge=False).structure()
    y0 = s.start.copy()
    free = np.ones(s.model.nv, bool)
    for name, value in m.values_si().items():
        if name in s.gauges:
            g = s.gauges[name]
            y0[g.coord] = g.sign * (value - g.zero)
            free[g.coord] = False
    link = np.array([p.link for p in s.part_place.values()], np.int64)
    F = np.array([np.concatenate([p.R.ravel(), p.p]) for p in s.part_place.values()])
    _hold_surplus(s, m, free)
    rng = np.random.default_rng(seed)
    found = [_normal(m.part_table_si())]
    last = 0
    for start in range(1, max_starts + 1):
        result = solve(
            s.model, random_state(s.model, y0, free, 1.0, rng), free=free, tol=1e-14, max_iter=80
        )
        if result.residual <= ACCEPT:
            table = _normal(frame_table(s.model, result.y[None], link, F, 1.0)[0])
            if not any(_same(table, other, s.length) for other in found):
                found.append(table)
                last = start
        if start > max(3 * last, last + PATIENCE * len(found), 200):
            break
    return [_by_name(m, table) for table in found]


def _hold_surplus(s, m: Mechanism, free: np.ndarray) -> None:
    """Freedoms that nobody drives would make families of modes: hold them where they are."""
    from cad2mbs.naming import freedom_names

    held = set(m.held_freedoms)
    for coord, (name, scalar, _) in freedom_names(s).items():
        if scalar and name in held:
            free[coord] = False


def _normal(table: np.ndarray) -> np.ndarray:
    """Poses with the sign of each quaternion fixed by its largest component."""
    out = table.copy()
    for row in out:
        big = row[3 + int(np.argmax(np.abs(row[3:]).round(6)))]
        if big < 0:
            row[3:] *= -1.0
    return out


def _same(a: np.ndarray, b: np.ndarray, length: float) -> bool:
    near = np.abs(a[:, :3] - b[:, :3]).max() < SAME * length
    dot = np.abs((a[:, 3:] * b[:, 3:]).sum(axis=1)).min()
    return bool(near and dot > 1.0 - SAME**2 - 1e-12)


def _by_name(m: Mechanism, table: np.ndarray) -> dict[str, Pose]:
    scale = 1.0 / m.units.metre
    return {
        part: Pose(
            (float(x * scale), float(y * scale), float(z * scale)),
            (float(w), float(a), float(b), float(c)),
        )
        for part, (x, y, z, w, a, b, c) in zip(m.assembly.parts, table, strict=True)
    }
