"""Gauges read what they say: drives, limits and couplings against the poses they lead to."""

from __future__ import annotations

import numpy as np
import pytest

from cad2mbs.errors import InputError, MechanismError
from cad2mbs.io import mates_file
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose
from tests.mechanism.support import about_z, assert_pose

FORMS = ["mixed", "implicit"]
AT_END = 1e-7  # [deg]: a limit may be passed by 1e-9 rad
READS = 1e-9  # [mm, deg]: the rows are solved to 1e-12 of the model length

PLATE = """
parts:
  base:
    grounded: true
    references:
      K: {frame: {}}
      along: {frame: {z: [1, 0, 0], x: [0, 1, 0]}}
      floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  plate:
    references: {P: {point: [0, 0, 0]}, n: {vector: [0, 0, 1]}, K: {frame: {}},
      corner: {frame: {origin: [10, 0, 0], z: [1, 0, 0], x: [0, 1, 0]}}}
mates:
  flat: {kind: in-plane, a: plate/P, b: base/floor}
  level: {kind: parallel-z, a: plate/n, b: base/K}
drives:
"""

GEARS = """
parts:
  base: {{grounded: true, references: {{K: {{frame: {{}}}}, B: {{frame: {{origin: [30, 0, 0]}}}}}}}}
  pinion: {{references: {{K: {{frame: {{}}}}}}}}
  wheel: {{references: {{K: {{frame: {{}}}}}}, pose: {{position: [30, 0, 0]{turn}}}}}
mates:
  pin_1: {{kind: coincident, a: base/K, b: pinion/K}}
  axis_1: {{kind: parallel-z, a: base/K, b: pinion/K}}
  pin_2: {{kind: coincident, a: base/B, b: wheel/K}}
  axis_2: {{kind: parallel-z, a: base/K, b: wheel/K, sense: {sense}}}
drives:
  q: {{joint: [base, pinion], freedom: turn, value: {value}}}
couplings:
  mesh: {{kind: gear, a: pinion/K, b: wheel/K, teeth: {teeth}}}
"""
SECOND_MESH = "  other: {kind: gear, a: pinion/K, b: wheel/K, teeth: [20, 41]}\n"


def read(text: str) -> Assembly:
    """The assembly of a mates file's text, less its first line."""
    return mates_file.read_bytes(f"cad2mbs: 1\n{text}".encode())


def hinge(start: float = 0.0, **sections: str) -> Assembly:
    """An arm hinged to a base, turned by `start` [deg]; more mates, drives, limits as text."""
    text = f"""
parts:
  base:
    grounded: true
    references: {{K: {{frame: {{}}}}, P: {{point: [20, 0, 0]}}, v: {{vector: [1, 0, 0]}},
      tilted: {{frame: {{z: [0, 0.6, 0.8], x: [1, 0, 0]}}}},
      square: {{frame: {{z: [1, 0, 0], x: [0, 1, 0]}}}}}}
  arm:
    references: {{K: {{frame: {{}}}}, P: {{point: [10, 0, 0]}}, v: {{vector: [1, 0, 0]}},
      tilted: {{frame: {{z: [0, 0.6, 0.8], x: [1, 0, 0]}}}}}}
    pose: {{turn: {{axis: [0, 0, 1], angle: {start}}}}}
mates:
  pin: {{kind: coincident, a: base/K, b: arm/K}}
  axis: {{kind: parallel-z, a: base/K, b: arm/K}}
"""
    text += sections.pop("mates", "") + "\n"
    return read(text + "".join(f"{name}:\n{entries}\n" for name, entries in sections.items()))


def turned(pose: Pose) -> float:
    """Turn of the pose about z [deg], -180 to 180."""
    return float(np.degrees(np.arctan2(*pose.rotation()[[1, 0], 0])))


def at(pose: Pose, point: tuple[float, float, float]) -> np.ndarray:
    """Where a point of the part is in the ground."""
    return pose.rotation() @ point + np.array(pose.position)


