"""The command that draws: render."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cad2mbs.cli import common
from cad2mbs.cli.common import (
    SAYS_NO,
    Force,
    Formulation,
    Source,
    app,
    guarded,
    progress_bar,
    require_drives,
    require_writable,
    say,
    writing,
)
from cad2mbs.errors import Diagnostic, InputError

if TYPE_CHECKING:
    import numpy as np

    from cad2mbs.mechanism import Mechanism
    from cad2mbs.pictures.camera import View
    from cad2mbs.pictures.follow import Followed
    from cad2mbs.results import SweepResult

STILL, FILMS, GLTF, PAGE = ".png", (".gif", ".mp4"), ".glb", ".html"
ENDINGS = (STILL, *FILMS, GLTF, PAGE)
LARGEST = 8000  # pixels of a side


class Engine(StrEnum):
    OWN = "own"
    PYVISTA = "pyvista"
    AUTO = "auto"


@dataclass(frozen=True)
class Order:
    """What is to be drawn, and how."""

    output: Path
    values: dict[str, float]  # drives that stand
    ranges: dict[str, np.ndarray]  # drives that move
    points: list[Followed]
    glass: list[str]
    fps: float
    look: dict[str, Any]  # size, view, up, dark, perspective, samples, engine

    @property
    def ending(self) -> str:
        return self.output.suffix.lower()


@app.command()
@guarded
def render(
    source: Source,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="What to write: .png, .gif, .mp4, .glb or .html."
        ),
    ],
    drive: Annotated[
        list[str] | None,
        typer.Option(
            "--drive",
            "-d",
            metavar="NAME=...",
            help="VALUE where a drive stands, START:STOP:COUNT where it moves; may be repeated.",
        ),
    ] = None,
    trace: Annotated[
        list[str] | None,
        typer.Option(
            "--trace",
            metavar="PART/REF",
            help="Draw the path of a point through the motion: PART/REF or PART@X,Y,Z; repeatable.",
        ),
    ] = None,
    view: Annotated[
        str,
        typer.Option("--view", help="iso, iso_left, front, top, right ..., or AZIMUTH,ELEVATION."),
    ] = "iso",
    size: Annotated[str, typer.Option("--size", metavar="WxH", help="Size in pixels.")] = "800x600",
    up: Annotated[str, typer.Option("--up", help="Which axis is up: x, y or z.")] = "z",
    glass: Annotated[
        list[str] | None,
        typer.Option("--glass", metavar="PART", help="Draw this part see-through; repeatable."),
    ] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Dark background.")] = False,
    flat: Annotated[bool, typer.Option("--flat", help="Orthographic.")] = False,
    fps: Annotated[float, typer.Option("--fps", min=1, max=60, help="Positions a second.")] = 20.0,
    engine: Annotated[
        Engine,
        typer.Option(
            "--engine", help="own needs nothing; pyvista where it is installed and works."
        ),
    ] = Engine.OWN,
    force: Force = False,
) -> None:
    """Draw the assembly: picture, film, glTF, or a page in one file. Needs no graphics card.

    \b
    .png   one position; with --trace and a range: the position at START
           and the path of the point through the whole range
    .gif   a film, needs a range; several ranges run together
    .mp4   the same, smaller and in full colour (H.264)
    .glb   glTF; with a range, an animation
    .html  a page with sliders to send to somebody: each drive moves alone,
           through its range, or over all it can reach where none is given

    \b
    Points to --trace are references of the mates file, or places X,Y,Z in a
    part, in its unit. Paths are faint where the point is still to go.

    \b
    Examples:
      cad2mbs render excavator -o excavator.png
      cad2mbs render radial_engine -o a.png -d crank=40 --glass housing --dark
      cad2mbs render four_bar -o turn.gif -d crank=0:360:48 --view top
      cad2mbs render four_bar -o a.png -d crank=0:360:181 --trace coupler/b
      cad2mbs render jansen_leg -o leg.mp4 -d crank=0:360:73 --trace lower/foot
      cad2mbs render radial_engine -o engine.glb -d crank=0:360:49
      cad2mbs render radial_engine -o engine.html
      cad2mbs render gearbox.step -o gearbox.glb
    """
    require_writable(output, ENDINGS, force)
    look: dict[str, Any] = {
        "size": read_size(size), "view": read_view(view), "up": read_up(up),
        "dark": dark, "perspective": not flat, "samples": 3, "engine": engine.value,
    }  # fmt: skip
    values, ranges = read_drives(drive or [])
    require_sense(output.suffix.lower(), ranges, bool(trace))
    m = common.mechanism(source, Formulation.MIXED)
    require_drives(m, values | ranges)
    require_shapes(m, glass or [], output.suffix.lower())
    from cad2mbs.pictures.follow import read_points

    points = read_points(m.assembly, trace or [])
    order = Order(output, values, ranges, points, glass or [], fps, look)
    place(m, values)
    if order.ending == PAGE:
        write_page(m, order)
    elif ranges:
        draw_moving(m, order)
    else:
        draw(m, order)


def place(m: Mechanism, values: dict[str, float]) -> None:
    """Move the drives that stand to their values, or end with what stands in the way."""
    if not values:
        return
    solved = m.drive(values)
    if not solved.ok:
        say(f"error: {solved.status}")
        raise typer.Exit(SAYS_NO)


def draw(m: Mechanism, order: Order) -> None:
    """Write a picture or glTF of the mechanism as it is."""
    from cad2mbs.cad.gltf import write_glb
    from cad2mbs.pictures.item import items_of
    from cad2mbs.pictures.moving import see_through, still
    from cad2mbs.pictures.render import save_png

    items = see_through(items_of(m), order.glass)
    with writing(order.output):
        if order.ending == GLTF:
            write_glb(order.output, items, name=m.name)
        else:
            save_png(order.output, still(items, note=say, **order.look))
    say(f"wrote {order.output}")


def draw_moving(m: Mechanism, order: Order) -> None:
    """Write the motion; what was reached is drawn, and exit code 1 tells of a stop."""
    result = m.sweep(order.ranges)
    if not result.ok:
        say(f"note: {result.status}")
    if not len(result):
        raise typer.Exit(SAYS_NO)
    with writing(order.output):
        write_motion(m, result, order)
    say(f"wrote {order.output}")
    if not result.ok:
        raise typer.Exit(SAYS_NO)


def write_motion(m: Mechanism, result: SweepResult, order: Order) -> None:
    """Write a sweep in the way the name of the file asks for."""
    from cad2mbs.cad.gltf import write_glb
    from cad2mbs.pictures import moving
    from cad2mbs.pictures.follow import paths
    from cad2mbs.pictures.render import animation, save_png
    from cad2mbs.pictures.video import video

    assembly = m.assembly
    traces = paths(assembly, result, order.points)
    shown = {"glass": order.glass, "traces": traces, "note": say, **order.look}
    if order.ending == GLTF:
        items = moving.first_items(assembly, result, order.glass)
        motion = moving.motion_of(assembly, result, order.fps)
        write_glb(order.output, items, name=m.name, motion=motion, traces=traces)
    elif order.ending == STILL:
        save_png(order.output, moving.path_picture(assembly, result, **shown))
    else:
        with progress_bar("drawing", len(result)) as progress:
            pictures = moving.frames(assembly, result, progress=progress, **shown)
            if order.ending == ".gif":
                colours = [trace.colour for trace in traces]
                animation(pictures, order.output, order.fps, colours)
            else:
                video(pictures, order.output, order.fps)


def write_page(m: Mechanism, order: Order) -> None:
    """Write the page with the motion of the drives in it."""
    from cad2mbs.viewer.html import filled, write_html
    from cad2mbs.viewer.record import record

    recording = record(m, order.ranges or None, points=order.points, glass=order.glass)
    with writing(order.output):
        size = write_html(order.output, filled(recording, m.name))
    for note in recording["notes"]:
        say(f"note: {note}")
    drives = ", ".join(d["name"] for d in recording["drives"]) or "nothing"
    say(f"wrote {order.output}, {size / 1e6:.1f} MB; it moves {drives}")


def read_drives(texts: list[str]) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """NAME=VALUE and NAME=START:STOP:COUNT arguments: drives that stand, drives that move."""
    moving = [text for text in texts if ":" in text.rpartition("=")[2]]
    standing = [text for text in texts if text not in moving]
    values = common.read_values(standing)
    ranges = common.read_ranges(moving) if moving else {}
    both = [name for name in ranges if name in values]
    if both:
        raise InputError(f"--drive {both[0]!r} is given twice; once wanted")
    return values, ranges


def require_sense(ending: str, ranges: dict[str, np.ndarray], traced: bool) -> None:
    """Refuse a motion where none can be shown, and none where one is needed."""
    wanted = "--drive NAME=START:STOP:COUNT"
    if ending in FILMS and not ranges:
        raise InputError(f"a moving picture needs {wanted}")
    if ending == STILL and ranges and not traced:
        raise InputError(
            "a picture shows one position: give --drive NAME=VALUE, "
            "or --trace PART/REF to draw a path through the range"
        )
    if traced and not ranges and ending != PAGE:
        raise InputError(f"--trace draws the path of a motion and needs {wanted}")


def require_shapes(m: Mechanism, glass: list[str], ending: str) -> None:
    """Refuse to draw what has no shape, and glass that is not there; a page shows sticks then."""
    from cad2mbs.wording import did_you_mean, listed, quoted

    shaped = [n for n, p in m.assembly.parts.items() if p.solid is not None]
    where = m.assembly.source
    if not shaped and ending != PAGE:
        raise InputError([Diagnostic("no part has geometry to draw; state a 'cad:' file", where)])
    wrong = [
        Diagnostic(f"--glass: no part {quoted(n)}{did_you_mean(n, shaped)} {listed(shaped)}", where)
        for n in glass
        if n not in shaped
    ]
    if wrong:
        raise InputError(wrong)


def read_size(text: str) -> tuple[int, int]:
    """WxH in pixels."""
    try:
        width, height = (int(v) for v in text.lower().split("x"))
    except ValueError:
        width = height = 0
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        raise InputError(f"--size {text!r}: wanted WIDTHxHEIGHT up to {LARGEST}, such as 800x600")
    return width, height


def read_view(text: str) -> View:
    """A named view, or azimuth and elevation [deg] as two numbers."""
    from cad2mbs.pictures.camera import VIEWS
    from cad2mbs.wording import did_you_mean, listed

    if text in VIEWS:
        return text
    try:
        azimuth, elevation = (common.number(angle) for angle in text.split(","))
    except ValueError:
        near = did_you_mean(text, VIEWS)
        choices = f"Views: {listed(VIEWS)}, or AZIMUTH,ELEVATION in degrees"
        raise InputError(f"--view {text!r} is no view{near} {choices}") from None
    return azimuth, elevation


def read_up(text: str) -> str:
    if text not in ("x", "y", "z"):
        raise InputError(f"--up {text!r} found; x, y or z wanted")
    return text
