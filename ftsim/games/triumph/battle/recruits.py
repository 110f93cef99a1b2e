"""What random armies are made of: every plain stand, every stand with one card, heroes, and sums of their costs.

All costs are in half-points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from ftsim.errors import InputError
from ftsim.games.triumph.armies import army_format
from ftsim.games.triumph.battle.offers import GROUPS, MAX_COPIES, Offers, homes, offers_of
from ftsim.games.triumph.cards import TERRAIN_OPTION, Card, cards
from ftsim.games.triumph.notation import Hero, Pick, Stand
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.terrain import terrains, topographies
from ftsim.games.triumph.troop_types import TroopType, troop_types

Ints = NDArray[np.int64]

#: Cards that act through rolls, moves and magic alone.
DRAWN_CARDS = (
    "armored", "brittle", "champion", "deadly", "fast", "hearten", "marksman", "mindblast", "negate_magic",
    "prowess", "ranged_attack", "slow", "spellblast", "spiked_carts", "supporting_shooters", "terrain_affinity",
    "terror", "weaken",
)  # fmt: skip

#: Every battle card there is.
ALL_CARDS = tuple(cards())

MIN_KINDS, MAX_KINDS = 3, 5  # troop types in an army
DELAYED_ENTRY = "delayed_entry"
WEIGHT_SCALE = 1_000_000
MIN_POINTS, MAX_POINTS = 24, 80
MAX_SPREAD = Fraction(1, 4)


@dataclass(frozen=True, eq=False)
class Recruits:
    """Everything that a plan may draw, as tables.

    Parameters
    ----------
    stands : tuple of Stand
        Plain stands in the order of the type table, then stands with one card.
    late : array of bool, shape (stands,)
        Which arrive late (FT 32): plain stands for Delayed Entry.
    leaders : tuple of Stand
        The same with the general.
    costs : array, shape (stands,)
        What each costs the army, with transports and what Delayed Entry refunds.
    leads : array of bool, shape (stands,)
        Whether the general may be with it.
    rank : array, shape (stands,)
        Order by notation, as slots are dealt.
    stand_cards, hero_cards : array
        Positions in the card table of the cards drawn for stands and for heroes.
    chances : int
        A card is drawn when its word is below this.
    bearers : array, shape (stand cards, types)
        Running sums of the weights of the types that may bear a card.
    options : array, shape (stand cards, types)
        Number of ways a type may bear it.
    first : array, shape (stand cards, types)
        First of these ways among the stands, the others follow.
    copies : array, shape (stand cards,)
        Most stands of an army that bear it.
    weights : array, shape (types,)
        Weights of the types.
    heroes : tuple of Hero
        A hero for each card of heroes.
    hero_costs : array, shape (hero cards,)
        What they cost.
    bits : array, shape (types,)
        Bit of each type's cost in a set of costs.
    reach : array of bool, shape (sets, sums)
        Whether stands with these costs can sum to this.
    down, up : array, shape (sets, sums)
        The nearest such sum not above, and not below.
    low, high : int
        Bounds of an army's total; `low` is 0 without spread.
    need : int
        Least number of stands (FT army format).
    room : int
        What may be spent on cards and heroes so that the least number of stands fits into the smallest total.
    dearest : int
        Cost of the dearest plain stand.
    offers : Offers or None
        What armies buy as a whole; None where they only have cards for stands, and heroes with one card.
    homes : array of bool, shape (stands, homes)
        Which homes of the offers have the terrain that a stand is used to.
    """

    stands: tuple[Stand, ...]
    late: NDArray[np.bool_]
    leaders: tuple[Stand, ...]
    costs: Ints
    leads: NDArray[np.bool_]
    rank: Ints
    stand_cards: Ints
    hero_cards: Ints
    chances: int
    bearers: Ints
    options: Ints
    first: Ints
    copies: Ints
    weights: Ints
    heroes: tuple[Hero, ...]
    hero_costs: Ints
    bits: Ints
    reach: NDArray[np.bool_]
    down: Ints
    up: Ints
    low: int
    high: int
    need: int
    room: int
    dearest: int
    offers: Offers | None
    homes: NDArray[np.bool_]


@lru_cache(maxsize=32)
def recruits(
    points: int,
    spread: float,
    names: tuple[str, ...],
    card_chance: float,
    type_weights: tuple[tuple[str, float], ...] | None,
    rulings: TriumphRulings,
    army_chance: float = 0.5,
    companion: str | None = None,
) -> Recruits:
    """The tables of a plan; see `muster.random_hosts` for what the arguments mean.

    Raises
    ------
    InputError
        If an argument is out of bounds.
    """
    types = list(troop_types(rulings).values())
    plain = np.array([2 * t.cost for t in types], dtype=np.int64)
    dearest = int(plain.max())
    low, high = _bounds(points, spread, dearest)
    for chance in (card_chance, army_chance):
        if not 0 <= chance <= 1:
            raise InputError(f"A chance of cards of {chance} cannot be used; accepted: 0 to 1")
    weights = _weights(type_weights, rulings)
    chosen = sorted({cards().find(name).id for name in names}, key=list(cards()).index)
    for_stands = [cards()[name] for name in chosen if cards()[name].for_stands or name == DELAYED_ENTRY]
    for_heroes = [cards()[name] for name in chosen if cards()[name].bought_for == "hero"]
    stands, late = [Stand(t) for t in types], [False] * len(types)
    options = np.zeros((len(for_stands), len(types)), dtype=np.int64)
    first = np.zeros_like(options)
    for c, card in enumerate(for_stands):
        for k, t in enumerate(types):
            ways = _ways(t, card, rulings)
            first[c, k], options[c, k] = len(stands), len(ways)
            stands += ways
            late += [card.id == DELAYED_ENTRY] * len(ways)
        if not (weights * (options[c] > 0)).any():
            raise InputError(f"No troop type with a weight may bear {card.name}")
    # What is bought for an army as a whole has its own words: whoever draws none of it gets the same armies as ever.
    whole = any(name in group for group in GROUPS for name in chosen)
    offers, heroes = (
        None,
        tuple(Hero((Pick(card, choices),)) for card in for_heroes for choices in card_choices(card)[:1]),
    )
    if whole or companion is not None:
        rider = None if companion is None else Hero.read(companion)
        offers, riders = offers_of(chosen, weights, army_chance, rider, rulings)
        heroes = heroes if rider is None else riders
    leaders = [replace(stand, general=True, _names={}) for stand in stands]
    leads = [not behind and not stand.problems(rulings) for stand, behind in zip(leaders, late, strict=True)]
    reach = _reachable(plain, high + dearest)
    order = sorted(range(len(stands)), key=lambda k: (str(stands[k]), late[k]))
    need = points // army_format()["points_per_stand"]
    ridden = companion is not None
    return Recruits(
        tuple(stands),
        np.array(late, dtype=np.bool_),
        tuple(leaders),
        np.array([_cost(stand, behind, rulings) for stand, behind in zip(stands, late, strict=True)], dtype=np.int64),
        np.array(leads, dtype=np.bool_),
        np.argsort(np.array(order)),
        np.array([list(cards()).index(card.id) for card in for_stands], dtype=np.int64),
        np.array([list(cards()).index(card.id) for card in for_heroes if not ridden], dtype=np.int64),
        round(card_chance * 2**32),
        np.cumsum(weights * (options > 0), axis=1, dtype=np.int64).reshape(options.shape),
        options,
        first,
        np.array([min(MAX_COPIES, _cap(card)) for card in for_stands], dtype=np.int64),
        weights,
        heroes,
        np.array([int(2 * hero.cost(rulings)) for hero in heroes], dtype=np.int64),
        _bits(plain),
        reach,
        *_nearest(reach),
        low,
        high,
        need,
        (low or high) - dearest * need,
        dearest,
        offers,
        np.array([[stand.affinity <= set(home.terrain) for home in homes()] for stand in stands]),
    )


def _ways(troop_type: TroopType, card: Card, rulings: TriumphRulings) -> list[Stand]:
    """Every way in which a type may bear a card; Delayed Entry is a mark on a plain stand."""
    if card.id == DELAYED_ENTRY:
        stand = Stand(troop_type)
        return [] if card.problems("stand", stand.own_names, rulings) else [stand]
    ways = [Stand(troop_type, (Pick(card, choices),)) for choices in card_choices(card)]
    return [stand for stand in ways if not stand.problems(rulings)]


def _cost(stand: Stand, late: bool, rulings: TriumphRulings) -> int:
    """What a stand takes from the army's points: its cost, transports, less the refund (FT 32, ruling h-13)."""
    cost = stand.cost(rulings)
    refund = min(-cards()[DELAYED_ENTRY].prices[0].points, cost) if late else Fraction(0)
    return int(2 * (cost + stand.army_points(rulings) - refund))


