"""Triangles and lines onto a grid of samples: which triangle is seen where, and where is ink.

The screen is (x, y, nearness) in samples; nearness is linear along a plane and grows towards the
eye (camera.py). A sample lies in the middle of its square. Colours come later (shade.py), from
the number of the triangle seen, so that each visible place is shaded once.
"""

from __future__ import annotations

import math

import numpy as np

from solvers.compiled import batch, inlined

EMPTY = -1  # number of no triangle
FLAT = 1e-9  # twice the area in samples below which a triangle is not drawn
SAME = np.float32(1e-6)  # of the nearness: closer surfaces are one, the first drawn stays


@inlined
def slopes(screen, a, b, c):
    """Nearness per sample to the right and down along triangle a b c, and twice its area."""
    ux = screen[b, 0] - screen[a, 0]
    uy = screen[b, 1] - screen[a, 1]
    ud = screen[b, 2] - screen[a, 2]
    vx = screen[c, 0] - screen[a, 0]
    vy = screen[c, 1] - screen[a, 1]
    vd = screen[c, 2] - screen[a, 2]
    area = ux * vy - uy * vx
    return (ud * vy - vd * uy) / area, (vd * ux - ud * vx) / area, area


@inlined
def nearness_at(screen, a, b, c, x, y):
    """Nearness of the plane of a b c at a place of the screen, kept within that of its corners."""
    gx, gy, area = slopes(screen, a, b, c)
    low = min(screen[a, 2], screen[b, 2], screen[c, 2])
    high = max(screen[a, 2], screen[b, 2], screen[c, 2])
    if not abs(area) > FLAT:
        return high
    d = screen[a, 2] + gx * (x - screen[a, 0]) + gy * (y - screen[a, 1])
    return min(max(d, low), high)


@batch
def fill(screen, triangles, first, last, ceiling, nearness, seen):
    """Write into nearness and seen, (rows, columns), the nearest of triangles first to last - 1.

    What is not farther than ceiling is left out: with the nearness of one layer as ceiling the
    next call finds the layer behind it.
    """
    rows, columns = seen.shape
    for t in range(first, last):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        gx, gy, area = slopes(screen, a, b, c)
        if not abs(area) > FLAT:  # also where a corner is NaN
            continue
        if area < 0.0:
            b, c = c, b
        ax, ay = screen[a, 0], screen[a, 1]
        bx, by = screen[b, 0], screen[b, 1]
        cx, cy = screen[c, 0], screen[c, 1]
        left = max(0, math.ceil(max(min(ax, bx, cx), -1.0) - 0.5))
        right = min(columns - 1, math.floor(min(max(ax, bx, cx), columns + 1.0) - 0.5))
        top = max(0, math.ceil(max(min(ay, by, cy), -1.0) - 0.5))
        bottom = min(rows - 1, math.floor(min(max(ay, by, cy), rows + 1.0) - 0.5))
        if left > right or top > bottom:
            continue
        low = min(screen[a, 2], screen[b, 2], screen[c, 2])
        high = max(screen[a, 2], screen[b, 2], screen[c, 2])
        slack = -1e-9 * (abs(area) + 1.0)  # no gap between neighbours through rounding
        x0 = left + 0.5
        for row in range(top, bottom + 1):
            y = row + 0.5
            wc = (bx - ax) * (y - ay) - (by - ay) * (x0 - ax)
            wa = (cx - bx) * (y - by) - (cy - by) * (x0 - bx)
            wb = (ax - cx) * (y - cy) - (ay - cy) * (x0 - cx)
            d = screen[a, 2] + gx * (x0 - ax) + gy * (y - ay)
            for column in range(left, right + 1):
                if wa >= slack and wb >= slack and wc >= slack:
                    here = np.float32(min(max(d, low), high))
                    margin = SAME * abs(here)
                    if here > nearness[row, column] + margin and (
                        here < ceiling[row, column] - margin
                    ):
                        nearness[row, column] = here
                        seen[row, column] = t
                wa -= cy - by
                wb -= ay - cy
                wc -= by - ay
                d += gx


