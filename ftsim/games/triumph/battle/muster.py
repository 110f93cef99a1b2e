"""Armies for whole battles: random legal ones, as hosts or as the arrays that battles take.

Random armies have three to five troop types, one general, one stand at least for every six points,
and a total within the spread. They vary in types, numbers, cards and totals, so that a regression
on many battles can tell what each is worth; `plain` armies have no cards, and with `ALL_CARDS` and a
companion they have every card there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ftsim.errors import InputError
from ftsim.games.triumph.armies import ArmyCard
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.archetypes import archetypes
from ftsim.games.triumph.battle.build import Pool, pack_host, pack_hosts, topography_names
from ftsim.games.triumph.battle.draws import Draws, draw
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.offers import MAX_COPIES
from ftsim.games.triumph.battle.recruits import ALL_CARDS, DRAWN_CARDS, Recruits, recruits
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.rulings import TriumphRulings

Ints = NDArray[np.int64]
CHUNK = 1 << 15  # armies drawn at a time, so that scratch arrays stay small
USUAL_SPREAD = 0.12
USUAL_CHANCE = 0.15
USUAL_ARMY_CHANCE = 0.5

__all__ = ["ALL_CARDS", "DRAWN_CARDS", "archetypes", "random_army", "random_hosts", "random_pool"]


def random_army(
    number: int,
    seed: int,
    *,
    points: int = 51,
    spread: float = USUAL_SPREAD,
    cards: Sequence[str] = DRAWN_CARDS,
    card_chance: float = USUAL_CHANCE,
    army_chance: float = USUAL_ARMY_CHANCE,
    companion: str | None = None,
    plain: bool = False,
    weights: Mapping[str, float] | None = None,
    rulings: TriumphRulings = TriumphRulings(),
) -> Host:
    """The random army with a number; see `random_hosts`."""
    return random_hosts(
        1,
        seed,
        first=number,
        points=points,
        spread=spread,
        cards=cards,
        card_chance=card_chance,
        army_chance=army_chance,
        companion=companion,
        plain=plain,
        weights=weights,
        rulings=rulings,
    )[0]


def random_hosts(
    count: int,
    seed: int,
    *,
    first: int = 0,
    points: int = 51,
    spread: float = USUAL_SPREAD,
    cards: Sequence[str] = DRAWN_CARDS,
    card_chance: float = USUAL_CHANCE,
    army_chance: float = USUAL_ARMY_CHANCE,
    companion: str | None = None,
    plain: bool = False,
    weights: Mapping[str, float] | None = None,
    rulings: TriumphRulings = TriumphRulings(),
) -> list[Host]:
    """Random legal armies; each depends on its number and the seed, not on how many are drawn.

    Parameters
    ----------
    count : int
        How many.
    seed : int
        Seed of all armies.
    first : int
        Number of the first army.
    points : int
        Size of the game, 24 to 80.
    spread : float
        Totals lie within ``points * (1 ± spread)`` and vary evenly; with 0, they come as near to `points`
        as the army's stands allow without exceeding it.
    cards : sequence of str
        Cards that may be drawn, such as `ALL_CARDS`.
    card_chance : float
        Chance of each card for stands to be in an army. At most five come, on 1 to 3 stands of one troop
        type, one card a stand; a card that an army cannot pay is left out. Delayed Entry is drawn like a
        card for plain stands, and so are transports. A card for heroes brings a hero with that card alone.
    army_chance : float
        Chance of each card for the army or a class, 1 to 3 copies of it where that many may be bought.
        Cards that exclude each other, and the options of a card, share a draw: with ½, none and each of
        them are equally likely. An army with such cards, or with a companion, has a home that is not dense.
    companion : str, optional
        Notation of a hero who comes with the army chance, and brings each card for heroes with that chance
        besides his own; then no others come.
    plain : bool
        Whether there are no cards at all.
    weights : mapping, optional
        Weights of the troop types by name; 0 for those not named. Without it all are equal.
    rulings : TriumphRulings
        How open points are decided.

    Raises
    ------
    InputError
        If an argument is out of bounds.
    """
    plan = plan_of(points, spread, cards, card_chance, army_chance, companion, plain, weights, rulings)
    hosts: list[Host] = []
    for numbers in _chunks(count, first):
        drawn = draw(plan, seed, numbers)
        hosts += [_host(plan, drawn, k, int(number), points) for k, number in enumerate(numbers)]
    return hosts


def random_pool(
    count: int,
    seed: int,
    rulings: TriumphRulings = TriumphRulings(),
    *,
    first: int = 0,
    points: int = 51,
    spread: float = USUAL_SPREAD,
    cards: Sequence[str] = DRAWN_CARDS,
    card_chance: float = USUAL_CHANCE,
    army_chance: float = USUAL_ARMY_CHANCE,
    companion: str | None = None,
    plain: bool = False,
    weights: Mapping[str, float] | None = None,
) -> Pool:
    """The armies of `random_hosts` as the arrays of battles, without making hosts.

    A pool of n armies takes about 5 n kilobytes; draw millions in parts with `first`.
    """
    plan = plan_of(points, spread, cards, card_chance, army_chance, companion, plain, weights, rulings)
    table, classes, threshold = _packed(plan, rulings, points)
    chunks = _chunks(count, first)
    drawn = [draw(plan, seed, numbers) for numbers in chunks]
    parts = [_lines(plan, some) for some in drawn]
    width = max((part.shape[1] for part, _ in parts), default=0)
    lines = np.zeros((count, width), dtype=np.int64)
    bodies = np.zeros(count, dtype=np.int64)
    for (part, some), numbers in zip(parts, chunks, strict=True):
        lines[numbers - first, : part.shape[1]] = part
        bodies[numbers - first] = some
    spec = table.take(lines, axis=0)
    slots = np.arange(width)
    spec[:, :, lay.SLOT] = np.where(slots < bodies[:, None], slots, spec[:, :, lay.SLOT])
    sizes, thresholds = (lines > 0).sum(axis=1), np.full(count, threshold, dtype=np.int64)
    if plan.offers is None:
        return Pool(spec, sizes, thresholds)
    cards_bought = np.zeros((count, lay.CARD_COLUMNS), dtype=np.int64)
    for group, numbers in zip(drawn, chunks, strict=True):
        _mark(plan, group, classes[lines[numbers - first]], cards_bought, spec, numbers - first)
    return Pool(spec, sizes, thresholds, cards_bought)


def plan_of(
    points: int,
    spread: float,
    names: Sequence[str],
    card_chance: float,
    army_chance: float,
    companion: str | None,
    plain: bool,
    weights: Mapping[str, float] | None,
    rulings: TriumphRulings,
) -> Recruits:
    """The tables of the armies of `random_hosts`."""
    named = None if weights is None else tuple(sorted(weights.items()))
    chosen = () if plain else tuple(names)
    rider = None if plain else companion
    return recruits(points, spread, chosen, card_chance, named, rulings, army_chance, rider)


def _chunks(count: int, first: int) -> list[Ints]:
    if count < 0 or first < 0 or first + count > 2**32:
        raise InputError(f"Armies {first} to {first + count - 1} cannot be drawn; accepted: numbers 0 to 2³² − 1")
    ends = [*range(first, first + count, CHUNK), first + count]
    return [np.arange(a, b, dtype=np.int64) for a, b in pairwise(ends)]


def _host(plan: Recruits, drawn: Draws, k: int, number: int, points: int) -> Host:
    """One army as a host, in the slots that `Host.of` deals."""
    counts = drawn.counts[k].copy()
    leader = plan.leaders[drawn.stands[k, drawn.general[k]]]
    counts[drawn.general[k]] -= 1
    present = counts > 0
    kinds, numbers = drawn.stands[k, present], counts[present]
    order = np.argsort(plan.rank[kinds])
    stands: list[Stand] = [leader]
    late: list[int] = []
    for kind, copies in zip(kinds[order].tolist(), numbers[order].tolist(), strict=True):
        late += range(len(stands), len(stands) + copies) if plan.late[kind] else ()
        stands += [plan.stands[kind]] * copies
    heroes: list[Hero] = [hero for hero, comes in zip(plan.heroes, drawn.heroes[k], strict=True) if comes]
    size = len(stands)
    host = Host(
        f"Random army {number}",
        tuple(enumerate(stands)),
        tuple((size + i, hero) for i, hero in enumerate(sorted(heroes, key=str))),
        points,
        next_slot=size + len(heroes),
        delayed=frozenset(late),
    )
    if plan.offers is None or drawn.purchases is None:
        return host
    bought, classes = drawn.purchases.bought[k], drawn.purchases.classes[k]
    camp: str | None = "camp"
    cards, train = [], False
    for n in np.flatnonzero(bought).tolist():
        pick = plan.offers.picks[n]
        if pick.card.id == "no_camp":
            camp = None
        elif pick.card.id == "fortified_camp":
            camp = _FORTS[pick.choices[0]]
        elif pick.card.id == "pack_train":
            train = True
        else:
            of_class = plan.stands[classes[n]] if classes[n] >= 0 else None
            cards.append(ArmyCard(pick, int(bought[n]), of_class))
    home = plan.offers.homes[drawn.home[k]]
    return replace(host, camp=camp, cards=tuple(cards), home=home, pack_train=train)


_FORTS = {"fortified": "fortified camp", "heavily": "heavily fortified camp"}


@lru_cache(maxsize=32)
def _packed(plan: Recruits, rulings: TriumphRulings, points: int) -> tuple[Ints, Ints, int]:
    """Rows that armies are made of, the type of each that is plain, counted from 1, and the threshold.

    Nobody, all recruits, the same as generals, heroes by name; the camp, then the camps that cards bring in the
    order of `_FORTS`, the Pack Train, illusions.
    """
    rows = [np.zeros(lay.SPEC_COLUMNS, dtype=np.int64)]
    rows += [_stand_row(stand, rulings) for stand in (*plan.stands, *plan.leaders)]
    for k in np.flatnonzero(plan.late).tolist():
        rows[1 + k] = rows[1 + k].copy()
        rows[1 + k][lay.DELAYED] = 1
    some = Host.of("packed", [plan.stands[0]], list(plan.heroes), points=points)
    rows += list(pack_host(some, rulings)[1:])
    for name in _FORTS.values():
        rows.append(pack_host(replace(some, camp=name), rulings)[-1])
    rows.append(pack_host(replace(some, pack_train=True), rulings)[-1])
    fakes = Host.of("fakes", [plan.stands[0]], cards=[f"{MAX_COPIES} x Illusion"], camp=None)
    rows += list(pack_host(fakes, rulings)[1:])
    classes = [0] * len(rows)
    for k, stand in enumerate(plan.stands):
        if not stand.picks:
            classes[1 + k] = classes[1 + len(plan.stands) + k] = int(rows[1 + k][lay.TYPE])
    return np.array(rows), np.array(classes), int(pack_hosts([some], rulings).thresholds[0])


@lru_cache(maxsize=8192)
def _stand_row(stand: Stand, rulings: TriumphRulings) -> Ints:
    row: Ints = pack_host(Host.of(str(stand), [stand], camp=None), rulings)[0]
    return row


def _lines(plan: Recruits, drawn: Draws) -> tuple[Ints, Ints]:
    """Rows of `_packed` that make up each army, padded with 0, ``(armies, rows)``; how many are stands and heroes."""
    armies = np.arange(len(drawn.general))
    counts = drawn.counts.copy()
    counts[armies, drawn.general] -= 1
    order = np.argsort(plan.rank[drawn.stands], axis=1, kind="stable")
    counts = np.take_along_axis(counts, order, axis=1)
    kinds = np.take_along_axis(drawn.stands, order, axis=1)
    stands = counts.sum(axis=1)
    come = drawn.heroes[:, sorted(range(len(plan.heroes)), key=lambda k: str(plan.heroes[k]))]
    bodies = 1 + stands + come.sum(axis=1)
    leaders = 1 + len(plan.stands)
    hero = leaders + len(plan.stands)
    fakes, camps = _fakes_and_camps(plan, drawn, hero + come.shape[1])
    lines = np.zeros((len(armies), int((bodies + fakes + (camps > 0)).max(initial=0))), dtype=np.int64)
    lines[:, 0] = leaders + drawn.stands[armies, drawn.general]
    which = np.repeat(armies, stands)
    place = 1 + np.arange(len(which)) - np.repeat(np.cumsum(stands) - stands, stands)
    lines[which, place] = 1 + np.repeat(kinds.ravel(), counts.ravel())
    following = 1 + stands
    for k in range(come.shape[1]):
        there = come[:, k]
        lines[armies[there], following[there]] = hero + k
        following += there
    illusion = hero + come.shape[1] + 2 + len(_FORTS)
    for k in range(MAX_COPIES):
        there = fakes > k
        lines[armies[there], following[there]] = illusion + k
        following += there
    there = camps > 0
    lines[armies[there], following[there]] = camps[there]
    return lines, bodies


def _fakes_and_camps(plan: Recruits, drawn: Draws, camp: int) -> tuple[Ints, Ints]:
    """How many illusions an army has, and the row of its camp, 0 without one; `camp` is the row of the usual one."""
    fakes = np.zeros(len(drawn.general), dtype=np.int64)
    camps = np.full_like(fakes, camp)
    if plan.offers is None or drawn.purchases is None:
        return fakes, camps
    for n, pick in enumerate(plan.offers.picks):
        copies = drawn.purchases.bought[:, n]
        if pick.card.id == "illusion":
            fakes += copies
        elif pick.card.id == "no_camp":
            camps[copies > 0] = 0
        elif pick.card.id == "fortified_camp":
            camps[copies > 0] = camp + 1 + list(_FORTS).index(pick.choices[0])
        elif pick.card.id == "pack_train":
            camps[copies > 0] = camp + 1 + len(_FORTS)
    return fakes, camps


def _mark(plan: Recruits, drawn: Draws, classes: Ints, cards: Ints, spec: Ints, at: Ints) -> None:
    """Write army and event cards into a part of a pool; `classes` are those of its rows, `at` its armies."""
    if plan.offers is None or drawn.purchases is None:
        return
    home = np.array([list(topography_names()).index(name) for name in plan.offers.homes])[drawn.home]
    for n, pick in enumerate(plan.offers.picks):
        copies = drawn.purchases.bought[:, n]
        of_class = (classes == 1 + drawn.purchases.classes[:, n, None]) & (copies > 0)[:, None]
        if pick.card.id == "ambush":
            cards[at, lay.AMBUSH] += np.where(copies > 0, 2 + home if "home only" in pick.choices else 1, 0)
        elif pick.card.id == "illusion":
            cards[at, lay.ILLUSIONS] = copies
        elif pick.card.id == "prepared_defenses":
            cards[at, lay.DEFENSES] = copies
        elif pick.card.id == "charge_through":
            cards[at, lay.CHARGES_THROUGH] = copies
            spec[at, :, lay.CHARGES] = of_class
        elif pick.card.id == "hold_the_line":
            cards[at, lay.HOLDS_THE_LINE] = copies
            spec[at, :, lay.HOLD_CLASS] = of_class
