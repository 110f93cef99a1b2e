"""How much another setting moves a price, from trials played under both on the same dice."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate
from ftsim.pricing.moments import Moments
from ftsim.pricing.ratio import z_of

#: Columns of the moments: each arm and the cost of the stand more, otherwise and as set.
READING = ("plain", "carded", "more", "cost_more", "plain_set", "carded_set", "more_set", "cost_more_set")
_ARM = len(READING) // 2
_PLAIN, _CARDED, _MORE = range(3)


def shift(moments: Moments, confidence: float = CONFIDENCE) -> Estimate:
    """Price under another setting less the price as set, in points.

    Both prices are ratios of means over the same trials; the error is that of their difference (delta method), so
    trials that go alike under both add nothing to it.

    Parameters
    ----------
    moments : Moments
        Of one cell, over `READING`.
    confidence : float
        Coverage.

    Returns
    -------
    Estimate
        Exactly 0 where every trial goes alike; nan without ends where a point's worth is within its error of 0.

    Raises
    ------
    InputError
        If the columns are others, or there are fewer than two trials.
    """
    if moments.count.ndim or moments.total.shape != (len(READING),):
        raise InputError(f"A shift needs moments of one cell over {len(READING)} columns")
    n = int(moments.count)
    if n < 2:
        raise InputError(f"A shift needs at least two trials; got {n}")
    unmoved = all(_alike(moments, k, k + _ARM) for k in range(_ARM))
    worthless = all(_alike(moments, _CARDED + k, _PLAIN + k) for k in (0, _ARM))
    if unmoved or worthless:
        return Estimate(0.0, 0.0, 0.0, confidence, n)
    covariance, z = moments.covariance, z_of(confidence)
    for k in (0, _ARM):
        stand = float(moments.mean[_MORE + k] - moments.mean[_PLAIN + k])
        variance = covariance[_MORE + k, _MORE + k] + covariance[_PLAIN + k, _PLAIN + k]
        if stand <= z * sqrt(max(float(variance - 2 * covariance[_MORE + k, _PLAIN + k]), 0.0) / n):
            return Estimate(float("nan"), -float("inf"), float("inf"), confidence, n)
    other, to_other = _price(moments.mean[:_ARM])
    price, to_price = _price(moments.mean[_ARM:])
    way = np.concatenate([to_other, -to_price])
    error = z * sqrt(max(float(way @ covariance @ way), 0.0) / n)
    return Estimate(other - price, other - price - error, other - price + error, confidence, n)


def _price(mean: FloatArray) -> tuple[float, FloatArray]:
    """The price from the means of one setting, and how it moves with each."""
    plain, carded, more, cost = mean
    gain, stand = carded - plain, more - plain
    return gain * cost / stand, np.array(
        [-cost / stand + gain * cost / stand**2, cost / stand, -gain * cost / stand**2, gain / stand]
    )


def _alike(moments: Moments, one: int, other: int) -> bool:
    """Whether two columns are equal in every trial: the sum of their squared differences is 0."""
    product = moments.product
    return int(product[one, one] - 2 * product[one, other] + product[other, other]) == 0
