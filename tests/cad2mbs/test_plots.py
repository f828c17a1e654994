"""Pictures of sweeps show what was swept."""

from __future__ import annotations

import numpy as np
import pytest

from cad2mbs.library.build import Builder, polar
from cad2mbs.model.assembly import Assembly, Freedom
from cad2mbs.model.references import frame
from cad2mbs.plots import panels, sweep_figure


def two_arms() -> Assembly:
    """Two links in a plane, both driven: one, then two."""
    build = Builder("Two arms")
    build.ground("base", pivot=frame())
    build.bar("upper", (0.0, 0.0), (100.0, 0.0))
    build.bar("lower", (100.0, 0.0), polar((100.0, 0.0), 80.0, 0.5))
    build.revolute("shoulder", "base/pivot", "upper/a")
    build.revolute("elbow", "upper/b", "lower/a")
    build.drive_joint("one", "base/pivot", "upper/a", Freedom.TURN, 0.0)
    build.drive_joint("two", "upper/b", "lower/a", Freedom.TURN, 10.0)
    return build.build()


@pytest.mark.parametrize("swept", ["one", "two"])
def test_a_sweep_is_drawn_over_the_drive_that_was_swept(swept):
    values = np.linspace(10.0, 100.0, 10)
    result = two_arms().mechanism().sweep({swept: values})
    assert result.ok, result.status
    figure = sweep_figure(result, {"": ["upper.qz", "lower.qz"]})
    assert figure.axes[-1].get_xlabel() == f"{swept} [deg]"
    for line in figure.axes[0].lines:
        np.testing.assert_allclose(line.get_xdata(), values, rtol=0, atol=1e-9)


def test_a_drive_that_stands_still_is_not_drawn():
    result = two_arms().mechanism().sweep({"two": np.linspace(10.0, 100.0, 10)})
    assert "one" not in [n for names in panels(result).values() for n in names]


def test_two_drives_swept_together_are_drawn_over_the_first_named():
    values = {"two": np.linspace(10.0, 60.0, 6), "one": np.linspace(0.0, 90.0, 6)}
    figure = sweep_figure(two_arms().mechanism().sweep(values), {"": ["lower.x"]})
    assert figure.axes[-1].get_xlabel() == "two [deg]"
    np.testing.assert_allclose(figure.axes[0].lines[0].get_xdata(), values["two"], atol=1e-9)
