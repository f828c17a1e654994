"""The mates file: what is read, what is written, and that schema and docs keep up."""

from __future__ import annotations

import json
import math
import os
import re
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cad2mbs.errors import InputError
from cad2mbs.io import mates_file, mates_schema, mates_text, source, yaml_lines
from cad2mbs.model import references as ref
from cad2mbs.model.assembly import (
    Assembly,
    Coupling,
    CouplingKind,
    Drive,
    Freedom,
    JointFreedom,
    Limit,
    Observer,
    ObserverKind,
    Part,
)
from cad2mbs.model.mates import MATE_KINDS, Mate, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import RefKind
from cad2mbs.units import Units

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs" / "mates-file.md"
SCHEMA = ROOT / "cad2mbs" / "mates.schema.json"

FULL = """\
cad2mbs: 1
name: Everything
units: {length: cm, angle: deg}
parts:
  ground:
    grounded: true
    references:
      A: {frame: {origin: [0, 0, 0], z: [0, 0, 2], x: [1, 0, 1]}}
      O: {point: [1, 2, 3]}
      n: {vector: [0, 3, 4]}
      pin: {axis: {point: [0, 0, 1e-3], along: [1, 2, 1]}}
      top: {plane: {point: [0, 0, 5], normal: [0, 0, -1]}}
    pose: {position: [1, 2, 3], quaternion: [0, 1, 0, 0]}
  sub/crank:
    references:
      K: {frame: {}}
      P: {point: [.5, -1., +2.5E+1]}
      axis: {axis: {along: [0, 0, 1]}}
    pose: {turn: {axis: [0, 0, 9], angle: 90}}
mates:
  pin: {kind: coincident, a: ground/O, b: sub/crank/P}
  angle: {kind: offset-x, a: ground/A, b: sub/crank/K, angle: 30}
  flush: {kind: in-plane, a: sub/crank/P, b: ground/top}
  against: {kind: parallel-z, a: ground/n, b: sub/crank/axis, sense: false}
  stop: {kind: halfspace, a: sub/crank/P, b: ground/top, distance: -3, sense: true}
  weld:
    kind: identical
    a: ground/A
    b: sub/crank/K
    transform: {position: [0, 0, 1], turn: {axis: [1, 0, 0], angle: 180}}
    off: true
drives:
  crank: {mate: angle, value: 0, min: -90, max: 90}
  lift: {joint: [ground, sub/crank], freedom: slide, zero: [ground/A, sub/crank/K], value: 0}
limits:
  travel: {joint: [ground, sub/crank], freedom: slide, min: 0}
couplings:
  mesh: {kind: gear, a: ground/pin, b: sub/crank/axis, teeth: [20, 40]}
  ring: {kind: gear, a: ground/pin, b: sub/crank/axis, radii: [1, 4], internal: true}
  rack: {kind: rack-and-pinion, a: ground/pin, b: sub/crank/axis, radius: 12}
  thread: {kind: screw, a: ground/pin, b: sub/crank/axis, pitch: -2}
observers:
  tip: {position: sub/crank/P}
  seen: {position: sub/crank/P, in: ground}
  height: {distance: [sub/crank/P, ground/top]}
  slope: {angle: [ground/n, sub/crank/axis]}
positions:
  up: {crank: 45, lift: 1e-3}
  yes: {crank: 0}
"""


def read(text: str) -> Assembly:
    return mates_file.read_bytes(text.encode())


def without_lines(assembly: Assembly) -> Assembly:
    sections = ("parts", "mates", "drives", "limits", "couplings", "observers")
    stripped = {
        s: {k: replace(v, line=None) for k, v in getattr(assembly, s).items()} for s in sections
    }
    return replace(assembly, source="", **stripped)


# --- reading -----------------------------------------------------------------------------------


def test_every_reference_kind_is_read():
    has = read(FULL).parts["ground"].references
    assert has["O"] == ref.point([1, 2, 3])
    assert has["n"] == ref.vector([0, 3, 4])
    assert has["pin"] == ref.axis([0, 0, 0.001], [1, 2, 1])
    assert has["top"] == ref.plane([0, 0, 5], [0, 0, -1])
    assert has["A"].kind is RefKind.FRAME
    assert has["A"].z == (0, 0, 1)
    assert has["A"].x == pytest.approx((1, 0, 0), abs=1e-15)


