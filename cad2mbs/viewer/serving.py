"""A server that runs: its socket, its address, in this thread or in one of its own."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from cad2mbs.errors import InputError
from cad2mbs.viewer import guard, shared
from cad2mbs.viewer.door import Door
from cad2mbs.viewer.messages import MAX_BYTES
from cad2mbs.viewer.shared import MAX_UPLOAD, Shared
from cad2mbs.viewer.sources import Named

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism
    from cad2mbs.model.assembly import Assembly

LOOPBACK = "127.0.0.1"
ENDING = 10.0  # [s] that a server may take to end


class Server:
    """Listens from the start; `run` answers until it is stopped."""

    def __init__(self, common: Shared, host: str = LOOPBACK, port: int = 0):
        import uvicorn

        from cad2mbs.viewer.server import application

        self.shared, self.host = common, host
        self.token = guard.new_token()
        self.socket = _listening(host, port)
        self.port: int = self.socket.getsockname()[1]
        # Wrong clients are no news; --debug shows what the libraries have to say.
        logging.getLogger("uvicorn").setLevel(logging.INFO if common.debug else logging.CRITICAL)
        config = uvicorn.Config(
            application(common, self.token, host),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            loop="asyncio",
            http="h11",
            ws="websockets-sansio",
            ws_max_size=MAX_BYTES,
            ws_per_message_deflate=False,  # costs more than loopback
            timeout_graceful_shutdown=1,
            timeout_keep_alive=30,
        )
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None
        self._door: Door | None = None

    @property
    def address(self) -> str:
        """Where the page is; whoever knows it may look and change."""
        name = {"0.0.0.0": LOOPBACK, "::": "::1"}.get(self.host, self.host)
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}/{self.token}/"

    def run(self) -> None:
        """Answer until Ctrl-C or `stop`."""
        try:
            with contextlib.suppress(KeyboardInterrupt):
                self._server.run(sockets=[self.socket])
        finally:
            self.shared.close()
            self.socket.close()
            if self._door is not None:
                self._door.close()

    def start(self) -> Server:
        """Answer in a thread of its own, which ends with the program."""
        self._thread = threading.Thread(target=self.run, name="cad2mbs-server", daemon=True)
        self._thread.start()
        return self

    def end(self) -> None:
        """Let `run` come to its end, without waiting for it."""
        self._server.should_exit = True

    def stop(self) -> None:
        """End a server that was started in a thread."""
        self.end()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(ENDING)

    def open_browser(self) -> None:
        """Show the page in the user's browser, without waiting for it."""
        if self._door is None:
            self._door = Door(self.address)
        threading.Thread(target=self._door.open, daemon=True).start()

    def __enter__(self) -> Server:
        return self.start() if self._thread is None else self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _repr_html_(self) -> str:
        return f'<a href="{self.address}" target="_blank">{self.address}</a>'


def serve(
    source: Mechanism | Assembly | str | os.PathLike[str] | None = None,
    *,
    port: int = 0,
    host: str = LOOPBACK,
    folder: str | os.PathLike[str] | None = None,
    max_upload: float = MAX_UPLOAD,
    browser: bool = True,
    debug: bool = False,
) -> Server:
    """Open the live page on a mechanism or a source; the server runs beside the program.

    Every page moves a copy of its own: the mechanism given stays as it is. `browser` False: only
    `address` of the result tells where the page is. `max_upload` in MB.
    """
    server = Server(prepared(source, folder, max_upload, debug), host, port).start()
    if browser and has_display():
        server.open_browser()
    return server


def prepared(
    source: Mechanism | Assembly | str | os.PathLike[str] | None,
    folder: str | os.PathLike[str] | None = None,
    max_upload: float = MAX_UPLOAD,
    debug: bool = False,
) -> Shared:
    """What a server needs to know, for what is named: sources are not read yet."""
    if source is None:
        return shared.make(None, _served(folder, None), (), max_upload, debug)
    if isinstance(source, str | os.PathLike):
        from cad2mbs.io.source import find

        path = find(source)
        beside = _writable_beside(path)
        served = _served(folder, beside)
        also = (beside,) if beside is not None else ()
        return shared.make(
            Named(path=path, text=os.fspath(source)), served, also, max_upload, debug
        )
    from cad2mbs.mechanism import Mechanism

    m = source.fork() if isinstance(source, Mechanism) else source.mechanism()
    common = shared.make(None, _served(folder, None), (), max_upload, debug)
    named = Named(loaded=common.sources.shelf.put(m), text=m.name)
    common.sources.named = named
    return common


def _writable_beside(path: Path) -> Path | None:
    """The folder of a source; None for shipped ones, beside which nothing is written."""
    from cad2mbs.viewer.gallery import is_shipped

    return None if is_shipped(path) else path.resolve().parent


def _served(folder: str | os.PathLike[str] | None, beside: Path | None) -> Path:
    """The folder to show: the one asked for, that of the source, the present one."""
    place = Path(folder) if folder is not None else beside or Path.cwd()
    if not place.is_dir():
        raise InputError(f"--folder {os.fspath(place)}: there is no such folder")
    return place


def has_display() -> bool:
    """Whether a browser window can open here."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens; InputError says why there is none."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # Named TCP, so that asyncio sends small messages at once instead of gathering them.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except (OSError, UnicodeError, OverflowError) as error:
        raise InputError(f"--host {host} --port {port}: {error}") from None
    try:
        if os.name == "posix":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(128)
    except (OSError, OverflowError) as error:
        made.close()
        hint = "; another program may use the port, leave --port out to take a free one"
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on {host} port {port}: {reason}{hint}") from None
    return made
