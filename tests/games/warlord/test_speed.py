"""Floors of speed. Run with: bin/test -m speed -s

Each test prints what it measured; times are CPU seconds of the process.
"""

from __future__ import annotations

import random
import time
from fractions import Fraction as F

import pytest

from ftsim.games.warlord.fight import Fight, tables
from ftsim.games.warlord.fight_kernel import sample_counts as sample_fights
from ftsim.games.warlord.fire import Fire
from ftsim.games.warlord.fire_kernel import sample_counts as sample_fires
from ftsim.games.warlord.movement import Mover
from ftsim.games.warlord.profile_file import shipped
from ftsim.games.warlord.profiles import DefenceDice
from ftsim.games.warlord.random_fields import crossing_times
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.units import Unit

pytestmark = pytest.mark.speed
P, R = shipped(), WarlordRulings()


def cpu(work, rounds=3):
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def plain_fire(rng, figures):
    """One fire in plain Python; half the rules of the process are enough for a fair race."""
    defence = rng.randint(1, 6) + rng.randint(1, 6)
    damage, turn, before = 0, 0, False
    while True:
        turn += 1
        damage += turn
        half = 2 * damage >= defence
        if before or (half and turn > 1):
            figures = sum(1 for _ in range(figures) if rng.randint(1, 100) <= 50)
        if damage >= defence:
            return figures
        if turn >= 2 and sum(1 for _ in range(figures) if rng.randint(1, 100) >= 50) >= turn:
            return figures
        before = half


def test_a_million_fires_take_seconds_and_beat_plain_python_50_times():
    dice = DefenceDice(2, 6)
    fire, trials = Fire(dice.chances(), 20, "fight"), 1_000_000
    sample_fires(fire, 1000, 1, dice)
    ours = cpu(lambda: sample_fires(fire, trials, 1, dice))
    rng, few = random.Random(1), 20_000
    theirs = cpu(lambda: [plain_fire(rng, 20) for _ in range(few)]) * trials / few
    print(f"\n10^6 fires of 20 figures: {ours:.2f} s CPU, {theirs / ours:.0f} x plain Python")  # noqa: T201
    assert ours < 6
    assert theirs / ours >= 50


def plain_fight(t, rng):
    """One fight in plain Python from the same tables, as lists."""
    total, result, then, caught, a, b = t
    g = 0
    while True:
        kills_a = min(total[0][g][a][b] // 100 + (rng.randint(1, 100) <= total[0][g][a][b] % 100), b)
        kills_b = min(total[1][g][a][b] // 100 + (rng.randint(1, 100) <= total[1][g][a][b] % 100), a)
        a, b = a - kills_b, b - kills_a
        if a == 0 or b == 0:
            return a, b
        who = 0 if kills_a > kills_b else 2 if kills_b > kills_a else 1
        if who != 1:
            side = 1 if who == 0 else 0
            fate = result[side][g][a][b][rng.randint(1, 4) - 1]
            if fate == 0:
                gone = caught[side][g][a][b]
                return (a, max(0, b - gone)) if side else (max(0, a - gone), b)
            if fate == 1:
                return a, b
        g = then[g][who]


def test_a_million_fights_take_seconds_and_beat_plain_python_50_times():
    fight = Fight(
        Unit.parse("20 Western goblin A + spear + chain + shield"), Unit.parse("20 Human C + spear + chain")
    )
    trials = 1_000_000
    sample_fights(fight, P, R, 1000, 1)
    ours = cpu(lambda: sample_fights(fight, P, R, trials, 1))
    t = tables(fight, P, R)
    lists = (*(x.tolist() for x in (t.total, t.result, t.then, t.caught)), *t.size)
    rng, few = random.Random(1), 20_000
    theirs = cpu(lambda: [plain_fight(lists, rng) for _ in range(few)]) * trials / few
    print(f"\n10^6 fights of 20 a side: {ours:.2f} s CPU, {theirs / ours:.0f} x plain Python")  # noqa: T201
    assert ours < 6
    assert theirs / ours >= 50


def test_a_hundred_thousand_paths_a_second():
    kinds = ["wood", "bog", "wall", "steep_hill", "jungle", "ford", "fence"]
    mover, paths = Mover("human", F(18), F(4)), 100_000
    crossing_times(kinds, [mover], P, R, 1000, 1)
    ours = cpu(lambda: crossing_times(kinds, [mover], P, R, paths, 1))
    print(f"\n10^5 paths of 60 cm, laid out and crossed: {ours:.2f} s CPU, {paths / ours:,.0f} a second")  # noqa: T201
    assert paths / ours >= 100_000
