"""Assemblies built in code get the same judgement as files."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from cad2mbs.errors import InputError
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
from cad2mbs.model.check import check, checked, findings
from cad2mbs.model.check_mates import number
from cad2mbs.model.findings import MAX_FINDINGS
from cad2mbs.model.mates import MATE_KINDS, Mate, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import SERVES, Reference, RefKind
from cad2mbs.units import Units

REFS = {
    "P": ref.point([1, 2, 3]),
    "V": ref.vector([0, 0, 1]),
    "A": ref.axis([0, 0, 0], [0, 0, 1]),
    "E": ref.plane([0, 0, 0], [0, 0, 1]),
    "K": ref.frame(),
}
NAME_OF = {
    RefKind.POINT: "P",
    RefKind.VECTOR: "V",
    RefKind.AXIS: "A",
    RefKind.PLANE: "E",
    RefKind.FRAME: "K",
}
PARTS = {"one": Part("one", REFS, grounded=True), "two": Part("two", REFS)}
ONE, TWO = RefId("one", "K"), RefId("two", "K")
ANGLE = Mate("angle", "offset-x", ONE, TWO, 30.0)
GEAR = Coupling("c", CouplingKind.GEAR, ONE, TWO, 0.5)
JOINT = JointFreedom("one", "two", Freedom.SLIDE)


def assembly(*entries, parts=PARTS, units=None) -> Assembly:
    sections: dict[type, dict] = {Mate: {}, Drive: {}, Limit: {}, Coupling: {}}
    for entry in entries:
        sections[type(entry)][entry.name] = entry
    return Assembly("test", parts, *sections.values(), units=units or Units(), source="made")


def messages(*entries, **more) -> list[str]:
    return [d.message for d in check(assembly(*entries, **more))]


def mate(kind: str, a: str = "K", b: str = "K", value: Any = None, **more) -> Mate:
    return Mate("m", kind, RefId("one", a), RefId("two", b), value, **more)


def some_value(kind: str) -> float | None:
    return 1.0 if MATE_KINDS[kind].value else None


def test_a_sound_assembly_has_no_findings():
    entries = (ANGLE, Drive("d", "angle"), Limit("l", JOINT, 0.0, 1.0), GEAR)
    assert messages(*entries) == []
    sound = assembly(*entries)
    assert checked(sound) is sound


def observing(*observers: Observer, **more) -> list[str]:
    named = {o.name: o for o in observers}
    return [str(d) for d in check(replace(assembly(ANGLE), observers=named, **more))]


def test_observers_built_in_code_are_judged_by_their_kind():
    two = (RefId("one", "V"), RefId("two", "P"))
    (no_place, *_rest) = observing(Observer("o", ObserverKind.DISTANCE, *two))
    assert "'one/V' is a vector, which has no place. What serves there: point, axis" in no_place
    (one,) = observing(Observer("o", ObserverKind.ANGLE, ONE))
    assert "found one reference; an angle needs two" in one
    (both,) = observing(Observer("o", ObserverKind.POSITION, ONE, TWO))
    assert "found two references; a position has one" in both
    (seen,) = observing(Observer("o", ObserverKind.ANGLE, ONE, TWO, seen_from="one"))
    assert "found 'in', which only a position has" in seen
    (kind,) = observing(Observer("o", "angel", ONE, TWO))  # type: ignore[arg-type]
    assert "unknown kind; did you mean 'angle'? Kinds: position, distance, angle." in kind


@pytest.mark.parametrize(
    "observer",
    [
        Observer("o", ObserverKind.ANGLE, ONE, RefId("one", "A")),
        Observer("o", ObserverKind.POSITION, ONE, seen_from="one"),
    ],
)
def test_an_observer_that_never_changes_is_a_warning(observer):
    (found,) = observing(observer)
    assert found.startswith("made: warning: observer 'o' stays within part 'one'")


def test_a_position_beyond_a_limit_of_the_same_freedom_is_an_error():
    limited = assembly(Drive("d", of=JOINT), Limit("l", JOINT, 0.0, 1.0))
    (found,) = check(replace(limited, positions={"p": {"d": 2.0}}))
    assert "found 2.0; wanted at most 1.0, the max of limit 'l'" in found.message


def test_checked_raises_with_every_finding():
    with pytest.raises(InputError) as caught:
        checked(assembly(mate("glue"), replace(ANGLE, a=RefId("three", "K"))))
    assert len(caught.value.diagnostics) == 2
    assert str(caught.value).startswith("made: error: mate 'm' has the unknown kind 'glue'")


def test_findings_carry_the_line_of_their_entry():
    (found,) = check(assembly(replace(mate("glue"), line=7)))
    assert found.line == 7


def test_no_ground_is_a_warning_and_not_an_error():
    parts = {k: replace(p, grounded=False) for k, p in PARTS.items()}
    (found,) = check(assembly(parts=parts))
    assert found.severity == "warning"
    assert "no part is grounded; the first one, 'one', is taken as ground" in found.message
    checked(assembly(parts=parts))


def test_no_parts_is_an_error():
    assert messages(parts={}) == ["there are no parts; wanted at least one under 'parts'"]


@pytest.mark.parametrize("kind", MATE_KINDS)
@pytest.mark.parametrize("a", list(RefKind))
@pytest.mark.parametrize("b", list(RefKind))
def test_the_slots_take_what_serves_and_nothing_else(kind, a, b):
    spec = MATE_KINDS[kind]
    found = messages(mate(kind, NAME_OF[a], NAME_OF[b], some_value(kind)))
    wrong = (a not in SERVES[spec.a]) + (b not in SERVES[spec.b])
    assert len(found) == wrong
    assert all(f"mate 'm' ({kind}) needs a" in f for f in found)


@pytest.mark.parametrize("kind", MATE_KINDS)
def test_numbers_are_asked_for_and_bounded_by_the_table(kind):
    spec = MATE_KINDS[kind]
    if spec.value is None:
        assert "carries no number; found 1.0" in messages(mate(kind, value=1.0))[0]
        return
    missing = messages(mate(kind))
    assert missing == (
        [f"mate 'm' ({kind}) needs its number; give '{spec.value}'"] if spec.default is None else []
    )
    for value in (math.nan, math.inf, 1e300, "3", True):
        assert "wanted a finite number" in messages(mate(kind, value=value))[0]
    outside = [v for v in (spec.low, spec.high * 180) if math.isfinite(v)]
    for value in outside:
        assert "wanted a number" in messages(mate(kind, value=value))[0]


def test_the_range_of_an_angle_follows_the_unit():
    found = messages(mate("offset-z", value=3.2), units=Units("mm", "rad"))
    assert "found angle 3.2; wanted a number between 0 and 3.141592654 rad" in found[0]
    assert messages(mate("offset-z", value=3.1), units=Units("mm", "rad")) == []


def test_number_gives_the_default_of_the_kind():
    assert number(mate("in-plane")) == 0.0
    assert number(mate("in-plane", value=2.0)) == 2.0
    assert number(mate("coincident")) is None


TWICE = Mate("angle", "offset-x", ONE, RefId("one", "A"), 3.0)
FAR = RefId("there", "K")
SPIN = JointFreedom("one", "two", Freedom.TURN)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (
            [mate("coincident", a="X")],
            "mate 'm' (coincident): a names 'one/X', but part 'one' has no",
        ),
        ([replace(ANGLE, b=FAR)], "b names the part 'there', which is not there. Parts: one, two."),
        ([mate("in-line", "A", "P")], "needs an axis as b; 'two/P' is a point. Swap a and b."),
        (
            [mate("coincident", sense=False)],
            "has no 'sense'; leave it out. Kinds with it: parallel-z",
        ),
        (
            [mate("coincident", transform=Pose((1, 0, 0)))],
            "has no 'transform'; only identical has one",
        ),
        (
            [mate("identical", transform=Pose(quaternion=(2, 0, 0, 0)))],
            "transform: the quaternion has length 2; wanted length 1",
        ),
        ([replace(ANGLE, name="x" * 300)], "has a name of 300 characters; wanted at most 200"),
        ([replace(ANGLE, name=" x")], "wanted a name without space around it"),
        ([replace(ANGLE, name="")], "wanted a name without space around it"),
        (
            [replace(ANGLE, name="a\nb")],
            "found the mate name 'a\\nb'; wanted no control characters",
        ),
        # drives
        ([Drive("d")], "drive 'd' has neither of 'mate' and 'joint'; wanted one of them"),
        ([ANGLE, Drive("d", "angle", SPIN)], "drive 'd' has both of 'mate' and 'joint'"),
        (
            [ANGLE, Drive("d", "angel")],
            "names the mate 'angel', which is not there; did you mean 'angle'?",
        ),
        ([mate("coincident"), Drive("d", "m")], "carries no number that could be driven"),
        ([mate("halfspace"), Drive("d", "m")], "mate 'm' (halfspace) is one-sided"),
        (
            [ANGLE, Drive("d", "angle"), Drive("e", "angle")],
            "drive 'e' drives the same mate as drive 'd'; wanted one drive for it",
        ),
        (
            [Drive("d", of=SPIN), Drive("e", of=replace(SPIN, a="two", b="one"))],
            "drive 'e' drives the same joint as drive 'd'",
        ),
        (
            [ANGLE, Drive("d", "angle", low=2.0, high=1.0)],
            "min 2.0 is greater than max 1.0; swap them",
        ),
        ([ANGLE, Drive("d", "angle", high=20.0)], "starts at 30.0; wanted a start of at most 20.0"),
        (
            [ANGLE, Drive("d", "angle", value=1.0, low=2.0)],
            "starts at 1.0; wanted a start of at least 2.0",
        ),
        (
            [ANGLE, Drive("d", "angle", value=math.nan)],
            "drive 'd', value: found nan; wanted a finite number",
        ),
        (
            [ANGLE, Drive("d", "angle", low=-math.inf)],
            "drive 'd', min: found -inf; wanted a finite number",
        ),
        (
            [mate("distance", value=3.0), Drive("d", "m", value=-1.0)],
            "found value -1.0; wanted a number greater than 0",
        ),
        (
            [mate("distance", value=3.0), Drive("d", "m", low=-1.0)],
            "found min -1.0; wanted a number greater than 0",
        ),
        (
            [Drive("d", of=JOINT, value=5.0), Limit("l", JOINT, 0.0, 1.0)],
            "drive 'd', held by limit 'l', starts at 5.0; wanted a start from 0.0 to 1.0",
        ),
        # joints
        (
            [Drive("d", of=JointFreedom("one", "too"))],
            "joint names the part 'too', which is not there; did",
        ),
        (
            [Drive("d", of=JointFreedom("one", "one"))],
            "joint names part 'one' twice; wanted two different",
        ),
        (
            [Drive("d", of=replace(SPIN, freedom="spin"))],
            "found the freedom 'spin'; wanted turn or slide",
        ),
        ([Limit("l", JOINT)], "limit 'l' limits nothing; give min, max or both"),
        ([Limit("l", JOINT, 2.0, 1.0)], "limit 'l': min 2.0 is greater than max 1.0; swap them"),
        (
            [Limit("l", replace(SPIN, zero=(ONE, RefId("two", "A"))), 0.0)],
            "zero needs a frame; 'two/A' is an axis",
        ),
        (
            [Limit("l", replace(JOINT, zero=(ONE, RefId("two", "V"))), 0.0)],
            "zero needs a point; 'two/V' is a vector",
        ),
        # couplings
        ([replace(GEAR, ratio=0.0)], "coupling 'c' (gear) has the ratio 0, which couples nothing"),
        ([replace(GEAR, ratio=math.nan)], "ratio: found nan; wanted a finite number"),
        ([replace(GEAR, b=RefId("two", "E"))], "needs an axis as b; 'two/E' is a plane"),
        ([replace(GEAR, a=FAR)], "a names the part 'there', which is not there"),
        ([replace(GEAR, b=RefId("one", "A"))], "has both references on part 'one'"),
        ([replace(GEAR, carrier="three")], "carrier names the part 'three', which is not there"),
        ([replace(GEAR, carrier="one")], "the carrier 'one' is one of the coupled parts"),
        (
            [replace(GEAR, kind=CouplingKind.SCREW, carrier="one")],
            "has no carrier: it is measured from a",
        ),
        (
            [replace(GEAR, kind="belt")],
            "coupling 'c' (belt) has an unknown kind. Kinds: gear, rack-and-",
        ),
    ],
)
def test_each_mistake_has_its_message(entries, message):
    (found,) = messages(*entries)
    assert message in found


def test_both_references_on_one_part_is_an_error():
    found = messages(TWICE)
    assert "mate 'angle' (offset-x) has both references on part 'one'" in found[0]


def test_a_slide_may_count_from_any_origin():
    assert messages(Limit("l", replace(JOINT, zero=(ONE, RefId("two", "P"))), 0.0)) == []


def test_a_drive_may_touch_the_ends_of_the_range():
    angle = mate("offset-z", value=90.0)
    assert messages(angle, Drive("d", "m", low=0.0, high=180.0)) == []
    rad = Units("mm", "rad")
    assert (
        messages(mate("offset-z", value=1.0), Drive("d", "m", low=0, high=math.pi), units=rad) == []
    )


def test_a_name_that_differs_from_its_key_is_an_error():
    parts = {**PARTS, "three": Part("drei")}
    assert messages(parts=parts) == [
        "part 'drei' is filed under the name 'three'; wanted the same name"
    ]


BROKEN = {
    "has a slash in its name": {"a/b": REFS["P"]},
    "origin: found nan; wanted a finite number": {
        "P": Reference(RefKind.POINT, (0.0, math.nan, 0.0))
    },
    "its z direction is the zero vector": {"V": Reference(RefKind.VECTOR, z=(0.0, 0.0, 0.0))},
    "its z direction has length 2; wanted length 1": {
        "V": Reference(RefKind.VECTOR, z=(0.0, 0.0, 2.0))
    },
    "x and z are not perpendicular (x.z = 1)": {"K": Reference(RefKind.FRAME, x=(0.0, 0.0, 1.0))},
    "origin: found 2 numbers; wanted 3": {"P": Reference(RefKind.POINT, (0.0, 0.0))},  # type: ignore[arg-type]
    "origin: found '5'; wanted 3 numbers": {"P": Reference(RefKind.POINT, 5)},  # type: ignore[arg-type]
}


@pytest.mark.parametrize("message", BROKEN)
def test_broken_references_are_found(message):
    parts = {"one": Part("one", BROKEN[message], grounded=True)}
    (found,) = messages(parts=parts)
    assert message in found


@pytest.mark.parametrize(
    ("pose", "message"),
    [
        (
            Pose((0.0, math.inf, 0.0)),
            "part 'one', pose, position: found inf; wanted a finite number",
        ),
        (Pose(quaternion=(0.0, 0.0, 0.0, 0.0)), "the quaternion has length 0; wanted length 1"),
    ],
)
def test_broken_poses_are_found(pose, message):
    (found,) = messages(parts={"one": Part("one", {}, True, pose)})
    assert message in found


@pytest.mark.parametrize(
    ("units", "word"), [(Units("yd"), "length unit 'yd'"), (Units("m", "gon"), "angle unit 'gon'")]
)
def test_unknown_units_are_found(units, word):
    assert any(f"found the {word}; wanted one of" in m for m in messages(ANGLE, units=units))


def test_what_could_not_be_read_is_not_called_missing():
    a = assembly(replace(ANGLE, b=FAR), Drive("d", "lost"))
    unread = {("parts", "there"), ("mates", "lost")}
    assert list(findings(a, unread)) == []
    assert len(list(findings(a))) == 2


def test_very_many_findings_are_cut_short():
    found = check(assembly(*(replace(mate("glue"), name=f"m{i}") for i in range(2 * MAX_FINDINGS))))
    assert len(found) == MAX_FINDINGS + 1
    assert any("stopped after 500 findings" in d.message for d in found)
