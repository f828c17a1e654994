"""Words for messages: names in quotes, lists cut short, the name that was probably meant.

What is quoted comes from files: it is shortened and freed of control characters.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from itertools import islice

COMPARED = 200  # characters of a name that are compared with others


def quoted(text: object, most: int = 60) -> str:
    """The text in quotes for a message: at most so many characters, no control characters."""
    shown = text if isinstance(text, str) else str(text)
    if len(shown) > most:
        shown = shown[: most - 3] + "..."
    return "'" + "".join(c if c.isprintable() else repr(c)[1:-1] for c in shown) + "'"


def shown_path(path: object) -> str:
    """A file name for a message: long ones in full, no control characters."""
    return quoted(path, 1000)[1:-1]


def listed(names: Iterable[object], most: int = 12) -> str:
    """The names in a row, shortened where there are many."""
    names = list(names)
    text = ", ".join(quoted(n)[1:-1] for n in names[:most])
    return text + (f", ... ({len(names)} in all)" if len(names) > most else "")


def titled(title: str, names: Collection[str]) -> str:
    """A sentence: the title and the names, or that there are none."""
    return f"{title}: {listed(names)}." if names else f"{title}: none."


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """The end of a sentence: the closest choice, or a full stop."""
    near = closest(name, choices)
    return f"; did you mean {quoted(near)}?" if near is not None else "."


def closest(name: str, choices: Iterable[str]) -> str | None:
    """The choice most like the name, None if none is."""
    # Bounded: comparing names costs their product of lengths, for every choice.
    short = {c[:COMPARED].lower(): c for c in islice(choices, 1000)}
    near = difflib.get_close_matches(name[:COMPARED].lower(), short, n=1)
    return short[near[0]] if near else None


def counted(number: int, word: str, words: str = "") -> str:
    """The number with its word, one or several."""
    return f"{number} {word if number == 1 else words or word + 's'}"


def a_or_an(noun: str) -> str:
    """The noun with its article."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def either(nouns: Iterable[str]) -> str:
    """The nouns with commas and an "or" before the last one."""
    *most, last = nouns
    return f"{', '.join(most)} or {last}" if most else last
