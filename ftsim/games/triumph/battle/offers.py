"""What a random army may buy as a whole: army cards, cards for a class, and heroes of one kind.

Cards that exclude each other form a group. In a group every offer is as likely, against none, as the
chance is against its counterpart: with ½, none and each offer are equally likely, so all of them
vary as much as they can. All costs are in half-points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ftsim.errors import InputError
from ftsim.games.triumph.battle.build import topography_names
from ftsim.games.triumph.battle.words import Words, below, choose
from ftsim.games.triumph.cards import Card, cards
from ftsim.games.triumph.notation import Hero, Pick, Stand
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import Topography, topographies
from ftsim.games.triumph.troop_types import troop_types

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

#: Groups of army and event cards, in the order in which they are paid.
GROUPS = (
    ("fortified_camp", "no_camp", "pack_train"),  # one camp or none (FT 36, 47, 48)
    ("ambush",),
    ("illusion",),
    ("prepared_defenses",),
    ("charge_through",),
    ("hold_the_line",),
)
MAX_COPIES = 3
CHANCE_SCALE = 1 << 20
#: Address of the words of the hero, above those of cards.
HERO_ADDRESS = 1000


@dataclass(frozen=True, eq=False)
class Offers:
    """What an army may buy as a whole, as tables.

    Parameters
    ----------
    picks : tuple of Pick
        Every offer: a card with its options.
    groups : tuple of tuple of int
        Positions of the offers that exclude each other.
    prices, copies : array, shape (offers,)
        What one costs, and the most that an army buys.
    classes : array, shape (offers, types)
        Running sums of the weights of the types whose class may have it; zeros for cards of the army.
    chance : int
        Weight of an offer out of `CHANCE_SCALE`, the rest being that of none.
    hero_cards : tuple of Pick
        Cards that heroes bring besides those that all have.
    hero_costs : array, shape (kinds of hero,)
        What a hero costs by the set of these cards, the first card being bit 0.
    homes : tuple of str
        Topographies that an army may come from.
    """

    picks: tuple[Pick, ...]
    groups: tuple[tuple[int, ...], ...]
    prices: Ints
    copies: Ints
    classes: Ints
    chance: int
    hero_cards: tuple[Pick, ...]
    hero_costs: Ints
    homes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Purchases:
    """What armies bought.

    Parameters
    ----------
    bought : array, shape (armies, offers)
        How many of each offer.
    classes : array, shape (armies, offers)
        Type of the class that an offer is for, or -1.
    hero : array, shape (armies,)
        The hero by the set of his cards, or -1.
    spent : array, shape (armies,)
        What all that costs.
    """

    bought: Ints
    classes: Ints
    hero: Ints
    spent: Ints


def offers_of(
    names: Sequence[str], weights: Ints, chance: float, companion: Hero | None, rulings: TriumphRulings
) -> tuple[Offers, tuple[Hero, ...]]:
    """The offers among some cards, and the heroes that may come, by the set of their cards.

    Raises
    ------
    InputError
        If no type with a weight may have the class of a card.
    """
    types = list(troop_types(rulings).values())
    picks: list[Pick] = []
    groups: list[tuple[int, ...]] = []
    classes: list[Ints] = []
    for group in GROUPS:
        first = len(picks)
        for card in (cards()[name] for name in group if name in names):
            able = _classes(card, rulings) * weights if card.bought_for == "event" else np.zeros(len(types), np.int64)
            if card.bought_for == "event" and not able.any():
                raise InputError(f"No troop type with a weight may have {card.name}")
            for choices in product(*card.options):
                picks.append(Pick(card, tuple(choices)))
                classes.append(np.cumsum(able))
        if len(picks) > first:
            groups.append(tuple(range(first, len(picks))))
    ridden = [cards()[name] for name in names if cards()[name].bought_for == "hero"] if companion else []
    hero_cards = tuple(Pick(card) for card in sorted(ridden, key=lambda card: list(cards()).index(card.id)))
    heroes = _heroes(companion, hero_cards) if companion else ()
    for hero in heroes:
        if hero.problems(rulings):
            raise InputError(f"{hero} cannot come with random armies: {'; '.join(hero.problems(rulings))}")
    return Offers(
        tuple(picks),
        tuple(groups),
        np.array([int(2 * pick.card.price(pick.choices, "army", (), rulings).points) for pick in picks], np.int64),
        np.array([min(MAX_COPIES, MAX_COPIES if p.card.cap is None else p.card.cap) for p in picks], np.int64),
        np.array(classes, dtype=np.int64).reshape(len(picks), len(types)),
        round(chance * CHANCE_SCALE),
        hero_cards,
        np.array([int(2 * hero.cost(rulings)) for hero in heroes], np.int64),
        tuple(home.id for home in homes()),
    ), heroes


def homes() -> list[Topography]:
    """Topographies that random armies come from: those that are not dense, for there cards cost more."""
    return [home for home in topographies().values() if not home.dense and home.id in topography_names()]


def _classes(card: Card, rulings: TriumphRulings) -> Ints:
    """Which types' plain stands are a class that may have a card."""
    types = troop_types(rulings).values()
    return np.array([not card.problems("stand", Stand(t).own_names, rulings) for t in types], dtype=np.int64)


