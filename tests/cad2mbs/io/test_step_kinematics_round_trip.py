"""Mechanisms written into STEP files come back the same, and Open CASCADE finds nothing wrong."""

from __future__ import annotations

from dataclasses import replace

import cadquery as cq
import numpy as np
import pytest
from OCP.Interface import Interface_CheckTool
from OCP.STEPControl import STEPControl_Reader

import cad2mbs
from cad2mbs.cad.kernel.solids import solid_of
from cad2mbs.cad.load import read as read_geometry
from cad2mbs.cad.worker import Worker
from cad2mbs.errors import InputError
from cad2mbs.io import source
from cad2mbs.io.kinematics import read_mechanism, write_step_with_mechanism
from cad2mbs.mechanism import Mechanism
from cad2mbs.model import references
from cad2mbs.model.assembly import Assembly, Drive, Freedom, JointFreedom, Part
from cad2mbs.model.mates import Mate, RefId
from cad2mbs.model.pose import Pose
from tests.reference.joint_kinds import FREEDOMS

POSE_TOL = 1e-5  # [mm]  poses pass through single steps of two solvers and a text
SHIPPED = [n for n in source.shipped() if n != "conflict"]  # that one fits together in no way


@pytest.fixture(scope="module")
def worker():
    with Worker() as one:
        yield one


@pytest.fixture
def back(worker, tmp_path):
    """Write a mechanism, read it again; the text stays in tmp_path."""

    def trip(m: Mechanism, **options) -> tuple[Assembly, tuple[str, ...]]:
        path = tmp_path / "trip.step"
        told = write_step_with_mechanism(m, path, **options)
        document = read_geometry(path, worker=worker, cache=False)
        return read_mechanism(path, document=document), told

    return trip


def failures(path) -> list[str]:
    """What the kernel's own checks of a file's entities call failed."""
    reader = STEPControl_Reader()
    assert reader.ReadFile(str(path)) == 1
    model = reader.WS().Model()
    found = Interface_CheckTool(model, reader.WS().Protocol()).CompleteCheckList()
    out = []
    found.Start()
    while found.More():
        check = found.Value()
        out += [check.CFail(k) for k in range(1, check.NbFails() + 1)]
        found.Next()
    return out


def joints_of(m: Mechanism) -> list[tuple[list[str], str]]:
    """Joints by the parts of their bodies: the first part of a body may differ."""
    parts = {b.name: frozenset(b.parts) for b in m.bodies}
    return sorted((sorted(parts[j.bodies[0]] | parts[j.bodies[1]]), j.kind) for j in m.joints)


def mm(m: Mechanism) -> dict[str, np.ndarray]:
    """Positions of all parts [mm]."""
    return {n: np.array(p.position) * m.units.metre * 1e3 for n, p in m.poses.items()}


def placed_like(a: Assembly, m: Mechanism) -> Mechanism:
    """The assembly with its parts starting where another mechanism has them."""
    at = mm(m)
    parts = {
        n: replace(p, pose=Pose(tuple(at[n]), m.poses[n].quaternion)) for n, p in a.parts.items()
    }
    return replace(a, parts=parts, limits={}).mechanism()


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_mechanism_comes_back_the_same(name, back, tmp_path):
    m = cad2mbs.load(name).mechanism()
    a, told = back(m)
    assert failures(tmp_path / "trip.step") == []
    assert not [t for t in told if "no pair says" in t]
    b = a.mechanism()
    assert b.assembled
    assert b.mobility.freedoms == m.mobility.freedoms
    assert joints_of(b) == joints_of(m)
    assert {c.kind for c in a.couplings.values()} == {c.kind for c in m.assembly.couplings.values()}
    assert_same_axes(a, m)


def assert_same_axes(a: Assembly, m: Mechanism) -> None:
    """Where the mechanism moves to, the mates that came back hold: no part has to move for them."""
    for drive in list(m.drives)[:2]:
        info = m.drives[drive]
        step = 7.0 if info.unit == "deg" else 0.02 * m.structure.length / m.units.metre
        high = info.high is not None and info.value + step > info.high
        m.drive({drive: info.value + (-step if high else step)})
    moved = placed_like(a, m)
    assert moved.assembled
    want = mm(m)
    for part, p in mm(moved).items():
        assert p == pytest.approx(want[part], abs=POSE_TOL), part
        turn = moved.poses[part].rotation().T @ m.poses[part].rotation()
        assert np.trace(turn) == pytest.approx(3.0, abs=1e-9), part


