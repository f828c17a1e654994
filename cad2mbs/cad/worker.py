"""The parent's side of the process that holds the CAD kernel: limits, crashes, an end for sure."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from cad2mbs.errors import Diagnostic, InputError
from cad2mbs.wording import shown_path

LOOK = 0.05  # [s] between two looks at the memory of the child
SECONDS, MEMORY_MB = "CAD2MBS_CAD_SECONDS", "CAD2MBS_CAD_MEMORY_MB"


def _from_environment(name: str, default: float) -> float:
    text = os.environ.get(name, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise InputError(f"the environment variable {name} is {text!r}; a number above 0 is wanted")
    return value


@dataclass(frozen=True)
class Limits:
    """What reading one file may take."""

    seconds: float = field(default_factory=lambda: _from_environment(SECONDS, 120.0))
    memory_mb: int = field(default_factory=lambda: int(_from_environment(MEMORY_MB, 8192)))


class Worker:
    """Reads files one after another in one child process, made anew after a crash.

    Use it in a `with` statement; the child ends with it.
    """

    def __init__(self) -> None:
        self._child: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._said = tempfile.TemporaryFile()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child, if there is one."""
        self._kill()
        self._said.close()

    def read(self, path: Path, folder: Path, limits: Limits, tolerance: float | None) -> None:
        """Have a STEP file read and written into the folder; InputError where that fails."""
        request = {
            "path": str(path.absolute()),
            "folder": str(folder.absolute()),
            "tolerance": tolerance,
            "seconds": limits.seconds,
            "memory_mb": limits.memory_mb,
        }
        done = False
        try:
            found = self._ask(request, path, limits)
            done = True
        finally:
            if not done:  # also when the user presses Ctrl-C
                self._kill()
        self._judge(found, path, limits)

    def _ask(self, request: dict, path: Path, limits: Limits) -> dict:
        child = self._started()
        deadline = time.monotonic() + limits.seconds
        assert child.stdin is not None
        with contextlib.suppress(OSError):  # a dead child shows below
            child.stdin.write(json.dumps(request) + "\n")
            child.stdin.flush()
        while True:
            try:
                line = self._answers.get(timeout=LOOK)
            except queue.Empty:
                if time.monotonic() > deadline:
                    raise _error(path, too_slow(limits)) from None
                if memory_mb(child.pid) > limits.memory_mb:
                    raise _error(path, too_large(limits)) from None
                continue
            if line is None:
                raise _error(path, crashed(child.wait(), self._last_words()))
            return json.loads(line)

    def _judge(self, found: dict, path: Path, limits: Limits) -> None:
        if "error" in found:
            raise InputError([Diagnostic(m, f, line) for m, f, line in found["error"]])
        if "memory" in found:
            self._kill()
            raise _error(path, too_large(limits))
        if "failed" in found:
            raise _error(
                path,
                f"the CAD kernel gave up on this file ({found['failed']}). "
                "Export it again, or with another STEP version.",
            )

    def _started(self) -> subprocess.Popen[str]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        self._kill()
        self._answers = queue.Queue()
        self._said.seek(0)
        self._said.truncate()
        package_root = str(Path(__file__).resolve().parents[2])
        paths = [package_root, os.environ.get("PYTHONPATH", "")]
        self._child = subprocess.Popen(
            # -P: no code is taken from the folder the user happens to stand in.
            [sys.executable, "-P", "-m", "cad2mbs.cad.job"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in paths if p)},
            start_new_session=True,
        )
        # A thread, as waiting with a time limit on a pipe is not possible on every system.
        listener = threading.Thread(
            target=_listen, args=(self._child, self._answers), daemon=True, name="cad-answers"
        )
        listener.start()
        return self._child

    def _last_words(self) -> str:
        self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, self._said.tell() - 2000))
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:200] if lines else ""

    def _kill(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg") and child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
            else:
                child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _listen(child: subprocess.Popen[str], answers: queue.Queue[str | None]) -> None:
    """Pass the child's lines on, None at their end."""
    assert child.stdout is not None
    with contextlib.suppress(ValueError, OSError):  # the pipe is closed under our hands
        for line in child.stdout:
            answers.put(line)
    answers.put(None)


def memory_mb(pid: int) -> float:
    """Memory a process holds; 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError, IndexError):
        return 0.0


def too_slow(limits: Limits) -> str:
    return (
        f"reading took longer than {limits.seconds:g} s and was stopped; "
        f"set the environment variable {SECONDS} to allow more."
    )


def too_large(limits: Limits) -> str:
    return (
        f"reading needs more than {limits.memory_mb} MB of memory and was stopped; "
        f"set the environment variable {MEMORY_MB} to allow more."
    )


def crashed(code: int, last_words: str) -> str:
    """What to say of a child that is gone; code as subprocess has it."""
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    said = f"; it said: {last_words}" if last_words else ""
    return (
        f"the CAD kernel crashed on this file ({how}{said}). "
        "Export it again, or with another STEP version."
    )


def _error(path: Path, message: str) -> InputError:
    return InputError([Diagnostic(message, shown_path(path))])
