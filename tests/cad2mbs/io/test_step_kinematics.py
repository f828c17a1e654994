"""STEP kinematics written by hand, by the tables of the schemas, is read as mates."""

from __future__ import annotations

import numpy as np
import pytest

from cad2mbs.cad.load import read as read_geometry
from cad2mbs.cad.worker import Worker
from cad2mbs.errors import InputError
from cad2mbs.io.kinematics import carries_mechanism, read_mechanism
from cad2mbs.model.assembly import Assembly, CouplingKind
from tests.cad2mbs.io.step_kinematics_models import IDENTITY, Frame, Text, ap214, ap242

STARS = "*,*,*,*,*,*"
AXIS: Frame = ((1.0, 2.0, 3.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def worker():
    with Worker() as one:
        yield one


@pytest.fixture
def read(worker):
    def mechanism(path) -> Assembly:
        return read_mechanism(path, document=read_geometry(path, worker=worker, cache=False))

    return mechanism


def matrix(frame: Frame) -> np.ndarray:
    X = np.eye(4)
    z, x = np.array(frame[1]), np.array(frame[2])
    X[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    X[:3, 3] = frame[0]
    return X


def placed_by(F1: Frame, F2: Frame) -> dict[str, np.ndarray]:
    """Poses of two parts whose frames coincide."""
    return {"a": np.eye(4), "b": matrix(F1) @ np.linalg.inv(matrix(F2))}


OTHER: Frame = ((4.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
# Keyword, slots after the joint, kind of joint, freedoms.
PAIRS = {
    "revolute": ("REVOLUTE_PAIR", STARS, "revolute", 1),
    "prismatic": ("PRISMATIC_PAIR", STARS, "prismatic", 1),
    "cylindrical": ("CYLINDRICAL_PAIR", STARS, "cylindrical", 2),
    "planar": ("PLANAR_PAIR", STARS, "planar", 3),
    "spherical": ("SPHERICAL_PAIR", STARS, "spherical", 3),
    "pinned ball": ("SPHERICAL_PAIR_WITH_PIN", STARS, "universal", 2),
    "universal": ("UNIVERSAL_PAIR", f"{STARS},$", "universal", 2),
    "homokinetic": ("HOMOKINETIC_PAIR", f"{STARS},$", "universal", 2),
    "welded": ("FULLY_CONSTRAINED_PAIR", STARS, None, 0),
    "free": ("UNCONSTRAINED_PAIR", STARS, None, 6),
    "point on line": ("LOW_ORDER_KINEMATIC_PAIR", ".T.,.F.,.F.,.T.,.T.,.T.", "point on line", 4),
    "parallel": ("LOW_ORDER_KINEMATIC_PAIR", ".T.,.T.,.T.,.F.,.T.,.F.", "parallel axes", 4),
    "slot": ("LOW_ORDER_KINEMATIC_PAIR", ".F.,.T.,.F.,.F.,.F.,.T.", "pin in slot", 2),
    "screw": ("SCREW_PAIR", "6.", "screw", 1),
}


@pytest.mark.parametrize("case", PAIRS)
def test_a_pair_leaves_free_what_the_schema_says(tmp_path, read, case):
    word, slots, kind, freedoms = PAIRS[case]
    text = Text(tmp_path, placed_by(AXIS, OTHER))
    a = read(ap242(text, ["a", "b"], [(word, "a", "b", AXIS, OTHER, slots)], "a"))
    assert [n for n, p in a.parts.items() if p.grounded] == ["a"]
    assert all(p.solid is not None for p in a.parts.values())
    m = a.mechanism()
    assert m.assembled
    assert m.mobility.freedoms == freedoms
    assert [j.kind for j in m.joints] == ([kind] if kind else [])


FREE_AXIS = {"revolute": 2, "prismatic": 0, "cylindrical": 2, "planar": 2}


@pytest.mark.parametrize("case", FREE_AXIS)
def test_a_pair_moves_about_its_own_axis(tmp_path, read, case):
    word, slots, *_ = PAIRS[case]
    text = Text(tmp_path, placed_by(AXIS, OTHER))
    m = read(ap242(text, ["a", "b"], [(word, "a", "b", AXIS, OTHER, slots)], "a")).mechanism()
    axis = matrix(AXIS)[:3, FREE_AXIS[case]]
    before = m.poses["b"]
    drive = next(n for n in m.drives if ("slide" in n) == (case == "prismatic"))
    assert m.drive({drive: m.drives[drive].value + 15.0}).ok
    after = m.poses["b"]
    R = after.rotation() @ before.rotation().T
    if case == "prismatic":
        moved = np.subtract(after.position, before.position)
        assert np.allclose(np.cross(moved, axis), 0.0, atol=1e-9)
        assert np.linalg.norm(moved) == pytest.approx(15.0)
    else:
        assert np.allclose(R @ axis, axis, atol=1e-9)
        assert np.trace(R) == pytest.approx(1.0 + 2.0 * np.cos(np.radians(15.0)))


def test_derived_slots_may_hold_values_instead_of_stars(tmp_path, read):
    for name, slots in (("stars", STARS), ("values", ".F.,.F.,.F.,.F.,.F.,.T.")):
        folder = tmp_path / name
        folder.mkdir()
        text = Text(folder, placed_by(AXIS, OTHER))
        pair = ("REVOLUTE_PAIR", "a", "b", AXIS, OTHER, slots)
        m = read(ap242(text, ["a", "b"], [pair], "a")).mechanism()
        assert [j.kind for j in m.joints] == ["revolute"]


def test_ranges_bound_the_pair_from_where_its_frames_coincide(tmp_path, read):
    text = Text(tmp_path, placed_by(AXIS, OTHER))
    slots = f"{STARS},-5.,20.,$,{np.pi / 6!r}"
    pair = ("CYLINDRICAL_PAIR_WITH_RANGE", "a", "b", AXIS, OTHER, slots)
    a = read(ap242(text, ["a", "b"], [pair], "a"))
    bounds = {limit.of.freedom: (limit.low, limit.high) for limit in a.limits.values()}
    assert bounds["slide"] == (pytest.approx(-5.0), pytest.approx(20.0))
    assert bounds["turn"] == (None, pytest.approx(30.0))
    m = a.mechanism()
    slide = next(n for n in m.drives if "slide" in n)
    before = np.array(m.poses["b"].position)
    m.drive({slide: m.drives[slide].value + 1e3})
    m.drive({slide: m.drives[slide].value - 1e3})
    # The two ends of the range are 25 mm apart along the axis.
    low = (np.array(m.poses["b"].position) - before) @ matrix(AXIS)[:3, 2]
    m.drive({slide: m.drives[slide].value + 1e3})
    high = (np.array(m.poses["b"].position) - before) @ matrix(AXIS)[:3, 2]
    assert sorted((low, high)) == pytest.approx([-5.0, 20.0], abs=1e-6)


def test_ranges_that_mates_cannot_say_are_told(tmp_path, read):
    text = Text(tmp_path, placed_by(AXIS, OTHER))
    pair = ("SPHERICAL_PAIR_WITH_RANGE", "a", "b", AXIS, OTHER, f"{STARS},0.,1.,$,$,$,$")
    a = read(ap242(text, ["a", "b"], [pair], "a"))
    assert not a.limits
    assert any("'J0'" in note and "yaw" in note for note in a.notes)


def test_units_are_those_of_the_links_context(tmp_path, read):
    inch = 25.4
    F: Frame = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    text = Text(tmp_path, {"a": np.eye(4), "b": np.eye(4)})
    context = text.units("inch", "degree")
    pair = ("CYLINDRICAL_PAIR_WITH_RANGE", "a", "b", F, F, f"{STARS},-1.,2.,-10.,40.")
    a = read(ap242(text, ["a", "b"], [pair], "a", context))
    assert a.parts["a"].references["J0"].origin == pytest.approx((inch, 0.0, 0.0))
    bounds = {limit.of.freedom: (limit.low, limit.high) for limit in a.limits.values()}
    assert bounds["slide"] == (pytest.approx(-inch), pytest.approx(2 * inch))
    assert bounds["turn"] == (pytest.approx(-10.0), pytest.approx(40.0))


def at(x: float) -> Frame:
    return ((x, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))


def test_a_gear_pair_couples_two_wheels_by_their_radii(tmp_path, read):
    X = np.eye(4)
    X[0, 3] = 30.0
    text = Text(tmp_path, {"frame": np.eye(4), "small": np.eye(4), "large": X})
    pairs = [
        ("REVOLUTE_PAIR", "frame", "small", IDENTITY, IDENTITY, STARS),
        ("REVOLUTE_PAIR", "frame", "large", at(30.0), IDENTITY, STARS),
        ("GEAR_PAIR", "small", "large", IDENTITY, IDENTITY, "10.,20.,0.,0.,0.5"),
    ]
    m = read(ap242(text, ["frame", "small", "large"], pairs, "frame")).mechanism()
    assert m.mobility.freedoms == 1
    (drive,) = m.drives
    assert m.drive({drive: m.drives[drive].value + 30.0}).ok
    turns = [np.degrees(np.arctan2(*m.poses[n].rotation()[[1, 0], 0])) for n in ("small", "large")]
    assert max(np.abs(turns)) == pytest.approx(30.0, abs=1e-6)
    assert turns[1] == pytest.approx(-0.5 * turns[0], abs=1e-6)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_rack_runs_along_x_of_its_frame_by_the_radius(tmp_path, read, swapped):
    text = Text(tmp_path, {n: np.eye(4) for n in ("frame", "pinion", "rack")})
    ends = ("pinion", "rack") if swapped else ("rack", "pinion")
    pairs = [
        ("REVOLUTE_PAIR", "frame", "pinion", IDENTITY, IDENTITY, STARS),
        ("PRISMATIC_PAIR", "frame", "rack", IDENTITY, IDENTITY, STARS),
        ("RACK_AND_PINION_PAIR", *ends, IDENTITY, IDENTITY, "8."),
    ]
    a = read(ap242(text, ["frame", "pinion", "rack"], pairs, "frame"))
    assert next(iter(a.couplings.values())).kind is CouplingKind.RACK
    m = a.mechanism()
    assert m.mobility.freedoms == 1
    drive = next(n for n in m.offer() if "pinion" in n)
    assert m.drive({drive: m.offer()[drive].value + 40.0}).ok
    turn = np.arctan2(*m.poses["pinion"].rotation()[[1, 0], 0])
    assert abs(np.degrees(turn)) == pytest.approx(40.0, abs=1e-6)
    assert m.poses["rack"].position[0] == pytest.approx(8.0 * turn, abs=1e-9)


def test_a_gear_that_nothing_carries_is_told(tmp_path, read):
    text = Text(tmp_path, {"a": np.eye(4), "b": np.eye(4)})
    pair = ("GEAR_PAIR", "a", "b", IDENTITY, IDENTITY, "1.,2.,0.,0.,0.5")
    a = read(ap242(text, ["a", "b"], [pair], "a"))
    assert not a.couplings
    assert any("GEAR_PAIR" in note and "carries" in note for note in a.notes)


SURFACES = {
    "plane": ("PLANE('',#{f})", 5),
    "cylinder": ("CYLINDRICAL_SURFACE('',#{f},7.)", 5),
    "sphere": ("SPHERICAL_SURFACE('',#{f},7.)", 5),
}


@pytest.mark.parametrize("case", SURFACES)
def test_a_point_stays_on_a_surface(tmp_path, read, case):
    entity, freedoms = SURFACES[case]
    X = np.eye(4)
    X[:3, 3] = (7.0, 0.0, 0.0)  # on the cylinder and the sphere, and in the plane z = 0
    text = Text(tmp_path, {"a": np.eye(4), "b": X})
    surface = text.add(entity.format(f=text.frame()))
    pair = ("POINT_ON_SURFACE_PAIR", "a", "b", IDENTITY, IDENTITY, f"#{surface}")
    m = read(ap242(text, ["a", "b"], [pair], "a")).mechanism()
    assert m.assembled
    assert m.mobility.freedoms == freedoms
    assert m.poses["b"].position == pytest.approx((7.0, 0.0, 0.0), abs=1e-9)


CURVES = {"line": ("LINE('',#{p},#{v})", 4), "circle": ("CIRCLE('',#{f},7.)", 4)}


@pytest.mark.parametrize("case", CURVES)
def test_a_point_stays_on_a_curve(tmp_path, read, case):
    entity, freedoms = CURVES[case]
    X = np.eye(4)
    X[:3, 3] = (7.0, 0.0, 0.0)  # on the circle, and on the line along x
    text = Text(tmp_path, {"a": np.eye(4), "b": X})
    point, way = text.add("CARTESIAN_POINT('',(0.,0.,0.))"), text.add("DIRECTION('',(1.,0.,0.))")
    arrow = text.add(f"VECTOR('',#{way},1.)")
    curve = text.add(entity.format(f=text.frame(), p=point, v=arrow))
    pair = ("POINT_ON_PLANAR_CURVE_PAIR", "a", "b", IDENTITY, IDENTITY, f"#{curve},.T.")
    m = read(ap242(text, ["a", "b"], [pair], "a")).mechanism()
    assert m.assembled
    assert m.mobility.freedoms == freedoms
    assert m.poses["b"].position == pytest.approx((7.0, 0.0, 0.0), abs=1e-9)


def test_pairs_of_other_kinds_are_told_by_their_keyword(tmp_path, read):
    text = Text(tmp_path, {"a": np.eye(4), "b": np.eye(4)})
    curve = text.add("DUMMY_CURVE('')")
    pairs = [
        ("REVOLUTE_PAIR", "a", "b", IDENTITY, IDENTITY, STARS),
        ("ROLLING_CURVE_PAIR", "a", "b", IDENTITY, IDENTITY, f"#{curve},#{curve},.T."),
    ]
    a = read(ap242(text, ["a", "b"], pairs, "a"))
    assert a.mechanism().mobility.freedoms == 1
    assert any("ROLLING_CURVE_PAIR" in note for note in a.notes)


def test_a_link_without_geometry_is_a_part_between_others(tmp_path, read):
    text = Text(tmp_path, {"a": np.eye(4), "b": np.eye(4)})
    turned: Frame = ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    pairs = [
        ("REVOLUTE_PAIR", "a", "cross", IDENTITY, IDENTITY, STARS),
        ("REVOLUTE_PAIR", "cross", "b", turned, turned, STARS),
    ]
    a = read(ap242(text, ["a", "b", "cross"], pairs, "a", bare=("cross",)))
    assert a.parts["cross"].solid is None
    assert any("cross" in note for note in a.notes)
    assert a.mechanism().mobility.freedoms == 2


def test_parts_of_no_link_stand_still_and_are_told(tmp_path, read):
    text = Text(tmp_path, {n: np.eye(4) for n in ("a", "b", "idle")})
    pair = ("REVOLUTE_PAIR", "a", "b", IDENTITY, IDENTITY, STARS)
    a = read(ap242(text, ["a", "b"], [pair], "a"))
    assert a.parts["idle"].grounded
    assert any("idle" in note for note in a.notes)
    assert a.mechanism().mobility.freedoms == 1


def test_an_actuated_pair_in_its_combined_form_becomes_a_drive(tmp_path, read):
    text = Text(tmp_path, {"a": np.eye(4), "b": np.eye(4)})
    pair = ("REVOLUTE_PAIR", "a", "b", IDENTITY, IDENTITY, STARS)
    path = ap242(text, ["a", "b"], [pair], "a")
    old = next(line for line in path.read_text().splitlines() if "= REVOLUTE_PAIR(" in line)
    one, two, joint = old.partition("$,")[2].split(",")[:3]
    new = (
        f"{old.partition(' =')[0]} = (ACTUATED_KINEMATIC_PAIR($,$,$,$,$,.BIDIRECTIONAL.) "
        f"GEOMETRIC_REPRESENTATION_ITEM() ITEM_DEFINED_TRANSFORMATION(*,$,{one},{two}) "
        f"KINEMATIC_PAIR({joint}) LOW_ORDER_KINEMATIC_PAIR(*,*,*,*,*,*) "
        "REPRESENTATION_ITEM('motor') REVOLUTE_PAIR());"
    )
    path.write_text(path.read_text().replace(old, new))
    m = read(path).mechanism()
    assert m.drive(motor=33.0).ok
    turn = np.degrees(np.arctan2(*m.poses["b"].rotation()[[1, 0], 0]))
    assert turn == pytest.approx(33.0, abs=1e-9)


def test_the_structure_of_ap214_is_read_the_same(tmp_path, read):
    text = Text(tmp_path, placed_by(AXIS, OTHER), schema="AP214")
    pairs = [("REVOLUTE_PAIR", "a", "b", AXIS, OTHER, "")]
    low, high = (f"PLANE_ANGLE_MEASURE({v!r})" for v in (-0.5, 1.0))
    a = read(ap214(text, ["a", "b"], pairs, "b", {0: f"{low},{high}"}))
    assert [n for n, p in a.parts.items() if p.grounded] == ["b"]
    (limit,) = a.limits.values()
    assert (limit.low, limit.high) == pytest.approx((np.degrees(-0.5), np.degrees(1.0)))
    m = a.mechanism()
    assert [j.kind for j in m.joints] == ["revolute"]
    assert m.poses["a"].position == pytest.approx((0, 0, 0), abs=1e-9)


def test_an_unlimited_range_of_ap214_bounds_one_side_only(tmp_path, read):
    text = Text(tmp_path, {"a": np.eye(4), "b": np.eye(4)}, schema="AP214")
    pairs = [("PRISMATIC_PAIR", "a", "b", IDENTITY, IDENTITY, "")]
    slots = ".UNLIMITED_RANGE.,LENGTH_MEASURE(12.)"
    (limit,) = read(ap214(text, ["a", "b"], pairs, "a", {0: slots})).limits.values()
    assert (limit.low, limit.high) == (None, 12.0)


def test_instances_of_one_product_are_told_apart_by_their_use(tmp_path, read):
    X = np.eye(4)
    X[0, 3] = 50.0
    text = Text(tmp_path, {"a": np.eye(4), "b": X})
    # Both uses now place the product of a.
    old, new = (f"#{text.root},#{text.child[name]}," for name in "ba")
    text.head = text.head.replace(old, new)
    text.child["b"] = text.child["a"]
    pair = ("REVOLUTE_PAIR", "a", "b", at(50.0), IDENTITY, STARS)
    a = read(ap242(text, ["a", "b"], [pair], "b"))
    assert a.parts["b"].grounded
    assert a.parts["b"].pose is not None
    assert a.parts["b"].pose.position[0] == pytest.approx(50.0)


def test_a_file_without_kinematics_is_told(tmp_path):
    path = Text(tmp_path, {"a": np.eye(4), "b": np.eye(4)}).write()
    assert not carries_mechanism(path)
    with pytest.raises(InputError, match="no kinematics"):
        read_mechanism(path)


def test_what_is_no_step_file_carries_no_mechanism(tmp_path):
    assert not carries_mechanism(tmp_path / "none.step")
    (tmp_path / "text.step").write_text("KINEMATIC_JOINT(")
    assert not carries_mechanism(tmp_path / "text.step")


@pytest.mark.parametrize(
    "broken",
    ["#99 = REVOLUTE_PAIR('x',*,$,#1,#1,#1,*,*,*,*,*,*);", "#99 = KINEMATIC_JOINT('x',#1,#2);",
     "#99 = RIGID_LINK_REPRESENTATION('',(#1),#2,#3);", "#99 = GEAR_PAIR();",
     "#99 = KINEMATIC_LINK_REPRESENTATION_ASSOCIATION('',$,#1,#2);",
     "#99 = REVOLUTE_PAIR('x',((((;"],
)  # fmt: skip
def test_entities_that_lead_nowhere_are_told_and_left_out(tmp_path, read, broken):
    text = Text(tmp_path, {"a": np.eye(4), "b": np.eye(4)})
    text.head += broken.replace("#99", f"#{text.number + 5000}") + "\n"
    pair = ("REVOLUTE_PAIR", "a", "b", IDENTITY, IDENTITY, STARS)
    a = read(ap242(text, ["a", "b"], [pair], "a"))
    assert a.mechanism().mobility.freedoms == 1
    assert any("left out" in note for note in a.notes)
