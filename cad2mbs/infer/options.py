"""What the user may say to the inference."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cad2mbs.errors import InputError

TOLERANCE = 0.2  # [mm]


class Strictness(StrEnum):
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


# Proposals below this confidence are not taken.
ACCEPT = {Strictness.LOW: 0.2, Strictness.NORMAL: 0.35, Strictness.HIGH: 0.6}


@dataclass(frozen=True)
class Options:
    """How mates are looked for.

    tolerance   gap [mm] up to which imprecise places of parts count as meant to fit; of small
                features never more than a fifth of their radius
    rigid       names (of parts or sub-assemblies) kept as one: each a set of names, or one name
                that stands for all parts below it
    ignore      names of parts that take no part
    ground      name of the part that stands still; None: chosen, with its reason
    strictness  low takes doubtful proposals too, high only those with much in their favour
    """

    tolerance: float = TOLERANCE
    rigid: tuple[str | tuple[str, ...], ...] = ()
    ignore: tuple[str, ...] = ()
    ground: str | None = None
    strictness: str = Strictness.NORMAL

    def __post_init__(self) -> None:
        if not 0.0 < self.tolerance < 1e6:
            raise InputError(
                f"tolerance {self.tolerance:g} mm found; a length above 0 wanted, such as "
                f"{TOLERANCE} mm"
            )
        if self.strictness not in tuple(Strictness):
            raise InputError(f"strictness '{self.strictness}' found; low, normal or high wanted")

    @property
    def accept(self) -> float:
        """Confidence from which a proposal is taken."""
        return ACCEPT[Strictness(self.strictness)]
