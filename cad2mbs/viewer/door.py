"""The way of a browser to the page that does not show the token to other users of the machine.

Whoever is logged in can read command lines, and a browser gets what it opens on one. So it is given
a file that only its owner can read, and that sends it on to the address.
"""

from __future__ import annotations

import atexit
import html
import os
import shutil
import tempfile
import webbrowser
from pathlib import Path

NAME = "open.html"


class Door:
    """A file in a private folder that leads to an address; gone after `close`."""

    def __init__(self, address: str):
        self._folder = Path(tempfile.mkdtemp(prefix="cad2mbs-"))  # for its owner alone
        self.file = self._folder / NAME
        # Made with its rights: there is no moment at which others may read it.
        handle = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_leading_to(address))
        atexit.register(self.close)  # a server in a thread may not get to say goodbye

    def open(self) -> None:
        """Show the page in the user's browser."""
        webbrowser.open(self.file.as_uri())

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        atexit.unregister(self.close)


def _leading_to(address: str) -> str:
    there = html.escape(address)
    lines = [
        "<!doctype html>",
        '<meta charset="utf-8">',
        '<meta name="referrer" content="no-referrer">',
        f'<meta http-equiv="refresh" content="0; url={there}">',
        "<title>cad2mbs</title>",
        f'<p><a href="{there}">Open the page</a></p>',
    ]
    return "\n".join(lines) + "\n"
