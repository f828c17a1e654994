"""What the inference hands back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from cad2mbs.errors import InputError
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import Mate
from cad2mbs.wording import listed, quoted


@dataclass(frozen=True)
class Alternative:
    """Another joint the same contact could be."""

    kind: str
    confidence: float
    reason: str
    mates: tuple[Mate, ...]


@dataclass(frozen=True)
class Proposal:
    """A joint read off the geometry, with the mates that stand for it."""

    name: str
    kind: str  # revolute, cylindrical, prismatic, planar, spherical, universal, fixed
    parts: tuple[str, str]
    confidence: float  # 0 to 1
    reason: str
    mates: tuple[Mate, ...]
    accepted: bool
    why: str  # it was accepted or rejected
    alternatives: tuple[Alternative, ...] = ()

    def swapped(self, kind: str) -> Proposal:
        """This proposal with the alternative of that kind in its place."""
        other = next((a for a in self.alternatives if a.kind == kind), None)
        if other is None:
            kinds = listed([a.kind for a in self.alternatives]) or "none"
            raise InputError(
                f"proposal {quoted(self.name)} has no alternative {quoted(kind)}; it has: {kinds}"
            )
        rest = tuple(a for a in self.alternatives if a is not other)
        own = Alternative(self.kind, self.confidence, self.reason, self.mates)
        return replace(
            self,
            kind=other.kind,
            confidence=other.confidence,
            reason=other.reason,
            mates=other.mates,
            alternatives=(own, *rest),
            accepted=True,
            why="chosen by the user",
        )


@dataclass(frozen=True)
class Inference:
    """Mates found from geometry: the assembly with them, and how each came to be."""

    assembly: Assembly
    proposals: tuple[Proposal, ...]
    ground: str
    ground_reason: str
    drive_reasons: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def proposal(self, name: str) -> Proposal:
        """The proposal of that name."""
        for p in self.proposals:
            if p.name == name:
                return p
        raise InputError(
            f"no proposal {quoted(name)}; proposals are: {listed([p.name for p in self.proposals])}"
        )

    def revised(
        self,
        accept: Iterable[str] = (),
        reject: Iterable[str] = (),
        swap: Mapping[str, str] | None = None,
    ) -> Inference:
        """The inference with other decisions; drives of joints that are gone go too."""
        changed = {p.name: p for p in self.proposals}
        for name in accept:
            changed[name] = replace(self.proposal(name), accepted=True, why="accepted by the user")
        for name in reject:
            changed[name] = replace(self.proposal(name), accepted=False, why="rejected by the user")
        for name, kind in (swap or {}).items():
            changed[name] = self.proposal(name).swapped(kind)
        proposals = tuple(changed.values())
        held = {frozenset(p.parts) for p in proposals if p.accepted and p.kind != "fixed"}
        drives = {
            n: d
            for n, d in self.assembly.drives.items()
            if d.of is not None and frozenset((d.of.a, d.of.b)) in held
        }
        assembly = replace(self.assembly, mates=mates_of(proposals), drives=drives)
        return replace(self, assembly=assembly, proposals=proposals)


def mates_of(proposals: Iterable[Proposal]) -> dict[str, Mate]:
    """The mates of the accepted proposals by name."""
    return {m.name: m for p in proposals if p.accepted for m in p.mates}
