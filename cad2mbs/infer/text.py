"""The inferred mates as a file to edit: every entry with its reason, what was not taken as comment.

The entries are those of the mates file's own writer; comments are put between them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from cad2mbs.infer.result import Alternative, Inference, Proposal
from cad2mbs.io.mates_file import write_bytes
from cad2mbs.io.mates_text import flow, mate_fields, to_text, word
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.check import checked
from cad2mbs.model.mates import Mate

OFFERED = 0.3  # alternatives less certain than this are named, but not written out
WIDTH = 98  # of comments


def write(inference: Inference, path: str | os.PathLike[str]) -> None:
    """Write the assembly with its mates as a mates file, with the reasons as comments.

    Reading gives the same assembly; InputError if the file cannot be written.
    """
    write_bytes(to_mates_text(inference, path).encode("utf-8"), path)


def to_mates_text(inference: Inference, path: str | os.PathLike[str] = ".") -> str:
    """The text of the file as it stands at `path`: its CAD file is named from there."""
    assembly = checked(_for_file(inference.assembly, Path(path)))
    lines = to_text(assembly, "\n".join(_head(inference))).splitlines()
    notes = {_entry(p.mates[0]).split(": {")[0]: _why(p) for p in inference.proposals if p.accepted}
    drives = {f"  {word(n)}": [f"  # {r}"] for n, r in inference.drive_reasons.items()}
    out: list[str] = []
    section = ""
    for line in lines:
        if line and not line.startswith((" ", "#")):
            if section == "mates":
                out += _rejected(inference.proposals)
            section = line.partition(":")[0]
        known = {"mates": notes, "drives": drives}.get(section, {})
        out += known.get(line.split(": {")[0], [])
        out.append(line)
    if section == "mates":
        out += _rejected(inference.proposals)
    elif "mates" not in {line.partition(":")[0] for line in lines}:
        out += _rejected(inference.proposals)
    return "\n".join(out) + "\n"


def _for_file(assembly: Assembly, path: Path) -> Assembly:
    """The assembly with its CAD file named from where the mates file stands."""
    if assembly.cad is None:
        return assembly
    cad = Path(os.path.relpath(Path(assembly.cad).resolve(), path.resolve().parent)).as_posix()
    # Where parts start is what the CAD file says; mates put them exactly in place.
    parts = {n: replace(p, pose=None) for n, p in assembly.parts.items()}
    return replace(assembly, cad=cad, parts=parts)


def _head(inference: Inference) -> Iterator[str]:
    accepted = sum(p.accepted for p in inference.proposals)
    yield "Mates found from geometry; edit what is wrong. Numbers in brackets: how certain, 0 to 1."
    yield f"{accepted} proposals taken, {len(inference.proposals) - accepted} not."
    yield f"{inference.ground} stands still: {inference.ground_reason}."
    for note in inference.notes:
        yield from _wrapped(f"Note: {note}")


def _why(p: Proposal) -> list[str]:
    lines = [f"# {p.kind} {p.parts[0]} / {p.parts[1]} [{p.confidence:.2f}]: {p.reason}; {p.why}"]
    lines = [f"  # {x}" for line in lines for x in _wrapped(line[2:])]
    for other in p.alternatives:
        lines += _alternative(other)
    return lines


def _alternative(other: Alternative) -> list[str]:
    said = f"or {other.kind} [{other.confidence:.2f}]: {other.reason}"
    lines = [f"  #   {x}" for x in _wrapped(said)]
    if other.confidence >= OFFERED:
        lines += [f"  #   {_entry(m).strip()}" for m in other.mates]
    return lines


def _rejected(proposals: Iterable[Proposal]) -> list[str]:
    out: list[str] = []
    for p in proposals:
        if p.accepted:
            continue
        said = f"not taken: {p.kind} {p.parts[0]} / {p.parts[1]} [{p.confidence:.2f}]: {p.reason}"
        out += [f"  # {x}" for x in _wrapped(f"{said}; {p.why}")]
        out += [f"  # {_entry(m).strip()}" for m in p.mates]
    return out


def _entry(mate: Mate) -> str:
    return f"  {word(mate.name)}: {flow(mate_fields(mate))}"


def _wrapped(text: str) -> list[str]:
    """The text in lines that fit a page; characters that do not print are blanks."""
    out, line = [], ""
    for token in "".join(c if c.isprintable() else " " for c in text).split():
        if line and len(line) + 1 + len(token) > WIDTH - 6:
            out.append(line)
            line = "  " + token
        else:
            line = f"{line} {token}" if line else token
    return [*out, line] if line else out
