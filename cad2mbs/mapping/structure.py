"""Assembly -> bodies -> joints -> tree and closing rows -> solver model, with names kept.

The one place that knows which row, coordinate and link came from which mate, drive and part.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import networkx as nx
import numpy as np

from cad2mbs.errors import MechanismError
from cad2mbs.mapping.conditions import (
    MateRows,
    Place,
    add_mate,
    model_length,
    placed_frame,
    reference_frame,
    si_value,
)
from cad2mbs.mapping.coordinates import coordinates, labels
from cad2mbs.mapping.recognise import Element, Recognised, _frame, add_chain, recognise
from cad2mbs.model.assembly import Assembly, CouplingKind, Freedom, JointFreedom
from cad2mbs.model.mates import MATE_KINDS, Dim, Mate
from solvers.model import FREEDOMS, Builder, Joint, Model, Row, Target, neutral


@dataclass
class Body:
    """A rigid body: parts and their fixed places in its frame (SI)."""

    name: str
    places: dict[str, tuple[np.ndarray, np.ndarray]]
    grounded: bool = False
    start: tuple[np.ndarray, np.ndarray] = field(default_factory=lambda: (np.eye(3), np.zeros(3)))
    welds: list[str] = field(default_factory=list)  # mates that made it rigid


@dataclass
class JointEdge:
    """The joint between two bodies, with what the solver made of it."""

    a: str
    b: str
    found: Recognised
    mates: list[str]
    in_tree: bool = False
    sign: float = 1.0  # -1: the tree runs from b to a
    coords: list[tuple[int, Element]] = field(default_factory=list)
    pitch: float | None = None  # a screw coupling on this joint

    @property
    def kind(self) -> str:
        return "screw" if self.pitch is not None else self.found.kind

    @property
    def freedoms(self) -> int:
        return self.found.freedoms - (self.pitch is not None)

    @property
    def name(self) -> str:
        return f"{self.a}-{self.b}"

    @property
    def coordinate_labels(self) -> list[tuple[str, str]]:
        """(name, dimension) of each coordinate; none where the chain cannot be read back."""
        return labels(self.found)


@dataclass(frozen=True)
class Gauge:
    """A measured or driven quantity: user value [SI] = sign * y[coord] + zero."""

    coord: int
    sign: float
    zero: float
    is_length: bool


@dataclass
class Structure:
    """Everything the mechanism object needs, names included."""

    assembly: Assembly
    length: float
    bodies: dict[str, Body]
    joints: list[JointEdge]
    model: Model
    body_place: dict[str, Place]
    mate_rows: dict[str, MateRows]
    row_owner: dict[int, str]
    sides: np.ndarray  # rows of halfspace and signum-z mates
    closing_rows: np.ndarray  # two-sided rows, all
    gauges: dict[str, Gauge]
    loops: int
    formulation: str
    start: np.ndarray  # (ny,) state nearest to where the parts start
    part_place: dict[str, Place]
    same_body: list[str]  # mates whose two parts are one rigid body
    row_group: np.ndarray  # (m,) number of the closing joint or coupling a row belongs to
    limits: dict[str, Gauge]
    free_coords: dict[str, list[tuple[int, Joint]]]  # of bodies that hang on nothing, by name
    weld_redundant: set[str]  # mates of rigid pairs that lock nothing the others leave free


    def joint_values(self, joint: JointEdge, X: np.ndarray) -> np.ndarray:
        """Coordinates (k, n) [SI] of a joint at link poses X (k, nl, 12)."""
        (Ra, pa), (Rb, pb) = (self._along(body, X) for body in (joint.a, joint.b))
        back = np.swapaxes(Ra, 1, 2)
        return coordinates(joint.found, back @ Rb, (back @ (pb - pa)[..., None])[..., 0])

    def _along(self, body: str, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        place = self.body_place[body]
        R = X[:, place.link, :9].reshape(-1, 3, 3)
        return R @ place.R, X[:, place.link, 9:] + R @ place.p


def start_pose(assembly: Assembly, part: str) -> tuple[np.ndarray, np.ndarray]:
    pose = assembly.parts[part].pose
    if pose is None:
        return np.eye(3), np.zeros(3)
    return pose.rotation(), np.array(pose.position) * assembly.units.metre


def _inverse(X):
    R, p = X
    return R.T, -R.T @ p


def _times(X, Y):
    return X[0] @ Y[0], X[0] @ Y[1] + X[1]


class Mapper:
    """Turns an assembly into a structure; `formulation` is implicit, explicit or mixed.

    `skip` leaves mates out; `merge` False keeps bodies apart that mates alone make rigid.
    """

    def __init__(
        self,
        assembly: Assembly,
        formulation: str = "mixed",
        skip: frozenset[str] = frozenset(),
        merge: bool = True,
    ):
        self.assembly, self.formulation, self.merge = assembly, formulation, merge
        self.length = model_length(assembly)
        self.driven = {d.mate: d.name for d in assembly.drives.values() if d.mate}
        self.mates = [m for m in assembly.mates.values() if m.name not in skip]
        self.body_of: dict[str, str] = {}
        self.bodies: dict[str, Body] = {}
        self.start_values: dict[int, float] = {}  # of coordinates that belong to no link
        self.limit_gauges: dict[str, Gauge] = {}
        self.weld_redundant: set[str] = set()
        self.free_coords: dict[str, list[tuple[int, Joint]]] = {}
        self._ground_and_identical()

    # -- rigid bodies ---------------------------------------------------------------------

    def _ground_and_identical(self) -> None:
        parts = self.assembly.parts
        grounded = [n for n, p in parts.items() if p.grounded] or list(parts)[:1]
        for name in parts:
            X = start_pose(self.assembly, name)
            self.bodies[name] = Body(name, {name: (np.eye(3), np.zeros(3))}, start=X)
            self.body_of[name] = name
        root = grounded[0]
        ground = self.bodies[root]
        ground.grounded = True
        ground.places = {root: ground.start}
        ground.start = (np.eye(3), np.zeros(3))
        for other in grounded[1:]:
            self._merge(root, other, self.bodies[other].start, None)
        for mate in self.mates:
            if mate.kind == "identical":
                a, b = self.body_of[mate.a.part], self.body_of[mate.b.part]
                if a == b:
                    continue
                T = (mate.transform.rotation(), np.array(mate.transform.position) * self.assembly.units.metre)
                X = _times(self._ref_in_body(mate.a), _times(T, _inverse(self._ref_in_body(mate.b))))
                if self.bodies[b].grounded:
                    a, b, X = b, a, _inverse(X)
                self._merge(a, b, X, mate.name)

    def _ref_in_body(self, ref):
        body = self.bodies[self.body_of[ref.part]]
        return _times(body.places[ref.part], reference_frame(self.assembly, ref))

    def _merge(self, a: str, b: str, X_ab, weld: str | list[str] | None) -> None:
        A, B = self.bodies[a], self.bodies.pop(b)
        for part, X in B.places.items():
            A.places[part] = _times(X_ab, X)
            self.body_of[part] = a
        A.welds += B.welds + ([weld] if isinstance(weld, str) else weld or [])

    def same_body(self, mate: Mate) -> bool:
        return self.body_of[mate.a.part] == self.body_of[mate.b.part]

    def place_of(self, a: str):
        def places(mate: Mate, link_a: int, link_b: int) -> tuple[Place, Place]:
            out = []
            for ref in (mate.a, mate.b):
                body = self.body_of[ref.part]
                out.append(Place(link_a if body == a else link_b, *self.bodies[body].places[ref.part]))
            return out[0], out[1]
        return places

    def bundles(self) -> dict[tuple[str, str], list[Mate]]:
        order = {b: k for k, b in enumerate(self.bodies)}
        ground = next(b for b in self.bodies.values() if b.grounded).name
        order[ground] = -1
        out: dict[tuple[str, str], list[Mate]] = {}
        for mate in self.mates:
            a, b = self.body_of[mate.a.part], self.body_of[mate.b.part]
            if a == b or mate.name in self.driven or MATE_KINDS[mate.kind].one_sided:
                continue
            out.setdefault((a, b) if order[a] < order[b] else (b, a), []).append(mate)
        return out

    def recognise_all(self) -> dict[tuple[str, str], tuple[Recognised, list[Mate]]]:
        """Recognise every pair, merging rigid ones until nothing merges."""
        known: dict = {}
        while True:
            merged = False
            for (a, b), mates in self.bundles().items():
                key = (a, b, tuple(m.name for m in mates))
                if key not in known:
                    X = _times(_inverse(self.bodies[a].start), self.bodies[b].start)
                    known[key] = recognise(
                        self.assembly, mates, self.place_of(a), X, self.length, self.merge)
                found = known[key]
                if found.proven and not found.elements:
                    self._merge(a, b, (found.R_ab, found.p_ab), [m.name for m in mates])
                    self.weld_redundant |= set(found.redundant)
                    merged = True
                    break
            if not merged:
                return {
                    pair: (known[(*pair, tuple(m.name for m in mates))], mates)
                    for pair, mates in self.bundles().items()
                }

    # -- joints, tree, model --------------------------------------------------------------

    def structure(self) -> Structure:
        pairs = {} if self.formulation == "implicit" else self.recognise_all()
        ground = next(b.name for b in self.bodies.values() if b.grounded)
        joints = [JointEdge(a, b, f, [m.name for m in ms]) for (a, b), (f, ms) in pairs.items()]
        if self.formulation == "explicit":
            open_pairs = [j for j in joints if not j.found.proven]
            if open_pairs:
                j = open_pairs[0]
                raise MechanismError(
                    f"the explicit formulation needs a proven joint for every pair; the mates of "
                    f"{j.a} and {j.b} ({', '.join(j.mates)}) make none. Use --formulation mixed."
                )
        order = self._tree(joints, ground)
        builder = Builder()
        self.builder = builder
        self.place = {ground: Place(0, np.eye(3), np.zeros(3))}
        for parent, child, joint in order:
            self._add_joint(builder, parent, child, joint)
        self.joints = joints
        self.mate_rows: dict[str, MateRows] = {}
        self._add_conditions(builder, joints)
        gauges = self._gauges(builder, joints)
        model = builder.build(self.length)
        owner = {r: n for n, m in self.mate_rows.items() for r in (*m.two_sided, *m.one_sided)}
        sides = [
            r for n, m in self.mate_rows.items() for r in m.one_sided
            if n in self.assembly.mates and MATE_KINDS[self.assembly.mates[n].kind].one_sided
        ]
        start = neutral(model)
        for coord, value in self.start_values.items():
            start[coord] = value
        return Structure(
            self.assembly, self.length, self.bodies, joints, model, self.place, self.mate_rows,
            owner, np.array(sides, np.int64), np.flatnonzero(model.one_sided == 0), gauges,
            sum(not j.in_tree for j in joints), self.formulation, start,
            {part: self.part_place(part) for part in self.assembly.parts},
            [m.name for m in self.mates if self.same_body(m)],
            self._row_groups(owner, model.m), self.limit_gauges, self.free_coords,
            self.weld_redundant,
        )

    def counts(self) -> dict[str, int]:
        """Sizes of the implicit form: rows of all mates, six unknowns a body."""
        length = self.length
        builder, place = Builder(), Place(0, np.eye(3), np.zeros(3))
        made = [
            add_mate(builder, self.assembly, m, place, place, length)
            for m in self.mates if not self.same_body(m)
        ]
        return {
            "equations": sum(len(m.two_sided) for m in made) + len(self.assembly.couplings),
            "inequalities": sum(len(m.one_sided) for m in made),
            "unknowns": 6 * (len(self.bodies) - 1),
        }

    def _row_groups(self, owner: dict[int, str], m: int) -> np.ndarray:
        """Rows of one pair of bodies share a number; every other row has its own."""
        number: dict[object, int] = {}
        out = np.empty(m, np.int64)
        for r in range(m):
            mate = self.assembly.mates.get(owner.get(r, ""))
            key: object = r
            if mate is not None:
                key = frozenset((self.body_of[mate.a.part], self.body_of[mate.b.part]))
            out[r] = number.setdefault(key, len(number))
        return out

    def _wanted(self) -> set[frozenset[str]]:
        """Pairs whose joint coordinate a drive, limit or coupling asks for: better in the tree."""
        out = set()
        for f in [d.of for d in self.assembly.drives.values() if d.of] + [
            lim.of for lim in self.assembly.limits.values()
        ]:
            out.add(frozenset((self.body_of[f.a], self.body_of[f.b])))
        for name in self.driven:
            if name in self.assembly.mates:
                mate = self.assembly.mates[name]
                out.add(frozenset((self.body_of[mate.a.part], self.body_of[mate.b.part])))
        return out

    def _tree(self, joints: list[JointEdge], ground: str) -> list[tuple[str, str, JointEdge | None]]:
        wanted = self._wanted()
        graph = nx.Graph()
        graph.add_nodes_from(self.bodies)
        for j in joints:
            graph.add_edge(j.a, j.b, joint=j)
        depth = nx.single_source_shortest_path_length(graph, ground)
        far = len(self.bodies)
        for j in joints:
            near = min(depth.get(j.a, far), depth.get(j.b, far))
            prefer = 0 if frozenset((j.a, j.b)) in wanted else 1
            graph[j.a][j.b]["weight"] = j.freedoms * 4.0 * far + prefer * 2.0 * far + near
        tree = nx.minimum_spanning_tree(graph, weight="weight")
        order: list[tuple[str, str, JointEdge | None]] = []
        seen: set[str] = set()
        for root in [ground, *self.bodies]:
            if root in seen:
                continue
            seen.add(root)
            if root != ground:
                order.append((ground, root, None))
            for a, b in nx.bfs_edges(tree, root):
                joint = graph[a][b]["joint"]
                joint.in_tree = True
                order.append((a, b, joint))
                seen.add(b)
        return order

    def _add_joint(self, builder: Builder, parent: str, child: str, joint: JointEdge | None) -> None:
        base = self.place[parent]
        if joint is None:
            X = _times(_inverse(self.bodies[parent].start), self.bodies[child].start)
            elements = [Element(Joint.SLIDE, _frame(X[0][:, k]), X[1]) for k in range(3)]
            elements.append(Element(Joint.BALL, X[0], X[1]))
        else:
            f = joint.found
            X, elements = (f.R_ab, f.p_ab), list(f.elements)
            if joint.a != parent:
                joint.sign = -1.0
                Xi = _inverse(X)
                elements = [Element(e.joint, Xi[0] @ e.R, Xi[0] @ e.p + Xi[1]) for e in reversed(elements)]
                X = Xi
        first = builder.nv
        link, R, p = add_chain(builder, base.link, elements, base.R, base.p, *X)
        self.place[child] = Place(link, R, p)
        for e in elements:
            if joint is not None:
                joint.coords.append((first, e))
            else:
                self.free_coords.setdefault(child, []).append((first, e.joint))
            first += FREEDOMS[e.joint]

    def part_place(self, part: str) -> Place:
        body = self.body_of[part]
        base = self.place[body]
        X = _times((base.R, base.p), self.bodies[body].places[part])
        return Place(base.link, *X)

    def _add_conditions(self, builder: Builder, joints: list[JointEdge]) -> None:
        explicit = {n for j in joints if j.in_tree and j.found.proven for n in j.mates}
        for mate in self.mates:
            if mate.name in explicit or mate.name in self.driven:
                continue
            if self.same_body(mate):
                continue
            self.mate_rows[mate.name] = add_mate(
                builder, self.assembly, mate, self.part_place(mate.a.part),
                self.part_place(mate.b.part), self.length,
            )

    # -- drives, limits, couplings --------------------------------------------------------

    def _gauges(self, builder: Builder, joints: list[JointEdge]) -> dict[str, Gauge]:
        gauges: dict[str, Gauge] = {}
        for drive in self.assembly.drives.values():
            if drive.mate is not None:
                if drive.mate in {m.name for m in self.mates}:
                    gauges[drive.name] = self._mate_gauge(builder, self.assembly.mates[drive.mate])
            elif drive.of is not None:
                gauges[drive.name] = self._freedom_gauge(builder, drive.of)
            if drive.name in gauges:
                wanted = (drive.value, drive.low, drive.high)
                gauges[drive.name] = self._bounded(builder, gauges[drive.name], *wanted)
        for limit in self.assembly.limits.values():
            gauge = self._freedom_gauge(builder, limit.of)
            self.limit_gauges[limit.name] = self._bounded(
                builder, gauge, None, limit.low, limit.high)
        for coupling in self.assembly.couplings.values():
            self._couple(builder, coupling)
        return gauges

    def _bounded(
        self, builder: Builder, g: Gauge, value: float | None, low: float | None, high: float | None
    ) -> Gauge:
        """The gauge on the turn that its value or bounds mean, with the bounds set."""
        unit = self.assembly.units.metre if g.is_length else self.assembly.units.radian
        if not g.is_length:
            g = replace(g, zero=g.zero + 2 * np.pi * self._turns(builder, g, value, low, high))
        ends = [-np.inf if low is None else low * unit, np.inf if high is None else high * unit]
        ends = sorted((e - g.zero) * g.sign for e in ends)
        old = builder.bounds.get(g.coord, (-np.inf, np.inf))
        builder.bounds[g.coord] = (max(ends[0], old[0]), min(ends[1], old[1]))
        return g

    def _turns(self, builder: Builder, g: Gauge, value, low, high) -> float:
        """Full turns to add so that the start reads near `value`, else between the bounds."""
        unit = self.assembly.units.radian
        now = g.sign * self.start_values.get(g.coord, 0.0) + g.zero
        if value is not None:
            return float(np.round((value * unit - now) / (2 * np.pi)))
        slack = 1e-9
        if low is not None and now < low * unit - slack:
            return float(np.ceil((low * unit - slack - now) / (2 * np.pi)))
        if high is not None and now > high * unit + slack:
            return float(-np.ceil((now - high * unit - slack) / (2 * np.pi)))
        return 0.0

    def _mate_gauge(self, builder: Builder, mate: Mate) -> Gauge:
        """The number of a driven mate: a tree coordinate where there is one, else a new one."""
        a, b = self.part_place(mate.a.part), self.part_place(mate.b.part)
        is_length = MATE_KINDS[mate.kind].value is Dim.LENGTH
        if self.formulation != "implicit" and mate.kind in ("offset-x", "in-plane"):
            if mate.kind == "offset-x":
                return self._measure(
                    builder, mate.a.part, mate.b.part, Freedom.TURN,
                    placed_frame(self.assembly, mate.a, a), placed_frame(self.assembly, mate.b, b))
            return self._measure(
                builder, mate.b.part, mate.a.part, Freedom.SLIDE,
                placed_frame(self.assembly, mate.b, b), placed_frame(self.assembly, mate.a, a))
        coord = builder.add_coordinate(is_length)
        self.start_values[coord] = si_value(self.assembly, mate)
        if mate.kind in ("distance", "axis-distance"):
            builder.bounds[coord] = (0.0, np.inf)
        self.mate_rows[mate.name] = add_mate(
            builder, self.assembly, mate, a, b, self.length, coord)
        return Gauge(coord, 1.0, 0.0, is_length)

    def _freedom_gauge(self, builder: Builder, of: JointFreedom) -> Gauge:
        a, b = self.part_place(of.a), self.part_place(of.b)
        joint = self._joint(of.a, of.b)
        if of.zero is not None:
            za, zb = of.zero
            F_a, F_b = placed_frame(self.assembly, za, a), placed_frame(self.assembly, zb, b)
            if za.part != of.a:
                F_a, F_b = F_b, F_a
            kind = of.freedom or self._only_freedom(joint, of)
            return self._measure(builder, of.a, of.b, kind, F_a, F_b)
        if joint is None:
            raise MechanismError(f"there is no joint between {of.a} and {of.b}")
        kind = of.freedom or self._only_freedom(joint, of)
        want = Joint.TURN if kind is Freedom.TURN else Joint.SLIDE
        found = [e for e in joint.found.elements if e.joint is want]
        if not found:
            raise MechanismError(
                f"the joint between {of.a} and {of.b} is {joint.kind}: it has no single {kind}")
        # Frames that coincide at the start: the element's frame, seen from both bodies.
        e, X = found[0], (joint.found.R_ab, joint.found.p_ab)
        on_a, on_b = (e.R, e.p), _times(_inverse(X), (e.R, e.p))
        if self.body_of[of.a] != joint.a:
            on_a, on_b = on_b, on_a
        ba, bb = self.place[self.body_of[of.a]], self.place[self.body_of[of.b]]
        return self._measure(builder, of.a, of.b, kind, _times((ba.R, ba.p), on_a), _times((bb.R, bb.p), on_b))

    def _only_freedom(self, joint: JointEdge | None, of: JointFreedom) -> Freedom:
        kinds = {e.joint for e in joint.found.elements} if joint else set()
        if kinds == {Joint.TURN}:
            return Freedom.TURN
        if kinds == {Joint.SLIDE}:
            return Freedom.SLIDE
        raise MechanismError(
            f"the joint between {of.a} and {of.b} has several freedoms: say freedom: turn or slide")

    def _joint(self, a: str, b: str) -> JointEdge | None:
        pair = {self.body_of[a], self.body_of[b]}
        return next((j for j in self.joints if {j.a, j.b} == pair), None)

    def _measure(self, builder, part_a, part_b, kind: Freedom, F_a, F_b) -> Gauge:
        """Gauge from frame F_a (on part_a's link) to F_b: turn about, or slide along, z of F_a."""
        joint = self._joint(part_a, part_b)
        want = Joint.TURN if kind is Freedom.TURN else Joint.SLIDE
        is_length = kind is Freedom.SLIDE
        link_a, link_b = self.part_place(part_a).link, self.part_place(part_b).link
        X_a = self._world_at_zero(link_a, builder)
        X_b = self._world_at_zero(link_b, builder)
        W_a, W_b = _times(X_a, F_a), _times(X_b, F_b)
        zero = self._value(kind, W_a, W_b)
        if joint is not None and joint.in_tree:
            hits = [(c, e) for c, e in joint.coords if e.joint is want]
            parent = joint.a if joint.sign > 0 else joint.b
            base = self.place[parent]
            for coord, e in hits:
                z = (self._world_at_zero(base.link, builder)[0] @ base.R @ e.R)[:, 2]
                along = float(z @ W_a[0][:, 2])
                single = len(hits) == 1 or abs(along) > 1 - 1e-9
                if single and abs(abs(along) - 1.0) < 1e-9:
                    sign = np.sign(along) * (1.0 if parent == self.body_of[part_a] else -1.0)
                    return Gauge(coord, float(sign), zero, is_length)
        coord = builder.add_coordinate(is_length)
        if is_length:
            builder.add_row(Row.PLANE_POINT, link_a, link_b, p_l=F_a[1], u=F_a[0][:, 2], p_r=F_b[1],
                            i=coord, target=Target.SHIFTED, offset=zero, scale=1.0 / self.length)
        else:
            builder.add_row(Row.ANGLE, link_a, link_b, u=F_a[0][:, 0], u2=F_a[0][:, 1],
                            w=F_b[0][:, 0], i=coord, target=Target.SHIFTED, offset=zero)
        return Gauge(coord, 1.0, zero, is_length)

    def _value(self, kind: Freedom, W_a, W_b) -> float:
        if kind is Freedom.SLIDE:
            return float(W_a[0][:, 2] @ (W_b[1] - W_a[1]))
        x = W_b[0][:, 0]
        return float(np.arctan2(x @ W_a[0][:, 1], x @ W_a[0][:, 0]))

    def _world_at_zero(self, link: int, builder: Builder):
        X = (np.eye(3), np.zeros(3))
        chain = []
        while link > 0:
            parent, _, _, _, R, p = builder.links[link]
            chain.append((R, p))
            link = parent
        for R, p in reversed(chain):
            X = _times(X, (R, p))
        return X

    def _couple(self, builder: Builder, c) -> None:
        unit = self.assembly.units
        if c.kind is CouplingKind.SCREW:
            joint = self._joint(c.a.part, c.b.part)
            turn = self._about(builder, c.a.part, c.b.part, Freedom.TURN, c.a)
            slide = self._about(builder, c.a.part, c.b.part, Freedom.SLIDE, c.a)
            gain = c.ratio * unit.metre / (2 * np.pi)
            if joint is not None and joint.kind == "cylindrical":
                joint.pitch = gain
            first, second = slide, turn
        else:
            carrier = c.carrier or self._carrier(c)
            first_kind = Freedom.TURN if c.kind is CouplingKind.GEAR else Freedom.SLIDE
            second = self._about(builder, carrier, c.a.part, Freedom.TURN, c.a)
            first = self._about(builder, carrier, c.b.part, first_kind, c.b)
            gain = -c.ratio if c.kind is CouplingKind.GEAR else c.ratio * unit.metre
        # sign_f y_f = gain * sign_s y_s, both counted from the start.
        scale = 1.0 / self.length if first.is_length else 1.0
        row = builder.add_row(Row.LINEAR, i=first.coord, j=second.coord,
                              coef=(first.sign, -gain * second.sign), scale=scale)
        self.mate_rows[c.name] = MateRows((row,), ())

    def _about(self, builder, part_a: str, part_b: str, kind: Freedom, axis) -> Gauge:
        """Gauge between two parts about the axis of a reference, zero where the parts start."""
        owner = self.part_place(axis.part)
        F = placed_frame(self.assembly, axis, owner)
        W = _times(self._world_at_zero(owner.link, builder), F)
        F_a = _times(_inverse(self._world_at_zero(self.part_place(part_a).link, builder)), W)
        F_b = _times(_inverse(self._world_at_zero(self.part_place(part_b).link, builder)), W)
        return self._measure(builder, part_a, part_b, kind, F_a, F_b)

    def _carrier(self, c) -> str:
        a, b = self.body_of[c.a.part], self.body_of[c.b.part]
        near = {x: {j.b if j.a == x else j.a for j in self.joints if x in (j.a, j.b)} for x in (a, b)}
        shared = [n for n in self.bodies if n in near[a] & near[b]]
        if not shared:
            raise MechanismError(
                f"coupling {c.name}: no part is jointed to both {c.a.part} and {c.b.part}; "
                f"name the part that carries them with carrier:")
        return next(iter(self.bodies[shared[0]].places))
