"""Marches by the hundred thousand: the same move as `movement.one_turn`, in floating point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ftsim._typing import FloatArray, IntArray
from ftsim.games.warlord.movement import Mover, Path, feature_costs
from ftsim.games.warlord.profile_file import LOSS_ROWS
from ftsim.games.warlord.profiles import Profiles
from ftsim.games.warlord.rulings import WarlordRulings
from ftsim.kernels import kernel


@dataclass(frozen=True, eq=False)
class Tracks:
    """Paths as a mover finds them, one after the other in flat arrays.

    Parameters
    ----------
    first : array of int, shape (paths + 1,)
        Where the features of each path begin.
    start, end : array of float, shape (features,)
        Places in cm.
    linear : array of int, shape (features,)
        1 for walls, hedges and fences.
    row, factor : arrays, shape (2, features)
        Profile rows that apply and their cost a cm: 0 impassable, 1 none.
    length, move, depth : array of float, shape (paths,)
        Of path and mover.
    """

    first: IntArray
    start: FloatArray
    end: FloatArray
    linear: IntArray
    row: IntArray
    factor: FloatArray
    length: FloatArray
    move: FloatArray
    depth: FloatArray

    @classmethod
    def of(cls, pairs: Sequence[tuple[Path, Mover]], profiles: Profiles, rulings: WarlordRulings) -> Tracks:
        """Tracks of (path, mover) pairs."""
        first, spots, flags, rows, factors = [0], [], [], [], []
        for path, mover in pairs:
            for feature in path.features:
                costs = feature_costs(feature, mover, profiles, rulings)
                narrow = mover.how == "foot" and (feature.opening or mover.width) < mover.width
                found = [(LOSS_ROWS.index(r) if r in LOSS_ROWS else -1, float(c or 0)) for r, c in costs.items()]
                found = ([(-1, 0.0)] if narrow else []) + found + [(-2, 1.0)] * 2
                spots.append((float(feature.start), float(feature.end)))
                flags.append(int(feature.linear))
                rows.append([r for r, _ in found[:2]])
                factors.append([c for _, c in found[:2]])
            first.append(len(spots))
        places = np.array(spots, dtype=np.float64).reshape(-1, 2)
        return cls(
            np.array(first, dtype=np.int64),
            np.ascontiguousarray(places[:, 0]),
            np.ascontiguousarray(places[:, 1]),
            np.array(flags, dtype=np.int64),
            np.ascontiguousarray(np.array(rows, dtype=np.int64).reshape(-1, 2).T),
            np.ascontiguousarray(np.array(factors, dtype=np.float64).reshape(-1, 2).T),
            np.array([float(path.length) for path, _ in pairs]),
            np.array([float(mover.move) for _, mover in pairs]),
            np.array([float(mover.depth) for _, mover in pairs]),
        )

    def march(self, rulings: WarlordRulings, turns: int) -> tuple[FloatArray, FloatArray]:
        """Front edges after `turns` turns, and turns used until the path's end (nan when not reached)."""
        fronts, used = np.zeros(self.length.size), np.zeros(self.length.size)
        march_block(
            self.first, self.start, self.end, self.linear, self.row, self.factor, self.length, self.move, self.depth,
            turns, int(rulings.linear_mode == "halve_remaining"), int(rulings.overlap == "kinds"), fronts, used,
        )  # fmt: skip
        return fronts, used


@kernel(
    "int64(int64[::1], float64[::1], float64[::1], int64[::1], int64[:, ::1], float64[:, ::1], float64[::1], "
    "float64[::1], float64[::1], int64, int64, int64, float64[::1], float64[::1])"
)
def march_block(
    first: IntArray,
    start: FloatArray,
    end: FloatArray,
    linear: IntArray,
    row: IntArray,
    factor: FloatArray,
    length: FloatArray,
    move: FloatArray,
    depth: FloatArray,
    turns: int,
    halve: int,
    kinds: int,
    fronts: FloatArray,
    used: FloatArray,
) -> int:
    """Fill `fronts` and `used` for every path; see `Tracks`."""
    for p in range(length.size):
        front = 0.0
        taken = np.nan
        if front >= length[p]:
            taken = 0.0
        for turn in range(turns):
            left = move[p]
            reached = 0
            halted = 0
            # Obstacles that the front has met in this turn, as bits.
            crossed = 0
            while left > 1e-12 and halted == 0:
                if front >= length[p] - 1e-9:
                    reached = 1
                    break
                rate = 1.0
                seen = 0
                reach = length[p]
                for k in range(first[p], first[p + 1]):
                    if linear[k] == 1 and abs(start[k] - front) < 1e-9:
                        crossed |= 1 << (k - first[p])
                    inside = start[k] <= front + 1e-9 and front - depth[p] < end[k] - 1e-9
                    if inside or (halve == 1 and (crossed >> (k - first[p])) & 1 == 1):
                        for j in range(2):
                            code = row[j, k]
                            bit = 1 << (code + 2)
                            if kinds == 1 and code >= 0 and seen & bit:
                                continue
                            seen |= bit
                            if factor[j, k] == 0.0:
                                halted = 1
                            rate *= factor[j, k]
                    if front + 1e-9 < start[k] < reach:
                        reach = start[k]
                    if front + 1e-9 < end[k] + depth[p] < reach:
                        reach = end[k] + depth[p]
                if halted == 1:
                    break
                if front + left / rate < reach:
                    reach = front + left / rate
                left -= (reach - front) * rate
                front = reach
            if front >= length[p] - 1e-9 and taken != taken:
                share = (move[p] - left) / move[p] if move[p] > 0.0 else 0.0
                taken = turn + share
            if reached == 1 or halted == 1:
                break
        fronts[p] = front
        used[p] = taken
    return length.size