@inlined
def slack_at(d, slack, perspective):
    """Nearness by which a thing at nearness d differs from one `slack` samples behind it."""
    return slack * d if perspective else slack


@inlined
def _dab(x, y, fx, fy, d, reach, give, screen, triangles, seen, ink):
    """Ink the sample (x, y) for a line whose next point is (fx, fy) with nearness d."""
    away = math.sqrt((x + 0.5 - fx) ** 2 + (y + 0.5 - fy) ** 2)
    strength = reach + 0.5 - away
    if strength <= 0.0:
        return
    t = seen[y, x]
    if t >= 0:
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        # The face is asked where the line is, not where the sample is: a steep face that the
        # line bounds would swallow half of it otherwise.
        if d + give < nearness_at(screen, a, b, c, fx, fy):
            return
    ink[y, x] = max(ink[y, x], np.uint8(255.0 * min(strength, 1.0)))


@batch
def draw_lines(points, starts, reach, slack, perspective, screen, triangles, seen, ink):
    """Ink polylines, `reach` samples to either side, where no seen triangle covers them.

    points (n, 3) on the screen; polyline i is points[starts[i]:starts[i + 1]]; slack as in
    slack_at: what a line may lie below a face and still be drawn.
    """
    rows, columns = seen.shape
    wide = reach + 1.0
    for line in range(len(starts) - 1):
        for k in range(starts[line], starts[line + 1] - 1):
            px, py, pd = points[k, 0], points[k, 1], points[k, 2]
            ux, uy, ud = points[k + 1, 0] - px, points[k + 1, 1] - py, points[k + 1, 2] - pd
            length2 = ux * ux + uy * uy
            if not length2 < 1e12:  # NaN, or far outside
                continue
            flat = abs(ux) >= abs(uy)
            start, end = (px, px + ux) if flat else (py, py + uy)
            limit = columns if flat else rows
            first = max(0, math.floor(max(min(start, end) - wide, -1.0)))
            last = min(limit - 1, math.floor(min(max(start, end) + wide, limit + 1.0)))
            across = max(abs(ux), abs(uy))
            half = wide * math.sqrt(length2) / across if across > 1e-9 else wide
            other = rows if flat else columns
            for i in range(first, last + 1):
                s = 0.0
                if across > 1e-9:
                    s = (i + 0.5 - start) / (ux if flat else uy)
                s = min(max(s, 0.0), 1.0)
                middle = py + s * uy if flat else px + s * ux
                if not -half - 1.0 < middle < other + half + 1.0:
                    continue
                low = max(0, math.floor(middle - half))
                high = min(other - 1, math.floor(middle + half))
                for j in range(low, high + 1):
                    x, y = (i, j) if flat else (j, i)
                    s = 0.0
                    if length2 > 0.0:
                        s = ((x + 0.5 - px) * ux + (y + 0.5 - py) * uy) / length2
                    s = min(max(s, 0.0), 1.0)
                    d = pd + s * ud
                    give = slack_at(d, slack, perspective)
                    _dab(
                        x, y, px + s * ux, py + s * uy, d, reach, give,
                        screen, triangles, seen, ink,
                    )  # fmt: skip


@batch
def draw_outlines(reach, slack, perspective, screen, triangles, seen, nearness, ink):
    """Ink, `reach` samples wide, where a face ends before something farther away or nothing.

    A neighbour that continues the face's own plane is no end of it, however steep.
    """
    rows, columns = seen.shape
    for y in range(rows):
        for x in range(columns):
            t = seen[y, x]
            if t < 0:
                continue
            a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
            gx, gy, _ = slopes(screen, a, b, c)
            d = nearness[y, x]
            give = slack_at(d, slack, perspective)
            ends = False
            for r in range(1, reach + 1):
                for dx, dy in ((r, 0), (-r, 0), (0, r), (0, -r)):
                    u, v = x + dx, y + dy
                    if not (0 <= u < columns and 0 <= v < rows) or seen[v, u] == t:
                        continue
                    expected = min(d, d + gx * dx + gy * dy)
                    ends = ends or seen[v, u] < 0 or nearness[v, u] + give < expected
            if ends:
                ink[y, x] = 255
