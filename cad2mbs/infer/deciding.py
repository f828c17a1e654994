"""Which contacts become joints, which weld parts together, and which are by accident.

Joints are read off pairs of groups; what is fixed makes the groups larger, and the pairs are read
again until nothing more joins. Faces that merely touch decide last: they weld parts that nothing
else holds.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from cad2mbs.infer.contacts import Contacts, Pair
from cad2mbs.infer.decision import Decision, Link
from cad2mbs.infer.ground import Heaviest
from cad2mbs.infer.groups import Groups
from cad2mbs.infer.guess import Guess, guess
from cad2mbs.infer.hardware import Hardware
from cad2mbs.infer.options import Options, Strictness
from cad2mbs.infer.scene import Scene
from cad2mbs.infer.touching import touches

FAR = 1e-3  # of a part's size: so far from a face it may still rest on it, if nothing else holds
FAR_CONFIDENCE = 0.4
HELD_CONFIDENCE = 0.2


class Decider:
    """Works through the contacts of a scene."""

    def __init__(self, scene: Scene, contacts: Contacts, options: Options):
        self.scene, self.contacts, self.options = scene, contacts, options
        self.groups = Groups(len(scene.bodies))
        self.out = Decision(self.groups)
        self._read: dict[object, Guess | None] = {}  # by the members of the two groups

    def decide(self, kept: list[Pair]) -> Decision:
        """The decision; `kept`: pairs of rows the user wants as one."""
        for a, b in kept:
            if self.groups.join(a, b):
                why = Guess("fixed", 1.0, "kept as one", pair=(a, b))
                self.out.welds.append(Link(why, True, "asked for"))
        self._weld_hardware()
        while self._weld_fixed():
            pass
        self._take_joints()
        while self._weld_seated():
            self._take_joints()
        self._connect(self.seats)
        self._take_joints()
        self._connect(self._far_seats())
        self._take_joints()
        if self._weld_idle():
            self._take_joints()
        self._explain_rest()
        return self.out

    # -- steps ----------------------------------------------------------------------------

    def _weld_hardware(self) -> None:
        for ball, ring in self.contacts.rolling:
            if self.groups.join(ball, ring):
                why = Guess("fixed", 0.8, "a ball of a bearing rolls unseen", pair=(ring, ball))
                self.out.welds.append(Link(why, True, "recognised by its shape"))
        found = Hardware(self.scene, self.contacts, self.groups, self.options.tolerance)
        for row, other, why in found.welds():
            if why.confidence >= self.options.accept and self.groups.join(row, other):
                self.out.welds.append(Link(why, True, "recognised by its shape"))

    def _guesses(self) -> dict[Pair, Guess]:
        out = {}
        for pair, bundle in self.contacts.bundles(self.groups).items():
            assert bundle.sides is not None
            key = tuple(bundle.sides[0]), tuple(bundle.sides[1])
            if key not in self._read:
                self._read[key] = guess(self.scene, bundle, self.options.tolerance)
            if (g := self._read[key]) is not None:
                out[pair] = g
        return out

    def _weld_fixed(self) -> bool:
        """Join what several axes hold; True if anything joined."""
        joined = False
        for g in self._guesses().values():
            strong = g.kind == "fixed" and not _only_faces(g)
            if strong and g.confidence >= self.options.accept and self.groups.join(*g.parts):
                self.out.welds.append(Link(g, True, "nothing is left free"))
                joined = True
        return joined

    def _take_joints(self) -> None:
        """Read the joints anew for the groups as they are."""
        self.out.joints, self.seats = {}, {}
        for pair, g in self._guesses().items():
            if g.kind in ("fixed", "planar") and _only_faces(g):
                self.seats[pair] = g
            elif g.confidence >= self.options.accept:
                self.out.joints[pair] = Link(g, True, f"confidence {g.confidence:.2f}")

    def _held(self) -> dict[int, int]:
        """Number of joints of each group."""
        count: dict[int, int] = defaultdict(int)
        for a, b in self.out.joints:
            count[a] += 1
            count[b] += 1
        return count

    def _weld_seated(self) -> bool:
        """Weld parts that nothing but flat faces holds; True if anything joined."""
        held = self._held()
        order = sorted(self.seats.items(), key=lambda s: (-s[1].confidence, -_area(s[1]), s[0]))
        joined = False
        for (a, b), g in order:
            a, b = self.groups.of(a), self.groups.of(b)
            if held[a] and held[b]:
                continue
            g = _as_fixed(g)
            if g.confidence >= self.options.accept and self.groups.join(a, b):
                why = "no joint holds one of the two, so it sits on the other"
                self.out.welds.append(Link(g, True, why))
                held[min(a, b)] = held[a] + held[b]
                joined = True
        return joined

    def _weld_idle(self) -> bool:
        """Weld round pins, with what sits on them, that hang on one hinge about their own axis."""
        held, members = self._held(), self.groups.members()
        idle = []
        for pair, link in self.out.joints.items():
            g = link.guess
            ends = [e for e in pair if held[e] == 1 and all(map(self._round, members[e]))]
            if g.kind == "revolute" and g.fits and len(ends) == 1:
                pin = self.scene.bodies[g.fits[0].pin].shape.turned
                if self.groups.of(g.fits[0].pin) == ends[0] and pin and pin.kind == "pin":
                    idle.append(g)
        for g in idle:
            why = "a pin that nothing else holds: its turning moves nothing"
            fixed = replace(g, kind="fixed", confidence=0.6, others=(replace(g, others=()),))
            self.groups.join(*g.parts)
            self.out.welds.append(Link(fixed, True, why))
        return bool(idle)

    def _round(self, row: int) -> bool:
        turned = self.scene.bodies[row].shape.turned
        return turned is not None and turned.kind != "other"

    def hold(self, ground: int) -> list[int]:
        """Weld to the ground what hangs on nothing; rows of the parts that stay where they are."""
        whole = self._whole()
        pick = Heaviest(self.scene, self.out)
        out = []
        for rows in whole.members().values():
            if whole.of(ground) in rows:
                continue
            base = pick.of(rows)[0]
            out.append(base)
            if self.options.strictness == Strictness.HIGH:
                continue
            why = "nothing touches it or what hangs on it; kept where it is so the rest can move"
            self.out.welds.append(
                Link(Guess("fixed", HELD_CONFIDENCE, why, pair=(ground, base)), True, "held")
            )
            self.groups.join(ground, base)
        self._rekey()
        return out

    def _rekey(self) -> None:
        """Name the joints by the groups as they are now."""
        self.out.joints = {
            (self.groups.of(a), self.groups.of(b)): link for (a, b), link in self.out.joints.items()
        }

    def _whole(self) -> Groups:
        """What hangs together by welds and joints."""
        whole = Groups(len(self.scene.bodies))
        for members in self.groups.members().values():
            for row in members[1:]:
                whole.join(members[0], row)
        for a, b in self.out.joints:
            whole.join(a, b)
        return whole

    def _far_seats(self) -> dict[Pair, Guess]:
        """Faces near what still floats, though farther off than the tolerance."""
        if self.options.accept > FAR_CONFIDENCE:
            return {}
        whole = self._whole()
        if len(whole.members()) == 1:
            return {}
        label = np.array([whole.of(b.row) for b in self.scene.bodies])
        size = {
            g: max(self.scene.bodies[r].shape.size for r in rows)
            for g, rows in whole.members().items()
        }
        reach = np.array([FAR * size[int(g)] for g in label])
        out: dict[Pair, Guess] = {}
        for t in touches(self.scene, self.scene.flats(), reach, label):
            a, b = sorted((self.groups.of(t.a), self.groups.of(t.b)))
            why = f"nothing touches it, but flat faces lie {abs(t.gap):.3g} mm apart, "
            why += f"{t.area:.4g} mm^2 in common"
            g = Guess("fixed", FAR_CONFIDENCE, why, touches=(t,))
            if (a, b) not in out or _area(out[a, b]) < t.area:
                out[a, b] = g
        return out

    def _connect(self, seats: dict[Pair, Guess]) -> None:
        """Weld what would float: parts of the whole that touch each other but share no joint."""
        whole = self._whole()
        order = sorted(seats.items(), key=lambda s: (-_area(s[1]), s[0]))
        taken: list[tuple[object, ...]] = []
        for (a, b), g in order:
            alike = self._alike(g) in taken
            if alike or whole.of(a) != whole.of(b):
                whole.join(a, b)
                self.groups.join(a, b)
                why = "like the same two parts elsewhere" if alike else "else it would float"
                self.out.welds.append(Link(_as_fixed(g), True, why))
                taken.append(self._alike(g))

    def _alike(self, g: Guess) -> tuple[object, ...]:
        """What two contacts between the same solids at the same faces have in common."""
        t = g.touches[0]
        a, b = (self.scene.bodies[row].shape for row in (t.a, t.b))
        return tuple(sorted([(id(a), t.flat_a), (id(b), t.flat_b)]))

    def _explain_rest(self) -> None:
        """Say why what is left is not taken."""
        for g in self._guesses().values():
            if g.kind in ("fixed", "planar") and _only_faces(g):
                why = "both are held by joints; faces that touch may slide or touch by accident"
                self.out.rejected.append(Link(g, False, why))
            elif g.confidence < self.options.accept:
                why = f"confidence {g.confidence:.2f} is below {self.options.accept:.2f}"
                self.out.rejected.append(Link(g, False, why))


def _only_faces(g: Guess) -> bool:
    return not (g.fits or g.balls or g.slots)


def _area(g: Guess) -> float:
    return max((t.area for t in g.touches), default=0.0)


def _as_fixed(g: Guess) -> Guess:
    """The guess as a seat: faces that guide a part with no other hold keep it in place."""
    if g.kind == "fixed":
        return g
    return replace(g, kind="fixed", others=(replace(g, others=()),))
