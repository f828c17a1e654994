"""Bad entries in a mates file: a clear message with its line, all of them in one run."""

from __future__ import annotations

import re

import pytest

from cad2mbs.io import mates_file
from tests.cad2mbs.io.spoilt_files import GOOD, PARTS, errors, only_error


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)


def test_the_good_file_is_good():
    assert mates_file.read_bytes(GOOD.encode()).name == "assembly"


# --- one mistake, one message --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # values
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, 2]}",
            "12: error: reference 'crank/P', point: found a list of 2, wanted 3 values [x, y, z]",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: 5}",
            "12: error: reference 'crank/P', point: found the number 5, wanted 3 values [x, y, z]",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, .nan, 3]}",
            "point, number 2: found the number nan, wanted a finite number",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, 2, -.inf]}",
            "point, number 3: found the number -inf, wanted a finite number",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, 2, 1e999]}",
            "point, number 3: found the number inf, wanted a finite number",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, 2, 1e200]}",
            "reference 'crank/P', origin: found 1e+200; wanted a finite number, at most 1e+15",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, 2, true]}",
            "point, number 3: found true, wanted a number",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, 2, '3']}",
            "number 3: found the text '3', wanted a number; take the quotes off",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, 2, 3 mm]}",
            "found the text '3 mm', wanted a number; write the number alone, units stand once",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, 2, '3,5']}",
            "found the text '3,5', wanted a number; write a decimal point",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, 2, ~]}",
            "12: error: reference 'crank/P', point, number 3: found no value",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {}",
            "reference 'crank/P': found none of point, vector, axis, plane, frame; "
            "wanted exactly one",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {point: [1, 2, 3], frame: {}}",
            "reference 'crank/P': found point and frame of point, vector, axis, plane, frame",
        ),
        (
            "P: {point: [1, 2, 3]}",
            "P: {pont: [1, 2, 3]}",
            "found the unknown key 'pont'; did you mean 'point'? Keys: point, vector, axis",
        ),
        (
            "along: [0, 0, 1]",
            "along: [0, 0, 0]",
            "13: error: reference 'crank/hub', axis, along: found the zero vector, "
            "wanted a direction",
        ),
        (
            "along: [0, 0, 1]",
            "along: [0, 0, 1e-200]",
            "found a vector of length 1e-200, wanted a direction of ordinary size",
        ),
        (
            "along: [0, 0, 1]",
            "",
            "13: error: reference 'crank/hub', axis: the key 'along' is missing",
        ),
        (
            "x: [1, 0, 0]",
            "x: [0, 0, -3]",
            "reference 'ground/A', frame: found x [0.0, 0.0, -3.0] parallel to z [0.0, 0.0, 1.0]",
        ),
        (
            "turn: {axis: [0, 0, 1], angle: 30}",
            "quaternion: [1, 1, 0, 0]",
            "part 'crank', pose, quaternion: found a quaternion of length 1.41421, "
            "wanted w, x, y, z",
        ),
        (
            "turn: {axis: [0, 0, 1]",
            "quaternion: [1, 0, 0, 0], turn: {axis: [0, 0, 1]",
            "part 'crank', pose: found both 'quaternion' and 'turn'; wanted at most one",
        ),
        (
            "grounded: true",
            "grounded: yes",
            "5: error: part 'ground', grounded: found the text 'yes', wanted true or false",
        ),
        ("grounded: true", "grounded: 'true'", "wanted true or false; without quotes"),
        ("grounded: true", "grounded: true\n    grounded: false", "found 'grounded' a second time"),
        (
            "length: mm",
            "length: mmm",
            "2: error: 'units', length: found the length unit 'mmm'; did you mean 'mm'? "
            "Choices: mm, cm, m, in.",
        ),
        (
            "angle: deg}",
            "angle: 7}",
            "'units', angle: found the number 7, wanted text; put it in quotes",
        ),
        # keys and versions
        ("cad2mbs: 1\n", "", "1: error: the file: the key 'cad2mbs' is missing"),
        ("cad2mbs: 1\n", "cad2mbs: 2\n", "1: error: found format version 2, wanted 1"),
        ("cad2mbs: 1\n", "cad2mbs: '1'\n", "'cad2mbs': found the text '1', wanted a whole number"),
        ("cad2mbs: 1\n", "cad2mbs: true\n", "'cad2mbs': found true, wanted a whole number"),
        (
            "units:",
            "untis:",
            "found the unknown key 'untis'; did you mean 'units'? Keys: cad2mbs, name",
        ),
        (
            "pin: {kind:",
            "pin: {knd:",
            "16: error: mate 'pin': found the unknown key 'knd'; did you mean",
        ),
        ("pin: {kind: coincident, ", "pin: {", "16: error: mate 'pin': the key 'kind' is missing"),
        (
            "pin: {kind: coincident, a: ground/A, b: crank/P}",
            "pin: [1]",
            "16: error: mate 'pin': found a list of 1, wanted a mapping (key: value)",
        ),
        (
            "pin: {kind: coincident, a: ground/A, b: crank/P}",
            "pin:",
            "16: error: mate 'pin': found no value; give one or leave the key out",
        ),
        # mates
        (
            "kind: coincident",
            "kind: coincidnt",
            "mate 'pin' has the unknown kind 'coincidnt'; did you mean "
            "'coincident'? Kinds: coincident, ",
        ),
        ("b: crank/P}", "b: crank}", "mate 'pin', b: found 'crank', wanted 'part/reference'"),
        ("b: crank/P}", "b: /P}", "mate 'pin', b: found '/P', wanted 'part/reference'"),
        (
            "b: crank/P}",
            "b: crnk/P}",
            "b names the part 'crnk', which is not there; did you mean 'crank'? "
            "Parts: ground, crank.",
        ),
        (
            "b: crank/P}",
            "b: crank/Z}",
            "part 'crank' has no reference 'Z'. References of 'crank': K, P, hub.",
        ),
        ("b: crank/P}", "b: ground/top}", "has both references on part 'ground'"),
        (
            "a: ground/A, b: crank/K, angle",
            "a: ground/top, b: crank/K, angle",
            "mate 'angle' (offset-x) needs a frame as a; 'ground/top' is a plane. "
            "What serves there: "
            "frame; on part 'ground': A.",
        ),
        (
            "distance: 3,",
            "angle: 3,",
            "mate 'stop' (halfspace): found 'angle', but its number is 'distance'",
        ),
        ("b: crank/P}", "b: crank/P, angle: 3}", "found 'angle', but it carries no number"),
        ("b: crank/P}", "b: crank/P, sense: true}", "found 'sense', which this kind has not"),
        (
            "b: crank/P}",
            "b: crank/P, transform: {}}",
            "found 'transform', which only identical has",
        ),
        (
            "kind: coincident,",
            "kind: distance,",
            "mate 'pin' (distance) needs its number; give 'distance'",
        ),
        (
            "kind: coincident,",
            "kind: distance, distance: -2,",
            "found distance -2.0; wanted a number greater than 0",
        ),
        (
            "kind: coincident, a: ground/A, b: crank/P",
            "kind: offset-z, angle: 180, a: ground/A, b: crank/K",
            "found angle 180.0; wanted a number between 0 and 180 deg, without the ends",
        ),
        # drives, limits, couplings
        (
            "mate: angle",
            "mate: angel",
            "drive 'turn' names the mate 'angel', which is not there; did you mean",
        ),
        (
            "mate: angle",
            "mate: pin",
            "mate 'pin' (coincident) carries no number that could be driven",
        ),
        ("mate: angle", "mate: stop", "mate 'stop' (halfspace) is one-sided; it stops a motion"),
        (
            "mate: angle,",
            "mate: angle, joint: [ground, crank],",
            "drive 'turn': found mate and joint of mate, joint; wanted exactly one of them",
        ),
        ("mate: angle,", "", "drive 'turn': found none of mate, joint; wanted exactly one of them"),
        ("mate: angle,", "mate: angle, freedom: turn,", "found 'freedom' beside 'mate'"),
        ("min: -90", "min: 100", "drive 'turn': min 100.0 is greater than max 90.0; swap them"),
        (
            "value: 0,",
            "value: 91,",
            "drive 'turn' starts at 91.0; wanted a start from -90.0 to 90.0",
        ),
        ("min: 0, max: 100", "", "limit 'travel' limits nothing; give min, max or both"),
        (
            "[ground, crank], freedom: slide, min",
            "[ground, crnk], freedom: slide, min",
            "limit 'travel': joint names the part 'crnk', which is not there; did "
            "you mean 'crank'?",
        ),
        (
            "[ground, crank], freedom: slide, min",
            "[ground], freedom: slide, min",
            "limit 'travel', joint: found a list of 1, wanted 2 values [part, part]",
        ),
        (
            "freedom: slide, zero",
            "freedom: slid, zero",
            "drive 'lift', freedom: found the freedom 'slid'; did you mean "
            "'slide'? Choices: turn, slide.",
        ),
        ("kind: gear", "kind: geer", "found the coupling kind 'geer'; did you mean 'gear'?"),
        (
            "teeth: [20, 40]",
            "teeth: [20, 0]",
            "teeth: found [20.0, 0.0], wanted two numbers greater than 0",
        ),
        ("teeth: [20, 40]", "ratio: 0", "has the ratio 0, which couples nothing"),
        ("teeth: [20, 40]", "pitch: 2", "found 'pitch', but its number is teeth or radii or ratio"),
        (
            "teeth: [20, 40]",
            "internal: true",
            "found none of teeth, radii, ratio; wanted exactly one",
        ),
        ("teeth: [20, 40]", "ratio: -1, internal: true", "found a negative ratio and 'internal'"),
        (
            "kind: gear, a: ground/A, b: crank/hub, teeth: [20, 40]",
            "kind: screw, a: ground/A, b: crank/hub, pitch: 1, internal: true",
            "found 'internal', which only a gear has",
        ),
        (
            "b: crank/hub",
            "b: crank/P",
            "needs an axis as b; 'crank/P' is a point. What serves there: axis or",
        ),
        # off, observers, positions
        ("b: crank/P}", "b: crank/P, off: on}", "16: error: mate 'pin', off: found the text 'on'"),
        (
            "position: crank/P,",
            "position: crank/Q,",
            "27: error: observer 'tip' names 'crank/Q', but part 'crank' has no reference 'Q'. "
            "References of 'crank': K, P, hub.",
        ),
        (
            "in: ground}",
            "in: grund}",
            "27: error: observer 'tip': in names the part 'grund', which is not there; did you",
        ),
        (
            "[crank/P, ground/top]}",
            "[crank/P, ground/top], in: crank}",
            "28: error: observer 'gap': found 'in' without 'position'",
        ),
        (
            "{distance: [crank/P, ground/top]}",
            "{position: crank/P, distance: [crank/P, ground/top]}",
            "observer 'gap': found position and distance of position, distance, angle; wanted "
            "exactly one",
        ),
        (
            "{distance: [crank/P, ground/top]}",
            "{}",
            "28: error: observer 'gap': found none of position, distance, angle; wanted exactly",
        ),
        (
            "[crank/P, ground/top]",
            "[crank/P]",
            "observer 'gap', distance: found a list of 1, wanted 2 values [part/reference, part",
        ),
        (
            "[crank/hub, ground/A]",
            "[crank/P, ground/A]",
            "29: error: observer 'tilt': 'crank/P' is a point, which has no direction. What serves "
            "there: vector, axis, plane or frame; on part 'crank': K, hub.",
        ),
        (
            "gap: {distance:",
            "gap: {distanc:",
            "28: error: observer 'gap': found the unknown key 'distanc'; did you mean 'distance'? "
            "Keys: position, in, distance, angle.",
        ),
        (
            "gap: {",
            "lift: {",
            "28: error: observer 'lift': its column 'lift' is taken by drive 'lift'; choose",
        ),
        (
            "tip: {position",
            "crank: {position",
            "observer 'crank': its column 'crank.x' is taken by part 'crank'; choose another name",
        ),
        (
            "gap: {",
            "tip.y: {",
            "observer 'tip.y': its column 'tip.y' is taken by observer 'tip'",
        ),
        (
            "home: {turn: 10",
            "home: {trun: 10",
            "31: error: position 'home' names the drive 'trun', which is not there; did you mean "
            "'turn'? Drives: turn, lift.",
        ),
        (
            "home: {turn: 10",
            "home: {turn: 100",
            "31: error: position 'home', drive 'turn': found 100.0; wanted at most 90.0, the max",
        ),
        (
            "home: {turn: 10",
            "home: {turn: ten",
            "31: error: position 'home', turn: found the text 'ten', wanted a number",
        ),
        (
            "{turn: 10, lift: 5}",
            "{}",
            "31: error: position 'home' names no drive; give at least one 'drive: value'",
        ),
        (
            "{turn: 10, lift: 5}",
            "10",
            "31: error: position 'home': found the number 10, wanted a mapping (name: entry)",
        ),
    ],
)
def test_a_mistake_gives_its_message(old, new, message):
    assert message in only_error(changed(old, new))


