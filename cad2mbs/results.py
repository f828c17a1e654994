"""Results as named columns with units: written, drawn and read here, never solved."""

from __future__ import annotations

import csv
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

POSE_FIELDS = ("x", "y", "z", "qw", "qx", "qy", "qz")
MAX_PANELS = 6  # more small pictures than this are too small to read


def pose_names(part: str) -> tuple[str, ...]:
    """The seven column names of a part's pose: position, then quaternion w x y z."""
    return tuple(f"{part}.{f}" for f in POSE_FIELDS)


@dataclass(frozen=True, eq=False)
class SweepResult:
    """One row a position, one column a quantity; drives come first.

    `ok` False: the sweep stopped early, `values` holds the rows up to there and `status` says
    why. `residual` is the largest of all rows. `metadata` may hold `title`, `drives` (names of
    the driven columns) and `stopped_at` (drive values where it stopped).
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    ok: bool
    status: str
    residual: float
    metadata: Mapping[str, Any]
    table: Callable[[], np.ndarray]
    states: np.ndarray  # (k, ny), of the solver's model

    def __post_init__(self) -> None:
        if len(self.names) != len(self.units):
            raise ValueError(f"{len(self.names)} names, {len(self.units)} units")
        if len(set(self.names)) != len(self.names):
            raise ValueError("two columns have the same name")

    @cached_property
    def values(self) -> np.ndarray:
        """All numbers, (k, columns); made from the states on first use."""
        return self.table()

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
        """Draw `columns` (default: the ones that move most) over the first drive into a file."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        place = Path(path)
        figure = Figure(layout="constrained")
        FigureCanvasAgg(figure)  # no window, whatever the backend of the session
        self._draw(figure, self._moving() if columns is None else list(columns))
        kind = place.suffix.lstrip(".") or "png"
        write_whole(place, lambda file: figure.savefig(file, format=kind, dpi=150), binary=True)

    def _draw(self, figure: Figure, columns: list[str]) -> None:
        x_name, x_unit = self.columns[0]
        wide = 2 if len(columns) > 1 else 1
        high = max(1, -(-len(columns) // wide))
        figure.set_size_inches(5.2 * wide, 1.0 + 2.3 * high)
        figure.suptitle(str(self.metadata.get("title", "")))
        axes = figure.subplots(high, wide, sharex=True, squeeze=False).ravel()
        for i, ax in enumerate(axes):
            if i >= len(columns):
                ax.set_visible(False)
                continue
            unit = dict(self.columns)[columns[i]]
            ax.plot(self.column(x_name), self.column(columns[i]), color=f"C{i % 10}", lw=1.6)
            ax.set_ylabel(f"{columns[i]} [{unit}]" if unit else columns[i])
            ax.grid(True, alpha=0.3)
            ax.spines[["top", "right"]].set_visible(False)
            if i + wide >= len(columns):
                ax.tick_params(labelbottom=True)
                ax.set_xlabel(f"{x_name} [{x_unit}]" if x_unit else x_name)

    def _moving(self) -> list[str]:
        """Up to `MAX_PANELS` columns to draw: one a part, the one that moves most, in file order.

        Quaternion components say little to the eye, so they are drawn only when nothing else
        moves.
        """
        import numpy as np

        driven = set(self.metadata.get("drives", self.names[:1])) | {self.names[0]}
        span = np.ptp(self.values, axis=0) if len(self.values) else np.zeros(len(self.names))
        shown = [
            i
            for i, name in enumerate(self.names)
            if name not in driven and name.rpartition(".")[2] not in POSE_FIELDS[3:]
        ]
        # Against the largest of its unit: rounding about zero is no motion.
        most = {u: max(span[i] for i in shown if self.units[i] == u) for u in self._units(shown)}
        best: dict[str, tuple[float, int]] = {}
        for i in shown:
            stem, _, last = self.names[i].rpartition(".")
            key = stem if last in POSE_FIELDS else self.names[i]
            if span[i] > 1e-9 * most[self.units[i]]:
                best[key] = max(best.get(key, (0.0, 0)), (float(span[i]), -i))
        chosen = sorted(abs(i) for _, i in sorted(best.values(), reverse=True)[:MAX_PANELS])
        if not chosen:
            chosen = [i for i, n in enumerate(self.names) if n not in driven][:MAX_PANELS]
        return [self.names[i] for i in chosen]

    def _units(self, columns: Sequence[int]) -> set[str]:
        return {self.units[i] for i in columns}


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
