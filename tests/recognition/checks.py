"""Whether what was recognised is the true joint: kind, freedoms, axis and centre on both parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cad2mbs.mapping.conditions import Place, model_length
from cad2mbs.mapping.recognise import Element, PairModel
from cad2mbs.mapping.structure import JointEdge, Mapper, Structure
from cad2mbs.model.mates import Mate
from cad2mbs.verdicts import open_inside
from solvers.model import Joint, neutral
from tests.recognition.geometry import Placed, inverse, times
from tests.recognition.placing import Case
from tests.reference.joint_kinds import FREEDOMS

TOL = 1e-7  # of the scale, and of unit vectors: poses are solved to 1e-10 or better


@dataclass(frozen=True)
class Answer:
    """What the mapping says about two parts."""

    kind: str
    freedoms: int
    proven: bool
    consistent: bool
    redundant: frozenset[str]


def mapped(case: Case) -> Structure:
    return Mapper(case.assembly).structure()


def answer(case: Case, s: Structure) -> Answer:
    """The joint of the two parts in a word; bodies that merged are fixed."""
    consistent = all(j.found.consistent for j in s.joints) and not open_inside(s)
    redundant = frozenset(_redundant(s))
    if not s.joints:
        return Answer("fixed", 0, True, consistent, redundant)
    joint = s.joints[0]
    return Answer(joint.kind, joint.freedoms, joint.found.proven, consistent, redundant)


def _redundant(s: Structure) -> set[str]:
    """Mates that lock nothing the others leave free, in the joint or in the body they made."""
    welds = {name for body in s.bodies.values() for name in body.welds}
    return (
        {n for j in s.joints for n in j.found.redundant}
        | s.weld_redundant
        | (set(s.same_body) - welds)
    )


def freedoms_at_start(case: Case) -> int:
    """Freedoms the null space leaves where the parts start; nothing is solved or proven."""
    assembly, length = case.assembly, model_length(case.assembly)
    X_0, X_1 = (_start(case, part) for part in case.parts)

    def place_of(mate: Mate, link_a: int, link_b: int) -> tuple[Place, Place]:
        a, b = (link_a if ref.part == case.parts[0] else link_b for ref in (mate.a, mate.b))
        return Place(a, np.eye(3), np.zeros(3)), Place(b, np.eye(3), np.zeros(3))

    mates = list(assembly.mates.values())
    model = PairModel(assembly, mates, place_of, times(inverse(X_0), X_1), length)
    return model.twists(neutral(model.model), model.two_sided).shape[1]


def _start(case: Case, part: str) -> Placed:
    pose = case.assembly.parts[part].pose
    assert pose is not None
    return pose.rotation(), np.array(pose.position) * case.assembly.units.metre


def assert_recognised(case: Case, s: Structure) -> None:
    """Raise unless the structure has exactly the joint of the case, where the case has it."""
    a, kind = answer(case, s), case.bundle.kind
    assert a.proven, f"not proven ({a.kind})"
    assert a.consistent, "called inconsistent"
    assert a.kind == kind, f"{a.kind} instead of {kind}"
    assert a.freedoms == FREEDOMS[kind], f"{a.freedoms} freedoms"
    if kind == "fixed":
        _assert_pose(case, s)
    else:
        _assert_place(case, s, s.joints[0])


def _assert_pose(case: Case, s: Structure) -> None:
    (body,) = s.bodies.values()
    X = times(inverse(body.places[case.parts[0]]), body.places[case.parts[1]])
    R, p = case.pose
    _close(X[0], R, "orientation")
    _close(
        X[1] / (case.scale * case.assembly.units.metre), p / case.scale, "position", TOL * case.far
    )


def _assert_place(case: Case, s: Structure, joint: JointEdge) -> None:
    for side in (0, 1):
        of_a, frames = _on_part(case, s, joint, side)
        for e, X in frames:
            _assert_element(case, side, of_a, e, X)


def _on_part(
    case: Case, s: Structure, joint: JointEdge, side: int
) -> tuple[bool, list[tuple[Joint, Placed]]]:
    """Whether the part belongs to body a, and the elements' frames on it, in scales."""
    part = case.parts[side]
    of_a = part in s.bodies[joint.a].places
    place = s.bodies[joint.a if of_a else joint.b].places[part]
    to_b = inverse((joint.found.R_ab, joint.found.p_ab))
    unit = case.scale * case.assembly.units.metre
    out = []
    for e in joint.found.elements:
        R, p = _at(e) if of_a else times(to_b, _at(e))
        R, p = times(inverse(place), (R, p))
        out.append((e.joint, (R, p / unit)))
    if case.bundle.kind == "universal":  # each turn is fixed in its own body
        out = out[:1] if of_a else out[1:]
    return of_a, out


def _at(e: Element) -> Placed:
    return e.R, e.p


def _assert_element(case: Case, side: int, of_a: bool, joint: Joint, X: Placed) -> None:
    kind, axis, centre = case.bundle.kind, case.axis(side), case.centre(side) / case.scale
    where = f"on side {side} ({'a' if of_a else 'b'})"
    R, p = X
    if kind == "spherical":
        assert joint is Joint.BALL
        _close(p, centre, f"centre {where}", TOL * case.far)
    elif kind == "planar" and joint is Joint.SLIDE:
        _close(R[:, 2] @ axis, 0.0, f"slide in the plane {where}")
    else:
        _close(np.cross(R[:, 2], axis), np.zeros(3), f"direction {where}")
    if joint is Joint.TURN and kind != "planar":
        _close(np.cross(axis, p - centre), np.zeros(3), f"axis {where}", TOL * case.far)


def _close(found, wanted, what: str, tol: float = TOL) -> None:
    worst = float(np.abs(np.asarray(found) - np.asarray(wanted)).max())
    assert worst <= tol, f"{what} off by {worst:.2g}"
