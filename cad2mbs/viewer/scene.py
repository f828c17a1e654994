"""What the page draws and lists, as plain data for JSON; lengths of geometry in mm.

Numbers of drives, mates and limits are in the user's units. Quaternions are x y z w.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from cad2mbs.cad.gltf import quaternion
from cad2mbs.io.source import YAML_ENDINGS
from cad2mbs.mapping.bodies import RigidPose
from cad2mbs.model.assembly import Part
from cad2mbs.model.mates import MATE_KINDS, Dim, Mate
from cad2mbs.model.references import RefKind
from cad2mbs.model.solid import Colour, Solid
from cad2mbs.pictures.item import PALETTE
from cad2mbs.report import plain
from cad2mbs.viewer import geometry
from cad2mbs.viewer.places import joint_place
from solvers.tables import frame_table

if TYPE_CHECKING:
    from cad2mbs.answers import DriveInfo
    from cad2mbs.mechanism import Mechanism

MM = 1e-3  # [m]
SHOWN_GAP = 1e-6  # [mm], [deg]: what is open by less is rounding


def scene(m: Mechanism, driving: Sequence[str] | None = None) -> dict[str, Any]:
    """Everything the page shows of a mechanism, but for the verdicts, which take longer.

    `driving` names the freedoms that drive; None: the declared ones and those that are held.
    """
    from cad2mbs.curves import quantities

    shapes = solids(m)
    whole = m.whole
    data = {
        "name": m.name,
        "source": whole.source,
        "editable": PurePath(whole.source).suffix.lower() in YAML_ENDINGS,
        "edited": False,
        "units": {"length": m.units.length, "angle": m.units.angle, "mm": m.units.metre / MM},
        "geometry": f"geometry/{geometry.keyed(shapes)[0]}" if shapes else None,
        "bodies": _bodies(m),
        "parts": _parts(m, shapes),
        "joints": _joints(m),
        "mates": [_mate(m, mate) for mate in whole.mates.values()],
        "drives": _drives(m, driving),
        "mobility": _mobility(m),
        "assembled": m.assembled,
        "status": m.status,
        "notes": list(m.assembly.notes),
        "conflict": [],
        "quantities": [
            {"name": q.name, "unit": q.unit, "group": q.group, "shown": q.shown}
            for q in quantities(m)
        ],
        "positions": [
            {"name": name, "values": dict(values)} for name, values in m.assembly.positions.items()
        ],
        "observers": list(m.assembly.observers),
    }
    return plain(data)


def verdicts(m: Mechanism) -> dict[str, Any]:
    """What every mate does and how far it is open, and which ones contradict each other."""
    found = {
        v.name: {"name": v.name, "verdict": v.verdict, "gap": gap(v.residual_mm, v.residual_deg)}
        for v in m.verdicts()
    }
    off = {"verdict": "off", "gap": ""}
    mates = [found.get(name, {"name": name, **off}) for name in m.whole.mates]
    return plain({"mates": mates, "conflict": m.conflict})


def gap(mm: float, deg: float) -> str:
    """How far a mate is open, in words; nothing where it holds."""
    texts = [f"{v:.3g} {u}" for v, u in ((mm, "mm"), (deg, "deg")) if abs(v) > SHOWN_GAP]
    return " and ".join(texts)


def solids(m: Mechanism) -> list[Solid]:
    """The shapes of the parts, each once, in the order in which parts first use them."""
    found = {id(p.solid): p.solid for p in m.assembly.parts.values() if _meshed(p)}
    return [solid for solid in found.values() if solid is not None]


def body_poses(m: Mechanism, Y: np.ndarray) -> np.ndarray:
    """Poses of the bodies at the states Y (k, ny), (k, nb, 7): x y z [mm], qx qy qz qw.

    Bodies in the order of the scene. A quaternion keeps its sign from state to state.
    """
    places = [m.structure.body_place[name] for name in m.structure.bodies]
    link = np.array([place.link for place in places], np.int64)
    F = np.empty((len(places), 12))
    F[:, :9] = np.array([place.R for place in places]).reshape(-1, 9)
    F[:, 9:] = np.array([place.p for place in places])
    table = frame_table(m.structure.model, np.ascontiguousarray(Y, float), link, F, 1.0 / MM)
    return table[..., [0, 1, 2, 4, 5, 6, 3]]


def seven(X: RigidPose) -> list[float]:
    """x y z [mm], qx qy qz qw of a rotation and a position [m]."""
    return [*(float(v) / MM for v in X[1]), *quaternion(X[0])]


def _bodies(m: Mechanism) -> list[dict[str, Any]]:
    row = {name: k for k, name in enumerate(m.assembly.parts)}
    return [
        {"name": b.name, "grounded": b.grounded, "parts": [row[p] for p in b.parts]}
        for b in m.bodies
    ]


def _parts(m: Mechanism, shapes: Sequence[Solid]) -> list[dict[str, Any]]:
    number = {id(solid): k for k, solid in enumerate(shapes)}
    held = {
        part: (k, X)
        for k, body in enumerate(m.structure.bodies.values())
        for part, X in body.places.items()
    }
    out = []
    for k, part in enumerate(m.assembly.parts.values()):
        solid = number[id(part.solid)] if _meshed(part) else -1
        body, X = held[part.name]
        out.append(
            {
                "name": part.name,
                "body": body,
                "solid": solid,
                "colour": list(_colour(part, k if solid < 0 else solid)),
                "place": seven(X),
                "points": _points(part, m.units.metre / MM),
            }
        )
    return out


def _meshed(part: Part) -> bool:
    return part.solid is not None and part.solid.mesh is not None


def _colour(part: Part, row: int) -> Colour:
    """The part's colour, else its shape's, else one that equal shapes share: as in pictures."""
    own = part.colour or (part.solid.colour if part.solid is not None else None)
    return own or PALETTE[row % len(PALETTE)]


def _points(part: Part, scale: float) -> list[list[float]]:
    """Where the part's references are [mm], each place once."""
    places = dict.fromkeys(
        tuple(scale * c for c in reference.origin)
        for reference in part.references.values()
        if reference.kind != RefKind.VECTOR
    )
    return [list(place) for place in places]


