"""A STEP file as an assembly: its parts where they are, without mates."""

from __future__ import annotations

from pathlib import Path

from cad2mbs.cad import load
from cad2mbs.cad.document import Document
from cad2mbs.io.mates_geometry import placed
from cad2mbs.model.assembly import Assembly, Part
from cad2mbs.units import Units


def read(path: Path) -> Assembly:
    """The assembly of a STEP file, in mm."""
    return assembly(load.read(path), path.stem, str(path))


def assembly(document: Document, name: str, source: str) -> Assembly:
    """The parts of a document where the file has them."""
    units = Units()
    parts = {}
    for part, leaf in document.parts().items():
        at = placed(document, leaf, units)
        parts[part] = Part(part, pose=at.pose, solid=at.solid, colour=at.colour)
    return Assembly(name, parts, units=units, source=source, notes=document.notes)
