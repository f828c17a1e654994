"""Bad .asmt files: told with file, line and reason, or read whole; never a traceback."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cad2mbs.errors import InputError
from cad2mbs.io import asmt
from tests.cad2mbs.io.asmt_models import (
    FILES,
    joint_text,
    limit_text,
    model_text,
    motion_text,
    write,
)

REVOLUTE = joint_text("RevoluteJoint")
GOOD = model_text(
    REVOLUTE,
    motion_text(MotionJoint="/model/joint", RotationZ="2*pi*time"),
    limit_text(),
    "TimeSeries\nNumber\tInput\t1\nTime\tInput\t0.0\n"
    + "".join(
        head + "".join(f"{row}\t0\t0\n" for row in ("X", "Y", "Z", "Bryantx", "Bryanty", "Bryantz"))
        for head in ("AssemblySeries\t/model\n", "PartSeries\t/model/body\n")
    ),
)


def test_the_good_file_of_these_tests_is_good(tmp_path):
    file = asmt.read_all(write(tmp_path, GOOD))
    assert file.series is not None
    assert file.series.velocity == {}
    np.testing.assert_array_equal(file.series.rotation["body"], np.eye(3)[None])


def replaced(old, new, count=1):
    assert old in GOOD
    return GOOD.replace(old, new, count)


BAD = {
    "unknown joint": (
        model_text(joint_text("CurveCurveContact", "cam")),
        r"model\.asmt:\d+: error: joint 'cam' is a CurveCurveContact.*read are: AngleJoint.*Univ",
    ),
    "constant velocity": (model_text(joint_text("ConstantVelocityJoint")), "cannot be read"),
    "general motion": (
        model_text(motions=motion_text("GeneralMotion")),
        "motion 'drive' is a GeneralMotion.*RotationalMotion, TranslationalMotion",
    ),
    "distance limit": (
        model_text(REVOLUTE, limits=limit_text("DistanceLimit")),
        "limit 'stop' is a DistanceLimit",
    ),
    "soft limit": (
        model_text(REVOLUTE, limits=limit_text(Behavior="Compliant")),
        "limit 'stop' is Compliant; only Rigid",
    ),
    "limit of time": (model_text(REVOLUTE, limits=limit_text(value="t")), "depends on time"),
    "limit type": (model_text(REVOLUTE, limits=limit_text(sign="==")), "limit type '=='"),
    "unknown marker": (
        model_text(joint_text("RevoluteJoint", j="/model/body/K")),
        r"MarkerJ '/model/body/K' is no marker of this file; some: /model/body/J",
    ),
    "unknown motion joint": (replaced("/model/joint", "/model/hinge"), "no joint of this file"),
    "other markers": (
        model_text(
            REVOLUTE,
            motion_text(
                MarkerI="/model/body/J", MarkerJ="/model/I", MotionJoint="/model/joint", RotationZ=0
            ),
        ),
        "names other markers than its joint",
    ),
    "same marker": (model_text(joint_text("RevoluteJoint", j="/model/I")), "same marker"),
    "unknown field": (model_text(joint_text("RevoluteJoint", slack=1)), "unknown 'slack' in Revol"),
    "unknown section": (replaced("\tForceTorques", "\tMagnets"), "unknown 'Magnets' in Assembly"),
    "measured quantity": (
        replaced("\tKinematicIJs\n", "\tKinematicIJs\n\t\tAngle\n"),
        "KinematicIJs cannot be read and must be empty; found 'Angle'",
    ),
    "missing field": (model_text(joint_text("GearJoint", radiusI=1)), "GearJoint needs radiusJ"),
    "zero radius": (model_text(joint_text("GearJoint", radiusI=1, radiusJ=0)), "other than 0"),
    "zero pitch": (model_text(joint_text("ScrewJoint", pitch=0)), "pitch of 'joint' must not be 0"),
    "tiny radius": (
        model_text(joint_text("GearJoint", radiusI="1e300", radiusJ="1e-300")),
        "not a finite number",
    ),
    "word for number": (model_text(joint_text("ScrewJoint", pitch="fast")), "'fast' is not a num"),
    "nan": (model_text(joint_text("ScrewJoint", pitch="nan")), "'nan' is not a number"),
    "huge number": (model_text(joint_text("ScrewJoint", pitch="1e999")), "'1e999' is not a number"),
    "two numbers": (model_text(joint_text("ScrewJoint", pitch="1 2")), "needs 1 numbers in a line"),
    "joint twice": (model_text(REVOLUTE * 2), "joint 'joint' again, first in line"),
    "motion twice": (
        model_text(REVOLUTE, motion_text(MotionJoint="/model/joint", RotationZ="t") * 2),
        "motion 'drive' again",
    ),
    "limit twice": (model_text(REVOLUTE, limits=limit_text() * 2), "limit 'stop' again"),
    "field twice": (
        replaced("\t\t\t\tMarkerI\n", "\t\t\t\tMarkerI\n\t\t\t\t\t/model/I\n\t\t\t\tMarkerI\n"),
        "has MarkerI twice",
    ),
    "name of a mate": (
        model_text(REVOLUTE + joint_text("SphericalJoint", "joint.coincident")),
        "second mate the name 'joint.coincident'",
    ),
    "empty name": (model_text(joint_text("RevoluteJoint", name="")), "Name of Rev.* needs one"),
    "formula": (replaced("2*pi*time", "2*pi*"), r"asmt:\d+: error: expression '2\*pi\*' ends"),
    "formula without value": (replaced("2*pi*time", "ln(t)"), "has no value at time 0"),
    "mirror": (replaced("1.0\t0.0\t0.0\n", "-1.0\t0.0\t0.0\n"), r"determinant \+1"),
    "shear": (replaced("1.0\t0.0\t0.0\n", "1.0\t0.1\t0.0\n"), "nearest one differs by"),
    "two columns": (replaced("0.0\t0.0\t0.0\n", "0.0\t0.0\n"), "needs 3 numbers in a line"),
    "too deep": (replaced("\tParts\n", "\tParts\n\t\t\t\tPart\n"), "4 tabs before 'Part'"),
    "no tab": (replaced("\tParts\n", "Parts\n"), "found 'Parts' without a tab"),
    "no assembly": ("banner\nbanner\n", "not an .asmt model.*'banner' in line 2"),
    "empty": ("", "not an .asmt model"),
    "not text": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), r"model\.asmt:1: .*0x89 is not UTF-8"),
    "control characters": (replaced("body", "bo\x00dy"), r"control character '\\x00'"),
    "no end of joints": (
        GOOD[: GOOD.index("\t\tGeneralConstraintSets")],
        "ConstraintSets needs GeneralConstraintSets",
    ),
    "empty series": (GOOD[: GOOD.index("Number")], "TimeSeries is empty"),
    "no times": (GOOD[: GOOD.index("Time\tInput")], "need a row 'Time Input"),
    "half a series": (GOOD[: GOOD.index("PartSeries")], "lack those of 'body'"),
    "short row": (replaced("Bryantx\t0\t0", "Bryantx\t0"), "row Bryantx has 1 numbers, wanted"),
    "unknown row": (replaced("Bryantx", "Eulerx"), "row 'Eulerx' in"),
    "missing row": (replaced("Bryantx\t0\t0\n", ""), "needs the rows Bryantx, Bryanty, Bryantz"),
    "other counts": (replaced("Number\tInput\t1", "Number\tInput\t1\t2"), "1 times, but 2 numbers"),
    "foreign series": (replaced("/model/body\nX", "/model/arm\nX"), "/model/arm', which is no"),
    "series twice": (replaced("PartSeries\t/model/body", "PartSeries\t/model"), "a second time"),
    "headless rows": (replaced("AssemblySeries\t/model\n", ""), "was expected before the numbers"),
    "pathless series": (replaced("PartSeries\t/model/body", "PartSeries"), "a heading like"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_wrong_file_is_told_with_file_and_reason(case, tmp_path):
    text, message = BAD[case]
    with pytest.raises(InputError, match=message) as caught:
        asmt.read_all(write(tmp_path, text))
    first = caught.value.diagnostics[0]
    assert Path(first.file).name == "model.asmt"
    assert first.line is not None


def test_duplicate_parts_and_markers_are_refused(tmp_path):
    part = GOOD[GOOD.index("\t\tPart\n") : GOOD.index("\tKinematicIJs")]
    with pytest.raises(InputError, match="part 'body' again, first in line"):
        asmt.read(write(tmp_path, GOOD.replace(part, part * 2)))
    point = part[part.index("\t\t\t\tRefPoint\n") : part.index("\t\t\tRefCurves")]
    with pytest.raises(InputError, match="marker 'J' again on 'body'"):
        asmt.read(write(tmp_path, GOOD.replace(point, point * 2)))


def test_all_wrong_joints_come_in_one_error(tmp_path):
    text = model_text(
        joint_text("CurveCurveContact", "one") + REVOLUTE + joint_text("MagicJoint", "two")
    )
    with pytest.raises(InputError) as caught:
        asmt.read(write(tmp_path, text))
    assert [re.findall("joint '(.*?)'", d.message)[0] for d in caught.value.diagnostics] == [
        "one",
        "two",
    ]
    found = [finding.line or 0 for finding in caught.value.diagnostics]
    assert all(0 < a < b for a, b in pairwise(found))


def test_a_missing_file_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        asmt.read(tmp_path / "nowhere.asmt")
    with pytest.raises(InputError, match="cannot be read"):
        asmt.read(tmp_path)


@pytest.mark.parametrize("at", range(0, len(GOOD), 41))
def test_a_file_cut_anywhere_reads_whole_or_not_at_all(at, tmp_path):
    whole = asmt.read(write(tmp_path, GOOD))
    try:
        cut = asmt.read(write(tmp_path, GOOD[:at]))
    except InputError:
        return
    assert cut == whole


def bases():
    return [GOOD.encode()] + [
        path.read_bytes()[:9000] + b"\n" + path.read_bytes()[-9000:]
        if path.stat().st_size > 20_000
        else path.read_bytes()
        for path in FILES
    ]


@st.composite
def damaged(draw):
    """A model with a few lines dropped, doubled, swapped, re-indented, cut or overwritten."""
    rows = draw(st.sampled_from(bases())).split(b"\n")
    for _ in range(draw(st.integers(1, 4))):
        i, j = (draw(st.integers(0, len(rows) - 1)) for _ in range(2))
        change = draw(st.sampled_from(["drop", "double", "swap", "indent", "dedent", "put", "cut"]))
        if change == "drop" and len(rows) > 1:
            del rows[i]
        elif change == "double":
            rows.insert(i, rows[i])
        elif change == "swap":
            rows[i], rows[j] = rows[j], rows[i]
        elif change == "indent":
            rows[i] = b"\t" + rows[i]
        elif change == "dedent":
            rows[i] = rows[i].removeprefix(b"\t")
        elif change == "cut":
            rows = rows[: i + 1]
        elif change == "put":
            tabs = len(rows[i]) - len(rows[i].lstrip(b"\t"))
            junk = st.sampled_from([b"nan", b"1e308\t1e308\t1e308", b"0", b"-1", b"x", b"1d400"])
            rows[i] = b"\t" * tabs + draw(junk | st.binary(max_size=12))
    return b"\n".join(rows)


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damaged())
def test_a_damaged_file_reads_or_is_an_input_error(tmp_path, data):
    path = write(tmp_path, data)
    try:
        file = asmt.read_all(path)
    except InputError as error:
        findings = error.diagnostics
    else:
        findings = []
        for mate in file.assembly.mates.values():
            file.assembly.reference(mate.a)
            file.assembly.reference(mate.b)
    assert all(finding.file == str(path) for finding in findings)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_garbage_is_an_input_error(tmp_path, data):
    with pytest.raises(InputError):
        asmt.read(write(tmp_path, data))


def test_much_garbage_is_refused_at_once(tmp_path):
    with pytest.raises(InputError, match=r"not an \.asmt model"):
        asmt.read(write(tmp_path, b"lorem ipsum\n" * 900_000))
