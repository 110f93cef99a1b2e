"""Attribution: what each card of a bundle adds, by Shapley.

Cards on one stand help or hinder one another, so what they add together is not the sum of what each
adds alone. The Shapley value of a card is its mean addition over all orders in which the cards could
be given; the values of all cards add up to what the bundle adds. With up to eight cards all subsets
are played, on the same dice, and nothing is approximated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.estimates import CONFIDENCE, Estimate, exactly
from ftsim.pricing.ratio import Ratio, z_of

#: 256 subsets; more cards on one stand than anybody prints.
MOST_CARDS = 8


@dataclass(frozen=True)
class Attribution:
    """Shares of a bundle's worth.

    Parameters
    ----------
    cards : tuple of str
        The bundle.
    shares : tuple of Estimate
        Shapley value of each card; they add up to `total`.
    alone : tuple of Estimate
        What each card adds by itself.
    total : Estimate
        What the whole bundle adds.
    synergy : Estimate
        Total less the sum of `alone`: above 0 the cards help one another.
    """

    cards: tuple[str, ...]
    shares: tuple[Estimate, ...]
    alone: tuple[Estimate, ...]
    total: Estimate
    synergy: Estimate


def subsets(cards: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """All subsets, in the order of `attribute`'s table: card k is in subset s where bit k of s is set."""
    _check(cards)
    return tuple(tuple(c for k, c in enumerate(cards) if s >> k & 1) for s in range(2 ** len(cards)))


def shapley_weights(cards: int) -> FloatArray:
    """Weight of every subset's value in the share of each card, shape ``(cards, 2 ** cards)``.

    Rows sum to 0, and all rows together weigh the full subset 1, the empty one −1, the rest 0.

    References
    ----------
    Shapley (1953), "A value for n-person games".
    """
    weights = np.zeros((cards, 2**cards))
    for s in range(2**cards):
        size = s.bit_count()
        for k in range(cards):
            if s >> k & 1:
                weights[k, s] = factorial(size - 1) * factorial(cards - size) / factorial(cards)
            else:
                weights[k, s] = -factorial(size) * factorial(cards - size - 1) / factorial(cards)
    return weights


def attribute(cards: Sequence[str], values: FloatArray, confidence: float = CONFIDENCE) -> Attribution:
    """Shapley values of a bundle from the values of all its subsets.

    Parameters
    ----------
    cards : sequence of str
        The bundle, at most eight.
    values : array of float, shape (2 ** cards,) or (2 ** cards, trials)
        Value of each subset in the order of `subsets`; exact, or one of each trial on the same dice,
        from which the standard errors come.
    confidence : float
        Coverage.

    Raises
    ------
    InputError
        If the bundle is empty, too large or names a card twice, or values are missing.

    Examples
    --------
    Two cards that are worth 1 and 2 alone, and 4 together, share the extra point:

    >>> [share.value for share in attribute(["a", "b"], np.array([0.0, 1.0, 2.0, 4.0])).shares]
    [1.5, 2.5]
    """
    _check(cards)
    m = len(cards)
    table = np.asarray(values, dtype=np.float64)
    if table.shape[:1] != (2**m,) or table.ndim > 2 or (table.ndim == 2 and table.shape[1] < 2):
        raise InputError(
            f"{m} cards have {2**m} subsets, each with one value or two trials or more; got shape {table.shape}"
        )
    if not np.all(np.isfinite(table)):
        missing = subsets(cards)[int(np.flatnonzero(~np.isfinite(table.reshape(2**m, -1)).all(1))[0])]
        raise InputError(f"No value for the subset {list(missing)}: a bundle needs all of them")
    single = np.zeros((m, 2**m))
    single[np.arange(m), 1 << np.arange(m)] = 1.0
    single[:, 0] = -1.0
    whole = np.zeros(2**m)
    whole[-1], whole[0] = 1.0, -1.0

    def estimate(weights: FloatArray) -> Estimate:
        if table.ndim == 1:
            return exactly(float(weights @ table))
        trials = weights @ table
        value = float(trials.mean())
        half = z_of(confidence) * float(trials.std(ddof=1)) / np.sqrt(len(trials))
        return Estimate(value, value - half, value + half, confidence, len(trials))

    return Attribution(
        tuple(cards),
        tuple(estimate(row) for row in shapley_weights(m)),
        tuple(estimate(row) for row in single),
        estimate(whole),
        estimate(whole - single.sum(0)),
    )


def attribute_by(
    cards: Sequence[str],
    value: Callable[[tuple[str, ...]], float | FloatArray],
    confidence: float = CONFIDENCE,
) -> Attribution:
    """Shapley values from a function that values a subset: a number, or one of each trial."""
    return attribute(cards, np.array([value(subset) for subset in subsets(cards)], dtype=np.float64), confidence)


def attributed_prices(
    cards: Sequence[str], values: FloatArray, more: FloatArray, cost_more: FloatArray
) -> dict[str, Ratio]:
    """Shapley value of each card in points of one more stand.

    Parameters
    ----------
    cards : sequence of str
        The bundle.
    values : array of float, shape (2 ** cards, trials)
        Score of the army with each subset; the empty one is the plain army.
    more, cost_more : array of float, shape (trials,)
        Score with one more plain stand instead, and that stand's cost.
    """
    _check(cards)
    if values.ndim != 2 or len(values) != 2 ** len(cards):
        raise InputError(f"{len(cards)} cards need {2 ** len(cards)} rows of trials, got shape {values.shape}")
    gains = shapley_weights(len(cards)) @ values
    return {card: Ratio.of_trials(gains[k], more - values[0], cost_more) for k, card in enumerate(cards)}


def _check(cards: Sequence[str]) -> None:
    if not 1 <= len(cards) <= MOST_CARDS:
        raise InputError(f"A bundle has 1 to {MOST_CARDS} cards, got {len(cards)}")
    if len(set(cards)) != len(cards):
        raise InputError(f"A bundle names each card once, got {list(cards)}")
