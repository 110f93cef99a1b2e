"""Sums over trials that add up: first and second moments of what every trial records.

Scores are multiples of ½ and so are costs, so the sums are whole numbers of half-points and
quarter-points: blocks of trials may be added in any order and give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ftsim._typing import FloatArray, IntArray
from ftsim.errors import InputError

Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums of m columns over trials, for any number of cells at once.

    Parameters
    ----------
    count : array of int, shape (...)
        Trials of each cell.
    total : array of int, shape (..., m)
        Sums, in halves.
    product : array of int, shape (..., m, m)
        Sums of products, in quarters.
    """

    count: Whole
    total: Whole
    product: Whole

    @classmethod
    def of(cls, columns: Sequence[FloatArray]) -> Moments:
        """Moments of m columns of shape ``(..., trials)`` that broadcast together.

        Raises
        ------
        InputError
            If a value is not a multiple of ½, or there are no trials.
        """
        halves = [in_halves(column) for column in columns]
        trials = {column.shape[-1] if column.ndim else 0 for column in halves}
        if len(trials) != 1 or trials == {0}:
            raise InputError(f"Moments need columns with the same trials, at least one; got {sorted(trials)}")
        lead = np.broadcast_shapes(*(column.shape[:-1] for column in halves))
        m = len(halves)
        total = np.empty((*lead, m), dtype=np.int64)
        product = np.empty((*lead, m, m), dtype=np.int64)
        for i, one in enumerate(halves):
            total[..., i] = one.sum(-1)
            for j, other in enumerate(halves[: i + 1]):
                # Sums of small whole numbers are exact in floats.
                product[..., i, j] = product[..., j, i] = np.einsum("...i,...i->...", one, other)
        return cls(np.full(lead, trials.pop(), dtype=np.int64), total, product)

    @classmethod
    def by_group(cls, columns: Sequence[FloatArray], group: IntArray, groups: int) -> Moments:
        """Moments of each of `groups` groups; columns and `group` have shape ``(trials,)``."""
        halves = [in_halves(column) for column in columns]
        if any(column.shape != group.shape for column in halves):
            raise InputError("Columns and groups need the same trials")
        if group.size and not 0 <= int(group.min()) <= int(group.max()) < groups:
            raise InputError(f"Groups must lie between 0 and {groups - 1}")
        m = len(halves)

        def summed(values: FloatArray) -> Whole:
            return np.bincount(group, weights=values, minlength=groups).astype(np.int64)

        total = np.stack([summed(one) for one in halves], axis=-1)
        product = np.empty((groups, m, m), dtype=np.int64)
        for i, one in enumerate(halves):
            for j, other in enumerate(halves[: i + 1]):
                product[:, i, j] = product[:, j, i] = summed(one * other)
        return cls(np.bincount(group, minlength=groups).astype(np.int64), total, product)

    def __add__(self, other: Moments) -> Moments:
        if self.total.shape != other.total.shape:
            raise InputError(f"Moments of unlike cells cannot be added: {self.total.shape}, {other.total.shape}")
        return Moments(self.count + other.count, self.total + other.total, self.product + other.product)

    def __getitem__(self, at: int | tuple[int, ...]) -> Moments:
        """The moments of one cell, or of the cells along the first axis."""
        return Moments(self.count[at], self.total[at], self.product[at])

    def pooled(self, axis: int = 0) -> Moments:
        """Cells of one axis taken together."""
        return Moments(self.count.sum(axis), self.total.sum(axis), self.product.sum(axis))

    @property
    def mean(self) -> FloatArray:
        """Means, shape ``(..., m)``; nan without trials."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.total / (2.0 * self.count[..., None]))

    @property
    def covariance(self) -> FloatArray:
        """Covariance of one trial (n − 1), shape ``(..., m, m)``; nan with fewer than two trials."""
        n = self.count[..., None, None].astype(np.float64)
        outer = self.total[..., :, None].astype(np.float64) * self.total[..., None, :]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((n * self.product - outer) / (4 * n * (n - 1)))

    def columns(self, names: Sequence[str]) -> dict[str, Whole]:
        """As columns of a results file, a row a cell: ``n``, sums ``x`` and products ``x*y``."""
        self._check(names)
        found = {"n": self.count.ravel()}
        for i, one in enumerate(names):
            found[one] = self.total[..., i].ravel()
        for i, one in enumerate(names):
            for j, other in enumerate(names[: i + 1]):
                found[f"{other}*{one}"] = self.product[..., i, j].ravel()
        return found

    @classmethod
    def from_columns(cls, columns: Mapping[str, NDArray[np.generic]], names: Sequence[str]) -> Moments:
        """Back from `columns`: cells along one axis."""
        count = np.asarray(columns["n"], dtype=np.int64)
        total = np.stack([np.asarray(columns[name], dtype=np.int64) for name in names], axis=-1)
        product = np.empty((len(count), len(names), len(names)), dtype=np.int64)
        for i, one in enumerate(names):
            for j, other in enumerate(names[: i + 1]):
                product[:, i, j] = product[:, j, i] = np.asarray(columns[f"{other}*{one}"], dtype=np.int64)
        return cls(count, total, product)

    def _check(self, names: Sequence[str]) -> None:
        if len(names) != self.total.shape[-1] or len(set(names)) != len(names):
            raise InputError(f"{self.total.shape[-1]} columns need as many different names, got {list(names)}")


def in_halves(values: FloatArray) -> FloatArray:
    """Values as whole numbers of halves.

    Raises
    ------
    InputError
        If one is not a multiple of ½.
    """
    doubled = np.asarray(values, dtype=np.float64) * 2
    if not np.array_equal(np.rint(doubled), doubled):
        raise InputError("Scores and costs must be multiples of ½")
    return doubled