def _joints(m: Mechanism) -> list[dict[str, Any]]:
    row = {name: k for k, name in enumerate(m.structure.bodies)}
    return [
        {
            "name": info.name,
            "kind": info.kind,
            "freedoms": info.freedoms,
            "bodies": info.bodies,
            "mates": info.mates,
            "role": info.role,
            "reason": info.reason,
            "limits": info.limits,
            "place": _place(m, k, row),
        }
        for k, info in enumerate(m.joints)
    ]


def _place(m: Mechanism, joint: int, row: dict[str, int]) -> dict[str, Any]:
    body, R, p = joint_place(m.structure, m.structure.joints[joint])
    return {"body": row[body], "origin": p / MM, "z": R[:, 2], "x": R[:, 0]}


def _mate(m: Mechanism, mate: Mate) -> dict[str, Any]:
    kind = MATE_KINDS[mate.kind]
    unit = {None: "", Dim.LENGTH: m.units.length, Dim.ANGLE: m.units.angle}[kind.value]
    value = None
    if kind.value is not None:
        value = kind.default if mate.value is None else mate.value
    return {
        "name": mate.name,
        "kind": mate.kind,
        "a": str(mate.a),
        "b": str(mate.b),
        "value": value,
        "unit": unit,
        "off": mate.off,
        "verdict": "off" if mate.off else "",
        "gap": "",
        "meaning": kind.meaning,
    }


def _drives(m: Mechanism, driving: Sequence[str] | None) -> list[dict[str, Any]]:
    """The freedoms that may drive, those that do first."""
    names = [n for n in m.drives if n not in m.tied_drives] if driving is None else list(driving)
    offered = m.offer()
    order = [*(n for n in names if n in offered), *(n for n in offered if n not in names)]
    return [_drive(m, offered[name], name in names) for name in order]


def _drive(m: Mechanism, info: DriveInfo, driving: bool) -> dict[str, Any]:
    length = info.unit == m.units.length
    return {
        "name": info.name,
        "unit": info.unit,
        "length": length,
        "value": info.value,
        "low": info.low,
        "high": info.high,
        "what": info.what,
        "driving": driving,
        "declared": info.name in m.assembly.drives,
        # What stands in the way shows when its reach is followed.
        "turns": not length and info.low is None and info.high is None,
    }


def _mobility(m: Mechanism) -> dict[str, Any]:
    found = m.mobility
    return {
        "freedoms": found.freedoms,
        "gruebler": found.gruebler,
        "redundant": found.redundant,
        "at_pose": found.at_pose,
        "names": found.names,
    }
