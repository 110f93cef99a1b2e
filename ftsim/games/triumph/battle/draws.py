"""Random armies as arrays, many at a time; each is a function of its number and the seed alone.

Cards come first and bring their bearers, other troop types follow, plain stands fill what is left.
Every choice is made among those that still lead to a legal army, so nothing is drawn twice. All
choices compare integers: the same armies on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ftsim.games.triumph.battle.offers import Purchases, buy
from ftsim.games.triumph.battle.recruits import MAX_KINDS, MIN_KINDS, Recruits
from ftsim.games.triumph.battle.words import Words, below, choose
from ftsim.streams import stream_key

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

# Purposes of words; fixed numbers, never reused.
FOR_ARMY, FOR_CARD, FOR_TYPE, FOR_KIND, FOR_STAND, FOR_OFFER = range(1, 7)
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
        Half-points of everything.
    purchases : Purchases or None
        What was bought for the army as a whole; None where nothing could be.
    home : array, shape (armies,)
        Position of the home among those of the offers; -1 where armies have none.
    """

    stands: Ints
    counts: Ints
    general: Ints
    heroes: Flags
    totals: Ints
    purchases: Purchases | None
    home: Ints


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
    words = Words(stream_key(seed, {"game": "triumph", "purpose": "random armies"}), numbers)
    total_word, kinds_word, general_word, home_word = words.of(FOR_ARMY, 1)[..., 0]
    total = plan.low + below(total_word, plan.high - plan.low + 1) if plan.low else np.full_like(numbers, plan.high)
    asked = np.zeros((len(numbers), len(plan.weights)), dtype=np.bool_)
    bought = None
    if plan.offers is None:
        room = np.full_like(numbers, plan.room)
        heroes, spent = _heroes(plan, words, room)
    else:
        room = total - plan.dearest * plan.need
        bought = buy(plan.offers, words, FOR_OFFER, room)
        spent = bought.spent
        army, offer = np.nonzero(bought.classes >= 0)
        asked[army, bought.classes[army, offer]] = True
        if len(plan.hero_cards):
            heroes, of_heroes = _heroes(plan, words, room - spent)
            spent = spent + of_heroes
        else:
            heroes = bought.hero[:, None] == np.arange(len(plan.heroes))
    aside = spent
    beyond = None if plan.offers is None else total
    bearers, copies, has, kinds = _bearers(plan, words, room, spent, asked, kinds_word, beyond)
    types, valid = _kinds(plan, words, has | asked, kinds)
    # A type without a card has a plain stand at least, and so has the class of a card.
    own_types = np.take_along_axis(has & ~asked, types, axis=1)
    counts = (valid & ~own_types).astype(np.int64)
    committed = (plan.costs[types] * counts).sum(axis=1) + (plan.costs[bearers] * copies).sum(axis=1) + aside
    costs = np.bitwise_or.reduce(np.where(valid, plan.bits[types], 0), axis=1)
    left = plan.down[costs, total - committed]
    short = committed + left < plan.low
    left = np.where(short, plan.up[costs, np.maximum(plan.low - committed, 0)], left)
    totals = committed + left
    _fill(plan, words, types, valid, costs, counts, left)
    stands = np.concatenate([bearers, types], axis=1)
    counts = np.concatenate([copies, counts], axis=1)
    general = choose(general_word, counts * plan.leads[stands])
    home = np.full_like(numbers, -1)
    if plan.offers is not None:
        fits = (plan.homes[bearers] | (copies == 0)[:, :, None]).all(axis=1)
        home = choose(home_word, fits.astype(np.int64))
    return Draws(stands, counts, general, heroes, totals, bought, home)


def _heroes(plan: Recruits, words: Words, room: Ints) -> tuple[Flags, Ints]:
    """Heroes with one card each."""
    come = words.at(FOR_CARD, plan.hero_cards)[0] < plan.chances
    spent = np.zeros(len(come), dtype=np.int64)
    for k, cost in enumerate(plan.hero_costs):
        come[:, k] &= spent + cost <= room
        spent += cost * come[:, k]
    return come, spent


