"""What all tests share: repeatable hypothesis runs, no windows, and the way to the shared data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

os.environ.setdefault("MPLBACKEND", "Agg")

# derandomize: the same examples on every machine, so a red test is red for everybody.
# No deadline: the first call of a kernel may include its compilation.
settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of third-party test data beside the project; tests skip where it is absent.

    CAD2MBS_SHARED names another place.
    """
    folder = Path(os.environ.get("CAD2MBS_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"third-party test data not found at {folder}; set CAD2MBS_SHARED")
    return folder
