"""Changes of a YAML text leave all else as it is, in every way a mapping can be written."""

from __future__ import annotations

import pytest
import yaml

from cad2mbs.io.yaml_edit import Change, NotEditable, changed
from cad2mbs.io.yaml_places import places


def put(path: str, value) -> Change:
    return Change(tuple(path.split(".")), value)


def drop(path: str) -> Change:
    return Change(tuple(path.split(".")), drop=True)


CASES = {
    "a value in brackets": ("a: {b: 1, c: 2}  # x\n", [put("a.b", 5)], "a: {b: 5, c: 2}  # x\n"),
    "a value on its line": ("a:\n  b: 1 # x\n", [put("a.b", True)], "a:\n  b: true # x\n"),
    "a new key in brackets": ("a: {b: 1}\n", [put("a.c", 2)], "a: {b: 1, c: 2}\n"),
    "a new key in empty brackets": ("a: {}\n", [put("a.c", 2)], "a: {c: 2}\n"),
    "a new key behind a last comma": (
        "a: {\n  b: 1, # x\n}\n",
        [put("a.c", 2)],
        "a: {\n  b: 1, c: 2 # x\n}\n",
    ),
    "a new key before a comment": (
        "a: {b: 1 # x, y\n  }\n",
        [put("a.c", 2)],
        "a: {b: 1, c: 2 # x, y\n  }\n",
    ),
    "a new key in a block": (
        "a:\n    b: 1 # x\n\n# y\nz: 1\n",
        [put("a.c", 2)],
        "a:\n    b: 1 # x\n    c: 2\n\n# y\nz: 1\n",
    ),
    "a new key below several lines": (
        "a:\n  b: {x: 1,\n      y: 2}\nz: 1\n",
        [put("a.c", 2)],
        "a:\n  b: {x: 1,\n      y: 2}\n  c: 2\nz: 1\n",
    ),
    "a new section": ("a: 1\n# x\n", [put("b.c", 2)], "a: 1\n# x\nb:\n  c: 2\n"),
    "a new section without a last line break": ("a: 1", [put("b.c", 2)], "a: 1\nb:\n  c: 2"),
    "a new section before the end": ("a: 1\n...\n", [put("b.c", 2)], "a: 1\nb:\n  c: 2\n...\n"),
    "a new section in brackets": ("{a: 1}\n", [put("b.c", 2)], "{a: 1, b: {c: 2}}\n"),
    "an empty section": ("b: # x\na: 1\n", [put("b.c", 2)], "b: # x\n  c: 2\na: 1\n"),
    "a section that is null": ("b: ~\na: 1\n", [put("b.c", 2)], "b: {c: 2}\na: 1\n"),
    "CRLF": (
        "a:\r\n  b: 1\r\n",
        [put("a.c", 2), put("d.e", 3)],
        "a:\r\n  b: 1\r\n  c: 2\r\nd:\r\n  e: 3\r\n",
    ),
    "beyond ASCII": ("ä: {😀: 1, b: 2}  # ü\n", [put("ä.b", 3)], "ä: {😀: 1, b: 3}  # ü\n"),
    "a quoted key": ('"a": {"b" : 1}\n', [put("a.b", 3)], '"a": {"b" : 3}\n'),
    "a value on the next line": ("a:\n  b:\n    1\n", [put("a.b", 3)], "a:\n  b:\n    3\n"),
    "a key that needs quotes": ("a: {}\n", [put("a.x: y", 3)], 'a: {"x: y": 3}\n'),
    "drop first in brackets": ("a: {b: 1, c: 2}\n", [drop("a.b")], "a: {c: 2}\n"),
    "drop last in brackets": ("a: {b: 1, c: 2}\n", [drop("a.c")], "a: {b: 1}\n"),
    "drop the only one in brackets": ("a: {b: 1}\n", [drop("a.b")], "a: {}\n"),
    "drop before a last comma": ("a: {b: 1, c: 2,}\n", [drop("a.c")], "a: {b: 1, }\n"),
    "drop between comments": (
        "a: {b: 1,  # x\n  c: 2  # y\n}\n",
        [drop("a.c")],
        "a: {b: 1  # x\n    # y\n}\n",
    ),
    "drop a line in brackets": ("a: {\n  b: 1,\n  c: 2,\n}\n", [drop("a.b")], "a: {\n  c: 2,\n}\n"),
    "drop a line": ("a:\n  b: 1\n  c: 2\n", [drop("a.b")], "a:\n  c: 2\n"),
    "drop a line, not its comments": (
        "a:\n  # v\n  b: 1 # x\n  c: 2\n",
        [drop("a.b")],
        "a:\n  # v\n  # x\n  c: 2\n",
    ),
    "drop several lines, not their comments": (
        "a:\n  b:\n    x: '#1' # x\n    # y\n    y: 2\n  c: 2\n",
        [drop("a.b")],
        "a:\n  # x\n  # y\n  c: 2\n",
    ),
    "drop the last of a section": ("a: 1\nb:\n  c: 2\n", [drop("b.c")], "a: 1\n"),
    "drop the last, no line break": ("a: 1\nb:\n  c: 2", [drop("b.c")], "a: 1"),
    "drop the last of a section with a comment": (
        "b: # x\n  c: 2\na: 1\n",
        [drop("b.c")],
        "b: # x\na: 1\n",
    ),
    "an alias is written out where it changes": (
        "a: &x {k: 1, l: 2} # x\nb: *x # y\n",
        [put("b.k", 3)],
        "a: &x {k: 1, l: 2} # x\nb: {k: 3, l: 2} # y\n",
    ),
    "an alias is written out where it must not change": (
        "a: &x {k: 1, l: '2'}\nb: *x\n",
        [put("a.k", 3)],
        "a: &x {k: 3, l: '2'}\nb: {k: 1, l: \"2\"}\n",
    ),
    "an anchor around the place": (
        "a: &x\n  k: {m: 1}\nb: *x\nc: 1\n",
        [put("a.k.n", 3)],
        "a: &x\n  k: {m: 1, n: 3}\nb: {k: {m: 1}}\nc: 1\n",
    ),
    "an anchored number": ("a: {k: &n 1}\nb: {k: *n}\n", [put("a.k", 3)], "a: {k: 3}\nb: {k: 1}\n"),
    "an alias of a number": (
        "a: {k: &n 1}\nb: {k: *n}\n",
        [put("b.k", 3)],
        "a: {k: &n 1}\nb: {k: 3}\n",
    ),
    "an anchor that is dropped": (
        "a:\n  h: &n {k: 1}\n  i: *n\n",
        [drop("a.h")],
        "a:\n  i: {k: 1}\n",
    ),
    "an anchor that is not concerned": (
        "a: {k: &n 1, l: 2}\nb: {k: *n}\n",
        [put("a.l", 3)],
        "a: {k: &n 1, l: 3}\nb: {k: *n}\n",
    ),
    "an alias of a section": (
        "a: &s {k: {v: 1}}\nb: *s\n",
        [put("b.k.v", 2)],
        "a: &s {k: {v: 1}}\nb: {k: {v: 2}}\n",
    ),
    "text in several lines": (
        "a:\n  b: |\n    x\n\n  c: 1\n",
        [put("a.c", 2)],
        "a:\n  b: |\n    x\n\n  c: 2\n",
    ),
    "below text in several lines": (
        "a:\n  b: >\n    x\n",
        [put("a.c", 2)],
        "a:\n  b: >\n    x\n  c: 2\n",
    ),
    "a hash that is no comment": ("a: {b: 'x # y', c: x#y}\n", [drop("a.b")], "a: {c: x#y}\n"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("parser", ["C", "Python"])
def test_a_change_touches_only_its_place(name, parser, monkeypatch):
    if parser == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    text, changes, expected = CASES[name]
    assert changed(text, changes) == expected


def test_no_change_is_no_change():
    text = "a:   {b: 1 ,c: 2}\t# x\r\n\r\n"
    assert changed(text, []) == text


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("a: 1\n", put("a.b", 2)),  # no mapping
        ("a:\n  ? b\n  : 1\n", drop("a.b")),  # a key that does not stand on its line alone
        ("a:\n  b: |+\n    x\n\nz: 1\n", put("a.c", 1)),  # the blank line belongs to the text
    ],
)
def test_a_text_that_cannot_be_changed_in_place_is_refused(text, change):
    with pytest.raises(NotEditable):
        changed(text, [change])


def test_comments_are_told_from_values():
    text = "a: '# 1' # 2\nb: x#3 #4\n#5\nc: {d: \"#6\", # 7\n e: 1}# 8\n"
    assert places(text).comments(0, len(text)) == ["# 2", "#4", "#5", "# 7", "# 8"]
