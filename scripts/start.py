"""Set up the project and run the radial engine: structure, one turn of the crank, table, picture.

    python3 scripts/start.py                everything
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
TABLE = "out/radial_engine.csv"
PICTURE = "out/radial_engine.png"


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    _venv.prepare()
    _system.prepare()
    cad2mbs = _venv.tool("cad2mbs")
    steps = [["compile"]]
    if not options.setup_only:
        (_venv.ROOT / "out").mkdir(exist_ok=True)
        sweep = ["sweep", SOURCE, "--drive", "crank=0:360:500", "-o", TABLE, "--plot", PICTURE]
        sweep.append("--force")  # the files of the last run of this script
        steps += [["inspect", SOURCE], sweep]
    for step in steps:
        _venv.say(f"\n> cad2mbs {' '.join(step)}")
        code = _venv.call([cad2mbs, *step])
        if code != 0:
            _venv.say(f"error: 'cad2mbs {step[0]}' ended with exit code {code}; see above.")
            return code
    if options.setup_only:
        _venv.say("\nReady.")
    else:
        _venv.say(f"\nDone. Table: {TABLE}   Picture: {PICTURE}")
    _venv.say(f"The program is {cad2mbs}; '{cad2mbs.name} --help' tells what it can do.")
    return 0


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="start.py", description=__doc__.splitlines()[0])
    result.add_argument(
        "--setup-only", action="store_true", help="install and compile, run no example"
    )
    return result


if __name__ == "__main__":
    _venv.run_main(main)
