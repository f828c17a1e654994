"""Set up the project and run every check: ruff, formatting, pyright, the page, pytest.

    python3 scripts/test.py                     everything, tests on two processes
    python3 scripts/test.py -n 0 -k four_bar    extra arguments go to pytest

All steps run even when one fails; the exit code is that of the first step that failed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import _system
import _venv


def main(arguments: Sequence[str]) -> int:
    if any(a in ("-h", "--help") for a in arguments):
        _venv.say(__doc__.strip())
        return 0
    _venv.prepare(["dev"])
    _system.prepare(_system.KERNEL, _system.BROWSER)
    results = [(name, *timed(command)) for name, command in steps(arguments)]
    _venv.say("\n" + summary(results))
    return next((code for _, code, _ in results if code != 0), 0)


def steps(arguments: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The checks in order, each with the arguments of Python."""
    return [
        ("ruff check", ["-m", "ruff", "check", "."]),
        ("ruff format", ["-m", "ruff", "format", "--check", "."]),
        ("pyright", ["-m", "pyright"]),
        ("page", ["scripts/make_page.py", "--check"]),
        ("pytest", ["-m", "pytest", *workers(arguments), *arguments]),
    ]


def workers(arguments: Sequence[str]) -> list[str]:
    """Two processes, unless the user says how many or switches the plugin off."""
    for i, argument in enumerate(arguments):
        if argument.startswith(("-n", "--numprocesses", "--dist", "--pdb")):
            return []
        # Both spellings: `-pno:xdist` and `-p no:xdist`.
        before = arguments[i - 1] if i else ""
        if argument.startswith("-pno:xdist") or (before == "-p" and argument == "no:xdist"):
            return []
    return ["-n", "2"]


def timed(command: list[str]) -> tuple[int, float]:
    """Run a step; return its exit code and how long it took [s]."""
    _venv.say(f"\n> python {' '.join(command)}")
    # No window may open during tests, and the tools need not look for newer versions.
    env = {**os.environ, "MPLBACKEND": "Agg", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    start = time.monotonic()
    code = _venv.call([_venv.PYTHON, *command], env=env)
    return code, time.monotonic() - start


def summary(results: Sequence[tuple[str, int, float]]) -> str:
    """One line a step and a last line with the verdict."""
    lines = ["Summary"]
    for name, code, seconds in results:
        verdict = "ok" if code == 0 else f"FAILED (exit code {code})"
        lines.append(f"  {name:<12} {verdict:<24} {seconds:7.1f} s")
    failed = [name for name, code, _ in results if code != 0]
    lines.append(f"FAILED: {', '.join(failed)}" if failed else "All checks passed.")
    return "\n".join(lines)


if __name__ == "__main__":
    _venv.run_main(main)
