"""Small parts that only hold others: pins, screws, nuts, washers, bushes; each joins a neighbour.

Turning one of them about its own axis changes nothing anybody sees. Rings come first, so that a
nut belongs to its screw and keeps it from sliding when the screw's own place is looked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from cad2mbs.infer.contacts import Contacts
from cad2mbs.infer.fits import Fit
from cad2mbs.infer.groups import Groups
from cad2mbs.infer.guess import SLIDES, Guess
from cad2mbs.infer.scene import Scene
from cad2mbs.infer.touching import Touch
from cad2mbs.infer.travel import tightest, travel
from cad2mbs.infer.turned import THIN


@dataclass
class _Around:
    """What touches a body."""

    fits: list[Fit] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    others: int = 0  # contacts of other kinds


class Hardware:
    """Finds the neighbour each small round part belongs to."""

    def __init__(self, scene: Scene, contacts: Contacts, groups: Groups, tolerance: float):
        self.scene, self.contacts, self.groups = scene, contacts, groups
        self.tolerance = tolerance
        self.around = _around(contacts)

    def welds(self) -> Iterator[tuple[int, int, Guess]]:
        """(body, neighbour, why); groups are to be joined as they come."""
        for kind in ("ring", "pin"):
            for body in self.scene.bodies:
                turned = body.shape.turned
                here = self.around.get(body.row)
                if turned is None or here is None or here.others:
                    continue
                if kind != ("pin" if self._joins(body.row, turned.kind, here) else turned.kind):
                    continue
                found = self._held(body.row, turned.line, kind, here)
                if found is not None:
                    yield (body.row, *found)

    def _joins(self, row: int, kind: str, here: _Around) -> bool:
        """Whether a short pin goes through two parts: it is there to join them."""
        return kind == "stub" and len({f.hole for f in here.fits if f.pin == row}) > 1

    def _held(self, row: int, line: int, kind: str, here: _Around) -> tuple[int, Guess] | None:
        """The neighbour a pin or ring belongs to, and why; None if it is not there to hold."""
        own = [f for f in here.fits if (f.hole_line if f.hole == row else f.pin_line) == line]
        z = self.scene.line(row, line)[2]
        flat = [t for t in here.touches if np.linalg.norm(np.cross(t.normal, z)) < 0.05]
        # Held anywhere off its own axis, it is a part of the mechanism rather than hardware.
        if len(own) < len(here.fits) or len(flat) < len(here.touches):
            return None
        if kind == "pin" and not all(f.pin == row for f in own if not self._is_ring(f.pin)):
            return None
        seats = own if kind == "pin" else [f for f in own if self._ring_seat(f, row)]
        choices = [c for other in _others(seats, row) if (c := self._choice(row, other, own, flat))]
        if not choices:
            return None
        _, other, best, fits = min(choices, key=lambda c: c[0])
        what = {"pin": "a pin or screw, round about its axis", "ring": "a ring"}[kind]
        where = "in its hole" if best.pin == row else "on what it lies around"
        why = f"{what}: turning it changes nothing, so it is kept {where}"
        return other, Guess("fixed", 0.75, why, (best, *(f for f in fits if f is not best)))

    def _choice(
        self, row: int, other: int, own: list[Fit], flat: list[Touch]
    ) -> tuple[tuple[object, ...], int, Fit, list[Fit]] | None:
        """How good a neighbour is, the best ones lowest; None if the part slides in it."""
        fits = [f for f in own if other in (f.hole, f.pin)]
        best = tightest(fits)
        mine, theirs = self.groups.of(row), self.groups.of(other)
        if mine == theirs:
            return None
        sides = self.groups.rows(mine), self.groups.rows(theirs)
        way = travel(self.scene, fits, 2.0 * self.tolerance, sides)
        slides = way.free > SLIDES * best.radius
        seated = self._seated(mine, theirs)
        threaded = best.hole == row and self._is_pin(other)  # a nut or collar on a screw
        # A washer lies against something; whether that is what it hangs on matters to nobody.
        washer = best.hole == row and bool(flat)
        if slides and not (seated or threaded or washer):
            return None
        size = round(best.clearance / best.radius, 4), -round(best.overlap, 3)
        return (slides and not threaded, *size, other), other, best, fits

    def _seated(self, mine: int, theirs: int) -> bool:
        """Whether a head, or a nut or washer that is already with it, lies on the neighbour."""
        touches = [t for r in self.groups.rows(mine) for t in self._touches_of(r)]
        return any(theirs in (self.groups.of(t.a), self.groups.of(t.b)) for t in touches)

    def _touches_of(self, row: int) -> list[Touch]:
        here = self.around.get(row)
        return [] if here is None else here.touches

    def _is_pin(self, row: int) -> bool:
        turned = self.scene.bodies[row].shape.turned
        return turned is not None and turned.kind == "pin"

    def _is_ring(self, row: int) -> bool:
        turned = self.scene.bodies[row].shape.turned
        return turned is not None and turned.kind == "ring"

    def _ring_seat(self, fit: Fit, row: int) -> bool:
        """Whether a ring sits with its wide hole on something, or with its outside in something."""
        if fit.pin == row:
            return True
        segments = self.scene.bodies[row].shape.lines[fit.hole_line].segments
        outer = max((s.radius for s in segments if not s.concave), default=0.0)
        return fit.radius > THIN * outer


def _others(fits: list[Fit], row: int) -> list[int]:
    return sorted({f.pin if f.hole == row else f.hole for f in fits})


def _around(contacts: Contacts) -> dict[int, _Around]:
    out: dict[int, _Around] = defaultdict(_Around)
    for f in contacts.fits:
        out[f.hole].fits.append(f)
        out[f.pin].fits.append(f)
    for t in contacts.touches:
        out[t.a].touches.append(t)
        out[t.b].touches.append(t)
    for b in contacts.balls:
        out[b.ball].others += 1
        out[b.socket].others += 1
    for s in contacts.slots:
        out[s.pin].others += 1
        out[s.slot].others += 1
    return dict(out)
