"""Battle regression: whether all cards and types fit together.

Random legal armies of varied totals fight; the log-odds of the score are a sum over differences in
stands and cards. There is no intercept, for seats rotate. A score of ½ is a score like any other
(fractional logit), and errors are sandwich errors by pair, so neither draws nor what the model leaves
out makes them too small. A card's price is its coefficient over the worth of a point,

    κ = Σ_t q_t β_t / c_t        q_t: share of points spent on type t,  c_t: its cost

with Fieller's interval. Several copies of a card bring less than one each, and a sum does not know
that: equal points is the headline, this the cross-check and the view of all types at once.

References
----------
Papke and Wooldridge (1996), "Econometric methods for fractional response variables", Journal of
Applied Econometrics 11.
White (1980), "A heteroskedasticity-consistent covariance matrix estimator".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from ftsim._typing import FloatArray, IntArray
from ftsim.errors import InputError, UnknownNameError
from ftsim.estimates import CONFIDENCE, Estimate
from ftsim.pricing.matchups import Matchups
from ftsim.pricing.ratio import Ratio, z_of

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

#: Squared length of a Newton step, in standard errors, after which the answer stands.
TOLERANCE = 1e-16
_MOST_STEPS = 60
#: Below this share of its own variance a direction of the design counts as missing.
_SINGULAR = 1e-10
#: Log-odds by which no coefficient is wrong unless scores say only which sign it has.
_BOUNDLESS = 20.0


@dataclass(frozen=True)
class Numeraire:
    """What a point is: one more point of stands, spread over types.

    Parameters
    ----------
    name : str
        How the report calls it, such as ``"more stands of all types"``.
    share : mapping of str to float
        Share of the point that goes to each type; they sum to 1.
    """

    name: str
    share: Mapping[str, float]

    @classmethod
    def of(cls, name: str, spent: Mapping[str, float], among: Iterable[str] | None = None) -> Numeraire:
        """As points were spent in the armies drawn, on all types or among some.

        Parameters
        ----------
        name : str
            Name of the numeraire.
        spent : mapping of str to float
            Points spent on each type.
        among : iterable of str, optional
            Types that count, such as those on foot.

        Raises
        ------
        InputError
            If nothing was spent on them.
        """
        kept = dict(spent) if among is None else {t: spent[t] for t in among if _known(t, spent)}
        total = sum(kept.values())
        if total <= 0 or min(kept.values()) < 0:
            raise InputError(f"The numeraire {name!r} needs types on which points were spent")
        return cls(name, {t: points / total for t, points in kept.items()})


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over matchups at given coefficients; sums at the same coefficients add up.

    Parameters
    ----------
    gradient : array of float, shape (k,)
        Of the log-likelihood.
    information : array of float, shape (k, k)
        X'WX.
    meat : array of float, shape (k, k)
        Σ r² x x', r the points a pair won beyond those expected.
    likelihood : float
        Log-likelihood.
    doubt : float
        Σ battles × p (1 − p).
    """

    gradient: FloatArray
    information: FloatArray
    meat: FloatArray
    likelihood: float
    doubt: float

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.gradient + other.gradient,
            self.information + other.information,
            self.meat + other.meat,
            self.likelihood + other.likelihood,
            self.doubt + other.doubt,
        )


def sums_at(beta: FloatArray, matchups: Matchups, *, meat: bool = True) -> Sums:
    """Sums over a block of matchups at coefficients of shape ``(columns,)``."""
    k = len(beta)
    gradient, information, middle = np.zeros(k), np.zeros((k, k)), np.zeros((k, k))
    likelihood = doubt = 0.0
    for x, won, plays in matchups.chunks():
        eta = x @ beta
        # p and ln(1 + e^η) without overflow.
        tail = np.exp(-np.abs(eta))
        p = np.where(eta >= 0, 1.0, tail) / (1.0 + tail)
        residual = won - plays * p
        weight = plays * tail / np.square(1.0 + tail)
        gradient += x.T @ residual
        scaled = x * np.sqrt(weight)[:, None]
        information += scaled.T @ scaled
        if meat:
            scaled = x * residual[:, None]
            middle += scaled.T @ scaled
        likelihood += float(won @ eta - plays @ (np.maximum(eta, 0.0) + np.log1p(tail)))
        doubt += float(weight.sum())
    return Sums(gradient, information, middle, likelihood, doubt)


