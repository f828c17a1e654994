"""Damaged STEP files end in a document or an error, never in a crash or a hang of the caller."""

from __future__ import annotations

import random
import re
import time

import pytest

from cad2mbs.cad.load import Limits, Worker, read
from cad2mbs.errors import InputError

SEED = 20240607
MUTANTS = 300
LIMITS = Limits(seconds=5.0, memory_mb=3000)
SLACK = 5.0  # [s] over the limit: start of a process, a busy machine
SOURCES = ("disk_arm.step", "mapped_item_assembly.stp", "theo_jansen_leg.step")


def flipped(data: bytearray, r: random.Random) -> bytearray:
    for _ in range(r.choice((1, 3, 10, 100))):
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)
    return data


def truncated(data: bytearray, r: random.Random) -> bytearray:
    return data[: r.randrange(len(data))]


def renumbered(data: bytearray, r: random.Random) -> bytearray:
    """References swung round to other entities, cycles among them."""
    places = list(re.finditer(rb"#\d+", data))
    for m in r.sample(places, 8):
        other = r.choice(places).group()
        data[m.start() : m.end()] = other.ljust(m.end() - m.start())[: m.end() - m.start()]
    return data


def huge(data: bytearray, r: random.Random) -> bytearray:
    """Numbers made enormous, negative or not a number."""
    places = list(re.finditer(rb"(?<=[(, ])-?\d+\.\d*(?:E[+-]?\d+)?(?=[ ,)])", data))
    for m in sorted(r.sample(places, 5), key=lambda m: -m.start()):
        data[m.start() : m.end()] = r.choice((b"1.E308", b"-1", b"2147483647", b"1.E-300", b"0"))
    return data


def cut_out(data: bytearray, r: random.Random) -> bytearray:
    start = r.randrange(len(data))
    del data[start : start + r.randrange(1, 5000)]
    return data


KINDS = (flipped, truncated, renumbered, huge, cut_out)


@pytest.mark.parametrize("share", range(4))
def test_every_mutant_ends_in_a_result_or_an_error_in_time(shared_data, tmp_path, share):
    sources = [(shared_data / "step" / name).read_bytes() for name in SOURCES]
    ended = {"document": 0, "error": 0}
    with Worker() as worker:
        for number in range(share, MUTANTS, 4):
            r = random.Random(SEED + number)
            mutate = KINDS[number % len(KINDS)]
            path = tmp_path / f"mutant_{number}.step"
            path.write_bytes(mutate(bytearray(r.choice(sources)), r))
            start = time.monotonic()
            said = ""
            try:
                assert read(path, limits=LIMITS, cache=False, worker=worker).solids
            except InputError as error:
                said = str(error)
            assert not said or path.name in said
            ended["error" if said else "document"] += 1
            assert time.monotonic() - start < LIMITS.seconds + SLACK, path.name
    # Both ends are met: otherwise the mutations are too tame or too wild to prove anything.
    assert min(ended.values()) > 0
