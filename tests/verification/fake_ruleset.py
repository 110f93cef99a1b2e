"""A fake ruleset whose battle is a coin: every worth is known, so prices and verdicts can be checked.

Twenty-six types, thirty-seven cards; the log-odds of a battle are the sum of worths of one army minus
the other, plus noise that the pair of armies keeps; one battle in ten is a draw. A study is what a user
runs: armies drawn, battles fought, prices and verdicts from `ftsim.pricing`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ftsim.pricing.equal_points import arm_moments, priced_cards
from ftsim.pricing.matchups import Matchups
from ftsim.pricing.moments import Moments
from ftsim.pricing.ratio import Ratio
from ftsim.pricing.regression import BattleRegression, Numeraire, battle_regression

TYPES = tuple(f"Type {k}" for k in range(26))
COST = np.array([2.0] * 7 + [3.0] * 11 + [4.0] * 8)
#: How often each type is drawn, and what a stand of it adds to the log-odds: not all are priced alike.
DECK = np.repeat(np.arange(26, dtype=np.int8), np.random.default_rng(26).integers(10, 31, 26))
KAPPA = 0.16
WORTH = KAPPA * COST * np.random.default_rng(27).uniform(0.5, 1.5, 26)

CARDS = tuple(f"Card {k}" for k in range(37))
#: Ten army cards (one an army, chance ½), 27 stand cards (chance 0.15, one to three copies).
ARMY_CARD = np.arange(37) < 10
PRINTED = np.resize([0.5, 1.0, 2.0, -0.5, 3.0, -2.0, 1.0, 2.0], 37)
#: True price less printed: fair, near the margin, at its very edge, and mispriced.
EXCESS = np.resize([0.0, 0.25, -0.25, 0.75, 0.1, -0.75, 0.25, 0.0, 1.5, -0.1, -0.25, -1.5, 0.0], 37)
TRUE_PRICE = PRINTED + EXCESS
MARGIN = 0.25

DRAWS = 0.1
NOISE = 0.6
POINTS, SPREAD = 51.0, 0.12
MOST_STANDS = 30


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def needed(luck: np.ndarray) -> np.ndarray:
    """Log-odds that a draw and a win take, shape (2, ...): a tenth of all battles is drawn, whatever they are."""
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.clip(np.stack([luck - DRAWS, luck]) / (1 - DRAWS), 0, 1)
        return np.log(share) - np.log1p(-share)


def score_of(eta: np.ndarray, need: np.ndarray) -> np.ndarray:
    """1, ½ or 0: won with chance 0.9 p, drawn with chance 0.1."""
    return 0.5 * (eta > need[0]) + 0.5 * (eta > need[1])


def draw_stands(rng: np.random.Generator, room: np.ndarray) -> np.ndarray:
    """Positions of types of stands that fit into `room` points each, −1 where there is none."""
    kinds = DECK[rng.integers(0, len(DECK), (len(room), MOST_STANDS))]
    fits = np.cumsum(COST[kinds], axis=1) <= room[:, None]
    return np.where(fits, kinds, -1)


@dataclass(frozen=True)
class Armies:
    """Random armies with cards; worth without those, and points by printed prices."""

    counts: np.ndarray
    totals: np.ndarray

    @classmethod
    def draw(cls, rng: np.random.Generator, count: int) -> Armies:
        points = rng.uniform(POINTS * (1 - SPREAD), POINTS * (1 + SPREAD), count)
        copies = rng.integers(1, 4, (count, 37))
        copies[:, ARMY_CARD] = 1
        has = rng.random((count, 37)) < np.where(ARMY_CARD, 0.5, 0.15)
        cards = copies * has
        stands = draw_stands(rng, points - cards @ PRINTED)
        counts = np.zeros((count, 63), dtype=np.int8)
        for kind in range(26):
            counts[:, kind] = (stands == kind).sum(1)
        counts[:, 26:] = cards
        return cls(counts, counts @ np.concatenate([COST, PRINTED]))


def spent(armies: Armies) -> dict[str, float]:
    return dict(zip(TYPES, (armies.counts[:, :26] * COST).sum(0).tolist(), strict=True))


def point_of(armies: Armies) -> Numeraire:
    return Numeraire.of("more stands of all types", spent(armies))


def true_coefficients(numeraire: Numeraire) -> np.ndarray:
    """Worths of types as planted; of cards so that their prices are `TRUE_PRICE`."""
    kappa = sum(share * WORTH[TYPES.index(t)] / COST[TYPES.index(t)] for t, share in numeraire.share.items())
    return np.concatenate([WORTH, TRUE_PRICE * kappa])


def fight(rng: np.random.Generator, armies: Armies, beta: np.ndarray, matchups: int) -> Matchups:
    """Battles of pairs drawn from a pool, one each."""
    one, other = rng.integers(0, len(armies.counts), (2, matchups))
    difference = armies.counts[one] - armies.counts[other]
    worth = armies.counts @ beta
    eta = worth[one] - worth[other] + NOISE * rng.normal(size=matchups)
    return Matchups.of_battles(difference, score_of(eta, needed(rng.random(matchups))))


def regress(rows: Matchups, numeraire: Numeraire, start: np.ndarray | None = None, **options) -> BattleRegression:
    return battle_regression(
        rows,
        dict(zip(TYPES, COST.tolist(), strict=True)),
        dict(zip(CARDS, PRINTED.tolist(), strict=True)),
        numeraire,
        start=start,
        **options,
    )


# Equal points.

#: Cards of one printed price share their plain arms.
GROUPS = {price: np.flatnonzero(price == PRINTED) for price in np.unique(PRINTED)}
#: A card adds more on some types than on others.
BEARER = 1 + 0.3 * np.random.default_rng(28).normal(size=(37, 26))
#: How often an arm goes its own way, so that shared dice no longer help.
PARTED = 0.05


@dataclass(frozen=True)
class Trials:
    """Log-odds of the plain army, of its bearer's and its added and missing stand, by trial."""

    eta: np.ndarray
    bearer: np.ndarray
    more: np.ndarray
    less: np.ndarray


