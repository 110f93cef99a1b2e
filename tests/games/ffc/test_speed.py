"""Floors of speed of battles, and the profile behind them. Run with: bin/test -m speed -s tests/games/ffc

Times are CPU seconds, the least of several rounds, for the machine may be shared.
"""

# ruff: noqa: T201

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ftsim.games.ffc.battle import layout as at
from ftsim.games.ffc.battle import melee, ranged, setup, tactics, turn
from ftsim.games.ffc.battle.driver import Scenario, play, table
from ftsim.games.ffc.policies import Policy
from ftsim.games.ffc.rulings import FfcRulings
from ftsim.games.ffc.values import design, fit, score, terms
from ftsim.streams import stream_key

pytestmark = pytest.mark.speed

SCRIPT = """
import time
import numpy as np
from ftsim.games.ffc.battle.driver import Scenario, play, table
from ftsim.games.ffc.policies import Policy
from ftsim.games.ffc.rulings import FfcRulings
state = table(Scenario(), (Policy("simple"), Policy("simple")), FfcRulings(), 1)
with np.errstate(over="ignore"):
    start = time.process_time()
    play(state, 6)
    print((time.process_time() - start) / 6)
"""


def state_of(policy: str):
    return table(Scenario(), (Policy(policy), Policy(policy)), FfcRulings(), stream_key(1, {}))


def seconds(work, rounds: int = 5) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def profile(policy: str, battles: int = 1500) -> dict[str, float]:
    """CPU microseconds a battle by phase, less what the clock itself costs."""
    s = state_of(policy)
    spent: dict[str, float] = {}
    calls: dict[str, int] = {}

    def timed(name, work) -> int:
        start = time.thread_time()
        found = work(s)
        spent[name] = spent.get(name, 0.0) + time.thread_time() - start
        calls[name] = calls.get(name, 0) + 1
        return int(found)

    phases = {
        "draw": tactics.draw_phase, "tactics": tactics.tactics_phase, "ranged": ranged.ranged_phase,
        "hand to hand": melee.melee_phase,
    }  # fmt: skip
    for trial in range(battles):
        s[at.GAME, at.TRIAL] = trial
        timed("set-up", setup.set_up)
        done = 0
        while not done and s[at.GAME, at.TURN] < 100:
            timed("turn", turn.begin_turn)
            for name, work in phases.items():
                done = timed(name, work) if name != "draw" else timed(name, work) * 0
                if done:
                    break
            else:
                timed("turn", turn.end_turn)
    clock = min(timed("clock", turn.lead) * 0.0 + _clock() for _ in range(50))
    return {name: 1e6 * (spent[name] - calls[name] * clock) / battles for name in spent if name != "clock"}


def _clock() -> float:
    start = time.thread_time()
    return time.thread_time() - start


def test_battles_are_25_times_as_fast_as_plain_python():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env={**os.environ, "FTSIM_JIT": "0"}, capture_output=True, text=True,
        check=True, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    plain = float(done.stdout)
    state = state_of("simple")
    compiled = seconds(lambda: play(state, 2000)) / 2000
    print(
        f"\nplain Python {1e3 * plain:.1f} ms, compiled {1e6 * compiled:.1f} µs a battle: {plain / compiled:,.0f} x"
    )
    assert plain / compiled >= 25


@pytest.mark.parametrize(("policy", "floor"), [("simple", 20_000), ("greedy", 12_000)])
def test_battles_a_second(policy, floor):
    state = state_of(policy)
    each = seconds(lambda: play(state, 4000)) / 4000
    start = time.perf_counter()
    play(state, 20_000, threads=2)
    wall = 20_000 / (time.perf_counter() - start)
    parts = profile(policy)
    print(
        f"\n{policy}: {1e6 * each:.1f} µs of CPU a battle, so {2 / each:,.0f} a second on two free cores; "
        f"{wall:,.0f} measured"
    )
    print("  " + ", ".join(f"{name} {value:.1f}" for name, value in parts.items()) + " µs a battle")
    # Wanted are 60,000 a second under `simple`; the profile shows what bounds it. The floor is for a busy machine.
    assert 2 / each >= floor


def test_a_hundred_thousand_battles_give_three_tenths_of_a_point_a_card():
    s = table(Scenario(withheld=10), (Policy("simple"), Policy("simple")), FfcRulings(), 3)
    n = 20_000
    battles = play(s, n, threads=2)
    found = fit(design(battles.out), score(battles.out))
    for deck in ("warrior", "weapon", "armor", "spell", "fight card"):
        halves = [found.points(k).half_width for k, term in enumerate(terms()) if term.deck == deck]
        print(f"\n{deck}: ± {np.median(halves) * (n / 100_000) ** 0.5:.2f} points at 100,000 battles (median)")
        assert np.median(halves) * (n / 100_000) ** 0.5 < 0.5
