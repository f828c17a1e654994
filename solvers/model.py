"""Model: a kinematic tree plus closing rows, as constant arrays the kernels read."""

from __future__ import annotations

import hashlib
from enum import IntEnum
from typing import NamedTuple

import numpy as np


class Joint(IntEnum):
    """Elementary joints; see NOTATION.md."""

    TURN = 0
    SLIDE = 1
    SCREW = 2
    BALL = 3
    POINTER = 4


FREEDOMS = {Joint.TURN: 1, Joint.SLIDE: 1, Joint.SCREW: 1, Joint.BALL: 3, Joint.POINTER: 2}


class Row(IntEnum):
    """Elementary conditions; d = r_r - r_l, u an axis on l, w an axis on r."""

    POINT_POINT = 0  # (d.d - t^2) / 2
    PLANE_POINT = 1  # u.d - t
    PLANE_PLANE = 2  # u.w - t
    LINE_POINT = 3  # (d.d - (u.d)^2 - t^2) / 2: squared distance of a point from a line
    ANGLE = 4  # angle from x_l to x_r about z_l, less t, wrapped to +-pi
    LINEAR = 5  # ci y_i + cj y_j - t


class Target(IntEnum):
    """How a row's target t is made of its offset and, if it has one, its coordinate."""

    CONSTANT = 0  # t = offset
    SHIFTED = 1  # t = offset + y_i
    COSINE = 2  # t = cos(offset + y_i)
    SINE = 3  # t = sin(offset + y_i)


def record(*fields: tuple) -> np.dtype:
    """Return the record type of the fields; a kernel reads `link = M.links[i]` as a plain pointer.

    All fields are eight bytes wide: no padding, so equal records have equal bytes. The base
    np.record lets uncompiled code write `link.parent` too.
    """
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


LINK = record(
    ("parent", np.int64),  # link row of the inboard link; link 0 is ground, parent < own row
    ("joint", np.int64),  # Joint
    ("v0", np.int64),  # first velocity (and scalar state) of the link
    ("s0", np.int64),  # first entry of its quaternion in y, -1: none
    ("turned", np.int64),  # 1 where the rotation in X_PF is not the identity
    ("pitch", np.float64),  # [m/rad]
    ("X_PF", np.float64, (12,)),  # joint frame on the parent
)
ROW = record(
    ("kind", np.int64),  # Row
    ("l", np.int64),  # link that carries frame l
    ("r", np.int64),  # link that carries frame r
    ("i", np.int64),  # first coordinate of the row, -1: none
    ("j", np.int64),  # second coordinate (LINEAR), -1: none
    ("target", np.int64),  # Target
    ("one_sided", np.int64),  # 1: phi >= 0 is wanted, 0: phi = 0
    ("coef", np.float64, (2,)),  # ci, cj
    ("offset", np.float64),
    ("scale", np.float64),  # factor that makes phi a pure number of order one
    ("geo", np.float64, (15,)),  # point, u, second axis on l; point, w on r, in link frames
)


class Model(NamedTuple):
    """Kinematic tree plus rows; constant during every computation (NOTATION.md has the letters)."""

    links: np.ndarray  # (nl,) LINK
    rows: np.ndarray  # (m,) ROW
    low: np.ndarray  # (nv,) bounds on scalar coordinates, -inf: none
    high: np.ndarray  # (nv,)
    weight: np.ndarray  # (nv,) 1 for angles, 1 / length for slides: makes steps comparable
    length: float  # model length [m]

    @property
    def nl(self) -> int:
        return len(self.links)

    @property
    def nv(self) -> int:
        return len(self.low)

    @property
    def ny(self) -> int:
        return self.nv + 4 * int(np.count_nonzero(self.links["s0"] >= 0))

    @property
    def m(self) -> int:
        return len(self.rows)

    @property
    def one_sided(self) -> np.ndarray:
        """(m,) 1: phi >= 0 is wanted, 0: phi = 0."""
        return self.rows["one_sided"].copy()


def content_hash(model: Model) -> str:
    """Return a hash of everything in the model: equal models, equal hash."""
    h = hashlib.sha256()
    for field in model:
        h.update(np.ascontiguousarray(field).tobytes())
    return h.hexdigest()


def neutral(model: Model) -> np.ndarray:
    """Return the state y with all coordinates zero and identity quaternions."""
    y = np.zeros(model.ny)
    y[model.nv :: 4] = 1.0
    return y


class Builder:
    """Collects links and rows in any convenient order and freezes them into a `Model`."""

    def __init__(self) -> None:
        self.links: list[tuple] = [(0, Joint.TURN, 0, 0.0, np.eye(3), np.zeros(3))]
        self.nv = 0
        self.rows: list[tuple] = []
        self.bounds: dict[int, tuple[float, float]] = {}
        self.slides: set[int] = set()

    def add_link(
        self, parent: int, joint: Joint, R_PF: np.ndarray, p_PF: np.ndarray, pitch: float = 0.0
    ) -> int:
        """Append a link and return its row."""
        assert parent < len(self.links), "a parent comes before its children"
        if joint is Joint.SLIDE:
            self.slides.add(self.nv)
        self.links.append((parent, joint, self.nv, pitch, np.array(R_PF), np.array(p_PF)))
        self.nv += FREEDOMS[joint]
        return len(self.links) - 1

    def add_coordinate(self, is_length: bool) -> int:
        """Append a coordinate that belongs to no link (a measured quantity); return its number."""
        if is_length:
            self.slides.add(self.nv)
        self.nv += 1
        return self.nv - 1

    def add_row(
        self,
        kind: Row,
        l: int = 0,
        r: int = 0,
        p_l: np.ndarray | None = None,
        u: np.ndarray | None = None,
        u2: np.ndarray | None = None,
        p_r: np.ndarray | None = None,
        w: np.ndarray | None = None,
        offset: float = 0.0,
        target: Target = Target.CONSTANT,
        i: int = -1,
        j: int = -1,
        coef: tuple[float, float] = (0.0, 0.0),
        scale: float = 1.0,
        one_sided: bool = False,
    ) -> int:
        """Append a row and return its number."""
        zero = np.zeros(3)
        geo = np.concatenate([zero if a is None else a for a in (p_l, u, u2, p_r, w)])
        # In the order of ROW's fields.
        self.rows.append((kind, l, r, i, j, target, one_sided, coef, offset, scale, geo))
        return len(self.rows) - 1

    def build(self, length: float) -> Model:
        """Return the model; `length` [m] is what counts as one in residuals and steps."""
        nv = self.nv
        links = np.zeros(len(self.links), LINK)
        for link, (parent, joint, v0, pitch, R, p) in zip(links, self.links, strict=True):
            link["parent"], link["joint"], link["v0"], link["pitch"] = parent, joint, v0, pitch
            link["X_PF"][:9], link["X_PF"][9:] = R.ravel(), p
        has_quat = np.isin(links["joint"], (Joint.BALL, Joint.POINTER))
        links["s0"] = np.where(has_quat, nv + 4 * (np.cumsum(has_quat) - 1), -1)
        links["turned"] = (links["X_PF"][:, :9] != np.eye(3).ravel()).any(axis=1)
        rows = np.array(self.rows, ROW) if self.rows else np.empty(0, ROW)
        low, high = np.full(nv, -np.inf), np.full(nv, np.inf)
        for k, (a, b) in self.bounds.items():
            low[k], high[k] = a, b
        weight = np.ones(nv)
        weight[list(self.slides)] = 1.0 / length
        return Model(links, rows, low, high, weight, float(length))
