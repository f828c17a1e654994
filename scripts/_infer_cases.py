"""Bare copies of shipped assemblies, and what is compared when mates are inferred on them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation

from cad2mbs.cad.document import Document, Instance
from cad2mbs.mechanism import Mechanism
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.solid import FeatureKind, Solid
from solvers.model import Joint


@dataclass(frozen=True)
class Setting:
    """How a bare copy differs from the file; lengths in mm."""

    name: str
    clearance: float = 0.0  # taken off the radius of pins and balls
    noise: float = 0.0  # by which every part is shifted, and its corners once more by a turn


EXACT = Setting("as drawn")
ROUGH = Setting("clearance 0.1 mm, noise 0.05 mm", 0.1, 0.05)
OFF_AXIS, OFF_ANGLE = 0.5, 0.02  # [mm], [rad]: axes that agree within this are the same


def bare(
    document: Document, seed: int, setting: Setting = EXACT
) -> tuple[Document, dict[str, str]]:
    """The document without names and colours, shuffled and rotated; new part name -> old one."""
    rng = np.random.default_rng(seed)
    X = np.eye(4)
    X[:3, :3] = Rotation.from_quat(rng.normal(size=4)).as_matrix()
    X[:3, 3] = rng.uniform(-100, 100, 3)
    solids = list(document.solids)
    new_row = rng.permutation(len(solids))
    stripped = sorted(
        ((int(new_row[k]), _stripped(s, setting.clearance)) for k, s in enumerate(solids)),
        key=lambda row: row[0],
    )
    leaves = list(document.parts().items())
    order = rng.permutation(len(leaves))
    nodes, names = [], {}
    for number, k in enumerate(order, 1):
        old, leaf = leaves[k]
        name = f"p{number}"
        names[name] = old
        pose = X @ leaf.X_WC @ _shake(solids[leaf.solid], setting.noise, rng)
        nodes.append(Instance(name, "", pose, int(new_row[leaf.solid])))
    root = Instance("", "", np.eye(4), children=tuple(nodes))
    return Document(root, tuple(s for _, s in stripped)), names


def _stripped(solid: Solid, clearance: float) -> Solid:
    round_ = {FeatureKind.CYLINDER, FeatureKind.SPHERE}
    features = tuple(
        replace(
            f,
            name="",
            radius=max(f.radius - clearance, 0.2 * f.radius)
            if f.kind in round_ and not f.concave
            else f.radius,
        )
        for f in solid.features
    )
    return replace(solid, name="", colour=None, material="", features=features)


def _shake(solid: Solid, noise: float, rng: np.random.Generator) -> np.ndarray:
    """A small motion of the part about its middle."""
    X = np.eye(4)
    if noise == 0.0:
        return X
    middle = np.mean(solid.box, axis=0)
    shift, axis = rng.normal(size=3), rng.normal(size=3)
    turn = axis / np.linalg.norm(axis) * noise / (0.5 * solid.diagonal)
    R = Rotation.from_rotvec(turn).as_matrix()
    X[:3, :3] = R
    X[:3, 3] = middle - R @ middle + shift / np.linalg.norm(shift) * noise
    return X


# -- joints as geometry on parts ----------------------------------------------------------


@dataclass(frozen=True)
class JointPlace:
    """A joint between two parts: its kind, and axis or centre in the coordinates of each part."""

    kind: str
    parts: tuple[str, str]
    point: tuple[np.ndarray, np.ndarray]  # on part a and on part b [mm]
    axes: tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]  # directions on a and on b


def joints(m: Mechanism) -> list[JointPlace]:
    """The joints of a mechanism, on one part of each body: one that a mate names."""
    out = []
    for edge, info in zip(m.structure.joints, m.joints, strict=True):
        parts = _ends(m, info.mates, edge.a, edge.b)
        places = [
            m.structure.bodies[b].places[p] for b, p in zip((edge.a, edge.b), parts, strict=True)
        ]
        found = edge.found
        points, axes = [], []
        for place, to_b in zip(places, (False, True), strict=True):
            dirs, lines = [], []
            p = np.zeros(3)
            for e in found.elements:
                R, q = e.R, e.p
                if to_b:  # elements are given in body a, at the reference pose
                    R, q = found.R_ab.T @ e.R, found.R_ab.T @ (e.p - found.p_ab)
                p = place[0].T @ (q - place[1]) * 1e3
                lines.append((p, place[0].T @ R[:, 2]))
                if e.joint in (Joint.TURN, Joint.SLIDE):
                    dirs.append(lines[-1][1])
            points.append(_crossing(lines) if info.kind == "universal" else p)
            axes.append(tuple(dirs))
        out.append(JointPlace(info.kind, parts, (points[0], points[1]), (axes[0], axes[1])))
    return out


def _crossing(lines: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The point nearest to two lines."""
    A = [np.eye(3) - np.outer(z, z) for _, z in lines]
    return np.linalg.solve(sum(A), sum(a @ p for a, (p, _) in zip(A, lines, strict=True)))


