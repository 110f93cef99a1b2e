"""Close combat: factors, the comparison of totals, fates and pursuit (Triumph! 65-84; FT 31, 37, 50, 59, 62).

One comparison, `compare`, serves exact odds, sampled dice and whole grids of matchups.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ftsim._typing import BoolArray, FloatArray, IntArray
from ftsim.conditions import RuleTable
from ftsim.dice import Dice
from ftsim.errors import InputError
from ftsim.games.triumph.places import Camp, Side, SideArray, Situation, side_array
from ftsim.games.triumph.rules import FATES, RuleTables, rule_tables, vocabularies
from ftsim.games.triumph.rulings import DECLARED, TriumphRulings

#: Results of a comparison of totals, seen from side a.
RESULTS = ("a_doubled", "a_beaten", "tie", "b_beaten", "b_doubled")


def compare(
    total_a: Any, total_b: Any, won_a: Any, lost_a: Any, won_b: Any, lost_b: Any,
    loser_first: Any = 0, floor: Any = -99,
) -> Any:  # fmt: skip
    """Position in `RESULTS` for two totals, with what each side gains when ahead or behind.

    Written with comparisons in place of branches, so that the same text serves whole numbers,
    arrays of any common shape, and a compiler.

    Parameters
    ----------
    total_a, total_b : int or array of int
        Die and factors of each side.
    won_a, lost_a, won_b, lost_b : int or array of int
        Added to a side that is ahead (Prowess) or behind (Hearten, Weaken) at first.
    loser_first : int
        1 to adjust the loser first and the winner only if still ahead (ruling ``post_roll``).
    floor : int
        Least total (ruling ``total_floor``).
    """
    low_a = total_a + (floor - total_a) * (total_a < floor)
    low_b = total_b + (floor - total_b) * (total_b < floor)
    a_ahead = low_a > low_b
    b_ahead = low_b > low_a
    # FT 37.1, 62.1: the loser's change; FT 50.1: the winner's.
    loser_a = low_a + lost_a * b_ahead
    loser_b = low_b + lost_b * a_ahead
    still_a = a_ahead & ((loser_a > loser_b) | (loser_first == 0))
    still_b = b_ahead & ((loser_b > loser_a) | (loser_first == 0))
    full_a = loser_a + won_a * still_a
    full_b = loser_b + won_b * still_b
    end_a = full_a + (floor - full_a) * (full_a < floor)
    end_b = full_b + (floor - full_b) * (full_b < floor)
    # Triumph! 75: doubled when the winner has at least twice as much; 8 against 4 counts.
    a_wins = end_a > end_b
    b_wins = end_b > end_a
    a_doubles = a_wins & (end_a >= 2 * end_b)
    b_doubles = b_wins & (end_b >= 2 * end_a)
    one = 0 * loser_first + 1  # as wide as the arguments, so that small arrays stay small
    return 2 * one + one * a_wins + one * a_doubles - one * b_wins - one * b_doubles


@dataclass(frozen=True, eq=False)
class Matchups:
    """A grid of combats, every side of a against every side of b.

    Parameters
    ----------
    tables : RuleTables
        The rows in force.
    a, b : SideArray
        Sides of shape ``(n,)`` and ``(m,)``.
    total_a, total_b : array of int16, shape (n, m)
        Factors of each side, before dice.
    loser_first : int
        1 to adjust the loser first (ruling ``post_roll``).
    floor : int
        Least total (ruling ``total_floor``).
    """

    tables: RuleTables
    a: SideArray
    b: SideArray
    total_a: IntArray
    total_b: IntArray
    loser_first: int = 0
    floor: int = -99

    @cached_property
    def gains_a(self) -> tuple[IntArray, IntArray]:
        """What a gains when ahead, and when behind, at first: int8 of shape ``(n,)`` each."""
        return _adjustments(self.tables, self.a)

    @cached_property
    def gains_b(self) -> tuple[IntArray, IntArray]:
        """What b gains when ahead, and when behind, at first: int8 of shape ``(m,)`` each."""
        return _adjustments(self.tables, self.b)

    @cached_property
    def fate_a(self) -> IntArray:
        """Position in `FATES` of a when beaten (0) or doubled (1): int8 of shape ``(2, n, m)``."""
        return _both_ways(self.tables.results, self.a, self.b)

    @cached_property
    def fate_b(self) -> IntArray:
        """Position in `FATES` of b when beaten (0) or doubled (1): int8 of shape ``(2, n, m)``."""
        return np.swapaxes(_both_ways(self.tables.results, self.b, self.a), 1, 2)

    @cached_property
    def pursues_a(self) -> BoolArray:
        """Whether a pursues an enemy it has beaten (0) or doubled (1), shape ``(2, n, m)``."""
        return np.asarray(_both_ways(self.tables.pursuit, self.a, self.b, placed=False) == 1)

    @cached_property
    def pursues_b(self) -> BoolArray:
        """Whether b pursues an enemy it has beaten (0) or doubled (1), shape ``(2, n, m)``."""
        return np.swapaxes(_both_ways(self.tables.pursuit, self.b, self.a, placed=False) == 1, 1, 2)

    def counts(self) -> NDArray[np.uint8]:
        """How many of 36 dice pairs give each result, shape ``(n, m, 5)``.

        Only the distinct combinations of totals and adjustments are enumerated.
        """
        low = int(min(self.total_a.min(), self.total_b.min()))
        span = int(max(self.total_a.max(), self.total_b.max())) - low + 1
        key = self.total_a.astype(np.int32)
        key -= np.int32(low)
        key *= np.int32(span)
        key += self.total_b
        key -= np.int32(low)
        key *= np.int32(36)
        key += (_code(*self.gains_a)[:, None] * 6 + _code(*self.gains_b)[None, :]).astype(np.int32)
        seen = np.zeros(span * span * 36, dtype=np.bool_)
        seen[key] = True
        distinct = np.flatnonzero(seen)
        totals, gains = np.divmod(distinct, 36)
        total_a, total_b = (part + low for part in np.divmod(totals, span))
        (won_a, lost_a), (won_b, lost_b) = (_decode(code) for code in np.divmod(gains, 6))
        # Five counts in eight bytes: the whole row of a combination is fetched as one number.
        rows = np.zeros((seen.size, 8), dtype=np.uint8)
        rows[distinct, : len(RESULTS)] = result_counts(
            total_a, total_b, won_a, lost_a, won_b, lost_b, self.loser_first, self.floor
        )
        fetched = rows.view(np.uint64)[:, 0][key]
        return fetched.view(np.uint8).reshape(*key.shape, 8)[..., : len(RESULTS)]

    def losses(self, counts: NDArray[np.uint8], weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Expected loss of each side in one round, shape ``(n, m)`` each.

        Parameters
        ----------
        counts : array, shape (n, m, 5)
            From `counts`.
        weights : array of float, shape (6,)
            Loss of each of `FATES`.
        """
        a = weights[self.fate_a[0]] * counts[..., 1] + weights[self.fate_a[1]] * counts[..., 0]
        b = weights[self.fate_b[0]] * counts[..., 3] + weights[self.fate_b[1]] * counts[..., 4]
        return a / 36, b / 36

    def fates(self, counts: NDArray[np.uint8]) -> tuple[IntArray, IntArray]:
        """How many of 36 dice pairs bring each fate to a and to b, shape ``(n, m, 6)`` each."""
        return (
            _fate_counts(self.fate_a, counts[..., 1], counts[..., 0]),
            _fate_counts(self.fate_b, counts[..., 3], counts[..., 4]),
        )

    def pursuits(self, counts: NDArray[np.uint8]) -> tuple[IntArray, IntArray]:
        """How many of 36 dice pairs make a and b pursue, shape ``(n, m)`` each."""
        a = self.pursues_a[0] * counts[..., 3].astype(np.int64) + self.pursues_a[1] * counts[..., 4]
        b = self.pursues_b[0] * counts[..., 1].astype(np.int64) + self.pursues_b[1] * counts[..., 0]
        return a, b


