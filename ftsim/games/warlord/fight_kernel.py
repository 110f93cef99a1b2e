"""Fights to the end: solved exactly, and sampled by the million, from the tables of `fight`."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ftsim._typing import FloatArray, IntArray
from ftsim.addressed import die, halves, words
from ftsim.games.warlord import purposes
from ftsim.games.warlord.fight import ENDINGS, Fight, FightEnd, FightTables, tables
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.games.warlord.sampling import in_blocks
from ftsim.kernels import kernel
from ftsim.streams import stream_key

_EXCHANGE = purposes.EXCHANGE
#: Rounds after which a sampled fight counts as unresolved.
MOST_ROUNDS = 10_000


@kernel("int64(int64, int64, int64, int64, int64)")
def better(kills_a: int, kills_b: int, a: int, b: int, share: int) -> int:
    """Who does better in a round: 0 side A, 1 nobody, 2 side B; a, b are the figures before it."""
    mine, theirs = kills_a, kills_b
    if share == 1:
        # Shares of the enemy's figures, without dividing.
        mine, theirs = kills_a * a, kills_b * b
    return 0 if mine > theirs else (2 if theirs > mine else 1)


@kernel(
    "float64(int64[:, :, :, ::1], int64[:, :, :, :, ::1], int64[:, ::1], int64[:, :, :, ::1], int64, "
    "float64[:, :, ::1], float64[:, :, ::1])"
)
def solve_block(
    total: IntArray,
    result: IntArray,
    then: IntArray,
    caught: IntArray,
    share: int,
    mass: FloatArray,
    ends: FloatArray,
) -> float:
    """Push the chance in `mass` (ground, a, b) through all rounds into `ends`; returns the mean number of rounds.

    Losses never come back and a round without losses is drawn, so states are taken by figures left,
    charged grounds first; a state's chance to stay is a geometric series.
    """
    rounds = 0.0
    most_a, most_b = total.shape[2] - 1, total.shape[3] - 1
    for left in range(most_a + most_b, 1, -1):
        for a in range(max(1, left - most_b), min(most_a, left - 1) + 1):
            b = left - a
            for passing in range(2):
                for g in range(total.shape[1]):
                    # Grounds that a drawn round leaves come before those in which it stays.
                    settled = 1 if then[g, 1] == g else 0
                    here = mass[g, a, b]
                    if settled != passing or here == 0.0:
                        continue
                    full_a, rest_a = total[0, g, a, b] // 100, total[0, g, a, b] % 100 / 100.0
                    full_b, rest_b = total[1, g, a, b] // 100, total[1, g, a, b] % 100 / 100.0
                    if settled == 1 and full_a == 0 and full_b == 0:
                        stay = (1.0 - rest_a) * (1.0 - rest_b)
                        if stay == 1.0:
                            ends[7, a, b] += here
                            continue
                        here = here / (1.0 - stay)
                    rounds += here
                    for more_a in range(2):
                        for more_b in range(2):
                            chance = (rest_a if more_a == 1 else 1.0 - rest_a) * (
                                rest_b if more_b == 1 else 1.0 - rest_b
                            )
                            if chance == 0.0:
                                continue
                            kills_a, kills_b = min(full_a + more_a, b), min(full_b + more_b, a)
                            if settled == 1 and kills_a == 0 and kills_b == 0:
                                continue
                            flow = here * chance
                            after_a, after_b = a - kills_b, b - kills_a
                            if after_a == 0 or after_b == 0:
                                ending = 2 if after_a == 0 and after_b == 0 else (0 if after_b == 0 else 1)
                                ends[ending, after_a, after_b] += flow
                                continue
                            who = better(kills_a, kills_b, a, b, share)
                            if who == 1:
                                mass[then[g, 1], after_a, after_b] += flow
                                continue
                            beaten = 1 if who == 0 else 0
                            for face in range(4):
                                fate = result[beaten, g, after_a, after_b, face]
                                if fate == 0 and beaten == 1:
                                    gone = min(caught[1, g, after_a, after_b], after_b)
                                    ends[3, after_a, after_b - gone] += flow / 4
                                elif fate == 0:
                                    gone = min(caught[0, g, after_a, after_b], after_a)
                                    ends[4, after_a - gone, after_b] += flow / 4
                                elif fate == 1:
                                    ends[5 if beaten == 1 else 6, after_a, after_b] += flow / 4
                                else:
                                    mass[then[g, who], after_a, after_b] += flow / 4
    return rounds


@kernel(
    "int64(int64, int64, int64[:, :, :, ::1], int64[:, :, :, :, ::1], int64[:, ::1], int64[:, :, :, ::1], int64, "
    "int64, int64, int64, int64[:, :, ::1])"
)
def fight_block(
    first: int,
    count: int,
    total: IntArray,
    result: IntArray,
    then: IntArray,
    caught: IntArray,
    share: int,
    most: int,
    low: int,
    high: int,
    ends: IntArray,
) -> int:
    """Add the endings of some sampled fights to `ends` (ending, a, b); returns the sum of their rounds."""
    rounds = 0
    for trial in range(first, first + count):
        a, b = total.shape[2] - 1, total.shape[3] - 1
        g = 0
        ending = 7
        for turn in range(1, most + 1):
            if total[0, g, a, b] == 0 and total[1, g, a, b] == 0 and then[g, 1] == g:
                break
            rounds += 1
            # Both D100 and both D4 of a round are four words of one address.
            word_a, word_b, morale_a, morale_b = words(trial, turn, 0, _EXCHANGE, low, high)
            kills_a = total[0, g, a, b] // 100 + (1 if die(word_a, 100) <= total[0, g, a, b] % 100 else 0)
            kills_b = total[1, g, a, b] // 100 + (1 if die(word_b, 100) <= total[1, g, a, b] % 100 else 0)
            kills_a, kills_b = min(kills_a, b), min(kills_b, a)
            who = better(kills_a, kills_b, a, b, share)
            a -= kills_b
            b -= kills_a
            if a == 0 or b == 0:
                ending = 2 if a == 0 and b == 0 else (0 if b == 0 else 1)
                break
            if who != 1:
                beaten = 1 if who == 0 else 0
                face = die(morale_b if beaten == 1 else morale_a, 4) - 1
                fate = result[beaten, g, a, b, face]
                if fate == 0 and beaten == 1:
                    b -= min(caught[1, g, a, b], b)
                    ending = 3
                    break
                if fate == 0:
                    a -= min(caught[0, g, a, b], a)
                    ending = 4
                    break
                if fate == 1:
                    ending = 5 if beaten == 1 else 6
                    break
            g = then[g, who]
        ends[ending, a, b] += 1
    return rounds


def solve_tables(t: FightTables) -> FightEnd:
    """The exact distribution of how a fight ends."""
    most_a, most_b = t.size
    mass = np.zeros((len(t.grounds), most_a + 1, most_b + 1))
    mass[0, most_a, most_b] = 1.0
    ends = np.zeros((len(ENDINGS), most_a + 1, most_b + 1))
    rounds = float(solve_block(t.total, t.result, t.then, t.caught, t.share, mass, ends))
    return FightEnd(ends, inf if ends[7].sum() > 0 else rounds)


def solve(fight: Fight, profiles: Profiles, rulings: WarlordRulings) -> FightEnd:
    """The exact distribution of how a fight ends."""
    return solve_tables(tables(fight, profiles, rulings))


def sample_counts(
    fight: Fight, profiles: Profiles, rulings: WarlordRulings, trials: int, seed: int, threads: int = 2
) -> IntArray:
    """Counts of a sample: endings by figures left, then the sum of rounds, in one row."""
    t = tables(fight, profiles, rulings)
    scenario: dict[str, Any] = {"process": "fight"}
    low, high = halves(stream_key(seed, scenario))

    def one(first: int, count: int) -> IntArray:
        ends = np.zeros((len(ENDINGS), t.size[0] + 1, t.size[1] + 1), dtype=np.int64)
        rounds = fight_block(first, count, t.total, t.result, t.then, t.caught, t.share, MOST_ROUNDS, low, high, ends)
        return np.append(ends.ravel(), rounds)

    return in_blocks(one, trials, threads)


def sample(
    fight: Fight, profiles: Profiles, rulings: WarlordRulings, trials: int, seed: int, threads: int = 2
) -> FightEnd:
    """How a fight ends, from a sample."""
    counts = sample_counts(fight, profiles, rulings, trials, seed, threads)
    shape = (len(ENDINGS), fight.a.figures + 1, fight.b.figures + 1)
    return FightEnd(counts[:-1].reshape(shape) / trials, counts[-1] / trials, trials)
