"""States of the solver as named columns in user units: drives, parts, joints, observers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from cad2mbs import observers
from cad2mbs.mapping.gauges import Gauge
from cad2mbs.mapping.structure import Structure, unique
from cad2mbs.results import pose_names
from solvers.kinematics import poses_along
from solvers.tables import frame_table


class Columns:
    """Names, units and values of everything that can be read off a state."""

    def __init__(self, structure: Structure, gauges: Mapping[str, Gauge]):
        self.s, self.gauges = structure, gauges
        units = structure.assembly.units
        self.unit = {"length": units.length, "angle": units.angle, "": ""}
        self.scale = {"length": units.metre, "angle": units.radian, "": 1.0}

    @cached_property
    def header(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names and units of all columns."""
        found: list[tuple[str, str]] = []
        for name, g in self.gauges.items():
            found.append((name, self.unit["length" if g.is_length else "angle"]))
        for part in self.s.assembly.parts:
            units = [self.unit["length"]] * 3 + [""] * 4
            found += zip(pose_names(part), units, strict=True)
        for joint in self.s.joints:
            for label, dimension in joint.coordinate_labels:
                found.append((f"{joint.name}.{label}", self.unit[dimension]))
        # The user's own names stay as they are: a number goes to what merely is called the same.
        measured, drives = observers.units(self.s), len(self.gauges)
        own = [*(n for n, _ in found[:drives]), *measured]
        names = unique([*own, *(n for n, _ in found[drives:])])
        names = [*names[:drives], *names[len(own) :], *names[drives : len(own)]]
        return tuple(names), (*(u for _, u in found), *measured.values())

    def table(self, Y: np.ndarray) -> np.ndarray:
        """All columns at the states Y (k, ny)."""
        if len(Y) == 0:
            return np.zeros((0, len(self.header[0])))
        drives = [self.drive(g, Y) for g in self.gauges.values()]
        return np.column_stack(
            [
                *drives,
                self.parts(Y).reshape(len(Y), -1),
                *self.joints(Y).values(),
                *self.observers(Y).values(),
            ]
        )

    def drive(self, g: Gauge, Y: np.ndarray) -> np.ndarray:
        """Values (k,) of one drive."""
        scale = self.scale["length" if g.is_length else "angle"]
        # Without the last digits, which the way through radians adds: 30, not 29.999999999999996.
        return np.round((g.sign * Y[:, g.coord] + g.zero) / scale, 12)

    @cached_property
    def _frames(self) -> tuple[np.ndarray, np.ndarray]:
        places = self.s.part_place.values()
        link = np.array([p.link for p in places], np.int64)
        F = np.array([np.concatenate([p.R.ravel(), p.p]) for p in places]).reshape(-1, 12)
        return link, F

    def parts(self, Y: np.ndarray, si: bool = False) -> np.ndarray:
        """Poses (k, parts, 7): position [user length, or m], quaternion w x y z."""
        scale = 1.0 if si else 1.0 / self.scale["length"]
        return frame_table(self.s.model, Y, *self._frames, scale)

    def joints(self, Y: np.ndarray) -> dict[str, np.ndarray]:
        """Coordinates (k, n) of every joint whose chain can be read back, by joint name."""
        X = None
        out: dict[str, np.ndarray] = {}
        for joint in self.s.joints:
            if not joint.coordinate_labels:
                continue
            q = joint.from_state(Y)
            if q is None:
                X = poses_along(self.s.model, Y) if X is None else X
                q = self.s.joint_values(joint, X)
            out[joint.name] = q / [self.scale[d] for _, d in joint.coordinate_labels]
        return out

    @cached_property
    def measured(self) -> tuple[str, ...]:
        """Names of the observers' columns."""
        return self.header[0][len(self.header[0]) - len(observers.units(self.s)) :]

    def observers(self, Y: np.ndarray) -> dict[str, np.ndarray]:
        """Values (k,) of every column of the observers, by column name."""
        found = observers.measured(self.s, Y)
        return dict(zip(self.measured, found.values(), strict=True))
