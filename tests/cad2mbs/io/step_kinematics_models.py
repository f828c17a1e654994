"""STEP files with kinematics written by hand: geometry by the kernel, the rest as plain text.

The text follows the tables of the schemas slot by slot and shares nothing with our writer.
"""

from __future__ import annotations

import re
from pathlib import Path

import cadquery as cq
import numpy as np

from cad2mbs.cad.kernel.write import Placed, write_step

IDENTITY = ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
Frame = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]  # origin, z, x


class Text:
    """A STEP file to which lines can be added; numbers count on from those of the kernel."""

    def __init__(self, folder: Path, places: dict[str, np.ndarray], schema: str = "AP242"):
        box = cq.Workplane().box(10, 20, 30).val().wrapped
        children = tuple(
            Placed(n, shape=box, X_PC=X, product=f"{n} product", colour=(0.1 * k, 0.5, 0.5, 1.0))
            for k, (n, X) in enumerate(places.items())
        )
        self.path = folder / "hand.step"
        write_step(self.path, Placed("top", children=children), schema=schema)
        self.head, _, self.tail = self.path.read_text().rpartition("ENDSEC;")
        self.number = max(int(n) for n in re.findall(r"^#(\d+) =", self.head, re.MULTILINE))
        uses = re.findall(
            r"#(\d+) = NEXT_ASSEMBLY_USAGE_OCCURRENCE\('\d+','([^']*)','',#(\d+),#(\d+)", self.head
        )
        self.use = {name: int(n) for n, name, _, _ in uses}
        self.child = {name: int(c) for _, name, _, c in uses}
        self.root = int(uses[0][2])
        shapes = dict(re.findall(r"#(\d+) = PRODUCT_DEFINITION_SHAPE\('','',#(\d+)\)", self.head))
        reps = re.findall(r"SHAPE_DEFINITION_REPRESENTATION\(#(\d+),#(\d+)\)", self.head)
        self.rep = {int(shapes[s]): int(r) for s, r in reps if s in shapes}
        self.context = int(re.findall(r"SHAPE_REPRESENTATION\('',\([^)]*\),#(\d+)\)", self.head)[0])

    def add(self, entity: str) -> int:
        """One entity; returns its number."""
        self.number += 1
        self.head += f"#{self.number} = {entity};\n"
        return self.number

    def frame(self, frame: Frame = IDENTITY) -> int:
        origin, z, x = frame
        p = self.add(f"CARTESIAN_POINT('',{_vector(origin)})")
        a, b = (self.add(f"DIRECTION('',{_vector(v)})") for v in (z, x))
        return self.add(f"AXIS2_PLACEMENT_3D('',#{p},#{a},#{b})")

    def units(self, length: str, angle: str) -> int:
        """A context in other units: inch or mm, degree or radian."""
        mm = self.add("(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.))")
        rad = self.add("(NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.))")
        if length == "inch":
            size = self.add(f"LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#{mm})")
            none = self.add("DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.)")
            body = f"CONVERSION_BASED_UNIT('INCH',#{size}) LENGTH_UNIT() NAMED_UNIT(#{none})"
            mm = self.add(f"({body})")
        if angle == "degree":
            value = f"PLANE_ANGLE_MEASURE({np.pi / 180!r})"
            size = self.add(f"PLANE_ANGLE_MEASURE_WITH_UNIT({value},#{rad})")
            none = self.add("DIMENSIONAL_EXPONENTS(0.,0.,0.,0.,0.,0.,0.)")
            body = f"CONVERSION_BASED_UNIT('DEGREE',#{size}) NAMED_UNIT(#{none}) PLANE_ANGLE_UNIT()"
            rad = self.add(f"({body})")
        return self.add(
            f"(GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNIT_ASSIGNED_CONTEXT((#{mm},#{rad})) "
            "REPRESENTATION_CONTEXT('',''))"
        )

    def write(self) -> Path:
        self.path.write_text(self.head + "ENDSEC;" + self.tail)
        return self.path


def _vector(values) -> str:
    return "(" + ",".join(f"{float(v)!r}" for v in values) + ")"


