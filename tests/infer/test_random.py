"""Random mechanisms with decoys: what was made is found, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cad2mbs.infer import infer
from tests.infer.generator import generate
from tests.infer.judging import Verdict, judge
from tests.infer.shop import Shop

SEEDS = range(5000, 5024)  # the table of docs/inference.md takes 240 others
WANTED = 0.95


@pytest.fixture(scope="module")
def cases():
    out = []
    for seed in SEEDS:
        shop, rng = generate(seed)
        out.append((shop, infer(shop.assembly(rng))))
    return out


def test_recall_and_precision_are_at_least_95_percent(cases):
    total = Verdict()
    for shop, found in cases:
        total += judge(shop, found.assembly.mechanism())
    assert total.true > 100
    assert total.recall >= WANTED, total.wrong
    assert total.precision >= WANTED, total.wrong


def test_no_parts_that_move_apart_are_made_one(cases):
    assert sum(judge(shop, found.assembly.mechanism()).merges for shop, found in cases) == 0


def test_the_same_seed_makes_the_same_parts():
    (one, _), (other, _) = generate(3), generate(3)
    assert one.joints == other.joints
    assert list(one.solids) == list(other.solids)


def test_the_judge_says_no_to_a_missing_a_wrong_and_a_needless_joint(cases):
    shop, found = next(c for c in cases if len(c[0].joints) > 3)
    joint = next(p for p in found.proposals if p.accepted and p.kind == "revolute")
    fine = judge(shop, found.assembly.mechanism())
    missing = judge(shop, found.revised(reject=[joint.name]).assembly.mechanism())
    assert missing.right < fine.right
    other = found.revised(swap={joint.name: joint.alternatives[0].kind})
    assert judge(shop, other.assembly.mechanism()).right == fine.right - 1
    fewer = Shop(**{**vars(shop), "joints": shop.joints[1:]})
    assert judge(fewer, found.assembly.mechanism()).precision < 1.0
    turning = next(j for j in shop.joints if j.kind == "revolute")
    aside = replace(turning, point=tuple(c + 4.0 for c in turning.point))
    moved = [aside if j is turning else j for j in shop.joints]
    elsewhere = Shop(**{**vars(shop), "joints": moved})
    assert judge(elsewhere, found.assembly.mechanism()).right == fine.right - 1


def test_the_judge_says_no_to_a_false_merge(cases):
    shop, found = next(c for c in cases if len(c[0].joints) > 3)
    a, b = shop.joints[0].parts
    m = infer_with_rigid(found, a, b)
    assert judge(shop, m).merges == 1


def infer_with_rigid(found, a, b):
    from cad2mbs.infer import Options

    bare = replace(found.assembly, mates={}, drives={})
    return infer(bare, Options(rigid=((a, b),))).assembly.mechanism()
