"""Assembly constraints of ISO 10303-109 as mates.

    COAXIAL           in-line and parallel-z; a point or ball on an axis: in-line
    INCIDENCE         distance 0: points, lines, planes, points on round surfaces
    PARALLEL          parallel-z; a line and a plane: offset-z by 90 degrees
    PERPENDICULAR     offset-z by 90 degrees; a line and a plane: parallel-z
    ANGLE             offset-z
    SURFACE_DISTANCE  between faces; TANGENT is distance 0
    FIXED_CONSTITUENT the part stands still

The first elements lie on what rep_1 is of, the reference elements on what rep_2 is of. What is not
understood is told, never dropped in silence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from cad2mbs.cad.part21 import Ref
from cad2mbs.io.kinematics.geometry import (
    AXES,
    DIRECTED,
    POINTS,
    Held,
    add_angle,
    add_distance,
    add_parallel,
    geometry,
)
from cad2mbs.io.kinematics.pairs import End, Made
from cad2mbs.io.kinematics.products import Place, Products
from cad2mbs.io.kinematics.text import Entities, label, number, refs
from cad2mbs.wording import quoted

CONSTRAINT = "_ASSEMBLY_CONSTRAINT"
FIXED = "FIXED_CONSTITUENT"
SLOTS = 9  # of a binary constraint, before near points and numbers


@dataclass
class Constraints:
    """Reads the constraints of a file into mates; `grounded` are the parts held still."""

    e: Entities
    products: Products
    poses: dict[str, np.ndarray]  # X_WP of each part [mm]
    made: Made
    grounded: list[str] = field(default_factory=list)
    used: list[Place] = field(default_factory=list)  # instances that a constraint holds
    notes: list[str] = field(default_factory=list)

    def read(self) -> None:
        for word in self.e.words():
            if CONSTRAINT not in word:
                continue
            kind = word.partition(CONSTRAINT)[0]
            for n, args in self.e.all(word):
                name = label(args) or f"{kind.lower()} #{n}"
                why = self._fixed(args) if kind == FIXED else self._binary(kind, name, args)
                if why:
                    self.notes.append(f"constraint {quoted(name)} ({word}) is left out: {why}.")

    def _fixed(self, args: list) -> str:
        place = self._place(args[4]) if len(args) > 4 else "it is cut short"
        if isinstance(place, str):
            return place
        self.grounded += place.parts
        self.used.append(place)
        return ""

    def _binary(self, kind: str, name: str, args: list) -> str:
        """Add the mates of one constraint; returns why it could not be done."""
        if len(args) < SLOTS:
            return f"it has {len(args)} slots, at least {SLOTS} are wanted"
        first, second = (a if isinstance(a, list) else [] for a in args[2:4])
        here, there = self._place(args[6]), self._place(args[7])
        if isinstance(here, str) or isinstance(there, str):
            return here if isinstance(here, str) else str(there)
        pairs = [(f, second[0]) for f in first] if second else [tuple(first[:2])]
        if not all(len(pair) == 2 for pair in pairs):
            return "it names one element only"
        value = next((v for a in args[SLOTS:] if (v := number(a)) is not None), 0.0)
        length, angle = self._units(args[6])
        for a, b in pairs:
            one, two = self._held(here, a, length), self._held(there, b, self._units(args[7])[0])
            if one is None or two is None:
                return "an element is of a kind that mates do not know"
            why = self._add(kind, name, one, two, value * length, value * math.degrees(angle))
            if why:
                return why
        return ""

    def _add(
        self, kind: str, name: str, one: Held, two: Held, distance: float, degrees: float
    ) -> str:
        kinds = (one.geo.kind, two.geo.kind)
        if kind == "COAXIAL":
            return self._coaxial(name, one, two)
        if kind in ("INCIDENCE", "TANGENT", "SURFACE_DISTANCE"):
            far = distance if kind == "SURFACE_DISTANCE" else 0.0
            done = add_distance(self.made, name, one, two, far)
            return "" if done else f"nothing holds a {kinds[0]} and a {kinds[1]} so"
        if not all(k in DIRECTED for k in kinds):
            return f"a {kinds[0]} and a {kinds[1]} have no directions to compare"
        mixed = DIRECTED[kinds[0]] != DIRECTED[kinds[1]]
        wanted = {"PARALLEL": 0.0, "PERPENDICULAR": 90.0, "ANGLE": degrees}.get(kind)
        if wanted is None:
            return "its kind is not known"
        if kind == "PARALLEL" and distance:
            done = add_distance(self.made, name, one, two, distance)
            return "" if done else f"nothing holds a {kinds[0]} and a {kinds[1]} apart"
        add_angle(self.made, name, one, two, 90.0 - wanted if mixed else wanted)
        return ""

    def _coaxial(self, name: str, one: Held, two: Held) -> str:
        if one.geo.kind in AXES and two.geo.kind in POINTS:
            one, two = two, one
        a, b = self.made.refer(one.end, name), self.made.refer(two.end, name)
        if one.geo.kind in POINTS and two.geo.kind in POINTS:
            self.made.mate(name, "coincident", a, b)
        elif two.geo.kind in AXES and one.geo.kind in (*POINTS, *AXES):
            self.made.mate(name, "in-line", a, b)
            if one.geo.kind in AXES:
                add_parallel(self.made, name, one, two)
        else:
            return f"a {one.geo.kind} and a {two.geo.kind} have no two axes"
        return ""

    # -- where things are -----------------------------------------------------------------

    def _place(self, rep: object) -> Place | str:
        """The one instance of what a representation is of."""
        places = self.products.of_representation(rep.number) if isinstance(rep, Ref) else []
        if not places or not places[0].parts:
            return "it names a representation that no part has"
        if len(places) > 1:
            return f"its part is there {len(places)} times, and nothing says which one is meant"
        return places[0]

    def _units(self, rep: object) -> tuple[float, float]:
        context = refs(self.e.one(rep).args)
        return self.e.units(context[-1]) if context else (1.0, 1.0)

    def _held(self, place: Place, ref: object, length: float) -> Held | None:
        """A piece of geometry on the first part of an instance."""
        geo = geometry(self.e, ref, length)
        if geo is None:
            return None
        self.used.append(place)
        X_WG, part = place.X_WC @ geo.X, place.parts[0]
        return Held(End(part, np.linalg.inv(self.poses[part]) @ X_WG), geo, X_WG)
