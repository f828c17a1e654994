"""Mass, centre and inertia of parts and of the rigid bodies they make (SI)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.model.assembly import Assembly, Part

if TYPE_CHECKING:
    from cad2mbs.mechanism import Mechanism

STEEL = 7850.0  # [kg/m^3], where nobody says anything: what most machine parts are made of
MM = 1e-3  # [m]


@dataclass(frozen=True, eq=False)
class Mass:
    """Mass properties in a frame B: that of the part, or of the body."""

    mass: float  # [kg]
    centre: np.ndarray  # (3,)  p_BoBcm [m]
    inertia: np.ndarray  # (3, 3)  about the centre, axes of B [kg m^2]

    def principal(self) -> np.ndarray:
        """Principal moments of inertia about the centre, smallest first [kg m^2]."""
        return np.linalg.eigvalsh(self.inertia)


@dataclass(frozen=True)
class Density:
    """A density and who stated it."""

    value: float  # [kg/m^3]
    said_by: str


def density_of(part: Part, assembly: Assembly) -> Density:
    """The density that counts: of part, material, CAD file or assembly, else of steel."""
    if part.density is not None:
        return Density(part.density, "part")
    if part.material is not None and part.material in assembly.materials:
        return Density(assembly.materials[part.material], f"material {part.material}")
    if part.solid is not None and part.solid.density is not None:
        name = part.solid.material
        return Density(part.solid.density, f"CAD file{f', {name}' if name else ''}")
    if part.solid is not None and part.solid.material in assembly.materials:
        name = part.solid.material
        return Density(assembly.materials[name], f"material {name}")
    if assembly.density is not None:
        return Density(assembly.density, "assembly")
    return Density(STEEL, "assumed: steel")


def of_part(part: Part, assembly: Assembly) -> Mass | None:
    """Mass properties in the part frame; None without a closed solid."""
    solid = part.solid
    if solid is None or solid.volume <= 0.0:
        return None
    rho = density_of(part, assembly).value
    return Mass(
        rho * solid.volume * MM**3,
        np.array(solid.centre) * MM,
        rho * np.array(solid.inertia) * MM**5,
    )


def placed(mass: Mass, R_AB: np.ndarray, p_AB: np.ndarray) -> Mass:
    """The same mass seen from frame A."""
    return Mass(mass.mass, R_AB @ mass.centre + p_AB, R_AB @ mass.inertia @ R_AB.T)


def merged(masses: Iterable[Mass]) -> Mass | None:
    """Several masses in one frame as one (parallel axes); None if there is none."""
    masses = list(masses)
    if not masses:
        return None
    total = sum(m.mass for m in masses)
    centre = sum(m.mass * m.centre for m in masses) / total
    inertia = np.zeros((3, 3))
    for m in masses:
        d = m.centre - centre
        inertia += m.inertia + m.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return Mass(total, np.asarray(centre), inertia)


def of_bodies(m: Mechanism) -> dict[str, Mass | None]:
    """Mass properties of every body, in the body's frame; None where no part has a solid."""
    found: dict[str, Mass | None] = {}
    for name, body in m.structure.bodies.items():
        parts = ((of_part(m.assembly.parts[p], m.assembly), X) for p, X in body.places.items())
        found[name] = merged(placed(mass, *X) for mass, X in parts if mass is not None)
    return found


def massless(m: Mechanism) -> list[str]:
    """Parts of moving bodies that have no mass of their own, by name."""
    return [
        part
        for body in m.structure.bodies.values()
        if not body.grounded
        for part in body.places
        if of_part(m.assembly.parts[part], m.assembly) is None
    ]
