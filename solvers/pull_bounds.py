"""Bounds and one-sided rows as a pull meets them: linear in its step, with room for the bend."""

from __future__ import annotations

from solvers.compiled import inner
from solvers.rows import row_phi, row_rates

LONGEST = 0.3  # of any coordinate in one step [rad or model lengths]
INWARDS = 1.05  # of the bend of a bound: a little more than to the second order


@inner
def bounds_near(M, y, sides, X, Z, G_sides, f, C, d, what, sense):
    """Write the bounds a step could meet as C a <= d; return how many.

    what[c] is the coordinate, with sense 1 for its upper bound and -1 for its lower one, or
    -1 - row for a one-sided row.
    """
    n = 0
    for k in range(M.low.shape[0]):
        size = 0.0
        for c in range(f):
            size += abs(Z[k, c])
        for side in range(2):
            sign = 1.0 - 2.0 * side
            room = (M.high[k] - y[k] if side == 0 else y[k] - M.low[k]) * M.weight[k]
            if size > 0.0 and room < LONGEST * (1.0 + size):
                for c in range(f):
                    C[n, c] = sign * Z[k, c]
                d[n], what[n], sense[n] = max(room, 0.0), k, sign
                n += 1
    for s in range(sides.shape[0]):
        row = M.rows[sides[s]]
        if row.one_sided:
            for c in range(f):
                C[n, c] = -G_sides[s, c]
            d[n], what[n], sense[n] = max(row_phi(row, y, X), 0.0), -1 - sides[s], -1.0
            n += 1
    return n


@inner
def make_room(M, y, n, count, T):
    """Write room = d, less what the held bounds need because their way is curved.

    A quantity that starts at its bound along the tangent leaves it to the second order; aimed so
    much inwards it stays within all the way.
    """
    for c in range(n):
        T.room[c] = T.d[c]
    for r in range(count):
        c = T.held[r]
        k = T.what[c]
        if k >= 0:
            second = T.sense[c] * T.gain[k] * M.weight[k]
        else:
            _, bend = row_rates(M.rows[-1 - k], y, T.v, T.gain, T.X, T.V, T.A)
            second = -bend
        T.room[c] -= INWARDS * max(0.0, 0.5 * second)


@inner
def most_in_the_way(held, multipliers, count, what):
    """The bound that holds a step back most, as in `what`, and whether there is one."""
    largest, c = 1e-12, -1
    for r in range(count):
        if multipliers[r] > largest:
            largest, c = multipliers[r], held[r]
    if c < 0:
        return False, 0
    return True, what[c]
