"""Document.xml of an `.FCStd` file as objects with properties; no entities, bounded depth."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from cad2mbs.io.fcstd_archive import refused
from cad2mbs.wording import counted, quoted

DEEPEST = 60
MOST_ELEMENTS = 3_000_000
MOST_OBJECTS = 200_000


@dataclass
class Element:
    """One XML element; its text is nowhere used in such files."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def below(self, tag: str) -> list[Element]:
        return [child for child in self.children if child.tag == tag]


class _Builder:
    """Builds the tree while the parser runs, and stops at what such a file never has."""

    def __init__(self, path: Path):
        self.path = path
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.doctype
        self.open: list[Element] = []
        self.root: Element | None = None
        self.count = 0

    def fail(self, message: str) -> NoReturn:
        refused(self.path, f"Document.xml: {message}", self.parser.CurrentLineNumber)

    def doctype(self, *_: object) -> None:
        self.fail("a document type or entity is declared, which FreeCAD never writes")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.open) >= DEEPEST:
            self.fail(f"elements are nested more than {DEEPEST} deep")
        if self.count > MOST_ELEMENTS:
            self.fail(f"more than {MOST_ELEMENTS} elements")
        element = Element(tag, attributes, self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, _: str) -> None:
        self.open.pop()

    def built(self, data: bytes) -> Element:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            refused(
                self.path,
                f"Document.xml is damaged: {expat.errors.messages.get(error.code, error)}. "
                "Save the file again",
                error.lineno,
            )
        except ValueError as error:  # an encoding the parser does not know
            refused(self.path, f"Document.xml cannot be read: {error}")
        assert self.root is not None  # an empty text is an error of the parser
        return self.root


@dataclass
class Raw:
    """One object as the file has it: its type, its properties and where it stands."""

    name: str
    type: str
    line: int
    properties: dict[str, Element] = field(default_factory=dict)


def objects(data: bytes, path: Path) -> dict[str, Raw]:
    """The objects of a Document.xml by name, in file order."""
    root = _Builder(path).built(data)
    if root.tag != "Document":
        refused(path, f"Document.xml: found <{root.tag}>, <Document> was wanted", root.line)
    found: dict[str, Raw] = {}
    for element in [o for part in root.below("Objects") for o in part.below("Object")]:
        name = element.get("name")
        if not name or name in found:
            refused(path, f"object {quoted(name)} has no name of its own", element.line)
        found[name] = Raw(name, element.get("type"), element.line)
    if len(found) > MOST_OBJECTS:
        refused(path, f"holds {counted(len(found), 'object')}, more than {MOST_OBJECTS}")
    for element in [o for part in root.below("ObjectData") for o in part.below("Object")]:
        if element.get("name") in found:
            raw = found[element.get("name")]
            for entry in [p for part in element.below("Properties") for p in part.children]:
                if entry.tag == "Property":
                    raw.properties[entry.get("name")] = entry
    return found
