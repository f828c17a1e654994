"""Parts of an excavator; in mm.

Drawn flat in xy and stood up at the end, so that x runs forwards, y to the left and z upwards.
Where two parts meet, one is a fork with the pin, the other a tongue with the hole, both symmetric
about the middle plane.
"""

from __future__ import annotations

import math

import cadquery as cq

from scripts.solids.hydraulic import EYE, EYE_HALF, FORK, PIN, both, pin_across
from scripts.solids.linkage import Point2, bore, disc, link, rounded, upright
from scripts.solids.shapes import Shape, block, cylinder, fused, plate, solid, without

# House: the boom's foot is the origin.
BOOM_FOOT: Point2 = (200.0, -180.0)  # of the boom's cylinder
# Boom, seen from its foot with x towards the stick's pivot.
REACH = 1900.0
KNEE: Point2 = (850.0, 330.0)
BOOM_EYE: Point2 = (820.0, 130.0)
STICK_FOOT: Point2 = (740.0, 590.0)
# Stick, seen from its pivot with x towards the bucket's pivot.
STICK = 1000.0
STICK_EYE: Point2 = (-260.0, -80.0)
BUCKET_FOOT: Point2 = (60.0, 190.0)
ROCKER_FOOT: Point2 = (800.0, 40.0)
# Bucket and its linkage; the bucket is seen from its pivot with x towards the teeth.
ROCKER, LINK = 230.0, 300.0
BUCKET_EYE: Point2 = (190 * math.cos(math.radians(100)), 190 * math.sin(math.radians(100)))

FOOT_PIN, STICK_PIN, WRIST_PIN, LINK_PIN = 35.0, 32.0, 29.0, 24.0  # radii
BODY = 70.0  # half the width of boom and stick between cheeks
STICK_HALF = 65.0
CHEEK = (70.0, 92.0)  # cheeks of boom tip, bucket and rocker
LINK_PLATE = (42.0, 68.0)
BUCKET_HALF = 240.0
GROUND = -900.0  # below the boom's foot
CENTRE = -720.0  # x of the slewing axis


def fork(base: Point2, other: Point2, at: Point2) -> list[Shape]:
    """Two ears on a beam, from two points inside it, with the pin for a cylinder's eye."""
    ears = [rounded([base, other, at], EYE, side) for side in both(FORK)]
    return [*ears, *pin_across(at, PIN, *FORK)]


def house() -> cq.Solid:
    """Deck with counterweight, cab and swing post; the boom's foot and cylinder sit in the post."""
    deck = block((CENTRE - 620, -340, -560), (-90, -130, 560)).edges("<X and |Y").fillet(300)
    engine = (
        block((CENTRE - 620, -140, -560), (CENTRE - 120, 240, 560)).edges("<X and |Y").fillet(300)
    )
    engine = engine.edges(">Y").fillet(60)
    post = rounded([(-120, -270), (120, -270), (90, -190), (-40, 0)], 60, (-140, 140))
    gap = rounded([(60, -200), (330, -330), (330, 100), (0, 0)], 100, (-89, 89))
    room = rounded([BOOM_FOOT, (400, -60), (400, -400)], 55, (-FORK[0], FORK[0]))
    foot = [disc((0, 0), 90, side) for side in both((90, 140))]
    ears = [rounded([BOOM_FOOT, (80, -200), (80, -280)], EYE, side) for side in both(FORK)]
    body = without(fused([deck, engine, post, *foot]), [gap])
    pins = [*pin_across((0, 0), FOOT_PIN, 90, 140), *pin_across(BOOM_FOOT, PIN, *FORK)]
    return solid(upright(fused([without(fused([body, *ears]), [room]), *pins, cab()])))


