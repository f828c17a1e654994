"""Parts made of round and square stock, with what joints they have; all in mm."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cadquery as cq
import numpy as np
from scipy.spatial.transform import Rotation

from cad2mbs.cad.cadquery_bridge import from_cadquery
from cad2mbs.model.assembly import Assembly

Point = tuple[float, float, float]
UP: Point = (0.0, 0.0, 1.0)


def rod(radius: float, base: Point, length: float, along: Point = UP) -> cq.Shape:
    return cq.Solid.makeCylinder(radius, length, cq.Vector(*base), cq.Vector(*along))


def block(low: Point, high: Point) -> cq.Shape:
    size = [b - a for a, b in zip(low, high, strict=True)]
    return cq.Solid.makeBox(*size, pnt=cq.Vector(*low))


def ball(radius: float, centre: Point) -> cq.Shape:
    return cq.Solid.makeSphere(radius, cq.Vector(*centre), angleDegrees1=-90, angleDegrees2=90)


def bar(a: Point, b: Point, width: float, thick: float) -> cq.Shape:
    """A link in the plane z = const from a to b with round ends, from z up by `thick`."""
    (x, y, z), (u, v, _) = a, b
    length, angle = math.hypot(u - x, v - y), math.degrees(math.atan2(v - y, u - x))
    straight = block((0, -width / 2, 0), (length, width / 2, thick))
    straight = straight.rotate(cq.Vector(0, 0, 0), cq.Vector(0, 0, 1), angle)
    ends = [rod(width / 2, p, thick) for p in ((x, y, z), (u, v, z))]
    return straight.translate(cq.Vector(x, y, z)).fuse(*ends).clean()


@dataclass(frozen=True)
class TrueJoint:
    """What a joint was made as: its kind, and a point and direction of its axis in the whole."""

    kind: str
    parts: tuple[str, str]
    point: Point
    along: Point = UP


@dataclass
class Shop:
    """Collects stock for parts, and what is true about them."""

    solids: dict[str, list[cq.Shape]] = field(default_factory=dict)
    tools: dict[str, list[cq.Shape]] = field(default_factory=dict)
    late: dict[str, list[cq.Shape]] = field(default_factory=dict)  # put on after the cutting
    joints: list[TrueJoint] = field(default_factory=list)
    rigid: list[tuple[str, str]] = field(default_factory=list)  # parts that are one
    hardware: set[str] = field(default_factory=set)  # pins, screws, washers: with either side
    scale: float = 1.0  # of the finished parts

    def add(self, part: str, *shapes: cq.Shape) -> None:
        self.solids.setdefault(part, []).extend(shapes)

    def cut(self, part: str, *shapes: cq.Shape) -> None:
        self.tools.setdefault(part, []).extend(shapes)

    def put(self, part: str, *shapes: cq.Shape) -> None:
        """Stock that goes into holes cut before."""
        self.late.setdefault(part, []).extend(shapes)

    def joint(self, kind: str, a: str, b: str, point: Point, along: Point = UP) -> None:
        self.joints.append(TrueJoint(kind, (a, b), point, along))

    def assembly(self, rng: np.random.Generator) -> Assembly:
        """The parts as an assembly without mates, each in coordinates of its own, shuffled."""
        whole = cq.Assembly(name="random")
        names = list(self.solids)
        for k in rng.permutation(len(names)):
            name = names[k]
            shape = self._made(name)
            turn = Rotation.from_quat(rng.normal(size=4)).as_rotvec()
            angle = float(np.linalg.norm(turn))
            place = cq.Location(
                cq.Vector(*rng.uniform(-50, 50, 3)),
                cq.Vector(*(turn / angle)),
                math.degrees(angle),
            )
            whole.add(shape.moved(place.inverse), name=name, loc=place)
        return from_cadquery(whole)

    def _made(self, name: str) -> cq.Shape:
        first, *rest = self.solids[name]
        shape = first.fuse(*rest).clean() if rest else first
        if name in self.tools:
            shape = shape.cut(*self.tools[name])
        if name in self.late:
            shape = shape.fuse(*self.late[name]).clean()
        solids = shape.Solids()
        if len(solids) != 1:
            raise ValueError(f"{name} is {len(solids)} solids; one was meant")
        return solids[0].scale(self.scale)

    def bodies(self) -> dict[str, str]:
        """Part -> body, without hardware: a body is called by one of its parts."""
        up = {n: n for n in self.solids if n not in self.hardware}

        def top(n: str) -> str:
            while up[n] != n:
                n = up[n]
            return n

        for a, b in self.rigid:
            if a in up and b in up:
                up[top(b)] = top(a)
        return {n: top(n) for n in up}
