"""Draw the moving picture of the README: the radial engine through one turn of its crank.

    python scripts/make_picture.py                 writes docs/radial_engine.gif
    python scripts/make_picture.py --out FILE.gif  writes another file

Run it with the Python of the environment that scripts/start.py makes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import cad2mbs
from cad2mbs.pictures.moving import frames
from cad2mbs.pictures.render import animation

ROOT = Path(__file__).resolve().parent.parent
FRAMES = 36
SIZE = (420, 380)
VIEW = (25.0, 58.0)  # azimuth, elevation [deg]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "radial_engine.gif")
    out = parser.parse_args().out
    assembly = cad2mbs.load("radial_engine")
    result = assembly.mechanism().sweep({"crank": np.linspace(0.0, 360.0, FRAMES + 1)[:-1]})
    if not result.ok:
        raise SystemExit(f"error: {result.status}")
    animation(frames(assembly, result, SIZE, VIEW, glass=["housing"], samples=3), out, fps=18)
    print(f"{out}: {out.stat().st_size // 1024} kB, {FRAMES} frames")


if __name__ == "__main__":
    main()
