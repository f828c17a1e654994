"""STEP files that say how their parts move: links and pairs, or assembly constraints, as mates.

What a file says comes before anything that could be found from its geometry. Lengths in mm, angles
in degrees. docs/step-kinematics.md has the tables.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from cad2mbs.cad import load
from cad2mbs.cad.document import Document
from cad2mbs.cad.part21 import read_text
from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.io.kinematics.constraints import Constraints
from cad2mbs.io.kinematics.convert import Converter
from cad2mbs.io.kinematics.links import Links
from cad2mbs.io.kinematics.pairs import Made
from cad2mbs.io.kinematics.products import Products
from cad2mbs.io.kinematics.structure import read_structure
from cad2mbs.io.kinematics.text import Entities, has_mechanism
from cad2mbs.io.mates_geometry import placed
from cad2mbs.model import references
from cad2mbs.model.assembly import (
    Assembly,
    Part,
)
from cad2mbs.model.mates import RefId
from cad2mbs.model.pose import Pose
from cad2mbs.units import Units
from cad2mbs.wording import listed, shown_path

WHOLE = "whole"  # reference of a part's own frame, for parts that are one link
STATES = ("MECHANISM_STATE_REPRESENTATION", "KINEMATIC_ANALYSIS_RESULT", "KINEMATIC_CONTROL")


def carries_mechanism(path: str | os.PathLike[str]) -> bool:
    """Whether a STEP file says how its parts move; quick, and False for what is no STEP file."""
    try:
        return has_mechanism(read_text(Path(path)))
    except InputError:
        return False


def read_mechanism(path: str | os.PathLike[str], *, document: Document | None = None) -> Assembly:
    """The assembly of a STEP file with the mates that its kinematics or constraints state.

    document  the geometry, where it was read already
    InputError where the file says nothing of how its parts move.
    """
    path = Path(path)
    text = read_text(path)
    if not has_mechanism(text):
        raise InputError(
            [
                Diagnostic(
                    "the STEP file holds no kinematics and no assembly constraints; read it as "
                    "plain geometry and state the mates, or have them found.",
                    shown_path(path),
                )
            ]
        )
    return _Reading(path, Entities(text), document or load.read(path)).assembly()


@dataclass
class _Reading:
    path: Path
    e: Entities
    document: Document
    made: Made = field(default_factory=Made)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        leaves = self.document.parts()
        self.poses: dict[str, np.ndarray] = {name: leaf.X_WC for name, leaf in leaves.items()}
        self.structure = read_structure(self.e)
        self.products = Products(self.e, self.document)
        self.links = Links(self.e, self.structure, self.products, self.poses)

    def assembly(self) -> Assembly:
        spots = self.links.spots()
        pairs = Converter(self.e, self.structure, spots, self.poses, self.made)
        pairs.add_all()
        constraints = Constraints(self.e, self.products, self.poses, self.made)
        constraints.read()
        for source in (self.structure, self.links, pairs, constraints):
            self.notes += source.notes
        groups = [spot.parts for spot in spots.values()]
        groups += [tuple(place.parts) for place in constraints.used]
        self._weld(groups)
        still = {p for k in self.structure.bases if k in spots for p in spots[k].parts}
        still |= set(constraints.grounded)
        self._tell_rest()
        return Assembly(
            self.document.root.name or self.path.stem,
            self._parts(still, {p for group in groups for p in group}),
            self.made.mates,
            pairs.drives,
            self.made.limits,
            pairs.couplings,
            source=str(self.path),
            notes=(*self.document.notes, *dict.fromkeys(self.notes)),
        )

    # -- parts ----------------------------------------------------------------------------

    def _weld(self, groups: list[tuple[str, ...]]) -> None:
        """Parts of one link, or of one sub-assembly, stay as they are to each other."""
        for group in groups:
            for other in group[1:]:
                name = f"{group[0]} and {other}"
                if f"{name}.identical" in self.made.mates:
                    continue
                a, b = (self._whole(part) for part in (group[0], other))
                X = np.linalg.inv(self.poses[group[0]]) @ self.poses[other]
                pose = Pose.from_matrix(X[:3, 3].tolist(), X[:3, :3])
                self.made.mate(name, "identical", a, b, transform=pose)

    def _whole(self, part: str) -> RefId:
        self.made.references.setdefault(part, {}).setdefault(WHOLE, references.frame())
        return RefId(part, WHOLE)

    def _parts(self, still: set[str], linked: set[str]) -> dict[str, Part]:
        idle = [name for name in self.document.parts() if name not in linked]
        if idle:
            self.notes.append(f"parts of no link, taken to stand still: {listed(idle)}.")
        if not still:
            self.notes.append("the file names no base; the first part is taken to stand still.")
            still = {next((p for p in self.poses if p in linked), next(iter(self.poses)))}
        out = {}
        for name, leaf in self.document.parts().items():
            at = placed(self.document, leaf, Units())
            refer = self.made.references.get(name, {})
            stays = name in still or name in idle
            out[name] = Part(name, refer, stays, at.pose, solid=at.solid, colour=at.colour)
        for name in self.links.bare:
            X = self.poses[name]
            pose = Pose.from_matrix(X[:3, 3].tolist(), X[:3, :3])
            out[name] = Part(name, self.made.references.get(name, {}), name in still, pose)
        return out

    def _tell_rest(self) -> None:
        """A sentence on what is there and has no place among mates."""
        words = self.e.words()
        if self.e.damaged:
            numbers = listed(f"#{n}" for n in sorted(self.e.damaged))
            self.notes.append(f"entities that cannot be read, so left out: {numbers}.")
        if any(word in STATES or word.endswith("_PAIR_VALUE") for word in words):
            self.notes.append("stored states of the mechanism are not used; parts start as placed.")
        if any(word.startswith("KINEMATIC_PATH") for word in words):
            self.notes.append("motions along paths are not read.")
