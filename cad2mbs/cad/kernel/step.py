"""STEP files through the CAD kernel: the tree of placed parts, each part once, lengths in mm."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from OCP.IFSelect import IFSelect_RetDone
from OCP.Interface import Interface_Static
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TCollection import TCollection_ExtendedString
from OCP.TColStd import TColStd_SequenceOfAsciiString
from OCP.TDF import TDF_LabelSequence
from OCP.TDocStd import TDocStd_Document
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_DocumentTool

from cad2mbs.cad import facts
from cad2mbs.cad.document import Document
from cad2mbs.cad.kernel import labels
from cad2mbs.cad.kernel.shape_names import any_named
from cad2mbs.cad.kernel.tree import Tree, TreeText
from cad2mbs.cad.part21 import Part21
from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.model.solid import Solid
from cad2mbs.wording import listed, shown_path

UNITS = {
    "MILLIMETRE": ("mm", 1.0), "CENTIMETRE": ("cm", 10.0), "DECIMETRE": ("dm", 100.0),
    "METRE": ("m", 1e3), "KILOMETRE": ("km", 1e6), "MICROMETRE": ("um", 1e-3),
    "NANOMETRE": ("nm", 1e-6), "INCH": ("in", 25.4), "FOOT": ("ft", 304.8),
    "MIL": ("mil", 0.0254), "MICROINCH": ("uin", 25.4e-6), "YARD": ("yd", 914.4),
    "MILE": ("mi", 1609344.0),
}  # fmt: skip


def closed(data: bytes) -> bytes:
    """The text of a cut file up to its last whole entity, with the closing lines."""
    kept = data[: data.rfind(b";") + 1]
    end = b"" if kept.rstrip().endswith(b"ENDSEC;") else b"\nENDSEC;"
    return kept + end + b"\nEND-ISO-10303-21;\n"


def read_step(path: Path, make: Callable[..., Solid], tolerance: float | None = None) -> Document:
    """The document in a STEP file; `make` turns a shape into a Solid as `solids.solid_of` does."""
    files = facts.files_of(path)
    texts = [text for _, text in files]
    reader = _reader(texts[0])
    if not _parsed(reader, path, texts):
        raise _refused(path, "the CAD kernel cannot read this file; it is damaged. Export it again")
    document = TDocStd_Document(TCollection_ExtendedString("BinXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    if not reader.Transfer(document):
        raise _refused(path, "the file holds no shapes the CAD kernel can read")
    return _document(path, files, reader, document, make, tolerance)


def _parsed(reader: STEPCAFControl_Reader, path: Path, texts: list[Part21]) -> bool:
    """Whether the kernel could read the file; it gets UTF-8 and an end where these are missing.

    The second byte of a GBK or Shift-JIS character may look like the backslash of an escape. A
    file that refers to others has to stay where it is: there names are left to the kernel.
    """
    text = texts[0]
    if (text.encoding == "utf-8" and text.complete) or len(texts) > 1:
        return reader.ReadFile(str(path)) == IFSelect_RetDone
    with tempfile.TemporaryDirectory(prefix="cad2mbs-") as folder:
        copy = Path(folder) / "copy.step"
        whole = text.data if text.complete else closed(text.data)
        copy.write_bytes(whole.decode(text.encoding, "replace").encode("utf-8"))
        return reader.ReadFile(str(copy)) == IFSelect_RetDone


def _reader(text: Part21) -> STEPCAFControl_Reader:
    reader = STEPCAFControl_Reader()
    # These settings are the whole process's, and there only once a reader has been made.
    Interface_Static.SetCVal_s("xstep.cascade.unit", "MM")
    Interface_Static.SetCVal_s("read.step.codepage", "UTF8")
    Interface_Static.SetIVal_s("read.stepcaf.subshapes.name", int(any_named(text)))
    reader.SetNameMode(True)
    reader.SetColorMode(True)
    reader.SetMatMode(True)
    reader.SetPropsMode(True)
    reader.SetLayerMode(False)
    return reader


def _hidden(texts: list[Part21], entity: str) -> dict[str, str]:
    return {k: v for text in texts for k, v in facts.hidden_names(text, entity).items()}


def _document(
    path: Path,
    files: list[tuple[Path, Part21]],
    reader: STEPCAFControl_Reader,
    document: TDocStd_Document,
    make: Callable[..., Solid],
    tolerance: float | None,
) -> Document:
    texts = [text for _, text in files]
    unit, unit_mm, notes = _unit(reader)
    known: dict[str, float] = {}
    for text in texts:
        found, said = facts.densities(text)
        known.update(found)
        notes += said
    if not texts[0].complete:
        notes.append("The file ends without its closing line: the end may be missing.")
    told = TreeText(
        fallback=path.stem,
        hidden=_hidden(texts, "NEXT_ASSEMBLY_USAGE_OCCURRENCE"),
        hidden_products=_hidden(texts, "PRODUCT"),
        densities=known,
        mirrors=[m for t in texts for m in facts.mirrors(t)],
        unit_mm=unit_mm,
        structured=any(t.count("NEXT_ASSEMBLY_USAGE_OCCURRENCE") for t in texts),
    )
    tree = Tree(told, lambda *a, **k: make(*a, tolerance=tolerance, **k))
    roots = TDF_LabelSequence()
    XCAFDoc_DocumentTool.ShapeTool_s(document.Main()).GetFreeShapes(roots)
    root = tree.grown(labels.listed(roots))
    if root is None:
        raise _refused(path, "no solids and no surfaces in this file. Export the bodies as solids")
    return Document(
        root=root,
        solids=tuple(tree.solids),
        unit=unit,
        schema=texts[0].schema,
        source=str(path),
        notes=tuple(notes + tree.notes),
        files=tuple(str(p) for p, _ in files),
    )


def _unit(reader: STEPCAFControl_Reader) -> tuple[str, float, list[str]]:
    """The file's unit of length, its size in mm, and a sentence where there are several."""
    lengths, angles, solid_angles = (TColStd_SequenceOfAsciiString() for _ in range(3))
    reader.ChangeReader().FileUnits(lengths, angles, solid_angles)
    stated = [lengths.Value(i).ToCString().upper() for i in range(1, lengths.Length() + 1)]
    stated = [s.replace("METER", "METRE") for s in stated]
    if not stated:
        return "mm", 1.0, ["The file states no unit of length; mm is taken."]
    unit, size = UNITS.get(stated[0], (stated[0].lower(), 1.0))
    if len(set(stated)) > 1:
        return unit, size, [f"The file has several units of length: {listed(stated)}."]
    return unit, size, []


def _refused(path: Path, message: str) -> InputError:
    return InputError([Diagnostic(message + ".", shown_path(path))])
