"""Servers for the tests of the page."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cad2mbs.io.source import SHIPPED
from cad2mbs.viewer.serving import Server, prepared

Start = Callable[..., Server]


@pytest.fixture
def start() -> Iterator[Start]:
    """start(source, **options of `prepared`): a server that ends with the test."""
    running: list[Server] = []

    def make(source: Any = None, **options: Any) -> Server:
        server = Server(prepared(source, **options)).start()
        running.append(server)
        return server

    yield make
    for server in running:
        server.stop()


@pytest.fixture(scope="session")
def engine() -> Iterator[Server]:
    """A server on the radial engine; tests leave nothing behind in it."""
    with Server(prepared("radial_engine")) as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to serve, with a copy of the four-bar in it."""
    served = tmp_path / "served"
    shutil.copytree(SHIPPED / "four_bar", served / "four_bar")
    return served
