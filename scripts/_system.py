"""What the project needs from the system: found, installed where that is allowed, or told.

Standard library only, like `_venv.py`.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass

import _venv

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@dataclass(frozen=True)
class Need:
    """Something that a package manager of the system provides."""

    what: str
    debian: str  # package
    present: Callable[[], bool]
    without: str  # what does not work without it, and how to get it elsewhere


def library_loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def browser() -> str | None:
    """The program of a Chromium-like browser."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


# The CAD kernel is linked against it, also where nothing is drawn.
KERNEL = Need(
    "libGL.so.1",
    "libgl1",
    lambda: library_loads("libGL.so.1"),
    "STEP files cannot be read. On Debian and Ubuntu: sudo apt install libgl1; on Fedora: "
    "sudo dnf install mesa-libGL; on Arch: sudo pacman -S libglvnd",
)
BROWSER = Need(
    "Chromium",
    "chromium",
    lambda: browser() is not None,
    "the tests of the page are skipped. On Debian: sudo apt install chromium",
)


def prepare(*needs: Need) -> None:
    """Make sure that everything needed is there, as far as this user may; tell what is not."""
    if not sys.platform.startswith("linux"):
        return
    for need in needs:
        if need.present():
            continue
        if os.geteuid() == 0 and shutil.which("apt-get"):
            install(need)
        if not need.present():
            _venv.say(f"warning: {need.what} is missing, so {need.without}")


def install(need: Need) -> None:
    _venv.say(f"Installing {need.debian} ({need.what})")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", need.debian]
    if _venv.call(command, env) != 0:
        _venv.call(["apt-get", "update", "-qq"], env)
        _venv.call(command, env)