def test_a_swap_is_proposed_only_where_it_helps():
    found = only_error(changed("a: crank/P, b: ground/top", "a: ground/top, b: crank/P"))
    assert (
        "mate 'stop' (halfspace) needs a plane as b; 'crank/P' is a point. Swap a and b." in found
    )
    found = only_error(
        changed("kind: halfspace, a: crank/P", "kind: halfspace, a: crank/n").replace(
            "P: {point: [1, 2, 3]}", "P: {point: [1, 2, 3]}\n      n: {vector: [1, 2, 3]}"
        )
    )
    assert "needs a point as a; 'crank/n' is a vector. What serves there: point, axis" in found
    assert "Swap" not in found


def test_zero_references_on_the_wrong_parts_are_both_named():
    found = errors(changed("zero: [ground/A, crank/K]", "zero: [crank/K, ground/A]"))
    assert "found 'crank/K' in zero; wanted a reference on 'ground' there" in found[0]
    assert "found 'ground/A' in zero; wanted a reference on 'crank' there" in found[1]


def test_duplicate_names_give_both_lines():
    text = GOOD.replace("drives:", "  pin: {kind: coincident, a: ground/A, b: crank/P}\ndrives:")
    assert "f.yaml:19: error: found 'pin' a second time (first on line 16)" in only_error(text)


