"""Random armies counted: stands of each type and copies of each card, what a battle regression knows of an army."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ftsim.games.triumph.battle.draws import Draws, draw
from ftsim.games.triumph.battle.muster import CHUNK
from ftsim.games.triumph.battle.recruits import DELAYED_ENTRY, Recruits
from ftsim.games.triumph.cards import TERRAIN_OPTION, cards
from ftsim.games.triumph.notation import Hero, Pick

Ints = NDArray[np.int64]
Counts = NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class Tallies:
    """What armies have, a row each.

    Parameters
    ----------
    types, cards : tuple of str
        Columns: names of the troop types; then the cards, a column for each option.
    counts : array of int16, shape (armies, columns)
        Stands of a type with or without cards, stands or heroes with a card, copies of an army card.
    totals : array, shape (armies,)
        Half-points of each army.
    """

    types: tuple[str, ...]
    cards: tuple[str, ...]
    counts: Counts
    totals: Ints


def column_of(pick: Pick) -> str:
    """Column of a card: with its options, but for kinds of terrain, which are all one."""
    return pick.card.name if (TERRAIN_OPTION,) in pick.card.options else str(pick)


def columns_of(plan: Recruits, companion: str | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Types and cards of a plan, in the order of their tables; the companion comes last."""
    types = tuple(stand.troop_type.name for stand in plan.stands[: len(plan.weights)])
    found: dict[str, tuple[int, int]] = {}

    def add(name: str, card: str) -> None:
        found.setdefault(name, (list(cards()).index(card), len(found)))

    for stand, late in zip(plan.stands[len(types) :], plan.late[len(types) :], strict=True):
        if late:
            add(cards()[DELAYED_ENTRY].name, DELAYED_ENTRY)
        for pick in stand.picks:
            add(column_of(pick), pick.card.id)
    for pick in plan.offers.picks if plan.offers else ():
        add(column_of(pick), pick.card.id)
    for hero in plan.heroes:
        for pick in _brought(hero, companion):
            add(f"Hero + {pick}", pick.card.id)
    names = sorted(found, key=lambda name: found[name])
    return types, (*names, *([str(Hero.read(companion))] if companion and plan.heroes else []))


def printed_of(plan: Recruits, companion: str | None = None) -> dict[str, float]:
    """Printed price of each card's column in points: the mean over bearers, weighted as they are drawn."""
    types = len(plan.weights)
    position = {stand.troop_type.id: k for k, stand in enumerate(plan.stands[:types])}
    paid: dict[str, list[tuple[float, float]]] = {}
    for c in range(len(plan.stand_cards)):
        for k in range(types):
            ways = range(int(plan.first[c, k]), int(plan.first[c, k] + plan.options[c, k]))
            for way in ways:
                stand = plan.stands[way]
                name = cards()[DELAYED_ENTRY].name if plan.late[way] else column_of(stand.picks[0])
                plain = plan.costs[position[stand.troop_type.id]]
                weight = float(plan.weights[k]) / len(ways)
                paid.setdefault(name, []).append((weight, float(plan.costs[way] - plain) / 2))
    found = {
        name: sum(weight * points for weight, points in rows) / max(sum(weight for weight, _ in rows), 1e-12)
        for name, rows in paid.items()
    }
    if plan.offers is not None:
        for pick, price in zip(plan.offers.picks, plan.offers.prices.tolist(), strict=True):
            found[column_of(pick)] = price / 2
    for hero, cost in zip(plan.heroes, plan.hero_costs.tolist(), strict=True):
        brought = _brought(hero, companion)
        if companion and not brought:
            found[str(hero)] = cost / 2
        elif len(brought) == 1:
            alone = Hero.read(companion).points if companion else 0
            found[f"Hero + {brought[0]}"] = cost / 2 - float(alone)
    return found


def tally(plan: Recruits, seed: int, first: int, count: int, companion: str | None = None) -> Tallies:
    """Armies counted that `muster.random_pool` makes with the same plan, seed and numbers.

    Parameters
    ----------
    plan : Recruits
        From `muster.plan_of`.
    seed : int
        Seed of all armies.
    first, count : int
        Number of the first army, and how many.
    companion : str, optional
        The companion of the plan.
    """
    types, names = columns_of(plan, companion)
    counts = np.zeros((count, len(types) + len(names)), dtype=np.int16)
    totals = np.zeros(count, dtype=np.int64)
    for at in range(0, count, CHUNK):
        size = min(CHUNK, count - at)
        drawn = draw(plan, seed, np.arange(first + at, first + at + size, dtype=np.int64))
        counts[at : at + size] = _counted(plan, drawn, types, names, companion)
        totals[at : at + size] = drawn.totals
    return Tallies(types, names, counts, totals)


def _counted(
    plan: Recruits, drawn: Draws, types: Sequence[str], names: Sequence[str], companion: str | None
) -> Counts:
    column = {name: k for k, name in enumerate((*types, *names))}
    of_type = np.array([column[stand.troop_type.name] for stand in plan.stands])
    # Stands without a card count into one column more, which is dropped.
    of_card = np.full(len(plan.stands), len(column))
    for k, stand in enumerate(plan.stands):
        if plan.late[k]:
            of_card[k] = column[cards()[DELAYED_ENTRY].name]
        for pick in stand.picks:
            of_card[k] = column[column_of(pick)]
    rows, width = len(drawn.general), len(column) + 1
    at = np.arange(rows)[:, None] * width
    where = np.concatenate([at + of_type[drawn.stands], at + of_card[drawn.stands]], axis=1)
    copies = np.concatenate([drawn.counts, drawn.counts], axis=1)
    found = np.bincount(where.ravel(), weights=copies.ravel(), minlength=rows * width).reshape(rows, width)
    found = found[:, :-1]
    if plan.offers is not None and drawn.purchases is not None:
        for n, pick in enumerate(plan.offers.picks):
            found[:, column[column_of(pick)]] += drawn.purchases.bought[:, n]
    for k, hero in enumerate(plan.heroes):
        brought = [column[f"Hero + {pick}"] for pick in _brought(hero, companion)]
        if companion:
            brought.append(column[str(Hero.read(companion))])
        for c in brought:
            found[:, c] += drawn.heroes[:, k]
    return found.astype(np.int16)


def _brought(hero: Hero, companion: str | None) -> list[Pick]:
    """Cards of a hero that a companion does not have anyway."""
    usual = Hero.read(companion).picks if companion else ()
    return [pick for pick in hero.picks if pick not in usual]