# -- what a drive reads -------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_driven_offset_x_keeps_the_z_axes_together(form):
    tilted = """
parts:
  base: {grounded: true, references: {K: {frame: {}}}}
  arm: {references: {K: {frame: {}}}, pose: {turn: {axis: [1, 0, 0], angle: 30}}}
mates:
  pin: {kind: coincident, a: base/K, b: arm/K}
  angle: {kind: offset-x, a: base/K, b: arm/K, angle: 0}
drives:
  q: {mate: angle}
"""
    m = read(tilted).mechanism(form)
    assert m.mobility.freedoms == 1
    for value in (0.0, 20.0, -100.0, 400.0):
        solved = m.drive(q=value)
        assert solved.ok, solved.status
        assert_pose(m.poses["arm"], (0, 0, 0), about_z(np.radians(value)), 1.0)
    assert {v.verdict for v in m.verdicts()} == {"needed"}


@pytest.mark.parametrize("form", FORMS)
def test_slide_of_a_frame_off_the_pivot_is_where_that_frame_is(form):
    drives = """
  x: {joint: [base, plate], freedom: slide, zero: [base/along, plate/corner], value: 10}
  t: {joint: [base, plate], freedom: turn, zero: [base/K, plate/K], value: 0}
"""
    m = read(PLATE + drives).mechanism(form)
    for x, t in ((10.0, 90.0), (-7.0, 200.0), (3.0, -45.0)):
        solved = m.drive(x=x, t=t)
        assert solved.ok, solved.status
        assert at(m.poses["plate"], (10.0, 0.0, 0.0))[0] == pytest.approx(x, abs=READS)
        np.testing.assert_allclose(m.poses["plate"].rotation(), about_z(np.radians(t)), atol=1e-10)
        assert (solved.values["x"], solved.values["t"]) == pytest.approx((x, t), abs=READS)


@pytest.mark.parametrize("form", FORMS)
def test_driven_in_plane_of_a_point_off_the_pivot_is_the_height_of_that_point(form):
    slot = """
parts:
  base:
    grounded: true
    references: {K: {frame: {}}, across: {vector: [0, 1, 0]},
      floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}
  bar:
    references: {P: {point: [0, 0, 0]}, Q: {point: [10, 0, 0]}, along: {vector: [1, 0, 0]},
      across: {vector: [0, 1, 0]}}
mates:
  line: {kind: in-line, a: bar/P, b: base/K}
  flat: {kind: parallel-z, a: bar/across, b: base/across}
  height: {kind: in-plane, a: bar/Q, b: base/floor, distance: 0}
  tilt: {kind: offset-z, a: bar/along, b: base/K, angle: 80}
drives:
  h: {mate: height}
  t: {mate: tilt}
"""
    m = read(slot).mechanism(form)
    for h, t in ((5.0, 30.0), (-20.0, 120.0)):
        solved = m.drive(h=h, t=t)
        assert solved.ok, solved.status
        pose = m.poses["bar"]
        assert at(pose, (10.0, 0.0, 0.0))[2] == pytest.approx(h, abs=READS)
        assert pose.rotation()[2, 0] == pytest.approx(np.cos(np.radians(t)), abs=1e-10)
        assert {v.verdict for v in m.verdicts()} == {"needed"}


