"""Bad mates files: a clear message with its line, all of them in one run, never a traceback."""

from __future__ import annotations

import random
import re

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from cad2mbs.errors import InputError
from cad2mbs.io import mates_file, yaml_lines
from cad2mbs.model.assembly import Assembly

GOOD = """\
cad2mbs: 1
units: {length: mm, angle: deg}
parts:
  ground:
    grounded: true
    references:
      A: {frame: {origin: [0, 0, 0], z: [0, 0, 1], x: [1, 0, 0]}}
      top: {plane: {point: [0, 0, 5], normal: [0, 0, 1]}}
  crank:
    references:
      K: {frame: {}}
      P: {point: [1, 2, 3]}
      hub: {axis: {along: [0, 0, 1]}}
    pose: {position: [0, 0, 0], turn: {axis: [0, 0, 1], angle: 30}}
mates:
  pin: {kind: coincident, a: ground/A, b: crank/P}
  angle: {kind: offset-x, a: ground/A, b: crank/K, angle: 0}
  stop: {kind: halfspace, a: crank/P, b: ground/top, distance: 3, sense: true}
drives:
  turn: {mate: angle, value: 0, min: -90, max: 90}
  lift: {joint: [ground, crank], freedom: slide, zero: [ground/A, crank/K]}
limits:
  travel: {joint: [ground, crank], freedom: slide, min: 0, max: 100}
couplings:
  mesh: {kind: gear, a: ground/A, b: crank/hub, teeth: [20, 40]}
"""
PARTS = "cad2mbs: 1\nparts:\n  box:\n    grounded: true\n"


def errors(text: str | bytes) -> list[str]:
    content = text.encode() if isinstance(text, str) else text
    with pytest.raises(InputError) as caught:
        mates_file.read_bytes(content, file="f.yaml")
    assert caught.value.exit_code == 2
    return [str(d) for d in caught.value.diagnostics]


def only_error(text: str | bytes) -> str:
    found = errors(text)
    assert len(found) == 1, found
    return found[0]


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


# --- text that is no mates file ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "f.yaml:1: error: the file is empty; wanted a mapping that starts with 'cad2mbs: 1'"),
        (b"# only a comment\n", "the file is empty"),
        (b"- 1\n- 2\n", "found a list at the top; wanted a mapping"),
        (b"hello", "found the text 'hello' at the top; wanted a mapping"),
        (b"a: 1\nb: \xff\xfe\n", "f.yaml:2: error: found the byte 0xff, which is not UTF-8"),
        (
            "cad2mbs: 1".encode("utf-16"),
            "which is not UTF-8; wanted a YAML text file saved as UTF-8",
        ),
        (b"a: 1\n\nb: \0\n", "f.yaml:3: error: found the control character 0x00"),
        (b"a: [1, 2\nb: 3\n", "this is not YAML"),
        (b"a: 'x\n", "this is not YAML"),
        (b"a: b: c\n", "f.yaml:1: error: this is not YAML: mapping values are not allowed"),
        (b"a: *none\n", "found the alias '*none', but no anchor '&none'"),
        (b"[1, 2]: 3\n", "found a list"),
        (b"? [1, 2]\n: 3\n", "found a list as a key; wanted a name"),
        (b"a: &x 1\n*x : 2\n", "f.yaml:2: error: found an alias as a key; wanted a name"),
        (b'a: "\\ud800"\n', "this is not YAML"),
    ],
)
def test_text_that_is_no_mates_file_is_refused(content, message):
    assert message in only_error(content)


def test_a_second_document_is_refused():
    assert "found a second YAML document ('---')" in only_error(PARTS + "---\na: 1\n")


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system", "!mine", "!!str", "!"])
def test_tags_are_refused(tag):
    found = only_error(PARTS + f"name: {tag} 'x'\n")
    assert "f.yaml:5: error: found the tag" in found
    assert "tags are not read" in found


def test_a_merge_key_is_refused():
    found = only_error(PARTS + "  lid: {<<: {grounded: true}}\n")
    assert "found the merge key '<<', which is not read; write the entries out" in found


def test_a_value_that_contains_itself_is_refused():
    text = PARTS + "  lid: &lid\n    references: {self: *lid}\n"
    assert (
        "f.yaml:6: error: found the alias '*lid' inside its own anchor (line 5): "
        "a value that contains itself has no end" in only_error(text)
    )


def test_a_yaml_bomb_is_refused():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    assert "found aliases that repeat more than 10000 values" in only_error("\n".join(lines))


def test_deep_nesting_is_refused():
    for text in ("cad2mbs: " + "[" * 100_000, "cad2mbs: " + "{a: " * 100_000):
        assert "nested deeper than 32 levels" in only_error(text)


