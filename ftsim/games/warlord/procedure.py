"""The D100 casualty procedure: every full 100 per cent is a hit, the rest is one roll (FW 8 and 9; G1)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ftsim._typing import IntArray
from ftsim.dice import Dice
from ftsim.errors import InputError


@dataclass(frozen=True)
class Casualties:
    """Hits from a total percentage, as a contest; `resolve` gives hits.

    Parameters
    ----------
    total : int
        Per cent of all figures together.
    most : int, optional
        Figures that can be lost; what goes beyond is wasted.
    """

    total: int
    most: int | None = None

    def __post_init__(self) -> None:
        if self.total < 0 or (self.most is not None and self.most < 0):
            raise InputError(f"A total percentage is at least 0, got {self.total}")

    @property
    def dice(self) -> Dice:
        """One D100."""
        return Dice((100,))

    @property
    def full(self) -> int:
        """Hits without a roll."""
        return self.total // 100

    @property
    def rest(self) -> int:
        """Faces of the D100 that bring one more."""
        return self.total % 100

    @property
    def labels(self) -> tuple[str, ...]:
        """Numbers of hits up to the most there can be."""
        top = self.full + 1 if self.most is None else min(self.full + 1, self.most)
        return tuple(str(k) for k in range(top + 1))

    def resolve(self, rolls: IntArray) -> IntArray:
        """Hits for each roll: shape ``(1, n)`` in, ``(n,)`` out."""
        hits = self.full + (rolls[0] <= self.rest)
        return np.asarray(hits if self.most is None else np.minimum(hits, self.most), dtype=np.int64)

    def law(self) -> dict[int, Fraction]:
        """Exact chance of each number of hits: at most two numbers."""
        found: dict[int, Fraction] = {}
        for hits, chance in ((self.full, Fraction(100 - self.rest, 100)), (self.full + 1, Fraction(self.rest, 100))):
            if chance:
                seen = hits if self.most is None else min(hits, self.most)
                found[seen] = found.get(seen, Fraction(0)) + chance
        return found

    @property
    def mean(self) -> Fraction:
        """Mean number of hits."""
        return sum((hits * chance for hits, chance in self.law().items()), Fraction(0))


def total_percent(each: Fraction, figures: int) -> int:
    """Total of some figures in whole per cent; a die cannot show part of one."""
    return each.numerator * figures // each.denominator