def _bearers(
    plan: Recruits, words: Words, room: Ints, spent: Ints, asked: Flags, kinds_word: Ints, total: Ints | None
) -> tuple[Ints, Ints, Flags, Ints]:
    """Bearers of cards and how many of each; their troop types, and how many types there will be.

    `asked` are types of which there will be a plain stand. With totals, copies may go beyond the least number.
    """
    size, all_types, aside = len(spent), len(plan.weights), spent
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
            bearer_type = (plan.bearers[card] <= below(who[rows, card], plan.bearers[card, -1])[:, None]).sum(axis=1)
            way = below(option[rows, card], plan.options[card, bearer_type])
            stand = plan.first[card, bearer_type] + way
            price = plan.costs[stand] - plan.costs[bearer_type]
            drawn = (chance[rows, card] < plan.chances) & (spent + price <= room)
            new = ~(has | asked)[rows, bearer_type]
            drawn &= (has | asked).sum(axis=1) + new <= MAX_KINDS
            spent = spent + price * drawn
            has[rows, bearer_type] |= drawn
            copies[:, slot] = drawn
            bearers[:, slot] = np.where(drawn, stand, 0)
            types[:, slot] = np.where(drawn, bearer_type, 0)
            wanted[:, slot] = np.where(drawn, below(number[rows, card], plan.copies[card]), 0)
    distinct, stands = (has | asked).sum(axis=1), copies.sum(axis=1) + asked.sum(axis=1)
    kinds = MIN_KINDS + below(kinds_word, MAX_KINDS - MIN_KINDS + 1)
    kinds = np.clip(kinds, distinct, np.maximum(plan.need - stands + distinct, distinct))
    # Bearers and one stand for each other type stay within the least number, so that any army can be paid.
    free = plan.need - stands - (kinds - distinct)
    for slot in range(slots):
        price = plan.costs[bearers[:, slot]] - plan.costs[types[:, slot]]
        more = np.minimum(wanted[:, slot], free)
        more = np.where(price > 0, np.minimum(more, (room - spent) // np.maximum(price, 1)), more)
        copies[:, slot] += more
        wanted[:, slot] -= more
        free = free - more
        spent = spent + price * more
    if total is not None:
        _more_copies(plan, total, aside, asked, bearers, copies, wanted, kinds - distinct)
    return bearers, copies, has, kinds


def _more_copies(
    plan: Recruits, total: Ints, aside: Ints, asked: Flags, bearers: Ints, copies: Ints, wanted: Ints, others: Ints
) -> None:
    """Add those copies still wanted that an army can pay besides the stands that it must have.

    Those are counted as the dearest, and copies added here do not count towards them: any army stays payable.
    """
    stands = copies.sum(axis=1) + asked.sum(axis=1)
    paid = (plan.costs[bearers] * copies).sum(axis=1) + asked @ plan.costs[: len(plan.weights)] + aside
    left = total - paid - plan.dearest * np.maximum(others, plan.need - stands)
    for slot in range(MAX_KINDS):
        price = np.maximum(plan.costs[bearers[:, slot]], 1)
        more = np.minimum(wanted[:, slot], np.maximum(left, 0) // price)
        copies[:, slot] += more
        left = left - price * more


def _kinds(plan: Recruits, words: Words, has: Flags, kinds: Ints) -> tuple[Ints, Flags]:
    """Troop types, those with cards first, and which columns count."""
    size = len(kinds)
    rows = np.arange(size)
    word = words.of(FOR_TYPE, MAX_KINDS)[0]
    types = np.zeros((size, MAX_KINDS), dtype=np.int64)
    owed = has.copy()
    weights = np.where(has, 0, plan.weights)
    for k in range(MAX_KINDS):
        pick = np.where(owed.any(axis=1), owed.argmax(axis=1), choose(word[:, k], weights))
        owed[rows, pick] = False
        weights[rows, pick] = 0
        types[:, k] = pick
    return types, np.arange(MAX_KINDS) < kinds[:, None]


def _fill(plan: Recruits, words: Words, types: Ints, valid: Flags, costs: Ints, counts: Ints, left: Ints) -> None:
    """Add plain stands to `counts` until nothing is left; only steps that can end there are taken."""
    share = np.where(valid, 1 + below(words.of(FOR_KIND, MAX_KINDS)[0], SHARES), 0)
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
        pick = choose(word[step % 4], share[rows] * able)
        going = left[rows] > 0
        chosen = np.where(going, pick, 0)
        counts[rows, chosen] += going
        left[rows] -= price[rows, chosen] * going
        step += 1
