"""STEP files written: the same bytes each time, and all that was put in is read back."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import cadquery as cq
import numpy as np
import pytest
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label, TDF_LabelSequence
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.XCAFDoc import XCAFDoc_DocumentTool, XCAFDoc_ShapeTool

from cad2mbs.cad.kernel.write import Placed, write_cq, write_step
from cad2mbs.cad.load import read
from cad2mbs.cad.step_text import encoded
from cad2mbs.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
RELATIVE = 1e-9
STEEL = cq.Material("Stahl ß", density=7850.0, densityUnit="kg/m^3")
COLOURS = {
    "Gehäuse": (0.2, 0.4, 0.6, 1.0),
    "销钉-1": (1.0, 0.0, 0.0, 1.0),
    "销钉-2": (0.1, 0.9, 0.3, 0.5),
}


def model() -> cq.Assembly:
    """Names beyond ASCII, one pin in several places and colours, two equal sub-assemblies."""
    box = cq.Workplane().box(10, 20, 30).edges("|Z").fillet(1)
    pin = cq.Workplane().cylinder(40, 3)
    whole = cq.Assembly(name="Prüfstück")
    whole.add(box, name="Gehäuse", color=cq.Color(*COLOURS["Gehäuse"]), material=STEEL)
    place = cq.Location((1, 2, 3), (1, 1, 1), 33)
    whole.add(pin, name="销钉-1", color=cq.Color("red"), loc=place)
    place = cq.Location((4, 2, 3), (1, 2, 1), 53)
    whole.add(pin, name="销钉-2", color=cq.Color(*COLOURS["销钉-2"]), loc=place)
    sub = cq.Assembly(name="sub")
    sub.add(pin, name="p", loc=cq.Location((0.1, 1 / 3, 7))).add(box, name="b")
    whole.add(sub, name="left", loc=cq.Location((100, 0, 0), (0, 0, 1), 30))
    whole.add(sub, name="right", loc=cq.Location((-100, 0, 0), (3, 0, 1), 77))
    whole.objects["Gehäuse"].addSubshape(box.faces(">Z").val(), name="Deckfläche")
    return whole


def expected(node: cq.Assembly, X_WP: np.ndarray, path: tuple[str, ...] = ()):
    """Path and pose [mm] of every shape of a CadQuery assembly, by CadQuery's own transforms."""
    move = node.loc.wrapped.Transformation()
    X = np.eye(4)
    X[:3] = [[move.Value(i, j) for j in (1, 2, 3, 4)] for i in (1, 2, 3)]
    X = X_WP @ X
    if node.shapes and not node.children:
        yield path, X
    for child in node.children:
        yield from expected(child, X, (*path, child.name))


def kernel_tree(path: Path):
    """Name and pose of every component as the bare kernel reads the file, depth first."""
    document = TDocStd_Document(TCollection_ExtendedString("XCAF"))
    reader = STEPCAFControl_Reader()
    reader.SetNameMode(True)
    assert reader.ReadFile(str(path)) == 1
    assert reader.Transfer(document)
    roots = TDF_LabelSequence()
    XCAFDoc_DocumentTool.ShapeTool_s(document.Main()).GetFreeShapes(roots)
    assert roots.Length() == 1
    yield from _below(roots.Value(1), TopLoc_Location(), ())


def _below(label: TDF_Label, above: TopLoc_Location, path: tuple[str, ...]):
    parts = TDF_LabelSequence()
    XCAFDoc_ShapeTool.GetComponents_s(label, parts, False)
    if parts.Length() == 0:
        move = above.Transformation()
        yield path, np.array([[move.Value(i, j) for j in (1, 2, 3, 4)] for i in (1, 2, 3)])
    for number in range(1, parts.Length() + 1):
        part, product = parts.Value(number), TDF_Label()
        XCAFDoc_ShapeTool.GetReferredShape_s(part, product)
        here = above * XCAFDoc_ShapeTool.GetLocation_s(part)
        name = TDataStd_Name()
        assert part.FindAttribute(TDataStd_Name.GetID_s(), name)
        yield from _below(product, here, (*path, name.Get().ToExtString()))


