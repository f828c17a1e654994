"""The command that opens the page: listen first, show at once, load meanwhile."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cad2mbs.cli.common import app, debugging, guarded, say
from cad2mbs.errors import Cad2mbsError, InputError

if TYPE_CHECKING:
    from cad2mbs.viewer.serving import Server
    from cad2mbs.viewer.sources import Sources

SWITCH = 0.001  # [s] after which a thread that computes lets another one answer


@app.command()
@guarded
def view(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SOURCE",
            help="A mates file, a folder with assembly.yaml, a STEP or .asmt file, or a shipped "
            "name; without it the page offers the shipped assemblies.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port; 0: one that is free.")
    ] = 0,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; the default is this machine alone.")
    ] = "127.0.0.1",
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, open no browser.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            metavar="DIR",
            help="Folder whose files the page may open and save; default: that of SOURCE.",
            show_default=False,
        ),
    ] = None,
    max_upload: Annotated[
        float, typer.Option("--max-upload", metavar="MB", min=0, help="Largest upload.")
    ] = 200.0,
) -> None:
    """Open a page with the assembly in 3-D and a slider for every drive. Ctrl-C ends it.

    \b
    Examples:
      cad2mbs view radial_engine
      cad2mbs view my_assembly.yaml --folder ~/projects
      cad2mbs view                          the shipped assemblies to choose from
      cad2mbs view gearbox.step --no-browser --port 8080
    """
    from cad2mbs.viewer import serving
    from cad2mbs.viewer.guard import is_loopback

    common = serving.prepared(source, folder, max_upload, debugging())
    server = serving.Server(common, host, port)
    sys.setswitchinterval(SWITCH)
    if not is_loopback(host):
        say(
            f"warning: {host} can be reached from other machines. Whoever knows the address below "
            f"can read and write files in {common.folder.root}, and it travels unencrypted."
        )
    print(f"Open {server.address}  (Ctrl-C ends)", flush=True)
    if source is not None:
        threading.Thread(target=load_ahead, args=(common.sources,), daemon=True).start()
    if not no_browser and serving.has_display():
        server.open_browser()
    end_cleanly(server)
    server.run()


def end_cleanly(server: Server) -> None:
    """Let a closed terminal and `kill` end the server as Ctrl-C does: uploads are removed.

    Signals that whoever started it lets be ignored, as nohup does, stay ignored.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, frame: server.end())


def load_ahead(sources: Sources) -> None:
    """Read what the command named while the browser starts; what is wrong is printed."""
    try:
        loaded = sources.load("")
    except Cad2mbsError as error:
        say(str(error) if isinstance(error, InputError) else f"error: {error}")
        return
    except Exception as error:  # the page tells the same when it opens the source
        if debugging():
            raise
        say(f"error: a mistake inside cad2mbs, {type(error).__name__}: {error}")
        return
    for note in (*loaded.m.assembly.notes, *loaded.notes):
        say(f"note: {note}")
