"""What the page may open: files of the served folder, uploads, shipped assemblies, and what the
command named."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from cad2mbs.errors import InputError
from cad2mbs.io import mates_file, source
from cad2mbs.viewer import gallery, uploads
from cad2mbs.viewer.folders import Folder, refused
from cad2mbs.viewer.loading import Loaded, Shelf
from cad2mbs.viewer.uploads import Uploads
from cad2mbs.wording import quoted, shown_path


@dataclass(frozen=True)
class Named:
    """What the command named: a file, or a mechanism made in Python."""

    path: Path | None = None
    loaded: Loaded | None = None
    text: str = ""


class Sources:
    """Opens by the names that the page uses; '' is what the command named."""

    def __init__(self, folder: Folder, taken: Uploads, named: Named | None):
        self.folder, self.uploads, self.named = folder, taken, named
        self.shelf = Shelf()

    def load(self, text: str) -> Loaded:
        """The mechanism behind a source; InputError if there is none or it may not be read."""
        if text == "":
            return self._load_named()
        place = self.path(text)
        if place.suffix.lower() in source.YAML_ENDINGS and not self._trusted(place, text):
            self._require_near(place, text)
        return self.shelf.load(place)

    def _trusted(self, place: Path, text: str) -> bool:
        """Whether a mates file may name any CAD file: shipped ones, and what the command named."""
        named = self.named.path if self.named is not None else None
        return text.startswith(gallery.PREFIX) or (named is not None and place == named.resolve())

    def _load_named(self) -> Loaded:
        if self.named is None:
            raise InputError("no source was named on the command line; choose one")
        if self.named.loaded is not None:
            return self.named.loaded
        assert self.named.path is not None
        return self.shelf.load(source.find(self.named.path))

    def label(self, text: str) -> str:
        """The name of a source that the page shows, by which it can be opened again."""
        if text != "" or self.named is None or self.named.path is None:
            return text
        place = self.named.path.resolve()
        if gallery.is_shipped(place):
            return gallery.PREFIX + place.parent.name
        return self.folder.shown(place)

    def path(self, text: str) -> Path:
        """The file that a source means."""
        if text.startswith(gallery.PREFIX):
            return gallery.path(text)
        if text.startswith(uploads.PREFIX):
            return self.uploads.path(text)
        place = self.folder.path(text)
        if not place.exists():
            raise refused(text, "there is no such file")
        place = self.folder.path(str(source.find(place)))
        if not place.is_file():  # reading a pipe may never end
            raise refused(text, "this is no plain file")
        return place

    def _require_near(self, place: Path, text: str) -> None:
        """InputError if a mates file that the page chose names CAD files outside its reach."""
        found = mates_file.entries(mates_file.content(place), shown_path(text))
        names = {found.cad, *(part.cad for part in found.parts.values())}
        for name in sorted(n for n in names if n):
            file = Path(os.path.realpath(place.parent / name))
            if text.startswith(uploads.PREFIX):
                inside = file.parent == Path(os.path.realpath(place.parent))
                wish = "send it along in the same upload"
            else:
                shipped = source.SHIPPED.resolve() in file.parents
                inside = shipped or self.folder.around(file) is not None
                wish = f"it must lie within {self.folder.root}"
            if not inside:
                raise refused(text, f"the CAD file {quoted(name)} is out of reach; {wish}")
            if file.exists() and not file.is_file():
                raise refused(text, f"the CAD file {quoted(name)} is no plain file")
