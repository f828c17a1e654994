"""One leg of Theo Jansen's walker in three layers: flat rods, two tube-like triangles, a stand.

Layer 1 (next to the stand): crank, upper and lower triangle; layer 2: upper rod, swing, link;
layer 3: lower rod, far enough in front to pass the head of the hip pin. No two parts of one layer
ever meet.
"""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from cad2mbs.library.planar import JANSEN
from scripts.solids import palette
from scripts.solids.linkage import (
    CLEARANCE,
    Layer,
    Point2,
    bore,
    disc,
    link,
    rounded,
    sector,
    stud,
    window,
)
from scripts.solids.shapes import block, fused, placed, solid, without

THICK, GAP = 4.0, 0.4
FIRST, SECOND, THIRD = [(z, z + THICK) for z in (0.0, THICK + GAP, 2 * (THICK + GAP) + 1.2)]
PIN, TIP = 2.5, 2.0  # radii of pins: in layers 1 and 2, in layer 3 or where a pin gets thinner
SHAFT = 4.0  # radius of the crank's shaft in the stand
HALF = 4.2  # half the width of a rod
HEAD = (3.6, 1.2)  # radius and height of a pin's head
BACK = -GAP - 1.0  # front face of the stand


def build() -> cq.Assembly:
    leg = library.jansen_leg()
    corners = {
        part: [(r.origin[0], r.origin[1]) for r in leg.parts[part].references.values()]
        for part in ("upper", "lower")
    }
    parts = {
        "ground": (stand(), palette.DARK_GREY),
        "crank": (crank(), palette.RED),
        "upper_rod": (rod(JANSEN["j"], SECOND, (PIN, PIN)), palette.STEEL),
        "lower_rod": (rod(JANSEN["k"], THIRD, (TIP, TIP)), palette.STEEL),
        "upper": (upper(*corners["upper"]), palette.YELLOW),
        "swing": (swing(), palette.ORANGE),
        "link": (rod(JANSEN["f"], SECOND, (PIN, PIN)), palette.ORANGE),
        "lower": (lower(*corners["lower"]), palette.YELLOW),
    }
    return placed(leg, parts, "jansen_leg")


def grown(layer: Layer) -> Layer:
    """The layer with its gap on both sides: how long a bearing is."""
    return layer[0] - GAP / 2, layer[1] + GAP / 2


def stand() -> cq.Solid:
    """Upright plate with the crank's bearing and the stepped hip pin, on a broad foot."""
    hip = (-JANSEN["a"], -JANSEN["l"])
    low = BACK - 6
    plate = rounded([hip, (0, 0), (6, -88), (-36, -88)], 9, (low, BACK), 0.8)
    hole = window([(-32, -15), (-2, -9), (3, -80), (-31, -80)], 4, 6, (low, BACK))
    foot = block((-72, -112, low - 34), (38, -104, low + 12)).edges("|Y").fillet(8)
    rib = block((-36, -105, low - 22), (6, -84, low)).edges("|X").edges(">Y and <Z").chamfer(17)
    hub = disc((0, 0), 8.5, (low - 8, BACK), 0.8)
    pin = [
        disc(hip, 5.5, (BACK, FIRST[0] - GAP / 2)),
        disc(hip, PIN - CLEARANCE, grown(FIRST)),
        stud(hip, TIP - CLEARANCE, grown(SECOND), 2.9, 0.9),  # low: the lower rod swings past it
    ]
    body = without(fused([plate, foot, rib, hub]), [hole, bore((0, 0), SHAFT, (low - 9, BACK + 1))])
    return solid(fused([body, *pin]))


def crank() -> cq.Solid:
    """Disc with a counterweight, the shaft behind it, the stepped crank pin in front."""
    pin = (JANSEN["m"], 0.0)
    web = link((0, 0), pin, (8, 5.5), FIRST, 0.6)
    weight = sector(17, 112, 248, FIRST)
    hub = disc((0, 0), 6, (BACK + 0.2, FIRST[1]))
    # The journal is as long as the bearing, so that their middles agree.
    shaft = disc((0, 0), SHAFT - CLEARANCE, (BACK - 14, BACK))
    rest = [
        disc((0, 0), SHAFT - 0.5, (BACK, BACK + 0.2)),
        disc((0, 0), 6, (BACK - 17, BACK - 14), 0.6),
        disc(pin, 4, (FIRST[1], SECOND[0] - GAP / 2)),
        disc(pin, PIN - CLEARANCE, grown(SECOND)),
        disc(pin, 3.4, (SECOND[1] + GAP / 2, THIRD[0] - GAP / 2)),
        stud(pin, TIP - CLEARANCE, grown(THIRD), *HEAD),
    ]
    return solid(fused([web, weight, hub, shaft, *rest]))


def rod(length: float, layer: Layer, holes: tuple[float, float]) -> cq.Solid:
    """Flat rod with an eye at each end and a long slot to save weight."""
    bar = link((0, 0), (length, 0), (HALF, HALF), layer, 0.5)
    cuts = [bore((0, 0), holes[0]), bore((length, 0), holes[1])]
    cuts.append(link((9, 0), (length - 9, 0), (1.5, 1.5), layer))
    return solid(without(bar, cuts))


def swing() -> cq.Solid:
    """Rod from the hip to the knee, whose pin reaches into both neighbouring layers."""
    length = JANSEN["c"]
    bar = link((0, 0), (length, 0), (HALF + 0.6, HALF + 0.6), SECOND, 0.5)
    cuts = [bore((0, 0), TIP), link((10, 0), (length - 10, 0), (1.6, 1.6), SECOND)]
    knee = (length, 0.0)
    pins = [
        stud(knee, PIN - CLEARANCE, grown(FIRST), HEAD[0], -0.9),
        stud(knee, TIP - CLEARANCE, grown(THIRD), *HEAD),
        disc(knee, 3.4, (FIRST[1] + GAP / 2, THIRD[0] - GAP / 2)),
    ]
    return solid(fused([without(bar, cuts), *pins]))


def triangle(corners: tuple[Point2, Point2, Point2], width: float) -> cq.Workplane:
    """Three bars round a window."""
    plate = rounded(corners, width, FIRST, 0.5)
    return without(plate, [window(corners, width * 0.85, 2.0, FIRST)])


def front_pin(at: Point2) -> cq.Workplane:
    """Pin for a part of layer 2."""
    foot = disc(at, 3.4, (FIRST[0] + 1, SECOND[0] - GAP / 2))
    return fused([foot, stud(at, PIN - CLEARANCE, grown(SECOND), *HEAD)])


def upper(hip: Point2, top: Point2, back: Point2) -> cq.Solid:
    """The upper triangle: an eye on the hip pin, pins at the two other corners."""
    body = without(triangle((hip, top, back), 5.0), [bore(hip, PIN)])
    return solid(fused([body, front_pin(top), front_pin(back)]))


def lower(knee: Point2, ankle: Point2, foot: Point2) -> cq.Solid:
    """The lower triangle: an eye at the knee, a pin at the ankle, a pad with a hole as foot."""
    pad = disc(foot, 6.5, (FIRST[0] - 1, FIRST[1] + 3), 1.0)
    body = fused([triangle((knee, ankle, foot), 5.0), pad])
    return solid(fused([without(body, [bore(knee, PIN), bore(foot, 3.0)]), front_pin(ankle)]))
