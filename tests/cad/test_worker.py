"""Whatever happens in the process of the CAD kernel, the caller gets an answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from cad2mbs.cad import job, worker
from cad2mbs.cad.kernel.quiet import cannot_start
from cad2mbs.cad.load import read
from cad2mbs.cad.worker import Limits, Worker
from cad2mbs.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
STEP = b"ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n"


@pytest.fixture
def path(tmp_path) -> Path:
    file = tmp_path / "some.step"
    file.write_bytes(STEP)
    return file


def kill_soon(one: Worker, number: int) -> threading.Thread:
    """Send the child a signal as soon as there is one."""

    def run() -> None:
        while one._child is None:
            time.sleep(0.001)
        os.kill(one._child.pid, number)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_crash_is_an_input_error_with_the_signal(path, tmp_path):
    with Worker() as one:
        thread = kill_soon(one, signal.SIGSEGV)
        with pytest.raises(InputError, match=r"some\.step.*crashed on this file \(signal 11"):
            one.read(path, tmp_path, Limits(30, 4096), None)
        thread.join()


def test_worker_goes_on_after_a_crash(shared_data, tmp_path, path):
    good = shared_data / "step" / "disk_arm.step"
    with Worker() as one:
        thread = kill_soon(one, signal.SIGABRT)
        with pytest.raises(InputError, match="signal 6"):
            one.read(path, tmp_path, Limits(30, 4096), None)
        thread.join()
        assert len(read(good, cache=False, worker=one).solids) == 3


def test_too_slow_is_stopped_in_time_and_the_child_is_gone(path, tmp_path):
    with Worker() as one:
        start = time.monotonic()
        thread = kill_soon(one, signal.SIGSTOP)
        with pytest.raises(InputError, match=r"longer than 0\.3 s.*CAD2MBS_CAD_SECONDS"):
            one.read(path, tmp_path, Limits(0.3, 4096), None)
        thread.join()
        assert time.monotonic() - start < 5
        assert one._child is None


def test_too_much_memory_is_stopped(shared_data, tmp_path):
    with (
        Worker() as one,
        pytest.raises(InputError, match=r"more than 60 MB.*CAD2MBS_CAD_MEMORY_MB"),
    ):
        one.read(shared_data / "step" / "v4_engine.step", tmp_path, Limits(30, 60), None)


def test_ctrl_c_ends_the_child(path, tmp_path, monkeypatch):
    pids = []

    def interrupted(pid: int) -> float:
        pids.append(pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(worker, "memory_mb", interrupted)
    with Worker() as one:
        with pytest.raises(KeyboardInterrupt):
            one.read(path, tmp_path, Limits(30, 4096), None)
        with pytest.raises(ProcessLookupError):
            os.kill(pids[0], 0)


def test_limits_come_from_the_environment_and_are_checked(monkeypatch):
    monkeypatch.setenv(worker.SECONDS, "7")
    assert Limits().seconds == 7
    monkeypatch.setenv(worker.SECONDS, "soon")
    with pytest.raises(InputError, match="CAD2MBS_CAD_SECONDS is 'soon'"):
        Limits()


def test_unknown_failure_of_the_kernel_is_an_answer(path, tmp_path, monkeypatch):
    def broken(_request: dict) -> None:
        raise RuntimeError("what")

    monkeypatch.setattr(job, "_read", broken)
    monkeypatch.setattr(job, "limit", lambda *_: None)
    found = job.answer({"memory_mb": 1, "seconds": 1})
    with Worker() as one, pytest.raises(InputError, match=r"gave up on this file \(RuntimeError"):
        one._judge(found, path, Limits(1, 1))


def test_missing_system_library_is_named():
    said = cannot_start("libGL.so.1: cannot open shared object file")
    assert "apt install libgl1" in said


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_the_child_ends_with_a_parent_that_was_killed():
    code = (
        "import time; from cad2mbs.cad.worker import Worker\n"
        "print(Worker()._started().pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent, parent.stdout:
        child = int(parent.stdout.readline())
        time.sleep(1.0)  # the child asks for its end when it has started
        parent.kill()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{child}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{child}").exists()


def test_no_code_is_taken_from_the_present_folder(tmp_path, shared_data, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    good = shared_data / "step" / "disk_arm.step"
    assert len(list(read(good, cache=False).leaves())) == 3
