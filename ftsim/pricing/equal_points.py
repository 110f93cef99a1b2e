"""Equal points: what a card is worth in a battle, in points of one more stand.

Each trial plays arms on the same dice: the plain army (score ``y0``), the army with the card on a
drawn bearer (``y1``), the army with one more plain stand (``y2``) of a cost, and, where wanted, the
army with one stand less (``y3``). The price is the gain by the card over the gain by the stand,
times the mean cost of that stand. Cards of one price share ``y0``, ``y2`` and ``y3``.

Everything comes from `Moments` of the arms, which add up over blocks of trials: a results file
keeps a row per block and card, and looks at growing results cost nothing.

There is no estimator that plays only the trials a card can change. In a single combat it saves 24 of
25 pairs or more, for the share of changed cells is counted exactly. A battle, in which the bearer moves,
is shot at and fights several times, has no cells to count: which trials a card changes is found by
playing them, and weighting by a share found that way wins nothing over shared dice, where unchanged
trials count exactly 0. Nor is the card all that is unsure: in planted studies a third to six tenths of
the variance of a price of 1 to 2 points is the stand's, which no card changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal, TypeAlias

import numpy as np

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate
from ftsim.pricing.moments import Moments
from ftsim.pricing.ratio import Ratio, z_of
from ftsim.pricing.ratio import fieller as fieller  # its first home

#: Columns of the moments of arms: scores, and the cost of the stand that is more or less.
ARMS = ("plain", "carded", "more", "less", "cost_more", "cost_less", "differs")
_PLAIN, _CARDED, _MORE, _LESS, _COST_MORE, _COST_LESS, _DIFFERS = range(7)

Numeraire: TypeAlias = Literal["one stand more", "one stand less", "both sides"]


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
    ratio : Ratio
        Gain over worth of a point: tests of a printed price and intervals for looks come from it.
    lottery : Ratio
        Gain over the gain by a whole stand: the chance with which a lottery has to field that stand
        to be as good as the card. Above 1 is more than a stand, below 0 a stand taken away. With both
        sides as the numeraire it is in points, for there is no one stand.
    """

    price: Estimate
    worth_of_point: Estimate
    card_gain: Estimate
    card_variance: float
    shared_dice_ratio: float
    changed: float
    ratio: Ratio
    lottery: Ratio

    @property
    def identified(self) -> bool:
        """Whether the interval is a bounded one."""
        return bool(np.isfinite(self.price.low) and np.isfinite(self.price.high))


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
    nothing = np.zeros(len(plain))
    columns = np.stack([plain, carded, stronger, nothing, cost, nothing, carded != plain]).astype(np.float64)
    return _priced(len(plain), columns.mean(1), np.cov(columns), "one stand more", confidence)


def arm_moments(
    plain: FloatArray,
    carded: FloatArray,
    more: FloatArray,
    cost_more: FloatArray,
    less: FloatArray | None = None,
    cost_less: FloatArray | None = None,
) -> Moments:
    """Moments of arms played on the same dice, which add up over blocks.

    Parameters
    ----------
    plain, more, less : array of float, shape (trials,)
        Scores of the arms that cards of one price share.
    carded : array of float, shape (trials,) or (cards, trials)
        Scores with the card, or with each of several.
    cost_more, cost_less : array of float, shape (trials,)
        Cost of the stand more and of the stand less, in points.

    Returns
    -------
    Moments
        Over the columns `ARMS`; one cell, or a cell a card. Without a stand less its columns are 0.

    Raises
    ------
    InputError
        If trials differ, costs are not positive, or a number is not a multiple of ½.
    """
    if (less is None) != (cost_less is None):
        raise InputError("One stand less needs both its scores and its costs")
    if np.any(cost_more <= 0) or (cost_less is not None and np.any(cost_less <= 0)):
        raise InputError("The stand more or less must cost something")
    nothing = np.zeros_like(plain)
    less, cost_less = (nothing, nothing) if less is None or cost_less is None else (less, cost_less)
    differs = (np.asarray(carded) != plain).astype(np.float64)
    return Moments.of([plain, carded, more, less, cost_more, cost_less, differs])


def priced(moments: Moments, numeraire: Numeraire = "one stand more", confidence: float = CONFIDENCE) -> EqualPoints:
    """Price of one card from the moments of its arms.

    Parameters
    ----------
    moments : Moments
        Of one cell, over `ARMS`.
    numeraire : {"one stand more", "one stand less", "both sides"}
        What a point is: points fall off, so the stand less is worth more. ``both sides`` is the
        slope, at the plain army, of a parabola through the stand less, none and the stand more.
    confidence : float
        Coverage.

    Raises
    ------
    InputError
        If there are fewer than two trials, or no stand less where it is needed.
    """
    if moments.count.ndim or moments.total.shape != (len(ARMS),):
        raise InputError(f"One card needs moments of one cell over {len(ARMS)} columns")
    n = int(moments.count)
    if n < 2:
        raise InputError(f"The arms need the same trials, at least two; got {n}")
    return _priced(n, moments.mean, moments.covariance, numeraire, confidence)


