"""The one-file page in a real browser: it moves, asks for nothing, and runs no script of a name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import cad2mbs
from cad2mbs.viewer.html import page, write_html
from tests.viewer.test_html import hostile

PATIENCE = 20_000  # [ms]


class Watched:
    """A tab that keeps what the page complained of and asked for."""

    def __init__(self, tab):
        self.tab, self.said, self.asked = tab, [], []
        tab.on("console", lambda m: self.said.append(m.text) if m.type == "error" else None)
        tab.on("pageerror", lambda error: self.said.append(str(error)))
        tab.on("request", lambda request: self.asked.append(request.url))

    def show(self, path: Path) -> None:
        self.tab.goto(path.as_uri())

    def require_quiet(self) -> None:
        assert self.said == []
        assert [url for url in self.asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.fixture
def watched(browser) -> Iterator[Watched]:
    tab = browser.new_page(viewport={"width": 1100, "height": 700})
    yield Watched(tab)
    tab.close()


def crank(place):
    """The slider of the drive, ready."""
    slider = place.get_by_role("slider", name="crank").first
    slider.wait_for(timeout=PATIENCE)
    return slider


def test_a_page_from_a_file_shows_the_poses_of_the_solver_and_asks_for_nothing(watched, tmp_path):
    m = cad2mbs.load("four_bar").mechanism()
    write_html(tmp_path / "x.html", page(m, count=361))
    watched.show(tmp_path / "x.html")
    slider = crank(watched.tab)
    for _ in range(3):
        slider.press("ArrowRight")
    watched.tab.wait_for_timeout(300)
    value = float(slider.get_attribute("aria-valuenow") or slider.input_value())
    assert value > 60.0
    m.drive(crank=value)
    parts = {part["name"]: part["pose"] for part in watched.tab.evaluate("cad2mbs.parts()")}
    for name, pose in m.poses.items():
        # Between positions 1 degree apart an arc of radius 1 m is cut short by 0.04 mm.
        expected = [1000.0 * c for c in pose.position]  # the file is in metres
        assert parts[name][:3] == pytest.approx(expected, abs=0.05)
    watched.require_quiet()


def test_names_that_are_scripts_are_shown_and_not_run(watched, tmp_path, monkeypatch):
    monkeypatch.setattr("cad2mbs.mechanism.checked", lambda assembly: assembly)
    watched.tab.on("dialog", lambda dialog: watched.said.append(dialog.message))
    write_html(tmp_path / "x.html", page(hostile().mechanism(), count=5))
    watched.show(tmp_path / "x.html")
    crank(watched.tab)
    assert "<script>alert(1)</script>" in watched.tab.inner_text("body")
    watched.require_quiet()


def test_the_frame_of_a_notebook_shows_the_page(watched, tmp_path):
    inside = cad2mbs.load("four_bar").mechanism()._repr_html_()
    (tmp_path / "x.html").write_text(f"<!doctype html>{inside}", encoding="utf-8")
    watched.show(tmp_path / "x.html")
    frame = watched.tab.frame_locator("iframe")
    crank(frame)
    watched.require_quiet()
