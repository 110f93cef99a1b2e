"""Planted truth in the engine: cards whose worth is known go through the arms and come out as they went in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ftsim.errors import InputError
from ftsim.estimates import z_bound
from ftsim.games.triumph.battle import engine
from ftsim.games.triumph.battle import layout as lay
from ftsim.games.triumph.battle.archetype_study import _Tally
from ftsim.games.triumph.battle.archetypes import archetypes
from ftsim.games.triumph.battle.arms import (
    POINTS,
    Group,
    Subject,
    arm,
    bearer_words,
    drawn_armies,
    joined,
    one_more,
    play_arms,
    with_stand,
)
from ftsim.games.triumph.battle.build import pack_hosts
from ftsim.games.triumph.battle.engine import BattleOptions, fight, fight_pool
from ftsim.games.triumph.notation import Stand
from ftsim.games.triumph.rules import vocabularies
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.pricing.equal_points import arm_moments, priced

RULINGS = TriumphRulings()
ADVANCE = BattleOptions("advance", "advance")
#: Slot of a levied stand: not that of the stand more, so that its luck is its own.
LEVY_SLOT = 201
BLOCK = 8192


def levied(kind: str, cost: float, trials: int, seed: int) -> tuple[np.ndarray, ...]:
    """Scores plain, with a levy, with the numeraire; cost of the numeraire; trial by trial."""
    found = []
    group = Group(POINTS - int(np.ceil(cost)), heroes=False)
    for first in range(0, trials, BLOCK):
        count = min(BLOCK, trials - first)
        base = drawn_armies(group, seed, first, count, RULINGS, "own")
        enemy = drawn_armies(Group(POINTS, heroes=False), seed, first, count, RULINGS, "enemy")
        words = bearer_words(seed, group, first, count, base.spec.shape[1])
        if kind == "own kinds":
            carded, _, _ = one_more(base, words[3], LEVY_SLOT)
            more, price, _ = one_more(base, words[1])
        else:
            stand = Stand.read(kind)
            carded, more = with_stand(base, stand, RULINGS, LEVY_SLOT), with_stand(base, stand, RULINGS)
            price = np.full(count, float(stand.points))
        numbers, at = np.arange(first, first + count, dtype=np.int64), np.arange(count)

        def scores(pool, enemy=enemy, numbers=numbers, at=at):
            pairs = np.stack([at, len(at) + at], axis=1)
            return fight_pool(joined(pool, enemy), pairs, numbers, ADVANCE, seed, workers=2).score

        plain = scores(base)
        with_levy = scores(carded)
        if cost < float(price.min()):  # a levy that comes with chance ½ is half of it: a lottery
            with_levy = np.where(words[3, :, 0] < 1 << 31, with_levy, plain)
        found.append((plain, with_levy, scores(more), price))
    return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))


def coverage(kind: str, cost: float, studies: int, trials: int, seed: int) -> float:
    """Share of studies whose interval holds what the levy costs."""
    arms = levied(kind, cost, studies * trials, seed)
    held = 0
    for k in range(studies):
        plain, carded, more, price = (part[k * trials : (k + 1) * trials] for part in arms)
        found = priced(arm_moments(plain, carded, more, price)).ratio
        truth = cost if kind != "own kinds" else float(arms[3].mean())
        held += abs(found.errors_above(truth)) <= 1.959964
    return held / studies


PLANTS = [("Horde", 2.0), ("Heavy Foot", 3.0), ("Elite Foot", 4.0), ("Heavy Foot", 1.5), ("own kinds", 3.0)]


@pytest.mark.parametrize(("kind", "cost"), PLANTS)
def test_a_levy_is_worth_what_its_stand_costs(kind, cost):
    # All studies together: the difference from the truth lies within chance.
    plain, carded, more, price = levied(kind, cost, 4000, seed=11)
    truth = cost if kind != "own kinds" else float(price.mean())
    found = priced(arm_moments(plain, carded, more, price)).ratio
    assert abs(found.errors_above(truth)) < z_bound(len(PLANTS))


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("kind", "cost"), PLANTS)
def test_intervals_of_levies_cover(kind, cost):
    share = coverage(kind, cost, 400, 2500, seed=12)
    print(f"levy of {kind} worth {cost}: held in {100 * share:.1f} % of 400 studies of 2,500 trials")  # noqa: T201
    assert 0.93 <= share <= 0.97


def test_an_army_card_without_effect_is_worth_exactly_nothing():
    # With no close order friend in the way, no camp at stake and no terrain, these do nothing on an open board.
    subject = Subject.of("Ambush: any topography", RULINGS)
    found = priced(play_arms(subject.group, [subject], ADVANCE, 5, 0, 400)[subject.text].pooled())
    assert found.changed == 0
    assert (found.price.value, found.price.low, found.price.high) == (0.0, 0.0, 0.0)


def with_twin(world: np.void) -> np.void:
    """A record whose rows on Deadly stand once more for a card of another name, in the bit of no troop type."""
    rows = world[lay.ROWS]
    deadly = vocabularies()[0].bits(["deadly"])
    for number, table in enumerate(rows):
        used = int(np.argmax(table[:, lay.VALUE] < -1000))
        copies = [k for k in range(used) if table[k, : lay.VALUE].tolist() and any(
            int(table[k, c]) & deadly for c in (lay.OWN_ALL, lay.ENEMY_ALL))]  # fmt: skip
        for k in range(used):
            for column in (lay.OWN_NONE, lay.OWN_ONE, lay.OWN_TWO, lay.ENEMY_NONE, lay.ENEMY_ONE):
                if int(table[k, column]) & deadly:
                    table[k, column] |= TWIN
        for n, k in enumerate(copies):
            table[used + n] = table[k]
            for column in (lay.OWN_ALL, lay.ENEMY_ALL):
                if int(table[k, column]) & deadly:
                    table[used + n, column] = int(table[k, column]) & ~deadly | TWIN
            for half in (0, 1):
                world[lay.FITS][number, half] |= ((world[lay.FITS][number, half] >> k) & 1) << (used + n)
    return world


NEW_WORLD = engine.new_world
TWIN = 1 << 61


def test_a_twin_of_deadly_under_another_name_decides_every_trial_alike(monkeypatch):
    monkeypatch.setattr(engine, "new_world", lambda *given, **named: with_twin(NEW_WORLD(*given, **named)))
    group = Group(49, heroes=False)
    base = drawn_armies(group, 6, 0, 800, RULINGS, "own")
    enemy = drawn_armies(Group(POINTS, heroes=False), 6, 0, 800, RULINGS, "enemy")
    words = bearer_words(6, group, 0, 800, base.spec.shape[1])
    _, deadly, _, _ = arm(Subject.of("Deadly", RULINGS), base, words[0], RULINGS)
    bit = vocabularies()[0].bits(["deadly"])
    spec = deadly.spec.copy()
    has = (spec[:, :, lay.BITS] & bit) != 0
    assert has.any(axis=1).all()
    spec[:, :, lay.BITS] = np.where(has, spec[:, :, lay.BITS] & ~bit | TWIN, spec[:, :, lay.BITS])
    twin = replace(deadly, spec=spec)
    at = np.arange(800)
    for policy in ("advance", "greedy"):
        options = BattleOptions(policy, policy)
        one, other, plain = (
            fight_pool(joined(p, enemy), np.stack([at, 800 + at], 1), at, options, 6).rows
            for p in (deadly, twin, base)
        )
        assert (one == other).all()
        assert (one[:, 0] != plain[:, 0]).any()


def test_a_promotion_is_the_replaced_stand():
    army = archetypes()["high_elves"]
    slot = next(k for k, stand in army.stands if not stand.general and not stand.picks)
    other = next(a for a in archetypes().values() if a is not army)
    elite, heavy = Stand.read("Elite Foot"), Stand.read("Heavy Foot")
    replaced, plain = army.replace(slot, elite), army.replace(slot, heavy)
    pool, promoted = pack_hosts([replaced, other], RULINGS), pack_hosts([plain, other], RULINGS)
    # Heavy Foot that fights as Elite Foot and costs one more.
    row = int(np.flatnonzero(promoted.spec[0, :, lay.SLOT] == slot)[0])
    rank = promoted.spec[0, row].copy()
    promoted.spec[0, row] = pack_hosts([replaced], RULINGS).spec[0, row]
    assert promoted.spec[0, row, lay.COST] == rank[lay.COST] + 2
    at = np.arange(400)
    pairs = np.tile([0, 1], (400, 1))
    for policy in ("advance", "greedy"):
        options = BattleOptions(policy, policy)
        assert (
            fight_pool(pool, pairs, at, options, 3).rows == fight_pool(promoted, pairs, at, options, 3).rows
        ).all()


def test_an_army_against_its_own_twin_is_not_flagged():
    army = archetypes()["orcs"]
    twin = replace(army, name="Twin")
    n = 4000
    found = fight([army, twin], np.tile([0, 1], (n, 1)), np.arange(n), ADVANCE, 9, workers=2)
    wins, draws, losses = found.counts()
    tally = _Tally(
        "advance",
        (army.name, twin.name),
        np.array([[0.0, wins], [losses, 0.0]]),
        np.array([[0.0, draws], [draws, 0.0]]),
        np.zeros((2, 2)),
        0,
        n,
    )
    assert tally.uneven() == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Champion", "Hero \\+ Champion"),
        ("Deadly + No Camp", "priced by itself"),
        ("Spiked Carts + Ranged Attack: physical + Flying: hover", "no troop type"),
        ("Hero + Spiked Carts", "not for heroes"),
    ],
)
def test_what_nobody_may_have_is_refused(text, problem):
    with pytest.raises(InputError, match=problem):
        Subject.of(text, RULINGS)


def test_arms_do_not_depend_on_blocks_or_on_other_cards():
    one, other = Subject.of("Hearten", RULINGS), Subject.of("Away", RULINGS)
    whole = play_arms(one.group, [one, other], ADVANCE, 4, 0, 400)
    parts = [play_arms(one.group, [one], ADVANCE, 4, first, 200, workers=2) for first in (0, 200)]
    both = parts[0][one.text].moments(27) + parts[1][one.text].moments(27)
    assert (both.total == whole[one.text].moments(27).total).all()
    assert (both.product == whole[one.text].moments(27).product).all()
