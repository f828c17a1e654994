"""Every shipped assembly is what its expected.toml says, in every formulation."""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

import cad2mbs
from cad2mbs.errors import MechanismError
from cad2mbs.mechanism import Mechanism
from tests.mechanism.support import FOLDERS, dietmaier_modes, expected

KEYS = {
    "freedoms", "gruebler", "bodies", "loops", "drives", "joint", "formulations", "check", "stop",
    "redundant_mates", "redundant_mates_at_least", "conflict", "conflicting_mates", "open_mm",
    "postures",
}  # fmt: skip
NAME = attrgetter("name")
# (equations, one-sided, unknowns) of the implicit form, straight from the contract.
CONTRACT = {
    "single_cylinder_engine": (29, 7, 18),
    "radial_engine_1": (25, 5, 18),
    "radial_engine_2": (41, 8, 30),
    "radial_engine_3": (57, 11, 42),
}


def having(*keys: str) -> list:
    """The folders whose expectation has any of the keys."""
    return [pytest.param(f, id=f.name) for f in FOLDERS if set(keys) & set(expected(f))]


@cache
def untouched(folder: Path) -> Mechanism:
    """The mechanism of a folder, for questions that do not move it."""
    return cad2mbs.load(folder).mechanism()


def made(folder: Path, formulation: str) -> Mechanism:
    try:
        return cad2mbs.load(folder).mechanism(formulation)
    except MechanismError as error:
        if formulation == "explicit":
            pytest.skip(f"explicit form refused: {error}")
        raise


def counts(m: Mechanism, form: str) -> tuple[int, int, int]:
    found = m.formulations[form]
    return found["equations"], found["inequalities"], found["unknowns"]


@pytest.mark.parametrize("folder", FOLDERS, ids=NAME)
def test_nothing_expected_goes_unchecked(folder):
    assert set(expected(folder)) <= KEYS


@pytest.mark.parametrize("folder", FOLDERS, ids=NAME)
def test_structure_is_the_expected_one(folder):
    m, wanted = untouched(folder), expected(folder)
    assert len(m.bodies) == wanted["bodies"]
    assert m.loops == wanted["loops"]
    assert list(m.assembly.drives) == wanted["drives"]
    assert set(wanted["drives"]) <= set(m.drives)
    assert m.mobility.gruebler == wanted["gruebler"]
    if not wanted.get("conflict"):
        assert m.mobility.freedoms == wanted["freedoms"]
        assert m.mobility.at_pose == wanted["freedoms"]
        assert m.mobility.redundant == wanted["freedoms"] - wanted["gruebler"]
        assert len(m.mobility.names) == wanted["freedoms"]


@pytest.mark.parametrize("folder", FOLDERS, ids=NAME)
def test_joints_are_of_the_expected_kind_between_the_expected_bodies(folder):
    found = [(*sorted(j.bodies), j.kind) for j in untouched(folder).joints]
    wanted = [(*sorted(j["bodies"]), j["kind"]) for j in expected(folder).get("joint", ())]
    assert sorted(found) == sorted(wanted)


@pytest.mark.parametrize("folder", FOLDERS, ids=NAME)
def test_every_mate_belongs_to_one_joint_or_holds_inside_a_body_or_is_driven(folder):
    m = untouched(folder)
    inside = {p: b.name for b in m.bodies for p in b.parts}
    assert set(inside) == set(m.assembly.parts)
    in_joints = [n for j in m.joints for n in j.mates]
    assert len(in_joints) == len(set(in_joints))
    driven = {d.mate for d in m.assembly.drives.values()}
    for mate in m.assembly.mates.values():
        if mate.kind in ("halfspace", "signum-z") or mate.name in driven:
            continue
        same = inside[mate.a.part] == inside[mate.b.part]
        assert (mate.name in in_joints) != same


@pytest.mark.parametrize("formulation", ["implicit", "explicit"])
@pytest.mark.parametrize("folder", [f for f in FOLDERS if f.name != "radial_engine"], ids=NAME)
def test_freedoms_do_not_depend_on_the_formulation(folder, formulation):
    wanted = expected(folder)
    m = made(folder, formulation)
    assert m.mobility.gruebler == wanted["gruebler"]
    assert m.assembled == (not wanted.get("conflict", False))
    if m.assembled:
        assert m.mobility.freedoms == wanted["freedoms"]