@dataclass(frozen=True, eq=False)
class BattleRegression:
    """Coefficients of all types and cards, and prices from them.

    Parameters
    ----------
    types, cards : tuple of str
        Columns, types first.
    cost : mapping of str to float
        Cost of a stand of each type.
    coefficient : array of float, shape (columns,)
        Log-odds of one stand or card more.
    covariance : array of float, shape (columns, columns)
        Sandwich, by pair (HC0).
    gram : array of float, shape (columns, columns)
        X'X of the design.
    moving : array of int, shape (columns,)
        Matchups whose armies differ in the column.
    matchups : int
        Pairs of armies.
    doubt : float
        Mean over matchups of battles × p (1 − p).
    numeraire : Numeraire
        The default.
    """

    types: tuple[str, ...]
    cards: tuple[str, ...]
    cost: Mapping[str, float]
    coefficient: FloatArray
    covariance: FloatArray
    gram: FloatArray
    moving: IntArray
    matchups: int
    doubt: float
    numeraire: Numeraire

    @property
    def names(self) -> tuple[str, ...]:
        """All columns."""
        return self.types + self.cards

    def log_odds(self, name: str, confidence: float = CONFIDENCE) -> Estimate:
        """Coefficient of a type or card."""
        return self.ratio(name).gain_estimate(confidence)

    def worth_of_point(self, numeraire: Numeraire | None = None, confidence: float = CONFIDENCE) -> Estimate:
        """κ: log-odds of one more point of stands."""
        return self.ratio(self.names[0], numeraire).unit_estimate(confidence)

    def ratio(self, of: str | Mapping[str, float], numeraire: Numeraire | None = None) -> Ratio:
        """A coefficient over the worth of a point.

        Parameters
        ----------
        of : str or mapping of str to float
            A type or card, or weights of several, such as ``{"Deadly": 1, "Twin": -1}``.
        numeraire : Numeraire, optional
            What a point is, in place of the default.
        """
        weights = {of: 1.0} if isinstance(of, str) else of
        top = np.zeros(len(self.names))
        for name, weight in weights.items():
            top[self._at(name)] = weight
        bottom = self._point(numeraire or self.numeraire)
        return Ratio(
            float(top @ self.coefficient),
            float(bottom @ self.coefficient),
            float(top @ self.covariance @ top),
            float(top @ self.covariance @ bottom),
            float(bottom @ self.covariance @ bottom),
            self.matchups,
            int(min(self.moving[self._at(name)] for name in weights)),
        )

    def price(
        self,
        name: str,
        numeraire: Numeraire | None = None,
        confidence: float = CONFIDENCE,
        planned: int | None = None,
    ) -> Estimate:
        """Points of a type or card; nan without ends where a point's worth reaches 0: no price."""
        return self.ratio(name, numeraire).estimate(confidence, planned)

    def card_ratios(self, numeraire: Numeraire | None = None) -> dict[str, Ratio]:
        """Every card over the worth of a point, for `judge`."""
        return {name: self.ratio(name, numeraire) for name in self.cards}

    def inflation(self, name: str) -> float:
        """How many times more variance a coefficient has because its column goes with others (VIF)."""
        k = self._at(name)
        return float(self.gram[k, k] * np.linalg.inv(self.gram)[k, k])

    def own_variance(self, name: str) -> float:
        """Variance of the column given all others, v in `matchups_for`."""
        k = self._at(name)
        return 1.0 / (float(np.linalg.inv(self.gram)[k, k]) * self.matchups)

    def trials_for(self, name: str, half_width: float, numeraire: Numeraire | None = None) -> int:
        """Matchups that give a price a half-width, from this design as the pilot; κ taken as known.

        `Ratio.trials_for` knows the errors of κ and of the model too, and asks for more.
        """
        kappa = self.worth_of_point(numeraire).value
        return matchups_for(half_width, self.own_variance(name), self.doubt, kappa)

    def _at(self, name: str) -> int:
        _known(name, self.names)
        return self.names.index(name)

    def _point(self, numeraire: Numeraire) -> FloatArray:
        found = np.zeros(len(self.names))
        for name, share in numeraire.share.items():
            _known(name, self.types)
            found[self.types.index(name)] = share / self.cost[name]
        return found


def matchups_for(
    half_width: float, own_variance: float, doubt: float, kappa: float, confidence: float = CONFIDENCE
) -> int:
    """Matchups for a half-width in points: n = z² / (v · mean p (1 − p) · κ² h²).

    Parameters
    ----------
    half_width : float
        Wanted half-width, h.
    own_variance : float
        Variance of the column given the others, v: for a card with chance ½ in both armies ½, for
        one with chance 0.15 and one to three copies 1.2.
    doubt : float
        Mean of p (1 − p), at most ¼.
    kappa : float
        Log-odds of a point.

    Raises
    ------
    InputError
        If one is not positive.
    """
    if min(half_width, own_variance, doubt, kappa) <= 0:
        raise InputError("Half-width, variance, doubt and worth of a point must be above 0")
    return ceil((z_of(confidence) / (half_width * kappa)) ** 2 / (own_variance * doubt))


