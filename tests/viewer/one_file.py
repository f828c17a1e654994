"""Reading the one-file page as a browser does: its elements, and what is in the recording."""

from __future__ import annotations

import base64
import gzip
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cad2mbs.viewer import html

SCRIPT = 'const text = "</script><!-- <script>"; export { text };\n'
STYLE = 'a::after { content: "</style>"; }\n'


class Elements(HTMLParser):
    """Every element with its attributes, and the text inside scripts, styles and the title."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, str]] = []
        self._open: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._open = tag if tag in ("script", "style", "title") else None
        if self._open:
            self.inside.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self._open = None

    def handle_data(self, data: str) -> None:
        if self._open:
            self.inside[-1] = (self._open, self.inside[-1][1] + data)

    def texts(self, tag: str) -> list[str]:
        return [text for name, text in self.inside if name == tag]


def recording_in(text: str) -> dict[str, Any]:
    """The recording in a page."""
    return json.loads(Elements(text).texts("script")[0])


def poses_in(drive: dict[str, Any], bodies: int) -> np.ndarray:
    """The poses (k, bodies, 7) of a recorded drive."""
    data = gzip.decompress(base64.b64decode(drive["poses"]))
    return np.frombuffer(data, "<f8").reshape(-1, bodies, 7)


@pytest.fixture
def small_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of one line in place of the built one, with all that is hard to put into HTML."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "page.js").write_text(SCRIPT, encoding="utf-8")
    (folder / "page.css").write_text(STYLE, encoding="utf-8")
    monkeypatch.setattr(html, "PAGE", folder)
