"""Pairs of STEP kinematics as mates, limits, couplings and drives."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cad2mbs.cad.names import unique
from cad2mbs.io.kinematics.geometry import Geo, Held, add_distance, geometry
from cad2mbs.io.kinematics.links import Spot
from cad2mbs.io.kinematics.pairs import COUPLED, End, Made, add_low_order
from cad2mbs.io.kinematics.structure import Pair, Structure
from cad2mbs.io.kinematics.text import Entities
from cad2mbs.model.assembly import Coupling, CouplingKind, Drive, Freedom, JointFreedom
from cad2mbs.wording import quoted

CARRIED = "carried by "  # in the description of a gear or rack: the link both turn on
SLIDES = (("tx",), ("ty",), ("tz",))


@dataclass
class Converter:
    """Adds pair by pair to what is made; `notes` tells what has no mate."""

    e: Entities
    structure: Structure
    spots: dict[int, Spot]
    poses: dict[str, np.ndarray]  # X_WP of each part [mm]
    made: Made
    couplings: dict[str, Coupling] = field(default_factory=dict)
    drives: dict[str, Drive] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add_all(self) -> None:
        """Convert every pair of the structure."""
        pairs, spots = self.structure.pairs, self.spots
        names = unique([p.name or f"pair #{p.number}" for p in pairs])
        for pair, name in zip(pairs, names, strict=True):
            one, two = (
                End(spots[k].part, spots[k].X_PL @ X)
                for k, X in zip(pair.links, pair.X, strict=True)
            )
            if one.part == two.part:
                self._say(name, "joins a link to itself; it is left out.")
            elif pair.word in COUPLED:
                self._couple(pair, name, one, two)
            elif pair.word.startswith("POINT_ON_"):
                self._point_on(pair, name, one, two)
            else:
                self._low_order(pair, name, one, two)

    def _say(self, name: str, what: str) -> None:
        self.notes.append(f"pair {quoted(name)} {what}")

    def _low_order(self, pair: Pair, name: str, one: End, two: End) -> None:
        if len(pair.free) < 6:
            add_low_order(self.made, name, one, two, pair.free)
        if pair.word == "SCREW_PAIR":
            pitch = pair.value("pitch")
            if not pitch:
                self.notes.append(f"screw {quoted(name)} has no pitch; turn and slide stay free.")
            else:
                a, b = self.made.refer(one, name), self.made.refer(two, name)
                self.couplings[name] = Coupling(name, CouplingKind.SCREW, a, b, pitch)
        if pair.word == "HOMOKINETIC_PAIR":
            self._say(name, "is read as universal: speeds are not kept equal.")
        if pair.value("skew"):
            self._say(name, "has a skew angle, which is not used.")
        for freedom, (low, high) in pair.ranges.items():
            if freedom in pair.free and not (freedom[0] == "r" and _turns(pair) > 1):
                self.made.limit(name, one, two, freedom, low, high)
            else:
                self._say(name, f"has a range of {freedom}, which is not kept.")
        for freedom in pair.actuated:
            if freedom in pair.free:
                self._drive(name, one, two, freedom)

    def _drive(self, name: str, one: End, two: End, freedom: str) -> None:
        zero = (self.made.refer(one, name, freedom[1]), self.made.refer(two, name, freedom[1]))
        kind = Freedom.SLIDE if freedom[0] == "t" else Freedom.TURN
        text = name if name not in self.drives else f"{name} {kind.value}"
        self.drives[text] = Drive(text, of=JointFreedom(one.part, two.part, kind, zero))

    def _point_on(self, pair: Pair, name: str, one: End, two: End) -> None:
        """The origin of frame 2 on a surface or curve of the first link."""
        link = self.structure.links[pair.links[0]]
        slot = pair.own.get("surface", pair.own.get("curve"))
        geo = geometry(self.e, slot, link.length)
        if geo is None:
            self._say(name, "is on a curve or surface that is not read; left out.")
            return
        X_PL = one.X @ np.linalg.inv(pair.X[0])
        end = End(one.part, X_PL @ geo.X)
        there = Held(end, geo, self.poses[one.part] @ end.X)
        point = Held(two, Geo("point", np.eye(4)), self.poses[two.part] @ two.X)
        if geo.kind == "circle":
            self._on_circle(name, there, point)
        elif not add_distance(self.made, name, point, there, 0.0):
            self._say(name, f"puts a point on a {geo.kind}, which no mate does; left out.")

    def _on_circle(self, name: str, there: Held, point: Held) -> None:
        a, b = self.made.refer(point.end, name), self.made.refer(there.end, name)
        self.made.mate(name, "in-plane", a, b, value=0.0)
        self.made.mate(name, "distance", a, b, value=there.geo.radius)

    def _couple(self, pair: Pair, name: str, one: End, two: End) -> None:
        carrier = self._carrier(pair)
        if carrier is None:
            self.notes.append(
                f"{pair.word} {quoted(name)} is left out: no link carries both of its links."
            )
            return
        for word in pair.ranges:
            self._say(name, f"has a range of {word}, which is not kept.")
        if pair.word == "GEAR_PAIR":
            self._gear(pair, name, one, two, carrier)
        else:
            self._rack(pair, name, one, two, carrier)

    def _gear(self, pair: Pair, name: str, one: End, two: End, carrier: str) -> None:
        first, second, ratio = (pair.value(n) for n in ("radius_1", "radius_2", "ratio"))
        if first and second:
            ratio = first / second
        elif ratio:
            self.notes.append(f"gear {quoted(name)} has no radii; its ratio is turn 2 by turn 1.")
        else:
            self.notes.append(f"gear {quoted(name)} has neither radii nor a ratio; left out.")
            return
        a, b = self.made.refer(one, name), self.made.refer(two, name)
        self.couplings[name] = Coupling(name, CouplingKind.GEAR, a, b, ratio, carrier)

    def _rack(self, pair: Pair, name: str, one: End, two: End, carrier: str) -> None:
        """The rack is the first link and runs along x of its frame; the pinion turns about z."""
        sliding = {k for p in self.structure.pairs if p.free in SLIDES for k in p.links}
        if pair.links[1] in sliding and pair.links[0] not in sliding:
            one, two = two, one
        radius = pair.value("radius")
        if not radius:
            self.notes.append(f"rack {quoted(name)} has no radius; it is left out.")
            return
        rack, pinion = self.made.refer(one, name, "x"), self.made.refer(two, name)
        self.couplings[name] = Coupling(name, CouplingKind.RACK, pinion, rack, radius, carrier)

    def _carrier(self, pair: Pair) -> str | None:
        """The part that both links of a gear or rack turn or slide on."""
        named = pair.description.removeprefix(CARRIED)
        if named != pair.description:
            for n, link in self.structure.links.items():
                if link.name == named:
                    return self.spots[n].part
        beside = [self._beside(k) for k in pair.links]
        shared = [k for k in beside[0] if k in beside[1]]
        return self.spots[shared[0]].part if shared else None

    def _beside(self, link: int) -> list[int]:
        pairs = [p for p in self.structure.pairs if link in p.links and p.word not in COUPLED]
        return [p.links[0] if p.links[1] == link else p.links[1] for p in pairs]


def _turns(pair: Pair) -> int:
    return sum(f[0] == "r" for f in pair.free)
