"""The command line: arguments in, exit code out, no engineering inside.

Exit codes: 0 fine, 1 the mechanism says no, 2 bad input, 70 our own mistake, 130 interrupted.
Everything heavy is imported inside the commands, so that `--help` comes at once.
"""

from __future__ import annotations

import functools
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cad2mbs.errors import Cad2mbsError, Diagnostic, InputError

if TYPE_CHECKING:
    import numpy as np
    from rich.console import Console

    from cad2mbs.mechanism import Mechanism
    from cad2mbs.results import SweepResult

SAYS_NO = 1
OUR_MISTAKE = 70  # EX_SOFTWARE of sysexits.h
READER_GONE = 141  # what a shell reports for a program whose reader, such as head, has closed
INTERRUPTED = 130
MOST_POSITIONS = 10_000_000
PIPED_WIDTH = 140  # columns of a table that goes to a file or another program
TABLE_ENDINGS = (".csv",)
PICTURE_ENDINGS = (".png", ".svg", ".pdf")


class Formulation(StrEnum):
    MIXED = "mixed"
    IMPLICIT = "implicit"
    EXPLICIT = "explicit"


Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A mates file, a folder with assembly.yaml, an .asmt file, or a shipped name.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Form = Annotated[Formulation, typer.Option("--formulation", help="How the equations are set up.")]
Cross = Annotated[bool, typer.Option("--cross", help="Allow passing dead points.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]

app = typer.Typer(
    name="cad2mbs",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line and exit with its code."""
    app()


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with every way to fail turned into a message and an exit code."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except Cad2mbsError as error:
            say(str(error) if isinstance(error, InputError) else f"error: {error}")
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            say("stopped.")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the rest goes nowhere
            raise typer.Exit(READER_GONE) from None
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            say(f"error: {place}{error.strerror or error}")
            raise typer.Exit(InputError.exit_code) from None
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            if debugging():
                raise
            text = " ".join(str(error).split())
            say(
                f"error: a mistake inside cad2mbs, {type(error).__name__}: {text} "
                "(set CAD2MBS_DEBUG=1 or pass --debug to see where)"
            )
            raise typer.Exit(OUR_MISTAKE) from None

    return run


def show_version(wanted: bool) -> None:
    if wanted:
        import cad2mbs

        print(f"cad2mbs {cad2mbs.__version__}")
        raise typer.Exit


@app.callback()
def program(
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error arose.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True),
    ] = False,
) -> None:
    """From parts and mates to a mechanism, and from a drive value to every part's position.

    Exit codes: 0 fine, 1 the mechanism says no (conflict, lock-up, out of reach), 2 bad input.
    """
    _debug["on"] = debug


_debug = {"on": False}


def debugging() -> bool:
    return _debug["on"] or os.environ.get("CAD2MBS_DEBUG", "") not in ("", "0")


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

    m = mechanism(source, formulation)
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
    as_json: AsJson = False,
    formulation: Form = Formulation.MIXED,
    cross: Cross = False,
) -> None:
    """Move the drives to the given values and print where every part is.

    \b
    Examples:
      cad2mbs solve four_bar --drive crank=75
      cad2mbs solve stewart -d leg_1=410 -d leg_2=405 --json
    """
    from cad2mbs import report

    wanted = read_values(drive or [])
    m = mechanism(source, formulation)
    require_drives(m, wanted)
    solved = m.drive(wanted, cross=True) if cross else m.drive(wanted)
    put(report.plain(report.solution(m, solved)), as_json, report.show_solution)
    if not solved.ok:
        raise typer.Exit(SAYS_NO)


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
    m = mechanism(source, formulation)
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

    m = mechanism(source, formulation)
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
    say("Compiling the numerical kernels (once; up to half a minute) ...")
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
    say(f"Ready after {time.monotonic() - start:.1f} s.")


# ---------------------------------------------------------------- reading arguments


def read_values(texts: Sequence[str]) -> dict[str, float]:
    """NAME=VALUE arguments by name; every mistake is told in one go."""
    return read_arguments(texts, "NAME=VALUE", number)


def read_ranges(texts: Sequence[str]) -> dict[str, np.ndarray]:
    """NAME=START:STOP:COUNT arguments as arrays of equal length, by name."""
    ranges = read_arguments(texts, "NAME=START:STOP:COUNT", number_range)
    counts = {name: len(values) for name, values in ranges.items()}
    if len(set(counts.values())) > 1:
        shown = ", ".join(f"{name}: {count}" for name, count in counts.items())
        raise InputError(f"drives move together, so all need the same COUNT; found {shown}")
    if all(values[0] == values[-1] for values in ranges.values()):
        raise InputError("the range is empty: START and STOP are equal for every drive")
    return ranges


def read_arguments(texts: Sequence[str], form: str, read: Callable[[str], Any]) -> dict[str, Any]:
    """Arguments NAME=REST by name, REST read by `read`, which raises ValueError with a reason."""
    from cad2mbs.wording import quoted

    found: dict[str, Any] = {}
    wrong: list[Diagnostic] = []
    for text in texts:
        name, equals, rest = text.rpartition("=")
        name = name.strip()
        if not equals or not name:
            wrong.append(Diagnostic(f"--drive {quoted(text)}: wanted {form}"))
            continue
        if name in found:
            wrong.append(Diagnostic(f"--drive {quoted(name)} is given twice; once wanted"))
            continue
        try:
            found[name] = read(rest)
        except ValueError as error:
            wrong.append(Diagnostic(f"--drive {quoted(text)}: {error}; wanted {form}"))
    if wrong:
        raise InputError(wrong)
    return found


def number(text: str) -> float:
    from cad2mbs.wording import quoted

    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{quoted(text)} is no number") from None
    if not math.isfinite(value):
        raise ValueError(f"{quoted(text)} is not finite")
    return value


def number_range(text: str) -> np.ndarray:
    """START:STOP:COUNT as COUNT equally spaced values, both ends included."""
    from cad2mbs.wording import quoted

    fields = text.split(":")
    if len(fields) != 3:
        raise ValueError(f"{quoted(text)} has {len(fields)} of 3 numbers")
    start, stop = number(fields[0]), number(fields[1])
    try:
        count = int(fields[2])
    except ValueError:
        raise ValueError(f"COUNT {quoted(fields[2])} is no whole number") from None
    if not 2 <= count <= MOST_POSITIONS:
        raise ValueError(f"COUNT {count} is not between 2 and {MOST_POSITIONS}")
    import numpy as np

    return np.linspace(start, stop, count)


# ---------------------------------------------------------------- the mechanism and files


def mechanism(source: str, formulation: Formulation) -> Mechanism:
    from cad2mbs.io.source import load
    from cad2mbs.model.check import check

    assembly = load(source)
    for finding in check(assembly):
        if finding.severity == "warning":
            say(str(finding))
    return assembly.mechanism(formulation.value)


def require_drives(m: Mechanism, wanted: dict[str, Any]) -> None:
    """Refuse names that drive nothing, with the ones that do."""
    from cad2mbs.wording import did_you_mean, listed, quoted

    choices = f"Drives: {listed(m.drives)}" if m.drives else "This mechanism has no drives"
    wrong = [
        Diagnostic(f"no drive {quoted(n)}{did_you_mean(n, m.drives)} {choices}", m.assembly.source)
        for n in wanted
        if n not in m.drives
    ]
    if wrong:
        raise InputError(wrong)


def require_writable(path: Path, endings: Sequence[str], force: bool) -> None:
    """Refuse a file that cannot or must not be written, before any work is done."""
    if path.suffix.lower() not in endings:
        raise InputError(
            [Diagnostic(f"wanted a name that ends in {' or '.join(endings)}", str(path))]
        )
    if path.is_dir():
        raise InputError([Diagnostic("found a folder, wanted a file", str(path))])
    if not path.parent.is_dir():
        raise InputError(
            [Diagnostic(f"there is no folder {path.parent}; make it first", str(path))]
        )
    if path.exists() and not force:
        raise InputError([Diagnostic("the file exists; --force replaces it", str(path))])


@contextmanager
def writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError([Diagnostic(f"cannot write: {reason}", str(path))]) from None


# ---------------------------------------------------------------- talking


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def put(data: Any, as_json: bool, show: Callable[[Console, Any], None]) -> None:
    """Print the data, as JSON or through its table."""
    if as_json:
        print(json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False))
        return
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # else rich exits with 1, which means "the mechanism says no"

    # No markup: a part may be called "[bold]".
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    show(Output(markup=False, highlight=False, width=width), data)
    sys.stdout.flush()


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr that is gone when done; call what it yields with (done, total)."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(escape(title), total=total)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def busy(title: str) -> Iterator[None]:
    """A moving sign on stderr during work of unknown length."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(title):
        yield
