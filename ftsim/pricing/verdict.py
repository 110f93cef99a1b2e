"""Verdicts: whether a printed price is right, as far as it can be known."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Literal, TypeAlias

from ftsim.errors import InputError
from ftsim.estimates import Estimate

#: Half a step of the ½-point grid: within it the printed price is the nearest step.
MARGIN = 0.25

Verdict: TypeAlias = Literal["fair", "underpriced", "overpriced", "undecided", "no price"]


def hull(estimates: Iterable[Estimate]) -> Estimate:
    """The smallest interval that holds all intervals, around the value of the first.

    A claim that holds in the hull holds in every scenario, so its error is no larger than that of
    each (intersection-union test, Berger 1982). Spreads of choices are never added in squares.

    Raises
    ------
    InputError
        If there are no estimates.
    """
    all_of_them = list(estimates)
    if not all_of_them:
        raise InputError("A hull needs at least one interval")
    first = all_of_them[0]
    low, high = min(e.low for e in all_of_them), max(e.high for e in all_of_them)
    return Estimate(first.value, low, high, first.confidence)


def verdict(printed: float, implied: Estimate, margin: float = MARGIN) -> Verdict:
    """What an interval says about a printed price.

    ``fair`` when it lies inside printed ± margin, ``underpriced`` or ``overpriced`` when wholly
    outside, else ``undecided``.
    """
    if not isfinite(implied.value):
        return "no price"
    if implied.low > printed + margin:
        return "underpriced"
    if implied.high < printed - margin:
        return "overpriced"
    if implied.low >= printed - margin and implied.high <= printed + margin:
        return "fair"
    return "undecided"


def suggested(implied: Estimate) -> float:
    """The step of the ½-point grid nearest to an implied price."""
    return round(implied.value * 2) / 2
