"""Commands about geometry: parts, features, mass."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cad2mbs.cli import common
from cad2mbs.cli.common import AsJson, Formulation, Source, app, guarded, put
from cad2mbs.errors import Diagnostic, InputError

if TYPE_CHECKING:
    from cad2mbs.model.assembly import Assembly, Part
    from cad2mbs.model.solid import Solid


@app.command()
@guarded
def parts(source: Source, as_json: AsJson = False) -> None:
    """Show the tree of parts: names, how often each solid is used, size, mass, colour.

    \b
    Examples:
      cad2mbs parts gearbox.step
      cad2mbs parts radial_engine --json
    """
    from cad2mbs import report_cad
    from cad2mbs.io.source import STEP_ENDINGS, find, load
    from cad2mbs.report import plain

    place = find(source)
    with common.busy("reading the CAD file"):
        if place.suffix.lower() in STEP_ENDINGS:
            from cad2mbs.cad.load import read
            from cad2mbs.io.step_source import assembly

            document = read(place)
            data = report_cad.tree(document, assembly(document, place.stem, str(place)))
        else:
            data = report_cad.flat(load(place))
    put(plain(data), as_json, report_cad.show_tree)


@app.command()
@guarded
def features(
    source: Source,
    part: Annotated[
        str | None,
        typer.Argument(metavar="[PART]", help="Name of a part; may be left out if there is one."),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", help="Only these: hole, pin, plane, sphere, cone, torus, circle."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the faces and round edges of a part, each with a selector for the mates file.

    Lengths are in the unit of the mates file, of a STEP file in mm.

    \b
    Examples:
      cad2mbs features gearbox.step housing
      cad2mbs features radial_engine crank --kind pin
    """
    from cad2mbs import report_cad
    from cad2mbs.report import plain

    if kind is not None and kind not in report_cad.KIND_ORDER:
        from cad2mbs.wording import did_you_mean, listed

        near = did_you_mean(kind, report_cad.KIND_ORDER)
        raise InputError(f"--kind {kind!r} is no kind{near} {listed(report_cad.KIND_ORDER)}")
    with common.busy("reading the CAD file"):
        name, solid, unit = one_solid(source, part)
    data = report_cad.features(name, solid, unit, kind)
    put(plain(data), as_json, report_cad.show_features)


@app.command()
@guarded
def mass(source: Source, as_json: AsJson = False) -> None:
    """Weigh every part and every rigid body: mass, centre, inertia, and who stated the density.

    \b
    Examples:
      cad2mbs mass radial_engine
      cad2mbs mass gearbox.step --json
    """
    from cad2mbs import report_cad
    from cad2mbs.report import plain

    m = common.mechanism(source, Formulation.MIXED)
    put(plain(report_cad.weights(m)), as_json, report_cad.show_weights)


def one_solid(source: str, name: str | None) -> tuple[str, Solid, str]:
    """The solid that is meant, with its name and the unit to tell lengths in.

    In a STEP file also by path or by a group that has just one.
    """
    from cad2mbs.io.source import STEP_ENDINGS, find, load

    place = find(source)
    if name is not None and place.suffix.lower() in STEP_ENDINGS:
        from cad2mbs.cad.load import read

        document = read(place)
        group = document.named(name)
        if len({leaf.solid for leaf in group}) == 1:
            return "/".join(group[0].path), document.solids[group[0].solid], "mm"
        if group:
            from cad2mbs.wording import listed, quoted

            choices = listed(["/".join(leaf.path) for leaf in group], 40)
            text = f"{quoted(name)} is {len(group)} parts. Give one of: {choices}"
            raise InputError([Diagnostic(text, str(place))])
    assembly = load(source)
    part = one_part(assembly, name)
    assert part.solid is not None
    return part.name, part.solid, assembly.units.length


def one_part(assembly: Assembly, name: str | None) -> Part:
    """The part with geometry that is meant; InputError with the choices if it is not clear."""
    from cad2mbs.wording import did_you_mean, listed, quoted

    shaped = {n: p for n, p in assembly.parts.items() if p.solid is not None}
    place = str(Path(assembly.source))
    if name is None and len(shaped) == 1:
        return next(iter(shaped.values()))
    if not shaped:
        raise InputError([Diagnostic("no part has geometry; state a CAD file with 'cad:'", place)])
    if name is None:
        raise InputError([Diagnostic(f"which part? Give one of: {listed(shaped, 40)}", place)])
    if name not in shaped:
        why = "has no geometry" if name in assembly.parts else "is not there"
        text = f"part {quoted(name)} {why}{did_you_mean(name, shaped)} Parts: {listed(shaped, 40)}"
        raise InputError([Diagnostic(text, place)])
    return shaped[name]