def cab() -> Shape:
    """Cab on the left of the deck: four posts, a roof, openings for windows and door."""
    # Flat drawing: z is to the right, so left is at negative z.
    low, high = (CENTRE - 130, -150, -550), (-170, 1330, -100)
    shell = block(low, high).edges("|Z and >Y").fillet(130)
    inside = block(
        (low[0] + 45, low[1] + 60, low[2] + 45), (high[0] - 45, high[1] - 45, high[2] - 45)
    )
    front = block((high[0] - 60, 60, low[2] + 70), (high[0] + 10, 1180, high[2] - 70))
    back = block((low[0] - 10, 420, low[2] + 70), (low[0] + 60, 1180, high[2] - 70))
    sides = [
        plate(
            [(low[0] + 80, 300), (high[0] - 75, 80), (high[0] - 75, 1190), (low[0] + 80, 1190)],
            a,
            b,
        )
        for a, b in ((low[2] - 10, low[2] + 60), (high[2] - 60, high[2] + 10))
    ]
    seat = fused(
        [
            block((low[0] + 60, -100, -430), (low[0] + 400, 220, -150))
            .edges("|Z and >Y")
            .fillet(40),
            block((low[0] + 60, 200, -430), (low[0] + 170, 680, -150))
            .edges("|Z and >Y")
            .fillet(40),
        ]
    )
    return fused([without(shell, [inside, front, back, *sides]), seat])


def tracks() -> cq.Solid:
    """Undercarriage: two crawlers, the frame between them and the slewing ring."""
    half = 560.0
    ends = ((CENTRE - half, GROUND + 210), (CENTRE + half, GROUND + 210))
    solids = [
        block((CENTRE - 330, GROUND + 200, -480), (CENTRE + 330, GROUND + 400, 480)),
        cylinder(300, (CENTRE, GROUND + 390, 0), (CENTRE, -341, 0)),
    ]
    for side in both((430, 720)):
        belt = link(*ends, (210, 210), side)
        face = side[1] if side[0] > 0 else side[0]  # the outer one
        inner = face - 40 if face > 0 else face + 40
        dish = (min(inner, face), max(inner, face))
        groove = [link(*ends, (165, 165), dish)]
        relief = (dish[0] - 1, dish[1] - 12) if face > 0 else (dish[0] + 12, dish[1] + 1)
        wheels = [disc(p, 130, relief) for p in ends]
        rollers = [disc((CENTRE + x, GROUND + 110), 55, relief) for x in (-290, 0, 290)]
        solids += [fused([without(belt, groove), *wheels, *rollers])]
        solids += grousers(side)
    return solid(upright(fused(solids)))


def grousers(side: tuple[float, float]) -> list[Shape]:
    """Bars across the upper run of a crawler."""
    top = GROUND + 410
    return [
        block((CENTRE + x - 20, top, side[0]), (CENTRE + x + 20, top + 24, side[1]))
        for x in (-450, -150, 150, 450)
    ]


def boom() -> cq.Solid:
    """Bent box girder, a tongue at its foot, a fork at its tip, and forks for two cylinders."""
    tip = (REACH, 0.0)
    girder = [
        link((0, 0), KNEE, (85, 150), (-BODY, BODY)),
        link(KNEE, tip, (150, 75), (-BODY, BODY)),
        disc((0, 0), 92, (-88, 88), 6),
    ]
    body = without(fused(girder), [disc(tip, 210, (-BODY, BODY)), bore((0, 0), FOOT_PIN)])
    cheeks = [link((REACH - 330, 110), tip, (85, 72), side) for side in both(CHEEK)]
    below = fork((KNEE[0] - 110, KNEE[1] - 60), (KNEE[0] + 90, KNEE[1] - 70), BOOM_EYE)
    above = fork((KNEE[0] - 220, KNEE[1] + 20), (KNEE[0] - 40, KNEE[1] + 80), STICK_FOOT)
    pins = pin_across(tip, STICK_PIN, *CHEEK)
    room = [disc(p, EYE + 8, (-FORK[0], FORK[0])) for p in (BOOM_EYE, STICK_FOOT)]
    forks = [without(fused([body, *cheeks, *below[:2], *above[:2]]), room), *below[2:], *above[2:]]
    return solid(upright(fused([*forks, *pins])))


