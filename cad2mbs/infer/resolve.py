"""The proposals put to the test by the mechanism itself.

Every joint must hold as the parts lie; a set that contradicts itself loses its least confident
member. Then the mobility speaks: spins that move nothing else are taken away, a rod with a cross
at both ends gets a ball at one, and a mechanism that cannot move tries what else its joints could
be. Joints between the same solids are changed together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import networkx as nx
import numpy as np

from cad2mbs.infer.decision import Decision, Link
from cad2mbs.infer.groups import Groups
from cad2mbs.infer.guess import PARALLEL, Guess
from cad2mbs.infer.mating import SNAPS, Mating
from cad2mbs.infer.referring import Placing, References
from cad2mbs.infer.scene import Scene
from cad2mbs.mechanism import Mechanism
from cad2mbs.model.assembly import Assembly, Part
from cad2mbs.model.mates import Mate
from cad2mbs.wording import listed

EXACT = 1e-7  # of the size: parts that are off by less need no putting right
DROPS = 25  # contradictions that are resolved before giving up
TRIES = 60  # alternatives tried for a mechanism that cannot move


@dataclass(eq=False)
class Item:
    """A link on its way to a proposal."""

    name: str
    link: Link
    kind: str
    why: str
    accepted: bool = True
    snap: str | None = None  # where along a hinge it is put, see mating

    @property
    def guess(self) -> Guess:
        return self.link.guess

    def option(self, kind: str) -> Guess | None:
        """The guess of that kind: the first one or an alternative."""
        choices = (self.guess, *self.guess.others)
        return next((g for g in choices if g.kind == kind), None)


@dataclass
class Common:
    """What all pieces of an assembly share."""

    assembly: Assembly  # the parts, without mates
    scene: Scene
    ground: str
    groups: Groups
    tolerance: float
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.refs = References(self.assembly)
        self.mating = Mating(self.scene, self.refs)
        self.poses: dict[str, Placing] = {
            name: (p.pose.rotation(), np.array(p.pose.position))
            for name, p in self.assembly.parts.items()
            if p.pose is not None
        }
        row = next(b.row for b in self.scene.bodies if b.name == self.ground)
        self.ground_group = self.groups.of(row)

    def ends(self, item: Item) -> tuple[int, int]:
        """The groups an item is between."""
        a, b = item.guess.parts
        return self.groups.of(a), self.groups.of(b)

    def mates(self, item: Item, kind: str, draft: bool = False) -> tuple[Mate, ...]:
        guess = item.option(kind) or item.guess
        self.mating.snap = item.snap
        return self.mating.mates(item.name, guess, kind, self.poses, draft)

    def finished(self, mates: Iterable[Mate], grounded: set[str], names: Iterable[str]) -> Assembly:
        """The assembly of these parts with these mates, and what they refer to."""
        parts: dict[str, Part] = {}
        for name in names:
            part = self.assembly.parts[name]
            parts[name] = replace(self.refs.part(part), grounded=name in grounded)
        return replace(self.assembly, parts=parts, mates={m.name: m for m in mates})


@dataclass
class Resolver:
    """Looks at one piece: what hangs together without the ground, and the ground."""

    common: Common
    items: list[Item]
    names: list[str]  # of its parts, those of the ground that it touches included

    # -- building -------------------------------------------------------------------------

    def build(self, draft: bool = False) -> Assembly:
        """The assembly with the mates of the accepted items."""
        made = [m for i in self.items if i.accepted for m in self.common.mates(i, i.kind, draft)]
        return self.common.finished(made, self.grounded, self.names)

    @cached_property
    def grounded(self) -> set[str]:
        own = self.common.groups.rows(self.common.ground_group)
        ground = {self.common.scene.bodies[row].name for row in own}
        return ground & set(self.names)

    # -- steps ----------------------------------------------------------------------------

    def settle(self) -> Mechanism:
        """Put the parts exactly where the joints want them; drop what contradicts."""
        if not self._exact():
            m = self._consistent(draft=True)
            if m.assembled:
                self.common.poses.update(
                    {n: (p.rotation(), np.array(p.position)) for n, p in m.poses.items()}
                )
            return self._snapped(self._consistent(draft=False))
        return self._consistent(draft=False)

    def _snapped(self, m: Mechanism) -> Mechanism:
        """Hinges put where a designer would, if that leaves at least as much freedom."""
        if not m.assembled:
            return m
        free = m.mobility.freedoms
        self.common.mating.close = 2.0 * self.common.tolerance
        for snap in SNAPS:
            self._snap(snap)
            other = self.build().mechanism()
            if other.assembled and not other.slack and other.mobility.freedoms >= max(free, 1):
                return other
        self._snap(None)
        return m

    def _snap(self, how: str | None) -> None:
        for item in self.items:
            item.snap = how

    def _exact(self) -> bool:
        """Whether every fit is as exact as numbers in files are."""
        for item in self.items:
            size = max(self.common.scene.bodies[row].shape.size for row in item.guess.parts)
            offs = [f.off for f in (*item.guess.fits, *item.guess.balls)]
            tilt = [np.linalg.norm(np.cross(*self._normals(t))) for t in item.guess.touches]
            if max([*offs, *(t * size for t in tilt)], default=0.0) > 10 * EXACT * size:
                return False
        return True

    def _normals(self, touch) -> tuple[np.ndarray, np.ndarray]:
        a, b = self.common.scene.bodies[touch.a], self.common.scene.bodies[touch.b]
        return a.R @ a.shape.flats[touch.flat_a].normal, b.R @ b.shape.flats[touch.flat_b].normal

    def _consistent(self, draft: bool) -> Mechanism:
        m = self.build(draft).mechanism()
        for _ in range(DROPS):
            if m.assembled:
                return m
            guilty = set(m.conflict)
            mine = [
                i
                for i in self.items
                if i.accepted and guilty & {x.name for x in self.common.mates(i, i.kind, draft)}
            ]
            if not mine:
                break
            worst = min(mine, key=lambda i: (i.guess.confidence, i.name))
            worst.accepted = False
            others = listed([i.name for i in mine if i is not worst])
            worst.why = f"contradicts {others}, and is the least certain of them"
            self.common.notes.append(f"{worst.name} is left out: it {worst.why}")
            m = self.build(draft).mechanism()
        if not m.assembled:
            self.common.notes.append(f"the mates found do not hold together: {m.status}")
        return m

    def refine(self, m: Mechanism) -> Mechanism:
        """The mechanism after its mobility has been looked at."""
        if not m.assembled:
            return m
        m = self._without_idle_spins(m)
        m = self._one_cross_a_rod(m)
        return self._freed(m)

    def _changed(self, items: list[Item], kind: str) -> Mechanism:
        """The mechanism with these items as another kind; the items stay so."""
        for item in items:
            item.kind = kind
        return self.build().mechanism()

    def _classes(self, items: Iterable[Item]) -> list[list[Item]]:
        """Items between the same solids of the same radius together."""
        out: dict[object, list[Item]] = defaultdict(list)
        for item in items:
            shapes = sorted(id(self.common.scene.bodies[row].shape) for row in item.guess.parts)
            out[tuple(shapes), _measure(item.guess)].append(item)
        return list(out.values())

    def joints(self) -> list[Item]:
        """The accepted items that leave a freedom."""
        return [i for i in self.items if i.accepted and i.kind != "fixed"]

    def _count(self) -> dict[int, int]:
        count: dict[int, int] = defaultdict(int)
        for item in self.joints():
            for end in self.common.ends(item):
                count[end] += 1
        return count

    def _without_idle_spins(self, m: Mechanism) -> Mechanism:
        count = self._count()
        ground = self.common.ground_group
        loose = [
            i
            for i in self.joints()
            if i.kind == "cylindrical"
            and i.option("prismatic") is not None
            and all(count[e] > 1 or e == ground for e in self.common.ends(i))
            and not self._borne(i)
        ]
        for items in self._classes(loose):
            before = m.mobility.freedoms
            changed = self._changed(items, "prismatic")
            after = changed.mobility.freedoms
            if changed.assembled and after == before - len(items) and after >= 1:
                m = changed
                for item in items:
                    item.why = "its spin would move nothing else, so it only slides"
            else:
                for item in items:
                    item.kind = "cylindrical"
        return m

    def _borne(self, item: Item) -> bool:
        """Whether one of the two turns about the same axis in a third."""
        ends, fit = set(self.common.ends(item)), item.guess.fits[0]
        for other in self.joints():
            if other is item or other.kind != "revolute" or not other.guess.fits:
                continue
            g = other.guess.fits[0]
            d = g.point - fit.point
            off = float(np.linalg.norm(d - (d @ fit.z) * fit.z))
            parallel = np.linalg.norm(np.cross(g.z, fit.z)) < PARALLEL
            if ends & set(self.common.ends(other)) and parallel and off < 0.1 * fit.radius:
                return True
        return False

    def _one_cross_a_rod(self, m: Mechanism) -> Mechanism:
        """Rods with a cross at both ends: the far one becomes a ball if that frees nothing."""
        at: dict[int, list[Item]] = defaultdict(list)
        graph = nx.Graph()
        for item in self.joints():
            a, b = self.common.ends(item)
            graph.add_edge(a, b)
            at[a].append(item)
            at[b].append(item)
        ground = self.common.ground_group
        far = nx.single_source_shortest_path_length(graph, ground) if ground in graph else {}
        chosen = []
        for end, items in at.items():
            crosses = [i for i in items if i.kind == "universal"]
            if end == ground or len(items) != 2 or len(crosses) != 2:
                continue
            outer = [sum(self.common.ends(i)) - end for i in crosses]
            # The end that is not driven: farther from the ground, of equal ones with more rods.
            rank = [(far.get(o, 0), len(at[o]), -o) for o in outer]
            chosen.append(crosses[int(rank[1] > rank[0])])
        if not chosen:
            return m
        before = m.mobility.freedoms
        changed = self._changed(chosen, "spherical")
        if changed.assembled and changed.mobility.freedoms == before:
            for item in chosen:
                item.why = "the rod's other end is a cross too, and one keeps it from spinning"
            return changed
        for item in chosen:
            item.kind = "universal"
        return m

    def _freed(self, m: Mechanism) -> Mechanism:
        """A mechanism with joints that cannot move: the likeliest alternative that frees it."""
        joints = self.joints()
        if m.mobility.freedoms > 0 or not joints:
            return m
        choices = []
        for items in self._classes(joints):
            for other in items[0].guess.others:
                if other.kind not in ("fixed", items[0].kind):
                    choices.append((other.confidence, items, other.kind))
        choices.sort(key=lambda c: -c[0])
        for _, items, kind in choices[:TRIES]:
            was = items[0].kind
            changed = self._changed(items, kind)
            if changed.assembled and changed.mobility.freedoms > 0:
                names = listed([i.name for i in items])
                self.common.notes.append(f"as first guessed nothing could move; {names} now {kind}")
                for item in items:
                    item.why = f"as {was} it would lock the mechanism"
                return changed
            for item in items:
                item.kind = was
        self.common.notes.append(
            "the joints found leave no freedom: one of them is too many, or a part is missing. "
            "Turn the least certain ones off, or swap them for an alternative."
        )
        return m


def _measure(guess: Guess) -> tuple[str, float]:
    """What joints that are alike have in common."""
    if guess.fits:
        return "fit", round(guess.fits[0].radius, 3)
    if guess.balls:
        return "ball", round(guess.balls[0].radius, 3)
    if guess.slots:
        return "slot", round(guess.slots[0].radius, 3)
    return "face", round(guess.touches[0].area, -1)


def items(scene: Scene, decision: Decision) -> list[Item]:
    """The links with names of their own."""
    out: list[Item] = []
    used: dict[str, int] = defaultdict(int)
    for link in decision.links():
        a, b = (scene.bodies[row].name for row in sorted(link.guess.parts))
        stem = f"{a}-{b}"
        used[stem] += 1
        name = stem if used[stem] == 1 else f"{stem}_{used[stem]}"
        out.append(Item(name, link, link.guess.kind, link.why, link.accepted))
    return out


def pieces(common: Common, items: list[Item]) -> tuple[list[Resolver], list[Item]]:
    """What moves apart from each other, and the items within the ground."""
    whole = nx.Graph()
    whole.add_nodes_from(common.groups.members())
    home: dict[int, list[Item]] = defaultdict(list)
    inside: list[Item] = []
    for item in items:
        ends = [e for e in common.ends(item) if e != common.ground_group]
        if not ends:
            inside.append(item)
            continue
        if item.accepted:
            whole.add_edge(ends[0], ends[-1])
        home[ends[0]].append(item)
    whole.remove_node(common.ground_group)
    out = []
    for groups in nx.connected_components(whole):
        mine = [i for g in sorted(groups) for i in home[g]]
        rows = {row for g in groups for row in common.groups.rows(g)}
        rows |= {row for i in mine for row in i.guess.parts}
        names = {common.scene.bodies[row].name for row in rows} | {common.ground}
        out.append(Resolver(common, mine, [n for n in common.assembly.parts if n in names]))
    return out, inside
