"""The four ways in which kernels are compiled; all are cached, and divide by zero without raising.

Numba counts references to every array that a function touches, also where nothing is allocated;
in the innermost loops that costs more than the arithmetic. A function that allocates nothing and
is called by other kernels alone does without.
"""

from __future__ import annotations

from typing import Any

from numba import njit

_ALWAYS: dict[str, Any] = {"cache": True, "error_model": "numpy"}
_UNCOUNTED: dict[str, Any] = _ALWAYS | {"_nrt": False}  # fails to compile where arrays are made

entry = njit(**_ALWAYS)  # called from Python, or allocates
batch = njit(**_ALWAYS, nogil=True)  # the same, long: lets threads run
inner = njit(**_UNCOUNTED)  # called by kernels alone
inlined = njit(**_UNCOUNTED, forceinline=True)  # the same, small and hot
