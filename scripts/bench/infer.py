"""How long mates take to be found in 500 and in 2000 parts that are already loaded.

The parts are copies of shipped mechanisms side by side, each on its own ground. Two cases: copies
share their solids, as instances in a file do, or every part has a solid of its own.

  python scripts/bench/infer.py
  python scripts/bench/infer.py --parts 500
  python scripts/bench/infer.py --json
  python scripts/bench/infer.py --write     # region `speed` of docs/inference.md
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import _common as bench
import numpy as np

from cad2mbs.cad import load
from cad2mbs.cad.document import Document, Instance
from cad2mbs.infer import infer

PARTS = (500, 2000)
SOURCES = ("four_bar", "jansen_leg", "slider_crank_stop", "scissor_lift", "radial_engine")
LIMIT = 60.0  # [s] for 2000 parts


def copies(parts: int, shared: bool) -> Document:
    """At least this many parts: the sources in turn, on a grid."""
    read = [load.read(bench.ROOT / "assemblies" / name / f"{name}.step") for name in SOURCES]
    pitch = 1.2 * max(_span(d) for d in read)
    solids, nodes = [], []
    rows = {}
    number = 0
    while len(nodes) < parts:
        document = read[number % len(read)]
        X = np.eye(4)
        X[:2, 3] = pitch * (number % 20), pitch * (number // 20)
        for name, leaf in document.parts().items():
            key = (number % len(read), leaf.solid) if shared else (number, leaf.path)
            if key not in rows:
                rows[key] = len(solids)
                solids.append(replace(document.solids[leaf.solid]))
            nodes.append(Instance(f"{name}_{number}", name, X @ leaf.X_WC, rows[key]))
        number += 1
    root = Instance("many", "many", np.eye(4), children=tuple(nodes[:parts]))
    return Document(root, tuple(solids))


def _span(document: Document) -> float:
    """How wide the whole is, at most."""
    places = np.array([leaf.X_WC[:3, 3] for leaf in document.leaves()])
    size = max(s.diagonal for s in document.solids)
    return float(np.linalg.norm(np.ptp(places, axis=0))) + 2.0 * size


def measure(parts: int, shared: bool) -> dict[str, object]:
    document = copies(parts, shared)
    spent, found = bench.seconds(lambda: infer(document))
    assert hasattr(found, "proposals")
    taken = [p for p in found.proposals if p.accepted]  # type: ignore[attr-defined]
    if parts >= 2000 and spent > LIMIT:
        print(f"{parts} parts took {spent:.0f} s, more than {LIMIT:g} s", file=sys.stderr)
    return {
        "parts": parts,
        "solids": len(document.solids),
        "features": sum(len(s.features) for s in document.solids),
        "joints": sum(p.kind != "fixed" for p in taken),
        "seconds": spent,
    }


def main() -> None:
    p = bench.parser(__doc__ or "")
    p.add_argument("--parts", type=int, nargs="+", default=list(PARTS))
    a = p.parse_args()
    facts = bench.facts()
    infer(copies(8, shared=True))  # compiled kernels are loaded before the clock starts
    rows = [measure(n, shared) for n in a.parts for shared in (True, False)]
    if a.json:
        print(json.dumps({"facts": facts, "rows": rows}, indent=2))
        return
    head = ["parts", "different solids", "their features", "joints found", "s"]
    cells = [
        [
            str(r["parts"]),
            str(r["solids"]),
            str(r["features"]),
            str(r["joints"]),
            f"{r['seconds']:.1f}",
        ]
        for r in rows
    ]
    text = f"{bench.table(head, cells)}\n\n{bench.facts_line(facts)}"
    if a.write:
        bench.fill("speed", text, bench.ROOT / "docs" / "inference.md")
    print(text)


if __name__ == "__main__":
    main()