def _fate_counts(fate: IntArray, beaten: IntArray, doubled: IntArray) -> IntArray:
    counts = np.zeros((*beaten.shape, len(FATES)), dtype=np.int64)
    for code in range(len(FATES)):
        counts[..., code] = (fate[0] == code) * beaten.astype(np.int64) + (fate[1] == code) * doubled
    counts[..., FATES.index("stands")] += 36 - beaten - doubled.astype(np.int64)
    return counts


def _code(won: IntArray, lost: IntArray) -> IntArray:
    """One number below 6 for what a side gains: 0 or 1 when ahead; −1, 0 or 1 when behind."""
    return np.asarray(won.astype(np.int32) * 3 + lost + 1)


def _decode(code: IntArray) -> tuple[IntArray, IntArray]:
    won, lost = np.divmod(code, 3)
    return won, lost - 1


def result_counts(
    total_a: IntArray, total_b: IntArray, won_a: IntArray, lost_a: IntArray, won_b: IntArray,
    lost_b: IntArray, loser_first: int = 0, floor: int = -99,
) -> NDArray[np.uint8]:  # fmt: skip
    """How many of 36 dice pairs give each result, shape ``(n, 5)`` for arguments of shape ``(n,)``."""
    counts = np.zeros((len(total_a), len(RESULTS)), dtype=np.uint8)
    rows = np.arange(len(total_a))
    for die_a, die_b in Dice((6, 6)).faces().T:
        result = compare(total_a + die_a, total_b + die_b, won_a, lost_a, won_b, lost_b, loser_first, floor)
        counts[rows, result] += 1
    return counts


