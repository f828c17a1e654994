"""Entities of STEP kinematics as text, numbered on from those of a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cad2mbs.cad.step_text import encoded
from cad2mbs.io.kinematics.geometry import Geo
from cad2mbs.io.kinematics.pairs import DIRECTIONS, PAIRS

SURFACES = {"cylinder": "CYLINDRICAL_SURFACE", "sphere": "SPHERICAL_SURFACE"}
DERIVED, NONE = "*", "$"


def real(value: float) -> str:
    """A number as Part 21 writes it: always with a point."""
    mantissa, _, exponent = repr(float(value) + 0.0).partition("e")
    mantissa = mantissa if "." in mantissa else f"{mantissa}."
    return f"{mantissa}E{exponent}" if exponent else mantissa


def optional(value: float | None) -> str:
    return NONE if value is None else real(value)


def text(value: str) -> str:
    return f"'{encoded(value)}'"


def listed(numbers: Sequence[int]) -> str:
    return f"({','.join(f'#{n}' for n in numbers)})"


class Writer:
    """Collects entities; each call returns the number of the new one.

    strict  slots whose value the schema derives get *, as the standard wants; else their value,
            as Open CASCADE wants, whose check calls a * there a mistake
    """

    def __init__(self, next_number: int, strict: bool = False):
        self.next, self.strict = next_number, strict
        self.lines: list[str] = []

    def add(self, word: str, *slots: str | int) -> int:
        """An entity; integers are references to others."""
        number, self.next = self.next, self.next + 1
        body = ",".join(f"#{s}" if isinstance(s, int) else s for s in slots)
        self.lines.append(f"#{number} = {word}({body});\n")
        return number

    def placement(self, X: np.ndarray) -> int:
        """An AXIS2_PLACEMENT_3D [mm]."""
        origin = self.add("CARTESIAN_POINT", "''", _vector(X[:3, 3]))
        z, x = (self.add("DIRECTION", "''", _vector(X[:3, k])) for k in (2, 0))
        return self.add("AXIS2_PLACEMENT_3D", "''", origin, z, x)

    def surface(self, geo: Geo) -> int:
        return self.add(SURFACES[geo.kind], "''", self.placement(geo.X), real(geo.radius))

    def pair(
        self,
        word: str,
        name: str,
        frames: tuple[int, int],
        joint: int,
        *,
        free: tuple[str, ...] = (),
        own: Sequence[str | int] = (),
        ranges: dict[str, tuple[float | None, float | None]] | None = None,
        description: str = "",
    ) -> int:
        """A pair with its slots in the order of AP242."""
        kind = PAIRS[word]
        flags: list[str] = []
        if kind.flags:
            freed = free if kind.free is None else kind.free
            flags = [".T." if d in freed else ".F." for d in DIRECTIONS]
            if self.strict and kind.free is not None:
                flags = [DERIVED] * 6
        bounds: list[str] = []
        if ranges:
            word = f"{word}_WITH_RANGE"
            for name_ in kind.ranges:
                bounds += [optional(v) for v in ranges.get(name_, (None, None))]
        told = text(description) if description else NONE
        own = list(own) if own or not kind.own else [NONE] * len(kind.own)
        again = DERIVED if self.strict else text(name)
        return self.add(word, text(name), again, told, *frames, joint, *flags, *own, *bounds)


def _vector(values: np.ndarray) -> str:
    return f"({','.join(real(v) for v in values)})"
