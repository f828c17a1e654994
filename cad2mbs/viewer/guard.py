"""Who may speak to the server: the token in the address, the host it is called by, the origin.

- The first segment of every path is a random token, compared in constant time; else 404.
- The Host header must be a name of this machine, else 421: a foreign name that was made to point
  here (DNS rebinding) does not get in.
- A websocket or a POST that names an Origin must name the page's own, else 403. Browsers always
  name it; a program that names none needs the token like everyone.

Every answer carries headers that let the page load nothing from elsewhere and run no script but
its own.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_BYTES = 24  # 192 random bits
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-robots-tag": "noindex",
}
NO_STORE = "no-store"


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def policy(host: str, secure: bool = False) -> str:
    """The content security policy of a page that is called by this Host header."""
    socket_origin = f"{'wss' if secure else 'ws'}://{host}" if host else ""
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            f"connect-src 'self' {socket_origin}".strip(),
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'self'",
        ]
    )


class Guard:
    """Lets through what carries the token and comes from the page itself; takes the token off."""

    def __init__(self, app: ASGIApp, token: str, host: str):
        self.app, self.token, self.host = app, token.encode(), host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        host = _header(scope, b"host") if self._known(_header(scope, b"host")) else ""
        respond = _with_headers(send, policy(host, scope.get("scheme") in ("https", "wss")))
        if not host:
            await refuse(scope, respond, 421, "This server is not called by that name.")
        elif (rest := self._rest(scope["path"])) is None:
            await refuse(scope, respond, 404, "There is nothing here.")
        elif not self._own_origin(scope, host):
            await refuse(scope, respond, 403, "This request comes from another page.")
        elif rest == "":
            await redirect(scope, respond)
        else:
            await self.app({**scope, "path": rest, "raw_path": rest.encode()}, receive, respond)

    def _known(self, header: str) -> bool:
        """Whether the Host header names this machine; the port is not looked at: it may be
        forwarded, and a name is what DNS rebinding needs."""
        try:
            name = (urlsplit(f"//{header}").hostname or "").lower()
        except ValueError:
            return False
        if name in LOOPBACK or name == self.host.lower():
            return True
        if is_loopback(self.host):
            return False
        return name == socket.gethostname().lower() or _is_address(name)

    def _rest(self, path: str) -> str | None:
        """The path behind the token, None where the token is wrong."""
        first, slash, rest = path[1:].partition("/")
        if not hmac.compare_digest(first.encode(errors="replace"), self.token):
            return None
        return slash + rest

    @staticmethod
    def _own_origin(scope: Scope, host: str) -> bool:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            return True
        origin = _header(scope, b"origin")
        return origin == "" or origin in (f"http://{host}", f"https://{host}")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _header(scope: Scope, name: bytes) -> str:
    """The header's value; '' where it is missing, and a value that fits nowhere where it is given
    twice."""
    found = [value for key, value in scope["headers"] if key.lower() == name]
    if len(found) > 1:
        return "given twice"
    return found[0].decode("latin-1") if found else ""


def _with_headers(send: Send, content_policy: str) -> Send:
    """`send` with the guarding headers in every answer."""
    added = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
    added.append((b"content-security-policy", content_policy.encode("latin-1")))

    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = [*message.get("headers", ()), *added]
            if not any(key.lower() == b"cache-control" for key, _ in headers):
                headers.append((b"cache-control", NO_STORE.encode()))
            message = {**message, "headers": headers}
        await send(message)

    return sending


async def refuse(scope: Scope, send: Send, status: int, text: str) -> None:
    """Answer with a status and a sentence; a websocket is not opened."""
    body = text.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await _answer(scope, send, status, headers, body)


async def redirect(scope: Scope, send: Send) -> None:
    """From /T to /T/, beside which the page finds its files."""
    there = scope["path"].encode() + b"/"
    await _answer(scope, send, 307, [(b"location", there), (b"content-length", b"0")], b"")


async def _answer(
    scope: Scope, send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes
) -> None:
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        kind = "websocket.http.response"
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
