"""Fires by the million: the process of `fire.solve`, sampled with addressed dice."""

from __future__ import annotations

from typing import Any

import numpy as np

from ftsim._typing import IntArray
from ftsim.addressed import die, halves, words
from ftsim.errors import InputError
from ftsim.games.warlord import purposes
from ftsim.games.warlord.fire import ENDINGS, LONGEST, POLICIES, Fire, FireEnd, kill_percent, put_out_percent
from ftsim.games.warlord.profiles import DefenceDice
from ftsim.games.warlord.sampling import in_blocks
from ftsim.kernels import kernel
from ftsim.streams import stream_key

_CASUALTIES, _FIGHTING = purposes.FIRE_CASUALTIES, purposes.FIRE_FIGHTING
_COLLAPSE, _DEFENCE = purposes.COLLAPSE, purposes.DEFENCE_VALUE
_LONGEST = LONGEST


@kernel("int64(int64, int64, int64, int64, int64[::1], int64, int64, int64)")
def how_many(
    trial: int, turn: int, purpose: int, above: int, alive: IntArray, remove: int, low: int, high: int
) -> int:
    """Figures alive whose own D100 is above a face; with `remove`, they are dead from then on.

    A figure keeps its place in `alive`, so its dice do not depend on the others.
    """
    found = 0
    size = alive.size
    for group in range((size + 3) // 4):
        four = words(trial, turn, group, purpose, low, high)
        for k in range(min(4, size - 4 * group)):
            # Sums in place of branches: half of them would be guessed wrong.
            hit = alive[4 * group + k] * (die(four[k], 100) > above)
            found += hit
            alive[4 * group + k] -= hit * remove
    return found


@kernel("int64(int64, int64[::1], int64, int64)")
def rolled_defence(trial: int, spec: IntArray, low: int, high: int) -> int:
    """The defence value of a trial: fixed, or its dice times a fraction, rounded up."""
    if spec[0] == 0:
        return spec[2]  # type: ignore[no-any-return]
    total = 0
    for k in range(spec[0]):
        four = words(trial, 0, k // 4, _DEFENCE, low, high)
        total += die(four[k % 4], spec[1])
    value = -((-total * spec[2]) // spec[3])
    return value if value > 1 else 1


@kernel("int64(int64, int64, int64[::1], int64[::1], int64, int64, int64[:, ::1], int64[::1])")
def fire_block(
    first: int, count: int, spec: IntArray, alive: IntArray, low: int, high: int, ends: IntArray, turns: IntArray
) -> int:
    """Add the endings of some fires to `ends` (ending, survivors) and `turns`.

    `spec`: dice, sides, value or times, divisor; first points − 1; goes on; leaves; fights; first turn of
    fighting; roll in the turn of half; face above which a figure dies; above which a point is put out;
    partial; face above which a figure dies in the collapse.
    """
    for trial in range(first, first + count):
        defence = rolled_defence(trial, spec, low, high)
        for i in range(alive.size):
            alive[i] = 1
        left = alive.size
        damage = 0
        before = 0
        ending = -1
        turn = 0
        while ending < 0:
            turn += 1
            does = turn + spec[4]
            damage += does
            half = 1 if 2 * damage >= defence else 0
            if spec[6] == 1 and half == 1 and left > 0:
                ending = 2
                break
            if before == 1 or (half == 1 and turn > 1 and spec[9] == 1):
                left -= how_many(trial, turn, _CASUALTIES, spec[10], alive, 1, low, high)
            if damage >= defence:
                if spec[13] < 100:
                    left -= how_many(trial, turn, _COLLAPSE, spec[13], alive, 1, low, high)
                ending = 1
                break
            if spec[5] == 0:
                ending = 3
                break
            removed = 0
            if spec[7] == 1 and turn >= spec[8] and left > 0:
                removed = how_many(trial, turn, _FIGHTING, spec[11], alive, 0, low, high)
            if removed >= does:
                ending = 0
                break
            if spec[12] == 1:
                damage -= removed
            if half == 1:
                before = 1
        ends[ending, left] += 1
        turns[turn if turn < _LONGEST else _LONGEST] += 1
    return count


def sample(fire: Fire, trials: int, seed: int, dice: DefenceDice | None = None, threads: int = 2) -> FireEnd:
    """How a fire ends, from a sample.

    Parameters
    ----------
    dice : DefenceDice, optional
        Dice for the defence value, rolled anew in each trial; without them `fire.defence` must
        hold one value.
    """
    counts = sample_counts(fire, trials, seed, dice, threads)
    size = len(ENDINGS) * (fire.figures + 1)
    return FireEnd(counts[:size].reshape(len(ENDINGS), -1) / trials, counts[size:] / trials, trials)


def sample_counts(fire: Fire, trials: int, seed: int, dice: DefenceDice | None = None, threads: int = 2) -> IntArray:
    """Counts of a sample: endings by survivors, then turns, in one row."""
    spec = _spec(fire, dice)
    scenario: dict[str, Any] = {"process": "fire", "figures": fire.figures}
    low, high = halves(stream_key(seed, scenario))

    def one(first: int, count: int) -> IntArray:
        ends = np.zeros((len(ENDINGS), fire.figures + 1), dtype=np.int64)
        turns = np.zeros(LONGEST + 1, dtype=np.int64)
        fire_block(first, count, spec, np.ones(fire.figures, dtype=np.int64), low, high, ends, turns)
        return np.concatenate([ends.ravel(), turns])

    return in_blocks(one, trials, threads)


def _spec(fire: Fire, dice: DefenceDice | None) -> IntArray:
    rulings = fire.rulings
    if dice is None:
        if len(fire.defence) != 1:
            raise InputError("A fire is sampled with dice for its defence value, or with one value")
        defence = (0, 0, next(iter(fire.defence)), 1)
    else:
        defence = (dice.count, dice.sides, dice.times.numerator, dice.times.denominator)
    assert fire.policy in POLICIES
    return np.array(
        [
            *defence,
            2 if fire.magical else 0,
            int(fire.goes_on),
            int(fire.policy in ("leave", "fight_then_leave")),
            int(fire.policy in ("fight", "fight_then_leave")),
            rulings.fire_fighting_from,
            int(rulings.first_fire_roll == "same_turn"),
            100 - kill_percent(rulings),
            100 - put_out_percent(rulings),
            int(rulings.partial_extinguish),
            100 - rulings.collapse_kills,
        ],
        dtype=np.int64,
    )
