"""Where the symbol of a joint is drawn: on its axis, next to the references that its mates hold."""

from __future__ import annotations

import numpy as np

from cad2mbs.mapping.bodies import times
from cad2mbs.mapping.conditions import reference_frame
from cad2mbs.mapping.recognise import Element, frame_along
from cad2mbs.mapping.structure import JointEdge, Structure
from cad2mbs.model.references import RefKind
from solvers.model import Joint

ROUND = (Joint.TURN, Joint.BALL, Joint.POINTER)


def joint_place(s: Structure, joint: JointEdge) -> tuple[str, np.ndarray, np.ndarray]:
    """Body, axes (columns x y z) and origin [m] of a joint in that body; z is its axis.

    A turn or ball is taken before a slide. The first element of a chain is fixed in body a, the
    last in b; b is taken where both hold, so that a slide's symbol goes along with what slides.
    """
    elements = joint.found.elements
    element = _main(elements)
    if element is None:
        return joint.a, np.eye(3), middle(s, joint, joint.a)
    R, p, body = element.R, element.p, joint.a
    second = _second_axis(elements, element)
    if second is not None:
        R = _framed(R[:, 2], second)
    if element is elements[-1]:
        back = joint.found.R_ab.T
        R, p, body = back @ R, back @ (p - joint.found.p_ab), joint.b
    return body, R, _near(element.joint, R[:, 2], p, middle(s, joint, body))


def _main(elements: tuple[Element, ...]) -> Element | None:
    """The element that gives the joint its look."""
    return next((e for e in elements if e.joint in ROUND), elements[0] if elements else None)


def _second_axis(elements: tuple[Element, ...], main: Element) -> np.ndarray | None:
    """The other axis of two turns, such as of a universal joint, at the reference pose."""
    others = [e for e in elements if e is not main and e.joint is Joint.TURN]
    return others[0].R[:, 2] if main.joint is Joint.TURN and others else None


def _framed(z: np.ndarray, towards: np.ndarray) -> np.ndarray:
    """Axes with this z, x as near to `towards` as it can be."""
    across = towards - z * (z @ towards)
    size = float(np.linalg.norm(across))
    if size < 1e-6:
        return frame_along(z)
    x = across / size
    return np.column_stack([x, np.cross(z, x), z])


def _near(kind: Joint, z: np.ndarray, p: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """The point of the joint that is nearest to the middle of its mates."""
    if kind is Joint.TURN:
        return p + z * (z @ (centre - p))
    return centre if kind is Joint.SLIDE else p


def middle(s: Structure, joint: JointEdge, body: str) -> np.ndarray:
    """Mean of the points by which the joint's mates hold a body, in that body [m].

    Directions have no place; where there are only such, the middle of the body's frames.
    """
    places = s.bodies[body].places
    points = []
    for name in joint.mates:
        mate = s.assembly.mates[name]
        for ref in (mate.a, mate.b):
            if ref.part in places and s.assembly.reference(ref).kind != RefKind.VECTOR:
                points.append(times(places[ref.part], reference_frame(s.assembly, ref))[1])
    return np.mean(points or [X[1] for X in places.values()], axis=0)
