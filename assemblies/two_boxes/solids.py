"""A small enclosure: a box with four screw posts and the lid that is screwed on."""

from __future__ import annotations

import cadquery as cq

from cad2mbs import library
from scripts.solids import palette
from scripts.solids.linkage import bore, disc, slot
from scripts.solids.shapes import block, cylinder, fused, placed, solid, without

WIDTH, DEPTH, HEIGHT, LID = 40.0, 30.0, 20.0, 6.0
WALL, CORNER = 1.6, 4.0  # thickness, radius of the upright edges
POST = 4.2  # distance of the screws from the sides
THREAD, SCREW, SINK = 1.3, 1.7, 3.1  # radii: hole in the post, hole in the lid, screw head
CORNERS = [(x, y) for x in (POST, WIDTH - POST) for y in (POST, DEPTH - POST)]


def build() -> cq.Assembly:
    parts = {"box": (box(), palette.BLUE), "lid": (lid(), palette.LIGHT_GREY)}
    return placed(library.two_boxes(), parts, "two_boxes")


def box() -> cq.Solid:
    """Open box with posts, a cable opening and a groove round the foot."""
    body = block((0, 0, 0), (WIDTH, DEPTH, HEIGHT)).edges("|Z").fillet(CORNER)
    body = body.faces("<Z").edges().chamfer(0.8)
    inside = block((WALL, WALL, WALL), (WIDTH - WALL, DEPTH - WALL, HEIGHT))
    shell = without(body, [inside.edges("|Z").fillet(CORNER - WALL)])
    posts = [disc(p, 3.0, (WALL / 2, HEIGHT)) for p in CORNERS]
    cable = cylinder(4, (WIDTH / 2, -1, 10), (WIDTH / 2, WALL + 1, 10))
    collar = cylinder(5.5, (WIDTH / 2, -1.5, 10), (WIDTH / 2, WALL, 10)).edges("<Y").chamfer(0.5)
    threads = [bore(p, THREAD, (8, HEIGHT + 1)) for p in CORNERS]
    return solid(without(fused([shell, *posts, collar]), [cable.translate((0, -1, 0)), *threads]))


def lid() -> cq.Solid:
    """Lid with sunk screw holes, a lip that reaches into the box, and slots for air."""
    body = block((0, 0, 0), (WIDTH, DEPTH, LID)).edges("|Z").fillet(CORNER)
    body = body.faces(">Z").edges().fillet(1.2)
    # The lip keeps clear of the posts: a cross in plan.
    reach = POST + 3.4
    lip = [
        block((reach, WALL + 0.1, -1.5), (WIDTH - reach, DEPTH - WALL - 0.1, 0.5)),
        block((WALL + 0.1, reach, -1.5), (WIDTH - WALL - 0.1, DEPTH - reach, 0.5)),
    ]
    hollow = [
        block((reach + 1, WALL + 1.1, -2), (WIDTH - reach - 1, DEPTH - WALL - 1.1, LID - 2)),
        block((WALL + 1.1, reach + 1, -2), (WIDTH - WALL - 1.1, DEPTH - reach - 1, LID - 2)),
    ]
    air = [slot((13, y), (27, y), 0.9, (0, LID + 1)) for y in (11, 13.7, 16.3, 19)]
    holes = [bore(p, SCREW) for p in CORNERS] + [bore(p, SINK, (3, LID + 1)) for p in CORNERS]
    return solid(without(fused([body, *lip]), [*hollow, *air, *holes]))
