"""Commands that move the mechanism: inspect, solve, sweep, replay, modes-of-assembly, compile."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cad2mbs.cli import common
from cad2mbs.cli.common import (
    PICTURE_ENDINGS,
    SAYS_NO,
    TABLE_ENDINGS,
    AsJson,
    Cross,
    Force,
    Form,
    Formulation,
    Source,
    app,
    busy,
    guarded,
    progress_bar,
    put,
    read_ranges,
    read_values,
    require_drives,
    require_writable,
    say,
    writing,
)
from cad2mbs.errors import Diagnostic, InputError

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism
    from cad2mbs.results import SweepResult


@app.command()
@guarded
def inspect(source: Source, as_json: AsJson = False, formulation: Form = Formulation.MIXED) -> None:
    """Tell what the mates make: bodies, joints, freedoms, and a verdict on every mate.

    \b
    Examples:
      cad2mbs inspect radial_engine
      cad2mbs inspect my/assembly.yaml --json
    """
    from cad2mbs import report

    m = common.mechanism(source, formulation)
    data = report.plain(report.structure(m))
    put(data, as_json, report.show_structure)
    if not m.assembled or m.conflict:
        raise typer.Exit(SAYS_NO)


@app.command()
@guarded
def solve(
    source: Source,
    drive: Annotated[
        list[str] | None,
        typer.Option("--drive", "-d", metavar="NAME=VALUE", help="Drive value; may be repeated."),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position",
            "-p",
            metavar="NAME",
            help="A named position of the mates file; --drive changes single values of it.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
    formulation: Form = Formulation.MIXED,
    cross: Cross = False,
) -> None:
    """Move the drives to the given values and print where every part is.

    \b
    Examples:
      cad2mbs solve four_bar --drive crank=75
      cad2mbs solve stewart -d leg_1=410 -d leg_2=405 --json
      cad2mbs solve excavator --position folded
    """
    from cad2mbs import report

    values = read_values(drive or [])
    m = common.mechanism(source, formulation)
    wanted = {**named_position(m, position), **values}
    require_drives(m, wanted)
    solved = m.drive(wanted, cross=True) if cross else m.drive(wanted)
    put(report.plain(report.solution(m, solved)), as_json, report.show_solution)
    if not solved.ok:
        raise typer.Exit(SAYS_NO)


def named_position(m: Mechanism, name: str | None) -> dict[str, float]:
    """Drive values of a named position; none for no name."""
    if name is None:
        return {}
    positions = m.assembly.positions
    if name not in positions:
        from cad2mbs.wording import did_you_mean, quoted, titled

        raise InputError(
            [
                Diagnostic(
                    f"no position {quoted(name)}{did_you_mean(name, positions)} "
                    + titled("Positions", positions),
                    m.assembly.source,
                )
            ]
        )
    return dict(positions[name])


@app.command()
@guarded
def sweep(
    source: Source,
    drive: Annotated[
        list[str],
        typer.Option(
            "--drive",
            "-d",
            metavar="NAME=START:STOP:COUNT",
            help="Range of a drive, both ends included, COUNT at least 2; several move together.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.csv", help="The table to write.")
    ],
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE.png", help="A picture to draw (png, svg, pdf)."),
    ] = None,
    as_json: AsJson = False,
    formulation: Form = Formulation.MIXED,
    cross: Cross = False,
    force: Force = False,
) -> None:
    """Move drives through ranges and write a table, and a picture if wanted.

    Where the mechanism stops, the rows up to there are written and the exit code is 1.

    \b
    Examples:
      cad2mbs sweep four_bar --drive crank=0:360:361 -o four_bar.csv
      cad2mbs sweep radial_engine -d crank=0:720:500 -o r.csv --plot r.png --force
    """
    from cad2mbs import report

    ranges = read_ranges(drive)
    require_writable(output, TABLE_ENDINGS, force)
    if plot is not None:
        require_writable(plot, PICTURE_ENDINGS, force)
    m = common.mechanism(source, formulation)
    require_drives(m, ranges)
    count = len(next(iter(ranges.values())))
    with progress_bar(f"sweeping {m.name}", count) as progress:
        result = m.sweep(ranges, cross=cross, progress=progress)
    files = write_swept(result, output, plot) if len(result) else {}
    put(report.plain(report.swept(result, files)), as_json, report.show_swept)
    if not result.ok:
        raise typer.Exit(SAYS_NO)


def write_swept(result: SweepResult, output: Path, plot: Path | None) -> dict[str, str]:
    """Write the table, and the picture if one is wanted; return what was written."""
    files = {"table": str(output)}
    with writing(output):
        result.to_csv(output)
    if plot is not None:
        with writing(plot):
            result.plot(plot)
        files["picture"] = str(plot)
    return files


@app.command()
@guarded
def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.asmt", help="An Ondsel model.", show_default=False)
    ],
    tol: Annotated[
        float, typer.Option("--tol", help="Largest difference allowed, per model size.")
    ] = 1e-6,
    as_json: AsJson = False,
) -> None:
    """Solve every stored instant of an .asmt model again and compare with its stored result.

    The file must hold one: the result series that its own solver appended.

    \b
    Examples:
      cad2mbs replay model.asmt
      cad2mbs replay model.asmt --tol 1e-8 --json
    """
    from cad2mbs import report

    if not (math.isfinite(tol) and tol > 0):
        raise InputError(f"--tol {tol} found, a number above 0 wanted")
    if file.suffix.lower() != ".asmt":
        raise InputError(
            [Diagnostic("wanted an .asmt file; only those hold stored results", str(file))]
        )
    if not file.is_file():
        raise InputError([Diagnostic("there is no such file", str(file))])
    from cad2mbs.replay import replay as run

    done = run(file)
    ok = bool(done.ok) and done.largest_relative <= tol
    put(report.plain(report.replayed(done, tol, ok)), as_json, report.show_replayed)
    if not ok:
        raise typer.Exit(SAYS_NO)


@app.command(name="modes-of-assembly")
@guarded
def modes_of_assembly(
    source: Source,
    starts: Annotated[
        int | None,
        typer.Option(
            "--starts", min=1, help="At most so many starting points.", show_default=False
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the starting points.")] = 0,
    as_json: AsJson = False,
    formulation: Form = Formulation.MIXED,
) -> None:
    """Find the different ways in which the parts fit together at the present drive values.

    \b
    Examples:
      cad2mbs modes-of-assembly four_bar
      cad2mbs modes-of-assembly dietmaier --json
    """
    from cad2mbs import report

    m = common.mechanism(source, formulation)
    options = {} if starts is None else {"max_starts": starts}
    with busy("looking for assembly modes"):
        found = m.modes(seed=seed, **options)
    put(report.plain(report.modes(m, found)), as_json, report.show_modes)
    if not found:
        raise typer.Exit(SAYS_NO)


@app.command(name="compile")
@guarded
def compile_kernels() -> None:
    """Compile the numerical kernels now, so that later commands start at once.

    \b
    Example:
      cad2mbs compile
    """
    say("Compiling the numerical kernels (once; up to a minute) ...")
    start = time.monotonic()
    from cad2mbs.library import four_bar

    m = four_bar().mechanism()
    name = next(iter(m.drives))
    at = m.drives[name].value or 0.0
    m.drive({name: at + 1.0})
    import numpy as np

    swept = m.sweep({name: np.linspace(at + 1.0, at, 3)})
    m.rates({name: 1.0})
    _ = m.poses, m.joint_coordinates, swept.values
    from cad2mbs.curves import curves
    from cad2mbs.pulling import Pull

    curves(m, name, [name])
    Pull(m, list(m.assembly.parts)[-1], (1.0, 0.0, 0.0)).to((0.0, 0.0, 0.0))
    say(f"Ready after {time.monotonic() - start:.1f} s.")
