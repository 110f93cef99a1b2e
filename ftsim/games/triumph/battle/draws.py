"""Random armies as arrays, many at a time; each is a function of its number and the seed alone.

Cards come first and bring their bearers, other troop types follow, plain stands fill what is left.
Every choice is made among those that still lead to a legal army, so nothing is drawn twice. All
choices compare integers: the same armies on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ftsim.games.triumph.battle.recruits import MAX_KINDS, MIN_KINDS, Recruits
from ftsim.streams import philox, stream_key

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

# Purposes of words; fixed numbers, never reused.
FOR_ARMY, FOR_CARD, FOR_TYPE, FOR_KIND, FOR_STAND = range(1, 6)
SHARES = 100


@dataclass(frozen=True, eq=False)
class Draws:
    """Drawn armies.

    Parameters
    ----------
    stands : array, shape (armies, 2 * MAX_KINDS)
        Positions of their stands among the recruits.
    counts : array, shape (armies, 2 * MAX_KINDS)
        How many of each; 0 where there is none.
    general : array, shape (armies,)
        Column of the stand that the general is with, one of its number.
    heroes : array of bool, shape (armies, heroes)
        Which heroes come along.
    totals : array, shape (armies,)
        Half-points of stands and heroes.
    """

    stands: Ints
    counts: Ints
    general: Ints
    heroes: Flags
    totals: Ints


def draw(plan: Recruits, seed: int, numbers: Ints) -> Draws:
    """The armies with these numbers.

    Parameters
    ----------
    plan : Recruits
        What may be drawn.
    seed : int
        Seed of all armies.
    numbers : array of int, shape (armies,)
        From 0 to 2³² − 1.
    """
    words = _Words(stream_key(seed, {"game": "triumph", "purpose": "random armies"}), numbers)
    total_word, kinds_word, general_word, _ = words.of(FOR_ARMY, 1)[..., 0]
    heroes, spent = _heroes(plan, words)
    bearers, copies, has, kinds = _bearers(plan, words, spent, kinds_word)
    types, valid = _kinds(plan, words, has, kinds)
    own_types = np.take_along_axis(has, types, axis=1)
    counts = (valid & ~own_types).astype(np.int64)  # a type without a card has a plain stand at least
    committed = (
        (plan.costs[types] * counts).sum(axis=1)
        + (plan.costs[bearers] * copies).sum(axis=1)
        + (heroes * plan.hero_costs).sum(axis=1)
    )
    costs = np.bitwise_or.reduce(np.where(valid, plan.bits[types], 0), axis=1)
    aim = (
        plan.high - committed
        if plan.low == 0
        else plan.low + _below(total_word, plan.high - plan.low + 1) - committed
    )
    left = plan.down[costs, aim]
    short = committed + left < plan.low
    left = np.where(short, plan.up[costs, np.maximum(plan.low - committed, 0)], left)
    totals = committed + left
    _fill(plan, words, types, valid, costs, counts, left)
    stands = np.concatenate([bearers, types], axis=1)
    counts = np.concatenate([copies, counts], axis=1)
    general = _choose(general_word, counts * plan.leads[stands])
    return Draws(stands, counts, general, heroes, totals)


class _Words:
    """Random words of armies, addressed by what they are for."""

    def __init__(self, key: int, numbers: Ints) -> None:
        self.key = key
        self.numbers = numbers

    def of_rows(self, rows: Ints) -> _Words:
        """Words of some of the armies."""
        return _Words(self.key, self.numbers[rows])

    def of(self, purpose: int, count: int) -> Ints:
        """Four words for each address below `count`, shape ``(4, armies, count)``."""
        return self.at(purpose, np.arange(count))

    def at(self, purpose: int, who: NDArray[np.generic]) -> Ints:
        """Four words for each address, shape ``(4, armies, addresses)``."""
        shape = (len(self.numbers), len(who))
        counter = np.zeros((4, *shape), dtype=np.uint32)
        counter[0] = self.numbers[:, None]
        counter[2] = who.astype(np.uint32)
        counter[3] = purpose
        return philox(counter, self.key).astype(np.int64)


def _below(word: Ints, size: Ints | int) -> Ints:
    """A whole number from 0, below `size`."""
    return (word * size) >> 32


def _choose(word: Ints, weights: Ints) -> Ints:
    """A column by weight, one a row; the last axis of `weights` holds the columns."""
    ends = np.cumsum(weights, axis=-1)
    return (ends <= _below(word, ends[..., -1])[..., None]).sum(axis=-1)


def _heroes(plan: Recruits, words: _Words) -> tuple[Flags, Ints]:
    come = words.at(FOR_CARD, plan.hero_cards)[0] < plan.chances
    spent = np.zeros(len(come), dtype=np.int64)
    for k, cost in enumerate(plan.hero_costs):
        come[:, k] &= spent + cost <= plan.room
        spent += cost * come[:, k]
    return come, spent


def _bearers(plan: Recruits, words: _Words, spent: Ints, kinds_word: Ints) -> tuple[Ints, Ints, Flags, Ints]:
    """Bearers of cards and how many of each; troop types so far, and how many there will be."""
    size, all_types = len(spent), len(plan.weights)
    slots = min(MAX_KINDS, plan.need - 2)
    rows = np.arange(size)
    bearers = np.zeros((size, MAX_KINDS), dtype=np.int64)
    types = np.zeros((size, MAX_KINDS), dtype=np.int64)
    copies = np.zeros((size, MAX_KINDS), dtype=np.int64)
    wanted = np.zeros((size, MAX_KINDS), dtype=np.int64)
    has = np.zeros((size, all_types), dtype=np.bool_)
    if len(plan.stand_cards):
        chance, number, option, who = words.at(FOR_CARD, plan.stand_cards)
        order = np.argsort(chance, axis=1, kind="stable")[:, :slots]
        for slot in range(order.shape[1]):
            card = order[:, slot]
            bearer_type = (plan.bearers[card] <= _below(who[rows, card], plan.bearers[card, -1])[:, None]).sum(axis=1)
            way = _below(option[rows, card], plan.options[card, bearer_type])
            stand = plan.first[card, bearer_type] + way
            price = plan.costs[stand] - plan.costs[bearer_type]
            drawn = (chance[rows, card] < plan.chances) & (spent + price <= plan.room)
            spent = spent + price * drawn
            has[rows, bearer_type] |= drawn
            copies[:, slot] = drawn
            bearers[:, slot] = np.where(drawn, stand, 0)
            types[:, slot] = np.where(drawn, bearer_type, 0)
            wanted[:, slot] = np.where(drawn, _below(number[rows, card], plan.copies[card]), 0)
    distinct, stands = has.sum(axis=1), copies.sum(axis=1)
    kinds = MIN_KINDS + _below(kinds_word, MAX_KINDS - MIN_KINDS + 1)
    kinds = np.clip(kinds, distinct, np.maximum(plan.need - stands + distinct, distinct))
    # Bearers and one stand for each other type stay within the least number, so that any army can be paid.
    free = plan.need - stands - (kinds - distinct)
    for slot in range(slots):
        price = plan.costs[bearers[:, slot]] - plan.costs[types[:, slot]]
        more = np.minimum(wanted[:, slot], free)
        more = np.where(price > 0, np.minimum(more, (plan.room - spent) // np.maximum(price, 1)), more)
        copies[:, slot] += more
        free = free - more
        spent = spent + price * more
    return bearers, copies, has, kinds


def _kinds(plan: Recruits, words: _Words, has: Flags, kinds: Ints) -> tuple[Ints, Flags]:
    """Troop types, those with cards first, and which columns count."""
    size = len(kinds)
    rows = np.arange(size)
    word = words.of(FOR_TYPE, MAX_KINDS)[0]
    types = np.zeros((size, MAX_KINDS), dtype=np.int64)
    owed = has.copy()
    weights = np.where(has, 0, plan.weights)
    for k in range(MAX_KINDS):
        pick = np.where(owed.any(axis=1), owed.argmax(axis=1), _choose(word[:, k], weights))
        owed[rows, pick] = False
        weights[rows, pick] = 0
        types[:, k] = pick
    return types, np.arange(MAX_KINDS) < kinds[:, None]


def _fill(plan: Recruits, words: _Words, types: Ints, valid: Flags, costs: Ints, counts: Ints, left: Ints) -> None:
    """Add plain stands to `counts` until nothing is left; only steps that can end there are taken."""
    share = np.where(valid, 1 + _below(words.of(FOR_KIND, MAX_KINDS)[0], SHARES), 0)
    price = plan.costs[types]
    rows = np.arange(len(left))
    left = left.copy()
    step = 0
    word = np.zeros((4, len(left)), dtype=np.int64)
    while len(rows):
        if step % 4 == 0:
            rows = rows[left[rows] > 0]
            word = words.of_rows(rows).at(FOR_STAND, np.array([step // 4]))[..., 0]
        after = left[rows, None] - price[rows]
        able = (after >= 0) & plan.reach[costs[rows, None], np.maximum(after, 0)]
        pick = _choose(word[step % 4], share[rows] * able)
        going = left[rows] > 0
        chosen = np.where(going, pick, 0)
        counts[rows, chosen] += going
        left[rows] -= price[rows, chosen] * going
        step += 1
