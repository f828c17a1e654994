"""The page in a real browser: from a key on the slider to new poses, and to the first picture.

Chains of four-bars whose parts are round bars, served to the system's Chromium, which draws in
software. A latency runs from the key's event in the page to the poses applied there; the server's
share is the solver's own clock. Frames are those of the page while the slider moves.

  python scripts/bench/page.py
  python scripts/bench/page.py --presses 100
  python scripts/bench/page.py --json
  python scripts/bench/page.py --write      # region `page` of docs/benchmarks.md
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import _common as bench
import numpy as np

from cad2mbs.library import four_bar_chain
from cad2mbs.model.assembly import Assembly, Part
from cad2mbs.model.references import RefKind
from cad2mbs.model.solid import Mesh, Solid

CASES = (("8 bodies", 4, 500), ("100 bodies", 50, 500), ("100 bodies, 1e6 triangles", 50, 10_000))
FLAGS = ("--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PROGRAM = str(Path(sys.executable).with_name("cad2mbs"))
PATIENCE = 60.0  # [s]
PAUSE = 100  # [ms] between key presses, as a person types
WARM = 10  # presses in which the page finds out how finely it can draw


def bar(part: Part, triangles: int) -> Part:
    """The part as a round bar through its reference points."""
    import trimesh

    points = np.array([r.origin for r in part.references.values() if r.kind is not RefKind.VECTOR])
    low, high = points.min(axis=0), points.max(axis=0)
    if np.allclose(low, high):
        high = low + np.array([1.0, 0.0, 0.0])
    around = max(8, int(np.sqrt(triangles / 2)))
    shape = trimesh.creation.cylinder(1.0, segment=(low, high), sections=around)
    while len(shape.faces) < triangles / 2:
        shape = shape.subdivide()
    none = np.zeros((0, 3), np.float32)
    mesh = Mesh(
        np.asarray(shape.vertices, np.float32), np.asarray(shape.vertex_normals, np.float32),
        np.asarray(shape.faces, np.int32), np.zeros(len(shape.faces), np.int32),
        none, np.zeros(1, np.int32), 0.1,
    )  # fmt: skip
    box = tuple(map(tuple, (low - 1.0, high + 1.0)))
    return replace(part, solid=Solid(part.name, box=box, mesh=mesh))  # type: ignore[arg-type]


def dressed(assembly: Assembly, triangles: int) -> Assembly:
    parts = {name: bar(part, triangles) for name, part in assembly.parts.items()}
    return replace(assembly, parts=parts)


def until(page, script: str) -> None:
    end = time.monotonic() + PATIENCE
    while not page.evaluate(script):
        if time.monotonic() > end:
            raise SystemExit(f"the page never came so far: {script}")
        page.wait_for_timeout(5)


DRAWN = "(window.cad2mbs?.bodies().length ?? 0) > 0 && window.cad2mbs.frame() > 0"


def latency(browser, loops: int, triangles: int, presses: int) -> dict[str, float | int]:
    """Medians over key presses on the slider of a chain."""
    from cad2mbs.viewer import serve

    m = dressed(four_bar_chain(loops), triangles).mechanism()
    with serve(m, browser=False) as server:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(server.address)
        until(page, DRAWN)
        page.get_by_role("slider", name="crank", exact=True).focus()
        page.evaluate("cad2mbs.settled()")
        for k in range(presses + WARM):
            page.keyboard.press("ArrowRight" if k % 20 < 10 else "ArrowLeft")
            page.wait_for_timeout(PAUSE)
        until(page, f"window.cad2mbs_latency.length >= Math.min({presses}, 200)")
        found = page.evaluate("window.cad2mbs_latency")[-presses:]
        view = page.evaluate("cad2mbs.view()")
        page.close()
    return {
        "bodies": len(m.bodies),
        "triangles": sum(len(p.solid.mesh.triangles) for p in m.assembly.parts.values()),
        "latency_ms": bench.median([f["ms"] for f in found]),
        "worst_ms": max(f["ms"] for f in found),
        "solve_ms": bench.median([f["solve"] for f in found]),
        "frame_ms": float(view["milliseconds"]),
    }


def first_picture(browser, runs: int) -> float:
    """Median time [s] from the command to the radial engine drawn."""
    times = []
    for _ in range(runs):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        start = time.perf_counter()
        server = subprocess.Popen(
            [PROGRAM, "view", "radial_engine", "--no-browser"],
            cwd=bench.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            address = next(w for line in server.stdout for w in line.split() if "http://" in w)
            page.goto(address)
            until(page, DRAWN)
            times.append(time.perf_counter() - start)
        finally:
            page.close()
            server.terminate()
            server.wait()
    return bench.median(times)


def main() -> None:
    options = bench.parser(__doc__ or "")
    options.add_argument("--presses", type=int, default=60, help="key presses (default 60)")
    given = options.parse_args()
    machine = bench.facts(("starlette", "uvicorn", "playwright"))
    from playwright.sync_api import sync_playwright

    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        raise SystemExit(f"no browser found, looked for {', '.join(BROWSERS)}")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=list(FLAGS))
        rows = {n: latency(browser, k, t, given.presses) for n, k, t in CASES}
        first = first_picture(browser, given.runs)
        browser.close()
    data = {"machine": machine, "rows": rows, "first_picture_s": first}
    bench.publish("page", as_text(rows, first, machine), data, given)


def as_text(rows: dict[str, dict[str, float | int]], first: float, machine) -> str:
    head = [
        "", "bodies", "triangles", "key to poses [ms]", "asked [ms]", "worst [ms]", "solver [ms]",
        "frame [ms]",
    ]  # fmt: skip
    asked = {"8 bodies": "20", "100 bodies": "50"}
    table = [
        [
            name, str(r["bodies"]), f"{r['triangles']:,}", f"{r['latency_ms']:.1f}",
            asked.get(name, ""), f"{r['worst_ms']:.1f}", f"{r['solve_ms']:.2f}",
            f"{r['frame_ms']:.0f}",
        ]
        for name, r in rows.items()
    ]  # fmt: skip
    told = (
        f"From the command to the first picture of the radial engine: {first:.2f} s (asked: 3 s)."
    )
    return "\n".join([bench.table(head, table), "", told, "", bench.facts_line(machine)])


if __name__ == "__main__":
    main()
