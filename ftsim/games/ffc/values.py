"""Implied values: one joint logistic regression of who wins on who was dealt what.

Each card of a deck is +1 for side A, -1 for side B and 0 where it is set aside. Because a share of
the dealt cards is withheld at random, the worth of a card is identified against not having it,
and a caster's body apart from his spells. Draws and unresolved battles count half
(fractional logit), with sandwich errors.

References
----------
Papke and Wooldridge (1996), "Econometric methods for fractional response variables".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from ftsim._typing import FloatArray, IntArray
from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate
from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.cards import armor, fight_cards, spells, warriors, weapons

DECKS = ("warrior", "weapon", "armor", "spell", "fight card")
#: A penalty far below any sampling error; it only keeps the solution finite.
RIDGE = 1e-6


@dataclass(frozen=True)
class Term:
    """A column of the regression: a card of a deck."""

    deck: str
    name: str


@lru_cache(maxsize=1)
def terms() -> tuple[Term, ...]:
    """All 111 cards in the order of the columns."""
    found = [Term("warrior", w.name) for w in warriors().values()]
    found += [Term("weapon", w.name) for w in weapons().values() if w.copies]
    found += [Term("armor", a.name) for a in armor().values()]
    found += [Term("spell", s.name) for s in spells().values()]
    return (*found, *(Term("fight card", c.name) for c in fight_cards().values()))


def design(out: IntArray) -> FloatArray:
    """Columns of the regression from results of battles, shape ``(trials, 111)``.

    A fight card counts by the opening hands: copies of A minus copies of B.
    """
    parts = [
        _difference(out, at.O_WARRIORS_A, at.O_WARRIORS_B, 20),
        _difference(out, at.O_WEAPONS_A, at.O_WEAPONS_B, 28),
        _difference(out, at.O_ARMOR_A, at.O_ARMOR_B, 29),
        _difference(out, at.O_SPELLS_A, at.O_SPELLS_B, 20),
        out[:, at.O_OPENING : at.O_OPENING + 14].astype(np.float64),
    ]
    return np.concatenate(parts, axis=1)


def _difference(out: IntArray, a: int, b: int, bits: int) -> FloatArray:
    places = np.arange(bits)
    one, other = (np.right_shift(out[:, column][:, None], places) & 1 for column in (a, b))
    return np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64)


def score(out: IntArray) -> FloatArray:
    """1 where A won, 0 where B won, ½ otherwise."""
    result = out[:, at.O_RESULT]
    return np.where(result == at.WON_A, 1.0, np.where(result == at.WON_B, 0.0, 0.5))


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted regression.

    Parameters
    ----------
    beta : array of float, shape (111,)
        Log-odds a card adds to its side.
    covariance : array of float, shape (111, 111)
        Sandwich covariance of `beta`.
    slope : float
        Change of the chance to win for a change of log-odds, at the mean over the battles.
    trials : int
        Battles.
    explained : float
        Share of the variance of the score that the deal explains.
    seat : Estimate
        Log-odds of side A's seat, which ought to be 0.
    """

    beta: FloatArray
    covariance: FloatArray
    slope: float
    trials: int
    explained: float
    seat: Estimate

    def worth(self, weights: FloatArray, scale: float = 1.0, confidence: float = CONFIDENCE) -> Estimate:
        """A weighted sum of coefficients, with its interval."""
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        value = float(weights @ self.beta) * scale
        half = z * max(0.0, float(weights @ self.covariance @ weights)) ** 0.5 * abs(scale)
        return Estimate(value, value - half, value + half, confidence, self.trials)

    def points(self, k: int) -> Estimate:
        """Points of win chance (per cent) that holding card `k` adds to its side."""
        return self.worth(unit(k), 100 * self.slope)

    def centred(self, k: int) -> Estimate:
        """The same against the mean card of its deck."""
        return self.worth(unit(k) - mean_of(terms()[k].deck), 100 * self.slope)


def unit(k: int) -> FloatArray:
    """The weight vector of one card."""
    weights = np.zeros(len(terms()))
    weights[k] = 1.0
    return weights


def mean_of(deck: str, names: Sequence[str] | None = None) -> FloatArray:
    """The weight vector of the mean card of a deck, or of some of its cards."""
    chosen = np.array([t.deck == deck and (names is None or t.name in names) for t in terms()], dtype=np.float64)
    if not chosen.any():
        raise InputError(f"No card of deck {deck!r} is among {names}")
    return np.asarray(chosen / chosen.sum())


def place(deck: str, name: str) -> int:
    """The column of a card."""
    return terms().index(Term(deck, name))


def fit(x: FloatArray, y: FloatArray) -> Fit:
    """Fit by Newton's method.

    Parameters
    ----------
    x : array of float, shape (trials, cards)
        From `design`.
    y : array of float, shape (trials,)
        From `score`.

    Raises
    ------
    InputError
        If there are not ten battles a card, or the fit does not settle.
    """
    n, cards = x.shape
    if n < 10 * cards:
        raise InputError(f"{n} battles for {cards} cards; at least {10 * cards} are needed")
    full = np.concatenate([x, np.ones((n, 1))], axis=1)
    beta = np.zeros(cards + 1)
    ridge = RIDGE * n * np.eye(cards + 1)
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-(full @ beta)))
        weight = chance * (1.0 - chance)
        hessian = (full * weight[:, None]).T @ full + ridge
        step = np.linalg.solve(hessian, full.T @ (y - chance) - ridge @ beta)
        beta += step
        if np.max(np.abs(step)) < 1e-10:
            break
    else:
        raise InputError("The regression does not settle: one side wins every battle")
    inverse = np.linalg.inv(hessian)
    residual = full * (y - chance)[:, None]
    covariance = inverse @ (residual.T @ residual) @ inverse
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    half = z * float(np.sqrt(covariance[-1, -1]))
    seat = Estimate(float(beta[-1]), float(beta[-1]) - half, float(beta[-1]) + half, CONFIDENCE, n)
    explained = float(np.var(chance) / np.var(y))
    return Fit(beta[:-1], covariance[:-1, :-1], float(np.mean(weight)), n, explained, seat)


@dataclass(frozen=True)
class PointList:
    """Proposed points.

    Parameters
    ----------
    unit : float
        Log-odds of one point.
    points : mapping of Term to float
        Points on a grid of halves; below half a point counts as 0.
    """

    unit: float
    points: Mapping[Term, float]

    def total(self, x: FloatArray) -> FloatArray:
        """Points of side A minus points of side B, shape ``(trials,)``."""
        values = np.array([self.points.get(term, 0.0) for term in terms()])
        return np.asarray(x @ values)


def point_list(found: Fit, decks: Sequence[str] = DECKS[:4], mean: float = 5.0) -> PointList:
    """Points by which equal totals have equal chances: a mean warrior costs `mean`."""
    one = float(mean_of("warrior") @ found.beta) / mean
    if one <= 0:
        raise InputError("A mean warrior is worth nothing in these battles, so there is no unit of points")
    points = {
        term: max(0.0, round(2 * found.beta[k] / one) / 2) for k, term in enumerate(terms()) if term.deck in decks
    }
    return PointList(one, points)
