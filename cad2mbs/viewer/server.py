"""The server behind the page: HTTP for the page, shapes and uploads, a websocket for all else.

Paths here are those behind the token, which the guard takes off.
"""

from __future__ import annotations

import asyncio
import contextlib

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from cad2mbs.errors import InputError
from cad2mbs.viewer import PAGE, gallery
from cad2mbs.viewer.guard import Guard
from cad2mbs.viewer.handlers import HANDLERS
from cad2mbs.viewer.messages import MAX_BYTES
from cad2mbs.viewer.session import Session
from cad2mbs.viewer.shared import CLIENTS, Shared
from cad2mbs.viewer.uploads import TooLarge

VERSION = 1
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
NOT_BUILT = (
    "The page is not here: the folder cad2mbs/viewer/page is missing or empty.\n"
    "In a checkout it is built by: python3 scripts/make_page.py\n"
)
TRY_LATER, TOO_BIG = 1013, 1009
FOR_EVER = "private, max-age=31536000, immutable"


def application(shared: Shared, token: str, host: str) -> ASGIApp:
    """The whole server as an ASGI application; `host` is the address it listens on."""
    site = Site(shared)
    app = Starlette(
        routes=[
            WebSocketRoute("/ws", site.websocket),
            Route("/geometry/{key:str}", site.geometry),
            Route("/thumbnail/{file:str}", site.thumbnail),
            Route("/upload", site.upload, methods=["POST"]),
            Route("/", site.page),
            Route("/{file:str}", site.page),
        ],
        exception_handlers={500: _our_mistake},
    )
    app.router.redirect_slashes = False  # it knows nothing of the token
    return Guard(app, token, host)


async def _our_mistake(request: Request, error: Exception) -> Response:
    return PlainTextResponse("A mistake inside cad2mbs; start with --debug to see where.", 500)


class Site:
    """The answers to every path."""

    def __init__(self, shared: Shared):
        self.shared = shared

    async def page(self, request: Request) -> Response:
        """The page and the files beside it; nothing of another name."""
        name = request.path_params.get("file", "index.html")
        files = {p.name: p for p in PAGE.glob("*") if p.suffix in KINDS and p.is_file()}
        if "index.html" not in files and name == "index.html":
            return PlainTextResponse(NOT_BUILT, 503)
        if name not in files:
            return PlainTextResponse("There is nothing here.", 404)
        place = files[name]
        return Response(place.read_bytes(), media_type=KINDS[place.suffix])

    async def geometry(self, request: Request) -> Response:
        """The shapes whose content has this key; not compressed, which costs more than loopback."""
        data = self.shared.sources.shelf.shapes(request.path_params["key"])
        if data is None:
            return PlainTextResponse("These shapes are not open any more.", 404)
        kind = "application/octet-stream"
        return Response(data, media_type=kind, headers={"cache-control": FOR_EVER})

    async def thumbnail(self, request: Request) -> Response:
        data = gallery.thumbnail(request.path_params["file"])
        if data is None:
            return PlainTextResponse("There is no such picture.", 404)
        return Response(data, media_type="image/png")

    async def upload(self, request: Request) -> Response:
        """Store a file; the answer names the source to open."""
        uploads = self.shared.uploads
        asked = request.query_params
        try:
            announced = int(request.headers.get("content-length", "0"))
            if announced > uploads.limit:
                raise TooLarge(f"upload: more than {uploads.limit / 1e6:g} MB; see --max-upload")
            source = await uploads.take(
                asked.get("set", ""), asked.get("name", ""), request.stream()
            )
        except TooLarge as error:
            return _refusal(str(error), 413)
        except InputError as error:
            return _refusal(str(error), 400)
        except (ClientDisconnect, ValueError, OSError) as error:
            return _refusal(f"upload: {error or 'broken off'}", 400)
        return JSONResponse({"source": source})

    async def websocket(self, socket: WebSocket) -> None:
        """One client, from hello until it leaves."""
        await socket.accept()
        if self.shared.clients >= CLIENTS:
            await socket.send_json(
                {"type": "error", "text": f"{CLIENTS} pages are open already", "re": ""}
            )
            await socket.close(TRY_LATER)
            return
        self.shared.clients += 1
        try:
            await self._serve(socket)
        finally:
            self.shared.clients -= 1

    async def _serve(self, socket: WebSocket) -> None:
        session = Session(Wire(socket), self.shared, HANDLERS)
        answering = asyncio.ensure_future(session.run())
        try:
            await session.send(self._hello())
            while True:
                said = await _received(socket)
                if said is None:
                    break
                await session.hear(said)
        finally:
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)
            await session.close()

    def _hello(self) -> dict[str, object]:
        shared = self.shared
        return {
            "type": "hello",
            "version": VERSION,
            "live": True,
            "folder": str(shared.folder.root),
            "maxUpload": shared.uploads.limit,
        }


class Wire:
    """Sends to a client; once it has left, what is sent goes nowhere."""

    def __init__(self, socket: WebSocket):
        self.socket = socket

    async def send_text(self, data: str) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.send_text(data)

    async def send_bytes(self, data: bytes) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.send_bytes(data)


async def _received(socket: WebSocket) -> str | bytes | None:
    """The next message; None when there is none any more. What is too large ends the connection.

    The websocket library refuses larger ones by itself; this is the same for any other below it.
    """
    event = await socket.receive()
    if event["type"] != "websocket.receive":
        return None
    said = event.get("text")
    if said is None:
        said = event.get("bytes") or b""
    if len(said) > MAX_BYTES:
        await socket.close(TOO_BIG)
        return None
    return said


def _refusal(text: str, status: int) -> Response:
    return JSONResponse({"error": text}, status)