def matchups(contest: str, a: SideArray, b: SideArray, rulings: TriumphRulings) -> Matchups:
    """The grid of every `a` against every `b`.

    Parameters
    ----------
    contest : str
        ``close-combat``; for attacks at a distance see `ranged`.
    a, b : SideArray
        Sides of shape ``(n,)`` and ``(m,)``.
    rulings : TriumphRulings
        Which rows are in force.
    """
    tables = rule_tables(contest, rulings)
    # Triumph! 65: the factor depends on whether the enemy is foot or mounted.
    total_a = tables.factors["a"].total(a.bits, b.bits, a.situation, _by_kind(a, b))
    total_b = tables.factors["b"].total(b.bits, a.bits, b.situation, _by_kind(b, a)).T
    return Matchups(tables, a, b, total_a, total_b, loser_first(rulings), rulings.total_floor)


def _by_kind(own: SideArray, enemy: SideArray) -> tuple[FloatArray, FloatArray]:
    """Close combat factors as a product of own values and enemy kinds, for `RuleTable.total`."""
    values = np.stack([own.cf_vs_foot, own.cf_vs_mounted], axis=1).astype(np.float64)
    return values, np.stack([~enemy.mounted, enemy.mounted]).astype(np.float64)


def loser_first(rulings: TriumphRulings) -> int:
    """1 when the loser of the first comparison is adjusted first."""
    return int(rulings.post_roll == "loser_first")


def _both_ways(table: RuleTable, own: SideArray, enemy: SideArray, placed: bool = True) -> IntArray:
    """First row of a table for beaten (0) and doubled (1), shape ``(2, n, m)``."""
    _, situations = vocabularies()
    base = own.situation if placed else np.zeros_like(own.situation)
    return np.stack(
        [table.first(own.bits, enemy.bits, base | situations.bits([how])) for how in ("beaten", "doubled")]
    )


def _adjustments(tables: RuleTables, side: SideArray) -> tuple[IntArray, IntArray]:
    traits, _ = vocabularies()
    won = np.zeros(side.bits.shape, dtype=np.int8)
    lost = np.zeros(side.bits.shape, dtype=np.int8)
    for adjustment in tables.adjustments:
        own = adjustment.row.own
        every, none = traits.bits(own.every), traits.bits(own.none)
        hit = ((side.bits & every) == every) & ((side.bits & none) == 0)
        (won if adjustment.won else lost)[hit] += adjustment.row.value
    return won, lost


