"""What each message does: motion and edits in the session's thread, studies beside it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from cad2mbs.errors import InputError
from cad2mbs.viewer import gallery, messages, saving, studies
from cad2mbs.viewer.loading import Loaded
from cad2mbs.viewer.readout import DRAGGED, OK, STOPPED
from cad2mbs.viewer.session import Handler, Session
from cad2mbs.viewer.workbench import Workbench

SETTLED = 0.25  # [s] without motion, after which ranges that depend on the pose are found again
STANDS = 1e-6  # of a value: a shorter range is that of a drive on its dead point
TRACES = 50  # of one client
SHOWN_BUSY = 0.15  # [s] of work that passes without a word

# -- opening --------------------------------------------------------------------------------


async def open_source(session: Session, message: messages.Open) -> None:
    """Load and show; without a source, and none named on the command line, the gallery."""
    sources = session.shared.sources
    if message.source == "" and sources.named is None:
        await show_gallery(session, None)
        return
    name = message.source or (sources.named.text if sources.named else "")
    await session.send({"type": "busy", "text": f"Opening {name}" if name else "Opening"})
    try:
        loaded = await session.load(sources.load, message.source)
        if loaded is not None:
            await _show_new(session, loaded, sources.label(message.source))
    finally:
        await session.send({"type": "idle"})


async def _show_new(session: Session, loaded: Loaded, label: str) -> None:
    bench = Workbench(loaded, label)
    drawn = await session.blocking(_drawn, bench, session.seq)
    session.replace(bench)  # only now that nothing can fail: the page shows it for sure
    await _send_scene(session, *drawn)


async def show(session: Session, stopped: str = "") -> None:
    """Send the scene with its pose, then what takes longer to find out."""
    drawn = await session.blocking(_drawn, session.work, session.seq)
    await _send_scene(session, *drawn, stopped)


def _drawn(bench: Workbench, seq: int) -> tuple[dict[str, Any], bytes]:
    """Scene and pose as things are."""
    scene = bench.scene()
    return scene, bench.pose(seq, OK if bench.m.assembled else 0, 0.0)


async def _send_scene(
    session: Session, scene: dict[str, Any], pose: bytes, stopped: str = ""
) -> None:
    session.told = ("ok", "")
    await session.send_both(scene, pose)
    if stopped:
        await session.send_status("stop", stopped)
    session.later("facts", lambda: facts(session), "open")
    _trace_anew(session)
    _look_for_clashes(session)


async def facts(session: Session) -> None:
    """Verdicts, then the reach of every drive that drives."""
    bench = session.work
    if session.verdicts is None:
        session.verdicts = await _known(session, studies.verdicts)
    await session.send(session.verdicts)
    if not bench.m.assembled:
        return
    for drive in bench.driving:
        await _send_reach(session, await _known(session, studies.reach, drive))


async def _known(session: Session, study: Any, *arguments: Any) -> dict[str, Any]:
    """A study of the mechanism as it was opened, shared by all clients, or else of its own."""
    bench = session.work
    if not bench.fresh or (session.moved and study is not studies.verdicts):
        return await session.study(study, *arguments)
    once = bench.loaded.once
    return await session.shared.pool.run(once, (study, *arguments), study, *arguments)


async def show_gallery(session: Session, message: messages.Gallery | None) -> None:
    shared = session.shared
    if shared.gallery is None:
        shared.gallery = await shared.listers.run(gallery.items)
    await session.send({"type": "gallery", "items": shared.gallery})


async def browse(session: Session, message: messages.Browse) -> None:
    shared = session.shared
    await session.send(await shared.listers.run(shared.folder.browse, message.folder))


# -- motion ---------------------------------------------------------------------------------


async def drive(session: Session, message: messages.Drive) -> None:
    bench, seq = session.work, message.seq

    def move() -> tuple[bytes, str]:
        begin = time.perf_counter()
        solved = bench.drive(message.values, message.cross)
        seconds = time.perf_counter() - begin
        flags = OK if solved.ok else STOPPED
        return bench.pose(seq, flags, seconds), "" if solved.ok else solved.status

    pose, stopped = await session.blocking(move)
    await session.send_both(None, pose)
    await session.send_status("stop" if stopped else "ok", stopped)
    _moved(session, message.cross)


async def drag(session: Session, message: messages.Drag) -> None:
    bench, seq = session.work, message.seq

    def move() -> tuple[bytes, str]:
        begin = time.perf_counter()
        pulled = bench.drag(message.part, message.point, message.target)
        seconds = time.perf_counter() - begin
        flags = DRAGGED | OK | (STOPPED if pulled.stopped else 0)
        return bench.pose(seq, flags, seconds), pulled.status if pulled.stopped else ""

    pose, stopped = await session.blocking(move)
    await session.send_both(None, pose)
    await session.send_status("stop" if stopped else "ok", stopped)
    _moved(session, False)


async def drop(session: Session, message: messages.Drop) -> None:
    await session.blocking(session.work.drop)


async def reset(session: Session, message: messages.Reset) -> None:
    bench, seq = session.work, session.seq

    def back() -> bytes:
        bench.reset()
        return bench.pose(seq, OK if bench.m.assembled else 0, 0.0)

    await session.send_both(None, await session.blocking(back))
    await session.send_status("ok", "")
    _moved(session, True)


async def driving(session: Session, message: messages.Driving) -> None:
    await session.blocking(session.work.choose, message.names)
    await show(session)


def _moved(session: Session, other_branch: bool) -> None:
    """After a motion: clashes at once; ranges and traces once it rests, if they may be others."""
    session.moved = True
    _look_for_clashes(session)
    bench = session.work
    several = bench.m.assembled and len(bench.m.mover(()).known) > 1
    if bench.m.assembled and (other_branch or session.reach_due or several):
        session.later("settled", lambda: _settled(session), "reach")


async def _settled(session: Session) -> None:
    await asyncio.sleep(SETTLED)
    session.reach_due = False
    for name in session.work.driving:
        await _send_reach(session, await session.study(studies.reach, name))
    _trace_anew(session)


async def _send_reach(session: Session, found: dict[str, Any]) -> None:
    """Tell how far a drive goes; on a dead point that is not known until it has left it."""
    if found["high"] - found["low"] > STANDS * (abs(found["high"]) + abs(found["low"])):
        await session.send(found)
    else:
        session.reach_due = True


# -- edits ----------------------------------------------------------------------------------


async def mate(session: Session, message: messages.MateEdit) -> None:
    await _rebuilt(session, session.work.edit_mate, message.name, message.off, message.value)


async def undo(session: Session, message: messages.Undo) -> None:
    await _rebuilt(session, session.work.undo)


async def _rebuilt(session: Session, edit: Any, *arguments: Any) -> None:
    """Do an edit that makes a new mechanism, and show it."""
    async with _busy(session, "Assembling"):
        told = await session.blocking(edit, *arguments)
        session.cancel_jobs("facts", "settled", "clash", "curves")
        session.forget()
    await show(session, told)


@asynccontextmanager
async def _busy(session: Session, text: str) -> AsyncIterator[None]:
    """Say that something takes its time, once it does, and when it has ended."""
    said = False

    async def say() -> None:
        nonlocal said
        await asyncio.sleep(SHOWN_BUSY)
        said = True  # before it is sent: an `idle` too many does no harm, a missing one does
        await session.send({"type": "busy", "text": text})

    waiting = asyncio.ensure_future(say())
    try:
        yield
    finally:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        if said:
            await session.send({"type": "idle"})


async def position(session: Session, message: messages.Position) -> None:
    bench = session.work
    act = bench.remove_position if message.remove else bench.store_position
    await session.blocking(act, message.name)
    await show(session)


async def save(session: Session, message: messages.Save) -> None:
    shared = session.shared
    arguments = session.work, shared.folder, shared.uploads, message.path, message.replace
    path, notes = await session.blocking(saving.save, *arguments)
    await session.send({"type": "saved", "path": path, "notes": list(notes)})


async def text(session: Session, message: messages.Text) -> None:
    session.later("text", lambda: _text(session, message), "text")


async def _text(session: Session, message: messages.Text) -> None:
    bench = session.work
    name = saving.file_name(bench.whole)
    if message.what == "mates":
        content = await session.blocking(saving.text, bench)
    else:
        drive = message.drive or studies.first_drive(bench.m, bench.driving)
        content = await session.study(studies.table, drive)
        name = name.removesuffix(".yaml") + ".csv"
    await session.send({"type": "text", "name": name, "content": content})


# -- studies --------------------------------------------------------------------------------


async def curves(session: Session, message: messages.Curves) -> None:
    session.work.m.require([message.drive])
    session.later("curves", lambda: _curves(session, message), "curves")


async def _curves(session: Session, message: messages.Curves) -> None:
    await session.send(await session.study(studies.curves, message.drive, message.names))


async def trace(session: Session, message: messages.Trace) -> None:
    session.work.part(message.part)  # says no where there is none
    if len(session.traces) >= TRACES and message.id not in session.traces:
        raise InputError(f"{TRACES} traces are drawn already; remove one first")
    session.traces[message.id] = message
    session.later(("trace", message.id), lambda: _trace(session, message), "trace")


def _trace_anew(session: Session) -> None:
    """Draw all traces again; those on their way are of a mechanism that was."""
    session.cancel_jobs("traces", *(("trace", number) for number in session.traces))
    if session.traces:
        session.later("traces", lambda: retrace(session), "trace")


async def retrace(session: Session) -> None:
    for asked in list(session.traces.values()):
        await _trace(session, asked)


async def _trace(session: Session, asked: messages.Trace) -> None:
    bench = session.work
    drive = studies.first_drive(bench.m, bench.driving)
    points, closed = await session.study(studies.trace, drive, asked.part, asked.point)
    if session.traces.get(asked.id) is asked:
        await session.send(
            {
                "type": "trace",
                "id": asked.id,
                "part": asked.part,
                "point": list(asked.point),
                "points": points,
                "closed": closed,
            }
        )


async def untrace(session: Session, message: messages.Untrace) -> None:
    session.traces.pop(message.id, None)
    session.cancel_jobs(("trace", message.id))


async def clash(session: Session, message: messages.Clash) -> None:
    session.clash_on = message.on and session.work is not None  # no where nothing is open
    if session.clash_on:
        _look_for_clashes(session)
    else:
        session.cancel_jobs("clash")
        session.clashes = None  # the thread may still be at it
        await session.send({"type": "clash", "pairs": []})


def _look_for_clashes(session: Session) -> None:
    """Look now, or once more after the look that is under way."""
    session.clash_due = session.clash_on
    if session.clash_on and not session.at_work("clash"):
        session.later("clash", lambda: _clash(session), "clash")


async def _clash(session: Session) -> None:
    while session.clash_due:
        session.clash_due = False
        known = session.clashes
        session.clashes, found = await session.study(studies.clash, known)
        notes = session.clashes.notes if known is None else []  # told once
        await session.send({**found, "notes": notes} if notes else found)


HANDLERS: dict[type, Handler] = {
    messages.Open: open_source,
    messages.Gallery: show_gallery,
    messages.Browse: browse,
    messages.Drive: drive,
    messages.Drag: drag,
    messages.Drop: drop,
    messages.Driving: driving,
    messages.Reset: reset,
    messages.MateEdit: mate,
    messages.Undo: undo,
    messages.Curves: curves,
    messages.Trace: trace,
    messages.Untrace: untrace,
    messages.Clash: clash,
    messages.Position: position,
    messages.Save: save,
    messages.Text: text,
}
