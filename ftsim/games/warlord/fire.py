"""Buildings on fire: how fast they burn, who dies inside, and whether the fire can be put out (FW 7; F49-F57).

Turn 1 is the turn of ignition. In phase 1 of every later turn the fire does its points and
figures inside roll; in phase 8 those with the order Break Formation, Fire, fight it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb

import numpy as np

from ftsim._typing import FloatArray
from ftsim.errors import InputError
from ftsim.games.warlord.rulings import WarlordRulings

#: What a unit inside can do (F57): roll and stay; leave when half is burnt; fight the fire to the end; or until then.
POLICIES = ("stay", "leave", "fight", "fight_then_leave")
ENDINGS = ("put_out", "destroyed", "left", "does_not_burn")


def points(turn: int, magical: bool) -> int:
    """Damage that a fire does in a turn: 1, 2, 3 … or, when magical, 3, 4, 5 … (F47, F50)."""
    return turn + 2 if magical else turn


def burnt(turns: int, magical: bool) -> int:
    """Damage after some turns: T(T+1)/2, or T(T+5)/2."""
    return turns * (turns + 5) // 2 if magical else turns * (turns + 1) // 2


def turns_to_burn(defence: int, magical: bool) -> int:
    """Turns until a fire has done that much damage."""
    if defence < 1:
        raise InputError(f"A defence value is at least 1, got {defence}")
    turns = 1
    while burnt(turns, magical) < defence:
        turns += 1
    return turns


def turns_to_half(defence: int, magical: bool) -> int:
    """Turns until half of the defence value, or more, has gone to the fire (F51)."""
    return turns_to_burn(-(-defence // 2), magical)


def kill_percent(rulings: WarlordRulings) -> int:
    """Chance in per cent that a figure inside dies: a D100 of 51 or more (F52)."""
    return 50 if rulings.fire_dice == "1-100" else 49


def put_out_percent(rulings: WarlordRulings) -> int:
    """Chance in per cent that a figure puts out a point: a D100 of 50 or more (F55)."""
    return 51 if rulings.fire_dice == "1-100" else 50


def binomial(n: int, percent: int, at_least: int) -> Fraction:
    """Exact chance of at least so many successes of `n`."""
    counts = sum(comb(n, k) * percent**k * (100 - percent) ** (n - k) for k in range(max(at_least, 0), n + 1))
    return Fraction(counts, 100**n)


def put_out(fighters: int, needed: int, rulings: WarlordRulings) -> Fraction:
    """Exact chance that a turn's fire is put out by hand: all its points in that turn (F55)."""
    return binomial(fighters, put_out_percent(rulings), needed)


def ended_by_magic(turn: int, defence: int, magical: bool) -> tuple[int, bool]:
    """Damage when magic ends a fire after its damage of some turn, and whether half was burnt by then (F54)."""
    damage = min(burnt(turn, magical), defence) if turn > 0 else 0
    return damage, 2 * damage >= defence


@dataclass(frozen=True)
class Fire:
    """A fire in an object with a unit inside.

    Parameters
    ----------
    defence : mapping of int to Fraction
        Chance of each defence value; one of 1 for a value that is known.
    figures : int
        Ordinary figures inside.
    policy : str
        One of `POLICIES`.
    magical : bool
        Whether it grows as 3, 4, 5 …
    burns : bool
        Whether the object is inflammable (F49).
    rulings : WarlordRulings
        The open points.
    """

    defence: Mapping[int, Fraction]
    figures: int
    policy: str = "stay"
    magical: bool = False
    burns: bool = True
    rulings: WarlordRulings = field(default_factory=WarlordRulings)

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise InputError(f"Unknown policy {self.policy!r}; accepted: {', '.join(POLICIES)}")
        if not 0 <= self.figures <= 100:
            raise InputError(f"A unit in a building has 0 to 100 figures, got {self.figures}")
        if min(self.defence, default=0) < 1:
            raise InputError("A defence value is at least 1")

    @property
    def goes_on(self) -> bool:
        """Whether there is a fire after the first turn (A-7)."""
        return self.burns or (self.magical and self.rulings.magic_on_stone == "burns_on")


