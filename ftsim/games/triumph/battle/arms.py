"""Arms of a comparison: the same random armies plain, with a card, and with one more stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import Ints, Pool, pack_host
from ftsim.games.triumph.battle.engine import BattleOptions, fight_pool
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.muster import random_pool
from ftsim.games.triumph.notation import Pick, Stand, eligible, read_card
from ftsim.games.triumph.price_study import card_price
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.troop_types import published_field, troop_types
from ftsim.pricing.equal_points import EqualPoints, equal_points, residual
from ftsim.streams import generator

POINTS = 51


@dataclass(frozen=True, eq=False)
class Arms:
    """Scores of three arms, trial by trial.

    Parameters
    ----------
    plain, carded, stronger : array of float, shape (trials,)
        Scores of the first army.
    cost : array of float, shape (trials,)
        Cost of the stand that the third arm has more.
    bearer : array of int, shape (trials,)
        Position of the bearer's troop type, or of the added stand's.
    """

    plain: FloatArray
    carded: FloatArray
    stronger: FloatArray
    cost: FloatArray
    bearer: Ints

    def price(self) -> EqualPoints:
        """The price by equal points."""
        return equal_points(self.plain, self.carded, self.stronger, self.cost)

    def residual(self, price: float) -> float:
        """What decides how many trials a price needs."""
        return residual(self.plain, self.carded, self.stronger, self.cost, price)


def frequencies() -> dict[str, float]:
    """How often each type is drawn into random armies: as in published lists."""
    return {troop_types()[name].name: share for name, share in published_field().items()}


def drawn_armies(count: int, seed: int, first: int, rulings: TriumphRulings, points: int, which: str) -> Pool:
    """Plain random armies of up to `points` points, losing at a third of the full game's.

    Parameters
    ----------
    which : str
        Tells armies apart that are drawn with the same seed: one's own and the opponents'.
    """
    key = int(generator(seed, {"armies": which}).integers(0, 2**31))
    pool = random_pool(count, key, rulings, first=first, points=points, spread=0.0, plain=True, weights=frequencies())
    full = pack_host(Host.of("full", [Stand(troop_types()["horde"])], points=POINTS), rulings)
    if full.shape[1] != pool.spec.shape[2]:
        raise InputError("Random armies are packed in another form than battles take")
    return Pool(pool.spec, pool.sizes, np.full(count, -(-2 * POINTS // 3), dtype=np.int64))


def base_points(text: str, rulings: TriumphRulings) -> int:
    """Points of the base army: room is left for the card, so that the carded army is legal."""
    if text.startswith("stand:"):
        return POINTS - troop_types(rulings).find(text.removeprefix("stand:").strip()).cost
    pick = read_card(text)
    prices = [
        float(card_price(t, pick, rulings))
        for t in troop_types(rulings).values()
        if eligible(t, pick.card, pick.choices, rulings)
    ]
    return POINTS - max(0, ceil(max(prices)))


def play_arms(
    text: str,
    trials: int,
    options: BattleOptions,
    seed: int,
    *,
    first: int = 0,
    workers: int = 1,
) -> Arms:
    """Play the three arms of a card, or of ``stand: TYPE``, on the same dice.

    Parameters
    ----------
    text : str
        A card for stands in notation, or ``stand:`` and a troop type, which is added.
    trials : int
        Number of trials; rounded up to a multiple of four, for seats and first moves rotate.
    options : BattleOptions
        How battles are fought.
    seed : int
        Seed of armies and dice.
    first : int
        Number of the first trial.
    workers : int
        Threads.
    """
    count = -(-trials // 4) * 4
    rulings = options.rulings
    points = base_points(text, rulings)
    own = drawn_armies(count, seed, first, rulings, points, f"own {points}")
    enemy = drawn_armies(count, seed, first, rulings, POINTS, "enemy")
    drawn = generator(seed, {"bearers": points}).random((first + count, own.spec.shape[1], 2))[first:]
    rows = np.arange(own.spec.shape[1])
    stands = (rows[None, :] < own.sizes[:, None]) & (own.spec[:, :, lay.ROLE] < lay.CAMP)
    stronger, extra_cost = add_own_stand(own, stands, drawn[:, :, 1])
    if text.startswith("stand:"):
        kind = Stand(troop_types(rulings).find(text.removeprefix("stand:").strip()))
        carded, bearer = add_stand(own, kind, rulings)
    else:
        own, carded, bearer = give_card(own, stands, drawn[:, :, 0], read_card(text), rulings)
        stronger, extra_cost = add_own_stand(own, stands, drawn[:, :, 1])
    numbers = np.arange(first, first + count, dtype=np.int64)
    pairs = np.stack([np.arange(count), count + np.arange(count)], axis=1).astype(np.int64)
    scenario: Mapping[str, object] = {"equal-points": points}
    scores = [
        fight_pool(joined(arm, enemy), pairs, numbers, options, seed, scenario=scenario, workers=workers).score
        for arm in (own, carded, stronger)
    ]
    return Arms(scores[0], scores[1], scores[2], extra_cost, bearer)


def joined(one: Pool, other: Pool) -> Pool:
    """Two pools as one, padded to one width."""
    width = max(one.spec.shape[1], other.spec.shape[1])
    parts = [np.pad(pool.spec, ((0, 0), (0, width - pool.spec.shape[1]), (0, 0))) for pool in (one, other)]
    return Pool(
        np.concatenate(parts),
        np.concatenate([one.sizes, other.sizes]),
        np.concatenate([one.thresholds, other.thresholds]),
    )


def add_own_stand(pool: Pool, stands: np.ndarray, word: FloatArray) -> tuple[Pool, FloatArray]:
    """One more stand of a drawn stand's type, plain and no general, in a fresh slot."""
    chosen = np.argmax(np.where(stands, word, -1.0), axis=1)
    rows = pool.spec[np.arange(len(chosen)), chosen].copy()
    rows[:, lay.FLAGS] &= ~lay.IS_GENERAL
    rows[:, lay.BITS] &= ~_general_bit()
    return _with_rows(pool, rows), rows[:, lay.COST] / 2


