"""Reading `.asmt`, the text models of OndselSolver: assembly, motions and stored results.

Markers become references of kind frame on their part; those of the assembly itself belong to a
grounded part named after it. Joints become mates and couplings (asmt_joints.py), motions drives,
limits limits. Part poses are start poses.

Such a file declares no units: older models are in metres, exports of FreeCAD in millimetres, and
nothing in the file tells which. Numbers are taken as they stand, as metres and radians, so results
come out in the file's own length unit; angles and time are radians and seconds throughout.

Kinematics only: geometry (FeatureOrder, RefCurves, RefSurfaces), masses, forces, gravity, start
velocities and stored joint reactions are not used. What would change the kinematics and cannot be
read is an error that names it. docs/asmt.md has the tables.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cad2mbs.io import expression
from cad2mbs.io.asmt_joints import KINDS, Joint, Marker, Result, convert
from cad2mbs.io.asmt_tree import Node, each, numbers, read_tree
from cad2mbs.io.expression import Expression
from cad2mbs.model.assembly import (
    Assembly,
    Coupling,
    Drive,
    Freedom,
    JointFreedom,
    Limit,
    Part,
)
from cad2mbs.model.mates import Mate, RefId
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import Reference
from cad2mbs.units import Units

SECTIONS = (
    "Notes", "Name", "Position3D", "RotationMatrix", "Velocity3D", "Omega3D", "RefPoints",
    "RefCurves", "RefSurfaces", "Parts", "KinematicIJs", "ConstraintSets", "ForceTorques",
    "ForcesTorques", "ConstantGravity", "SimulationParameters", "AnimationParameters",
)  # fmt: skip
PART_FIELDS = (
    "Name", "Position3D", "RotationMatrix", "Velocity3D", "Omega3D", "FeatureOrder",
    "PrincipalMassMarker", "RefPoints", "RefCurves", "RefSurfaces",
)  # fmt: skip
MOTIONS = {
    "RotationalMotion": (Freedom.TURN, "RotationZ"),
    "TranslationalMotion": (Freedom.SLIDE, "TranslationZ"),
}
LIMIT_FIELDS = (
    "Name", "MarkerI", "MarkerJ", "MotionJoint", "Limit", "Type", "Tol", "Behavior", "Stiffness",
    "Damping",
)  # fmt: skip
LIMITS = {"RotationLimit": Freedom.TURN, "TranslationLimit": Freedom.SLIDE}
LOW_TYPES, HIGH_TYPES = ("=>", ">="), ("=<", "<=")


@dataclass(frozen=True)
class Series:
    """Stored results by part name, the grounded part included; world frame, file units.

    The `input_` fields are the state the solver was given, the others what it found at `times`.
    Quantities the file leaves out are absent from their mapping.
    """

    times: np.ndarray  # (k,) [s]
    position: dict[str, np.ndarray]  # (k, 3)     part origin
    rotation: dict[str, np.ndarray]  # (k, 3, 3)  R_WP
    velocity: dict[str, np.ndarray]  # (k, 3)     of the part origin
    omega: dict[str, np.ndarray]  # (k, 3)
    acceleration: dict[str, np.ndarray]  # (k, 3)     of the part origin
    alpha: dict[str, np.ndarray]  # (k, 3)
    input_position: dict[str, np.ndarray]  # (3,)
    input_rotation: dict[str, np.ndarray]  # (3, 3)


@dataclass(frozen=True)
class AsmtFile:
    """Everything read from one file; `motions` says how each drive moves with time."""

    assembly: Assembly
    motions: dict[str, Expression]
    series: Series | None


def read(path: str | Path) -> Assembly:
    """The assembly of an `.asmt` file; lengths in the file's unit, named m (see above)."""
    return read_all(path).assembly


def read_motion(path: str | Path) -> dict[str, Expression]:
    """The value of every drive as an expression of time [s]: radians or the file's length unit."""
    return read_all(path).motions


def read_series(path: str | Path) -> Series | None:
    """The stored results of an `.asmt` file, None where it has none."""
    return read_all(path).series


