"""Links, joints and pairs as a STEP file has them, in the form of AP242 or of AP214.

AP242 writes ranges into the pair and names the base beside the mechanism; AP214 has ranges and
the tie from links to their representations in entities of their own. Both become one structure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from cad2mbs.cad.part21 import Ref, Typed
from cad2mbs.io.kinematics.pairs import DIRECTIONS, PAIRS, PairKind, base_word
from cad2mbs.io.kinematics.text import Entities, flag, label, number, refs
from cad2mbs.wording import listed, quoted

NOT_PAIRS = (
    "PAIR_REPRESENTATION_RELATIONSHIP", "SIMPLE_PAIR_RANGE", "ACTUATED_KINEMATIC_PAIR",
    "PLANE_ANGLE_AND_LENGTH_PAIR", "PLANE_ANGLE_AND_RATIO_PAIR",
)  # fmt: skip
LENGTHS = ("pitch", "radius", "radius_1", "radius_2")
ANGLES = ("skew", "bevel", "helix")
LENGTH_RANGES = ("tx", "ty", "tz", "rack")

Bounds = tuple[float | None, float | None]


@dataclass
class Link:
    """A link; `rep` is the number of its representation, where placements are listed."""

    number: int
    name: str
    rep: int | None = None
    length: float = 1.0  # millimetres and radians in the units of its context
    angle: float = 1.0


@dataclass(frozen=True, eq=False)
class Pair:
    """A pair between two links: frames [mm], what is free, numbers [mm, deg] and ranges."""

    number: int
    word: str  # keyword without the words for a range
    name: str
    description: str
    links: tuple[int, int]
    X: tuple[np.ndarray, np.ndarray]  # (4, 4) each, in link coordinates
    free: tuple[str, ...]
    own: dict[str, object] = field(default_factory=dict)
    ranges: dict[str, Bounds] = field(default_factory=dict)
    actuated: tuple[str, ...] = ()

    def value(self, name: str) -> float | None:
        found = self.own.get(name)
        return found if isinstance(found, float) else None


@dataclass
class Structure:
    """All that a file says of links and pairs; `notes` tells what could not be read."""

    links: dict[int, Link] = field(default_factory=dict)
    pairs: list[Pair] = field(default_factory=list)
    bases: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    by_rep: dict[int, Link] = field(default_factory=dict)

    def link_of(self, rep: object) -> Link | None:
        """The link that a representation is of."""
        return self.by_rep.get(rep.number) if isinstance(rep, Ref) else None


@dataclass
class _Written:
    """A pair's slots, whichever way they were written."""

    number: int
    word: str
    name: str
    description: str
    placements: list
    joint: object
    flags: list
    own: list
    bounds: list
    actuated: list


def read_structure(entities: Entities) -> Structure:
    """The links and pairs of a file."""
    return _Reader(entities).structure()


