"""The true joint behind a bundle of mates: recognised by its symmetries, then proven.

The relative poses X that satisfy the bundle form a set Q. Twists that are allowed at every pose of
Q, seen from body a, are the Lie algebra of the group that maps Q to itself from the left; seen from
body b, from the right. Both are subalgebras of se(3), of which there are few kinds. Where
    dim left + dim right - dim of their overlap = freedoms,
Q is  G_left X_ref G_right  and a chain of elementary joints is read off directly: lower pairs are
their own left group; a universal joint is a turn fixed in a and a turn fixed in b; a point on a
plane is a planar group in a and a spherical one in b. No joint is named in the search.
The chain is then moved by large random amounts and every condition of the bundle is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cad2mbs.mapping.conditions import MateRows, Place, add_mate, placed_frame
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import MATE_KINDS, Mate
from cad2mbs.model.references import RefKind, any_normal
from solvers.kinematics import moved, poses
from solvers.least_squares import solve
from solvers.model import FREEDOMS, Builder, Joint, Model, neutral
from solvers.rows import residuals, wrenches

SAMPLES = 5
RANK_TOL = 1e-7  # poses are solved to 1e-12; true ranks show singular values above 1e-3
PROOF_TOL = 1e-8
TANGENT = 1e-3  # singular values below this may be a double root that is not yet solved to the end
LOOSE = 1e-5  # of the model length, or rad: mates open by less are imprecise data, not a conflict


@dataclass(frozen=True)
class Element:
    """One elementary joint of a chain: frame (R, p) in body a at the reference pose, z its axis."""

    joint: Joint
    R: np.ndarray
    p: np.ndarray


@dataclass(frozen=True)
class Recognised:
    kind: str
    elements: tuple[Element, ...]
    R_ab: np.ndarray  # reference pose of b in a
    p_ab: np.ndarray
    proven: bool  # the chain alone satisfies every two-sided condition of the bundle
    consistent: bool  # a relative pose that satisfies the bundle was found
    redundant: tuple[str, ...] = ()  # mates that lock nothing the ones before them leave free
    slack: float = 0.0  # by how much imprecise data leave the bundle open (pure number)

    @property
    def freedoms(self) -> int:
        return sum(FREEDOMS[e.joint] for e in self.elements)


@dataclass(frozen=True)
class Algebra:
    """A subalgebra of se(3): turns (0, 1, 3) about a line or point, and translations."""

    turns: int
    axis: np.ndarray
    point: np.ndarray
    slides: np.ndarray  # (3, k) orthonormal translation directions
    basis: np.ndarray  # (6, d)

    @property
    def dim(self) -> int:
        return self.turns + self.slides.shape[1]


def free_chain(builder: Builder, parent: int, R: np.ndarray, p: np.ndarray) -> int:
    """Append three slides and a ball joint at frame (R, p) of the parent; return the last link."""
    to_x = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])  # columns: z of the next frame along x
    link = builder.add_link(parent, Joint.SLIDE, R @ to_x, p)
    for _ in range(2):
        link = builder.add_link(link, Joint.SLIDE, to_x, np.zeros(3))
    return builder.add_link(link, Joint.BALL, np.eye(3), np.zeros(3))


class PairModel:
    """Body b free against body a (the ground of this little model), with the rows of a bundle."""

    def __init__(self, assembly: Assembly, mates: list[Mate], place_of, start, length: float):
        builder = Builder()
        link = free_chain(builder, 0, *start)
        self.rows: dict[str, MateRows] = {}
        for mate in mates:
            a, b = place_of(mate, 0, link)
            self.rows[mate.name] = add_mate(builder, assembly, mate, a, b, length)
        self.model: Model = builder.build(length)
        self.link, self.length, self.slack = link, length, 0.0
        self.start = start
        self.two_sided = np.array([r for m in self.rows.values() for r in m.two_sided], np.int64)

    def pose(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        X = poses(self.model, y)[self.link]
        return X[:9].reshape(3, 3), X[9:]

    def twists(self, y: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Allowed twists at y: orthonormal (6, f), linear part in model lengths."""
        _, s, Vt = np.linalg.svd(self._gradients(y, rows))
        return Vt[int((s > self.rank_tol).sum()) :].T

    @property
    def rank_tol(self) -> float:
        return max(RANK_TOL, 30.0 * self.slack)

    def _gradients(self, y: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Gradients of the rows to twists of b against a, linear part in model lengths."""
        if len(rows) == 0:
            return np.zeros((1, 6))
        sign = np.where(self.model.rows["r"][rows] == self.link, 1.0, -1.0)
        scale = np.array([1.0] * 3 + [self.length] * 3)
        return sign[:, None] * wrenches(self.model, y, rows) * scale

    def _along(self, y: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """The state after the twist xi from y, to first order."""
        R, p = self.pose(y)
        dv = np.zeros(self.model.nv)
        dv[:3] = self.start[0].T @ (xi[3:] * self.length - _skew(p) @ xi[:3])
        dv[3:6] = R.T @ xi[:3]
        return moved(self.model, y, dv)

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state solved on where conditions only touch, as a rod stretched to its limit does.

        There the state is off by the root of the residual, and as much gradient is left: enough to
        be taken for a condition that locks something. Each step halves it until it is rounding.
        """
        last = np.inf
        for _ in range(40):
            U, s, Vt = np.linalg.svd(self._gradients(y, self.two_sided), full_matrices=False)
            kept = s > self.rank_tol
            least = s[kept].min(initial=np.inf)
            if least > TANGENT or least > 0.8 * last:
                return y
            phi = residuals(self.model, y, self.two_sided)
            y = self._along(y, -Vt[kept].T @ ((U.T @ phi)[kept] / s[kept]))
            last = least
        return y

    def assembled(self, rng: np.random.Generator) -> np.ndarray | None:
        """A state that satisfies the bundle: from the start, else from random orientations.

        Sets `slack` where the best state leaves it open by no more than imprecise data do.
        """
        y0 = neutral(self.model)
        best, least = None, LOOSE
        for attempt in range(30):
            result = solve(self.model, y0, max_iter=100)
            if result.ok:
                return result.y
            if result.residual < least:
                best, least = result.y, result.residual
            y0 = neutral(self.model)
            # Steps are bounded in model lengths: bodies that start far apart are put together.
            y0[:3] = -self.start[0].T @ self.start[1]
            y0[:3] += rng.normal(size=3) * self.length * (attempt > 3)
            if attempt > 0:
                y0[self.model.nv :] = _unit(rng.normal(size=4))
        self.slack = least if best is not None else 0.0
        return best

    def wander(self, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Another state of the same set, a fair way from y."""
        for _ in range(4):
            N = self.twists(y, self.two_sided)
            if N.shape[1] == 0:
                return y
            xi = N @ rng.normal(size=N.shape[1])
            xi *= 0.5 / max(1e-9, np.abs(xi).max())
            result = solve(self.model, self._along(y, xi), max_iter=60)
            if result.ok or result.residual <= 3.0 * self.slack:
                y = result.y
        return y


def recognise(
    assembly: Assembly,
    mates: list[Mate],
    place_of,
    start: tuple[np.ndarray, np.ndarray],
    length: float,
    rigid: bool = True,
) -> Recognised:
    """Return the joint between bodies a and b that the mates make; `start` is a pose of b in a.

    `place_of(mate, link_a, link_b)` gives the places of the mate's two references. `rigid` False:
    a bundle that leaves no freedom is not taken for a weld, its strongest mate gives the joint.
    """
    rng = np.random.default_rng(7)
    c_a, c_b = _centres(assembly, mates, place_of, start)
    near = _centred(place_of, c_a, c_b)
    pair = PairModel(assembly, mates, near, (start[0], start[1] + start[0] @ c_b - c_a), length)
    y = pair.assembled(rng)
    if y is None:
        return _strongest(assembly, mates, place_of, start, length, consistent=False)
    samples = [y := pair.settled(y)]
    for _ in range(SAMPLES):
        samples.append(pair.settled(pair.wander(samples[-1], rng)))
    R_ab, p_near = pair.pose(y)
    p_ab = p_near + c_a - R_ab @ c_b
    found = _chain(pair, samples, p_ab - c_a)
    redundant = _redundant(pair, samples[-1], mates)
    if found is not None:
        kind, elements = found
        tol = max(PROOF_TOL, 30.0 * pair.slack)
        if (elements or rigid) and _proven(
            assembly, mates, near, elements, R_ab, p_near, length, rng, tol
        ):
            elements = tuple(Element(e.joint, e.R, e.p + c_a) for e in elements)
            return Recognised(kind, elements, R_ab, p_ab, True, True, redundant, pair.slack)
    return _strongest(assembly, mates, place_of, (R_ab, p_ab), length, True, redundant)


def _centres(assembly, mates, place_of, start) -> tuple[np.ndarray, np.ndarray]:
    """The middle of the points the mates hold, on body a and on body b.

    Twists are taken about these: about a far-off origin a turn looks like a slide. Where only
    directions are mated any point will do, and the one that starts at a's origin is near.
    """
    on_a, on_b = [], []
    for mate in mates:
        if RefKind.VECTOR in (MATE_KINDS[mate.kind].a, MATE_KINDS[mate.kind].b):
            continue
        if mate.kind == "offset-x":
            continue
        for ref, place in zip((mate.a, mate.b), place_of(mate, 0, 1), strict=True):
            (on_a if place.link == 0 else on_b).append(placed_frame(assembly, ref, place)[1])
    if not on_a:
        return np.zeros(3), -start[0].T @ start[1]
    return np.mean(on_a, axis=0), np.mean(on_b, axis=0)


def _centred(place_of, c_a: np.ndarray, c_b: np.ndarray):
    """The same places seen from c_a on body a and c_b on body b."""

    def places(mate: Mate, link_a: int, link_b: int) -> tuple[Place, Place]:
        a, b = place_of(mate, link_a, link_b)
        centre = {link_a: c_a, link_b: c_b}
        return Place(a.link, a.R, a.p - centre[a.link]), Place(b.link, b.R, b.p - centre[b.link])

    return places


def _strongest(assembly, mates, place_of, start, length, consistent, redundant=()) -> Recognised:
    """The chain of the mate that blocks most; the other mates stay conditions."""
    if len(mates) == 1:
        element = (
            *(Element(Joint.SLIDE, frame_along(start[0][:, k]), start[1]) for k in range(3)),
            Element(Joint.BALL, start[0], start[1]),
        )
        return Recognised("free", element, *start, proven=False, consistent=consistent)
    weight = {
        "identical": 6,
        "coincident": 3.5,
        "offset-x": 3,
        "in-line": 2,
        "parallel-z": 2,
    }
    best = max(mates, key=lambda m: weight.get(m.kind, 1))
    alone = recognise(assembly, [best], place_of, start, length)
    return Recognised(
        alone.kind, alone.elements, alone.R_ab, alone.p_ab, False, consistent, redundant
    )


def _redundant(pair: PairModel, y: np.ndarray, mates: list[Mate]) -> tuple[str, ...]:
    out, taken, rank = [], [], 0
    for mate in mates:
        rows = list(pair.rows[mate.name].two_sided)
        if not rows:
            continue
        new = 6 - pair.twists(y, np.array(taken + rows, np.int64)).shape[1]
        if new == rank:
            out.append(mate.name)
        else:
            taken, rank = taken + rows, new
    return tuple(out)


def _chain(
    pair: PairModel, samples: list[np.ndarray], origin: np.ndarray
) -> tuple[str, tuple[Element, ...]] | None:
    """Name and chain, or None; elements whose place is free go to `origin`, that of body b."""
    L = pair.length
    at = origin / L
    left_spaces, right_spaces, places = [], [], []
    for y in samples:
        N = pair.twists(y, pair.two_sided)
        R, p = pair.pose(y)
        left_spaces.append(N)
        right_spaces.append(_orth(_to_b(N, R, p / L)))
        places.append((R, p / L))
    freedoms = min(N.shape[1] for N in left_spaces)
    keep = [k for k, N in enumerate(left_spaces) if N.shape[1] == freedoms]
    if freedoms == 0:
        return "fixed", ()
    tol = max(1e-6, 100.0 * pair.slack)
    left = _algebra(_common([left_spaces[k] for k in keep], tol), tol)
    right = _algebra(_common([right_spaces[k] for k in keep], tol), tol)
    if left is None or right is None:
        return None
    R, p = places[0]
    if left.dim == freedoms:
        elements = _elements(left, None, at)
        return None if elements is None else (_group_name(left), tuple(_scaled(elements, L)))
    in_a = _algebra(_orth(_to_a(right.basis, R, p)), tol) if right.dim else right
    if in_a is None:
        return None
    overlaps = []
    for k in keep:
        Rk, pk = places[k]
        overlaps.append(_overlap(left.basis, _orth(_to_a(right.basis, Rk, pk)), tol))
    shared = min(overlaps, key=lambda o: o.shape[1])
    if left.dim + right.dim - shared.shape[1] != freedoms:
        return None
    overlap = _algebra(_overlap(left.basis, in_a.basis, tol), tol)
    if overlap is None or overlap.dim != shared.shape[1]:
        return None
    first, second = _elements(left, overlap, at), _elements(in_a, None, at)
    if first is None or second is None:
        return None
    elements = first + second
    return _chain_name(left, in_a, elements), tuple(_scaled(elements, L))


def _scaled(elements: list[Element], L: float) -> list[Element]:
    return [Element(e.joint, e.R, e.p * L) for e in elements]


def _elements(g: Algebra, drop: Algebra | None, p_b: np.ndarray) -> list[Element] | None:
    """Elementary joints that generate the group, less those of `drop`."""
    out: list[Element] = []
    slides = g.slides
    if drop is not None and drop.slides.shape[1]:
        slides = _complement(slides, drop.slides)
    out += [Element(Joint.SLIDE, frame_along(slides[:, k]), p_b) for k in range(slides.shape[1])]
    dropped = drop.turns if drop is not None else 0
    if g.turns == 1 and dropped == 0:
        point = p_b if g.slides.shape[1] >= 2 else g.point + g.axis * (g.axis @ (p_b - g.point))
        out.append(Element(Joint.TURN, frame_along(g.axis), point))
    elif g.turns == 3:
        point = p_b if g.slides.shape[1] == 3 else g.point
        if dropped == 0:
            out.append(Element(Joint.BALL, np.eye(3), point))
        elif dropped == 1 and drop is not None:
            out.append(Element(Joint.POINTER, frame_along(drop.axis), point))
        else:
            return None
    return out


NAMES = {
    (1, 0): "revolute",
    (0, 1): "prismatic",
    (1, 1): "cylindrical",
    (1, 2): "planar",
    (3, 0): "spherical",
    (0, 2): "translation in a plane",
    (0, 3): "translation",
    (1, 3): "parallel axes",
    (3, 3): "free",
    (0, 0): "fixed",
}


def _group_name(g: Algebra) -> str:
    return NAMES[(g.turns, g.slides.shape[1])]


def _chain_name(left: Algebra, right: Algebra, elements: list[Element]) -> str:
    joints = [e.joint for e in elements]
    if joints == [Joint.TURN, Joint.TURN]:
        z1, z2 = left.axis, right.axis
        n, d = np.cross(z1, z2), right.point - left.point
        if abs(z1 @ z2) < 1e-7 and abs(d @ n) < 1e-7:
            return "universal"
    round_ = "point on cylinder" if sum(FREEDOMS[j] for j in joints) == 5 else "point on line"
    names = {
        "cylindrical/spherical": round_,
        "planar/spherical": "point on plane",
        "spherical/cylindrical": round_,
        "spherical/planar": "point on plane",
        "spherical/spherical": "rod",
        "parallel axes/parallel axes": "angle",
        "prismatic/revolute": "pin in slot",
        "revolute/prismatic": "pin in slot",
    }
    name = f"{_group_name(left)}/{_group_name(right)}"
    return names.get(name, name)


def _algebra(B: np.ndarray, tol: float) -> Algebra | None:
    """Read a subalgebra off its orthonormal basis (6, d); None if it is of no known kind."""
    zero = np.zeros(3)
    if B.shape[1] == 0:
        return Algebra(0, zero, zero, np.zeros((3, 0)), B)
    _, s, Vt = np.linalg.svd(B[:3])
    turns = int((s > tol).sum())
    slides = _orth(B[3:] @ Vt[turns:].T) if turns < B.shape[1] else np.zeros((3, 0))
    slides = _along_axes(slides)
    if turns == 0:
        return Algebra(0, zero, zero, slides, B)
    if turns == 1:
        xi = B @ Vt[0]
        xi = xi / np.linalg.norm(xi[:3])
        v = xi[3:] - slides @ (slides.T @ xi[3:])
        axis = _outward(xi[:3])
        v = v if axis @ xi[:3] > 0 else -v
        if abs(axis @ v) > tol and slides.shape[1] < 3:
            return None  # a screw: only a coupling makes one
        return Algebra(1, axis, np.cross(axis, v), slides, B)
    if turns == 3 and slides.shape[1] == 0:
        # v_i = p x w_i for one point p.
        A = np.vstack([-_skew(w) for w in B[:3].T])
        p, *_ = np.linalg.lstsq(A, B[3:].T.ravel(), rcond=None)
        if np.abs(A @ p - B[3:].T.ravel()).max() > tol:
            return None
        return Algebra(3, zero, p, slides, B)
    if turns == 3 and slides.shape[1] == 3:
        return Algebra(3, zero, zero, slides, B)
    return None


def _proven(assembly, mates, place_of, elements, R_ab, p_ab, length, rng, tol) -> bool:
    """Move the chain by large random amounts and check every condition of the bundle."""
    if not elements:
        return True  # nothing moves; the reference pose satisfies the bundle already
    builder = Builder()
    link, R, p = add_chain(builder, 0, elements, np.eye(3), np.zeros(3), R_ab, p_ab)
    rows: list[int] = []
    for mate in mates:
        a, b = place_of(mate, 0, link)
        b_link = Place(link, R @ b.R, R @ b.p + p) if b.link == link else b
        a_link = Place(link, R @ a.R, R @ a.p + p) if a.link == link else a
        made = add_mate(builder, assembly, mate, a_link, b_link, length)
        rows += made.two_sided
        if made.two_sided:
            rows += made.one_sided
    model = builder.build(length)
    for _ in range(6):
        dv = rng.uniform(-3.0, 3.0, model.nv) / model.weight
        y = moved(model, neutral(model), dv)
        phi = residuals(model, y, np.array(rows, np.int64))
        sided = model.one_sided[rows] == 1
        if np.any(np.abs(phi[~sided]) > tol) or np.any(phi[sided] < -tol):
            return False
    return True


def add_chain(builder: Builder, parent: int, elements, R_parent, p_parent, R_ab, p_ab):
    """Append a chain whose body a sits at (R_parent, p_parent) on link `parent`.

    Returns the last link and the pose (R, p) of body b in it.
    """
    link, R_l, p_l = parent, R_parent, p_parent  # pose of body a in the current link
    for e in elements:
        R_F, p_F, R_e = R_l @ e.R, R_l @ e.p + p_l, e.R
        if e.joint in (Joint.TURN, Joint.SLIDE) and abs(R_F[2, 2] - 1.0) < 1e-14:
            # x of the frame is ours to choose: parallel axes need no product in the kernels.
            R_F, R_e = np.eye(3), R_l.T
        link = builder.add_link(link, e.joint, R_F, p_F)
        R_l, p_l = R_e.T, -R_e.T @ e.p
    return link, R_l @ R_ab, R_l @ p_ab + p_l


def chain_motion(
    elements: Sequence[Element], length: float, rng: np.random.Generator
) -> tuple[tuple[np.ndarray, np.ndarray], list[float]]:
    """A large random motion of a chain, seen from body a, and the value of each element in it.

    Ball joints have no single value: nan.
    """
    R, p, values = np.eye(3), np.zeros(3), []
    for e in elements:
        value = rng.uniform(-2.5, 2.5) * (length if e.joint is Joint.SLIDE else 1.0)
        local, shift = np.eye(3), np.zeros(3)
        if e.joint is Joint.TURN:
            c, s = np.cos(value), np.sin(value)
            local = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        elif e.joint is Joint.SLIDE:
            shift = e.R[:, 2] * value
        else:
            value = float("nan")
            local = _random_turn(rng, spin=e.joint is Joint.BALL)
        turn = e.R @ local @ e.R.T
        # x -> e.p + turn (x - e.p) + shift, after the motions before it.
        R, p = R @ turn, R @ (e.p - turn @ e.p + shift) + p
        values.append(value)
    return (R, p), values


def _random_turn(rng: np.random.Generator, spin: bool) -> np.ndarray:
    """A large random rotation; without `spin`, about an axis normal to z."""
    w = rng.normal(size=3) * (1.0, 1.0, float(spin))
    w *= rng.uniform(0.5, 2.5) / np.linalg.norm(w)
    angle = np.linalg.norm(w)
    K = _skew(w / angle)
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


def frame_along(z: np.ndarray) -> np.ndarray:
    z = np.asarray(z) / np.linalg.norm(z)
    if abs(abs(z[2]) - 1.0) < 1e-15:
        z = np.round(z)
    x = np.array(any_normal((float(z[0]), float(z[1]), float(z[2]))))
    return np.column_stack([x, np.cross(z, x), z])


def _outward(axis: np.ndarray) -> np.ndarray:
    """The axis with its largest component positive, so that its sense does not hang on rounding."""
    big = int(np.argmax(np.abs(axis).round(6)))
    return axis if axis[big] > 0 else -axis


def _along_axes(slides: np.ndarray) -> np.ndarray:
    """The same span with directions near the coordinate axes, each in its positive sense."""
    k = slides.shape[1]
    if k == 0:
        return slides
    if k == 3:
        return np.eye(3)
    if k == 2:
        # Turn the pair within its plane until the first one is the axis the plane is nearest to.
        best = int(np.argmax(np.linalg.norm(slides, axis=1).round(6)))
        first = slides @ slides[best]
        first /= np.linalg.norm(first)
        normal = np.cross(slides[:, 0], slides[:, 1])
        slides = np.column_stack([first, np.cross(normal, first)])
    return np.column_stack([_outward(u) for u in slides.T])


def _to_b(N: np.ndarray, R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Twists about a's origin, in a -> about b's origin, in b."""
    w, v = N[:3], N[3:]
    return np.vstack([R.T @ w, R.T @ (v - _skew(p) @ w)])


def _to_a(N: np.ndarray, R: np.ndarray, p: np.ndarray) -> np.ndarray:
    w, v = R @ N[:3], R @ N[3:]
    return np.vstack([w, v + _skew(p) @ w])


def _orth(B: np.ndarray) -> np.ndarray:
    if B.shape[1] == 0:
        return B
    U, s, _ = np.linalg.svd(B, full_matrices=False)
    return U[:, s > 1e-7 * max(1.0, s[0])]


def _common(spaces: list[np.ndarray], tol: float) -> np.ndarray:
    """Directions that lie in every one of the subspaces (orthonormal bases)."""
    A = np.vstack([np.eye(6) - N @ N.T for N in spaces])
    _, s, Vt = np.linalg.svd(A)
    return Vt[int((s > tol).sum()) :].T


def _overlap(A: np.ndarray, B: np.ndarray, tol: float) -> np.ndarray:
    return _common([_orth(A), _orth(B)], tol)


def _complement(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return _orth(A - B @ (B.T @ A)) if B.shape[1] else A


def _skew(w: np.ndarray) -> np.ndarray:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)
