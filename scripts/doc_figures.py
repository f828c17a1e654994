"""Run what the documentation shows, so that its snippets and numbers stay true.

    python scripts/doc_figures.py --check    run every ```python block of docs/*.md and README.md,
                                             follow every relative link
    python scripts/doc_figures.py            run every `$ cad2mbs ...` of the pages and print its
                                             output anew, to compare with the page

The blocks of a page are one program, run in a temporary folder. What they read lies there:
`assemblies/`, and `engine.yaml`, the first YAML block of docs/mates-file.md. A page that needs
third-party data is left out where these are absent, and named.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\s*$")
FOREIGN = "fourbar.asmt"  # third-party model that docs/asmt.md reads


class Block(NamedTuple):
    """A fenced block: its language, the number of its first line in the page, its text."""

    language: str
    line: int
    text: str


def pages(root: Path = ROOT) -> list[Path]:
    """README.md and the pages of docs/, in the order of their names."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    out: list[Block] = []
    language, start, lines = None, 0, []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = FENCE.match(line)
        if fence is None:
            lines.append(line)
        elif language is None:
            language, start, lines = fence[1], number + 1, []
        else:
            out.append(Block(language, start, "\n".join(lines)))
            language = None
    return out


def program(page: Path) -> str:
    """The Python blocks of a page as one program, each line at its line number in the page."""
    lines: list[str] = []
    for block in blocks(page):
        if block.language == "python":
            lines += [""] * (block.line - 1 - len(lines)) + block.text.splitlines()
    return "\n".join(lines) + "\n" if lines else ""


def prepare(folder: Path) -> None:
    """Put the files that the pages read into the folder."""
    shutil.copytree(ROOT / "assemblies", folder / "assemblies")
    first = next(b for b in blocks(ROOT / "docs" / "mates-file.md") if b.language == "yaml")
    (folder / "engine.yaml").write_text(first.text + "\n", encoding="utf-8")
    shared = Path(os.environ.get("CAD2MBS_SHARED", ROOT.parent / "shared"))
    foreign = shared / "data" / "asmt" / FOREIGN
    if foreign.is_file():
        shutil.copy(foreign, folder / FOREIGN)


def run_page(page: Path, folder: Path) -> str | None:
    """Run the Python blocks of a page in the folder; None when fine, else what went wrong."""
    # Kept out of the folder and of the import path: a page may be called like a module.
    script = folder.parent / page.name
    script.write_text(program(page), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", str(script)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    return None if done.returncode == 0 else done.stderr.strip() or f"exit {done.returncode}"


def broken_links(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    targets = (t.partition("#")[0] for t in LINK.findall(page.read_text(encoding="utf-8")))
    return [t for t in targets if t and "://" not in t and not (page.parent / t).exists()]


def check(wanted: list[Path]) -> list[str]:
    """Run the pages and follow their links; return every failure, named after its page."""
    failures = [f"{p.name}: the link {t} leads nowhere" for p in wanted for t in broken_links(p)]
    with tempfile.TemporaryDirectory() as name:
        for page in wanted:
            text = program(page)
            if not text:
                continue
            folder = Path(name) / page.stem / "work"
            folder.mkdir(parents=True)
            prepare(folder)
            if FOREIGN in text and not (folder / FOREIGN).exists():
                print(f"{page.name}: left out, {FOREIGN} is not here")
                continue
            wrong = run_page(page, folder)
            print(f"{page.name}: {'fine' if wrong is None else 'FAILED'}")
            if wrong is not None:
                failures.append(f"{page.name}: {wrong}")
    return failures


def commands(page: Path) -> list[str]:
    """The command lines `$ cad2mbs ...` of a page."""
    return [
        line[2:]
        for block in blocks(page)
        for line in block.text.splitlines()
        if line.startswith("$ cad2mbs ")
    ]


def show(wanted: list[Path]) -> None:
    """Print the output of every command of the pages, and its exit code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "work"
        folder.mkdir()
        prepare(folder)
        for page in wanted:
            for command in commands(page):
                print(f"\n{page.name}\n$ {command}", flush=True)
                # A pipe such as `| head` is for the reader's eye.
                words = shlex.split(command.partition("|")[0])[1:]
                call = [sys.executable, "-c", "from cad2mbs.cli import main; main()", *words]
                env = {**os.environ, "PYTHONPATH": str(ROOT)}
                done = subprocess.run(call, cwd=folder, env=env, check=False)
                print(f"exit code {done.returncode}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="run the snippets, follow the links")
    parser.add_argument("pages", nargs="*", type=Path, help="default: README.md and docs/*.md")
    arguments = parser.parse_args()
    wanted = [p.resolve() for p in arguments.pages] or pages()
    if not arguments.check:
        show(wanted)
        return 0
    failures = check(wanted)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
