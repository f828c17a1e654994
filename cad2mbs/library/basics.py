"""The two smallest cases: one that is rigid, one that cannot be put together."""

from __future__ import annotations

from cad2mbs.library.build import Builder, Point2
from cad2mbs.model.assembly import Assembly
from cad2mbs.model.pose import Pose
from cad2mbs.model.references import frame, point


def two_boxes() -> Assembly:
    """A lid on a box, held by three coincident corners: one rigid body, no freedom."""
    width, depth, height = 40.0, 30.0, 20.0
    build = Builder("Two boxes")
    corners = {"left": (0.0, 0.0), "right": (width, 0.0), "back": (0.0, depth)}
    build.ground("box", **{name: point((x, y, height)) for name, (x, y) in corners.items()})
    build.part(
        "lid",
        Pose((0.0, 0.0, height)),
        **{name: point((x, y, 0.0)) for name, (x, y) in corners.items()},
    )
    for name in corners:
        build.mate(f"corner_{name}", "coincident", f"box/{name}", f"lid/{name}")
    return build.build()


def conflict(span: float = 100.0, left: float = 40.0, right: float = 50.0) -> Assembly:
    """A triangle of two hinged bars that are too short for their pivots: it cannot close.

    The bars start stretched towards each other, so that the pin they should share is open by
    span - left - right [mm], the least that any pose leaves when the outer pins hold.
    """
    if left + right >= span:
        raise ValueError("the bars reach each other; nothing conflicts")
    pivot_a: Point2 = (0.0, 0.0)
    pivot_b: Point2 = (span, 0.0)
    build = Builder("Conflict")
    build.ground("base", a=frame(), b=frame((span, 0.0, 0.0)))
    build.bar("left_bar", pivot_a, (left, 0.0))
    build.bar("right_bar", pivot_b, (span - right, 0.0))
    build.revolute("left_pivot", "base/a", "left_bar/a")
    build.revolute("right_pivot", "base/b", "right_bar/a")
    build.revolute("apex", "left_bar/b", "right_bar/b")
    return build.build()
