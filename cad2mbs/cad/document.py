"""What a CAD file holds: a tree of placed instances over shared solids; plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from cad2mbs.cad.names import unique
from cad2mbs.model.solid import Colour, Solid


@dataclass(frozen=True, eq=False)
class Instance:
    """A node of the tree: a sub-assembly with children, or a leaf with a solid."""

    name: str  # unique among its siblings, stable from read to read
    product: str  # what the file calls the thing that is placed here
    X_PC: np.ndarray  # (4, 4)  pose in the parent node [mm], a proper rotation
    solid: int | None = None  # row of Document.solids; None: a sub-assembly
    children: tuple[Instance, ...] = ()
    colour: Colour | None = None  # own, else inherited from solid or parent
    original_name: str = ""  # as the file has it, "" where it has none


@dataclass(frozen=True)
class Leaf:
    """A placed solid: where it is in the whole, and the names that lead to it."""

    path: tuple[str, ...]  # names from below the root to the instance
    X_WC: np.ndarray  # (4, 4)  pose in the file's coordinates [mm]
    solid: int
    colour: Colour | None


@dataclass(frozen=True, eq=False)
class Document:
    """A CAD file as read."""

    root: Instance
    solids: tuple[Solid, ...]
    unit: str = "mm"  # length unit the file is written in: mm, cm, m, in, ...
    schema: str = ""  # AP203, AP214, AP242 or what the file says
    source: str = ""
    notes: tuple[str, ...] = ()  # what was repaired, left out or odd: whole sentences
    files: tuple[str, ...] = field(default=())  # all files that were read, the first is the source

    def leaves(self) -> Iterator[Leaf]:
        """The placed solids, in the order of the tree."""
        yield from _leaves(self.root, (), np.eye(4), None)

    def parts(self) -> dict[str, Leaf]:
        """The placed solids by name: the instance's own where it is the only one, else its path."""
        leaves = list(self.leaves())
        count = Counter(leaf.path[-1] for leaf in leaves)
        names = [n if count[n := leaf.path[-1]] == 1 else "/".join(leaf.path) for leaf in leaves]
        return dict(zip(unique(names), leaves, strict=True))  # names may hold slashes themselves

    def groups(self) -> dict[str, tuple[Instance, np.ndarray]]:
        """The sub-assemblies with their poses in the file, by path, and by name where unique."""
        found = {"/".join(path): at for path, at in _groups(self.root, (), np.eye(4))}
        count = Counter(path.rpartition("/")[2] for path in found)
        short = {
            p.rpartition("/")[2]: at for p, at in found.items() if count[p.rpartition("/")[2]] == 1
        }
        return {**short, **found}

    def named(self, name: str) -> list[Leaf]:
        """The placed solids that a name means: of a part, a path, or all below a sub-assembly."""
        parts = self.parts()
        if name in parts:
            return [parts[name]]
        steps = tuple(name.split("/"))
        below = [leaf for leaf in parts.values() if leaf.path[: len(steps)] == steps]
        if below or len(steps) > 1:
            return below
        return [leaf for leaf in parts.values() if name in leaf.path]


def _groups(
    node: Instance, path: tuple[str, ...], X_WP: np.ndarray
) -> Iterator[tuple[tuple[str, ...], tuple[Instance, np.ndarray]]]:
    X_WC = X_WP @ node.X_PC
    if node.children and path:
        yield path, (node, X_WC)
    for child in node.children:
        yield from _groups(child, (*path, child.name), X_WC)


def _leaves(
    node: Instance, path: tuple[str, ...], X_WP: np.ndarray, colour: Colour | None
) -> Iterator[Leaf]:
    X_WC = X_WP @ node.X_PC
    own = node.colour or colour
    if node.solid is not None:
        yield Leaf(path or (node.name,), X_WC, node.solid, own)
    for child in node.children:
        yield from _leaves(child, (*path, child.name), X_WC, own)
