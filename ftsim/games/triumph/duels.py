"""Duels of heroes, once and repeated to the end (FT 14-16, 28; ruling ``duel_result``)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ftsim._typing import FloatArray, IntArray
from ftsim.chains import Absorption, absorb
from ftsim.dice import Dice
from ftsim.games.triumph.notation import Hero
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings

LABELS = ("a_wins", "tie", "b_wins")


@dataclass(frozen=True)
class Duel:
    """A duel between two heroes, as a contest: both roll a die and add what they are worth."""

    a: Hero
    b: Hero
    rulings: TriumphRulings = TriumphRulings()

    @property
    def dice(self) -> Dice:
        """A die for each hero."""
        return Dice((6, 6))

    @property
    def labels(self) -> tuple[str, ...]:
        """Who wins."""
        return LABELS

    @property
    def modifiers(self) -> tuple[int, int]:
        """Twice what each adds to his die: costs may end in ½."""
        used = self.rulings.only(DECLARED["duel"])
        return int(2 * self.a.duel_modifier(used)), int(2 * self.b.duel_modifier(used))

    def resolve(self, rolls: IntArray) -> IntArray:
        """Position in `LABELS` for each roll: shape ``(2, n)`` in, ``(n,)`` out."""
        two_a, two_b = self.modifiers
        margin = (two_a + 2 * rolls[0]) - (two_b + 2 * rolls[1])
        return np.asarray(1 - np.sign(margin))


@dataclass(frozen=True, eq=False)
class DuelCounts:
    """How many of 36 dice pairs decide a duel, each of shape ``(...)``.

    Parameters
    ----------
    a_wins, tie, b_wins : array of int
        These sum to 36.
    a_doubles, b_doubles : array of int
        Wins with at least twice the enemy's total, part of the wins.
    """

    a_wins: IntArray
    tie: IntArray
    b_wins: IntArray
    a_doubles: IntArray
    b_doubles: IntArray


def duel_counts(two_a: IntArray, two_b: IntArray) -> DuelCounts:
    """Exact counts for many duels at once.

    Parameters
    ----------
    two_a, two_b : array of int, broadcast together
        Twice each hero's modifier, at least 0.
    """
    two_a, two_b = (np.asarray(x, dtype=np.int16) for x in (two_a, two_b))
    shape = np.broadcast_shapes(two_a.shape, two_b.shape)
    counts = np.zeros((4, *shape), dtype=np.uint8)
    for die_a in range(2, 14, 2):
        total_a = two_a + np.int16(die_a)
        for die_b in range(2, 14, 2):
            total_b = two_b + np.int16(die_b)
            counts[0] += total_a > total_b
            counts[1] += total_b > total_a
            counts[2] += total_a >= 2 * total_b
            counts[3] += total_b >= 2 * total_a
    a, b, a_doubles, b_doubles = counts.astype(np.int64)
    return DuelCounts(a, 36 - a - b, b, a_doubles, b_doubles)


def until_won(counts: DuelCounts) -> Absorption:
    """Challenges repeated until one hero wins; endings: a wins, b wins."""
    return _one_state(counts.a_wins, counts.b_wins)


def until_lost(counts: DuelCounts, rulings: TriumphRulings) -> Absorption:
    """Challenges repeated, the Away returning, until a hero is lost; endings: b lost, a lost.

    Where nobody can ever be lost the chain is unresolved (HA-10).
    """
    if rulings.duel_result == "lost":
        return until_won(counts)
    if rulings.duel_result == "away":
        none = np.zeros_like(counts.a_wins)
        return _one_state(none, none)
    return _one_state(counts.a_doubles, counts.b_doubles)


def _one_state(first: IntArray, second: IntArray) -> Absorption:
    leave: FloatArray = np.stack([first, second], axis=-1)[..., None, :] / 36
    stay = 1.0 - leave.sum(-1, keepdims=True)
    return absorb(stay, leave)
