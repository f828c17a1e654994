"""Entities of a STEP file by keyword and number, and the numbers in them with their units."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from cad2mbs.cad.facts import unit_size
from cad2mbs.cad.part21 import Enum, Part21, Ref, Typed

# What kinematics, assembly constraints and the structure of products are written with.
WANTED = (
    "[A-Z0-9_]*_PAIR[A-Z0-9_]*|KINEMATIC_[A-Z_]*|MECHANISM[A-Z_]*|RIGID_LINK_REPRESENTATION"
    "|LINEAR_FLEXIBLE_LINK_REPRESENTATION|CONTEXT_DEPENDENT_KINEMATIC_LINK_REPRESENTATION"
    "|PAIR_REPRESENTATION_RELATIONSHIP|PRODUCT_DEFINITION_KINEMATICS"
    "|PRODUCT_DEFINITION_RELATIONSHIP_KINEMATICS|[A-Z_]*_ASSEMBLY_CONSTRAINT[A-Z_]*"
    "|NEXT_ASSEMBLY_USAGE_OCCURRENCE|SHAPE_DEFINITION_REPRESENTATION"
    "|SHAPE_REPRESENTATION_RELATIONSHIP|CONTEXT_DEPENDENT_SHAPE_REPRESENTATION"
)
_KEYWORD = re.compile(rf"#(\d{{1,18}})\s*=\s*({WANTED})\s*\(".encode())
_SIGNS = re.compile(
    rb"KINEMATIC_JOINT\s*\(|\b(?:COAXIAL|INCIDENCE|PARALLEL|PERPENDICULAR|ANGLE|TANGENT"
    rb"|SURFACE_DISTANCE|FIXED_CONSTITUENT)_ASSEMBLY_CONSTRAINT"
)
PARALLEL = 1e-12  # length of a cross product of unit vectors below which they are one direction


def has_mechanism(text: Part21) -> bool:
    """Whether a STEP file says how its parts move against each other; quick on large files."""
    return _SIGNS.search(text.data) is not None


class Entities:
    """The entities of a file that tell of products and how they move."""

    def __init__(self, text: Part21):
        self.text = text
        self.damaged: set[int] = set()  # entities that were asked for and cannot be read

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for match in _KEYWORD.finditer(self.text.data):
            found.setdefault(match[2].decode(), []).append(int(match[1]))
        return found

    def words(self) -> list[str]:
        """The keywords that are there."""
        return list(self._numbers)

    def all(self, *words: str) -> Iterator[tuple[int, list]]:
        """Number and slots of every simple entity of these keywords, in file order."""
        for number in sorted(n for word in words for n in self._numbers.get(word, ())):
            parts = self.text.entity(Ref(number))
            if not parts:
                self.damaged.add(number)
            if len(parts) == 1 and parts[0].word in words:
                yield number, parts[0].args

    def one(self, ref: object) -> Typed:
        """The simple entity a reference points at; an empty one where there is none."""
        parts = self.text.entity(ref)
        return parts[0] if len(parts) == 1 else Typed("", [])

    # -- values ---------------------------------------------------------------------------

    def units(self, context: object) -> tuple[float, float]:
        """Millimetres in a unit of length and radians in a unit of angle of a context."""
        length, angle = 1.0, 1.0
        for part in self.text.entity(context):
            listed = part.args[0] if part.args and isinstance(part.args[0], list) else []
            for ref in listed if part.word == "GLOBAL_UNIT_ASSIGNED_CONTEXT" else ():
                words = {t.word for t in self.text.entity(ref)}
                size = unit_size(self.text, ref)[1]
                if "LENGTH_UNIT" in words:
                    length = size * 1e3
                elif "PLANE_ANGLE_UNIT" in words:
                    angle = size
        return length, angle

    def vector(self, ref: object, word: str) -> np.ndarray | None:
        """(3,): the numbers of a point or direction; None where they cannot be read."""
        args = self.text.part(ref, word)
        values = args[-1] if args and isinstance(args[-1], list) else []
        if len(values) != 3 or not all(isinstance(v, float) for v in values):
            return None
        return np.array(values) if np.isfinite(values).all() else None

    def placement(self, ref: object, length: float) -> np.ndarray | None:
        """(4, 4) [mm] of an AXIS2_PLACEMENT_3D; None for any other way to state a place."""
        args = self.text.part(ref, "AXIS2_PLACEMENT_3D")
        if args is None or len(args) < 4:
            return None
        origin = self.vector(args[1], "CARTESIAN_POINT")
        z = self.vector(args[2], "DIRECTION") if args[2] is not None else np.array([0.0, 0, 1])
        x = self.vector(args[3], "DIRECTION") if args[3] is not None else np.array([1.0, 0, 0])
        if origin is None or z is None or x is None or np.linalg.norm(z) < PARALLEL:
            return None
        z = z / np.linalg.norm(z)
        x = x - (x @ z) * z
        if np.linalg.norm(x) < PARALLEL:
            # The standard takes x, or y where the axis lies along x.
            x = np.array([0.0, 1, 0]) if abs(z[0]) > 0.9 else np.array([1.0, 0, 0])
            x = x - (x @ z) * z
        x = x / np.linalg.norm(x)
        X = np.eye(4)
        X[:3, :3] = np.column_stack([x, np.cross(z, x), z])
        X[:3, 3] = origin * length
        return X


def number(value: object) -> float | None:
    """The number in a slot, also where its type is named; None for $, * and words."""
    if isinstance(value, Typed) and len(value.args) == 1:
        value = value.args[0]
    return value if isinstance(value, float) and math.isfinite(value) else None


def flag(value: object, derived: bool) -> bool:
    """A boolean slot; `derived` where the schema derives it and the file has *."""
    return value.word in ("T", "TRUE") if isinstance(value, Enum) else derived


def refs(args: list) -> list[Ref]:
    """The references among the slots of an entity, lists apart."""
    return [a for a in args if isinstance(a, Ref)]


def label(args: list) -> str:
    """The first slot as a text, "" where it is none."""
    return args[0].strip() if args and isinstance(args[0], str) else ""