def assert_poses(found: dict, wanted: dict) -> None:
    size = max(np.abs(X[:3, 3]).max() for X in wanted.values())
    assert list(found) == list(wanted)
    for path, X in wanted.items():
        scale = np.array([1, 1, 1, size])
        assert np.abs((found[path][:3] - X[:3]) / scale).max() < RELATIVE, path


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("step") / "model.step"
    write_cq(path, model())
    return path


# -- the same bytes -----------------------------------------------------------------------


def test_second_file_of_a_process_has_the_same_bytes(written, tmp_path):
    again = tmp_path / "under another name.step"
    write_cq(again, model())
    assert again.read_bytes() == written.read_bytes()


@pytest.mark.parametrize("seed", ["1", "77"])
def test_other_processes_write_the_same_bytes(written, tmp_path, seed):
    other = tmp_path / "other.step"
    code = (
        "import sys; from tests.cad.test_write_step import model; "
        "from cad2mbs.cad.kernel.write import write_cq; write_cq(sys.argv[1], model())"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(other)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "TZ": "Asia/Tokyo"},
        check=True,
    )
    digests = {hashlib.sha256(p.read_bytes()).hexdigest() for p in (other, written)}
    assert len(digests) == 1


def test_file_tells_neither_time_nor_machine(written):
    text = written.read_text("ascii")
    head = text[: text.index("DATA;")]
    assert "2000-01-01T00:00:00" in head
    assert str(written.parent) not in text
    assert "Open CASCADE" not in text


# -- read back ----------------------------------------------------------------------------


def test_bare_kernel_reads_names_and_poses_back(written):
    assert_poses(dict(kernel_tree(written)), dict(expected(model(), np.eye(4))))


@pytest.mark.parametrize("schema", ["AP203", "AP214", "AP242"])
@pytest.mark.parametrize("unit", ["mm", "m", "in"])
def test_our_reader_gives_names_and_poses_back_in_every_unit(tmp_path, schema, unit):
    path = tmp_path / "model.step"
    write_cq(path, model(), schema=schema, unit=unit)
    document = read(path, cache=False)
    assert (document.unit, document.schema) == (unit, schema)
    assert document.root.name == "Prüfstück"
    found = {leaf.path: leaf.X_WC for leaf in document.leaves()}
    assert_poses(found, dict(expected(model(), np.eye(4))))


@pytest.mark.parametrize("unit", ["mm", "m", "in"])
def test_volume_does_not_depend_on_the_unit_of_the_file(tmp_path, unit):
    path = tmp_path / "model.step"
    write_cq(path, model(), unit=unit)
    volumes = {s.name: s.volume for s in read(path, cache=False).solids}
    assert volumes["销钉-1"] == pytest.approx(np.pi * 9 * 40, rel=RELATIVE)


def test_colours_material_and_face_names_come_back_as_they_were(written):
    document = read(written, cache=False)
    colours = {leaf.path[-1]: leaf.colour for leaf in document.leaves() if len(leaf.path) == 1}
    assert colours == COLOURS
    box = next(s for s in document.solids if s.name == "Gehäuse")
    assert box.material == "Stahl ß"
    assert box.density == pytest.approx(7850.0, rel=1e-12)
    (lid,) = [f for f in box.features if f.name == "Deckfläche"]
    assert (lid.kind, lid.z) == ("plane", (0.0, 0.0, 1.0))


def density_written(tmp_path, material: cq.Material) -> float | None:
    path = tmp_path / "block.step"
    assembly = cq.Assembly(name="a").add(cq.Workplane().box(1, 1, 1), name="b", material=material)
    write_cq(path, assembly)
    (solid,) = read(path, cache=False).solids
    return solid.density