def read_all(path: str | Path) -> AsmtFile:
    """Assembly, motions and stored results of an `.asmt` file, read in one go."""
    root, rows = read_tree(path)
    root.only(SECTIONS)
    _refuse_filled(root, "KinematicIJs")
    name = _name(root)
    bodies = _bodies(root, name)
    return _model(root, name, bodies, rows)


@dataclass(frozen=True)
class _Body:
    """A part, or the assembly as the grounded one, before its references are complete."""

    part: str
    path: str  # as the joints and the series name it
    X_WP: np.ndarray  # (4, 4)
    markers: dict[str, Marker]
    node: Node
    grounded: bool


def _name(node: Node) -> str:
    name = node.word("Name")
    if not name:
        node.fail(f"{node.text} has an empty Name")
    return name


def _refuse_filled(node: Node, keyword: str) -> None:
    found = node.find(keyword)
    if found is not None and found.children:
        first = found.children[0]
        first.fail(f"{keyword} cannot be read and must be empty; found {first.text!r}")


def _bodies(root: Node, assembly: str) -> dict[str, _Body]:
    """The grounded part and all others by name, in file order."""
    nodes = root.get("Parts")
    nodes.only(["Part"])
    names = {node.word("Name", default="") for node in nodes.children}
    ground = assembly if assembly not in names else f"{assembly} (ground)"
    bodies = {ground: _body(root, ground, f"/{assembly}", grounded=True)}

    def add(node: Node) -> None:
        node.only(PART_FIELDS)
        name = _name(node)
        if name in bodies:
            node.fail(f"part {name!r} again, first in line {bodies[name].node.line}")
        bodies[name] = _body(node, name, f"/{assembly}/{name}", grounded=False)

    list(each(nodes.children, add))
    return bodies


def _body(node: Node, part: str, path: str, grounded: bool) -> _Body:
    X_WP = node.frame()
    points = node.get("RefPoints")
    points.only(["RefPoint"])
    markers: dict[str, Marker] = {}

    def add(point: Node) -> None:
        point.only(("Name", "Position3D", "RotationMatrix", "Markers"))
        X_PR = point.frame()
        holder = point.get("Markers")
        holder.only(["Marker"])
        for child in holder.children:
            child.only(("Name", "Position3D", "RotationMatrix"))
            name = _name(child)
            if name in markers:
                child.fail(f"marker {name!r} again on {part!r}; its path names two places")
            X_PM = X_PR @ child.frame()
            if not np.isfinite(X_WP @ X_PM).all():
                child.fail(f"marker {name!r} is too far away for a number")
            markers[name] = Marker(RefId(part, name), X_PM, X_WP @ X_PM)

    list(each(points.children, add))
    return _Body(part, path, X_WP, markers, node, grounded)


class _Markers:
    """Markers and joints by the paths the file uses."""

    def __init__(self, bodies: dict[str, _Body]):
        self.markers: dict[str, Marker] = {}
        for body in bodies.values():
            for name, marker in body.markers.items():
                path = f"{body.path}/{name}"
                if path in self.markers:
                    body.node.fail(f"the path {path} names two markers")
                self.markers[path] = marker

    def get(self, node: Node, keyword: str) -> Marker:
        path = node.word(keyword)
        if path not in self.markers:
            folder = path.rsplit("/", 1)[0]
            near = [known for known in self.markers if known.rsplit("/", 1)[0] == folder]
            choices = ", ".join(near[:8] or list(self.markers)[:8]) or "none"
            node.get(keyword).fail(f"{keyword} {path!r} is no marker of this file; some: {choices}")
        return self.markers[path]


