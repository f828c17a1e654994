"""The cache gives back what was read, notices every change and survives damage."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from cad2mbs.cad import cache, load, stored
from cad2mbs.cad.document import Document, Instance
from cad2mbs.model.solid import Feature, FeatureKind, Mesh, Solid

ROOT = Path(__file__).resolve().parents[2]


def sample() -> Document:
    feature = Feature(
        FeatureKind.CYLINDER, (0.1, 2.0, 3.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), radius=1 / 3,
        concave=True, sweep=6.28, length=4.0, size=5.0, box=((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)),
        name="Bohrung ä", numbers=(3, 4), recovered=True,
    )  # fmt: skip
    mesh = Mesh(
        np.arange(9, dtype=np.float32).reshape(3, 3), np.ones((3, 3), np.float32),
        np.array([[0, 1, 2]], np.int32), np.array([7], np.int32),
        np.zeros((2, 3), np.float32), np.array([0, 2], np.int32), 0.01,
    )  # fmt: skip
    full = Solid(
        "box", (feature,), volume=1 / 3, colour=(0.1, 0.2, 0.3, 1.0), density=7850.0,
        problems=("odd.",), mesh=mesh, brep=b"\x00abc",
    )  # fmt: skip
    X = np.eye(4)
    X[0, 3] = 0.1
    leaf = Instance("a", "box", X, 1, (), (1.0, 0.0, 0.0, 1.0), "a")
    root = Instance("top", "", np.eye(4), None, (leaf,))
    return Document(root, (Solid("bare"), full), "in", "AP214", "x.step", ("n.",), ("x.step",))


def test_document_comes_back_as_it_was_stored(tmp_path):
    before = sample()
    stored.save(before, tmp_path)
    after = stored.load(tmp_path)
    assert after.solids == before.solids
    assert after.solids[0].mesh is None
    assert after.solids[0].brep is None
    assert after.solids[1].brep == b"\x00abc"
    for name in stored.MESH:
        old, new = (getattr(d.solids[1].mesh, name) for d in (before, after))
        assert np.array_equal(old, new)
        assert old.dtype == new.dtype
    assert np.array_equal(after.root.children[0].X_PC, before.root.children[0].X_PC)
    assert (after.unit, after.notes, after.root.name) == ("in", ("n.",), "top")


def kept(where: Path, name: str = "entry") -> Path:
    with cache.drafted(where) as draft:
        stored.save(sample(), draft)
        cache.keep(draft, name)
    return where / name


@pytest.mark.parametrize("file", [stored.TREE, stored.NUMBERS, cache.MANIFEST])
@pytest.mark.parametrize("damage", ["flip", "cut", "gone"])
def test_damaged_entry_is_deleted_and_not_used(tmp_path, file, damage):
    entry = kept(tmp_path)
    assert cache.find(tmp_path, "entry") is not None
    data = bytearray((entry / file).read_bytes())
    if damage == "gone":
        (entry / file).unlink()
    else:
        data[len(data) // 2] ^= 0x55
        (entry / file).write_bytes(data if damage == "flip" else data[: len(data) // 2])
    assert cache.find(tmp_path, "entry") is None
    assert not entry.exists()
    kept(tmp_path)
    assert cache.find(tmp_path, "entry") is not None


def test_half_written_entry_is_never_seen(tmp_path):
    def interrupted() -> None:
        with cache.drafted(tmp_path) as draft:
            stored.save(sample(), draft)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_second_writer_leaves_the_first_entry_whole(tmp_path):
    with cache.drafted(tmp_path) as one, cache.drafted(tmp_path) as two:
        for draft in (one, two):
            stored.save(sample(), draft)
        cache.keep(one, "entry")
        cache.keep(two, "entry")
    assert cache.find(tmp_path, "entry") is not None
    assert [p.name for p in tmp_path.iterdir()] == ["entry"]


def test_key_changes_with_every_file_name_content_and_option():
    base = [("a.stp", b"1"), ("b.stp", b"2")]
    keys = {
        cache.key(base, "7.9", [None]),
        cache.key([("a.stp", b"1"), ("b.stp", b"3")], "7.9", [None]),
        cache.key([("a.stp", b"1"), ("c.stp", b"2")], "7.9", [None]),
        cache.key(base, "8.0", [None]),
        cache.key(base, "7.9", [0.1]),
    }
    assert len(keys) == 5
    assert cache.key(base, "7.9", [None]) in keys


def test_entries_not_used_for_longest_are_removed_first(tmp_path):
    now = time.time()
    old, middle, new = (digit * 64 for digit in "abc")
    for i, name in enumerate((old, middle, new)):
        os.utime(kept(tmp_path, name), (now - 100 + i, now - 100 + i))
    assert cache.find(tmp_path, old) is not None  # used again: now the youngest
    size = sum(p.stat().st_size for p in (tmp_path / old).iterdir())
    cache.trim(tmp_path, largest=2 * size)
    assert {p.name for p in tmp_path.iterdir()} == {old, new}


def test_folders_of_others_are_left_alone(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "big.jpg").write_bytes(b"x" * 5000)
    cache.trim(tmp_path, largest=0)
    assert (tmp_path / "photos" / "big.jpg").exists()


def test_an_entry_that_is_no_folder_is_replaced(tmp_path):
    name = "d" * 64
    (tmp_path / name).write_text("junk")
    assert cache.find(tmp_path, name) is None
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_is_no_cache():
    assert cache.find(Path("/tmp") / ("a" * 300), "d" * 64) is None


def test_a_file_written_while_it_is_read_is_not_remembered(shared_data, tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    path = tmp_path / "a.step"
    path.write_bytes((shared_data / "step" / "disk_arm.step").read_bytes())
    made = load._made

    def meanwhile(*arguments):
        path.write_bytes(path.read_bytes() + b"\n")
        return made(*arguments)

    monkeypatch.setattr(load, "_made", meanwhile)
    load.read(path)
    assert list((tmp_path / "cache").rglob(cache.MANIFEST)) == []


def test_second_load_needs_no_kernel_and_equals_the_first(shared_data, tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    path = shared_data / "step" / "disk_arm.step"
    first = load.read(path)
    code = (
        "import sys; from cad2mbs.cad import load, worker\n"
        "worker.Worker.read = None\n"
        f"d = load.read({str(path)!r})\n"
        "assert not [m for m in sys.modules if m.split('.')[0] == 'OCP']\n"
        "print(len(d.solids), repr(sum(s.volume for s in d.solids)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [
        str(len(first.solids)),
        repr(sum(s.volume for s in first.solids)),
    ]


def test_changed_external_file_is_noticed(shared_data, tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    for file in (shared_data / "step" / "s1-c5-214").glob("*.stp"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    main = tmp_path / "s1-c5-214.stp"
    load.read(main)
    load.read(main)
    assert len(list((tmp_path / "cache").rglob(cache.MANIFEST))) == 1
    inner = tmp_path / "TAIL_TURBINE.stp"
    inner.write_bytes(inner.read_bytes().replace(b"'TAIL_TURBINE'", b"'SECOND_ONE'"))
    load.read(main)
    assert len(list((tmp_path / "cache").rglob(cache.MANIFEST))) == 2


def test_cache_switched_off_writes_nothing(monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, "off")
    assert cache.folder() is None
