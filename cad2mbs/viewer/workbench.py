"""One user's mechanism: moved, driven by other freedoms, edited, undone.

Everything here blocks and belongs to one thread; the session sees to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cad2mbs.errors import Cad2mbsError, InputError, MechanismError
from cad2mbs.model import editing
from cad2mbs.viewer.loading import Loaded
from cad2mbs.viewer.readout import Readout
from cad2mbs.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from cad2mbs.answers import Solved
    from cad2mbs.mechanism import Mechanism
    from cad2mbs.model.assembly import Assembly
    from cad2mbs.pulling import Pull, Pulled

UNDO = 100  # edits that can be taken back


@dataclass(frozen=True)
class Edit:
    """The assembly before an edit, and which freedoms drove it."""

    whole: Assembly
    chosen: tuple[str, ...] | None


class Workbench:
    """A fork of a loaded mechanism with all that its user has done to it."""

    def __init__(self, loaded: Loaded, label: str):
        self.loaded, self.label = loaded, label
        self.start = loaded.m  # at the start pose; never moved
        self.m = loaded.m.fork()
        self.whole = self.read = self.saved = loaded.m.whole
        self.chosen: tuple[str, ...] | None = None  # None: the drives that are there by themselves
        self._undo: list[Edit] = []
        self._pull: tuple[object, Pull] | None = None
        self._readout: Readout | None = None

    # -- what is shown --------------------------------------------------------------------

    def scene(self) -> dict[str, Any]:
        """The message `scene`; pose messages then follow its order of drives."""
        from cad2mbs.viewer.scene import scene

        data = self.loaded.once("scene", scene) if self.fresh else scene(self.m, self.chosen)
        self._readout = Readout(self.m, [d["name"] for d in data["drives"]])
        own = {"source": self.label, "edited": self.edited}
        return {"type": "scene", **data, **own, "notes": [*data["notes"], *self.loaded.notes]}

    def pose(self, seq: int, flags: int, seconds: float) -> bytes:
        """The pose message as things are."""
        assert self._readout is not None, "the scene comes first"
        return self._readout.message(self.m, seq, flags, seconds)

    @property
    def fresh(self) -> bool:
        """Whether nothing but motion has happened: what is known of the source holds here."""
        return self.start is self.loaded.m and self.chosen is None

    @property
    def edited(self) -> bool:
        return self.whole is not self.saved

    @property
    def driving(self) -> tuple[str, ...]:
        """Names of the freedoms that drive."""
        return self._driving(self.m, self.chosen)

    @staticmethod
    def _driving(m: Mechanism, chosen: Iterable[str] | None) -> tuple[str, ...]:
        if chosen is not None:
            return tuple(chosen)
        return tuple(n for n in m.drives if n not in m.tied_drives)

    def part(self, row: int) -> str:
        """The name of a part by its row in the scene."""
        names = list(self.m.assembly.parts)
        if row >= len(names):
            raise InputError(f"part {row} found, there are {len(names)} parts, counted from 0")
        return names[row]

    def values(self, names: Iterable[str]) -> dict[str, float]:
        """Present values of what may drive."""
        y, out = self.m.state, {}
        for name in names:
            g = self.m.gauge(name)
            out[name] = float((g.sign * y[g.coord] + g.zero) / self.m.unit_of(g))
        return out

    # -- motion ---------------------------------------------------------------------------

    def drive(self, values: Mapping[str, float], cross: bool) -> Solved:
        """Move drives to values; the other freedoms that drive stay where they are."""
        driving = self.driving
        if self.chosen is not None and all(n in driving for n in values):
            values = {**self.values(driving), **values}
        return self.m.drive(values, cross=cross)

    def drag(self, part: int, point: Sequence[float], target: Sequence[float]) -> Pulled:
        """Pull a point of a part [mm, part frame] towards a target [mm]."""
        from cad2mbs.pulling import Pull

        grip = (part, tuple(point))
        if self._pull is None or self._pull[0] != grip:
            x, y, z = (float(c) for c in point)
            self._pull = grip, Pull(self.m, self.part(part), (x, y, z))
        x, y, z = (float(c) for c in target)
        return self._pull[1].to((x, y, z))

    def drop(self) -> None:
        self._pull = None

    def reset(self) -> None:
        """Back to the start pose."""
        self.drop()
        self.m = self.start.fork()

    def choose(self, names: Sequence[str]) -> None:
        """Let the named freedoms drive; the choice stays as it was where that cannot be."""
        names = list(dict.fromkeys(names))
        self._require_offered(names)
        self.m.require(names)
        self.m.mover(names)  # says no where one follows from the others
        self.drop()
        self.chosen = tuple(names)

    def _require_offered(self, names: Sequence[str]) -> None:
        offered = self.m.offered
        for name in names:
            if name not in offered:
                raise InputError(f"no freedom {quoted(name)}{did_you_mean(name, offered)}")

    # -- edits ----------------------------------------------------------------------------

    def edit_mate(self, name: str, off: bool | None, value: float | None) -> str:
        """Switch a mate on or off, or change its number; returns what could not be kept."""
        if off is None and value is None:
            raise InputError(
                f"mate {quoted(name)}: nothing to change; wanted off (true, false) or a value"
            )
        whole, moved = self.whole, set()
        if value is not None:
            whole = editing.with_value(whole, name, value)
            moved = {d.name for d in whole.drives.values() if d.mate == name}
        if off is not None:
            whole = editing.switched(whole, name, on=not off)
        return self._change(whole, moved)

    def store_position(self, name: str) -> None:
        """Name the present values of all drives that the file declares."""
        declared = [n for n in self.m.assembly.drives if n in self.m.gauges]
        if not declared:
            raise InputError(
                "a position is stored as values of drives, and this assembly declares none; "
                "add a 'drives:' entry to its file"
            )
        self._position(editing.with_position(self.whole, name, self.values(declared)))

    def remove_position(self, name: str) -> None:
        self._position(editing.with_position(self.whole, name, None))

    def _position(self, whole: Assembly) -> None:
        self._remember(Edit(self.whole, self.chosen))
        self._rename(whole)

    def undo(self) -> str:
        """Take back the last edit; returns what could not be kept."""
        if not self._undo:
            raise InputError("there is nothing to undo")
        before, told = self._undo[-1], ""
        if before.whole.mates is self.whole.mates and before.whole.drives is self.whole.drives:
            self._rename(before.whole)
        else:
            told = self._rebuild(before.whole, set(), before.chosen)
        self._undo.pop()
        return told

    def _change(self, whole: Assembly, moved: set[str]) -> str:
        before = Edit(self.whole, self.chosen)
        told = self._rebuild(whole, moved, self.chosen)
        self._remember(before)
        return told

    def _rename(self, whole: Assembly) -> None:
        """Take over an assembly of the same mates: positions do not change the mechanism."""
        self.drop()
        self.m, self.start = self.m.fork(), self.start.fork()
        for m in (self.m, self.start):
            m.whole, m.assembly = whole, whole.acting()
        self.whole = whole

    def _remember(self, edit: Edit) -> None:
        self._undo = [*self._undo[-(UNDO - 1) :], edit]

    def _rebuild(self, whole: Assembly, moved: set[str], chosen: tuple[str, ...] | None) -> str:
        """A new mechanism, its drives where they were; those in `moved` start anew."""
        start = whole.mechanism(self.m.formulation)
        m = start.fork()
        chosen = self._kept_choice(m, chosen)
        told = self._back(m, [n for n in self._driving(m, chosen) if n not in moved])
        self.drop()
        self.whole, self.start, self.m, self.chosen = whole, start, m, chosen
        return told

    @staticmethod
    def _kept_choice(m: Mechanism, chosen: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """The choice of driving freedoms as far as it still stands."""
        if chosen is None:
            return None
        names = [n for n in chosen if n in m.offered]
        try:
            m.require(names)
            m.mover(names)
        except Cad2mbsError:
            return None
        return tuple(names)

    def _back(self, m: Mechanism, names: Sequence[str]) -> str:
        """Drive a new mechanism to the present values; returns what stands in the way."""
        known = self.m.offered
        values = self.values([n for n in names if n in known])
        if not values or not m.assembled:
            return ""
        try:
            solved = m.drive(values)
        except MechanismError as error:
            return str(error)
        return "" if solved.ok else solved.status
