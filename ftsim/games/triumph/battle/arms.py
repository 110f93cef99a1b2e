"""Arms of a comparison: the same random armies plain, with a card, with one more stand and with one less.

All arms of a trial share its number, so they share edge, first move, deployment and dice; they differ only where
the card or the stand makes them differ. Cards of the same price share the plain armies and the stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.games.triumph.armies import ArmyCard
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.build import Ints, Pool, pack_cards, pack_host
from ftsim.games.triumph.battle.engine import BattleOptions, fight_pool
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.battle.muster import random_pool
from ftsim.games.triumph.notation import Hero, Pick, Stand, read_card
from ftsim.games.triumph.rules import vocabularies
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.troop_types import published_field, troop_types
from ftsim.pricing.moments import Moments
from ftsim.streams import generator, philox, stream_key

Flags = NDArray[np.bool_]

#: Size of the game: an army loses at a third of it, whatever it costs itself.
POINTS = 51
#: Arms that every group of cards shares.
ONE_MORE, ONE_LESS = "one stand more", "one stand less"
#: Who rides with both armies where a card for heroes is priced; the priced card comes on top.
COMPANION = "Hero + Hearten"
#: Slot of an added stand, and of a hero: above those of drawn armies.
ADDED_SLOT, HERO_SLOT = 200, 100


#: Fights trials of a pool, all or some, and returns scores.
Scorer = Callable[..., FloatArray]

Bought = Literal["stand", "late stand", "hero", "class", "army"]


@dataclass(frozen=True)
class Subject:
    """What is priced: cards on a stand, a card of a hero, of a class or of an army.

    Parameters
    ----------
    text : str
        Notation, as in experiments: ``Deadly``, ``Deadly + Armored``, ``Hero + Champion``, ``No Camp``.
    picks : tuple of Pick
        The cards.
    bought : {"stand", "late stand", "hero", "class", "army"}
        Who has them; a late stand has Delayed Entry.
    types : tuple of str
        Identifiers of the troop types that may have them and pay something other than 0; none for heroes and armies.
    printed : tuple of float
        What each pays in points; a single number for a hero or an army.
    """

    text: str
    picks: tuple[Pick, ...]
    bought: Bought
    types: tuple[str, ...]
    printed: tuple[float, ...]

    @classmethod
    def of(cls, text: str, rulings: TriumphRulings) -> Subject:
        """A subject from notation.

        Raises
        ------
        InputError
            If nobody may have the cards together.
        """
        terms = [term.strip() for term in text.split("+")]
        hero = terms[0].casefold() == "hero"
        picks = tuple(read_card(term) for term in terms[hero:])
        name = " + ".join([*(["Hero"] if hero else []), *(str(pick) for pick in picks)])
        if hero:
            base, more = Hero.read(COMPANION), Hero.read(f"{COMPANION} + {' + '.join(map(str, picks))}")
            problems = more.problems(rulings)
            if problems:
                raise InputError(f"{name} cannot be priced on {COMPANION}: {'; '.join(problems)}")
            return cls(name, picks, "hero", (), (float(more.cost(rulings) - base.cost(rulings)),))
        alone = [pick for pick in picks if not pick.card.for_stands]
        if alone and len(picks) > 1:
            raise InputError(f"{name}: {alone[0].card.name} is not for stands, so it is priced by itself")
        if picks and picks[0].card.bought_for == "hero":
            raise InputError(f"{name} is for heroes; write it as: Hero + {name}")
        bought: Bought = "stand"
        if alone:
            late = alone[0].card.id == "delayed_entry"
            bought = "late stand" if late else "class" if alone[0].card.bought_for == "event" else "army"
        if bought == "army":
            price = picks[0].card.price(picks[0].choices, "army", (), rulings)
            return cls(name, picks, "army", (), (float(price.points),))
        types, printed = [], []
        for t in troop_types(rulings).values():
            points = _points(Stand(t, () if alone else picks), picks, bought, rulings)
            if points:  # who takes a card for nothing says nothing about its price
                types.append(t.id)
                printed.append(points)
        if not types:
            raise InputError(f"{name}: no troop type may take that")
        return cls(name, picks, bought, tuple(types), tuple(printed))

    @property
    def counts(self) -> bool:
        """Whether its points are lost with a stand or hero, so that victory counts them."""
        return self.bought in ("stand", "hero")

    @property
    def group(self) -> Group:
        """Armies with which it is priced: room is left for it, so that the carded army is legal."""
        room = max(0, ceil(max(self.printed)))
        heroes = self.bought == "hero"
        return Group(POINTS - room - (int(Hero.read(COMPANION).points) if heroes else 0), heroes)

    def printed_by_card(self, rulings: TriumphRulings) -> tuple[float, ...]:
        """Printed price of each card of several on one stand, the mean over the types that may have them."""
        stands = [Stand(troop_types(rulings)[name], self.picks) for name in self.types]
        return tuple(
            sum(float(p.card.price(p.choices, "stand", s.own_names, rulings).points) for s in stands) / len(stands)
            for p in self.picks
        )

    def printed_by_type(self, rulings: TriumphRulings) -> dict[int, float]:
        """Printed price by position of the type; -1 for a hero or an army."""
        if not self.types:
            return {-1: self.printed[0]}
        order = list(troop_types(rulings))
        return {order.index(name): points for name, points in zip(self.types, self.printed, strict=True)}


def _points(stand: Stand, picks: Sequence[Pick], bought: Bought, rulings: TriumphRulings) -> float | None:
    """What a stand pays for cards; None when it may not have them."""
    if bought in ("class", "late stand"):
        card = picks[0].card
        if card.problems("stand", stand.own_names, rulings):
            return None
        buyer = "army" if bought == "class" else "stand"
        points = float(card.price(picks[0].choices, buyer, stand.own_names, rulings).points)
        return max(points, -float(stand.cost(rulings))) if bought == "late stand" else points  # FT 32, ruling h-13
    if stand.problems(rulings):
        return None
    return sum(float(p.card.price(p.choices, "stand", stand.own_names, rulings).points) for p in picks)


@dataclass(frozen=True, order=True)
class Group:
    """Armies that several cards share: their points without the card, and whether heroes ride with them."""

    points: int
    heroes: bool

    def __str__(self) -> str:
        return f"{self.points} points" + (" and a hero" if self.heroes else "")


def group_subjects(subjects: Sequence[Subject]) -> dict[Group, list[Subject]]:
    """Subjects by the armies they share."""
    groups: dict[Group, list[Subject]] = {}
    for subject in subjects:
        groups.setdefault(subject.group, []).append(subject)
    return dict(sorted(groups.items(), reverse=True))


def frequencies() -> dict[str, float]:
    """How often each type is drawn into random armies: as in published lists."""
    return {troop_types()[name].name: share for name, share in published_field().items()}


@dataclass(frozen=True, eq=False)
class Played:
    """Scores of the arms that price one thing, trial by trial on the same dice, arrays of shape ``(trials,)``.

    Parameters
    ----------
    plain, carded, more, less : array of float
        Scores of each arm.
    cost_more, cost_less : array of float
        Cost in points of the stand more and of the stand less.
    kind : array of int
        Position of the bearer's type; the number of types for heroes.
    """

    plain: FloatArray
    carded: FloatArray
    more: FloatArray
    less: FloatArray
    cost_more: FloatArray
    cost_less: FloatArray
    kind: Ints

    def _columns(self) -> list[FloatArray]:
        differs = (self.carded != self.plain).astype(np.float64)
        return [self.plain, self.carded, self.more, self.less, self.cost_more, self.cost_less, differs]

    def moments(self, kinds: int) -> Moments:
        """Over the columns `equal_points.ARMS`, a cell for each kind of bearer."""
        return Moments.by_group(self._columns(), self.kind, kinds)

    def pooled(self) -> Moments:
        """The same, all bearers in one cell."""
        return Moments.of(self._columns())


def play_arms(
    group: Group,
    subjects: Sequence[Subject],
    options: BattleOptions,
    seed: int,
    first: int,
    count: int,
    *,
    mirror: bool = True,
    counted: bool = True,
    workers: int = 1,
) -> dict[str, Played]:
    """Scores of trials by arm.

    Parameters
    ----------
    group : Group
        The armies.
    subjects : sequence of Subject
        What is priced with them.
    options : BattleOptions
        How battles are fought.
    seed : int
        Seed of armies and dice.
    first, count : int
        Numbers of the trials; multiples of four, for seats and first moves rotate.
    mirror : bool
        Whether the opponent is the plain army's own mirror, so that every trial is even and a point decides most;
        otherwise he is drawn by himself, of the full game's points.
    counted : bool
        Whether a card's points are points lost with its bearer, as the rules have it; otherwise a bearer is worth to
        both players what he costs without.
    workers : int
        Threads.

    Returns
    -------
    dict of str to Played
        For both shared arms and each subject.
    """
    rulings = options.rulings
    base = drawn_armies(group, seed, first, count, rulings, "own")
    scores = scorer(group, base, options, seed, first, mirror=mirror, workers=workers)
    words = bearer_words(seed, group, first, count, base.spec.shape[1])
    more, more_cost, more_kind = one_more(base, words[1])
    less, less_cost, less_kind = one_less(base, words[2])
    plain, stronger, weaker = scores(base), scores(more), scores(less)
    found = {
        ONE_MORE: Played(plain, stronger, stronger, weaker, more_cost, less_cost, more_kind),
        ONE_LESS: Played(plain, weaker, stronger, weaker, more_cost, less_cost, less_kind),
    }
    for subject in subjects:
        own, carded, bearer, changed = arm(subject, base, words[0], rulings)
        if not counted and subject.counts:
            carded.spec[:, :, lay.COST] = own.spec[:, :, lay.COST]
        y0, y2, cost = plain, stronger, more_cost
        if changed.any():  # these trials have other plain armies, so they have arms of their own
            again, again_cost, _ = one_more(own, words[1])
            y0, y2, cost = plain.copy(), stronger.copy(), np.where(changed, again_cost, more_cost)
            y0[changed], y2[changed] = scores(own, changed), scores(again, changed)
        found[subject.text] = Played(y0, scores(carded), y2, weaker, cost, less_cost, bearer)
    return found


def scorer(
    group: Group, base: Pool, options: BattleOptions, seed: int, first: int, *, mirror: bool = True, workers: int = 1
) -> Scorer:
    """A function that fights trials of a pool against the opponents of a group, and returns their scores.

    It takes the pool, and which of its trials to fight when not all. Every pool meets the same opponents and dice.
    """
    count = len(base.sizes)
    enemy = base
    if not mirror:
        full = POINTS - (int(Hero.read(COMPANION).points) if group.heroes else 0)
        enemy = drawn_armies(Group(full, group.heroes), seed, first, count, options.rulings, "enemy")
    numbers = np.arange(first, first + count, dtype=np.int64)
    scenario = {"equal-points": group.points, "heroes": group.heroes, "mirror": mirror}

    def scores(pool: Pool, which: Flags | None = None) -> FloatArray:
        at = np.arange(count) if which is None else np.flatnonzero(which)
        pairs = np.stack([at, count + at], axis=1)
        both = joined(pool, enemy)
        return fight_pool(both, pairs, numbers[at], options, seed, scenario=scenario, workers=workers).score

    return scores


# ------------------------------------------------------------------ armies


def drawn_armies(group: Group, seed: int, first: int, count: int, rulings: TriumphRulings, which: str) -> Pool:
    """Plain random armies, which lose at a third of the full game.

    Parameters
    ----------
    which : str
        Tells armies apart that are drawn with the same seed: one's own and the opponents'.
    """
    key = int(generator(seed, {"armies": f"{which} {group.points}"}).integers(0, 2**31))
    pool = random_pool(
        count, key, rulings, first=first, points=group.points, spread=0.0, plain=True, weights=frequencies()
    )
    pool = replace(pool, thresholds=np.full(count, -(-2 * POINTS // 3), dtype=np.int64))
    return with_hero(pool, Hero.read(COMPANION), rulings) if group.heroes else pool


def is_stand(pool: Pool) -> Flags:
    """Which rows are stands: neither padding nor camp nor hero."""
    rows = np.arange(pool.spec.shape[1])
    there = rows[None, :] < pool.sizes[:, None]
    flags: Flags = there & (pool.spec[:, :, lay.ROLE] != lay.CAMP) & (pool.spec[:, :, lay.ROLE] != lay.HERO)
    return flags


def joined(one: Pool, other: Pool) -> Pool:
    """Two pools as one, padded to one width."""
    width = max(one.spec.shape[1], other.spec.shape[1])
    parts = [np.pad(pool.spec, ((0, 0), (0, width - pool.spec.shape[1]), (0, 0))) for pool in (one, other)]
    return Pool(
        np.concatenate(parts),
        np.concatenate([one.sizes, other.sizes]),
        np.concatenate([one.thresholds, other.thresholds]),
        np.concatenate([one.cards, other.cards]),
    )


def one_more(pool: Pool, word: Ints, slot: int = ADDED_SLOT) -> tuple[Pool, FloatArray, Ints]:
    """One more stand of a drawn stand's type, plain and no general, in a fresh slot; its cost and type."""
    chosen = _largest(word, is_stand(pool))
    rows = pool.spec[np.arange(len(chosen)), chosen].copy()
    rows[:, lay.FLAGS] &= ~lay.IS_GENERAL
    rows[:, lay.BITS] &= ~_general_bit()
    return with_rows(pool, rows, slot), rows[:, lay.COST] / 2, rows[:, lay.TYPE] - 1