NUMBERED = {
    "offset-x": ("{kind: offset-x, a: base/K, b: arm/K, angle: 30}", 30.0, 30.0),
    # Law of cosines in the triangle 20, 10 and the distance.
    "distance": (
        "{kind: distance, a: base/P, b: arm/P, distance: 20}",
        20.0,
        np.degrees(np.arccos((20**2 + 10**2 - 20**2) / (2 * 20 * 10))),
    ),
    "offset-z": ("{kind: offset-z, a: base/v, b: arm/v, angle: 30}", 30.0, 30.0),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", NUMBERED)
def test_a_driven_mate_without_a_value_starts_at_its_number(kind, form):
    mate, number, turn = NUMBERED[kind]
    m = hinge(40.0, mates=f"  m: {mate}", drives="  d: {mate: m}").mechanism(form)
    assert m.drives["d"].value == pytest.approx(number, abs=READS)
    assert turned(m.poses["arm"]) == pytest.approx(turn, abs=1e-8)


def test_rates_of_a_joint_that_runs_backwards_are_in_the_order_of_its_labels():
    backwards = """
parts:
  base: {grounded: true, references: {K: {frame: {}}}}
  tip: {references: {K: {frame: {}}}}
  mid: {references: {K: {frame: {}}, L: {frame: {origin: [10, 0, 0], z: [0, 0.6, 0.8]}}}}
mates:
  pin: {kind: coincident, a: base/K, b: mid/K}
  axis: {kind: parallel-z, a: base/K, b: mid/K}
  line: {kind: in-line, a: tip/K, b: mid/L}
  level: {kind: parallel-z, a: tip/K, b: mid/L}
drives:
  q: {joint: [base, mid], freedom: turn}
  s: {joint: [mid, tip], freedom: slide, zero: [mid/L, tip/K]}
  t: {joint: [mid, tip], freedom: turn, zero: [mid/L, tip/K]}
"""
    m = read(backwards).mechanism()
    assert any(j.sign < 0 for j in m.structure.joints if j.in_tree)
    rates = m.rates({"s": 1.0, "t": 7.0})
    before, start = m.joint_coordinates, {n: d.value for n, d in m.drives.items()}
    assert m.drive(s=start["s"] + 1.0, t=start["t"] + 7.0).ok
    for name, now in m.joint_coordinates.items():
        moved = np.subtract(now, before[name])
        np.testing.assert_allclose(rates.joints[name][0], moved, rtol=0, atol=1e-9)


# -- what is refused ----------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("zero", ["base/tilted, arm/tilted", "base/square, arm/K"])
def test_zero_frames_off_the_axis_are_refused_by_name(zero, form):
    drives = f"  q: {{joint: [base, arm], freedom: turn, zero: [{zero}]}}"
    with pytest.raises(InputError, match=f"zero frames {zero.replace(', ', ' and ')}"):
        hinge(drives=drives).mechanism(form)


@pytest.mark.parametrize("form", FORMS)
def test_one_slide_of_two_must_be_told_by_zero_frames(form):
    with pytest.raises(InputError, match="planar: it has no single slide"):
        read(PLATE + "  x: {joint: [base, plate], freedom: slide}\n").mechanism(form)


@pytest.mark.parametrize("form", FORMS)
def test_a_drive_between_parts_that_share_no_mate_is_refused_with_its_line(form):
    text = PLATE.replace("mates:", "  far: {}\nmates:")
    text += "  x: {joint: [base, far], freedom: slide}\n"
    with pytest.raises(InputError, match=r"drive 'x': no mate joins base and far. Joined to base"):
        read(text).mechanism(form)


def test_one_joint_driven_twice_in_the_same_words_is_refused():
    drives = "  q: {joint: [base, arm], freedom: turn}\n  r: {joint: [arm, base], freedom: turn}"
    with pytest.raises(InputError, match="drive 'r' drives the same joint as drive 'q'"):
        hinge(drives=drives)


@pytest.mark.parametrize("form", FORMS)
def test_a_joint_driven_from_both_sides_is_one_freedom(form):
    m = hinge(
        drives="  q: {joint: [base, arm]}\n  r: {joint: [arm, base], freedom: turn}"
    ).mechanism(form)
    assert m.tied_drives == ("r",)
    for name, value in (("q", 30.0), ("r", 50.0)):
        assert m.drive({name: value}).ok
        turn = value if name == "q" else -value
        assert turned(m.poses["arm"]) == pytest.approx(turn, abs=READS)
        values = {n: d.value for n, d in m.drives.items()}
        assert values == pytest.approx({"q": turn, "r": -turn}, abs=READS)


@pytest.mark.parametrize("form", FORMS)
def test_two_drives_on_one_freedom_move_it_one_at_a_time(form):
    m = hinge(
        mates="  w: {kind: offset-x, a: base/K, b: arm/K, angle: 0}",
        drives="  q: {joint: [base, arm], freedom: turn, zero: [base/K, arm/K]}\n  p: {mate: w}",
    ).mechanism(form)
    assert (m.mobility.freedoms, m.tied_drives) == (1, ("p",))
    for name, value in (("q", 30.0), ("p", 50.0), ("q", -20.0)):
        solved = m.drive({name: value})
        assert solved.ok, solved.status
        assert solved.values == pytest.approx({"q": value, "p": value}, abs=READS)
        assert turned(m.poses["arm"]) == pytest.approx(value, abs=READS)
    for ask in (m.drive, lambda v: m.sweep({n: [x] for n, x in v.items()}), m.rates):
        with pytest.raises(MechanismError, match="cannot all be given"):
            ask({"p": 10.0, "q": 20.0})
    assert turned(m.poses["arm"]) == pytest.approx(-20.0, abs=READS)


# -- limits -------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("start", "ends", "end"),
    [
        (0.0, (10.0, 20.0), 10.0),
        (50.0, (10.0, 20.0), 20.0),
        (0.0, (-20.0, -10.0), -10.0),
        (-120.0, (10.0, 20.0), 10.0),
        (15.0, (10.0, 20.0), 15.0),
        (0.0, (350.0, 370.0), 0.0),  # fits on another turn
    ],
)
def test_a_limit_violated_at_the_start_moves_to_its_nearest_end(start, ends, end, form):
    bounds = f"freedom: turn, zero: [base/K, arm/K], min: {ends[0]}, max: {ends[1]}"
    m = hinge(
        start,
        limits=f"  range: {{joint: [base, arm], {bounds}}}",
        drives="  q: {joint: [base, arm], freedom: turn, zero: [base/K, arm/K]}",
    ).mechanism(form)
    assert m.status == "every mate holds"
    assert turned(m.poses["arm"]) == pytest.approx(end, abs=AT_END)
    assert m.drives["q"].value == pytest.approx(end, abs=AT_END)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("target", "named", "end"), [(100.0, "q", 30.0), (-400.0, "wide", -300.0)])
