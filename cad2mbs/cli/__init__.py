"""The command line: arguments in, exit code out, no engineering inside.

Exit codes: 0 fine, 1 the mechanism says no, 2 bad input, 70 our own mistake, 130 interrupted,
141 the reader of the output has gone. Everything heavy is imported inside the commands, so that
`--help` comes at once.
"""

from __future__ import annotations

from cad2mbs.cli import cad as cad  # these imports register the commands
from cad2mbs.cli import infer as infer
from cad2mbs.cli import motion as motion
from cad2mbs.cli import pictures as pictures
from cad2mbs.cli import view as view
from cad2mbs.cli.common import app


def main() -> None:
    """Run the command line and exit with its code."""
    app()
