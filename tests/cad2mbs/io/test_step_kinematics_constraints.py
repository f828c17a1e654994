"""Assembly constraints of Part 109, written slot by slot, become mates with the right freedoms."""

from __future__ import annotations

import numpy as np
import pytest

from cad2mbs.cad.load import read as read_geometry
from cad2mbs.cad.worker import Worker
from cad2mbs.io.kinematics import carries_mechanism, read_mechanism
from cad2mbs.model.assembly import Assembly
from tests.cad2mbs.io.step_kinematics_models import Frame, Text

SHIFT = (3.0, 4.0, 12.0)  # where part b starts; 5 away from the z axis, 13 from the origin
Z: Frame = ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
X_UP: Frame = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


@pytest.fixture(scope="module")
def worker():
    with Worker() as one:
        yield one


@pytest.fixture
def read(worker):
    def mechanism(path) -> Assembly:
        return read_mechanism(path, document=read_geometry(path, worker=worker, cache=False))

    return mechanism


def start(shift=SHIFT) -> dict[str, np.ndarray]:
    X = np.eye(4)
    X[:3, 3] = shift
    return {"a": np.eye(4), "b": X}


def element(text: Text, kind: str, frame: Frame = Z) -> int:
    """A piece of geometry at a frame, with radius 2 where it has one."""
    place = text.frame(frame)
    if kind == "POINT":
        return text.add(f"CARTESIAN_POINT('',({','.join(map(str, frame[0]))}))")
    if kind in ("LINE", "DIRECTION"):
        way = text.add(f"DIRECTION('',({','.join(map(str, frame[1]))}))")
        if kind == "DIRECTION":
            return way
        point = text.add(f"CARTESIAN_POINT('',({','.join(map(str, frame[0]))}))")
        arrow = text.add(f"VECTOR('',#{way},1.)")
        return text.add(f"LINE('',#{point},#{arrow})")
    sizes = {"PLANE": "", "CONICAL_SURFACE": ",2.,0.3", "TOROIDAL_SURFACE": ",5.,2."}
    more = sizes.get(kind, ",2.")
    return text.add(f"{kind}('',#{place}{more})")


def constrained(
    text: Text, word: str, one: int, two: int, more: str = "", ground: str | None = "a"
):
    reps = {n: text.rep[text.child[n]] for n in ("a", "b")}
    body = f"'C','',(#{one}),(#{two}),'','',#{reps['a']},#{reps['b']},#{text.frame()}{more}"
    text.add(f"{word}({body})")
    if ground:
        text.add(f"FIXED_CONSTITUENT_ASSEMBLY_CONSTRAINT('F','',(#{one}),(),#{reps[ground]})")
    return text.write()


