"""Couplings between two freedoms: gears, rack and pinion, lead screw."""

from __future__ import annotations

from cad2mbs.library.build import ORIGIN, Builder, X, Z
from cad2mbs.model.assembly import Assembly, CouplingKind, Freedom
from cad2mbs.model.pose import IDENTITY, Pose
from cad2mbs.model.references import frame


def gear_pair(teeth: tuple[int, int] = (20, 40), module: float = 2.0) -> Assembly:
    """A pinion and a wheel in external mesh; the wheel turns by -teeth[0] / teeth[1] times."""
    centre = (module * (teeth[0] + teeth[1]) / 2, 0.0, 0.0)
    build = Builder("Gear pair")
    build.ground("frame", pinion_bearing=frame(), wheel_bearing=frame(centre))
    build.part("pinion", IDENTITY, bore=frame())
    build.part("wheel", Pose(centre), bore=frame())
    build.revolute("pinion_bearing", "frame/pinion_bearing", "pinion/bore")
    build.revolute("wheel_bearing", "frame/wheel_bearing", "wheel/bore")
    ratio = teeth[0] / teeth[1]
    build.couple("mesh", CouplingKind.GEAR, "pinion/bore", "wheel/bore", ratio, "frame")
    build.drive_joint("pinion", "frame/pinion_bearing", "pinion/bore", Freedom.TURN, 0.0)
    return build.build()


def rack_and_pinion(radius: float = 12.0) -> Assembly:
    """A pinion that pushes a rack along x by `radius` [mm] times its turn [rad]."""
    build = Builder("Rack and pinion")
    pitch_line = (0.0, -radius, 0.0)
    build.ground("frame", bearing=frame(), guide=frame(pitch_line, X, Z))
    build.part("pinion", IDENTITY, bore=frame())
    build.part("rack", Pose(pitch_line), slide=frame(ORIGIN, X, Z))
    build.revolute("bearing", "frame/bearing", "pinion/bore")
    build.prismatic("guide", "rack/slide", "frame/guide")
    build.couple("teeth", CouplingKind.RACK, "pinion/bore", "rack/slide", radius, "frame")
    build.drive_joint("pinion", "frame/bearing", "pinion/bore", Freedom.TURN, 0.0)
    return build.build()


def lead_screw(pitch: float = 2.0) -> Assembly:
    """A spindle in a bearing and a nut on a guide, `pitch` [mm] a turn, right-handed.

    The nut cannot turn, so a positive turn of the spindle pulls it back: -pitch a turn.
    """
    start = (0.0, 0.0, 60.0)
    build = Builder("Lead screw")
    build.ground("frame", bearing=frame(), guide=frame((30.0, 0.0, 0.0)))
    build.part("spindle", IDENTITY, journal=frame(), thread=frame())
    build.part("nut", Pose(start), thread=frame(), shoe=frame((30.0, 0.0, 0.0)))
    build.revolute("bearing", "frame/bearing", "spindle/journal")
    build.prismatic("guide", "nut/shoe", "frame/guide")
    build.mate("thread_line", "in-line", "nut/thread", "spindle/thread")
    build.mate("thread_axis", "parallel-z", "nut/thread", "spindle/thread")
    build.couple("thread", CouplingKind.SCREW, "spindle/thread", "nut/thread", pitch, None)
    build.drive_joint("spindle", "frame/bearing", "spindle/journal", Freedom.TURN, 0.0)
    return build.build()
