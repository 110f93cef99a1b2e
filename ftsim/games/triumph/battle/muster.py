"""Armies for whole battles: random legal ones, as hosts or as the arrays that battles take.

Random armies have three to five troop types, one general, one stand at least for every six points,
and a total within the spread. They vary in types, numbers, cards and totals, so that a regression
on many battles can tell what each is worth; `plain` armies have no cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ftsim.errors import InputError
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.archetypes import archetypes
from ftsim.games.triumph.battle.build import Pool, pack_host, pack_hosts
from ftsim.games.triumph.battle.draws import Draws, draw
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.recruits import DRAWN_CARDS, Recruits, recruits
from ftsim.games.triumph.notation import Hero, Stand
from ftsim.games.triumph.rulings import TriumphRulings

Ints = NDArray[np.int64]
CHUNK = 1 << 15  # armies drawn at a time, so that scratch arrays stay small
USUAL_SPREAD = 0.12
USUAL_CHANCE = 0.15

__all__ = ["DRAWN_CARDS", "archetypes", "random_army", "random_hosts", "random_pool"]


def random_army(
    number: int,
    seed: int,
    *,
    points: int = 51,
    spread: float = USUAL_SPREAD,
    cards: Sequence[str] = DRAWN_CARDS,
    card_chance: float = USUAL_CHANCE,
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
        Cards that may be drawn: for stands, or for heroes who have that card alone.
    card_chance : float
        Chance of each card to be in an army. At most five cards for stands come, on 1 to 3 stands of one
        troop type, one card a stand; a card that an army cannot pay is left out.
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
    plan = _plan(points, spread, cards, card_chance, plain, weights, rulings)
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
    plain: bool = False,
    weights: Mapping[str, float] | None = None,
) -> Pool:
    """The armies of `random_hosts` as the arrays of battles, without making hosts.

    A pool of n armies takes about 5 n kilobytes; draw millions in parts with `first`.
    """
    plan = _plan(points, spread, cards, card_chance, plain, weights, rulings)
    table, threshold = _packed(plan, rulings, points)
    chunks = _chunks(count, first)
    parts = [_lines(plan, draw(plan, seed, numbers)) for numbers in chunks]
    width = max((part.shape[1] for part in parts), default=0)
    lines = np.zeros((count, width), dtype=np.int64)
    for part, numbers in zip(parts, chunks, strict=True):
        lines[numbers - first, : part.shape[1]] = part
    sizes = (lines > 0).sum(axis=1)
    spec = table.take(lines, axis=0)
    slots = np.arange(width)
    spec[:, :, lay.SLOT] = np.where(slots < sizes[:, None] - 1, slots, spec[:, :, lay.SLOT])
    return Pool(spec, sizes, np.full(count, threshold, dtype=np.int64))


def _plan(
    points: int,
    spread: float,
    names: Sequence[str],
    card_chance: float,
    plain: bool,
    weights: Mapping[str, float] | None,
    rulings: TriumphRulings,
) -> Recruits:
    named = None if weights is None else tuple(sorted(weights.items()))
    return recruits(points, spread, () if plain else tuple(names), card_chance, named, rulings)


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
    for kind, copies in zip(kinds[order].tolist(), numbers[order].tolist(), strict=True):
        stands += [plan.stands[kind]] * copies
    heroes: list[Hero] = [hero for hero, comes in zip(plan.heroes, drawn.heroes[k], strict=True) if comes]
    size = len(stands)
    return Host(
        f"Random army {number}",
        tuple(enumerate(stands)),
        tuple((size + i, hero) for i, hero in enumerate(sorted(heroes, key=str))),
        points,
        next_slot=size + len(heroes),
    )


@lru_cache(maxsize=32)
def _packed(plan: Recruits, rulings: TriumphRulings, points: int) -> tuple[Ints, int]:
    """Rows of nobody, all recruits, the same as generals, heroes by name, the camp; and the threshold."""
    rows = [np.zeros(lay.SPEC_COLUMNS, dtype=np.int64)]
    rows += [_stand_row(stand, rulings) for stand in (*plan.stands, *plan.leaders)]
    some = Host.of("packed", [plan.stands[0]], list(plan.heroes), points=points)
    rows += list(pack_host(some, rulings)[1:])
    return np.array(rows), int(pack_hosts([some], rulings).thresholds[0])


@lru_cache(maxsize=8192)
def _stand_row(stand: Stand, rulings: TriumphRulings) -> Ints:
    row: Ints = pack_host(Host.of(str(stand), [stand], camp=None), rulings)[0]
    return row


def _lines(plan: Recruits, drawn: Draws) -> Ints:
    """Rows of `_packed` that make up each army, padded with 0, shape ``(armies, rows)``."""
    armies = np.arange(len(drawn.general))
    counts = drawn.counts.copy()
    counts[armies, drawn.general] -= 1
    order = np.argsort(plan.rank[drawn.stands], axis=1, kind="stable")
    counts = np.take_along_axis(counts, order, axis=1)
    kinds = np.take_along_axis(drawn.stands, order, axis=1)
    stands = counts.sum(axis=1)
    come = drawn.heroes[:, sorted(range(len(plan.heroes)), key=lambda k: str(plan.heroes[k]))]
    sizes = 1 + stands + come.sum(axis=1) + 1
    lines = np.zeros((len(armies), int(sizes.max(initial=0))), dtype=np.int64)
    leaders = 1 + len(plan.stands)
    lines[:, 0] = leaders + drawn.stands[armies, drawn.general]
    which = np.repeat(armies, stands)
    place = 1 + np.arange(len(which)) - np.repeat(np.cumsum(stands) - stands, stands)
    lines[which, place] = 1 + np.repeat(kinds.ravel(), counts.ravel())
    following = 1 + stands
    hero = leaders + len(plan.stands)
    for k in range(come.shape[1]):
        there = come[:, k]
        lines[armies[there], following[there]] = hero + k
        following += there
    lines[armies, following] = hero + come.shape[1]
    return lines