def stick() -> cq.Solid:
    """Tapered box girder with a heel for its cylinder and a fork for the bucket's."""
    layer = (-STICK_HALF, STICK_HALF)
    girder = [
        link((0, 0), (STICK, 0), (100, 58), layer, 5),
        rounded([(0, 20), (0, -40), STICK_EYE], 55, layer),
    ]
    lug = fork((0, 30), (170, 30), BUCKET_FOOT)
    # Where the two cylinders' eyes turn, and the stick's rod comes in from behind.
    room = [
        disc(BUCKET_FOOT, EYE + 8, (-FORK[0], FORK[0])),
        rounded([STICK_EYE, (-350, -200), (-156, -188)], 58, (-FORK[0], FORK[0])),
    ]
    holes = [bore((0, 0), STICK_PIN), bore((STICK, 0), WRIST_PIN), bore(ROCKER_FOOT, LINK_PIN)]
    body = without(fused([*girder, *lug[:2]]), [*room, *holes])
    heel = pin_across(STICK_EYE, PIN, FORK[0], STICK_HALF)
    return solid(upright(fused([body, *lug[2:], *heel])))


def rocker() -> cq.Solid:
    """Two plates beside the stick; the far pin is stepped, thick for the cylinder's eye."""
    plates = [link((0, 0), (ROCKER, 0), (46, 42), side) for side in both(CHEEK)]
    pins = pin_across((0, 0), LINK_PIN, *CHEEK)
    # Thin seats on both sides of the thick one: there the link's plates turn.
    thin = [disc((ROCKER, 0), LINK_PIN - 0.1, side) for side in both((EYE_HALF + 2, CHEEK[0]))]
    thick = disc((ROCKER, 0), PIN - 0.1, (-EYE_HALF - 2, EYE_HALF + 2))
    return solid(upright(fused([*plates, *pins, thick, *thin])))


def link_pair() -> cq.Solid:
    """Two plates with holes at the rocker and a pin between them at the bucket."""
    plates = [link((0, 0), (LINK, 0), (44, 42), side) for side in both(LINK_PLATE)]
    brace = block((LINK / 2 - 50, -14, -LINK_PLATE[0] - 1), (LINK / 2 + 30, 14, LINK_PLATE[0] + 1))
    # The seat on the rocker's pin is 30 wide, the plates are 26: middles agree.
    pin = pin_across((LINK, 0), LINK_PIN, LINK_PLATE[0], LINK_PLATE[1] - 8)
    return solid(upright(fused([without(fused([*plates, brace]), [bore((0, 0), LINK_PIN)]), *pin])))


def bucket() -> cq.Solid:
    """Shell with three teeth, ears with the wrist pin, and a lug for the link."""
    back = [(75, 60), (72, 150), (120, 265), (235, 325), (370, 300), (470, 190), (520, 50)]
    shell = plate([(85, 30), *back[::-1]][::-1], -BUCKET_HALF, BUCKET_HALF)
    shell = (
        shell.edges("|Z")
        .edges(cq.selectors.BoxSelector((100, 200, -1e3), (500, 400, 1e3)))
        .fillet(60)
    )
    hollow = plate(
        [
            (105, -60),
            (92, 150),
            (136, 252),
            (238, 305),
            (360, 281),
            (452, 180),
            (503, 38),
            (503, -60),
        ],
        20 - BUCKET_HALF,
        BUCKET_HALF - 20,
    )
    hollow = (
        hollow.edges("|Z")
        .edges(cq.selectors.BoxSelector((100, 150, -1e3), (500, 400, 1e3)))
        .fillet(45)
    )
    ears = [rounded([(0, 0), (70, 60), (80, 150)], 50, side) for side in both(CHEEK)]
    lug = rounded([BUCKET_EYE, (60, 110), (95, 220)], 40, (-EYE_HALF, EYE_HALF))
    teeth = [
        plate([(492, 60), (500, 105), (522, 112), (550, -32)], z - 30, z + 30)
        for z in (-190, 0, 190)
    ]
    body = without(fused([shell, *ears, lug]), [hollow, bore(BUCKET_EYE, LINK_PIN)])
    return solid(upright(fused([body, *teeth, *pin_across((0, 0), WRIST_PIN, *CHEEK)])))
