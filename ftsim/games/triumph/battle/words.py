"""Random words of drawn armies, addressed by the army's number and what they are for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ftsim.streams import philox

Ints = NDArray[np.int64]


class Words:
    """Random words of armies.

    Parameters
    ----------
    key : int
        From `stream_key`.
    numbers : array of int, shape (armies,)
        Numbers of the armies.
    """

    def __init__(self, key: int, numbers: Ints) -> None:
        self.key = key
        self.numbers = numbers

    def of_rows(self, rows: Ints) -> Words:
        """Words of some of the armies."""
        return Words(self.key, self.numbers[rows])

    def of(self, purpose: int, count: int) -> Ints:
        """Four words for each address below `count`, shape ``(4, armies, count)``."""
        return self.at(purpose, np.arange(count))

    def at(self, purpose: int, who: NDArray[np.generic]) -> Ints:
        """Four words for each address, shape ``(4, armies, addresses)``."""
        shape = (len(self.numbers), len(who))
        counter = np.zeros((4, *shape), dtype=np.uint32)
        counter[0] = self.numbers[:, None]
        counter[2] = who.astype(np.uint32)
        counter[3] = purpose
        return philox(counter, self.key).astype(np.int64)


def below(word: Ints, size: Ints | int) -> Ints:
    """A whole number from 0, below `size`."""
    return (word * size) >> 32


def choose(word: Ints, weights: Ints) -> Ints:
    """A column by weight, one a row; the last axis of `weights` holds the columns."""
    ends = np.cumsum(weights, axis=-1)
    found: Ints = (ends <= below(word, ends[..., -1])[..., None]).sum(axis=-1)
    return found
