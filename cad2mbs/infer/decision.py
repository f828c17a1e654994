"""Proposals on their way: what is taken, what is not, and what has become one."""

from __future__ import annotations

from dataclasses import dataclass, field

from cad2mbs.infer.contacts import Pair
from cad2mbs.infer.groups import Groups
from cad2mbs.infer.guess import Guess


@dataclass
class Link:
    """A proposal before its mates are made."""

    guess: Guess
    accepted: bool
    why: str  # accepted or rejected


@dataclass
class Decision:
    """The proposals taken and not taken, and what is one."""

    groups: Groups
    welds: list[Link] = field(default_factory=list)
    joints: dict[Pair, Link] = field(default_factory=dict)
    rejected: list[Link] = field(default_factory=list)

    def links(self) -> list[Link]:
        return [*self.welds, *self.joints.values(), *self.rejected]
