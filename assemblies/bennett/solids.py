"""Bennett linkage: four twisted links in a ring; each hinge is a pin of one link in the next."""

from __future__ import annotations

import math

import cadquery as cq
import numpy as np

from cad2mbs.library import bennett
from cad2mbs.library.spatial import BENNETT_A, BENNETT_B
from scripts.solids import palette
from scripts.solids.spatial import (
    X,
    Z,
    ball,
    bevel,
    block,
    cut,
    disc,
    join,
    off,
    placed,
    rod,
    soft_disc,
)

PIN, EYE, WIDTH = 6.0, 14.0, 18.0  # hinge: radii of pin and eye, width of each eye
BAR = 7.0  # radius of the bar
CLEARANCE = 0.1  # between pin and hole, on the radius


def build() -> cq.Assembly:
    long, short = link(*BENNETT_A), link(*BENNETT_B)
    colours = {"link_1": palette.ORANGE, "link_2": palette.STEEL, "link_3": palette.BLUE}
    shapes = {"link_1": long, "link_2": short, "link_3": long}
    parts = {name: (shapes[name], colours[name]) for name in shapes}
    return placed(bennett(), {"link_4": (foot(short), palette.CAST_IRON), **parts})


def link(length: float, twist: float) -> cq.Shape:
    """An eye with a pin at the origin (along z), an eye with a hole at the far hinge.

    The eyes lie on either side of the hinge's middle, so that a link swings past its neighbour.
    """
    turn = math.radians(twist)
    far = np.array([length, 0.0, 0.0])
    along = np.array([0.0, -math.sin(turn), math.cos(turn)])  # of the far hinge
    near_middle = WIDTH / 2 * np.array(Z)
    far_middle = far - WIDTH / 2 * along
    bar = rod(BAR, near_middle, far_middle)
    reach = far_middle - near_middle
    step = (EYE + 5) * reach / np.linalg.norm(reach)
    collars = [disc(BAR + 1.5, p, reach, 5) for p in (near_middle + step, far_middle - step)]
    eyes = [
        soft_disc(EYE, near_middle, Z, WIDTH, 1.2),
        soft_disc(EYE, far_middle, along, WIDTH, 1.2),
    ]
    nipple_root = far_middle + (EYE - 2) * np.array(X)  # grease nipple: points out along x
    nipple = [
        rod(3.0, nipple_root, off(nipple_root, 7, 0, 0)),
        ball(3.4, off(nipple_root, 8, 0, 0)),
    ]
    hole = rod(PIN + CLEARANCE, far, far - (WIDTH + 1) * along)
    body = cut(join(bar, *collars, *eyes, *nipple), hole)
    pin = rod(PIN, (0, 0, 2), (0, 0, -WIDTH - 2))
    washer = soft_disc(10.0, (0, 0, -WIDTH - 2), Z, 3.6, 0.8)
    cap = soft_disc(9.0, (0, 0, WIDTH + 1), Z, 4, 1)
    return join(body, pin, washer, cap)


def foot(body: cq.Shape) -> cq.Shape:
    """The grounded link: the short one on a bracket that stays clear of the moving ones."""
    middle = BENNETT_B[0] / 2
    plate = block((middle - 34, -30, 86), (middle + 34, 38, 96), 8)
    holes = [
        rod(4.5, (middle + x, 4 + y, 80), (middle + x, 4 + y, 100))
        for x in (-24, 24)
        for y in (-24, 24)
    ]
    web = block((middle - 11, -4, 4), (middle + 11, 8, 88))
    gusset = cq.Workplane("YZ", origin=(middle - 4, 0, 0))
    rib = gusset.polyline([(-24, 87), (34, 87), (8, 48), (-4, 48)]).close().extrude(8).val()
    return join(body, bevel(cut(plate, *holes), ">Z or <Z", 1), bevel(web, "|Z", 3), rib)
