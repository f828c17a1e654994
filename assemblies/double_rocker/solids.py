"""The double rocker as a quay crane: two legs on a portal carry a jib with a sheave at its nose.

Everything is symmetric about the plane z = 0: the legs are pairs of cheeks with the pins between
them, on which portal and jib have their eyes. The rocker is wide enough to let crank and jib swing
through between its cheeks.
"""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from scripts.solids import palette
from scripts.solids.linkage import CLEARANCE, bore, disc, link, rounded, window
from scripts.solids.shapes import Shape, block, cylinder, fused, placed, solid, without

GROUND, CRANK, COUPLER, ROCKER = 1000.0, 800.0, 400.0, 900.0
PIVOT, PIN = 30.0, 24.0  # radii: pins in the portal, pins in the jib
INNER, OUTER = 40.0, 62.0  # the crank's cheeks lie between these distances from z = 0
WIDE = (73.0, 95.0)  # and the rocker's between these
GAP = 2.0
NOSE = (980.0, 40.0)  # of the jib: where its sheave sits


def build() -> cq.Assembly:
    parts = {
        "ground": (portal(), palette.DARK_GREY),
        "crank": (leg(CRANK, (62, 46), (INNER, OUTER), (0.35, 0.65)), palette.YELLOW),
        "coupler": (jib(), palette.ORANGE),
        "rocker": (leg(ROCKER, (52, 42), WIDE, (0.13, 0.25)), palette.YELLOW),
    }
    return placed(library.double_rocker(), parts, "double_rocker")


def portal() -> cq.Solid:
    """Table on four legs with a lug and a pin at each pivot."""
    table = block((-150, -190, -170), (GROUND + 150, -120, 170)).edges("|Y").fillet(30)
    solids = [table.edges("#Y").chamfer(8)]
    for x, half in ((0.0, INNER - GAP), (GROUND, WIDE[0] - GAP)):
        solids += [
            without(
                rounded([(x - 60, -130), (x + 60, -130), (x, 0)], 45, (-half, half), 5),
                [bore((x, 0), PIVOT)],
            )
        ]
    for x in (-100.0, GROUND + 100):
        for z in (-120.0, 120.0):
            solids += [
                block((x - 35, -620, z - 35), (x + 35, -150, z + 35)),
                cylinder(62, (x, -640, z), (x, -615, z)),
            ]
        solids.append(block((x - 20, -470, -120), (x + 20, -420, 120)))
    solids.append(_rail(-120))
    solids.append(_rail(120))
    return solid(fused(solids))


def _rail(z: float) -> Shape:
    return block((-100, -470, z - 16), (GROUND + 100, -420, z + 16))


def leg(
    length: float,
    radii: tuple[float, float],
    layer: tuple[float, float],
    ties: tuple[float, float],
) -> cq.Solid:
    """Two cheeks side by side with a pin at each end; tubes tie them at these shares of the way."""
    near, far = layer
    cheeks = [link((0, 0), (length, 0), radii, side, 4) for side in sides(near, far)]
    tubes = [cylinder(20, (k * length, 0, -near), (k * length, 0, near)) for k in ties]
    holes = [bore((k * length, 0), radii[1] * 0.5) for k in (0.2, 0.5, 0.8)]
    pins = [disc((0, 0), PIVOT - CLEARANCE, (-near, near))]
    pins.append(disc((length, 0), PIN - CLEARANCE, (-near, near)))
    for x, radius in ((0, PIVOT + 6), (length, PIN + 5)):
        pins += [disc((x, 0), radius, side, 3) for side in sides(far - 1, far + 9)]
    return solid(fused([without(fused([*cheeks, *tubes]), holes), *pins]))


def jib() -> cq.Solid:
    """Truss-like plate girder between the legs with a sheave at its nose, a hub on the rocker."""
    half = INNER - GAP
    corners = [(0, 0), (COUPLER, 0), NOSE, (COUPLER, 130), (60, 110)]
    body = rounded(corners, 34, (-half, half), 5)
    fields = [
        [(70, 12), (COUPLER / 2, 12), (90, 95)],
        [(COUPLER / 2 + 40, 12), (COUPLER - 50, 12), (COUPLER - 25, 110), (130, 100)],
        [(COUPLER + 60, 18), (670, 28), (640, 95), (COUPLER + 35, 112)],
        [(720, 32), (860, 38), (690, 88)],
    ]
    holes = [window(f, 5, 9, (-half, half)) for f in fields]
    groove = without(disc(NOSE, 60, (-8, 8)), [disc(NOSE, 26, (-9, 9))])
    sheave = [disc(NOSE, 58, side, 3) for side in sides(8, 18)]
    holes += [bore((x, 0), PIN) for x in (0, COUPLER)]
    weight = rounded([(-70, 40), (-70, 130), (60, 130), (40, 40)], 20, (-half, half), 5)
    hub = disc((COUPLER, 0), 34, (GAP - WIDE[0], WIDE[0] - GAP), 3)
    slot = [disc(NOSE, 70, side) for side in sides(18, INNER)]
    girder = without(fused([body, weight, hub]), [*holes, *slot, groove])
    return solid(fused([girder, *sheave]))


def sides(near: float, far: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """The layer in front of the plane z = 0 and its mirror image."""
    return (near, far), (-far, -near)
