"""How a mates file points at the geometry of a part: by what the feature is, not by its number."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cad2mbs.model.references import Vec3


class Pick(StrEnum):
    """Which features a selector looks at."""

    FACE = "face"  # any face
    PLANE = "plane"
    CYLINDER = "cylinder"  # hole or pin
    HOLE = "hole"
    PIN = "pin"
    CONE = "cone"
    SPHERE = "sphere"
    TORUS = "torus"
    CIRCLE = "circle"  # a circular edge


class At(StrEnum):
    """Where on the feature's axis the reference has its origin."""

    MIDDLE = "middle"
    START = "start"  # lowest along the axis
    END = "end"


@dataclass(frozen=True)
class Selector:
    """All that is given must hold; then `towards`, `near` and `size` choose among what is left.

    Lengths in user units of the file, part coordinates.
    """

    select: Pick = Pick.FACE
    name: str | None = None  # the file's name of the face or edge
    radius: float | tuple[float, float] | None = None  # a value (2 % off at most) or a range
    normal: Vec3 | None = None  # of a plane, out of the material, within 5 degrees
    along: Vec3 | None = None  # of an axis, within 5 degrees either way; z then points this way
    cadquery: str | None = None  # a CadQuery selector string for faces, or edges with circle
    towards: Vec3 | None = None  # the outermost one in this direction
    near: Vec3 | None = None  # the nearest one to this point
    size: str | int | None = None  # "largest", "smallest", or n for the n-th largest
    at: At | Selector = At.MIDDLE  # a selector of a plane: where the axis crosses it
    flip: bool = False  # turn z round
