"""Points, lines and surfaces of a STEP file as places, and mates that hold two of them apart."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cad2mbs.cad.part21 import Ref
from cad2mbs.io.kinematics.pairs import End, Made
from cad2mbs.io.kinematics.text import Entities, number, refs
from cad2mbs.model.references import any_normal

SURFACES = {
    "PLANE": "plane",
    "CYLINDRICAL_SURFACE": "cylinder",
    "CONICAL_SURFACE": "cone",
    "SPHERICAL_SURFACE": "sphere",
    "TOROIDAL_SURFACE": "torus",
    "CIRCLE": "circle",
}
CARRIERS = {"ADVANCED_FACE": 2, "FACE_SURFACE": 2, "EDGE_CURVE": 3}  # slot of their geometry
# What is at a constant distance from a point, a line or a plane counts as that, with a radius.
ROUND = {"sphere": "point", "cylinder": "line"}
POINTS, AXES = ("point", "sphere"), ("line", "cylinder", "cone", "torus", "circle")
DIRECTED = {"line": "line", "direction": "line", "cylinder": "line", "plane": "plane"}
TOUCH = 1e-9  # [mm] distances below are 0


@dataclass(frozen=True, eq=False)
class Geo:
    """A point, direction, curve or surface: its place [mm], z its axis or normal."""

    kind: str
    X: np.ndarray  # (4, 4)
    radius: float = 0.0

    def seen_from(self, X: np.ndarray) -> Geo:
        """The same, placed by X."""
        return replace(self, X=X @ self.X)


def geometry(entities: Entities, ref: object, length: float) -> Geo | None:
    """What an entity is, None where it is nothing that a mate can hold."""
    found = entities.one(ref)
    if found.word in CARRIERS and len(found.args) > CARRIERS[found.word]:
        return geometry(entities, found.args[CARRIERS[found.word]], length)
    if found.word == "CARTESIAN_POINT":
        at = entities.vector(ref, "CARTESIAN_POINT")
        return None if at is None else Geo("point", placed(at * length, np.array([0.0, 0, 1])))
    if found.word in ("DIRECTION", "VECTOR", "LINE"):
        return _straight(entities, ref, length)
    if found.word in SURFACES:
        args = refs(found.args)
        X = entities.placement(args[0], length) if args else None
        values = [v for a in found.args if (v := number(a)) is not None]
        radius = values[0] * length if values and SURFACES[found.word] in _RADIAL else 0.0
        return None if X is None else Geo(SURFACES[found.word], X, radius)
    return None


_RADIAL = ("cylinder", "sphere", "circle")


def _straight(entities: Entities, ref: object, length: float) -> Geo | None:
    word, args = entities.one(ref).word, entities.one(ref).args
    origin, kind, towards = np.zeros(3), "direction", ref
    if word == "LINE":
        two = [*refs(args), None, None]
        at = entities.vector(two[0], "CARTESIAN_POINT")
        if at is None:
            return None
        origin, kind, towards = at * length, "line", two[1]
    if entities.one(towards).word == "VECTOR":
        towards = next(iter(refs(entities.one(towards).args)), Ref(0))
    z = entities.vector(towards, "DIRECTION")
    if z is None or np.linalg.norm(z) < 1e-12:
        return None
    return Geo(kind, placed(origin, z / np.linalg.norm(z)))


def placed(origin: np.ndarray, z: np.ndarray) -> np.ndarray:
    """(4, 4) with this origin and z axis."""
    x = np.array(any_normal((float(z[0]), float(z[1]), float(z[2]))))
    X = np.eye(4)
    X[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    X[:3, 3] = origin
    return X


@dataclass(frozen=True, eq=False)
class Held:
    """A piece of geometry on a part: there, and where it starts in the world."""

    end: End
    geo: Geo
    X_WG: np.ndarray  # (4, 4)

    @property
    def z(self) -> np.ndarray:
        return self.X_WG[:3, 2]

    @property
    def origin(self) -> np.ndarray:
        return self.X_WG[:3, 3]


def add_parallel(made: Made, name: str, one: Held, two: Held) -> None:
    """z axes one way or opposite, as they start."""
    a, b = made.refer(one.end, name), made.refer(two.end, name)
    made.mate(name, "parallel-z", a, b, sense=bool(one.z @ two.z >= 0))


def add_angle(made: Made, name: str, one: Held, two: Held, degrees: float) -> None:
    """z axes at an angle."""
    if min(degrees % 180.0, 180.0 - degrees % 180.0) < 1e-9:
        add_parallel(made, name, one, two)
        return
    a, b = made.refer(one.end, name), made.refer(two.end, name)
    made.mate(name, "offset-z", a, b, value=degrees % 180.0)


def add_distance(made: Made, name: str, one: Held, two: Held, distance: float) -> bool:
    """Hold two pieces of geometry at a distance between their surfaces; False: not expressible.

    Of the two ways round bodies can touch, from outside or one in the other, and of the two sides
    of a plane, the one nearest to the start is meant.
    """
    order = ("point", "line", "plane")
    kinds = [ROUND.get(h.geo.kind, h.geo.kind) for h in (one, two)]
    if any(k not in order for k in kinds):
        return False
    if order.index(kinds[0]) > order.index(kinds[1]):
        one, two, kinds = two, one, kinds[::-1]
    a, b = made.refer(one.end, name), made.refer(two.end, name)
    far = _nearest(one, two, kinds, distance)
    if kinds[1] == "plane":
        made.mate(name, "in-plane", a, b, value=far)
    elif kinds[1] == "line":
        _at(made, name, ("in-line", "axis-distance"), a, b, far)
    else:
        _at(made, name, ("coincident", "distance"), a, b, far)
    if kinds == ["line", "plane"]:
        made.mate(name, "offset-z", a, b, value=90.0)
    elif kinds[0] == kinds[1] != "point":
        add_parallel(made, name, one, two)
    return True


def _at(made: Made, name: str, kinds: tuple[str, str], a, b, far: float) -> None:
    if far < TOUCH:
        made.mate(name, kinds[0], a, b)
    else:
        made.mate(name, kinds[1], a, b, value=far)


def _nearest(one: Held, two: Held, kinds: list[str], distance: float) -> float:
    """The distance between centres, axes or planes that is meant: nearest to the present one."""
    d, (r, s) = two.origin - one.origin, (one.geo.radius, two.geo.radius)
    if kinds[1] == "plane":
        now, sizes = float(-d @ two.z), {distance + r, distance - r, -distance - r, -distance + r}
    else:
        across = d - two.z * (d @ two.z) if kinds[1] == "line" else d
        now = float(np.linalg.norm(across))
        sizes = {distance + r + s, abs(distance + r - s), abs(abs(r - s) - distance)}
    return min(sorted(sizes, reverse=True), key=lambda size: abs(size - now))
