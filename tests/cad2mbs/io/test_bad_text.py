"""Text that is no mates file: garbage, hostile YAML, files too large; a short message each."""

from __future__ import annotations

import random

import pytest

from cad2mbs.errors import InputError
from cad2mbs.io import mates_file, yaml_lines
from tests.cad2mbs.io.spoilt_files import PARTS, errors, only_error


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
