"""Matchups: what battle regression knows of each pair of armies.

A row is a pair: the differences, first army minus second, in stands of each type and in cards, and
the half-points that the first army won in all battles of the pair. Battles of one pair share whatever
the counts do not show, so the pair is the unit of error, and its battles are added up before anything
is estimated. Seats may rotate: a battle with seats exchanged is the same row with the other's score.

Rows are kept, not sums. The sums of a logistic regression depend on the coefficients they are taken
at, so they do not add up until the answer is known; and at 63 columns the sums of 1,000 matchups
(4,095 numbers, 33 kB) are no smaller than the rows themselves (63 kB as bytes; in a Parquet file of
10,000 rows and more 18 kB, in one of 1,000 rows 40 kB). So a results file holds `Matchups.columns`, a
row a matchup, and blocks are joined before the fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ftsim._typing import FloatArray, IntArray
from ftsim.errors import InputError
from ftsim.pricing.moments import in_halves

#: Differences in bytes, or in two where armies are very unlike.
Differences: TypeAlias = NDArray[np.int8] | NDArray[np.int16]
#: Rows that are turned into floats at a time.
CHUNK = 8_192
#: Columns of a results file that are no differences.
HALVES, PLAYS = "half_points", "battles"


@dataclass(frozen=True, eq=False)
class Matchups:
    """Pairs of armies and how they fared.

    Parameters
    ----------
    difference : array of int8 or int16, shape (matchups, columns)
        First army minus second.
    halves : array of int, shape (matchups,)
        Half-points won by the first army, between 0 and twice the battles.
    plays : array of int, shape (matchups,)
        Battles of the pair.
    """

    difference: Differences
    halves: IntArray
    plays: IntArray

    def __post_init__(self) -> None:
        if self.difference.ndim != 2 or self.difference.dtype not in (np.int8, np.int16):
            raise InputError("Differences must be a table of int8 or int16, a row a matchup")
        if not len(self.difference) == len(self.halves) == len(self.plays):
            raise InputError("Differences, scores and battles must tell of the same matchups")
        if np.any(self.plays < 1) or np.any(self.halves < 0) or np.any(self.halves > 2 * self.plays):
            raise InputError("A matchup has one battle or more, each scored 1, ½ or 0")

    def __len__(self) -> int:
        return len(self.difference)

    @classmethod
    def of_battles(cls, difference: Differences, score: FloatArray, pair: IntArray | None = None) -> Matchups:
        """From battles, a row each.

        Parameters
        ----------
        difference : array of int8 or int16, shape (battles, columns)
            First army minus second.
        score : array of float, shape (battles,)
            1, ½ or 0 for the first army.
        pair : array of int, shape (battles,), optional
            The pair each battle belongs to, where pairs are played more than once. With seats
            exchanged the differences of a pair change their signs.

        Raises
        ------
        InputError
            If a score is none, or battles of one pair differ in their armies.
        """
        halves = in_halves(score).astype(np.int64)
        if pair is None:
            return cls(difference, halves, np.ones(len(halves), dtype=np.int64))
        _, first, member = np.unique(pair, return_index=True, return_inverse=True)
        own = difference[first]
        same = np.all(difference == own[member], axis=1)
        swapped = np.all(difference == -own[member], axis=1) & ~same
        if not np.all(same | swapped):
            raise InputError("Battles of one pair must be between the same armies")
        plays = np.bincount(member, minlength=len(first))
        won = np.bincount(member, weights=np.where(swapped, 2 - halves, halves), minlength=len(first))
        return cls(own, won.astype(np.int64), plays)

    @classmethod
    def joined(cls, blocks: Iterable[Matchups]) -> Matchups:
        """Blocks of matchups one after the other.

        Raises
        ------
        InputError
            If there are none, or they have different columns.
        """
        several = list(blocks)
        if len({block.difference.shape[1] for block in several}) != 1:
            raise InputError("Only blocks of the same columns, at least one, can be joined")
        difference: Any = np.concatenate([block.difference for block in several])
        return cls(
            difference,
            np.concatenate([block.halves for block in several]),
            np.concatenate([block.plays for block in several]),
        )

    def first(self, count: int) -> Matchups:
        """The first so many matchups."""
        return Matchups(self.difference[:count], self.halves[:count], self.plays[:count])

    def chunks(self) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
        """Differences, points won and battles, as floats, some thousand rows at a time."""
        for at in range(0, len(self), CHUNK):
            rows = slice(at, at + CHUNK)
            yield (
                self.difference[rows].astype(np.float64),
                self.halves[rows] / 2.0,
                self.plays[rows].astype(np.float64),
            )

    def columns(self, names: Sequence[str]) -> dict[str, NDArray[np.generic]]:
        """As columns of a results file, a row a matchup."""
        if len(set(names)) != len(names) or len(names) != self.difference.shape[1] or {HALVES, PLAYS} & set(names):
            raise InputError(f"{self.difference.shape[1]} columns need as many different names")
        found: dict[str, NDArray[np.generic]] = {name: self.difference[:, k] for k, name in enumerate(names)}
        return found | {HALVES: self.halves.astype(np.int32), PLAYS: self.plays.astype(np.int32)}

    @classmethod
    def from_columns(cls, columns: Mapping[str, NDArray[np.generic]], names: Sequence[str]) -> Matchups:
        """Back from `columns`."""
        difference: Any = np.stack([np.asarray(columns[name]) for name in names], axis=1)
        halves: Any = np.asarray(columns[HALVES])
        plays: Any = np.asarray(columns[PLAYS])
        return cls(difference, halves.astype(np.int64), plays.astype(np.int64))
