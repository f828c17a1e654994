"""One client: what it says is put in order, what it asks is answered, one thing after another.

Messages wait in a queue. A motion (drive, drag) that waits is replaced by the next one, so that
only the newest is solved. Blocking work runs in threads: the mechanism is moved by one thread of
the session, longer studies get a fork of it and run beside, and are dropped when something newer
makes them stale.
"""

from __future__ import annotations

import asyncio
import sys
import time
import traceback
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from cad2mbs.errors import Cad2mbsError, InputError
from cad2mbs.viewer import messages
from cad2mbs.viewer.messages import Drag, Drive, Open, Said
from cad2mbs.viewer.shared import Shared
from cad2mbs.viewer.workbench import Workbench
from cad2mbs.viewer.working import Workers

WAITING = 100  # messages that may wait
BURST, RATE = 100.0, 25.0  # requests that are no motion: at once, and a second
LIGHT = Drive | Drag | messages.Drop | messages.Untrace  # cheap, or replaced by the next one
PASSING = Drive | Drag | Open | messages.Curves | messages.Trace  # not wanted of what goes away
T = TypeVar("T")
Handler = Callable[["Session", Any], Awaitable[None]]


class Line(Protocol):
    """What a session needs of a connection."""

    async def send_text(self, data: str) -> None: ...

    async def send_bytes(self, data: bytes) -> None: ...