def test_density_is_converted_from_the_unit_it_is_stated_in(tmp_path):
    oak = cq.Material("oak", density=0.69, densityUnit="g/cm^3")
    assert density_written(tmp_path, oak) == pytest.approx(690.0, rel=1e-12)


def test_density_that_cadquery_gives_to_every_material_is_none(tmp_path):
    assert density_written(tmp_path, cq.Material("oak")) is None


def test_density_in_an_unknown_unit_is_refused(tmp_path):
    strange = cq.Material("oak", density=1.0, densityUnit="stone/pint")
    with pytest.raises(InputError, match=r"'oak' of 'b'.*'stone/pint' found, .*kg/m\^3.* wanted"):
        density_written(tmp_path, strange)


def test_colour_of_a_sub_assembly_holds_for_what_has_none(tmp_path):
    assembly = model()
    assembly.objects["right"].color = cq.Color(0.5, 0.25, 0.125)
    path = tmp_path / "model.step"
    write_cq(path, assembly)
    colours = {leaf.path: leaf.colour for leaf in read(path, cache=False).leaves()}
    assert colours["right", "p"] == colours["right", "b"] == (0.5, 0.25, 0.125, 1.0)
    assert colours["left", "p"] is None


# -- shared products ----------------------------------------------------------------------


def test_shape_in_many_places_is_written_once(tmp_path):
    pin = cq.Workplane().cylinder(40, 3)
    assembly = cq.Assembly(name="row")
    for k in range(5):
        assembly.add(pin, name=f"pin {k}", loc=cq.Location((10.0 * k, 0, 0)))
    path = tmp_path / "row.step"
    write_cq(path, assembly)
    text = path.read_text("ascii")
    assert text.count("MANIFOLD_SOLID_BREP(") == 1
    assert text.count("NEXT_ASSEMBLY_USAGE_OCCURRENCE(") == 5


def test_equal_sub_assemblies_are_written_once(written):
    document = read(written, cache=False)
    left, right = (
        next(c for c in document.root.children if c.name == n) for n in ("left", "right")
    )
    assert left.product == right.product == "left"
    assert [c.solid for c in left.children] == [c.solid for c in right.children]


def test_twins_at_one_place_in_two_sub_assemblies_keep_their_names(tmp_path):
    box = cq.Workplane().box(1, 2, 3).val().wrapped
    groups = tuple(Placed(g, children=(Placed(f"{g} box", box),)) for g in ("A", "B"))
    path = tmp_path / "twins.step"
    write_step(path, Placed("root", children=groups))
    assert [p for p, _ in kernel_tree(path)] == [("A", "A box"), ("B", "B box")]


def test_shape_of_a_node_with_children_becomes_a_child(tmp_path):
    assembly = cq.Assembly(cq.Workplane().box(9, 9, 9), name="root", loc=cq.Location((1, 2, 3)))
    assembly.add(cq.Workplane().box(1, 1, 1), name="body", loc=cq.Location((5, 0, 0)))
    path = tmp_path / "root.step"
    write_cq(path, assembly)
    leaves = {leaf.path[-1]: leaf for leaf in read(path, cache=False).leaves()}
    assert leaves["body 2"].X_WC[:3, 3] == pytest.approx([1, 2, 3])
    assert leaves["body"].X_WC[:3, 3] == pytest.approx([6, 2, 3])


def test_single_shape_is_placed_where_it_was(tmp_path):
    assembly = cq.Assembly(cq.Workplane().box(1, 1, 1), name="cube", loc=cq.Location((1, 2, 3)))
    path = tmp_path / "cube.step"
    write_cq(path, assembly)
    (leaf,) = read(path, cache=False).leaves()
    assert leaf.X_WC[:3, 3] == pytest.approx([1, 2, 3])


