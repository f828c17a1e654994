"""The server from Python, its wire format byte by byte, and what its clients share."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import socket
import struct
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import cad2mbs
from cad2mbs import library
from cad2mbs.errors import InputError
from cad2mbs.viewer import readout, serve
from cad2mbs.viewer.folders import Folder
from cad2mbs.viewer.loading import Shelf
from cad2mbs.viewer.serving import Server, prepared
from cad2mbs.viewer.workbench import Workbench
from cad2mbs.viewer.working import Workers
from tests.viewer.client import Page, fetch

ROOT = Path(__file__).resolve().parents[2]


# --- starting and stopping ---------------------------------------------------------------------


def test_a_server_runs_beside_the_program_until_it_is_stopped():
    server = serve("four_bar", browser=False)
    with Page(server) as page:
        assert page.open()["name"] == "Four-bar"
    server.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=5)


def test_a_mechanism_opens_its_own_page():
    m = cad2mbs.load("four_bar").mechanism()
    with m.view(browser=False) as server, Page(server) as page:
        assert page.open()["source"] == ""
        assert server.address in server._repr_html_()


def test_an_assembly_and_a_path_can_be_served_too(folder):
    for source in (cad2mbs.load("four_bar"), folder / "four_bar", str(folder / "four_bar")):
        with serve(source, browser=False) as server, Page(server) as page:
            assert page.open()["name"] == "Four-bar"


def test_a_mechanism_made_in_python_is_saved_as_a_new_file(tmp_path):
    made = library.four_bar().mechanism()
    with serve(made, folder=tmp_path, browser=False) as server, Page(server) as page:
        page.open()
        page.say("save", path="made.yaml", replace=False)
        assert page.next("saved")["path"] == "made.yaml"
    assert set(cad2mbs.load(tmp_path / "made.yaml").mates) == set(made.whole.mates)


def test_two_servers_have_two_tokens_and_two_ports():
    with Server(prepared(None)) as a, Server(prepared(None)) as b:
        assert a.token != b.token
        assert a.port != b.port
        assert fetch(a, "/", token=b.token)[0] == 404


def test_small_messages_are_not_gathered(engine):
    # asyncio switches gathering off for sockets that say they are TCP; else poses wait 40 ms.
    assert engine.socket.proto == socket.IPPROTO_TCP


# --- the pose message --------------------------------------------------------------------------


def test_the_pose_message_is_laid_out_as_the_protocol_says(engine):
    m = cad2mbs.load("radial_engine").mechanism()
    bench = Workbench(Shelf().put(m), "")
    scene = bench.scene()
    bench.drive({"crank": 25.0}, cross=False)
    data = bench.pose(7, readout.OK | readout.DRAGGED, 0.5)
    nd, nb = len(scene["drives"]), len(scene["bodies"])
    assert len(data) == 24 + 8 * (nd + 7 * nb)
    assert struct.unpack_from("<BBHIIId", data) == (1, 5, 0, 7, nd, nb, 0.5)
    values = struct.unpack_from(f"<{nd}d", data, 24)
    assert values[0] == pytest.approx(25.0, abs=1e-12)
    offered = bench.m.offer()
    for drive, value in zip(scene["drives"], values, strict=True):
        assert value == pytest.approx(offered[drive["name"]].value, abs=1e-9)
    poses = np.array(struct.unpack_from(f"<{7 * nb}d", data, 24 + 8 * nd)).reshape(nb, 7)
    np.testing.assert_allclose(np.linalg.norm(poses[:, 3:], axis=1), 1.0, atol=1e-14)
    assert m.drives["crank"].value != pytest.approx(25.0)  # the one on the shelf stays


@pytest.mark.parametrize("data", [b"", b"\1" * 23, b"\2" + b"\0" * 23, b"\1" + b"\0" * 24])
def test_other_bytes_are_no_pose_message(data):
    with pytest.raises(ValueError, match=r"pose message|bytes found"):
        readout.read(data)


# --- threads -----------------------------------------------------------------------------------


def test_a_session_moves_its_mechanism_in_one_thread_only(engine, monkeypatch):
    seen = set()
    drive = Workbench.drive

    def watched(self, *arguments):
        seen.add(threading.get_ident())
        return drive(self, *arguments)

    monkeypatch.setattr(Workbench, "drive", watched)
    with Page(engine) as page:
        page.open()
        for seq in range(1, 30):
            page.drive(seq, crank=float(seq))
    assert len(seen) == 1


def test_workers_hand_back_results_and_errors_in_order():
    async def run() -> list[object]:
        workers, order = Workers(1), []
        jobs = [workers.run(order.append, k) for k in range(20)]
        await asyncio.gather(*jobs)
        with pytest.raises(ZeroDivisionError):
            await workers.run(lambda: 1 / 0)
        workers.close()
        return order

    assert asyncio.run(run()) == list(range(20))


def test_a_job_that_nobody_waits_for_any_more_is_not_begun():
    async def run() -> list[int]:
        workers, done, gate = Workers(1), [], threading.Event()
        first = asyncio.ensure_future(workers.run(gate.wait))
        second = asyncio.ensure_future(workers.run(done.append, 2))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0)
        gate.set()
        await first
        await workers.run(done.append, 3)
        workers.close()
        return done

    assert asyncio.run(run()) == [3]


# --- folders -----------------------------------------------------------------------------------


def test_a_listing_is_cut_short(tmp_path):
    for k in range(510):
        (tmp_path / f"part_{k:03}.step").touch()
    entries = Folder(tmp_path).browse("")["entries"]
    assert len(entries) == 500
    assert entries[0]["name"] == "part_000.step"


@pytest.mark.skipif(os.name != "posix", reason="names are text elsewhere")
def test_a_file_whose_name_is_no_text_is_left_out(tmp_path):
    (tmp_path / "good.step").touch()
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.step"))).touch()
    assert [e["name"] for e in Folder(tmp_path).browse("")["entries"]] == ["good.step"]


def test_a_folder_beside_may_be_written_to_but_a_third_may_not(tmp_path):
    served, beside, third = (tmp_path / n for n in ("served", "beside", "third"))
    for place in (served, beside, third):
        place.mkdir()
    folder = Folder(served, (beside,))
    assert folder.path(str(beside / "x.yaml")) == (beside / "x.yaml").resolve()
    with pytest.raises(InputError, match="outside the served folder"):
        folder.path(str(third / "x.yaml"))


# --- the first command -------------------------------------------------------------------------


@pytest.fixture
def first(monkeypatch):
    """scripts/start.py with everything it would run written down instead."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    spec = importlib.util.spec_from_file_location("first_command", ROOT / "scripts" / "start.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    ran = []
    monkeypatch.setattr(module._venv, "prepare", lambda: None)
    monkeypatch.setattr(module._system, "prepare", lambda *needs: None)
    monkeypatch.setattr(module._venv, "call", lambda command: ran.append(command[1:]) or 0)
    module.ran = ran
    yield module
    for name in ("_venv", "_system"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("arguments", "ran"),
    [
        ([], [["compile"], ["view", "assemblies/radial_engine"]]),
        (["--no-browser"], [["compile"], ["view", "assemblies/radial_engine", "--no-browser"]]),
        (["--setup-only"], [["compile"]]),
    ],
)
def test_the_first_command_compiles_and_opens_the_page(first, arguments, ran):
    assert first.main(arguments) == 0
    assert first.ran == ran


def test_the_first_command_stops_where_a_step_fails(first, monkeypatch, capsys):
    monkeypatch.setattr(first._venv, "call", lambda command: 3)
    assert first.main([]) == 3
    assert "'cad2mbs compile' ended with exit code 3" in capsys.readouterr().out
