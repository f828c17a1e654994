"""Spur gears and racks, 20 degrees pressure angle; every flank is one circular arc; in mm."""

from __future__ import annotations

import math

import cadquery as cq

from scripts.solids.shapes import Shape

PRESSURE = math.radians(20)
BACKLASH = 0.04  # taken off every flank, along the pitch circle
DEDENDUM = 1.25  # depth of a gap below the pitch line, in modules


def spur(module: float, teeth: int, low: float, high: float, start: float = 0.0) -> Shape:
    """Spur gear about z from z = low to high, a tooth at the angle `start` [deg].

    The arc of a flank goes through three points of the involute; below the base circle it goes
    on to the root.
    """
    pitch = module * teeth / 2
    base, tip, root = pitch * math.cos(PRESSURE), pitch + module, pitch - DEDENDUM * module
    flank = [root, (max(root, base) + tip) / 2, tip]
    halves = [_half_angle(max(r, base), pitch, base, teeth) for r in flank]
    rising = [(r, -half) for r, half in zip(flank, halves, strict=True)]
    falling = [(r, half) for r, half in reversed(list(zip(flank, halves, strict=True)))]
    step, first = 2 * math.pi / teeth, math.radians(start)

    def at(polar: tuple[float, float], k: int) -> tuple[float, float]:
        r, angle = polar
        angle += first + k * step
        return (r * math.cos(angle), r * math.sin(angle))

    outline = cq.Workplane("XY", origin=(0, 0, low)).moveTo(*at(rising[0], 0))
    for k in range(teeth):
        outline = outline.threePointArc(at(rising[1], k), at(rising[2], k))
        outline = outline.threePointArc(at((tip, 0.0), k), at(falling[0], k))
        outline = outline.threePointArc(at(falling[1], k), at(falling[2], k))
        if k < teeth - 1:
            outline = outline.threePointArc(at((root, step / 2), k), at(rising[0], k + 1))
    outline = outline.threePointArc(at((root, step / 2), teeth - 1), at(rising[0], 0))
    return outline.close().extrude(high - low)


def _half_angle(radius: float, pitch: float, base: float, teeth: int) -> float:
    """Half the angle a tooth takes at a radius, from the involute function tan(a) - a."""

    def involute(r: float) -> float:
        angle = math.acos(min(base / r, 1.0))
        return math.tan(angle) - angle

    return math.pi / (2 * teeth) - BACKLASH / pitch + involute(pitch) - involute(radius)


def rack(module: float, teeth: int, depth: float, low: float, high: float) -> Shape:
    """Rack along x, pitch line on the x axis, teeth towards +y, a gap in its middle.

    `teeth` is even; `depth`: from the pitch line down to the back.
    """
    pitch, slope = math.pi * module, math.tan(PRESSURE)
    tip, root = module, -DEDENDUM * module
    wide = pitch / 4 - BACKLASH - root * slope  # half a tooth at its root
    thin = pitch / 4 - BACKLASH - tip * slope
    end = teeth * pitch / 2
    points = [(-end, -depth), (end, -depth), (end, root)]
    for k in reversed(range(teeth)):
        x = (k + 0.5) * pitch - end
        points += [(x + wide, root), (x + thin, tip), (x - thin, tip), (x - wide, root)]
    points += [(-end, root)]
    outline = cq.Workplane("XY", origin=(0, 0, low)).polyline(points).close()
    return outline.extrude(high - low)
