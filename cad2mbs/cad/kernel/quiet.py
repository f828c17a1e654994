"""The CAD kernel made ready: imported with a clear message where it cannot be, and silent."""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version

from cad2mbs.errors import InputError


def start() -> None:
    """Import the CAD kernel and stop its talk; InputError says what the system lacks."""
    try:
        message = importlib.import_module("OCP.Message")
    except ImportError as error:
        raise InputError(cannot_start(str(error))) from None
    for printer in message.Message.DefaultMessenger_s().Printers():
        printer.SetTraceLevel(message.Message_Gravity.Message_Fail)


def cannot_start(reason: str) -> str:
    """What to do when the kernel cannot be imported."""
    if "libGL" in reason:
        remedy = "Install the system library it needs: apt install libgl1 (Debian, Ubuntu)"
    elif "No module named" in reason:
        remedy = "Install it: pip install 'cadquery-ocp>=7.9.3.1,<8'"
    else:
        remedy = "Install it again: pip install --force-reinstall 'cadquery-ocp>=7.9.3.1,<8'"
    return f"The CAD kernel (OCP) cannot be loaded: {reason}. {remedy}."


def kernel_version() -> str:
    """The version of the installed kernel, found without importing it; "" where there is none."""
    for name in ("cadquery-ocp", "cadquery-ocp-novtk"):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return ""
