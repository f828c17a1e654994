"""The radial engine in other programs, each posed as its users would, with the same start.

Every maker returns a `Contestant` or raises ImportError. Loops written in Python come twice: from
the last position, and from the polynomial through the last six that cad2mbs uses as well.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg.lapack import dgesv

RADIUS, ROD, CYLINDERS = 0.040, 0.120, 7  # [m], as cad2mbs.library.radial_engine
LENGTH = RADIUS + ROD  # residuals and deviations are told in parts of it
TOLERANCE = 1e-10  # residual demanded of everyone, of LENGTH
POSITIONS = 500
CRANK = np.linspace(0.0, 2 * math.pi, POSITIONS)
CYLINDER = 2 * math.pi * np.arange(CYLINDERS) / CYLINDERS
OUT = np.stack([np.cos(CYLINDER), np.sin(CYLINDER)], axis=1)  # (cylinders, 2)
HISTORY = 6
MOST_STEPS = 30  # Newton steps a position
# y[k] = sum over a of (-1)^a C(n, a+1) y[k-1-a], oldest state first
WEIGHTS = [
    np.array([(-1) ** a * math.comb(n, a + 1) for a in reversed(range(n))], float)
    for n in range(1, HISTORY + 1)
]


class Points(NamedTuple):
    """Where the pins are [m], (positions, cylinders, 2): rod's big end, small end, piston."""

    big: np.ndarray
    small: np.ndarray
    piston: np.ndarray


class Contestant(NamedTuple):
    name: str
    run: Callable[[], Any]  # what is timed
    points: Callable[[Any], Points]  # from what run returned
    reset: Callable[[], object] = lambda: None  # before every run, not timed
    once: bool = False  # too slow for medians


