"""Estimates: a number, how sure it is, and what that rests on."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import floor, inf, isfinite, log10, sqrt
from statistics import NormalDist
from typing import Literal

from ftsim.errors import InputError

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A value with an interval, or the word exact.

    Parameters
    ----------
    value, low, high : float
        Point estimate and ends of the interval; equal when exact.
    confidence : float
        Coverage the interval is built for.
    trials : int or None
        Sample size; None when exact.
    """

    value: float
    low: float
    high: float
    confidence: float = CONFIDENCE
    trials: int | None = None

    @property
    def exact(self) -> bool:
        """True when nothing was sampled and the interval has no width."""
        return self.trials is None and self.low == self.high

    @property
    def half_width(self) -> float:
        """Distance from the value to the farther end."""
        return max(self.high - self.value, self.value - self.low)

    def __str__(self) -> str:
        if self.exact:
            return f"{format_number(self.value)} (exact)"
        value, low, high = (format_number(x, self.half_width) for x in (self.value, self.low, self.high))
        return f"{value} [{low}, {high}]"


def exactly(value: float) -> Estimate:
    """An exact value."""
    return Estimate(value, value, value)


def proportion(
    successes: int,
    trials: int,
    *,
    confidence: float = CONFIDENCE,
    method: Literal["wilson", "exact"] = "wilson",
) -> Estimate:
    """A chance from a sample; 0 of n and n of n have intervals too.

    Parameters
    ----------
    successes, trials : int
        How often it happened, of how many.
    confidence : float
        Coverage, between 0 and 1.
    method : {"wilson", "exact"}
        Wilson (1927) score interval, or Clopper and Pearson (1934).

    Raises
    ------
    InputError
        If there are no trials ("no data"), or the counts make no sense.

    References
    ----------
    Brown, Cai and DasGupta (2001), "Interval estimation for a binomial proportion".
    """
    if trials == 0:
        raise InputError("No data: a chance needs at least one trial")
    if not 0 <= successes <= trials:
        raise InputError(f"Cannot have {successes} successes in {trials} trials")
    if not 0 < confidence < 1:
        raise InputError(f"Confidence must lie between 0 and 1, got {confidence}")
    share = successes / trials
    if method == "exact":
        from scipy.special import betaincinv

        tail = (1 - confidence) / 2
        low = 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, tail))
        high = 1.0 if successes == trials else float(betaincinv(successes + 1, trials - successes, 1 - tail))
        return Estimate(share, low, high, confidence, trials)
    low, high = wilson(share, trials, confidence)
    return Estimate(share, low, high, confidence, trials)


def wilson(share: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson score interval of a share; `trials` may be an effective number, as of a weighted mean."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    shrink = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / shrink
    half = z / shrink * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low = 0.0 if share == 0 else max(0.0, middle - half)
    high = 1.0 if share == 1 else min(1.0, middle + half)
    return low, high


def z_bound(checks: int, alpha: float = 1e-6) -> float:
    """How far, in standard errors, `checks` sampled values may lie from the truth in a sound test.

    The chance that any one of them lies farther is at most `alpha` (Bonferroni).
    """
    return -NormalDist().inv_cdf(alpha / (2 * checks))


def digits_for(error: float) -> int:
    """Decimals to show so that the error has two significant digits, at most six."""
    if not isfinite(error) or error <= 0:
        return 3
    return max(0, min(6, 1 - floor(log10(error))))


def format_number(value: float, error: float | None = None) -> str:
    """The one way a number is written: digits follow the error, trailing zeros stay.

    Examples
    --------
    >>> format_number(0.8, error=0.031)
    '0.800'
    >>> format_number(-0.5)
    '−0.500'
    """
    if value == inf or value == -inf:
        return "∞" if value > 0 else "−∞"
    digits = 3 if error is None else digits_for(error)
    text = f"{abs(value):.{digits}f}"
    return f"−{text}" if value < 0 and float(text) != 0 else text


def format_points(value: float) -> str:
    """Points as rulebooks write them, on the ½-point grid: ``−½``, ``4½``, ``2``.

    Raises
    ------
    InputError
        If the value is not a multiple of ½.
    """
    halves = value * 2
    if not isfinite(halves) or halves != int(halves):
        raise InputError(f"Points must be a multiple of ½, got {value}")
    whole, half = divmod(abs(int(halves)), 2)
    text = ("½" if half else "0") if whole == 0 else f"{whole}{'½' if half else ''}"
    return f"−{text}" if value < 0 else text


def outward(low: float, high: float, digits: int) -> tuple[float, float]:
    """An interval rounded so that it never becomes narrower."""
    step = Decimal(1).scaleb(-digits)

    def end(value: float, rounding: str) -> float:
        return float(Decimal(repr(float(value))).quantize(step, rounding)) if isfinite(value) else value

    return end(low, ROUND_FLOOR), end(high, ROUND_CEILING)
