"""The joints a pair of bodies can be told to have, each with the freedoms it leaves."""

from __future__ import annotations

FREEDOMS = {
    "fixed": 0,
    "revolute": 1,
    "prismatic": 1,
    "screw": 1,
    "cylindrical": 2,
    "universal": 2,
    "planar": 3,
    "spherical": 3,
}