@pytest.mark.parametrize("folder", having("formulations"))
def test_counts_of_both_forms_are_the_expected_ones(folder):
    m, wanted = untouched(folder), expected(folder)["formulations"]
    for form, numbers in wanted.items():
        assert counts(m, form) == tuple(
            numbers[k] for k in ("equations", "inequalities", "unknowns")
        )
        if "blocks" in numbers:
            assert list(m.blocks) == numbers["blocks"]


@pytest.mark.parametrize("name", CONTRACT)
@pytest.mark.parametrize("formulation", ["mixed", "implicit"])
def test_implicit_counts_are_those_of_the_contract(name, formulation):
    assert counts(cad2mbs.load(name).mechanism(formulation), "implicit") == CONTRACT[name]


def test_radial_engine_is_explicit_with_seven_blocks_of_two():
    m = cad2mbs.load("radial_engine").mechanism()
    assert counts(m, "explicit") == (14, 0, 14)
    assert list(m.blocks) == [2, 2, 2, 2, 2, 2, 2]


@pytest.mark.parametrize("formulation", ["mixed", "implicit", "explicit"])
@pytest.mark.parametrize("folder", having("check"))
def test_parts_stand_where_expected(folder, formulation):
    m = made(folder, formulation)
    mm = m.units.metre * 1e3
    for check in expected(folder)["check"]:
        solved = m.drive(check["drive"])
        assert solved.ok, solved.status
        for name, value in check["drive"].items():
            assert solved.values[name] == pytest.approx(value, rel=1e-12, abs=1e-9)
        pose = m.poses[check["part"]]
        np.testing.assert_allclose(
            np.array(pose.position) * mm, check["position"], rtol=0, atol=check["tol"]
        )
        if "quaternion" in check:
            q, wanted = np.array(pose.quaternion), np.array(check["quaternion"])
            np.testing.assert_allclose(
                q * np.sign(q @ wanted), wanted, rtol=0, atol=check["tol_quaternion"]
            )


@pytest.mark.parametrize("formulation", ["mixed", "implicit", "explicit"])
@pytest.mark.parametrize("folder", having("stop"))
def test_drives_stop_where_expected_and_say_why(folder, formulation):
    for stop in expected(folder)["stop"]:
        m = made(folder, formulation)
        name = stop["drive"]
        assert m.drive({name: stop["from"]}).ok
        solved = m.drive({name: stop["to"]})
        assert not solved.ok
        assert solved.values[name] == pytest.approx(stop["value"], rel=0, abs=stop["tol"])
        assert solved.status.startswith("stopped at ")
        assert stop["reason"] in solved.status.removeprefix("stopped at ")
        assert m.drive({name: stop["from"]}).ok


@pytest.mark.parametrize("folder", having("redundant_mates", "redundant_mates_at_least"))
def test_as_many_mates_are_redundant_as_expected(folder):
    m, wanted = untouched(folder), expected(folder)
    count = sum(v.verdict == "redundant" for v in m.verdicts())
    assert count >= wanted.get("redundant_mates_at_least", 0)
    if "redundant_mates" in wanted:
        assert count == wanted["redundant_mates"]


@pytest.mark.parametrize("folder", FOLDERS, ids=NAME)
def test_conflicts_are_found_where_expected_and_nowhere_else(folder):
    m, wanted = untouched(folder), expected(folder)
    assert m.assembled == (not wanted.get("conflict", False))
    assert set(m.conflict) == set(wanted.get("conflicting_mates", ()))
    verdicts = m.verdicts()
    assert {v.name for v in verdicts if v.verdict == "conflicting"} == set(m.conflict)
    millimetres, degrees = (
        max((getattr(v, f"residual_{unit}") for v in verdicts), default=0.0)
        for unit in ("mm", "deg")
    )
    if "open_mm" in wanted:
        assert millimetres == pytest.approx(wanted["open_mm"], rel=1e-6)
    elif m.assembled:
        # A solved pose is good to 1e-9 of the model.
        assert millimetres < 1e-8 * max(1e3 * m.structure.length, 1.0)
        assert degrees < 1e-6


@pytest.mark.parametrize("folder", having("postures"))
def test_there_are_as_many_postures_as_expected(folder):
    assert folder.name == "dietmaier"
    assert len(dietmaier_modes(0)) == expected(folder)["postures"]
