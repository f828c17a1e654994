"""Imports point one way: the command line knows everything, the solvers know only arrays."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parent.parent
CAD_KERNELS = {"OCP", "cadquery", "trimesh", "open3d"}
KERNEL_PACKAGE = "cad2mbs.cad.kernel"
SOLVERS_MAY = {"solvers", "numpy", "scipy", "numba"} | set(sys.stdlib_module_names)

# Package (or module) -> what it must not import, as dotted prefixes.
MUST_NOT = {
    "cad2mbs.errors": ("cad2mbs", "solvers"),
    "cad2mbs.units": ("cad2mbs", "solvers"),
    "cad2mbs.wording": ("cad2mbs", "solvers"),
    "cad2mbs.model": ("cad2mbs.io", "cad2mbs.mapping", "cad2mbs.library", "cad2mbs.cli", "solvers"),
    "cad2mbs.library": ("cad2mbs.io", "cad2mbs.mapping", "cad2mbs.cli", "solvers"),
    "cad2mbs.io": ("cad2mbs.mapping", "cad2mbs.cli", "solvers"),
    "cad2mbs.mapping": ("cad2mbs.io", "cad2mbs.cli"),
}


def sources(folder: str) -> list[Path]:
    return sorted(p.relative_to(ROOT) for p in (ROOT / folder).rglob("*.py"))


def module_name(path: Path) -> str:
    """Dotted name of a source file given relative to the root."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(source: str, module: str, is_package: bool = False) -> Iterator[str]:
    """Every dotted name a source text imports, anywhere in it; relative ones made absolute.

    `from a import b` yields `a.b`, since b may be a module; prefixes are compared, so a plain
    function b does no harm.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = node.level - 1 if is_package else node.level
                stem = module.split(".")[: len(module.split(".")) - up]
                base = ".".join([*stem, *([base] if base else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def without_types(source: str) -> str:
    """The source less what is imported for type checkers only."""
    tree = ast.parse(source)
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    ]
    return ast.unparse(tree)


def imports_of(path: Path) -> set[str]:
    text = (ROOT / path).read_text(encoding="utf-8")
    return set(imported_modules(text, module_name(path), path.name == "__init__.py"))


def within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def forbidden(module: str, names: set[str]) -> set[str]:
    """Those of `names` that `module` must not import by the table."""
    prefixes = [p for owner, ps in MUST_NOT.items() if within(module, owner) for p in ps]
    return {n for n in names for p in prefixes if within(n, p)}


def modules_loaded_by(statement: str) -> set[str]:
    """The modules a fresh interpreter holds after running `statement` in the project root."""
    code = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("path", sources("solvers"), ids=str)
def test_solvers_import_only_themselves_and_numerics(path):
    roots = {name.split(".")[0] for name in imports_of(path)}
    assert roots <= SOLVERS_MAY


@pytest.mark.parametrize("path", sources("cad2mbs"), ids=str)
def test_packages_import_only_downstream(path):
    assert forbidden(module_name(path), imports_of(path)) == set()


@pytest.mark.parametrize("path", sources("cad2mbs") + sources("solvers"), ids=str)
def test_only_the_kernel_package_imports_a_cad_kernel(path):
    if within(module_name(path), KERNEL_PACKAGE):
        return
    text = without_types((ROOT / path).read_text(encoding="utf-8"))
    names = imported_modules(text, module_name(path), path.name == "__init__.py")
    assert not {name.split(".")[0] for name in names} & CAD_KERNELS


def test_solvers_import_each_other_without_cycles():
    modules = {module_name(path): imports_of(path) for path in sources("solvers")}
    graph = nx.DiGraph()
    for module, names in modules.items():
        graph.add_edges_from(
            (module, other)
            for other in modules
            if other not in ("solvers", module) and any(within(n, other) for n in names)
        )
    assert list(nx.simple_cycles(graph)) == []


def test_importing_cad2mbs_loads_neither_numba_nor_optimizers():
    loaded = modules_loaded_by("import cad2mbs")
    assert not {m for m in loaded if within(m, "numba") or within(m, "scipy.optimize")}


def test_importing_the_library_loads_no_solver():
    loaded = modules_loaded_by("import cad2mbs.library")
    assert not {m for m in loaded if within(m, "numba") or within(m, "solvers")}


def test_loaded_module_check_sees_what_is_loaded():
    assert "scipy.optimize" in modules_loaded_by("import scipy.optimize")


def test_import_reader_sees_nested_and_relative_imports():
    text = "import a.b\nfrom . import c\nfrom ..d import e\ndef f():\n    from g import h\n"
    found = set(imported_modules(text, "pkg.sub.mod"))
    assert found == {"a.b", "pkg.sub.c", "pkg.d.e", "g.h"}


def test_import_reader_places_relative_imports_of_a_package():
    assert set(imported_modules("from . import c", "pkg.sub", is_package=True)) == {"pkg.sub.c"}


def test_table_says_no_to_an_upward_import():
    assert forbidden("cad2mbs.model.mates", {"solvers.lie", "numpy"}) == {"solvers.lie"}