def test_poses_are_read_as_quaternion_or_as_turn():
    parts = read(FULL).parts
    assert parts["ground"].pose == Pose((1, 2, 3), (0, 1, 0, 0))
    half = math.sqrt(0.5)
    assert parts["sub/crank"].pose is not None
    assert parts["sub/crank"].pose.quaternion == pytest.approx((half, 0, 0, half), abs=1e-15)


def test_mates_are_read_with_number_sense_and_transform():
    mates = read(FULL).mates
    assert mates["angle"].value == 30.0
    assert mates["flush"].value is None
    assert mates["against"].sense is False
    assert mates["stop"].value == -3.0
    assert mates["weld"].transform.position == (0, 0, 1)
    assert mates["weld"].transform.quaternion == pytest.approx((0, 1, 0, 0), abs=1e-15)


def test_a_reference_is_split_at_the_last_slash():
    assert read(FULL).mates["pin"].b == RefId("sub/crank", "P")


def test_drives_limits_and_units_are_read():
    a = read(FULL)
    assert a.units == Units("cm", "deg")
    assert replace(a.drives["crank"], line=None) == Drive("crank", "angle", None, 0.0, -90.0, 90.0)
    zero = (RefId("ground", "A"), RefId("sub/crank", "K"))
    assert a.drives["lift"].of == JointFreedom("ground", "sub/crank", Freedom.SLIDE, zero)
    assert a.limits["travel"].low == 0.0
    assert a.limits["travel"].high is None


def test_coupling_ratios_follow_teeth_radii_and_the_inside_mesh():
    ratios = {name: c.ratio for name, c in read(FULL).couplings.items()}
    assert ratios == {"mesh": 0.5, "ring": -0.25, "rack": 12.0, "thread": -2.0}


def test_observers_and_positions_are_read():
    a = read(FULL)
    tip, top = RefId("sub/crank", "P"), RefId("ground", "top")
    found = {name: replace(o, line=None) for name, o in a.observers.items()}
    assert found == {
        "tip": Observer("tip", ObserverKind.POSITION, tip),
        "seen": Observer("seen", ObserverKind.POSITION, tip, seen_from="ground"),
        "height": Observer("height", ObserverKind.DISTANCE, tip, top),
        "slope": Observer(
            "slope", ObserverKind.ANGLE, RefId("ground", "n"), RefId("sub/crank", "axis")
        ),
    }
    assert a.positions == {"up": {"crank": 45.0, "lift": 0.001}, "yes": {"crank": 0.0}}


def test_a_mate_can_be_off():
    mates = read(FULL).mates
    assert [m.name for m in mates.values() if m.off] == ["weld"]


def test_every_entry_knows_its_line():
    a = read(FULL)
    lines = FULL.splitlines()
    for section in ("parts", "mates", "drives", "limits", "couplings", "observers"):
        for name, entry in getattr(a, section).items():
            assert lines[entry.line - 1].strip().startswith(f"{name}:")


def test_angles_of_a_file_in_radians_are_radians():
    text = FULL.replace("angle: deg", "angle: rad").replace(
        "angle: 90}}", f"angle: {math.pi / 2}}}}}"
    )
    pose = read(text.replace("angle: 30", "angle: 0.5")).parts["sub/crank"].pose
    assert pose is not None
    assert pose.quaternion[0] == pytest.approx(math.sqrt(0.5), abs=1e-15)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("1E3", 1000.0),
        ("-.5", -0.5),
        ("+2.", 2.0),
        ("010", 10),
        ("~", None),
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("nan", "nan"),
        ("0x10", "0x10"),
        ("1e", "1e"),
        (".", "."),
        ("-", "-"),
    ],
)
def test_plain_scalars_follow_yaml_1_2(text, value):
    found = yaml_lines.scalar(text)
    assert found == value
    assert type(found) is type(value)


def test_a_file_without_mates_is_fine():
    a = read("cad2mbs: 1\nparts: {box: {grounded: true}}\nmates:\ndrives:\n")
    assert (dict(a.mates), dict(a.drives)) == ({}, {})


def test_a_small_alias_is_read():
    a = read(
        "cad2mbs: 1\nparts:\n"
        "  a: &box {grounded: true, references: {P: {point: [1, 2, 3]}}}\n"
        "  b: *box\n"
    )
    assert a.parts["b"].references == a.parts["a"].references


