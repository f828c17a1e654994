"""Build the page that `cad2mbs view` serves, from cad2mbs/viewer/web into cad2mbs/viewer/page.

    python3 scripts/make_page.py            build
    python3 scripts/make_page.py --check    types, unit tests, and: the build is the one shipped

Needs Node 20 or newer with npm; users of cad2mbs do not, because the build is shipped.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "cad2mbs" / "viewer" / "web"
PAGE = ROOT / "cad2mbs" / "viewer" / "page"
LOCK = WEB / "package-lock.json"
INSTALLED = WEB / "node_modules" / ".cad2mbs-lock.json"  # the lock file that was installed


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, compare")
    check = parser.parse_args(arguments).check
    npm = shutil.which("npm")
    if npm is None:
        print("npm was not found: the page's sources are not checked, the shipped build is used")
        return 0 if check else 1
    install(npm)
    run(npm, "run", "check")
    if not check:
        run(npm, "exec", "--", "vite", "build")
        return 0
    run(npm, "test")
    return compare(npm)


def install(npm: str) -> None:
    """Install what the lock file says, unless that was done before."""
    if INSTALLED.is_file() and INSTALLED.read_bytes() == LOCK.read_bytes():
        return
    run(npm, "ci", "--no-audit", "--no-fund", "--loglevel=error")
    INSTALLED.write_bytes(LOCK.read_bytes())


def compare(npm: str) -> int:
    """0 when a fresh build has the bytes of the shipped one."""
    with tempfile.TemporaryDirectory() as folder:
        run(npm, "exec", "--", "vite", "build", "--outDir", folder, "--logLevel", "warn")
        fresh, shipped = contents(Path(folder)), contents(PAGE)
    different = sorted(n for n in fresh | shipped if fresh.get(n) != shipped.get(n))
    if different:
        print(
            f"error: {PAGE.relative_to(ROOT)} is not what the sources build to "
            f"({', '.join(different)} differ); run python3 scripts/make_page.py"
        )
        return 1
    print("the shipped page is what its sources build to")
    return 0


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def run(*command: str) -> None:
    """Run a command in the folder of the sources; a failure ends the script."""
    code = subprocess.run(command, cwd=WEB, check=False).returncode
    if code != 0:
        sys.exit(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
