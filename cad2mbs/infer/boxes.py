"""Which axis-parallel boxes overlap: a sweep along the direction that leaves the fewest pairs."""

from __future__ import annotations

import numpy as np

CHUNK = 1_000_000  # pairs looked at together


def overlapping(
    low_a: np.ndarray, high_a: np.ndarray, low_b: np.ndarray, high_b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rows (i of a, j of b) whose boxes overlap or touch; boxes as (n, 3) corners.

    Of two intervals that overlap, one begins inside the other: so the b that begin inside each a,
    and the a that begin inside each b, are all there are.
    """
    if not len(low_a) or not len(low_b):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    runs = []
    for k in range(3):
        ahead = _runs(low_a[:, k], high_a[:, k], low_b[:, k], "left")
        back = _runs(low_b[:, k], high_b[:, k], low_a[:, k], "right")
        runs.append((int(ahead[2].sum() + back[2].sum()), ahead, back))
    _, ahead, back = min(runs, key=lambda r: r[0])
    i1, j1 = _pairs(ahead, low_a, high_a, low_b, high_b)
    j2, i2 = _pairs(back, low_b, high_b, low_a, high_a)
    return np.concatenate([i1, i2]), np.concatenate([j1, j2])


def _runs(
    low: np.ndarray, high: np.ndarray, begins: np.ndarray, side: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every interval the others that begin in it: their order, first place and count."""
    order = np.argsort(begins, kind="stable")
    placed = begins[order]
    start = np.searchsorted(placed, low, "left" if side == "left" else "right")
    count = np.maximum(np.searchsorted(placed, high, "right") - start, 0)
    return order, start, count


def _pairs(
    runs: tuple[np.ndarray, np.ndarray, np.ndarray],
    low_a: np.ndarray,
    high_a: np.ndarray,
    low_b: np.ndarray,
    high_b: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The pairs of the runs whose boxes overlap in every direction."""
    order, start, count = runs
    ends = np.cumsum(count)
    found_i, found_j = [], []
    first = 0
    while first < len(count):
        done = ends[first - 1] if first else 0
        last = max(int(np.searchsorted(ends, done + CHUNK, "right")), first + 1)
        i = np.repeat(np.arange(first, last), count[first:last])
        offset = np.arange(len(i)) - np.repeat(
            ends[first:last] - count[first:last] - done, count[first:last]
        )
        j = order[start[i] + offset]
        keep = np.all((low_a[i] <= high_b[j]) & (low_b[j] <= high_a[i]), axis=1)
        found_i.append(i[keep])
        found_j.append(j[keep])
        first = last
    return np.concatenate(found_i), np.concatenate(found_j)


Boxes = tuple[np.ndarray, np.ndarray, np.ndarray]  # low (n, 3), high (n, 3), owner (n,)


def between_owners(a: Boxes, b: Boxes) -> tuple[np.ndarray, np.ndarray]:
    """Rows (i of a, j of b) of different owners whose boxes overlap or touch.

    Owners are compared first: where many boxes belong to few owners far apart, little is left.
    """
    whole_a, whole_b = _owners(a), _owners(b)
    none = np.zeros(0, np.int64)
    found_i, found_j = [none], [none]
    for p, q in zip(*overlapping(*whole_a[1:3], *whole_b[1:3]), strict=True):
        if whole_a[0][p] == whole_b[0][q]:
            continue
        i = _within(a, whole_a[3][p], whole_b[1][q], whole_b[2][q])
        j = _within(b, whole_b[3][q], whole_a[1][p], whole_a[2][p])
        if not len(i) or not len(j):
            continue
        meets = np.all(
            (a[0][i][:, None] <= b[1][j][None]) & (b[0][j][None] <= a[1][i][:, None]), axis=2
        )
        k, n = np.nonzero(meets)
        found_i.append(i[k])
        found_j.append(j[n])
    return np.concatenate(found_i), np.concatenate(found_j)


def _owners(boxes: Boxes) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[np.ndarray]]:
    """Owners, the boxes around all that is theirs, and the rows of each."""
    low, high, owner = boxes
    if not len(owner):
        return owner, low, high, []
    order = np.argsort(owner, kind="stable")
    names, starts = np.unique(owner[order], return_index=True)
    around = (
        np.minimum.reduceat(low[order], starts, axis=0),
        np.maximum.reduceat(high[order], starts, axis=0),
    )
    return names, *around, np.split(order, starts[1:])


def _within(boxes: Boxes, rows: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Those of the rows whose boxes overlap one box."""
    return rows[np.all((boxes[0][rows] <= high) & (low <= boxes[1][rows]), axis=1)]
