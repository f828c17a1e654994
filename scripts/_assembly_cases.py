"""What must come out of every shipped mechanism: joints by hand, positions by closed forms.

The mechanisms come from `cad2mbs.library`, the expected positions from the closed forms in
`tests/reference`, the joints are listed here: no solver is involved. `make_assemblies.py` writes
the folders.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from cad2mbs import library
from cad2mbs.library.planar import (
    CHAIN_COUPLER,
    CHAIN_EVEN,
    CHAIN_GROUND,
    CHAIN_ODD,
    JANSEN,
)
from cad2mbs.library.platforms import stewart_joints
from cad2mbs.library.spatial import BENNETT_A, BENNETT_B
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose
from tests.reference import bennett, four_bar, linkages, slider_crank, stewart, universal

R, L = 40.0, 120.0  # crank radius and rod length of all slider-cranks [mm]
Joint = tuple[str, str, str]


@dataclass(frozen=True)
class Check:
    """Where a part must be at given drive values: mm, quaternion w x y z up to its sign."""

    drive: dict[str, float]
    part: str
    position: Sequence[float]
    quaternion: Sequence[float] | None = None


@dataclass(frozen=True)
class Stop:
    """A drive moved from `start` towards `towards` gets as far as `value`."""

    drive: str
    start: float
    towards: float
    value: float
    reason: str


@dataclass(frozen=True)
class Case:
    """One folder: the assembly, where it comes from, and what must come out."""

    assembly: Assembly
    origin: str
    freedoms: int | None  # None: it cannot be assembled
    joints: Sequence[Joint]
    checks: Sequence[Check] = ()
    source: str = ""  # of the checked numbers
    stops: Sequence[Stop] = ()
    bodies: int | None = None  # None: every part is a body of its own
    facts: dict[str, object] = field(default_factory=dict)
    implicit: bool = False  # whether the implicit counts are part of the contract
    explicit: tuple[int, int, int] | None = None  # equations, inequalities, unknowns
    blocks: Sequence[int] | None = None


def cases() -> dict[str, Callable[[], Case]]:
    return {
        "two_boxes": two_boxes,
        "single_cylinder_engine": single_cylinder_engine,
        "radial_engine": lambda: radial_engine(7),
        "radial_engine_1": lambda: radial_engine(1),
        "radial_engine_2": lambda: radial_engine(2),
        "radial_engine_3": lambda: radial_engine(3),
        "four_bar": four_bar_case,
        "double_rocker": double_rocker,
        "slider_crank_stop": slider_crank_stop,
        "spatial_four_bar": spatial_four_bar,
        "universal_shaft": universal_shaft,
        "bennett": bennett_case,
        "sarrus": sarrus,
        "stewart": stewart_case,
        "dietmaier": dietmaier,
        "scissor_lift": scissor_lift,
        "jansen_leg": jansen_leg,
        "four_bar_chain": four_bar_chain,
        "gear_pair": gear_pair,
        "rack_and_pinion": rack_and_pinion,
        "lead_screw": lead_screw,
        "conflict": conflict,
        "over_redundant": over_redundant,
    }


def two_boxes() -> Case:
    return Case(
        library.two_boxes(),
        "A lid on a box by three coincident corners, the plainest rigid pair; own dimensions.",
        freedoms=0,
        joints=[],
        bodies=1,
        checks=[Check({}, "lid", (0, 0, 20))],
        source="the corners' coordinates",
        facts={"redundant_mates": 0},
    )


def single_cylinder_engine() -> Case:
    return Case(
        library.single_cylinder_engine(),
        "Single-cylinder engine, mated redundantly as CAD users do; own dimensions.",
        freedoms=1,
        joints=slider_crank_joints("housing", "crank", "rod", "piston"),
        checks=[c for phi in (30, 200) for c in slider_crank_checks(phi)],
        source="slider-crank, law of cosines (tests/reference/slider_crank.py)",
        implicit=True,
    )


def radial_engine(n: int) -> Case:
    joints: list[Joint] = [("housing", "crank", "revolute")]
    checks = []
    for k in range(1, n + 1):
        joints += slider_crank_joints("housing", "crank", f"rod_{k}", f"piston_{k}")[1:]
        a = 2 * math.pi * (k - 1) / n
        s = slider_crank.position(math.radians(30) - a, R, L)
        place = (s * math.cos(a), s * math.sin(a), 12.0 * (k - 1))
        checks.append(Check({"crank": 30}, f"piston_{k}", place, about_z(a)))
    return Case(
        library.radial_engine(n),
        f"Radial engine, {n} cylinder{'s' if n > 1 else ''} on one crank pin; own dimensions.",
        freedoms=1,
        joints=joints,
        checks=checks,
        source="slider-crank, law of cosines (tests/reference/slider_crank.py)",
        implicit=True,
        explicit=(2 * n, 0, 2 * n),
        blocks=[2] * n,
    )


def four_bar_case() -> Case:
    bars = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
    return Case(
        library.four_bar(),
        "Planar crank-rocker in space, bars 1.0 / 0.5 / 1.2 / 0.8 m; own dimensions.",
        freedoms=1,
        joints=FOUR_BAR_JOINTS,
        checks=[c for phi in (0, 150, 300) for c in four_bar_checks(bars, phi)],
        source="four-bar loop in the complex plane (tests/reference/four_bar.py)",
    )


def double_rocker() -> Case:
    bars = four_bar.FourBar(1.0, 0.8, 0.4, 0.9)
    low, high = four_bar.dead_points(bars)
    assert low is not None
    assert high is not None
    return Case(
        library.double_rocker(),
        "Planar double rocker 1.0 / 0.8 / 0.4 / 0.9 m with two dead points; own dimensions.",
        freedoms=1,
        joints=FOUR_BAR_JOINTS,
        checks=four_bar_checks(bars, 45),
        source="four-bar loop in the complex plane (tests/reference/four_bar.py)",
        stops=[
            Stop("crank", 60, 180, math.degrees(high), "dead point"),
            Stop("crank", 60, 0, math.degrees(low), "dead point"),
        ],
    )


def slider_crank_stop() -> Case:
    limit = math.degrees(slider_crank.crank_angle_at(100.0, R, L))
    return Case(
        library.slider_crank_stop(),
        "Slider-crank with a half-space stop for the piston; own dimensions.",
        freedoms=1,
        joints=slider_crank_joints("housing", "crank", "rod", "piston"),
        checks=slider_crank_checks(90),
        source="slider-crank, law of cosines (tests/reference/slider_crank.py)",
        stops=[
            Stop("crank", 0, 180, limit, "stop"),
            Stop("crank", 0, -180, -limit, "stop"),
        ],
    )


def spatial_four_bar() -> Case:
    checks = []
    for phi in (100, 260):
        x = linkages.spatial_slider(math.radians(phi), 40.0, 150.0, (30.0, 60.0))
        checks.append(Check({"crank": phi}, "slider", (x, 30, 60), (1, 0, 0, 0)))
    return Case(
        library.spatial_four_bar(),
        "Spatial loop of three revolutes, one prismatic and one spherical joint; own dimensions.",
        freedoms=1,
        joints=[
            ("ground", "crank", "revolute"),
            ("crank", "rod", "spherical"),
            ("rod", "fork", "revolute"),
            ("fork", "slider", "revolute"),
            ("slider", "ground", "prismatic"),
        ],
        checks=checks,
        source="Pythagoras along the rod (tests/reference/linkages.py)",
        facts={"redundant_mates": 0},
    )


def universal_shaft() -> Case:
    beta = math.radians(30)
    side = np.array([-math.sin(beta), math.cos(beta), 0.0])
    along = np.array([math.cos(beta), math.sin(beta), 0.0])
    checks = []
    for phi in (75, 200):
        psi = universal.position(math.radians(phi), beta)
        turned = np.column_stack([side, [0.0, 0.0, 1.0], along]) @ turn_z(psi)
        checks.append(Check({"input": phi}, "output", (0, 0, 0), quaternion(turned)))
    return Case(
        library.universal_shaft(),
        "Two shafts at 30 degrees with a cross between them; own dimensions.",
        freedoms=1,
        joints=[
            ("ground", "input", "revolute"),
            ("input", "cross", "revolute"),
            ("cross", "output", "revolute"),
            ("output", "ground", "revolute"),
        ],
        checks=checks,
        source="Hooke's joint, tan(out) = cos(30 deg) tan(in) (tests/reference/universal.py)",
    )


def bennett_case() -> Case:
    (a, alpha), (b, beta) = BENNETT_A, BENNETT_B
    alpha, beta = math.radians(alpha), math.radians(beta)
    k = bennett.constant(alpha, beta)
    checks = []
    for degrees in (100, 150):
        theta = math.radians(degrees)
        theta_2 = bennett.position(theta, k)
        X = bennett.row(0.0, b, beta) @ bennett.row(theta, a, alpha) @ bennett.row(theta_2, b, beta)
        turned = X[:3, :3] @ turn_z(-theta)
        checks.append(Check({"theta_1": degrees}, "link_3", X[:3, 3], quaternion(turned)))
    return Case(
        library.bennett(),
        "Bennett linkage (G. T. Bennett, 1903), 220 mm / 90 deg and 110 mm / 150 deg.",
        freedoms=1,
        joints=[
            (f"link_{i}", f"link_{j}", "revolute") for i, j in ((4, 1), (1, 2), (2, 3), (3, 4))
        ],
        checks=checks,
        source="Bennett's half-angle relation (tests/reference/bennett.py)",
    )


def sarrus() -> Case:
    joints: list[Joint] = []
    for k in (1, 2):
        joints += [
            ("base", f"lower_{k}", "revolute"),
            (f"lower_{k}", f"upper_{k}", "revolute"),
            (f"upper_{k}", "platform", "revolute"),
        ]
    height = linkages.sarrus_height(80.0, math.radians(30))
    return Case(
        library.sarrus(),
        "Sarrus' straight-line linkage with two limbs at a right angle; own dimensions.",
        freedoms=1,
        joints=joints,
        checks=[Check({"lift": 30}, "platform", (0, 0, height), (1, 0, 0, 0))],
        source="two leaves of 80 mm at the same angle (tests/reference/linkages.py)",
    )


def stewart_case() -> Case:
    base, platform = stewart_joints()
    joints: list[Joint] = []
    for k in range(1, 7):
        joints += [
            ("base", f"tube_{k}", "universal"),
            (f"tube_{k}", f"rod_{k}", "prismatic"),
            (f"rod_{k}", "platform", "spherical"),
        ]
    checks = []
    for place, axis, degrees in (((20, -15, 370), (1, 2, 3), 8), ((-30, 10, 340), (2, -1, 1), -10)):
        turned = stewart.rotation(axis, math.radians(degrees))
        legs = stewart.position(base, platform, np.array(place, float), turned)
        drive = {f"leg_{k}": float(leg) for k, leg in enumerate(legs, 1)}
        checks.append(Check(drive, "platform", place, quaternion(turned)))
    return Case(
        library.stewart(),
        "Stewart-Gough platform with six telescopic legs; own dimensions.",
        freedoms=6,
        joints=joints,
        checks=checks,
        source="leg lengths from the platform's pose (tests/reference/stewart.py)",
        facts={"redundant_mates": 0},
    )


def dietmaier() -> Case:
    return Case(
        library.dietmaier(),
        "Platform on six fixed distances with 40 real postures; P. Dietmaier, 1998.",
        freedoms=0,
        joints=[],
        bodies=1,
        facts={"postures": 40, "redundant_mates": 0},
    )


def scissor_lift(stages: int = 3) -> Case:
    joints: list[Joint] = [
        ("base", "rising_1", "revolute"),
        ("base", "base_block", "prismatic"),
        ("base_block", "falling_1", "revolute"),
    ]
    joints += [(f"rising_{k}", f"falling_{k}", "revolute") for k in range(1, stages + 1)]
    for k in range(1, stages):
        joints += [
            (f"falling_{k}", f"rising_{k + 1}", "revolute"),
            (f"rising_{k}", f"falling_{k + 1}", "revolute"),
        ]
    joints += [
        (f"falling_{stages}", "platform", "revolute"),
        (f"rising_{stages}", "top_block", "revolute"),
        ("platform", "top_block", "prismatic"),
    ]
    height = linkages.scissor_height(stages, 200.0, 120.0)
    return Case(
        library.scissor_lift(stages),
        f"Scissor lift with {stages} stages; own dimensions.",
        freedoms=1,
        joints=joints,
        checks=[Check({"slide": 120}, "platform", (0, height, 0), (1, 0, 0, 0))],
        source="Pythagoras in each stage (tests/reference/linkages.py)",
    )


def jansen_leg() -> Case:
    checks = []
    for phi in (100, 250):
        pins = linkages.jansen(math.radians(phi), JANSEN)
        knee, ankle = pins["knee"], pins["ankle"]
        turn = about_z(float(np.angle(ankle - knee)))
        checks.append(Check({"crank": phi}, "lower", (knee.real, knee.imag, 0), turn))
    return Case(
        library.jansen_leg(),
        "One leg of Theo Jansen's walker with his published proportions (The Great Pretender).",
        freedoms=1,
        joints=[
            ("ground", "crank", "revolute"),
            ("ground", "upper", "revolute"),
            ("ground", "swing", "revolute"),
            ("crank", "upper_rod", "revolute"),
            ("crank", "lower_rod", "revolute"),
            ("upper_rod", "upper", "revolute"),
            ("upper", "link", "revolute"),
            ("lower_rod", "swing", "revolute"),
            ("swing", "lower", "revolute"),
            ("link", "lower", "revolute"),
        ],
        checks=checks,
        source="crossing circles (tests/reference/linkages.py)",
    )


def four_bar_chain(n: int = 3) -> Case:
    bars = four_bar.FourBar(CHAIN_GROUND, CHAIN_EVEN, CHAIN_COUPLER, CHAIN_ODD)
    joints: list[Joint] = [("ground", f"lever_{k}", "revolute") for k in range(n + 1)]
    for k in range(1, n + 1):
        joints += [
            (f"lever_{k - 1}", f"coupler_{k}", "revolute"),
            (f"coupler_{k}", f"lever_{k}", "revolute"),
        ]
    checks = []
    for degrees in (60, 140):
        phi = math.radians(degrees)
        psi = four_bar.position(bars, phi).psi
        for k in range(1, n + 1):
            turn = about_z(phi if k % 2 == 0 else psi)
            checks.append(Check({"crank": degrees}, f"lever_{k}", (100.0 * k, 0, 0), turn))
    return Case(
        library.four_bar_chain(n),
        f"Chain of {n} four-bars, each rocker being the next crank; own dimensions.",
        freedoms=1,
        joints=joints,
        checks=checks,
        source="four-bar loop in the complex plane (tests/reference/four_bar.py)",
    )


def gear_pair() -> Case:
    return Case(
        library.gear_pair(),
        "Spur gears with 20 and 40 teeth, module 2 mm; own dimensions.",
        freedoms=1,
        joints=[("frame", "pinion", "revolute"), ("frame", "wheel", "revolute")],
        checks=[Check({"pinion": 90}, "wheel", (60, 0, 0), about_z(math.radians(-45)))],
        source="turns in the ratio of the teeth, opposite ways",
        facts={"redundant_mates": 0},
    )


def rack_and_pinion() -> Case:
    return Case(
        library.rack_and_pinion(),
        "A pinion of radius 12 mm that drives a rack; own dimensions.",
        freedoms=1,
        joints=[("frame", "pinion", "revolute"), ("frame", "rack", "prismatic")],
        checks=[Check({"pinion": 90}, "rack", (6 * math.pi, -12, 0))],
        source="rolling without slip, radius times turn",
        facts={"redundant_mates": 0},
    )


def lead_screw() -> Case:
    return Case(
        library.lead_screw(),
        "A spindle of 2 mm pitch that moves a guided nut; own dimensions.",
        freedoms=1,
        joints=[
            ("frame", "spindle", "revolute"),
            ("frame", "nut", "prismatic"),
            ("spindle", "nut", "screw"),
        ],
        checks=[Check({"spindle": 720}, "nut", (0, 0, 56), (1, 0, 0, 0))],
        source="pitch times turns",
    )


def conflict() -> Case:
    return Case(
        library.conflict(),
        "Two hinged bars, 40 and 50 mm, on pivots 100 mm apart: a triangle that cannot close.",
        freedoms=None,
        joints=[
            ("base", "left_bar", "revolute"),
            ("base", "right_bar", "revolute"),
            ("left_bar", "right_bar", "revolute"),
        ],
        facts={
            "conflict": True,
            "open_mm": 10.0,
            "conflicting_mates": ["apex_point", "left_pivot_point", "right_pivot_point"],
        },
    )


def over_redundant() -> Case:
    s = slider_crank.position(math.radians(100), R, L)
    return Case(
        library.over_redundant(),
        "Slider-crank with every hinge and rail there twice; own dimensions.",
        freedoms=1,
        joints=slider_crank_joints("base", "crank", "rod", "slider"),
        checks=[Check({"crank": 100}, "slider", (s, 0, 0), (1, 0, 0, 0))],
        source="slider-crank, law of cosines (tests/reference/slider_crank.py)",
        facts={"redundant_mates_at_least": 8},  # both mates of each second hinge and rail
    )


FOUR_BAR_JOINTS: list[Joint] = [
    ("ground", "crank", "revolute"),
    ("crank", "coupler", "revolute"),
    ("coupler", "rocker", "revolute"),
    ("ground", "rocker", "revolute"),
]


def slider_crank_joints(ground: str, crank: str, rod: str, piston: str) -> list[Joint]:
    return [
        (ground, crank, "revolute"),
        (crank, rod, "revolute"),
        (rod, piston, "revolute"),
        (piston, ground, "prismatic"),
    ]


def slider_crank_checks(degrees: float) -> list[Check]:
    phi = math.radians(degrees)
    pin = (R * math.cos(phi), R * math.sin(phi), 0)
    rod = about_z(slider_crank.rod_angle(phi, R, L))
    return [
        Check({"crank": degrees}, "piston", (slider_crank.position(phi, R, L), 0, 0), (1, 0, 0, 0)),
        Check({"crank": degrees}, "rod", pin, rod),
    ]


def four_bar_checks(bars: four_bar.FourBar, degrees: float) -> list[Check]:
    phi = math.radians(degrees)
    theta, psi = four_bar.position(bars, phi)
    pin = 1000 * bars.a * np.array([math.cos(phi), math.sin(phi), 0.0])
    return [
        Check({"crank": degrees}, "coupler", pin, about_z(theta)),
        Check({"crank": degrees}, "rocker", (1000 * bars.g, 0, 0), about_z(psi)),
    ]


def about_z(angle: float) -> tuple[float, float, float, float]:
    """Quaternion of a turn about z by `angle` [rad]."""
    return (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))


def turn_z(angle: float) -> np.ndarray:
    return stewart.rotation((0, 0, 1), angle)


def quaternion(matrix: np.ndarray) -> tuple[float, float, float, float]:
    return Pose.from_matrix((0.0, 0.0, 0.0), matrix).quaternion