def one_less(pool: Pool, word: Ints) -> tuple[Pool, FloatArray, Ints]:
    """Without a drawn stand, not the general's; its cost and type."""
    stays = (pool.spec[:, :, lay.FLAGS] & lay.IS_GENERAL) != 0
    chosen = _largest(word, is_stand(pool) & ~stays)
    rows = np.arange(pool.spec.shape[1])
    source = np.where(rows[None, :] >= chosen[:, None], rows[None, :] + 1, rows[None, :])
    spec = np.pad(pool.spec, ((0, 0), (0, 1), (0, 0)))
    left = np.take_along_axis(spec, source[:, :, None], axis=1)
    gone = pool.spec[np.arange(len(chosen)), chosen]
    return replace(pool, spec=left, sizes=pool.sizes - 1), gone[:, lay.COST] / 2, gone[:, lay.TYPE] - 1


def with_rows(pool: Pool, rows: Ints, slot: int) -> Pool:
    """A pool in which each army has one more row, before its camp, in a fresh slot."""
    count, width, columns = pool.spec.shape
    spec = np.zeros((count, width + 1, columns), dtype=np.int64)
    spec[:, :width] = pool.spec
    at, camp = np.arange(count), pool.sizes - 1
    spec[at, camp + 1] = pool.spec[at, camp]
    spec[at, camp] = rows
    spec[at, camp, lay.SLOT] = slot
    return replace(pool, spec=spec, sizes=pool.sizes + 1)


