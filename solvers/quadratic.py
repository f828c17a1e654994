"""Small convex quadratic programmes: minimise 1/2 a'Ha - b'a subject to C a <= d, by active sets.

With K = H^-1 and A the rows of C that are held as equations, multipliers m:

    A K A' m = A K b - d_A,     a = K (b - A' m)

From a = 0, which d >= 0 makes feasible, go towards that a; the first row in the way joins the held
ones, at the end a row with m < 0 leaves, until neither is left.
"""

from __future__ import annotations

import math

from solvers.compiled import entry, inner
from solvers.newton import lu_solve

ALONG = 1e-13  # a row that changes by less on the way, of its size and the way's, is not in it
SWAPS = 4  # times the number of rows: more joins and leaves than this would be a circle


@inner
def cholesky(H, n):
    """Replace the lower triangle of H by its Cholesky factor; return False if H is not positive."""
    for j in range(n):
        s = H[j, j]
        for k in range(j):
            s -= H[j, k] * H[j, k]
        if not s > 0.0:
            return False
        H[j, j] = math.sqrt(s)
        for i in range(j + 1, n):
            t = H[i, j]
            for k in range(j):
                t -= H[i, k] * H[j, k]
            H[i, j] = t / H[j, j]
    return True


@inner
def cholesky_solve(F, x, n):
    """Solve in place with the factor F of `cholesky`."""
    for i in range(n):
        s = x[i]
        for k in range(i):
            s -= F[i, k] * x[k]
        x[i] = s / F[i, i]
    for i in range(n - 1, -1, -1):
        s = x[i]
        for k in range(i + 1, n):
            s -= F[k, i] * x[k]
        x[i] = s / F[i, i]


@entry
def with_rows(F, n, b, C, d, held, count, a, multipliers, KA, S):
    """Write the minimiser a (n,) with the held rows as equations, and their multipliers."""
    for i in range(n):
        a[i] = b[i]
    cholesky_solve(F, a, n)
    for r in range(count):
        for i in range(n):
            KA[r, i] = C[held[r], i]
        cholesky_solve(F, KA[r], n)
    trace = 0.0
    for r in range(count):
        s = -d[held[r]]
        for i in range(n):
            s += C[held[r], i] * a[i]
        multipliers[r] = s
        for q in range(count):
            t = 0.0
            for i in range(n):
                t += C[held[r], i] * KA[q, i]
            S[r, q] = t
        trace += S[r, r]
    for r in range(count):
        S[r, r] += 1e-13 * trace
    lu_solve(S, multipliers, count)
    for r in range(count):
        for i in range(n):
            a[i] -= multipliers[r] * KA[r, i]


@inner
def _free_way(C, d, nc, a, goal, n, held, count):
    """Share of the way from a to the goal on which no row is passed, and the row that ends it."""
    share, joins = 1.0, -1
    for c in range(nc):
        taken = False
        for r in range(count):
            taken = taken or held[r] == c
        if taken:
            continue
        here = way = size = 0.0
        for i in range(n):
            here += C[c, i] * a[i]
            way += C[c, i] * (goal[i] - a[i])
            size += abs(C[c, i] * (goal[i] - a[i]))
        if way > ALONG * size and max(d[c] - here, 0.0) < share * way:
            share, joins = max(d[c] - here, 0.0) / way, c
    return share, joins


@entry
def minimise(F, n, b, C, d, nc, a, goal, held, multipliers, KA, S):
    """Write the minimiser a (n,); return how many rows are held, `held` and `multipliers` of them.

    F is the Cholesky factor of H; goal (n,), KA and S (n, n) are scratch: no more than n rows can
    be held at once.
    """
    count = 0
    for i in range(n):
        a[i] = 0.0
    for _ in range(SWAPS * (nc + n)):
        with_rows(F, n, b, C, d, held, count, goal, multipliers, KA, S)
        share, joins = _free_way(C, d, nc, a, goal, n, held, count)
        for i in range(n):
            a[i] += share * (goal[i] - a[i])
        if joins >= 0 and count < n:
            held[count] = joins
            count += 1
            continue
        leaves, least = -1, -1e-14
        for r in range(count):
            if multipliers[r] < least:
                leaves, least = r, multipliers[r]
        if leaves < 0:
            break
        for r in range(leaves, count - 1):
            held[r] = held[r + 1]
            multipliers[r] = multipliers[r + 1]
        count -= 1
    return count
