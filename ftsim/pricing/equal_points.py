"""Equal points: what a card is worth in a battle, in points of one more stand.

Each trial plays three arms on the same dice: the plain army (score ``y0``), the army with the
card on a drawn bearer (``y1``), and the army with one more plain stand (``y2``) of a cost. The
price is the gain by the card over the gain by the stand, times the mean cost of that stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan, sqrt
from statistics import NormalDist

import numpy as np

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate


@dataclass(frozen=True)
class EqualPoints:
    """A price from paired trials.

    Parameters
    ----------
    price : Estimate
        Points; nan with infinite ends where a point's worth cannot be told from nothing.
    worth_of_point : Estimate
        Gain of score by one point of stand.
    card_gain : Estimate
        Gain of score by the card.
    card_variance : float
        Variance of the paired difference of a trial.
    shared_dice_ratio : float
        How much smaller that is than with dice of their own.
    changed : float
        Share of trials that the card decides otherwise.
    """

    price: Estimate
    worth_of_point: Estimate
    card_gain: Estimate
    card_variance: float
    shared_dice_ratio: float
    changed: float

    @property
    def identified(self) -> bool:
        """Whether the interval is a bounded one."""
        return bool(np.isfinite(self.price.low) and np.isfinite(self.price.high))


def fieller(
    a: float, b: float, v_aa: float, v_ab: float, v_bb: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Interval of the ratio a / b from the covariance matrix of both; infinite when b may be 0.

    References
    ----------
    Fieller (1954), "Some problems in interval estimation".
    """
    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    # (a - π b)² <= z² (v_aa - 2 π v_ab + π² v_bb)
    quadratic = b * b - z2 * v_bb
    linear = a * b - z2 * v_ab
    constant = a * a - z2 * v_aa
    inside = linear * linear - quadratic * constant
    if quadratic <= 0 or inside < 0:
        return -inf, inf
    root = sqrt(inside)
    return (linear - root) / quadratic, (linear + root) / quadratic


def equal_points(
    plain: FloatArray,
    carded: FloatArray,
    stronger: FloatArray,
    cost: FloatArray,
    confidence: float = CONFIDENCE,
) -> EqualPoints:
    """Price of a card from the scores of three arms.

    Parameters
    ----------
    plain, carded, stronger : array of float, shape (trials,)
        Scores 1, ½ or 0 of each arm, trial by trial on the same dice.
    cost : array of float, shape (trials,)
        Cost in points of the stand that the third arm has more.

    Raises
    ------
    InputError
        If shapes differ, there are fewer than two trials, or costs are not positive.

    Examples
    --------
    A card that never changes anything is worth exactly nothing:

    >>> scores = np.array([0.0, 1.0, 0.0, 1.0] * 50)
    >>> stronger = np.array([1.0, 1.0, 0.0, 1.0] * 50)
    >>> equal_points(scores, scores, stronger, np.full(200, 4.0)).price.value
    0.0
    """
    shapes = {np.shape(x) for x in (plain, carded, stronger, cost)}
    if len(shapes) != 1 or len(plain) < 2:
        raise InputError(f"The arms need the same trials, at least two; got shapes {shapes}")
    if np.any(cost <= 0):
        raise InputError("The stand more must cost something")
    n = len(plain)
    card = carded - plain
    stand = stronger - plain
    mean_cost = float(np.mean(cost))
    a = float(np.mean(card))
    b = float(np.mean(stand)) / mean_cost
    # The mean cost is sampled too: linearise the ratio of both means.
    residual = (stand - b * cost) / mean_cost
    v_aa = float(np.var(card, ddof=1)) / n
    v_bb = float(np.var(residual, ddof=1)) / n
    v_ab = float(np.cov(card, residual)[0, 1]) / n
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    if not np.any(card):
        price = Estimate(0.0, 0.0, 0.0, confidence, n)
    elif b == 0:
        price = Estimate(nan, -inf, inf, confidence, n)
    else:
        low, high = fieller(a, b, v_aa, v_ab, v_bb, confidence)
        price = Estimate(a / b, low, high, confidence, n)
    own_dice = float(np.var(carded, ddof=1) + np.var(plain, ddof=1))
    paired = float(np.var(card, ddof=1))
    return EqualPoints(
        price,
        Estimate(b, b - z * sqrt(v_bb), b + z * sqrt(v_bb), confidence, n),
        Estimate(a, a - z * sqrt(v_aa), a + z * sqrt(v_aa), confidence, n),
        paired,
        own_dice / paired if paired > 0 else inf,
        float(np.mean(card != 0)),
    )


def trials_for(
    half_width: float, found: EqualPoints, residual_variance: float, confidence: float = CONFIDENCE
) -> int:
    """Trials for a half-width in points, from a pilot.

    Parameters
    ----------
    half_width : float
        Wanted half-width of the price.
    found : EqualPoints
        The pilot.
    residual_variance : float
        Variance of D − πG / c̄, from `residual`.

    Raises
    ------
    InputError
        If the half-width is not positive.
    """
    if half_width <= 0:
        raise InputError(f"A half-width must be above 0, got {half_width}")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    kappa = found.worth_of_point.value
    return int(np.ceil((z / half_width) ** 2 * residual_variance / (kappa * kappa)))


def residual(plain: FloatArray, carded: FloatArray, stronger: FloatArray, cost: FloatArray, price: float) -> float:
    """Variance of D − πG / c̄, which decides how many trials a price needs."""
    return float(np.var((carded - plain) - price * (stronger - plain) / float(np.mean(cost)), ddof=1))
