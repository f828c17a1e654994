"""Draw the moving picture of the README: the radial engine through one turn of its crank.

    python scripts/make_picture.py                 writes docs/radial_engine.gif
    python scripts/make_picture.py --out FILE.gif  writes another file

Run it with the Python of the environment that scripts/start.py makes. It calls `cad2mbs render`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from cad2mbs.cli import app

ROOT = Path(__file__).resolve().parent.parent
FRAMES = 36  # the last one stands right before the first, so that the turn goes on
LAST = 360.0 - 360.0 / FRAMES  # [deg]
LOOK = ["--size", "420x380", "--view", "25,58", "--glass", "housing", "--fps", "18"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "radial_engine.gif")
    out = parser.parse_args().out
    motion = ["-d", f"crank=0:{LAST:g}:{FRAMES}"]
    app(["render", "radial_engine", "-o", str(out), *motion, *LOOK, "--force"], "cad2mbs")


if __name__ == "__main__":
    main()
