"""What a picture shows: meshes, each with its place and colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.cad.document import Document
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.model.solid import Colour, Mesh

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

# Calm tones that stay apart from each other, also for eyes that mix up red and green.
PALETTE: tuple[Colour, ...] = (
    (0.56, 0.64, 0.72, 1.0),
    (0.85, 0.55, 0.32, 1.0),
    (0.36, 0.56, 0.70, 1.0),
    (0.88, 0.77, 0.48, 1.0),
    (0.45, 0.66, 0.60, 1.0),
    (0.74, 0.45, 0.43, 1.0),
    (0.60, 0.55, 0.72, 1.0),
    (0.74, 0.74, 0.70, 1.0),
)
GLASS = 0.3  # opacity of parts that are to be seen through


@dataclass(frozen=True, eq=False)
class Item:
    """A placed mesh; items of one part share it."""

    mesh: Mesh
    X_WC: np.ndarray = field(default_factory=lambda: np.eye(4))  # (4, 4)  pose [mm]
    colour: Colour = PALETTE[0]
    name: str = ""


def items_of(source: Document | Assembly | Mechanism) -> list[Item]:
    """The placed solids: of a CAD file or an assembly where it has them, of a mechanism as it is.

    What has no colour gets one, equal for equal parts.
    """
    if isinstance(source, Document):
        return _of_document(source)
    if isinstance(source, Assembly):
        return items_at(source, {n: p.pose or IDENTITY for n, p in source.parts.items()})
    return items_at(source.assembly, source.poses)


def items_at(assembly: Assembly, poses: Mapping[str, Pose]) -> list[Item]:
    """The parts that have a mesh, at the given poses [user units]."""
    shapes: dict[int, int] = {}
    out = []
    for part in assembly.parts.values():
        if part.solid is None or part.solid.mesh is None:
            continue
        row = shapes.setdefault(id(part.solid), len(shapes))
        colour = part.colour or part.solid.colour or PALETTE[row % len(PALETTE)]
        X = np.eye(4)
        X[:3, :3] = poses[part.name].rotation()
        X[:3, 3] = np.array(poses[part.name].position) * assembly.units.metre / 1e-3
        out.append(Item(part.solid.mesh, X, colour, part.name))
    return out


def _of_document(document: Document) -> list[Item]:
    out = []
    for leaf in document.leaves():
        solid = document.solids[leaf.solid]
        if solid.mesh is None:
            continue
        colour = leaf.colour or solid.colour or PALETTE[leaf.solid % len(PALETTE)]
        out.append(Item(solid.mesh, leaf.X_WC, colour, "/".join(leaf.path)))
    return out
