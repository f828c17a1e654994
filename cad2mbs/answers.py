"""What a mechanism answers when asked about itself: plain records, user units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism
    from cad2mbs.viewer.serving import Server


@dataclass(frozen=True)
class BodyInfo:
    name: str
    parts: tuple[str, ...]
    grounded: bool


@dataclass(frozen=True)
class JointInfo:
    """A joint, the mates it came from, and why it is in the tree or closes a loop."""

    name: str
    bodies: tuple[str, str]
    kind: str
    freedoms: int
    mates: tuple[str, ...]
    role: str
    limits: tuple[dict[str, object], ...]
    reason: str


@dataclass(frozen=True)
class Mobility:
    """Freedoms at a generic pose and at the present one; Grübler's count and the difference."""

    freedoms: int
    gruebler: int
    redundant: int
    at_pose: int
    names: tuple[str, ...]


@dataclass(frozen=True)
class DriveInfo:
    """A quantity that can be driven, in user units; `what` says what it moves."""

    name: str
    value: float
    unit: str
    low: float | None
    high: float | None
    what: str


@dataclass(frozen=True)
class Solved:
    """Where a drive command ended; `ok` only if the wanted values were reached."""

    ok: bool
    status: str
    residual: float
    values: dict[str, float]
    measure: Callable[[], float] = field(repr=False, compare=False)  # costs more than the solving

    @cached_property
    def smallest_singular_value(self) -> float:
        """Of all closing rows to the unknowns, in radians and model lengths; 0 is a dead point."""
        return self.measure()


class Shown:
    """How a mechanism is looked at: the live page, and what a notebook shows of it."""

    def view(self, **options: Any) -> Server:
        """Open the live page on this mechanism; options are those of `cad2mbs.viewer.serve`."""
        from cad2mbs.viewer.serving import serve

        return serve(cast("Mechanism", self), **options)

    def _repr_html_(self) -> str:
        from cad2mbs.viewer.notebook import shown

        return shown(cast("Mechanism", self))
