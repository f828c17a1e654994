"""Verdicts keep their word: redundant mates can go, needed ones cannot, conflicts are smallest."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import cad2mbs
from cad2mbs import library
from cad2mbs.library.build import Builder, X, Z
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import MATE_KINDS
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.model.references import frame, plane, point, vector
from tests.mechanism.support import (
    FOLDERS,
    assert_same_poses,
    expected,
    size_of,
    swept_poses,
    without,
)

FITTING = [f.name for f in FOLDERS if not expected(f).get("conflict")]
# The implicit radial engine has 90 unknowns: seconds, and no new case.
CASES = [(n, "mixed") for n in FITTING] + [(n, "implicit") for n in FITTING if n != "radial_engine"]


def judged(assembly: Assembly, verdict: str, formulation: str = "mixed") -> list[str]:
    return [v.name for v in assembly.mechanism(formulation).verdicts() if v.verdict == verdict]


def freedoms(assembly: Assembly) -> int:
    return assembly.mechanism().mobility.freedoms


def freedoms_here(assembly: Assembly) -> int:
    """Freedoms at the pose; more than the generic ones where a tilt is locked in second order."""
    return assembly.mechanism().mobility.at_pose


def gaps(assembly: Assembly) -> dict[str, tuple[float, float]]:
    return {v.name: (v.residual_mm, v.residual_deg) for v in assembly.mechanism().verdicts()}


# -- redundant and needed -----------------------------------------------------------------


@pytest.mark.parametrize(("name", "formulation"), CASES)
def test_all_redundant_mates_can_be_left_out_at_once(name, formulation):
    whole = cad2mbs.load(name)
    lean = without(whole, judged(whole, "redundant", formulation))
    assert freedoms(lean) == freedoms(whole)
    one, other = whole.mechanism(), lean.mechanism()
    assert_same_poses(one.poses, other.poses, size_of(whole))
    if not whole.drives:
        return
    drives = {n: one.drives[n] for n in whole.drives}
    moved = {}
    for k, (n, d) in enumerate(drives.items()):
        by = 12.0 if d.unit == "deg" else 5.0 + k
        room = d.high is None or d.value + by <= d.high
        moved[n] = d.value + np.linspace(0.0, by if room else -by, 13)
    results = [m.sweep(moved) for m in (one, other)]
    assert all(r.ok for r in results)
    for k in (4, 12):
        poses = [swept_poses(whole, r, k) for r in results]
        assert_same_poses(*poses, size_of(whole))


@pytest.mark.parametrize("name", [n for n in FITTING if n != "radial_engine"])
def test_without_the_redundant_mates_every_other_one_is_needed(name):
    whole = cad2mbs.load(name)
    lean = without(whole, judged(whole, "redundant"))
    assert judged(lean, "redundant") == []
    # A drive of a joint that loses a mate may no longer know which freedom it means.
    drives = {n: d for n, d in lean.drives.items() if d.mate is not None}
    lean = replace(lean, drives=drives, positions={})
    before = freedoms_here(lean)
    driven = {d.mate for d in lean.drives.values()}
    idle = [
        mate.name
        for mate in lean.mates.values()
        if not MATE_KINDS[mate.kind].one_sided
        and mate.name not in driven
        and freedoms_here(without(lean, [mate.name])) <= before
    ]
    assert idle == []


@pytest.mark.parametrize("name", ["four_bar", "stewart", "two_boxes"])
@pytest.mark.parametrize("twice", [0, -1])
def test_a_mate_said_twice_is_redundant_once(name, twice):
    whole = cad2mbs.load(name)
    mate = list(whole.mates.values())[twice]
    doubled = Assembly(
        whole.name, whole.parts,
        {**whole.mates, "again": type(mate)("again", mate.kind, mate.a, mate.b, mate.value)},
        whole.drives, units=whole.units)  # fmt: skip
    assert freedoms(doubled) == freedoms(whole)
    assert len(judged(doubled, "redundant")) == len(judged(whole, "redundant")) + 1


# -- conflicts ----------------------------------------------------------------------------


def hinge(kind: str, *angles: float) -> Assembly:
    """An arm on a hinge with its angle said several times."""
    build = Builder("Hinge")
    build.ground("base", pivot=frame(), level=vector(X))
    build.part("arm", IDENTITY, pivot=frame(), level=vector(X))
    build.revolute("pin", "base/pivot", "arm/pivot")
    on = "pivot" if kind == "offset-x" else "level"
    for k, angle in enumerate(angles):
        build.mate(f"angle_{k}", kind, f"base/{on}", f"arm/{on}", angle)
    return build.build()


def block(floor: float, height: float) -> Assembly:
    """A block on a vertical rail at `height` that must stay above `floor` [mm]."""
    build = Builder("Block")
    build.ground("base", rail=frame(), level=plane((0, 0, 0), Z))
    build.part("block", Pose((0.0, 0.0, 3.0)), shoe=frame(), foot=point((0, 0, 0)))
    build.prismatic("rail", "block/shoe", "base/rail")
    build.mate("floor", "halfspace", "block/foot", "base/level", floor)
    build.mate("height", "in-plane", "block/foot", "base/level", height)
    return build.build()


def tilted(angle: float) -> tuple[float, float, float]:
    return (0.0, math.sin(math.radians(angle)), math.cos(math.radians(angle)))


def grounded(**mates: float) -> Assembly:
    """Two grounded parts 5 mm apart, directions 25 deg apart, with some of three mates."""
    build = Builder("Grounded")
    build.ground("one", at=point((0, 0, 0)), up=vector(Z))
    build.ground("two", Pose((3.0, 4.0, 0.0)), at=point((0, 0, 0)), up=vector(tilted(25.0)))
    if "points" in mates:
        build.mate("points", "coincident", "one/at", "two/at")
    if "directions" in mates:
        build.mate("directions", "parallel-z", "one/up", "two/up")
    if "apart" in mates:
        build.mate("apart", "distance", "one/at", "two/at", mates["apart"])
    return build.build()


def welded(offset: float = 2.0) -> Assembly:
    """A hinged part with another one welded to it, whose pins miss each other by `offset` [mm]."""
    build = Builder("Welded")
    build.ground("base", pivot=frame())
    build.part("arm", IDENTITY, pivot=frame(), pin=frame((10, 0, 0)))
    build.part("plate", IDENTITY, pivot=frame(), pin=frame((10 + offset, 0, 0)))
    build.revolute("pin", "base/pivot", "arm/pivot")
    build.mate("weld", "identical", "arm/pivot", "plate/pivot")
    build.mate("pins", "coincident", "arm/pin", "plate/pin")
    return build.build()


CONFLICTS = {
    "short bars": (library.conflict, {"left_pivot_point", "right_pivot_point", "apex_point"}),
    "two turns": (lambda: hinge("offset-x", 10.0, 40.0), {"angle_0", "angle_1"}),
    "two angles": (lambda: hinge("offset-z", 10.0, 40.0), {"angle_0", "angle_1"}),
    "below the floor": (lambda: block(5.0, 2.0), {"floor", "height"}),
    "welded": (welded, {"weld", "pins"}),
    "grounded": (lambda: grounded(points=0, apart=5.0), {"points"}),
}


@pytest.mark.parametrize("case", CONFLICTS)
def test_the_conflict_names_the_mates_that_contradict(case):
    make, wanted = CONFLICTS[case]
    m = make().mechanism()
    assert not m.assembled
    assert set(m.conflict) == wanted
    assert {v.name for v in m.verdicts() if v.verdict == "conflicting"} == wanted


@pytest.mark.parametrize("case", CONFLICTS)
def test_leaving_out_any_one_of_the_conflict_makes_the_rest_fit(case):
    assembly = CONFLICTS[case][0]()
    conflict = assembly.mechanism().conflict
    others = set(assembly.mates) - set(conflict)
    assert not without(assembly, others).mechanism().assembled
    for name in conflict:
        assert without(assembly, {name}).mechanism().assembled


def test_two_bars_too_short_are_open_by_the_missing_length():
    m = library.conflict(100.0, 40.0, 50.0).mechanism()
    assert sum(v.residual_mm for v in m.verdicts()) == pytest.approx(10.0, rel=1e-6)
    assert max(v.residual_deg for v in m.verdicts()) < 1e-6
    assert "apex_point by 10 mm" in m.status


@pytest.mark.parametrize("kind", ["offset-x", "offset-z"])
@pytest.mark.parametrize("angles", [(10.0, 40.0), (80.0, 100.0), (5.0, 110.0), (40.0, 145.0)])
def test_two_angles_are_open_by_their_difference(kind, angles):
    found = gaps(hinge(kind, *angles))
    one, other = found["angle_0"][1], found["angle_1"][1]
    assert one + other == pytest.approx(angles[1] - angles[0], abs=1e-5)
    # The hinge has no part in the conflict, so it holds.
    assert found["pin_axis"][1] < 1e-5
    assert max(mm for mm, _ in found.values()) < 1e-6


@pytest.mark.parametrize("angles", [(10.0, 40.0), (30.0, 30.0)])
def test_a_mate_that_alone_holds_the_pin_is_never_redundant(angles):
    verdict = {v.name: v.verdict for v in hinge("offset-x", *angles).mechanism().verdicts()}
    assert verdict["pin_point"] == "needed"


def test_a_floor_too_high_is_open_by_what_is_missing():
    found = gaps(block(5.0, 2.0))
    assert found["floor"][0] + found["height"][0] == pytest.approx(3.0, abs=1e-6)
    assert max(deg for _, deg in found.values()) < 1e-6
    assert block(1.0, 2.0).mechanism().assembled


@pytest.mark.parametrize("offset", [1e-3, 2.0])
def test_mate_inside_a_welded_body_that_does_not_hold_is_conflicting(offset):
    m = welded(offset).mechanism()
    verdict = {v.name: v for v in m.verdicts()}
    assert not m.assembled
    assert verdict["pins"].verdict == "conflicting"
    assert verdict["pins"].residual_mm == pytest.approx(offset, rel=1e-9)
    assert verdict["pin_point"].verdict == verdict["pin_axis"].verdict == "needed"
    assert welded(0.0).mechanism().assembled


def test_mates_between_grounded_parts_that_do_not_hold_are_all_conflicting():
    m = grounded(points=0, directions=0, apart=5.0).mechanism()
    verdict = {v.name: v for v in m.verdicts()}
    assert not m.assembled
    assert verdict["points"].residual_mm == pytest.approx(5.0, rel=1e-12)
    assert verdict["directions"].residual_deg == pytest.approx(25.0, rel=1e-12)
    assert verdict["apart"].verdict == "redundant"
    assert verdict["points"].verdict == "conflicting"
    assert verdict["directions"].verdict == "conflicting"


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_a_conflict_is_one_at_every_scale(scale):
    m = library.conflict(100.0 * scale, 40.0 * scale, 50.0 * scale).mechanism()
    assert set(m.conflict) == CONFLICTS["short bars"][1]
    assert sum(v.residual_mm for v in m.verdicts()) == pytest.approx(10.0 * scale, rel=1e-6)


@pytest.mark.parametrize(("right", "holds"), [(59.99, False), (59.99999, True)])
def test_a_gap_as_small_as_the_digits_of_the_data_is_told_but_no_conflict(right, holds):
    m = library.conflict(100.0, 40.0, right).mechanism()
    assert m.assembled == holds
    assert bool(m.conflict) != holds
    assert "apex_point by" in m.status
    assert ("within the precision of the data" in m.status) == holds
