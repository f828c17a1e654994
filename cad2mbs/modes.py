"""Assembly modes: the different ways the same parts fit together at the same drive values.

With the drives held, the rows fall into groups that share no coordinate (the loops of a radial
engine); each group is searched on its own and the modes are all their combinations. A search is
Levenberg-Marquardt from very many random states; what is found twice is kept once. It ends when
for long nothing new has come: three times as many starts as the last discovery needed, and at
least `PATIENCE` more for every mode known. It proves that modes exist, not that there are no more.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.errors import MechanismError
from cad2mbs.mapping.conditions import placed_frame
from cad2mbs.mapping.structure import Mapper, Structure
from cad2mbs.model.mates import MATE_KINDS
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import RefKind
from cad2mbs.naming import freedom_names
from solvers.assemble import ACCEPT, Group, assemble, groups, random_state
from solvers.kinematics import poses
from solvers.least_squares import solve
from solvers.model import Model
from solvers.tables import frame_table

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

PATIENCE = 150  # starts without a discovery, for every mode known, before a search ends
FEWEST = 200  # starts of a search
SAME = 1e-6  # of the model length, or of a direction: closer ones are one mode
MOST = 10_000  # combinations told

Signature = Callable[[np.ndarray], np.ndarray]


def assembly_modes(m: Mechanism, max_starts: int, seed: int) -> list[dict[str, Pose]]:
    """Return the modes found, at most `max_starts` starts a group of loops."""
    if not m.assembled:
        raise MechanismError(f"{m.name} does not assemble: {m.status}")
    # Rigid pairs may fit in several ways, so they are taken apart again.
    s = Mapper(m.placed_assembly(), "mixed", merge=False).structure()
    free = _free(s, m)
    y = s.start.copy()
    for name, value in m.values_si().items():
        g = s.gauges[name]
        y[g.coord] = g.sign * (value - g.zero)
    y = assemble(s.model, y, free).y
    features = _features(s)
    found = [
        _search(s.model, y, group, features, max_starts, np.random.default_rng([seed, number]))
        for number, group in enumerate(groups(s.model, free))
    ]
    combined = islice(product(*found), MOST)
    return [_by_name(m, s, _joined(s.model, y, parts)) for parts in combined]


def _free(s: Structure, m: Mechanism) -> np.ndarray:
    """Coordinates a search may move: not the drives, nor freedoms that nobody drives."""
    free = np.ones(s.model.nv, bool)
    for g in s.gauges.values():
        free[g.coord] = False
    held = set(m.held_freedoms)
    for coord, (name, scalar, _) in freedom_names(s).items():
        if scalar and name in held:
            free[coord] = False
    return free


def _search(
    model: Model,
    y: np.ndarray,
    group: Group,
    features: Signature,
    max_starts: int,
    rng: np.random.Generator,
) -> list[tuple[Group, np.ndarray]]:
    """States that close the group, each with other features, the present one first."""
    found, known = [(group, y)], [features(y)]
    last = 0
    for start in range(1, max_starts + 1):
        thrown = random_state(model, y, group.free, 1.0, rng)
        result = solve(model, thrown, group.rows, group.free, tol=1e-14, max_iter=80)
        if result.residual <= ACCEPT:
            here = features(result.y)
            if all(np.abs(here - other).max(initial=0.0) > SAME for other in known):
                found.append((group, result.y))
                known.append(here)
                last = start
        if start > max(3 * last, last + PATIENCE * len(found), FEWEST):
            break
    return found


def _joined(model: Model, y: np.ndarray, parts: tuple[tuple[Group, np.ndarray], ...]) -> np.ndarray:
    """The state that takes from each part the coordinates of its group."""
    out = y.copy()
    for group, state in parts:
        out[: model.nv][group.free] = state[: model.nv][group.free]
        for link in model.links:
            if link["s0"] >= 0 and group.free[link["v0"]]:
                out[link["s0"] : link["s0"] + 4] = state[link["s0"] : link["s0"] + 4]
    return out


def _features(s: Structure) -> Signature:
    """What tells modes apart: the places of mated points and directions, in the ground.

    Not the poses of parts: a rod between two balls may spin, and stays in the same mode.
    """
    frames = []
    for mate in s.assembly.mates.values():
        kind = MATE_KINDS[mate.kind]
        for ref, slot in ((mate.a, kind.a), (mate.b, kind.b)):
            place = s.part_place[ref.part]
            frames.append((place.link, *placed_frame(s.assembly, ref, place), slot))

    def features(y: np.ndarray) -> np.ndarray:
        X, out = poses(s.model, y), []
        for link, R, p, slot in frames:
            W = X[link, :9].reshape(3, 3)
            if slot is not RefKind.VECTOR:
                out.append((W @ p + X[link, 9:]) / s.length)
            if slot is not RefKind.POINT:
                out.append(W @ R[:, 2])
            if slot is RefKind.FRAME:
                out.append(W @ R[:, 0])
        return np.concatenate(out) if out else np.zeros(0)

    return features


def _by_name(m: Mechanism, s: Structure, y: np.ndarray) -> dict[str, Pose]:
    link = np.array([p.link for p in s.part_place.values()], np.int64)
    F = np.array([np.concatenate([p.R.ravel(), p.p]) for p in s.part_place.values()])
    table = frame_table(s.model, y[None], link, F, 1.0 / m.units.metre)[0]
    return {part: Pose.of(row) for part, row in zip(m.assembly.parts, table, strict=True)}