def draw_trials(rng: np.random.Generator, trials: int, price: float) -> Trials:
    own = draw_stands(rng, np.full(trials, POINTS - max(0.0, np.ceil(price))))
    enemy = draw_stands(rng, np.full(trials, POINTS))
    padded = np.append(WORTH, 0.0)  # position −1 is no stand
    eta = padded[own].sum(1) - padded[enemy].sum(1) + NOISE * rng.normal(size=trials)
    size = (own >= 0).sum(1)
    pick = (rng.random((3, trials)) * size).astype(int)
    bearer, more, less = own[np.arange(trials), pick]
    return Trials(eta, bearer, more, less)


def expected(eta: np.ndarray) -> np.ndarray:
    return (1 - DRAWS) * sigmoid(eta) + DRAWS / 2


def calibrated(rng: np.random.Generator, trials: int = 200_000) -> np.ndarray:
    """Worths of cards whose prices by equal points are `TRUE_PRICE`, to a thousandth."""
    found = np.zeros(37)
    for price, cards in GROUPS.items():
        drawn = draw_trials(rng, trials, price)
        plain = expected(drawn.eta)
        kappa = (expected(drawn.eta + WORTH[drawn.more]) - plain).mean() / COST[drawn.more].mean()
        for card in cards:
            wanted, worth = TRUE_PRICE[card] * kappa, TRUE_PRICE[card] * KAPPA
            for _ in range(3 if wanted else 0):
                gain = (expected(drawn.eta + worth * BEARER[card][drawn.bearer]) - plain).mean()
                worth *= wanted / gain
            found[card] = worth
    return found


def play_arms(rng: np.random.Generator, worth: np.ndarray, trials: int, blocks: int = 1) -> list[Moments]:
    """Moments over all cards, in the order of `CARDS`, of each block of trials."""
    parts: list[dict[int, Moments]] = [{} for _ in range(blocks)]
    for price, cards in GROUPS.items():
        t = draw_trials(rng, trials, price)
        need, other = needed(rng.random((2, trials))).swapaxes(0, 1)

        def dice(need=need, other=other) -> np.ndarray:
            return np.where(rng.random(trials, dtype=np.float32) < PARTED, other, need)

        plain = score_of(t.eta, need)
        more = score_of(t.eta + WORTH[t.more], dice())
        less = score_of(t.eta - WORTH[t.less], dice())
        carded = np.stack([score_of(t.eta + worth[k] * BEARER[k][t.bearer], dice()) for k in cards])
        for block, at in enumerate(np.array_split(np.arange(trials), blocks)):
            found = arm_moments(plain[at], carded[:, at], more[at], COST[t.more[at]], less[at], COST[t.less[at]])
            for j, k in enumerate(cards):
                parts[block][int(k)] = found[j]
    return [
        Moments(*(np.stack([getattr(part[k], name) for k in range(37)]) for name in ("count", "total", "product")))
        for part in parts
    ]


def ratios_of(moments: Moments) -> dict[str, Ratio]:
    return {name: found.ratio for name, found in priced_cards(CARDS, moments).items()}


# What a study claims, and whether it is so.

PRICES = dict(zip(CARDS, PRINTED.tolist(), strict=True))
TRUTH = dict(zip(CARDS, TRUE_PRICE.tolist(), strict=True))


def false_claims(verdicts: dict[str, str]) -> int:
    """Claims that are not so; at the very edge of the margin every claim counts as false."""
    wrong = 0
    for name, word in verdicts.items():
        excess = round(TRUTH[name] - PRICES[name], 9)
        so = {"underpriced": excess > MARGIN, "overpriced": excess < -MARGIN, "fair": abs(excess) < MARGIN}
        wrong += word in so and not so[word]
    return wrong


def claims(verdicts: dict[str, str]) -> int:
    return sum(word in ("underpriced", "overpriced", "fair") for word in verdicts.values())
