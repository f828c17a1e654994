"""Names, colours, materials, mirrors and units of a STEP file arrive as they were written."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from cad2mbs.cad.load import Worker, read
from cad2mbs.cad.names import chosen, unique
from cad2mbs.cad.part21 import encoding_of, read_text
from cad2mbs.errors import InputError

_spec = importlib.util.spec_from_file_location("_models", Path(__file__).with_name("_models.py"))
assert _spec is not None
assert _spec.loader is not None
models = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(models)


@pytest.fixture(scope="module")
def worker():
    with Worker() as one:
        yield one


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return models.assembly(tmp_path_factory.mktemp("step") / "whole.step")


@pytest.fixture(scope="module")
def document(source, worker):
    return read(source, cache=False, worker=worker)


def test_names_keep_umlauts_and_cjk_and_become_unique(document):
    assert document.root.name == "Größe 组装"
    assert [c.name for c in document.root.children] == ["one", "one_2", "Zylinder ä"]
    assert [c.product for c in document.root.children] == ["box", "box", "Zylinder ä"]


def test_poses_arrive_exactly(document):
    X = document.root.children[0].X_PC
    assert np.abs(X[:3, :3] - models.rotation((1, 2, 3), 0.5)).max() < 1e-12
    assert np.abs(X[:3, 3] - (1, 2, 3)).max() < 1e-12


def test_instances_share_one_solid_with_the_volume_of_the_box(document):
    assert [c.solid for c in document.root.children] == [0, 0, 1]
    assert document.solids[0].volume == pytest.approx(10 * 20 * 30, rel=1e-12)
    assert document.solids[1].volume == pytest.approx(np.pi * 25 * 8, rel=1e-12)


def test_colour_of_the_instance_wins_over_that_of_the_product(document):
    one, two, rod = document.root.children
    assert one.colour == pytest.approx((0.2, 0.4, 0.6, 1.0), abs=1e-6)
    assert two.colour == pytest.approx((0.9, 0.1, 0.1, 1.0), abs=1e-6)
    assert rod.colour is None


def test_density_is_in_kg_per_cubic_metre(document):
    assert document.solids[0].material == "steel"
    assert document.solids[0].density == pytest.approx(7850.0)


def test_mirror_the_kernel_loses_is_put_right(source, worker, tmp_path):
    path = models.with_mirror(source, tmp_path / "mirror.step")
    found = read(path, cache=False, worker=worker)
    assert any("mirror" in note for note in found.notes)
    leaf = next(x for x in found.leaves() if x.path == ("one_2",))
    assert np.linalg.det(leaf.X_WC[:3, :3]) == pytest.approx(1.0)
    # The box fills 0..10, 0..20, 0..30: mirrored in x and shifted by 7 its centre is here.
    centre = leaf.X_WC @ np.array([*found.solids[leaf.solid].centre, 1.0])
    assert np.abs(centre[:3] - (7 - 5, 10, 15)).max() < 1e-9
    assert found.solids[leaf.solid].volume == pytest.approx(6000, rel=1e-9)


def test_inch_file_gives_the_same_shapes_times_25_4(source, document, worker, tmp_path):
    text = source.read_text()
    inch = (
        "( CONVERSION_BASED_UNIT('INCH',#90010) LENGTH_UNIT() NAMED_UNIT(#90011) );\n"
        "#90010=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#90012);\n"
        "#90011=DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);\n"
        "#90012=( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );"
    )
    old = "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );"
    plain = inch.split("\n")[0]
    first, rest = text.split(old, 1)
    path = tmp_path / "inch.step"
    path.write_text(first + inch + rest.replace(old, plain))
    found = read(path, cache=False, worker=worker)
    assert found.unit == "in"
    assert found.solids[0].volume == pytest.approx(6000 * 25.4**3, rel=1e-9)
    assert found.root.children[1].X_PC[0, 3] == pytest.approx(40 * 25.4, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "encoding", "wanted"),
    [("底座零件", "gbk", "gbk"), ("ベース部品", "cp932", "cp932"), ("Größe", "latin-1", "latin-1"),
     ("Größe", "utf-8", "utf-8"), ("box", "ascii", "utf-8")],
)  # fmt: skip
def test_code_page_of_raw_bytes_is_found_and_read(source, worker, tmp_path, text, encoding, wanted):
    raw = b"'" + text.encode(encoding) + b"'"
    data = source.read_bytes().replace(b"'box','box'", raw + b"," + raw)
    if encoding != "utf-8":  # names of other entities are UTF-8 in this writer: plain ones instead
        data = data.replace("Größe 组装".encode(), b"top").replace("Zylinder ä".encode(), b"rod")
    assert encoding_of(data) == wanted
    path = tmp_path / "coded.step"
    path.write_bytes(data)
    found = read(path, cache=False, worker=worker)
    assert found.root.children[0].product == text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"solid cube\n", "not a STEP file"),
        (b"PK\x03\x04", "a packed file"),
        (b"ISO-10303-21;\nHEADER;\nENDSEC;\n", "no DATA section"),
    ],
)
def test_what_is_no_step_file_is_refused_with_the_reason(tmp_path, content, said):
    path = tmp_path / "bad.step"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said):
        read(path)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "none.step")


def test_cut_file_says_so(source, worker, tmp_path):
    data = source.read_bytes()
    path = tmp_path / "cut.step"
    path.write_bytes(data[: data.rindex(b"END-ISO")])
    found = read(path, cache=False, worker=worker)
    assert any("closing line" in note for note in found.notes)


def test_file_without_solids_is_refused(source, worker, tmp_path):
    path = tmp_path / "bare.step"
    path.write_bytes(
        b"ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n"
        b"FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n"
        b"#1=CARTESIAN_POINT('',(0.,0.,0.));\nENDSEC;\nEND-ISO-10303-21;\n"
    )
    with pytest.raises(InputError, match=r"no shapes|no solids"):
        read(path, cache=False, worker=worker)


def test_second_of_one_name_gets_the_first_free_number():
    assert unique(["a", "a", "a_2", "a", "b"]) == ["a", "a_3", "a_2", "a_4", "b"]


def test_counters_give_way_to_the_product_name():
    for counter in ("4", "NAUO12", "=>[0:1:1:2]", " ", ""):
        assert chosen(counter, "crank", "file") == "crank"
    assert chosen("pin_4", "crank", "file") == "pin_4"
    assert chosen("", "", "file") == "file"


def test_text_scanner_reads_escapes(tmp_path):
    path = tmp_path / "t.stp"
    path.write_text(
        "ISO-10303-21;\nDATA;\n#1=PRODUCT('a''b\\X2\\00E97EC4\\X0\\\\X\\E4',$,(#2,1.5E1));\n"
    )
    (_, entity), *_ = read_text(path).all("PRODUCT")
    assert entity.args[0] == "a'bé组ä"
    assert entity.args[2][1] == 15.0
