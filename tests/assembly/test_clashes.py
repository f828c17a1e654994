"""The parts of the shipped mechanisms pass each other wherever their drives lead them."""

from __future__ import annotations

import numpy as np
import pytest

import cad2mbs
from cad2mbs.clash import Clashes
from cad2mbs.io.source import shipped
from cad2mbs.library.planar import CHAIN_RANGE
from cad2mbs.reach import extent

POSITIONS = 25  # of each drive, from one end of its way to the other; of one in six, half as many
STILL = {"conflict", "dietmaier", "two_boxes"}  # nothing drives them

# Where the pins alone would go further than parts of any thickness can: what the drives are for.
IN_USE = {
    "bennett": (25.0, 165.0),  # the links lie on one line at 0 and at 180, through each other
    "four_bar_chain": CHAIN_RANGE,  # beyond it the levers fold onto the pivots of their neighbours
    "sarrus": (25.0, 150.0),  # at 0 and 180 the leaves lie in one plane, below it the table does
    "scissor_lift": (30.0, 190.0),  # eyes side by side at the top; arms on each other at the bottom
    "stewart": (355.0, 540.0),  # the rod on the bottom of its bore, and leaving the tube
}


def moving() -> list[str]:
    return [name for name in shipped() if name not in STILL]


@pytest.mark.parametrize("name", moving())
def test_no_part_cuts_through_another_while_a_drive_goes_its_way(name):
    m = cad2mbs.load(name).mechanism()
    found = Clashes(m, joined=True)
    drives = m.assembly.drives
    count = POSITIONS if len(drives) < 6 else POSITIONS // 2 + 1
    met = {}
    for drive in drives:
        whole = extent(m, drive)
        low, high = IN_USE.get(name, (whole.low.value, whole.high.value))
        assert whole.low.value <= low < high <= whole.high.value
        for value in np.linspace(low, high, count):
            pose = m.fork()
            # An end may be a dead point, which is reached but for rounding.
            assert pose.drive({drive: value}).ok or value in (low, high)
            met |= {pair: f"{drive} at {value:.1f}" for pair in found.at(pose)}
    assert met == {}


def test_what_stands_still_has_no_drive():
    assert all(not cad2mbs.load(name).drives for name in STILL)
