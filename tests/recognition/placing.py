"""A bundle on two parts: joint frames anywhere on them, any pose the joint allows, any start."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cad2mbs.model.assembly import Assembly, Coupling, CouplingKind, Part
from cad2mbs.model.mates import Mate, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.units import Units
from tests.recognition.geometry import (
    EX,
    EZ,
    ORIGIN,
    A,
    Draw,
    Placed,
    inverse,
    reference,
    times,
    turn,
)
from tests.recognition.geometry import unit as unit_vector
from tests.recognition.pieces import Bundle, z

SPECIALS = ("aligned", "parallel", "antiparallel", "half turn", "origins")
STARTS = ("satisfied", "near", "scattered")


def motion(bundle: Bundle, rng: np.random.Generator, at_rest: bool = False) -> Placed:
    """A pose Q of joint frame 1 in joint frame 0 that the joint allows."""
    a, b = (0.0, 0.0) if at_rest else rng.uniform(-np.pi, np.pi, 2)
    h = np.zeros(3) if at_rest else rng.uniform(-1.0, 1.0, 3)
    any_R = np.eye(3) if at_rest else turn(unit_vector(rng), a)
    Rz, out = turn(EZ, a), 1.0 + abs(h[0])  # a radius that is never zero
    match bundle.kind:
        case "fixed":
            return np.eye(3), ORIGIN
        case "revolute":
            return Rz, ORIGIN
        case "prismatic":
            return np.eye(3), z(h[2])
        case "cylindrical" | "screw":
            return Rz, z(h[2])
        case "planar":
            return Rz, h * [1, 1, 0]
        case "spherical":
            return any_R, ORIGIN
        case "universal":
            return Rz @ turn(EX, b), ORIGIN
        case "point on line":
            return any_R, z(h[2])
        case "point on plane":
            return any_R, h * [1, 1, 0]
        case "parallel axes" | "pin in slot":
            return Rz, h * ([1, 0, 0] if bundle.kind == "pin in slot" else [1, 1, 1])
        case "translation in a plane":
            return np.eye(3), h * [1, 1, 0]
        case "translation":
            return np.eye(3), h
        case "cylindrical/cylindrical":
            return Rz, out * (turn(EZ, b) @ EX) + z(h[2])
        case "revolute/spherical":
            return any_R, out * (turn(EZ, b) @ EX)
        case "point on cylinder":
            return any_R, out * (turn(EZ, b) @ EX) + z(h[2])
        case "planar/cylindrical":
            return Rz @ turn(EX, np.pi / 2) @ turn(EZ, b), h * [1, 1, 0]
        case "cylindrical/revolute":
            return Rz @ turn(EX, 0.9) @ turn(EZ, b), z(h[2])
        case "revolute/revolute":
            if "ball" in bundle.name:
                return Rz @ turn(EX, 0.9) @ turn(EZ, b), ORIGIN
            return Rz, out * (turn(EZ, b) @ EX)
        case "none":
            if "offset-x" in bundle.name:
                return np.eye(3), h + 2 * EX
            if "parallel-z" in bundle.name:
                return Rz, h + 2 * EX
            return any_R, h * [1, 1, 0]
    return any_R, h + 2 * EX


@dataclass(frozen=True)
class Case:
    """A bundle built on two parts, with the truth about its joint in part coordinates."""

    bundle: Bundle
    assembly: Assembly
    parts: tuple[str, str]  # part of joint frame 0, of joint frame 1
    joint_frames: tuple[Placed, Placed]  # X_part,joint for each side, in user lengths
    pose: Placed  # of part 1 in part 0 at which the bundle was built
    duplicates: tuple[tuple[str, str], ...]  # pairs of mates that say the very same
    scale: float
    far: float

    def axis(self, side: int) -> np.ndarray:
        """Direction of the joint on the part of that side."""
        R = self.joint_frames[side][0]
        return R[:, 0] if self.bundle.kind == "universal" and side == 1 else R[:, 2]

    def centre(self, side: int) -> np.ndarray:
        return self.joint_frames[side][1]


def build(
    bundle: Bundle,
    seed: int,
    scale: float = 1.0,
    start: str = "satisfied",
    special: str | None = None,
    duplicate: bool = False,
    mix: Bundle | None = None,
    Q: Placed | None = None,
    far: float = 1.0,
) -> Case:
    """The bundle at a random pose on random parts, its mates in random order.

    `special` names a pose of SPECIALS; `duplicate` repeats a mate; `mix` adds the mates of another
    bundle of the same joint, which then say nothing new; `Q` sets the pose instead of a random one;
    `far` puts the joint that many times farther from the origins of the parts.
    """
    rng = np.random.default_rng([seed, len(bundle.id), int(1e3 * scale)])
    Q = _motion_at(bundle, rng, special) if Q is None else Q
    X = _joint_frames(rng, special, far)
    draw = Draw(rng, Q)
    specs = bundle.make(draw)
    if mix is not None:
        specs = specs + mix.make(Draw(rng, Q))
    specs = [specs[k] for k in rng.permutation(len(specs))]
    names = ("base", "arm") if rng.random() < 0.5 else ("arm", "base")
    unit = Units("mm", "deg") if rng.random() < 0.5 else Units("m", "rad")
    refs: tuple[dict, dict] = ({}, {})
    mates: dict[str, Mate] = {}
    for k, spec in enumerate(specs):
        _add_mate(mates, f"mate_{k}", spec, refs, names, X, scale, unit, rng)
    twins: tuple[tuple[str, str], ...] = ()
    if duplicate:
        first = f"mate_{int(rng.integers(len(specs)))}"
        mates["twin"] = replace(mates[first], name="twin")
        twins = ((first, "twin"),)
    X_01 = times(X[0], times(Q, inverse(X[1])))
    poses = _start_poses(X_01, rng, start, bundle)
    parts = {}
    for side in (0, 1) if rng.random() < 0.5 else (1, 0):
        R, p = poses[side]
        parts[names[side]] = Part(names[side], refs[side], pose=Pose.from_matrix(scale * p, R))
    if rng.random() < 0.5:
        fixed = names[int(rng.integers(2))]
        parts[fixed] = replace(parts[fixed], grounded=True)
    couplings = _screw(bundle, names, X, refs, scale, rng)
    assembly = Assembly(bundle.id, parts, mates, couplings=couplings, units=unit)
    frames = tuple((R, scale * p) for R, p in X)
    return Case(bundle, assembly, names, frames, (X_01[0], scale * X_01[1]), twins, scale, far)


def _motion_at(bundle: Bundle, rng: np.random.Generator, special: str | None) -> Placed:
    R, p = motion(
        bundle, rng, at_rest=special in ("aligned", "parallel", "antiparallel", "origins")
    )
    if special == "half turn":
        about = {"spherical": unit_vector(rng), "fixed": None, "prismatic": None}.get(
            bundle.kind, EZ
        )
        R = np.eye(3) if about is None else turn(about, np.pi)
        p = motion(bundle, rng)[1]
    return R, p


def _joint_frames(
    rng: np.random.Generator, special: str | None, far: float
) -> tuple[Placed, Placed]:
    X = [
        (turn(unit_vector(rng), float(rng.uniform(0, np.pi))), far * rng.uniform(-2.0, 2.0, 3))
        for _ in range(2)
    ]
    if special in ("aligned", "origins"):
        X = [(np.eye(3), ORIGIN if special == "origins" else p) for _, p in X]
    elif special == "parallel":
        X = [(X[0][0], p) for _, p in X]
    elif special == "antiparallel":
        X = [X[0], (X[0][0] @ turn(EX, np.pi), X[1][1])]
    return X[0], X[1]


def _add_mate(mates, name, spec, refs, names, X, scale, unit, rng) -> None:
    ids = []
    for slot, ref in (("a", spec.a), ("b", spec.b)):
        key = f"{name}_{slot}"
        refs[ref.side][key] = reference(ref, X[ref.side], scale, rng)
        ids.append(RefId(names[ref.side], key))
    value = spec.value
    if value is not None:
        is_angle = spec.kind in ("offset-x", "offset-z")
        value = value / unit.radian if is_angle else value * scale
    T = spec.transform
    px, py, pz = (scale * c for c in T.position)
    mates[name] = Mate(
        name,
        spec.kind,
        *ids,
        value=value,
        sense=spec.sense,
        transform=Pose((px, py, pz), T.quaternion),
    )


def _start_poses(X_01: Placed, rng, start: str, bundle: Bundle) -> list[Placed]:
    """Poses of both parts, the second one disturbed as asked for."""
    world = (turn(unit_vector(rng), float(rng.uniform(0, np.pi))), rng.uniform(-2.0, 2.0, 3))
    off = {"satisfied": 0.0, "near": 1e-3 if bundle.several else 0.05, "scattered": 0.0}[start]
    nudge = (turn(unit_vector(rng), off), off * unit_vector(rng))
    second = times(world, times(X_01, nudge))
    if start == "scattered" and not bundle.several:
        second = (turn(unit_vector(rng), float(rng.uniform(0, np.pi))), rng.uniform(-4.0, 4.0, 3))
    return [world, second]


def _screw(bundle, names, X, refs, scale, rng) -> dict[str, Coupling]:
    if bundle.kind != "screw":
        return {}
    for side in (0, 1):
        refs[side]["screw"] = reference(A(side, ORIGIN, EZ), X[side], scale, rng)
    pitch = float(rng.uniform(0.1, 1.0) * rng.choice([-1.0, 1.0])) * scale
    a, b = RefId(names[0], "screw"), RefId(names[1], "screw")
    return {"thread": Coupling("thread", CouplingKind.SCREW, a, b, pitch)}
