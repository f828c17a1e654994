"""The library's assemblies start closed and have the freedoms and rows they are known for."""

from __future__ import annotations

import numpy as np
import pytest

from cad2mbs import library
from cad2mbs.library.build import Builder
from cad2mbs.library.planar import (
    CHAIN_COUPLER,
    CHAIN_EVEN,
    CHAIN_GROUND,
    CHAIN_ODD,
    CHAIN_RANGE,
    JANSEN,
)
from cad2mbs.library.platforms import DIETMAIER_BASE, DIETMAIER_LEGS, DIETMAIER_PLATFORM
from cad2mbs.model.mates import MATE_KINDS
from cad2mbs.model.references import SERVES, point
from tests.reference import four_bar, linkages, mate_rows, slider_crank, stewart

CLOSED = 1e-14  # relative to the model's size: a few roundings
FREEDOMS = {
    "bennett": 1,
    "dietmaier": 0,
    "double_rocker": 1,
    "four_bar": 1,
    "four_bar_chain": 1,
    "gear_pair": 1,
    "jansen_leg": 1,
    "lead_screw": 1,
    "over_redundant": 1,
    "rack_and_pinion": 1,
    "radial_engine": 1,
    "sarrus": 1,
    "scissor_lift": 1,
    "single_cylinder_engine": 1,
    "slider_crank_stop": 1,
    "spatial_four_bar": 1,
    "stewart": 6,
    "two_boxes": 0,
    "universal_shaft": 1,
}


def largest_row(assembly):
    poses = mate_rows.start(assembly)
    two, one = mate_rows.all_rows(assembly, poses, mate_rows.model_size(assembly, poses))
    return np.abs(two).max(), one.min(initial=np.inf)


def test_every_function_is_tested_here():
    assert set(library.__all__) == {*FREEDOMS, "conflict", "dietmaier_postures"}


@pytest.mark.parametrize("name", FREEDOMS)
def test_start_poses_satisfy_all_mates(name):
    two, one = largest_row(getattr(library, name)())
    assert two < CLOSED
    assert one >= 0


@pytest.mark.parametrize("name", FREEDOMS)
def test_freedoms_at_the_start_are_those_of_the_mechanism(name):
    assert mate_rows.freedoms(getattr(library, name)()) == FREEDOMS[name]


@pytest.mark.parametrize("name", [*FREEDOMS, "conflict"])
def test_mates_get_the_references_their_kind_needs(name):
    assembly = getattr(library, name)()
    for mate in assembly.mates.values():
        kind = MATE_KINDS[mate.kind]
        assert assembly.reference(mate.a).kind in SERVES[kind.a]
        assert assembly.reference(mate.b).kind in SERVES[kind.b]


@pytest.mark.parametrize(
    ("n", "counts"), [(1, (25, 5, 18)), (2, (41, 8, 30)), (3, (57, 11, 42)), (7, (121, 23, 90))]
)
def test_radial_engine_has_the_rows_of_the_contract(n, counts):
    assert mate_rows.counts(library.radial_engine(n)) == counts


def test_single_cylinder_engine_has_the_rows_of_the_contract():
    assert mate_rows.counts(library.single_cylinder_engine()) == (29, 7, 18)


@pytest.mark.parametrize("crank", [0.0, 33.0, 180.0, 299.0])
def test_engines_start_closed_at_any_crank_angle(crank):
    for assembly in (library.single_cylinder_engine(crank), library.radial_engine(5, crank)):
        assert largest_row(assembly)[0] < CLOSED
    piston = library.single_cylinder_engine(crank).parts["piston"].pose
    assert piston is not None
    s = slider_crank.position(np.radians(crank), 40.0, 120.0)
    assert piston.position[0] == pytest.approx(s, rel=CLOSED)


@pytest.mark.parametrize("branch", [1, -1])
def test_four_bar_starts_on_the_branch_asked_for(branch):
    rocker = library.four_bar(branch=branch).parts["rocker"].pose
    assert rocker is not None
    bars = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
    psi = four_bar.position(bars, np.radians(60.0), branch).psi
    np.testing.assert_allclose(rocker.rotation()[:2, 0], [np.cos(psi), np.sin(psi)], atol=CLOSED)


@pytest.mark.parametrize("n", [1, 2, 9, 1000])
@pytest.mark.parametrize("crank", CHAIN_RANGE)
def test_chains_start_closed_at_both_ends_of_their_range(n, crank):
    assert largest_row(library.four_bar_chain(n, crank))[0] < CLOSED


