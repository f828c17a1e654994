"""From parts and mates to a mechanism, and from a drive value to the position of every part.

    assembly = cad2mbs.load("assemblies/four_bar")
    mechanism = assembly.mechanism()
    mechanism.drive(crank=30.0)

Names are looked up on first use, so that `import cad2mbs` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cad2mbs.cad.cadquery_bridge import from_cadquery, to_cadquery
    from cad2mbs.io.source import load
    from cad2mbs.model.assembly import Assembly

    __version__: str

__all__ = ["Assembly", "__version__", "from_cadquery", "load", "to_cadquery"]


def __getattr__(name: str) -> object:
    if name == "load":
        from cad2mbs.io.source import load

        return load
    if name in ("from_cadquery", "to_cadquery"):
        from cad2mbs.cad import cadquery_bridge

        return getattr(cadquery_bridge, name)
    if name == "Assembly":
        from cad2mbs.model.assembly import Assembly

        return Assembly
    if name == "__version__":
        return _version()
    raise AttributeError(f"module 'cad2mbs' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _version() -> str:
    """The installed version; "unknown" where the package runs without being installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cad2mbs")
    except PackageNotFoundError:
        return "unknown"
