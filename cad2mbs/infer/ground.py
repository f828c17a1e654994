"""Which part stands still: by name, as the hub of the joints, or as the largest."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from cad2mbs.errors import InputError
from cad2mbs.infer.decision import Decision
from cad2mbs.infer.scene import Scene
from cad2mbs.wording import did_you_mean, listed, quoted

WORDS = (
    "ground", "base", "frame", "housing", "chassis", "stand", "bed", "baseplate", "casing",
    "gestell", "rahmen", "gehaeuse", "gehäuse", "grundplatte", "bati", "carter", "bancada",
)  # fmt: skip
BRANCHING = 1.5  # how much joints count against volume
CHAIN = 4  # links from which an open chain is looked at by its ends


def ground(scene: Scene, decision: Decision, asked: str | None) -> tuple[int, str]:
    """Row of the body that stands still, and why."""
    rows = {b.name: b.row for b in scene.bodies}
    if asked is not None:
        if asked not in rows:
            raise InputError(
                f"ground {quoted(asked)} is no part{did_you_mean(asked, rows)} "
                f"Parts: {listed(rows, 30)}"
            )
        return rows[asked], "asked for"
    named = _named(scene)
    if named is not None:
        return named
    return _hub(scene, decision)


def _named(scene: Scene) -> tuple[int, str] | None:
    """The largest of the bodies that are called like something that stands still."""
    best: tuple[float, int, str] | None = None
    for b in scene.bodies:
        words = re.split(r"[^a-zäöüß]+", b.name.lower())
        word = next((w for w in WORDS if w in words), None)
        if word is not None and (best is None or b.shape.size > best[0]):
            best = (b.shape.size, b.row, word)
    return None if best is None else (best[1], f"its name says {quoted(best[2])}")


def _hub(scene: Scene, decision: Decision) -> tuple[int, str]:
    """The body of all that is heavy and has many joints; of an open chain, the heavier end."""
    return Heaviest(scene, decision).of(range(len(scene.bodies)))


class Heaviest:
    """Finds among bodies the one to stand still."""

    def __init__(self, scene: Scene, decision: Decision):
        self.scene, self.groups = scene, decision.groups
        self.count, self.pull = _joints(decision)

    def of(self, rows: Iterable[int]) -> tuple[int, str]:
        """Of these bodies the one to stand still, and why."""
        members: dict[int, list[int]] = defaultdict(list)
        for row in rows:
            members[self.groups.of(row)].append(row)
        shapes = {g: [self.scene.bodies[r].shape for r in own] for g, own in members.items()}
        volume = {g: sum(s.volume for s in own) for g, own in shapes.items()}
        room = {g: sum(s.room for s in own) for g, own in shapes.items()}
        count = self.count
        jointed = [g for g in members if count[g]] or list(members)
        ends = [g for g in jointed if count[g] == 1]
        chain = len(jointed) >= CHAIN and len(ends) == 2 and max(count[g] for g in jointed) == 2
        choices = ends if chain else jointed
        pull = {g: max(self.pull[g], 0.5) ** BRANCHING for g in choices}
        best = max(choices, key=lambda g: (volume[g] * room[g] * pull[g], -g))
        row = max(members[best], key=lambda r: self.scene.bodies[r].shape.volume)
        if chain:
            return row, "it is the heavier end of an open chain"
        if best == max(members, key=lambda g: volume[g]):
            more = f", and {count[best]} others are jointed to it" if count[best] > 1 else ""
            return row, f"it is the largest part{more}"
        return row, f"it is the hub: {count[best]} others are jointed to it"


def _joints(decision: Decision) -> tuple[dict[int, int], dict[int, float]]:
    """Number of joints of each group, and what they weigh: a bore stands still, a piston moves."""
    count: dict[int, int] = defaultdict(int)
    pull: dict[int, float] = defaultdict(float)
    for (a, b), link in decision.joints.items():
        fits = link.guess.fits
        slides = bool(fits) and link.guess.kind in ("prismatic", "cylindrical")
        for end in (a, b):
            count[end] += 1
            mine = slides and decision.groups.of(fits[0].hole) == end
            pull[end] += (2.0 if mine else 0.5) if slides else 1.0
    return count, pull