def test_the_limit_that_is_met_is_the_one_named(target, named, end, form):
    m = hinge(
        drives="  q: {joint: [base, arm], freedom: turn, value: 0, max: 30}",
        limits="  wide: {joint: [base, arm], freedom: turn, min: -300, max: 300}",
    ).mechanism(form)
    solved = m.drive(q=target)
    assert not solved.ok
    assert solved.values["q"] == pytest.approx(end, abs=AT_END)
    assert f"the limit of {named} is reached" in solved.status


# -- couplings ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_first_value_of_a_locked_drive_is_told(form):
    locked = GEARS.format(turn="", sense="true", value=10, teeth=[20, 40]) + SECOND_MESH
    m = read(locked).mechanism(form)
    assert m.mobility.freedoms == 0
    assert "drive q = 10 is not reached" in m.status
    assert turned(m.poses["pinion"]) == pytest.approx(0.0, abs=READS)
    with pytest.raises(MechanismError, match="drive q cannot be moved"):
        m.drive(q=10.0)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("turn", ["", ", turn: {axis: [1, 0, 0], angle: 180}"])
@pytest.mark.parametrize("sense", ["true", "false"])
@pytest.mark.parametrize("teeth", [(20, 20), (20, 40), (40, 20)])
def test_a_gear_turns_by_its_ratio_whichever_way_its_axis_points(teeth, sense, turn, form):
    m = read(GEARS.format(turn=turn, sense=sense, value=0, teeth=list(teeth))).mechanism(form)
    before = m.poses["wheel"].rotation()
    assert m.drive(q=30.0).ok
    # A wheel upside down turns the other way about the ground's z.
    way = (-1.0 if sense == "true" else 1.0) * 30.0 * teeth[0] / teeth[1]
    step = m.poses["wheel"].rotation() @ before.T
    np.testing.assert_allclose(step, about_z(np.radians(way)), rtol=0, atol=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_a_gear_beside_a_flipped_wheel_stays_in_step_with_its_start(form):
    flipped = """
  idle: {references: {K: {frame: {}}}}
mates:
  pin_3: {kind: coincident, a: base/K, b: idle/K}
  axis_3: {kind: parallel-z, a: base/K, b: idle/K, sense: false}
"""
    text = GEARS.format(turn="", sense="true", value=0, teeth=[20, 40])
    text = text.replace("\nmates:\n", flipped)
    text += "  inner: {kind: gear, a: wheel/K, b: idle/K, teeth: [40, 20], internal: true}\n"
    m = read(text).mechanism(form)
    for value in (0.0, 400.0):  # counted from where the parts start, not a turn beside it
        assert m.drive(q=value).ok
        turn = about_z(np.radians(-value / 2))
        np.testing.assert_allclose(m.poses["wheel"].rotation(), turn, rtol=0, atol=1e-9)
