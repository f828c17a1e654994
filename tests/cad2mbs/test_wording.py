"""Words for messages: short, clean, and a guess only where there is one."""

from __future__ import annotations

from cad2mbs.model.mates import MATE_KINDS
from cad2mbs.wording import closest, listed, quoted


def test_words_for_messages_are_short_and_clean():
    assert quoted("a\x1b[31m") == "'a\\x1b[31m'"
    assert len(quoted("x" * 1000)) == 62
    assert listed(range(20), 3) == "0, 1, 2, ... (20 in all)"
    assert closest("Coincidnt", MATE_KINDS) == "coincident"
    assert closest("qqq", MATE_KINDS) is None
