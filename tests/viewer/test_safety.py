"""Nobody gets in without the token, nothing outside the folder is read or written, and whatever a
client sends, the others go on."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import time
import urllib.parse
from collections.abc import AsyncIterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import cad2mbs
from cad2mbs.errors import InputError
from cad2mbs.io.source import SHIPPED
from cad2mbs.viewer import messages, server
from cad2mbs.viewer.guard import is_loopback, new_token
from cad2mbs.viewer.serving import Server, prepared
from cad2mbs.viewer.uploads import Uploads
from tests.viewer.client import PATIENCE, Page, fetch

HOSTILE = '<img src=x onerror="alert(1)">'


# --- who gets in -------------------------------------------------------------------------------


def test_the_server_listens_on_this_machine_alone(engine):
    assert engine.socket.getsockname()[0] == "127.0.0.1"


def test_tokens_are_long_and_never_the_same():
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert min(len(t) for t in tokens) >= 128 / 6  # six bits a letter


@pytest.mark.parametrize("token", ["", "x", "ws", "../", "%00", "a" * 5000, "ä"])
def test_without_the_token_there_is_nothing(engine, token):
    there = urllib.parse.quote(token, safe="%/.")
    for path in ("/", "/page.js", "/ws", "/upload", "/thumbnail/four_bar.png"):
        status, _, body = fetch(engine, path, token=there)
        assert (status, body) == (404, b"There is nothing here.")


def test_a_token_that_is_nearly_right_is_wrong(engine):
    for wrong in (engine.token[:-1], engine.token + "x", engine.token.swapcase()):
        assert fetch(engine, "/", token=wrong)[0] == 404
        with pytest.raises(InvalidStatus) as refused:
            Page(engine, token=wrong)
        assert refused.value.response.status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_a_foreign_host_name_is_refused(engine, host):
    assert fetch(engine, "/", headers={"Host": host})[0] in (400, 421)


@pytest.mark.parametrize("host", ["localhost:{}", "127.0.0.1:{}", "[::1]:{}", "localhost:4711"])
def test_names_of_this_machine_are_served_also_through_a_forwarded_port(engine, host):
    answer = fetch(engine, "/geometry/x", headers={"Host": host.format(engine.port)})
    assert answer[2] == b"These shapes are not open any more."  # said behind the guard


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:1", "http://localhost:{}", "file://"],
)
def test_a_foreign_origin_opens_no_websocket_and_uploads_nothing(engine, origin):
    origin = origin.format(engine.port)
    with pytest.raises(InvalidStatus) as refused:
        Page(engine, origin=origin)
    assert refused.value.response.status_code == 403
    headers = {"Origin": origin}
    assert fetch(engine, "/upload?set=a&name=a.yaml", "POST", b"x", headers)[0] == 403


def test_the_own_origin_and_a_program_without_one_are_let_in(engine):
    for options in ({"origin": f"http://127.0.0.1:{engine.port}"}, {}):
        with Page(engine, **options) as page:
            assert page.hello["live"]


def test_every_answer_carries_the_guarding_headers(engine):
    for path, token in (("/", None), ("/nothing", None), ("/", "wrong"), ("/geometry/x", None)):
        _, headers, _ = fetch(engine, path, token=token)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert f"connect-src 'self' ws://127.0.0.1:{engine.port};" in policy
        assert "frame-ancestors 'self'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy.replace("ws://127.0.0.1", "")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers


def test_addresses_that_others_reach_are_told_from_those_of_this_machine():
    assert all(map(is_loopback, ("127.0.0.1", "127.8.8.8", "localhost", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.5", "example.org", "")))


def test_a_server_for_others_is_called_by_address_but_not_by_foreign_names():
    with Server(prepared(None), host="0.0.0.0") as server:
        answer = fetch(server, "/geometry/x", headers={"Host": f"192.168.1.5:{server.port}"})
        assert answer[2] == b"These shapes are not open any more."
        assert fetch(server, "/", headers={"Host": "evil.example"})[0] == 421


def test_another_address_of_this_machine_is_served_by_its_name():
    with Server(prepared(None), host="127.0.0.2") as server:
        line = HTTPConnection("127.0.0.2", server.port, timeout=PATIENCE)
        line.request("GET", f"/{server.token}/geometry/x")
        assert line.getresponse().read() == b"These shapes are not open any more."
        line.request("GET", f"/{server.token}/", headers={"Host": "evil.example"})
        assert line.getresponse().status == 421
        line.close()


# --- the page's own files ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/../server.py", "/%2e%2e/server.py", "/..%2fserver.py", "/page/../../server.py",
        "/%2e%2e%2f%2e%2e%2fpyproject.toml", "//etc/passwd", "/%2fetc%2fpasswd", "/..\\server.py",
        "/page.js/", "/page.js%00", "/.", "/..", "/index.html/../../server.py",
        "/thumbnail/..%2f..%2fpyproject.toml", "/thumbnail/../../pyproject.toml.png",
        "/thumbnail/four_bar%2fassembly.yaml", "/geometry/..%2f..%2fserver.py",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_page_folder(engine, path):
    assert fetch(engine, path)[0] == 404


def test_the_page_is_served_and_its_absence_is_told(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(server, "PAGE", tmp_path)
    status, _, body = fetch(engine, "/")
    assert status == 503
    assert b"scripts/make_page.py" in body
    (tmp_path / "index.html").write_text("<p>here")
    (tmp_path / "secret.key").write_text("no")
    status, headers, body = fetch(engine, "/")
    assert (status, body, headers["content-type"]) == (200, b"<p>here", "text/html; charset=utf-8")
    assert fetch(engine, "/secret.key")[0] == 404
    status, headers, _ = fetch(engine, "")
    assert (status, headers["location"]) == (307, f"/{engine.token}/")


# --- messages ----------------------------------------------------------------------------------

MALFORMED = [
    "",
    "{",
    "null",
    "[]",
    "3",
    '"open"',
    "{}",
    '{"type": 3}',
    '{"type": "nonsense"}',
    '{"type": "open"}',
    '{"type": "open", "source": 3}',
    '{"type": "open", "source": "", "more": 1}',
    '{"type": "drive", "seq": 1, "values": {"crank": NaN}}',
    '{"type": "drive", "seq": 1, "values": {"crank": Infinity}}',
    '{"type": "drive", "seq": 1, "values": {"crank": 1e400}}',
    '{"type": "drive", "seq": 1, "values": {"crank": 1e300}}',
    '{"type": "drive", "seq": 1, "values": {"crank": "1"}}',
    '{"type": "drive", "seq": 1, "values": {"crank": true}}',
    '{"type": "drive", "seq": 1, "values": [1]}',
    '{"type": "drive", "seq": -1, "values": {}}',
    '{"type": "drive", "seq": 4294967296, "values": {}}',
    '{"type": "drive", "seq": 1.5, "values": {}}',
    '{"type": "drag", "seq": 1, "part": 0, "point": [0, 0], "target": [0, 0, 0]}',
    '{"type": "drag", "seq": 1, "part": -1, "point": [0, 0, 0], "target": [0, 0, 0]}',
    '{"type": "driving", "names": "crank"}',
    '{"type": "mate", "name": "x", "off": "yes"}',
    '{"type": "text", "what": "passwords"}',
    '{"type": "save", "path": "x.yaml"}',
    '{"type": "position", "name": ""}',
    "[" * 60_000,
    '{"a":' * 10_000,
    json.dumps({"type": "browse", "folder": "x" * 5000}),
    json.dumps({"type": "driving", "names": ["x"] * 1001}),
    '{"type": "open", "source": "\\ud800"}',
]


@pytest.mark.parametrize("text", MALFORMED, ids=[t[:60] for t in MALFORMED])
def test_malformed_messages_are_refused_in_words(text):
    with pytest.raises(InputError, match="message refused"):
        messages.read(text)


def test_malformed_messages_leave_the_connection_as_it_is(engine):
    with Page(engine) as page, Page(engine) as other:
        page.open()
        other.open()
        for text in MALFORMED:
            page.line.send(text)
            assert "message refused" in page.error("")
        page.line.send(b"\x01\x02\xff\x00")
        assert "message refused" in page.error("")
        assert page.value(page.drive(1, crank=5.0), "crank") == pytest.approx(5.0)
        assert other.value(other.drive(1, crank=6.0), "crank") == pytest.approx(6.0)


def test_names_that_are_not_there_are_refused_in_words(engine):
    with Page(engine) as page:
        page.open()
        assert "no drive" in page.refused("drive", seq=1, values={HOSTILE: 1.0})
        assert "counted from 0" in page.refused("trace", id=1, part=99, point=[0, 0, 0])
        assert "no quantity" in page.refused("curves", drive="crank", names=[HOSTILE])
        assert "no drive" in page.refused("text", what="table", drive="nope")


@pytest.mark.parametrize("whole", [True, False], ids=["at once", "in pieces"])
def test_an_oversized_message_ends_this_connection_and_no_other(engine, whole):
    with Page(engine) as other:
        other.open()
        page = Page(engine)
        with suppress(ConnectionClosed):
            page.line.send("x" * 70_000 if whole else ("x" * 1000 for _ in range(70)))
        assert page.ended() == 1009
        assert other.value(other.drive(1, crank=6.0), "crank") == pytest.approx(6.0)


def test_text_that_is_no_utf8_ends_this_connection_and_no_other(engine):
    with Page(engine) as other:
        page = Page(engine)
        page.line.send(b"\xff\xfe", text=True)
        assert page.ended() == 1007
        assert other.open()["name"]


def test_a_client_that_is_killed_leaves_nothing_behind(start):
    lonely = start("four_bar")
    with Page(lonely) as other:
        page = Page(lonely)
        page.say("open", source="")
        page.line.socket.shutdown(socket.SHUT_RDWR)
        page.line.socket.close()
        other.open()
        end = time.monotonic() + PATIENCE
        while lonely.shared.clients > 1 and time.monotonic() < end:
            time.sleep(0.01)
        assert lonely.shared.clients == 1
        assert other.value(other.drive(1, crank=3.0), "crank") == pytest.approx(3.0)


def test_a_client_that_never_reads_does_not_hold_up_the_others(engine):
    lazy = Page(engine)
    lazy.line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    for _ in range(50):
        lazy.say("open", source="")
    with Page(engine) as other:
        other.open()
        assert other.value(other.drive(1, crank=6.0), "crank") == pytest.approx(6.0)
    lazy.close()


def test_too_many_pages_are_turned_away(start, monkeypatch):
    monkeypatch.setattr(server, "CLIENTS", 1)
    crowded = start("four_bar")  # nobody else comes or goes here
    with Page(crowded) as first:
        with pytest.raises(AssertionError, match="pages are open already"):
            Page(crowded)
        assert first.open()["name"] == "Four-bar"


def test_too_many_requests_are_dropped_in_words(engine):
    with Page(engine) as page:
        for _ in range(300):
            page.say("browse", folder="nothing here")
        texts = {page.error() for _ in range(300)}
        assert any("too many requests" in t for t in texts)


def test_a_mistake_in_a_handler_is_told_and_the_session_goes_on(engine, monkeypatch):
    from cad2mbs.viewer.workbench import Workbench

    with Page(engine) as page:
        page.open()
        monkeypatch.setattr(Workbench, "reset", lambda self: 1 / 0)
        assert "ZeroDivisionError" in page.refused("reset")
        assert page.value(page.drive(1, crank=5.0), "crank") == pytest.approx(5.0)


# --- the folder --------------------------------------------------------------------------------

OUTSIDE = ["..", "../outside.yaml", "/etc/passwd", "four_bar/../../outside.yaml", "~", "a\0b",
           "link_out", "link_out/outside.yaml", "link_file.yaml", "x" * 3000, ".secret",
           ".secret/a.yaml", "ring"]  # fmt: skip


@pytest.fixture
def besieged(folder: Path) -> Path:
    """The served folder with links that lead out of it, and something hidden."""
    outside = folder.parent / "outside.yaml"
    shutil.copy(folder / "four_bar" / "assembly.yaml", outside)
    (folder / "link_out").symlink_to(folder.parent)
    (folder / "link_file.yaml").symlink_to(outside)
    (folder / "ring").symlink_to(folder / "ring")
    (folder / ".secret").mkdir()
    (folder / ".secret" / "a.yaml").write_text("cad2mbs: 1\n")
    return folder


def test_nothing_outside_the_folder_is_listed_opened_or_written(start, besieged):
    before = sorted(os.listdir(besieged.parent))
    with Page(start("four_bar", folder=besieged)) as page:
        page.open()
        for path in OUTSIDE:
            for said in (
                page.refused("browse", folder=path),
                page.refused("open", source=path),
                page.refused("save", path=path, replace=True),
            ):
                assert "root:" not in said
        page.say("browse", folder="")
        names = {e["name"] for e in page.next("files")["entries"]}
    assert names == {"four_bar"}
    assert sorted(os.listdir(besieged.parent)) == before


def test_saving_through_a_link_does_not_change_what_lies_outside(start, besieged):
    outside = besieged.parent / "outside.yaml"
    before = outside.read_bytes()
    with Page(start("four_bar", folder=besieged)) as page:
        page.open()
        said = page.refused("save", path="link_file.yaml", replace=True)
        assert "outside the served folder" in said
        assert "outside" in page.refused("save", path="link_out/new.yaml", replace=True)
    assert outside.read_bytes() == before


def test_a_folder_whose_mates_file_is_a_link_outwards_is_not_opened(start, besieged):
    (besieged / "sly").mkdir()
    (besieged / "sly" / "assembly.yaml").symlink_to(besieged.parent / "outside.yaml")
    with Page(start(folder=besieged)) as page:
        assert "outside" in page.refused("open", source="sly")


def test_a_mates_file_chosen_on_the_page_reads_no_cad_file_outside(start, folder):
    step = folder.parent / "four_bar.step"
    shutil.move(folder / "four_bar" / "four_bar.step", step)
    file = folder / "four_bar" / "assembly.yaml"
    for name in (str(step), "../../four_bar.step"):
        text = (SHIPPED / "four_bar" / "assembly.yaml").read_text()
        file.write_text(text.replace("cad: four_bar.step", f"cad: {name}"))
        with Page(start(folder=folder)) as page:
            assert "out of reach" in page.refused("open", source="four_bar")
        with Page(start(file, folder=folder)) as page:  # the command may
            assert page.open()["name"] == "Four-bar"


def test_what_the_command_named_is_opened_by_its_label_wherever_the_folder_is(start, folder):
    other = folder.parent / "other"
    other.mkdir()
    shutil.move(folder / "four_bar" / "four_bar.step", folder.parent / "four_bar.step")
    file = folder / "four_bar" / "assembly.yaml"
    beside = file.with_name("beside.yaml")
    text = file.read_text()
    file.write_text(text.replace("cad: four_bar.step", "cad: ../../four_bar.step"))
    with Page(start(file, folder=other)) as page:
        label = page.open()["source"]
        assert page.open(label)["source"] == label
        shutil.copy(SHIPPED / "four_bar" / "four_bar.step", file.parent)
        beside.write_text(text)
        assert page.open(str(beside))["name"] == "Four-bar"


def test_a_mates_file_may_name_a_shipped_cad_file(start, folder):
    step = SHIPPED / "four_bar" / "four_bar.step"
    text = (SHIPPED / "four_bar" / "assembly.yaml").read_text()
    (folder / "a.yaml").write_text(text.replace("cad: four_bar.step", f"cad: {step}"))
    with Page(start(folder=folder)) as page:
        assert page.open("a.yaml")["geometry"] is not None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in the file system")
def test_a_pipe_is_not_opened(start, folder):
    os.mkfifo(folder / "pipe.yaml")
    os.mkfifo(folder / "pipe.step")
    text = (SHIPPED / "four_bar" / "assembly.yaml").read_text()
    (folder / "a.yaml").write_text(text.replace("cad: four_bar.step", "cad: pipe.step"))
    with Page(start(folder=folder)) as page:
        for name in ("pipe.yaml", "pipe.step", "a.yaml"):
            assert "no plain file" in page.refused("open", source=name)


def test_a_shipped_assembly_is_never_overwritten(start):
    file = SHIPPED / "four_bar" / "assembly.yaml"
    before = file.read_bytes()
    with Page(start("four_bar", folder=SHIPPED.parent)) as page:
        page.open()
        said = page.refused("save", path="assemblies/four_bar/assembly.yaml", replace=True)
        assert "shipped assemblies are not overwritten" in said
        assert "ends in .yaml" in page.refused("save", path="x.txt", replace=True)
        assert "no place for a file" in page.refused("save", path="none/x.yaml", replace=True)
    assert file.read_bytes() == before


# --- uploads -----------------------------------------------------------------------------------


def upload(server: Server, name: str, body: bytes, set_name: str = "s1") -> tuple[int, dict]:
    asked = urllib.parse.urlencode({"set": set_name, "name": name})
    status, _, answer = fetch(server, f"/upload?{asked}", "POST", body)
    return status, json.loads(answer)


def test_a_mates_file_and_its_step_file_are_uploaded_opened_and_saved(start, tmp_path):
    server, made = start(folder=tmp_path), SHIPPED / "four_bar"
    assert upload(server, "four_bar.step", (made / "four_bar.step").read_bytes())[0] == 200
    status, answer = upload(server, "assembly.yaml", (made / "assembly.yaml").read_bytes())
    assert (status, answer) == (200, {"source": "upload:s1/assembly.yaml"})
    with Page(server) as page:
        scene = page.open(answer["source"])
        assert scene["geometry"] is not None
        page.say("mate", name=scene["mates"][0]["name"], off=True)
        page.next("scene")
        page.say("save", path="mine.yaml", replace=False)
        page.next("saved")
        temporary = server.shared.uploads.folder
        assert oct(temporary.stat().st_mode)[-3:] == "700"
    server.stop()
    assert not temporary.exists()
    assert next(iter(cad2mbs.load(tmp_path / "mine.yaml").mates.values())).off
    assert (tmp_path / "four_bar.step").read_bytes() == (made / "four_bar.step").read_bytes()


def test_an_upload_is_not_saved_through_a_link_that_leads_outside(start, folder):
    server, made = start(folder=folder), SHIPPED / "four_bar"
    upload(server, "four_bar.step", (made / "four_bar.step").read_bytes())
    source = upload(server, "a.yaml", (made / "assembly.yaml").read_bytes())[1]["source"]
    outside = folder.parent / "outside.step"
    (folder / "four_bar.step").symlink_to(outside)  # leads nowhere as yet
    with Page(server) as page:
        page.open(source)
        said = page.refused("save", path="mine.yaml", replace=False)
        assert "outside the served folder" in said
    assert not outside.exists()
    assert not (folder / "mine.yaml").exists()


async def _pieces(*sizes: int) -> AsyncIterator[bytes]:
    for size in sizes:
        yield b"x" * size
        await asyncio.sleep(0.01)


def test_files_on_their_way_count_to_the_size_of_all():
    async def together(taken: Uploads) -> int:
        sent = (taken.take("s", f"{k}.step", _pieces(900, 50)) for k in range(20))
        results = await asyncio.gather(*sent, return_exceptions=True)
        return sum(isinstance(r, str) for r in results)

    taken = Uploads(1000)
    assert asyncio.run(together(taken)) <= 5
    assert sum(f.stat().st_size for f in taken.folder.rglob("*.*")) <= 5000
    taken.close()


def test_a_file_that_is_sent_again_counts_once():
    async def again(taken: Uploads) -> None:
        for _ in range(20):
            await taken.take("s", "a.step", _pieces(1000))

    taken = Uploads(1000)
    asyncio.run(again(taken))
    taken.close()


def test_uploaded_files_do_not_meet_those_of_another_set_or_of_the_machine(start, folder):
    server = start(folder=folder)
    text = (SHIPPED / "four_bar" / "assembly.yaml").read_text()
    upload(server, "four_bar.step", (SHIPPED / "four_bar" / "four_bar.step").read_bytes(), "other")
    reached = str(folder / "four_bar" / "four_bar.step")
    for k, name in enumerate(("four_bar.step", reached, "../other/four_bar.step")):
        text_k = text.replace("cad: four_bar.step", f"cad: {name}")
        source = upload(server, "assembly.yaml", text_k.encode(), f"s{k}")[1]["source"]
        with Page(server) as page:
            page.refused("open", source=source)


def test_an_upload_over_the_limit_is_refused_and_leaves_nothing(start):
    server = start(max_upload=0.01)
    status, answer = upload(server, "a.step", b"x" * 10_001)
    assert status == 413
    assert "--max-upload" in answer["error"]
    chunked = {"Transfer-Encoding": "chunked"}
    body = b"".join(b"1000\r\n" + b"x" * 0x1000 + b"\r\n" for _ in range(4)) + b"0\r\n\r\n"
    line = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    head = f"POST /{server.token}/upload?set=s&name=a.step HTTP/1.1\r\nHost: localhost\r\n"
    head += "".join(f"{k}: {v}\r\n" for k, v in chunked.items()) + "\r\n"
    line.sendall(head.encode() + body)
    assert line.recv(1000).startswith(b"HTTP/1.1 413")
    line.close()
    assert [p for p in server.shared.uploads.folder.rglob("*") if p.is_file()] == []
    assert upload(server, "a.step", b"x" * 10_000)[0] == 200


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd.yaml", "passwd.yaml"),
        ("..\\..\\boot.step", "boot.step"),
        ("/abs/olute.stp", "olute.stp"),
        (".hidden.yaml", "hidden.yaml"),
        ("a\0b\n.yaml", "a_b_.yaml"),
        ("con.yaml", "_con.yaml"),
        ("Getriebe äöü 齿轮.STEP", "Getriebe äöü 齿轮.STEP"),
        ("x" * 500 + ".yaml", "x" * 150 + ".yaml"),
        ("齿" * 500 + ".yaml", "齿" * 65 + ".yaml"),
        (f"{HOSTILE}.yaml", "_img src=x onerror=_alert(1)__.yaml"),
    ],
)
def test_uploads_keep_a_harmless_name(start, name, kept):
    server = start()
    status, answer = upload(server, name, b"cad2mbs: 1\n")
    assert (status, answer["source"]) == (200, f"upload:s1/{kept}")
    (file,) = (p for p in server.shared.uploads.folder.rglob("*") if p.is_file())
    assert file.name == kept
    assert file.parent.parent == server.shared.uploads.folder


@pytest.mark.parametrize("name", ["", ".", "..", "x", "x.exe", "x.yaml.exe", ".yaml", "/", "a/.."])
def test_uploads_of_other_kinds_are_refused(start, name):
    status, answer = upload(start(), name, b"x")
    assert status == 400
    assert "error" in answer


@pytest.mark.parametrize("set_name", ["", "..", "a/b", "a" * 65, ".", "ä"])
def test_sets_of_strange_names_are_refused(start, set_name):
    assert upload(start(), "a.yaml", b"x", set_name)[0] == 400


def test_sources_of_uploads_that_were_not_made_are_refused(start):
    with Page(start()) as page:
        for source in ("upload:", "upload:a/b.yaml", "upload:../..", "shipped:../x", "shipped:"):
            page.refused("open", source=source)


# --- hostile names -----------------------------------------------------------------------------


def test_hostile_names_travel_as_data(start, tmp_path):
    names = [HOSTILE, "</script><script>alert(1)</script>", "{{7*7}}", "' or 1", "__proto__"]
    parts = {n: {"references": {"r": {"point": [0, 0, 0]}}} for n in names}
    parts[names[0]]["grounded"] = True
    data = {"cad2mbs": 1, "name": HOSTILE, "parts": parts}
    (tmp_path / "hostile.yaml").write_text(json.dumps(data, ensure_ascii=True))
    with Page(start(folder=tmp_path)) as page:
        scene = page.open("hostile.yaml")
        page.say("browse", folder="")
        files = page.next("files")
    assert (scene["name"], {p["name"] for p in scene["parts"]}) == (HOSTILE, set(names))
    assert [e["name"] for e in files["entries"]] == ["hostile.yaml"]
