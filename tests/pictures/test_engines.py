"""pyvista draws where it works; where it dies or is absent, nobody else is harmed."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import cad2mbs
from cad2mbs.errors import Cad2mbsError
from cad2mbs.pictures import vista
from cad2mbs.pictures.item import items_of
from cad2mbs.pictures.moving import frames, still

DIES = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
ABSENT = "import a_module_that_nobody_has"
LATER = """
import os, signal, sys
sys.stdout.buffer.write(bytes(80 * 60 * 3)); sys.stdout.flush()
os.kill(os.getpid(), signal.SIGSEGV)
"""


@pytest.fixture
def worker(monkeypatch, tmp_path):
    """A function that puts other code in place of the process that draws."""

    def put(code: str) -> None:
        (tmp_path / "worker.py").write_text(code)
        monkeypatch.setattr(vista, "WORKER", tmp_path / "worker.py")

    return put


@pytest.fixture(scope="module")
def items():
    return items_of(cad2mbs.load("four_bar").mechanism())


@pytest.mark.parametrize(
    ("code", "said"),
    [(DIES, "ended by SIGSEGV"), (ABSENT, "not installed"), ("exit(3)", "exit code 3")],
)
def test_where_pyvista_fails_auto_draws_itself_and_says_so(worker, items, code, said):
    worker(code)
    notes: list[str] = []
    image = still(items, (80, 60), "iso", engine="auto", note=notes.append)
    np.testing.assert_array_equal(image, still(items, (80, 60), "iso"))
    assert len(notes) == 1
    assert said in notes[0]


def test_where_pyvista_goes_silent_and_does_not_end_auto_draws_itself(worker, items, monkeypatch):
    worker("import os, time\nos.close(1)\ntime.sleep(60)")
    monkeypatch.setattr(vista, "PATIENCE", 0.3)
    notes: list[str] = []
    image = still(items, (80, 60), "iso", engine="auto", note=notes.append)
    np.testing.assert_array_equal(image, still(items, (80, 60), "iso"))
    (note,) = notes
    assert "did not end within 0.3 s" in note


def test_where_pyvista_is_asked_for_and_fails_that_is_an_error(worker, items):
    worker(DIES)
    with pytest.raises(Cad2mbsError, match="SIGSEGV; --engine own needs nothing"):
        still(items, (80, 60), "iso", engine="pyvista")


def test_a_film_in_which_pyvista_dies_on_the_way_is_an_error(worker):
    worker(LATER)
    assembly = cad2mbs.load("four_bar")
    result = assembly.mechanism().sweep({"crank": np.linspace(0.0, 90.0, 3)})
    film = frames(assembly, result, (80, 60), "iso", engine="auto")
    assert next(film).max() == 0
    with pytest.raises(Cad2mbsError, match="SIGSEGV"):
        next(film)


def test_pyvista_sees_the_parts_where_the_own_engine_does(items):
    if importlib.util.find_spec("pyvista") is None:
        pytest.skip("pyvista is not installed: its pictures are not compared")
    notes: list[str] = []
    theirs = still(items, (200, 150), "iso", engine="auto", note=notes.append)
    if notes:
        pytest.skip(f"{notes[0]}: its pictures are not compared")
    ours = still(items, (200, 150), "iso", shadow=False)
    shapes = [np.abs(image.astype(int) - image[:, :1]).max(axis=2) > 40 for image in (theirs, ours)]
    both, either = (shapes[0] & shapes[1]).sum(), (shapes[0] | shapes[1]).sum()
    assert both > 0.9 * either


def test_an_unknown_engine_is_refused(items):
    with pytest.raises(ValueError, match="one of own, pyvista, auto"):
        still(items, (80, 60), "iso", engine="other")
