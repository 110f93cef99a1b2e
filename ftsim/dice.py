"""Dice: every combination of faces, or a sample of them, in the same shape."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from ftsim._typing import IntArray
from ftsim.errors import InputError


@dataclass(frozen=True)
class Dice:
    """Dice rolled together, one after the other on the first axis.

    Parameters
    ----------
    sides : tuple of int
        Sides of each die; ``(6, 6)`` is a die for each of two stands.

    Examples
    --------
    >>> Dice((6, 6)).cells
    36
    >>> Dice((2, 3)).faces()
    array([[1, 1, 1, 2, 2, 2],
           [1, 2, 3, 1, 2, 3]])
    """

    sides: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.sides or min(self.sides) < 1:
            raise InputError(f"Dice need at least one side each, got {self.sides}")

    @property
    def cells(self) -> int:
        """Number of equally likely combinations."""
        return prod(self.sides)

    def faces(self) -> IntArray:
        """All combinations, shape ``(dice, cells)``; the first die changes slowest."""
        grids = np.indices(self.sides, dtype=np.int64).reshape(len(self.sides), -1)
        return grids + 1

    def roll(self, trials: int, rng: np.random.Generator) -> IntArray:
        """Independent rolls, shape ``(dice, trials)``."""
        return np.stack([rng.integers(1, side + 1, size=trials) for side in self.sides])
