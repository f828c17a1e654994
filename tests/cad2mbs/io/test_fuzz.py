"""Any bytes, any text, any damage to a mates file: an assembly or an input error, nothing else."""

from __future__ import annotations

import re

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from cad2mbs.errors import InputError
from cad2mbs.io import mates_file
from cad2mbs.model.assembly import Assembly
from tests.cad2mbs.io.spoilt_files import GOOD, PARTS


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
