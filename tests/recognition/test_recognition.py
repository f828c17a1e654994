"""Every lower pair, universal and fixed: the true joint from many bundles of mates, or none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from cad2mbs.model.check import check
from tests.recognition import special
from tests.recognition.bundles import CATALOGUE
from tests.recognition.checks import (
    answer,
    assert_recognised,
    freedoms_at_start,
    mapped,
)
from tests.recognition.everyday import EVERYDAY
from tests.recognition.geometry import EY
from tests.recognition.pieces import Bundle
from tests.recognition.placing import SPECIALS, STARTS, build
from tests.reference.joint_kinds import FREEDOMS

SCALES = (1e-3, 1.0, 1e3)
every_bundle = pytest.mark.parametrize("bundle", CATALOGUE, ids=lambda b: b.id)
every_scale = pytest.mark.parametrize("scale", SCALES)


def others(bundle: Bundle) -> list[Bundle]:
    """The other bundles of the same joint that have no second solution of another kind."""
    return [b for b in CATALOGUE if b.kind == bundle.kind and b != bundle and not b.several]


def test_the_catalogue_has_five_bundles_for_every_joint():
    count = Counter(b.kind for b in CATALOGUE)
    assert set(count) == set(FREEDOMS)
    assert min(count.values()) >= 5
    assert len({b.id for b in CATALOGUE}) == len(CATALOGUE)


@pytest.mark.parametrize("bundle", CATALOGUE + EVERYDAY, ids=lambda b: b.id)
def test_the_bundle_is_input_a_user_could_give(bundle):
    for seed in range(3):
        found = check(build(bundle, seed).assembly)
        assert [f for f in found if f.severity == "error"] == []


@every_bundle
@every_scale
def test_bundle_becomes_its_joint_at_any_pose_from_any_start(bundle, scale):
    for start in STARTS:
        for seed in range(4):
            case = build(bundle, seed, scale, start)
            assert_recognised(case, mapped(case))


@every_bundle
@pytest.mark.parametrize("pose", SPECIALS)
def test_bundle_becomes_its_joint_at_special_poses(bundle, pose):
    for scale in SCALES:
        for start in STARTS:
            case = build(bundle, 11, scale, start, pose)
            assert_recognised(case, mapped(case))


@every_bundle
def test_bundle_far_from_the_origins_of_its_parts_becomes_its_joint(bundle):
    for start in ("satisfied", "near"):
        for seed in range(2):
            case = build(bundle, 60 + seed, 1.0, start, far=1e3)
            assert_recognised(case, mapped(case))


@every_bundle
@every_scale
def test_a_mate_said_twice_is_redundant_and_changes_nothing(bundle, scale):
    for seed in range(2):
        case = build(bundle, 20 + seed, scale, STARTS[seed], duplicate=True)
        s = mapped(case)
        assert_recognised(case, s)
        for _, second in case.duplicates:
            assert second in answer(case, s).redundant


@every_bundle
def test_redundant_mates_of_a_second_bundle_can_all_be_left_out_at_once(bundle):
    for seed, mix in enumerate(others(bundle)[:4]):
        case = build(bundle, 40 + seed, mix=mix)
        s = mapped(case)
        assert_recognised(case, s)
        redundant = answer(case, s).redundant
        assert redundant
        kept = {n: m for n, m in case.assembly.mates.items() if n not in redundant}
        rest = replace(case, assembly=replace(case.assembly, mates=kept))
        # Not the proof again: what is left may cross into another joint at some far pose.
        assert freedoms_at_start(rest) == freedoms_at_start(case)


@every_bundle
def test_the_order_of_mates_does_not_matter(bundle):
    case = build(bundle, 50)
    names = list(case.assembly.mates)
    for order in (names, names[::-1], names[1:] + names[:1]):
        mates = {n: case.assembly.mates[n] for n in order}
        turned = replace(case, assembly=replace(case.assembly, mates=mates))
        assert_recognised(turned, mapped(turned))


@pytest.mark.parametrize("bundle", EVERYDAY, ids=lambda b: b.id)
def test_everyday_bundle_is_named_or_left_as_conditions(bundle):
    for scale in SCALES:
        for seed in range(3):
            case = build(bundle, seed, scale, STARTS[seed])
            a = answer(case, mapped(case))
            assert a.consistent
            if bundle.kind == "none":
                assert not a.proven
            else:
                assert a.proven
                # Which part is a is the file's choice; the name follows it.
                assert sorted(a.kind.split("/")) == sorted(bundle.kind.split("/"))


@pytest.mark.parametrize("trap", special.TRAPS, ids=lambda t: t.name)
def test_a_joint_at_one_pose_only_is_not_accepted(trap):
    for scale in SCALES:
        for seed in range(3):
            for start in ("satisfied", "near"):
                case = build(trap.bundle, seed, scale, start, Q=special.HERE)
                a = answer(case, mapped(case))
                assert a.kind in trap.is_ or not a.proven, f"proven {a.kind}"


@pytest.mark.parametrize("trap", special.TRAPS, ids=lambda t: t.name)
def test_the_null_space_alone_would_fall_for_the_trap(trap):
    """The trap is one: at the start the conditions leave as many freedoms as the false joint."""
    case = build(trap.bundle, 0, Q=special.HERE)
    assert freedoms_at_start(case) == {**FREEDOMS, "point on line": 4}[trap.seems]


@pytest.mark.parametrize("degrees", [30.0, 60.0, 89.0, 89.999, 120.0])
def test_axes_that_are_not_square_make_no_universal(degrees):
    bundle = Bundle("fixed", "tilted", lambda d: special.tilted_cross(d, np.radians(degrees)))
    for scale in SCALES:
        for seed in range(3):
            case = build(bundle, seed, scale, "near")
            a = answer(case, mapped(case))
            assert a.kind != "universal"
            assert a.freedoms == 2


@pytest.mark.parametrize("gap", [1.0, 0.1, 1e-3])
def test_axes_that_do_not_meet_make_no_universal(gap):
    bundle = Bundle("none", "skew", special.skew_cross, several=True)
    for scale in SCALES:
        for seed in range(3):
            case = build(bundle, seed, scale, "satisfied", Q=(np.eye(3), gap * EY))
            assert answer(case, mapped(case)).kind != "universal"


@pytest.mark.parametrize("name", special.CONTRADICTIONS)
def test_mates_that_contradict_each_other_are_called_inconsistent(name):
    bundle = Bundle("fixed", name, special.CONTRADICTIONS[name])
    for scale in SCALES:
        for start in ("satisfied", "scattered"):
            case = build(bundle, 3, scale, start)
            assert not answer(case, mapped(case)).consistent


def test_checker_says_no_to_another_kind():
    case = build(CATALOGUE[0], 0)
    with pytest.raises(AssertionError, match="instead of"):
        assert_recognised(
            replace(case, bundle=replace(case.bundle, kind="prismatic")), mapped(case)
        )


@pytest.mark.parametrize(
    "kind",
    ["revolute", "prismatic", "cylindrical", "screw", "spherical", "universal", "planar", "fixed"],
)
def test_checker_says_no_to_a_joint_in_another_place(kind):
    bundle = next(b for b in CATALOGUE if b.kind == kind)
    case = build(bundle, 0)
    s = mapped(case)
    assert_recognised(case, s)
    slight = np.array([[1, -1e-5, 0], [1e-5, 1, -1e-5], [0, 1e-5, 1]])
    off = tuple((R @ slight, p + 1e-5) for R, p in case.joint_frames)
    R, p = case.pose
    with pytest.raises(AssertionError, match="off by"):
        assert_recognised(replace(case, joint_frames=off, pose=(R @ slight, p)), s)