def _ends(m: Mechanism, mates: tuple[str, ...], a: str, b: str) -> tuple[str, str]:
    """The parts of bodies a and b that the first mate is between."""
    mate = m.assembly.mates[mates[0]]
    own = m.structure.bodies[a].places
    x, y = mate.a.part, mate.b.part
    return (x, y) if x in own else (y, x)


def same_place(truth: JointPlace, found: JointPlace, names: dict[str, str]) -> bool:
    """Whether the found joint has the kind of the true one and, on one part of both, its axis."""
    if truth.kind != found.kind:
        return False
    for k, part in enumerate(truth.parts):
        for n, other in enumerate(found.parts):
            if names[other] == part:
                return _agree(truth, found, k, n)
    return True  # the parts differ within rigid bodies; there is no common part to compare on


def _agree(truth: JointPlace, found: JointPlace, k: int, n: int) -> bool:
    d = found.point[n] - truth.point[k]
    mine, other = truth.axes[k], found.axes[n]
    if truth.kind in ("spherical", "universal"):
        return bool(np.linalg.norm(d) <= OFF_AXIS)
    if not mine or not other:
        return True
    if np.linalg.norm(np.cross(mine[0], other[0])) > OFF_ANGLE:
        return False
    if truth.kind in ("prismatic", "planar"):
        return True
    return bool(np.linalg.norm(d - (d @ mine[0]) * mine[0]) <= OFF_AXIS)


# -- scores -------------------------------------------------------------------------------


@dataclass
class Score:
    """How an inferred mechanism compares with the true one."""

    right: int
    total: int
    extra: int  # joints between bodies that have none
    merges: int  # pairs of true bodies that were made one
    freedoms: tuple[int, int]  # true, found
    wrong: list[str]


def score(truth: Mechanism, found: Mechanism, names: dict[str, str]) -> Score:
    """Compare; the found mechanism has new names, `names` leads to the old ones."""
    body = {p: b.name for b in truth.bodies for p in b.parts}
    wanted = joints(truth)
    have: dict[frozenset[str], JointPlace] = {}
    extra = 0
    for j in joints(found):
        key = frozenset(body[names[p]] for p in j.parts)
        have[key] = j
    wrong, right = [], 0
    for t in wanted:
        f = have.pop(frozenset(body[p] for p in t.parts), None)
        if f is not None and same_place(t, f, names):
            right += 1
            continue
        said = "nothing" if f is None else f.kind if f.kind != t.kind else f"{f.kind} elsewhere"
        wrong.append(f"{'-'.join(t.parts)}: {said} instead of {t.kind}")
    extra = sum(len(key) == 2 for key in have)
    wrong += [
        f"{'-'.join(names[p] for p in j.parts)}: {j.kind} instead of nothing"
        for key, j in have.items()
        if len(key) == 2
    ]
    merges = 0
    for b in found.bodies:
        count = Counter(body[names[p]] for p in b.parts)
        merges += len(count) - 1
        if len(count) > 1:
            wrong.append(f"{', '.join(count)} made one")
    freedoms = truth.mobility.freedoms, found.mobility.freedoms
    return Score(right, len(wanted), extra, merges, freedoms, wrong)


def without_couplings(assembly: Assembly) -> Assembly:
    """The assembly with its mates alone: ratios of gears and screws are no mates."""
    return replace(assembly, couplings={})
