"""Plan: the closing rows split into small square blocks that are solved one after the other.

Given which coordinates are known (driven or held), independent rows are matched to unknowns and
the strongly connected parts of the matching are the blocks (Dulmage-Mendelsohn): seven loops of a
radial engine become seven 2x2 solves, a chain of n four-bars costs O(n).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from solvers.model import FREEDOMS, Joint, Model, Row, record

COORDINATE_I, COORDINATE_J = -1, -2  # entry axes that mean dphi/dy_i, dphi/dy_j


BLOCK = record(
    ("start", np.int64),  # its equations and unknowns: start to end, blocks are square
    ("end", np.int64),
    ("pre", np.int64),  # links to pose once before the block: pre to links
    ("links", np.int64),  # links to pose anew in every iteration: links to end_links
    ("end_links", np.int64),
)
EQUATION = record(
    ("row", np.int64),  # row of the model
    ("start", np.int64),  # its Jacobian entries in its block: start to end
    ("end", np.int64),
)
UNKNOWN = record(
    ("v", np.int64),  # the velocity
    ("link", np.int64),  # its link, 0: a coordinate of no link
    ("axis", np.int64),  # its freedom within the link
    ("s0", np.int64),  # the link's quaternion in y, -1: none
    ("turns", np.int64),  # first unknown of a ball joint in the block: bit c for freedom c; else 0
    ("unit", np.float64),  # 1 / weight: what a step of one moves
)
ENTRY = record(
    ("col", np.int64),  # column inside the block
    ("link", np.int64),
    ("axis", np.int64),  # column of the joint axis in X, or COORDINATE_I / COORDINATE_J
    ("lever", np.float64),  # d(entry) / d(moment of the wrench about the joint axis)
    ("push", np.float64),  # d(entry) / d(force along it), or / d(dphi/dy)
)


class Plan(NamedTuple):
    """Blocks in solving order, and what each reads."""

    blocks: np.ndarray  # (nb + 1,) BLOCK; the last has no rows, `pre` lists the links left over
    equations: np.ndarray  # (n,) EQUATION
    unknowns: np.ndarray  # (n,) UNKNOWN
    entries: np.ndarray  # ENTRY
    links: np.ndarray  # link rows, in the order they are posed

    @property
    def nb(self) -> int:
        return len(self.blocks) - 1

    @property
    def rows(self) -> np.ndarray:
        """(n,) rows of the model; a copy without gaps, as the kernels are compiled for."""
        return self.equations["row"].copy()

    @property
    def cols(self) -> np.ndarray:
        """(n,) unknown velocities, column by column of the blocks."""
        return self.unknowns["v"].copy()

    @property
    def row_ptr(self) -> np.ndarray:
        """(nb + 1,) rows and columns of block b: row_ptr[b] to row_ptr[b + 1]."""
        return self.blocks["start"].copy()

    @property
    def sizes(self) -> list[int]:
        return np.diff(self.row_ptr).tolist()

    def rows_of(self, block: int) -> np.ndarray:
        return self.rows[self.row_ptr[block] : self.row_ptr[block + 1]]


def pattern(model: Model, k: int) -> list[tuple[int, int, int, float]]:
    """Return (velocity, link, axis, sign) of every velocity that row k depends on."""
    entries: list[tuple[int, int, int, float]] = []
    row = model.rows[k]
    if row["kind"] != Row.LINEAR:
        chain_l, chain_r = _chain(model, row["l"]), _chain(model, row["r"])
        shared = set(chain_l) & set(chain_r)
        for chain, sign in ((chain_r, 1.0), (chain_l, -1.0)):
            for i in chain:
                if i in shared:
                    continue
                v0, joint = int(model.links["v0"][i]), Joint(model.links["joint"][i])
                entries += [(v0 + c, i, c, sign) for c in range(FREEDOMS[joint])]
    if row["i"] >= 0:
        entries.append((int(row["i"]), 0, COORDINATE_I, 1.0))
    if row["j"] >= 0:
        entries.append((int(row["j"]), 0, COORDINATE_J, 1.0))
    return entries


def _chain(model: Model, i: int) -> list[int]:
    out = []
    while i > 0:
        out.append(int(i))
        i = model.links["parent"][i]
    return out


def plan(model: Model, rows: np.ndarray, unknown: np.ndarray) -> Plan:
    """Return the block plan for independent `rows` and as many `unknown` velocities."""
    assert len(rows) == len(unknown), "blocks are square: as many rows as unknowns"
    rows = np.asarray(rows)
    patterns = [pattern(model, int(k)) for k in rows]
    place = {int(v): c for c, v in enumerate(unknown)}
    order = _order(patterns, place, len(rows))
    home = _homes(model)
    blocks, equations, unknowns, entries = [], [], [], []
    links: list[int] = []
    done = {0}
    for block_rows, block_cols in order:
        cols = [int(unknown[c]) for c in block_cols]
        pre, iterate = _to_pose(model, rows[block_rows], {home[v][0] for v in cols}, done)
        done.update(pre, iterate)
        start, at = len(equations), len(links)
        blocks.append((start, start + len(cols), at, at + len(pre), at + len(pre) + len(iterate)))
        links += pre + iterate
        unknowns += _unknowns(model, cols, home)
        for r in block_rows:
            first = len(entries)
            entries += _entries(model, patterns[r], {v: c for c, v in enumerate(cols)})
            equations.append((int(rows[r]), first, len(entries)))
    rest = [i for i in range(1, model.nl) if i not in done]
    n, at = len(equations), len(links)
    blocks.append((n, n, at, at + len(rest), at + len(rest)))
    return Plan(
        np.array(blocks, BLOCK),
        np.array(equations, EQUATION),
        np.array(unknowns, UNKNOWN),
        np.array(entries, ENTRY),
        np.array(links + rest, np.int64),
    )


def _homes(model: Model) -> list[tuple[int, int]]:
    """Return (link, freedom within the link) of every velocity; (0, 0): of no link."""
    home = [(0, 0)] * model.nv
    for i in range(1, model.nl):
        for c in range(FREEDOMS[Joint(model.links["joint"][i])]):
            home[model.links["v0"][i] + c] = (i, c)
    return home


def _unknowns(
    model: Model, cols: list[int], home: list[tuple[int, int]]
) -> list[tuple[int, int, int, int, int, float]]:
    """Return the UNKNOWN tuples of one block."""
    out = []
    led: set[int] = set()
    for v in cols:
        link, axis = home[v]
        s0 = int(model.links["s0"][link]) if link else -1
        turns = 0
        if s0 >= 0 and link not in led:
            led.add(link)
            turns = sum(1 << c for i, c in (home[other] for other in cols) if i == link)
        out.append((v, link, axis, s0, turns, 1 / float(model.weight[v])))
    return out


def _to_pose(
    model: Model, rows: np.ndarray, moving: set[int], done: set[int]
) -> tuple[list[int], list[int]]:
    """Return the links a block's rows need, not yet posed: those at rest in it, those moving."""
    needed: set[int] = set()
    for row in model.rows[rows]:
        needed.update(_chain(model, int(row["l"])), _chain(model, int(row["r"])))
    moving = moving - {0}
    pre, iterate = [], []
    for i in sorted(needed - done):
        if i in moving or int(model.links["parent"][i]) in moving:
            moving.add(i)
            iterate.append(i)
        else:
            pre.append(i)
    return pre, iterate