@dataclass(frozen=True, eq=False)
class FireEnd:
    """How a fire ends.

    Parameters
    ----------
    ends : array of float, shape (endings, figures + 1)
        Chance of each ending with so many survivors.
    turns : array of float, shape (longest + 1,)
        Chance that it ends in each turn.
    trials : int or None
        Sample size; None when exact.
    """

    ends: FloatArray
    turns: FloatArray
    trials: int | None = None

    def chance(self, ending: str) -> float:
        """Chance of an ending."""
        return float(self.ends[ENDINGS.index(ending)].sum())

    @property
    def survivors(self) -> FloatArray:
        """Chance of each number of survivors."""
        return np.asarray(self.ends.sum(0))

    @property
    def mean_survivors(self) -> float:
        """Mean number of survivors."""
        return float(self.survivors @ np.arange(self.ends.shape[1]))

    @property
    def mean_turns(self) -> float:
        """Mean turn in which it ends."""
        return float(self.turns @ np.arange(self.turns.size))


#: Longest fire that is followed; defence values are far below what it burns.
LONGEST = 64


def solve(fire: Fire) -> FireEnd:
    """Exact distribution of how a fire ends, turn by turn over survivors and damage."""
    size = fire.figures
    ends, turns = np.zeros((len(ENDINGS), size + 1)), np.zeros(LONGEST + 1)
    for value, share in fire.defence.items():
        _solve_one(fire, value, float(share), ends, turns)
    return FireEnd(ends, turns)


def _pmf(n: int, percent: int) -> FloatArray:
    """Chances of 0 … n successes."""
    p = percent / 100
    return np.array([comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])


def _solve_one(fire: Fire, defence: int, share: float, ends: FloatArray, turns: FloatArray) -> None:
    rulings = fire.rulings
    fights = fire.policy in ("fight", "fight_then_leave")
    dies, puts_out = kill_percent(rulings), put_out_percent(rulings)
    # State: survivors, damage by fire, whether half was burnt in an earlier turn.
    now: dict[tuple[int, int, bool], float] = {(fire.figures, 0, False): share}
    turn = 0
    while now:
        turn += 1
        after: dict[tuple[int, int, bool], float] = {}
        does = points(turn, fire.magical)
        for (alive, damage, before), mass in now.items():
            damage += does
            half = 2 * damage >= defence
            if fire.policy in ("leave", "fight_then_leave") and half and alive:
                ends[2, alive] += mass
                turns[turn] += mass
                continue
            for left, chance in _rolled(alive, dies, must_roll(turn, half, before, rulings)):
                if damage >= defence:
                    for out, fell in _rolled(left, rulings.collapse_kills, True):
                        ends[1, out] += mass * chance * fell
                    turns[turn] += mass * chance
                    continue
                if not fire.goes_on:
                    ends[3, left] += mass * chance
                    turns[turn] += mass * chance
                    continue
                for removed, odds in _fought(left, puts_out, fights and turn >= rulings.fire_fighting_from):
                    flow = mass * chance * odds
                    if removed >= does:
                        ends[0, left] += flow
                        turns[turn] += flow
                        continue
                    kept = damage - removed if rulings.partial_extinguish else damage
                    state = (left, kept, half or before)
                    after[state] = after.get(state, 0.0) + flow
        now = after


def must_roll(turn: int, half: bool, before: bool, rulings: WarlordRulings) -> bool:
    """Whether figures inside roll in this turn's phase 1 (F51, A-10).

    Parameters
    ----------
    half, before : bool
        Whether half is burnt now, and was in an earlier turn.

    A fire that takes half at ignition does so in the middle of a turn, so the first roll is in the
    next one.
    """
    return before or (half and turn > 1 and rulings.first_fire_roll == "same_turn")


def _rolled(n: int, percent: int, rolls: bool) -> list[tuple[int, float]]:
    """Survivors of `n` figures that each die with a chance, with chances."""
    if not rolls or percent == 0 or n == 0:
        return [(n, 1.0)]
    return [(n - k, float(p)) for k, p in enumerate(_pmf(n, percent)) if p > 0]


def _fought(n: int, percent: int, fights: bool) -> list[tuple[int, float]]:
    """Points put out by `n` figures, with chances."""
    if not fights or n == 0:
        return [(0, 1.0)]
    return [(k, float(p)) for k, p in enumerate(_pmf(n, percent)) if p > 0]