def ap242(
    text: Text,
    links: list[str],
    pairs: list[tuple[str, str, str, Frame, Frame, str]],
    base: str,
    context: int | None = None,
    bare: tuple[str, ...] = (),
) -> Path:
    """Links and pairs of AP242; a pair is (keyword, link 1, link 2, frame 1, frame 2, more slots).

    Slots that the schema derives are in `more`, as the file is to have them.
    """
    context = context or text.context
    number = {n: text.add(f"KINEMATIC_LINK('{n}')") for n in links}
    items: dict[str, list[int]] = {n: [] for n in links}
    joints, made = [], []
    for k, (word, a, b, F1, F2, more) in enumerate(pairs):
        joint = text.add(f"KINEMATIC_JOINT('J{k}',#{number[a]},#{number[b]})")
        one, two = text.frame(F1), text.frame(F2)
        slots = f"'J{k}',*,$,#{one},#{two},#{joint}{',' if more else ''}{more}"
        made.append((text.add(f"{word}({slots})"), a, b))
        joints.append(joint)
        items[a].append(one)
        items[b].append(two)
    topology = text.add(f"KINEMATIC_TOPOLOGY_STRUCTURE('',{_refs(joints)},#{context})")
    rep = {
        n: text.add(f"RIGID_LINK_REPRESENTATION('',{_refs(i)},#{context},#{number[n]})")
        for n, i in items.items()
    }
    relations = [
        text.add(f"PAIR_REPRESENTATION_RELATIONSHIP('','',$,#{rep[a]},#{rep[b]},#{pair})")
        for pair, a, b in made
    ]
    whole = text.add(f"MECHANISM_REPRESENTATION('',{_refs(relations)},#{context},#{topology})")
    owner = text.add(f"PRODUCT_DEFINITION_KINEMATICS('',$,#{text.root})")
    text.add(f"KINEMATIC_PROPERTY_MECHANISM_REPRESENTATION(#{owner},#{whole},#{rep[base]})")
    for name in links:
        if name in bare:
            continue
        shape = text.rep[text.child[name]]
        tie = text.add(f"KINEMATIC_LINK_REPRESENTATION_ASSOCIATION('',$,#{rep[name]},#{shape})")
        use = text.add(f"PRODUCT_DEFINITION_RELATIONSHIP_KINEMATICS('',$,#{text.use[name]})")
        text.add(f"CONTEXT_DEPENDENT_KINEMATIC_LINK_REPRESENTATION(#{tie},#{use})")
    return text.write()


def ap214(
    text: Text,
    links: list[str],
    pairs: list[tuple[str, str, str, Frame, Frame, str]],
    base: str,
    ranges: dict[int, str],
) -> Path:
    """The same in the structure of AP214: ranges and representations in entities of their own."""
    number = {n: text.add("KINEMATIC_LINK()") for n in links}
    items: dict[str, list[int]] = {n: [] for n in links}
    joints = []
    for k, (word, a, b, F1, F2, more) in enumerate(pairs):
        joint = text.add(f"KINEMATIC_JOINT(#{number[a]},#{number[b]})")
        one, two = text.frame(F1), text.frame(F2)
        slots = f"'J{k}',$,#{one},#{two},#{joint}{',' if more else ''}{more}"
        pair = text.add(f"{word}({slots})")
        if k in ranges:
            text.add(f"{word}_RANGE(#{pair},{ranges[k]})")
        joints.append(joint)
        items[a].append(one)
        items[b].append(two)
    structure = text.add(f"KINEMATIC_STRUCTURE({_refs(joints)})")
    for name, listed in items.items():
        rep = text.add(f"KINEMATIC_LINK_REPRESENTATION('{name}',{_refs(listed)},#{text.context})")
        text.add(f"KINEMATIC_LINK_REPRESENTATION_RELATION(#{number[name]},#{rep})")
        shape = text.rep[text.child[name]]
        text.add(f"KINEMATIC_LINK_REPRESENTATION_ASSOCIATION('',$,#{rep},#{shape})")
    owner = text.add(f"KINEMATIC_PROPERTY_DEFINITION('',$,#{text.root},#{text.root})")
    text.add(f"MECHANISM(#{structure},#{number[base]},#{owner})")
    return text.write()


def _refs(numbers: list[int]) -> str:
    return "(" + ",".join(f"#{n}" for n in numbers) + ")"
