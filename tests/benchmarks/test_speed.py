"""Floors of speed and memory, as ratios inside one run. Run with: bin/test -m speed -s

Each test prints what it measured. Times are CPU seconds of the process, the least of several
rounds in which every candidate runs once.
"""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ftsim.games.triumph.combat import CloseCombat, matchups, result_counts, roll_results
from ftsim.games.triumph.duels import duel_counts
from ftsim.games.triumph.notation import Stand
from ftsim.games.triumph.places import Place, side_array
from ftsim.games.triumph.rulings import TriumphRulings
from ftsim.games.triumph.troop_types import troop_types
from ftsim.trials import simulate

pytestmark = pytest.mark.speed
RULINGS = TriumphRulings()


def cpu(*candidates: Callable[[], object], rounds: int = 15) -> list[float]:
    best = [float("inf")] * len(candidates)
    for _ in range(rounds):
        for k, candidate in enumerate(candidates):
            start = time.process_time()
            candidate()
            best[k] = min(best[k], time.process_time() - start)
    return best


def many_stands(size: int) -> list[Stand]:
    texts = ["Deadly", "Hearten", "Prowess", "Weaken", "Brittle", "Terror", "Fierce", "Massive", "Armored"]
    found = []
    for count in range(4):
        for cards in itertools.combinations(texts, count):
            for kind in troop_types().values():
                stand = Stand(kind).plus(*cards)
                if not stand.problems(RULINGS):
                    found.append(stand)
    return found[:size]


def one_by_one(total_a: int, total_b: int, won_a: int, lost_a: int, won_b: int, lost_b: int) -> list[int]:
    """Plain-Python enumeration of one matchup, as a beginner would write it."""
    counts = [0, 0, 0, 0, 0]
    for die_a in range(1, 7):
        for die_b in range(1, 7):
            a, b = total_a + die_a, total_b + die_b
            if a > b:
                a, b = a + won_a, b + lost_b
            elif b > a:
                a, b = a + lost_a, b + won_b
            if a == b:
                counts[2] += 1
            elif a > b:
                counts[4 if a >= 2 * b else 3] += 1
            else:
                counts[0 if b >= 2 * a else 1] += 1
    return counts


def test_the_whole_pricing_table_takes_a_quarter_of_a_second_and_beats_plain_python_200_times():
    stands = many_stands(1200)
    assert len(stands) == 1200
    side = side_array(stands, Place(), Place(), RULINGS, ("exceptions",))

    def table() -> np.ndarray:
        return matchups("close-combat", side, side, RULINGS).counts()

    found = matchups("close-combat", side, side, RULINGS)
    counts = table()
    rng = np.random.default_rng(1)
    sample = rng.integers(0, 1200, size=(300, 2))

    def plain() -> None:
        for i, j in sample:
            gains = [gain[i] for gain in found.gains_a] + [gain[j] for gain in found.gains_b]
            arguments = (found.total_a[i, j], found.total_b[i, j], *gains)
            assert one_by_one(*map(int, arguments)) == counts[i, j].tolist()

    ours, theirs = cpu(table, plain)
    scaled = theirs * counts[..., 0].size / len(sample)
    tracemalloc.start()
    table()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    print(f"\n1.44 M matchups: {ours:.3f} s CPU, {scaled / ours:.0f} x plain Python, {peak:.0f} MiB")
    assert counts.shape == (1200, 1200, 5)
    assert ours < 0.25
    assert peak < 64
    assert scaled / ours >= 200


def test_sampling_one_matchup_a_billion_times_costs_at_most_twice_a_thousand_times():
    contest = CloseCombat(Stand.parse("Knights"), Stand.parse("Heavy Foot"))
    rng = np.random.default_rng(1)

    def repeat(trials: int) -> Callable[[], None]:
        return lambda: [simulate(contest, trials, rng) for _ in range(200)] and None

    few, many = cpu(repeat(10**3), repeat(10**9))
    print(f"\n10^9 rolls: {many / few:.2f} x the time of 10^3")
    assert many <= 2 * few


def test_different_combats_are_rolled_four_times_as_fast_as_with_masks():
    size = 1_000_000
    rng = np.random.default_rng(1)
    total_a, total_b = (rng.integers(0, 8, size, dtype=np.int8) for _ in range(2))
    won_a, won_b = (rng.integers(0, 2, size, dtype=np.int8) for _ in range(2))
    lost_a, lost_b = (rng.integers(-1, 2, size, dtype=np.int8) for _ in range(2))

    def masks() -> np.ndarray:
        dice = np.random.default_rng(2)
        a = total_a + dice.integers(1, 7, size, dtype=np.int8)
        b = total_b + dice.integers(1, 7, size, dtype=np.int8)
        a_ahead, b_ahead = a > b, b > a
        end_a = np.where(a_ahead, a + won_a, np.where(b_ahead, a + lost_a, a))
        end_b = np.where(b_ahead, b + won_b, np.where(a_ahead, b + lost_b, b))
        result = np.full(size, 2, dtype=np.int8)
        result[end_a > end_b] = 3
        result[(end_a > end_b) & (end_a >= 2 * end_b)] = 4
        result[end_b > end_a] = 1
        result[(end_b > end_a) & (end_b >= 2 * end_a)] = 0
        return result

    def careful() -> np.ndarray:
        return roll_results(total_a, total_b, won_a, lost_a, won_b, lost_b, np.random.default_rng(2))

    plain, ours = cpu(masks, careful)
    exact = result_counts(*(x.astype(np.int64) for x in (total_a, total_b, won_a, lost_a, won_b, lost_b)))
    for result in (masks(), careful()):
        share = np.bincount(result, minlength=5) / size
        assert np.abs(share - exact.mean(0) / 36).max() < 0.003
    print(f"\ndifferent combats: {plain / ours:.1f} x plain numpy with masks, {1e9 * ours / size:.1f} ns each")
    assert plain / ours >= 4


def test_36000_duels_are_exact_in_20_milliseconds():
    two_a = np.arange(2, 242) % 40
    two_b = np.arange(2, 152) % 30

    (taken,) = cpu(lambda: duel_counts(two_a[:, None], two_b[None, :]))
    print(f"\n36,000 duels: {1e3 * taken:.1f} ms")
    assert taken < 0.020


def child_cpu(*command: str) -> float:
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_and_odds_start_quickly():
    ftsim = str(Path(sys.executable).with_name("ftsim"))
    empty = min(child_cpu(sys.executable, "-c", "pass") for _ in range(5))
    shown = min(child_cpu(ftsim, "--help") for _ in range(5))
    asked = min(
        child_cpu(ftsim, "odds", "triumph", "close-combat", "Knights", "Heavy Foot", "--json") for _ in range(5)
    )
    print(f"\n--help: {1e3 * (shown - empty):.0f} ms CPU over the interpreter; odds: {asked:.2f} s CPU")
    assert shown - empty <= 0.120
    assert asked <= 0.5
