"""The text of a STEP file is read in linear time, in its code page, with the files it names."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cad2mbs.cad import facts
from cad2mbs.cad.part21 import LONGEST, Part21, encoding_of
from cad2mbs.errors import InputError

SIZE = 1_000_000
HEAD = "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n"
TAIL = "ENDSEC;\nEND-ISO-10303-21;\n"


def written(path: Path, *names: str) -> Path:
    """A STEP file that refers to others."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"#{i}=DOCUMENT_FILE('{n}','','',#999,'',$);\n" for i, n in enumerate(names, 1)]
    path.write_text(HEAD + "".join(lines) + TAIL)
    return path


def names_of(path: Path) -> list[str]:
    return [p.name for p, _ in facts.files_of(path)]


@pytest.mark.parametrize(
    "piece",
    [
        b"#1=DOCUMENT_FILE()\n",
        b"#1=DOCUMENT_FILE(",
        b"#1=DOCUMENT_FILE();",
        b"#1=DOCUMENT_FILE('\n",
        b"#1=DOCUMENT_FILE(';",
        b"#1=DOCUMENT_FILE(/*\n",
        b"#1=DOCUMENT_FILE(/*;",
        b"#1=DOCUMENT_FILE(" + b"/*" * 30_000,
        b"#1=DOCUMENT_FILE(" + b" " * 60_000 + b"!",
        b"#1=DOCUMENT_FILE(" + b"\n" * 60_000,
    ],
    ids=lambda piece: piece[:24].decode(),
)
def test_a_megabyte_of_damaged_entities_is_scanned_within_a_second(piece):
    text = Part21(piece * (SIZE // len(piece)))
    started = time.process_time()
    facts.external_names(text)
    assert time.process_time() - started < 1.0


def test_entity_without_end_stops_at_the_line_of_the_next():
    text = Part21(b"#1=PRODUCT('a')\n#2=PRODUCT('b\n #3 = PRODUCT('c;''d',\n#7);\n#4=PRODUCT('e');")
    found = [(number, entity.args[0]) for number, entity in text.all("PRODUCT")]
    assert found == [(1, "a"), (3, "c;'d"), (4, "e")]


def test_entity_longer_than_the_limit_is_left_out_and_the_next_is_read():
    text = Part21(b"#1=PRODUCT('" + b"x" * LONGEST + b"');\n#2=PRODUCT('b');")
    assert [number for number, _ in text.all("PRODUCT")] == [2]


@pytest.mark.parametrize(
    "name",
    ["Gehäuse", "Pièce", "Träger", "Téton", "Référence", "Größe", "Écrou", "Führungsträger"],
)
def test_western_names_in_raw_bytes_are_latin_1(name):
    assert encoding_of(b"#1=PRODUCT('" + name.encode("latin-1") + b"');") == "latin-1"


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("部品", "cp932"), ("M8 ネジ", "cp932"), ("の", "cp932"), ("A部品図面b", "cp932"),
     ("底座", "gbk"), ("M8 螺栓", "gbk"), ("box零件1", "gbk")],
)  # fmt: skip
def test_east_asian_names_in_raw_bytes_keep_their_code_page(name, encoding):
    assert encoding_of(b"#1=PRODUCT('" + name.encode(encoding) + b"');") == encoding


def test_external_file_is_a_step_file_by_its_content_whatever_its_name(tmp_path):
    names = ["bare", "part.dat", "odd.txt", "spec.pdf", "notes"]
    path = written(tmp_path / "main.stp", *names)
    for name in names[:3]:
        written(tmp_path / name)
    (tmp_path / "bare").write_text(" \r\n" + HEAD + TAIL)
    for name in names[3:]:
        (tmp_path / name).write_text("about ISO-10303-21")
    assert names_of(path) == ["main.stp", "bare", "part.dat", "odd.txt"]


@pytest.mark.parametrize("name", ["part.dat", "PART.STP", "rev 1.2"])
def test_missing_file_that_may_hold_a_part_is_an_error(tmp_path, name):
    with pytest.raises(InputError, match=f"refers to the file '{name}', which is not there"):
        facts.files_of(written(tmp_path / "main.stp", name))


def test_missing_files_of_other_kinds_are_none_of_our_business(tmp_path):
    path = written(
        tmp_path / "main.stp", "a.pdf", "b.TXT", "c.igs", "d.CATPart", "docs/e.xml", "DOC-0001", ""
    )
    assert names_of(path) == ["main.stp"]


def test_external_file_outside_of_the_folder_is_refused(tmp_path):
    inside, outside = tmp_path / "in", written(tmp_path / "out.stp")
    written(inside / "main.stp")
    (inside / "link.stp").symlink_to(outside)
    for name in ("../out.stp", r"..\out.stp", str(outside), r"C:\out.stp", "link.stp"):
        with pytest.raises(InputError, match="which is not there"):
            facts.files_of(written(inside / "main.stp", name.replace("\\", "\\\\")))


def test_absolute_name_is_refused_even_within_the_folder(tmp_path):
    part = written(tmp_path / "part.stp")
    with pytest.raises(InputError, match="which is not there"):
        facts.files_of(written(tmp_path / "main.stp", str(part)))


def test_files_of_a_folder_below_may_refer_back_into_the_first_folder(tmp_path):
    path = written(tmp_path / "main.stp", "sub/one.stp")
    written(tmp_path / "sub" / "one.stp", "../two.stp")
    written(tmp_path / "two.stp")
    assert names_of(path) == ["main.stp", "one.stp", "two.stp"]
