"""Assemblies in CadQuery with constraints, and CadQuery's own measure of how well they hold."""

from __future__ import annotations

import math

import cadquery as cq
import casadi as ca
from cadquery.occ_impl.solver import ConstraintSolver, costs, scaling

CRANK, ROD, WIDTH, THICK = 40.0, 110.0, 14.0, 6.0  # [mm]
TILT = 50.0  # crank against the base [deg]


def bar(length: float) -> cq.Workplane:
    """A bar from hole a at the origin to hole b on the x axis; both edges lie below."""
    made = (
        cq.Workplane()
        .box(length + WIDTH, WIDTH, THICK, centered=(False, True, False))
        .translate((-WIDTH / 2, 0, 0))
        .faces(">Z")
        .workplane(origin=(0, 0, 0))
        .pushPoints([(0, 0), (length, 0)])
        .hole(5)
    )
    made.faces("<Z").edges("%CIRCLE").edges("<X").tag("a")
    made.faces("<Z").edges("%CIRCLE").edges(">X").tag("b")
    return made


def slider_crank(tilt: float = TILT) -> cq.Assembly:
    """Base, crank, rod and slider; the crank stands at `tilt` [deg] against the base."""
    assembly = cq.Assembly(name="slider-crank")
    assembly.add(bar(200.0), name="base", color=cq.Color("gray"))
    near = math.radians(tilt + 8.0)  # a start a little off, on the side of the wanted branch
    pin = (CRANK * math.cos(near), CRANK * math.sin(near), 0.0)
    assembly.add(bar(CRANK), name="crank", loc=cq.Location((0, 0, 9), (0, 0, 1), tilt + 8.0))
    assembly.add(bar(ROD), name="rod", loc=cq.Location(pin, (0, 0, 1), -15.0))
    assembly.add(bar(10.0), name="slider", loc=cq.Location((CRANK + ROD, 5.0, 20.0)))
    assembly.constrain("base", "Fixed")
    assembly.constrain("base?a", "crank?a", "Point")
    assembly.constrain("base@faces@>Z", "crank@faces@>Z", "Axis", 0)
    assembly.constrain("crank?b", "rod?a", "Point")
    assembly.constrain("crank@faces@>Z", "rod@faces@>Z", "Axis", 0)
    assembly.constrain("rod?b", "slider?a", "Point")
    assembly.constrain("base@faces@>Z", "slider@faces@>Z", "Axis", 0)
    assembly.constrain("base@faces@>X", "slider@faces@>X", "Axis", 0)
    assembly.constrain("slider?a", "base@faces@>Y", "PointInPlane", -WIDTH / 2)
    assembly.constrain("crank@faces@>X", "base@faces@>X", "Axis", tilt)
    return assembly


def stroke(tilt: float = TILT) -> float:
    """Where the slider's pin is along the base [mm]."""
    a = math.radians(tilt)
    return CRANK * math.cos(a) + math.sqrt(ROD**2 - (CRANK * math.sin(a)) ** 2)


def door() -> cq.Assembly:
    """A framed door: four corners, two stiles, two rails, a panel, a handle and two hinges."""
    side, height, width, panel, grip = 24.0, 500.0, 260.0, 4.0, 60.0
    stile, rail = cq.Workplane().box(side, side, height), cq.Workplane().box(width, side, side)
    corner = cq.Workplane().box(side, side, side)
    sheet = (
        cq.Workplane("XZ")
        .rect(width, height)
        .extrude(panel)
        .faces("<Y")
        .workplane(centerOption="CenterOfBoundBox")
        .pushPoints([(width / 3, grip / 2), (width / 3, -grip / 2)])
        .hole(4)
    )
    sheet.faces("<Y").edges("%CIRCLE").edges(">Z").tag("upper")
    sheet.faces("<Y").edges("%CIRCLE").edges("<Z").tag("lower")
    handle = cq.Workplane().box(12, 30, grip + 12).faces(">Y").workplane().rect(12, grip - 12)
    handle = handle.cutBlind(-18)  # a grip with two feet
    handle.faces(">Y").faces(">Z").tag("upper")
    handle.faces(">Y").faces("<Z").tag("lower")
    hinge = cq.Workplane().box(4, side, 50)

    made = cq.Assembly(name="door")
    for name, shape in (("left", stile), ("right", stile), ("bottom", rail), ("top", rail)):
        made.add(shape, name=name, color=cq.Color(0.7, 0.7, 0.75))
    for name in ("c1", "c2", "c3", "c4"):
        made.add(corner, name=name)
    made.add(sheet, name="panel", color=cq.Color(0.3, 0.5, 0.8, 0.4))
    made.add(handle, name="handle")
    made.add(hinge, name="hinge1")
    made.add(hinge, name="hinge2")

    made.constrain("left", "Fixed")
    for post, below, above in (("left", "c1", "c2"), ("right", "c3", "c4")):
        made.constrain(f"{post}@faces@<Z", f"{below}@faces@>Z", "Plane")
        made.constrain(f"{post}@faces@>Z", f"{above}@faces@<Z", "Plane")
        for cube in (below, above):
            made.constrain(f"{post}@faces@>X", f"{cube}@faces@>X", "Axis", 0)
    for beam, near, far in (("bottom", "c1", "c3"), ("top", "c2", "c4")):
        made.constrain(f"{near}@faces@>X", f"{beam}@faces@<X", "Plane")
        made.constrain(f"{beam}@faces@>Z", "left@faces@>Z", "Axis", 0)
        made.constrain(f"{beam}@faces@>X", f"{far}@faces@<X", "Plane")
    made.constrain("panel@faces@<Z", "bottom@faces@>Z", "Plane")
    made.constrain("panel@faces@>Y", "left@faces@>Y", "Axis", 0)
    made.constrain("panel?upper", "handle?upper", "Point")
    made.constrain("panel?lower", "handle?lower", "Point")
    made.constrain("handle@faces@>Y", "panel@faces@<Y", "Axis")
    for name, up in (("hinge1", 150.0), ("hinge2", -150.0)):
        made.constrain(f"{name}@faces@>X", "left@faces@<X", "Axis")
        made.constrain(f"{name}@faces@>X", "left@faces@<X", "PointInPlane")
        made.constrain(f"{name}@faces@>Z", "left@faces@>Z", "Axis", 0)
        made.constrain(f"{name}@faces@>X", "left@faces@>Y", "PointInPlane", -side / 2)
        made.constrain(f"{name}@faces@>X", "left@faces@>Z", "PointInPlane", up - height / 2)
    return made


def costs_of(assembly: cq.Assembly) -> dict[str, float]:
    """What CadQuery's own solver adds up, by constraint, with the parts where they are.

    Squares of lengths over the diagonal of the box, of differences of unit vectors or of cosines.
    """
    scale = assembly.toCompound().BoundingBox().DiagonalLength
    zero = ca.DM.zeros(3)
    found: dict[str, float] = {}
    for number, constraint in enumerate(assembly.constraints, 1):
        starts = []
        for name in constraint.objects:
            T, R = ConstraintSolver._locToDOF6(assembly.objects[name].loc)
            starts += [ca.DM(T), ca.DM(R)]
        for markers, kind, param in constraint.toPODs():
            size = scale if scaling[kind] else 1
            moves = [zero] * len(starts)
            cost = costs[kind](None, *markers, *starts, *moves, param, scale=size)
            if cost is not None:
                found[f"{constraint.kind}_{number} {kind}"] = float(cost)
    return found