@pytest.mark.parametrize("name", ["excavator", "suspension", "six_axis_robot", "hinged_box"])
def test_ranges_come_back_with_their_zero(name, back):
    m = cad2mbs.load(name).mechanism()
    a, _ = back(m)
    b = a.mechanism()
    given = {}
    for d in m.assembly.drives.values():
        if d.of is not None and (d.low is not None or d.high is not None):
            given[frozenset((d.of.a, d.of.b))] = (d.low, d.high, m.drives[d.name].value)
    assert len(a.limits) == len(given) > 0
    for limit in a.limits.values():
        gauge = b.structure.limits[limit.name]
        now = (gauge.sign * b.state[gauge.coord] + gauge.zero) / b.unit_of(gauge)
        found = (limit.low, limit.high, now)
        want = given[frozenset((limit.of.a, limit.of.b))]
        assert _near(found, want) or _near(found, _backwards(*want))


def _near(found: tuple, want: tuple) -> bool:
    pairs = zip(found, want, strict=True)
    return all(w is None if f is None else f == pytest.approx(w, abs=1e-6) for f, w in pairs)


def _backwards(low, high, value) -> tuple:
    """The same bounds counted the other way."""
    return tuple(None if v is None else -v for v in (high, low, value))


COUPLED = {
    "gear_pair": ("frame", "pinion", 20.0),
    "rack_and_pinion": ("frame", "pinion", 20.0),
    "lead_screw": ("frame", "spindle", 50.0),
}


@pytest.mark.parametrize("name", COUPLED)
def test_couplings_come_back_with_ratio_and_sense(name, back):
    base, part, by = COUPLED[name]
    m = cad2mbs.load(name).mechanism()
    assert m.drives[part].value == pytest.approx(0.0, abs=1e-9)
    a, _ = back(m)
    of = JointFreedom(base, part, Freedom.TURN)
    b = replace(a, drives={"turn": Drive("turn", of=of)}).mechanism()
    m.drive({part: by})
    b.drive(turn=by)
    turn = m.poses[part].rotation().T @ b.poses[part].rotation()
    if abs(np.trace(turn) - 3.0) > 1e-9:  # its axis points the other way
        b.drive(turn=-by)
    for n, p in mm(m).items():
        assert mm(b)[n] == pytest.approx(p, abs=1e-6)
        turn = m.poses[n].rotation().T @ b.poses[n].rotation()
        assert np.trace(turn) == pytest.approx(3.0, abs=1e-9)


def test_derived_slots_can_be_written_as_the_standard_wants(back, tmp_path):
    m = cad2mbs.load("four_bar").mechanism()
    a, _ = back(m, strict=True)
    assert "REVOLUTE_PAIR('ground-crank',*,$," in (tmp_path / "trip.step").read_text()
    assert joints_of(a.mechanism()) == joints_of(m)


def box(name: str) -> Part:
    return Part(name, solid=solid_of(cq.Workplane().box(10, 20, 30).val().wrapped, name))


def two_boxes(*mates: tuple, shift=(6.0, 8.0, 0.0)) -> Mechanism:
    """Two boxes, b shifted, with mates (kind, reference on a, reference on b, numbers)."""
    on_a, on_b, made = {}, {}, {}
    for k, (kind, first, second, numbers) in enumerate(mates):
        on_a[f"r{k}"], on_b[f"r{k}"] = first, second
        ends = (RefId("a", f"r{k}"), RefId("b", f"r{k}"))
        made[f"m{k}"] = Mate(f"m{k}", kind, *ends, **numbers)
    parts = {
        "a": replace(box("a"), grounded=True, pose=Pose(), references=on_a),
        "b": replace(box("b"), pose=Pose(shift), references=on_b),
    }
    return Assembly("two", parts, made).mechanism()


