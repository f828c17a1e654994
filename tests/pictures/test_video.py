"""MP4 films: H.264 that browsers play, read back by the decoder."""

from __future__ import annotations

import av
import numpy as np
import pytest

import cad2mbs
from cad2mbs.errors import InputError
from cad2mbs.pictures.moving import frames
from cad2mbs.pictures.video import video

LEAST_PSNR = 33.0  # [dB]; chroma at half size costs thin coloured edges some


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    assembly = cad2mbs.load("four_bar")
    result = assembly.mechanism().sweep({"crank": np.linspace(0.0, 90.0, 7)})
    return list(frames(assembly, result, (241, 181), "iso"))


def psnr(one: np.ndarray, other: np.ndarray) -> float:
    return float(10 * np.log10(255.0**2 / np.mean((one.astype(float) - other) ** 2)))


def test_a_film_shows_the_pictures_it_was_made_of(pictures, tmp_path):
    video(pictures, tmp_path / "x.mp4", 24)
    with av.open(tmp_path / "x.mp4") as film:
        decoded = [f.to_ndarray(format="rgb24") for f in film.decode(video=0)]
    assert len(decoded) == len(pictures)
    for made, read in zip(pictures, decoded, strict=True):
        assert read.shape == (182, 242, 3)  # even
        assert psnr(made, read[:181, :241]) > LEAST_PSNR
        np.testing.assert_allclose(read.mean(axis=(0, 1)), made.mean(axis=(0, 1)), atol=2.0)
    assert psnr(pictures[0], decoded[-1][:181, :241]) < LEAST_PSNR  # the measure can say no


def test_a_film_is_of_the_kind_that_browsers_play(pictures, tmp_path):
    video(pictures, tmp_path / "x.mp4", 12.5)
    with av.open(tmp_path / "x.mp4") as film:
        (stream,) = film.streams
        context = stream.codec_context
        assert (context.name, context.pix_fmt) == ("h264", "yuv420p")
        assert stream.average_rate == 12.5
        assert (context.colorspace, context.color_primaries, context.color_range) == (1, 1, 1)
    data = (tmp_path / "x.mp4").read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")  # starts before all of it has arrived


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ValueError])
def test_a_film_that_breaks_off_leaves_no_file(pictures, tmp_path, stop):
    def breaking():
        yield from pictures[:3]
        raise stop

    with pytest.raises(stop):
        video(breaking(), tmp_path / "x.mp4")
    assert not list(tmp_path.iterdir())


def test_a_film_of_nothing_is_refused(tmp_path):
    with pytest.raises(InputError, match="at least one picture"):
        video([], tmp_path / "x.mp4")
