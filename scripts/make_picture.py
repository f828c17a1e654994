"""Draw the moving picture of the README: the radial engine through one turn of its crank.

    python scripts/make_picture.py                 writes docs/radial_engine.gif
    python scripts/make_picture.py --out FILE.gif  writes another file

Run it with the Python of the environment that scripts/start.py makes. Every pose comes from a
sweep; only the shapes of the parts are invented here.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from matplotlib.animation import PillowWriter
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

import cad2mbs
from cad2mbs.results import SweepResult

ROOT = Path(__file__).resolve().parent.parent
FRAMES = 48
CYLINDERS = 7
BORE, SKIRT = 19.0, (-16.0, 24.0)  # half width of a piston, its ends from the pin [mm]
STEEL, ROD, CRANK, WALL = "#8fa3b8", "#5b6b7d", "#c2593f", "#d9dee5"
EDGE = "#2c3540"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "radial_engine.gif")
    out = parser.parse_args().out
    m = cad2mbs.load("radial_engine").mechanism()
    result = m.sweep({"crank": np.linspace(0.0, 360.0, FRAMES + 1)[:-1]})
    if not result.ok:
        raise SystemExit(f"error: {result.status}")
    figure = Figure(figsize=(4.2, 4.2), dpi=100, facecolor="white")
    FigureCanvasAgg(figure)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    writer = PillowWriter(fps=20)
    with writer.saving(figure, str(out), dpi=100):
        for k in range(FRAMES):
            draw(ax, result, k)
            writer.grab_frame()
    print(f"{out}: {out.stat().st_size // 1024} kB, {FRAMES} frames")


def draw(ax, result: SweepResult, k: int) -> None:
    ax.clear()
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim(-210, 210)
    ax.set_ylim(-210, 210)
    for c in range(1, CYLINDERS + 1):
        cylinder(ax, 2 * np.pi * (c - 1) / CYLINDERS)
    ax.add_patch(Circle((0, 0), 62, fc="#eef1f5", ec=WALL, lw=2))
    for c in range(1, CYLINDERS + 1):
        x, y, turn = planar(result, f"piston_{c}", k)
        low, high = SKIRT
        box = [(low, -BORE), (high, -BORE), (high, BORE), (low, BORE)]
        ax.add_patch(Polygon(placed(box, x, y, turn), fc=STEEL, ec=EDGE, lw=1))
    for c in range(1, CYLINDERS + 1):
        x, y, turn = planar(result, f"rod_{c}", k)
        ends = placed([(0, 0), (120, 0)], x, y, turn)
        ax.plot(*ends.T, color=EDGE, lw=7.5, solid_capstyle="round")
        ax.plot(*ends.T, color=ROD, lw=5.5, solid_capstyle="round")
        ax.add_patch(Circle(ends[1], 4, fc="white", ec=EDGE, lw=1, zorder=4))
    x, y, turn = planar(result, "crank", k)
    web = [(-26, -20), (-26, 20), (0, 24), (44, 11), (44, -11), (0, -24)]
    ax.add_patch(Polygon(placed(web, x, y, turn), fc=CRANK, ec=EDGE, lw=1, alpha=0.92, zorder=5))
    pin = placed([(40, 0)], x, y, turn)[0]
    for centre, radius in (((0, 0), 9), (pin, 7)):
        ax.add_patch(Circle(centre, radius, fc="white", ec=EDGE, lw=1.2, zorder=6))


def cylinder(ax, turn: float) -> None:
    for side in (-1, 1):
        wall = [
            (62, side * (BORE + 1)),
            (192, side * (BORE + 1)),
            (192, side * (BORE + 6)),
            (62, side * (BORE + 6)),
        ]
        ax.add_patch(Polygon(placed(wall, 0, 0, turn), fc=WALL, ec="none"))
    head = [(192, -BORE - 6), (199, -BORE - 6), (199, BORE + 6), (192, BORE + 6)]
    ax.add_patch(Polygon(placed(head, 0, 0, turn), fc=WALL, ec="none"))


def planar(result: SweepResult, part: str, k: int) -> tuple[float, float, float]:
    """Position in the plane and turn about z of a part at row k."""
    x, y, _, w, _, _, qz = result.poses(part)[k]
    return x, y, 2.0 * np.arctan2(qz, w)


def placed(points: list[tuple[float, float]], x: float, y: float, turn: float) -> np.ndarray:
    c, s = np.cos(turn), np.sin(turn)
    return np.array(points) @ np.array([[c, s], [-s, c]]) + (x, y)


if __name__ == "__main__":
    main()
