"""The pages: their snippets run, their links lead somewhere, and the checker can say no."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import doc_figures

ROOT = Path(__file__).resolve().parent.parent
PAGES = doc_figures.pages()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_relative_links_of_a_page_lead_somewhere(page):
    assert doc_figures.broken_links(page) == []


@pytest.mark.parametrize("page", [p for p in PAGES if doc_figures.program(p)], ids=lambda p: p.name)
def test_snippets_of_a_page_run(page, capsys):
    failures = doc_figures.check([page])
    if "left out" in capsys.readouterr().out:
        pytest.skip(f"{page.name} reads third-party data that is not here")
    assert failures == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda p: p.name)
def test_every_page_is_named_in_the_index(page):
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert page.name == "index.md" or f"]({page.name})" in index


@pytest.fixture
def write(tmp_path):
    def page(text: str) -> Path:
        path = tmp_path / "page.md"
        path.write_text(text, encoding="utf-8")
        return path

    return page


def test_a_link_that_leads_nowhere_is_found(write):
    page = write("[a](missing.md) [b](page.md#part) [c](https://example.org/x)\n")
    assert doc_figures.broken_links(page) == ["missing.md"]


def test_a_snippet_that_fails_is_told_with_its_line(write):
    page = write("Text\n\n```python\nx = 1\n```\n\nmore\n\n```python\nassert x == 2\n```\n")
    (failure,) = doc_figures.check([page])
    assert "AssertionError" in failure
    assert "line 10" in failure


def test_blocks_of_a_page_share_their_names(write):
    page = write("```python\nx = 1\n```\n\n```python\nassert x == 1\n```\n")
    assert doc_figures.check([page]) == []


def test_a_page_without_python_is_not_run(write):
    page = write("```text\nthis is no program\n```\n")
    assert doc_figures.program(page) == ""
    assert doc_figures.check([page]) == []


def test_commands_of_a_page_are_found(write):
    page = write("```console\n$ cad2mbs inspect four_bar\nFour-bar\n```\n")
    assert doc_figures.commands(page) == ["cad2mbs inspect four_bar"]
