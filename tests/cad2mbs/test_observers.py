"""Observers measure what closed forms say, at every position of a sweep."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cad2mbs
from cad2mbs import columns
from cad2mbs.library.build import Builder
from cad2mbs.model import references as ref
from cad2mbs.model.assembly import Assembly, Freedom, Observer, ObserverKind
from cad2mbs.model.mates import RefId
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import RefKind
from cad2mbs.observers import Seen, angle, distance, observed
from cad2mbs.plots import panels
from tests.reference import excavator

ACOS = 1e-6  # [deg] the arccos of a closed form has lost half of its digits near 0 and 180
POSITION, DISTANCE, ANGLE = ObserverKind.POSITION, ObserverKind.DISTANCE, ObserverKind.ANGLE


def observer(name: str, kind: ObserverKind, a: str, b: str = "", seen_from: str | None = None):
    one, two = (RefId(*text.rsplit("/", 1)) if text else None for text in (a, b))
    assert one is not None
    return Observer(name, kind, one, two, seen_from)


def arm(*observers: Observer) -> Assembly:
    """A turning arm 100 mm long on a base, with a reference of every kind at its end."""
    b = Builder("Arm")
    b.ground(
        "base",
        pivot=ref.frame(),
        floor=ref.plane((0, -10, 0), (0, 1, 0)),
        wall=ref.axis((50, 0, 7), (0, 1, 0)),
        upright=ref.axis((0, 0, 0), (0, 0, 1)),
        east=ref.vector((1, 0, 0)),
        corner=ref.point((3, 4, 12)),
    )
    b.part(
        "arm",
        Pose(),
        hub=ref.frame(),
        tip=ref.point((100, 0, 0)),
        pin=ref.axis((100, 0, 5), (0, 0, 1)),
        face=ref.plane((100, 0, 0), (1, 0, 0)),
        along=ref.vector((1, 0, 0)),
    )
    b.revolute("hinge", "base/pivot", "arm/hub")
    b.drive_joint("turn", "base/pivot", "arm/hub", Freedom.TURN, 0.0)
    return replace(b.build(), observers={o.name: o for o in observers})


T = np.radians(np.linspace(0.0, 360.0, 25))
C, S = np.cos(T), np.sin(T)
CASES = {
    "point to point": (
        DISTANCE,
        "base/corner",
        "arm/tip",
        np.sqrt((100 * C - 3) ** 2 + (100 * S - 4) ** 2 + 144),
    ),
    "point above plane": (DISTANCE, "arm/tip", "base/floor", 100 * S + 10),
    "plane below point": (DISTANCE, "base/floor", "arm/tip", 100 * S + 10),
    "frame counts as point": (DISTANCE, "arm/tip", "base/pivot", np.full(25, 100.0)),
    "point to axis": (DISTANCE, "arm/tip", "base/wall", np.hypot(100 * C - 50, 7)),
    "axis to point": (DISTANCE, "base/wall", "arm/tip", np.hypot(100 * C - 50, 7)),
    "crossed axes": (DISTANCE, "arm/pin", "base/wall", np.abs(100 * C - 50)),
    "parallel axes": (DISTANCE, "arm/pin", "base/upright", np.full(25, 100.0)),
    "axis above plane": (DISTANCE, "arm/pin", "base/floor", 100 * S + 10),
    "plane above plane": (DISTANCE, "arm/face", "base/floor", 100 * S + 10),
    "plane under plane": (DISTANCE, "base/floor", "arm/face", -10 * S - 100),
    "between vectors": (ANGLE, "base/east", "arm/along", np.degrees(np.arccos(C))),
    "normal to vector": (ANGLE, "arm/face", "base/east", np.degrees(np.arccos(C))),
    "axis to frame": (ANGLE, "arm/pin", "base/pivot", np.zeros(25)),
    "normal to normal": (ANGLE, "arm/face", "base/floor", np.degrees(np.arccos(S))),
}


@pytest.mark.parametrize("name", CASES)
def test_a_distance_or_angle_is_that_of_the_closed_form(name):
    kind, a, b, expected = CASES[name]
    m = arm(observer("it", kind, a, b)).mechanism()
    result = m.sweep({"turn": np.degrees(T)})
    assert result.ok, result.status
    np.testing.assert_allclose(result.column("it"), expected, rtol=0, atol=ACOS)
    assert dict(result.columns)["it"] == ("deg" if kind is ANGLE else "mm")


def test_a_position_has_three_columns_in_the_ground_or_in_a_part():
    m = arm(
        observer("tip", POSITION, "arm/tip"),
        observer("corner", POSITION, "base/corner", seen_from="arm"),
    ).mechanism()
    result = m.sweep({"turn": np.degrees(T)})
    tip = np.column_stack([result.column(f"tip.{c}") for c in "xyz"])
    np.testing.assert_allclose(tip, np.column_stack([100 * C, 100 * S, 0 * T]), atol=1e-8)
    corner = np.column_stack([result.column(f"corner.{c}") for c in "xyz"])
    turned_back = np.column_stack([3 * C + 4 * S, 4 * C - 3 * S, np.full(25, 12.0)])
    np.testing.assert_allclose(corner, turned_back, atol=1e-8)


def test_observers_are_the_last_columns_and_stand_in_file_order():
    m = arm(
        observer("b", DISTANCE, "arm/tip", "base/floor"), observer("a", POSITION, "arm/tip")
    ).mechanism()
    names = m.sweep({"turn": np.array([0.0, 10.0])}).names
    assert names[-4:] == ("b", "a.x", "a.y", "a.z")
    assert names[-5] == "base-arm.turn"


def test_the_present_values_are_the_last_row_of_the_sweep():
    m = arm(observer("h", DISTANCE, "arm/tip", "base/floor")).mechanism()
    result = m.sweep({"turn": np.linspace(0.0, 77.0, 5)})
    assert observed(m) == {"h": result.column("h")[-1]}


def test_units_of_the_file_are_the_units_of_the_columns():
    m = cad2mbs.load("four_bar").mechanism()  # in metres
    b, c, d = 1.2, 0.8, 1.0
    turned = np.linspace(0.0, 360.0, 19)
    diagonal = 0.25 + d * d - 2 * 0.5 * d * np.cos(np.radians(turned))
    expected = np.degrees(np.arccos((b * b + c * c - diagonal) / (2 * b * c)))
    result = m.sweep({"crank": turned})
    np.testing.assert_allclose(result.column("transmission_angle"), expected, atol=1e-7)


def test_the_piston_of_the_radial_engine_follows_the_crank_formula():
    m = cad2mbs.load("radial_engine").mechanism()
    turned = np.linspace(0.0, 720.0, 37)
    result = m.sweep({"crank": turned})
    r, l = 40.0, 120.0
    t = np.radians(turned)
    expected = r * np.cos(t) + np.sqrt(l * l - (r * np.sin(t)) ** 2)
    np.testing.assert_allclose(result.column("piston_1_height"), expected, atol=1e-7)


@pytest.mark.parametrize("name", ["start", "reach", "dig", "folded"])
def test_the_tooth_of_the_excavator_is_where_the_triangles_put_it(name):
    m = cad2mbs.load("excavator").mechanism()
    values = m.assembly.positions[name]
    assert m.drive(values).ok
    wrist, turn = excavator.position(**values)["bucket"]
    tooth = wrist + (550 - 32j) * complex(math.cos(turn), math.sin(turn))
    found = observed(m)
    assert found["tooth.x"] == pytest.approx(tooth.real, abs=1e-6)
    assert found["tooth.z"] == pytest.approx(tooth.imag, abs=1e-6)
    assert found["tooth_height"] == pytest.approx(tooth.imag + 900, abs=1e-6)
    assert (found["tooth_height"] < 0) == (name == "dig")


def test_the_scissor_lift_rises_by_pythagoras():
    m = cad2mbs.load("scissor_lift").mechanism()
    slide = np.linspace(160.0, 60.0, 11)
    result = m.sweep({"slide": slide})
    expected = 3.0 * np.sqrt(200.0**2 - slide**2)
    np.testing.assert_allclose(result.column("platform_height"), expected, rtol=1e-9)


UNIT = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: math.hypot(*v) > 0.1)


@given(UNIT, UNIT, UNIT, UNIT)
def test_the_distance_of_two_lines_is_the_least_over_their_points(p, u, q, v):
    a, b = (np.array(d) / math.hypot(*d) for d in (u, v))
    p, q = np.array(p), np.array(q)
    system = np.column_stack([a, -b])
    best = np.linalg.lstsq(system, q - p, rcond=1e-9)[0]
    expected = np.linalg.norm(system @ best - (q - p))
    lines = [_line(p, a), _line(q, b)]
    sine = np.linalg.norm(np.cross(a, b))
    if sine > 1e-4 or sine == 0.0:  # between, the answer hangs on the last digits
        assert distance(*lines)[0] == pytest.approx(expected, abs=1e-8)
    assert distance(*lines)[0] == pytest.approx(distance(*lines[::-1])[0], abs=1e-8)


def _line(point: np.ndarray, along: np.ndarray) -> Seen:
    # Half a turn about the middle of z and `along` takes z there.
    middle = np.array([0.0, 0.0, 1.0]) + along
    if np.linalg.norm(middle) < 1e-6:
        middle = np.array([1.0, 0.0, 0.0])
    middle /= np.linalg.norm(middle)
    seen = Seen(RefKind.AXIS, point[None], np.array([[0.0, *middle]]))
    np.testing.assert_allclose(seen.z[0], along, atol=1e-5)
    return seen


@pytest.mark.parametrize("small", [0.0, 1e-9, 1e-5])
def test_small_angles_keep_their_digits_at_both_ends(small):
    z = np.array([[0.0, 0.0, 1.0]])
    near = np.array([[math.sin(small), 0.0, math.cos(small)]])
    assert angle(z, near)[0] == pytest.approx(small, rel=1e-9, abs=1e-15)
    assert math.pi - angle(z, -near)[0] == pytest.approx(small, rel=1e-5, abs=1e-15)


def test_a_joint_column_gives_way_to_an_observer_of_the_same_name():
    o = observer("base-arm.turn", DISTANCE, "arm/tip", "base/floor")
    m = arm(o).mechanism()
    result = m.sweep({"turn": np.array([0.0, 30.0])})
    np.testing.assert_allclose(result.column("base-arm.turn"), [10.0, 60.0], atol=1e-9)
    assert result.names[-1] == "base-arm.turn"
    assert "base-arm.turn (2)" in result.names


def test_columns_are_found_by_name_without_a_table():
    m = arm(observer("h", DISTANCE, "arm/tip", "base/floor")).mechanism()
    found = columns.Columns(m.structure, m.gauges).observers(m.state[None])
    assert list(found) == ["h"]
    assert found["h"] == pytest.approx([10.0])


def test_no_states_make_no_rows():
    m = arm(observer("h", DISTANCE, "arm/tip", "base/floor")).mechanism()
    table = columns.Columns(m.structure, m.gauges).table(np.zeros((0, len(m.state))))
    assert table.shape == (0, len(m.sweep({"turn": np.array([0.0])}).names))


def test_observers_have_panels_of_their_own_in_a_picture():
    m = arm(
        observer("slider", DISTANCE, "arm/tip", "base/floor"),
        observer("swing", ANGLE, "arm/face", "base/floor"),
    ).mechanism()
    found = panels(m.sweep({"turn": np.linspace(0.0, 90.0, 7) ** 1.5}))
    assert found["observers in mm"] == ["slider"]
    assert "slider" not in found.get("slides of joints", [])
