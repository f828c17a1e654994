"""What all clients of a server share: sources, folder, uploads, threads, limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cad2mbs.viewer.folders import Folder
from cad2mbs.viewer.sources import Named, Sources
from cad2mbs.viewer.uploads import MEGABYTE, Uploads
from cad2mbs.viewer.working import Workers

CLIENTS = 64
STUDYING, LOADING, LISTING = 4, 4, 2  # threads, of all clients together
MAX_UPLOAD = 200.0  # [MB]


@dataclass
class Shared:
    """One per server."""

    folder: Folder
    uploads: Uploads
    sources: Sources
    debug: bool = False
    clients: int = 0
    pool: Workers = field(default_factory=lambda: Workers(STUDYING, "study"))
    loaders: Workers = field(default_factory=lambda: Workers(LOADING, "load"))
    listers: Workers = field(default_factory=lambda: Workers(LISTING, "list"))
    gallery: list[dict[str, Any]] | None = None

    def close(self) -> None:
        for workers in (self.pool, self.loaders, self.listers):
            workers.close()
        self.uploads.close()


def make(
    named: Named | None,
    folder: Path,
    also: tuple[Path, ...] = (),
    max_upload: float = MAX_UPLOAD,
    debug: bool = False,
) -> Shared:
    """What clients share, for a served folder and what the command named."""
    served, uploads = Folder(folder, also), Uploads(int(max_upload * MEGABYTE))
    return Shared(served, uploads, Sources(served, uploads, named), debug)
