"""Every STEP file of the collection has its parts where its own text places them."""

from __future__ import annotations

import numpy as np
import pytest

from cad2mbs.cad import facts
from cad2mbs.cad.load import Worker, read
from cad2mbs.cad.part21 import Part21, Ref, read_text

# Placed parts by file, counted from the tree of NEXT_ASSEMBLY_USAGE_OCCURRENCE and MAPPED_ITEM.
ASSEMBLIES = (
    "as1-oc-214.stp", "axis_with_bearings.step", "disk_arm.step", "hypnotic_trammel.step",
    "theo_jansen_leg.step", "v4_engine.step",
)  # fmt: skip
MM = 1e-6  # text has about 10 digits


@pytest.fixture(scope="module")
def worker():
    with Worker() as one:
        yield one


def frame(text: Part21, ref: Ref) -> np.ndarray:
    """The matrix of an AXIS2_PLACEMENT_3D."""
    _, point, z, x = text.part(ref, "AXIS2_PLACEMENT_3D")
    z = np.array(text.part(z, "DIRECTION")[-1]) if z else np.array([0.0, 0.0, 1.0])
    x = np.array(text.part(x, "DIRECTION")[-1]) if x else np.array([1.0, 0.0, 0.0])
    z = z / np.linalg.norm(z)
    x = x - (x @ z) * z
    x = x / np.linalg.norm(x)
    X = np.eye(4)
    X[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    X[:3, 3] = text.part(point, "CARTESIAN_POINT")[-1]
    return X


def placements(text: Part21) -> dict[int, list[tuple[int, np.ndarray]]]:
    """By product definition: what is placed in it, and where."""
    out: dict[int, list[tuple[int, np.ndarray]]] = {}
    for _, link in text.all("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION"):
        relation, shape = link.args
        transformation = text.part(relation, "REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION")[0]
        _, _, first, second = text.part(transformation, "ITEM_DEFINED_TRANSFORMATION")
        occurrence = text.part(shape, "PRODUCT_DEFINITION_SHAPE")[-1]
        args = text.part(occurrence, "NEXT_ASSEMBLY_USAGE_OCCURRENCE")
        X = frame(text, second) @ np.linalg.inv(frame(text, first))
        out.setdefault(args[3].number, []).append((args[4].number, X))
    return out


def expected_places(text: Part21) -> list[np.ndarray]:
    below = placements(text)
    placed = {child for children in below.values() for child, _ in children}
    found: list[np.ndarray] = []

    def walk(product: int, X: np.ndarray) -> None:
        if product not in below:
            found.append(X)
        for child, X_child in below.get(product, []):
            walk(child, X @ X_child)

    for root in set(below) - placed:
        walk(root, np.eye(4))
    return found


def same_places(found: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    assert len(found) == len(wanted)
    left = list(found)
    for X in wanted:
        nearest = min(range(len(left)), key=lambda i: np.abs(left[i] - X).max())
        assert np.abs(left.pop(nearest) - X).max() < MM


@pytest.mark.parametrize("name", ASSEMBLIES)
def test_parts_are_where_the_text_places_them(shared_data, worker, name):
    path = shared_data / "step" / name
    document = read(path, cache=False, worker=worker)
    same_places([leaf.X_WC for leaf in document.leaves()], expected_places(read_text(path)))
    assert len(document.solids) == read_text(path).count("MANIFOLD_SOLID_BREP")
    assert document.unit == "mm"


def test_place_check_says_no_to_a_moved_part():
    with pytest.raises(AssertionError):
        same_places([np.eye(4)], [np.diag([1.0, -1.0, -1.0, 1.0])])


def test_mapped_items_are_parts_at_their_targets(shared_data, worker):
    path = shared_data / "step" / "mapped_item_assembly.stp"
    text = read_text(path)
    wanted = []
    for _, item in text.all("MAPPED_ITEM"):
        X = frame(text, item.args[2])
        X[:3, 3] *= 1e3  # the file is in metres
        wanted.append(X)
    document = read(path, cache=False, worker=worker)
    same_places([leaf.X_WC for leaf in document.leaves()], wanted)
    assert [leaf.path for leaf in document.leaves()] == [("body1",), ("body2",)]
    assert document.unit == "m"
    assert document.schema == "AP203"


def test_file_split_over_others_loads_whole(shared_data, worker):
    path = shared_data / "step" / "s1-c5-214" / "s1-c5-214.stp"
    document = read(path, cache=False, worker=worker)
    texts = dict(facts.files_of(path))
    assert len(document.files) == len(texts) == len(list(path.parent.glob("*.stp")))
    assert len(document.solids) == sum(t.count("MANIFOLD_SOLID_BREP") for t in texts.values())
    # TAIL has three placements, HEAD and MAINBODY two each, FOOT two and is placed twice.
    paths = [leaf.path for leaf in document.leaves()]
    assert len(paths) == len(set(paths)) == 3 + 2 + 2 + 2 * 2
    inch_y = 1.43622047244  # of the first FOOT, as the text has it
    foot = next(leaf for leaf in document.leaves() if leaf.path[0] == "FOOT")
    assert abs(foot.X_WC[1, 3] - inch_y * 25.4) < MM


def test_missing_external_file_is_named(shared_data, tmp_path):
    from cad2mbs.errors import InputError

    source = shared_data / "step" / "s1-c5-214" / "s1-c5-214.stp"
    alone = tmp_path / "alone.stp"
    alone.write_bytes(source.read_bytes())
    with pytest.raises(InputError, match=r"refers to the file 'TAIL\.stp', which is not there"):
        read(alone, cache=False)