def test_a_byte_order_mark_is_no_harm():
    assert mates_file.read_bytes(b"\xef\xbb\xbf" + FULL.encode()).name == "Everything"


def test_the_pure_python_parser_reads_the_same(monkeypatch):
    expected = read(FULL)
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert read(FULL) == expected


@pytest.mark.parametrize(("file", "name"), [("assembly.yaml", "engine"), ("pump.yaml", "pump")])
def test_the_name_defaults_to_folder_or_file(tmp_path, file, name):
    folder = tmp_path / "engine"
    folder.mkdir()
    (folder / file).write_text("cad2mbs: 1\nparts: {box: {grounded: true}}\n")
    a = mates_file.read(folder / file)
    assert a.name == name
    assert a.source == str(folder / file)


# --- writing -----------------------------------------------------------------------------------


def test_what_was_written_reads_back_the_same(tmp_path):
    a = read(FULL)
    mates_file.write(a, tmp_path / "a.yaml", comment="first\nsecond")
    assert without_lines(mates_file.read(tmp_path / "a.yaml")) == without_lines(a)
    assert (tmp_path / "a.yaml").read_text().startswith("# first\n# second\ncad2mbs: 1\n")


NUMBERS = st.floats(-1e9, 1e9, allow_subnormal=False)
VECTORS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
DIRECTIONS = VECTORS.filter(lambda v: math.hypot(*v) > 1e-6)
CHARACTERS = st.characters(
    codec="utf-8", exclude_categories=("C", "Z"), include_characters=" ", exclude_characters="/"
)
NAMES = st.text(CHARACTERS, min_size=1, max_size=12).filter(
    lambda n: n == n.strip() and n.isprintable() and "/" not in n
)

MIN_SINE = 1e-5  # between z and x of a drawn frame; parallel ones are refused


@st.composite
def frames(draw):
    z, x = draw(DIRECTIONS), draw(DIRECTIONS)
    sine = math.hypot(
        z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]
    )
    if sine < MIN_SINE * math.hypot(*z) * math.hypot(*x):
        return ref.frame(draw(VECTORS), z)
    return ref.frame(draw(VECTORS), z, x)


REFERENCES = st.one_of(
    st.builds(ref.point, VECTORS),
    st.builds(ref.vector, DIRECTIONS),
    st.builds(ref.axis, VECTORS, DIRECTIONS),
    st.builds(ref.plane, VECTORS, DIRECTIONS),
    frames(),
)
POSES = st.builds(Pose.turned, VECTORS, DIRECTIONS, st.floats(-7, 7))


AWKWARD = st.sampled_from(["gap", "Höhe", "off", "x: {y}", "1", "# no", "a/b", "null"])


@st.composite
def observers(draw, a, b, taken):
    name = draw(AWKWARD)
    if name in taken:
        return {}
    kind = draw(st.sampled_from(list(ObserverKind)))
    if kind is ObserverKind.POSITION:
        part = draw(st.none() | st.just(b.part))
        return {name: Observer(name, kind, a, seen_from=part)}
    return {name: Observer(name, kind, a, b)}


@st.composite
def assemblies(draw):
    names = draw(st.lists(NAMES, min_size=2, max_size=3, unique=True))
    parts = {}
    for name in names:
        refs = draw(st.dictionaries(NAMES, REFERENCES, max_size=3)) | {"K": draw(frames())}
        pose = draw(st.none() | POSES)
        parts[name] = Part(name, refs, draw(st.booleans()), pose)
    a, b = RefId(names[0], "K"), RefId(names[1], "K")
    angle, other = draw(st.lists(NAMES, min_size=2, max_size=2, unique=True))
    mates = {
        angle: Mate(angle, "offset-x", a, b, draw(st.none() | NUMBERS)),
        other: Mate(other, "identical", a, b, transform=draw(POSES), off=draw(st.booleans())),
    }
    of = JointFreedom(names[0], names[1], Freedom.TURN, draw(st.sampled_from([None, (a, b)])))
    ratio = draw(NUMBERS.filter(bool))
    kind = draw(st.sampled_from(list(CouplingKind)))
    return Assembly(
        draw(NAMES),
        parts,
        mates,
        {"d": Drive("d", angle), "j": Drive("j", of=of, value=draw(st.none() | NUMBERS))},
        {"l": Limit("l", replace(of, freedom=None), high=draw(NUMBERS))},
        {"c": Coupling("c", kind, a, b, ratio)},
        Units(draw(st.sampled_from(["mm", "in"])), "rad"),
        observers=draw(observers(a, b, {"d", "j", *names})),
        positions=draw(st.sampled_from([{}, {draw(AWKWARD): {"j": 1.5, "d": -2.0}}])),
    )


