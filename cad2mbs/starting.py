"""What became of the places where the file has the parts: moved, or turned round by a mate."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import RefId
from cad2mbs.model.pose import IDENTITY

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

MOVED = 1e-4  # of the model's size, and in rad: less is what files lose in digits
SHOWN = 6


def notes(m: Mechanism) -> Iterator[str]:
    """Sentences about mates that turn parts round, and parts that had to leave their place."""
    opposed = list(_opposed(m.assembly))
    for name in opposed[:SHOWN]:
        yield (
            f"mate {name}: its directions point opposite ways where the parts start, and one part "
            "is turned round; 'sense: false' keeps both as they are"
        )
    moved = sorted(_moved(m), key=lambda row: -row[1] / m.structure.length - row[2])
    if moved:
        unit, scale = m.units.length, m.units.metre
        told = [
            f"{part} by {shift / scale:.3g} {unit}, {math.degrees(turn):.3g} deg"
            for part, shift, turn in moved[:SHOWN]
        ]
        more = f", ... ({len(moved)} in all)" if len(moved) > SHOWN else ""
        yield f"the mates move parts from where the file has them: {'; '.join(told)}{more}"


def _moved(m: Mechanism) -> Iterator[tuple[str, float, float]]:
    """Parts that are not where the file has them: how far [m, rad]."""
    if not m.assembled:
        return
    now = m.poses
    for part in m.assembly.parts.values():
        if part.pose is None:
            continue
        shift = np.subtract(now[part.name].position, part.pose.position) * m.units.metre
        cosine = abs(np.dot(now[part.name].quaternion, part.pose.quaternion))
        turn = 2.0 * math.acos(min(1.0, cosine)) if cosine < 1.0 - 1e-9 else 0.0
        distance = float(np.linalg.norm(shift))
        if distance > MOVED * m.structure.length or turn > MOVED:
            yield part.name, distance, turn


def _opposed(assembly: Assembly) -> Iterator[str]:
    """Mates that want the same direction where the placed parts have the opposite one."""
    for mate in assembly.mates.values():
        same_way = (mate.kind == "parallel-z" and mate.sense) or mate.kind == "offset-x"
        if same_way and _slope(assembly, mate.a, mate.b) < -0.9:
            yield mate.name


def _slope(assembly: Assembly, a: RefId, b: RefId) -> float:
    """Cosine between the directions of two references where the parts start; 1 if one is free."""
    z = []
    for ref in (a, b):
        part = assembly.parts[ref.part]
        pose = IDENTITY if part.pose is None and part.grounded else part.pose
        if pose is None:
            return 1.0
        z.append(pose.rotation() @ np.array(assembly.reference(ref).z))
    return float(z[0] @ z[1])
