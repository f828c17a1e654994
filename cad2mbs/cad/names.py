"""Names for the instances of a tree: unique among siblings, the same from read to read.

The rule: an instance has its own name where the file gives it one, else the name of its product.
Of siblings with one name the first keeps it, the next are name_2, name_3 ... in the order of the
file; a number that another sibling already has as its own is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Counters and labels that writers put where they have no name; they change from save to save.
_COUNTER = re.compile(r"=>\[[\d:]*\]|(?:NAUO)?\d+|\*DIT\d+|NONE|Open CASCADE STEP.*", re.IGNORECASE)


def meaningful(name: str) -> str:
    """The name without blanks around it; "" where it is only a counter."""
    name = "".join(c if c.isprintable() else " " for c in name).strip()
    return "" if _COUNTER.fullmatch(name) else name


def chosen(own: str, product: str, fallback: str) -> str:
    """The name an instance goes by before it is made unique."""
    number = product.strip() if product.strip().isdigit() else ""  # may be a part number
    return meaningful(own) or meaningful(product) or number or fallback


def unique(names: Sequence[str]) -> list[str]:
    """The names with _2, _3 ... behind those that came before."""
    taken: set[str] = set(names)
    seen: set[str] = set()
    following: dict[str, int] = {}
    out = []
    for name in names:
        given = name
        if name in seen:
            number = following.get(name, 2)
            while f"{name}_{number}" in taken:
                number += 1
            following[name] = number + 1
            given = f"{name}_{number}"
        seen.add(given)
        taken.add(given)
        out.append(given)
    return out
