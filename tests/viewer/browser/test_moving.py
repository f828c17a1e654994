"""Sliders, keys, mouse and player move the mechanism on the page as the solver says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cad2mbs
from tests.viewer.browser.conftest import Window, apart

Show = Callable[..., Window]
EXACT = 1e-3  # [mm] of some hundred: the page draws in single precision


def loaded(name: str) -> Any:
    return cad2mbs.load(f"assemblies/{name}").mechanism()


def shown_value(window: Window, drive: str) -> float:
    return float(window.slider(drive).get_attribute("aria-valuetext").split()[0])


def test_every_body_is_where_the_solver_has_it(show: Show):
    window, m = show("radial_engine"), loaded("radial_engine")
    assert apart(window.bodies(), m) < EXACT
    window.type_value("crank", 47.5)
    m.drive(crank=47.5)
    assert apart(window.bodies(), m) < EXACT
    window.shot("radial_engine")


@pytest.mark.parametrize("name", ["four_bar", "excavator", "delta_robot", "six_axis_robot"])
def test_each_number_moves_its_drive(show: Show, name: str):
    window, m = show(name), loaded(name)
    for drive, info in list(m.drives.items())[:6]:
        value = info.value + (0.02 if info.unit == "rad" else 1.0)
        solved = m.drive({drive: value})
        window.type_value(drive, value)
        assert solved.ok, solved.status
        assert apart(window.bodies(), m) < EXACT, drive
    window.shot(name)


def test_each_slider_is_moved_with_the_mouse(show: Show):
    window, m = show("excavator"), loaded("excavator")
    for drive in m.assembly.drives:
        box = window.slider(drive).bounding_box()
        before = window.bodies()
        y = box["y"] + box["height"] / 2
        window.page.mouse.move(box["x"] + 0.45 * box["width"], y)
        window.page.mouse.down()
        window.page.mouse.move(box["x"] + 0.55 * box["width"], y, steps=8)
        window.page.mouse.up()
        window.at_rest()
        assert np.abs(window.bodies() - before).max() > 0.1, drive
        # The page's number has few digits; the position that goes with it is near.
        m.drive({drive: shown_value(window, drive)})
    assert apart(window.bodies(), m) < 2.0


def test_a_slider_works_from_the_keyboard_alone(show: Show):
    window, m = show("four_bar"), loaded("four_bar")
    start = m.drives["crank"].value
    for _ in range(80):  # Tab, as someone without a mouse does, until the slider has the focus
        window.page.keyboard.press("Tab")
        if window.page.evaluate("document.activeElement?.dataset?.drive") == "crank":
            break
    else:
        raise AssertionError("the slider cannot be reached with Tab")
    seen = [start]
    for key in ("ArrowRight", "ArrowUp", "PageUp", "Shift+ArrowRight", "ArrowLeft", "PageDown"):
        window.moved(lambda key=key: window.page.keyboard.press(key))
        seen.append(shown_value(window, "crank"))
    steps = np.diff(seen)
    assert (steps[:4] > 0).all()
    assert (steps[4:] < 0).all()
    assert steps[2] > steps[0] > steps[3]  # pages are coarser, Shift is finer
    m.drive(crank=seen[-1])
    assert apart(window.bodies(), m) < 0.05


def test_the_player_runs_and_pauses(show: Show):
    window = show("four_bar")
    before = window.bodies()
    window.page.get_by_role("button", name="Play", exact=True).click()
    window.page.wait_for_timeout(700)
    window.page.get_by_role("button", name="Pause").click()
    window.at_rest()
    assert np.abs(window.bodies() - before).max() > 1.0
    m = loaded("four_bar")
    m.drive(crank=shown_value(window, "crank"))
    assert apart(window.bodies(), m) < 0.05


def test_ping_pong_turns_round_at_the_ends(show: Show):
    window = show("excavator")
    window.page.get_by_role("radio", name="Ping-pong").check(force=True)
    window.page.get_by_label("Speed").select_option(index=4)
    drive = next(iter(loaded("excavator").assembly.drives))
    window.slider(drive).focus()
    window.page.get_by_role("button", name="Play", exact=True).click()
    seen = []
    for _ in range(60):
        seen.append(shown_value(window, drive))
        window.page.wait_for_timeout(50)
    steps = np.sign(np.diff(seen))
    assert {-1.0, 1.0} <= set(steps)


def test_a_part_follows_the_mouse(show: Show):
    window, m = show("four_bar"), loaded("four_bar")
    part = list(m.assembly.parts).index("crank")
    x, y = grip(window, part)
    before = window.bodies()
    window.page.mouse.move(x, y)
    window.page.mouse.down()
    window.page.mouse.move(x + 60, y - 40, steps=12)
    window.at_rest()
    window.shot("dragging")
    window.page.mouse.up()
    window.at_rest()
    assert np.abs(window.bodies() - before).max() > 1.0
    m.drive(crank=shown_value(window, "crank"))
    assert apart(window.bodies(), m) < 0.05  # where it was dragged to, every mate holds


def grip(window: Window, part: int) -> tuple[float, float]:
    """A pixel at which the part is what the mouse takes hold of."""
    found = window.page.evaluate(
        """(part) => {
            const box = document.querySelector('canvas').getBoundingClientRect();
            for (let k = 1; k < 40; k++) for (let i = 1; i < 60; i++) {
                const x = box.left + i * box.width / 60, y = box.top + k * box.height / 40;
                if (window.cad2mbs.pick(x, y)?.part === part) return [x, y];
            }
            return null;
        }""",
        part,
    )
    assert found is not None, "the part is nowhere in the picture"
    return found[0], found[1]


def test_a_limit_stops_the_drive_and_says_so(show: Show):
    window = show("excavator")
    m = loaded("excavator")
    drive = next(n for n, d in m.drives.items() if d.high is not None)
    window.type_value(drive, m.drives[drive].high + 50.0)
    text = window.page.locator(".statusbar [role=status]").inner_text()
    assert "limit" in text
    assert shown_value(window, drive) <= m.drives[drive].high + 1e-6
