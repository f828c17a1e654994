"""Mate -> elementary conditions: the implicit mapping of the contract, row by row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import MATE_KINDS, Dim, Mate, RefId
from solvers.model import Builder, Row, Target


@dataclass(frozen=True)
class Place:
    """Where a part is fixed: on link `link`, at rotation R and position p [m] in its frame."""

    link: int
    R: np.ndarray
    p: np.ndarray


@dataclass(frozen=True)
class MateRows:
    """Row numbers of one mate: two-sided, and the one-sided ones that only pick its sense."""

    two_sided: tuple[int, ...]
    one_sided: tuple[int, ...]


def reference_frame(assembly: Assembly, ref: RefId) -> tuple[np.ndarray, np.ndarray]:
    """Return rotation (3, 3) and origin [m] of a reference object in its part."""
    r = assembly.reference(ref)
    return r.rotation, np.array(r.origin) * assembly.units.metre


def placed_frame(assembly: Assembly, ref: RefId, place: Place) -> tuple[np.ndarray, np.ndarray]:
    R, p = reference_frame(assembly, ref)
    return place.R @ R, place.R @ p + place.p


def si_value(assembly: Assembly, mate: Mate) -> float:
    """The mate's number in metres or radians, its default where none is given."""
    kind = MATE_KINDS[mate.kind]
    value = mate.value if mate.value is not None else (kind.default or 0.0)
    return value * (assembly.units.metre if kind.value is Dim.LENGTH else assembly.units.radian)


def add_mate(
    builder: Builder,
    assembly: Assembly,
    mate: Mate,
    a: Place,
    b: Place,
    length: float,
    coord: int = -1,
) -> MateRows:
    """Append the rows of a mate; a driven one has coordinate `coord` >= 0 for its number."""
    Ra, pa = placed_frame(assembly, mate.a, a)
    Rb, pb = placed_frame(assembly, mate.b, b)
    value = si_value(assembly, mate)
    driven = coord >= 0
    inv = 1.0 / length

    def plane_point(
        l: Place,
        Rl: np.ndarray,
        pl: np.ndarray,
        r: Place,
        pr: np.ndarray,
        axis: int,
        t: float = 0.0,
        sign: float = 1.0,
        one_sided: bool = False,
    ) -> int:
        return builder.add_row(
            Row.PLANE_POINT,
            l.link,
            r.link,
            p_l=pl,
            u=sign * Rl[:, axis],
            p_r=pr,
            offset=0.0 if driven else sign * t,
            i=coord,
            target=Target.SHIFTED if driven else Target.CONSTANT,
            scale=inv,
            one_sided=one_sided,
        )

    def plane_plane(
        u: np.ndarray,
        w: np.ndarray,
        t: float = 0.0,
        one_sided: bool = False,
        target: Target = Target.CONSTANT,
    ) -> int:
        with_coord = target is not Target.CONSTANT
        return builder.add_row(
            Row.PLANE_PLANE,
            a.link,
            b.link,
            u=u,
            w=w,
            offset=0.0 if with_coord else t,
            i=coord if with_coord else -1,
            target=target,
            one_sided=one_sided,
        )

    def squared(
        kind: Row, l: Place, pl: np.ndarray, u: np.ndarray, r: Place, pr: np.ndarray
    ) -> int:
        return builder.add_row(
            kind,
            l.link,
            r.link,
            p_l=pl,
            u=u,
            p_r=pr,
            offset=0.0 if driven else value,
            i=coord,
            target=Target.SHIFTED if driven else Target.CONSTANT,
            scale=inv / max(value, 1e-3 * length),
        )

    xa, _, za = Ra.T
    xb, yb, zb = Rb.T
    match mate.kind:
        case "coincident":
            return MateRows(tuple(plane_point(a, Ra, pa, b, pb, k) for k in range(3)), ())
        case "distance":
            return MateRows((squared(Row.POINT_POINT, a, pa, za, b, pb),), ())
        case "axis-distance":
            return MateRows((squared(Row.LINE_POINT, b, pb, zb, a, pa),), ())
        case "in-line":
            return MateRows(tuple(plane_point(b, Rb, pb, a, pa, k) for k in range(2)), ())
        case "in-plane":
            return MateRows((plane_point(b, Rb, pb, a, pa, 2, value),), ())
        case "offset-x":
            cosine, sine = (Target.COSINE, Target.SINE) if driven else (Target.CONSTANT,) * 2
            rows = (
                plane_plane(za, xb),
                plane_plane(za, yb),
                plane_plane(xa, xb, np.cos(value), target=cosine),
                # gEE(x1, y2) = -sin a, written with -x1.
                plane_plane(-xa, yb, np.sin(value), target=sine),
            )
            return MateRows(rows, (plane_plane(za, zb, one_sided=True),))
        case "parallel-z":
            sense = 1.0 if mate.sense else -1.0
            rows = (plane_plane(za, xb), plane_plane(za, yb))
            return MateRows(rows, (plane_plane(za, sense * zb, one_sided=True),))
        case "offset-z":
            target = Target.COSINE if driven else Target.CONSTANT
            return MateRows((plane_plane(za, zb, np.cos(value), target=target),), ())
        case "halfspace":
            sign = 1.0 if mate.sense else -1.0
            return MateRows((), (plane_point(b, Rb, pb, a, pa, 2, value, sign, True),))
        case "signum-z":
            sign = 1.0 if mate.sense else -1.0
            return MateRows((), (plane_plane(za, sign * zb, sign * np.cos(value), True),))
        case "identical":
            T = mate.transform
            pt, Rt = pa + Ra @ (np.array(T.position) * assembly.units.metre), Ra @ T.rotation()
            rows = (
                *(plane_point(a, Rt, pt, b, pb, k) for k in range(3)),
                plane_plane(Rt[:, 2], xb),
                plane_plane(Rt[:, 2], yb),
                plane_plane(Rt[:, 0], xb, 1.0),
                plane_plane(Rt[:, 0], yb),
            )
            return MateRows(rows, (plane_plane(Rt[:, 2], zb, one_sided=True),))
    raise AssertionError(f"unknown mate kind {mate.kind}")


def model_length(assembly: Assembly) -> float:
    """A length [m] typical of the assembly: the spread of reference points on parts, distances."""
    sizes = [0.0]
    for part in assembly.parts.values():
        origins = np.array([r.origin for r in part.references.values()] or [(0.0, 0.0, 0.0)])
        sizes.append(float(np.linalg.norm(np.ptp(origins, axis=0))))
    for mate in assembly.mates.values():
        kind = MATE_KINDS[mate.kind]
        if kind.value is Dim.LENGTH and not kind.one_sided and mate.value is not None:
            sizes.append(abs(mate.value))
    size = max(sizes) * assembly.units.metre
    return size if size > 0.0 else assembly.units.metre
