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

from solvers.model import FREEDOMS, Joint, Model

COORDINATE_I, COORDINATE_J = -1, -2  # entry axes that mean dphi/dy_i, dphi/dy_j


class Plan(NamedTuple):
    """Blocks in solving order; all `*_ptr` arrays are CSR-style starts per block (or row)."""

    row_ptr: np.ndarray  # (nb + 1,) rows of block b: rows[row_ptr[b]:row_ptr[b+1]]
    rows: np.ndarray
    cols: np.ndarray  # unknown velocities, same pointers as rows: blocks are square
    pre_ptr: np.ndarray  # (nb + 2,) links to pose once before block b; the last part: after all
    pre: np.ndarray
    link_ptr: np.ndarray  # (nb + 1,) links to pose anew in every iteration of block b
    links: np.ndarray
    entry_ptr: np.ndarray  # (len(rows) + 1,) Jacobian entries of each row in its block
    entry_link: np.ndarray
    entry_axis: np.ndarray  # freedom of the link, or COORDINATE_I / COORDINATE_J
    entry_sign: np.ndarray
    entry_col: np.ndarray  # column inside the block
    col_link: np.ndarray  # link of the column, 0: a coordinate of no link
    col_axis: np.ndarray  # its freedom within the link

    @property
    def nb(self) -> int:
        return len(self.row_ptr) - 1

    @property
    def sizes(self) -> list[int]:
        return np.diff(self.row_ptr).tolist()

    def rows_of(self, block: int) -> np.ndarray:
        return self.rows[self.row_ptr[block] : self.row_ptr[block + 1]]


def pattern(model: Model, k: int) -> list[tuple[int, int, int, float]]:
    """Return (velocity, link, axis, sign) of every velocity that row k depends on."""
    entries: list[tuple[int, int, int, float]] = []
    if model.row_kind[k] != 5:
        chain_l, chain_r = _chain(model, model.row_l[k]), _chain(model, model.row_r[k])
        shared = set(chain_l) & set(chain_r)
        for chain, sign in ((chain_r, 1.0), (chain_l, -1.0)):
            for i in chain:
                if i in shared:
                    continue
                v0 = int(model.v0[i])
                entries += [(v0 + c, i, c, sign) for c in range(FREEDOMS[Joint(model.joint[i])])]
    if model.row_i[k] >= 0:
        entries.append((int(model.row_i[k]), 0, COORDINATE_I, 1.0))
    if model.row_j[k] >= 0:
        entries.append((int(model.row_j[k]), 0, COORDINATE_J, 1.0))
    return entries


def _chain(model: Model, i: int) -> list[int]:
    out = []
    while i > 0:
        out.append(int(i))
        i = model.parent[i]
    return out


def plan(model: Model, rows: np.ndarray, unknown: np.ndarray) -> Plan:
    """Return the block plan for independent `rows` and as many `unknown` velocities."""
    assert len(rows) == len(unknown), "blocks are square: as many rows as unknowns"
    patterns = [pattern(model, int(k)) for k in rows]
    place = {int(v): c for c, v in enumerate(unknown)}
    order = _order(patterns, place, len(rows))
    link_of = np.zeros(model.nv, np.int64)
    axis_of = np.zeros(model.nv, np.int64)
    for i in range(1, model.nl):
        for c in range(FREEDOMS[Joint(model.joint[i])]):
            link_of[model.v0[i] + c], axis_of[model.v0[i] + c] = i, c
    out: dict[str, list[int]] = {name: [] for name in Plan._fields}
    signs: list[float] = []
    for name in ("row_ptr", "pre_ptr", "link_ptr", "entry_ptr"):
        out[name].append(0)
    done = {0}
    for block_rows, block_cols in order:
        cols = [int(unknown[c]) for c in block_cols]
        local = {v: c for c, v in enumerate(cols)}
        needed = set()
        for r in block_rows:
            k = rows[r]
            needed.update(_chain(model, model.row_l[k]))
            needed.update(_chain(model, model.row_r[k]))
        moving = {int(link_of[v]) for v in cols} - {0}
        pre, iterate = [], []
        for i in sorted(needed - done):
            if i in moving or int(model.parent[i]) in moving:
                moving.add(i)
                iterate.append(i)
            else:
                pre.append(i)
        done.update(pre, iterate)
        out["pre"] += pre
        out["links"] += iterate
        out["rows"] += [int(rows[r]) for r in block_rows]
        out["cols"] += cols
        out["col_link"] += [int(link_of[v]) for v in cols]
        out["col_axis"] += [int(axis_of[v]) for v in cols]
        for r in block_rows:
            for v, link, axis, sign in patterns[r]:
                if v in local:
                    out["entry_link"].append(link)
                    out["entry_axis"].append(axis)
                    out["entry_col"].append(local[v])
                    signs.append(sign)
            out["entry_ptr"].append(len(signs))
        out["row_ptr"].append(len(out["rows"]))
        out["pre_ptr"].append(len(out["pre"]))
        out["link_ptr"].append(len(out["links"]))
    out["pre"] += [i for i in range(1, model.nl) if i not in done]
    out["pre_ptr"].append(len(out["pre"]))
    arrays = {k: np.array(v, np.int64) for k, v in out.items()}
    arrays["entry_sign"] = np.array(signs, float)
    return Plan(**arrays)


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
