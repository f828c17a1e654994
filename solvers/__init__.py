"""Numerics of mechanisms: arrays in, arrays and row numbers out; knows no parts and no files."""