def _model(root: Node, name: str, bodies: dict[str, _Body], rows: list[Node]) -> AsmtFile:
    sets = root.get("ConstraintSets")
    sets.only(("Joints", "Motions", "Limits", "GeneralConstraintSets"))
    # Their headings close the list of joints and motions: without them the file is cut short and
    # joints may be missing.
    sets.get("GeneralConstraintSets")
    root.get("SimulationParameters")
    _refuse_filled(sets, "GeneralConstraintSets")
    markers = _Markers(bodies)
    joints = _joints(sets.get("Joints"), markers)
    by_path = {f"/{name}/{joint.name}": joint for joint in joints.values()}
    parts, mates, couplings = _converted(joints, bodies)
    drives, motions = _drives(sets.get("Motions"), markers, by_path, _start(root))
    limits = _limits(sets.find("Limits"), markers, by_path)
    assembly = Assembly(
        name=name,
        parts=parts,
        mates=mates,
        drives=drives,
        limits=limits,
        couplings=couplings,
        units=Units("m", "rad"),
        source=root.file,
    )
    return AsmtFile(assembly, motions, _series(rows, bodies))


def _refuse_unknown(node: Node, noun: str, kinds: Collection[str]) -> None:
    if node.text not in kinds:
        named = node.word("Name", default="") or "without a name"
        read = ", ".join(kinds)
        node.fail(f"{noun} {named!r} is a {node.text}, which cannot be read; read are: {read}")


def _joints(holder: Node, markers: _Markers) -> dict[str, Joint]:
    joints: dict[str, Joint] = {}

    def add(node: Node) -> None:
        _refuse_unknown(node, "joint", KINDS)
        node.only(("Name", "MarkerI", "MarkerJ", *KINDS[node.text].fields))
        name = _name(node)
        if name in joints:
            node.fail(f"joint {name!r} again, first in line {joints[name].node.line}")
        i, j = markers.get(node, "MarkerI"), markers.get(node, "MarkerJ")
        if i.id == j.id:
            node.fail(f"joint {name!r} has the same marker {i.id} twice")
        joints[name] = Joint(name, node.text, i, j, node)

    list(each(holder.children, add))
    return joints


def _converted(
    joints: dict[str, Joint], bodies: dict[str, _Body]
) -> tuple[dict[str, Part], dict[str, Mate], dict[str, Coupling]]:
    """Parts with all their references, mates and couplings, each by name."""
    sliding = {
        marker.id.part
        for joint in joints.values()
        if joint.kind == "TranslationalJoint"
        for marker in (joint.i, joint.j)
    }
    results = list(each(joints.values(), lambda joint: (joint, convert(joint, sliding))))
    references = {
        part: {name: marker.reference() for name, marker in body.markers.items()}
        for part, body in bodies.items()
    }
    mates: dict[str, Mate] = {}
    couplings: dict[str, Coupling] = {}
    for joint, result in results:
        _merge(joint, result, mates, couplings, references)
    parts = {
        part: Part(
            part,
            references[part],
            grounded=body.grounded,
            pose=Pose.from_matrix(body.X_WP[:3, 3].tolist(), body.X_WP[:3, :3]),
            line=body.node.line,
        )
        for part, body in bodies.items()
    }
    return parts, mates, couplings


def _merge(
    joint: Joint,
    result: Result,
    mates: dict[str, Mate],
    couplings: dict[str, Coupling],
    references: dict[str, dict[str, Reference]],
) -> None:
    for mate in result.mates:
        if mate.name in mates:
            joint.node.fail(f"joint {joint.name!r} gives a second mate the name {mate.name!r}")
        mates[mate.name] = mate
    for coupling in result.couplings:
        couplings[coupling.name] = coupling
    for id, reference in result.references:
        if id.ref in references[id.part]:
            joint.node.fail(f"joint {joint.name!r} needs the name {id}, which a marker has")
        references[id.part][id.ref] = reference


def _start(root: Node) -> float:
    return root.get("SimulationParameters").number("tstart", default=0.0)


