"""Notes about parts that the mates take away from where the file has them."""

from __future__ import annotations

import pytest

import cad2mbs
from cad2mbs import starting
from cad2mbs.io import mates_file

TEXT = """cad2mbs: 1
parts:
  base: {{grounded: true, references: {{K: {{axis: {{along: [0, 0, 1]}}}}}}}}
  arm:
    references: {{K: {{axis: {{along: [0, 0, {way}]}}}}}}
    pose: {{position: [{x}, 0, 0]}}
mates:
  point: {{kind: coincident, a: base/K, b: arm/K}}
  axis: {{kind: parallel-z, a: base/K, b: arm/K}}
"""


def notes(way: int, x: float) -> list[str]:
    text = TEXT.format(way=way, x=x)
    return list(starting.notes(mates_file.read_bytes(text.encode()).mechanism()))


def test_parts_that_stay_are_not_spoken_of():
    assert notes(1, 0.0) == []


def test_a_part_that_is_moved_is_named_with_the_distance():
    (note,) = notes(1, 7.0)
    assert "arm by 7 mm, 0 deg" in note


def test_a_mate_that_turns_a_part_round_is_named_with_the_way_out():
    turned, moved = notes(-1, 0.0)
    assert turned.startswith("mate axis: its directions point opposite ways")
    assert "sense: false" in turned
    assert "arm by" in moved
    assert "180 deg" in moved


@pytest.mark.parametrize("name", ["four_bar", "radial_engine", "stewart"])
def test_shipped_assemblies_start_where_their_files_have_them(name):
    assert list(starting.notes(cad2mbs.load(name).mechanism())) == []
