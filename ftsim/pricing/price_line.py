"""The price line: what the dice say a card is worth, in factors and in points.

Strength is the log-odds of the mean chance, over a field of opponents, to make the other side
leave the fight first. A card's worth in factors is its change of strength over that of +1
factor on the same bearers: no line enters. Points per unit of strength come from the plain
types and are known only within bounds, because prices are rounded and pay for more than
fighting while strengths are a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np

from ftsim._typing import BoolArray, FloatArray
from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate


@dataclass(frozen=True, eq=False)
class Strengths:
    """Strength of stands against a field.

    Parameters
    ----------
    chance : array of float, shape (..., n)
        Mean chance to outlast an opponent from the field.
    value : array of float, shape (..., n)
        Its log-odds; infinite where nothing in the field can win, or everything does.
    """

    chance: FloatArray
    value: FloatArray

    @property
    def bounded(self) -> BoolArray:
        """Where the strength is a number; elsewhere there is only a bound, and no price."""
        return np.isfinite(self.value)


def outlasting(loss: FloatArray, loss_enemy: FloatArray, horizon: int | None = None) -> FloatArray:
    """Chance that the enemy leaves the fight first.

    Rounds repeat until somebody leaves, so the chance is the enemy's loss in a round over the
    loss of both; ½ when nobody can ever leave. This is the answer of the absorbing chain with
    two endings.

    Parameters
    ----------
    loss, loss_enemy : array of float, broadcast together
        Expected loss of each side in one round, between 0 and 1.
    horizon : int, optional
        Number of rounds after which an undecided fight counts ½.

    Raises
    ------
    InputError
        If the horizon is not positive.
    """
    both = loss + loss_enemy
    chance = np.where(both > 0, loss_enemy / np.where(both > 0, both, 1.0), 0.5)
    if horizon is None:
        return np.asarray(chance)
    if horizon < 1:
        raise InputError(f"The horizon must be at least one round, got {horizon}")
    undecided = (1.0 - both) ** horizon
    return np.asarray(chance * (1.0 - undecided) + 0.5 * undecided)


def strengths(chance: FloatArray, field: FloatArray) -> Strengths:
    """Strengths from chances of shape ``(..., n, m)`` and a field of shape ``(m,)``.

    The mean over the field comes first, then the log-odds: single matchups are often certain.

    Raises
    ------
    InputError
        If the field has a negative weight or none at all.
    """
    if np.any(field < 0) or field.sum() <= 0:
        raise InputError("A field needs weights that are not negative, and at least one above 0")
    # Both shares are summed, for 1 − the mean of certain wins is not always 0 in floats.
    won, lost = chance @ field, (1.0 - chance) @ field
    with np.errstate(divide="ignore"):
        return Strengths(won / (won + lost), np.log(won) - np.log(lost))


def worth_in_factors(card: FloatArray, plain: FloatArray, factor: FloatArray) -> float:
    """Worth of a card in factors: mean change of strength over that of +1 factor.

    Parameters
    ----------
    card, plain, factor : array of float, shape (bearers,)
        Strength of each bearer with the card, plain, and with +1 to its factors.

    Returns
    -------
    float
        nan when no bearer has a finite strength in all three.
    """
    usable = np.isfinite(card) & np.isfinite(plain) & np.isfinite(factor)
    if not usable.any():
        return nan
    step = float(np.mean(factor[usable] - plain[usable]))
    if step == 0:
        return nan
    return float(np.mean(card[usable] - plain[usable])) / step


@dataclass(frozen=True)
class PriceLine:
    """Points per unit of strength, between bounds.

    Parameters
    ----------
    slope : Estimate
        Points per unit: geometric mean of the two regressions, and the bounds of both together.
    cost_on_strength, strength_on_cost : float
        The two slopes; the second is in strength per point.
    covariates : tuple of str
        What else prices pay for, partialled out.
    prices : int
        Number of printed prices the line rests on.
    """

    slope: Estimate
    cost_on_strength: float
    strength_on_cost: float
    covariates: tuple[str, ...]
    prices: int

    def points(self, change: float) -> Estimate:
        """A change of strength in points."""
        ends = sorted((change * self.slope.low, change * self.slope.high)) if change else [0.0, 0.0]
        return Estimate(change * self.slope.value, ends[0], ends[1], self.slope.confidence)


def price_line(
    cost: FloatArray,
    strength: FloatArray,
    covariates: Mapping[str, FloatArray],
    confidence: float = CONFIDENCE,
) -> PriceLine:
    """Points per unit of strength from printed prices.

    Regressing cost on strength gives too little when strengths are imperfect, strength on cost
    inverted too much when prices are; the truth lies between (Frisch bounds). The interval runs
    from the lower limit of the first to the inverse lower limit of the second, with HC3 errors
    and Student's t.

    Parameters
    ----------
    cost : array of float, shape (types,)
        Printed prices in points.
    strength : array of float, shape (types,)
        Strengths; types without a finite one are left out.
    covariates : mapping of str to array, shape (types,)
        What prices also pay for, such as the move.
    confidence : float
        Coverage.

    Raises
    ------
    InputError
        If too few types are left, or cost and strength do not go together.

    References
    ----------
    Frisch (1934), "Statistical Confluence Analysis by Means of Complete Regression Systems".
    Klepper and Leamer (1984), "Consistent sets of estimates for regressions with errors in all
    variables", Econometrica 52.
    MacKinnon and White (1985), "Some heteroskedasticity-consistent covariance matrix estimators".
    """
    usable = np.isfinite(strength)
    others = [np.asarray(values, dtype=np.float64)[usable] for values in covariates.values()]
    count = int(usable.sum())
    freedom = count - 2 - len(others)
    if freedom < 2:
        raise InputError(f"A price line needs more than {len(others) + 3} priced types, got {count}")
    first = _slope(cost[usable], strength[usable], others)
    second = _slope(strength[usable], cost[usable], others)
    if first.value <= 0 or second.value <= 0:
        raise InputError("Printed prices do not rise with strength, so they say nothing about a price")
    t = _student(freedom, confidence)
    low = first.value - t * first.error
    rise = second.value - t * second.error
    high = 1 / rise if rise > 0 else inf
    slope = Estimate(sqrt(first.value / second.value), max(low, 0.0), high, confidence)
    return PriceLine(slope, first.value, second.value, tuple(covariates), count)


@dataclass(frozen=True)
class _Slope:
    value: float
    error: float


def _slope(response: FloatArray, regressor: FloatArray, others: list[FloatArray]) -> _Slope:
    """Coefficient of `regressor` with its HC3 standard error."""
    import statsmodels.api as sm

    design = np.column_stack([np.ones_like(regressor), regressor, *others])
    if np.linalg.matrix_rank(design) < design.shape[1] or np.ptp(response) == 0:
        raise InputError("Prices, strengths and covariates must all vary, each in its own way")
    # A type that a covariate has for itself alone says nothing about the slope.
    told = np.square(np.linalg.qr(design).Q).sum(1) < 1 - 1e-9
    response, design = response[told], design[told][:, np.ptp(design[told], axis=0) > 0]
    fit = sm.OLS(response, np.column_stack([np.ones(len(design)), design])).fit(cov_type="HC3")
    return _Slope(float(fit.params[1]), float(fit.bse[1]))


def _student(freedom: int, confidence: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + confidence) / 2))
