"""Joint coordinates that follow at present and may drive instead: the piston for the crank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.mapping.gauges import Gauge
from solvers.model import Joint
from solvers.rates import rates

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

STIR = 0.05  # how far every freedom is moved to leave a special pose [rad or model lengths]
STANDS = 1e-7  # a coordinate that moves less, for a unit of any freedom, is locked by the mates


def following(m: Mechanism) -> dict[str, Gauge]:
    """Gauges of the coordinates of tree joints that nothing else drives and that can move.

    They are called and counted as the joint's own columns in a table. Where the same name is a
    drive's, the column has a number behind it, and so has the gauge.
    """
    if not m.assembled:
        return {}
    taken = {g.coord for g in m.gauges.values()}
    moves = _moving(m)
    return {
        name: g for name, g in _coordinates(m).items() if g.coord not in taken and moves[g.coord]
    }


def _coordinates(m: Mechanism) -> dict[str, Gauge]:
    """Every turn and slide of a tree joint, by the name of its column."""
    names = m._columns.header[0]
    at = len(m.gauges) + 7 * len(m.assembly.parts)
    out: dict[str, Gauge] = {}
    for joint in m.structure.joints:
        labels = joint.coordinate_labels
        if joint.in_tree:
            # A ball has four labels and one coordinate, and comes last: zip stops before it.
            for (coord, e), (k, _) in zip(joint.ordered, enumerate(labels, at), strict=False):
                if e.joint in (Joint.TURN, Joint.SLIDE):
                    out[names[k]] = Gauge(coord, joint.sign, 0.0, e.joint is Joint.SLIDE)
        at += len(labels)
    return out


def _moving(m: Mechanism) -> np.ndarray:
    """(nv,) whether a coordinate moves with any freedom, where the mechanism was assembled.

    Looked at there and a little aside: at a special pose much stands still that can move.
    """
    mover, y, model = m.mover(()), m.planner.y, m.structure.model
    aside = y[mover.known] + STIR / model.weight[mover.known]
    speed = np.zeros(model.nv)
    for state in (y, mover.go(y, aside, cross=False)[0]):
        plan = mover.regular_at(state).plan
        for k in mover.known:
            v = np.zeros(model.nv)
            v[k] = 1.0 / model.weight[k]
            found = rates(model, plan, state, v, np.zeros(model.nv))[0]
            speed = np.maximum(speed, np.nan_to_num(np.abs(found * model.weight), nan=0.0))
    return speed > STANDS
