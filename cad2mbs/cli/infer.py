"""The command that finds mates: infer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cad2mbs.cli import common
from cad2mbs.cli.common import AsJson, Force, app, guarded, put, require_writable, say, writing
from cad2mbs.errors import Diagnostic, InputError

if TYPE_CHECKING:
    from rich.console import Console

    from cad2mbs.infer import Inference


@app.command()
@guarded
def infer(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A STEP file.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Mates file to write: .yaml or .yml."),
    ] = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", metavar="MM", help="Gap up to which parts fit.")
    ] = 0.2,
    ground: Annotated[
        str | None, typer.Option("--ground", metavar="PART", help="The part that stands still.")
    ] = None,
    rigid: Annotated[
        list[str] | None,
        typer.Option("--rigid", metavar="NAME", help="Keep as one: PART,PART or a sub-assembly."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="PART", help="Leave this part out.")
    ] = None,
    strictness: Annotated[
        str, typer.Option("--strictness", help="low takes doubtful mates too; normal; high.")
    ] = "normal",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Find mates from the geometry of a STEP file, with a confidence and a reason each.

    \b
    Examples:
      cad2mbs infer assemblies/excavator/excavator.step
      cad2mbs infer gearbox.step -o gearbox.yaml --ground housing
      cad2mbs infer rough.step --tolerance 0.5 --strictness low --json
    """
    from cad2mbs.cad import load
    from cad2mbs.infer import Options, infer, write
    from cad2mbs.io.source import STEP_ENDINGS

    if file.suffix.lower() not in STEP_ENDINGS:
        wanted = f"wanted a STEP file ({', '.join(STEP_ENDINGS)})"
        raise InputError([Diagnostic(f"found a file that is none; {wanted}", str(file))])
    if output is not None:
        require_writable(output, (".yaml", ".yml"), force)
    together = tuple(tuple(n.split(",")) if "," in n else n for n in rigid or ())
    options = Options(tolerance, together, tuple(ignore or ()), ground, strictness)
    with common.busy("finding mates"):
        found = infer(load.read(file), options)
    for note in found.notes:
        say(f"note: {note}")
    put(as_data(found), as_json, show)
    if output is not None:
        with writing(output):
            write(found, output)
        say(f"wrote {output}")


def as_data(found: Inference) -> dict[str, Any]:
    """All that `infer` tells."""
    m = found.assembly.mechanism()
    return {
        "name": found.assembly.name,
        "ground": found.ground,
        "ground_reason": found.ground_reason,
        "freedoms": m.mobility.freedoms,
        "assembled": m.assembled,
        "status": m.status,
        "drives": dict(found.drive_reasons),
        "proposals": [
            {
                "name": p.name,
                "kind": p.kind,
                "parts": list(p.parts),
                "confidence": round(p.confidence, 3),
                "accepted": p.accepted,
                "reason": p.reason,
                "why": p.why,
                "mates": [mate.name for mate in p.mates],
                "alternatives": [a.kind for a in p.alternatives],
            }
            for p in found.proposals
        ],
        "notes": list(found.notes),
    }


def show(console: Console, data: dict[str, Any]) -> None:
    """The proposals as a table, the accepted ones first."""
    from rich.table import Table

    from cad2mbs.wording import counted

    console.print(f"{data['name']}: {counted(data['freedoms'], 'freedom')}; {data['status']}")
    console.print(f"ground: {data['ground']} ({data['ground_reason']})")
    for name, reason in data["drives"].items():
        console.print(f"drive {name}: {reason}")
    table = Table("parts", "joint", "sure", "taken", "why", "or")
    for p in sorted(data["proposals"], key=lambda p: (not p["accepted"], -p["confidence"])):
        taken = "yes" if p["accepted"] else "no"
        reason = p["reason"] if p["accepted"] else p["why"]
        others = ", ".join(p["alternatives"])
        table.add_row(
            " - ".join(p["parts"]), p["kind"], f"{p['confidence']:.2f}", taken, reason, others
        )
    console.print(table)
