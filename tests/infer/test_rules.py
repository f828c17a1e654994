"""Single contacts, made for the purpose: what each is taken for."""

from __future__ import annotations

import pytest

from cad2mbs.errors import InputError
from cad2mbs.infer import Inference, Options, infer
from tests.infer.shop import Shop, ball, block, rod


def found(shop: Shop, **options) -> Inference:
    import numpy as np

    return infer(shop.assembly(np.random.default_rng(0)), Options(**options))


def kinds(result: Inference) -> dict[str, int]:
    """Accepted proposals by kind."""
    out: dict[str, int] = {}
    for p in result.proposals:
        if p.accepted:
            out[p.kind] = out.get(p.kind, 0) + 1
    return out


def post_and_lever(gap: float = 0.0, head: bool = True, radius: float = 6.0) -> Shop:
    shop = Shop()
    shop.add("plate", block((-60, -60, -10), (60, 60, 0)), rod(radius, (0, 0, -1), 11.2))
    if head:
        shop.add("plate", rod(1.5 * radius, (0, 0, 10.2), 2))
    shop.add("lever", block((-15, -15, 0), (80, 15, 10)))
    shop.cut("lever", rod(radius + gap, (0, 0, -1), 12))
    return shop


@pytest.mark.parametrize("gap", [0.0, 0.1, 0.3])
def test_a_pin_with_a_head_in_a_hole_is_a_hinge_also_with_clearance(gap):
    assert kinds(found(post_and_lever(gap))) == {"revolute": 1}


def test_a_pin_far_too_thin_for_its_hole_holds_nothing():
    result = found(post_and_lever(gap=3.0))
    assert "revolute" not in kinds(result)


def test_a_hinge_without_shoulders_is_less_certain():
    def certain(shop: Shop) -> float:
        return next(p.confidence for p in found(shop).proposals if p.kind == "revolute")

    assert certain(post_and_lever(head=False)) < certain(post_and_lever())


def test_two_holes_on_one_another_without_a_pin_are_a_doubtful_hinge():
    shop = Shop()
    for name, z in (("lower", 0.0), ("upper", 10.0)):
        shop.add(name, block((-15, -15, z), (60, 15, z + 10)))
        shop.cut(name, rod(5, (0, 0, z - 1), 12))
    result = found(shop)
    (hinge,) = (p for p in result.proposals if p.kind == "revolute")
    assert hinge.accepted
    assert hinge.confidence <= 0.6
    assert "missing" in hinge.reason


def test_high_strictness_leaves_a_doubtful_hinge_out_and_says_so():
    shop = Shop()
    for name, z in (("lower", 0.0), ("upper", 10.0)):
        shop.add(name, block((-15, -15, z), (60, 15, z + 10)))
        shop.cut(name, rod(5, (0, 0, z - 1), 12))
    result = found(shop, strictness="high")
    (hinge,) = (p for p in result.proposals if p.kind == "revolute")
    assert not hinge.accepted
    assert "below 0.60" in hinge.why


def test_two_screwed_holes_and_a_seat_are_rigid():
    shop = Shop()
    for name, z in (("lower", 0.0), ("upper", 10.0)):
        shop.add(name, block((-40, -15, z), (40, 15, z + 10)))
        shop.cut(name, rod(4, (-25, 0, z - 1), 12), rod(4, (25, 0, z - 1), 12))
    result = found(shop)
    assert kinds(result) == {"fixed": 1}
    assert "bolted" in result.proposals[0].reason


def test_a_screw_with_its_nut_and_washer_belongs_to_what_it_holds():
    shop = Shop()
    for name, z in (("lower", 0.0), ("upper", 10.0)):
        shop.add(name, block((-40, -15, z), (40, 15, z + 10)))
        shop.cut(name, *(rod(4, (x, 0, z - 1), 12) for x in (-25, 25)))
    for k, x in enumerate((-25, 25)):
        shop.add(f"screw_{k}", rod(4, (x, 0, -12), 34), rod(7, (x, 0, 22), 4))
        shop.add(f"washer_{k}", rod(8, (x, 0, 20), 2))
        shop.cut(f"washer_{k}", rod(4.2, (x, 0, 19), 4))
        shop.add(f"nut_{k}", rod(7, (x, 0, -6), 6))
        shop.cut(f"nut_{k}", rod(4, (x, 0, -7), 8))
    result = found(shop)
    assert len(result.assembly.mechanism().bodies) == 1


