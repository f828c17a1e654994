"""The Khronos glTF validator, where Node and the page's development packages are installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

MODULES = Path(__file__).resolve().parents[2] / "cad2mbs" / "viewer" / "web" / "node_modules"
SCRIPT = """
const validator = require(process.argv[1]);
const data = new Uint8Array(require("fs").readFileSync(process.argv[2]));
validator.validateBytes(data, { maxIssues: 0 }).then(
  (report) => console.log(JSON.stringify(report)),
  (error) => { console.error(String(error)); process.exit(1); },
);
"""
ERROR, WARNING = 0, 1  # severities; hints and information follow


def report(path: Path) -> dict[str, Any]:
    """All that the validator says about a file; skips the test where it is not installed."""
    node, place = shutil.which("node"), MODULES / "gltf-validator"
    if node is None:
        pytest.skip("node was not found: glTF files are not validated")
    if not place.is_dir():
        pytest.skip("gltf-validator is not installed: run npm ci in cad2mbs/viewer/web")
    command = [node, "-e", SCRIPT, str(place), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def require_valid(path: Path) -> dict[str, Any]:
    """The report; AssertionError with every error and warning in it."""
    found = report(path)
    bad = [m for m in found["issues"]["messages"] if m["severity"] in (ERROR, WARNING)]
    assert not bad, bad[:5]
    return found
