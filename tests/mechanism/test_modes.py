"""Assembly modes: all ways to put the same parts together, each one once."""

from __future__ import annotations

import numpy as np
import pytest

from cad2mbs import library
from cad2mbs.errors import MechanismError
from cad2mbs.io import mates_file
from cad2mbs.library.build import Builder, in_plane, meet, polar
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH
from cad2mbs.model.assembly import Assembly, Freedom
from cad2mbs.model.pose import IDENTITY
from cad2mbs.model.references import frame
from tests.mechanism.support import (
    ROD_BETWEEN_BALLS,
    about_z,
    assert_pose,
    dietmaier_modes,
    open_rows,
)
from tests.reference import four_bar

BARS = four_bar.FourBar(1.0, 0.5, 1.2, 0.8)
POSTURE = 1e-7  # modes are accepted at a residual of 1e-10, conditions up to 1e3 on top


def signed(pose) -> np.ndarray:
    """Position and quaternion with w >= 0, to compare sets of poses."""
    q = np.array(pose.quaternion)
    return np.array([*pose.position, *(q if q[0] >= 0 else -q)])


def matched(found, wanted, tol: float) -> None:
    """Raise unless the two lists of poses are the same set."""
    A, B = np.array([signed(p) for p in found]), np.array([signed(p) for p in wanted])
    assert len(A) == len(B)
    apart = np.abs(A[:, None] - B[None]).max(axis=2)
    assert apart.min(axis=1).max() < tol
    assert len(set(apart.argmin(axis=1))) == len(B)


@pytest.mark.parametrize("crank", [0.0, 60.0, 180.0, 250.0])
def test_four_bar_has_its_two_modes(crank):
    m = library.four_bar().mechanism()
    assert m.drive(crank=crank).ok
    modes = m.modes()
    assert len(modes) == 2
    assert modes[0].keys() == m.poses.keys()
    for branch, mode in zip((1, -1), modes, strict=True):  # the present mode comes first
        psi = four_bar.position(BARS, np.radians(crank), branch).psi
        assert_pose(mode["rocker"], (1.0, 0.0, 0.0), about_z(psi), 1.0)


@pytest.mark.parametrize(
    "make", [library.single_cylinder_engine, lambda crank: library.radial_engine(1, crank)]
)
@pytest.mark.parametrize("crank", [0.0, 30.0, 90.0])
def test_slider_crank_has_its_two_modes(make, crank):
    modes = make(crank).mechanism().modes()
    phi = np.radians(crank)
    root = np.sqrt(ROD_LENGTH**2 - (CRANK_RADIUS * np.sin(phi)) ** 2)
    wanted = [CRANK_RADIUS * np.cos(phi) + root, CRANK_RADIUS * np.cos(phi) - root]
    piston = "piston" if "piston" in modes[0] else "piston_1"
    assert [m[piston].position[0] for m in modes] == pytest.approx(wanted, rel=1e-10)


def test_a_mode_behind_a_one_sided_mate_is_none():
    assert len(library.slider_crank_stop().mechanism().modes()) == 1


@pytest.mark.parametrize("seed", [0, 1])
def test_dietmaier_platform_has_the_forty_postures_of_the_list(seed):
    matched(dietmaier_modes(seed), library.dietmaier_postures(), POSTURE)


def test_driven_dietmaier_platform_has_the_same_forty_postures():
    modes = library.dietmaier(3, driven=True).mechanism().modes()
    matched([m["platform"] for m in modes], library.dietmaier_postures(), POSTURE)


@pytest.mark.parametrize("seed", [1, 7, 2024])
@pytest.mark.parametrize("make", [library.four_bar, library.universal_shaft, library.jansen_leg])
def test_seeds_find_the_same_modes(make, seed):
    assembly = make()
    first, other = (assembly.mechanism().modes(seed=s) for s in (0, seed))
    for part in assembly.parts:
        matched_by_part = [
            sorted(tuple(signed(m[part]).round(7) + 0.0) for m in s) for s in (first, other)
        ]
        np.testing.assert_allclose(*map(np.array, matched_by_part), atol=1e-6)


@pytest.mark.parametrize("make", [library.four_bar, library.jansen_leg, library.universal_shaft])
def test_every_mate_holds_in_every_mode(make):
    assembly = make()
    for mode in assembly.mechanism().modes():
        assert open_rows(assembly, mode) < 1e-9


def test_what_does_not_assemble_has_no_modes():
    with pytest.raises(MechanismError, match="does not assemble"):
        library.conflict().mechanism().modes()


# -- what is no mode of its own -----------------------------------------------------------


def test_seven_cylinders_fold_independently():
    assert len(library.radial_engine(7).mechanism().modes()) == 2**7


@pytest.mark.parametrize("seed", [0, 5])
def test_a_rod_that_may_spin_between_balls_has_two_modes(seed):
    m = mates_file.read_bytes(ROD_BETWEEN_BALLS.encode()).mechanism()
    tips = [mode["rocker"].rotation()[:, 0] for mode in m.modes(seed=seed)]
    assert len(tips) == 2
    assert np.linalg.norm(tips[0] - tips[1]) > 0.1


@pytest.mark.parametrize("formulation", ["mixed", "implicit"])
def test_a_free_body_has_one_mode_where_it_was_put(formulation):
    build = Builder("Free")
    build.ground("base")
    build.part("body", IDENTITY)
    m = build.build().mechanism(formulation)
    slide = next(n for n in m.drives if "slide" in n)
    assert m.drive({slide: 7.0}).ok
    (mode,) = m.modes()
    assert np.linalg.norm(mode["body"].position) == pytest.approx(7.0, abs=1e-9)


def on_a_carriage() -> Assembly:
    """A four-bar on a carriage that slides along z; the carriage is nobody's drive."""
    build = Builder("Four-bar on a carriage")
    phi = np.radians(60.0)
    pin = polar((0.0, 0.0), 10.0, phi)
    top = meet(pin, 32.0, (30.0, 0.0), 25.0)
    build.ground("base", rail=frame())
    build.part("carriage", IDENTITY, a=frame(), d=frame((30.0, 0.0, 0.0)))
    build.part("crank", in_plane((0.0, 0.0), phi), a=frame(), b=frame((10.0, 0.0, 0.0)))
    build.bar("coupler", pin, top)
    build.bar("rocker", (30.0, 0.0), top)
    build.prismatic("rail", "carriage/a", "base/rail")
    build.revolute("pivot", "carriage/a", "crank/a")
    build.revolute("pin", "crank/b", "coupler/a")
    build.revolute("top", "coupler/b", "rocker/b")
    build.revolute("end", "carriage/d", "rocker/a")
    build.drive_joint("q", "carriage/a", "crank/a", Freedom.TURN, 60.0)
    return build.build()


@pytest.mark.parametrize("formulation", ["mixed", "implicit"])
def test_modes_keep_an_undeclared_freedom_where_it_was_driven(formulation):
    m = on_a_carriage().mechanism(formulation)
    (held,) = m.held_freedoms
    assert m.drive({held: 50.0}).ok
    height = m.poses["carriage"].position[2]
    assert abs(height) == pytest.approx(50.0, abs=1e-9)
    modes = m.modes()
    assert len(modes) == 2
    for mode in modes:
        for part in ("carriage", "crank", "coupler", "rocker"):
            assert mode[part].position[2] == pytest.approx(height, abs=1e-7)
    assert_pose(modes[0]["rocker"], m.poses["rocker"].position, m.poses["rocker"].rotation(), 50.0)
    assert np.abs(modes[1]["rocker"].rotation() - modes[0]["rocker"].rotation()).max() > 0.1
