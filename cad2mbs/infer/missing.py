"""What seems to be missing: parts that float, and holes that end a chain with nothing in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from cad2mbs.infer.contacts import Contacts
from cad2mbs.infer.decision import Decision
from cad2mbs.infer.scene import Scene
from cad2mbs.wording import listed, quoted

FULL = 5.5  # [rad] covered by the pieces of a hole, of all parts of a group together
WORTH = 0.05  # of a group's size: smaller holes are for screws and oil
Hole = tuple[int, float, np.ndarray, np.ndarray]  # group, radius, point, axis


def remarks(scene: Scene, contacts: Contacts, decision: Decision, held: Sequence[int]) -> list[str]:
    """Whole sentences about what does not hang together, and what would be needed."""
    out = []
    if held:
        names = listed([quoted(scene.bodies[row].name) for row in held])
        one = "it touches" if len(held) == 1 else "they touch"
        out.append(f"nothing holds {names}: {one} no other part that could; a part is missing")
    for holes in _aligned(_empty_ends(scene, contacts, decision)):
        out.append(_missing_words(scene, decision, holes))
    return out


def _empty_ends(scene: Scene, contacts: Contacts, decision: Decision) -> list[Hole]:
    """The widest empty hole of each group with a single joint, where it is worth the name."""
    count: dict[int, int] = defaultdict(int)
    for pair in decision.joints:
        for end in pair:
            count[end] += 1
    filled = {(f.hole, f.hole_line) for f in (*contacts.fits, *contacts.missing)}
    filled |= {(f.pin, f.pin_line) for f in contacts.missing}
    filled |= {(b.fit.hole, b.fit.hole_line) for b in contacts.bearings}
    out = []
    for group, rows in decision.groups.members().items():
        if count[group] != 1:
            continue
        size = max(scene.bodies[r].shape.size for r in rows)
        holes = [h for h in _holes(scene, group, rows, filled) if h[1] > WORTH * size]
        if holes:
            out.append(max(holes, key=lambda h: h[1]))
    return out


def _holes(
    scene: Scene, group: int, rows: Sequence[int], filled: set[tuple[int, int]]
) -> list[Hole]:
    """Empty holes of a group, also those that two parts make together."""
    found: list[tuple[float, np.ndarray, np.ndarray, float]] = []
    for row in rows:
        for k, _ in enumerate(scene.bodies[row].shape.lines):
            line, point, z = scene.line(row, k)
            if (row, k) in filled:
                continue
            for s in line.segments:
                if s.concave and s.sweep > 2.6:
                    at = point + 0.5 * (s.low + s.high) * z
                    found.append((s.radius, at, z, s.sweep))
    out: list[Hole] = []
    for radius, at, z, _ in found:
        around = sum(
            sweep
            for r, p, _, sweep in found
            if abs(r - radius) < 1e-3 * radius and _off(p - at, z) < 1e-3 * radius
        )
        if around > FULL:
            out.append((group, radius, at, z))
    return out


def _off(d: np.ndarray, z: np.ndarray) -> float:
    return float(np.linalg.norm(d - (d @ z) * z))


def _aligned(holes: list[Hole]) -> list[list[Hole]]:
    """Holes on parallel axes with equal radius together: one shaft would fill them."""
    out: list[list[Hole]] = []
    for hole in holes:
        for others in out:
            _, radius, _, z = others[0]
            if (
                abs(hole[1] - radius) < 1e-3 * radius
                and np.linalg.norm(np.cross(z, hole[3])) < 0.03
            ):
                others.append(hole)
                break
        else:
            out.append([hole])
    return out


def _missing_words(scene: Scene, decision: Decision, holes: list[Hole]) -> str:
    members = decision.groups.members()
    names = [
        quoted(max((scene.bodies[r] for r in members[h[0]]), key=lambda b: b.shape.size).name)
        for h in holes
    ]
    if len(holes) == 1:
        return (
            f"{names[0]} ends in an empty hole of radius {holes[0][1]:.4g} mm: if a pin or shaft "
            "belongs there, its part is missing"
        )
    return (
        f"{listed(names)} end in empty holes of radius {holes[0][1]:.4g} mm on parallel axes: a "
        "shaft that belongs there, such as a crankshaft, is missing"
    )
