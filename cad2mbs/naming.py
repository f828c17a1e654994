"""Names for the freedoms nobody named: joint and what it does."""

from __future__ import annotations

from cad2mbs.mapping.structure import Structure
from solvers.model import FREEDOMS, Joint

AXES = "xyz"


def freedom_names(s: Structure) -> dict[int, tuple[str, bool, bool]]:
    """(name, whether one number measures it, whether it is a length) of every coordinate."""
    out: dict[int, tuple[str, bool, bool]] = {}
    for joint in s.joints:
        if joint.in_tree:
            _name_chain(out, joint.name, [(c, e.joint) for c, e in joint.coords])
    for body, coords in s.free_coords.items():
        _name_chain(out, body, coords)
    for name, g in {**s.limits, **s.gauges}.items():
        if g.coord not in out:
            out[g.coord] = (name, True, g.is_length)
    for k in range(s.model.nv):
        out.setdefault(k, (f"measured_{k}", True, bool(s.model.weight[k] != 1.0)))
    return out


def _name_chain(out: dict, stem: str, coords: list[tuple[int, Joint]]) -> None:
    kinds = [j for _, j in coords]
    for n, (coord, joint) in enumerate(coords):
        if joint in (Joint.BALL, Joint.POINTER):
            balls = [Joint.BALL, Joint.POINTER]
            number = sum(k in balls for k in kinds[: n + 1])
            ball = f"ball_{number}" if sum(k in balls for k in kinds) > 1 else "ball"
            for axis in range(FREEDOMS[joint]):
                out[coord + axis] = (f"{stem}.{ball}_{AXES[axis]}", False, False)
            continue
        word = "slide" if joint is Joint.SLIDE else "turn"
        number = f"_{kinds[: n + 1].count(joint)}" if kinds.count(joint) > 1 else ""
        out[coord] = (f"{stem}.{word}{number}", True, joint is Joint.SLIDE)
