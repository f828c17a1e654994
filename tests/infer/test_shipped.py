"""Mates found on bare copies of shipped assemblies, against the hand-written ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import cad2mbs
from cad2mbs.cad import load
from cad2mbs.infer import infer
from scripts._infer_cases import (
    EXACT,
    ROUGH,
    Score,
    Setting,
    bare,
    joints,
    score,
    without_couplings,
)

ASSEMBLIES = Path(__file__).resolve().parents[2] / "assemblies"
ALL_RIGHT = (
    "bennett", "double_rocker", "four_bar", "gear_pair", "hinged_box", "jansen_leg", "lead_screw",
    "over_redundant", "rack_and_pinion", "radial_engine_2", "scissor_lift",
    "single_cylinder_engine", "six_axis_robot", "spatial_four_bar", "stewart", "suspension",
    "toggle_clamp", "two_boxes",
)  # fmt: skip
SEED = 11


def scored(name: str, setting: Setting) -> Score:
    document, names = bare(load.read(ASSEMBLIES / name / f"{name}.step"), SEED, setting)
    truth = without_couplings(cad2mbs.load(ASSEMBLIES / name)).mechanism()
    return score(truth, infer(document).assembly.mechanism(), names)


@pytest.mark.parametrize("name", ALL_RIGHT)
def test_joints_and_mobility_of_a_bare_copy_are_those_of_the_hand_written_mates(name):
    found = scored(name, EXACT)
    assert found.wrong == []
    assert found.freedoms[0] == found.freedoms[1]


@pytest.mark.parametrize("name", ["four_bar", "radial_engine_2", "scissor_lift", "suspension"])
def test_clearance_and_noise_leave_the_joints_as_they_are(name):
    found = scored(name, ROUGH)
    assert (found.right, found.merges, found.extra) == (found.total, 0, 0)
    assert found.freedoms[0] == found.freedoms[1]


def test_a_bare_copy_has_neither_names_nor_colours_nor_the_old_order():
    document = load.read(ASSEMBLIES / "suspension" / "suspension.step")
    copy, names = bare(document, SEED)
    assert not any(s.name or s.colour or f.name for s in copy.solids for f in s.features)
    assert set(names).isdisjoint(document.parts())
    assert list(names.values()) != list(document.parts())
    assert sorted(names.values()) == sorted(document.parts())


def test_the_comparison_says_no_to_another_kind_of_joint_and_to_another_axis():
    truth = cad2mbs.load(ASSEMBLIES / "four_bar").mechanism()
    document, names = bare(load.read(ASSEMBLIES / "four_bar" / "four_bar.step"), SEED)
    found = infer(document)
    first = next(p for p in found.proposals if p.alternatives)
    other = found.revised(swap={first.name: first.alternatives[0].kind})
    assert score(truth, other.assembly.mechanism(), names).right == 3
    less = found.revised(reject=[first.name])
    assert score(truth, less.assembly.mechanism(), names).right == 3
    swapped = dict(names)  # the crank and the rocker exchanged: their axes are elsewhere
    crank, rocker = (next(n for n, old in names.items() if old == p) for p in ("crank", "rocker"))
    swapped[crank], swapped[rocker] = "rocker", "crank"
    assert score(truth, found.assembly.mechanism(), swapped).right < 4


def test_joint_axes_are_told_on_both_parts():
    m = cad2mbs.load(ASSEMBLIES / "four_bar").mechanism()
    for place in joints(m):
        poses = [m.poses[p] for p in place.parts]
        scale = m.units.metre * 1e3
        ends = [
            pose.rotation() @ point + [c * scale for c in pose.position]
            for pose, point in zip(poses, place.point, strict=True)
        ]
        gap = ends[0] - ends[1]
        assert abs(gap[0]) + abs(gap[1]) < 1e-6  # all axes are along z
