"""Forks move on their own; every scalar freedom may drive, also one that follows at present."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import cad2mbs
from cad2mbs import library
from cad2mbs.errors import InputError, MechanismError
from cad2mbs.library.build import Builder
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH
from cad2mbs.model.assembly import Freedom
from cad2mbs.model.references import frame
from tests.mechanism.support import FOLDERS, SAME, assert_same_poses, open_rows
from tests.reference import slider_crank

PISTON = "housing-piston_1.slide"
STEP = 1e-4  # [rad or model lengths]
ASSEMBLED = [f for f in FOLDERS if f.name != "conflict"]


def test_driving_a_fork_leaves_the_original_where_it_is():
    m = library.radial_engine().mechanism()
    before, fork = m.poses, m.fork()
    assert fork.drive(crank=70.0).ok
    assert fork.sweep({"crank": np.linspace(70.0, 100.0, 31)}).ok
    assert fork.drives["crank"].value == pytest.approx(100.0)
    assert m.drives["crank"].value == 0.0
    assert_same_poses(m.poses, before, 1.0, 0.0)


def test_driving_the_original_leaves_the_fork_where_it_is():
    m = library.four_bar().mechanism()
    fork = m.fork()
    assert m.drive(crank=100.0).ok
    assert fork.drives["crank"].value == pytest.approx(60.0)


def test_forks_driven_by_threads_at_once_end_where_one_after_the_other_does():
    m = library.radial_engine().mechanism()
    start = m.state
    ways = [np.linspace(0.0, 40.0 * (k + 1), 200) for k in range(8)]

    def end(way):
        fork = m.fork()
        assert fork.sweep({"crank": way}).ok
        assert fork.drive({"crank-rod_1.turn": fork.offer()["crank-rod_1.turn"].value + 1.0}).ok
        return fork.state

    alone = [end(way) for way in ways]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(end, ways))
    np.testing.assert_array_equal(np.array(together), np.array(alone))
    np.testing.assert_array_equal(m.state, start)


def test_a_state_that_was_read_can_be_set_again():
    m = library.four_bar().mechanism()
    before, poses = m.state, m.poses
    m.drive(crank=130.0)
    m.state = before
    assert_same_poses(m.poses, poses, 1.0, 0.0)


@pytest.mark.parametrize("folder", ASSEMBLED, ids=lambda f: f.name)
def test_what_is_offered_reads_as_the_column_of_its_name(folder):
    m = cad2mbs.load(folder).mechanism()
    offered = m.offer()
    assert list(offered)[: len(m.drives)] == list(m.drives)
    assert len({m.gauge(n).coord for n in offered if n not in m.drives}) == len(offered) - len(
        m.drives
    )
    table = dict(zip(m._columns.header[0], m._columns.table(m.state[None])[0], strict=True))
    for name, info in offered.items():
        assert info.value == pytest.approx(table[name], abs=1e-9)


@pytest.mark.parametrize("folder", ASSEMBLED, ids=lambda f: f.name)
def test_whatever_is_offered_can_drive(folder):
    assembly = cad2mbs.load(folder)
    m = assembly.mechanism()
    for k, (name, info) in enumerate(m.drives.items()):
        # Away from special poses, where much stands on a dead point for a moment.
        m.drive({name: info.value - (7.0 if info.unit == "deg" else 3.0) - 2.0 * k})
    for name, info in m.offer().items():
        length = info.unit == m.units.length
        step = STEP * (m.structure.length / m.units.metre if length else 1.0 / m.units.radian)
        reached = []
        for value in (info.value + step, info.value - step):
            fork = m.fork()
            solved = fork.drive({name: value})
            assert open_rows(assembly, fork.poses) < 1e-8
            if solved.ok:
                reached.append(value)
                assert solved.values[name] == pytest.approx(value, abs=1e-9)
        assert reached, name


def test_driving_the_piston_turns_the_crank_as_the_closed_form_says():
    m = library.radial_engine(crank=50.0).mechanism()
    start = slider_crank.position(np.radians(50.0), CRANK_RADIUS, ROD_LENGTH)
    along = np.sign(m.offer()[PISTON].value - _slide_after(m, 51.0))  # +1: out of the engine
    for travel in (-30.0, -5.0, 4.0):
        assert m.drive({PISTON: along * travel}).ok
        wanted = slider_crank.crank_angle_at(start + travel, CRANK_RADIUS, ROD_LENGTH)
        assert m.drives["crank"].value == pytest.approx(np.degrees(wanted), abs=1e-9)


def _slide_after(m, crank: float) -> float:
    fork = m.fork()
    fork.drive(crank=crank)
    return fork.offer()[PISTON].value


def test_a_sweep_of_the_piston_is_the_sweep_of_the_crank_read_the_other_way():
    m = library.radial_engine(crank=30.0).mechanism()
    by_crank = m.fork().sweep({"crank": np.linspace(30.0, 150.0, 61)})
    slides = by_crank.column(PISTON)
    by_piston = m.sweep({PISTON: slides})
    assert by_piston.ok
    np.testing.assert_allclose(by_piston.column("crank"), by_crank.column("crank"), atol=1e-8)
    assert by_piston.metadata["drives"] == (PISTON,)


def test_rates_for_an_offered_freedom_invert_those_of_the_drive():
    m = library.radial_engine(crank=40.0).mechanism()
    forward = m.rates({"crank": 1.0}).joints["housing-piston_1"][0][0]
    back = m.rates({PISTON: 1.0}).drives
    assert back["crank"][0] == pytest.approx(1.0 / forward, rel=1e-9)
    assert back[PISTON][0] == pytest.approx(1.0)


def test_crank_and_piston_cannot_both_be_given():
    m = library.radial_engine(crank=40.0).mechanism()
    with pytest.raises(MechanismError, match="follows from the others"):
        m.drive({"crank": 41.0, PISTON: 1.0})


def test_an_unknown_name_is_refused_with_the_drives_there_are():
    m = library.four_bar().mechanism()
    with pytest.raises(InputError, match="no drive crnk; drives are: crank"):
        m.drive({"crnk": 1.0})


def test_a_triangle_of_bars_offers_nothing():
    build = Builder("triangle")
    build.ground("base", a=frame(), d=frame((100.0, 0.0, 0.0)))
    build.bar("left", (0.0, 0.0), (50.0, 80.0))
    build.bar("right", (100.0, 0.0), (50.0, 80.0))
    build.revolute("p", "base/a", "left/a")
    build.revolute("q", "base/d", "right/a")
    build.revolute("r", "left/b", "right/b")
    m = build.build().mechanism()
    assert m.mobility.freedoms == 0
    assert m.offer() == {}


def test_a_drive_called_like_a_joint_coordinate_keeps_its_name():
    build = Builder("two pins")
    build.ground("base", a=frame())
    build.bar("one", (0.0, 0.0), (50.0, 0.0))
    build.bar("two", (50.0, 0.0), (80.0, 30.0))
    build.ground("end", c=frame((80.0, 30.0, 0.0)))
    build.bar("three", (80.0, 30.0), (80.0, 60.0))
    for name, a, b in (
        ("p", "base/a", "one/a"),
        ("q", "one/b", "two/a"),
        ("r", "end/c", "three/a"),
    ):
        build.revolute(name, a, b)
    build.drive_joint("one-two.turn", "base/a", "one/a", Freedom.TURN, 0.0)
    m = build.build().mechanism()
    assert "one-two.turn" in m.drives
    assert m.drive({"one-two.turn": 5.0}).ok
    assert m.joint_coordinates["one-two"][0] == pytest.approx(0.0, abs=SAME)
    assert len(set(m.offer())) == len(m.offer())
