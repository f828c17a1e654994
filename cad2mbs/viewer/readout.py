"""The pose message: where every body is and what every drive reads, as one block of bytes.

Little-endian: u8 1, u8 flags, u16 0, u32 seq, u32 nd, u32 nb, f64 seconds, f64 values[nd] in the
order of the scene's drives, f64 poses[7 nb] x y z [mm] qx qy qz qw in the order of its bodies.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

KIND = 1
OK, STOPPED, DRAGGED = 1, 2, 4
HEAD = struct.Struct("<BBHIIId")


class Readout:
    """Reads drives and bodies off the state of a mechanism, with all that is constant prepared."""

    def __init__(self, m: Mechanism, drives: Sequence[str]):
        gauges = [m.gauge(name) for name in drives]
        self.coord = np.array([g.coord for g in gauges], np.int64)
        self.sign = np.array([g.sign for g in gauges])
        self.zero = np.array([g.zero for g in gauges])
        self.unit = np.array([m.unit_of(g) for g in gauges])

    def message(self, m: Mechanism, seq: int, flags: int, seconds: float) -> bytes:
        """The pose message of the mechanism as it is."""
        from cad2mbs.viewer.scene import body_poses

        y = m.state
        poses = body_poses(m, y[None])[0]
        values = (self.sign * y[self.coord] + self.zero) / self.unit
        head = HEAD.pack(KIND, flags, 0, seq, len(values), len(poses), seconds)
        return b"".join([head, values.astype("<f8").tobytes(), poses.astype("<f8").tobytes()])


class PoseMessage(NamedTuple):
    """A pose message taken apart."""

    seq: int
    flags: int
    seconds: float
    values: np.ndarray  # (nd,)
    poses: np.ndarray  # (nb, 7)


def read(data: bytes) -> PoseMessage:
    """What a pose message holds; ValueError if it is something else."""
    if len(data) < HEAD.size or data[0] != KIND:
        raise ValueError("no pose message")
    _, flags, _, seq, drives, bodies, seconds = HEAD.unpack_from(data)
    if len(data) != HEAD.size + 8 * (drives + 7 * bodies):
        raise ValueError(f"{len(data)} bytes found for {drives} drives and {bodies} bodies")
    numbers = np.frombuffer(data, "<f8", offset=HEAD.size)
    return PoseMessage(seq, flags, seconds, numbers[:drives], numbers[drives:].reshape(-1, 7))