def _freedom(
    node: Node, freedom: Freedom, markers: _Markers, joints: dict[str, Joint]
) -> JointFreedom:
    """The freedom a motion or limit speaks of: that of its joint, or between its two markers."""
    path = node.word("MotionJoint", default="")
    given = node.find("MarkerI") is not None or node.find("MarkerJ") is not None
    if path:
        if path not in joints:
            choices = ", ".join(list(joints)[:8]) or "none"
            node.get("MotionJoint").fail(f"{path!r} is no joint of this file; some: {choices}")
        i, j = joints[path].i, joints[path].j
        if given:
            named = markers.get(node, "MarkerI").id, markers.get(node, "MarkerJ").id
            if named != (i.id, j.id):
                node.fail(f"{_name(node)!r} names other markers than its joint {path!r}")
    else:
        i, j = markers.get(node, "MarkerI"), markers.get(node, "MarkerJ")
    return JointFreedom(i.id.part, j.id.part, freedom, zero=(i.id, j.id))


def _drives(
    holder: Node, markers: _Markers, joints: dict[str, Joint], start: float
) -> tuple[dict[str, Drive], dict[str, Expression]]:
    drives: dict[str, Drive] = {}
    motions: dict[str, Expression] = {}

    def add(node: Node) -> None:
        _refuse_unknown(node, "motion", MOTIONS)
        freedom, keyword = MOTIONS[node.text]
        node.only(("Name", "MarkerI", "MarkerJ", "MotionJoint", keyword))
        name = _name(node)
        if name in drives:
            node.fail(f"motion {name!r} again, first in line {drives[name].line}")
        of = _freedom(node, freedom, markers, joints)
        formula = expression.parse(node.word(keyword), node.file, node.get(keyword).line + 1)
        value = _finite(node, keyword, formula, start)
        drives[name] = Drive(name, of=of, value=value, line=node.line)
        motions[name] = formula

    list(each(holder.children, add))
    return drives, motions


def _finite(node: Node, keyword: str, formula: Expression, t: float) -> float:
    value = float(formula.value(t))
    if not np.isfinite(value):
        node.get(keyword).fail(f"{keyword} {formula.text!r} has no value at time {t:g}")
    return value


def _limits(holder: Node | None, markers: _Markers, joints: dict[str, Joint]) -> dict[str, Limit]:
    limits: dict[str, Limit] = {}

    def add(node: Node) -> None:
        _refuse_unknown(node, "limit", LIMITS)
        node.only(LIMIT_FIELDS)
        name = _name(node)
        if name in limits:
            node.fail(f"limit {name!r} again, first in line {limits[name].line}")
        behavior = node.word("Behavior", default="") or "Rigid"
        if behavior != "Rigid":
            node.get("Behavior").fail(f"limit {name!r} is {behavior}; only Rigid limits are read")
        of = _freedom(node, LIMITS[node.text], markers, joints)
        low, high = _bounds(node)
        limits[name] = Limit(name, of, low, high, line=node.line)

    list(each(holder.children if holder else [], add))
    return limits


def _bounds(node: Node) -> tuple[float | None, float | None]:
    formula = expression.parse(node.word("Limit"), node.file, node.get("Limit").line + 1)
    if not formula.is_constant:
        node.get("Limit").fail(f"the limit {formula.text!r} depends on time; it must be a number")
    bound = _finite(node, "Limit", formula, 0.0)
    sign = node.word("Type")
    if sign in LOW_TYPES:
        return bound, None
    if sign in HIGH_TYPES:
        return None, bound
    node.get("Type").fail(f"limit type {sign!r}; wanted => (at least) or =< (at most)")


# Rows of a part in the stored results; the first six must be there.
_ROWS = {
    "position": ("X", "Y", "Z"),
    "angles": ("Bryantx", "Bryanty", "Bryantz"),
    "velocity": ("VX", "VY", "VZ"),
    "omega": ("OmegaX", "OmegaY", "OmegaZ"),
    "acceleration": ("AX", "AY", "AZ"),
    "alpha": ("AlphaX", "AlphaY", "AlphaZ"),
}


