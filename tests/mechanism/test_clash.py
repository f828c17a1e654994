"""Parts that run into each other, against distances known in closed form."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

import cad2mbs
from cad2mbs.clash import Clashes
from cad2mbs.clash_depth import depths, deviations
from cad2mbs.library.build import Builder, Point2, in_plane
from cad2mbs.mechanism import Mechanism
from cad2mbs.model.assembly import Freedom
from cad2mbs.model.references import frame
from cad2mbs.model.solid import Mesh, Solid
from tests.pictures.shapes import box, mesh, sphere

TOLERANCE = 0.01  # [mm] of the meshes made here
NO_EDGES = (np.empty((0, 3), np.float32), np.zeros(1, np.int32))


def prism(outline: np.ndarray, height: float, hole: np.ndarray | None = None) -> Mesh:
    """A straight prism about z, with a hole of as many corners or without; its walls are round."""
    n = len(outline)
    inner = np.zeros((n, 2)) if hole is None else hole
    low, high = -height / 2, height / 2
    rings = [np.column_stack([r, np.full(n, z)]) for r in (outline, inner) for z in (low, high)]
    vertices = np.concatenate(rings)
    i, k = np.arange(n), (np.arange(n) + 1) % n
    a, b, c, d = (i + n * ring for ring in range(4))  # outer low, outer high, inner low, inner high
    e, f, g, h = (k + n * ring for ring in range(4))
    quads = [(a, e, f, b), (b, f, h, d), (c, g, e, a)]
    if hole is not None:
        quads.append((d, h, g, c))
    triangles = np.concatenate(
        [np.column_stack(t) for q in quads for t in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]
    )
    corners = vertices[triangles]
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(flat, axis=1)
    corners, flat = corners[area > 1e-9], (flat / np.maximum(area, 1e-9)[:, None])[area > 1e-9]
    return mesh(
        corners.reshape(-1, 3),
        np.arange(3 * len(corners)).reshape(-1, 3),
        round_normals(corners, flat).reshape(-1, 3),
    )


def round_normals(corners: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """Normals (n, 3, 3) of the cylinders about z that walls stand for; those of the rest flat."""
    out = corners * [1.0, 1.0, 0.0]
    size = np.linalg.norm(out, axis=2, keepdims=True)
    out = np.divide(out, size, out=np.zeros_like(out), where=size > 0.0)
    out *= np.sign(np.einsum("tci,ti->tc", out, flat))[..., None]
    return np.where(np.abs(flat[:, None, 2:]) > 0.5, flat[:, None], out)


def circle(radius: float, n: int = 96) -> np.ndarray:
    """Corners of a polygon on a circle."""
    t = np.arange(n) * 2 * np.pi / n
    return radius * np.column_stack([np.cos(t), np.sin(t)])


def solid(shape: Mesh, tolerance: float = TOLERANCE) -> Solid:
    return Solid("shape", mesh=replace(shape, tolerance=tolerance))


def carriages(
    first: Mesh,
    second: Mesh,
    at: Point2 = (0.0, 0.0),
    start: float = 100.0,
    tolerance: float = TOLERANCE,
) -> Mechanism:
    """Two parts that slide along x on one base; `x` is the second one's place, at height at[1]."""
    build = Builder("carriages")
    along = frame((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    rail = frame((0.0, at[1], 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    build.ground("base", one=along, two=rail)
    build.part("first", in_plane((0.0, 0.0), 0.0), rail=along)
    build.part("second", in_plane((start, at[1]), 0.0), rail=along)
    build.prismatic("slide_1", "first/rail", "base/one")
    build.prismatic("slide_2", "second/rail", "base/two")
    build.drive_joint("first_x", "base/one", "first/rail", Freedom.SLIDE, 0.0)
    build.drive_joint("x", "base/two", "second/rail", Freedom.SLIDE, start)
    assembly = build.build()
    shapes = {"first": solid(first, tolerance), "second": solid(second, tolerance)}
    parts = {n: replace(p, solid=shapes.get(n)) for n, p in assembly.parts.items()}
    return replace(assembly, parts=parts).mechanism()


def clashes_at(m: Mechanism, found: Clashes, x: float) -> bool:
    assert m.drive(x=x).ok
    return found.at(m) == [("first", "second")]


def first_clash(m: Mechanism, far: float, near: float) -> float:
    """The value of x between far and near where the clash begins, by halving."""
    found = Clashes(m)
    assert not clashes_at(m, found, far)
    assert clashes_at(m, found, near)
    for _ in range(30):
        middle = 0.5 * (far + near)
        far, near = (far, middle) if clashes_at(m, found, middle) else (middle, near)
    return near


def test_boxes_clash_when_they_overlap_and_not_when_they_touch():
    m = carriages(box((20.0, 20.0, 20.0)), box((20.0, 20.0, 20.0)))
    found = Clashes(m)
    for x, wanted in ((30.0, False), (20.0, False), (19.9, True), (5.0, True), (-19.0, True)):
        assert clashes_at(m, found, x) is wanted, x
    assert first_clash(m, 30.0, 15.0) == pytest.approx(20.0, abs=2.1 * TOLERANCE)


def test_bars_that_cross_clash_though_no_corner_is_inside_the_other():
    m = carriages(box((100.0, 4.0, 4.0)), box((4.0, 100.0, 4.0)))
    found = Clashes(m)
    assert clashes_at(m, found, 10.0)
    assert not clashes_at(m, found, 60.0)


@pytest.mark.parametrize("height", [0.0, 7.0, 18.0])
def test_spheres_clash_where_their_middles_are_two_radii_apart(height):
    sagitta = 10.0 * (1.0 - np.cos(np.pi / 192))  # the meshes lie up to this inside their spheres
    m = carriages(sphere(10.0), sphere(10.0), at=(0.0, height), tolerance=sagitta)
    wanted = np.sqrt(20.0**2 - height**2)
    # Up to two sagittas of mesh and two of tolerance, seen along the slope.
    off = 4.0 * sagitta * 20.0 / wanted
    assert first_clash(m, 40.0, 0.5 * wanted) == pytest.approx(wanted, abs=off)


def test_a_pin_clashes_with_its_hole_when_it_is_off_by_more_than_the_clearance():
    hole, pin = 5.2, 5.0
    tube = prism(circle(9.0), 10.0, circle(hole))
    m = carriages(tube, prism(circle(pin), 30.0), start=0.0)
    found = Clashes(m)
    assert found.notes == []
    for x, wanted in ((0.0, False), (0.15, False), (0.3, True), (-0.3, True), (-0.15, False)):
        assert clashes_at(m, found, x) is wanted, x


def test_a_pin_in_a_hole_of_its_own_size_only_touches():
    n = 60
    sagitta = 5.0 * (1.0 - np.cos(np.pi / n))
    tube = prism(circle(9.0, n), 10.0, circle(5.0, n))
    turned = circle(5.0, n) @ np.array(
        [[np.cos(0.05), np.sin(0.05)], [-np.sin(0.05), np.cos(0.05)]]
    )
    m = carriages(tube, prism(turned, 30.0), start=0.0, tolerance=sagitta)
    found = Clashes(m)
    assert found.notes == []
    assert found.at(m) == []
    assert clashes_at(m, found, 10.0 * sagitta)


@pytest.fixture(scope="module")
def ball_on_an_arm() -> Mechanism:
    """A plate of 1 m across x, and an arm of 1 m along x with a ball of radius 5 at its tip."""
    ball, bar = sphere(5.0, 12), box((1000.0, 6.0, 6.0), (503.0, 0.0, 0.0))
    arm = mesh(
        np.concatenate([ball.vertices, bar.vertices]),
        np.concatenate([ball.triangles, bar.triangles + len(ball.vertices)]),
        np.concatenate([ball.normals, bar.normals]),
    )
    return carriages(box((20.0, 1000.0, 1000.0)), arm, start=700.0, tolerance=1.2)


@pytest.mark.parametrize("depth", [-0.1, 0.0, 0.5, 1.0, 2.0, 5.0, 8.0, 9.9, 12.0])
def test_a_small_ball_on_a_long_arm_clashes_as_soon_as_it_enters_a_plate(ball_on_an_arm, depth):
    found = Clashes(ball_on_an_arm)
    assert clashes_at(ball_on_an_arm, found, 10.0 + 5.0 - depth) is (depth > 0.0)


@pytest.mark.parametrize("tolerance", [0.1, 0.5, 1.0])
def test_fine_meshes_clash_though_a_coarse_tolerance_was_asked_for(tolerance):
    m = carriages(sphere(10.0), sphere(10.0), tolerance=tolerance)
    sagitta = 10.0 * (1.0 - np.cos(np.pi / 192))
    assert first_clash(m, 40.0, 15.0) == pytest.approx(20.0, abs=8.0 * sagitta)
    found = Clashes(m)
    assert all(clashes_at(m, found, 20.0 - depth) for depth in (0.1, 0.5, 2.0, 5.0, 10.0))


def test_triangles_deviate_from_a_sphere_by_what_its_radius_says_and_from_a_box_by_nothing():
    ball = replace(sphere(10.0, 24), tolerance=1.0)
    corners = ball.vertices[ball.triangles].astype(float)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    true = 10.0 - np.einsum("ti,ti->t", normal, corners[:, 0])  # of the circle around each
    found = deviations(ball)
    assert (found >= 0.99 * true).all()
    assert found.max() <= 1.5 * true.max()
    assert deviations(replace(ball, tolerance=1e-3)).max() == 1e-3
    assert deviations(box((10.0, 20.0, 30.0))).max() < 1e-5


@pytest.mark.parametrize("inner", [box((4.0, 4.0, 4.0)), sphere(3.0, 12)])
def test_a_part_wholly_inside_another_is_a_clash(inner):
    for first, second in ((box((20.0, 20.0, 20.0)), inner), (inner, box((20.0, 20.0, 20.0)))):
        m = carriages(first, second)
        found = Clashes(m)
        assert clashes_at(m, found, 0.0)
        assert clashes_at(m, found, 5.0)
        assert not clashes_at(m, found, 30.0)


def test_a_pin_in_a_wider_hole_is_not_inside_the_tube():
    tube, short = prism(circle(9.0), 40.0, circle(5.2)), prism(circle(5.0), 4.0)
    m = carriages(tube, short, start=100.0)
    assert not clashes_at(m, Clashes(m), 0.0)


def test_a_block_that_touches_all_walls_of_its_pocket_is_not_inside_the_block_around():
    outline = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    frame_of_four = prism(10.0 * outline, 10.0, 5.0 * outline)
    flat = mesh(frame_of_four.vertices, frame_of_four.triangles)
    m = carriages(flat, box((10.0, 10.0, 8.0)))
    found = Clashes(m)
    assert not clashes_at(m, found, 0.0)
    assert clashes_at(m, found, 1.0)


def test_threads_that_share_a_searcher_get_the_answers_of_their_own_poses():
    m = carriages(sphere(10.0, 24), sphere(10.0, 24))
    found, wrong = Clashes(m), []

    def ask(pose: Mechanism, wanted: list[tuple[str, str]]) -> None:
        wrong.extend(1 for _ in range(1500) if found.at(pose) != wanted)

    asked = []
    for x, wanted in ((19.9999, []), (10.0, [("first", "second")])):
        pose = m.fork()
        assert pose.drive(x=x).ok
        assert found.at(pose) == wanted
        asked.append(threading.Thread(target=ask, args=(pose, wanted)))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in asked:
            thread.start()
        for thread in asked:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not wrong


def test_a_press_fit_is_noted_once_and_is_no_clash():
    m = carriages(prism(circle(9.0), 10.0, circle(5.0)), prism(circle(5.5), 30.0), start=0.0)
    found = Clashes(m)
    assert found.overlapping == [("first", "second")]
    assert "first and second overlap where the mechanism is assembled" in found.notes[0]
    assert clashes_at(m, found, 1.0) is False


def test_what_overlaps_at_the_start_is_decided_there_and_not_where_it_is_looked_at_first():
    m = carriages(box((20.0, 20.0, 20.0)), box((20.0, 20.0, 20.0)))
    assert m.drive(x=10.0).ok
    found = Clashes(m)
    assert found.at(m) == [("first", "second")]


def hinge() -> Mechanism:
    """A bar with a plate on it, hinged to a base with a post that it hits at 90 degrees."""
    build = Builder("hinge")
    build.ground("base", a=frame())
    build.ground("post", a=frame())
    build.part("bar", in_plane((0.0, 0.0), 0.0), a=frame(), b=frame())
    build.part("plate", in_plane((0.0, 0.0), 0.0), b=frame())
    build.revolute("pin", "base/a", "bar/a")
    build.mate("weld", "identical", "bar/b", "plate/b")
    build.drive_joint("turn", "base/a", "bar/a", Freedom.TURN, 0.0)
    assembly = build.build()
    shapes = {
        "bar": box((40.0, 4.0, 4.0), (30.0, 0.0, 0.0)),
        "plate": box((10.0, 10.0, 2.0), (30.0, 0.0, 0.0)),
        "post": box((4.0, 4.0, 20.0), (0.0, 40.0, 0.0)),
    }
    parts = {
        n: replace(p, solid=solid(shapes[n]) if n in shapes else None)
        for n, p in assembly.parts.items()
    }
    return replace(assembly, parts=parts).mechanism()


def test_parts_of_one_body_and_jointed_bodies_are_left_out_unless_asked_for():
    m = hinge()
    assert m.drive(turn=90.0).ok
    assert Clashes(m).at(m) == []  # base, post and bar: one joint between the two bodies
    assert Clashes(m, joined=True).at(m) == [("post", "bar")]
    assert m.drive(turn=45.0).ok
    assert Clashes(m, joined=True).at(m) == []


def test_parts_without_a_shape_never_clash():
    m = cad2mbs.load("assemblies/four_bar").mechanism()
    bare = replace(
        m.assembly, parts={n: replace(p, solid=None) for n, p in m.assembly.parts.items()}
    )
    assert Clashes(bare.mechanism()).at(m) == []


def test_the_radial_engine_turns_without_a_clash():
    m = cad2mbs.load("assemblies/radial_engine").mechanism()
    found, fork = Clashes(m), m.fork()
    for crank in range(0, 360, 20):
        assert fork.drive(crank=float(crank)).ok
        assert found.at(fork) == []


def test_the_depth_of_two_triangles_is_how_far_the_shallower_one_reaches_in():
    floor = np.array([[[-10.0, -10.0, 0.0], [10.0, -10.0, 0.0], [0.0, 20.0, 0.0]]])  # normal up
    wall = np.array([[[0.0, -1.0, -0.3], [0.0, 1.0, -0.3], [0.0, 0.0, 5.0]]])
    assert depths(wall, floor) == pytest.approx([0.3])
    assert depths(floor, wall) == pytest.approx([0.3])
    assert depths(wall + np.array([0.0, 0.0, 0.3]), floor) == pytest.approx([0.0])
    far = np.array([100.0, 0.0, 0.0])
    assert depths(wall + far, floor) == pytest.approx([0.0])
