"""How the page looks and reads: contrast and labels by axe, both themes, every way of looking."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.viewer.browser.conftest import Window

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
Show = Callable[..., Window]


def violations(window: Window) -> list[str]:
    found = axe.Axe().run(window.page).response["violations"]
    return [f"{v['id']}: {n['html'][:120]}" for v in found for n in v["nodes"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_on_the_page_breaks_the_rules_of_accessibility(show: Show, theme: str):
    window = show("excavator")
    if theme == "dark":
        window.page.get_by_role("button", name="Dark").first.click()
    assert violations(window) == []
    for tab in ("Joints", "Mates"):
        window.tab(tab)
        window.page.wait_for_timeout(300)
        assert violations(window) == [], tab
    for dialog in ("Open", "Save"):
        window.page.get_by_role("button", name=dialog, exact=True).click()
        window.page.get_by_role("dialog").wait_for()
        window.page.wait_for_timeout(300)
        assert violations(window) == [], dialog
        window.shot(f"{dialog.lower()}_{theme}")
        window.page.keyboard.press("Escape")
    window.shot(f"excavator_{theme}")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_gallery_is_accessible_too(window: Window, start, theme: str):
    window.page.emulate_media(color_scheme=theme)
    window.page.goto(start(None).address)
    window.page.get_by_role("button", name="four").first.wait_for()
    assert violations(window) == []
