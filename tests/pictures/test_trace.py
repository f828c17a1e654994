"""Paths of points: where they run, how wide they are drawn, and what hides them."""

from __future__ import annotations

import numpy as np
import pytest

import cad2mbs
from cad2mbs.errors import InputError
from cad2mbs.pictures.camera import fit
from cad2mbs.pictures.follow import paths, read_points
from cad2mbs.pictures.item import Item
from cad2mbs.pictures.render import picture
from cad2mbs.pictures.shade import to_linear
from cad2mbs.pictures.trace import FAINT, HIDDEN, WIDTH, Trace
from tests.pictures.shapes import rectangle

BLACK = (0.0, 0.0, 0.0, 1.0)
SIZE = (240, 160)


def seen(items, trace: Trace | None) -> np.ndarray:
    """A picture from straight above, one pixel a millimetre, in linear light."""
    w, h = (side / 2.0 for side in SIZE)
    corners = np.array([[-w, -h, 0.0], [w, h, 0.0]])
    camera = fit(corners, SIZE, "top", perspective=False, margin=1.0)
    traces = [] if trace is None else [trace]
    image = picture(items, camera=camera, size=SIZE, traces=traces, shadow=False, samples=4)
    return to_linear(image / 255.0)


def covered(items, trace: Trace) -> np.ndarray:
    """Share of every pixel that a black path takes, (rows, columns)."""
    before, after = seen(items, None), seen(items, trace)
    return ((before - after) / before).mean(axis=2)


def to_come(z: float = 0.0, slope: float = 0.0) -> Trace:
    """A black path across the picture of which nothing is run yet: a plain line, no dot."""
    x = np.linspace(-100.0, 100.0, 7)
    return Trace("pen", np.column_stack([x, slope * x, np.full(7, z)]), BLACK, done=0)


@pytest.mark.parametrize("slope", [0.0, 0.31, -0.5])
def test_a_path_is_as_wide_as_stated_whatever_way_it_runs(slope):
    share = covered([], to_come(slope=slope))
    across = WIDTH * np.hypot(1.0, slope)  # length of a cut down the picture
    middle = share[:, 40:200].sum(axis=0)
    assert middle.mean() == pytest.approx(FAINT * across, rel=0.04)
    assert np.abs(middle - middle.mean()).max() < 0.15 * middle.mean()  # without gaps or steps


def test_a_path_behind_a_plate_shines_through_and_one_before_it_is_whole():
    plate = [Item(rectangle(60.0, 60.0, z=5.0))]
    for z, share in ((0.0, HIDDEN), (10.0, 1.0)):
        found = covered(plate, to_come(z)).sum(axis=0)
        assert found[110:130].mean() == pytest.approx(FAINT * WIDTH * share, rel=0.05)
        assert found[30:60].mean() == pytest.approx(FAINT * WIDTH, rel=0.05)


def test_what_is_run_is_stronger_than_what_is_to_come():
    share = covered([], to_come().at(3)).sum(axis=0)
    dot = 120
    assert share[40:100].mean() > 1.4 * share[140:200].mean()
    assert share[dot] > 1.5 * share[40:100].mean()  # the point itself


def test_a_crank_pin_runs_a_circle_and_a_rocker_pin_an_arc_about_its_pivot():
    assembly = cad2mbs.load("four_bar")
    m = assembly.mechanism()
    result = m.sweep({"crank": np.linspace(0.0, 360.0, 25)})
    pin, tip = paths(assembly, result, read_points(assembly, ["crank/b", "coupler/b"]))
    pivots = [
        np.array(m.poses["ground"].position) + m.poses["ground"].rotation() @ reference.origin
        for reference in (assembly.parts["ground"].references[n] for n in "ad")
    ]
    mm = 1000.0 * assembly.units.metre
    for trace, pivot in zip((pin, tip), pivots, strict=True):
        away = np.linalg.norm((trace.points - mm * pivot)[:, :2], axis=1)
        np.testing.assert_allclose(away, away[0], rtol=1e-9)
    bars = np.linalg.norm(np.diff(pin.points, axis=0), axis=1)
    np.testing.assert_allclose(bars, 2 * np.sin(np.radians(7.5)) * 500.0, rtol=1e-6)  # 0.5 m crank


def test_a_place_in_a_part_follows_the_part():
    assembly = cad2mbs.load("four_bar")
    m = assembly.mechanism()
    values = np.linspace(10.0, 200.0, 6)
    (trace,) = paths(
        assembly, m.sweep({"crank": values}), read_points(assembly, ["coupler@0.1,-0.2,0.3"])
    )
    for value, point in zip(values, trace.points, strict=True):
        m.drive(crank=float(value))
        pose = m.poses["coupler"]
        expected = np.array(pose.position) + pose.rotation() @ (0.1, -0.2, 0.3)
        np.testing.assert_allclose(point, expected * 1000.0 * assembly.units.metre, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("coupler/bb", "did you mean 'coupler/b'"),
        ("coupler/bar", "no such point"),  # a direction has no place
        ("copler@1,2,3", "did you mean 'coupler'"),
        ("coupler@1,2", "three numbers wanted"),
        ("coupler@1,2,nan", "three numbers wanted"),
        ("", "no such point"),
    ],
)
def test_points_that_are_not_there_are_refused_with_what_is(text, said):
    with pytest.raises(InputError, match="--trace") as error:
        read_points(cad2mbs.load("four_bar"), [text])
    assert said in str(error.value)