def _priced(n: int, mean: FloatArray, one_trial: FloatArray, numeraire: Numeraire, confidence: float) -> EqualPoints:
    """Price from means and covariance of the columns `ARMS`."""
    card = _direction({_CARDED: 1.0, _PLAIN: -1.0})
    point, worth = _worth_of_point(mean, numeraire)
    stand, gain_of_stand = point, worth
    if numeraire != "both sides":
        taken = numeraire == "one stand less"
        stand = _direction({_PLAIN: 1.0, _LESS: -1.0} if taken else {_MORE: 1.0, _PLAIN: -1.0})
        gain_of_stand = float(stand @ mean)
    differing = round(float(mean[_DIFFERS]) * n)
    # Arms that never differ have no gain, not one of the size of a rounding error.
    card = card if differing else 0.0 * card
    ratio = _ratio(card, float(card @ mean), point, worth, one_trial, n, differing)
    lottery = _ratio(card, float(card @ mean), stand, gain_of_stand, one_trial, n, differing)
    paired = max(float(card @ one_trial @ card), 0.0)
    own_dice = float(one_trial[_CARDED, _CARDED] + one_trial[_PLAIN, _PLAIN])
    return EqualPoints(
        ratio.estimate(confidence),
        ratio.unit_estimate(confidence),
        ratio.gain_estimate(confidence),
        paired,
        own_dice / paired if paired > 0 else inf,
        differing / n,
        ratio,
        lottery,
    )


def priced_cards(
    names: Sequence[str],
    moments: Moments,
    numeraire: Numeraire = "one stand more",
    confidence: float = CONFIDENCE,
) -> dict[str, EqualPoints]:
    """Prices of cards that share their plain arms, from moments with a cell a card."""
    if moments.count.shape != (len(names),):
        raise InputError(f"{len(names)} cards need as many cells, got shape {moments.count.shape}")
    return {name: priced(moments[k], numeraire, confidence) for k, name in enumerate(names)}


def fall_of_worth(moments: Moments) -> Ratio:
    """Worth of a point in a stand taken away over that in a stand added; above 1, points fall off.

    Its gain is what a point loses with one stand less, its unit what a point gains with one more.
    """
    less, value_less = _worth_of_point(moments.mean, "one stand less")
    more, value_more = _worth_of_point(moments.mean, "one stand more")
    n = int(moments.count)
    return _ratio(less, value_less, more, value_more, moments.covariance, n, n)


def _worth_of_point(mean: FloatArray, numeraire: Numeraire) -> tuple[FloatArray, float]:
    """Worth of a point, and how it moves with each mean.

    The mean cost is sampled too, so the ratio of both means is linearised.
    """
    if numeraire == "one stand more":
        cost = float(mean[_COST_MORE])
        worth = float(mean[_MORE] - mean[_PLAIN]) / cost
        return _direction({_MORE: 1 / cost, _PLAIN: -1 / cost, _COST_MORE: -worth / cost}), worth
    if mean[_COST_LESS] <= 0:
        raise InputError("Points of one stand less need an arm with one stand less")
    if numeraire == "one stand less":
        cost = float(mean[_COST_LESS])
        worth = float(mean[_PLAIN] - mean[_LESS]) / cost
        return _direction({_PLAIN: 1 / cost, _LESS: -1 / cost, _COST_LESS: -worth / cost}), worth
    if numeraire != "both sides":
        raise InputError(f"A point is 'one stand more', 'one stand less' or 'both sides', not {numeraire!r}")
    more, value_more = _worth_of_point(mean, "one stand more")
    less, value_less = _worth_of_point(mean, "one stand less")
    # The slope at 0 of a parabola through (−l, −l·b₋), (0, 0), (m, m·b₊) is (l·b₊ + m·b₋) / (l + m).
    m, low = float(mean[_COST_MORE]), float(mean[_COST_LESS])
    share = low / (low + m)
    worth = share * value_more + (1 - share) * value_less
    tilt = (value_more - value_less) / (low + m) ** 2
    return share * more + (1 - share) * less + _direction({_COST_LESS: m * tilt, _COST_MORE: -low * tilt}), worth


def _direction(entries: Mapping[int, float]) -> FloatArray:
    found = np.zeros(len(ARMS))
    for column, value in entries.items():
        found[column] += value
    return found


def _ratio(
    top: FloatArray, gain: float, bottom: FloatArray, unit: float, one_trial: FloatArray, n: int, differing: int
) -> Ratio:
    return Ratio(
        gain,
        unit,
        max(float(top @ one_trial @ top), 0.0) / n,
        float(top @ one_trial @ bottom) / n,
        max(float(bottom @ one_trial @ bottom), 0.0) / n,
        n,
        differing,
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
    kappa = found.worth_of_point.value
    return int(np.ceil((z_of(confidence) / half_width) ** 2 * residual_variance / (kappa * kappa)))


def residual(plain: FloatArray, carded: FloatArray, stronger: FloatArray, cost: FloatArray, price: float) -> float:
    """Variance of D − πG / c̄, which decides how many trials a price needs."""
    return float(np.var((carded - plain) - price * (stronger - plain) / float(np.mean(cost)), ddof=1))
