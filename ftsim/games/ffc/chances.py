"""Exact chances of dice and deals outside a blow: spells, the gamble, hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

#: The gamble of a shooter: faces 1-3 front row, 4-5 nothing, 6 back row.
GAMBLE_FRONT, GAMBLE_BACK = Fraction(1, 2), Fraction(1, 6)
#: A backstabber reaches the back row on 5 or 6.
BACKSTAB = Fraction(1, 3)


def dice_sum(dice: int) -> dict[int, Fraction]:
    """The law of a sum of six-sided dice."""
    law: dict[int, Fraction] = {}
    for faces in product(range(1, 7), repeat=dice):
        law[sum(faces)] = law.get(sum(faces), Fraction(0)) + Fraction(1, 6**dice)
    return law


def at_least(dice: int, need: int) -> Fraction:
    """Chance that dice sum to `need` or more, as when a spell is to kill."""
    return sum((p for n, p in dice_sum(dice).items() if n >= need), Fraction(0))


def healed(missing: int) -> Fraction:
    """Mean hits that Heal restores when so many are missing: 2d6, never above the printed hits."""
    return sum((min(n, missing) * p for n, p in dice_sum(2).items()), Fraction(0))


def gamble(front: Fraction, back: Fraction) -> Fraction:
    """Mean of a shot that gambles for the back row, from the means against both rows."""
    return GAMBLE_FRONT * front + GAMBLE_BACK * back


def drawn(deck: int, good: int, cards: int, at_least_: int = 1) -> Fraction:
    """Chance that `cards` drawn from `deck` hold at least so many of `good` (hypergeometric)."""
    ways = sum(comb(good, k) * comb(deck - good, cards - k) for k in range(at_least_, min(good, cards) + 1))
    return Fraction(ways, comb(deck, cards))


def both_hold(deck: int, copies: int, hand: int) -> Fraction:
    """Chance that two hands dealt from one deck each hold at least one of the copies."""
    neither_a = Fraction(comb(deck - copies, hand), comb(deck, hand))
    neither = Fraction(comb(deck - copies, 2 * hand), comb(deck, 2 * hand))
    return 1 - 2 * neither_a + neither


def together(deck: int, share: int) -> Fraction:
    """Chance that two named cards are dealt to the same one of two sides."""
    other = deck - share
    return Fraction(comb(share, 2) + comb(other, 2), comb(deck, 2))


def total_of(values: Sequence[int], share: int) -> Mapping[int, Fraction]:
    """The law of a total over `share` cards drawn from `values`, zeros included."""
    marked = [v for v in values if v]
    plain = len(values) - len(marked)
    law: dict[int, Fraction] = {}
    for k in range(len(marked) + 1):
        if not 0 <= share - k <= plain:
            continue
        ways = Fraction(comb(plain, share - k), comb(len(values), share))
        for chosen in combinations(range(len(marked)), k):
            total = sum(marked[c] for c in chosen)
            law[total] = law.get(total, Fraction(0)) + ways
    return law
