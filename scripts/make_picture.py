"""Draw the moving picture of the README: the radial engine through one turn of its crank.

    python scripts/make_picture.py                 writes docs/radial_engine.gif
    python scripts/make_picture.py --out FILE.gif  writes another file

Run it with the Python of the environment that scripts/start.py makes.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

import cad2mbs
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose
from cad2mbs.pictures.camera import fit
from cad2mbs.pictures.item import PALETTE, Item
from cad2mbs.pictures.render import animation, picture

ROOT = Path(__file__).resolve().parent.parent
FRAMES = 36
SIZE = (420, 380)
SEE_THROUGH = {"housing": 0.3}  # how solid a part is drawn that hides the others


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "radial_engine.gif")
    out = parser.parse_args().out
    assembly = cad2mbs.load("radial_engine")
    result = assembly.mechanism().sweep({"crank": np.linspace(0.0, 360.0, FRAMES + 1)[:-1]})
    if not result.ok:
        raise SystemExit(f"error: {result.status}")
    camera = fit(points(items(assembly, result, 0)), SIZE, view=(25.0, 58.0))
    frames = [
        picture(items(assembly, result, k), size=SIZE, camera=camera, samples=3)
        for k in range(FRAMES)
    ]
    animation(frames, out, fps=18)
    print(f"{out}: {out.stat().st_size // 1024} kB, {FRAMES} frames")


def items(assembly: Assembly, result, k: int) -> list[Item]:
    """The parts at position k of the sweep."""
    found = []
    for part in assembly.parts.values():
        if part.solid is None or part.solid.mesh is None:
            continue
        pose = Pose.of(result.poses(part.name)[k])
        X = np.eye(4)
        X[:3, :3] = pose.rotation()
        X[:3, 3] = np.array(pose.position) * assembly.units.metre / 1e-3
        red, green, blue, _ = part.colour or PALETTE[0]
        colour = (red, green, blue, SEE_THROUGH.get(part.name, 1.0))
        mesh = part.solid.mesh
        if part.name in SEE_THROUGH:
            mesh = replace(mesh, edge_points=np.zeros((0, 3)), edge_starts=np.zeros(1, np.int32))
        found.append(Item(mesh, X, colour, part.name))
    return found


def points(shown: list[Item]) -> np.ndarray:
    """Everything that must be in the picture; one camera for all frames keeps it still."""
    return np.concatenate([i.mesh.vertices @ i.X_WC[:3, :3].T + i.X_WC[:3, 3] for i in shown])


if __name__ == "__main__":
    main()