def with_stand(pool: Pool, stand: Stand, rulings: TriumphRulings, slot: int = ADDED_SLOT) -> Pool:
    """One more stand of a given kind in every army."""
    return with_rows(pool, _row(stand, rulings)[None, :].repeat(len(pool.sizes), axis=0), slot)


def with_hero(pool: Pool, hero: Hero, rulings: TriumphRulings) -> Pool:
    """A hero with every army, in the slot of heroes."""
    some = Host.of("hero", [Stand(troop_types(rulings)["horde"])], [hero], camp=None)
    row = pack_host(some, rulings)[1]
    return with_rows(pool, row[None, :].repeat(len(pool.sizes), axis=0), HERO_SLOT)


def arm(subject: Subject, pool: Pool, word: Ints, rulings: TriumphRulings) -> tuple[Pool, Pool, Ints, Flags]:
    """The plain armies and those with the subject, the bearers' kinds, and which plain armies had to change.

    Where no stand may have the cards, a drawn stand becomes one of an eligible type of like cost in both arms.
    """
    nobody = len(troop_types(rulings))
    if not subject.types:
        carded = _with_hero_cards(pool, subject, rulings) if subject.bought == "hero" else _with_army_card(
            pool, subject.picks[0], rulings)  # fmt: skip
        count = len(pool.sizes)
        return pool, carded, np.full(count, nobody, dtype=np.int64), np.zeros(count, dtype=np.bool_)
    own, chosen, changed = bearers(subject, pool, word, rulings)
    at = np.arange(len(chosen))
    old = own.spec[at, chosen]
    spec, cards = own.spec.copy(), own.cards.copy()
    if subject.bought == "late stand":
        spec[at, chosen, lay.DELAYED] = 1
    elif subject.bought == "class":
        of_class = is_stand(own) & (own.spec[:, :, lay.TYPE] == old[:, lay.TYPE][:, None])
        charges = subject.picks[0].card.id == "charge_through"
        spec[:, :, lay.CHARGES if charges else lay.HOLD_CLASS][of_class] = 1
        cards[:, lay.CHARGES_THROUGH if charges else lay.HOLDS_THE_LINE] = 1
    else:
        return own, with_picks(own, chosen, subject.picks, rulings), old[:, lay.TYPE] - 1, changed
    return own, replace(own, spec=spec, cards=cards), old[:, lay.TYPE] - 1, changed


