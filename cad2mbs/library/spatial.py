"""Single-loop linkages that leave the plane."""

from __future__ import annotations

import math

import numpy as np

from cad2mbs.library.build import ORIGIN, Builder, X, Y, Z, axes, in_plane, placed, polar, unit
from cad2mbs.model.assembly import Assembly, Freedom
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import Reference, frame, point

BENNETT_A = (220.0, 90.0)  # length [mm] and twist [deg] of links 1 and 3
BENNETT_B = (110.0, 150.0)  # of links 2 and 4


def spatial_four_bar(crank: float = 30.0) -> Assembly:
    """Three revolutes, one prismatic, one spherical in one loop: 7 - 6 = 1 freedom, no surplus.

    The crank (40 mm, about z) pulls a rod of 150 mm by a ball; the rod's other end sits in a
    slider on a rail along x through (0, 30, 60), held by a fork with two crossed hinges.
    Slider: x = 40 cos(phi) + sqrt(150^2 - (40 sin(phi) - 30)^2 - 60^2). `crank` [deg].
    """
    radius, length = 40.0, 150.0
    rail = np.array([0.0, 30.0, 60.0])
    phi = math.radians(crank)
    ball = np.array([*polar((0.0, 0.0), radius, phi), 0.0])
    dx = math.sqrt(length**2 - np.sum((ball - rail)[1:] ** 2))
    centre = np.array([ball[0] + dx, rail[1], rail[2]])
    along = unit(centre - ball)
    cross = unit(np.cross(Z, along))  # the fork's hinge on the rod, normal to its one on z

    build = Builder("Spatial four-bar")
    build.ground("ground", bearing=frame(), rail=frame(rail, X, Z))
    build.part("crank", in_plane((0.0, 0.0), phi), bearing=frame(), ball=point((radius, 0.0, 0.0)))
    # Rod: x along it, z the fork's hinge. Fork: x that hinge, z the slider's.
    rod_pose = placed(ball, axes(along, cross))
    build.part("rod", rod_pose, ball=point(ORIGIN), hinge=frame((length, 0.0, 0.0)))
    fork_pose = placed(centre, axes(cross, np.array(Z)))
    build.part("fork", fork_pose, rod=frame(ORIGIN, X, Y), slider=frame())
    build.part("slider", Pose(_vec(centre)), fork=frame(), shoe=frame(ORIGIN, X, Z))

    build.revolute("bearing", "ground/bearing", "crank/bearing")
    build.mate("ball", "coincident", "crank/ball", "rod/ball")
    build.revolute("rod_hinge", "rod/hinge", "fork/rod")
    build.revolute("fork_hinge", "fork/slider", "slider/fork")
    build.prismatic("rail", "slider/shoe", "ground/rail")
    build.drive_joint("crank", "ground/bearing", "crank/bearing", Freedom.TURN, crank)
    return build.build()


def universal_shaft(angle: float = 30.0, start: float = 20.0) -> Assembly:
    """Two shafts that meet at `angle` [deg] with a cross between them: a universal joint.

    The input runs along x, the output along (cos angle, sin angle, 0); the cross sits at the
    origin. At input 0 the input's fork is normal to the plane of the shafts and the output is
    at 0 too: tan(output) = cos(angle) tan(input). `start`: input angle [deg].
    """
    beta, phi = math.radians(angle), math.radians(start)
    psi = math.atan2(math.sin(phi) * math.cos(beta), math.cos(phi))
    reach = 100.0
    ez = np.array(Z)
    out_axis = np.array([math.cos(beta), math.sin(beta), 0.0])
    out_side = np.cross(ez, out_axis)
    # Shaft parts: z along the shaft, x along the pins of its fork, origin at the cross.
    R_in = axes(ez * math.cos(phi) - np.array(Y) * math.sin(phi), np.array(X))
    R_out = axes(out_side * math.cos(psi) + ez * math.sin(psi), out_axis)
    # Cross: x along the input's pins, z along the output's.
    R_cross = axes(R_in[:, 0], R_out[:, 0])

    build = Builder("Universal shaft")
    build.ground(
        "ground",
        input=frame((-reach, 0.0, 0.0), X, Z),
        output=frame(reach * out_axis, out_axis, out_side),
    )
    build.part(
        "input",
        placed(ORIGIN, R_in),
        bearing=frame((0, 0, -reach)),
        fork=frame(ORIGIN, X, Z),
    )
    build.part("cross", placed(ORIGIN, R_cross), a=frame(ORIGIN, X, Z), b=frame())
    build.part(
        "output",
        placed(ORIGIN, R_out),
        bearing=frame((0, 0, reach)),
        fork=frame(ORIGIN, X, Z),
    )
    build.revolute("input_bearing", "ground/input", "input/bearing")
    build.revolute("input_fork", "input/fork", "cross/a")
    build.revolute("output_fork", "cross/b", "output/fork")
    build.revolute("output_bearing", "ground/output", "output/bearing")
    build.drive_joint("input", "ground/input", "input/bearing", Freedom.TURN, start)
    return build.build()


