"""CadQuery assembly -> STEP -> load keeps names, poses and colours, in any unit of the file."""

from __future__ import annotations

import cadquery as cq
import numpy as np
import pytest

from cad2mbs.cad import load
from cad2mbs.cad.document import Document
from cad2mbs.cad.kernel.write import write_cq

NAMES = ["Kurbelgehäuse", "曲轴", "ピストン", "Плита", "pin 1/2", "Größe Ø10 µm", "a"]


def assembly() -> cq.Assembly:
    """Boxes of different sizes, each turned another way, one sub-assembly inside."""
    rng = np.random.default_rng(3)
    whole = cq.Assembly(name="Ganzes 全部")
    inner = cq.Assembly(name="内部")
    for k, name in enumerate(NAMES):
        axis, angle = rng.normal(size=3), float(rng.uniform(-180, 180))
        loc = cq.Location(tuple(rng.uniform(-500, 500, 3)), tuple(axis), angle)
        colour = cq.Color(*rng.uniform(0, 1, 3))
        (inner if k % 2 else whole).add(
            cq.Workplane().box(k + 1, 2, 3), name=name, loc=loc, color=colour
        )
    whole.add(inner, name="内部", loc=cq.Location((1, 2, 3), (0, 1, 0), 33.0))
    return whole


def placed(document: Document) -> dict[str, tuple[np.ndarray, tuple]]:
    return {leaf.path[-1]: (leaf.X_WC, leaf.colour) for leaf in document.leaves()}


@pytest.mark.parametrize("unit", ["mm", "m", "in"])
@pytest.mark.parametrize("schema", ["AP203", "AP214", "AP242"])
def test_names_poses_and_colours_come_back(tmp_path, unit, schema):
    made = assembly()
    write_cq(tmp_path / "a.step", made, unit=unit, schema=schema)
    document = load.read(tmp_path / "a.step", cache=False)
    found = placed(document)
    assert set(found) == set(NAMES)
    assert document.unit == unit
    for name, node in made.objects.items():
        if name not in NAMES:
            continue
        location = node.loc if node.parent is made else node.parent.loc * node.loc
        T = location.wrapped.Transformation()
        X = np.array([[T.Value(i, j) for j in range(1, 5)] for i in range(1, 4)])
        X_found, colour = found[name]
        np.testing.assert_allclose(X_found[:3], X, rtol=0, atol=1e-9 * 500)
        if schema != "AP203":  # that one has no colours
            np.testing.assert_allclose(colour, node.color.toTuple(), atol=1e-6)
