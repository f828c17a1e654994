"""Builders of the shipped mechanisms' parts.

CadQuery combines the selectors of `and` and `or` through sets of shapes, whose order differs from
run to run; fillets on them would make other files each time. Here the order of the shape is kept.
"""

from cadquery import selectors


def _both(self, left: list, right: list) -> list:
    return [shape for shape in left if shape in right]


def _either(self, left: list, right: list) -> list:
    return [*left, *(shape for shape in right if shape not in left)]


def _without(self, left: list, right: list) -> list:
    return [shape for shape in left if shape not in right]


selectors.AndSelector.filterResults = _both
selectors.SumSelector.filterResults = _either
selectors.SubtractSelector.filterResults = _without
