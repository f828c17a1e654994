"""Draw a STEP file: a quick look at parts and assemblies, no window and no graphics card needed.

    python scripts/look.py FILE.step -o x.png           seen from the corner
    python scripts/look.py FOLDER -o x.png --view top   the STEP files in a folder
    python scripts/look.py FILE.step -o x.png --sheet   four views in one picture

Run it with the Python of the environment that scripts/start.py makes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from cad2mbs.cad.load import read
from cad2mbs.errors import InputError
from cad2mbs.pictures.camera import VIEWS, View
from cad2mbs.pictures.item import items_of
from cad2mbs.pictures.render import picture, save_png

SHEET = (("iso", "front"), ("top", "right"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="STEP file, or a folder with STEP files")
    parser.add_argument("-o", "--out", type=Path, default=Path("look.png"))
    parser.add_argument("--view", default="iso", help=f"{', '.join(VIEWS)}, or azimuth,elevation")
    parser.add_argument("--size", default="1000x750", help="width x height in px")
    parser.add_argument("--up", default="z", choices=("x", "y", "z"))
    parser.add_argument("--dark", action="store_true", help="dark background")
    parser.add_argument("--flat", action="store_true", help="orthographic")
    parser.add_argument("--no-edges", action="store_true")
    parser.add_argument("--sheet", action="store_true", help="four views in one picture")
    args = parser.parse_args()
    try:
        look(args)
    except InputError as error:
        raise SystemExit(str(error)) from None


def look(args: argparse.Namespace) -> None:
    """Read, draw, write, and say what was drawn."""
    files = step_files(args.source)
    items = [item for file in files for item in items_of(read(file))]
    if not items:
        raise SystemExit(f"error: {', '.join(map(str, files))}: no solids found, nothing to draw")
    width, height = (int(v) for v in args.size.split("x"))
    options = {"dark": args.dark, "edges": not args.no_edges, "up": args.up, "samples": 3}
    if args.sheet:
        half = (width // 2, height // 2)
        views = [
            [picture(items, size=half, view=v, perspective=v == "iso", **options) for v in row]
            for row in SHEET
        ]
        image = np.vstack([np.hstack(row) for row in views])
    else:
        image = picture(
            items,
            size=(width, height),
            view=direction(args.view),
            perspective=not args.flat,
            **options,
        )
    save_png(args.out, image)
    triangles = sum(len(item.mesh.triangles) for item in items)
    print(f"{args.out}: {len(items)} parts, {triangles} triangles")


def direction(text: str) -> View:
    """A named view, or azimuth and elevation [deg] written as two numbers."""
    try:
        azimuth, elevation = (float(angle) for angle in text.split(","))
    except ValueError:
        return text
    return azimuth, elevation


def step_files(source: Path) -> list[Path]:
    """The file itself, or the STEP files of a folder."""
    if source.is_file():
        return [source]
    files = sorted(p for p in source.glob("*") if p.suffix.lower() in (".step", ".stp"))
    if not files:
        raise SystemExit(f"error: {source}: no STEP file found; a .step file or its folder wanted")
    return files


if __name__ == "__main__":
    main()