def card_choices(card: Card) -> list[tuple[str, ...]]:
    """Every way to take a card; kinds of terrain as some home topography that is not dense offers them."""
    if (TERRAIN_OPTION,) not in card.options:
        return list(product(*card.options))
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for home in topographies().values():
        kinds = [k for k in home.terrain if terrains()[k].difficult or terrains()[k].hill]
        if not home.dense:
            found.update((frozenset(pair), pair) for pair in combinations(kinds, len(card.options)))
    return list(found.values())


def _bounds(points: int, spread: float, dearest: int) -> tuple[int, int]:
    if not MIN_POINTS <= points <= MAX_POINTS:
        raise InputError(f"Random armies of {points} points cannot be drawn; accepted: {MIN_POINTS} to {MAX_POINTS}")
    share = Fraction(str(spread))
    if share == 0:
        return 0, 2 * points
    low, high = ceil(2 * points * (1 - share)), floor(2 * points * (1 + share))
    # An army of equal stands reaches only the multiples of their cost.
    if not 0 < share <= MAX_SPREAD or high - low < dearest - 1:
        least = ceil(100 * Fraction(dearest, 4 * points)) / 100
        raise InputError(
            f"A spread of {spread} cannot be used at {points} points; accepted: 0, or {least} to {float(MAX_SPREAD)}"
        )
    return low, high