ORIGIN = references.point((0, 0, 0))
UP, ACROSS = references.axis((0, 0, 0), (0, 0, 1)), references.axis((0, 0, 0), (1, 0, 0))
FLAT, WHOLE = references.plane((0, 0, 0), (0, 0, 1)), references.frame()
LEVEL = references.plane((0, 0, 0), (0, 1, 0))
OFF = {"value": 0.0}
# By kind of joint: where b starts, and the mates.
CASES = {
    "rod": ((6, 8, 0), ("distance", ORIGIN, ORIGIN, {"value": 10.0})),
    "point on cylinder": ((6, 8, 0), ("axis-distance", ORIGIN, UP, {"value": 10.0})),
    "point on line": ((0, 0, 5), ("in-line", ORIGIN, UP, {})),
    "point on plane": ((6, 8, 0), ("in-plane", ORIGIN, FLAT, OFF)),
    "parallel axes": ((6, 8, 0), ("parallel-z", UP, UP, {})),
    "angle": ((6, 8, 0), ("offset-z", UP, ACROSS, {"value": 90.0})),
    "translation": ((6, 8, 0), ("offset-x", WHOLE, WHOLE, OFF)),
    "planar": ((6, 8, 0), ("in-plane", ORIGIN, FLAT, OFF), ("parallel-z", FLAT, FLAT, {})),
    "pin in slot": ((4, 0, 0), ("in-line", ORIGIN, ACROSS, {}), ("parallel-z", UP, UP, {})),
    "translation in a plane": (
        (6, -8, 0), ("offset-x", WHOLE, WHOLE, OFF), ("in-plane", ORIGIN, LEVEL, {"value": 8.0}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_every_joint_that_a_pair_can_say_comes_back(kind, back, tmp_path):
    shift, *mates = CASES[kind]
    m = two_boxes(*mates, shift=shift)
    assert [j.kind for j in m.joints] == [kind]
    a, told = back(m)
    assert failures(tmp_path / "trip.step") == []
    assert told == ()
    b = a.mechanism()
    assert [j.kind for j in b.joints] == [kind]
    assert b.mobility.freedoms == m.mobility.freedoms
    assert b.poses["b"].position == pytest.approx(m.poses["b"].position, abs=1e-9)


def test_what_no_pair_can_say_is_told(back):
    m = two_boxes(("offset-z", UP, ACROSS, {"value": 40.0}))
    a, told = back(m)
    assert any("angle" in sentence and "no pair" in sentence for sentence in told)
    assert a.mechanism().mobility.freedoms == 6


def test_a_part_that_nothing_holds_stays_free(back):
    a, told = back(two_boxes())
    assert told == ()
    assert a.mechanism().mobility.freedoms == 6


def test_rigid_parts_are_held_by_fully_constrained_pairs(back, tmp_path):
    m = two_boxes(("identical", WHOLE, WHOLE, {"transform": Pose((6.0, 8.0, 0.0))}))
    a, _ = back(m)
    assert "FULLY_CONSTRAINED_PAIR" in (tmp_path / "trip.step").read_text()
    assert a.mechanism().mobility.freedoms == FREEDOMS["fixed"]
    assert a.mechanism().poses["b"].position == pytest.approx((6.0, 8.0, 0.0))


def test_the_same_mechanism_gives_the_same_bytes(tmp_path):
    m = cad2mbs.load("gear_pair").mechanism()
    for name in ("one.step", "two.step"):
        write_step_with_mechanism(m, tmp_path / name)
    assert (tmp_path / "one.step").read_bytes() == (tmp_path / "two.step").read_bytes()


def test_without_any_shape_nothing_is_written(tmp_path):
    from cad2mbs import library

    path = tmp_path / "none.step"
    path.write_text("as it was")
    with pytest.raises(InputError, match="needs geometry"):
        write_step_with_mechanism(library.four_bar().mechanism(), path)
    assert path.read_text() == "as it was"


def test_a_place_that_cannot_be_written_to_is_told_and_left_clean(tmp_path):
    m = two_boxes(("coincident", ORIGIN, ORIGIN, {}))
    with pytest.raises(InputError, match="cannot be written"):
        write_step_with_mechanism(m, tmp_path / "none" / "x.step")
    folder = tmp_path / "folder.step"
    folder.mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_step_with_mechanism(m, folder)
    assert [p.name for p in tmp_path.iterdir()] == ["folder.step"]


def test_names_beyond_ascii_come_back(back):
    m = two_boxes(("coincident", ORIGIN, ORIGIN, {}), shift=(0, 0, 0))
    parts = {f"Träger {n}": replace(p, name=f"Träger {n}") for n, p in m.assembly.parts.items()}
    mates = {
        n: replace(x, a=RefId("Träger a", x.a.ref), b=RefId("Träger b", x.b.ref))
        for n, x in m.assembly.mates.items()
    }
    a, _ = back(replace(m.assembly, parts=parts, mates=mates).mechanism())
    assert set(a.parts) == {"Träger a", "Träger b"}
    assert [j.kind for j in a.mechanism().joints] == ["spherical"]
