"""A small writer of `.FCStd` files, in each of the dialects found in real ones, and a slider-crank.

Shapes are written by the CAD kernel itself; the XML is as FreeCAD writes it, less what no reader
of kinematics needs.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import quoteattr

import cadquery as cq
import numpy as np
from OCP.BRepTools import BRepTools
from scipy.spatial.transform import Rotation

TYPES = (
    "Fixed", "Revolute", "Cylindrical", "Slider", "Ball", "Distance", "Parallel", "Perpendicular",
    "Angle", "RackPinion", "Screw", "Gears", "Belt",
)  # fmt: skip
DIALECTS = ("strings", "object", "assembly", "component")
CRANK, ROD = 30.0, 80.0


def pose(position=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0), degrees: float = 0.0) -> np.ndarray:
    """(4, 4): turned about the axis, then shifted."""
    X = np.eye(4)
    unit = np.array(axis, float) / np.linalg.norm(axis)
    X[:3, :3] = Rotation.from_rotvec(np.radians(degrees) * unit).as_matrix()
    X[:3, 3] = position
    return X


# -- properties ---------------------------------------------------------------------------------


def string(value: str) -> tuple[str, str]:
    return "App::PropertyString", f"<String value={quoteattr(value)}/>"


def boolean(value: bool) -> tuple[str, str]:
    return "App::PropertyBool", f'<Bool value="{str(value).lower()}"/>'


def number(value: float) -> tuple[str, str]:
    return "App::PropertyFloat", f'<Float value="{value:.16f}"/>'


def integer(value: int) -> tuple[str, str]:
    return "App::PropertyIntegerConstraint", f'<Integer value="{value}"/>'


def placement(X: np.ndarray) -> tuple[str, str]:
    x, y, z, w = Rotation.from_matrix(X[:3, :3]).as_quat()
    p = X[:3, 3]
    return "App::PropertyPlacement", (
        f'<PropertyPlacement Px="{p[0]:.16f}" Py="{p[1]:.16f}" Pz="{p[2]:.16f}" '
        f'Q0="{x:.16f}" Q1="{y:.16f}" Q2="{z:.16f}" Q3="{w:.16f}"/>'
    )


def links(*names: str) -> tuple[str, str]:
    rows = "".join(f"<Link value={quoteattr(n)}/>" for n in names)
    return "App::PropertyLinkList", f'<LinkList count="{len(names)}">{rows}</LinkList>'


def link(name: str) -> tuple[str, str]:
    return "App::PropertyLink", f"<Link value={quoteattr(name)}/>"


def xlink(name: str, file: str = "") -> tuple[str, str]:
    text = f'<XLink file={quoteattr(file)} stamp="" name={quoteattr(name)}/>'
    return "App::PropertyXLink", text


def xsub(name: str, *subs: str) -> tuple[str, str]:
    rows = "".join(f"<Sub value={quoteattr(s)}/>" for s in subs)
    head = f'<XLink file="" stamp="" name={quoteattr(name)}'
    return "App::PropertyXLinkSub", f'{head} count="{len(subs)}">{rows}</XLink>'


def choice(value: str, words: tuple[str, ...]) -> tuple[str, str]:
    listed = "".join(f"<Enum value={quoteattr(w)}/>" for w in words)
    return "App::PropertyEnumeration", (
        f'<Integer value="{words.index(value)}" CustomEnum="true"/>'
        f'<CustomEnumList count="{len(words)}">{listed}</CustomEnumList>'
    )


def shape_file(entry: str) -> tuple[str, str]:
    return "Part::PropertyPartShape", f'<Part file={quoteattr(entry)} ElementMap=""/>'


# -- files --------------------------------------------------------------------------------------


@dataclass
class FcFile:
    """An `.FCStd` file in the making."""

    objects: list[tuple[str, str, dict[str, tuple[str, str]]]] = field(default_factory=list)
    entries: dict[str, bytes] = field(default_factory=dict)

    def add(self, type_: str, name: str, label: str = "", **properties: tuple[str, str]) -> str:
        self.objects.append((type_, name, {"Label": string(label or name), **properties}))
        return name

    def shape(self, name: str, shape: cq.Shape, X: np.ndarray, folder: Path) -> tuple[str, str]:
        """The shape as an entry, with its placement in it as FreeCAD leaves it."""
        entry = f"{name}.Shape.brp"
        scratch = folder / f".{name}.brp"
        assert BRepTools.Write_s(shape.moved(location(X)).wrapped, str(scratch))
        self.entries[entry] = scratch.read_bytes()
        scratch.unlink()
        return shape_file(entry)

    def feature(self, name: str, solid: cq.Shape, X: np.ndarray, folder: Path, **more) -> str:
        return self.add(
            "Part::Feature",
            name,
            Placement=placement(X),
            Shape=self.shape(name, solid, X, folder),
            **more,
        )

    def xml(self) -> str:
        rows = "".join(
            f'<Object type="{type_}" name="{name}" id="{k}"/>\n'
            for k, (type_, name, _) in enumerate(self.objects, 1)
        )
        data = "".join(
            f'<Object name="{name}">\n<Properties Count="{len(properties)}" TransientCount="0">\n'
            + "".join(
                f'<Property name="{key}" type="{kind}" status="1">{value}</Property>\n'
                for key, (kind, value) in properties.items()
            )
            + "</Properties>\n</Object>\n"
            for _, name, properties in self.objects
        )
        return (
            "<?xml version='1.0' encoding='utf-8'?>\n"
            '<Document SchemaVersion="4" ProgramVersion="1.0R1" FileVersion="1">\n'
            f'<Properties Count="0"/>\n<Objects Count="{len(self.objects)}" Dependencies="1">\n'
            f'{rows}</Objects>\n<ObjectData Count="{len(self.objects)}">\n{data}</ObjectData>\n'
            "</Document>\n"
        )

    def write(self, path: Path) -> Path:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("Document.xml", self.xml())
            for entry, data in self.entries.items():
                file.writestr(entry, data)
        return path


def location(X: np.ndarray) -> cq.Location:
    from OCP.gp import gp_Trsf

    move = gp_Trsf()
    move.SetValues(*(float(v) for v in X[:3].ravel()))
    return cq.Location(move)


# -- joints -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class End:
    """One end of a joint: the component, the object in it, the element and the frame."""

    component: str
    X: np.ndarray
    element: str = "Face1"
    path: str = ""  # names from below the component to the object, each with a dot
    object: str = ""  # name of the object, "": the component


def joint_properties(
    kind: str, one: End, two: End, dialect: str = "assembly", assembly: str = "Assembly", **more
) -> dict[str, tuple[str, str]]:
    """The properties of a joint in one of the dialects."""
    out = {"JointType": choice(kind, TYPES)}
    for number_, end in ((1, one), (2, two)):
        out[f"Placement{number_}"] = placement(end.X)
        name = end.object or end.component
        if dialect == "strings":
            out[f"Object{number_}"] = string(name)
            out[f"Part{number_}"] = link(end.component)
            out[f"Element{number_}"] = string(end.element)
            out[f"Vertex{number_}"] = string("Vertex1")
        elif dialect == "object":
            out[f"Object{number_}"] = xsub(name, end.element, "Vertex1")
            out[f"Part{number_}"] = link(end.component)
        elif dialect == "assembly":
            sub = f"{end.component}.{end.path}"
            out[f"Reference{number_}"] = xsub(assembly, sub + end.element, sub + "Vertex1")
        else:
            out[f"Reference{number_}"] = xsub(
                end.component, end.path + end.element, end.path + "Vertex1"
            )
    return {**out, **_switch(dialect), **_offsets(dialect), **more}


def _switch(dialect: str, on: bool = True) -> dict[str, tuple[str, str]]:
    return {"Suppressed": boolean(not on)} if dialect == "component" else {"Activated": boolean(on)}


def switched(dialect: str, on: bool) -> dict[str, tuple[str, str]]:
    """The property that says whether a joint acts, in the words of the dialect."""
    return _switch(dialect, on)


def _offsets(dialect: str) -> dict[str, tuple[str, str]]:
    """Offsets that are inside the placements already, so a reader must not add them again."""
    if dialect in ("strings", "object"):
        vector = '<PropertyVector valueX="7" valueY="0" valueZ="3"/>'
        return {"Offset": ("App::PropertyVector", vector), "Rotation": number(20.0)}
    X = pose((1.0, 2.0, 3.0), (0, 0, 1), 40.0)
    return {"Offset1": placement(X), "Offset2": placement(X)}


# -- the slider-crank ---------------------------------------------------------------------------


def start_poses(degrees: float = 50.0) -> dict[str, np.ndarray]:
    """Where the parts of the slider-crank start; crank at the angle, slider along x."""
    a = np.radians(degrees)
    pin = np.array([CRANK * np.cos(a), CRANK * np.sin(a), 0.0])
    b = np.arcsin(pin[1] / ROD)
    slider = np.array([pin[0] + ROD * np.cos(b), 0.0, 0.0])
    return {
        "frame": pose(),
        "crank": pose((0, 0, 0), (0, 0, 1), degrees),
        "rod": pose(tuple(pin), (0, 0, 1), -np.degrees(b)),
        "slider": pose(tuple(slider)),
    }


def solids() -> dict[str, cq.Shape]:
    def bar(x: float, y: float, z: float, at: tuple[float, float, float]) -> cq.Shape:
        return cq.Workplane().box(x, y, z).translate(at).val()

    return {
        "frame": bar(200, 10, 4, (60, 0, -10)),
        "crank": bar(CRANK, 6, 3, (CRANK / 2, 0, 0)),
        "rod": bar(ROD, 5, 3, (ROD / 2, 0, 4)),
        "slider": bar(20, 12, 6, (0, 0, 0)),
    }


def slider_crank_joints() -> dict[str, tuple[str, End, End]]:
    along_x = pose(axis=(0, 1, 0), degrees=90.0)
    flipped = pose((CRANK, 0, 0), (1, 0, 0), 180.0)  # z against z, as FreeCAD often leaves it
    return {
        "Bearing": ("Revolute", End("frame", pose()), End("crank", pose())),
        "Pin": ("Revolute", End("crank", flipped), End("rod", pose())),
        "Wrist": ("Revolute", End("rod", pose((ROD, 0, 0))), End("slider", pose())),
        "Guide": ("Slider", End("frame", along_x), End("slider", along_x)),
    }


MATES = f"""
cad2mbs: 1
name: slider-crank
units: {{length: mm, angle: deg}}
parts:
  frame: {{grounded: true, references: {{
    o: {{frame: {{origin: [0, 0, 0], z: [0, 0, 1], x: [1, 0, 0]}}}},
    g: {{frame: {{origin: [0, 0, 0], z: [1, 0, 0], x: [0, 0, -1]}}}}}}}}
  crank: {{references: {{o: {{frame: {{origin: [0, 0, 0], z: [0, 0, 1], x: [1, 0, 0]}}}},
    p: {{axis: {{point: [{CRANK}, 0, 0], along: [0, 0, 1]}}}}}}}}
  rod: {{references: {{o: {{axis: {{point: [0, 0, 0], along: [0, 0, 1]}}}},
    w: {{axis: {{point: [{ROD}, 0, 0], along: [0, 0, 1]}}}}}}}}
  slider: {{references: {{o: {{axis: {{point: [0, 0, 0], along: [0, 0, 1]}}}},
    g: {{frame: {{origin: [0, 0, 0], z: [1, 0, 0], x: [0, 0, -1]}}}}}}}}