def test_too_many_values_are_refused(monkeypatch):
    monkeypatch.setattr(yaml_lines, "MAX_VALUES", 100)
    assert "found more than 100 values" in only_error("cad2mbs: [" + "1," * 200 + "]")


def test_too_many_problems_end_the_reading():
    found = errors("cad2mbs: 1\n" + "a: 1\n" * 2000 + "a: [")
    assert len(found) == 501
    assert "stopped after 500 findings" in found[-1]
    assert not any("this is not YAML" in f for f in found)


def test_a_huge_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(yaml_lines, "MAX_BYTES", 2 * 2**20)
    path = tmp_path / "huge.yaml"
    path.write_bytes(b"#" * (2 * 2**20 + 1))
    with pytest.raises(InputError, match=r"the file is larger than 2 MB, the most that is read"):
        mates_file.read(path)


def test_a_number_of_a_million_digits_is_refused():
    assert "found the text '111" in errors("cad2mbs: " + "1" * 1_000_000)[0]


SIZE = 10 * 2**20
GARBAGE = {
    "bytes": lambda: random.Random(20).randbytes(SIZE),
    "zeros": lambda: bytes(SIZE),
    "text": lambda: bytes(random.Random(20).choices(range(32, 127), k=SIZE)),
    "brackets": lambda: b"[" * SIZE,
    "braces": lambda: b"{" * SIZE,
    "dashes": lambda: b"- " * (SIZE // 2),
    "lines": lambda: b"garbage\n" * (SIZE // 8),
    "pairs": lambda: b"garbage: 1\n" * (SIZE // 11),
    "keys": lambda: b"".join(b"k%d: 1\n" % i for i in range(900_000)),
    "list": lambda: b"cad2mbs: 1\nparts: [" + b"1," * (SIZE // 2) + b"]",
    "digits": lambda: b"cad2mbs: " + b"1" * SIZE,
    "quote": lambda: b"cad2mbs: '" + b"x\n" * (SIZE // 2),
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_ten_megabytes_of_garbage_get_a_short_answer(kind):
    found = errors(GARBAGE[kind]())
    assert len(found) <= 501
    assert all(len(f) < 1000 for f in found)


def test_messages_hold_no_control_characters():
    for text in (
        PARTS + 'mates:\n  "\\e[31m": {kind: "\\e[0m", a: "\\a/x", b: "box/\\r"}\n',
        PARTS + '"\\e[31m": 1\n',
        PARTS + '"\\e": 1\n"\\e": 1\n',
    ):
        assert all(f.isprintable() for f in errors(text))


def test_a_missing_file_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="cannot read this file: No such file"):
        mates_file.read(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="cannot read this file"):
        mates_file.read(tmp_path)


# --- fuzz ----------------------------------------------------------------------------------------


def outcome(content: bytes) -> Assembly | InputError:
    try:
        return mates_file.read_bytes(content)
    except InputError as error:
        refused = error
    assert any(d.severity == "error" for d in refused.diagnostics)
    return refused


@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbf")
@example(b"%YAML 9.9\n---\n")
@example(b"a: !!binary x")
@example(b"? ")
def test_any_bytes_give_an_assembly_or_an_input_error(content):
    outcome(content)


@given(st.text(alphabet="ab:-?[]{},&*!|>'\"%@`#~<. \n01e", max_size=80))
def test_any_yaml_like_text_gives_an_assembly_or_an_input_error(text):
    outcome(text.encode())
    outcome((PARTS + text).encode())


TOKENS = [
    *sorted(set(re.findall(r"[\w./-]+|[\[\]{}:,]", GOOD))),
    "~",
    "''",
    ".nan",
    "1e400",
    "-1",
    "true",
    "&a",
    "*a",
    "!x",
    "<<",
    "[]",
    "{}",
    "\n",
    "  ",
    "#",
]


@given(
    st.lists(
        st.tuples(st.integers(0, len(GOOD)), st.integers(0, 12), st.sampled_from(TOKENS)),
        min_size=1,
        max_size=4,
    )
)
def test_a_mutated_file_gives_an_assembly_or_an_input_error(edits):
    text = GOOD
    for place, length, token in edits:
        text = text[:place] + token + text[place + length :]
    outcome(text.encode())


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.sampled_from(TOKENS),
    st.text(max_size=3),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(TOKENS), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.data())
def test_any_value_in_any_place_gives_an_assembly_or_an_input_error(data):
    tree = yaml.safe_load(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        spot = tree
        while isinstance(spot, (dict, list)) and spot:
            keys = sorted(spot) if isinstance(spot, dict) else list(range(len(spot)))
            key = data.draw(st.sampled_from(keys))
            if not isinstance(spot[key], (dict, list)) or data.draw(st.integers(0, 3)) == 0:
                spot[key] = data.draw(TREES)
                break
            spot = spot[key]
    outcome(yaml.safe_dump(tree, allow_unicode=True).encode())
