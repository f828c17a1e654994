"""A page without a browser: speaks to a running server as the page does."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cad2mbs.viewer import readout
from cad2mbs.viewer.readout import PoseMessage
from cad2mbs.viewer.serving import Server

PATIENCE = 30.0  # [s]: other tests run on the same machine


class Page:
    """A websocket to the server; everything heard is kept in `heard`, poses among it."""

    def __init__(self, server: Server, token: str | None = None, **options: Any):
        address = f"ws://127.0.0.1:{server.port}/{server.token if token is None else token}/ws"
        options.setdefault("compression", None)
        self._open = ExitStack()
        self.line: ClientConnection = self._open.enter_context(
            connect(address, max_size=None, **options)
        )
        self.heard: list[dict[str, Any] | PoseMessage] = []
        self.hello = self.next("hello")
        self.scene: dict[str, Any] = {}

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._open.close()

    def say(self, type: str, **fields: Any) -> None:
        self.line.send(json.dumps({"type": type, **fields}))

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any] | PoseMessage:
        """The next message of any kind."""
        got = self.line.recv(timeout)
        message = readout.read(got) if isinstance(got, bytes) else json.loads(got)
        self.heard.append(message)
        if isinstance(message, dict) and message["type"] == "scene":
            self.scene = message
        return message

    def next(self, type: str, **fields: Any) -> dict[str, Any]:
        """The next text message of this type and with these fields; an error fails the test."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            message = self.hear()
            if not isinstance(message, dict):
                continue
            if message["type"] == type and all(message[k] == v for k, v in fields.items()):
                return message
            assert message["type"] != "error", message["text"]
        raise AssertionError(f"no message {type} {fields}")

    def pose(self, seq: int | None = None) -> PoseMessage:
        """The next pose message, with this number where one is given."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            message = self.hear()
            if isinstance(message, PoseMessage) and seq in (None, message.seq):
                return message
            assert isinstance(message, PoseMessage) or message["type"] != "error", message["text"]
        raise AssertionError(f"no pose {seq}")

    def open(self, source: str = "") -> dict[str, Any]:
        """Open a source; the scene, whose pose has come too."""
        self.say("open", source=source)
        scene = self.next("scene")
        self.first_pose = self.pose()
        return scene

    def drive(self, seq: int, **values: float) -> PoseMessage:
        self.say("drive", seq=seq, values=values)
        return self.pose(seq)

    def refused(self, type: str, **fields: Any) -> str:
        """The words with which a message is refused."""
        self.say(type, **fields)
        return self.error(type)

    def error(self, about: str | None = None) -> str:
        """The next error."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            message = self.hear()
            if isinstance(message, dict) and message["type"] == "error":
                assert about in (None, message["re"]), message
                return message["text"]
        raise AssertionError("no error came")

    def ended(self) -> int | None:
        """Wait until the server ends the connection; the code it gives."""
        with suppress(ConnectionClosed):
            while True:
                self.line.recv(PATIENCE)
        return self.line.close_code

    def value(self, pose: PoseMessage, drive: str) -> float:
        """The value of a drive in a pose message."""
        names = [d["name"] for d in self.scene["drives"]]
        return float(pose.values[names.index(drive)])


def fetch(
    server: Server,
    path: str,
    method: str = "GET",
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    token: str | None = None,
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an HTTP request; the path is sent as it stands."""
    line = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        there = f"/{server.token if token is None else token}{path}"
        line.putrequest(method, there, skip_host="Host" in (headers or {}))
        for name, value in (headers or {}).items():
            line.putheader(name, value)
        if body is not None:
            line.putheader("Content-Length", str(len(body)))
        line.endheaders(body)
        answer = line.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        line.close()