def _series(rows: list[Node], bodies: dict[str, _Body]) -> Series | None:
    if not rows:
        return None
    times, blocks = _times(rows)
    wanted = {body.path: body.part for body in bodies.values()}
    columns: dict[str, dict[str, np.ndarray]] = {}
    for header, block in blocks:
        kind, path = _heading(header)
        if kind not in ("PartSeries", "AssemblySeries"):
            continue  # reactions in joints and motions
        if path not in wanted:
            header.fail(f"{kind} of {path!r}, which is no part of this file")
        if wanted[path] in columns:
            header.fail(f"{kind} of {path!r} a second time")
        columns[wanted[path]] = _columns(header, block, len(times) + 1)
    for part in wanted.values():
        if part not in columns:
            rows[-1].fail(f"the stored results lack those of {part!r}; the file ends too early")
    return _stored(times, columns)


def _heading(header: Node) -> tuple[str, str]:
    kind, *rest = header.text.split(maxsplit=1)
    if not kind.endswith("Series") or not rest:
        header.fail(f"a heading like 'PartSeries /assembly/part' was expected, found {kind!r}")
    return kind, rest[0]


def _times(rows: list[Node]) -> tuple[np.ndarray, list[tuple[Node, list[Node]]]]:
    """The stored instants, and the other rows below their headings."""
    words = [row.text.split() for row in rows[:2]]
    for row, found, keyword in zip(rows, words, ("Number", "Time"), strict=False):
        if found[:2] != [keyword, "Input"]:
            row.fail(f"the stored results need a row '{keyword} Input ...' here")
    if len(rows) < 2:
        rows[0].fail("the stored results need a row 'Time Input ...'; the file ends too early")
    times = np.array(numbers(words[1][2:], rows[1]))
    if len(words[0]) != len(words[1]):
        rows[1].fail(f"{len(words[1]) - 2} times, but {len(words[0]) - 2} numbers of instants")
    blocks: list[tuple[Node, list[Node]]] = []
    for row in rows[2:]:
        if row.text.split(maxsplit=1)[0].endswith("Series"):
            blocks.append((row, []))
        elif not blocks:
            row.fail("a heading like 'PartSeries /assembly/part' was expected before the numbers")
        else:
            blocks[-1][1].append(row)
    return times, blocks


def _columns(header: Node, block: list[Node], length: int) -> dict[str, np.ndarray]:
    """By quantity the values (k + 1, 3); the first one is the input."""
    rows: dict[str, list[float]] = {}
    known = [name for names in _ROWS.values() for name in names]
    for node in block:
        keyword, *words = node.text.split()
        if keyword not in known or keyword in rows:
            node.fail(f"row {keyword!r} in {header.text!r}; wanted once each: {', '.join(known)}")
        if len(words) != length:
            node.fail(f"row {keyword} has {len(words)} numbers, wanted the input and {length - 1}")
        rows[keyword] = numbers(words, node)
    result = {}
    for quantity, names in _ROWS.items():
        present = [name for name in names if name in rows]
        if len(present) == 3:
            result[quantity] = np.column_stack([rows[name] for name in names])
        elif present or quantity in ("position", "angles"):
            header.fail(f"{header.text!r} needs the rows {', '.join(names)}; found {present}")
    return result


def _stored(times: np.ndarray, columns: dict[str, dict[str, np.ndarray]]) -> Series:
    def later(quantity: str) -> dict[str, np.ndarray]:
        return {part: c[quantity][1:] for part, c in columns.items() if quantity in c}

    turned = {part: _bryant(c["angles"]) for part, c in columns.items()}
    return Series(
        times=times,
        position=later("position"),
        rotation={part: R[1:] for part, R in turned.items()},
        velocity=later("velocity"),
        omega=later("omega"),
        acceleration=later("acceleration"),
        alpha=later("alpha"),
        input_position={part: c["position"][0] for part, c in columns.items()},
        input_rotation={part: R[0] for part, R in turned.items()},
    )


def _bryant(angles: np.ndarray) -> np.ndarray:
    """(k, 3, 3): Rx Ry Rz, turns about x, then the new y, then the new z; angles (k, 3) [rad]."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_euler("XYZ", angles).as_matrix()
