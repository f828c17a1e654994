"""Threads that do the blocking work, so that the event loop never waits.

They are daemons: a program that ends does not wait for a computation nobody wants any more.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Workers:
    """`count` threads that take jobs in order; with one, a job never meets another."""

    def __init__(self, count: int = 1, name: str = "cad2mbs"):
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._count = count
        for k in range(count):
            threading.Thread(target=self._work, name=f"{name}-{k}", daemon=True).start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # it may hold a whole mechanism

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """The function's result, computed in a thread; a cancelled job is skipped if not begun."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def settle(result: Any, error: BaseException | None) -> None:
            if future.cancelled():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(result)

        def job() -> None:
            if future.cancelled():
                return
            result, error = None, None
            try:
                result = function(*arguments)
            except StopIteration as found:  # no future takes it
                error = RuntimeError(f"StopIteration: {found}")
            except BaseException as found:
                error = found
            try:
                loop.call_soon_threadsafe(settle, result, error)
            except RuntimeError:
                pass  # the loop has ended: nobody waits

        self._jobs.put(job)
        return await future

    def close(self) -> None:
        """Let the threads end after what they are at."""
        for _ in range(self._count):
            self._jobs.put(None)
