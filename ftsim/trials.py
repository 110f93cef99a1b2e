"""Contests: one resolution for every face (exact) and for sampled dice (Monte Carlo)."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ftsim._typing import IntArray
from ftsim.dice import Dice
from ftsim.errors import InputError
from ftsim.outcomes import Outcomes

#: Counts of more would not fit into the integers that hold them.
MOST_TRIALS = 10**15


class Contest(Protocol):
    """One exchange of dice with a finite set of outcomes."""

    @property
    def dice(self) -> Dice:
        """The dice rolled."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the outcomes; `resolve` returns positions in this tuple."""

    def resolve(self, rolls: IntArray) -> IntArray:
        """Outcome of each roll: shape ``(dice, n)`` in, ``(n,)`` out."""


def every_face(dice: Dice) -> IntArray:
    """How often each combination of faces counts in an exact answer: once."""
    return np.ones(dice.cells, dtype=np.int64)


def sampled_faces(dice: Dice, trials: int, rng: np.random.Generator) -> IntArray:
    """How often each combination of faces came up in `trials` rolls.

    This is one multinomial draw, so the time does not depend on `trials`.

    Raises
    ------
    InputError
        If `trials` is not positive.
    """
    check_trials(trials)
    return rng.multinomial(trials, np.full(dice.cells, 1 / dice.cells))


def tally(codes: IntArray, times: IntArray, size: int) -> IntArray:
    """Counts per code, shape ``(size,)``, when face k counts ``times[k]`` times."""
    counts = np.zeros(size, dtype=np.int64)
    np.add.at(counts, codes, times)
    return counts


def enumerate_outcomes(contest: Contest) -> Outcomes:
    """Exact counts over all faces."""
    codes = contest.resolve(contest.dice.faces())
    counts = tally(codes, every_face(contest.dice), len(contest.labels))
    return Outcomes(contest.labels, counts, contest.dice.cells, exact=True)


def simulate(contest: Contest, trials: int, rng: np.random.Generator) -> Outcomes:
    """Counts of a sample of `trials` rolls, resolved as in `enumerate_outcomes`.

    Raises
    ------
    InputError
        If `trials` is not positive.
    """
    codes = contest.resolve(contest.dice.faces())
    counts = tally(codes, sampled_faces(contest.dice, trials, rng), len(contest.labels))
    return Outcomes(contest.labels, counts, trials, exact=False)


def simulate_pair(one: Contest, other: Contest, trials: int, rng: np.random.Generator) -> IntArray:
    """Joint counts of two contests on the same dice, shape ``(outcomes, outcomes)``.

    Raises
    ------
    InputError
        If the contests roll different dice or `trials` is not positive.
    """
    if one.dice != other.dice:
        raise InputError(f"Only contests with the same dice can share them: {one.dice} and {other.dice}")
    times = sampled_faces(one.dice, trials, rng)
    faces = one.dice.faces()
    joint = np.zeros((len(one.labels), len(other.labels)), dtype=np.int64)
    np.add.at(joint, (one.resolve(faces), other.resolve(faces)), times)
    return joint


def check_trials(trials: int) -> None:
    """Refuse a number of trials that is not at least 1."""
    if trials < 1:
        raise InputError(f"The number of trials must be at least 1, got {trials}")
    if trials > MOST_TRIALS:
        raise InputError(f"The number of trials must be at most {MOST_TRIALS:,}, got {trials}")
