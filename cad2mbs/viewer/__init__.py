"""The page: what it draws, who serves it, and the same page with a recorded motion in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cad2mbs.viewer.serving import Server

PAGE = Path(__file__).resolve().parent / "page"  # as built from web/


def serve(*arguments: Any, **options: Any) -> Server:
    """Open the live page on a mechanism or a source: see `cad2mbs.viewer.serving.serve`."""
    from cad2mbs.viewer.serving import serve

    return serve(*arguments, **options)
