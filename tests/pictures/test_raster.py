"""Pictures show what geometry says: areas, order in depth, hidden edges, scale, shadow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from cad2mbs.errors import InputError
from cad2mbs.pictures.camera import VIEWS, Camera, fit, view_axes
from cad2mbs.pictures.item import PALETTE, Item
from cad2mbs.pictures.raster import EMPTY, draw_lines, draw_outlines, fill
from cad2mbs.pictures.render import animation, picture, save_png
from tests.pictures.shapes import box, mesh, rectangle, sphere

SIZE = (240, 180)
RED, GREEN, BLUE = (0.9, 0.1, 0.1, 1.0), (0.1, 0.8, 0.1, 1.0), (0.1, 0.1, 0.9, 1.0)
PLAIN = {"size": SIZE, "edges": False, "shadow": False}
TOP = PLAIN | {"view": "top", "perspective": False}


def seen_by(camera: Camera, shape) -> tuple[np.ndarray, np.ndarray]:
    """Number of the triangle seen at each pixel, and its nearness; one sample a pixel."""
    rows, columns = camera.size[1], camera.size[0]
    nearness = np.full((rows, columns), -np.inf, dtype=np.float32)
    seen = np.full((rows, columns), EMPTY, dtype=np.int32)
    ceiling = np.full((rows, columns), np.inf, dtype=np.float32)
    screen = camera.screen(shape.vertices)
    fill(screen, shape.triangles, 0, len(shape.triangles), ceiling, nearness, seen)
    return seen, nearness


def flat_camera(scale: float, view="top", size=(300, 300)) -> Camera:
    """An orthographic camera at the origin with `scale` pixels a mm."""
    up = np.array([0.0, 0.0, 1.0])
    return Camera(view_axes(view), np.zeros(3), up, size, False, 1.0, scale)


def shown_as(image: np.ndarray, colour) -> np.ndarray:
    """Where the strongest channel of the picture is that of the colour, by far."""
    values = image.astype(int)
    channel = int(np.argmax(colour[:3]))
    others = np.delete(values, channel, axis=2).max(axis=2)
    return values[:, :, channel] > others + 40


def test_flat_view_of_a_rectangle_has_its_area_times_scale_squared_exactly():
    seen, _ = seen_by(flat_camera(10.0), rectangle(12.0, 8.0))
    assert (seen != EMPTY).sum() == 120 * 80
    columns, rows = np.flatnonzero((seen >= 0).any(0)), np.flatnonzero((seen >= 0).any(1))
    assert (columns[0], columns[-1], rows[0], rows[-1]) == (90, 209, 110, 189)


def test_flat_silhouette_of_a_sphere_is_a_disc():
    radius, scale = 10.0, 13.0
    seen, _ = seen_by(flat_camera(scale, "iso"), sphere(radius))
    # the polygon lies inside the circle by (pi / steps)^2 / 6 of the area; the rest is pixels
    assert (seen != EMPTY).sum() == pytest.approx(np.pi * (radius * scale) ** 2, rel=2e-3)


def test_perspective_silhouette_of_a_sphere_is_the_cone_that_touches_it():
    radius, distance, focus = 10.0, 40.0, 400.0
    up = np.array([0.0, 0.0, 1.0])
    camera = Camera(view_axes("front"), np.zeros(3), up, (300, 300), True, distance, focus)
    seen, _ = seen_by(camera, sphere(radius))
    on_screen = focus * radius / np.sqrt(distance**2 - radius**2)
    assert (seen != EMPTY).sum() == pytest.approx(np.pi * on_screen**2, rel=2e-3)


@pytest.mark.parametrize("view", ["iso", "iso_left", (20.0, 50.0), "front", "top"])
def test_flat_silhouette_of_a_box_is_the_sum_of_its_sides_seen_askew(view):
    a, b, c = 9.0, 6.0, 4.0
    scale = 20.0
    seen, _ = seen_by(flat_camera(scale, view), box((a, b, c)))
    x, y, z = np.abs(view_axes(view)[2])
    area = (b * c * x + a * c * y + a * b * z) * scale**2
    assert (seen != EMPTY).sum() == pytest.approx(area, rel=5e-3)


def test_nearness_along_a_tilted_plane_is_its_height():
    tilted = mesh([(-5, -5, -3), (5, -5, 3), (5, 5, 3), (-5, 5, -3)], [(0, 1, 2), (0, 2, 3)])
    _, nearness = seen_by(flat_camera(10.0), tilted)
    x = (np.arange(300) + 0.5 - 150.0) / 10.0
    inside = np.abs(x) < 5.0
    np.testing.assert_allclose(nearness[150, inside], 0.6 * x[inside], atol=1e-5)


def test_triangles_that_pass_through_each_other_change_places_where_they_meet():
    first = mesh([(-5, -5, -3), (5, -5, 3), (5, 5, 3), (-5, 5, -3)], [(0, 1, 2), (0, 2, 3)])
    second = mesh([(-5, -5, 3), (5, -5, -3), (5, 5, -3), (-5, 5, 3)], [(0, 1, 2), (0, 2, 3)])
    items = [Item(first, colour=RED), Item(second, colour=BLUE)]
    for order in (items, items[::-1]):
        image = picture(order, **TOP)
        red, blue = shown_as(image, RED), shown_as(image, BLUE)
        middle = SIZE[0] // 2
        assert red[:, middle + 2 :].sum() > 5000 < blue[:, : middle - 2].sum()
        assert not red[:, : middle - 1].any()
        assert not blue[:, middle + 1 :].any()


def test_order_of_the_items_does_not_change_the_picture():
    items = [
        Item(box((8, 8, 2)), colour=RED),
        Item(box((2, 2, 9), (1, 1, 0.5)), colour=GREEN),
        Item(sphere(3.0, 24), colour=BLUE),
    ]
    one, other = (picture(order, size=SIZE) for order in (items, items[::-1]))
    # of surfaces equally near the first drawn stays: where two cross, single samples may differ
    assert (one != other).any(axis=2).sum() <= 5


def test_a_mesh_split_in_two_gives_the_same_picture():
    whole = sphere(5.0, 24)
    half = len(whole.triangles) // 2
    parts = [
        replace(whole, triangles=whole.triangles[rows], face=whole.face[rows])
        for rows in (slice(None, half), slice(half, None))
    ]
    one = picture([Item(whole)], size=SIZE)
    two = picture([Item(part) for part in parts], size=SIZE)
    np.testing.assert_array_equal(one, two)


def test_everything_moved_together_gives_the_same_picture():
    shapes = [box((8, 6, 2)), sphere(3.0, 24)]
    X_WC = np.eye(4)
    X_WC[:3, 3] = (32.0, -64.0, 128.0)
    items = [Item(shape, colour=c) for shape, c in zip(shapes, PALETTE, strict=False)]
    moved = [replace(item, X_WC=X_WC) for item in items]
    difference = picture(items, size=SIZE).astype(int) - picture(moved, size=SIZE)
    assert np.mean(np.abs(difference) > 3) < 1e-3  # rounding may decide a sample on a border


def test_larger_pictures_show_the_same_at_a_larger_scale():
    item = Item(box((8, 6, 4)), colour=RED)
    small, large = (
        shown_as(picture([item], **PLAIN | {"size": s}), RED).sum() for s in ((120, 90), (480, 360))
    )
    assert large == pytest.approx(16 * small, rel=0.02)


def inked(camera: Camera, shape, **options) -> np.ndarray:
    """Where the edges of a shape leave ink."""
    seen, _ = seen_by(camera, shape)
    ink = np.zeros(seen.shape, dtype=np.uint8)
    points, starts = camera.screen(shape.edge_points), shape.edge_starts
    arguments = {"reach": 0.6, "slack": 0.75 / camera.scale, "perspective": camera.perspective}
    draw_lines(
        points, starts, *(arguments | options).values(),
        camera.screen(shape.vertices), shape.triangles, seen, ink,
    )  # fmt: skip
    return ink


def test_edges_behind_faces_are_hidden_and_edges_before_them_are_not():
    camera = flat_camera(20.0, "iso")
    shape = box((8.0, 6.0, 4.0))
    ink = inked(camera, shape)
    away = 0
    corners = shape.edge_points.reshape(-1, 2, 3)
    eye = camera.R_VW[2]
    for first, second in corners:
        middle = (first + second) / 2.0
        sides = [np.sign(middle[k]) * np.eye(3)[k] for k in range(3) if abs(middle[k]) > 1e-6]
        visible = any(side @ eye > 0.0 for side in sides)
        x, y, _ = camera.screen(middle[None])[0]
        assert (ink[int(y), int(x)] > 100) == visible
        away += not visible
    assert away == 3  # the corner turned away from the eye


def test_an_edge_on_a_flat_view_is_as_wide_as_asked():
    line = (np.array([(-5, 0, 0), (5, 0, 0)], dtype=np.float32), np.array([0, 2], dtype=np.int32))
    shape = mesh(np.empty((0, 3)), np.empty((0, 3), dtype=int), np.empty((0, 3)), line)
    for reach in (0.6, 1.8):
        ink = inked(flat_camera(20.0), shape, reach=reach) / 255.0
        assert ink[:, 150].sum() == pytest.approx(2.0 * reach, abs=0.02)


def test_outline_runs_round_a_sphere_and_nowhere_inside():
    camera, shape, radius = flat_camera(13.0, "iso"), sphere(10.0), 130.0
    seen, nearness = seen_by(camera, shape)
    ink = np.zeros(seen.shape, dtype=np.uint8)
    screen = camera.screen(shape.vertices)
    draw_outlines(1, 3.0 / 13.0, False, screen, shape.triangles, seen, nearness, ink)
    y, x = np.nonzero(ink)
    away = np.hypot(x + 0.5 - 150.0, y + 0.5 - 150.0)
    assert radius - 2.5 < away.min() <= away.max() < radius + 1.0
    angles = np.unique(np.degrees(np.arctan2(y - 149.5, x - 149.5)).astype(int) // 5)
    assert len(angles) >= 71  # all round


def test_brighter_where_the_light_comes_from():
    image = picture([Item(sphere(5.0, 24), colour=(0.5, 0.5, 0.5, 1.0))], **PLAIN).astype(int)
    upper, lower = image[50, 100].sum(), image[140, 150].sum()
    assert upper > 1.3 * lower


def test_inside_of_an_open_shell_is_drawn_in_another_tone():
    up, down = rectangle(10.0, 8.0), rectangle(10.0, 8.0)
    down = replace(down, triangles=down.triangles[:, ::-1].copy())
    outside, inside = (picture([Item(m)], **TOP)[90, 120].astype(int) for m in (up, down))
    assert (outside > inside + 10).all()
    assert inside.min() > 20


def test_what_lies_behind_clear_things_shines_through_by_their_opacity():
    below, above = rectangle(10.0, 8.0), rectangle(10.0, 8.0, 1.0)

    def shown(opacity: float) -> np.ndarray:
        items = [Item(above, colour=(*BLUE[:3], opacity)), Item(below, colour=RED)]
        return picture(items, **TOP)[90, 120].astype(float)

    red = picture([Item(below, colour=RED)], **TOP)[90, 120].astype(float)
    blue = shown(1.0)
    quarter, half = shown(0.25), shown(0.5)
    assert red[0] > quarter[0] > half[0] > blue[0]
    assert red[2] < quarter[2] < half[2] < blue[2]
    linear = ((quarter / 255 + 0.055) / 1.055) ** 2.4
    mixed = (
        0.75 * ((red / 255 + 0.055) / 1.055) ** 2.4 + 0.25 * ((blue / 255 + 0.055) / 1.055) ** 2.4
    )
    np.testing.assert_allclose(linear, mixed, atol=0.01)


def test_two_clear_layers_mix_from_far_to_near_in_any_order_of_items():
    far = Item(rectangle(10.0, 8.0, 0.0), colour=(*RED[:3], 0.5))
    near = Item(rectangle(10.0, 8.0, 1.0), colour=(*BLUE[:3], 0.5))
    one, other = picture([far, near], **TOP), picture([near, far], **TOP)
    np.testing.assert_array_equal(one, other)
    assert one[90, 120, 2] > one[90, 120, 0]


def test_shadow_darkens_the_ground_beside_a_thing_and_only_there():
    options = PLAIN | {"box": ((-20.0, -20.0, 0.0), (20.0, 20.0, 10.0))}
    item = Item(box((8, 8, 8), (0, 0, 4)))
    lit = picture([item], **options).astype(int)
    shaded = picture([item], **options | {"shadow": True}).astype(int)
    drop = (lit - shaded).sum(axis=2)
    assert drop.max() > 60
    assert drop.min() >= 0
    assert not drop[:20].any()  # the far rim of the picture
    thing = shown_as(picture([replace(item, colour=RED)], **options), RED)
    inside = thing[1:-1, 1:-1] & thing[:-2, 1:-1] & thing[2:, 1:-1] & thing[1:-1, :-2]
    inside &= thing[1:-1, 2:]
    assert not drop[1:-1, 1:-1][inside].any()


def test_shadow_falls_away_from_a_lifted_thing():
    options = PLAIN | {"box": ((-30.0, -30.0, 0.0), (30.0, 30.0, 30.0)), "ground": 0.0}

    def middle_of_shadow(height: float) -> np.ndarray:
        item = Item(box((8, 8, 1), (0, 0, height)))
        lit = picture([item], **options).astype(int)
        drop = (lit - picture([item], **options | {"shadow": True})).sum(axis=2)
        return np.array(np.nonzero(drop > 30)).mean(axis=1)

    low, high = middle_of_shadow(2.0), middle_of_shadow(14.0)
    assert high[1] > low[1] + 5  # light from the left throws it to the right


@pytest.mark.parametrize("perspective", [True, False])
@pytest.mark.parametrize("view", [*VIEWS, (12.0, -70.0)])
def test_fitted_camera_sees_all_points_and_no_larger_picture_would(view, perspective):
    points = np.random.default_rng(5).uniform((-3, 2, 100), (9, 4, 130), (200, 3))
    camera = fit(points, (400, 300), view, perspective=perspective, margin=0.9)
    x, y, _ = camera.screen(points).T
    used = max(np.ptp(x) / 400.0, np.ptp(y) / 300.0)
    assert used == pytest.approx(0.9, abs=1e-6 if not perspective else 0.03)
    assert 19.99 <= x.min()
    assert x.max() <= 380.01
    assert 14.99 <= y.min()
    assert y.max() <= 285.01


def test_named_views_look_along_the_axes_with_z_up():
    for view, (right, up) in {
        "front": ((1, 0, 0), (0, 0, 1)), "right": ((0, 1, 0), (0, 0, 1)),
        "back": ((-1, 0, 0), (0, 0, 1)), "left": ((0, -1, 0), (0, 0, 1)),
        "top": ((1, 0, 0), (0, 1, 0)), "bottom": ((1, 0, 0), (0, -1, 0)),
    }.items():  # fmt: skip
        R_VW = view_axes(view)
        np.testing.assert_allclose(R_VW[:2], [right, up], atol=1e-12)
        np.testing.assert_allclose(np.cross(*R_VW[:2]), R_VW[2], atol=1e-12)


def test_up_axis_turns_the_view_with_it():
    for up, axis in (("x", 0), ("y", 1), ("z", 2)):
        np.testing.assert_allclose(view_axes("front", up)[1], np.eye(3)[axis], atol=1e-12)
        assert np.linalg.det(view_axes("iso", up)) == pytest.approx(1.0)


def test_points_behind_the_eye_are_left_out():
    camera = fit(np.array([(-1.0, -1, -1), (1, 1, 1)]), SIZE)
    behind = camera.eye + 5.0 * camera.R_VW[2]
    assert np.isnan(camera.screen(behind[None])).any()


def test_unknown_view_and_axis_are_named_with_the_choices():
    with pytest.raises(InputError, match=r"view 'above' found; one of iso, .*top.* wanted"):
        picture([Item(box((1, 1, 1)))], view="above")
    with pytest.raises(InputError, match="up axis 'w' found; one of x, y, z wanted"):
        picture([Item(box((1, 1, 1)))], up="w")


def test_no_items_give_the_bare_background_from_light_to_darker():
    image = picture([], size=SIZE)
    assert image.shape == (180, 240, 3)
    assert (image == image[:, :1]).all()
    assert image[0, 0].sum() > image[-1, 0].sum()
    assert picture([], size=SIZE, dark=True).max() < 80


def test_png_holds_the_picture(tmp_path):
    image = picture([Item(box((3, 2, 1)))], size=SIZE)
    save_png(tmp_path / "x.png", image)
    with Image.open(tmp_path / "x.png") as again:
        np.testing.assert_array_equal(np.asarray(again), image)
    assert [p.name for p in tmp_path.iterdir()] == ["x.png"]


def test_gif_holds_all_frames_at_the_speed_asked_for(tmp_path):
    frames = [
        picture([Item(box((3, 2, 1), (k, 0, 0)), colour=RED)], size=(120, 90),
                box=((-2, -2, -2), (6, 2, 2)))
        for k in range(5)
    ]  # fmt: skip
    animation(frames, tmp_path / "x.gif", fps=25)
    with Image.open(tmp_path / "x.gif") as again:
        assert again.n_frames == 5
        assert again.info["duration"] == 40
        for k, frame in enumerate(frames):
            again.seek(k)
            shown = np.asarray(again.convert("RGB")).astype(int)
            assert np.abs(shown - frame).mean() < 6.0


def test_an_animation_without_frames_is_refused(tmp_path):
    with pytest.raises(InputError, match="no frames found"):
        animation([], tmp_path / "x.gif")
    assert not list(tmp_path.iterdir())