def bearers(subject: Subject, pool: Pool, word: Ints, rulings: TriumphRulings) -> tuple[Pool, Ints, Flags]:
    """The plain armies in which the subject finds a bearer, who that is, and which armies had to change for it."""
    types = list(troop_types(rulings).values())
    fits: Flags = np.array([False, *(t.id in subject.types for t in types)])
    stands = is_stand(pool)
    may = fits[pool.spec[:, :, lay.TYPE]] & stands
    if not _may_lead(subject, rulings):
        general = (pool.spec[:, :, lay.FLAGS] & lay.IS_GENERAL) != 0
        may, stands = may & ~general, stands & ~general
    changed: Flags = np.logical_not(np.any(may, axis=1))
    chosen = _largest(word, np.where(changed[:, None], stands, may))
    at = np.arange(len(chosen))
    own = pool
    if changed.any():
        nearest = np.array([0, *(_nearest(t.cost, fits[1:], types) for t in types)])
        spec = pool.spec.copy()
        old = spec[at, chosen][changed]
        new = _rows_by_type((), rulings)[nearest[old[:, lay.TYPE]], _leads(old)]
        new[:, lay.SLOT] = old[:, lay.SLOT]
        spec[at[changed], chosen[changed]] = new
        own = replace(pool, spec=spec)
    return own, chosen, changed


