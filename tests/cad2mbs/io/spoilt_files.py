"""A good mates file to spoil, and what reading a spoilt one says."""

from __future__ import annotations

import pytest

from cad2mbs.errors import InputError
from cad2mbs.io import mates_file

GOOD = """\
cad2mbs: 1
units: {length: mm, angle: deg}
parts:
  ground:
    grounded: true
    references:
      A: {frame: {origin: [0, 0, 0], z: [0, 0, 1], x: [1, 0, 0]}}
      top: {plane: {point: [0, 0, 5], normal: [0, 0, 1]}}
  crank:
    references:
      K: {frame: {}}
      P: {point: [1, 2, 3]}
      hub: {axis: {along: [0, 0, 1]}}
    pose: {position: [0, 0, 0], turn: {axis: [0, 0, 1], angle: 30}}
mates:
  pin: {kind: coincident, a: ground/A, b: crank/P}
  angle: {kind: offset-x, a: ground/A, b: crank/K, angle: 0}
  stop: {kind: halfspace, a: crank/P, b: ground/top, distance: 3, sense: true}
drives:
  turn: {mate: angle, value: 0, min: -90, max: 90}
  lift: {joint: [ground, crank], freedom: slide, zero: [ground/A, crank/K]}
limits:
  travel: {joint: [ground, crank], freedom: slide, min: 0, max: 100}
couplings:
  mesh: {kind: gear, a: ground/A, b: crank/hub, teeth: [20, 40]}
observers:
  tip: {position: crank/P, in: ground}
  gap: {distance: [crank/P, ground/top]}
  tilt: {angle: [crank/hub, ground/A]}
positions:
  home: {turn: 10, lift: 5}
"""
PARTS = "cad2mbs: 1\nparts:\n  box:\n    grounded: true\n"


def errors(text: str | bytes) -> list[str]:
    content = text.encode() if isinstance(text, str) else text
    with pytest.raises(InputError) as caught:
        mates_file.read_bytes(content, file="f.yaml")
    assert caught.value.exit_code == 2
    return [str(d) for d in caught.value.diagnostics]


def only_error(text: str | bytes) -> str:
    found = errors(text)
    assert len(found) == 1, found
    return found[0]
