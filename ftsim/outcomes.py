"""Outcomes: how often each result came up, as integers, exact or sampled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ftsim._typing import FloatArray, IntArray
from ftsim.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Counts per outcome for one matchup or many.

    Parameters
    ----------
    labels : tuple of str
        Names of the outcomes.
    counts : array of int, shape (..., outcomes)
        How often each came up.
    total : int
        Cells of the dice when exact, trials when sampled; every row sums to it.
    exact : bool
        True when every combination of faces was counted.

    Raises
    ------
    InputError
        If a row does not sum to `total`.
    """

    labels: tuple[str, ...]
    counts: IntArray
    total: int
    exact: bool

    def __post_init__(self) -> None:
        if self.counts.shape[-1] != len(self.labels):
            raise InputError(f"{len(self.labels)} outcomes but counts of shape {self.counts.shape}")
        if np.any(self.counts < 0):
            raise InputError("Counts cannot be negative")
        if np.any(self.counts.sum(axis=-1, dtype=np.int64) != self.total):
            raise InputError(f"Counts do not sum to {self.total}")

    def count(self, label: str) -> IntArray:
        """Counts of one outcome, shape ``(...)``."""
        if label not in self.labels:
            raise UnknownNameError("outcome", label, self.labels)
        return np.asarray(self.counts[..., self.labels.index(label)])

    def probability(self, label: str) -> FloatArray:
        """Chance of one outcome, shape ``(...)``."""
        return np.asarray(self.count(label) / self.total, dtype=np.float64)

    def fractions(self) -> dict[str, Fraction]:
        """Chance of each outcome of a single matchup in lowest terms."""
        return {label: Fraction(int(n), self.total) for label, n in zip(self.labels, self.counts, strict=True)}

    def expectation(self, values: Sequence[float]) -> FloatArray:
        """Mean of a value per outcome, shape ``(...)``."""
        return np.asarray(self.counts @ np.asarray(values, dtype=np.float64) / self.total)

    def grouped(self, groups: Mapping[str, Sequence[str]]) -> Outcomes:
        """The same counts under coarser names, which must cover every label once."""
        members = [label for labels in groups.values() for label in labels]
        if sorted(members) != sorted(self.labels):
            raise InputError(f"Groups must hold each of {self.labels} once, got {members}")
        belongs = np.array([[label in labels for labels in groups.values()] for label in self.labels])
        counts = self.counts @ belongs.astype(np.int64)
        return Outcomes(tuple(groups), counts, self.total, self.exact)

    def frame(self) -> pd.DataFrame:
        """A tidy frame of one matchup: outcome, count, probability."""
        import pandas as pd

        return pd.DataFrame({"outcome": self.labels, "count": self.counts, "probability": self.counts / self.total})
