"""Mates switched off, files uploaded and saved, names that try to break the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cad2mbs.io.source import SHIPPED
from tests.viewer.browser.conftest import Window

Show = Callable[..., Window]


def test_a_mate_switched_off_frees_the_mechanism(show: Show):
    window = show("four_bar")
    diagnostics = window.page.locator(".statusbar")
    assert "1 freedom" in diagnostics.inner_text()
    window.tab("Mates")
    box = window.page.get_by_role("checkbox").first
    box.click()
    window.until("!document.querySelector('.statusbar').innerText.includes('1 freedom')")
    window.shot("mate_off")
    window.page.get_by_role("button", name="Undo").click()
    window.until("document.querySelector('.statusbar').innerText.includes('1 freedom')")
    assert box.is_checked()


def test_an_edited_file_is_saved_with_its_comments(show: Show, folder: Path):
    file = folder / "four_bar" / "assembly.yaml"
    window = show(file, folder=folder)
    comments = file.read_text().count("#")
    window.tab("Mates")
    window.page.get_by_role("checkbox").nth(1).click()
    window.page.get_by_role("button", name="Save", exact=True).click()
    window.page.get_by_label("Path").fill("changed.yaml")
    window.page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    window.until("document.body.innerText.includes('Saved: changed.yaml')")
    saved = (folder / "changed.yaml").read_text()
    assert "off: true" in saved
    assert saved.count("#") == comments
    assert "off: true" not in file.read_text()


def test_uploaded_files_are_opened(show: Show):
    window = show("four_bar")
    window.page.get_by_role("button", name="Open", exact=True).click()
    with window.page.expect_file_chooser() as chooser:
        window.page.get_by_role("button", name="Choose files").click()
    folder = SHIPPED / "scissor_lift"
    chooser.value.set_files([folder / "assembly.yaml", folder / "scissor_lift.step"])
    window.until("window.cad2mbs?.bodies().length > 4")
    window.drawn()
    assert "platform" in " ".join(window.parts())
    window.shot("uploaded")


def test_the_gallery_opens_what_is_clicked(window: Window, start):
    window.page.goto(start(None).address)
    card = window.page.get_by_role("button", name=re.compile("excavator", re.I)).first
    card.wait_for()
    window.page.wait_for_timeout(500)
    window.shot("gallery")
    card.click()
    window.drawn()
    assert "bucket" in window.parts()


@pytest.mark.parametrize("keys", [["ArrowDown", "ArrowDown", "Enter"]])
def test_selecting_in_the_tree_highlights_in_the_view(show: Show, keys: list[str]):
    window = show("four_bar")
    window.page.get_by_role("tree").focus()
    for key in keys:
        window.page.keyboard.press(key)
    window.page.evaluate("cad2mbs.settled()")
    assert [n for n, p in window.parts().items() if p["selected"]]


HOSTILE = (
    '<img src=x onerror="window.broken=1">',
    "</script><script>window.broken=1</script>",
    "${window.broken=1}",
    "javascript:window.broken=1",
)


def test_names_are_text_and_never_run(show: Show, tmp_path: Path):
    import yaml

    parts = {name: {"references": {"P": {"point": [i, 0, 0]}}} for i, name in enumerate(HOSTILE)}
    parts[HOSTILE[0]]["grounded"] = True
    mates = {
        f"{HOSTILE[1]} {i}": {
            "kind": "coincident", "a": f"{HOSTILE[0]}/P", "b": f"{name}/P",
        }
        for i, name in enumerate(HOSTILE[1:])
    }  # fmt: skip
    text = yaml.safe_dump(
        {"cad2mbs": 1, "name": HOSTILE[0], "parts": parts, "mates": mates}, allow_unicode=True
    )
    file = tmp_path / "hostile.yaml"
    file.write_text(text, encoding="utf-8")
    window = show(file)
    for tab in ("Joints", "Mates", "Parts"):
        window.tab(tab)
        window.page.wait_for_timeout(100)
    assert window.page.evaluate("window.broken") is None
    assert window.page.locator("img[src=x]").count() == 0
    assert set(HOSTILE) == set(window.parts())
    window.shot("hostile_names")
