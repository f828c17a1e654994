"""The four ways in which kernels are compiled; all are cached, and divide by zero without raising.

Numba counts references to every array that a function touches, also where nothing is allocated;
in the innermost loops that costs more than the arithmetic. A function that allocates nothing and
is called by other kernels alone does without.
"""

from __future__ import annotations

from numba import njit

entry = njit(cache=True, error_model="numpy")  # called from Python, or allocates
batch = njit(cache=True, error_model="numpy", nogil=True)  # the same, long: lets threads run
inner = njit(cache=True, error_model="numpy", _nrt=False)  # only called by kernels, no arrays made
inlined = njit(cache=True, error_model="numpy", _nrt=False, forceinline=True)  # small and hot
