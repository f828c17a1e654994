"""`cad2mbs view`, as the shell runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image

from cad2mbs.io.source import SHIPPED, shipped
from cad2mbs.viewer import gallery
from tests.viewer.client import PATIENCE, Page, fetch

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "from cad2mbs.cli import main; main()"]
posix_only = pytest.mark.skipif(os.name != "posix", reason="sends signals")


@contextmanager
def command(*arguments: str, **options) -> Iterator[subprocess.Popen[str]]:
    """`cad2mbs view` with these arguments, killed at the end if it still runs."""
    env = {
        k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    }
    env |= {"PYTHONPATH": str(ROOT), **options.pop("env", {})}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([*PROGRAM, "view", *arguments], env=env, **pipes, **options)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def address(process: subprocess.Popen[str]) -> SimpleNamespace:
    """Port and token of the line that tells where the page is."""
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.fullmatch(r"Open http://127\.0\.0\.1:(\d+)/([\w-]{32})/  \(Ctrl-C ends\)\n", line)
    assert found, line
    return SimpleNamespace(port=int(found[1]), token=found[2])


@posix_only
def test_ctrl_c_ends_the_command_with_code_0_and_without_a_traceback():
    with command("four_bar", "--no-browser") as process:
        with Page(address(process)) as page:
            page.open()
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


@posix_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_kill_or_a_closed_terminal_removes_what_was_uploaded(number, tmp_path):
    with command("--no-browser", env={"TMPDIR": str(tmp_path)}) as process:
        there = address(process)
        assert fetch(there, "/upload?set=a&name=a.yaml", "POST", b"x")[0] == 200
        assert len(list(tmp_path.glob("cad2mbs-*/*/a.yaml"))) == 1
        process.send_signal(number)
        assert process.wait(PATIENCE) == 0
    assert list(tmp_path.glob("cad2mbs-*")) == []


@posix_only
def test_ctrl_c_while_loading_does_not_wait_for_it():
    with command("radial_engine", "--no-browser") as process:
        address(process)
        time.sleep(0.3)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert time.monotonic() - begin < 10.0


def test_the_page_serves_the_folder_of_the_source(folder):
    with (
        command(str(folder / "four_bar"), "--no-browser") as process,
        Page(address(process)) as page,
    ):
        assert page.hello["folder"] == str((folder / "four_bar").resolve())
        assert page.open()["source"] == "assembly.yaml"
        page.say("save", path="", replace=True)
        assert page.next("saved")["path"] == "assembly.yaml"


def test_a_shipped_source_serves_the_present_folder(tmp_path):
    with command("four_bar", "--no-browser", cwd=tmp_path) as process:
        with Page(address(process)) as page:
            assert page.hello["folder"] == str(tmp_path.resolve())


def test_without_a_source_the_page_offers_the_gallery(tmp_path):
    with command("--no-browser", "--max-upload", "5", cwd=tmp_path) as process:
        with Page(address(process)) as page:
            assert page.hello["maxUpload"] == 5_000_000
            page.say("open", source="")
            assert len(page.next("gallery")["items"]) == len(shipped())


@posix_only
def test_a_server_started_by_nohup_outlives_the_terminal():
    ignore = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)}
    with command("--no-browser", **ignore) as process:
        there = address(process)
        with Page(there):  # it answers, so it has come to listen to signals
            process.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2.0)
        with Page(there) as page:
            assert page.hello["live"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


@posix_only
def test_a_browser_is_opened_on_the_page_by_a_file_that_only_its_owner_can_read(tmp_path):
    told = tmp_path / "told"
    browser = tmp_path / "browser"
    browser.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(told)!r}, 'w').write(sys.argv[1])"
    )
    browser.chmod(0o755)
    with command("four_bar", env={"BROWSER": str(browser), "TMPDIR": str(tmp_path)}) as process:
        there = address(process)
        end = time.monotonic() + PATIENCE
        while not (told.exists() and told.read_text()) and time.monotonic() < end:
            time.sleep(0.05)
        opened = told.read_text()
        assert there.token not in opened  # every user of the machine can read command lines
        file = Path(opened.removeprefix("file://"))
        assert f"url=http://127.0.0.1:{there.port}/{there.token}/" in file.read_text()
        assert oct(file.stat().st_mode)[-3:] == "600"
        assert oct(file.parent.stat().st_mode)[-3:] == "700"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    assert not file.parent.exists()


def test_errors_of_the_source_are_printed_and_shown_on_the_page(tmp_path):
    (tmp_path / "wrong.yaml").write_text("cad2mbs: 1\nparts: 3\n")
    with command("wrong.yaml", "--no-browser", cwd=tmp_path) as process:
        with Page(address(process)) as page:
            assert "wrong.yaml:2" in page.refused("open", source="")
        assert process.stderr is not None
        assert "wrong.yaml:2: error:" in process.stderr.readline()


def ended(*arguments: str) -> tuple[int, str]:
    """Exit code and words of a command that does not get to serve anything."""
    done = subprocess.run(
        [*PROGRAM, "view", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stderr


def test_a_source_that_is_not_there_ends_the_command():
    code, said = ended("nonsense.yaml", "--no-browser")
    assert code == 2
    assert "no such file or folder" in said


def test_a_port_in_use_is_told_with_what_to_do():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, said = ended("--no-browser", "--port", port)
    assert code == 2
    assert f"cannot listen on 127.0.0.1 port {port}" in said
    assert "leave --port out" in said


def test_a_folder_or_host_that_is_not_there_is_told():
    assert "there is no such folder" in ended("--no-browser", "--folder", "nowhere")[1]
    assert "cannot listen" in ended("--no-browser", "--host", "192.0.2.1")[1]


def test_listening_for_other_machines_is_warned_of(tmp_path):
    with command("--no-browser", "--host", "0.0.0.0", cwd=tmp_path) as process:
        address(process)
        assert process.stderr is not None
        assert "can be reached from other machines" in process.stderr.readline()


def test_help_shows_examples_and_loads_nothing_heavy():
    code = "import sys\nfrom cad2mbs.cli import app\n"
    code += "try:\n    app(['view', '--help'])\nexcept SystemExit:\n    pass\n"
    code += "print(*sys.modules, sep='\\n', file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "cad2mbs view radial_engine" in done.stdout
    loaded = set(done.stderr.split())
    assert not loaded & {"starlette", "uvicorn", "websockets", "numba", "numpy"}


# --- the gallery -------------------------------------------------------------------------------


@pytest.mark.parametrize("item", gallery.items(), ids=lambda item: item["source"])
def test_every_shipped_assembly_has_a_small_picture(item):
    name = item["source"].removeprefix(gallery.PREFIX)
    assert item["thumbnail"] == f"thumbnail/{name}.png"
    file = SHIPPED / name / gallery.THUMBNAIL
    assert file.stat().st_size < 25_000
    with Image.open(file) as picture:
        assert (picture.format, picture.size) == ("PNG", (320, 240))
        assert len(picture.convert("RGB").getcolors(320 * 240)) > 20  # not a blank


def test_the_small_pictures_are_few_bytes_together():
    assert sum((SHIPPED / n / gallery.THUMBNAIL).stat().st_size for n in shipped()) < 700_000


def test_an_assembly_without_a_picture_is_listed_without_one(tmp_path, monkeypatch):
    (tmp_path / "bare").mkdir()
    text = json.dumps({"cad2mbs": 1, "parts": {"a": {"grounded": True}}})
    (tmp_path / "bare" / "assembly.yaml").write_text(text)
    monkeypatch.setattr("cad2mbs.io.source.SHIPPED", tmp_path)
    (item,) = gallery.items()
    assert item == {
        "source": "shipped:bare", "title": "Bare", "thumbnail": "", "parts": 1, "freedoms": 0,
    }  # fmt: skip
    assert gallery.thumbnail("bare.png") is None