@given(assemblies())
def test_any_assembly_survives_writing_and_reading(assembly):
    assert without_lines(read(mates_text.to_text(assembly))) == assembly


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_written_in_full(value):
    text = mates_text.number_text(value)
    assert yaml_lines.scalar(text) == value
    assert yaml.safe_load(text) == value  # also for readers of YAML 1.1
    assert not text.startswith("-0") or value != 0


@given(st.text().filter(lambda t: "\ufffe" not in t and "\uffff" not in t))
def test_any_text_is_written_so_that_it_reads_back(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    root, problems = yaml_lines.parse(f"key: {{{mates_text.word(text)}: 1}}\n".encode())
    if len(text) < 900:  # YAML takes no longer keys
        assert not problems
        assert root is not None
        assert root.plain() == {"key": {text: 1}}


@pytest.mark.parametrize(
    "name", ["yes", "null", "1", "1e3", "a: b", "#x", "- x", "<<", "ä", '"', "x "]
)
def test_awkward_names_are_put_in_quotes_where_needed(name):
    root, problems = yaml_lines.parse(f"{mates_text.word(name)}: {mates_text.word(name)}".encode())
    assert not problems
    assert root is not None
    assert root.plain() == {name: name}


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.yaml"
    path.write_text("old")

    def fail(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InputError, match=r"cannot write this file: No space left"):
        mates_file.write(read(FULL), path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


def test_an_assembly_with_errors_is_not_written(tmp_path):
    bad = replace(read(FULL), units=Units("parsec"))
    with pytest.raises(InputError, match="length unit 'parsec'"):
        mates_file.write(bad, tmp_path / "a.yaml")
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="cannot write this file"):
        mates_file.write(read(FULL), tmp_path / "none" / "a.yaml")


@pytest.mark.skipif(os.name == "nt", reason="file modes are a POSIX matter")
def test_writing_keeps_the_mode_of_the_file(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("old")
    path.chmod(0o640)
    mates_file.write(read(FULL), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_writing_through_a_link_keeps_the_link(tmp_path):
    target, link = tmp_path / "a.yaml", tmp_path / "b.yaml"
    target.write_text("old")
    link.symlink_to(target)
    mates_file.write(read(FULL), link)
    assert link.is_symlink()
    assert mates_file.read(target).name == "Everything"


# --- sources -----------------------------------------------------------------------------------


def test_a_folder_stands_for_its_assembly_file(tmp_path):
    (tmp_path / "assembly.yaml").write_text(FULL)
    assert source.load(tmp_path).name == "Everything"


@pytest.mark.parametrize("ending", [".yaml", ".yml", ".YAML"])
def test_a_yaml_file_is_a_mates_file(tmp_path, ending):
    (tmp_path / f"a{ending}").write_text(FULL)
    assert source.load(str(tmp_path / f"a{ending}")).name == "Everything"


def test_a_shipped_assembly_is_found_by_name(tmp_path, monkeypatch):
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "assembly.yaml").write_text(FULL)
    monkeypatch.setattr(source, "SHIPPED", tmp_path)
    assert source.shipped() == ["engine"]
    assert source.load("engine").name == "Everything"
    with pytest.raises(InputError, match=r"did you mean the shipped assembly 'engine'\?"):
        source.load("engin")


def test_a_missing_file_names_its_neighbour(tmp_path):
    (tmp_path / "engine.yaml").write_text(FULL)
    with pytest.raises(InputError, match=r"no such file or folder; did you mean '.*engine.yaml'\?"):
        source.load(tmp_path / "engin.yaml")


def test_a_folder_without_assembly_file_lists_what_it_has(tmp_path):
    (tmp_path / "x.yaml").write_text(FULL)
    with pytest.raises(InputError, match=r"without assembly.yaml; name one of its files: x.yaml"):
        source.load(tmp_path)


def test_a_foreign_file_is_refused_with_the_kinds_that_are_read(tmp_path):
    (tmp_path / "x.docx").write_text("x")
    with pytest.raises(InputError, match=r"ends in '\.docx'. Wanted a STEP file \("):
        source.load(tmp_path / "x.docx")


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, ""])
def test_impossible_names_are_input_errors(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="Wanted"):
        source.load(name)


