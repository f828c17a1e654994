"""Numerics of mechanisms: arrays in, arrays and row numbers out; knows nothing of parts or files."""
