"""What the user said: parts, reference objects, mates, drives; frozen data, no numerics."""