def _weights(given: tuple[tuple[str, float], ...] | None, rulings: TriumphRulings) -> Ints:
    types = troop_types(rulings)
    if given is None:
        return np.full(len(types), WEIGHT_SCALE // len(types), dtype=np.int64)
    found = dict.fromkeys(types, 0.0)
    for name, weight in given:
        if not 0 <= weight < float("inf"):
            raise InputError(f"{name}: a weight of {weight} cannot be used; accepted: 0 or more")
        found[types.find(name).id] += weight
    if sum(weight > 0 for weight in found.values()) < MAX_KINDS:
        raise InputError(f"Random armies need at least {MAX_KINDS} troop types with a weight above 0")
    total = sum(found.values())
    return np.array([max(round(WEIGHT_SCALE * w / total), int(w > 0)) for w in found.values()], dtype=np.int64)


def _cap(card: Card) -> int:
    return card.cap if card.cap is not None and card.cap_per == "army" else MAX_COPIES


def _bits(plain: Ints) -> Ints:
    """Bit of each cost, in the order of rising costs."""
    return 1 << np.searchsorted(np.unique(plain), plain)


def _reachable(plain: Ints, largest: int) -> NDArray[np.bool_]:
    """Which sums stands of each set of costs can have, shape ``(sets, largest + 1)``."""
    costs = np.unique(plain)
    reach = np.zeros((1 << len(costs), largest + 1), dtype=np.bool_)
    reach[:, 0] = True
    for members in range(1, len(reach)):
        for cost in (int(c) for k, c in enumerate(costs) if members >> k & 1):
            for total in range(cost, largest + 1):
                reach[members, total] |= reach[members, total - cost]
    return reach


def _nearest(reach: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    sums = np.arange(reach.shape[1])
    down = np.maximum.accumulate(np.where(reach, sums, 0), axis=1)
    up = np.minimum.accumulate(np.where(reach, sums, 2 * reach.shape[1])[:, ::-1], axis=1)[:, ::-1]
    return down, np.ascontiguousarray(up)
