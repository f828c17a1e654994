"""Rigid bodies: parts that cannot move against each other, merged until nothing merges."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from cad2mbs.mapping.conditions import Place, add_mate, model_length, reference_frame
from cad2mbs.mapping.recognise import Recognised, recognise
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import MATE_KINDS, Mate, RefId
from solvers.model import Builder

RigidPose = tuple[np.ndarray, np.ndarray]  # rotation, position [m]


@dataclass
class Body:
    """A rigid body: parts and their fixed places in its frame (SI)."""

    name: str
    places: dict[str, tuple[np.ndarray, np.ndarray]]
    grounded: bool = False
    start: tuple[np.ndarray, np.ndarray] = field(default_factory=lambda: (np.eye(3), np.zeros(3)))
    welds: list[str] = field(default_factory=list)  # mates that made it rigid


def start_pose(assembly: Assembly, part: str) -> RigidPose:
    pose = assembly.parts[part].pose
    if pose is None:
        return np.eye(3), np.zeros(3)
    return pose.rotation(), np.array(pose.position) * assembly.units.metre


def inverse(X: RigidPose) -> RigidPose:
    R, p = X
    return R.T, -R.T @ p


def times(X: RigidPose, Y: RigidPose) -> RigidPose:
    return X[0] @ Y[0], X[0] @ Y[1] + X[1]


class RigidBodies:
    """The bodies of an assembly: merged by ground and `identical`, then by `recognise_all`.

    `skip` leaves mates out; `merge` False keeps bodies apart that mates alone make rigid.
    """

    def __init__(self, assembly: Assembly, skip: frozenset[str] = frozenset(), merge: bool = True):
        self.assembly, self.merge = assembly, merge
        self.length = model_length(assembly)
        self.driven = {d.mate: d.name for d in assembly.drives.values() if d.mate}
        self.mates = [m for m in assembly.mates.values() if m.name not in skip]
        left_out = [assembly.mates[n] for n in skip]
        self.incomplete = {part for m in left_out for part in (m.a.part, m.b.part)}
        self.body_of: dict[str, str] = {}
        self.bodies: dict[str, Body] = {}
        self.weld_redundant: set[str] = set()
        self.weld_slack = 0.0  # what imprecise data leave open inside rigid bodies
        self._ground_and_identical()

    @property
    def ground(self) -> str:
        return next(b.name for b in self.bodies.values() if b.grounded)

    def _ground_and_identical(self) -> None:
        parts = self.assembly.parts
        grounded = [n for n, p in parts.items() if p.grounded] or list(parts)[:1]
        for name in parts:
            X = start_pose(self.assembly, name)
            self.bodies[name] = Body(name, {name: (np.eye(3), np.zeros(3))}, start=X)
            self.body_of[name] = name
        root = grounded[0]
        ground = self.bodies[root]
        ground.grounded = True
        ground.places = {root: ground.start}
        ground.start = (np.eye(3), np.zeros(3))
        for other in grounded[1:]:
            self._merge(root, other, self.bodies[other].start, None)
        for mate in self.mates:
            if mate.kind == "identical":
                a, b = self.body_of[mate.a.part], self.body_of[mate.b.part]
                if a == b:
                    continue
                T = (
                    mate.transform.rotation(),
                    np.array(mate.transform.position) * self.assembly.units.metre,
                )
                X = times(self._ref_in_body(mate.a), times(T, inverse(self._ref_in_body(mate.b))))
                if self.bodies[b].grounded:
                    a, b, X = b, a, inverse(X)
                self._merge(a, b, X, mate.name)

    def _ref_in_body(self, ref: RefId) -> RigidPose:
        body = self.bodies[self.body_of[ref.part]]
        return times(body.places[ref.part], reference_frame(self.assembly, ref))

    def _merge(self, a: str, b: str, X_ab, weld: str | list[str] | None) -> None:
        A, B = self.bodies[a], self.bodies.pop(b)
        for part, X in B.places.items():
            A.places[part] = times(X_ab, X)
            self.body_of[part] = a
        A.welds += B.welds + ([weld] if isinstance(weld, str) else weld or [])

    def same_body(self, mate: Mate) -> bool:
        return self.body_of[mate.a.part] == self.body_of[mate.b.part]

    def place_of(self, a: str):
        def places(mate: Mate, link_a: int, link_b: int) -> tuple[Place, Place]:
            out = []
            for ref in (mate.a, mate.b):
                body = self.body_of[ref.part]
                out.append(
                    Place(link_a if body == a else link_b, *self.bodies[body].places[ref.part])
                )
            return out[0], out[1]

        return places

    def locking(self, mate: Mate) -> Mate | None:
        """What a mate locks whatever its number: all of it, or of a driven one what it leaves.

        A driven offset-x still keeps the z axes together; other driven mates lock nothing.
        """
        if mate.name not in self.driven:
            return mate
        return replace(mate, kind="parallel-z", value=None) if mate.kind == "offset-x" else None

    def bundles(self) -> dict[tuple[str, str], list[Mate]]:
        order = {b: k for k, b in enumerate(self.bodies)}
        order[self.ground] = -1
        out: dict[tuple[str, str], list[Mate]] = {}
        for mate in self.mates:
            a, b = self.body_of[mate.a.part], self.body_of[mate.b.part]
            locks = self.locking(mate)
            if a == b or locks is None or MATE_KINDS[mate.kind].one_sided:
                continue
            out.setdefault((a, b) if order[a] < order[b] else (b, a), []).append(locks)
        return out

    def recognised_pair(self, part_a: str, part_b: str) -> tuple[str, Recognised] | None:
        """The joint between the bodies of two parts and the body it starts from; None: no mates."""
        pair = {self.body_of[part_a], self.body_of[part_b]}
        for (a, b), mates in self.bundles().items():
            if {a, b} == pair:
                return a, self._recognise(a, b, mates)
        return None

    def _recognise(self, a: str, b: str, mates: list[Mate]) -> Recognised:
        X = times(inverse(self.bodies[a].start), self.bodies[b].start)
        return recognise(self.assembly, mates, self.place_of(a), X, self.length, self.merge)

    def recognise_all(self) -> dict[tuple[str, str], tuple[Recognised, list[Mate]]]:
        """Recognise every pair, merging rigid ones until nothing merges."""
        known: dict = {}
        while True:
            merged = False
            for (a, b), mates in self.bundles().items():
                key = (a, b, tuple(m.name for m in mates))
                if key not in known:
                    known[key] = self._recognise(a, b, mates)
                found = known[key]
                if found.proven and not found.elements:
                    self._merge(a, b, (found.R_ab, found.p_ab), [m.name for m in mates])
                    self.weld_redundant |= set(found.redundant)
                    self.weld_slack = max(self.weld_slack, found.slack)
                    merged = True
                    break
            if not merged:
                return {
                    pair: (known[(*pair, tuple(m.name for m in mates))], mates)
                    for pair, mates in self.bundles().items()
                }

    def counts(self) -> dict[str, int]:
        """Sizes of the implicit form: rows of all mates, six unknowns a body."""
        length = self.length
        builder, place = Builder(), Place(0, np.eye(3), np.zeros(3))
        made = [
            add_mate(builder, self.assembly, m, place, place, length)
            for m in self.mates
            if not self.same_body(m)
        ]
        return {
            "equations": sum(len(m.two_sided) for m in made) + len(self.assembly.couplings),
            "inequalities": sum(len(m.one_sided) for m in made),
            "unknowns": 6 * (len(self.bodies) - 1),
        }
