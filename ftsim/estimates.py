"""Estimates: a number, how sure it is, and what that rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import exp, floor, inf, isfinite, lgamma, log, log1p, log10, pi, sqrt
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


#: Before so many trials, and so many pairs that differ, nobody who looks may stop on a difference.
BURN_IN_TRIALS, BURN_IN_PAIRS = 2_000, 200


def ripe(trials: int, differing: int) -> bool:
    """Whether a study that looks again and again has enough behind it for its normal errors to hold.

    From 50 trials with one pair in a hundred differing, 60 % of "95 %" sequences go wrong; from
    2,000 trials and 200 differing pairs, 2 %.
    """
    return trials >= BURN_IN_TRIALS and differing >= BURN_IN_PAIRS


def mixing(planned: int, confidence: float = CONFIDENCE) -> float:
    """ρ² of the normal mixture whose time-uniform interval is narrowest at `planned` trials.

    Raises
    ------
    InputError
        If `planned` is not positive or the confidence not between 0 and 1.
    """
    if planned < 1:
        raise InputError(f"The planned number of trials must be at least 1, got {planned}")
    if not 0 < confidence < 1:
        raise InputError(f"Confidence must lie between 0 and 1, got {confidence}")
    rare = 2 * log(1 / (1 - confidence))
    return (rare + log(1 + rare)) / planned


def time_uniform_z(trials: int, planned: int, confidence: float = CONFIDENCE) -> float:
    """Half-width in standard errors of an interval that holds at all looks together.

    It takes the place of 1.96 wherever somebody looks and may stop; nobody who fixed the number of
    trials needs it.

    Parameters
    ----------
    trials : int
        Trials so far.
    planned : int
        Trials for which the interval is made narrowest; fixed before the first look.
    confidence : float
        Chance that no look ever misses the truth.

    References
    ----------
    Robbins (1970), "Statistical methods related to the law of the iterated logarithm".
    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), "Time-uniform central limit theory and
    asymptotic confidence sequences", Annals of Statistics 52.

    Examples
    --------
    >>> [round(time_uniform_z(n, 10_000), 2) for n in (1_000, 10_000, 100_000)]
    [3.86, 3.04, 3.24]
    """
    if trials < 1:
        raise InputError(f"The number of trials must be at least 1, got {trials}")
    grown = trials * mixing(planned, confidence)
    return sqrt(2 * (grown + 1) / grown * log(sqrt(grown + 1) / (1 - confidence)))


def time_uniform_p(z: float, trials: int, planned: int, confidence: float = CONFIDENCE) -> float:
    """p-value that may be looked at after any trial: the smallest level whose interval leaves 0 out.

    `confidence` only fixes the mixture, together with `planned`, and must be that of the intervals.
    """
    if trials < 1:
        raise InputError(f"The number of trials must be at least 1, got {trials}")
    grown = trials * mixing(planned, confidence)
    return min(1.0, sqrt(grown + 1) * exp(-z * z * grown / (2 * (grown + 1))))


def time_uniform_proportion(successes: int, trials: int, *, confidence: float = CONFIDENCE) -> Estimate:
    """A chance whose interval holds at all looks together, from the first trial on.

    Every chance p stays that has not become 1 / α times less likely than the mixture of all chances
    with weights Beta(½, ½).

    Parameters
    ----------
    successes, trials : int
        How often it happened, of how many so far.
    confidence : float
        Chance that no look ever misses the truth.

    Raises
    ------
    InputError
        If there are no trials ("no data"), or the counts make no sense.

    References
    ----------
    Robbins (1970), "Statistical methods related to the law of the iterated logarithm".
    Howard, Ramdas, McAuliffe and Sekhon (2021), "Time-uniform, nonparametric, nonasymptotic
    confidence sequences", Annals of Statistics 49.

    Examples
    --------
    >>> str(time_uniform_proportion(0, 100))
    '0.000 [0.000, 0.057]'
    """
    share = proportion(successes, trials, confidence=confidence).value
    failures = trials - successes
    # ln of α × B(½ + s, ½ + f) / B(½, ½); B(½, ½) = π.
    least = lgamma(0.5 + successes) + lgamma(0.5 + failures) - lgamma(1.0 + trials) - log(pi) + log(1 - confidence)

    def kept(p: float) -> float:
        """Above 0 where p stays."""
        likely = (successes * log(p) if successes else 0.0) + (failures * log1p(-p) if failures else 0.0)
        return likely - least

    low = 0.0 if successes == 0 else _root(kept, 0.0, share)
    high = 1.0 if failures == 0 else _root(kept, 1.0, share)
    return Estimate(share, low, high, confidence, trials)


def _root(function: Callable[[float], float], outside: float, inside: float) -> float:
    """Where a function leaves the positive ones between `inside` and `outside`, the last point outside."""
    while True:
        middle = (outside + inside) / 2
        if middle in (outside, inside):
            return outside
        if function(middle) > 0:
            inside = middle
        else:
            outside = middle


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