def closed_form(crank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rod angle against the crank [rad] and stroke [m] of each slider-crank, (k, cylinders)."""
    ahead = np.atleast_1d(crank)[:, None] - CYLINDER
    tilt = -np.arcsin(RADIUS / ROD * np.sin(ahead))
    return tilt - ahead, RADIUS * np.cos(ahead) + ROD * np.cos(tilt)


def direction(angle: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def crank_pin(crank: np.ndarray) -> np.ndarray:
    return np.broadcast_to(RADIUS * direction(crank)[:, None], (len(crank), CYLINDERS, 2))


def residual(p: Points) -> float:
    """Largest open gap of any joint, of LENGTH, from the points alone."""
    off_axis = p.piston[..., 0] * OUT[:, 1] - p.piston[..., 1] * OUT[:, 0]
    gaps = (p.small - p.piston, p.big - crank_pin(CRANK), off_axis)
    return max(float(np.abs(g).max()) for g in gaps) / LENGTH


def deviation(p: Points) -> float:
    """Largest distance of a piston or rod pin from the closed form, of LENGTH."""
    lean, stroke = closed_form(CRANK)
    piston = stroke[..., None] * OUT
    small = crank_pin(CRANK) + ROD * direction(CRANK[:, None] + lean)
    apart = (p.piston - piston, p.small - small)
    return max(float(np.abs(a).max()) for a in apart) / LENGTH


def tree_points(Q: np.ndarray) -> Points:
    """Pins of states (crank, rod angles against the crank, strokes)."""
    big = crank_pin(Q[:, 0])
    small = big + ROD * direction(Q[:, :1] + Q[:, 1 : 1 + CYLINDERS])
    return Points(big, small, Q[:, 1 + CYLINDERS :, None] * OUT)


def first_state() -> np.ndarray:
    lean, stroke = closed_form(np.zeros(1))
    return np.concatenate([[0.0], lean[0], stroke[0]])


Evaluate = Callable[[np.ndarray], np.ndarray]


def newton_sweep(
    gap: Evaluate, jacobian: Callable[[], np.ndarray], extrapolate: bool
) -> np.ndarray:
    """States (positions, 15) by Newton's method; `jacobian` belongs to the last `gap`.

    The gap holds x, y, z of every loop; z closes by itself and is left out of the square system.
    """
    keep = np.array([r for r in range(3 * CYLINDERS) if r % 3 < 2])
    Q = np.empty((POSITIONS, 1 + 2 * CYLINDERS))
    q, limit = first_state(), TOLERANCE * LENGTH
    for k in range(POSITIONS):
        if extrapolate and k:
            n = min(k, HISTORY)
            q = WEIGHTS[n - 1] @ Q[k - n : k]
        q[0] = CRANK[k]
        for _ in range(MOST_STEPS):
            open_by = gap(q)
            if max(open_by.max(), -open_by.min()) <= limit:
                break
            q[1:] -= dgesv(jacobian()[keep, 1:], open_by[keep])[2]
        else:
            raise RuntimeError(f"no convergence at position {k}")
        Q[k] = q
    return Q


def _name(program: str, extrapolate: bool) -> str:
    return f"{program}, Newton loop in Python{', extrapolated' if extrapolate else ''}"


# -- the programs -----------------------------------------------------------------------------


def scipy_least_squares() -> Contestant:
    """14 unknowns, analytic Jacobian, started from the last position."""
    from scipy.optimize import least_squares

    J = np.zeros((2 * CYLINDERS, 2 * CYLINDERS))
    at = np.arange(CYLINDERS)
    J[at, CYLINDERS + at], J[CYLINDERS + at, CYLINDERS + at] = -OUT[:, 0], -OUT[:, 1]

    def gap(x: np.ndarray, crank: float) -> np.ndarray:
        angle, stroke = crank + x[:CYLINDERS], x[CYLINDERS:]
        gx = RADIUS * math.cos(crank) + ROD * np.cos(angle) - stroke * OUT[:, 0]
        gy = RADIUS * math.sin(crank) + ROD * np.sin(angle) - stroke * OUT[:, 1]
        return np.concatenate([gx, gy])

    def slope(x: np.ndarray, crank: float) -> np.ndarray:
        angle = crank + x[:CYLINDERS]
        J[at, at], J[CYLINDERS + at, at] = -ROD * np.sin(angle), ROD * np.cos(angle)
        return J.copy()

    def run() -> np.ndarray:
        Q = np.empty((POSITIONS, 1 + 2 * CYLINDERS))
        x = first_state()[1:]
        for k, crank in enumerate(CRANK):
            found = least_squares(
                gap, x, slope, args=(crank,), method="trf", xtol=None, ftol=None, gtol=1e-13
            )
            x = found.x
            Q[k, 0], Q[k, 1:] = crank, x
        return Q

    return Contestant("scipy least_squares, trf, analytic Jacobian", run, tree_points)


def mujoco_loop(extrapolate: bool) -> Contestant:
    """Rods on the crank, pistons on slides, `connect` closes; its rows and Jacobian are used."""
    import mujoco

    mass = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    rods, pistons, loops = [], [], []
    for k in range(CYLINDERS):
        rods.append(
            f'<body name="rod{k}" pos="{RADIUS} 0 0">{mass}'
            '<joint type="hinge" axis="0 0 1"/></body>'
        )
        pistons.append(
            f'<body name="piston{k}">{mass}<joint type="slide" '
            f'axis="{OUT[k, 0]:.17g} {OUT[k, 1]:.17g} 0"/></body>'
        )
        loops.append(f'<connect body1="rod{k}" body2="piston{k}" anchor="{ROD} 0 0"/>')
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option jacobian="dense"/><worldbody><body>{mass}'
        f'<joint type="hinge" axis="0 0 1"/>{"".join(rods)}</body>{"".join(pistons)}'
        f"</worldbody><equality>{''.join(loops)}</equality></mujoco>"
    )
    model.eq_data[:, 3:6] = 0.0  # the piston's own origin, not where it stood when compiled
    data = mujoco.MjData(model)
    shape = (3 * CYLINDERS, 1 + 2 * CYLINDERS)
    kinematics, axes = mujoco.mj_kinematics, mujoco.mj_comPos
    rows = mujoco.mj_makeConstraint

    def gap(q: np.ndarray) -> np.ndarray:
        data.qpos[:] = q
        kinematics(model, data)
        axes(model, data)
        rows(model, data)
        return data.efc_pos

    def jacobian() -> np.ndarray:
        return data.efc_J.reshape(shape)

    return Contestant(
        _name("MuJoCo", extrapolate), lambda: newton_sweep(gap, jacobian, extrapolate), tree_points
    )


def pinocchio_loop(extrapolate: bool) -> Contestant:
    """The same tree; gaps from frame placements, rows from frame Jacobians."""
    import pinocchio as pin

    model = pin.Model()
    at = lambda x: pin.SE3(np.eye(3), np.array([x, 0.0, 0.0]))  # noqa: E731
    crank = model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "crank")
    rods = [
        model.addJoint(crank, pin.JointModelRZ(), at(RADIUS), f"rod{k}") for k in range(CYLINDERS)
    ]
    bores = [pin.SE3(pin.utils.rotate("z", float(a)), np.zeros(3)) for a in CYLINDER]
    pistons = [
        model.addJoint(0, pin.JointModelPX(), bores[k], f"piston{k}") for k in range(CYLINDERS)
    ]
    kind = pin.FrameType.OP_FRAME
    small = [
        model.addFrame(pin.Frame(f"small{k}", j, 0, at(ROD), kind)) for k, j in enumerate(rods)
    ]
    piston = [
        model.addFrame(pin.Frame(f"pin{k}", j, 0, pin.SE3.Identity(), kind))
        for k, j in enumerate(pistons)
    ]
    data = model.createData()
    ends = [data.oMf[i].translation for i in small]  # views: they follow the data
    pins = [data.oMf[i].translation for i in piston]
    world = pin.LOCAL_WORLD_ALIGNED

    def gap(q: np.ndarray) -> np.ndarray:
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        return np.concatenate(ends) - np.concatenate(pins)

    def jacobian() -> np.ndarray:
        a = [pin.getFrameJacobian(model, data, i, world)[:3] for i in small]
        b = [pin.getFrameJacobian(model, data, i, world)[:3] for i in piston]
        return np.concatenate(a) - np.concatenate(b)

    return Contestant(
        _name("Pinocchio", extrapolate),
        lambda: newton_sweep(gap, jacobian, extrapolate),
        tree_points,
    )


def exudyn_static() -> Contestant:
    """15 rigid bodies in the plane, joints as constraints, 499 load steps of the static solver."""
    import exudyn
    from exudyn import itemInterface as items

    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    lean, stroke = closed_form(np.zeros(1))
    nodes: list[int] = []

    def body(x: float, y: float, angle: float) -> int:
        nodes.append(mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[x, y, angle])))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # older versions know these only
            return mbs.AddObject(
                items.ObjectRigidBody2D(physicsMass=1.0, physicsInertia=1.0, nodeNumber=nodes[-1])
            )

    def marker(b: int, x: float) -> int:
        return mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=b, localPosition=[x, 0.0, 0.0]))

    def hinge(a: int, b: int) -> None:
        mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[a, b]))

    main = marker(ground, 0.0)
    crank = body(0.0, 0.0, 0.0)
    hinge(main, marker(crank, 0.0))
    for k, angle in enumerate(CYLINDER):
        rod = body(RADIUS, 0.0, lean[0, k])
        piston = body(*(stroke[0, k] * OUT[k]), angle)
        hinge(marker(crank, RADIUS), marker(rod, 0.0))
        hinge(marker(rod, ROD), marker(piston, 0.0))
        mbs.AddObject(
            items.ObjectJointPrismatic2D(
                markerNumbers=[main, marker(piston, 0.0)],
                axisMarker0=[*OUT[k], 0.0],
                normalMarker1=[0.0, 1.0, 0.0],
                constrainRotation=True,
            )
        )
    fixed = mbs.AddNode(items.NodePointGround())
    turn = [
        mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=fixed, coordinate=0)),
        mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=2)),
    ]
    mbs.AddObject(
        items.ObjectConnectorCoordinate(
            markerNumbers=turn, offsetUserFunction=lambda _mbs, t, _item, _offset: 2 * math.pi * t
        )
    )
    mbs.Assemble()
    settings = exudyn.SimulationSettings()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        settings.solutionSettings.writeSolutionToFile = False
    static = settings.staticSolver
    static.numberOfLoadSteps = POSITIONS - 1
    static.verboseMode = 0
    static.newton.relativeTolerance = static.newton.absoluteTolerance = 1e-11
    start = mbs.systemData.GetODE2Coordinates()
    offset = mbs.systemData.GetODE2Coordinates(exudyn.ConfigurationType.Reference)
    states: list[np.ndarray] = []

    def keep(system: Any, _t: float) -> bool:
        states.append(system.systemData.GetODE2Coordinates())
        return True

    mbs.SetPostStepUserFunction(keep)

    def run() -> np.ndarray:
        mbs.SolveStatic(settings)
        return np.array(states[-POSITIONS:]) + offset

    def reset() -> None:
        states.clear()
        mbs.systemData.SetODE2Coordinates(start)

    def points(Q: np.ndarray) -> Points:
        P = Q[:, 3:].reshape(POSITIONS, CYLINDERS, 2, 3)  # rod, piston: x, y, angle
        big = P[:, :, 0, :2]
        return Points(big, big + ROD * direction(P[:, :, 0, 2]), P[:, :, 1, :2])

    return Contestant("Exudyn, static solver, planar bodies", run, points, reset)


def cadquery_assembly() -> Contestant:
    """15 parts with point, axis and line constraints; solved anew from the last position."""
    import cadquery as cq

    scale = 1e3  # mm, as its users work

    def vertex(x: float) -> Any:
        return cq.Vertex.makeVertex(x * scale, 0.0, 0.0)

    def block() -> Any:
        return cq.Workplane().box(10.0, 10.0, 10.0)

    up = cq.Face.makePlane(1.0, 1.0)
    lean, stroke = closed_form(np.zeros(1))
    assembly = cq.Assembly(block(), name="housing")
    assembly.add(block(), name="crank")
    assembly.constrain("housing", "Fixed")
    assembly.constrain("crank", "Fixed")  # its place is set from outside
    for k in range(CYLINDERS):
        place = cq.Location(
            cq.Vector(RADIUS * scale, 0, 0), cq.Vector(0, 0, 1), math.degrees(lean[0, k])
        )
        assembly.add(block(), name=f"rod{k}", loc=place)
        x, y = stroke[0, k] * OUT[k] * scale
        assembly.add(
            block(),
            name=f"piston{k}",
            loc=cq.Location(cq.Vector(x, y, 0), cq.Vector(0, 0, 1), math.degrees(CYLINDER[k])),
        )
        line = cq.Edge.makeLine(cq.Vector(0, 0, 0), cq.Vector(*OUT[k], 0))
        pair = assembly.constrain
        pair("crank", vertex(RADIUS), f"rod{k}", vertex(0.0), "Point")
        pair("crank", up, f"rod{k}", up, "Axis", 0)
        pair(f"rod{k}", vertex(ROD), f"piston{k}", vertex(0.0), "Point")
        pair(f"piston{k}", vertex(0.0), "housing", line, "PointOnLine")
        pair(f"piston{k}", "FixedRotation", (0.0, 0.0, math.degrees(CYLINDER[k])))

    def place(name: str, x: float) -> np.ndarray:
        moved = assembly.objects[name].loc.toTuple()
        angle = math.radians(moved[1][2])
        return np.array(moved[0][:2]) / scale + x * np.array([math.cos(angle), math.sin(angle)])

    def run() -> np.ndarray:
        out = np.empty((POSITIONS, CYLINDERS, 3, 2))
        for k, crank in enumerate(CRANK):
            turned = cq.Location(cq.Vector(), cq.Vector(0, 0, 1), math.degrees(crank))
            assembly.objects["crank"].loc = turned
            assembly.solve()
            for c in range(CYLINDERS):
                rod = f"rod{c}"
                out[k, c] = place(rod, 0.0), place(rod, ROD), place(f"piston{c}", 0.0)
        return out

    return Contestant(
        "CadQuery, assembly solver",
        run,
        lambda P: Points(P[:, :, 0], P[:, :, 1], P[:, :, 2]),
        once=True,
    )


def makers(slow: bool) -> dict[str, Callable[[], Contestant]]:
    """By package: how to make each contestant; `slow` adds the one that takes minutes."""
    out: dict[str, Callable[[], Contestant]] = {
        "scipy": scipy_least_squares,
        "mujoco": lambda: mujoco_loop(False),
        "mujoco, extrapolated": lambda: mujoco_loop(True),
        "pin": lambda: pinocchio_loop(False),
        "pin, extrapolated": lambda: pinocchio_loop(True),
        "exudyn": exudyn_static,
    }
    if slow:
        out["cadquery"] = cadquery_assembly
    return out


def made(slow: bool, say: Callable[[str], None]) -> list[Contestant]:
    """The contestants whose packages are here; the others are told and skipped."""
    found = []
    for package, make in makers(slow).items():
        try:
            found.append(make())
        except ImportError as error:
            say(f"skipped {package}: not installed here ({error})")
    return found