def _heroes(companion: Hero, extra: Sequence[Pick]) -> tuple[Hero, ...]:
    """Heroes by the set of cards that they bring besides the companion's."""
    order = list(cards())
    found = []
    for members in range(1 << len(extra)):
        picks = [*companion.picks, *(pick for k, pick in enumerate(extra) if members >> k & 1)]
        found.append(Hero(tuple(sorted(picks, key=lambda pick: order.index(pick.card.id)))))
    return tuple(found)


def buy(offers: Offers, words: Words, purpose: int, room: Ints) -> Purchases:
    """What armies buy, as far as there is room for it.

    Parameters
    ----------
    offers : Offers
        What there is.
    words : Words
        Words of the armies.
    purpose : int
        What these words are for.
    room : array, shape (armies,)
        Most that may be spent.
    """
    size, rows = len(room), np.arange(len(room))
    bought = np.zeros((size, len(offers.picks)), dtype=np.int64)
    classes = np.full((size, len(offers.picks)), -1, dtype=np.int64)
    spent = np.zeros(size, dtype=np.int64)
    order = list(cards())
    first = [order.index(offers.picks[group[0]].card.id) for group in offers.groups]
    chance, number, who, _ = words.at(purpose, np.array(first, dtype=np.int64))
    for g, group in enumerate(offers.groups):
        weights = np.array([CHANCE_SCALE - offers.chance, *[offers.chance] * len(group)], dtype=np.int64)
        taken = choose(chance[:, g], np.broadcast_to(weights, (size, len(weights)))) - 1
        offer = np.where(taken >= 0, np.array(group)[taken], group[0])
        wanted = np.where(taken >= 0, 1 + below(number[:, g], offers.copies[offer]), 0)
        copies = np.minimum(wanted, np.maximum(room - spent, 0) // offers.prices[offer])
        bought[rows, offer] = copies
        spent += copies * offers.prices[offer]
        ends = offers.classes[offer]
        of_class = (ends <= below(who[:, g], ends[:, -1])[:, None]).sum(axis=1)
        classes[rows, offer] = np.where((copies > 0) & (ends[:, -1] > 0), of_class, -1)
    hero = np.full(size, -1, dtype=np.int64)
    if len(offers.hero_costs):
        word = words.at(purpose, HERO_ADDRESS + np.arange(1 + len(offers.hero_cards)))[0]
        wish = below(word, CHANCE_SCALE) < offers.chance
        comes = wish[:, 0] & (spent + offers.hero_costs[0] <= room)
        kind = np.zeros(size, dtype=np.int64)
        for k in range(len(offers.hero_cards)):
            more = kind | 1 << k
            kind = np.where(wish[:, 1 + k] & (spent + offers.hero_costs[more] <= room), more, kind)
        hero = np.where(comes, kind, hero)
        spent += np.where(comes, offers.hero_costs[kind], 0)
    return Purchases(bought, classes, hero, spent)
