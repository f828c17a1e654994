"""What observers measure along a motion: positions, distances and angles, as named columns.

Each reference becomes a frame on a link of the solver's model. One call gives the poses of all of
them at all states, and every kind of measure is a few array operations on those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.mapping.structure import Structure
from cad2mbs.model.assembly import Observer, ObserverKind
from cad2mbs.model.mates import RefId
from cad2mbs.model.references import RefKind
from solvers.tables import frame_table

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

PARALLEL = 1e-6  # sine between two axes below which their common normal is rounding


Key = RefId | str  # a reference, or a part in its own coordinates


@dataclass(frozen=True)
class Seen:
    """A frame along a motion: origins (k, 3) [user length] and quaternions (k, 4), w x y z."""

    kind: RefKind
    origin: np.ndarray
    quaternion: np.ndarray

    @property
    def z(self) -> np.ndarray:
        """Its z axes (k, 3)."""
        w, x, y, z = self.quaternion.T
        return np.column_stack(
            [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w - x * x - y * y + z * z]
        )

    def coordinates(self, points: np.ndarray) -> np.ndarray:
        """The points (k, 3), given in the ground, as this frame sees them."""
        arrow, w, u = points - self.origin, self.quaternion[:, :1], -self.quaternion[:, 1:]
        t = 2.0 * np.cross(u, arrow)
        return arrow + w * t + np.cross(u, t)


def observed(m: Mechanism) -> dict[str, float]:
    """Present value of every column of every observer, user units."""
    if not m.assembly.observers:
        return {}
    return {name: float(v[0]) for name, v in measured(m.structure, m.state[None]).items()}


def units(structure: Structure) -> dict[str, str]:
    """Unit of every column of the observers, by name, in file order."""
    user = structure.assembly.units
    return {
        column: user.angle if observer.kind is ObserverKind.ANGLE else user.length
        for observer in structure.assembly.observers.values()
        for column in observer.columns
    }


def measured(structure: Structure, Y: np.ndarray) -> dict[str, np.ndarray]:
    """Values (k,) of every column of the observers at the states Y (k, ny), user units."""
    observers = structure.assembly.observers
    if not observers:
        return {}
    seen = _seen(structure, Y, observers.values())
    out: dict[str, np.ndarray] = {}
    for observer in observers.values():
        values = _values(structure, observer, seen)
        out |= dict(zip(observer.columns, values, strict=True))
    return out


def _values(structure: Structure, observer: Observer, seen: Mapping[Key, Seen]) -> np.ndarray:
    """Values (columns, k) of one observer."""
    a = seen[observer.a]
    if observer.b is None:
        from_part = observer.seen_from
        return (a.origin if from_part is None else seen[from_part].coordinates(a.origin)).T
    b = seen[observer.b]
    if observer.kind is ObserverKind.ANGLE:
        return (angle(a.z, b.z) / structure.assembly.units.radian)[None]
    return distance(a, b)[None]


# --- measures ----------------------------------------------------------------------------------


def angle(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Angle (k,) between unit vectors [rad], 0 to pi; exact also close to both ends."""
    return np.arctan2(np.linalg.norm(np.cross(u, v), axis=-1), _dot(u, v))


def distance(a: Seen, b: Seen) -> np.ndarray:
    """Distance (k,) between two references; to a plane with sign, along its normal.

    Two planes: of the first one's point above the second.
    """
    if b.kind is RefKind.PLANE:
        return _dot(a.origin - b.origin, b.z)
    if a.kind is RefKind.PLANE:
        return _dot(b.origin - a.origin, a.z)
    if a.kind is RefKind.AXIS and b.kind is RefKind.AXIS:
        return _between_axes(a, b)
    if b.kind is RefKind.AXIS:
        return _from_axis(a.origin, b)
    if a.kind is RefKind.AXIS:
        return _from_axis(b.origin, a)
    return np.linalg.norm(b.origin - a.origin, axis=-1)


def _from_axis(point: np.ndarray, axis: Seen) -> np.ndarray:
    return np.linalg.norm(np.cross(point - axis.origin, axis.z), axis=-1)


def _between_axes(a: Seen, b: Seen) -> np.ndarray:
    """Length of the common perpendicular; where the axes are parallel, any of them."""
    normal = np.cross(a.z, b.z)
    sine = np.linalg.norm(normal, axis=-1)
    across = np.abs(_dot(b.origin - a.origin, normal)) / np.maximum(sine, PARALLEL)
    return np.where(sine > PARALLEL, across, _from_axis(b.origin, a))


def _dot(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.einsum("...i,...i->...", u, v)


# --- frames along the motion -------------------------------------------------------------------


def _seen(structure: Structure, Y: np.ndarray, observers: Iterable[Observer]) -> dict[Key, Seen]:
    """Everything the observers look at, once each."""
    named = (what for o in observers for what in (o.a, o.b, o.seen_from) if what is not None)
    wanted = list(dict.fromkeys(named))
    frames = [_frame(structure, what) for what in wanted]
    link = np.array([f[0] for f in frames], np.int64)
    F = np.array([f[1] for f in frames])
    metre = structure.assembly.units.metre
    table = frame_table(structure.model, Y, link, F, 1.0 / metre)
    return {
        what: Seen(_kind(structure, what), table[:, i, :3], table[:, i, 3:])
        for i, what in enumerate(wanted)
    }


def _frame(structure: Structure, what: Key) -> tuple[int, np.ndarray]:
    """Link of a frame and its pose there (12,): rotation by rows, origin [m]."""
    place = structure.part_place[what.part if isinstance(what, RefId) else what]
    if isinstance(what, str):
        return place.link, np.concatenate([place.R.ravel(), place.p])
    reference = structure.assembly.reference(what)
    origin = np.array(reference.origin) * structure.assembly.units.metre
    R = place.R @ reference.rotation
    return place.link, np.concatenate([R.ravel(), place.R @ origin + place.p])


def _kind(structure: Structure, what: Key) -> RefKind:
    return structure.assembly.reference(what).kind if isinstance(what, RefId) else RefKind.FRAME
