"""Files that are damaged, or made to do harm, end in one clear error each."""

from __future__ import annotations

import zipfile
from pathlib import Path

import cadquery as cq
import pytest

from cad2mbs.cad.worker import Limits
from cad2mbs.errors import InputError
from cad2mbs.io import fcstd, fcstd_archive, fcstd_objects
from tests.cad2mbs.io import fcstd_models as fm
from tests.cad2mbs.io.fcstd_models import End, FcFile, pose

BOX = cq.Workplane().box(1, 1, 1).val()


def fails(path: Path, *words: str) -> str:
    with pytest.raises(InputError) as error:
        fcstd.read(path)
    text = str(error.value)
    for word in words:
        assert word in text
    assert ".FCStd" in text
    return text


def with_xml(folder: Path, xml: str) -> Path:
    path = folder / "bad.FCStd"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("Document.xml", xml)
    return path


def test_a_missing_file_is_told(tmp_path):
    fails(tmp_path / "none.FCStd", "no such file")


def test_a_file_that_is_no_archive_is_told(tmp_path):
    path = tmp_path / "text.FCStd"
    path.write_text("hello")
    fails(path, "zip archive was wanted")


@pytest.mark.parametrize("keep", [0.3, 0.9, 0.99])
def test_a_file_cut_short_is_told(tmp_path, keep):
    whole = fm.slider_crank(tmp_path).read_bytes()
    path = tmp_path / "cut.FCStd"
    path.write_bytes(whole[: int(keep * len(whole))])
    fails(path, "cut short")


def test_an_archive_without_a_document_is_told(tmp_path):
    path = tmp_path / "empty.FCStd"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("GuiDocument.xml", "<x/>")
    fails(path, "Document.xml")


def test_an_entity_bomb_is_refused_before_it_opens(tmp_path):
    rows = "".join(
        f'<!ENTITY e{i} "&e{i - 1};&e{i - 1};&e{i - 1};&e{i - 1};&e{i - 1};&e{i - 1};">'
        for i in range(1, 40)
    )
    xml = f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "ha">{rows}]><Document a="&e39;"/>'
    fails(with_xml(tmp_path, xml), "entity is declared")


def test_an_external_entity_is_not_followed(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    xml = f'<!DOCTYPE d [<!ENTITY x SYSTEM "file://{secret}">]><Document>&x;</Document>'
    assert "secret" not in fails(with_xml(tmp_path, xml), "entity is declared")


def test_elements_nested_without_end_are_refused(tmp_path):
    fails(with_xml(tmp_path, "<Document>" + "<a>" * 100_000), "deep")


def test_broken_xml_is_told_with_its_line(tmp_path):
    fails(with_xml(tmp_path, "<Document>\n<Objects>\n</Document>"), "bad.FCStd:3", "damaged")


def test_another_xml_is_told(tmp_path):
    fails(with_xml(tmp_path, "<html/>"), "<html>", "<Document>")


def test_a_zip_bomb_is_refused(tmp_path):
    path = tmp_path / "bomb.FCStd"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("Document.xml", b" " * (50 << 20))
    fails(path, "unpacks to more")


def test_too_many_entries_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(fcstd_archive, "MOST_ENTRIES", 3)
    fails(fm.slider_crank(tmp_path), "entries")


def test_a_size_in_the_header_is_not_believed(tmp_path):
    path = fm.slider_crank(tmp_path)
    data = bytearray(path.read_bytes())
    # The central directory's record of the first entry: its unpacked size stands 24 bytes in.
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    fails(path, "damaged")


@pytest.mark.parametrize(
    "name", ["../outside.FCStd", "/etc/outside.FCStd", "C:\\outside.FCStd", "a/../../x.FCStd"]
)
def test_a_link_out_of_the_folder_is_refused_and_names_the_object(tmp_path, name):
    inner = tmp_path / "inner"
    inner.mkdir()
    other = FcFile()
    other.feature("Shape", BOX, pose(), tmp_path)
    other.write(tmp_path / "outside.FCStd")
    file = FcFile()
    file.add("App::Link", "Part1", "my part", LinkedObject=fm.xlink("Shape", name))
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("Part1"))
    fails(file.write(inner / "main.FCStd"), "'my part'", "outside the folder")


def test_a_link_through_a_symbolic_link_out_of_the_folder_is_refused(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    other = FcFile()
    other.feature("Shape", BOX, pose(), tmp_path)
    (inner / "near.FCStd").symlink_to(other.write(tmp_path / "far.FCStd"))
    file = FcFile()
    file.add("App::Link", "Part1", LinkedObject=fm.xlink("Shape", "near.FCStd"))
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("Part1"))
    fails(file.write(inner / "main.FCStd"), "outside the folder")


