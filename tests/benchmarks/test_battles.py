"""Speed and memory of battles, as ratios inside one run. Run with: bin/test -m speed -s.

Times are CPU seconds, the least of several rounds; only the gain of two threads is by the clock.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest

from ftsim.estimates import z_bound
from ftsim.games.triumph.battle.engine import BattleOptions, Outcome, fight
from ftsim.games.triumph.battle.hosts import Host
from ftsim.games.triumph.notation import Stand

pytestmark = pytest.mark.speed

ARMY = (
    ("Elite Foot", 1), ("Heavy Foot", 4), ("Spear", 3), ("Shooters", 2), ("Knights", 2), ("Light Foot", 1),
    ("Javelin Cavalry", 1),
)  # fmt: skip
#: Battles a second on one core, about half of what docs/profile.md measured: machines differ.
FLOORS = {"advance": 5000, "greedy": 2500}


def battles(n: int, policy: str, workers: int = 1) -> Callable[[], Outcome]:
    stands = [Stand.read(kind) for kind, count in ARMY for _ in range(count)]
    host = Host.of("fourteen", stands)
    pairs = np.zeros((n, 2), dtype=np.int64)
    trials = np.arange(n, dtype=np.int64)

    def run() -> Outcome:
        return fight([host], pairs, trials, BattleOptions(policy, policy), seed=1, workers=workers)

    return run


def least(run: Callable[[], object], clock: Callable[[], float], rounds: int = 5) -> float:
    run()
    times = []
    for _ in range(rounds):
        start = clock()
        run()
        times.append(clock() - start)
    return min(times)


@pytest.mark.parametrize("policy", sorted(FLOORS))
def test_battles_a_second(policy):
    n = 2000
    taken = least(battles(n, policy), time.process_time)
    print(f"\n{policy}: {n / taken:,.0f} battles of 14 stands a side a second, one core, open board")
    assert n / taken >= FLOORS[policy]


PLAIN = """
import sys, time
sys.path.insert(0, {folder!r})
from test_battles import battles
run = battles({n}, {policy!r})
run()
start = time.process_time()
run()
print(time.process_time() - start)
"""


@pytest.mark.parametrize("policy", sorted(FLOORS))
def test_compiled_battles_are_150_times_as_fast_as_plain_python(policy):
    folder = os.path.dirname(__file__)  # noqa: PTH120
    taken = {}
    for jit, n in (("0", 8), ("1", 2000)):
        done = subprocess.run(
            [sys.executable, "-c", PLAIN.format(folder=folder, n=n, policy=policy)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "FTSIM_JIT": jit},
        )
        taken[jit] = float(done.stdout) / n
    ratio = taken["0"] / taken["1"]
    plain, compiled = 1e3 * taken["0"], 1e6 * taken["1"]
    print(f"\n{policy}: {plain:.0f} ms a battle in plain Python, {compiled:.0f} us compiled: {ratio:.0f} x")
    assert ratio >= 150


def test_two_threads_are_1_7_times_as_fast_on_an_idle_machine():
    if os.getloadavg()[0] > 0.5:
        pytest.skip("other work is running")
    one = least(battles(20_000, "greedy"), time.perf_counter, 3)
    two = least(battles(20_000, "greedy", 2), time.perf_counter, 3)
    print(f"\ntwo threads: {one / two:.2f} x")
    assert one / two >= 1.7


def test_a_million_battles_cost_no_more_each_and_mirrors_win_half():
    few = least(battles(10_000, "advance"), time.process_time, 3) / 10_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    played = battles(1_000_000, "advance")()
    many = (time.process_time() - start) / 1_000_000
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"\n{1e6 * few:.0f} us a battle of 10^4, {1e6 * many:.0f} of 10^6; {grown:.0f} MiB more")
    assert many <= 1.4 * few
    # The army against itself wins half; whoever moves first, what that is worth.
    won = played.score
    error = float(won.std()) / 1000
    z = (float(won.mean()) - 0.5) / error
    first = np.where(played.rows[:, 6] == 0, won, 1 - won).mean()
    print(f"{100 * won.mean():.3f} % of 10^6 mirrors won (z {z:.2f}); the first move wins {100 * first:.2f} %")
    assert abs(z) <= z_bound(1)
    assert grown < 160  # the outcomes themselves and their addresses: 72 bytes a battle
