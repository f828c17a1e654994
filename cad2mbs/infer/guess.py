"""From what two bodies share to the joint that is meant, with a reason and alternatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from cad2mbs.infer.balls import BallFit
from cad2mbs.infer.fits import Fit, slack_of
from cad2mbs.infer.rolling import Bearing
from cad2mbs.infer.scene import Scene
from cad2mbs.infer.slots import SlotFit
from cad2mbs.infer.touching import Touch
from cad2mbs.infer.travel import Sides, Travel, tightest, travel

SLIDES = 1.2  # radii of free way from which a round fit is there to slide
STUBBY = 1.5  # diameters of guided length below which a pin that slides is a piston
PARALLEL = 0.03  # sine: axes or normals closer than this have one direction
SNUG = 0.03  # of the radius: clearance up to which a fit is as good as any


@dataclass(frozen=True, eq=False)
class Guess:
    """A joint between two bodies, what it is read off, and what else it could be."""

    kind: str
    confidence: float
    reason: str
    fits: tuple[Fit, ...] = ()  # of its axis, the tightest first
    balls: tuple[BallFit, ...] = ()
    touches: tuple[Touch, ...] = ()  # faces it rests on or slides along, the guiding ones first
    slots: tuple[SlotFit, ...] = ()
    others: tuple[Guess, ...] = ()  # alternatives, the likeliest first
    way: Travel | None = None  # along the axis of its fits
    pair: tuple[int, int] | None = None  # rows of the two bodies, where no contact tells them

    @property
    def parts(self) -> tuple[int, int]:
        """Rows of the two bodies whose features it is read off."""
        if self.pair is not None:
            return self.pair
        if self.fits:
            return self.fits[0].hole, self.fits[0].pin
        if self.balls:
            return self.balls[0].socket, self.balls[0].ball
        if self.slots:
            return self.slots[0].slot, self.slots[0].pin
        return self.touches[0].a, self.touches[0].b


@dataclass
class Bundle:
    """All that two bodies, or rigid groups of bodies, share."""

    fits: list[Fit] = field(default_factory=list)
    missing: list[Fit] = field(default_factory=list)  # holes in line without a pin
    balls: list[BallFit] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    near: list[Touch] = field(default_factory=list)  # faces a little farther apart
    slots: list[SlotFit] = field(default_factory=list)
    bearings: list[Bearing] = field(default_factory=list)
    sides: Sides | None = None  # rows of the two groups


def guess(scene: Scene, bundle: Bundle, tolerance: float) -> Guess | None:
    """The joint the bundle stands for; None if it holds nothing."""
    if bundle.bearings:
        return _by_bearing(bundle.bearings)
    axes = _axes(bundle.fits, tolerance)
    if len(axes) > 1:
        return _several(scene, axes, bundle, tolerance)
    if bundle.balls and not axes:
        return _by_balls(bundle.balls)
    if axes:
        return _by_axis(scene, axes[0], bundle, tolerance)
    if bundle.slots:
        return _by_slots(bundle.slots)
    if bundle.missing:
        found = _by_holes(bundle, tolerance)
        if found is not None:
            return found
    return _by_faces(bundle.touches, bundle.near, tolerance)


# -- round fits ---------------------------------------------------------------------------


def _axes(fits: list[Fit], tolerance: float) -> list[list[Fit]]:
    """The fits, those on one axis together, the best axis first."""
    groups: list[list[Fit]] = []
    for fit in sorted(fits, key=lambda f: (round(f.clearance / f.radius, 3), -f.overlap)):
        for group in groups:
            if _coaxial(group[0], fit, tolerance):
                group.append(fit)
                break
        else:
            groups.append([fit])
    return groups


def _coaxial(a: Fit, b: Fit, tolerance: float) -> bool:
    d = b.point - a.point
    off = np.linalg.norm(d - (d @ a.z) * a.z)
    # Imprecise directions carry axes apart with the distance between the two places.
    drift = 2.0 * tolerance * max(1.0, abs(d @ a.z) / max(a.overlap + b.overlap, 1e-9))
    return bool(_sine(a.z, b.z) < PARALLEL and off <= min(drift, 0.2 * a.radius + tolerance))


def _sine(u: np.ndarray, v: np.ndarray) -> float:
    return float(np.linalg.norm(np.cross(u, v)))


def _trust(fit: Fit, tolerance: float) -> float:
    """How much the numbers of a fit speak for it, up to 1."""
    slack = float(slack_of(fit.radius, tolerance))
    snug = max(SNUG * fit.radius, min(tolerance, 0.06 * fit.radius))
    loose = max(fit.clearance - snug, 0.0) / fit.radius
    return (1.0 - 4.0 * min(loose, 0.12)) * (1.0 - 0.15 * min(fit.off / slack, 1.0))


def _by_axis(scene: Scene, fits: list[Fit], bundle: Bundle, tolerance: float) -> Guess:
    best = tightest(fits)
    ordered = (best, *(f for f in fits if f is not best))
    way = travel(scene, fits, 2.0 * tolerance, bundle.sides)
    trust = _trust(best, tolerance)
    what = _fit_words(best, len(fits))
    rows = tuple(bundle.touches)

    def option(kind: str, confidence: float, why: str) -> Guess:
        said = f"{what}; {why}"
        return Guess(kind, confidence * trust, said, ordered, touches=rows, way=way)

    locked = _turn_locked(best, bundle.touches)
    slides = _slides(way, best, tolerance)
    if locked and slides:
        first = option(
            "prismatic", 0.9, f"flat faces beside it keep it from turning, and {_way_words(way)}"
        )
        return replace(first, others=(option("cylindrical", 0.3, "if the flats do not hold"),))
    if locked:
        first = option(
            "fixed", 0.6, "flat faces beside it keep it from turning, shoulders from sliding"
        )
        return replace(first, others=(option("revolute", 0.4, "if the flats do not hold"),))
    if slides:
        return _sliding(way, best, option)
    confidence = {2: 0.95, 1: 0.85, 0: 0.75}[way.stops]
    first = option("revolute", confidence, _stop_words(way))
    second = option("cylindrical", 1.0 - confidence + 0.1, "if nothing keeps it from sliding")
    if best.clearance > 1e-6:
        return replace(first, others=(second,))
    return replace(first, others=(second, option("fixed", 0.2, "if it is pressed or glued in")))


def _sliding(way: Travel, best: Fit, option: Callable[[str, float, str], Guess]) -> Guess:
    room = _way_words(way)
    if way.engaged < STUBBY * 2.0 * best.radius:
        first = option(
            "prismatic",
            0.7,
            f"{room}, and what slides is a piston: shorter than "
            f"{STUBBY:g} diameters, it is turned by nothing but what hangs on it",
        )
        second = option("cylindrical", 0.6, f"{room}; round as it is, it could also turn")
    else:
        first = option("cylindrical", 0.7, f"{room}; round as it is, it can also turn")
        second = option("prismatic", 0.6, f"{room}; if something keeps it from turning")
    third = option("revolute", 0.3, "if something keeps it from sliding")
    return replace(first, others=(second, third))


def _slides(way: Travel, fit: Fit, tolerance: float) -> bool:
    """Whether a fit leaves way to slide; what stands in the middle of its play is held there."""
    centred = abs(way.ahead - way.back) <= 2.0 * tolerance and way.play <= way.engaged
    return way.free > SLIDES * fit.radius and not centred


def _turn_locked(fit: Fit, touches: list[Touch]) -> bool:
    """Whether faces along the axis stop turning both ways, with a lever worth the name."""
    moments = []
    for t in touches:
        if abs(t.normal @ fit.z) > 0.05:
            continue
        d = t.point - fit.point
        d = d - (d @ fit.z) * fit.z
        # Half the width of the contact is its lever when it lies straight across the axis.
        lever, width = float(np.cross(d, t.normal) @ fit.z), 0.5 * np.sqrt(t.area)
        moments += [lever - width, lever + width] if abs(t.normal @ d) > 0.0 else []
    reach = 0.3 * fit.radius
    return bool(moments and min(moments) < -reach and max(moments) > reach)


def _fit_words(fit: Fit, count: int) -> str:
    pieces = f" in {count} places" if count > 1 else ""
    gap = f"clearance {fit.clearance:.3g} mm" if fit.clearance > 1e-6 else "no clearance"
    return f"pin in hole of radius {fit.radius:.4g} mm{pieces}, {gap}, over {fit.overlap:.4g} mm"


def _way_words(way: Travel) -> str:
    return f"it can slide {way.free:.4g} mm"


def _stop_words(way: Travel) -> str:
    if way.stops == 2:
        return f"shoulders on both sides leave {way.play:.3g} mm of play"
    return "a shoulder stops it on one side" if way.stops else "no shoulders, but no way to slide"


def _several(scene: Scene, axes: list[list[Fit]], bundle: Bundle, tolerance: float) -> Guess:
    """Bodies with more than one common axis."""
    best = [tightest(a) for a in axes]
    order = tuple(dict.fromkeys((*best, *(f for a in axes for f in a))))
    trust = min(_trust(f, tolerance) for f in best[:2])
    rows = tuple(bundle.touches)
    if any(_sine(best[0].z, f.z) >= PARALLEL for f in best[1:]):
        why = f"pins on {len(axes)} axes that are not parallel"
        return Guess("fixed", 0.8 * trust, why, order, touches=rows)
    ways = [travel(scene, a, 2.0 * tolerance, bundle.sides) for a in axes]
    room = min(w.free for w in ways)
    why = f"pins in holes on {len(axes)} parallel axes keep it from turning"
    slides = all(w.free > SLIDES * f.radius for w, f in zip(ways, best, strict=True))
    if slides:
        first = Guess(
            "prismatic", 0.9 * trust, f"{why}; it can slide {room:.4g} mm", order, touches=rows
        )
        return replace(first, others=(replace(first, kind="fixed", confidence=0.2),))
    return Guess("fixed", 0.85 * trust, f"{why}, and none leaves way to slide", order, touches=rows)


def _by_bearing(bearings: list[Bearing]) -> Guess:
    best = max(bearings, key=lambda b: b.balls)
    why = f"two rings with {best.balls} balls between them: a bearing"
    return Guess("revolute", 0.9, why, tuple(b.fit for b in bearings))


def _by_slots(slots: list[SlotFit]) -> Guess:
    best = min(slots, key=lambda s: s.clearance)
    count = f"{len(slots)} pins" if len(slots) > 1 else "a pin"
    why = f"{count} of radius {best.radius:.4g} mm between two parallel walls: pin in slot"
    return Guess("pin in slot", 0.75, why, slots=tuple(sorted(slots, key=lambda s: s.clearance)))


def _by_holes(bundle: Bundle, tolerance: float) -> Guess | None:
    """Holes in line without a pin: bolted where there are several, else a hinge."""
    axes = _axes(bundle.missing, tolerance)
    order = tuple(a[0] for a in axes)
    seat = [t for t in bundle.touches if _sine(t.normal, order[0].z) < PARALLEL]
    if len(axes) > 1:
        if not seat:
            return None
        why = f"{len(axes)} holes of one part sit on equal holes of the other: bolted"
        return Guess("fixed", 0.85, why, order, touches=tuple(seat))
    first = order[0]
    forked = _forked(axes[0])
    equal = abs(first.clearance) <= 0.02 * first.radius
    gap = max(-f.overlap for f in axes[0])
    if not equal and not forked:
        return None
    confidence = (0.5 if gap <= 0.5 * first.radius else 0.4) if equal else 0.38
    confidence += 0.1 if forked and equal else 0.0
    what = "one part's hole lies between two of the other" if forked else "hole on hole"
    why = f"{what}, radius {first.radius:.4g} mm, in line; the pin is missing"
    hinge = Guess("revolute", confidence, why, order, touches=tuple(seat))
    return replace(hinge, others=(replace(hinge, kind="fixed", confidence=0.3),))


def _forked(fits: list[Fit]) -> bool:
    """Whether holes of one body lie on both sides of a hole of the other."""
    one = fits[0]
    at = np.array([float((f.point - one.point) @ one.z) for f in fits])
    for body, line in {(f.hole, f.hole_line) for f in fits} | {(f.pin, f.pin_line) for f in fits}:
        mine = [
            a
            for a, f in zip(at, fits, strict=True)
            if (body, line) in ((f.hole, f.hole_line), (f.pin, f.pin_line))
        ]
        if len(mine) > 1 and max(mine) - min(mine) > 0.2 * one.radius:
            return True
    return False


# -- balls --------------------------------------------------------------------------------


def _by_balls(balls: list[BallFit]) -> Guess:
    balls = sorted(balls, key=lambda b: (b.clearance, -b.radius))
    best = balls[0]
    what = f"ball of radius {best.radius:.4g} mm in a socket"
    rows = tuple(balls)
    if len(balls) == 2:
        return Guess("revolute", 0.8, f"two {what.replace('ball', 'balls', 1)}s", balls=rows)
    if len(balls) > 2:
        return Guess("fixed", 0.8, f"{len(balls)} balls in sockets", balls=rows)
    spherical = Guess("spherical", 0.9, what, balls=rows)
    if best.pins is None:
        return spherical
    why = f"{what}, with pins of both parts at right angles through its middle: a cross"
    return Guess("universal", 0.85, why, balls=rows, others=(replace(spherical, confidence=0.6),))


# -- flat faces ---------------------------------------------------------------------------


def _by_faces(touches: list[Touch], near: list[Touch], tolerance: float) -> Guess | None:
    """What faces alone say: guided where they face each other on both sides."""
    guides = _guides([*touches, *near])
    if not touches and len(guides) < 2:
        return None
    seats = [t for t in touches if all(_sine(t.normal, g[0].normal) > 0.1 for g in guides)]
    seats = _directions(seats)
    if len(guides) >= 3 and _spread(guides):
        why = "flat faces hold it from six sides"
        return Guess("fixed", 0.7, why, touches=tuple(t for g in guides for t in g))
    if len(guides) >= 2:
        return _two_guides(guides, seats)
    if len(guides) == 1 and seats:
        return _guide_and_seat(guides[0], seats)
    if len(guides) == 1:
        why = "flat faces hold it from two sides"
        first = Guess("planar", 0.4, why, touches=guides[0])
        return replace(first, others=(replace(first, kind="fixed", confidence=0.3),))
    return _seated(seats)


def _two_guides(guides: list[tuple[Touch, Touch]], seats: list[Touch]) -> Guess:
    rows = (guides[0][0], guides[1][0], guides[0][1], guides[1][1])
    slide = Guess(
        "prismatic", 0.85, "flat faces guide it from four sides, like a bar in a slot", touches=rows
    )
    way = np.cross(guides[0][0].normal, guides[1][0].normal)
    ends = [t for t in seats if _sine(way / np.linalg.norm(way), t.normal) < 0.1]
    if not ends:
        return replace(slide, others=(replace(slide, kind="fixed", confidence=0.3),))
    why = "flat faces guide it from four sides and it rests on a fifth: it sits in its place"
    seated = Guess("fixed", 0.65, why, touches=(ends[0], *rows))
    return replace(seated, others=(replace(slide, confidence=0.5),))


def _guide_and_seat(guide: tuple[Touch, Touch], seats: list[Touch]) -> Guess:
    why = "flat faces guide it from two sides and it rests on a third"
    rows = (seats[0], guide[0], guide[1], *seats[1:])
    slide = Guess("prismatic", 0.65, why, touches=rows)
    sits = replace(slide, kind="fixed", confidence=0.45, reason=why)
    if len(seats) > 1:
        return replace(sits, confidence=0.6, others=(replace(slide, confidence=0.4),))
    return replace(slide, others=(sits,))


def _seated(seats: list[Touch]) -> Guess:
    best = seats[0]
    why = f"it rests on a flat face, {best.area:.4g} mm^2 in common"
    first = Guess("fixed", min(0.35 + 0.3 * best.share, 0.65), why, touches=tuple(seats))
    return replace(first, others=(replace(first, kind="planar", confidence=0.3),))


def _guides(touches: list[Touch]) -> list[tuple[Touch, Touch]]:
    """Pairs of contacts with opposed normals, one for each direction, the largest first."""
    out: list[tuple[Touch, Touch]] = []
    rest = sorted(touches, key=lambda t: -t.area)
    for k, t in enumerate(rest):
        if any(_sine(t.normal, g[0].normal) < 0.1 for g in out):
            continue
        back = next((u for u in rest[k + 1 :] if t.normal @ u.normal < -0.99), None)
        if back is not None:
            out.append((t, back))
    return out


def _directions(touches: list[Touch]) -> list[Touch]:
    """The largest contact of each direction."""
    out: list[Touch] = []
    for t in sorted(touches, key=lambda t: -t.area):
        if all(t.normal @ o.normal < 0.99 for o in out):
            out.append(t)
    return out


def _spread(guides: list[tuple[Touch, Touch]]) -> bool:
    """Whether three of the guided directions span space."""
    normals = np.array([g[0].normal for g in guides])
    return bool(np.linalg.svd(normals, compute_uv=False)[2] > 0.1)
