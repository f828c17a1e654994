"""Pictures of results: a panel for each kind of quantity, a curve for each thing that moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cad2mbs.results import POSE_FIELDS, SweepResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_CURVES = 8  # more in one panel cannot be told apart
STILL = 1e-9  # of the largest span of its unit: less is rounding


def panels(result: SweepResult) -> dict[str, list[str]]:
    """Columns to draw by title: observers, slides and turns of joints, else positions of parts."""
    kinds = {"slides of joints": "slide", "turns of joints": "turn"}
    moving, unit_of = _moving(result), dict(result.columns)
    observers = [n for n in result.metadata.get("observers", ()) if n in moving]
    found: dict[str, list[str]] = {}
    for name in observers:
        found.setdefault(f"observers in {unit_of[name]}", []).append(name)
    for title, word in kinds.items():
        found[title] = [
            n for n in moving if n not in observers and n.rpartition(".")[2].startswith(word)
        ]
    out = {title: _most(result, names) for title, names in found.items() if names}
    if out:
        return out
    return {"positions of parts": _most(result, _one_a_part(result, moving))}


def _abscissa(result: SweepResult) -> str:
    """The column to draw over: the first drive that was swept."""
    return next(iter(result.metadata.get("drives", result.names[:1])))


def _moving(result: SweepResult) -> list[str]:
    """Columns that change, other than the drives and what just follows the first one in step."""
    driven = set(result.metadata.get("drives", result.names[:1]))
    x, span = result.column(_abscissa(result)), _spans(result)
    most: dict[str, float] = {}
    for name, unit in result.columns:
        if name not in driven:
            most[unit] = max(most.get(unit, 0.0), span[name])
    moving = [n for n, u in result.columns if n not in driven and span[n] > STILL * most[u]]
    telling = [n for n in moving if not _in_step(x, result.column(n))]
    return telling or moving


def _in_step(x: np.ndarray, values: np.ndarray) -> bool:
    """Whether the values are a straight line over x."""
    if len(x) < 3 or np.ptp(x) == 0.0:
        return False
    line = np.polynomial.Polynomial.fit(x, values, 1)
    return bool(np.abs(values - line(x)).max() < 1e-9 * np.ptp(values))


def _one_a_part(result: SweepResult, names: Sequence[str]) -> list[str]:
    """Of each part the coordinate that moves most; quaternions say little to the eye."""
    span = _spans(result)
    best: dict[str, str] = {}
    for name in names:
        stem, _, last = name.rpartition(".")
        if last in POSE_FIELDS[:3] and span[name] > span.get(best.get(stem, ""), 0.0):
            best[stem] = name
    return list(best.values())


def _most(result: SweepResult, names: Sequence[str]) -> list[str]:
    """The ones that move most, in table order."""
    span = _spans(result)
    kept = set(sorted(names, key=lambda n: -span[n])[:MAX_CURVES])
    return [n for n in names if n in kept]


def _spans(result: SweepResult) -> dict[str, float]:
    if len(result) == 0:
        return dict.fromkeys(result.names, 0.0)
    return dict(zip(result.names, np.ptp(result.values, axis=0).tolist(), strict=True))


def sweep_figure(result: SweepResult, curves: Mapping[str, Sequence[str]]) -> Figure:
    """The figure: panels one above the other, the first drive below."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.5, 1.2 + 3.1 * len(curves)), layout="constrained")
    FigureCanvasAgg(figure)  # no window, whatever the backend of the session
    figure.suptitle(str(result.metadata.get("title", "")), fontsize=13)
    axes = figure.subplots(len(curves), 1, sharex=True, squeeze=False)[:, 0]
    for ax, (title, names) in zip(axes, curves.items(), strict=True):
        _draw(ax, result, title, names)
    name = _abscissa(result)
    unit = dict(result.columns)[name]
    axes[-1].set_xlabel(f"{name} [{unit}]" if unit else name)
    return figure


def _draw(ax: Axes, result: SweepResult, title: str, names: Sequence[str]) -> None:
    unit_of, x = dict(result.columns), result.column(_abscissa(result))
    for k, name in enumerate(names):
        ax.plot(x, result.column(name), color=f"C{k % 10}", lw=1.7, label=name)
    units = dict.fromkeys(unit_of[n] for n in names)
    ax.set_ylabel(" / ".join(u for u in units if u))
    ax.set_title(title, loc="left", fontsize=10, color="0.35")
    ax.grid(True, alpha=0.25)
    ax.spines[["top", "right"]].set_visible(False)
    ax.margins(x=0.0)
    if names:
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=9)
