"""Random closed-loop mechanisms assemble from scattered parts, or say which mates stay open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cad2mbs.library import conflict
from cad2mbs.mapping.structure import Mapper
from solvers.assemble import assemble, groups
from tests.assembly.checks import HOLDS, Outcome, attempt, violations
from tests.assembly.random_mechanisms import FAMILIES, make

CHUNKS, EACH = 8, 30  # 240 scattered mechanisms, in chunks that workers can share
FIRST = {"scattered": 1000, "displaced": 4000, "none": 5000}
PLATFORMS = range(7000, 7006)


def chunk(start: str, k: int, each: int = EACH) -> list[Outcome]:
    first = FIRST[start] + k * each
    return [attempt(make(seed, start)) for seed in range(first, first + each)]


def assert_honest(outcomes: list[Outcome]) -> None:
    """Solved means that every mate holds; unsolved means that open mates are named."""
    for o in outcomes:
        where = f"{o.case.family} seed {o.case.seed} {o.case.start}"
        assert not o.wrong, f"{where}: given as solved, open by {o.violation:.1e}: {o.open_mates}"
        if not o.claimed:
            assert any(name in o.status for name in o.open_mates), f"{where}: {o.status}"


@pytest.mark.parametrize("k", range(CHUNKS))
def test_scattered_mechanisms_assemble_and_every_mate_holds(k):
    outcomes = chunk("scattered", k)
    assert_honest(outcomes)
    # All of them, not 99 %: a chunk of 30 cannot tell one failure in 30 from one in 240.
    assert not [(o.case.family, o.case.seed) for o in outcomes if not o.claimed]


@pytest.mark.parametrize("start", ["displaced", "none"])
@pytest.mark.parametrize("k", range(2))
def test_mechanisms_assemble_from_displaced_poses_and_from_none(start, k):
    outcomes = chunk(start, k, 20)
    assert_honest(outcomes)
    assert all(o.claimed for o in outcomes)


def test_bodies_on_six_rods_each_are_never_given_wrong():
    assert_honest([attempt(make(seed, family="platform")) for seed in PLATFORMS])


@pytest.mark.parametrize("family", FAMILIES)
def test_generator_keeps_its_promises(family):
    for seed in range(20):
        case = make(seed, family=family)
        assert max(violations(case, case.solution).values()) < 1e-12
        assert case.mobility >= 0
        assert 3 <= case.bodies <= 12
        assert 1 <= case.loops <= 4
        again = make(seed, family=family)
        assert again.assembly == case.assembly


def test_scattered_starts_are_far_from_closed():
    for seed in range(20):
        case = make(seed)
        poses = {n: p.pose for n, p in case.assembly.parts.items()}
        assert max(violations(case, poses).values()) > 0.1


def test_checker_says_no_when_a_part_is_moved_a_little():
    case = make(3)
    poses = dict(case.solution)
    name = next(m.b.part for m in case.assembly.mates.values() if m.b.part != "ground")
    p = poses[name]
    shifted = tuple(c + 1e-6 * case.size for c in p.position)
    poses[name] = replace(p, position=shifted)
    assert max(violations(case, poses).values()) > HOLDS


def test_same_seed_gives_the_same_state():
    s = Mapper(make(1003).assembly).structure()
    first, second = assemble(s.model, s.start), assemble(s.model, s.start)
    assert np.array_equal(first.y, second.y)
    assert first.starts == second.starts


def test_coordinates_outside_all_loops_stay_where_they_are():
    checked = 0
    for seed in range(2000, 2030):
        s = Mapper(make(seed, family="spatial").assembly).structure()
        inside = np.any([g.free for g in groups(s.model, np.ones(s.model.nv, bool))], axis=0)
        loose = [k for k in range(s.model.nv) if not inside[k]]
        for v0, s0 in s.model.links[["v0", "s0"]].tolist():
            if s0 >= 0 and not inside[v0]:
                loose += range(s0, s0 + 4)
        found = assemble(s.model, s.start)
        if found.ok and found.starts > 1 and loose:
            assert np.array_equal(found.y[loose], s.start[loose])
            checked += 1
    assert checked >= 5


def test_groups_share_no_coordinate_and_cover_every_row():
    for seed in range(2000, 2010):
        s = Mapper(make(seed).assembly).structure()
        parts = groups(s.model, np.ones(s.model.nv, bool))
        rows = np.sort(np.concatenate([g.rows for g in parts]))
        assert np.array_equal(rows, np.arange(s.model.m))
        assert np.sum([g.free for g in parts], axis=0).max() <= 1


def test_contradictory_bars_are_told_with_the_open_mate():
    mechanism = conflict().mechanism()
    assert not mechanism.assembled
    assert "apex_point" in mechanism.status
