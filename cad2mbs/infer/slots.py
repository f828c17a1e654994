"""Pins in slots: a round pin between two parallel walls of another part."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from cad2mbs.infer.boxes import between_owners
from cad2mbs.infer.fits import MAX_ANGLE, slack_of
from cad2mbs.infer.scene import Flats, Round, Scene
from cad2mbs.infer.touching import in_triangles

SWEEP = 4.0  # [rad] the round end of a bar covers half a turn and is no pin
WIDE = 0.06  # of the radius: more clearance to a wall than this is no slot


@dataclass(frozen=True, eq=False)
class SlotFit:
    """A pin of one body between two walls of another."""

    slot: int  # body
    pin: int  # body
    pin_line: int
    pin_segment: int
    wall: int  # flat of the slot's body
    other_wall: int
    point: np.ndarray  # (3,)  on the pin's axis, in the scene
    radius: float
    clearance: float  # between pin and walls, both together


def slot_fits(scene: Scene, rounds: Round, flats: Flats, tolerance: float) -> list[SlotFit]:
    """Every pin between two parallel walls of another body."""
    pins = np.flatnonzero(~rounds.concave & (rounds.sweep > SWEEP))
    walls = _beside(rounds, pins, flats, tolerance)
    found = []
    for (pin, body), rows in walls.items():
        pair = _opposed(flats, rows)
        if pair is None or not all(_over(scene, rounds, flats, pin, f) for f, _ in pair):
            continue
        (a, gap_a), (b, gap_b) = pair
        found.append(
            SlotFit(
                body,
                int(rounds.body[pin]),
                int(rounds.line[pin]),
                int(rounds.segment[pin]),
                int(flats.flat[a]),
                int(flats.flat[b]),
                rounds.middle[pin],
                float(rounds.radius[pin]),
                gap_a + gap_b,
            )
        )
    return found


def _beside(
    rounds: Round, pins: np.ndarray, flats: Flats, tolerance: float
) -> dict[tuple[int, int], list[tuple[int, float]]]:
    """Walls that a pin is tangent to, with the gaps, by (pin, body of the wall)."""
    reach = rounds.half[pins, None] * np.abs(rounds.z[pins]) + (
        rounds.radius[pins, None] + tolerance
    ) * np.sqrt(np.maximum(1.0 - rounds.z[pins] ** 2, 0.0))
    low, high = rounds.middle[pins] - reach, rounds.middle[pins] + reach
    i, j = between_owners(
        (low, high, rounds.body[pins]),
        (flats.low - tolerance, flats.high + tolerance, flats.body),
    )
    i = pins[i]
    along = np.abs(np.sum(rounds.z[i] * flats.normal[j], axis=1)) < MAX_ANGLE
    i, j = i[along], j[along]
    height = np.sum((rounds.middle[i] - flats.point[j]) * flats.normal[j], axis=1)
    gap = height - rounds.radius[i]
    slack = np.maximum(slack_of(rounds.radius[i], tolerance), WIDE * rounds.radius[i])
    close = np.abs(gap) <= slack
    out: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
    for pin, flat, g in zip(i[close], j[close], gap[close], strict=True):
        out[int(pin), int(flats.body[flat])].append((int(flat), float(g)))
    return out


def _opposed(
    flats: Flats, rows: list[tuple[int, float]]
) -> tuple[tuple[int, float], tuple[int, float]] | None:
    """The tightest two walls that face each other."""
    best = None
    for n, (a, ga) in enumerate(rows):
        for b, gb in rows[n + 1 :]:
            facing = flats.normal[a] @ flats.normal[b] < -np.cos(MAX_ANGLE)
            if facing and (best is None or ga + gb < best[0][1] + best[1][1]):
                best = ((a, ga), (b, gb))
    return best


def _over(scene: Scene, rounds: Round, flats: Flats, pin: int, flat: int) -> bool:
    """Whether the line where pin and wall meet runs over the wall."""
    body = scene.bodies[flats.body[flat]]
    own = body.shape.flats[int(flats.flat[flat])].triangles
    triangles = body.to_world(own.reshape(-1, 3)).reshape(-1, 3, 3)
    steps = np.linspace(-0.9, 0.9, 7)[:, None] * rounds.half[pin]
    points = rounds.middle[pin] + steps * rounds.z[pin]
    return bool(in_triangles(points, triangles, flats.normal[flat]).any())
