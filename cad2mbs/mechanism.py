"""Mechanism: what an assembly can do; drive it, sweep it, ask it, by the names the user gave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs import verdicts
from cad2mbs.answers import BodyInfo, DriveInfo, JointInfo, Mobility, Shown, Solved
from cad2mbs.columns import Columns
from cad2mbs.errors import InputError, MechanismError, require_finite
from cad2mbs.mapping.bodies import RigidBodies, RigidPose
from cad2mbs.mapping.gaps import gap
from cad2mbs.mapping.gauges import Gauge
from cad2mbs.mapping.planning import Planner
from cad2mbs.mapping.recognise import LOOSE
from cad2mbs.mapping.structure import JointEdge, Mapper, Structure
from cad2mbs.model.assembly import Assembly, Drive
from cad2mbs.model.check import checked
from cad2mbs.model.pose import Pose
from cad2mbs.motion import Mover, Progress, Stop
from cad2mbs.naming import freedom_names
from cad2mbs.offering import following
from cad2mbs.redundancy import redundant_in_pairs, redundant_mates
from cad2mbs.results import SweepResult
from cad2mbs.verdicts import MateVerdict
from solvers.assemble import ACCEPT, Assembled, assemble
from solvers.kinematics import poses
from solvers.mobility import Overdriven
from solvers.rows import worst_along

if TYPE_CHECKING:
    from cad2mbs.rates import Rates


class Mechanism(Shown):
    """The mechanism behind an assembly; `formulation` is mixed, explicit or implicit."""

    def __init__(self, assembly: Assembly, formulation: str = "mixed"):
        if formulation not in ("mixed", "explicit", "implicit"):
            raise InputError(
                f"formulation '{formulation}' found; mixed, explicit or implicit wanted"
            )
        # Models of other systems may hold mates that ours may not: those are judged, not refused.
        self.whole = assembly if assembly.source.endswith(".asmt") else checked(assembly)
        self.assembly = self.whole.acting()
        self.formulation = formulation
        self.name, self.units = assembly.name, assembly.units
        self.structure: Structure = Mapper(self._start(), formulation).structure()
        self._model = self.structure.model
        self._first_assembly()

    def _start(self) -> Assembly:
        """The assembly to map: for the implicit form, with parts where the tree joints put them.

        Couplings and joint drives count from there, in every formulation.
        """
        joints_spoken_of = (
            self.assembly.couplings
            or self.assembly.limits
            or any(d.of for d in self.assembly.drives.values())
        )
        if self.formulation != "implicit" or not joints_spoken_of:
            return self.assembly
        tree = Mapper(self.assembly).structure()
        return self._with_poses(Columns(tree, {}).parts(tree.start[None])[0])

    # -- first assembly -------------------------------------------------------------------

    def _first_assembly(self) -> None:
        found = assemble(self.structure.model, self.structure.start, loose=LOOSE)
        if found.residual > LOOSE:
            found = self._refitted() or found
        s = self.structure
        self._y = found.y
        self._open_inside = verdicts.open_inside(s)
        inconsistent = any(not j.found.consistent for j in s.joints)
        # What imprecise data leave open in surplus mates is no conflict, but it is told.
        self.slack = max([found.residual, s.weld_slack, *(j.found.slack for j in s.joints)])
        self.slack = self.slack if self.slack > ACCEPT else 0.0
        fits = found.residual <= LOOSE
        self.assembled = fits and not self._open_inside and not inconsistent
        self.gauges = dict(s.gauges)
        self.planner = Planner(s, self._y, self.slack if fits else 0.0)
        self._movers: dict[tuple[str, ...], Mover] = {}
        self._declared = tuple(s.gauges)
        self._complete()
        self.status = self._assembly_status(found.starts)
        if self.assembled:
            self._to_first_values()

    def _refitted(self) -> Assembled | None:
        """Another try with rigid pairs apart: a pair may fit in several ways, one of them is here.

        Where that assembles, the mechanism is mapped again from the poses found.
        """
        apart = Mapper(self.assembly, merge=False).structure()
        if len(apart.bodies) == len(self.structure.bodies):
            return None
        found = assemble(apart.model, apart.start, loose=LOOSE)
        if found.residual > LOOSE:
            return None
        table = Columns(apart, {}).parts(found.y[None])[0]
        again = Mapper(self._with_poses(table), self.formulation).structure()
        done = assemble(again.model, again.start, loose=LOOSE)
        if done.residual > LOOSE:
            return None
        self.structure, self._model = again, again.model
        return done

    def _with_poses(self, table: np.ndarray) -> Assembly:
        """The assembly with its parts starting at the poses in the table (parts, 7)."""
        parts = {
            name: replace(part, pose=Pose.of(row))
            for (name, part), row in zip(self.assembly.parts.items(), table, strict=True)
        }
        return replace(self.assembly, parts=parts)

    def fork(self) -> Mechanism:
        """This mechanism once more, at the same pose; moving one leaves the other where it is."""
        other = copy(self)
        other._y, other._movers = self._y.copy(), dict(self._movers)
        return other

    def placed_assembly(self) -> Assembly:
        """The assembly with every part starting where it is now."""
        return self._with_poses(self._columns.parts(self._y[None])[0])

    def _assembly_status(self, starts: int) -> str:
        if self.assembled:
            how = "" if starts == 1 else f" (found after {starts} starts)"
            if self.slack:
                return f"every mate holds{how} within the precision of the data: {self._worst(3)}"
            return f"every mate holds{how}"
        return f"no pose was found in which all mates hold; open at the best: {self._worst(3)}"

    def _worst(self, count: int) -> str:
        """The mates that are most open, with their gaps."""
        length = self.structure.length
        gaps = sorted(self._gaps().items(), key=lambda g: -max(g[1][0] / length, g[1][1]))
        mates = ", ".join(
            f"{name} by {self._gap_text(*g)}"
            for name, g in gaps[:count]
            if max(g[0] / length, g[1]) > ACCEPT
        )
        others = ", ".join([*self.assembly.limits, *self.assembly.couplings])
        return mates or f"no mate, but a limit or coupling ({others})"

    @staticmethod
    def _gap_text(length: float, angle: float) -> str:
        parts = [f"{length * 1e3:.4g} mm"] if length > 1e-12 else []
        parts += [f"{np.degrees(angle):.4g} deg"] if angle > 1e-12 else []
        return " and ".join(parts) or "0 mm"

    def _to_first_values(self) -> None:
        """Move the drives to the values the file gives, on the branch of the start poses."""
        given = {d.name: self._first_value(d) for d in self.assembly.drives.values()}
        given = {n: v for n, v in given.items() if v is not None}
        wanted = {n: v for n, v in given.items() if n in self._default.names}
        if wanted:
            solved = self.drive(wanted)
            if not solved.ok:
                self.status += f"; but the first drive values were not reached: {solved.status}"
        for name in self.tied_drives:
            now = self._value(self.gauges[name])
            if name in given and abs(given[name] - now) > 1e-6 * (1.0 + abs(given[name])):
                self.status += (
                    f"; but drive {name} = {given[name]:g} is not reached: it follows from the "
                    f"others and reads {now:.6g}"
                )

    def _first_value(self, drive: Drive) -> float | None:
        """The value a drive starts at: its own, else the number of its mate; None: as it lies."""
        if drive.value is not None or drive.mate is None:
            return drive.value
        return self.assembly.mates[drive.mate].value

    # -- drives ---------------------------------------------------------------------------

    def _complete(self) -> None:
        """Choose the default system: declared drives as far as independent, the rest held."""
        first = {self.gauges[n].coord: n for n in reversed(self._declared)}
        tied = [n for n in self._declared if first[self.gauges[n].coord] != n]
        while True:
            wanted = [n for n in self._declared if n not in tied]
            try:
                planned = self.planner.planned(self._coords(wanted))
                break
            except Overdriven as over:
                tied.append(next(n for n in wanted if self.gauges[n].coord == over.surplus))
        self.tied_drives = tuple(tied)
        self._default = Mover(self.planner, planned, tuple(wanted))
        driven = set(self._coords(wanted).tolist())
        held = [int(k) for k in planned.known if int(k) not in driven]
        labels = freedom_names(self.structure)
        self.held_freedoms = tuple(labels[k][0] for k in held)
        for k in held:
            name, scalar, is_length = labels[k]
            if scalar and name not in self.gauges:
                self.gauges[name] = Gauge(k, 1.0, 0.0, is_length)

    def _coords(self, names: Sequence[str]) -> np.ndarray:
        return np.array([self.gauge(n).coord for n in names], np.int64)

    def unit_of(self, g: Gauge) -> float:
        return self.units.metre if g.is_length else self.units.radian

    @property
    def state(self) -> np.ndarray:
        """The present state y of the solver's model, a copy; set it to one that was read before."""
        return self._y.copy()

    @state.setter
    def state(self, y: np.ndarray) -> None:
        assert np.shape(y) == self._y.shape, "a state of this mechanism"
        self._y = np.array(y, float)

    def values_si(self) -> dict[str, float]:
        """Present value of every declared drive [m, rad]."""
        return {
            n: float(g.sign * self._y[g.coord] + g.zero)
            for n, g in self.gauges.items()
            if n in self._declared
        }

    def _value(self, g: Gauge) -> float:
        return float((g.sign * self._y[g.coord] + g.zero) / self.unit_of(g))

    def _target(self, g: Gauge, value: np.ndarray | float) -> np.ndarray | float:
        return g.sign * (value * self.unit_of(g) - g.zero)

    @property
    def drives(self) -> dict[str, DriveInfo]:
        """Declared drives, then the remaining freedoms that can be driven, at their values."""
        return {name: self._drive_info(name, g) for name, g in self.gauges.items()}

    def offer(self) -> dict[str, DriveInfo]:
        """All that may drive: `drives`, then the joint coordinates that follow at present."""
        return {name: self._drive_info(name, g) for name, g in self.offered.items()}

    @cached_property
    def offered(self) -> dict[str, Gauge]:
        """Gauges of all that `offer` lists."""
        return {**self.gauges, **following(self)}

    def gauge(self, name: str) -> Gauge:
        """How a drive, or whatever else is offered, is read off the state."""
        return self.gauges[name] if name in self.gauges else self.offered[name]

    def _drive_info(self, name: str, g: Gauge) -> DriveInfo:
        ends: list[float] = sorted(
            float((g.sign * e + g.zero) / self.unit_of(g))
            for e in (self._model.low[g.coord], self._model.high[g.coord])
        )
        low, high = (e if np.isfinite(e) else None for e in ends)
        unit = self.units.length if g.is_length else self.units.angle
        return DriveInfo(name, self._value(g), unit, low, high, self._what(name))

    def _what(self, name: str) -> str:
        drive = self.assembly.drives.get(name)
        if drive is None and name not in self.gauges:
            return "a joint coordinate; follows unless driven"
        if drive is None:
            return "a freedom that is left; held unless driven"
        if drive.mate is not None:
            mate = self.assembly.mates[drive.mate]
            text = f"the number of mate {drive.mate} ({mate.kind} {mate.a} {mate.b})"
        else:
            assert drive.of is not None
            text = f"{drive.of.freedom or 'the joint'} of {drive.of.b} against {drive.of.a}"
        return f"{text}; follows from the other drives" if name in self.tied_drives else text

    def mover(self, names: Sequence[str]) -> Mover:
        """The system in which the named drives are given; the other drives stay as far as free."""
        if all(n in self._default.names for n in names):
            return self._default
        key = tuple(sorted(names))
        if key not in self._movers:
            self._movers[key] = self._new_mover(list(names))
        return self._movers[key]

    def _new_mover(self, names: list[str]) -> Mover:
        taken = {self.gauge(n).coord for n in names}
        if len(taken) < len(names):
            raise MechanismError(
                f"drives {', '.join(names)} cannot all be given: two of them are one freedom"
            )
        others = [n for n in self._default.names if self.gauge(n).coord not in taken]
        while True:
            try:
                planned = self.planner.planned(self._coords(names + others))
                return Mover(self.planner, planned, tuple(names + others))
            except Overdriven as over:
                tied = next(n for n in names + others if self.gauge(n).coord == over.surplus)
                if tied in names:
                    raise MechanismError(self._tied_text(names, tied)) from None
                others.remove(tied)

    @staticmethod
    def _tied_text(names: Sequence[str], tied: str) -> str:
        if len(names) == 1:
            return f"drive {tied} cannot be moved: the mates and couplings lock it"
        return (
            f"drives {', '.join(names)} cannot all be given: {tied} follows from the others; "
            f"leave it out"
        )

    def require(self, names: Sequence[str]) -> None:
        unknown = [n for n in names if n not in self.gauges and n not in self.offered]
        if unknown:
            choices = ", ".join(self.gauges) or "none"
            raise InputError(f"no drive {', '.join(unknown)}; drives are: {choices}")
        if not self.assembled:
            raise MechanismError(f"{self.name} cannot be driven: {self.status}")

    def drive(
        self, values: Mapping[str, float] | None = None, *, cross: bool = False, **named: float
    ) -> Solved:
        """Move drives to values [user units] on the present branch; `poses` then holds the pose.

        Where the way is blocked the mechanism stays at the last valid pose and the result says
        why. `cross` allows passing dead points.
        """
        wanted = {**(values or {}), **named}
        self.require(list(wanted))
        mover = self.mover(list(wanted))
        target = self._y[mover.known].copy()
        for name, value in wanted.items():
            g = self.gauge(name)
            require_finite(f"drive {name}", value)
            target[mover.place(g.coord)] = self._target(g, value)
        y, stop = mover.go(self._y, target, cross)
        self._y = y
        return self._solved(mover, stop, wanted)

    def _solved(self, mover: Mover, stop: Stop | None, wanted: Mapping[str, float]) -> Solved:
        residual = self.residual_along(self._y[None])
        ok = stop is None and residual <= self.tolerated
        if stop is not None:
            status = self._stop_text(stop, wanted)
        elif ok:
            status = f"solved: every mate holds{self._within}"
        else:
            status = f"not solved: a row is left open by {residual:.1e} of the model length"
        values = {n: self._value(self.gauge(n)) for n in dict.fromkeys([*self.gauges, *wanted])}
        return Solved(ok, status, residual, values, partial(mover.smallest_singular_value, self._y))

    @property
    def _within(self) -> str:
        return (
            f" within {self.slack:.1e} of the model length, as the data allow" if self.slack else ""
        )

    @property
    def tolerated(self) -> float:
        """Residual up to which a pose counts as solved: rounding, or what the data leave open."""
        return max(10.0 * ACCEPT, 10.0 * self.slack)

    def residual_along(self, Y: np.ndarray, rows: np.ndarray | None = None) -> float:
        """Largest violation of the rows, by default all: redundant and one-sided ones included."""
        out = np.empty(len(Y))
        worst_along(self._model, Y, np.arange(self._model.m) if rows is None else rows, out)
        return float(out.max(initial=0.0))

    def _unsolved_residual(self, mover: Mover, Y: np.ndarray) -> float:
        """Largest violation of rows that the solver did not solve for, along a sweep.

        Rows that no motion of a closed loop can violate are looked at where it begins and ends.
        """
        ends = self.residual_along(Y[[0, -1]]) if len(Y) else 0.0
        surplus = mover.planned.watch
        return max(ends, self.residual_along(Y, self.planner.violable)) if len(surplus) else ends

    def _stop_text(self, stop: Stop, wanted: Iterable[str]) -> str:
        at = ", ".join(
            f"{n} = {self._value(self.gauge(n)):.9g} {self._unit_name(n)}" for n in wanted
        )
        return f"stopped at {at}: {stop.reason}"

    def _unit_name(self, drive: str) -> str:
        return self.units.length if self.gauge(drive).is_length else self.units.angle

    # -- sweeps ---------------------------------------------------------------------------

    def sweep(
        self,
        ranges: Mapping[str, Sequence[float] | np.ndarray],
        cross: bool = False,
        progress: Progress | None = None,
    ) -> SweepResult:
        """Move drives through lists of values [user units], together; one row a position.

        Stays on the present branch. The mechanism is left at the last position reached.
        """
        try:
            columns = {n: np.asarray(v, float).ravel() for n, v in ranges.items()}
        except (TypeError, ValueError) as error:
            raise InputError(f"a sweep needs lists of numbers: {error}") from None
        counts = {n: len(v) for n, v in columns.items()}
        if not columns or len(set(counts.values())) != 1 or 0 in counts.values():
            raise InputError(f"a sweep needs equally many values for every drive, found {counts}")
        if not all(np.isfinite(v).all() for v in columns.values()):
            raise InputError("a sweep needs finite values")
        self.require(list(columns))
        mover = self.mover(list(columns))
        count = next(iter(counts.values()))
        U = np.repeat(self._y[mover.known][None], count, axis=0)
        for name, values in columns.items():
            g = self.gauge(name)
            U[:, mover.place(g.coord)] = self._target(g, values)
        Y, stop, residual = mover.follow_in_chunks(self._y, U, cross, progress)
        Y.setflags(write=False)
        if len(Y):
            self._y = Y[-1].copy()
        residual = max(residual, self._unsolved_residual(mover, Y))
        return self._swept(Y, columns, stop, residual)

    @cached_property
    def _columns(self) -> Columns:
        return Columns(self.structure, self.gauges)

    def _swept(
        self, Y: np.ndarray, columns: Mapping[str, np.ndarray], stop: Stop | None, residual: float
    ) -> SweepResult:
        ok = stop is None and residual <= self.tolerated
        metadata: dict[str, object] = {"title": self.name, "drives": tuple(columns)}
        metadata["observers"] = self._columns.measured
        if stop is None:
            status = (
                f"{len(Y)} positions, every mate holds{self._within}"
                if ok
                else (f"a row is left open by {residual:.1e} of the model length")
            )
        else:
            if stop.y is not None:
                self._y = stop.y
            status = f"{self._stop_text(stop, columns)}; {len(Y)} positions before it"
            metadata["stopped_at"] = {n: self._value(self.gauge(n)) for n in columns}
        make = self._columns
        return SweepResult(
            *make.header, lambda: make.table(Y), ok, status, residual, metadata, states=Y
        )

    # -- where things are -----------------------------------------------------------------

    @property
    def poses(self) -> dict[str, Pose]:
        """Present pose of every part, user units."""
        table = self._columns.parts(self._y[None])[0]
        return {part: Pose.of(row) for part, row in zip(self.assembly.parts, table, strict=True)}

    @property
    def joint_coordinates(self) -> dict[str, tuple[float, ...]]:
        """Present coordinates of every joint, user units; ball joints as quaternion w x y z."""
        found = self._columns.joints(self._y[None])
        return {
            j.name: tuple(map(float, found[j.name][0])) if j.name in found else ()
            for j in self.structure.joints
        }

    def rates(
        self, speeds: Mapping[str, float], accelerations: Mapping[str, float] | None = None
    ) -> Rates:
        """Velocities and accelerations of parts and joints for drive rates [user units per s]."""
        from cad2mbs.rates import mechanism_rates

        return mechanism_rates(self, speeds, accelerations or {})

    def modes(self, max_starts: int = 20000, seed: int = 0) -> list[dict[str, Pose]]:
        """All ways found to assemble the parts at the present drive values."""
        from cad2mbs.modes import assembly_modes

        return assembly_modes(self, max_starts, seed)

    # -- knowing --------------------------------------------------------------------------

    @property
    def bodies(self) -> list[BodyInfo]:
        return [
            BodyInfo(b.name, tuple(b.places), b.grounded) for b in self.structure.bodies.values()
        ]

    @property
    def joints(self) -> list[JointInfo]:
        return [
            JointInfo(
                j.name,
                (j.a, j.b),
                j.kind,
                j.freedoms,
                tuple(j.mates),
                "tree" if j.in_tree else "closing",
                self._limits_of(j),
                j.reason,
            )
            for j in self.structure.joints
        ]

    def _limits_of(self, joint: JointEdge) -> tuple[dict[str, object], ...]:
        pair = {joint.a, joint.b}
        body = {part: b.name for b in self.structure.bodies.values() for part in b.places}
        return tuple(
            {"name": lim.name, "low": lim.low, "high": lim.high}
            for lim in self.assembly.limits.values()
            if {body[lim.of.a], body[lim.of.b]} == pair
        )

    @property
    def mobility(self) -> Mobility:
        s, planned = self.structure, self._default.planned
        freedoms = s.model.nv - planned.choice.rank
        at_pose = s.model.nv - self._default.rank_here(self._y)
        bodies = len(self._recognised.bodies) - 1
        gruebler = 6 * bodies - sum(6 - j.freedoms for j in self._recognised.joints) - self._coupled
        names = (*self._default.names, *self.held_freedoms)
        return Mobility(freedoms, gruebler, freedoms - gruebler, at_pose, names)

    @cached_property
    def _recognised(self) -> Structure:
        """The structure with recognised joints, also when the formulation here is implicit."""
        implicit = self.formulation == "implicit"
        return Mapper(self.assembly).structure() if implicit else self.structure

    @property
    def _coupled(self) -> int:
        screws = sum(j.pitch is not None for j in self._recognised.joints)
        return len(self.assembly.couplings) - screws

    @property
    def loops(self) -> int:
        return self.structure.loops

    @property
    def blocks(self) -> list[int]:
        return self._default.block_sizes

    @cached_property
    def formulations(self) -> dict[str, dict[str, int]]:
        """Counts of the implicit and of the explicit (or mixed) form of this assembly."""
        other = Mechanism(self.assembly, "mixed") if self.formulation == "implicit" else self
        return {"implicit": RigidBodies(self.assembly).counts(), "explicit": other._counts()}

    def _counts(self) -> dict[str, int]:
        choice = self._default.planned.choice
        return {
            "equations": len(choice.rows),
            "inequalities": len(self.structure.sides),
            "unknowns": self._model.nv - len(self._default.names),
        }

    def _rigid_poses(self, y: np.ndarray) -> dict[str, RigidPose]:
        """Rotation and position [m] of every part at a state."""
        X, out = poses(self._model, y), {}
        for part, place in self.structure.part_place.items():
            R = X[place.link, :9].reshape(3, 3)
            out[part] = (R @ place.R, R @ place.p + X[place.link, 9:])
        return out

    def _gaps(self) -> dict[str, tuple[float, float]]:
        """Open length [m] and angle [rad] of every mate at the present pose."""
        pose = self._rigid_poses(self._y)
        driven = {d.mate: d.name for d in self.assembly.drives.values() if d.mate}
        out = {}
        for mate in self.assembly.mates.values():
            value = None
            if mate.name in driven:
                g = self.gauges[driven[mate.name]]
                value = g.sign * self._y[g.coord] + g.zero
            out[mate.name] = gap(self.assembly, mate, pose[mate.a.part], pose[mate.b.part], value)
        return out

    @cached_property
    def conflict(self) -> tuple[str, ...]:
        """A smallest set of mates that cannot hold together; empty when all fit."""
        if self.assembled:
            return ()
        length = self.structure.length
        opened = {
            n
            for n, (d, a) in self._gaps().items()
            if d > verdicts.OPEN * length or a > verdicts.OPEN
        }
        return verdicts.conflicting_set(self.assembly, opened)

    def verdicts(self) -> list[MateVerdict]:
        """Needed, redundant or conflicting, for every mate in file order, with its open gap."""
        length, gaps = self.structure.length, self._gaps()
        opened = {n for n, (d, a) in gaps.items() if max(d / length, a) > verdicts.OPEN}
        skip = frozenset(opened | set(self.conflict))
        poses = [self._rigid_poses(y) for y in self.planner.states]
        redundant = redundant_mates(self.assembly, poses, length, self.planner.tol, skip)
        if redundant is None:
            redundant = redundant_in_pairs(self.structure)
        return verdicts.verdict_list(self.assembly, gaps, length, redundant, self.conflict)
