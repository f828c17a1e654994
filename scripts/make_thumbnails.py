"""Draw the small pictures of the gallery: assemblies/NAME/thumbnail.png, 320 x 240.

    python scripts/make_thumbnails.py              all shipped assemblies
    python scripts/make_thumbnails.py four_bar     only these
    python scripts/make_thumbnails.py --out DIR    into another folder, as NAME.png

Run it with the Python of the environment that scripts/start.py makes. An assembly without shapes
gets no picture.
"""

from __future__ import annotations

import argparse
import io
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

import cad2mbs
from cad2mbs.io.source import SHIPPED, shipped
from cad2mbs.pictures.camera import View
from cad2mbs.pictures.item import items_of
from cad2mbs.pictures.moving import see_through
from cad2mbs.pictures.render import picture
from cad2mbs.results import write_whole
from cad2mbs.viewer.gallery import THUMBNAIL

SIZE = (320, 240)
LARGEST = 25_000  # bytes
COLOURS = 128  # of the palette


@dataclass(frozen=True)
class Shot:
    """How an assembly looks its best: from where, at which drive values, through which parts."""

    view: View = "iso"
    up: str = "z"
    drive: dict[str, float] = field(default_factory=dict)
    glass: tuple[str, ...] = ()


UPRIGHT = Shot(view=(35.0, 22.0), up="y")  # built in the x-y plane, with y upwards
ENGINE = Shot(view=(25.0, 55.0), drive={"crank": 40.0}, glass=("housing",))
SHOTS = {
    "double_rocker": UPRIGHT,
    "four_bar": Shot(view=(35.0, 22.0), up="y", drive={"crank": 60.0}),
    "four_bar_chain": UPRIGHT,
    "jansen_leg": UPRIGHT,
    "over_redundant": UPRIGHT,
    "radial_engine": ENGINE,
    "radial_engine_1": ENGINE,
    "radial_engine_2": ENGINE,
    "radial_engine_3": ENGINE,
    "scissor_lift": UPRIGHT,
    "single_cylinder_engine": ENGINE,
    "toggle_clamp": UPRIGHT,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="assemblies; default: all")
    parser.add_argument("--out", type=Path, help="another folder")
    options = parser.parse_args()
    total = 0
    for name in options.names or shipped():
        data = thumbnail(name)
        if data is None:
            print(f"{name}: no shapes")
            continue
        place = SHIPPED / name / THUMBNAIL if options.out is None else options.out / f"{name}.png"
        write_whole(place, lambda file, data=data: file.write(data), binary=True)
        total += len(data)
        print(f"{name}: {len(data) / 1000:.1f} kB")
    print(f"{total / 1000:.0f} kB in all")


def thumbnail(name: str) -> bytes | None:
    """The picture as PNG; None where there is nothing to draw."""
    shot = SHOTS.get(name, Shot())
    m = cad2mbs.load(name).mechanism()
    if shot.drive and not (solved := m.drive(shot.drive)).ok:
        raise SystemExit(f"error: {name}: {solved.status}")
    items = items_of(m)
    if not items:
        return None
    items = see_through(items, shot.glass)
    drawn = picture(items, size=SIZE, view=shot.view, up=shot.up, samples=3)
    data = palette_png(drawn)
    if len(data) > LARGEST:
        raise SystemExit(f"error: {name}: {len(data)} bytes, at most {LARGEST} wanted")
    return data


def palette_png(pixels: np.ndarray) -> bytes:
    """The picture as a PNG of few colours, a third of the size of one with all."""
    few = Image.fromarray(pixels).quantize(COLOURS, Image.Quantize.MEDIANCUT)
    stream = io.BytesIO()
    few.save(stream, "PNG", optimize=True)
    return stream.getvalue()


if __name__ == "__main__":
    main()
