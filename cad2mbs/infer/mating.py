"""From a guessed joint to the mates that stand for it, with their numbers as the parts lie.

The draft of a joint holds only what the geometry holds exactly: axes that agree, faces that are
parallel. It is used to put parts exactly where they belong; what a draft leaves open (the place
along a hinge, the turn of a slider) is measured afterwards, so that the numbers of all joints of
a loop fit together to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from cad2mbs.infer.fits import Fit
from cad2mbs.infer.guess import PARALLEL, Guess
from cad2mbs.infer.referring import Placing, References
from cad2mbs.infer.scene import MM, Scene
from cad2mbs.infer.touching import Touch
from cad2mbs.infer.travel import Faces
from cad2mbs.model.mates import Mate
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import RefKind

SNAPS = ("touch", "centre", "middle")  # places along a hinge that designers mean
AGREE = 1e-7  # of the parts' size: points closer than this are one
DIGITS = 9


class Mating:
    """Makes mates for the guesses of a scene."""

    def __init__(self, scene: Scene, refs: References):
        self.scene, self.refs = scene, refs
        self.radian = refs.assembly.units.radian
        self.user = MM / refs.metre  # user units in a millimetre
        self.snap: str | None = None  # one of SNAPS: hinges go there if they are close to it
        self.close = 0.0  # [mm] what is close

    def mates(
        self, name: str, guess: Guess, kind: str, poses: Mapping[str, Placing], draft: bool = False
    ) -> tuple[Mate, ...]:
        """The mates of a joint of that kind read off the guess."""
        if kind == "fixed":
            return (self._fixed(name, guess, poses),)
        if guess.balls:
            return self._balls(name, guess, kind)
        if guess.slots:
            return self._slots(name, guess, poses)
        if guess.fits:
            return self._round(name, guess, kind, poses, draft)
        return self._flat(name, guess.touches, kind, poses)

    # -- round fits -----------------------------------------------------------------------

    def _round(
        self, name: str, guess: Guess, kind: str, poses: Mapping[str, Placing], draft: bool
    ) -> tuple[Mate, ...]:
        fit = guess.fits[0]
        pin, hole = self._ends(fit)
        (pz, po), (hz, ho) = self._at(*pin, poses), self._at(*hole, poses)
        same = float(pz @ hz) > 0.0
        a = self.refs.feature(*pin, RefKind.AXIS)
        b = self.refs.feature(*hole, RefKind.AXIS)
        line = Mate(f"{name}_line", "in-line", a, b)
        along = Mate(f"{name}_axis", "parallel-z", a, b, sense=same)
        if kind == "prismatic":
            second = self._second(guess, name) if draft else None
            if draft:
                return (line, along) if second is None else (line, along, second)
            return line, self._turn(name, pin, hole, same, poses)
        if draft or kind == "cylindrical":
            return line, along
        d = self._snapped(guess, float((po - ho) @ hz), same)
        if abs(d) <= AGREE * self._size(fit):
            return Mate(f"{name}_point", "coincident", a, b), along
        plane = self.refs.feature(*hole, RefKind.FRAME)
        return line, along, Mate(f"{name}_place", "in-plane", a, plane, value=round(d, DIGITS))

    def _snapped(self, guess: Guess, d: float, same: bool) -> float:
        """The place along the hinge, put where shoulders touch, or middles agree, if near that."""
        reach = self.close * self.user
        if self.snap is None:
            return d
        if self.snap == "middle":
            return 0.0 if abs(d) <= reach else d
        way = guess.way
        places = (
            []
            if way is None
            else [
                self._touching(guess.fits[0], faces, same)
                for faces in (way.ahead_faces, way.back_faces)
            ]
        )
        near = sorted((abs(p - d), p) for p in places if p is not None)
        if self.snap == "centre" and len(near) == 2:
            near = [(abs(0.5 * (near[0][1] + near[1][1]) - d), 0.5 * (near[0][1] + near[1][1]))]
        return near[0][1] if near and near[0][0] <= reach else d

    def _touching(self, fit: Fit, faces: Faces | None, same: bool) -> float | None:
        """Place of the pin's middle above the hole's at which the faces touch [user unit]."""
        if faces is None or (faces[0][0], faces[1][0]) != (fit.pin, fit.hole):
            return None
        heights = []
        for (body, flat), end in zip(faces, self._ends(fit), strict=True):
            f = self.scene.bodies[body].shape.flats[flat]
            axis = self.refs.value(*end)
            heights.append(float((f.point * self.user - axis.origin) @ np.array(axis.z)))
        return heights[1] - (heights[0] if same else -heights[0])

    def _ends(self, fit: Fit) -> tuple[tuple[str, int], tuple[str, int]]:
        """Part and feature of the pin and of the hole."""
        out = []
        for body, line, segment in (
            (fit.pin, fit.pin_line, fit.pin_segment),
            (fit.hole, fit.hole_line, fit.hole_segment),
        ):
            b = self.scene.bodies[body]
            out.append((b.name, b.shape.lines[line].segments[segment].feature))
        return out[0], out[1]

    def _at(
        self, part: str, feature: int, poses: Mapping[str, Placing]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Direction and place of a feature where its part is."""
        value = self.refs.value(part, feature)
        R, p = poses[part]
        return R @ np.array(value.z), R @ np.array(value.origin) + p

    def _size(self, fit: Fit) -> float:
        bodies = (self.scene.bodies[fit.pin], self.scene.bodies[fit.hole])
        return max(b.shape.size for b in bodies)

    def _second(self, guess: Guess, name: str) -> Mate | None:
        """The pin of a second axis in its hole."""
        first = guess.fits[0]
        for fit in guess.fits[1:]:
            d = fit.point - first.point
            if np.linalg.norm(d - (d @ first.z) * first.z) > 0.5 * first.radius:
                pin, hole = self._ends(fit)
                a = self.refs.feature(*pin, RefKind.AXIS)
                return Mate(f"{name}_second", "in-line", a, self.refs.feature(*hole, RefKind.AXIS))
        return None

    def _turn(
        self,
        name: str,
        pin: tuple[str, int],
        hole: tuple[str, int],
        same: bool,
        poses: Mapping[str, Placing],
    ) -> Mate:
        """The mate that keeps the turn about the axis as it is."""
        frames = [
            poses[part][0] @ self.refs.value(part, feature, flip).rotation
            for (part, feature), flip in ((pin, False), (hole, not same))
        ]
        x = frames[0].T @ frames[1][:, 0]
        angle = math.atan2(x[1], x[0]) / self.radian
        a = self.refs.feature(*pin, RefKind.FRAME)
        b = self.refs.feature(*hole, RefKind.FRAME, flip=not same)
        return Mate(f"{name}_turn", "offset-x", a, b, value=round(angle, DIGITS + 2) + 0.0)

    # -- balls ----------------------------------------------------------------------------

    def _balls(self, name: str, guess: Guess, kind: str) -> tuple[Mate, ...]:
        out = []
        for number, ball in enumerate(guess.balls[: 1 if kind != "revolute" else 2], 1):
            ends = []
            for body, row in ((ball.ball, ball.ball_row), (ball.socket, ball.socket_row)):
                b = self.scene.bodies[body]
                feature = b.shape.balls[row].feature
                ends.append(self.refs.feature(b.name, feature, RefKind.POINT))
            suffix = "ball" if number == 1 else f"ball_{number}"
            out.append(Mate(f"{name}_{suffix}", "coincident", *ends))
        ball = guess.balls[0]
        if kind == "universal" and ball.pins is not None:
            ends = []
            for body, line in zip((ball.ball, ball.socket), ball.pins, strict=True):
                b = self.scene.bodies[body]
                feature = b.shape.lines[line].segments[0].feature
                ends.append(self.refs.feature(b.name, feature, RefKind.AXIS))
            right = 0.5 * math.pi / self.radian
            out.append(Mate(f"{name}_cross", "offset-z", *ends, value=right))
        return tuple(out)

    # -- slots ----------------------------------------------------------------------------

    def _slots(self, name: str, guess: Guess, poses: Mapping[str, Placing]) -> tuple[Mate, ...]:
        """Each pin's axis stays midway between its walls."""
        out = []
        for number, s in enumerate(guess.slots, 1):
            pin, slot = self.scene.bodies[s.pin], self.scene.bodies[s.slot]
            axis = pin.shape.lines[s.pin_line].segments[s.pin_segment].feature
            wall, other = (slot.shape.flats[w] for w in (s.wall, s.other_wall))
            a = self.refs.feature(pin.name, axis, RefKind.AXIS)
            b = self.refs.feature(slot.name, wall.feature, RefKind.PLANE)
            width = float((other.point - wall.point) @ wall.normal)
            suffix = "" if number == 1 else f"_{number}"
            half = round(0.5 * width * self.user, DIGITS)
            out.append(Mate(f"{name}_slot{suffix}", "in-plane", a, b, value=half))
        return tuple(out)

    # -- faces ----------------------------------------------------------------------------

    def _flat(
        self, name: str, touches: tuple[Touch, ...], kind: str, poses: Mapping[str, Placing]
    ) -> tuple[Mate, ...]:
        first = self._face(f"{name}_face", touches[0], poses)
        if kind == "planar":
            return first
        across = next(
            t
            for t in touches[1:]
            if np.linalg.norm(np.cross(t.normal, touches[0].normal)) > 10 * PARALLEL
        )
        return (*first, *self._face(f"{name}_side", across, poses))

    def _face(self, name: str, touch: Touch, poses: Mapping[str, Placing]) -> tuple[Mate, Mate]:
        ends: list[tuple[str, int]] = []
        for row, flat in ((touch.a, touch.flat_a), (touch.b, touch.flat_b)):
            body = self.scene.bodies[row]
            ends.append((body.name, body.shape.flats[flat].feature))
        (_, pa), (zb, pb) = (self._at(*end, poses) for end in ends)
        a, b = (self.refs.feature(*end, RefKind.PLANE) for end in ends)
        gap = round(float((pa - pb) @ zb), DIGITS) + 0.0
        return (
            Mate(name, "in-plane", a, b, value=gap),
            Mate(f"{name}_level", "parallel-z", a, b, sense=False),
        )

    # -- rigid ----------------------------------------------------------------------------

    def _fixed(self, name: str, guess: Guess, poses: Mapping[str, Placing]) -> Mate:
        a, b = (self.scene.bodies[row].name for row in guess.parts)
        return self.welded(name, a, b, poses)

    def welded(self, name: str, a: str, b: str, poses: Mapping[str, Placing]) -> Mate:
        """Part b stays where it is on part a."""
        (Ra, pa), (Rb, pb) = poses[a], poses[b]
        transform = Pose.from_matrix([float(v) for v in Ra.T @ (pb - pa)], Ra.T @ Rb)
        ends = self.refs.body(a), self.refs.body(b)
        return Mate(f"{name}_seat", "identical", *ends, transform=transform)
