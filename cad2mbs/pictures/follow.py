"""Points to follow through a motion: named by the user, found on a part, and the paths they run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.references import RefKind, Vec3
from cad2mbs.pictures.trace import COLOURS, Trace
from cad2mbs.results import SweepResult
from cad2mbs.wording import did_you_mean, listed, quoted

MM = 1e-3  # [m]


@dataclass(frozen=True)
class Followed:
    """A point of a part, under the name the user gave it."""

    name: str
    part: str
    point: Vec3  # [mm], in the part


def read_points(assembly: Assembly, texts: Sequence[str]) -> list[Followed]:
    """The points that PART/REFERENCE or PART@X,Y,Z [user length] mean; mistakes in one go."""
    found, wrong = [], []
    for text in dict.fromkeys(texts):
        try:
            found.append(_point(assembly, text))
        except ValueError as error:
            wrong.append(Diagnostic(f"--trace {quoted(text)}: {error}", assembly.source))
    if wrong:
        raise InputError(wrong)
    return found


def _point(assembly: Assembly, text: str) -> Followed:
    scale = assembly.units.metre / MM
    part, at, rest = text.rpartition("@")
    if at and part in assembly.parts:
        x, y, z = (scale * v for v in _three(rest))
        return Followed(text, part, (x, y, z))
    if at:
        raise ValueError(f"no part {quoted(part)}{did_you_mean(part, assembly.parts)}")
    places = {
        f"{part.name}/{name}": (part.name, reference)
        for part in assembly.parts.values()
        for name, reference in part.references.items()
        if reference.kind != RefKind.VECTOR
    }
    if text not in places:
        near = did_you_mean(text, places)
        raise ValueError(f"no such point{near} Wanted PART@X,Y,Z or one of {listed(places, 30)}")
    part, reference = places[text]
    x, y, z = (scale * v for v in reference.origin)
    return Followed(text, part, (x, y, z))


def _three(text: str) -> list[float]:
    fields = text.split(",")
    try:
        numbers = [float(field) for field in fields]
    except ValueError:
        numbers = []
    if len(numbers) != 3 or not np.isfinite(numbers).all():
        raise ValueError(f"{quoted(text)} found after '@', three numbers wanted: PART@X,Y,Z")
    return numbers


def paths(assembly: Assembly, result: SweepResult, points: Sequence[Followed]) -> list[Trace]:
    """The paths the points run through a sweep [mm], each in a colour of its own."""
    scale = assembly.units.metre / MM
    out = []
    for k, followed in enumerate(points):
        table = result.poses(followed.part)
        places = scale * table[:, :3] + turned(table[:, 3:], np.array(followed.point))
        out.append(Trace(followed.name, places, COLOURS[k % len(COLOURS)]))
    return out


def turned(quaternions: np.ndarray, arrow: np.ndarray) -> np.ndarray:
    """The arrow turned by each of the quaternions (k, 4), w x y z; (k, 3)."""
    w, u = quaternions[:, :1], quaternions[:, 1:]
    t = 2.0 * np.cross(u, arrow)
    return arrow + w * t + np.cross(u, t)
