"""The page with a recorded motion as one HTML file, to send to somebody who has nothing of this.

Script, style, geometry and motion are inside. The file asks for nothing from outside, and its
policy forbids the browser to: only the one script whose hash it states may run.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cad2mbs.errors import Cad2mbsError
from cad2mbs.results import write_whole
from cad2mbs.viewer import PAGE
from cad2mbs.viewer.record import COUNT, record

if TYPE_CHECKING:
    import numpy as np

    from cad2mbs.mechanism import Mechanism
    from cad2mbs.pictures.follow import Followed

SCRIPT, STYLE = "page.js", "page.css"


def write_html(path: str | os.PathLike[str], text: str) -> int:
    """Write a page and return its size [bytes]; the file is whole or not there at all."""
    data = text.encode("utf-8")
    write_whole(Path(path), lambda file: file.write(data), binary=True)
    return len(data)


def page(
    m: Mechanism,
    ranges: Mapping[str, Sequence[float] | np.ndarray] | None = None,
    count: int = COUNT,
    title: str | None = None,
    points: Sequence[Followed] = (),
) -> str:
    """One HTML file with the mechanism and the motion of its drives (`record` tells which)."""
    return filled(record(m, ranges, count, points), title or m.name)


def filled(recording: Mapping[str, Any], title: str) -> str:
    """The page around a recording."""
    script, style = inline(_read(SCRIPT), "script"), inline(_read(STYLE), "style")
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy(script)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{html.escape(_whole(title))}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        '<div id="app"></div>',
        f'<script id="recording" type="application/json">{as_json(recording)}</script>',
        f'<script type="module">{script}</script>',
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def as_json(data: Any) -> str:
    """JSON in which no name of a part can end the element that holds it."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def inline(text: str, element: str) -> str:
    """Script or style that may stand between the tags of its element.

    Only inside strings, comments and patterns can it hold what ends the element early, or what
    begins a comment of HTML, and there the backslash changes nothing.
    """
    return re.sub(f"<(?=/{element}|!--)", r"<\\", text, flags=re.IGNORECASE)


def policy(script: str) -> str:
    """What the browser may load and run: the one script, styles in the file, pictures it makes."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    rules = {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest}'",
        "style-src": "'unsafe-inline'",
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _read(name: str) -> str:
    try:
        return (PAGE / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Cad2mbsError(
            f"the page is not built: {name} was not found in cad2mbs/viewer/page. "
            "Run python3 scripts/make_page.py, or install cad2mbs with pip"
        ) from None


def _whole(text: str) -> str:
    """The text without halves of characters, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
