"""Pictures by pyvista, drawn in a process of its own: without a working OpenGL it dies at once.

What is to be drawn goes to the process as arrays in a file, the pictures come back through a pipe
one after the other, as bare bytes.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cad2mbs.pictures.camera import Camera
from cad2mbs.pictures.shade import DARK, LIGHT
from cad2mbs.pictures.trace import DOT, FAINT, WIDTH

if TYPE_CHECKING:
    from cad2mbs.pictures.engines import Shot

WORKER = Path(__file__).with_name("vista_worker.py")
SCENE, ARRAYS = "scene.json", "arrays.npz"
PATIENCE = 10.0  # [s] for the process to end after its last picture


class VistaError(Exception):
    """pyvista did not draw; `at_start`: not even the first picture."""

    def __init__(self, text: str, at_start: bool):
        super().__init__(text)
        self.at_start = at_start


def vista_frames(shots: Sequence[Shot], camera: Camera, dark: bool) -> Iterator[np.ndarray]:
    """Pictures of the shots, (height, width, 3) uint8; VistaError where pyvista fails."""
    width, height = camera.size
    with tempfile.TemporaryDirectory(prefix="cad2mbs_") as folder:
        _hand_over(Path(folder), shots, camera, dark)
        command = [sys.executable, str(WORKER), folder]
        with (
            tempfile.TemporaryFile() as said,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said) as process,
        ):
            assert process.stdout is not None
            try:
                for k in range(len(shots)):
                    data = process.stdout.read(width * height * 3)
                    if len(data) < width * height * 3:
                        raise VistaError(_why(process, said), k == 0)
                    yield np.frombuffer(data, np.uint8).reshape(height, width, 3)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(PATIENCE)
            finally:  # also where nobody wants the rest
                process.kill()


def _why(process: subprocess.Popen[bytes], said: Any) -> str:
    """Why a process sends no more pictures; it is ended if it does not end by itself."""
    try:
        return _reason(process.wait(PATIENCE), said)
    except subprocess.TimeoutExpired:
        process.kill()
        return (
            "pyvista does not work here: its process sends no more pictures and did not end "
            f"within {PATIENCE:g} s"
        )


def _reason(code: int, said: Any) -> str:
    """Why the process ended, in a sentence."""
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").strip().splitlines()
    if code < 0:
        name = signal.Signals(-code).name
        return f"pyvista does not work here: its process was ended by {name}"
    if lines and "No module named" in lines[-1]:
        return "pyvista is not installed (pip install pyvista)"
    return f"pyvista does not work here: {lines[-1] if lines else f'exit code {code}'}"


def _hand_over(folder: Path, shots: Sequence[Shot], camera: Camera, dark: bool) -> None:
    """Write what the worker needs: meshes once, poses for every shot."""
    arrays: dict[str, np.ndarray] = {}
    meshes: dict[int, int] = {}
    first = shots[0]
    for item in first.items:
        k = meshes.setdefault(id(item.mesh), len(meshes))
        arrays[f"vertices_{k}"], arrays[f"normals_{k}"] = item.mesh.vertices, item.mesh.normals
        arrays[f"triangles_{k}"] = item.mesh.triangles
        arrays[f"edge_points_{k}"] = item.mesh.edge_points
        arrays[f"edge_starts_{k}"] = item.mesh.edge_starts
    arrays["poses"] = np.array([[i.X_WC for i in s.items] for s in shots]).reshape(
        len(shots), len(first.items), 4, 4
    )
    for k, trace in enumerate(first.traces):
        arrays[f"trace_{k}"] = trace.points
    look = DARK if dark else LIGHT
    angle = 2.0 * np.degrees(np.arctan(camera.size[1] / (2.0 * camera.scale)))
    scene = {
        "size": camera.size,
        "items": [{"mesh": meshes[id(i.mesh)], "colour": i.colour} for i in first.items],
        "traces": [
            {"colour": t.colour, "done": [shot.traces[k].done for shot in shots]}
            for k, t in enumerate(first.traces)
        ],
        "lines": {"width": WIDTH, "dot": DOT, "faint": FAINT},
        "eye": camera.eye.tolist(),
        "target": camera.target.tolist(),
        "up": camera.R_VW[1].tolist(),
        "angle": float(angle) if camera.perspective else None,
        "half_height": camera.size[1] / 2.0 / camera.scale,
        "top": look.top,
        "bottom": look.bottom,
        "ink": look.ink,
    }
    np.savez(folder / ARRAYS, allow_pickle=False, **arrays)
    (folder / SCENE).write_text(json.dumps(scene), encoding="utf-8")
