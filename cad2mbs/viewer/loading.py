"""Sources read once for everyone who opens them, as long as their files stay the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cad2mbs.mechanism import Mechanism
    from cad2mbs.model.assembly import Assembly

KEPT = 8  # mechanisms that stay loaded though nobody looks at them
Stamp = tuple[tuple[str, int, int], ...]  # file, time of change [ns], size


@dataclass(frozen=True, eq=False)
class Shapes:
    """The meshes of a mechanism as the page fetches them; `key` names the content."""

    key: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, eq=False)
class Loaded:
    """A mechanism at its start pose, never moved: whoever wants to move it takes a fork."""

    m: Mechanism
    shapes: Shapes | None
    notes: tuple[str, ...] = ()
    stamp: Stamp = ()
    _found: dict[object, Any] = field(default_factory=dict, repr=False)
    _finding: dict[object, threading.Lock] = field(default_factory=dict, repr=False)

    def once(self, key: object, study: Callable[..., Any], *arguments: Any) -> Any:
        """study(m, *arguments) at the start pose, found out once for everyone."""
        if key not in self._found:
            # The second to ask waits for the first, but not for who asks something else.
            with self._finding.setdefault(key, threading.Lock()):
                if key not in self._found:
                    self._found[key] = study(self.m.fork(), *arguments)
        return self._found[key]


class Shelf:
    """What is loaded; safe to ask from several threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Path, Loaded] = OrderedDict()
        self._shapes: WeakValueDictionary[str, Shapes] = WeakValueDictionary()
        self._lock = threading.Lock()
        self._loading: dict[Path, threading.Lock] = {}

    def load(self, place: Path) -> Loaded:
        """The mechanism in a file, read and mapped only when that is new."""
        place = place.resolve()
        with self._lock:
            lock = self._loading.setdefault(place, threading.Lock())
        with lock:  # the second to ask waits for the first
            have = self._kept.get(place)
            if have is None or have.stamp != _stamp(f for f, *_ in have.stamp):
                have = self._read(place)
            with self._lock:
                self._kept[place] = have
                self._kept.move_to_end(place)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            return have

    def _read(self, place: Path) -> Loaded:
        from cad2mbs import starting
        from cad2mbs.io.source import load

        before = _stamp([str(place)])
        assembly = load(place)
        m = assembly.mechanism()
        # Files that change while they are read are read again the next time.
        stamp = before + tuple(s for s in _stamp(_files(place, assembly)) if s[0] != str(place))
        return self.put(m, tuple(starting.notes(m)), stamp)

    def put(self, m: Mechanism, notes: tuple[str, ...] = (), stamp: Stamp = ()) -> Loaded:
        """A mechanism made ready to be forked and drawn."""
        from cad2mbs.viewer import geometry, scene

        m.offer()  # once here, not once a client
        solids = scene.solids(m)
        shapes = None
        if solids:
            key, data = geometry.keyed(solids)
            with self._lock:
                shapes = self._shapes.setdefault(key, Shapes(key, data))
        return Loaded(m, shapes, notes, stamp)

    def shapes(self, key: str) -> bytes | None:
        """The meshes of that name, as long as somebody shows them."""
        found = self._shapes.get(key)
        return None if found is None else found.data


def _files(place: Path, assembly: Assembly) -> list[str]:
    """The CAD files an assembly was read from."""
    named = {assembly.cad, *(part.cad for part in assembly.parts.values())}
    return [str(place.parent / name) for name in sorted(n for n in named if n)]


def _stamp(files: Iterable[str]) -> Stamp:
    out = []
    for file in files:
        try:
            found = Path(file).stat()
            out.append((file, found.st_mtime_ns, found.st_size))
        except OSError:
            out.append((file, 0, -1))
    return tuple(out)