def battle_regression(
    matchups: Matchups,
    types: Mapping[str, float],
    cards: Mapping[str, float],
    numeraire: Numeraire,
    *,
    totals: FloatArray | None = None,
    start: FloatArray | None = None,
    tolerance: float = TOLERANCE,
) -> BattleRegression:
    """Fit all types and cards at once.

    Parameters
    ----------
    matchups : Matchups
        Columns in the order of `types`, then of `cards`.
    types : mapping of str to float
        Cost of a stand of each type.
    cards : mapping of str to float
        Printed price of each card, by which armies' totals are counted.
    numeraire : Numeraire
        What a point is.
    totals : array of float, shape (matchups,), optional
        Points of the first army minus those of the second; needed where a card's printed price
        depends on its bearer, otherwise counted from costs and prices.
    start : array of float, shape (columns,), optional
        Coefficients to start from, as those of the last look.
    tolerance : float
        Squared length of the last Newton step in standard errors.

    Raises
    ------
    InputError
        If all armies have exactly equal totals, so that a point has no worth to be found; if columns
        never differ or cannot be told apart; or if the armies decide every battle.
    """
    names = (*types, *cards)
    if len(set(names)) != matchups.difference.shape[1] or len(names) != len(set(names)):
        raise InputError(f"{matchups.difference.shape[1]} columns need as many different names, got {len(names)}")
    prices = np.array([*types.values(), *cards.values()], dtype=np.float64)
    beta = np.zeros(len(names)) if start is None else np.array(start, dtype=np.float64)
    # One thread: blocks are too small to share, threads that wait for one another take four times
    # the processor time, and sums in another order are other bytes.
    with _blas().limit(limits=1, user_api="blas"):
        gram, moving = _design(matchups)
        _check_totals(matchups, prices, totals)
        _check_columns(names, gram, prices)
        sums = _newton(beta, matchups, tolerance)
    bread = np.linalg.inv(sums.information)
    boundless = [name for name, v in zip(names, np.diag(bread), strict=True) if not 0 < v < _BOUNDLESS**2]
    if boundless:
        raise InputError(f"{_SEPARATED}: {', '.join(boundless)}")
    return BattleRegression(
        tuple(types),
        tuple(cards),
        dict(types),
        beta,
        bread @ sums.meat @ bread,
        gram,
        moving,
        len(matchups),
        sums.doubt / len(matchups),
        numeraire,
    )


@cache
def _blas() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


_SEPARATED = "Who has more of it always wins (separation), so there is no finite worth to be found; play more battles"


def _newton(beta: FloatArray, matchups: Matchups, tolerance: float) -> Sums:
    """Bring `beta` to the maximum, in place; the sums there."""
    sums = sums_at(beta, matchups, meat=False)
    for _ in range(_MOST_STEPS):
        try:
            step = np.linalg.solve(sums.information, sums.gradient)
        except np.linalg.LinAlgError:
            break
        if float(step @ sums.gradient) <= tolerance:
            return sums_at(beta, matchups)
        tried = sums_at(beta + step, matchups, meat=False)
        while tried.likelihood < sums.likelihood - 1e-9 * abs(sums.likelihood):
            step = step / 2
            tried = sums_at(beta + step, matchups, meat=False)
        beta += step
        sums = tried
    raise InputError(_SEPARATED)


def _design(matchups: Matchups) -> tuple[FloatArray, IntArray]:
    """X'X, and how many rows are not 0 in each column. Whole numbers, so exact in floats."""
    k = matchups.difference.shape[1]
    gram, moving = np.zeros((k, k)), np.zeros(k, dtype=np.int64)
    for x, _, _ in matchups.chunks():
        gram += x.T @ x
        moving += np.count_nonzero(x, axis=0)
    return gram, moving


_EQUAL_TOTALS = (
    "All matchups are between armies of exactly equal points, so the worth of a point cannot be told: adding any "
    "multiple of the printed costs to all coefficients changes no prediction and slides every price towards its "
    "printed one. Let the totals vary, for instance by 12 %"
)


def _check_totals(matchups: Matchups, prices: FloatArray, totals: FloatArray | None) -> None:
    if totals is None:
        totals = np.concatenate([x @ prices for x, _, _ in matchups.chunks()]) if len(matchups) else np.zeros(0)
    if len(totals) != len(matchups):
        raise InputError("Totals must tell of the same matchups as differences")
    if not len(matchups):
        raise InputError("No data: a regression needs matchups")
    if np.all(np.abs(totals) < 1e-9):
        raise InputError(_EQUAL_TOTALS)


def _check_columns(names: tuple[str, ...], gram: FloatArray, prices: FloatArray) -> None:
    size = np.sqrt(np.diag(gram))
    never = [name for name, s in zip(names, size, strict=True) if s == 0]
    if never:
        raise InputError(f"No two armies ever differ in {', '.join(never)}: nothing can be said of them")
    values, vectors = np.linalg.eigh(gram / np.outer(size, size))
    if values[0] > _SINGULAR:
        return
    direction = vectors[:, 0] / size
    along = abs(direction @ prices) / (np.linalg.norm(direction) * np.linalg.norm(prices))
    if along > 1 - 1e-6:
        raise InputError(_EQUAL_TOTALS)
    strength = np.abs(vectors[:, 0])
    together = [name for name, s in zip(names, strength, strict=True) if s > 0.05 * strength.max()]
    raise InputError(f"These always differ together, so their worths cannot be told apart: {', '.join(together)}")


def _known(name: str, names: Iterable[str]) -> bool:
    """True, or an error that suggests a name."""
    if name not in names:
        raise UnknownNameError("type or card", name, names)
    return True
