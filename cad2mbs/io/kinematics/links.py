"""Links of STEP kinematics in the geometry: which parts they are, and where links without are."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cad2mbs.cad.names import unique
from cad2mbs.cad.part21 import Ref
from cad2mbs.io.kinematics.pairs import COUPLED
from cad2mbs.io.kinematics.products import Place, Products
from cad2mbs.io.kinematics.structure import Link, Structure
from cad2mbs.io.kinematics.text import Entities, refs
from cad2mbs.wording import listed, quoted


@dataclass(frozen=True, eq=False)
class Spot:
    """A link in the geometry: the part that stands for it and the link's frame there."""

    part: str
    X_PL: np.ndarray  # (4, 4) [mm]
    parts: tuple[str, ...]


@dataclass
class Links:
    """Finds the links; `poses` of parts grows by those of links without geometry."""

    e: Entities
    structure: Structure
    products: Products
    poses: dict[str, np.ndarray]  # X_WP of each part [mm]
    bare: list[str] = field(default_factory=list)  # links without geometry
    notes: list[str] = field(default_factory=list)

    def spots(self) -> dict[int, Spot]:
        """Every link with its place in the geometry, or as a part without any."""
        associated = self._associations()
        names = unique([link.name or f"link #{n}" for n, link in self.structure.links.items()])
        taken = set(self.poses)
        out: dict[int, Spot] = {}
        for (n, link), name in zip(self.structure.links.items(), names, strict=True):
            places = [p for p in associated.get(n, []) if p.parts]
            if places:
                out[n] = self._spot(link, places)
                continue
            given = unique([*taken, name])[-1]
            taken.add(given)
            self.bare.append(given)
            out[n] = Spot(given, np.eye(4), (given,))
        if self.bare and len(self.bare) < len(out):
            self.notes.append(f"links without geometry: {listed(self.bare)}.")
        self._place_bare(out)
        return out

    def _spot(self, link: Link, places: list[Place]) -> Spot:
        parts = tuple(dict.fromkeys(p for place in places for p in place.parts))
        if len(places) > 1:
            self.notes.append(
                f"link {quoted(link.name)} has {len(places)} pieces of geometry; its frames are "
                f"taken to be in the first one, {quoted(parts[0])}."
            )
        X_PL = np.linalg.inv(self.poses[parts[0]]) @ places[0].X_WC
        return Spot(parts[0], X_PL, parts)

    def _associations(self) -> dict[int, list[Place]]:
        """Instances by link: by the use that is named, else by the shape representation."""
        uses: dict[int, int] = {}  # association -> use
        for _, args in self.e.all("CONTEXT_DEPENDENT_KINEMATIC_LINK_REPRESENTATION"):
            two = refs(args)
            target = refs(self.e.one(two[1]).args) if len(two) == 2 else []
            if target:
                uses[two[0].number] = target[0].number
        out: dict[int, list[Place]] = {}
        for n, args in self.e.all("KINEMATIC_LINK_REPRESENTATION_ASSOCIATION"):
            two = refs(args)
            link = next((k for r in two if (k := self.structure.link_of(r))), None)
            if link is None or len(two) != 2:
                self.notes.append(f"association #{n} names no link; it is left out.")
                continue
            other = next((r for r in two if r.number != link.rep), Ref(0))
            places = self.products.of_use(uses[n]) if n in uses else []
            places = places or self._by_shape(link, other)
            out.setdefault(link.number, []).extend(places[:1] if n in uses else places)
        return out

    def _by_shape(self, link: Link, rep: Ref) -> list[Place]:
        places = self.products.of_representation(rep.number)
        if len(places) <= 1:
            return places
        named = [p for p in places if p.path and p.path[-1] == link.name]
        if not named:
            self.notes.append(
                f"link {quoted(link.name)} names a product that is there {len(places)} times; "
                "the first one is taken."
            )
        return (named or places)[:1]

    def _place_bare(self, spots: dict[int, Spot]) -> None:
        """Poses for links without geometry: where their pairs are at value 0."""
        known = {n: self.poses[s.part] @ s.X_PL for n, s in spots.items() if s.part in self.poses}
        if not known and spots:
            first = next((k for k in self.structure.bases if k in spots), next(iter(spots)))
            known[first] = np.eye(4)
        waiting = [p for p in self.structure.pairs if p.word not in COUPLED]
        before = -1
        while before < len(known):
            before = len(known)
            for pair in waiting:
                (i, j), (X1, X2) = pair.links, pair.X
                if i in known and j not in known:
                    known[j] = known[i] @ X1 @ np.linalg.inv(X2)
                elif j in known and i not in known:
                    known[i] = known[j] @ X2 @ np.linalg.inv(X1)
        for n, spot in spots.items():
            self.poses.setdefault(spot.part, known.get(n, np.eye(4)))