def test_a_linked_file_that_is_missing_is_told_with_the_object(tmp_path):
    path = fm.slider_crank(tmp_path, how="files")
    (tmp_path / "rod.FCStd").unlink()
    fails(path, "'rod'", "rod.FCStd", "not there")


def test_a_linked_object_that_is_missing_is_told_with_the_object(tmp_path):
    file = FcFile()
    file.add("App::Link", "Part1", LinkedObject=fm.xlink("Nobody"))
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("Part1"))
    fails(file.write(tmp_path / "x.FCStd"), "'Part1'", "'Nobody'")


def test_links_in_a_circle_are_told(tmp_path):
    file = FcFile()
    file.add("App::Link", "One", LinkedObject=fm.xlink("Two"))
    file.add("App::Link", "Two", LinkedObject=fm.xlink("One"))
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("One"))
    fails(file.write(tmp_path / "x.FCStd"), "links to itself")


def test_files_that_link_each_other_in_a_circle_are_told(tmp_path):
    for name, other in (("a", "b"), ("b", "a")):
        file = FcFile()
        file.add("App::Link", "Link", LinkedObject=fm.xlink("Link", f"{other}.FCStd"))
        file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("Link"))
        file.write(tmp_path / f"{name}.FCStd")
    fails(tmp_path / "a.FCStd", "'Link'", "links to itself")


def test_parts_within_themselves_are_told(tmp_path):
    file = FcFile()
    file.add("App::Part", "Outer", Group=fm.links("Inner"))
    file.add("App::Part", "Inner", Group=fm.links("Outer"))
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("Outer"))
    fails(file.write(tmp_path / "x.FCStd"), "within itself")


def test_an_assembly_that_holds_itself_is_told(tmp_path):
    file = FcFile()
    file.add("App::DocumentObjectGroup", "Group", Group=fm.links("Group"))
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("Group"))
    fails(file.write(tmp_path / "x.FCStd"), "within itself")


def test_more_linked_files_than_allowed_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(fcstd_objects, "MOST_FILES", 2)
    fails(fm.slider_crank(tmp_path, how="files"), "more than 2 files")


def test_a_damaged_shape_is_told(tmp_path):
    file = FcFile()
    file.feature("Box", BOX, pose(), tmp_path)
    file.entries["Box.Shape.brp"] = b"CASCADE Topology V1, (c) nonsense"
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("Box"))
    fails(file.write(tmp_path / "x.FCStd"), "'Box'", "damaged")


def test_a_shape_that_is_missing_is_told_with_its_object(tmp_path):
    file = FcFile()
    file.feature("Box", BOX, pose(), tmp_path)
    del file.entries["Box.Shape.brp"]
    file.add("Assembly::AssemblyObject", "Assembly", Group=fm.links("Box"))
    fails(file.write(tmp_path / "x.FCStd"), "'Box'", "missing")


def test_a_kernel_that_takes_too_long_is_stopped(tmp_path):
    with pytest.raises(InputError, match=r"longer than 0\.01 s"):
        fcstd.read(fm.slider_crank(tmp_path), limits=Limits(seconds=0.01, memory_mb=4096))


def test_a_file_without_an_assembly_is_told(tmp_path):
    file = FcFile()
    file.feature("Box", BOX, pose(), tmp_path)
    fails(file.write(tmp_path / "x.FCStd"), "no assembly", "STEP")


@pytest.mark.parametrize(
    ("property_", "value", "words"),
    [
        ("Placement1", fm.placement(0.5 * pose()), ("'J'", "quaternion")),
        ("Distance", ("App::PropertyFloat", '<Float value="nan"/>'), ("'J'", "number was wanted")),
        ("JointType", fm.choice("Weld", ("Fixed", "Weld")), ("'J'", "'Weld'", "Revolute")),
        ("JointType", ("App::PropertyEnumeration", '<Integer value="77"/>'), ("'J'", "choice 77")),
        ("Reference1", fm.xsub("Assembly", "a.Face99"), ("'J'", "no Face99")),
        ("Reference1", fm.xsub("Nobody", "Face1"), ("'J'", "'Nobody'")),
    ],
)
def test_what_is_wrong_with_a_joint_is_told_with_its_name(tmp_path, property_, value, words):
    if property_ == "Placement1":
        kind, text = fm.placement(pose())
        value = (kind, text.replace('Q3="1.0000000000000000"', 'Q3="0.5"'))
    more = {"Distance": fm.number(1.0), property_: value}
    path = fm.pair(tmp_path, "Distance", End("a", pose()), End("b", pose()), **more)
    fails(path, *words)


def test_a_gear_without_a_radius_is_told_with_its_name(tmp_path):
    path = fm.pair(
        tmp_path, "Gears", End("a", pose()), End("b", pose()),
        Distance=fm.number(0.0), Distance2=fm.number(5.0),
    )  # fmt: skip
    fails(path, "'J'", "radii other than 0")
