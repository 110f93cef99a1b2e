"""Worth by bearer: one price, many worths.

A card has one price and is worth more on some types than on others. Types are drawn, so their true
worths are taken as spread around a mean (random effects), the sampled worth of each type is drawn
towards that mean as far as its own error asks for, and the spread is reported beside the price, not
added to its error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ftsim._typing import FloatArray, IntArray
from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate
from ftsim.pricing.moments import Moments
from ftsim.pricing.ratio import Ratio, z_of

#: Columns of the moments of bearers: gains of the card and of the stand more, its cost, whether arms differ.
GAINS = ("gain", "gain_of_stand", "cost", "differs")
#: Fewer trials than this say too little about their own spread; the type is pooled only.
LEAST_TRIALS = 30


@dataclass(frozen=True)
class Bearer:
    """Worth of a card on one type.

    Parameters
    ----------
    name : str
        Type that bears it.
    trials : int
        Trials in which it did.
    worth : Estimate
        Points, from these trials alone.
    shrunk : Estimate
        Points, drawn towards the mean of all types; the number to quote for one type.
    """

    name: str
    trials: int
    worth: Estimate
    shrunk: Estimate


@dataclass(frozen=True)
class ByBearer:
    """Worths of a card by type.

    Parameters
    ----------
    bearers : tuple of Bearer
        In the order given, those with enough trials.
    mean : float
        Mean of the types' worths in points, weighted by what is known of each.
    between : float
        Standard deviation of the types' true worths, in points.
    low, high : float
        The 10th and 90th percentile of worth over drawn bearers.
    left_out : tuple of str
        Types with too few trials for a worth of their own.
    """

    bearers: tuple[Bearer, ...]
    mean: float
    between: float
    low: float
    high: float
    left_out: tuple[str, ...]

    @property
    def best(self) -> Bearer:
        """The type on which the card is worth most, by the shrunk worth."""
        return max(self.bearers, key=lambda bearer: bearer.shrunk.value)

    @property
    def worst(self) -> Bearer:
        """The type on which the card is worth least, by the shrunk worth."""
        return min(self.bearers, key=lambda bearer: bearer.shrunk.value)


def bearer_moments(
    plain: FloatArray,
    carded: FloatArray,
    more: FloatArray,
    cost_more: FloatArray,
    bearer: IntArray,
    types: int,
) -> Moments:
    """Moments of a card's trials by the type of its bearer, over the columns `GAINS`; they add up.

    Parameters
    ----------
    plain, carded, more : array of float, shape (trials,)
        Scores of the arms.
    cost_more : array of float, shape (trials,)
        Cost of the stand more.
    bearer : array of int, shape (trials,)
        Position of the bearer's type.
    types : int
        Number of types.
    """
    gain = carded - plain
    return Moments.by_group([gain, more - plain, cost_more, (gain != 0).astype(np.float64)], bearer, types)


def by_bearer(names: Sequence[str], moments: Moments, confidence: float = CONFIDENCE) -> ByBearer:
    """Worths by type, their spread, and the best and worst bearer.

    A point is one more stand, over all trials. Intervals of single types hold for each by itself,
    not for the best of them; the shrunk worth allows for having been picked.

    Raises
    ------
    InputError
        If names and cells do not match, fewer than two types have enough trials, or a point's worth
        cannot be told from nothing.

    References
    ----------
    DerSimonian and Laird (1986), "Meta-analysis in clinical trials".
    DerSimonian and Kacker (2007), "Random-effects model for meta-analysis of clinical trials: an
    update": the same moments with weights of one's own.
    Louis (1984), "Estimating a population of parameter values using Bayes and empirical Bayes
    methods": the percentiles are those of means shrunk by the root, whose spread is that of the truth.
    """
    if moments.total.shape != (len(names), len(GAINS)):
        raise InputError(f"{len(names)} types need moments of as many cells over {len(GAINS)} columns")
    enough = moments.count >= LEAST_TRIALS
    if enough.sum() < 2:
        raise InputError(f"Worth by bearer needs two types with {LEAST_TRIALS} trials or more")
    ratios = _ratios(moments)
    kept = np.flatnonzero(enough)
    unit = ratios[kept[0]].unit
    if not ratios[kept[0]].unit_is_known(confidence):
        raise InputError("A point's worth cannot be told from nothing, so no bearer has a price")
    worth = np.array([ratios[t].gain / unit for t in kept])
    variance = np.array([ratios[t].v_gain / unit**2 for t in kept])
    # A card that changes little varies little, so the spread is weighted by trials, not by errors.
    mean, between2 = dersimonian_laird(worth, variance, moments.count[kept].astype(np.float64))
    share = between2 / (between2 + variance)
    shrunk = mean + share * (worth - mean)
    spread = mean + np.sqrt(share) * (worth - mean)
    # What is left of a type's own error, and of that of the mean it is drawn to.
    v_mean = 1 / float(np.sum(1 / (variance + between2)))
    error = np.sqrt(share * variance + (1 - share) ** 2 * v_mean)
    z = z_of(confidence)
    bearers = tuple(
        Bearer(
            names[t],
            int(moments.count[t]),
            ratios[t].estimate(confidence),
            Estimate(float(s), float(s - z * e), float(s + z * e), confidence, int(moments.count[t])),
        )
        for t, s, e in zip(kept.tolist(), shrunk, error, strict=True)
    )
    drawn = moments.count[kept]
    low, high = (_percentile(spread, drawn, at) for at in (0.1, 0.9))
    left_out = tuple(name for name, ok, n in zip(names, enough, moments.count, strict=True) if n and not ok)
    return ByBearer(bearers, mean, sqrt(between2), low, high, left_out)


def dersimonian_laird(
    effect: FloatArray, variance: FloatArray, weight: FloatArray | None = None
) -> tuple[float, float]:
    """Mean of random effects and their variance between groups, never below 0.

    Parameters
    ----------
    effect, variance : array of float, shape (groups,)
        Estimates and their variances.
    weight : array of float, shape (groups,), optional
        Weights by which the spread is measured, in place of 1 / variance: for where variances grow
        with effects, as those of rare changes do, and weighting by them finds too much spread.

    Raises
    ------
    InputError
        If there are fewer than two groups or a variance is not positive.
    """
    if len(effect) < 2 or effect.shape != variance.shape or np.any(variance <= 0):
        raise InputError("Random effects need two groups or more, each with a variance above 0")
    a = 1 / variance if weight is None else np.asarray(weight, dtype=np.float64)
    total = a.sum()
    heterogeneity = float(a @ (effect - a @ effect / total) ** 2)
    by_error = float(a @ variance - (a * a) @ variance / total)
    between = max(0.0, (heterogeneity - by_error) / float(total - a @ a / total))
    inverse = 1 / (variance + between)
    return float(inverse @ effect / inverse.sum()), between


def _ratios(moments: Moments) -> list[Ratio]:
    """Gain on each type over the worth of a point in all trials, with what both share."""
    everything = moments.pooled()
    n = int(everything.count)
    mean = everything.mean
    unit = float(mean[1] / mean[2])
    point = np.array([0.0, 1.0, -unit, 0.0]) / float(mean[2])
    one_trial = everything.covariance
    v_unit = float(point @ one_trial @ point) / n
    pooled = float(one_trial[0, 0])
    found = []
    for t, count in enumerate(moments.count):
        if count < 2:
            found.append(Ratio(0.0, unit, np.inf, 0.0, v_unit, int(count), 0))
            continue
        own = moments[t].covariance
        # Few pairs differ: one pseudo-trial of the pooled variance keeps a type in which none did
        # from counting as known for certain.
        spread = (float(own[0, 0]) * (count - 1) + pooled) / count
        found.append(
            Ratio(
                float(moments[t].mean[0]),
                unit,
                spread / int(count),
                float(own[0] @ point) / n,
                v_unit,
                int(count),
                int(moments.total[t, 3]) // 2,
            )
        )
    return found


def _percentile(values: FloatArray, weight: IntArray, at: float) -> float:
    """The smallest value that at least a share `at` of the weight does not exceed."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weight[order]) / weight.sum()
    return float(values[order][int(np.searchsorted(reached, at - 1e-12))])