def test_chain_has_no_dead_point_within_its_range():
    bars = four_bar.FourBar(CHAIN_GROUND, CHAIN_EVEN, CHAIN_COUPLER, CHAIN_ODD)
    for phi in np.radians(np.linspace(*CHAIN_RANGE, 101)):
        theta, psi = four_bar.position(bars, phi)
        assert np.sin(psi - theta) > 0.4  # odd four-bars: coupler against rocker
        assert np.sin(phi - theta) > 0.4  # even four-bars: the same, driven backwards


@pytest.mark.parametrize("stages", [1, 2, 6])
def test_scissor_lifts_of_any_height_move_with_one_freedom(stages):
    assembly = library.scissor_lift(stages)
    assert mate_rows.freedoms(assembly) == 1
    assert largest_row(assembly)[0] < CLOSED


@pytest.mark.parametrize("crank", [0.0, 100.0, 200.0, 300.0])
def test_jansen_foot_is_where_the_closed_form_puts_it(crank):
    assembly = library.jansen_leg(crank)
    poses = mate_rows.start(assembly)
    p, R = poses["lower"]
    foot = p + R @ np.array(assembly.parts["lower"].references["foot"].origin)
    expected = linkages.jansen(np.radians(crank), JANSEN)["foot"]
    np.testing.assert_allclose(foot, [expected.real, expected.imag, 0.0], atol=1e-11)


@pytest.mark.parametrize("theta", [10.0, 60.0, 170.0, 300.0])
def test_bennett_starts_closed_all_around(theta):
    assembly = library.bennett(theta)
    assert largest_row(assembly)[0] < CLOSED
    assert mate_rows.freedoms(assembly) == 1


@pytest.mark.parametrize("angle", [10.0, 45.0, 80.0])
@pytest.mark.parametrize("start", [0.0, 90.0, 200.0])
def test_universal_shaft_starts_closed_at_any_angle(angle, start):
    assert largest_row(library.universal_shaft(angle, start))[0] < CLOSED


def test_dietmaier_postures_are_forty_and_different():
    poses = library.dietmaier_postures()
    rows = np.array([[*p.quaternion, *p.position] for p in poses])
    apart = np.linalg.norm(rows[:, None] - rows[None], axis=2) + 9.0 * np.eye(len(rows))
    assert len(rows) == 40
    assert apart.min() > 0.1


@pytest.mark.parametrize("k", range(40))
def test_dietmaier_posture_has_the_given_leg_lengths(k):
    pose = library.dietmaier_postures()[k]
    legs = stewart.position(
        np.array(DIETMAIER_BASE), np.array(DIETMAIER_PLATFORM), pose.position, pose.rotation()
    )
    np.testing.assert_allclose(legs, DIETMAIER_LEGS, rtol=0, atol=1e-13)


def test_conflict_is_open_by_the_missing_length():
    assembly = library.conflict()
    poses = mate_rows.start(assembly)
    rows = {
        m.name: np.linalg.norm(mate_rows.mate_rows(assembly, poses, m, 1.0)[0])
        for m in assembly.mates.values()
    }
    assert rows.pop("apex_point") == pytest.approx(10.0, rel=CLOSED)
    assert max(rows.values()) < CLOSED


def test_rank_check_sees_a_mate_that_is_gone():
    whole = library.four_bar()
    mates = {k: m for k, m in whole.mates.items() if k != "rocker_pin_point"}
    loose = type(whole)(whole.name, whole.parts, mates, whole.drives, units=whole.units)
    assert mate_rows.freedoms(loose) == 3


def test_row_check_sees_a_part_out_of_place():
    assembly = library.four_bar()
    poses = mate_rows.start(assembly)
    off = mate_rows.moved(poses, "rocker", np.array([0, 0, 1e-6, 0, 0, 0]), 1.0)
    assert np.abs(mate_rows.all_rows(assembly, off, 1.0)[0]).max() > 1e-7


def test_builder_refuses_a_name_used_twice():
    build = Builder("x")
    build.ground("a", p=point((0, 0, 0)))
    with pytest.raises(ValueError, match="used twice"):
        build.ground("a")


def test_builder_refuses_a_reference_that_does_not_exist():
    build = Builder("x")
    build.ground("a", p=point((0, 0, 0)))
    with pytest.raises(ValueError, match="no reference 'a/q'"):
        build.mate("m", "coincident", "a/p", "a/q")


@pytest.mark.parametrize(
    "make", [lambda: library.radial_engine(0), lambda: library.four_bar_chain(0)]
)
def test_empty_mechanisms_are_refused(make):
    with pytest.raises(ValueError, match="at least one"):
        make()
