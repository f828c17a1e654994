"""Inferred mates in files: written to be edited, read back as they were; third-party models."""

from __future__ import annotations

from pathlib import Path

import pytest

import cad2mbs
from cad2mbs.cad import load
from cad2mbs.errors import InputError
from cad2mbs.infer import infer, write

ASSEMBLIES = Path(__file__).resolve().parents[2] / "assemblies"


def inferred(name: str):
    return infer(load.read(ASSEMBLIES / name / f"{name}.step"))


@pytest.mark.parametrize("name", ["slider_crank_stop", "suspension", "rack_and_pinion", "stewart"])
def test_a_written_file_reads_back_as_the_same_mechanism(tmp_path, name):
    found = inferred(name)
    write(found, tmp_path / "mates.yaml")
    again = cad2mbs.load(tmp_path / "mates.yaml")
    assert {n: m.kind for n, m in again.mates.items()} == {
        n: m.kind for n, m in found.assembly.mates.items()
    }
    assert list(again.drives) == list(found.assembly.drives)
    assert {n: p.references for n, p in again.parts.items()} == {
        n: p.references for n, p in found.assembly.parts.items()
    }
    here, there = found.assembly.mechanism(), again.mechanism()
    assert there.assembled
    assert here.mobility.freedoms == there.mobility.freedoms


def test_every_accepted_proposal_has_its_reason_above_its_first_mate(tmp_path):
    found = inferred("slider_crank_stop")
    write(found, tmp_path / "mates.yaml")
    lines = (tmp_path / "mates.yaml").read_text().splitlines()
    for p in found.proposals:
        at = next(k for k, line in enumerate(lines) if line.startswith(f"  {p.mates[0].name}: "))
        above = lines[:at]
        comment = []
        while above and above[-1].startswith("  #"):
            comment.append(above.pop())
        assert any(f"# {p.kind} " in line for line in comment)


def test_a_rejected_proposal_is_written_as_a_comment_that_can_be_taken_back(tmp_path):
    found = inferred("four_bar")
    name = found.proposals[0].name
    write(found.revised(reject=[name]), tmp_path / "less.yaml")
    text = (tmp_path / "less.yaml").read_text()
    assert "not taken: revolute" in text
    assert len(cad2mbs.load(tmp_path / "less.yaml").mechanism().joints) == 3
    mates = [m.name for m in found.proposals[0].mates]
    back = "\n".join(
        line.replace("  # ", "  ", 1) if any(line.startswith(f"  # {m}: ") for m in mates) else line
        for line in text.splitlines()
    )
    (tmp_path / "back.yaml").write_text(back)
    assert len(cad2mbs.load(tmp_path / "back.yaml").mechanism().joints) == 4


def test_an_alternative_takes_the_place_of_a_proposal():
    found = inferred("slider_crank_stop")
    name = next(p.name for p in found.proposals if p.kind == "prismatic")
    other = found.revised(swap={name: "cylindrical"})
    assert other.proposal(name).kind == "cylindrical"
    kinds = sorted(j.kind for j in other.assembly.mechanism().joints)
    assert kinds == ["cylindrical", "revolute", "revolute", "revolute"]
    assert found.proposal(name).kind == "prismatic"  # the first one is left alone


def test_an_unknown_proposal_or_alternative_is_told_with_the_choices():
    found = inferred("four_bar")
    with pytest.raises(InputError, match="no proposal 'nothing'; proposals are: "):
        found.revised(reject=["nothing"])
    with pytest.raises(InputError, match="has no alternative 'spherical'; it has: cylindrical"):
        found.revised(swap={found.proposals[0].name: "spherical"})


def test_a_drive_turns_the_crank_and_says_why():
    found = inferred("four_bar")
    assert list(found.assembly.drives) == ["crank"]
    assert "all the way round" in found.drive_reasons["crank"]
    m = found.assembly.mechanism()
    assert m.sweep({"crank": [m.drives["crank"].value + a for a in range(0, 361, 30)]}).ok


def third_party(shared_data, name: str):
    return infer(load.read(shared_data / "step" / name))


def test_the_jansen_leg_moves_though_its_pins_are_missing(shared_data):
    found = third_party(shared_data, "theo_jansen_leg.step")
    assert found.assembly.mechanism().mobility.freedoms == 1
    assert all("missing" in p.reason for p in found.proposals if p.kind == "revolute")


def test_the_trammel_turns_its_triangle_half_as_fast_as_its_wheel(shared_data):
    """Pins on a circle through the wheel's centre, in slots through it: angles at rim and centre.

    An angle at the rim of a circle is half of that at its centre (Euclid III.20).
    """
    found = third_party(shared_data, "hypnotic_trammel.step")
    m = found.assembly.mechanism()
    assert m.mobility.freedoms == 1
    (drive,) = found.assembly.drives
    before = {n: p.rotation() for n, p in m.poses.items()}
    assert m.drive({drive: m.drives[drive].value + 10.0}).ok

    def turned(a: str, b: str) -> float:
        import numpy as np

        now = m.poses[a].rotation().T @ m.poses[b].rotation()
        was = before[a].T @ before[b]
        return float(np.degrees(np.arccos(np.clip((np.trace(was.T @ now) - 1) / 2, -1, 1))))

    wheel = turned("Support/Body", "Wheel/Body")
    triangle = turned("Support/Body", "Triangle/Body")
    assert wheel == pytest.approx(10.0, abs=1e-6)
    assert triangle == pytest.approx(2 * wheel, abs=1e-6)


def test_bearings_turn_on_their_axis_with_their_balls(shared_data):
    found = third_party(shared_data, "axis_with_bearings.step")
    m = found.assembly.mechanism()
    assert len(m.bodies) == 4
    assert [j.kind for j in m.joints] == ["revolute"] * 3
    assert any("14 balls" in p.reason for p in found.proposals)


def test_the_engine_without_a_crankshaft_moves_its_pistons_and_names_what_is_missing(shared_data):
    found = third_party(shared_data, "v4_engine.step")
    kinds = [j.kind for j in found.assembly.mechanism().joints]
    assert sorted(kinds) == ["prismatic"] * 4 + ["revolute"] * 4
    assert any("20 mm" in n and "crankshaft" in n and "missing" in n for n in found.notes)


def test_a_bolted_bracket_frame_is_one_body(shared_data):
    found = third_party(shared_data, "as1-oc-214.stp")
    assert len(found.assembly.mechanism().bodies) == 1
