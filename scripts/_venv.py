"""The project's virtual environment: made when missing, reused while pyproject.toml is unchanged.

Standard library only, and old syntax: this file runs before anything is installed, and on an
old Python it must get far enough to say that it is too old.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
MARKER = VENV / "cad2mbs-setup.json"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
EXE = ".exe" if os.name == "nt" else ""
PYTHON = BIN / ("python" + EXE)
OLDEST = (3, 11)
INTERRUPTED = 130  # what a shell reports for a program stopped by Ctrl-C


class SetupError(Exception):
    """Set-up cannot go on; the text tells the user what to do, `code` is the exit code."""

    def __init__(self, message: str, code: int = 1):
        super().__init__(message)
        self.code = code


def say(text: str) -> None:
    """Print a line at once, so that it stands before the output of the next command."""
    print(text, flush=True)


def run_main(main: Callable[[Sequence[str]], int]) -> None:
    """Run a script's main and exit with its code; Ctrl-C and set-up errors end in one line."""
    try:
        code = main(sys.argv[1:])
    except SetupError as error:
        say(f"error: {error}")
        code = error.code
    except KeyboardInterrupt:
        say("\nstopped.")
        code = INTERRUPTED
    sys.exit(code)


def call(command: Sequence[str | Path], env: dict[str, str] | None = None) -> int:
    """Run a command in the project root, its output going to the user; return its exit code."""
    return subprocess.run([str(c) for c in command], cwd=ROOT, env=env, check=False).returncode


def tool(name: str) -> Path:
    """The program `name` installed in the virtual environment."""
    return BIN / (name + EXE)


def prepare(extras: Sequence[str] = ()) -> None:
    """Make `.venv` hold the project (editable) with `extras`; does nothing when it already does."""
    require_python()
    if not works():
        make()
    wanted = state(extras)
    have = read_marker()
    if covers(have, wanted):
        return
    known = have.get("extras")
    # What was asked for before stays: setting up to run must not undo setting up to test.
    kept = sorted(set(extras) | set(known if isinstance(known, list) else []))
    target = f".[{','.join(kept)}]" if kept else "."
    say(f"Installing the project and what it needs into {VENV} (once; this takes a few minutes)")
    MARKER.unlink(missing_ok=True)  # an interrupted install must not pass for a finished one
    code = call([PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "-e", target])
    if code != 0:
        raise SetupError(
            "pip could not install the packages (its message is above). Check the network "
            "connection or proxy and run this command again; it goes on where it stopped.",
            code,
        )
    MARKER.write_text(json.dumps(state(kept), indent=1) + "\n", encoding="utf-8")


def require_python() -> None:
    """Stop with a plain sentence when this Python is too old or cannot make environments."""
    if sys.version_info < OLDEST:
        found = ".".join(map(str, sys.version_info[:3]))
        wanted = ".".join(map(str, OLDEST))
        raise SetupError(
            f"cad2mbs needs Python {wanted} or newer, this is {found} ({sys.executable}). "
            "Start the script with a newer one, for example: python3.12 scripts/start.py"
        )
    missing = [m for m in ("venv", "ensurepip") if importlib.util.find_spec(m) is None]
    if missing and not works():
        major, minor = sys.version_info[:2]
        raise SetupError(
            f"this Python has no {' and no '.join(missing)} module, so it cannot make a virtual "
            f"environment. On Debian and Ubuntu: sudo apt install python{major}.{minor}-venv "
            "(or python3-venv); elsewhere install Python from its official package."
        )


def works() -> bool:
    """Whether `.venv` holds a new enough Python that runs and has pip."""
    if not PYTHON.exists():
        return False
    probe = f"import sys, pip; sys.exit(sys.version_info < {OLDEST!r})"
    try:
        result = subprocess.run([str(PYTHON), "-c", probe], capture_output=True, check=False)
    except OSError:  # a copied or half-written environment
        return False
    return result.returncode == 0


def make() -> None:
    """Create `.venv`; one that does not run is emptied first."""
    again = VENV.exists()
    say(f"{'Repairing' if again else 'Creating'} the virtual environment {VENV}")
    code = call([sys.executable, "-m", "venv", *(["--clear"] if again else []), VENV])
    if code != 0 or not works():
        raise SetupError(
            f"could not create the virtual environment {VENV}. Is the disk full or the folder "
            "read-only? On Debian and Ubuntu the package python3-venv must be installed.",
            code or 1,
        )


def state(extras: Sequence[str]) -> dict[str, object]:
    """What decides whether an installation is still good.

    The project's path counts because an editable install points to it.
    """
    text = (ROOT / "pyproject.toml").read_bytes().replace(b"\r\n", b"\n")
    return {
        "pyproject": hashlib.sha256(text).hexdigest(),
        "root": str(ROOT),
        "extras": sorted(extras),
    }


def read_marker() -> dict[str, object]:
    """The state of the last finished installation, empty when there is none."""
    try:
        have = json.loads(MARKER.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return have if isinstance(have, dict) else {}


def covers(have: dict[str, object], wanted: dict[str, object]) -> bool:
    """Whether an installation in state `have` serves where `wanted` is asked for."""
    same = all(have.get(key) == wanted[key] for key in ("pyproject", "root"))
    extras, asked = have.get("extras"), wanted["extras"]
    return (
        same and isinstance(extras, list) and isinstance(asked, list) and set(asked) <= set(extras)
    )
