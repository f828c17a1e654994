"""Traces, curves and tables over drives that go on for many turns."""

from __future__ import annotations

import numpy as np
import pytest

import cad2mbs
from cad2mbs.viewer import studies

RADIUS = 10.0  # [mm] of the point that is followed


@pytest.mark.parametrize(
    ("name", "part"),
    [("rack_and_pinion", "pinion"), ("lead_screw", "spindle"), ("gear_pair", "pinion")],
)
def test_the_trace_of_a_point_that_turns_many_times_is_a_circle_and_no_polygon(name, part):
    m = cad2mbs.load(name).mechanism()
    row = list(m.assembly.parts).index(part)
    found, _ = studies.trace(m, part, row, (RADIUS, 0.0, 0.0))
    assert len(found) <= studies.LONG
    points = np.array(found)
    middle = studies.trace(m, part, row, (0.0, 0.0, 0.0))[0][0]
    sagitta = RADIUS - np.linalg.norm(0.5 * (points[1:] + points[:-1]) - middle, axis=1)
    assert sagitta.max() < 1.01 * RADIUS * (1.0 - np.cos(np.radians(1.0)))


def test_a_trace_of_one_turn_has_no_more_points_than_it_needs():
    m = cad2mbs.load("four_bar").mechanism()
    found, closed = studies.trace(m, "crank", 1, (RADIUS, 0.0, 0.0))
    assert closed
    assert len(found) == studies.PATH
    assert len(studies.curves(m, "crank", ["crank"])["x"]) == studies.COUNT


def test_curves_and_tables_of_many_turns_have_more_positions_up_to_a_bound():
    m = cad2mbs.load("rack_and_pinion").mechanism()
    x = np.array(studies.curves(m, "pinion", ["pinion"])["x"])
    assert len(x) == studies.MOST
    assert np.diff(x).max() < 4.0
    assert len(studies.table(m, "pinion").splitlines()) == 1 + studies.MOST
    gears = cad2mbs.load("gear_pair").mechanism()
    assert np.diff(studies.curves(gears, "pinion", ["pinion"])["x"]).max() < 2.001
