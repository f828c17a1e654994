"""A real browser for the tests of the page: the system's Chromium, drawing in software."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cad2mbs.viewer.scene import body_poses
from cad2mbs.viewer.serving import Server

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

ROOT = Path(__file__).resolve().parents[3]
SHOTS = ROOT / "out" / "screenshots"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE = 30_000  # [ms]: other tests run on the same machine


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"no browser found, looked for {', '.join(NAMES)}")
    with playwright.sync_playwright() as play:
        found = play.chromium.launch(executable_path=program, args=list(FLAGS))
        yield found
        found.close()


class Window:
    """An open page with the few actions that most tests need; errors in its console fail them."""

    def __init__(self, page: Any):
        self.page = page
        self.wrong: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda m: self.wrong.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))

    def go(self, address: str) -> Window:
        """Open an address and wait until an assembly is drawn."""
        self.page.goto(address)
        self.drawn()
        return self

    def until(self, script: str) -> None:
        """Wait until a script is true; the page's own rules forbid Playwright's way of waiting."""
        end = time.monotonic() + PATIENCE / 1000
        while not self.page.evaluate(script):
            assert time.monotonic() < end, f"never true: {script}"
            self.page.wait_for_timeout(30)

    def drawn(self) -> None:
        self.until("(window.cad2mbs?.bodies().length ?? 0) > 0 && window.cad2mbs.frame() > 0")
        self.page.evaluate("cad2mbs.settled()")

    def bodies(self) -> np.ndarray:
        """Poses of the bodies as drawn: mm, quaternion x y z w."""
        return np.array(self.page.evaluate("cad2mbs.bodies()"))

    def parts(self) -> dict[str, dict[str, Any]]:
        return {p["name"]: p for p in self.page.evaluate("cad2mbs.parts()")}

    def slider(self, drive: str) -> Any:
        return self.page.get_by_role("slider", name=drive, exact=True)

    def number(self, drive: str) -> Any:
        return self.page.get_by_role("textbox", name=f"Value of {drive} in")

    def type_value(self, drive: str, value: float) -> None:
        """Type a number for a drive and wait until the page has the answer."""
        field = self.number(drive)
        field.fill(repr(value))
        self.moved(lambda: field.press("Enter"))

    def moved(self, action: Callable[[], object]) -> None:
        """Do something that moves the mechanism, and wait for the answer and the picture."""
        before = self.page.evaluate("window.cad2mbs_latency.length")
        action()
        self.until(f"window.cad2mbs_latency.length > {before}")
        self.at_rest()

    def at_rest(self) -> None:
        """Wait until poses and picture no longer change."""
        before = None
        for _ in range(100):
            now = self.bodies()
            if before is not None and np.array_equal(now, before):
                break
            before = now
            self.page.wait_for_timeout(60)
        self.page.evaluate("cad2mbs.settled()")

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def shot(self, name: str) -> None:
        """Keep a screenshot for people to look at."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png")


@pytest.fixture
def window(browser: Any) -> Iterator[Window]:
    """A fresh page; a message on its error console fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    opened = Window(context.new_page())
    yield opened
    context.close()
    assert opened.wrong == []


@pytest.fixture
def show(window: Window, start: Callable[..., Server]) -> Callable[..., Window]:
    """show(source, **options): the page on a server of its own."""

    def make(source: Any, **options: Any) -> Window:
        return window.go(start(source, **options).address)

    return make


def apart(found: np.ndarray, m: Any) -> float:
    """Largest difference between poses on the page and the mechanism's own [mm, or of 1]."""
    wanted = body_poses(m, m.state[None])[0]
    assert found.shape == wanted.shape
    # q and -q are one rotation
    flip = np.sign(np.sum(found[:, 3:] * wanted[:, 3:], axis=1, keepdims=True))
    same = np.hstack([found[:, :3], flip * found[:, 3:]])
    return float(np.abs(same - wanted).max())