def test_no_parts_is_an_error():
    assert "there are no parts; wanted at least one under 'parts'" in only_error(
        "cad2mbs: 1\nparts: {}\n"
    )
    assert "the file: the key 'parts' is missing" in only_error("cad2mbs: 1\n")


# --- all in one run ------------------------------------------------------------------------------


def test_all_errors_of_a_file_come_in_one_run_in_line_order():
    text = (
        GOOD.replace("units:", "untis:")
        .replace("[1, 2, 3]", "[1, .nan, 3]")
        .replace("grounded: true", "grounded: maybe")
        .replace("kind: offset-x", "kind: ofset-x")
        .replace("b: ground/top", "b: grund/top")
        .replace("mate: angle", "mate: angel")
        .replace("teeth: [20, 40]", "teeth: [20]")
        .replace("limits:", "limits:\n  travel: {}")
    )
    found = errors(text)
    lines = [int(re.match(r"f\.yaml:(\d+): ", f).group(1)) for f in found]  # type: ignore[union-attr]
    assert lines == sorted(lines)
    for piece in (
        "untis",
        "number nan",
        "'maybe'",
        "ofset-x",
        "'grund'",
        "'angel'",
        "a list of 1",
        "a second time",
        "the key 'joint' is missing",
    ):
        assert sum(piece in f for f in found) == 1, piece


def test_nothing_is_said_that_only_follows_from_another_error():
    assert "crank/P" in only_error(changed("P: {point: [1, 2, 3]}", "P: {point: [1]}"))
    misspelt = GOOD.replace("    references:\n      K", "    refernces:\n      K")
    assert "did you mean 'references'?" in only_error(misspelt)
    assert "did you mean 'parts'?" in only_error(changed("\nparts:", "\nprts:"))
    assert "mate 'angle'" in only_error(changed("kind: offset-x, ", ""))


def test_the_line_is_that_of_the_value_not_of_its_entry():
    text = GOOD.replace(
        "  pin: {kind: coincident, a: ground/A, b: crank/P}",
        "  pin:\n    kind: coincident\n    a: ground/A\n    b: crank/nowhere",
    )
    assert only_error(text).startswith("f.yaml:19: error: ")


def test_very_many_errors_are_cut_short_with_a_word_about_it():
    text = PARTS + "mates:\n" + "".join(f"  m{i}: {{}}\n" for i in range(3000))
    found = errors(text)
    assert len(found) == 501
    assert "stopped after 500 findings" in found[-1]
