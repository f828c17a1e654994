"""What can go wrong, in the words the user reads.

Three roads (docs/errors.md): wrong input is a list of `Diagnostic`s carried by one `InputError`;
numbers that do not work out are a `Status` in a result; our own mistakes are asserts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real


@dataclass(frozen=True)
class Diagnostic:
    """One finding about the input: where, what was found, what was wanted, what to do."""

    message: str
    file: str = ""
    line: int | None = None
    severity: str = "error"

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line is not None else self.file
        return (
            f"{where}: {self.severity}: {self.message}"
            if where
            else f"{self.severity}: {self.message}"
        )


class Cad2mbsError(Exception):
    """Base of all errors a user can cause; the command line prints them without a traceback."""

    exit_code = 2


class InputError(Cad2mbsError):
    """The input is wrong; `diagnostics` holds every finding of the run, in file order."""

    def __init__(self, diagnostics: list[Diagnostic] | str):
        if isinstance(diagnostics, str):
            diagnostics = [Diagnostic(diagnostics)]
        self.diagnostics = diagnostics
        super().__init__("\n".join(str(d) for d in diagnostics))


class MechanismError(Cad2mbsError):
    """The input is fine but the mechanism says no: conflict, lock-up, out of reach."""

    exit_code = 1


def require_finite(what: str, value: object) -> None:
    """InputError unless the value is a finite number."""
    if not isinstance(value, Real) or not math.isfinite(value):
        raise InputError(f"{what}: {value!r} found, a finite number wanted")
