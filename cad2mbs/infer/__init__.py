"""Mates found from geometry."""

from cad2mbs.infer.engine import infer
from cad2mbs.infer.options import Options, Strictness
from cad2mbs.infer.result import Alternative, Inference, Proposal
from cad2mbs.infer.text import to_mates_text, write

__all__ = [
    "Alternative",
    "Inference",
    "Options",
    "Proposal",
    "Strictness",
    "infer",
    "to_mates_text",
    "write",
]
