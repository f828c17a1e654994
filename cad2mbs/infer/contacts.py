"""Everything two parts can share, found once for the whole scene."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from cad2mbs.infer.balls import BallFit, ball_fits
from cad2mbs.infer.fits import Fit, fits, holes_in_line
from cad2mbs.infer.groups import Groups
from cad2mbs.infer.guess import Bundle
from cad2mbs.infer.rolling import Bearing, rolling_bearings
from cad2mbs.infer.scene import Scene
from cad2mbs.infer.slots import SlotFit, slot_fits
from cad2mbs.infer.touching import Touch, touches

NEAR = 5.0  # tolerances: so far apart faces may still guide, if they do on both sides alike

Pair = tuple[int, int]


@dataclass(frozen=True)
class Contacts:
    """Round fits, holes in line, balls in sockets, and faces on faces."""

    fits: list[Fit]
    missing: list[Fit]
    balls: list[BallFit]
    touches: list[Touch]
    near: list[Touch]
    slots: list[SlotFit]
    bearings: list[Bearing]
    rolling: list[tuple[int, int]]  # balls of bearings, and the ring each lies in

    def bundles(self, groups: Groups) -> dict[Pair, Bundle]:
        """What each pair of groups shares."""
        out: dict[Pair, Bundle] = defaultdict(Bundle)
        members = groups.members()
        for name in ("fits", "missing", "balls", "touches", "near", "slots", "bearings"):
            for item in getattr(self, name):
                a, b = sorted(groups.of(row) for row in pair_of(item))
                if a != b:
                    getattr(out[a, b], name).append(item)
        for (a, b), bundle in out.items():
            bundle.sides = members[a], members[b]
        return dict(out)


def pair_of(item: Fit | BallFit | Touch | SlotFit | Bearing) -> Pair:
    """Rows of the two bodies of a contact."""
    match item:
        case Fit():
            return item.hole, item.pin
        case Bearing():
            return item.fit.hole, item.fit.pin
        case BallFit():
            return item.ball, item.socket
        case SlotFit():
            return item.slot, item.pin
        case Touch():
            return item.a, item.b


def contacts(scene: Scene, tolerance: float) -> Contacts:
    """All contacts of the scene."""
    rounds = scene.rounds()
    pinned = fits(scene, rounds, tolerance)
    flats = scene.flats()
    all_touches = touches(scene, flats, NEAR * tolerance)
    close = [t for t in all_touches if abs(t.gap) <= tolerance * 1.001]
    bearings, rolling = rolling_bearings(scene, tolerance)
    return Contacts(
        pinned,
        _next_to_each_other(holes_in_line(scene, rounds, tolerance)),
        ball_fits(scene, scene.balls(), tolerance),
        close,
        _alike(all_touches, tolerance),
        slot_fits(scene, rounds, flats, tolerance),
        bearings,
        rolling,
    )


def _next_to_each_other(holes: list[Fit]) -> list[Fit]:
    """Holes in line without those of parts that a third one on the same axis lies between."""
    near: dict[int, dict[int, float]] = defaultdict(dict)
    for h in holes:
        gap = -h.overlap
        for a, b in ((h.hole, h.pin), (h.pin, h.hole)):
            near[a][b] = min(gap, near[a].get(b, np.inf))
    return [
        h
        for h in holes
        if not any(
            max(near[h.hole][c], near[c].get(h.pin, np.inf)) < -h.overlap - 1e-6
            for c in near[h.hole]
            if c != h.pin
        )
    ]


def _alike(far: list[Touch], tolerance: float) -> list[Touch]:
    """Faces that stand off by as much as opposed ones of the same pair on the other side."""
    by_pair: dict[Pair, list[Touch]] = defaultdict(list)
    for t in far:
        by_pair[t.a, t.b].append(t)
    out = []
    for rows in by_pair.values():
        gaps = np.array([t.gap for t in rows])
        normals = np.array([t.normal for t in rows])
        opposed = normals @ normals.T < -0.999
        equal = np.abs(gaps[:, None] - gaps[None]) <= 2.0 * tolerance
        mate = np.asarray((opposed & equal).any(axis=1))
        out += [t for t, has in zip(rows, mate, strict=True) if has and abs(t.gap) > tolerance]
    return out
