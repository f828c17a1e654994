"""Measuring, tracing, views, section and exploded view, by mouse and keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

import cad2mbs
from cad2mbs.model.solid import FeatureKind
from tests.viewer.browser.conftest import Window, apart

Show = Callable[..., Window]


SCAN = """() => {
    const box = document.querySelector('canvas').getBoundingClientRect(), found = [];
    for (let k = 2; k < 38; k++) for (let i = 2; i < 58; i++) {
        const x = box.left + i * box.width / 60, y = box.top + k * box.height / 40;
        const hit = cad2mbs.pick(x, y);
        if (hit) found.push([x, y, hit.part, hit.face]);
    }
    return found;
}"""


def planes_in_sight(
    m: Any, window: Window
) -> dict[str, tuple[list[float], np.ndarray, np.ndarray]]:
    """By part: a pixel on its upward face, a point of that face [mm] and its normal."""
    parts, found = list(m.assembly.parts.values()), {}
    for x, y, row, face in window.page.evaluate(SCAN):
        part = parts[row]
        feature = next((f for f in part.solid.features if face in f.numbers), None)
        if feature is None or feature.kind is not FeatureKind.PLANE:
            continue
        R = m.poses[part.name].rotation()
        n = R @ feature.z
        p = np.array(m.poses[part.name].position) * m.units.metre / 1e-3
        if n[2] > 0.999:
            found[part.name] = ([x, y], R @ np.array(feature.origin) + p, n)
    return found


def test_the_distance_of_two_faces_is_that_of_the_model(show: Show):
    window = show("four_bar")
    m = cad2mbs.load("assemblies/four_bar").mechanism()
    faces = planes_in_sight(m, window)
    (pixel_a, a, n), (pixel_b, b, _) = faces["ground"], faces["rocker"]
    window.page.keyboard.press("d")
    for x, y in (pixel_a, pixel_b):
        window.page.mouse.click(x, y)
        window.page.evaluate("cad2mbs.settled()")
    shown = window.page.locator(".measured").inner_text()
    window.shot("measured")
    numbers = [float(n) for n in re.findall(r"\d+(?:\.\d+)?", shown)]
    wanted = abs((a - b) @ n) * 1e-3 / m.units.metre
    assert wanted > 0
    assert any(abs(n - wanted) < 2e-3 * wanted for n in numbers), (shown, wanted)


def test_a_clicked_point_leaves_its_path(show: Show):
    window = show("four_bar")
    part = list(cad2mbs.load("assemblies/four_bar").parts).index("coupler")
    window.page.keyboard.press("t")
    x, y = window.page.evaluate("(part) => cad2mbs.project(part, [0, 0, 0])", part)
    at = window.page.evaluate("([x, y]) => cad2mbs.pick(x, y)", [x, y])
    assert at is not None
    window.page.mouse.click(x, y)
    window.page.locator(".traces li").wait_for()
    window.page.wait_for_timeout(500)
    window.shot("traced")
    window.page.get_by_role("button", name=re.compile("Remove the trace")).click()
    window.until("document.querySelectorAll('.traces li').length === 0")


def test_ways_of_looking_leave_the_mechanism_alone(show: Show):
    window = show("radial_engine")
    m = cad2mbs.load("assemblies/radial_engine").mechanism()
    window.page.get_by_role("button", name="Looks").click()
    for name in ("Joint symbols", "Cut the model open", "Orthographic", "Collisions"):
        window.page.get_by_role("checkbox", name=re.compile(name)).check(force=True)
    window.page.get_by_role("slider", name=re.compile("Apart")).fill("0.5")
    window.page.keyboard.press("Escape")
    window.page.evaluate("cad2mbs.settled()")
    window.page.wait_for_timeout(300)
    window.shot("every_look")
    assert apart(window.bodies(), m) < 1e-3
    assert window.page.evaluate("cad2mbs.view().orthographic") is True


def test_hidden_and_isolated_parts_leave_the_view(show: Show):
    window = show("excavator")
    window.page.get_by_role("tree").focus()
    window.page.keyboard.press("ArrowDown")
    window.page.keyboard.press("Space")
    window.until("cad2mbs.parts().some((p) => !p.shown)")
    window.page.keyboard.press("Space")
    window.until("cad2mbs.parts().every((p) => p.shown)")
