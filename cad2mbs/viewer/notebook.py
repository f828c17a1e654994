"""The mechanism in a notebook: the one-file page in a frame, which exported copies keep."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from cad2mbs.errors import Cad2mbsError
from cad2mbs.viewer.html import filled
from cad2mbs.viewer.record import record

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

HEIGHT = 480  # [px]
COUNT = 91  # positions of a drive: a notebook keeps its outputs, so they are to be small


def shown(m: Mechanism, height: int = HEIGHT, count: int = COUNT) -> str:
    """HTML with a view of the mechanism as it is now, and a slider for each drive.

    The frame is a world of its own: its script reaches nothing of the notebook. Where there is
    no page to show, name and status in words.
    """
    name = html.escape(m.name)
    try:
        inside = filled(record(m, count=count, compact=True), m.name)
    except Cad2mbsError as error:
        words = html.escape(f"{m.status}. No view of it: {error}")
        return f"<p><b>{name}</b>: {words}</p>"
    # Plain ASCII: were the page read in another encoding, its script would not be the one allowed.
    quoted = html.escape(inside).encode("ascii", "xmlcharrefreplace").decode()
    return (
        f'<iframe title="{name}" sandbox="allow-scripts allow-downloads" '
        f'style="width:100%;height:{height}px;border:0" '
        f'srcdoc="{quoted}"></iframe>'
    )
