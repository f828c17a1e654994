"""Spatial four-bar: a crank pulls a carriage on guide rods through a ball and a crossed fork."""

from __future__ import annotations

import cadquery as cq

from cad2mbs.library import spatial_four_bar
from scripts.solids import palette
from scripts.solids.spatial import (
    X,
    Y,
    Z,
    around,
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
    soften,
    strap,
    taper,
    turned,
)

RADIUS, LENGTH = 40.0, 150.0  # crank, rod
RAIL_Y, RAIL_Z = 30.0, 60.0  # where the fork's centre travels
BALL, STUD, SHAFT, PIN = 12.0, 5.0, 10.0, 5.0  # radii
GUIDE, GUIDE_Y, GUIDE_UP = 8.0, 26.0, 36.0  # guide rods: radius, half distance, over the fork
CLEARANCE = 0.1  # between a guide rod and the carriage, on the radius
FLOOR, TABLE = -58.0, -44.0  # base plate, lower and upper face
COLLAR = -26.0  # the crank runs on the bearing here
SHOULDER = 20.0  # the fork's stud enters the carriage here


def build() -> cq.Assembly:
    return placed(
        spatial_four_bar(),
        {
            "ground": (ground(), palette.CAST_IRON),
            "crank": (crank(), palette.ORANGE),
            "rod": (connecting_rod(), palette.STEEL),
            "fork": (fork(), palette.BRASS),
            "slider": (slider(), palette.BLUE),
        },
    )


def ground() -> cq.Shape:
    plate = block((-72, -72, FLOOR), (256, 132, TABLE), 14)
    plate = bevel(plate, ">Z", 1.5)
    bolts = [(x, y) for x in (-56, 240) for y in (-56, 116)]
    bearing = join(
        taper((30, 22), (0, 0, TABLE), (0, 0, TABLE + 8)), rod(20, (0, 0, TABLE), (0, 0, COLLAR))
    )
    guide_z = RAIL_Z + GUIDE_UP
    portals = [portal(x, guide_z) for x in (46.0, 206.0)]
    guides = [
        rod(GUIDE, (40, RAIL_Y + side, guide_z), (228, RAIL_Y + side, guide_z))
        for side in (-GUIDE_Y, GUIDE_Y)
    ]
    whole = join(plate, bearing, *portals, *guides)
    holes = [rod(4.5, (x, y, FLOOR), (x, y, TABLE)) for x, y in bolts]
    mark = rod(3.0, (60, 0, TABLE - 6), (60, 0, TABLE))  # points from the shaft along x
    return cut(whole, rod(SHAFT, (0, 0, FLOOR), (0, 0, COLLAR)), mark, *holes)


def portal(x: float, guide_z: float) -> cq.Shape:
    """A gate that carries both guide rods and lets the connecting rod through."""
    low, high = RAIL_Y - 86, RAIL_Y + 86
    gate = block((x, low, TABLE - 1), (x + 16, high, guide_z + 16), 14, "|X and >Z")
    opening = block((x - 1, low + 12, TABLE), (x + 17, high - 12, guide_z - 18), 16, "|X and >Z")
    feet = [block((x - 6, y, TABLE - 1), (x + 22, y + 12, TABLE + 10)) for y in (low, high - 12)]
    return join(cut(gate, opening), *feet)


def crank() -> cq.Shape:
    arm = strap(((0, 0, -21), (RADIUS, 0, -21)), (20, 13), Z, 10)
    weight = strap(((0, 0, -21), (-24, 0, -21)), (20, 26), Z, 10)
    web = soften(join(arm, weight), ">Z", 1.5)
    shaft = rod(SHAFT, (0, 0, FLOOR + 4), (0, 0, -21))
    cap = soft_disc(13, (0, 0, -14), Z, 6, 1.5)
    stud = turned([(0, -18), (9, -18), (9, -15), (STUD, -12), (STUD, 0), (0, 0)], (RADIUS, 0, 0))
    return join(web, shaft, cap, stud, ball(BALL, (RADIUS, 0, 0)))


def connecting_rod() -> cq.Shape:
    eye = disc(18, (0, 0, 0), Y, 12)
    shank = rod(6.5, (14, 0, 0), (LENGTH - 8, 0, 0))
    nut = cq.Workplane("YZ", origin=(26, 0, 0)).polygon(6, 20).extrude(7).val()
    neck = taper((10, 6.5), (17, 0, 0), (26, 0, 0))
    collar = taper((6.5, 7.4), (LENGTH - 30, 0, 0), (LENGTH - 8, 0, 0))
    end = disc(11, (LENGTH, 0, 0), Z, 15)
    whole = join(bevel(eye, "%CIRCLE", 1), neck, shank, nut, collar, bevel(end, "%CIRCLE", 0.8))
    return cut(whole, ball(BALL, along=Y), disc(PIN, (LENGTH, 0, 0), Z, 20))


def fork() -> cq.Shape:
    """A clevis on the rod's end (pin along x) with a stud that turns in the carriage (along z)."""
    cheeks = [
        join(disc(10, (x, 0, 0), X, 6), block((x - 3, -10, 0), (x + 3, 10, 16)))
        for x in (-11.0, 11.0)
    ]
    bridge = block((-14, -10, 13), (14, 10, SHOULDER), 5)
    stud = rod(7, (0, 0, 14), (0, 0, SHOULDER + 36))
    nut = soft_disc(11, (0, 0, SHOULDER + 33), Z, 6, 1)
    heads = [soft_disc(7.5, (x, 0, 0), X, 5, 1) for x in (-16.0, 16.0)]
    return join(bridge, *cheeks, disc(PIN, (0, 0, 0), X, 30), *heads, stud, nut)


def slider() -> cq.Shape:
    body = block((-28, -44, SHOULDER + 2), (28, 44, SHOULDER + 30), 6)
    body = soften(body, ">Z", 3)
    boss = rod(14, (0, 0, SHOULDER), (0, 0, SHOULDER + 10))
    bush = GUIDE + CLEARANCE
    guides = [rod(bush, (-40, y, GUIDE_UP), (40, y, GUIDE_UP)) for y in (-GUIDE_Y, GUIDE_Y)]
    # Short enough to stay clear of the portal where the carriage comes closest.
    seals = [disc(11.5, (0, y, GUIDE_UP), X, 60) for y in (-GUIDE_Y, GUIDE_Y)]
    bore = rod(7, (0, 0, 0), (0, 0, 80))
    screws = [off(p, 0, 0, SHOULDER + 20) for p in around(24, 4, 45)]
    pockets = [rod(2.5, p, off(p, 0, 0, 20)) for p in screws]
    return cut(join(body, boss, *seals), *guides, bore, *pockets)
