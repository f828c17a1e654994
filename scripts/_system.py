"""What the CAD kernel needs from the system: found, installed where that is allowed, or told.

Standard library only, like `_venv.py`.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys

import _venv

LIBRARY = "libGL.so.1"  # the CAD kernel is linked against it, also where nothing is drawn
DEBIAN_PACKAGE = "libgl1"


def prepare() -> None:
    """Make sure that the CAD kernel can be loaded; without it all but CAD files still works."""
    if not sys.platform.startswith("linux") or present():
        return
    install = ["apt-get", "install", "-y", "--no-install-recommends", DEBIAN_PACKAGE]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _venv.say(f"Installing {DEBIAN_PACKAGE}, which the CAD kernel needs ({LIBRARY})")
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        if _venv.call(install, env) != 0:
            _venv.call(["apt-get", "update"], env)
            _venv.call(install, env)
        if present():
            return
    _venv.say(
        f"warning: {LIBRARY} is missing, so STEP files cannot be read. On Debian and Ubuntu: "
        f"sudo apt install {DEBIAN_PACKAGE}; on Fedora: sudo dnf install mesa-libGL; "
        "on Arch: sudo pacman -S libglvnd"
    )


def present() -> bool:
    """Whether the library loads."""
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        return False
    return True
