"""Mates from geometry: contacts, decisions, the test by the mechanism, drives."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from cad2mbs.cad.document import Document
from cad2mbs.errors import InputError
from cad2mbs.infer.contacts import contacts
from cad2mbs.infer.deciding import Decider
from cad2mbs.infer.drives import drives, movers
from cad2mbs.infer.ground import ground
from cad2mbs.infer.missing import remarks
from cad2mbs.infer.options import Options
from cad2mbs.infer.resolve import Common, Item, Resolver, items, pieces
from cad2mbs.infer.result import Alternative, Inference, Proposal, mates_of
from cad2mbs.infer.scene import Scene, scene
from cad2mbs.io import step_source
from cad2mbs.mechanism import Mechanism
from cad2mbs.model.assembly import Assembly, Drive
from cad2mbs.wording import did_you_mean, listed, quoted


def infer(source: Document | Assembly, options: Options | None = None) -> Inference:
    """The assembly with mates read off its geometry, and how each came to be.

    Mates, drives and ground that the source already has are not looked at.
    """
    options = options or Options()
    bare, paths = _bare(source)
    out = set(_rows(options.ignore, paths, "ignore"))
    parts = [p for n, p in bare.parts.items() if n not in out]
    place = scene(bare, parts)
    if not place.bodies:
        raise InputError(
            f"{quoted(bare.name)} has no part with geometry; mates are found from geometry only"
        )
    names = {b.name for b in place.bodies}
    bare = replace(bare, parts={p.name: p for p in parts if p.name in names})
    found = contacts(place, options.tolerance)
    decider = Decider(place, found, options)
    decision = decider.decide(_kept(options, paths, place))
    row, reason = ground(place, decision, options.ground)
    held = decider.hold(row)
    name = place.bodies[row].name
    common = Common(bare, place, name, decision.groups, options.tolerance)
    whole = items(place, decision)
    parts_that_move, _ = pieces(common, whole)
    movements = [(piece, piece.refine(piece.settle())) for piece in parts_that_move]
    common.notes += remarks(place, found, decision, held)
    return _told(common, whole, movements, reason)


def _told(
    common: Common, whole: list[Item], moving: list[tuple[Resolver, Mechanism]], reason: str
) -> Inference:
    proposals = tuple(_proposal(common, item) for item in whole)
    chosen: dict[str, Drive] = {}
    reasons: dict[str, str] = {}
    for piece, m in moving:
        found, why = drives(piece.build(), m, movers(piece))
        for old, drive in found.items():
            new = _free(old, chosen)
            chosen[new], reasons[new] = replace(drive, name=new), why[old]
    if not any(piece.joints() for piece, _ in moving) and len(common.assembly.parts) > 1:
        common.notes.append(
            f"all {len(common.assembly.parts)} parts are one rigid body: "
            "no contact leaves a freedom"
        )
    mates = mates_of(proposals).values()
    assembly = common.finished(mates, {common.ground}, common.assembly.parts)
    assembly = replace(assembly, drives=chosen)
    return Inference(assembly, proposals, common.ground, reason, reasons, tuple(common.notes))


def _free(name: str, taken: Collection[str]) -> str:
    """The name, with a number where it is taken."""
    number, text = 1, name
    while text in taken:
        number += 1
        text = f"{name}_{number}"
    return text


def _proposal(common: Common, item: Item) -> Proposal:
    guess = item.option(item.kind) or item.guess
    others = tuple(
        Alternative(g.kind, round(g.confidence, 3), g.reason, common.mates(item, g.kind))
        for g in (item.guess, *item.guess.others)
        if g.kind != item.kind
    )
    a, b = (common.scene.bodies[row].name for row in item.guess.parts)
    return Proposal(
        item.name,
        item.kind,
        (a, b),
        round(guess.confidence, 3),
        guess.reason,
        common.mates(item, item.kind),
        item.accepted,
        item.why,
        others,
    )


# -- what the user says about parts -------------------------------------------------------


def _bare(source: Document | Assembly) -> tuple[Assembly, dict[str, tuple[str, ...]]]:
    """The parts without mates, and the names that lead to each."""
    if isinstance(source, Document):
        name = Path(source.source).stem or source.root.name or "assembly"
        found = step_source.assembly(source, name, source.source)
        paths = {n: leaf.path for n, leaf in source.parts().items()}
        return replace(found, cad=source.source or None), paths
    parts = {
        n: replace(p, references={}, selected={}, grounded=False) for n, p in source.parts.items()
    }
    bare = Assembly(
        source.name,
        parts,
        units=source.units,
        source=source.source,
        cad=source.cad,
        density=source.density,
        materials=source.materials,
        notes=source.notes,
    )
    return bare, {n: tuple(n.split("/")) for n in parts}


def _rows(names: tuple[str, ...], paths: dict[str, tuple[str, ...]], what: str) -> list[str]:
    """The parts that the names mean: a part, or all below a sub-assembly."""
    out = []
    for name in names:
        found = [
            p
            for p, path in paths.items()
            if name == p or name in path or path[: name.count("/") + 1] == tuple(name.split("/"))
        ]
        if not found:
            raise InputError(
                f"{what}: {quoted(name)} is no part{did_you_mean(name, paths)} "
                f"Parts: {listed(paths, 30)}"
            )
        out += found
    return out


def _kept(
    options: Options, paths: dict[str, tuple[str, ...]], place: Scene
) -> list[tuple[int, int]]:
    """Pairs of rows that stay as one."""
    rows = {b.name: b.row for b in place.bodies}
    out = []
    for entry in options.rigid:
        names = (entry,) if isinstance(entry, str) else entry
        members = [rows[n] for n in dict.fromkeys(_rows(names, paths, "rigid")) if n in rows]
        out += [(members[0], m) for m in members[1:]]
    return out