def with_picks(pool: Pool, chosen: Ints, picks: tuple[Pick, ...], rulings: TriumphRulings) -> Pool:
    """The armies with cards on the chosen stand of each."""
    at = np.arange(len(chosen))
    old = pool.spec[at, chosen]
    rows = _rows_by_type(picks, rulings)[old[:, lay.TYPE] - 1, _leads(old)]
    rows[:, lay.SLOT] = old[:, lay.SLOT]
    spec = pool.spec.copy()
    spec[at, chosen] = rows
    return replace(pool, spec=spec)


def _may_lead(subject: Subject, rulings: TriumphRulings) -> bool:
    """Whether the general's stand may have the cards too."""
    t = troop_types(rulings)[subject.types[0]]
    if subject.bought == "late stand":
        return False  # FT 32.4
    return subject.bought == "class" or not Stand(t, subject.picks, general=True).problems(rulings)


def _with_army_card(pool: Pool, pick: Pick, rulings: TriumphRulings) -> Pool:
    """The armies with a card for the army: its counts, its illusion or its camp."""
    some = Host.of("some", [Stand(troop_types(rulings)["horde"])] * 2, cards=[ArmyCard(pick)], home=None)
    packed, cards = pack_host(some, rulings), pool.cards + pack_cards(some)
    found = replace(pool, cards=cards)
    at, camp = np.arange(len(pool.sizes)), pool.sizes - 1
    if pick.card.id == "no_camp":
        spec = pool.spec.copy()
        spec[at, camp] = 0
        return replace(found, spec=spec, sizes=pool.sizes - 1)
    if pick.card.id in ("fortified_camp", "pack_train"):
        spec = pool.spec.copy()
        spec[at, camp] = packed[-1]
        return replace(found, spec=spec)
    for row in packed[packed[:, lay.FAKE] == 1]:
        found = with_rows(found, row[None, :].repeat(len(at), axis=0), int(row[lay.SLOT]))
    return found