class Session:
    """The state of one client; `hear` takes its messages, `run` answers them until cancelled."""

    def __init__(self, line: Line, shared: Shared, handlers: dict[type, Handler]):
        self.line, self.shared, self.handlers = line, shared, handlers
        self.bench: Workbench | None = None
        self.thread = Workers(1, "session")
        self.seq = 0  # of the motion answered or dropped last
        self.told = ("ok", "")  # status that the page knows
        self.moved = False  # since the source was opened
        self.reach_due = False  # a drive stood on a dead point when its range was asked for
        self.clash_on = False
        self.clash_due = False  # the pose has changed since clashes were looked for
        self.clashes: Any = None  # the searcher of the present mechanism
        self.verdicts: dict[str, Any] | None = None  # of the present mechanism
        self.traces: dict[int, messages.Trace] = {}
        self._queue: deque[Said] = deque()
        self._wake = asyncio.Event()
        self._sending = asyncio.Lock()
        self._jobs: dict[object, asyncio.Task[None]] = {}
        self._loading: asyncio.Task[Any] | None = None  # may run on though nobody wants it
        self._another = asyncio.Event()  # to be opened, instead of what is being loaded
        self._credit, self._since = BURST, time.monotonic()

    # -- what the client says -------------------------------------------------------------

    async def hear(self, text: str | bytes) -> None:
        """Take one message; what is wrong with it is told, and nothing else happens."""
        try:
            message = messages.read(text)
            self._take(message)
        except InputError as error:
            await self.send_error(words(error), "")

    def _take(self, message: Said) -> None:
        last = self._queue[-1] if self._queue else None
        if isinstance(message, Drive | Drag) and isinstance(last, Drive | Drag):
            self._queue[-1] = _merged(last, message)
        else:
            self._admit(message)
            if isinstance(message, Open):
                self._forget_passing()
            self._queue.append(message)
        self._wake.set()

    def _admit(self, message: Said) -> None:
        """InputError where a client asks faster than anyone can."""
        if len(self._queue) >= WAITING:
            raise InputError("too many requests wait; this one is dropped")
        if isinstance(message, LIGHT):
            return
        now = time.monotonic()
        self._credit = min(BURST, self._credit + RATE * (now - self._since))
        self._since = now
        if self._credit < 1.0:
            raise InputError("too many requests in a short time; this one is dropped")
        self._credit -= 1.0

    def _forget_passing(self) -> None:
        """Something else is opened: motions and studies that wait are not wanted any more.

        What the user would miss, a save or an edit, is still done first.
        """
        for message in self._queue:
            if isinstance(message, Drive | Drag):
                self.seq = message.seq
        self._queue = deque(m for m in self._queue if not isinstance(m, PASSING))
        self._another.set()

    # -- answering ------------------------------------------------------------------------

    async def run(self) -> None:
        """Answer messages until cancelled."""
        while True:
            while self._queue:
                message = self._queue.popleft()
                if isinstance(message, Drive | Drag):
                    self.seq = message.seq
                await self._answer(message)
            self._wake.clear()
            await self._wake.wait()

    async def _answer(self, message: Said) -> None:
        handler = self.handlers[type(message)]
        if isinstance(message, Open):
            self._another.clear()
        await self.guarded(lambda: handler(self, message), message.type)

    async def guarded(self, work: Callable[[], Awaitable[None]], about: str) -> None:
        """Do the work; an error is told to this client and ends nothing."""
        try:
            await work()
        except Cad2mbsError as error:
            await self.send_error(words(error), about)
        except (OSError, MemoryError) as error:
            await self.send_error(f"{about}: {error}", about)
        except Exception as error:
            if self.shared.debug:
                traceback.print_exc(file=sys.stderr)
            text = " ".join(str(error).split())[:300]
            told = f"a mistake inside cad2mbs, {type(error).__name__}: {text}"
            await self.send_error(f"{told} (start with --debug to see where)", about)

    @property
    def work(self) -> Workbench:
        """What is open; InputError where nothing is."""
        if self.bench is None:
            raise InputError("nothing is open; open a source first")
        return self.bench

    async def blocking(self, function: Callable[..., T], *arguments: Any) -> T:
        """The result of work on the mechanism, in the session's own thread."""
        return await self.thread.run(function, *arguments)

    async def load(self, function: Callable[..., T], *arguments: Any) -> T | None:
        """The result of loading; None once something else is to be opened.

        A client loads one thing at a time: what it does not want any more is waited for.
        """
        if self._loading is not None:
            await asyncio.wait([self._loading])
        if self._another.is_set():
            return None
        loading = asyncio.ensure_future(self.shared.loaders.run(function, *arguments))
        loading.add_done_callback(self._loaded)
        self._loading = loading
        another = asyncio.ensure_future(self._another.wait())
        try:
            await asyncio.wait([loading, another], return_when=asyncio.FIRST_COMPLETED)
        finally:
            another.cancel()
        return None if self._another.is_set() else loading.result()

    def _loaded(self, ended: asyncio.Task[Any]) -> None:
        self._loading = None
        if not ended.cancelled():
            ended.exception()  # taken note of, though nobody may want to know any more

    # -- studies that run beside ----------------------------------------------------------

    def later(self, key: object, work: Callable[[], Awaitable[None]], about: str) -> None:
        """Do the work beside everything else, instead of what runs under the same key."""
        if (old := self._jobs.get(key)) is not None:
            old.cancel()
        task = asyncio.ensure_future(self.guarded(work, about))
        self._jobs[key] = task

        def done(ended: asyncio.Task[None]) -> None:
            if self._jobs.get(key) is ended:
                del self._jobs[key]

        task.add_done_callback(done)

    def at_work(self, key: object) -> bool:
        """Whether something runs under the key."""
        return (task := self._jobs.get(key)) is not None and not task.done()

    async def study(self, function: Callable[..., T], *arguments: Any) -> T:
        """The result of a study of a fork of the mechanism, as it is now."""
        m = await self.blocking(self.work.m.fork)
        return await self.shared.pool.run(function, m, *arguments)

    def cancel_jobs(self, *keys: object) -> None:
        """Drop the studies under these keys."""
        for key in keys:
            if (task := self._jobs.pop(key, None)) is not None:
                task.cancel()

    def replace(self, bench: Workbench) -> None:
        """Turn to another source: what was found out and asked about the one before is over."""
        self.cancel_jobs(*list(self._jobs))
        self.bench = bench
        self.traces.clear()
        self.clash_on = self.moved = self.reach_due = False
        self.forget()

    def forget(self) -> None:
        """What was found out about a mechanism does not hold for another one."""
        self.verdicts, self.clashes = None, None

    async def close(self) -> None:
        """End everything that belongs to this client."""
        tasks = [*self._jobs.values(), *([self._loading] if self._loading else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.thread.close()
        self.bench = None

    # -- sending --------------------------------------------------------------------------

    async def send(self, message: dict[str, Any]) -> None:
        await self.send_both(message, None)

    async def send_both(self, message: dict[str, Any] | None, pose: bytes | None) -> None:
        """A text message and a pose, with nothing of another task in between."""
        text = None if message is None else messages.text(message)
        async with self._sending:
            if text is not None:
                await self.line.send_text(text)
            if pose is not None:
                await self.line.send_bytes(pose)

    async def send_error(self, text: str, about: str) -> None:
        await self.send({"type": "error", "text": text[:4000], "re": about})

    async def send_status(self, level: str, text: str) -> None:
        """Tell the status where it is another than the page knows."""
        if self.told == (level, text):
            return
        self.told = (level, text)
        await self.send({"type": "status", "level": level, "text": text, "seq": self.seq})


def words(error: Cad2mbsError) -> str:
    """The words of an error for the page, one line a finding."""
    if not isinstance(error, InputError):
        return str(error)
    lines = []
    for found in error.diagnostics:
        where = f"{found.file}:{found.line}" if found.line is not None else found.file
        lines.append(f"{where}: {found.message}" if where else found.message)
    return "\n".join(lines)


def _merged(before: Drive | Drag, after: Drive | Drag) -> Drive | Drag:
    """The newest motion; where both drive, values that only the older one names are kept."""
    if not (isinstance(before, Drive) and isinstance(after, Drive)):
        return after
    values = {**before.values, **after.values}
    if len(values) > messages.MOST:
        raise InputError(f"drives of more than {messages.MOST} names wait; this one is dropped")
    return after.model_copy(update={"values": values, "cross": before.cross or after.cross})