C = "_ASSEMBLY_CONSTRAINT"
# Word, elements on a and b (with frames), slots after the transformation, freedoms left.
CASES = {
    "coaxial cylinders": ("COAXIAL", "CYLINDRICAL_SURFACE", Z, "CYLINDRICAL_SURFACE", Z, "", 2),
    "coaxial circle and cone": ("COAXIAL", "CIRCLE", Z, "CONICAL_SURFACE", Z, "", 2),
    "ball on an axis": ("COAXIAL", "LINE", Z, "SPHERICAL_SURFACE", Z, "", 4),
    "point in point": ("INCIDENCE", "POINT", Z, "POINT", Z, ",()", 3),
    "point on line": ("INCIDENCE", "POINT", Z, "LINE", Z, ",()", 4),
    "point in plane": ("INCIDENCE", "PLANE", Z, "POINT", Z, ",()", 5),
    "plane in plane": ("INCIDENCE", "PLANE", Z, "PLANE", Z, ",()", 3),
    "line in plane": ("INCIDENCE", "PLANE", Z, "LINE", X_UP, ",()", 4),
    "line in line": ("INCIDENCE", "LINE", Z, "LINE", Z, ",()", 2),
    "point on cylinder": ("INCIDENCE", "CYLINDRICAL_SURFACE", Z, "POINT", Z, ",()", 5),
    "parallel lines": ("PARALLEL", "LINE", Z, "LINE", Z, "", 4),
    "parallel line and plane": ("PARALLEL", "LINE", X_UP, "PLANE", Z, "", 5),
    "perpendicular planes": ("PERPENDICULAR", "PLANE", Z, "PLANE", X_UP, "", 5),
    "perpendicular to a plane": ("PERPENDICULAR", "PLANE", Z, "DIRECTION", Z, "", 4),
    "tangent plane": ("TANGENT", "PLANE", Z, "SPHERICAL_SURFACE", Z, ",(),.T.", 5),
    "tangent cylinders": (
        "TANGENT", "CYLINDRICAL_SURFACE", Z, "CYLINDRICAL_SURFACE", Z, ",(),.T.", 3,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_constraint_leaves_free_what_its_elements_allow(tmp_path, read, case):
    word, first, F1, second, F2, more, freedoms = CASES[case]
    text = Text(tmp_path, start())
    path = constrained(text, word + C, element(text, first, F1), element(text, second, F2), more)
    assert carries_mechanism(path)
    a = read(path)
    assert [n for n, p in a.parts.items() if p.grounded] == ["a"]
    m = a.mechanism()
    assert m.assembled
    assert m.mobility.freedoms == freedoms


NUMBERS = {
    "planes": ("PARALLEL", "PLANE", "PLANE", ",10.,.F.", "in-plane", 10.0),
    "lines": ("PARALLEL", "LINE", "LINE", ",7.,.F.", "axis-distance", 7.0),
    "faces": ("SURFACE_DISTANCE", "PLANE", "SPHERICAL_SURFACE", ",(),10.", "in-plane", 12.0),
    "balls": (
        "SURFACE_DISTANCE", "SPHERICAL_SURFACE", "SPHERICAL_SURFACE", ",(),10.", "distance", 14.0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NUMBERS)
def test_a_dimension_is_the_number_of_a_mate(tmp_path, read, case):
    word, first, second, more, kind, value = NUMBERS[case]
    text = Text(tmp_path, start())
    ends = element(text, first), element(text, second)
    a = read(constrained(text, f"{word}{C}_WITH_DIMENSION", *ends, more))
    found = {m.kind: m.value for m in a.mates.values()}
    # The nearer side of a plane is meant: b starts above.
    assert abs(found[kind] or 0.0) == pytest.approx(value)
    m = a.mechanism()
    assert m.assembled
    if kind == "in-plane":
        assert m.poses["b"].position[2] == pytest.approx(value, abs=1e-9)


def test_an_angle_is_read_in_the_unit_of_the_file(tmp_path, read):
    text = Text(tmp_path, start())
    ends = element(text, "PLANE"), element(text, "PLANE", X_UP)
    a = read(constrained(text, f"ANGLE{C}_WITH_DIMENSION", *ends, f",{np.pi / 3!r}"))
    (mate,) = a.mates.values()
    assert (mate.kind, mate.value) == ("offset-z", pytest.approx(60.0))


def test_constraints_that_are_not_understood_are_told_with_their_name(tmp_path, read):
    text = Text(tmp_path, start())
    ends = element(text, "TOROIDAL_SURFACE"), element(text, "PLANE")
    a = read(constrained(text, f"TANGENT{C}", *ends, ",(),.T."))
    assert not a.mates
    assert any("'C'" in note and "torus" in note for note in a.notes)


def test_a_part_that_is_there_twice_leaves_a_constraint_open_and_told(tmp_path, read):
    text = Text(tmp_path, start())
    old, new = (f"#{text.root},#{text.child[name]}," for name in "ba")
    text.head = text.head.replace(old, new)
    text.child["b"] = text.child["a"]
    ends = element(text, "PLANE"), element(text, "PLANE")
    a = read(constrained(text, f"INCIDENCE{C}", *ends, ",()", ground=None))
    assert not a.mates
    assert any("2 times" in note for note in a.notes)
