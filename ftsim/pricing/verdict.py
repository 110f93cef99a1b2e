"""Verdicts: whether a printed price is right, as far as it can be known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import erfc, isfinite, sqrt
from typing import Literal, TypeAlias

import numpy as np

from ftsim._typing import BoolArray, FloatArray
from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate, ripe, time_uniform_p
from ftsim.pricing.ratio import Ratio

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


@dataclass(frozen=True)
class Tests:
    """p-values of the three claims about a printed price; at most one of them is small.

    Parameters
    ----------
    under, over : float
        That the card is worth more than printed + margin; less than printed − margin.
    fair : float
        That it lies within, by two one-sided tests.
    known : bool
        Whether a point's worth is known at all; otherwise nothing can be claimed.

    References
    ----------
    Goeman, Solari and Stijnen (2010), "Three-sided hypothesis testing", Statistics in Medicine 29.
    Schuirmann (1987), "A comparison of the two one-sided tests procedure and the power approach".
    """

    __test__ = False  # the name is statistics', not pytest's

    under: float
    over: float
    fair: float
    known: bool = True


def three_tests(
    printed: float,
    implied: Ratio,
    margin: float = MARGIN,
    *,
    confidence: float = CONFIDENCE,
    planned: int | None = None,
) -> Tests:
    """Whether a card is underpriced, overpriced or fair.

    Parameters
    ----------
    printed : float
        Printed price.
    implied : Ratio
        Gain by the card over worth of a point; the tests never divide.
    margin : float
        What may lie between printed and true price.
    confidence : float
        Confidence at which a point's worth must be clear of 0, and which fixes `planned`'s mixture.
    planned : int, optional
        Name the planned trials when somebody looks and may stop: p-values then hold at all looks
        together, and are 1 before 2,000 trials and 200 that differ.
    """
    if not implied.unit_is_known(confidence) or implied.unit < 0:
        return Tests(1.0, 1.0, 1.0, known=False)
    above_high = implied.errors_above(printed + margin)
    above_low = implied.errors_above(printed - margin)

    def p_above(z: float) -> float:
        """p-value of "the excess is above 0"."""
        if planned is None:
            return erfc(z / sqrt(2)) / 2
        if not ripe(implied.trials, implied.differing) or z <= 0:
            return 1.0
        return time_uniform_p(z, implied.trials, planned, confidence)

    return Tests(p_above(above_high), p_above(-above_low), max(p_above(above_low), p_above(-above_high)))


def benjamini_hochberg(p: FloatArray) -> FloatArray:
    """p-values adjusted so that rejecting those below q keeps the false share of claims below q.

    Raises
    ------
    InputError
        If one is not between 0 and 1.

    References
    ----------
    Benjamini and Hochberg (1995), "Controlling the false discovery rate".
    """
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or not np.all((values >= 0) & (values <= 1)):
        raise InputError("p-values must be a list of numbers between 0 and 1")
    order = np.argsort(values, kind="stable")
    ranks = np.arange(1, len(values) + 1)
    # The smallest of its own and all larger p-values' limits.
    limits = np.minimum.accumulate((values[order] * len(values) / ranks)[::-1])[::-1]
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(limits, 1.0)
    return adjusted


@dataclass(frozen=True)
class Judgement:
    """What is claimed of one card among others.

    Parameters
    ----------
    printed : float
        Printed price.
    verdict : Verdict
        ``undecided`` when no claim survives the correction.
    tests, adjusted : Tests
        p-values of the three claims by themselves, and corrected for all claims about all cards.
    suggested : float or None
        The step of the ½-point grid nearest to the estimate, for mispriced cards only.
    """

    printed: float
    verdict: Verdict
    tests: Tests
    adjusted: Tests
    suggested: float | None


def judge(
    printed: Mapping[str, float],
    implied: Mapping[str, Ratio],
    margin: float = MARGIN,
    *,
    confidence: float = CONFIDENCE,
    planned: int | None = None,
) -> dict[str, Judgement]:
    """Verdicts on several cards, of whose claims at most 1 − confidence are false on average.

    Three tests a card, all of them corrected together (Benjamini and Hochberg). A card without a
    price counts among the tests, so that leaving it out cannot help the others.

    Parameters
    ----------
    printed, implied : mapping
        Printed price and ratio of each card; the same names.
    margin, confidence, planned
        As in `three_tests`; 1 − confidence is the share of false claims.

    Raises
    ------
    InputError
        If the names differ.
    """
    if printed.keys() != implied.keys():
        raise InputError(f"Prices and estimates of different cards: {sorted(printed.keys() ^ implied.keys())}")
    tests = {
        name: three_tests(price, implied[name], margin, confidence=confidence, planned=planned)
        for name, price in printed.items()
    }
    raw = np.array([[t.under, t.over, t.fair] for t in tests.values()]).reshape(-1)
    adjusted = benjamini_hochberg(raw).reshape(-1, 3)
    claimed: BoolArray = adjusted <= 1 - confidence
    words: tuple[Verdict, ...] = ("underpriced", "overpriced", "fair")
    found = {}
    for k, (name, test) in enumerate(tests.items()):
        word: Verdict = "undecided" if test.known else "no price"
        if claimed[k].any():
            word = words[int(np.argmin(adjusted[k]))]
        step = None
        if word in ("underpriced", "overpriced"):
            step = suggested(Estimate(implied[name].value, implied[name].value, implied[name].value))
        under, over, fair = (float(value) for value in adjusted[k])
        found[name] = Judgement(printed[name], word, test, Tests(under, over, fair, test.known), step)
    return found
