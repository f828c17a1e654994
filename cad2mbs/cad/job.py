"""The child process that holds the CAD kernel: `python -m cad2mbs.cad.job`.

One request per line on standard input, as JSON; one answer per line on what was standard output.
A request names a STEP file and a folder the document is written into.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from pathlib import Path

from cad2mbs.cad import stored
from cad2mbs.errors import InputError

SPARE = 2 << 30  # bytes of address space that are reserved but never used: libraries, stacks


def main() -> None:
    """Answer requests until the input ends."""
    _end_with_parent()
    # The kernel writes to the process's own standard output: answers go another way.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()


def _end_with_parent() -> None:
    """Where the system can, have this process killed when its parent dies without a word."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


def answer(request: dict) -> dict:
    """What came of one request: {"ok": true}, or {"error": [[message, file, line], ...]}."""
    try:
        limit(request["memory_mb"], request["seconds"])
        _read(request)
        return {"ok": True}
    except InputError as error:
        return {"error": [[d.message, d.file, d.line] for d in error.diagnostics]}
    except MemoryError:
        return {"memory": True}
    except Exception as error:  # whatever the kernel throws: the file's fault, told to the user
        if "OutOfMemory" in type(error).__name__ or "bad_alloc" in str(error):
            return {"memory": True}
        return {"failed": f"{type(error).__name__}: {error}"[:500]}


def _read(request: dict) -> None:
    from cad2mbs.cad.kernel.quiet import start

    start()
    from cad2mbs.cad.kernel.solids import solid_of
    from cad2mbs.cad.kernel.step import read_step

    document = read_step(Path(request["path"]), solid_of, request["tolerance"])
    stored.save(document, Path(request["folder"]))


def limit(memory_mb: int, seconds: float) -> None:
    """Bound what this process may take, where the system can; the parent watches as well."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _lower(resource, resource.RLIMIT_AS, (memory_mb << 20) + SPARE)
    # Ends a process whose parent has died; the parent's own clock is the one that counts.
    cores = os.cpu_count() or 1
    _lower(resource, resource.RLIMIT_CPU, int(time.process_time() + cores * seconds) + 10)


def _lower(resource, kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(kind, (soft, hard))
    except (ValueError, OSError):
        return


if __name__ == "__main__":
    main()
