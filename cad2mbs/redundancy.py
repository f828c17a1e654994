"""Which mates can all be left out at once without freeing anything.

J stacks the rows of all mates over the twists of all bodies, at a generic pose. With N a basis of
its left null space (n J = 0, one column a redundancy), leaving out the rows R keeps the rank iff
    rank N_R = |R|,
and what is left of N are the combinations that vanish on R. Weak mates go first, later ones in the
file before earlier ones.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import numpy as np

from cad2mbs.mapping.bodies import RigidBodies, RigidPose
from cad2mbs.mapping.conditions import Place, add_mate
from cad2mbs.mapping.structure import Structure
from cad2mbs.model.assembly import Assembly
from solvers.model import Builder, Joint, neutral
from solvers.rows import wrenches

LARGE = 1200  # rows up to which one dense matrix of the whole assembly is affordable


def redundant_mates(
    assembly: Assembly,
    poses: Sequence[Mapping[str, RigidPose]],
    length: float,
    tol: float,
    skip: frozenset[str] = frozenset(),
) -> set[str] | None:
    """Mates (other than `skip`) that lock nothing; `poses` are those of all parts, some generic.

    None where the assembly is too large for this road.
    """
    rigid = RigidBodies(assembly, skip)
    welds = {w for body in rigid.bodies.values() for w in body.welds}
    inside = {m.name for m in rigid.mates if rigid.same_body(m)} - welds
    locks = [rigid.locking(m) for m in rigid.mates if not rigid.same_body(m)]
    free = [m for m in locks if m is not None]
    best, rows_of = None, {}
    for pose in poses:
        J, rows_of = _rows(assembly, rigid, free, pose, length)
        if len(J) > LARGE:
            return None
        s = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
        rank = int((s > tol * max(1.0, s[0] if len(s) else 1.0)).sum())
        if best is None or rank > best[0]:
            best = (rank, J)
    if best is None or not best[1].size:
        return inside
    return inside | _eliminate(best[1], rows_of, rigid.driven, tol)


def _rows(
    assembly, rigid: RigidBodies, mates, pose, length
) -> tuple[np.ndarray, dict[str, list[int]]]:
    """J (rows, 6 bodies) and the rows of each mate, parts at `pose`."""
    builder = Builder()
    link = {}
    for name, body in rigid.bodies.items():
        part = next(iter(body.places))
        R, p = pose[part]
        Rb, pb = body.places[part]
        # The body's frame in the ground, from one of its parts.
        R_body = R @ Rb.T
        link[name] = builder.add_link(0, Joint.TURN, R_body, p - R_body @ pb)
    rows_of = {}
    for mate in mates:
        a, b = (
            Place(
                link[rigid.body_of[ref.part]],
                *rigid.bodies[rigid.body_of[ref.part]].places[ref.part],
            )
            for ref in (mate.a, mate.b)
        )
        rows_of[mate.name] = list(add_mate(builder, assembly, mate, a, b, length).two_sided)
    model = builder.build(length)
    rows = np.array([r for rs in rows_of.values() for r in rs], np.int64)
    W = wrenches(model, neutral(model), rows) * np.r_[1.0, 1.0, 1.0, [length] * 3]
    ground = link[rigid.ground]
    column = {i: 6 * k for k, i in enumerate(x for x in link.values() if x != ground)}
    J = np.zeros((len(rows), 6 * len(column)))
    place = {int(r): k for k, r in enumerate(rows)}
    for k, r in enumerate(rows):
        for side, sign in (("r", 1.0), ("l", -1.0)):
            i = int(model.rows[side][r])
            if i in column:
                J[k, column[i] : column[i] + 6] += sign * W[k]
    return J, {n: [place[r] for r in rs] for n, rs in rows_of.items()}


def _eliminate(
    J: np.ndarray, rows_of: Mapping[str, list[int]], keep: Container[str], tol: float
) -> set[str]:
    U, s, _ = np.linalg.svd(J)
    rank = int((s > tol * max(1.0, s[0])).sum())
    N = U[:, rank:]
    out: set[str] = set()
    file_order = {name: k for k, name in enumerate(rows_of)}
    for name in sorted(rows_of, key=lambda n: (len(rows_of[n]), -file_order[n])):
        rows = rows_of[name]
        if not rows or name in keep or len(rows) > N.shape[1]:
            continue
        _, sigma, Vt = np.linalg.svd(N[rows])
        if int((sigma > 1e-6).sum()) == len(rows):
            out.add(name)
            N = N @ Vt[len(rows) :].T
    return out


def redundant_in_pairs(s: Structure) -> set[str]:
    """The same for large assemblies, looking at one pair of bodies at a time."""
    out = {name for joint in s.joints for name in joint.found.redundant}
    needed = {w for body in s.bodies.values() for w in body.welds} - s.weld_redundant
    return out | (set(s.same_body) - needed)
