"""Joint coordinates read off the state and off the poses of the two bodies are the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cad2mbs
from cad2mbs import library
from solvers.kinematics import poses_along

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = sorted(p.parent.name for p in (ROOT / "assemblies").glob("*/assembly.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_state_and_relative_pose_tell_the_same_coordinates(name):
    m = cad2mbs.load(name).mechanism()
    if not m.assembled or not m.drives:
        pytest.skip(f"{name} does not move")
    drive = next(iter(m.drives.values()))
    result = m.sweep({drive.name: drive.value + np.linspace(0.0, 4.0, 5)})
    X = poses_along(m.structure.model, result.states)
    read = [(j, j.from_state(result.states)) for j in m.structure.joints]
    held = [(j, q) for j, q in read if q is not None]
    assert held
    for joint, q in held:
        off = q - m.structure.joint_values(joint, X)
        turns = [dimension == "angle" for _, dimension in joint.coordinate_labels]
        off[:, turns] = (off[:, turns] + np.pi) % (2 * np.pi) - np.pi
        assert np.abs(off).max() < 1e-12, joint.name


def test_turns_of_a_joint_are_counted_on():
    m = library.four_bar().mechanism()
    m.drive(crank=760.0)
    before = m.joint_coordinates["ground-crank"][0]
    m.drive(crank=770.0)
    assert m.joint_coordinates["ground-crank"][0] - before == pytest.approx(10.0, abs=1e-9)
    assert m.joint_coordinates["ground-crank"][0] > 690.0


def test_closing_joint_turns_against_the_tree_around_a_loop():
    """The angles of a planar four-bar add up: crank + coupler + rocker pins = ground pin."""
    m = library.four_bar().mechanism()
    start = m.joint_coordinates
    m.drive(crank=m.drives["crank"].value + 37.0)
    change = {n: m.joint_coordinates[n][0] - start[n][0] for n in start}
    around = change["ground-crank"] + change["crank-coupler"] + change["coupler-rocker"]
    assert around == pytest.approx(change["ground-rocker"], abs=1e-9)
