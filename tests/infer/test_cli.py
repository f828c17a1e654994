"""`cad2mbs infer`: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cad2mbs
from cad2mbs.cli import app
from cad2mbs.io.source import SHIPPED

STEP = SHIPPED / "four_bar" / "four_bar.step"


def run(*arguments: object):
    return CliRunner().invoke(app, ["infer", *map(str, arguments)])


def test_the_written_file_moves_as_the_hand_written_one(tmp_path: Path):
    file = tmp_path / "found.yaml"
    done = run(STEP, "-o", file)
    assert done.exit_code == 0, done.output
    m = cad2mbs.load(file).mechanism()
    by_hand = cad2mbs.load(SHIPPED / "four_bar").mechanism()
    assert m.mobility.freedoms == by_hand.mobility.freedoms == 1
    assert sorted(j.kind for j in m.joints) == sorted(j.kind for j in by_hand.joints)
    assert "#" in file.read_text(encoding="utf-8")


def test_json_tells_every_proposal_with_its_confidence_and_reason():
    data = json.loads(run(STEP, "--json", "--ground", "rocker").stdout)
    assert data["ground"] == "rocker"
    assert data["freedoms"] == 1
    for proposal in data["proposals"]:
        assert 0.0 <= proposal["confidence"] <= 1.0
        assert proposal["reason"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.step"], "missing.step"),
        ([SHIPPED / "four_bar" / "assembly.yaml"], "STEP"),
        ([STEP, "--strictness", "hard"], "low, normal or high"),
        ([STEP, "--tolerance", "-1"], "above 0"),
        ([STEP, "--ground", "cranck"], "cranck"),
        ([STEP, "-o", "found.txt"], ".yaml"),
    ],
)
def test_wrong_arguments_end_in_a_sentence(arguments: list, said: str):
    done = run(*arguments)
    assert done.exit_code == 2
    assert said in done.output


def test_a_file_is_replaced_only_with_force(tmp_path: Path):
    file = tmp_path / "found.yaml"
    file.write_text("mine", encoding="utf-8")
    assert run(STEP, "-o", file).exit_code == 2
    assert file.read_text(encoding="utf-8") == "mine"
    assert run(STEP, "-o", file, "--force").exit_code == 0