def bennett(theta: float = 60.0) -> Assembly:
    """Bennett's over-constrained loop of four hinges: Grübler says -2, it moves with 1 freedom.

    Links 220 mm / 90 deg and 110 mm / 150 deg in turn, as Denavit-Hartenberg rows a, b, a, b;
    `link_4` is the ground. theta_3 = -theta_1, theta_4 = -theta_2 and
    tan(theta_1 / 2) tan(theta_2 / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2).
    `theta`: start value of theta_1 [deg], not a multiple of 180.
    """
    alpha, beta = math.radians(BENNETT_A[1]), math.radians(BENNETT_B[1])
    theta_1 = math.radians(theta)
    k = math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2)
    theta_2 = 2 * math.atan(k / math.tan(theta_1 / 2))
    build = Builder("Bennett linkage")
    build.ground("link_4", **_bennett_link(*BENNETT_B))
    X_W = _shift_tilt(*BENNETT_B)  # pose of the far hinge of the link placed last
    turns = (theta_1, theta_2, -theta_1)
    for number, (turn, size) in enumerate(
        zip(turns, (BENNETT_A, BENNETT_B, BENNETT_A), strict=True), 1
    ):
        X_W = X_W @ _turn_z(turn)
        build.part(f"link_{number}", placed(X_W[:3, 3], X_W[:3, :3]), **_bennett_link(*size))
        X_W = X_W @ _shift_tilt(*size)
    for number, previous in ((1, 4), (2, 1), (3, 2), (4, 3)):
        build.revolute(f"hinge_{number}", f"link_{previous}/far", f"link_{number}/near")
    build.drive_joint("theta_1", "link_4/far", "link_1/near", Freedom.TURN, theta)
    return build.build()


def _bennett_link(length: float, twist: float) -> dict[str, Reference]:
    X_BF = _shift_tilt(length, twist)
    return {"near": frame(), "far": frame(X_BF[:3, 3], X_BF[:3, 2], X_BF[:3, 0])}


def _turn_z(angle: float) -> np.ndarray:
    """Turn about z by `angle` [rad], (4, 4)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def _shift_tilt(length: float, twist: float) -> np.ndarray:
    """Shift along x by `length`, then turn about x by `twist` [deg], (4, 4)."""
    c, s = math.cos(math.radians(twist)), math.sin(math.radians(twist))
    return np.array([[1, 0, 0, length], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])


def sarrus(lift: float = 50.0) -> Assembly:
    """Sarrus' straight-line linkage: two folding limbs at a right angle lift a platform.

    `lift`: start angle of the lower leaf of limb 1 above the base [deg]. Leaves of 80 mm; the
    platform moves along z alone, to 160 sin(lift). Grübler says 0, it moves with 1 freedom.
    """
    leaf, edge = 80.0, 50.0
    theta = math.radians(lift)
    height = 2 * leaf * math.sin(theta)
    # Limb 1 folds out along x with hinges along -y, limb 2 along y with hinges along x: in both
    # a positive turn about the hinge raises the leaf.
    limbs = {1: (np.array(X), -np.array(Y)), 2: (np.array(Y), np.array(X))}
    hinges = {f"hinge_{k}": frame(edge * out, pin, out) for k, (out, pin) in limbs.items()}
    build = Builder("Sarrus linkage")
    build.ground("base", **hinges)
    build.part("platform", Pose((0.0, 0.0, height)), **hinges)
    for k, (out, pin) in limbs.items():
        rise = leaf * (math.cos(theta) * out + math.sin(theta) * np.array(Z))
        fold = leaf * (-math.cos(theta) * out + math.sin(theta) * np.array(Z))
        knee = edge * out + rise
        ends = {"a": frame(), "b": frame((leaf, 0.0, 0.0))}
        build.part(f"lower_{k}", placed(edge * out, axes(unit(rise), pin)), **ends)
        build.part(f"upper_{k}", placed(knee, axes(unit(fold), pin)), **ends)
        build.revolute(f"base_hinge_{k}", f"base/hinge_{k}", f"lower_{k}/a")
        build.revolute(f"knee_{k}", f"lower_{k}/b", f"upper_{k}/a")
        build.revolute(f"platform_hinge_{k}", f"upper_{k}/b", f"platform/hinge_{k}")
    build.drive_joint("lift", "base/hinge_1", "lower_1/a", Freedom.TURN, lift)
    return build.build()


def _vec(v: np.ndarray) -> tuple[float, float, float]:
    return (float(v[0]), float(v[1]), float(v[2]))