def test_reading_a_mates_file_imports_no_cad_and_no_solver(tmp_path):
    (tmp_path / "a.yaml").write_text(FULL)
    code = (
        "import sys; from cad2mbs.io.source import load; load(sys.argv[1]);"
        "sys.exit(', '.join({'OCP', 'trimesh', 'open3d', 'numba', 'solvers'} & set(sys.modules)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.yaml")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr.strip() == ""


# --- schema and docs ---------------------------------------------------------------------------


def test_the_published_schema_is_up_to_date():
    found = SCHEMA.read_text(encoding="utf-8")
    assert found == mates_schema.schema_text(), "run scripts/make_schema.py"


def test_the_schema_knows_every_mate_kind_and_never_asks_for_null():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert schema["$defs"]["MateEntry"]["properties"]["kind"]["enum"] == list(MATE_KINDS)
    assert '"null"' not in json.dumps(schema)


def test_the_schema_accepts_what_the_reader_accepts():
    jsonschema = pytest.importorskip("jsonschema", reason="the jsonschema package is not installed")
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    validator.check_schema(validator.schema)
    for text in (FULL, *_examples(), mates_text.to_text(read(FULL))):
        root, _ = yaml_lines.parse(text.encode())
        assert root is not None
        validator.validate(root.plain())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kind: coincident", "kind: glued"),
        ("kind: in-plane, a", "kind: in-plane, angle: 3, a"),
        ("O: {point: [1, 2, 3]}", "O: {point: [1, 2]}"),
        ("O: {point: [1, 2, 3]}", "O: {}"),
        ("mate: angle,", "mate: angle, joint: [a, b],"),
        ("teeth: [20, 40]", "pitch: 3"),
        ("cad2mbs: 1", "cad2mbs: 2"),
        ("grounded: true", "grounded: 1"),
        ("off: true", "off: 1"),
        ("{angle: [ground/n,", "{distance: [ground/A, sub/crank/K], angle: [ground/n,"),
        ("{distance: [sub/crank/P, ground/top]}", "{distance: [sub/crank/P, ground/top], in: x}"),
        ("{position: sub/crank/P}", "{in: ground}"),
        ("up: {crank: 45,", "up: {crank: high,"),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(old, new):
    jsonschema = pytest.importorskip("jsonschema", reason="the jsonschema package is not installed")
    text = FULL.replace(old, new, 1)
    assert text != FULL
    root, _ = yaml_lines.parse(text.encode())
    assert root is not None
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(mates_schema.schema()).validate(root.plain())
    with pytest.raises(InputError):
        read(text)


def _examples() -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", _examples())
def test_the_examples_in_the_docs_are_read(text):
    assert read(text).parts


def test_there_are_examples_in_the_docs():
    assert len(_examples()) >= 2


@pytest.mark.parametrize("kind", MATE_KINDS)
def test_the_docs_list_every_mate_with_its_slots(kind):
    row = re.search(rf"^\| `{kind}` \|(.*)\|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert row, f"no row for {kind} in {DOCS.name}"
    a, b, number, other, meaning = (cell.strip() for cell in row.group(1).split("|"))
    spec = MATE_KINDS[kind]
    assert (a, b) == (spec.a, spec.b)
    assert (f"`{spec.value}`" in number) if spec.value else number == ""
    assert ("default" in number) == (spec.default is not None)
    assert ("`sense`" in other) == spec.sense
    assert ("one-sided" in meaning) == spec.one_sided


def test_the_docs_name_every_field_of_the_file():
    text = DOCS.read_text(encoding="utf-8")
    models = [m for m in vars(mates_schema).values() if isinstance(m, type)]
    for model in models:
        if issubclass(model, mates_schema.Entry):
            for name in (f.alias or n for n, f in model.model_fields.items()):
                assert re.search(rf"`{name}`|\b{name}:", text), f"{name} is not in {DOCS.name}"