def _with_hero_cards(pool: Pool, subject: Subject, rulings: TriumphRulings) -> Pool:
    return _heroes_replaced(pool, Hero.read(f"{COMPANION} + {' + '.join(map(str, subject.picks))}"), rulings)


def _heroes_replaced(pool: Pool, hero: Hero, rulings: TriumphRulings) -> Pool:
    some = Host.of("hero", [Stand(troop_types(rulings)["horde"])], [hero], camp=None)
    row = pack_host(some, rulings)[1]
    spec = pool.spec.copy()
    army, at = np.nonzero(spec[:, :, lay.ROLE] == lay.HERO)
    spec[army, at] = row
    spec[army, at, lay.SLOT] = HERO_SLOT
    return replace(pool, spec=spec)


def _nearest(cost: int, fits: Flags, types: Sequence[object]) -> int:
    """Position of the eligible type whose cost is nearest, the first of equals."""
    costs = [int(t.cost) for t in types]  # type: ignore[attr-defined]
    return min((k for k, ok in enumerate(fits) if ok), key=lambda k: (abs(costs[k] - cost), k))


def _leads(rows: Ints) -> Ints:
    return (rows[:, lay.FLAGS] & lay.IS_GENERAL > 0).astype(np.int64)


@lru_cache(maxsize=512)
def _rows_by_type(picks: tuple[Pick, ...], rulings: TriumphRulings) -> Ints:
    """Rows of every type with some cards, without and with the general; zeros where that is not legal."""
    types = list(troop_types(rulings).values())
    rows = np.zeros((len(types), 2, lay.SPEC_COLUMNS), dtype=np.int64)
    for k, t in enumerate(types):
        for leads in (False, True):
            stand = Stand(t, picks, general=leads)
            if not stand.problems(rulings):
                rows[k, int(leads)] = _row(stand, rulings)
    return rows


def _row(stand: Stand, rulings: TriumphRulings) -> Ints:
    row: Ints = pack_host(Host.of("one", [stand], camp=None), rulings)[0]
    return row


def _largest(word: Ints, among: Flags) -> Ints:
    """Column of the largest word among some, a row each."""
    width = among.shape[1]
    return np.argmax(np.where(among, word[:, :width], -1), axis=1)


def bearer_words(seed: int, group: Group, first: int, count: int, width: int) -> Ints:
    """Words of the rows of each army, shape (4, trials, rows): for the bearer, the stand more, the stand less."""
    key = stream_key(seed, {"game": "triumph", "purpose": "bearers", "points": group.points, "heroes": group.heroes})
    counter = np.zeros((4, count, width + 1), dtype=np.uint32)
    counter[0] = np.arange(first, first + count, dtype=np.uint32)[:, None]
    counter[2] = np.arange(width + 1, dtype=np.uint32)
    return philox(counter, key).astype(np.int64)


@lru_cache(maxsize=1)
def _general_bit() -> int:
    return vocabularies()[0].bits(["general"])
