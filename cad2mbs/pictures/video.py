"""Pictures as an MP4 film that browsers, phones and slides play: H.264, yuv420p, BT.709."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from pathlib import Path

import numpy as np

from cad2mbs.errors import InputError
from cad2mbs.results import write_whole

ENCODER = "libx264"
QUALITY = 18  # constant rate factor: 0 lossless, 51 worst; hardly told from the original
BT709, LIMITED = 1, 1  # numbers of ITU-T H.273; what players assume, but only if told
SECONDS_A_KEY = 1.0  # a player can jump to every such picture


def video(frames: Iterable[np.ndarray], path: str | os.PathLike[str], fps: float = 25.0) -> None:
    """Write pictures (height, width, 3) as MP4; the file is whole or not there at all.

    Sides of odd length get one more row or column of pixels: the format wants even ones.
    """
    rest = iter(frames)
    first = next(rest, None)
    if first is None:
        raise InputError("no frames found; at least one picture wanted for a film")
    with tempfile.TemporaryDirectory(prefix="cad2mbs_") as folder:
        # In a file of its own, since its index goes to the front when all the rest is written.
        film = Path(folder) / "film.mp4"
        _encode(chain([first], rest), first.shape, film, fps)
        with film.open("rb") as source:
            write_whole(Path(path), lambda file: shutil.copyfileobj(source, file), binary=True)


def _encode(frames: Iterable[np.ndarray], shape: tuple[int, ...], path: Path, fps: float) -> None:
    import av
    from av.video.reformatter import ColorRange, Colorspace

    if ENCODER not in av.codecs_available:
        raise InputError(
            f"the encoder {ENCODER} is not in this build of PyAV; "
            "write a .gif, or install the wheel of PyAV with pip"
        )
    rate = Fraction(fps).limit_denominator(1000)
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as out:
        stream = out.add_stream(ENCODER, rate=rate)
        stream.height, stream.width = shape[0] + shape[0] % 2, shape[1] + shape[1] % 2
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": str(QUALITY), "preset": "medium", "tune": "animation"}
        context = stream.codec_context
        context.gop_size = max(1, round(SECONDS_A_KEY * fps))
        context.color_primaries = context.color_trc = context.colorspace = BT709
        context.color_range = LIMITED
        for picture in frames:
            frame = av.VideoFrame.from_ndarray(even(picture), format="rgb24")
            frame = frame.reformat(
                format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG
            )
            out.mux(stream.encode(frame))
        out.mux(stream.encode())


def even(picture: np.ndarray) -> np.ndarray:
    """The picture with its last row and column repeated where their number is odd."""
    rows, columns = picture.shape[:2]
    return np.pad(picture, ((0, rows % 2), (0, columns % 2), (0, 0)), mode="edge")
