"""Assembly -> bodies -> joints -> tree and closing rows -> solver model, with names kept.

The one place that knows which row, coordinate and link came from which mate, drive and part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import networkx as nx
import numpy as np

from cad2mbs.errors import MechanismError
from cad2mbs.mapping.bodies import Body, RigidBodies, inverse, times
from cad2mbs.mapping.conditions import MateRows, Place, add_mate
from cad2mbs.mapping.coordinates import coordinates, labels
from cad2mbs.mapping.gauges import Gauge, Gauges
from cad2mbs.mapping.recognise import Element, Recognised, add_chain, frame_along
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.mates import MATE_KINDS
from solvers.model import FREEDOMS, Builder, Joint, Model, neutral


@dataclass
class JointEdge:
    """The joint between two bodies, with what the solver made of it."""

    name: str
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
    def reason(self) -> str:
        """Why it is this joint, and why it is where it is, in words."""
        if not self.found.consistent:
            text = "its mates contradict each other"
        elif self.found.proven:
            text = f"{self.kind}, proven by large finite motion"
        else:
            text = (
                f"no known joint: {self.found.kind} of its strongest mate, the rest as conditions"
            )
        return f"{text}; {'in the minimal spanning tree' if self.in_tree else 'closes a loop'}"

    @property
    def ordered(self) -> list[tuple[int, Element]]:
        """Coordinates from body a to body b, also where the tree runs the other way."""
        return self.coords if self.sign > 0 else self.coords[::-1]

    def from_state(self, Y: np.ndarray) -> np.ndarray | None:
        """Coordinates (k, n) [SI] where the states Y hold them, turns counted on; else None."""
        if not self.in_tree or any(
            e.joint not in (Joint.TURN, Joint.SLIDE) for _, e in self.coords
        ):
            return None
        return self.sign * Y[:, [coord for coord, _ in self.ordered]]

    @cached_property
    def coordinate_labels(self) -> list[tuple[str, str]]:
        """(name, dimension) of each coordinate; none where the chain cannot be read back."""
        return labels(self.found)


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
    weld_slack: float  # what imprecise data leave open inside rigid bodies

    def joint_values(self, joint: JointEdge, X: np.ndarray) -> np.ndarray:
        """Coordinates (k, n) [SI] of a joint at link poses X (k, nl, 12)."""
        (Ra, pa), (Rb, pb) = (self._along(body, X) for body in (joint.a, joint.b))
        back = np.swapaxes(Ra, 1, 2)
        return coordinates(joint.found, back @ Rb, (back @ (pb - pa)[..., None])[..., 0])

    def _along(self, body: str, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        place = self.body_place[body]
        R = X[:, place.link, :9].reshape(-1, 3, 3)
        return R @ place.R, X[:, place.link, 9:] + R @ place.p


def unique(names: Iterable[str]) -> list[str]:
    """The names; one that was there before gets a number, as where a freedom is also a drive."""
    out: dict[str, None] = {}
    for name in names:
        number, text = 1, name
        while text in out:
            number += 1
            text = f"{name} ({number})"
        out[text] = None
    return list(out)


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
        self.assembly, self.formulation = assembly, formulation
        self.rigid = RigidBodies(assembly, skip, merge)
        self.length = self.rigid.length
        self.builder = Builder()
        self.place: dict[str, Place] = {}  # of each body
        self.joints: list[JointEdge] = []
        self.mate_rows: dict[str, MateRows] = {}
        self.free_coords: dict[str, list[tuple[int, Joint]]] = {}

    # -- joints, tree, model --------------------------------------------------------------

    def structure(self) -> Structure:
        pairs = {} if self.formulation == "implicit" else self.rigid.recognise_all()
        ground = self.rigid.ground
        names = unique(f"{a}-{b}" for a, b in pairs)
        joints = [
            JointEdge(name, a, b, found, [m.name for m in mates])
            for name, ((a, b), (found, mates)) in zip(names, pairs.items(), strict=True)
        ]
        if self.formulation == "explicit":
            open_pairs = [j for j in joints if not j.found.proven]
            if open_pairs:
                j = open_pairs[0]
                raise MechanismError(
                    f"the explicit formulation needs a proven joint for every pair; the mates of "
                    f"{j.a} and {j.b} ({', '.join(j.mates)}) make none. Use --formulation mixed."
                )
        order = self._tree(joints, ground)
        self.place[ground] = Place(0, np.eye(3), np.zeros(3))
        for parent, child, joint in order:
            self._add_joint(parent, child, joint)
        self.joints = joints
        self._add_conditions(joints)
        gauges = Gauges(self)
        gauges.make()
        model = self.builder.build(self.length)
        owner = {r: n for n, m in self.mate_rows.items() for r in (*m.two_sided, *m.one_sided)}
        sides = [
            r
            for n, m in self.mate_rows.items()
            for r in m.one_sided
            if n in self.assembly.mates and MATE_KINDS[self.assembly.mates[n].kind].one_sided
        ]
        start = neutral(model)
        for coord, value in gauges.start_values.items():
            start[coord] = value
        return Structure(
            self.assembly,
            self.length,
            self.rigid.bodies,
            joints,
            model,
            self.place,
            self.mate_rows,
            owner,
            np.array(sides, np.int64),
            np.flatnonzero(model.one_sided == 0),
            gauges.drives,
            sum(not j.in_tree for j in joints),
            self.formulation,
            start,
            {part: self.part_place(part) for part in self.assembly.parts},
            [m.name for m in self.rigid.mates if self.rigid.same_body(m)],
            self._row_groups(owner, model.m),
            gauges.limits,
            self.free_coords,
            self.rigid.weld_redundant,
            self.rigid.weld_slack,
        )

    def _row_groups(self, owner: dict[int, str], m: int) -> np.ndarray:
        """Rows of one pair of bodies share a number; every other row has its own."""
        number: dict[object, int] = {}
        out = np.empty(m, np.int64)
        for r in range(m):
            mate = self.assembly.mates.get(owner.get(r, ""))
            key: object = r
            if mate is not None:
                key = frozenset((self.rigid.body_of[mate.a.part], self.rigid.body_of[mate.b.part]))
            out[r] = number.setdefault(key, len(number))
        return out

    def _wanted(self) -> set[frozenset[str]]:
        """Pairs whose joint coordinate a drive, limit or coupling asks for: better in the tree."""
        out = set()
        for f in [d.of for d in self.assembly.drives.values() if d.of] + [
            lim.of for lim in self.assembly.limits.values()
        ]:
            out.add(frozenset((self.rigid.body_of[f.a], self.rigid.body_of[f.b])))
        for name in self.rigid.driven:
            if name in self.assembly.mates:
                mate = self.assembly.mates[name]
                out.add(
                    frozenset((self.rigid.body_of[mate.a.part], self.rigid.body_of[mate.b.part]))
                )
        return out

    def _tree(
        self, joints: list[JointEdge], ground: str
    ) -> list[tuple[str, str, JointEdge | None]]:
        wanted = self._wanted()
        graph = nx.Graph()
        graph.add_nodes_from(self.rigid.bodies)
        for j in joints:
            graph.add_edge(j.a, j.b, joint=j)
        depth = nx.single_source_shortest_path_length(graph, ground)
        far = len(self.rigid.bodies)
        for j in joints:
            near = min(depth.get(j.a, far), depth.get(j.b, far))
            prefer = 0 if frozenset((j.a, j.b)) in wanted else 1
            graph[j.a][j.b]["weight"] = j.freedoms * 4.0 * far + prefer * 2.0 * far + near
        tree = nx.minimum_spanning_tree(graph, weight="weight")
        order: list[tuple[str, str, JointEdge | None]] = []
        seen: set[str] = set()
        for root in [ground, *self.rigid.bodies]:
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

    def _add_joint(self, parent: str, child: str, joint: JointEdge | None) -> None:
        base = self.place[parent]
        if joint is None:
            X = times(inverse(self.rigid.bodies[parent].start), self.rigid.bodies[child].start)
            elements = [Element(Joint.SLIDE, frame_along(X[0][:, k]), X[1]) for k in range(3)]
            elements.append(Element(Joint.BALL, X[0], X[1]))
        else:
            f = joint.found
            X, elements = (f.R_ab, f.p_ab), list(f.elements)
            if joint.a != parent:
                joint.sign = -1.0
                Xi = inverse(X)
                elements = [
                    Element(e.joint, Xi[0] @ e.R, Xi[0] @ e.p + Xi[1]) for e in reversed(elements)
                ]
                X = Xi
        first = self.builder.nv
        link, R, p = add_chain(self.builder, base.link, elements, base.R, base.p, *X)
        self.place[child] = Place(link, R, p)
        for e in elements:
            if joint is not None:
                joint.coords.append((first, e))
            else:
                self.free_coords.setdefault(child, []).append((first, e.joint))
            first += FREEDOMS[e.joint]

    def part_place(self, part: str) -> Place:
        body = self.rigid.body_of[part]
        base = self.place[body]
        X = times((base.R, base.p), self.rigid.bodies[body].places[part])
        return Place(base.link, *X)

    def _add_conditions(self, joints: list[JointEdge]) -> None:
        explicit = {n for j in joints if j.in_tree and j.found.proven for n in j.mates}
        for mate in self.rigid.mates:
            # In the implicit form the gauge of a driven mate writes all of its rows.
            by_gauge = self.formulation == "implicit" and mate.name in self.rigid.driven
            locks = None if by_gauge else self.rigid.locking(mate)
            if locks is None or mate.name in explicit or self.rigid.same_body(mate):
                continue
            self.mate_rows[mate.name] = add_mate(
                self.builder,
                self.assembly,
                locks,
                self.part_place(mate.a.part),
                self.part_place(mate.b.part),
                self.length,
            )
