"""What all commands share: arguments read, errors turned into exit codes, tables printed."""

from __future__ import annotations

import functools
import json
import math
import os
import sys
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
        help="A mates file, a folder with assembly.yaml, a STEP, .FCStd or .asmt file, "
        "or a shipped name.",
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
    from cad2mbs import starting
    from cad2mbs.io.source import load
    from cad2mbs.model.check import check

    assembly = load(source)
    for finding in check(assembly):
        if finding.severity == "warning":
            say(str(finding))
    for note in assembly.acting().notes:
        say(f"note: {note}")
    m = assembly.mechanism(formulation.value)
    for note in starting.notes(m):
        say(f"note: {note}")
    return m


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
