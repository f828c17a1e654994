"""Bodies that are one: a union of rows, with the smallest row as its name."""

from __future__ import annotations


class Groups:
    """Which rows belong together."""

    def __init__(self, count: int):
        self._of = list(range(count))
        self._rows = {row: [row] for row in range(count)}

    def of(self, row: int) -> int:
        return self._of[row]

    def rows(self, group: int) -> list[int]:
        """The rows of a group."""
        return self._rows[group]

    def join(self, a: int, b: int) -> bool:
        """Make two groups one; False if they are already."""
        a, b = sorted((self._of[a], self._of[b]))
        if a == b:
            return False
        moved = self._rows.pop(b)
        for row in moved:
            self._of[row] = a
        self._rows[a] = sorted(self._rows[a] + moved)
        return True

    def members(self) -> dict[int, list[int]]:
        """The rows of every group."""
        return dict(self._rows)
