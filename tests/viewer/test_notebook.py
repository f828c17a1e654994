"""A mechanism in a notebook: a frame with the page, or words where there is none."""

from __future__ import annotations

import pytest

import cad2mbs
from cad2mbs.library import four_bar
from cad2mbs.viewer import html
from tests.viewer.one_file import Elements, recording_in, small_page

__all__ = ["small_page"]


def frame(text: str) -> dict[str, str | None]:
    """The attributes of the only element."""
    ((tag, attributes),) = Elements(text).found
    assert tag == "iframe"
    return attributes


def test_a_mechanism_shows_itself_in_a_frame_of_its_own(small_page):
    attributes = frame(cad2mbs.load("four_bar").mechanism()._repr_html_())
    inside = attributes["srcdoc"]
    assert inside is not None
    (drive,) = recording_in(inside)["drives"]
    assert (drive["name"], len(drive["values"])) == ("crank", 91)
    assert "height:480px" in (attributes["style"] or "")
    assert "allow-same-origin" not in (attributes["sandbox"] or "")


@pytest.mark.parametrize("name", ["conflict", "two_boxes", "dietmaier"])
def test_what_cannot_move_is_shown_standing(small_page, name):
    inside = frame(cad2mbs.load(name).mechanism()._repr_html_())["srcdoc"] or ""
    data = recording_in(inside)
    assert data["drives"] == []
    assert len(data["start"]) == len(data["scene"]["bodies"])


def test_without_geometry_sticks_are_shown(small_page):
    data = recording_in(frame(four_bar().mechanism()._repr_html_())["srcdoc"] or "")
    assert data["geometry"] is None
    assert all(p["points"] for p in data["scene"]["parts"])


def test_without_a_page_words_are_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(html, "PAGE", tmp_path)
    text = cad2mbs.load("four_bar").mechanism()._repr_html_()
    assert "every mate holds" in text
    assert "make_page" in text