def _entries(
    model: Model, pattern: list[tuple[int, int, int, float]], local: dict[int, int]
) -> list[tuple[int, int, int, float, float]]:
    """Return the ENTRY tuples of one row for the columns in `local`."""
    out = []
    for v, link, axis, sign in pattern:
        if v not in local:
            continue
        f = sign / float(model.weight[v])
        if axis < 0:
            out.append((local[v], link, axis, 0.0, f))
            continue
        joint = Joint(model.links["joint"][link])
        if FREEDOMS[joint] == 1:
            axis = 2
        if joint is Joint.SLIDE:
            out.append((local[v], link, axis, 0.0, f))
        else:
            out.append((local[v], link, axis, f, f * float(model.links["pitch"][link])))
    return out


def _order(
    patterns: list[list[tuple[int, int, int, float]]], place: dict[int, int], n: int
) -> list[tuple[list[int], list[int]]]:
    """Return (rows, columns) of each strongly connected block, in solving order."""
    if n == 0:
        return []
    ij = [(r, place[v]) for r, entries in enumerate(patterns) for v, *_ in entries if v in place]
    ri, ci = np.array([p[0] for p in ij], int), np.array([p[1] for p in ij], int)
    A = csr_matrix((np.ones(len(ij), np.int8), (ri, ci)), shape=(n, n))
    match = maximum_bipartite_matching(A, perm_type="column")
    if (match < 0).any():
        return [(list(range(n)), list(range(n)))]
    # Row r owns column match[r]; an edge r -> s when row r needs the column that row s owns.
    owner = np.empty(n, int)
    owner[match] = np.arange(n)
    G = csr_matrix((np.ones(len(ij), np.int8), (ri, owner[ci])), shape=(n, n))
    count, label = connected_components(G, directed=True, connection="strong")
    members: list[list[int]] = [[] for _ in range(count)]
    for r in range(n):
        members[label[r]].append(r)
    return [(rows, [int(match[r]) for r in rows]) for rows in _topological(members, label, G)]


def _topological(members: list[list[int]], label: np.ndarray, G: csr_matrix) -> list[list[int]]:
    """Blocks sorted so that each comes after those it needs; file order among equals."""
    import heapq

    needs: list[set[int]] = [set() for _ in members]
    users: list[set[int]] = [set() for _ in members]
    coo = G.tocoo()
    for r, s in zip(label[coo.row], label[coo.col], strict=True):
        if r != s:
            needs[r].add(int(s))
            users[s].add(int(r))
    ready = [(members[b][0], b) for b in range(len(members)) if not needs[b]]
    heapq.heapify(ready)
    out = []
    while ready:
        _, b = heapq.heappop(ready)
        out.append(members[b])
        for u in users[b]:
            needs[u].discard(b)
            if not needs[u]:
                heapq.heappush(ready, (members[u][0], u))
    return out