class _Reader:
    def __init__(self, entities: Entities):
        self.e = entities
        self.out = Structure()
        self.joints: dict[int, tuple[int, int, str]] = {}
        self.ends: dict[int, tuple[Ref, Ref]] = {}  # by pair: representations of its links
        self.apart: dict[int, list] = {}  # by pair: bounds in an entity of their own

    def structure(self) -> Structure:
        self._links()
        self._joints()
        self._relations()
        for written in [*self._simple(), *self._combined()]:
            pair = self._pair(written)
            if pair is not None:
                self.out.pairs.append(pair)
        self.out.pairs.sort(key=lambda pair: pair.number)
        self._bases()
        self._tell_unread()
        return self.out

    # -- links and joints -----------------------------------------------------------------

    def _links(self) -> None:
        for n, args in self.e.all("KINEMATIC_LINK"):
            self.out.links[n] = Link(n, label(args))
        for n, args in self.e.all("RIGID_LINK_REPRESENTATION"):
            self._represent(args[3] if len(args) > 3 else None, n, args)
        for _, args in self.e.all("KINEMATIC_LINK_REPRESENTATION_RELATION"):
            two = refs(args)
            if len(two) == 2:
                self._represent(two[0], two[1].number, self.e.one(two[1]).args)

    def _represent(self, link: object, rep: int, args: list) -> None:
        found = self.out.links.get(link.number) if isinstance(link, Ref) else None
        if found is None:
            self._say(f"#{rep} is a representation of no link; it is left out.")
            return
        found.rep = rep
        self.out.by_rep[rep] = found
        found.name = found.name or label(args)
        found.length, found.angle = self.e.units(args[2] if len(args) > 2 else None)

    def _joints(self) -> None:
        for n, args in self.e.all("KINEMATIC_JOINT"):
            two = [r.number for r in refs(args)]
            if len(two) == 2 and all(k in self.out.links for k in two):
                self.joints[n] = (two[0], two[1], label(args))
            else:
                self._say(f"joint #{n} does not join two links; it is left out.")

    def _relations(self) -> None:
        for _, args in self.e.all("PAIR_REPRESENTATION_RELATIONSHIP"):
            three = refs(args)
            if len(three) == 3:
                self.ends[three[2].number] = (three[0], three[1])
        for word in self.e.words():
            if word.endswith("_PAIR_RANGE") and word != "PLANAR_CURVE_PAIR_RANGE":
                for _, args in self.e.all(word):
                    if args and isinstance(args[0], Ref):
                        self.apart[args[0].number] = args[1:]

    def _bases(self) -> None:
        for _, args in self.e.all("KINEMATIC_PROPERTY_MECHANISM_REPRESENTATION"):
            link = self.out.link_of(args[2]) if len(args) > 2 else None
            self.out.bases += [link.number] if link is not None else []
        for word, slot in (("KINEMATIC_PROPERTY_TOPOLOGY_REPRESENTATION", 2), ("MECHANISM", 1)):
            for _, args in self.e.all(word):
                ref = args[slot] if len(args) > slot else None
                if isinstance(ref, Ref) and ref.number in self.out.links:
                    self.out.bases.append(ref.number)
        self.out.bases = list(dict.fromkeys(self.out.bases))

    # -- pairs ----------------------------------------------------------------------------

    def _simple(self) -> Iterator[_Written]:
        for word in self.e.words():
            base = base_word(word)
            if base not in PAIRS or (word.endswith("_PAIR_RANGE") and base in PAIRS):
                continue
            for n, args in self.e.all(word):
                at = next((i for i, a in enumerate(args) if self._is_joint(a)), None)
                if at is None or at < 3:
                    self._say(f"pair #{n} ({word}) names no joint; it is left out.")
                    continue
                rest = args[at + 1 :]
                kind = PAIRS[base]
                # AP214 has no slots for what is free.
                cut = 6 if kind.flags and len(rest) >= 6 else 0
                flags, rest = rest[:cut], rest[cut:]
                own, bounds = rest[: len(kind.own)], rest[len(kind.own) :]
                text = args[at - 3] if isinstance(args[at - 3], str) else ""
                yield _Written(
                    n, base, label(args), text, args[at - 2 : at], args[at], flags, own, bounds, []
                )

    def _combined(self) -> Iterator[_Written]:
        if not self.e.text.count("ACTUATED_KINEMATIC_PAIR"):
            return
        seen = set()
        for n, parts in self.e.text.combined("KINEMATIC_PAIR"):
            slots = {t.word: t.args for t in parts}
            ranged = next((w for w in slots if w.endswith(("_WITH_RANGE", "_AND_RANGE"))), "")
            named = [base_word(w) for w in slots if base_word(w) in PAIRS]
            word = next((w for w in named if w != "LOW_ORDER_KINEMATIC_PAIR"), "")
            word = word or next(iter(named), "")
            if n in seen or not word:
                continue
            seen.add(n)
            moved = [*slots.get("ITEM_DEFINED_TRANSFORMATION", []), None, None, None, None]
            yield _Written(
                n,
                word,
                label(slots.get("REPRESENTATION_ITEM", [])),
                moved[1] if isinstance(moved[1], str) else "",
                moved[2:4],
                next(iter(slots.get("KINEMATIC_PAIR", [])), None),
                slots.get("LOW_ORDER_KINEMATIC_PAIR", []),
                slots.get(word, []) if word != "LOW_ORDER_KINEMATIC_PAIR" else [],
                slots.get(ranged, []),
                slots.get("ACTUATED_KINEMATIC_PAIR", []),
            )

    def _is_joint(self, value: object) -> bool:
        return isinstance(value, Ref) and value.number in self.joints

    def _pair(self, w: _Written) -> Pair | None:
        kind = PAIRS[w.word]
        who = f"pair {quoted(w.name) if w.name else f'#{w.number}'} ({w.word})"
        if not (isinstance(w.joint, Ref) and self._is_joint(w.joint)):
            self._say(f"{who} names no joint; it is left out.")
            return None
        first, second, joint_name = self.joints[w.joint.number]
        links = self._ends_of(w.number) or (first, second)
        X = [
            self.e.placement(p, self.out.links[k].length)
            for p, k in zip(w.placements, links, strict=True)
        ]
        if X[0] is None or X[1] is None:
            self._say(f"{who} is placed by something else than AXIS2_PLACEMENT_3D; left out.")
            return None
        return Pair(
            w.number,
            w.word,
            w.name or joint_name,
            w.description,
            links,
            (X[0], X[1]),
            self._free(kind, w.flags),
            self._own(kind, w.own, self.out.links[links[0]]),
            self._ranges(kind, w.bounds or self.apart.get(w.number, []), self.out.links[links[0]]),
            tuple(d for d, a in zip(DIRECTIONS, w.actuated, strict=False) if _acts(a)),
        )

    def _ends_of(self, pair: int) -> tuple[int, int] | None:
        """The links whose representations the pair relates; the first placement is on the first."""
        found = [self.out.link_of(rep) for rep in self.ends.get(pair, ())]
        if len(found) != 2 or found[0] is None or found[1] is None:
            return None
        return found[0].number, found[1].number

    @staticmethod
    def _free(kind: PairKind, flags: list) -> tuple[str, ...]:
        """What is free: as the schema derives it, whatever stands in those slots of the file."""
        if kind.free is not None:
            return kind.free
        return tuple(d for d, f in zip(DIRECTIONS, flags, strict=False) if flag(f, False))

    @staticmethod
    def _own(kind: PairKind, slots: list, link: Link) -> dict[str, object]:
        out: dict[str, object] = {}
        for name, slot in zip(kind.own, slots, strict=False):
            value = number(slot)
            if value is not None and name in LENGTHS:
                value *= link.length
            elif value is not None and name in ANGLES:
                value *= math.degrees(link.angle)
            out[name] = slot if value is None else value
        return out

    @staticmethod
    def _ranges(kind: PairKind, slots: list, link: Link) -> dict[str, Bounds]:
        values = [number(slot) for slot in slots]
        out: dict[str, Bounds] = {}
        for k, name in enumerate(kind.ranges):
            scale = link.length if name in LENGTH_RANGES else math.degrees(link.angle)
            pair = [*values[2 * k : 2 * k + 2], None, None][:2]
            low, high = (None if v is None else v * scale for v in pair)
            if low is not None or high is not None:
                out[name] = (low, high)
        return out

    # -- what is not read -----------------------------------------------------------------

    def _tell_unread(self) -> None:
        unread = [
            word
            for word in self.e.words()
            if "_PAIR" in word
            and word not in NOT_PAIRS
            and base_word(word) not in PAIRS
            and not word.endswith("_PAIR_VALUE")
        ]
        if unread:
            self._say(f"pairs of these kinds are not read and left out: {listed(sorted(unread))}.")
        if any(True for _ in self.e.all("LINEAR_FLEXIBLE_LINK_REPRESENTATION")):
            self._say("the file has flexible links (ropes, belts); they are left out.")

    def _say(self, sentence: str) -> None:
        if sentence not in self.out.notes:
            self.out.notes.append(sentence)


def _acts(value: object) -> bool:
    word = getattr(value, "word", "")
    return bool(word) and not isinstance(value, Typed) and word != "NOT_ACTUATED"
