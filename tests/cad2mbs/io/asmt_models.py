"""Models to read: third-party files where they are at hand, small ones of our own as text."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

_BESIDE = Path(__file__).resolve().parents[3].parent / "shared"
DATA = Path(os.environ.get("CAD2MBS_SHARED", _BESIDE)) / "data" / "asmt"
FILES = sorted(DATA.glob("*.asmt"))
needs_data = pytest.mark.skipif(not FILES, reason=f"no third-party .asmt models at {DATA}")
EYE = np.eye(4)


def lines(depth, *texts):
    return "".join("\t" * depth + text + "\n" for text in texts)


def frame_text(depth, X):
    rows = ["\t".join(repr(float(v)) for v in row) for row in X[:3, :3]]
    origin = "\t".join(repr(float(v)) for v in X[:3, 3])
    return (
        lines(depth, "Position3D")
        + lines(depth + 1, origin)
        + lines(depth, "RotationMatrix")
        + lines(depth + 1, *rows)
    )


def points_text(depth, markers):
    text = lines(depth, "RefPoints")
    for name, X in markers.items():
        text += lines(depth + 1, "RefPoint") + frame_text(depth + 2, EYE)
        text += lines(depth + 2, "Markers") + lines(depth + 3, "Marker")
        text += lines(depth + 4, "Name") + lines(depth + 5, name) + frame_text(depth + 4, X)
    return text + lines(depth, "RefCurves", "RefSurfaces")


def item_text(kind, **fields):
    text = lines(3, kind)
    for keyword, value in fields.items():
        text += lines(4, keyword) + lines(5, str(value))
    return text


def joint_text(kind, name="joint", i="/model/I", j="/model/body/J", **fields):
    return item_text(kind, Name=name, MarkerI=i, MarkerJ=j, **fields)


def motion_text(kind="RotationalMotion", name="drive", **fields):
    return item_text(kind, Name=name, **fields)


def limit_text(kind="RotationLimit", sign="=>", value="30*pi/180", **fields):
    return item_text(
        kind, Name="stop", MotionJoint="/model/joint", Limit=value, Type=sign, Tol="1e-9", **fields
    )


def model_text(joints="", motions="", limits="", series="", X_I=EYE, X_J=EYE, X_WB=EYE):
    """A ground with marker I, a part 'body' with marker J, and what is given."""
    text = "banner\n" + lines(0, "Assembly") + lines(1, "Notes") + lines(2, "none")
    text += lines(1, "Name") + lines(2, "model") + frame_text(1, EYE)
    text += points_text(1, {"I": X_I}) + lines(1, "Parts") + lines(2, "Part")
    text += lines(3, "Name") + lines(4, "body") + frame_text(3, X_WB) + lines(3, "FeatureOrder")
    text += points_text(3, {"J": X_J}) + lines(1, "KinematicIJs", "ConstraintSets")
    text += lines(2, "Joints") + joints + lines(2, "Motions") + motions
    if limits:
        text += lines(2, "Limits") + limits
    text += lines(2, "GeneralConstraintSets") + lines(1, "ForceTorques", "SimulationParameters")
    return text + lines(2, "tstart") + lines(3, "0.0") + series


def write(tmp_path, text):
    path = tmp_path / "model.asmt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
