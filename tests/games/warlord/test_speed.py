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


def plain_total(own, enemy, base, charged):
    """Total per cent of 20 spears in two ranks against 20, worked out afresh."""
    front = min(10, own)
    contact = min(front, min(10, enemy) + 1)
    fighting = contact + min(max(0, own - front), 10)
    return fighting * (base + (10 if charged else 0) + (2 if own > 10 else 0))


def plain_result(left, enemy, value, d4):
    """Morale result: 0 rout, 1 retire, 2 carry on, 3 uncontrolled advance."""
    value -= max(0, 100 * (20 - left) // 20 // 10 - 1)
    value += -2 if enemy >= 2 * left else 1 if 2 * enemy <= left else 0
    final = value + d4
    return (final > 6) + (final > 8) + (final > 14)


def plain_fight(rng):
    """One fight of goblins (A, 11 per cent) against humans (C, 10 per cent), as a beginner would write it."""
    a = b = 20
    charged = True
    while True:
        total_a, total_b = plain_total(a, b, 11, charged), plain_total(b, a, 10, False)
        kills_a = min(total_a // 100 + (rng.randint(1, 100) <= total_a % 100), b)
        kills_b = min(total_b // 100 + (rng.randint(1, 100) <= total_b % 100), a)
        a, b, charged = a - kills_b, b - kills_a, False
        if a == 0 or b == 0:
            return a, b
        if kills_a > kills_b:
            result = plain_result(b, a, 8, rng.randint(1, 4))
            if result == 0:
                return a, b - min(min(10, a), min(10, b) + 1, b)
            if result == 1:
                return a, b
        elif kills_b > kills_a:
            result = plain_result(a, b, 10, rng.randint(1, 4))
            if result < 2:
                return a, b


def test_a_million_fights_take_seconds_and_beat_plain_python_50_times():
    fight = Fight(
        Unit.parse("20 Western goblin A + spear + chain + shield"), Unit.parse("20 Human C + spear + chain")
    )
    trials = 1_000_000
    sample_fights(fight, P, R, 1000, 1)
    ours = cpu(lambda: sample_fights(fight, P, R, trials, 1))
    t = tables(fight, P, R)
    for a in range(1, 21):
        for b in range(1, 21):
            assert [plain_total(a, b, 11, k == 0) for k in (0, 1)] == t.total[0, :, a, b].tolist()
            assert plain_total(b, a, 10, False) == t.total[1, 1, a, b]
            assert [plain_result(b, a, 8, d4) for d4 in (1, 2, 3, 4)] == t.result[1, 1, a, b].tolist()
    rng, few = random.Random(1), 20_000
    theirs = cpu(lambda: [plain_fight(rng) for _ in range(few)]) * trials / few
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
