"""Gauges: the numbers that drives, limits and couplings speak of, as coordinates of the solver.

A gauge is a coordinate of a tree joint where one measures just that; otherwise a coordinate of its
own, tied to the parts by one more row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.errors import Diagnostic, InputError, MechanismError
from cad2mbs.mapping.bodies import RigidPose, inverse, times
from cad2mbs.mapping.conditions import (
    MateRows,
    add_mate,
    placed_frame,
    reference_frame,
    si_value,
)
from cad2mbs.mapping.recognise import Recognised, chain_motion
from cad2mbs.model.assembly import Coupling, CouplingKind, Drive, Freedom, JointFreedom, Limit
from cad2mbs.model.mates import MATE_KINDS, Dim, Mate, RefId
from cad2mbs.wording import quoted, titled
from solvers.model import Joint, Row, Target

if TYPE_CHECKING:
    from cad2mbs.mapping.structure import JointEdge, Mapper


@dataclass(frozen=True)
class Gauge:
    """A measured or driven quantity: user value [SI] = sign * y[coord] + zero."""

    coord: int
    sign: float
    zero: float
    is_length: bool


class Gauges:
    """Makes the gauges of a mapper's drives, limits and couplings, and their rows."""

    def __init__(self, mapper: Mapper):
        self.m = mapper
        self.drives: dict[str, Gauge] = {}
        self.limits: dict[str, Gauge] = {}
        self.start_values: dict[int, float] = {}  # of coordinates that belong to no link

    def make(self) -> None:
        assembly = self.m.assembly
        present = {m.name for m in self.m.rigid.mates}
        for drive in assembly.drives.values():
            if drive.mate is not None:
                if drive.mate not in present:
                    continue
                gauge = self._of_mate(assembly.mates[drive.mate])
            else:
                assert drive.of is not None, "a drive moves a mate or a joint"
                if self._left_out(drive.of.a, drive.of.b):
                    continue
                gauge = self._told(drive, drive.of)
            self.drives[drive.name] = self._bounded(gauge, drive.value, drive.low, drive.high)
        for limit in assembly.limits.values():
            if not self._left_out(limit.of.a, limit.of.b):
                gauge = self._told(limit, limit.of)
                self.limits[limit.name] = self._bounded(gauge, None, limit.low, limit.high)
        for coupling in assembly.couplings.values():
            if not self._left_out(coupling.a.part, coupling.b.part):
                self._couple(coupling)

    def _told(self, owner: Drive | Limit, of: JointFreedom) -> Gauge:
        """The gauge of a drive or limit; what is wrong with it is said with its name and place."""
        try:
            return self._of_freedom(of)
        except InputError as error:
            noun = "drive" if isinstance(owner, Drive) else "limit"
            text = f"{noun} {quoted(owner.name)}: {error.diagnostics[0].message}"
            found = Diagnostic(text, self.m.assembly.source, owner.line)
            raise InputError([found]) from None

    def _left_out(self, part_a: str, part_b: str) -> bool:
        """Whether the joint that is spoken of is not there: mates left out, or contradicting."""
        if {part_a, part_b} & self.m.rigid.incomplete:
            return True
        joint = self._joint(part_a, part_b)
        return joint is not None and not joint.found.consistent

    def _bounded(
        self, g: Gauge, value: float | None, low: float | None, high: float | None
    ) -> Gauge:
        """The gauge on the turn that its value or bounds mean, with the bounds set."""
        unit = self.m.assembly.units.metre if g.is_length else self.m.assembly.units.radian
        if not g.is_length:
            g = replace(g, zero=g.zero + 2 * np.pi * self._turns(g, value, low, high))
        ends = [-np.inf if low is None else low * unit, np.inf if high is None else high * unit]
        ends = sorted((e - g.zero) * g.sign for e in ends)
        old = self.m.builder.bounds.get(g.coord, (-np.inf, np.inf))
        self.m.builder.bounds[g.coord] = (max(ends[0], old[0]), min(ends[1], old[1]))
        return g

    def _turns(self, g: Gauge, value: float | None, low: float | None, high: float | None) -> float:
        """Full turns to add so that the start reads near `value`, else between the bounds."""
        unit = self.m.assembly.units.radian
        now = g.sign * self.start_values.get(g.coord, 0.0) + g.zero
        if value is not None:
            return float(np.round((value * unit - now) / (2 * np.pi)))
        low = -np.inf if low is None else low * unit - 1e-9
        high = np.inf if high is None else high * unit + 1e-9
        if low <= now <= high:
            return 0.0
        turns = (
            np.ceil((low - now) / (2 * np.pi))
            if now < low
            else np.floor((high - now) / (2 * np.pi))
        )
        # Where no turn fits, the start violates its bounds and stays on its own turn.
        return float(turns) if low <= now + 2 * np.pi * turns <= high else 0.0

    def _of_mate(self, mate: Mate) -> Gauge:
        """The number of a driven mate: a tree coordinate where there is one, else a new one."""
        a, b = self.m.part_place(mate.a.part), self.m.part_place(mate.b.part)
        is_length = MATE_KINDS[mate.kind].value is Dim.LENGTH
        if self.m.formulation != "implicit" and mate.kind in ("offset-x", "in-plane"):
            if mate.kind == "offset-x":
                return self._measure(
                    mate.a.part,
                    mate.b.part,
                    Freedom.TURN,
                    placed_frame(self.m.assembly, mate.a, a),
                    placed_frame(self.m.assembly, mate.b, b),
                )
            return self._measure(
                mate.b.part,
                mate.a.part,
                Freedom.SLIDE,
                placed_frame(self.m.assembly, mate.b, b),
                placed_frame(self.m.assembly, mate.a, a),
            )
        coord = self.m.builder.add_coordinate(is_length)
        self.start_values[coord] = si_value(self.m.assembly, mate)
        if mate.kind in ("distance", "axis-distance"):
            self.m.builder.bounds[coord] = (0.0, np.inf)
        self.m.mate_rows[mate.name] = add_mate(
            self.m.builder, self.m.assembly, mate, a, b, self.m.length, coord
        )
        return Gauge(coord, 1.0, 0.0, is_length)

    def _of_freedom(self, of: JointFreedom) -> Gauge:
        a, b = self.m.part_place(of.a), self.m.part_place(of.b)
        found = self._found(of.a, of.b)
        kind = of.freedom or self._only_freedom(found, of)
        if of.zero is not None:
            za, zb = of.zero if of.zero[0].part == of.a else of.zero[::-1]
            if found is not None:
                self._require_along(found, kind, za, zb)
            F_a, F_b = placed_frame(self.m.assembly, za, a), placed_frame(self.m.assembly, zb, b)
            return self._measure(of.a, of.b, kind, F_a, F_b)
        if found is None:
            raise InputError(self._not_joined(of))
        want = Joint.TURN if kind is Freedom.TURN else Joint.SLIDE
        matching = [e for e in found[1].elements if e.joint is want]
        if len(matching) != 1:
            raise InputError(
                f"the joint between {of.a} and {of.b} is {found[1].kind}: it has no single {kind}; "
                f"say which with two frames under zero:"
            )
        element = matching[0]
        # Frames that coincide at the start: the element's frame, seen from both bodies.
        F, X = (element.R, element.p), (found[1].R_ab, found[1].p_ab)
        on_a, on_b = F, times(inverse(X), F)
        body_a, body_b = self.m.rigid.body_of[of.a], self.m.rigid.body_of[of.b]
        if body_a != found[0]:
            on_a, on_b = on_b, on_a
        base_a, base_b = self.m.place[body_a], self.m.place[body_b]
        F_a, F_b = times((base_a.R, base_a.p), on_a), times((base_b.R, base_b.p), on_b)
        return self._measure(of.a, of.b, kind, F_a, F_b)

    def _require_along(
        self, found: tuple[str, Recognised], kind: Freedom, za: RefId, zb: RefId
    ) -> None:
        """Refuse zero frames whose z axes are not those of the freedom they measure."""
        first, joint = found
        want = Joint.TURN if kind is Freedom.TURN else Joint.SLIDE
        axes = np.array([e.R[:, 2] for e in joint.elements if e.joint is want]).reshape(-1, 3)
        if len(axes) == 0:
            return  # a ball, say: the frames themselves say what is measured
        z = []  # of both frames, in the body the joint starts from
        for ref in (za, zb):
            body = self.m.rigid.body_of[ref.part]
            R = self.m.rigid.bodies[body].places[ref.part][0]
            R = R @ reference_frame(self.m.assembly, ref)[0]
            z.append((R if body == first else joint.R_ab @ R)[:, 2])
        if kind is Freedom.TURN:
            fits = any(min(abs(z[0] @ u), abs(z[1] @ u)) > 1 - 1e-9 for u in axes)
        else:
            basis = np.linalg.svd(axes.T, full_matrices=False)[0]
            fits = float(np.linalg.norm(basis.T @ z[0])) > 1 - 1e-9
        if not fits:
            raise InputError(
                f"zero frames {za} and {zb}: their z axes must lie along the {kind} they measure; "
                f"the joint there is {joint.kind}"
            )

    def _only_freedom(self, found: tuple[str, Recognised] | None, of: JointFreedom) -> Freedom:
        kinds = {e.joint for e in found[1].elements} if found else set()
        if kinds == {Joint.TURN}:
            return Freedom.TURN
        if kinds == {Joint.SLIDE}:
            return Freedom.SLIDE
        if found is None:
            raise InputError(self._not_joined(of))
        raise InputError(
            f"the joint between {of.a} and {of.b} is {found[1].kind} and has several freedoms: "
            "say freedom: turn or slide"
        )

    def _not_joined(self, of: JointFreedom) -> str:
        body = self.m.rigid.body_of[of.a]
        near = [b if a == body else a for a, b in self.m.rigid.bundles() if body in (a, b)]
        return f"no mate joins {of.a} and {of.b}. {titled(f'Joined to {of.a}', near)}"

    def _found(self, a: str, b: str) -> tuple[str, Recognised] | None:
        """The joint recognised between two parts, with the name of the body it starts from."""
        joint = self._joint(a, b)
        if joint is not None:
            return joint.a, joint.found
        return self.m.rigid.recognised_pair(a, b) if self.m.formulation == "implicit" else None

    def _joint(self, a: str, b: str) -> JointEdge | None:
        pair = {self.m.rigid.body_of[a], self.m.rigid.body_of[b]}
        return next((j for j in self.m.joints if {j.a, j.b} == pair), None)

    def _measure(
        self, part_a: str, part_b: str, kind: Freedom, F_a: RigidPose, F_b: RigidPose
    ) -> Gauge:
        """Gauge from frame F_a (on part_a's link) to F_b: turn about, or slide along, z of F_a."""
        link_a, link_b = self.m.part_place(part_a).link, self.m.part_place(part_b).link
        W_a = times(self._world_at_zero(link_a), F_a)
        W_b = times(self._world_at_zero(link_b), F_b)
        zero, is_length = self._value(kind, W_a, W_b), kind is Freedom.SLIDE
        joint = self._joint(part_a, part_b)
        if joint is not None and joint.in_tree:
            swapped = (joint.a if joint.sign > 0 else joint.b) != self.m.rigid.body_of[part_a]
            for coord, sign in self._candidates(joint, kind, W_a[0][:, 2], swapped):
                if self._reads(joint, coord, sign, kind, W_a, W_b, swapped):
                    return Gauge(coord, sign, zero, is_length)
        return self._measured(kind, link_a, link_b, F_a, F_b, zero)

    def _measured(
        self, kind: Freedom, link_a: int, link_b: int, F_a: RigidPose, F_b: RigidPose, zero: float
    ) -> Gauge:
        """A gauge with a coordinate of its own and the row that ties it to the two frames."""
        builder, is_length = self.m.builder, kind is Freedom.SLIDE
        coord = builder.add_coordinate(is_length)
        tie = {"i": coord, "target": Target.SHIFTED, "offset": zero}
        (x, y, z), p = F_a[0].T, F_a[1]
        if is_length:
            scale = 1.0 / self.m.length
            builder.add_row(
                Row.PLANE_POINT, link_a, link_b, p_l=p, u=z, p_r=F_b[1], scale=scale, **tie
            )
        else:
            builder.add_row(Row.ANGLE, link_a, link_b, u=x, u2=y, w=F_b[0][:, 0], **tie)
        return Gauge(coord, 1.0, zero, is_length)

    def _candidates(
        self, joint: JointEdge, kind: Freedom, z: np.ndarray, swapped: bool
    ) -> list[tuple[int, float]]:
        """Coordinates of a tree joint that turn about, or slide along, z; with their sense."""
        want = Joint.TURN if kind is Freedom.TURN else Joint.SLIDE
        R = self._parent(joint)[0]
        found = [(c, float((R @ e.R)[:, 2] @ z)) for c, e in joint.coords if e.joint is want]
        flip = -1.0 if swapped else 1.0
        return [(c, flip * float(np.sign(d))) for c, d in found if abs(abs(d) - 1.0) < 1e-9]

    def _parent(self, joint: JointEdge) -> RigidPose:
        """Pose at zero of the body a tree joint hangs on."""
        base = self.m.place[joint.a if joint.sign > 0 else joint.b]
        return times(self._world_at_zero(base.link), (base.R, base.p))

    def _reads(
        self,
        joint: JointEdge,
        coord: int,
        sign: float,
        kind: Freedom,
        W_a: RigidPose,
        W_b: RigidPose,
        swapped: bool,
    ) -> bool:
        """Whether the coordinate alone tells the gauge's value, tried at large random motions."""
        rng = np.random.default_rng(3)
        X = self._parent(joint)
        zero = self._value(kind, W_a, W_b)
        for _ in range(4):
            motion, value = chain_motion([e for _, e in joint.coords], self.m.length, rng)
            D = times(times(X, motion), inverse(X))
            ends = (times(D, W_a), W_b) if swapped else (W_a, times(D, W_b))
            at = [c for c, _ in joint.coords].index(coord)
            off = self._value(kind, *ends) - zero - sign * value[at]
            if kind is Freedom.TURN:
                off = (off + np.pi) % (2 * np.pi) - np.pi
            if abs(off) > 1e-9 * (self.m.length if kind is Freedom.SLIDE else 1.0):
                return False
        return True

    @staticmethod
    def _value(kind: Freedom, W_a: RigidPose, W_b: RigidPose) -> float:
        """What the gauge reads with its frames at W_a, W_b in the ground."""
        if kind is Freedom.SLIDE:
            return float(W_a[0][:, 2] @ (W_b[1] - W_a[1]))
        x = W_b[0][:, 0]
        return float(np.arctan2(x @ W_a[0][:, 1], x @ W_a[0][:, 0]))

    def _world_at_zero(self, link: int) -> RigidPose:
        """Pose of a link with all coordinates zero."""
        X = (np.eye(3), np.zeros(3))
        chain = []
        while link > 0:
            parent, _, _, _, R, p = self.m.builder.links[link]
            chain.append((R, p))
            link = parent
        for R, p in reversed(chain):
            X = times(X, (R, p))
        return X

    def _couple(self, c: Coupling) -> None:
        unit = self.m.assembly.units
        if c.kind is CouplingKind.SCREW:
            joint = self._joint(c.a.part, c.b.part)
            turn = self._about(c.a.part, c.b.part, Freedom.TURN, c.a)
            slide = self._about(c.a.part, c.b.part, Freedom.SLIDE, c.a)
            gain = c.ratio * unit.metre / (2 * np.pi)
            if joint is not None and joint.kind == "cylindrical":
                joint.pitch = gain
            first, second = slide, turn
        else:
            carrier = c.carrier or self._carrier(c)
            first_kind = Freedom.TURN if c.kind is CouplingKind.GEAR else Freedom.SLIDE
            second = self._about(carrier, c.a.part, Freedom.TURN, c.a)
            first = self._about(carrier, c.b.part, first_kind, c.b)
            gain = -c.ratio if c.kind is CouplingKind.GEAR else c.ratio * unit.metre
        # sign_f y_f = gain * sign_s y_s, both counted from the start.
        scale = 1.0 / self.m.length if first.is_length else 1.0
        row = self.m.builder.add_row(
            Row.LINEAR,
            i=first.coord,
            j=second.coord,
            coef=(first.sign, -gain * second.sign),
            scale=scale,
        )
        name = c.name if c.name not in self.m.assembly.mates else f"coupling {c.name}"
        self.m.mate_rows[name] = MateRows((row,), ())

    def _about(self, part_a: str, part_b: str, kind: Freedom, axis: RefId) -> Gauge:
        """Gauge between two parts about the axis of a reference, zero where the parts start."""
        owner = self.m.part_place(axis.part)
        F = placed_frame(self.m.assembly, axis, owner)
        W = times(self._world_at_zero(owner.link), F)
        F_a = times(inverse(self._world_at_zero(self.m.part_place(part_a).link)), W)
        F_b = times(inverse(self._world_at_zero(self.m.part_place(part_b).link)), W)
        return self._measure(part_a, part_b, kind, F_a, F_b)

    def _carrier(self, c: Coupling) -> str:
        a, b = self.m.rigid.body_of[c.a.part], self.m.rigid.body_of[c.b.part]
        pairs = list(self.m.rigid.bundles())
        near = {x: {q if p == x else p for p, q in pairs if x in (p, q)} for x in (a, b)}
        shared = [n for n in self.m.rigid.bodies if n in near[a] & near[b]]
        if not shared:
            raise MechanismError(
                f"coupling {c.name}: no part is jointed to both {c.a.part} and {c.b.part}; "
                f"name the part that carries them with carrier:"
            )
        return next(iter(self.m.rigid.bodies[shared[0]].places))