@dataclass(frozen=True, eq=False)
class CloseCombat:
    """Close combat between two sides, as a contest.

    Parameters
    ----------
    a, b : Stand or Camp
        The sides.
    situation : Situation
        Where they meet.
    rulings : TriumphRulings
        How open points are decided.
    """

    a: Side
    b: Side
    situation: Situation = Situation()
    rulings: TriumphRulings = TriumphRulings()

    def __post_init__(self) -> None:
        if isinstance(self.a, Camp) and isinstance(self.b, Camp):
            raise InputError("Two camps do not fight each other")
        used = self.rulings.only(DECLARED["close-combat"])
        places = self.situation
        a = side_array([self.a], places.a, places.b, used, ("exceptions",))
        b = side_array([self.b], places.b, places.a, used, ("exceptions",))
        object.__setattr__(self, "_grid", matchups("close-combat", a, b, used))

    @property
    def dice(self) -> Dice:
        """A die for each side."""
        return Dice((6, 6))

    @property
    def labels(self) -> tuple[str, ...]:
        """Results, seen from a."""
        return RESULTS

    @property
    def grid(self) -> Matchups:
        """The matchup as a grid of one by one."""
        return self.__dict__["_grid"]  # type: ignore[no-any-return]

    def resolve(self, rolls: IntArray) -> IntArray:
        """Result of each roll: shape ``(2, n)`` in, ``(n,)`` out."""
        return resolve(self.grid, rolls)


def resolve(one: Matchups, rolls: IntArray) -> IntArray:
    """Result of each roll in a grid of one by one."""
    result = compare(
        int(one.total_a[0, 0]) + rolls[0],
        int(one.total_b[0, 0]) + rolls[1],
        int(one.gains_a[0][0]),
        int(one.gains_a[1][0]),
        int(one.gains_b[0][0]),
        int(one.gains_b[1][0]),
        one.loser_first,
        one.floor,
    )
    return np.asarray(result)


def fate_codes(one: Matchups, results: IntArray) -> tuple[IntArray, IntArray]:
    """Positions in `FATES` of a and b for some results of a grid of one by one."""
    stands = FATES.index("stands")
    a = np.array([one.fate_a[1, 0, 0], one.fate_a[0, 0, 0], stands, stands, stands])
    b = np.array([stands, stands, stands, one.fate_b[0, 0, 0], one.fate_b[1, 0, 0]])
    return a[results], b[results]


def pursuit_codes(one: Matchups, results: IntArray) -> tuple[IntArray, IntArray]:
    """1 where a, or b, pursues for some results of a grid of one by one."""
    a = np.array([0, 0, 0, one.pursues_a[0, 0, 0], one.pursues_a[1, 0, 0]], dtype=np.int64)
    b = np.array([one.pursues_b[1, 0, 0], one.pursues_b[0, 0, 0], 0, 0, 0], dtype=np.int64)
    return a[results], b[results]


def roll_results(
    total_a: IntArray,
    total_b: IntArray,
    won_a: IntArray,
    lost_a: IntArray,
    won_b: IntArray,
    lost_b: IntArray,
    rng: np.random.Generator,
    loser_first: int = 0,
    floor: int = -99,
    chunk: int = 1 << 15,
) -> NDArray[np.int8]:
    """Roll many different combats once each; position in `RESULTS` of each, shape ``(n,)``.

    Parameters
    ----------
    total_a, total_b, won_a, lost_a, won_b, lost_b : array of int8, shape (n,)
        As for `compare`, one entry a combat; factors below 100.
    rng : numpy.random.Generator
        Source of the dice; results depend on `chunk` only through memory, not in value.
    loser_first, floor
        As for `compare`.
    chunk : int
        Combats held in the processor's cache at a time.
    """
    size = len(total_a)
    # One number below 36² is two pairs of dice: exact, and half the random bits.
    double = rng.integers(0, 1296, size=(size + 1) // 2, dtype=np.uint16)
    first = (double // np.uint16(36)).astype(np.int8)
    pairs = np.concatenate([first, (double % np.uint16(36)).astype(np.int8)])[:size]
    results = np.empty(size, dtype=np.int8)
    level, least = np.int8(loser_first), np.int8(floor)
    for start in range(0, size, chunk):
        part = slice(start, start + chunk)
        die_a = pairs[part] // np.int8(6)
        die_b = pairs[part] - np.int8(6) * die_a
        results[part] = compare(
            total_a[part] + die_a + np.int8(1),
            total_b[part] + die_b + np.int8(1),
            won_a[part],
            lost_a[part],
            won_b[part],
            lost_b[part],
            level,
            least,
        )
    return results
