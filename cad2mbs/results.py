"""Results as named columns with units: written, drawn and read here, never solved."""

from __future__ import annotations

import csv
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

POSE_FIELDS = ("x", "y", "z", "qw", "qx", "qy", "qz")


def pose_names(part: str) -> tuple[str, ...]:
    """The seven column names of a part's pose: position, then quaternion w x y z."""
    return tuple(f"{part}.{f}" for f in POSE_FIELDS)


@dataclass(frozen=True, eq=False)
class SweepResult:
    """One row a position, one column a quantity; drives come first.

    `ok` False: the sweep stopped early, `values` holds the rows up to there and `status` says
    why. `residual` is the largest of all rows. `metadata` may hold `title`, `drives` (names of
    the driven columns), `observers` (names of the measured ones) and `stopped_at` (drive values
    where it stopped).
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    table: np.ndarray | Callable[[], np.ndarray]
    ok: bool
    status: str
    residual: float
    metadata: Mapping[str, Any] = field(default_factory=dict)
    states: np.ndarray | None = None  # (k, ny), of the solver's model

    def __post_init__(self) -> None:
        if len(self.names) != len(self.units):
            raise ValueError(f"{len(self.names)} names, {len(self.units)} units")
        if len(set(self.names)) != len(self.names):
            raise ValueError("two columns have the same name")

    @cached_property
    def values(self) -> np.ndarray:
        """All numbers, (k, columns); where `table` is a function they are made on first use."""
        values = self.table() if callable(self.table) else self.table
        if values.shape[1:] != (len(self.names),):
            raise ValueError(f"{len(self.names)} names, values {values.shape}")
        values.setflags(write=False)
        return values

    def __len__(self) -> int:
        return len(self.values) if self.states is None else len(self.states)

    @property
    def columns(self) -> list[tuple[str, str]]:
        return list(zip(self.names, self.units, strict=True))

    @property
    def stopped_at(self) -> dict[str, float] | None:
        """Drive values where the sweep stopped; None when it went through."""
        return self.metadata.get("stopped_at")

    def column(self, name: str) -> np.ndarray:
        """The values of one column, (k,)."""
        if name not in self.names:
            raise KeyError(f"no column '{name}'; there are: {', '.join(self.names)}")
        return self.values[:, self.names.index(name)]

    def poses(self, part: str) -> np.ndarray:
        """Poses of a part, (k, 7): position [user length], quaternion w x y z."""
        import numpy as np

        return np.column_stack([self.column(name) for name in pose_names(part)])

    def to_numpy(self) -> np.ndarray:
        """A copy of all values, (k, columns)."""
        return self.values.copy()

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table, header `name [unit]`; the file is whole or not there at all."""
        header = [f"{n} [{u}]" if u else n for n, u in self.columns]

        def write(file: IO[str]) -> None:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(header)
            # repr keeps every digit: reading the file gives the same numbers back
            out.writerows([repr(float(v)) for v in row] for row in self.values)

        write_whole(Path(path), write)

    def plot(self, path: str | os.PathLike[str], columns: Sequence[str] | None = None) -> None:
        """Draw `columns` (default: the ones that move) over the first drive into a file."""
        from cad2mbs.plots import panels, sweep_figure

        place = Path(path)
        figure = sweep_figure(self, panels(self) if columns is None else {"": list(columns)})
        kind = place.suffix.lstrip(".") or "png"
        write_whole(place, lambda file: figure.savefig(file, format=kind, dpi=150), binary=True)


def write_whole(path: Path, write: Callable[[IO[Any]], object], binary: bool = False) -> None:
    """Write a file through a neighbour that replaces it at the end; a failure leaves no trace."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        if binary:
            with temporary.open("xb") as file:
                write(file)
        else:
            with temporary.open("x", encoding="utf-8", newline="") as file:
                write(file)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
