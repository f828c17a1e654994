"""A toggle clamp with an upright handle: base, arm, handle, link, and the spindle in the arm.

In the side view (xy) the arm turns about A on the base, the link about B; the handle joins arm and
link at C and D. The clamp locks where B, D and C lie in line. Along z the parts sit inside each
other: the arm's tongue, the handle, the link's two plates, the base's two plates.
"""

from __future__ import annotations

import math

import cadquery as cq

from cad2mbs.library.build import Point2, heading, in_plane, meet, polar
from scripts.solids import palette
from scripts.solids.linkage import CLEARANCE, Layer, bore, disc, link, rounded, slot, together
from scripts.solids.shapes import Shape, block, cylinder, fused, hexagon, solid, without

A: Point2 = (0.0, 60.0)
B: Point2 = (-38.0, 12.0)
ARM, HANDLE, LINK = 40.0, 20.0, 30.0  # A to C, C to D, D to B
REACH = 78.0  # of the spindle from A
START = 2.0  # how far the link stands beyond the dead point [deg]
LOCKED = meet(B, LINK + HANDLE, A, ARM, 1)  # C where the clamp locks
C_ARM = (LOCKED[0] - A[0], LOCKED[1] - A[1])  # C seen from the arm, which is level there

PIN = 3.0  # radius of all pins
TONGUE, GRIP, PLATE, SIDE = 4.0, 7.5, (8.0, 9.8), (10.0, 13.0)  # half widths along z
SPINDLE = 5.0  # radius


def build() -> cq.Assembly:
    angle = heading(B, LOCKED) + math.radians(START)
    d = polar(B, LINK, angle)
    c = meet(d, HANDLE, A, ARM, 1)
    tilt = heading(A, c) - math.atan2(C_ARM[1], C_ARM[0])
    parts = {
        "base": (base(), palette.DARK_STEEL, in_plane((0, 0), 0)),
        "arm": (arm(), palette.STEEL, in_plane(A, tilt)),
        "handle": (handle(), palette.RED, in_plane(c, heading(d, c))),
        "link": (bars(), palette.BRASS, in_plane(B, angle)),
        "spindle": (spindle(), palette.DARK_GREY, in_plane(polar(A, REACH, tilt), tilt)),
    }
    return together("toggle_clamp", parts)


def both(layer: Layer) -> tuple[Layer, Layer]:
    """The layer in front and its mirror image behind."""
    return layer, (-layer[1], -layer[0])


def base() -> cq.Solid:
    """Foot with slots, two side plates with the arm's pin, and the lug of the link."""
    foot = block((-62, 0, -32), (22, 4, 32)).edges("|Y").fillet(6)
    plates = [rounded([(-52, 5), (12, 5), A, (-6, 60)], 5, layer, 0.8) for layer in both(SIDE)]
    pins = [disc(A, PIN - CLEARANCE, (-SIDE[0], SIDE[0]))]
    pins += [disc(A, 5.5, layer, 0.6) for layer in both((SIDE[1] - 0.5, SIDE[1] + 2))]
    lug = fused(
        [disc(B, 6.5, (-GRIP, GRIP)), block((B[0] - 6.5, 3, -GRIP), (B[0] + 6.5, 12, GRIP))]
    )
    holes = [
        cq.Workplane("XZ", origin=(x, 5, z)).slot2D(13, 6.5).extrude(10)
        for x in (-48, 8)
        for z in (-23, 23)
    ]
    body = without(fused([foot, *plates, lug]), [*holes, bore(B, PIN, (-GRIP, GRIP))])
    trim = block((-70, -10, -40), (30, 0, 40))  # the plates' round corners below the foot
    return solid(without(fused([body, *pins]), [trim]))


def arm() -> cq.Solid:
    """Arm with a hub on its pin, a tongue behind it and a slotted nose for the spindle."""
    tongue = link((0, 0), C_ARM, (8, 5.5), (-TONGUE, TONGUE))
    bar = link((0, 0), (REACH - 3, 0), (8.5, 7), (-TONGUE, TONGUE), 0.6)
    hub = disc((0, 0), 9, (-SIDE[0] + 0.4, SIDE[0] - 0.4), 0.6)
    boss = cylinder(10, (REACH, -9, 0), (REACH, 9, 0)).edges().chamfer(0.8)
    hole = cylinder(SPINDLE, (REACH, -20, 0), (REACH, 20, 0))
    cuts = [bore((0, 0), PIN), bore(C_ARM, PIN), hole, slot((20, 0), (55, 0), 3.5, (-9, 9))]
    return solid(without(fused([tongue, bar, hub, boss]), cuts))


def handle() -> cq.Solid:
    """Lever from the link's pin past the arm's tongue to a round grip; x runs up the grip."""
    lever = link((-HANDLE, 0), (52, 0), (6.3, 6), (-GRIP, GRIP), 0.8)
    # Room for the arm's tongue, with the pin C across.
    mouth = block((-14, -20, -TONGUE - 0.3), (30, 20, TONGUE + 0.3))
    pin = disc((0, 0), PIN - CLEARANCE, (-TONGUE - 0.3, TONGUE + 0.3))
    grip = cylinder(10, (44, 0, 0), (112, 0, 0)).edges(">X").fillet(7).edges("<X").chamfer(2)
    grooves = [
        without(cylinder(11, (x, 0, 0), (x + 2, 0, 0)), [cylinder(9, (x, 0, 0), (x + 2, 0, 0))])
        for x in (58, 68, 78, 88)
    ]
    body = without(fused([without(lever, [mouth]), pin, grip]), [bore((-HANDLE, 0), PIN), *grooves])
    return solid(body)


def bars() -> cq.Solid:
    """The link: two plates with a pin at each end."""
    plates = [link((0, 0), (LINK, 0), (6, 6), layer, 0.4) for layer in both(PLATE)]
    pins = [disc((x, 0), PIN - CLEARANCE, (-PLATE[0], PLATE[0])) for x in (0.0, LINK)]
    return solid(fused([*plates, *pins]))


def spindle() -> cq.Solid:
    """Screw with a nut on either side of the arm's nose and a rubber tip."""
    screw = cylinder(SPINDLE - CLEARANCE, (0, -9, 0), (0, 9, 0))
    nuts: list[Shape] = [hexagon(16, (0, s * 9, 0), (0, s * 15, 0)) for s in (-1, 1)]
    ends = [
        cylinder(SPINDLE - 0.4, (0, 15, 0), (0, 24, 0)).edges(">Y").chamfer(0.8),
        cylinder(SPINDLE - 0.4, (0, -36, 0), (0, -15, 0)),
        cylinder(8.5, (0, -46, 0), (0, -35, 0)).edges().chamfer(1.5),
    ]
    return solid(fused([screw, *nuts, *ends]))
