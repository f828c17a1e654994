"""A slider-crank with everything there twice: two webs, two rods in one, two guide bars.

Low and high halves mirror each other about the plane z = MIDDLE.
"""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from cad2mbs.library.engines import CRANK_RADIUS, ROD_LENGTH
from scripts.solids import palette
from scripts.solids.linkage import CLEARANCE, Layer, bar_along, bore, disc, link
from scripts.solids.shapes import Shape, block, fused, placed, solid, without

MIDDLE = 15.0
JOURNAL, CRANK_PIN, WRIST_PIN, GUIDE = 8.0, 7.0, 5.0, 5.5  # radii
COLLAR: Layer = (-3.0, 3.0)  # layers as distances from the middle plane, upper half
ROD: Layer = (3.5, 10.5)
SEAT: Layer = (3.0, 11.0)  # of the rod on its pins
CHEEK: Layer = (11.0, 21.0)  # crank webs
BEARING: Layer = (22.0, 34.0)  # walls of the base
GUIDE_Z = 30.0
RAIL: Layer = (46.0, 206.0)  # the guides along x
FLOOR = -66.0


def build() -> cq.Assembly:
    parts = {
        "base": (base(), palette.CAST_IRON),
        "crank": (crank(), palette.RED),
        "rod": (rod(), palette.STEEL),
        "slider": (slider(), palette.BRASS),
    }
    return placed(library.over_redundant(), parts, "over_redundant")


def both(layer: Layer) -> tuple[Layer, Layer]:
    """The layer above the middle plane and its mirror image, in z."""
    near, far = layer
    return (MIDDLE + near, MIDDLE + far), (MIDDLE - far, MIDDLE - near)


def base() -> cq.Solid:
    """Floor, two main bearings, and two guide bars between brackets."""
    low, high = MIDDLE - 44, MIDDLE + 44
    floor = block((-34, FLOOR - 10, low), (RAIL[1] + 14, FLOOR, high)).edges("|Y").fillet(10)
    floor = floor.faces(">Y").edges().chamfer(1.5)
    solids, holes = [floor], []
    for layer in both(BEARING):
        wall = fused(
            [
                disc((0, 0), 17, layer, 1.5),
                block((-17, FLOOR - 1, layer[0]), (17, 0, layer[1])),
                block((-28, FLOOR - 1, layer[0]), (28, FLOOR + 9, layer[1])),
            ]
        )
        solids.append(wall)
        holes.append(bore((0, 0), JOURNAL, layer))
    for sign in (-1, 1):
        z = MIDDLE + sign * GUIDE_Z
        solids.append(bar_along(RAIL, GUIDE, 0, z))
        solids += [bracket(x, z) for x in (RAIL[0], RAIL[1] - 9)]
    feet = [(x, z) for x in (80, 160) for z in (low + 12, high - 12)]
    holes += [cq.Workplane("XZ", origin=(x, FLOOR + 5, z)).circle(4.5).extrude(30) for x, z in feet]
    return solid(without(fused(solids), holes))


def bracket(x: float, z: float) -> Shape:
    """Stand of a guide bar, rounded at the top."""
    return fused(
        [
            bar_along((x, x + 9), 8.5, 0, z),
            block((x, FLOOR - 1, z - 6), (x + 9, 0, z + 6)),
        ]
    )


def crank() -> cq.Solid:
    """Crankshaft with two webs; a collar parts the pin into a seat for each half of the rod."""
    pin = (CRANK_RADIUS, 0.0)
    solids = []
    for layer in both(CHEEK):
        solids += [link((0, 0), pin, (15, 12), layer, 1), link((0, 0), (-16, 0), (15, 17), layer)]
    for layer in both((BEARING[0] - 1, BEARING[1] + 1)):
        solids.append(disc((0, 0), JOURNAL - CLEARANCE, layer))
    for layer in both((BEARING[1] + 1, BEARING[1] + 5)):
        solids.append(disc((0, 0), JOURNAL + 4, layer, 1))
    solids += [disc(pin, CRANK_PIN - CLEARANCE, layer) for layer in both(SEAT)]
    solids.append(disc(pin, CRANK_PIN + 2, (MIDDLE + COLLAR[0], MIDDLE + COLLAR[1])))
    return solid(fused(solids))


def rod() -> cq.Solid:
    """Two rods side by side, joined by a bridge along their shanks."""
    halves, cuts = [], []
    for layer in both(ROD):
        halves.append(link((0, 0), (ROD_LENGTH, 0), (12.5, 9.5), layer, 0.8))
        cuts += [bore((0, 0), CRANK_PIN, layer), bore((ROD_LENGTH, 0), WRIST_PIN, layer)]
    cuts += [
        link((30, 0), (ROD_LENGTH - 24, 0), (4.6, 3.8), side) for side in both((ROD[1] - 2, ROD[1]))
    ]
    bridge = block((28, -4, MIDDLE - 5), (ROD_LENGTH - 26, 4, MIDDLE + 5)).edges("|Z").fillet(3)
    return solid(without(fused([*halves, bridge]), cuts))


def slider() -> cq.Solid:
    """Two cheeks on the guide bars with the wrist pin between them."""
    solids, cuts = [], []
    for near, far in both((CHEEK[0], GUIDE_Z + 11)):
        cheek = block((-20, -14, near), (20, 14, far)).edges("|Y").fillet(4)
        solids.append(cheek.faces("<Y or >Y").edges().chamfer(1))
    for sign in (-1, 1):
        cuts.append(bar_along((-30, 30), GUIDE + CLEARANCE, 0, MIDDLE + sign * GUIDE_Z))
    pin = [disc((0, 0), WRIST_PIN - CLEARANCE, layer) for layer in both(SEAT)]
    collar = disc((0, 0), WRIST_PIN + 2, (MIDDLE + COLLAR[0], MIDDLE + COLLAR[1]))
    crown = block((13, -9, MIDDLE - 14), (20, 9, MIDDLE + 14)).edges("|Z").fillet(2)
    return solid(fused([without(fused(solids), cuts), *pin, collar, crown]))