def test_a_ball_in_a_socket_turns_every_way():
    shop = Shop()
    shop.add(
        "foot", block((-30, -30, -10), (30, 30, 0)), rod(5, (0, 0, -1), 31), ball(10, (0, 0, 36))
    )
    shop.add("cap", rod(16, (0, 0, 33), 30))
    shop.cut("cap", ball(10.1, (0, 0, 36)))
    assert kinds(found(shop)) == {"spherical": 1}


def test_a_bar_in_a_closed_slot_slides():
    shop = Shop()
    shop.add("rail", block((-100, -20, -20), (100, 20, 20)))
    shop.cut("rail", block((-101, -10.05, -8.05), (101, 10.05, 8.05)))
    shop.add("bar", block((-40, -10, -8), (160, 10, 8)))
    result = found(shop)
    assert kinds(result) == {"prismatic": 1}
    (joint,) = result.assembly.mechanism().joints
    assert (joint.kind, joint.freedoms) == ("prismatic", 1)


def test_a_pin_between_two_walls_is_a_pin_in_a_slot():
    shop = Shop()
    shop.add("yoke", block((-80, -30, 0), (80, 30, 12)))
    shop.cut("yoke", block((-60, -8, -1), (60, 8, 13)))
    shop.add("crank", block((-60, -12, -12), (20, 12, -2)), rod(8, (0, 0, -3), 16))
    (p,) = (p for p in found(shop).proposals if p.accepted and p.kind != "fixed")
    assert p.kind == "pin in slot"


def test_two_hinged_links_that_touch_stay_two():
    shop = post_and_lever()
    shop.add("plate", rod(6, (100, 0, -1), 11.2), rod(9, (100, 0, 10.2), 2))
    shop.add("other", block((80, -15, 0), (140, 15, 10)))  # its end face lies on the lever's
    shop.cut("other", rod(6, (100, 0, -1), 12))
    shop.add("plate", block((50, -60, -10), (160, 60, 0)))
    result = found(shop)
    assert len(result.assembly.mechanism().bodies) == 3
    rejected = [
        p for p in result.proposals if not p.accepted and set(p.parts) == {"lever", "other"}
    ]
    assert rejected
    assert "by accident" in rejected[0].why


def test_a_part_that_nothing_touches_is_named():
    shop = post_and_lever()
    shop.add("lost", block((500, 0, 0), (540, 40, 40)))
    result = found(shop)
    assert any("'lost'" in note and "missing" in note for note in result.notes)


def test_parts_kept_as_one_have_no_joint_between_them():
    result = found(post_and_lever(), rigid=(("plate", "lever"),))
    assert len(result.assembly.mechanism().bodies) == 1


def test_ignored_parts_are_not_in_the_assembly():
    result = found(post_and_lever(), ignore=("lever",))
    assert list(result.assembly.parts) == ["plate"]


def test_the_ground_can_be_chosen():
    result = found(post_and_lever(), ground="lever")
    assert (result.ground, result.ground_reason) == ("lever", "asked for")


def test_a_part_named_frame_stands_still_and_the_reason_says_so():
    shop = post_and_lever()
    shop.add("frame", block((-15, -15, 12.2), (300, 300, 100)))
    result = found(shop)
    assert result.ground == "frame"
    assert "frame" in result.ground_reason


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"ground": "levr"}, "ground 'levr' is no part"),
        ({"ignore": ("levr",)}, "ignore: 'levr' is no part"),
        ({"rigid": ("nothing",)}, "rigid: 'nothing' is no part"),
    ],
)
def test_names_that_mean_no_part_are_told_with_the_choices(options, text):
    with pytest.raises(InputError, match=text):
        found(post_and_lever(), **options)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"tolerance": 0.0}, "tolerance 0 mm found"),
        ({"strictness": "some"}, "strictness 'some' found; low, normal or high wanted"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, text):
    with pytest.raises(InputError, match=text):
        Options(**options)


def test_an_assembly_without_geometry_is_refused():
    from cad2mbs.library import four_bar

    with pytest.raises(InputError, match="has no part with geometry"):
        infer(four_bar())
