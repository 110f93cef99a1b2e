"""Unequal warbands: how many of one warrior are worth some of another."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from ftsim.errors import InputError
from ftsim.estimates import Estimate
from ftsim.games.ffc.battle.driver import Scenario, play, table, warband
from ftsim.games.ffc.policies import Policy
from ftsim.games.ffc.rulings import FfcRulings


@dataclass(frozen=True)
class Crowd:
    """Battles of `few` of one warrior against growing numbers of another.

    Parameters
    ----------
    numbers : tuple of int
        How many of the other.
    score : tuple of float
        Battles won, and half of those not decided.
    trials : int
        Battles each.
    """

    few: int
    numbers: tuple[int, ...]
    score: tuple[float, ...]
    trials: int

    def equal(self) -> Estimate | None:
        """How many of the other one warrior is worth: where the score crosses ½; None outside the range.

        Interpolated in log-odds; the interval moves each score by 1.96 standard errors.
        """
        n = self.trials
        found = []
        for shift in (0.0, -1.96, 1.96):
            scores = [
                min(max(p + shift * (p * (1 - p) / n + 0.25 / n**2) ** 0.5, 0.5 / n), 1 - 0.5 / n) for p in self.score
            ]
            crossing = _crossing(self.numbers, scores)
            if crossing is None:
                return None
            found.append(crossing / self.few)
        value, low, high = found
        return Estimate(value, min(low, value), max(high, value), trials=n)


def _crossing(numbers: tuple[int, ...], scores: list[float]) -> float | None:
    odds = [log(p / (1 - p)) for p in scores]
    for k in range(len(odds) - 1):
        if odds[k] > 0 >= odds[k + 1]:
            return numbers[k] + odds[k] / (odds[k] - odds[k + 1]) * (numbers[k + 1] - numbers[k])
    return None


def crowd(
    one: str,
    other: str,
    few: int,
    numbers: tuple[int, ...],
    trials: int,
    key: int,
    policy: Policy,
    rulings: FfcRulings,
) -> Crowd:
    """Play `few` of `one` against each number of `other`, without cards and spells."""
    if few < 1 or min(numbers) < 1:
        raise InputError("Crowds need at least one warrior a side")
    scores = []
    for count in numbers:
        bands = (warband([f"{few} x {one}"], rulings), warband([f"{count} x {other}"], rulings))
        state = table(Scenario(bands, cards=False, magic=False), (policy, policy), rulings, key)
        won, _, draw, never = play(state, trials).counts
        scores.append((won + (draw + never) / 2) / trials)
    return Crowd(few, numbers, tuple(float(np.float64(s)) for s in scores), trials)
