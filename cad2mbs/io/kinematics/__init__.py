"""Mechanisms in STEP files: kinematics of AP242 and AP214, and assembly constraints, as text."""

from cad2mbs.io.kinematics.read import carries_mechanism, read_mechanism
from cad2mbs.io.kinematics.write import write_step_with_mechanism

__all__ = ["carries_mechanism", "read_mechanism", "write_step_with_mechanism"]