mates:
  b1: {{kind: coincident, a: frame/o, b: crank/o}}
  b2: {{kind: parallel-z, a: frame/o, b: crank/o}}
  p1: {{kind: coincident, a: crank/p, b: rod/o}}
  p2: {{kind: parallel-z, a: crank/p, b: rod/o}}
  w1: {{kind: coincident, a: rod/w, b: slider/o}}
  w2: {{kind: parallel-z, a: rod/w, b: slider/o}}
  g1: {{kind: in-line, a: slider/g, b: frame/g}}
  g2: {{kind: offset-x, a: slider/g, b: frame/g, angle: 0}}
"""


def slider_crank(
    folder: Path, dialect: str = "assembly", how: str = "direct", **joint_more
) -> Path:
    """A slider-crank in one dialect; its components direct features, links, or links to files."""
    file, places = FcFile(), start_poses()
    joints = slider_crank_joints()
    target = pose((500, 600, 700), (1, 2, 3), 77.0)  # of the linked features: links replace it
    for name, solid in solids().items():
        if how == "direct":
            file.feature(name, solid, places[name], folder)
            continue
        if how == "files":
            other = FcFile()
            other.feature("Shape", solid, target, folder)
            other.write(folder / f"{name}.FCStd")
            pointer = xlink("Shape", f"{name}.FCStd")
        else:
            pointer = xlink(file.feature(f"{name}_shape", solid, target, folder))
        file.add(
            "App::Link", name, LinkedObject=pointer, LinkTransform=boolean(False),
            Placement=placement(places[name]),
        )  # fmt: skip
    for name, (kind, one, two) in joints.items():
        more = joint_more.get(name, {})
        file.add("App::FeaturePython", name, **joint_properties(kind, one, two, dialect, **more))
    file.add("App::FeaturePython", "Ground", ObjectToGround=link("frame"))
    file.add("Assembly::JointGroup", "Joints", Group=links(*joints, "Ground"))
    file.add(
        "Assembly::AssemblyObject", "Assembly", "slider-crank",
        Group=links(*places, "Joints"), Placement=placement(pose()),
    )  # fmt: skip
    return file.write(folder / f"{dialect}_{how}.FCStd")


def pair(
    folder: Path,
    kind: str,
    one: End,
    two: End,
    shapes: tuple[cq.Shape, cq.Shape] | None = None,
    places: tuple[np.ndarray, np.ndarray] = (pose(), pose()),
    **more,
) -> Path:
    """An assembly of two features "a" (grounded) and "b" with one joint "J"."""
    file = FcFile()
    shapes = shapes or (cq.Workplane().box(10, 10, 10).val(), cq.Workplane().box(5, 5, 5).val())
    for name, shape, X in zip("ab", shapes, places, strict=True):
        file.feature(name, shape, X, folder)
    file.add("App::FeaturePython", "J", **joint_properties(kind, one, two, **more))
    file.add("App::FeaturePython", "Ground", ObjectToGround=link("a"))
    file.add("Assembly::JointGroup", "Joints", Group=links("J", "Ground"))
    file.add("Assembly::AssemblyObject", "Assembly", Group=links("a", "b", "Joints"))
    return file.write(folder / "pair.FCStd")