def add_stand(pool: Pool, stand: Stand, rulings: TriumphRulings) -> tuple[Pool, Ints]:
    """One more stand of a given kind in every army."""
    row = pack_host(Host.of("one", [stand], camp=None), rulings)[0]
    rows = np.tile(row, (len(pool.sizes), 1))
    return _with_rows(pool, rows), rows[:, lay.TYPE] - 1


def _with_rows(pool: Pool, rows: Ints) -> Pool:
    """A pool in which each army has one more row, before its camp, in the next slot."""
    count, width, columns = pool.spec.shape
    spec = np.zeros((count, width + 1, columns), dtype=np.int64)
    spec[:, :width] = pool.spec
    at = np.arange(count)
    camp = pool.sizes - 1
    spec[at, camp + 1] = pool.spec[at, camp]
    spec[at, camp] = rows
    spec[at, camp, lay.SLOT] = camp + 100  # slots of the drawn armies end below
    return Pool(spec, pool.sizes + 1, pool.thresholds)


def give_card(
    pool: Pool, stands: np.ndarray, word: FloatArray, pick: Pick, rulings: TriumphRulings
) -> tuple[Pool, Pool, Ints]:
    """The armies with a drawn bearer that may have the card, and the same with the card on it.

    Where no stand may have it, a drawn stand becomes one of an eligible type in both.
    """
    types = list(troop_types(rulings).values())
    fits = [eligible(t, pick.card, pick.choices, rulings) for t in types]
    may = np.array([False, *fits])[pool.spec[:, :, lay.TYPE]] & stands
    without = ~may.any(axis=1)
    chosen = np.argmax(np.where(np.where(without[:, None], stands, may), word, -1.0), axis=1)
    at = np.arange(len(chosen))
    base = pool.spec.copy()
    if without.any():
        nearest = {
            cost: min((k for k, ok in enumerate(fits) if ok), key=lambda k, c=cost: (abs(types[k].cost - c), k))  # type: ignore[misc]
            for cost in (2, 3, 4)
        }
        for army in np.flatnonzero(without):
            old = base[army, chosen[army]]
            new = _row(Stand(types[nearest[int(old[lay.TYPE_COST])]]), old, rulings)
            base[army, chosen[army]] = new
    carded = base.copy()
    kinds = base[at, chosen, lay.TYPE] - 1
    for kind in np.unique(kinds):
        stand = Stand(types[kind], (pick,))
        for army in np.flatnonzero(kinds == kind):
            carded[army, chosen[army]] = _row(stand, base[army, chosen[army]], rulings)
    sizes, thresholds = pool.sizes, pool.thresholds
    return Pool(base, sizes, thresholds), Pool(carded, sizes, thresholds), kinds


def _row(stand: Stand, old: Ints, rulings: TriumphRulings) -> Ints:
    """The row of another stand in the slot of an old one, the general staying with it."""
    leads = bool(old[lay.FLAGS] & lay.IS_GENERAL)
    key = (stand, leads, rulings)
    if key not in _ROWS:
        led = Stand(stand.troop_type, stand.picks, general=leads)
        _ROWS[key] = pack_host(Host.of("one", [led], camp=None), rulings)[0]
    row = _ROWS[key].copy()
    row[lay.SLOT] = old[lay.SLOT]
    return row


_ROWS: dict[tuple[Stand, bool, TriumphRulings], Ints] = {}


def _general_bit() -> int:
    from ftsim.games.triumph.rules import vocabularies

    return vocabularies()[0].bits(["general"])