@pytest.mark.parametrize(
    "name",
    [
        "it's",
        "back\\slash",
        "x\\X2\\00E4\\X0\\",
        "(a,b);#1 = X",
        "😀 ok",
        "ü" * 200 + "x",
        "x" * 300,
    ],
    ids=["quote", "backslash", "coded", "syntax", "emoji", "long umlauts", "long"],
)
def test_odd_names_come_back(tmp_path, name):
    box = cq.Workplane().box(1, 2, 3).val().wrapped
    path = tmp_path / "odd.step"
    write_step(path, Placed("root", children=(Placed(name, box),)))
    (child,) = read(path, cache=False).root.children
    assert child.original_name == name


def test_names_without_any_ascii_stand_in_the_file(tmp_path):
    # Read as text: the kernel shows the number of a placement instead of such a name.
    box = cq.Workplane().box(1, 2, 3).val().wrapped
    path = tmp_path / "cjk.step"
    write_step(path, Placed("根", children=(Placed("销", box), Placed("钉", box))))
    text = path.read_text("ascii")
    uses = re.findall(r"NEXT_ASSEMBLY_USAGE_OCCURRENCE\('(\d+)','([^']*)'", text)
    assert uses == [("1", r"\X2\9500\X0" + "\\"), ("2", r"\X2\9489\X0" + "\\")]


def test_characters_are_coded_as_iso_10303_21_says():
    assert (
        encoded("ä'\\\t銷😀") == "\\X2\\00E4\\X0\\''\\\\\\X\\09\\X2\\92B7\\X0\\\\X4\\0001F600\\X0\\"
    )


# -- wrong input --------------------------------------------------------------------------


def box_at(X: np.ndarray) -> Placed:
    return Placed("a", children=(Placed("b", cq.Workplane().box(1, 1, 1).val().wrapped, X_PC=X),))


@pytest.mark.parametrize(
    ("tree", "told"),
    [
        (box_at(np.diag([1.0, 1, -1, 1])), "Pose of 'b'.*mirrors"),
        (box_at(np.diag([2.0, 2, 2, 1])), "Pose of 'b'.*scales"),
        (box_at(np.full((4, 4), np.nan)), "Pose of 'b'.*finite"),
        (Placed("a", children=(Placed("b"),)), "'b' has no shape and no children"),
    ],
    ids=["mirrored", "scaled", "nan", "empty"],
)
def test_tree_that_step_cannot_hold_is_refused_and_nothing_is_written(tmp_path, tree, told):
    path = tmp_path / "bad.step"
    path.write_text("as it was")
    with pytest.raises(InputError, match=told):
        write_step(path, tree)
    assert path.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [path]


def test_node_with_shape_and_children_is_refused(tmp_path):
    box = cq.Workplane().box(1, 1, 1).val().wrapped
    tree = Placed("a", box, children=(Placed("b", box),))
    with pytest.raises(InputError, match="'a' has both shape and children"):
        write_step(tmp_path / "bad.step", tree)


def test_name_for_a_face_that_is_not_there_is_refused(tmp_path):
    box = cq.Workplane().box(1, 1, 1).val().wrapped
    tree = Placed("a", children=(Placed("b", box, face_names={6: "lid"}),))
    with pytest.raises(InputError, match="'b' has 6 faces, face 6 is to be named 'lid'"):
        write_step(tmp_path / "bad.step", tree)


@pytest.mark.parametrize("option", ["schema", "unit"])
def test_unknown_option_lists_the_known_ones(tmp_path, option):
    with pytest.raises(InputError, match=f"STEP {option} 'ells' found, .* or .* wanted"):
        write_step(tmp_path / "x.step", box_at(np.eye(4)), **{option: "ells"})


def test_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.x\.step: cannot be written: No such file"):
        write_step(tmp_path / "nowhere" / "x.step", box_at(np.eye(4)))


def test_empty_cadquery_assembly_is_refused(tmp_path):
    with pytest.raises(InputError, match="'hollow' is empty"):
        write_cq(tmp_path / "x.step", cq.Assembly(name="hollow"))
