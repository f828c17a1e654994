"""Who draws: the rasteriser of this package, or pyvista in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from cad2mbs.errors import Cad2mbsError
from cad2mbs.pictures.camera import Camera
from cad2mbs.pictures.item import Item
from cad2mbs.pictures.render import picture
from cad2mbs.pictures.trace import Trace

ENGINES = ("own", "pyvista", "auto")


@dataclass(frozen=True, eq=False)
class Shot:
    """What one picture shows; the items of all shots of a film are the same, elsewhere."""

    items: Sequence[Item]
    traces: Sequence[Trace] = field(default=())


@dataclass(frozen=True, eq=False)
class Stage:
    """From where all pictures of a film are taken, and how high the ground is [mm]."""

    camera: Camera
    ground: float


def drawn(
    shots: Sequence[Shot],
    stage: Stage,
    *,
    engine: str = "own",
    dark: bool = False,
    shadow: bool = True,
    samples: int = 2,
    note: Callable[[str], None] | None = None,
) -> Iterator[np.ndarray]:
    """Pictures of the shots, (height, width, 3) uint8 each.

    engine   own; pyvista, an error where it does not work; auto, which then tells `note` and goes
             on with own
    samples  n: n x n samples a pixel (own)
    """
    if engine not in ENGINES:
        raise ValueError(f"engine {engine!r} found; one of {', '.join(ENGINES)} wanted")
    if engine != "own":
        from cad2mbs.pictures.vista import VistaError, vista_frames

        try:
            found = vista_frames(shots, stage.camera, dark)
            first = list(_first(found))  # here it shows whether it works
            yield from chain(first, found)
            return
        except VistaError as error:
            if engine == "pyvista" or not error.at_start:
                raise Cad2mbsError(f"{error}; --engine own needs nothing") from None
            if note is not None:
                note(f"note: {error}; drawn with the engine of its own")
    look = {"dark": dark, "shadow": shadow, "samples": samples}
    for shot in shots:
        yield picture(
            shot.items, size=stage.camera.size, camera=stage.camera, ground=stage.ground,
            traces=shot.traces, **look,
        )  # fmt: skip


def _first(pictures: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
    """The first of the pictures, if there is one."""
    for one in pictures:
        yield one
        return
