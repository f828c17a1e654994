"""What is done first, what is dropped and what is never mixed up, when requests meet."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

import cad2mbs
from cad2mbs.viewer import handlers, studies
from cad2mbs.viewer.loading import Loaded
from cad2mbs.viewer.serving import prepared
from cad2mbs.viewer.session import Session
from cad2mbs.viewer.sources import Sources
from cad2mbs.viewer.workbench import Workbench
from cad2mbs.viewer.working import Workers
from tests.viewer.client import PATIENCE, Page

PAUSE = 0.3  # [s] in which what must not come would come


def slowed(function: Callable[..., Any], seconds: float = PAUSE) -> Callable[..., Any]:
    """The function, which takes that much longer."""

    def slow(*arguments: Any) -> Any:
        time.sleep(seconds)
        return function(*arguments)

    return slow


class Heard:
    """A connection that keeps what is sent; `pause` is taken after each word of busy."""

    def __init__(self, pause: float = 0.0):
        self.messages: list[dict[str, Any]] = []
        self.pause = pause

    async def send_text(self, data: str) -> None:
        self.messages.append(json.loads(data))
        if self.messages[-1]["type"] == "busy":
            await asyncio.sleep(self.pause)

    async def send_bytes(self, data: bytes) -> None:
        self.messages.append({"type": "pose"})

    async def until(self, type: str) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = [m for m in self.messages if m["type"] == type]
            if found:
                return found[-1]
            await asyncio.sleep(0.01)
        raise AssertionError(f"no {type}")


def alone(work: Callable[[Session, Heard], Awaitable[None]], pause: float = 0.0) -> None:
    """Run the work on a session of the four-bar that nobody is connected to."""

    async def run() -> None:
        common, line = prepared("four_bar"), Heard(pause)
        session = Session(line, common, handlers.HANDLERS)
        answering = asyncio.ensure_future(session.run())
        try:
            await work(session, line)
        finally:
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)
            await session.close()
            common.close()

    asyncio.run(run())


# --- opening -----------------------------------------------------------------------------------


def test_a_wrong_open_does_not_stop_the_studies_of_what_is_shown(start, monkeypatch):
    monkeypatch.setattr(studies, "verdicts", slowed(studies.verdicts))
    with Page(start("four_bar")) as page:
        page.open()
        page.refused("open", source="nope.yaml")
        page.next("verdicts")
        page.next("reach")


def test_what_is_moved_is_what_is_shown_though_a_wrong_open_follows_at_once(start, monkeypatch):
    entered = threading.Event()
    make = Workbench.scene

    def scene(bench: Workbench) -> dict[str, Any]:
        if bench.label == "shipped:sarrus":
            entered.set()
            time.sleep(PAUSE)
        return make(bench)

    monkeypatch.setattr(Workbench, "scene", scene)
    with Page(start("four_bar")) as page:
        page.open()
        page.say("open", source="shipped:sarrus")
        assert entered.wait(PATIENCE)
        page.refused("open", source="nope.yaml")
        page.say("text", what="mates")
        text = page.next("text")["content"]
        assert f"name: {page.scene['name']}" in text


def test_a_source_that_cannot_be_drawn_leaves_the_one_before_as_it_is(start, monkeypatch):
    with Page(start("four_bar")) as page:
        page.open()
        page.drive(1, crank=20.0)
        with monkeypatch.context() as patch:
            patch.setattr(Workbench, "scene", lambda self: 1 / 0)
            assert "ZeroDivisionError" in page.refused("open", source="shipped:sarrus")
        assert page.value(page.drive(2, crank=21.0), "crank") == pytest.approx(21.0)


def test_a_save_and_an_edit_that_wait_are_done_before_something_else_is_opened(
    start, folder, monkeypatch
):
    with Page(start("four_bar", folder=folder)) as page:
        mate = page.open()["mates"][0]["name"]
        page.next("reach")
        begun = threading.Event()
        drive = slowed(Workbench.drive)
        monkeypatch.setattr(Workbench, "drive", lambda *args: begun.set() or drive(*args))
        page.say("drive", seq=1, values={"crank": 40.0})
        assert begun.wait(PATIENCE)
        page.say("mate", name=mate, off=True)
        page.say("save", path="mine.yaml", replace=False)
        page.say("drive", seq=2, values={"crank": 50.0})
        page.say("open", source="shipped:sarrus")
        page.next("saved")
        page.next("scene", source="shipped:sarrus")
        poses = [m for m in page.heard if not isinstance(m, dict)]
    assert cad2mbs.load(folder / "mine.yaml").mates[mate].off
    # The drive under way was answered, the one that waited was not wanted any more.
    assert [float(p.values[0]) for p in poses if p.seq == 1] == [pytest.approx(40.0)]
    assert all(float(p.values[0]) != pytest.approx(50.0) for p in poses)


def test_a_client_loads_one_thing_at_a_time_and_holds_up_nobody(start, folder, monkeypatch):
    running, most = 0, 0
    gate = threading.Event()
    load, lock = Sources.load, threading.Lock()

    def counted(self: Sources, text: str) -> Loaded:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        gate.wait(PATIENCE)
        with lock:
            running -= 1
        return load(self, text)

    monkeypatch.setattr(Sources, "load", counted)
    server = start(folder=folder)
    with Page(server) as greedy, Page(server) as other:
        for _ in range(10):
            greedy.say("open", source="shipped:four_bar")
            time.sleep(0.02)
        other.say("browse", folder="")
        other.next("files")
        other.say("gallery")
        other.next("gallery")
        gate.set()
        greedy.next("scene")
        other.open("shipped:four_bar")
    assert most == 1


def test_every_busy_of_an_open_that_is_replaced_is_followed_by_idle(start, monkeypatch):
    monkeypatch.setattr(Sources, "load", slowed(Sources.load))
    with Page(start()) as page:
        for name in ("four_bar", "sarrus"):
            page.say("open", source=f"shipped:{name}")
            time.sleep(0.1)
        page.next("scene", source="shipped:sarrus")
        page.next("idle")
        kinds = [m["type"] for m in page.heard if isinstance(m, dict)]
    said = [k for k in kinds if k in ("busy", "idle")]
    assert said == ["busy", "idle", "busy", "idle"]


def test_idle_follows_a_busy_that_was_said_as_the_edit_ended(monkeypatch):
    monkeypatch.setattr(handlers, "SHOWN_BUSY", 0.1)
    monkeypatch.setattr(Workbench, "edit_mate", slowed(Workbench.edit_mate))

    async def work(session: Session, line: Heard) -> None:
        await session.hear('{"type": "open", "source": ""}')
        mate = (await line.until("scene"))["mates"][0]["name"]
        await line.until("verdicts")
        line.messages.clear()
        line.pause = 2.0  # longer than the edit takes
        await session.hear(json.dumps({"type": "mate", "name": mate, "off": True}))
        await line.until("scene")
        kinds = [m["type"] for m in line.messages]
        assert [k for k in kinds if k in ("busy", "idle")] == ["busy", "idle"]

    alone(work)


# --- studies -----------------------------------------------------------------------------------


def test_who_asks_something_else_does_not_wait_for_a_long_study():
    loaded = Loaded(cad2mbs.load("four_bar").mechanism(), None)
    gate, entered = threading.Event(), threading.Event()

    def long(m: Any) -> str:
        entered.set()
        gate.wait(PATIENCE)
        return "long"

    first = threading.Thread(target=loaded.once, args=("long", long), daemon=True)
    first.start()
    assert entered.wait(PATIENCE)
    got: list[str] = []
    second = threading.Thread(target=lambda: got.append(loaded.once("short", lambda m: "short")))
    second.daemon = True
    second.start()
    second.join(5.0)
    gate.set()
    first.join(PATIENCE)
    assert got == ["short"]
    assert loaded.once("long", lambda m: "found again") == "long"


def test_a_study_that_has_ended_is_not_at_work():
    async def work(session: Session, line: Heard) -> None:
        seen: list[bool] = []

        async def study() -> None:  # looked at after it ends, before anyone is told
            asyncio.get_running_loop().call_soon(lambda: seen.append(session.at_work("x")))

        session.later("x", study, "")
        assert session.at_work("x")
        await asyncio.sleep(0.05)
        assert seen == [False]

    alone(work)


def test_a_trace_of_the_mechanism_before_an_edit_does_not_come_after_it(start, monkeypatch):
    gate, begun, calls = threading.Event(), threading.Event(), []

    def trace(*arguments: Any) -> tuple[list[list[float]], bool]:
        calls.append(arguments)
        number = float(len(calls))
        begun.set()
        if number == 1.0:
            gate.wait(PATIENCE)
        return [[number, number, number]], False

    monkeypatch.setattr(studies, "trace", trace)
    with Page(start("four_bar")) as page:
        mate = page.open()["mates"][0]["name"]
        page.next("reach")
        page.say("trace", id=1, part=1, point=[0.0, 0.0, 0.0])
        assert begun.wait(PATIENCE)
        page.say("mate", name=mate, off=True)
        page.next("scene")
        assert page.next("trace")["points"] == [[2.0, 2.0, 2.0]]
        count = len(page.heard)
        gate.set()
        time.sleep(PAUSE)
        page.say("reset")
        page.pose()
        late = [m for m in page.heard[count:] if isinstance(m, dict) and m["type"] == "trace"]
    assert late == []


def test_clashes_switched_off_and_on_are_looked_for_anew_and_notes_are_told_once(
    start, monkeypatch
):
    known_before: list[Any] = []

    def clash(m: Any, known: Any) -> tuple[Any, dict[str, Any]]:
        known_before.append(known)
        return SimpleNamespace(notes=["a and b overlap"]), {"type": "clash", "pairs": []}

    monkeypatch.setattr(studies, "clash", clash)
    with Page(start("four_bar")) as page:
        page.open()
        page.say("clash", on=True)
        assert page.next("clash")["notes"] == ["a and b overlap"]
        page.drive(1, crank=1.0)
        assert "notes" not in page.next("clash")
        page.say("clash", on=False)
        page.next("clash")
        page.say("clash", on=True)
        page.next("clash")
    assert [known is None for known in known_before] == [True, False, True]


# --- limits ------------------------------------------------------------------------------------


def test_a_job_that_raises_stop_iteration_is_told_as_an_error():
    async def run() -> None:
        await asyncio.wait_for(Workers().run(next, iter(())), 5.0)

    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(run())


def test_drives_that_wait_do_not_gather_names_without_end():
    async def work(session: Session, line: Heard) -> None:
        for k in range(10):  # nothing is answered in between
            values = {f"{k} {n}": 0.0 for n in range(300)}
            await session.hear(json.dumps({"type": "drive", "seq": k, "values": values}))
        (waiting,) = session._queue
        assert len(waiting.values) <= 1000
        assert "names wait" in line.messages[-1]["text"]

    alone(work)
