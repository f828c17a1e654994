"""Set up the project and open the page on the radial engine: turn its crank, drag a piston.

    python3 scripts/start.py                everything; Ctrl-C ends it
    python3 scripts/start.py --no-browser   only print the address of the page
    python3 scripts/start.py --setup-only   only install and compile

Needs Python 3.11 or newer and nothing else; works on Linux, macOS and Windows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import _system
import _venv

SOURCE = "assemblies/radial_engine"


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    _venv.prepare()
    _system.prepare(_system.KERNEL)
    cad2mbs = _venv.tool("cad2mbs")
    told = f"The program is {cad2mbs}; '{cad2mbs.name} --help' tells what it can do."
    if (code := step(cad2mbs, ["compile"])) != 0:
        return code
    if options.setup_only:
        _venv.say(f"\nReady. {told}")
        return 0
    _venv.say(told)
    return step(cad2mbs, ["view", SOURCE, *(["--no-browser"] if options.no_browser else [])])


def step(cad2mbs: Path, arguments: Sequence[str]) -> int:
    """Run one command of the program; tell where it fails."""
    _venv.say(f"\n> cad2mbs {' '.join(arguments)}")
    try:
        code = _venv.call([cad2mbs, *arguments])
    except KeyboardInterrupt:  # the program got it too, and has ended
        return 0 if arguments[0] == "view" else _venv.INTERRUPTED
    if code != 0:
        _venv.say(f"error: 'cad2mbs {arguments[0]}' ended with exit code {code}; see above.")
    return code


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="start.py", description=__doc__.splitlines()[0])
    result.add_argument(
        "--setup-only", action="store_true", help="install and compile, open no page"
    )
    result.add_argument(
        "--no-browser", action="store_true", help="print the address, open no browser"
    )
    return result


if __name__ == "__main__":
    _venv.run_main(main)
