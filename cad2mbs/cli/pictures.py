"""The command that draws: render."""

from __future__ import annotations

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
    from cad2mbs.mechanism import Mechanism
    from cad2mbs.pictures.camera import View

ENDINGS = (".png", ".gif", ".glb")
LARGEST = 8000  # pixels of a side


@app.command()
@guarded
def render(
    source: Source,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="What to write: .png, .gif or .glb."),
    ],
    drive: Annotated[
        list[str] | None,
        typer.Option(
            "--drive",
            "-d",
            metavar="NAME=...",
            help="VALUE for a picture, START:STOP:COUNT for a moving one; may be repeated.",
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
    fps: Annotated[float, typer.Option("--fps", min=1, max=60, help="Pictures a second.")] = 20.0,
    force: Force = False,
) -> None:
    """Draw the assembly: a picture, a moving picture, or a glTF file. Needs no graphics card.

    \b
    Examples:
      cad2mbs render excavator -o excavator.png
      cad2mbs render four_bar -o turn.gif -d crank=0:360:48 --view top
      cad2mbs render radial_engine -o engine.png -d crank=40 --glass housing --dark
      cad2mbs render gearbox.step -o gearbox.glb
    """
    require_writable(output, ENDINGS, force)
    options: dict[str, Any] = {
        "size": read_size(size), "view": read_view(view), "up": read_up(up),
        "dark": dark, "perspective": not flat, "samples": 3,
    }  # fmt: skip
    moving = output.suffix.lower() == ".gif"
    wanted = common.read_ranges(drive or []) if moving and drive else None
    values = {} if moving else common.read_values(drive or [])
    if moving and wanted is None:
        raise InputError("a moving picture needs --drive NAME=START:STOP:COUNT")
    m = common.mechanism(source, Formulation.MIXED)
    require_drives(m, wanted or values)
    require_shapes(m, glass or [])
    if wanted is not None:
        draw_moving(m, wanted, output, glass or [], fps, options)
    else:
        draw(m, values, output, glass or [], options)
    say(f"wrote {output}")


def draw(
    m: Mechanism, values: dict[str, float], output: Path, glass: list[str], options: dict[str, Any]
) -> None:
    """Write a picture or glTF of the mechanism at the given drive values."""
    from cad2mbs.cad.gltf import write_glb
    from cad2mbs.pictures.item import items_of
    from cad2mbs.pictures.moving import see_through
    from cad2mbs.pictures.render import picture, save_png

    if values:
        solved = m.drive(values)
        if not solved.ok:
            say(f"error: {solved.status}")
            raise typer.Exit(SAYS_NO)
    with writing(output):
        if output.suffix.lower() == ".glb":
            write_glb(output, m)
        else:
            save_png(output, picture(see_through(items_of(m), glass), **options))


def draw_moving(
    m: Mechanism,
    ranges: dict[str, Any],
    output: Path,
    glass: list[str],
    fps: float,
    options: dict[str, Any],
) -> None:
    """Write the motion as a GIF; what was reached is drawn, and exit code 1 tells of a stop."""
    from cad2mbs.pictures.moving import frames
    from cad2mbs.pictures.render import animation

    result = m.sweep(ranges)
    if not result.ok:
        say(f"note: {result.status}")
    if not len(result):
        raise typer.Exit(SAYS_NO)
    with progress_bar("drawing", len(result)) as progress, writing(output):
        animation(
            frames(m.assembly, result, glass=glass, progress=progress, **options), output, fps
        )
    if not result.ok:
        say(f"wrote {output}")
        raise typer.Exit(SAYS_NO)


def require_shapes(m: Mechanism, glass: list[str]) -> None:
    """Refuse to draw what has no shape, and glass that is not there."""
    from cad2mbs.wording import did_you_mean, listed, quoted

    shaped = [n for n, p in m.assembly.parts.items() if p.solid is not None]
    where = m.assembly.source
    if not shaped:
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
